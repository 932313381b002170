/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The validator. It shares the check of the input with the planner, and nothing of how a
 * plan is made: it works on bytes and times as they were asked for.
 *
 * With lifetimes, it goes through time, and marks what each chain takes when it comes alive on
 * a line of all offsets of all arenas: a segment tree over the offsets that occur, which
 * knows how often the most taken of them is taken. So O(n log n).
 */
#include "plan_input.h"

#include <inttypes.h>
#include <stdlib.h>

/* A point on the line of all offsets: by arena, then by offset. */
struct point {
	uint32_t arena;
	uint64_t offset_bytes;
};

/* What a chain takes: [from, to) of one arena, alive in [lower, upper). */
struct extent {
	struct point from, to;
	uint64_t lower, upper;
	uint32_t first, last; /* from and to as indices of points */
	uint32_t request;
	bool whole_run;
};

struct check {
	const berth_plan_input *input;
	const berth_plan_claim *claim;
	struct plan_chains chains;
	struct extent *extents; /* of the chains that are not empty */
	uint32_t extent_count;
	struct extent **by_lower, **by_upper;
	struct point *points;
	uint32_t point_count;
	uint32_t *most, *whole; /* the tree: takers of the most taken point; of all points */
};

static berth_status refuse(uint32_t request, const char *what, uint64_t is, uint64_t limit)
{
	return berth_error_set(BERTH_E_STATE, 0,
			       "request %" PRIu32 ": %s (%" PRIu64 ", where %" PRIu64 " is asked)",
			       request, what, is, limit);
}

/* What can be said of one request alone. */
static berth_status check_place(const struct check *check, uint32_t i)
{
	const berth_plan_claim *claim = check->claim;
	const berth_plan_place *place = &claim->places[i];
	const struct plan_chain *chain = &check->chains.chains[check->chains.of_request[i]];
	const berth_plan_place *head = &claim->places[chain->request];
	uint64_t bytes = check->input->requests[i].bytes, end;

	if (place->arena >= claim->arena_count)
		return refuse(i, "no such arena", place->arena, claim->arena_count);
	if (__builtin_add_overflow(place->offset_bytes, bytes, &end) ||
	    end > claim->arena_bytes[place->arena])
		return refuse(i, "passes its arena's end", end, claim->arena_bytes[place->arena]);
	if (place->offset_bytes % chain->align_bytes)
		return refuse(i, "offset not aligned", place->offset_bytes, chain->align_bytes);
	if (chain->pinned_offset_bytes != BERTH_PLAN_ANYWHERE &&
	    place->offset_bytes != chain->pinned_offset_bytes)
		return refuse(i, "not at its pinned offset", place->offset_bytes,
			      chain->pinned_offset_bytes);
	if (place->arena != head->arena || place->offset_bytes != head->offset_bytes)
		return berth_error_set(BERTH_E_STATE, 0,
				       "request %" PRIu32 ": not in the place of request %" PRIu32
				       ", which it takes over",
				       i, chain->request);
	return BERTH_OK;
}

static berth_status check_arenas(const struct check *check)
{
	const berth_plan_claim *claim = check->claim;
	const berth_plan_caps *caps = &check->input->caps;
	uint64_t total = 0;

	for (size_t i = 0; i < claim->arena_count; i++) {
		if (caps->max_arena_bytes && claim->arena_bytes[i] > caps->max_arena_bytes)
			return berth_error_set(BERTH_E_STATE, 0,
					       "arena %zu: %" PRIu64
					       " bytes pass the limit of %" PRIu64,
					       i, claim->arena_bytes[i], caps->max_arena_bytes);
		if (__builtin_add_overflow(total, claim->arena_bytes[i], &total))
			return berth_error_set(BERTH_E_STATE, 0, "the arenas do not fit 64 bits");
	}
	if (caps->max_total_bytes && total > caps->max_total_bytes)
		return berth_error_set(BERTH_E_STATE, 0,
				       "the arenas' %" PRIu64 " bytes pass the limit of %" PRIu64,
				       total, caps->max_total_bytes);
	return BERTH_OK;
}

