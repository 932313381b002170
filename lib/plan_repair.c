/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For large inputs: take out what is alive with the highest item, and put it back in another
 * order, around the rest.
 *
 * A large input is mostly easy: only in a few short stretches of time is the sum of what is alive
 * near to the bound. An order for all items that is good for one of these stretches is bad for
 * another; so each gets its own, and a try costs as much as the stretch is long.
 *
 * Within such a window the order is learnt: who ends above the bound was placed too late and comes
 * earlier next time, until nobody does or the tries are used up.
 */
#include "plan_solve.h"

#include <stdlib.h>
#include <string.h>

/* With fewer items, everything is near to the peak. */
#define REPAIR_MIN 600

/* Orders that are tried in a window without gain before another window is chosen. */
#define TRIES 300

/* At most so many items begin in a window before the highest one, and as many after it. */
#define WINDOW_ITEMS 2000

/* How many windows begin with the merits that were best before, not with new ones. */
#define KEPT 0.7

/* By how much chance moves a new merit and a kept one, at most. */
#define NOISE 0.3
#define KEPT_NOISE 0.1

/* A late item's merit is multiplied with at most one more than this. */
#define BLAME 12

/* No merit rises above it: infinities would be all alike. */
#define MERIT_MAX 1e250

/* What is placed, sorted by offset: it stays, or was put back with a place in the order. */
#define STAYS UINT32_MAX

struct placed {
	uint64_t offset, top;
	uint32_t begin, end;
	uint32_t rank; /* in wishes, or STAYS */
};

struct wish {
	double merit;
	uint32_t item;
};

struct repair {
	const struct plan_problem *problem;
	struct plan_effort *effort;
	double *near_peak;
	uint64_t *offsets; /* of all items: the best so far */
	uint64_t total;

	/* The window: what is taken out, and what stays. */
	uint32_t begin, end;
	struct wish *wishes;
	uint32_t wish_count, filled; /* wishes[0..filled) were put back by the last try */
	struct placed *placed;
	uint32_t placed_count;
	uint64_t *tried; /* offsets of those put back, by item */
	double *kept;	 /* merits that led to offsets, by item; 0: not known */
	uint64_t random;
};

/* How high something reaches: the highest end, and among equals all that is above the bound. */
struct height {
	uint64_t top, excess;
};

static double chance(struct repair *repair)
{
	return (double)(berth__plan_random(&repair->random) >> 11) / 0x1p53;
}

static int by_merit(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;

	if (x->merit != y->merit)
		return x->merit > y->merit ? -1 : 1;
	return (x->item > y->item) - (x->item < y->item);
}

