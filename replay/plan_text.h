/* SPDX-License-Identifier: Apache-2.0 */
/* A text file that is read, its numbers, and errors that name the line. */
#ifndef BERTH_REPLAY_PLAN_TEXT_H
#define BERTH_REPLAY_PLAN_TEXT_H

#include <stdio.h>

#include <berth/status.h>

struct berth__plan_text {
	const char *path; /* borrowed */
	FILE *file;
};

/* BERTH_OK or BERTH_E_IO: cannot be opened, or not a file. */
BERTH_MUST_CHECK berth_status berth__plan_text_open(struct berth__plan_text *text,
						    const char *path);
void berth__plan_text_close(struct berth__plan_text *text);

/* A decimal number that is all of @string. */
bool berth__plan_parse_number(uint64_t *out, const char *string);

/* Sets BERTH_E_FORMAT, "PATH, line LINE: ...", and returns it. */
berth_status berth__plan_text_error(const struct berth__plan_text *text, uint64_t line,
				    const char *format, ...) BERTH_PRINTF(3, 4);

#endif
