/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of items for the greedy tiers: by one merit, the largest first. */
#include "plan_solve.h"

#include <stdlib.h>

struct row {
	double merit;
	uint64_t size;
	uint32_t item;
	bool pinned;
};

/* For each section the sums before it, so that a range's is one subtraction. */
struct sums {
	uint64_t *alive; /* sum of sizes alive in each section */
	uint32_t *begun; /* items that begin before each section */
	uint32_t *ended; /* items that end at or before each section */
};

static int by_merit(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->pinned != y->pinned)
		return x->pinned ? -1 : 1;
	if (x->merit != y->merit)
		return x->merit > y->merit ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return (x->item > y->item) - (x->item < y->item);
}

static bool make_sums(struct sums *sums, const struct plan_problem *problem)
{
	uint64_t alive = 0;
	uint32_t begun = 0, ended = 0;

	sums->alive = calloc((size_t)problem->sections + 1, sizeof(*sums->alive));
	sums->begun = calloc((size_t)problem->sections + 1, sizeof(*sums->begun));
	sums->ended = calloc((size_t)problem->sections + 1, sizeof(*sums->ended));
	if (!sums->alive || !sums->begun || !sums->ended)
		return false;
	for (uint32_t i = 0; i < problem->count; i++) {
		sums->alive[problem->begin[i]] += problem->size[i];
		sums->alive[problem->end[i]] -= problem->size[i];
		sums->begun[problem->begin[i]]++;
		sums->ended[problem->end[i]]++;
	}
	for (uint32_t s = 0; s <= problem->sections; s++) {
		uint32_t begins = sums->begun[s];

		alive += sums->alive[s];
		sums->alive[s] = alive;
		sums->begun[s] = begun;
		begun += begins;
		ended += sums->ended[s];
		sums->ended[s] = ended;
	}
	return true;
}

/* How many items are alive with this one. */
static double degree(const struct plan_problem *problem, const struct sums *sums, uint32_t item)
{
	if (problem->by_conflicts)
		return (double)(problem->adjacent_start[item + 1] - problem->adjacent_start[item]);
	return (double)sums->begun[problem->end[item]] - (double)sums->ended[problem->begin[item]];
}

static double highest_sum(const struct plan_problem *problem, const struct sums *sums,
			  uint32_t item)
{
	uint64_t highest = 0;

	for (uint32_t s = problem->begin[item]; s < problem->end[item]; s++)
		highest = sums->alive[s] > highest ? sums->alive[s] : highest;
	return (double)highest;
}

static double tenth_power(double base)
{
	double square = base * base, fourth = square * square;

	return fourth * fourth * square;
}

static double merit_of(const struct plan_problem *problem, const struct sums *sums,
		       enum plan_merit merit, uint32_t item)
{
	double size = (double)problem->size[item];
	double duration = problem->by_conflicts
				  ? degree(problem, sums, item)
				  : (double)(problem->end[item] - problem->begin[item]);

	switch (merit) {
	case PLAN_BY_AREA:
		return size * duration;
	case PLAN_BY_DURATION:
		return duration;
	case PLAN_BY_SIZE_AND_DEGREE:
		return size * degree(problem, sums, item);
	case PLAN_BY_BEGIN:
		return -(double)problem->begin[item];
	case PLAN_BY_PEAK:
		return highest_sum(problem, sums, item);
	case PLAN_BY_SIZE_NEAR_PEAK:
		return size *
		       tenth_power(highest_sum(problem, sums, item) / (double)problem->bound);
	default:
		return size;
	}
}

bool berth__plan_sort(const struct plan_problem *problem, enum plan_merit merit, uint32_t *items)
{
	struct row *rows = calloc((size_t)problem->count + 1, sizeof(*rows));
	struct sums sums = { 0 };
	bool made = rows && make_sums(&sums, problem);

	for (uint32_t i = 0; made && i < problem->count; i++)
		rows[i] = (struct row){
			.merit = merit_of(problem, &sums, merit, i),
			.size = problem->size[i],
			.item = i,
			.pinned = problem->pinned && problem->pinned[i] != PLAN_NOWHERE,
		};
	if (made)
		qsort(rows, problem->count, sizeof(*rows), by_merit);
	for (uint32_t i = 0; made && i < problem->count; i++)
		items[i] = rows[i].item;
	free(rows);
	free(sums.alive);
	free(sums.begun);
	free(sums.ended);
	return made;
}

bool berth__plan_near_peak(const struct plan_problem *problem, double *merits)
{
	struct sums sums = { 0 };
	bool made = make_sums(&sums, problem);

	for (uint32_t i = 0; made && i < problem->count; i++)
		merits[i] = tenth_power(highest_sum(problem, &sums, i) / (double)problem->bound);
	free(sums.alive);
	free(sums.begun);
	free(sums.ended);
	return made;
}
