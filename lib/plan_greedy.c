/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy placement: every order with first fit and with best fit, and the best of all. */
#include "plan_solve.h"

#include <stdlib.h>
#include <string.h>

/* Above it, only a part of the portfolio is made: each plan costs up to the square of it. */
#define FULL_PORTFOLIO_MAX 4096

/* Steps after which no other plan of the portfolio is begun. */
#define PORTFOLIO_STEPS 400000000u

/* What is tried, the likeliest first. */
static const struct {
	enum plan_merit merit;
	enum plan_gap gap;
	bool large; /* also for large inputs */
} portfolio[] = {
	{ PLAN_BY_SIZE, PLAN_BEST_GAP, false },
	{ PLAN_BY_SIZE, PLAN_FIRST_GAP, true },
	{ PLAN_BY_AREA, PLAN_FIRST_GAP, true },
	{ PLAN_BY_SIZE_NEAR_PEAK, PLAN_FIRST_GAP, true },
	{ PLAN_BY_DURATION, PLAN_FIRST_GAP, true },
	{ PLAN_BY_PEAK, PLAN_FIRST_GAP, false },
	{ PLAN_BY_SIZE_AND_DEGREE, PLAN_FIRST_GAP, false },
	{ PLAN_BY_BEGIN, PLAN_FIRST_GAP, false },
	{ PLAN_BY_AREA, PLAN_BEST_GAP, false },
	{ PLAN_BY_SIZE_NEAR_PEAK, PLAN_BEST_GAP, false },
	{ PLAN_BY_DURATION, PLAN_BEST_GAP, false },
	{ PLAN_BY_PEAK, PLAN_BEST_GAP, false },
	{ PLAN_BY_SIZE_AND_DEGREE, PLAN_BEST_GAP, false },
	{ PLAN_BY_BEGIN, PLAN_BEST_GAP, false },
};

#define PORTFOLIO (sizeof(portfolio) / sizeof(portfolio[0]))

uint64_t berth__plan_total(const struct plan_problem *problem, const uint64_t *offsets)
{
	uint64_t highest = 0, total = 0, last = 0;
	uint64_t *tops;

	for (uint32_t i = 0; i < problem->count; i++) {
		uint64_t top = offsets[i] + problem->size[i];

		highest = top > highest ? top : highest;
	}
	if (problem->arena == 0 || highest <= problem->arena)
		return highest;
	last = (highest - 1) / problem->arena;
	tops = last < problem->count ? calloc(last + 1, sizeof(*tops)) : NULL;
	if (!tops)
		return highest; /* it is no less than the sum of the tops */
	for (uint32_t i = 0; i < problem->count; i++) {
		uint64_t arena = offsets[i] / problem->arena;
		uint64_t top = offsets[i] % problem->arena + problem->size[i];

		tops[arena] = top > tops[arena] ? top : tops[arena];
	}
	for (uint64_t i = 0; i <= last; i++)
		total += tops[i];
	free(tops);
	return total;
}

bool berth__plan_consider(const struct plan_problem *problem, struct plan_solution *best,
			  const uint64_t *offsets, berth_plan_tier tier)
{
	uint64_t total = berth__plan_total(problem, offsets);

	if (total >= best->total)
		return false;
	best->total = total;
	best->tier = tier;
	memcpy(best->offsets, offsets, problem->count * sizeof(*offsets));
	return true;
}

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory to place the requests of a plan");
}

berth_status berth__plan_place_all(const struct plan_problem *problem, struct plan_shelf *shelf,
				   const uint32_t *items, enum plan_gap gap,
				   struct plan_effort *effort, uint64_t *offsets)
{
	berth__plan_shelf_clear(shelf);
	for (uint32_t i = 0; i < problem->count; i++) {
		uint32_t item = items[i];
		uint64_t pin = problem->pinned ? problem->pinned[item] : PLAN_NOWHERE;
		bool pinned = pin != PLAN_NOWHERE;

		offsets[item] =
			berth__plan_shelf_find(shelf, item, pinned ? pin : 0,
					       pinned ? PLAN_FIRST_GAP : gap, &effort->work);
		if (pinned && offsets[item] != pin)
			return berth_error_set(BERTH_E_LIMIT, 0,
					       "pinned requests conflict and share bytes");
		if (!berth__plan_shelf_put(shelf, item, offsets[item]))
			return no_memory();
	}
	return BERTH_OK;
}

berth_status berth__plan_greedy(const struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort)
{
	struct plan_shelf *shelf = berth__plan_shelf_create(problem);
	uint32_t *items = calloc((size_t)problem->count + 1, sizeof(*items));
	uint64_t *offsets = calloc((size_t)problem->count + 1, sizeof(*offsets));
	bool large = problem->count > FULL_PORTFOLIO_MAX;
	berth_status st = shelf && items && offsets ? BERTH_OK : no_memory();

	for (size_t i = 0; i < PORTFOLIO && st == BERTH_OK; i++) {
		if (large && !portfolio[i].large)
			continue;
		if (!berth__plan_sort(problem, portfolio[i].merit, items))
			st = no_memory();
		else
			st = berth__plan_place_all(problem, shelf, items, portfolio[i].gap, effort,
						   offsets);
		if (st == BERTH_OK)
			berth__plan_consider(problem, best, offsets, BERTH_PLAN_TIER_GREEDY);
		/* The first plan is always made; then there is something to stop with. */
		if (berth__plan_is_optimal(best) || berth__plan_spend(effort, 0) ||
		    effort->work > PORTFOLIO_STEPS)
			break;
	}
	best->greedy = best->total;
	free(offsets);
	free(items);
	berth__plan_shelf_destroy(shelf);
	return st;
}
