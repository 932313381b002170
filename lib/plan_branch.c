/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Minimising with the search, which only answers for one capacity.
 *
 * Whether a capacity is solved depends little on the steps that a run gets, and much on the
 * order in which equals are tried: for nearly every input some simple order leads straight to
 * the solution, and the others lead astray for hours. So many short runs, each in another
 * order: first some that are known to be good, then orders whose weights are drawn by chance.
 */
#include "plan_normalise.h"
#include "plan_search.h"
#include "plan_solve.h"

#include <stdlib.h>
#include <string.h>

/* More pairs in conflict than this are not listed: 8 bytes each, and as much in the search. */
#define PAIRS_MAX 4000000

/*
 * Steps of the shortest runs, for each item in conflict with another: a dive to the bottom that
 * never goes back takes about so many.
 */
#define STEPS_PER_CONFLICT 16

/* Runs at the bound before other capacities are tried. */
#define RUNS_AT_BOUND 40

/* What an order looks at in an item, each between 0 and 1, and LEFT while searching. */
enum measure { LEFT, DURATION, AREA, DEGREE, SIZE, MEASURES };

/* A weight above all others: what it weighs decides, the others only among equals. */
#define FIRST 1000

static const double known_good[][MEASURES] = {
	{ [LEFT] = FIRST, [DEGREE] = 1 },
	{ [LEFT] = FIRST, [DURATION] = 1 },
	{ [LEFT] = FIRST, [AREA] = 1 },
	{ [DURATION] = FIRST, [AREA] = 1 },
	{ [AREA] = 1 },
	{ [LEFT] = 1, [DURATION] = 1 },
	{ [LEFT] = 5, [DEGREE] = 1 },
	{ [LEFT] = 5, [AREA] = 1 },
	{ [DURATION] = 1, [SIZE] = -0.5 },
	{ [LEFT] = 5, [DURATION] = 1, [DEGREE] = 0.7 },
};

#define KNOWN_GOOD (sizeof(known_good) / sizeof(known_good[0]))

/* Weights of what is left, for orders by chance. */
static const double left_weights[] = { 1, 5, FIRST };

#define LEFT_WEIGHTS (sizeof(left_weights) / sizeof(left_weights[0]))

/* By how much every second order by chance moves each item, up and down. */
#define JITTER 0.02

/* By how much a run that repeats the lucky order moves each item of it, at most. */
#define VARY 0.1

/* Capacities that the known orders are tried at, as parts of the way from bound to best. */
static const double rungs[] = { 0.4, 0.5, 0.6, 0.7, 0.8, 0.9 };

#define RUNGS (sizeof(rungs) / sizeof(rungs[0]))

struct branch {
	const struct plan_problem *problem;
	struct plan_solution *best;
	struct plan_effort *effort;
	struct plan_search *search;
	struct plan_order order;
	double weights[MEASURES]; /* of the run */
	double lucky[MEASURES];	  /* of the run that found the best solution, if one did */
	struct plan_order lucky_order; /* of that run, with what chance did to it */
	bool is_lucky;
	uint64_t *offsets;
	uint64_t random;
};

/* At least 0, below 1. */
static double chance(struct branch *branch)
{
	return (double)(berth__plan_random(&branch->random) >> 11) / 0x1p53;
}

static double weigh(const struct plan_problem *problem, const double *weights, uint32_t item)
{
	double size = (double)problem->size[item] / (double)problem->bound;
	double duration = (double)(problem->end[item] - problem->begin[item]) / problem->sections;
	double degree =
		(double)(problem->adjacent_start[item + 1] - problem->adjacent_start[item]) /
		problem->count;

	return weights[DURATION] * duration + weights[AREA] * size * duration +
	       weights[DEGREE] * degree + weights[SIZE] * size;
}

/* Draw weights, about half of them 0. */
static void draw_weights(struct branch *branch)
{
	branch->weights[LEFT] = left_weights[(size_t)(LEFT_WEIGHTS * chance(branch))];
	for (int i = LEFT + 1; i < MEASURES; i++)
		branch->weights[i] = chance(branch) < 0.5 ? 0 : chance(branch);
}

/* Near to the weights that led to the best solution: what helped once helps again. */
static void vary_weights(struct branch *branch)
{
	for (int i = LEFT; i < MEASURES; i++)
		branch->weights[i] = branch->lucky[i] * (0.5 + chance(branch));
}

/* Near to the very order that led to the best solution. */
static void vary_order(struct branch *branch)
{
	double change = VARY * chance(branch);

	memcpy(branch->weights, branch->lucky, sizeof(branch->weights));
	branch->order.left = branch->lucky_order.left;
	for (uint32_t i = 0; i < branch->problem->count; i++)
		branch->order.fixed[i] = branch->lucky_order.fixed[i] *
					 (1 + change * (2 * chance(branch) - 1));
}

