/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit's XML, which build servers read: a file with one suite. */
#ifndef BERTH_TOOL_JUNIT_H
#define BERTH_TOOL_JUNIT_H

#include <berth/status.h>

typedef struct junit junit;

struct junit_totals {
	size_t tests, failures, errors, skipped;
};

/* BERTH_OK or BERTH_E_IO; junit_close() in both cases. @suite: "berth probe" and what it is of. */
berth_status junit_open(junit **out, const char *path, const char *suite, const char *of,
			const struct junit_totals *totals);

/* One test; @element: "failure", "error", "skipped" with a message, or NULL: passed. */
void junit_test(junit *file, const char *group, const char *name, const char *element,
		const char *message);

/* BERTH_OK or BERTH_E_IO: not all could be written. NULL is fine. */
berth_status junit_close(junit *file);

#endif
