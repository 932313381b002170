/* SPDX-License-Identifier: Apache-2.0 */
/* The page around a report's data: report/page.html with its places filled. */
#ifndef BERTH_REPLAY_REPORT_PAGE_H
#define BERTH_REPLAY_REPORT_PAGE_H

#include <stdio.h>

#include <berth/trace.h>

#define BERTH__REPORT_NONCE_BYTES 33

struct berth__report_page {
	const char *title; /* untrusted */
	char nonce[BERTH__REPORT_NONCE_BYTES];
	char *data; /* JSON that may stand in a script element */
	char *plan; /* an SVG file; NULL: none */
};

/*
 * What a script of this page is known by: the page's policy runs no other. A trace cannot
 * know it. BERTH_OK, BERTH_E_IO.
 */
BERTH_MUST_CHECK berth_status berth__report_page_nonce(char out[BERTH__REPORT_NONCE_BYTES]);

/* Errors stay with the stream. */
void berth__report_page_print(FILE *file, const struct berth__report_page *page);

/* The picture of a trace's plan; *out stays NULL where there is nothing to plan. free(). */
BERTH_MUST_CHECK berth_status berth__report_plan(char **out, berth_trace *trace, const char *title);

/* report/page.*, as the build embedded them; end with a NUL. */
extern const char berth__report_html[], berth__report_css[], berth__report_js[];

#endif