static int by_offset(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void add_height(const struct plan_problem *problem, struct height *height, uint64_t top)
{
	height->top = top > height->top ? top : height->top;
	height->excess += top > problem->bound ? top - problem->bound : 0;
}

static bool is_movable(const struct plan_problem *problem, uint32_t item)
{
	return !problem->pinned || problem->pinned[item] == PLAN_NOWHERE;
}

/* A window around the highest item. False when it is pinned. */
static bool choose_window(struct repair *repair)
{
	const struct plan_problem *problem = repair->problem;
	uint32_t highest = 0, before, after;
	uint64_t top = 0;

	for (uint32_t i = 0; i < problem->count; i++)
		if (repair->offsets[i] + problem->size[i] > top) {
			top = repair->offsets[i] + problem->size[i];
			highest = i;
		}
	repair->total = top;
	before = (uint32_t)(chance(repair) * WINDOW_ITEMS);
	after = (uint32_t)(chance(repair) * WINDOW_ITEMS) + 1;
	repair->begin = problem->begin[highest > before ? highest - before : 0];
	repair->end = problem->count - highest > after ? problem->begin[highest + after]
						       : problem->sections;
	if (repair->end < problem->end[highest])
		repair->end = problem->end[highest];
	return is_movable(problem, highest);
}

static bool is_taken_out(const struct repair *repair, uint32_t item)
{
	const struct plan_problem *problem = repair->problem;

	return problem->begin[item] < repair->end && repair->begin < problem->end[item] &&
	       is_movable(problem, item);
}

/* Take out what is alive in the window; what else is alive with that stays. */
static void empty_window(struct repair *repair)
{
	const struct plan_problem *problem = repair->problem;
	uint32_t from = repair->begin, to = repair->end;

	repair->wish_count = 0;
	repair->placed_count = 0;
	for (uint32_t i = 0; i < problem->count && problem->begin[i] < repair->end; i++) {
		if (!is_taken_out(repair, i))
			continue;
		repair->wishes[repair->wish_count++].item = i;
		from = problem->begin[i] < from ? problem->begin[i] : from;
		to = problem->end[i] > to ? problem->end[i] : to;
	}
	for (uint32_t i = 0; i < problem->count && problem->begin[i] < to; i++)
		if (problem->end[i] > from && !is_taken_out(repair, i))
			repair->placed[repair->placed_count++] =
				(struct placed){ repair->offsets[i],
						 repair->offsets[i] + problem->size[i],
						 problem->begin[i], problem->end[i], STAYS };
	qsort(repair->placed, repair->placed_count, sizeof(*repair->placed), by_offset);
	berth__plan_spend(repair->effort, problem->count);
}

/* New ones by size near the peak, or those that were good before. */
static void draw_merits(struct repair *repair)
{
	bool keeps = chance(repair) < KEPT;
	int powers = 1 + (int)(2 * chance(repair));

	for (uint32_t i = 0; i < repair->wish_count; i++) {
		struct wish *wish = &repair->wishes[i];

		if (keeps && repair->kept[wish->item] > 0) {
			wish->merit = repair->kept[wish->item] * (1 + KEPT_NOISE * chance(repair));
			continue;
		}
		wish->merit =
			(double)repair->problem->size[wish->item] * (1 + NOISE * chance(repair));
		for (int power = 0; power < powers; power++)
			wish->merit *= repair->near_peak[wish->item];
	}
}

/* Put an item into the lowest gap. @return its offset. */
static uint64_t put(struct repair *repair, uint32_t rank)
{
	uint32_t item = repair->wishes[rank].item;
	const struct plan_problem *problem = repair->problem;
	uint32_t begin = problem->begin[item], end = problem->end[item], i;
	uint64_t size = problem->size[item], at = berth__plan_fit(problem, item, 0);
	struct placed *placed = repair->placed;

	for (i = 0; i < repair->placed_count && placed[i].offset < at + size; i++)
		if (placed[i].top > at && placed[i].begin < end && begin < placed[i].end)
			at = berth__plan_fit(problem, item, placed[i].top);
	repair->effort->work += i / 2 + 8;
	while (i > 0 && placed[i - 1].offset > at)
		i--;
	memmove(placed + i + 1, placed + i, (repair->placed_count - i) * sizeof(*placed));
	placed[i] = (struct placed){ at, at + size, begin, end, rank };
	repair->placed_count++;
	return at;
}

/* Sort wishes of which few have risen. @return the earliest place that is not as it was. */
static uint32_t sort_risen(struct repair *repair)
{
	struct wish *wishes = repair->wishes;
	uint32_t earliest = repair->wish_count;

	for (uint32_t i = 1; i < repair->filled; i++) {
		struct wish risen = wishes[i];
		uint32_t at = i;

		for (; at > 0 && by_merit(&risen, &wishes[at - 1]) < 0; at--)
			wishes[at] = wishes[at - 1];
		wishes[at] = risen;
		repair->effort->work += (i - at) / 2;
		if (at < i && at < earliest)
			earliest = at;
	}
	repair->effort->work += repair->wish_count;
	return earliest;
}

/* Take out again what was put back at a place of the order or behind it. */
static void take_out(struct repair *repair, uint32_t rank)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < repair->placed_count; i++)
		if (repair->placed[i].rank == STAYS || repair->placed[i].rank < rank)
			repair->placed[kept++] = repair->placed[i];
	repair->effort->work += repair->placed_count;
	repair->placed_count = kept;
	repair->filled = rank;
}

/* Put back the rest, as long as nothing ends above a limit. */
static struct height fill_window(struct repair *repair, uint64_t limit)
{
	struct height height = { 0, 0 };

	for (uint32_t i = 0; i < repair->wish_count && height.top <= limit; i++) {
		uint32_t item = repair->wishes[i].item;

		if (i == repair->filled) {
			repair->tried[item] = put(repair, i);
			repair->filled++;
		}
		add_height(repair->problem, &height,
			   repair->tried[item] + repair->problem->size[item]);
	}
	return height;
}