/* The order of a run: known to be good, or by chance. */
static void set_order(struct branch *branch, uint64_t run)
{
	const struct plan_problem *problem = branch->problem;
	double jitter = run >= KNOWN_GOOD && run % 2 ? JITTER : 0;

	if (run < KNOWN_GOOD)
		memcpy(branch->weights, known_good[run], sizeof(branch->weights));
	else if (branch->is_lucky && run % 4 > 1)
		vary_weights(branch);
	else
		draw_weights(branch);
	if (branch->is_lucky && run >= KNOWN_GOOD && run % 4 == 3) {
		vary_order(branch);
		return;
	}
	branch->order.left = branch->weights[LEFT] / (double)problem->bound;
	for (uint32_t i = 0; i < problem->count; i++)
		branch->order.fixed[i] = weigh(problem, branch->weights, i) *
					 (1 + jitter * (2 * chance(branch) - 1));
}

/* One run at a capacity. A proof that there is nothing raises the bound, in one arena. */
static void try_capacity(struct branch *branch, uint64_t capacity, uint64_t steps,
			 berth_plan_tier tier)
{
	enum plan_answer answer = berth__plan_search_run(branch->search, capacity, &branch->order,
							 steps, branch->effort, branch->offsets);

	if (answer == PLAN_FOUND &&
	    berth__plan_consider(branch->problem, branch->best, branch->offsets, tier)) {
		memcpy(branch->lucky, branch->weights, sizeof(branch->lucky));
		branch->lucky_order.left = branch->order.left;
		memcpy(branch->lucky_order.fixed, branch->order.fixed,
		       branch->problem->count * sizeof(double));
		branch->is_lucky = true;
	}
	if (answer == PLAN_IMPOSSIBLE && branch->problem->arena == 0 &&
	    capacity + 1 > branch->best->proven)
		branch->best->proven = capacity + 1;
}

static bool is_done(const struct branch *branch)
{
	return berth__plan_is_optimal(branch->best) || berth__plan_spend(branch->effort, 0);
}

/* Every fourth run is twice as long as the shortest, every 16th four times, and so on. */
static uint64_t steps_of_run(const struct branch *branch, uint64_t run)
{
	const struct plan_problem *problem = branch->problem;
	uint64_t shortest = STEPS_PER_CONFLICT * (problem->adjacent_start[problem->count] + 1);

	return shortest << __builtin_ctzll(run + 1) / 2;
}

/*
 * Where between the bound and the best a run is made: first the known orders at each of some
 * rungs, then by chance; every eighth run at the bound. Chance favours what is near to the best:
 * there each run may gain a little, where far below it none does.
 */
static double height_of_run(struct branch *branch, uint64_t run)
{
	double way, nearer;

	if (run < KNOWN_GOOD * RUNGS)
		return rungs[run / KNOWN_GOOD];
	if (run % 8 == 0)
		return 0;
	way = chance(branch);
	nearer = chance(branch);
	return 1 - way * nearer * nearer;
}

static void minimise(struct branch *branch)
{
	for (uint64_t run = 0; !is_done(branch); run++) {
		const struct plan_solution *best = branch->best;
		double way = (double)(best->total - best->proven - 1);
		uint64_t capacity = best->proven + (uint64_t)(way * height_of_run(branch, run));

		set_order(branch, run < RUNGS * KNOWN_GOOD ? run % KNOWN_GOOD : run);
		try_capacity(branch, capacity, steps_of_run(branch, run), BERTH_PLAN_TIER_BRANCH);
	}
}

static void search_at_bound(struct branch *branch)
{
	for (uint64_t run = 0; run < RUNS_AT_BOUND && !is_done(branch); run++) {
		set_order(branch, run);
		try_capacity(branch, branch->best->proven, steps_of_run(branch, run),
			     BERTH_PLAN_TIER_SEARCH);
	}
}

bool berth__plan_can_search(struct plan_problem *problem)
{
	return !problem->by_conflicts && berth__plan_list_adjacent(problem, PAIRS_MAX);
}

static berth_status with_search(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed, uint64_t first_random,
				void (*run)(struct branch *branch))
{
	struct branch branch = { .problem = problem, .best = best, .effort = effort };
	size_t count = (size_t)problem->count + 1;
	bool made;

	if (!berth__plan_can_search(problem))
		return BERTH_OK;
	branch.random = seed * 2 + first_random;
	branch.search = berth__plan_search_create(problem);
	branch.order.fixed = calloc(count, sizeof(double));
	branch.lucky_order.fixed = calloc(count, sizeof(double));
	branch.offsets = calloc(count, sizeof(*branch.offsets));
	made = branch.search && branch.order.fixed && branch.lucky_order.fixed && branch.offsets;
	if (made)
		run(&branch);
	berth__plan_search_destroy(branch.search);
	free(branch.order.fixed);
	free(branch.lucky_order.fixed);
	free(branch.offsets);
	if (!made)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to search for a plan");
	return BERTH_OK;
}

berth_status berth__plan_search(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed)
{
	return with_search(problem, best, effort, seed, 88172645463325253u, search_at_bound);
}

berth_status berth__plan_branch(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed)
{
	return with_search(problem, best, effort, seed, 0x9E3779B97F4A7C15u, minimise);
}
