/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan's input says, checked and with its in-place chains resolved. */
#ifndef BERTH_PLAN_INPUT_H
#define BERTH_PLAN_INPUT_H

#include <berth/plan.h>

/*
 * Requests that share their bytes by in-place pairs are one *chain*, as large as its largest,
 * alive while one of it is. A request without a pair is a chain of one.
 */
struct plan_chain {
	uint64_t bytes, lower, upper;
	uint64_t align_bytes; /* >= 1 */
	uint64_t pinned_offset_bytes;
	uint32_t arena_group;
	uint32_t request; /* the first of it, for messages */
	bool whole_run;
};

struct plan_chains {
	struct plan_chain *chains;
	uint32_t count;
	uint32_t *of_request; /* the chain of each request */
};

/* Check the input; out is written on success only, and freed by berth__plan_chains_fini(). */
berth_status berth__plan_chains_init(struct plan_chains *out, const berth_plan_input *input);
void berth__plan_chains_fini(struct plan_chains *chains);

#endif