static struct height height_of_window(const struct repair *repair)
{
	struct height height = { 0, 0 };

	for (uint32_t i = 0; i < repair->wish_count; i++) {
		uint32_t item = repair->wishes[i].item;

		add_height(repair->problem, &height,
			   repair->offsets[item] + repair->problem->size[item]);
	}
	return height;
}

/* Those above the bound come earlier next time; they and what came behind are taken out. */
static void learn(struct repair *repair)
{
	const struct plan_problem *problem = repair->problem;
	uint32_t earliest;

	for (uint32_t i = 0; i < repair->filled; i++) {
		struct wish *wish = &repair->wishes[i];

		if (repair->tried[wish->item] + problem->size[wish->item] > problem->bound &&
		    wish->merit < MERIT_MAX)
			wish->merit *= 1 + BLAME * chance(repair);
	}
	earliest = sort_risen(repair);
	/* When nobody rose, the last one is tried again. */
	take_out(repair, earliest < repair->filled ? earliest : repair->filled - 1);
}

static void keep(struct repair *repair)
{
	for (uint32_t i = 0; i < repair->wish_count; i++) {
		const struct wish *wish = &repair->wishes[i];

		repair->offsets[wish->item] = repair->tried[wish->item];
		repair->kept[wish->item] = wish->merit;
	}
}

static bool is_lower(struct height a, struct height b)
{
	return a.top < b.top || (a.top == b.top && a.excess < b.excess);
}

static void work_on_window(struct repair *repair)
{
	struct height height;

	empty_window(repair);
	height = height_of_window(repair);
	draw_merits(repair);
	qsort(repair->wishes, repair->wish_count, sizeof(*repair->wishes), by_merit);
	repair->filled = 0;
	for (int left = TRIES;
	     left > 0 && height.excess > 0 && !berth__plan_spend(repair->effort, 0); left--) {
		struct height tried = fill_window(repair, height.top);

		if (is_lower(tried, height)) {
			height = tried;
			keep(repair);
			left = TRIES;
		}
		learn(repair);
	}
}

/* Of several arenas, not only the highest item counts. */
bool berth__plan_can_repair(const struct plan_problem *problem)
{
	return !problem->by_conflicts && !problem->arena && problem->count >= REPAIR_MIN;
}

static bool make(struct repair *repair)
{
	size_t count = (size_t)repair->problem->count + 1;

	repair->near_peak = calloc(count, sizeof(*repair->near_peak));
	repair->offsets = calloc(count, sizeof(*repair->offsets));
	repair->wishes = calloc(count, sizeof(*repair->wishes));
	repair->placed = calloc(count, sizeof(*repair->placed));
	repair->tried = calloc(count, sizeof(*repair->tried));
	repair->kept = calloc(count, sizeof(*repair->kept));
	return repair->near_peak && repair->offsets && repair->wishes && repair->placed &&
	       repair->tried && repair->kept &&
	       berth__plan_near_peak(repair->problem, repair->near_peak);
}

berth_status berth__plan_repair(struct plan_problem *problem, struct plan_solution *best,
				struct plan_effort *effort, uint64_t seed)
{
	struct repair repair = { .problem = problem,
				 .effort = effort,
				 .random = seed * 2 + 0xA0761D6478BD642Fu };
	bool made;

	if (!berth__plan_can_repair(problem))
		return BERTH_OK;
	made = make(&repair);
	if (made)
		memcpy(repair.offsets, best->offsets, problem->count * sizeof(*repair.offsets));
	while (made && choose_window(&repair) && repair.total > best->proven &&
	       !berth__plan_spend(effort, problem->count))
		work_on_window(&repair);
	if (made)
		berth__plan_consider(problem, best, repair.offsets, BERTH_PLAN_TIER_LOCAL);
	free(repair.near_peak);
	free(repair.offsets);
	free(repair.wishes);
	free(repair.placed);
	free(repair.tried);
	free(repair.kept);
	return made ? BERTH_OK : berth_error_set(BERTH_E_NOMEM, 0, "no memory to repair a plan");
}
