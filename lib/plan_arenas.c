/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several arenas, the other way than the strip: open an arena, offer it every item that is
 * left, keep what fits below its end, go on with the next. Better when a few large items
 * decide what else an arena can hold.
 */
#include "plan_solve.h"

#include <stdlib.h>

static const enum plan_merit merits[] = { PLAN_BY_SIZE, PLAN_BY_AREA, PLAN_BY_DURATION,
					  PLAN_BY_PEAK };

/* Fill one arena of the strip. @items[0..*left) are what is left, and so afterwards. */
static bool fill_arena(const struct plan_problem *problem, struct plan_shelf *shelf, uint64_t arena,
		       uint32_t *items, uint32_t *left, struct plan_effort *effort,
		       uint64_t *offsets)
{
	uint64_t base = arena * problem->arena;
	uint32_t kept = 0;

	berth__plan_shelf_clear(shelf);
	for (uint32_t i = 0; i < *left; i++) {
		uint32_t item = items[i];
		uint64_t pin = problem->pinned ? problem->pinned[item] : PLAN_NOWHERE;
		uint64_t from = pin != PLAN_NOWHERE ? pin : base, at;

		at = berth__plan_shelf_find(shelf, item, from, PLAN_FIRST_GAP, &effort->work);
		if (at / problem->arena != arena) {
			items[kept++] = item;
			continue;
		}
		offsets[item] = at;
		if (!berth__plan_shelf_put(shelf, item, at))
			return false;
	}
	*left = kept;
	return true;
}

berth_status berth__plan_arenas(const struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort)
{
	struct plan_shelf *shelf = berth__plan_shelf_create(problem);
	uint32_t *items = calloc((size_t)problem->count + 1, sizeof(*items));
	uint64_t *offsets = calloc((size_t)problem->count + 1, sizeof(*offsets));
	bool made = shelf && items && offsets;

	for (size_t i = 0; made && i < sizeof(merits) / sizeof(merits[0]); i++) {
		uint32_t left = problem->count;

		if (berth__plan_is_optimal(best) || berth__plan_spend(effort, 0))
			break;
		made = berth__plan_sort(problem, merits[i], items);
		for (uint64_t arena = 0; made && left > 0; arena++)
			made = fill_arena(problem, shelf, arena, items, &left, effort, offsets);
		if (made)
			berth__plan_consider(problem, best, offsets, BERTH_PLAN_TIER_GREEDY);
	}
	best->greedy = best->total;
	free(items);
	free(offsets);
	berth__plan_shelf_destroy(shelf);
	if (!made)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to fill the arenas of a plan");
	return BERTH_OK;
}
