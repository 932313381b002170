/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Minimising with the search, which only answers for one capacity.
 *
 * Whether a capacity is solved in time does not depend on it smoothly, and depends much on the
 * order in which equals are tried. So no bisection: rounds over a ladder of capacities between
 * the bound and the best solution, each with the next of several orders, and with twice the steps
 * from time to time. After the orders as they are come the same with some chance in them.
 */
#include "plan_normalise.h"
#include "plan_search.h"
#include "plan_solve.h"

#include <stdlib.h>

/* More pairs in conflict than this are not listed: 8 bytes each, and as much in the search. */
#define PAIRS_MAX 4000000

/* Steps of the first runs: so many an item, so that one dive to the bottom ends. */
#define FIRST_STEPS_PER_ITEM 1000

/* By how much chance moves a merit, up and down. */
#define JITTER 0.15

enum measure { DEGREE, DURATION, AREA, SIZE };

/* Merits: weights of what is left, of one measure, and of another among equals. */
static const struct {
	double left, first_weight;
	enum measure first, second;
} orders[] = {
	{ 1000, 1, DEGREE, SIZE },    { 1000, 1, DURATION, AREA }, { 1000, 1, AREA, SIZE },
	{ 0, 1000, DURATION, AREA }, { 0, 1, AREA, SIZE },	   { 1, 1, AREA, SIZE },
};

#define ORDERS (sizeof(orders) / sizeof(orders[0]))

/* Rungs of the ladder, as parts of the way from the bound to the best solution. */
static const double rungs[] = { 0, 0, 0.5, 0, 0.25, 0, 0.75 };

#define RUNGS (sizeof(rungs) / sizeof(rungs[0]))

struct branch {
	const struct plan_problem *problem;
	struct plan_solution *best;
	struct plan_effort *effort;
	struct plan_search *search;
	struct plan_order order;
	uint64_t *offsets;
	uint64_t random;
};

static double measure(const struct plan_problem *problem, enum measure what, uint32_t item)
{
	double size = (double)problem->size[item];
	double duration = (double)(problem->end[item] - problem->begin[item]);

	switch (what) {
	case DEGREE:
		return (double)(problem->adjacent_start[item + 1] - problem->adjacent_start[item]) /
		       (double)problem->count;
	case DURATION:
		return duration / (double)problem->sections;
	case AREA:
		return size * duration / (double)problem->bound / (double)problem->sections;
	default:
		return size / (double)problem->bound;
	}
}

static void set_order(struct branch *branch, size_t which, double jitter)
{
	const struct plan_problem *problem = branch->problem;

	branch->order.left = orders[which].left / (double)problem->bound;
	for (uint32_t i = 0; i < problem->count; i++) {
		double chance = (double)(berth__plan_random(&branch->random) >> 11) / 0x1p53;

		branch->order.jitter[i] = 1 + jitter * (2 * chance - 1);
		branch->order.fixed[i] =
			(orders[which].first_weight * measure(problem, orders[which].first, i) +
			 1e-3 * measure(problem, orders[which].second, i)) *
			branch->order.jitter[i];
	}
}

/* One run at a capacity. A proof that there is nothing raises the bound, in one arena. */
static void try_capacity(struct branch *branch, uint64_t capacity, uint64_t steps,
			 berth_plan_tier tier)
{
	enum plan_answer answer = berth__plan_search_run(branch->search, capacity, &branch->order,
							 steps, branch->effort, branch->offsets);

	if (answer == PLAN_FOUND)
		berth__plan_consider(branch->problem, branch->best, branch->offsets, tier);
	if (answer == PLAN_IMPOSSIBLE && branch->problem->arena == 0 &&
	    capacity + 1 > branch->best->proven)
		branch->best->proven = capacity + 1;
}

static bool is_done(const struct branch *branch)
{
	return berth__plan_is_optimal(branch->best) || berth__plan_spend(branch->effort, 0);
}

static void minimise(struct branch *branch)
{
	uint64_t steps = (uint64_t)FIRST_STEPS_PER_ITEM * branch->problem->count;

	for (size_t run = 0; !is_done(branch); run++) {
		const struct plan_solution *best = branch->best;
		uint64_t way = best->total - 1 - best->proven, capacity;
		size_t turn = run / ORDERS;

		set_order(branch, run % ORDERS, turn == 0 ? 0 : JITTER);
		capacity = best->proven + (uint64_t)((double)way * rungs[turn % RUNGS]);
		try_capacity(branch, capacity < best->total ? capacity : best->total - 1, steps,
			     BERTH_PLAN_TIER_BRANCH);
		if (turn % RUNGS == RUNGS - 1 && run % ORDERS == ORDERS - 1)
			steps *= 2;
	}
}

static void search_at_bound(struct branch *branch)
{
	uint64_t steps = (uint64_t)FIRST_STEPS_PER_ITEM * branch->problem->count;

	for (size_t run = 0; run < 2 * ORDERS && !is_done(branch); run++) {
		set_order(branch, run % ORDERS, 0);
		try_capacity(branch, branch->best->proven, steps << run / ORDERS,
			     BERTH_PLAN_TIER_SEARCH);
	}
}

static berth_status with_search(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed,
				void (*run)(struct branch *branch))
{
	struct branch branch = { .problem = problem, .best = best, .effort = effort };
	size_t count = (size_t)problem->count + 1;
	bool made;

	if (problem->by_conflicts || !berth__plan_list_adjacent(problem, PAIRS_MAX))
		return BERTH_OK;
	branch.random = seed * 2 + 88172645463325253u;
	branch.search = berth__plan_search_create(problem);
	branch.order.fixed = calloc(count, sizeof(double));
	branch.order.jitter = calloc(count, sizeof(double));
	branch.offsets = calloc(count, sizeof(*branch.offsets));
	made = branch.search && branch.order.fixed && branch.order.jitter && branch.offsets;
	if (made)
		run(&branch);
	berth__plan_search_destroy(branch.search);
	free(branch.order.fixed);
	free(branch.order.jitter);
	free(branch.offsets);
	if (!made)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to search for a plan");
	return BERTH_OK;
}

berth_status berth__plan_search(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed)
{
	return with_search(problem, best, effort, seed, search_at_bound);
}

berth_status berth__plan_branch(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed)
{
	return with_search(problem, best, effort, seed, minimise);
}
