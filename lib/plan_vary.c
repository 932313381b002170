/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For inputs too large to search: first fit again and again, by size near the peak, with more or
 * less weight on the peak and with some chance.
 */
#include "plan_solve.h"

#include <stdlib.h>

/* By how much chance moves a merit, at most. */
#define NOISE 0.25

struct row {
	double merit;
	uint32_t item;
};

struct vary {
	const struct plan_problem *problem;
	struct plan_shelf *shelf;
	double *near_peak;
	struct row *rows;
	uint32_t *items;
	uint64_t *offsets;
	uint64_t random;
};

static int by_merit(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->merit != y->merit)
		return x->merit > y->merit ? -1 : 1;
	return (x->item > y->item) - (x->item < y->item);
}

static double chance(struct vary *vary)
{
	return (double)(berth__plan_random(&vary->random) >> 11) / 0x1p53;
}

static void draw_order(struct vary *vary)
{
	const struct plan_problem *problem = vary->problem;
	double noise = NOISE * chance(vary);
	int powers = (int)(4 * chance(vary));

	for (uint32_t i = 0; i < problem->count; i++) {
		double merit = (double)problem->size[i] * (1 + noise * chance(vary));

		for (int power = 0; power < powers; power++)
			merit *= vary->near_peak[i];
		if (problem->pinned && problem->pinned[i] != PLAN_NOWHERE)
			merit = (double)UINT64_MAX;
		vary->rows[i] = (struct row){ merit, i };
	}
	qsort(vary->rows, problem->count, sizeof(*vary->rows), by_merit);
	for (uint32_t i = 0; i < problem->count; i++)
		vary->items[i] = vary->rows[i].item;
}

berth_status berth__plan_vary(struct plan_problem *problem, struct plan_solution *best,
			      struct plan_effort *effort, uint64_t seed)
{
	struct vary vary = { .problem = problem, .random = seed * 2 + 0xD1B54A32D192ED03u };
	size_t count = (size_t)problem->count + 1;
	berth_status st = BERTH_OK;

	if (problem->by_conflicts || berth__plan_can_search(problem))
		return BERTH_OK;
	vary.shelf = berth__plan_shelf_create(problem);
	vary.near_peak = calloc(count, sizeof(*vary.near_peak));
	vary.rows = calloc(count, sizeof(*vary.rows));
	vary.items = calloc(count, sizeof(*vary.items));
	vary.offsets = calloc(count, sizeof(*vary.offsets));
	if (!vary.shelf || !vary.near_peak || !vary.rows || !vary.items || !vary.offsets ||
	    !berth__plan_near_peak(problem, vary.near_peak))
		st = berth_error_set(BERTH_E_NOMEM, 0, "no memory to vary a plan");
	while (st == BERTH_OK && !berth__plan_is_optimal(best) &&
	       !berth__plan_spend(effort, problem->count)) {
		draw_order(&vary);
		st = berth__plan_place_all(problem, vary.shelf, vary.items, PLAN_FIRST_GAP, effort,
					   vary.offsets);
		if (st == BERTH_OK)
			berth__plan_consider(problem, best, vary.offsets, BERTH_PLAN_TIER_VARY);
	}
	berth__plan_shelf_destroy(vary.shelf);
	free(vary.near_peak);
	free(vary.rows);
	free(vary.items);
	free(vary.offsets);
	return st;
}