static int by_group(const void *a, const void *b)
{
	const struct plan_chain *x = *(const struct plan_chain *const *)a;
	const struct plan_chain *y = *(const struct plan_chain *const *)b;

	return (x->arena_group > y->arena_group) - (x->arena_group < y->arena_group);
}

/* Chains [from, to) of one group: no arena of another's, pins in the group's first arena. */
static berth_status check_group(const struct check *check, struct plan_chain **from,
				struct plan_chain **to, uint32_t *owner)
{
	const berth_plan_place *places = check->claim->places;
	uint32_t first_arena = UINT32_MAX, leader = (*from)->request;

	for (struct plan_chain **chain = from; chain < to; chain++) {
		uint32_t request = (*chain)->request, arena = places[request].arena;

		if (owner[arena] != UINT32_MAX && owner[arena] != leader)
			return berth_error_set(BERTH_E_STATE, 0,
					       "requests %" PRIu32 " and %" PRIu32
					       ": of different groups, both in arena %" PRIu32,
					       owner[arena], request, arena);
		owner[arena] = leader;
		first_arena = arena < first_arena ? arena : first_arena;
	}
	for (struct plan_chain **chain = from; chain < to; chain++) {
		uint32_t arena = places[(*chain)->request].arena;

		if ((*chain)->pinned_offset_bytes != BERTH_PLAN_ANYWHERE && arena != first_arena)
			return refuse((*chain)->request,
				      "pinned, but not in its group's first arena", arena,
				      first_arena);
	}
	return BERTH_OK;
}

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory to check a plan");
}

static berth_status check_groups(const struct check *check)
{
	uint32_t count = check->chains.count;
	struct plan_chain **sorted = calloc((size_t)count + 1, sizeof(*sorted));
	uint32_t *owner = malloc((check->claim->arena_count + 1) * sizeof(*owner));
	berth_status st = sorted && owner ? BERTH_OK : no_memory();

	for (size_t i = 0; st == BERTH_OK && i < check->claim->arena_count; i++)
		owner[i] = UINT32_MAX;
	for (uint32_t i = 0; st == BERTH_OK && i < count; i++)
		sorted[i] = &check->chains.chains[i];
	if (st == BERTH_OK)
		qsort(sorted, count, sizeof(*sorted), by_group);
	for (uint32_t from = 0, to; st == BERTH_OK && from < count; from = to) {
		for (to = from; to < count && by_group(&sorted[from], &sorted[to]) == 0; to++)
			;
		st = check_group(check, sorted + from, sorted + to, owner);
	}
	free(sorted);
	free(owner);
	return st;
}

static int compare_points(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->arena != y->arena)
		return x->arena < y->arena ? -1 : 1;
	return (x->offset_bytes > y->offset_bytes) - (x->offset_bytes < y->offset_bytes);
}

static berth_status shared(const struct extent *a, const struct extent *b)
{
	const struct extent *low = compare_points(&a->from, &b->from) <= 0 ? a : b;
	const struct extent *high = low == a ? b : a;

	return berth_error_set(BERTH_E_STATE, 0,
			       "requests %" PRIu32 " and %" PRIu32
			       ": conflict, and share bytes of arena %" PRIu32 " from %" PRIu64
			       " (one is there up to %" PRIu64 ")",
			       low->request, high->request, high->from.arena,
			       high->from.offset_bytes, low->to.offset_bytes);
}

static bool meet(const struct extent *a, const struct extent *b)
{
	return compare_points(&a->from, &b->to) < 0 && compare_points(&b->from, &a->to) < 0;
}

static int by_lower(const void *a, const void *b)
{
	const struct extent *x = *(const struct extent *const *)a;
	const struct extent *y = *(const struct extent *const *)b;

	return (x->lower > y->lower) - (x->lower < y->lower);
}

