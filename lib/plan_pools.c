/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several memories, one after the other: plan what is left in arenas of the memory's limit,
 * and keep the arena that holds most. With its limit for an arena, the planner packs as much
 * as it can below it.
 */
#include <berth/plan_pools.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What has no memory yet. */
struct rest {
	const berth_plan_input *input;
	uint32_t *request; /* indices into the input, count of them */
	size_t count;
	/* The problem that some of them pose, and for each of the input its index there, or NONE. */
	berth_plan_request *rows;
	berth_plan_conflict *conflicts;
	uint32_t *row_of;
	berth_plan_input problem;
};

#define NONE UINT32_MAX

void berth_plan_pools_destroy(berth_plan_pools *plan)
{
	if (!plan)
		return;
	free(plan->pool_of);
	free(plan->offset_bytes);
	free(plan->pool_bytes);
	free(plan);
}

static berth_status no_memory(size_t count)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory to plan %zu requests", count);
}

static berth_status check(const berth_plan_input *input, const berth_plan_pool *pools, size_t count)
{
	if (count == 0 || count > UINT32_MAX)
		return berth_error_set(BERTH_E_INVAL, 0, "%zu pools, at least 1 is needed", count);
	for (size_t i = 0; i + 1 < count; i++)
		if (pools[i].limit_bytes == 0)
			return berth_error_set(BERTH_E_INVAL, 0,
					       "pool %zu has no limit: nothing would reach the %zu "
					       "after it", i, count - i - 1);
	if (input->caps.max_arena_bytes)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "caps.max_arena_bytes is %" PRIu64
				       ": the pools have the limits", input->caps.max_arena_bytes);
	for (size_t i = 0; i < input->request_count; i++) {
		const berth_plan_request *request = &input->requests[i];

		if (request->in_place_of != BERTH_PLAN_NO_REQUEST || request->arena_group ||
		    request->pinned_offset_bytes != BERTH_PLAN_ANYWHERE)
			return berth_error_set(BERTH_E_INVAL, 0,
					       "request %zu: a pin, a group or an in-place pair is "
					       "about one memory", i);
	}
	return BERTH_OK;
}

/* The problem of those that one allocation can hold; all others wait. */
static void pose(struct rest *rest, uint64_t limit)
{
	const berth_plan_input *input = rest->input;
	size_t rows = 0, conflicts = 0;

	for (size_t i = 0; i < input->request_count; i++)
		rest->row_of[i] = NONE;
	for (size_t i = 0; i < rest->count; i++) {
		uint32_t request = rest->request[i];

		if (limit && input->requests[request].bytes > limit)
			continue;
		rest->row_of[request] = (uint32_t)rows;
		rest->rows[rows++] = input->requests[request];
	}
	for (size_t i = 0; input->by_conflicts && i < input->conflict_count; i++) {
		uint32_t a = rest->row_of[input->conflicts[i].a];
		uint32_t b = rest->row_of[input->conflicts[i].b];

		if (a != NONE && b != NONE)
			rest->conflicts[conflicts++] = (berth_plan_conflict){ a, b };
	}
	rest->problem = *input;
	rest->problem.requests = rest->rows;
	rest->problem.request_count = rows;
	rest->problem.conflicts = rest->conflicts;
	rest->problem.conflict_count = conflicts;
	rest->problem.caps.max_arena_bytes = limit;
}

/* The arena whose requests have most bytes. */
static uint32_t fullest(const struct rest *rest, const berth_plan *plan)
{
	uint64_t *held = calloc((size_t)plan->arena_count + 1, sizeof(*held));
	uint32_t best = 0;

	if (!held)
		return NONE;
	for (size_t i = 0; i < plan->place_count; i++)
		held[plan->places[i].arena] += rest->rows[i].bytes;
	for (uint32_t i = 1; i < plan->arena_count; i++)
		if (held[i] > held[best])
			best = i;
	free(held);
	return best;
}

/* Keep an arena for a memory; the rest stays. */
static void keep(struct rest *rest, berth_plan_pools *out, uint32_t pool, const berth_plan *plan,
		 uint32_t arena)
{
	size_t left = 0;

	for (size_t i = 0; i < rest->count; i++) {
		uint32_t request = rest->request[i], row = rest->row_of[request];

		if (row == NONE || plan->places[row].arena != arena) {
			rest->request[left++] = request;
			continue;
		}
		out->pool_of[request] = pool;
		out->offset_bytes[request] = plan->places[row].offset_bytes;
	}
	rest->count = left;
	out->pool_bytes[pool] = plan->arena_count ? plan->arena_bytes[arena] : 0;
}

