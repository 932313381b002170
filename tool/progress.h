/* SPDX-License-Identifier: Apache-2.0 */
/* A line that tells how far a long command is: on a terminal only, after a second. */
#ifndef BERTH_TOOL_PROGRESS_H
#define BERTH_TOOL_PROGRESS_H

#include <berth/status.h>

struct progress {
	bool terminal;
	bool shown;
	uint64_t next_ns; /* not before; CLOCK_MONOTONIC */
};

void progress_start(struct progress *progress);

/* Show a line in place of the last one, at most five times a second. */
void progress_show(struct progress *progress, const char *format, ...) BERTH_PRINTF(2, 3);

/* Take the line away. Call before anything else is printed. */
void progress_end(struct progress *progress);

#endif
