/* SPDX-License-Identifier: Apache-2.0 */
/* From chains of requests to problems in units and sections, one a group, and back. */
#ifndef BERTH_PLAN_NORMALISE_H
#define BERTH_PLAN_NORMALISE_H

#include "plan_input.h"
#include "plan_problem.h"

/* The chains of one group, and the problem they pose. */
struct plan_group {
	struct plan_problem problem;
	uint32_t *chain;     /* of each item */
	uint64_t unit_bytes; /* of the problem's sizes and offsets */
	uint64_t live_bytes; /* the largest sum of bytes alive together, as asked */
	uint32_t arena_group;
};

/*
 * Pose the problem of the chains members[0] to members[count - 1], which are of one group.
 * Freed by berth__plan_group_fini(), also after a failure.
 */
berth_status berth__plan_group_init(struct plan_group *out, const berth_plan_input *input,
				    const struct plan_chains *chains, const uint32_t *members,
				    uint32_t count);
void berth__plan_group_fini(struct plan_group *group);

/*
 * Who conflicts with whom, from the lifetimes. False when there are more than @most pairs, or
 * no memory for them; the problem is then unchanged.
 */
bool berth__plan_list_adjacent(struct plan_problem *problem, size_t most);

#endif