static int by_upper(const void *a, const void *b)
{
	const struct extent *x = *(const struct extent *const *)a;
	const struct extent *y = *(const struct extent *const *)b;

	return (x->upper > y->upper) - (x->upper < y->upper);
}

static int by_from(const void *a, const void *b)
{
	return compare_points(&(*(const struct extent *const *)a)->from,
			      &(*(const struct extent *const *)b)->from);
}

/* The extents of the chains that have bytes; what is there for the whole run is always alive. */
static bool make_extents(struct check *check)
{
	uint32_t count = check->chains.count;

	check->extents = calloc((size_t)count + 1, sizeof(*check->extents));
	check->by_lower = calloc((size_t)count + 1, sizeof(*check->by_lower));
	check->by_upper = calloc((size_t)count + 1, sizeof(*check->by_upper));
	if (!check->extents || !check->by_lower || !check->by_upper)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct plan_chain *chain = &check->chains.chains[i];
		const berth_plan_place *place = &check->claim->places[chain->request];
		struct extent *extent = &check->extents[check->extent_count];

		if (chain->bytes == 0)
			continue;
		*extent = (struct extent){
			.from = { place->arena, place->offset_bytes },
			.to = { place->arena, place->offset_bytes + chain->bytes },
			.lower = chain->whole_run ? 0 : chain->lower,
			.upper = chain->whole_run ? UINT64_MAX : chain->upper,
			.request = chain->request,
			.whole_run = chain->whole_run,
		};
		check->by_lower[check->extent_count] = extent;
		check->by_upper[check->extent_count++] = extent;
	}
	return true;
}

static uint32_t index_of(const struct check *check, const struct point *point)
{
	const struct point *found =
		bsearch(point, check->points, check->point_count, sizeof(*point), compare_points);

	return (uint32_t)(found - check->points);
}

static bool make_line(struct check *check)
{
	uint32_t count = check->extent_count, kept = 0;

	check->points = calloc(2 * (size_t)count + 1, sizeof(*check->points));
	check->most = calloc(8 * (size_t)count + 8, sizeof(*check->most));
	check->whole = calloc(8 * (size_t)count + 8, sizeof(*check->whole));
	if (!check->points || !check->most || !check->whole)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		check->points[2 * i] = check->extents[i].from;
		check->points[2 * i + 1] = check->extents[i].to;
	}
	qsort(check->points, 2 * (size_t)count, sizeof(*check->points), compare_points);
	for (uint32_t i = 0; i < 2 * count; i++)
		if (kept == 0 || compare_points(&check->points[kept - 1], &check->points[i]) != 0)
			check->points[kept++] = check->points[i];
	check->point_count = kept;
	for (uint32_t i = 0; i < count; i++) {
		check->extents[i].first = index_of(check, &check->extents[i].from);
		check->extents[i].last = index_of(check, &check->extents[i].to);
	}
	return true;
}

/* Add @by takers to the points of an extent. @node covers the points [from, to). */
static void take(struct check *check, const struct extent *extent, int by, uint32_t node,
		 uint32_t from, uint32_t to)
{
	uint32_t middle = from + (to - from) / 2, left, right;

	if (extent->last <= from || to <= extent->first)
		return;
	if (extent->first <= from && to <= extent->last) {
		check->whole[node] += (uint32_t)by;
		check->most[node] += (uint32_t)by;
		return;
	}
	take(check, extent, by, 2 * node, from, middle);
	take(check, extent, by, 2 * node + 1, middle, to);
	left = check->most[2 * node];
	right = check->most[2 * node + 1];
	check->most[node] = check->whole[node] + (left > right ? left : right);
}

/* The two that are alive at a time, one of them @culprit, and share bytes. */
static berth_status name_sharers(const struct check *check, const struct extent *culprit)
{
	for (uint32_t i = 0; i < check->extent_count; i++) {
		const struct extent *other = &check->extents[i];

		if (other != culprit && other->lower <= culprit->lower &&
		    culprit->lower < other->upper && meet(other, culprit))
			return shared(other, culprit);
	}
	return BERTH_OK;
}

