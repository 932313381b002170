/* SPDX-License-Identifier: Apache-2.0 */
/* A cell of a comparison: one replay. */
#ifndef BERTH_TOOL_COMPARE_CELL_H
#define BERTH_TOOL_COMPARE_CELL_H

#include "compare_row.h"

/* The ways to allocate that are no policy of the pool. */
#define COMPARE_VERBATIM "verbatim"
#define COMPARE_PLAN "plan"

struct compare_cell {
	const char *trace;
	const char *device;
	const char *policy;   /* a pool's, or one of the two above */
	const char *settings; /* as struct replay_setup has it; so are the next */
	uint64_t memory_bytes;
	uint64_t max_alloc_bytes;
};

/*
 * Replay it, without content on simulated devices. Fills in @row, with outcome "failed" when it
 * could not be replayed. False: no memory even for that.
 */
bool compare_cell_run(struct compare_row *row, const struct compare_cell *cell);

/* The row of a cell of which nothing is known but why. False: no memory. */
bool compare_cell_fail(struct compare_row *row, const struct compare_cell *cell, const char *why);

#endif
