/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local search over orders of first fit. Items that reach above the bound were placed too late:
 * one of them, or of those below it, moves to an earlier place in the order. What is not worse is
 * kept, so that the search wanders on a plateau.
 */
#include "plan_solve.h"

#include <stdlib.h>
#include <string.h>

/* Above it, an order costs too much for there to be many. */
#define LOCAL_MAX 8192

struct local {
	const struct plan_problem *problem;
	struct plan_shelf *shelf;
	uint32_t *items, *tried; /* orders */
	uint64_t *offsets;
	uint64_t random;
};

static uint32_t chance(struct local *local, uint32_t below)
{
	return (uint32_t)((berth__plan_random(&local->random) >> 32) * below >> 32);
}

/* Where in the order a late item is: one of those that reach highest. */
static uint32_t pick_late(struct local *local, uint64_t total)
{
	const struct plan_problem *problem = local->problem;
	uint32_t start = chance(local, problem->count);

	for (uint32_t i = 0; i < problem->count; i++) {
		uint32_t at = (start + i) % problem->count, item = local->items[at];

		if (local->offsets[item] + problem->size[item] >= total)
			return at;
	}
	return start;
}

static void move(struct local *local, uint32_t from, uint32_t to)
{
	uint32_t item = local->items[from];

	memcpy(local->tried, local->items, local->problem->count * sizeof(*local->tried));
	memmove(local->tried + to + 1, local->tried + to, (from - to) * sizeof(*local->tried));
	local->tried[to] = item;
}

static void swap_orders(struct local *local)
{
	uint32_t *items = local->items;

	local->items = local->tried;
	local->tried = items;
}

static berth_status wander(struct local *local, struct plan_solution *best,
			   struct plan_effort *effort)
{
	const struct plan_problem *problem = local->problem;
	uint32_t pinned = 0;
	uint64_t total;
	berth_status st = berth__plan_place_all(problem, local->shelf, local->items, PLAN_FIRST_GAP,
						effort, local->offsets);

	while (problem->pinned && pinned < problem->count &&
	       problem->pinned[local->items[pinned]] != PLAN_NOWHERE)
		pinned++;
	total = berth__plan_total(problem, local->offsets);
	while (st == BERTH_OK && problem->count - pinned > 1 && !berth__plan_is_optimal(best) &&
	       !berth__plan_spend(effort, problem->count)) {
		uint32_t from =
			chance(local, 4) ? pick_late(local, total) : chance(local, problem->count);
		uint64_t now;

		if (from <= pinned)
			continue;
		move(local, from, pinned + chance(local, from - pinned));
		st = berth__plan_place_all(problem, local->shelf, local->tried, PLAN_FIRST_GAP,
					   effort, local->offsets);
		now = berth__plan_total(problem, local->offsets);
		if (st != BERTH_OK || now > total)
			continue;
		total = now;
		swap_orders(local);
		berth__plan_consider(problem, best, local->offsets, BERTH_PLAN_TIER_LOCAL);
	}
	return st;
}

berth_status berth__plan_local(struct plan_problem *problem, struct plan_solution *best,
			       struct plan_effort *effort, uint64_t seed)
{
	struct local local = { .problem = problem };
	size_t count = (size_t)problem->count + 1;
	berth_status st = BERTH_E_NOMEM;

	if (problem->count > LOCAL_MAX)
		return BERTH_OK;
	local.random = seed * 2 + 0x9E3779B97F4A7C15u;
	local.shelf = berth__plan_shelf_create(problem);
	local.items = calloc(count, sizeof(*local.items));
	local.tried = calloc(count, sizeof(*local.tried));
	local.offsets = calloc(count, sizeof(*local.offsets));
	if (local.shelf && local.items && local.tried && local.offsets &&
	    berth__plan_sort(problem, PLAN_BY_SIZE, local.items))
		st = wander(&local, best, effort);
	else
		berth_error_set(st, 0, "no memory to search for a plan");
	berth__plan_shelf_destroy(local.shelf);
	free(local.items);
	free(local.tried);
	free(local.offsets);
	return st;
}