static berth_status check_lifetimes(struct check *check)
{
	uint32_t gone = 0, count = check->extent_count;

	if (!make_line(check))
		return no_memory();
	qsort(check->by_lower, count, sizeof(*check->by_lower), by_lower);
	qsort(check->by_upper, count, sizeof(*check->by_upper), by_upper);
	for (uint32_t i = 0; i < count; i++) {
		for (; check->by_upper[gone]->upper <= check->by_lower[i]->lower; gone++)
			take(check, check->by_upper[gone], -1, 1, 0, check->point_count);
		take(check, check->by_lower[i], 1, 1, 0, check->point_count);
		if (check->most[1] > 1)
			return name_sharers(check, check->by_lower[i]);
	}
	return BERTH_OK;
}

/* Along the line: each against what reaches furthest of those for the whole run, and of all. */
static berth_status check_whole_run(const struct check *check)
{
	const struct extent *furthest = NULL, *furthest_whole = NULL;

	qsort(check->by_lower, check->extent_count, sizeof(*check->by_lower), by_from);
	for (uint32_t i = 0; i < check->extent_count; i++) {
		const struct extent *extent = check->by_lower[i];
		const struct extent *before = extent->whole_run ? furthest : furthest_whole;

		if (before && meet(before, extent))
			return shared(before, extent);
		if (!furthest || compare_points(&extent->to, &furthest->to) > 0)
			furthest = extent;
		if (extent->whole_run &&
		    (!furthest_whole || compare_points(&extent->to, &furthest_whole->to) > 0))
			furthest_whole = extent;
	}
	return BERTH_OK;
}

static berth_status check_conflicts(struct check *check)
{
	const berth_plan_input *input = check->input;

	for (size_t i = 0; i < input->conflict_count; i++) {
		uint32_t ends[2] = { input->conflicts[i].a, input->conflicts[i].b };
		struct extent extents[2];

		for (int side = 0; side < 2; side++) {
			uint32_t chain = check->chains.of_request[ends[side]];
			const berth_plan_place *place = &check->claim->places[ends[side]];

			extents[side] = (struct extent){
				.from = { place->arena, place->offset_bytes },
				.to = { place->arena,
					place->offset_bytes + check->chains.chains[chain].bytes },
				.request = ends[side],
				.first = chain,
			};
		}
		if (extents[0].first != extents[1].first && meet(&extents[0], &extents[1]))
			return shared(&extents[0], &extents[1]);
	}
	return check_whole_run(check);
}

static berth_status check_all(struct check *check)
{
	berth_status st = BERTH_OK;

	if (check->claim->place_count != check->input->request_count)
		return berth_error_set(BERTH_E_STATE, 0, "%zu places for %zu requests",
				       check->claim->place_count, check->input->request_count);
	for (uint32_t i = 0; st == BERTH_OK && i < check->input->request_count; i++)
		st = check_place(check, i);
	if (st != BERTH_OK || (st = check_arenas(check)) != BERTH_OK ||
	    (st = check_groups(check)) != BERTH_OK)
		return st;
	if (!make_extents(check))
		return no_memory();
	return check->input->by_conflicts ? check_conflicts(check) : check_lifetimes(check);
}

berth_status berth_plan_check(const berth_plan_input *input, const berth_plan_claim *claim)
{
	struct check check = { .input = input, .claim = claim };
	berth_status st = berth__plan_chains_init(&check.chains, input);

	if (st != BERTH_OK)
		return st;
	st = check_all(&check);
	berth__plan_chains_fini(&check.chains);
	free(check.extents);
	free(check.by_lower);
	free(check.by_upper);
	free(check.points);
	free(check.most);
	free(check.whole);
	return st;
}