static berth_status fill_pool(struct rest *rest, berth_plan_pools *out, uint32_t pool,
			      uint64_t limit, const berth_plan_options *options)
{
	berth_plan *plan = NULL;
	berth_status st;
	uint32_t arena;

	pose(rest, limit);
	st = berth_plan_create(&plan, &rest->problem, options);
	if (st != BERTH_OK)
		return st;
	arena = fullest(rest, plan);
	if (arena == NONE)
		st = no_memory(rest->count);
	else
		keep(rest, out, pool, plan, arena);
	berth_plan_destroy(plan);
	return st;
}

static bool make(struct rest *rest, berth_plan_pools *out, size_t requests, size_t conflicts)
{
	rest->request = calloc(requests + 1, sizeof(*rest->request));
	rest->rows = calloc(requests + 1, sizeof(*rest->rows));
	rest->row_of = calloc(requests + 1, sizeof(*rest->row_of));
	rest->conflicts = calloc(conflicts + 1, sizeof(*rest->conflicts));
	out->pool_of = calloc(requests + 1, sizeof(*out->pool_of));
	out->offset_bytes = calloc(requests + 1, sizeof(*out->offset_bytes));
	out->pool_bytes = calloc(out->pool_count, sizeof(*out->pool_bytes));
	return rest->request && rest->rows && rest->row_of && rest->conflicts &&
	       out->pool_of && out->offset_bytes && out->pool_bytes;
}

static berth_status fill_pools(struct rest *rest, berth_plan_pools *out,
			       const berth_plan_pool *pools, const berth_plan_options *options)
{
	berth_status st = BERTH_OK;
	uint64_t most = 0;

	for (size_t i = 0; st == BERTH_OK && i < out->pool_count && rest->count > 0; i++)
		st = fill_pool(rest, out, (uint32_t)i, pools[i].limit_bytes, options);
	if (st != BERTH_OK || rest->count == 0)
		return st;
	for (size_t i = 0; i < rest->count; i++)
		if (rest->input->requests[rest->request[i]].bytes > most)
			most = rest->input->requests[rest->request[i]].bytes;
	return berth_error_set(BERTH_E_LIMIT, 0,
			       "space exceeded: %zu of %zu requests, the largest of %" PRIu64
			       " bytes, do not fit the last pool of %" PRIu64 " as well",
			       rest->count, rest->input->request_count, most,
			       pools[out->pool_count - 1].limit_bytes);
}

/* The bound does not depend on where things are; finding it also checks the input. */
static berth_status find_bound(berth_plan_pools *out, const berth_plan_input *input)
{
	berth_plan_options quick = BERTH_PLAN_OPTIONS_INIT;
	berth_plan *plan = NULL;
	berth_status st;

	quick.last_tier = BERTH_PLAN_TIER_GREEDY;
	st = berth_plan_create(&plan, input, &quick);
	if (st == BERTH_OK)
		out->lower_bound_bytes = plan->lower_bound_bytes;
	berth_plan_destroy(plan);
	return st;
}

berth_status berth_plan_pools_create(berth_plan_pools **out, const berth_plan_input *input,
				     const berth_plan_pool *pools, size_t pool_count,
				     const berth_plan_options *options)
{
	struct rest rest = { .input = input };
	berth_plan_pools *plan;
	berth_status st = check(input, pools, pool_count);

	if (st != BERTH_OK)
		return st;
	plan = calloc(1, sizeof(*plan));
	if (!plan)
		return no_memory(input->request_count);
	plan->place_count = input->request_count;
	plan->pool_count = pool_count;
	st = find_bound(plan, input);
	if (st == BERTH_OK && !make(&rest, plan, input->request_count, input->conflict_count))
		st = no_memory(input->request_count);
	if (st == BERTH_OK) {
		for (size_t i = 0; i < input->request_count; i++)
			rest.request[rest.count++] = (uint32_t)i;
		st = fill_pools(&rest, plan, pools, options);
	}
	free(rest.request);
	free(rest.rows);
	free(rest.row_of);
	free(rest.conflicts);
	if (st != BERTH_OK) {
		berth_plan_pools_destroy(plan);
		return st;
	}
	*out = plan;
	return BERTH_OK;
}
