/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tiers. Each takes a problem and the best solution so far, and may put a better one in its
 * place. Each ends when the solution is as small as the bound, or when the effort is spent.
 */
#ifndef BERTH_PLAN_SOLVE_H
#define BERTH_PLAN_SOLVE_H

#include "plan_shelf.h"

/* Merit of an item in an order: what is larger comes first. */
enum plan_merit {
	PLAN_BY_SIZE,
	PLAN_BY_AREA,
	PLAN_BY_DURATION,
	PLAN_BY_SIZE_AND_DEGREE,
	PLAN_BY_BEGIN,
	PLAN_BY_PEAK, /* those alive at the highest sum, then at the next, ... */
	PLAN_BY_SIZE_NEAR_PEAK,
	PLAN_MERITS
};

struct plan_solution {
	uint64_t *offsets; /* in the strip */
	uint64_t total;	   /* units that all arenas need; PLAN_NOWHERE: no solution yet */
	uint64_t proven;   /* no solution has a lower total */
	uint64_t greedy;   /* what the greedy tier reached */
	berth_plan_tier tier;
};

/* The units that arenas need for these offsets. */
uint64_t berth__plan_total(const struct plan_problem *problem, const uint64_t *offsets);

/* Take offsets over when they are better. @return whether they were. */
bool berth__plan_consider(const struct plan_problem *problem, struct plan_solution *best,
			  const uint64_t *offsets, berth_plan_tier tier);

static inline bool berth__plan_is_optimal(const struct plan_solution *best)
{
	return best->total <= best->proven;
}

/* Sort all items by a merit, pinned ones first. @items gets their indices. */
bool berth__plan_sort(const struct plan_problem *problem, enum plan_merit merit, uint32_t *items);

/* For each item, what PLAN_BY_SIZE_NEAR_PEAK multiplies its size with. */
bool berth__plan_near_peak(const struct plan_problem *problem, double *merits);

/*
 * Place items in an order. Adds to @effort, and does not ask it.
 * @retval BERTH_E_NOMEM
 * @retval BERTH_E_LIMIT  pinned items run into each other; the detail names no request yet
 */
berth_status berth__plan_place_all(const struct plan_problem *problem, struct plan_shelf *shelf,
				   const uint32_t *items, enum plan_gap gap,
				   struct plan_effort *effort, uint64_t *offsets);

berth_status berth__plan_greedy(const struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort);
berth_status berth__plan_arenas(const struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort);
/* Whether search and branch can do anything: not for conflict lists, not for too many pairs. */
bool berth__plan_can_search(struct plan_problem *problem);

berth_status berth__plan_search(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed);
berth_status berth__plan_branch(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed);
berth_status berth__plan_local(struct plan_problem *problem, struct plan_solution *best,
			       struct plan_effort *effort, uint64_t seed);
berth_status berth__plan_vary(struct plan_problem *problem, struct plan_solution *best,
			      struct plan_effort *effort, uint64_t seed);

#endif
