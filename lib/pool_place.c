/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a hole to an out-of-memory error: what is held, then a new block, and after
 * each rung of the ladder that made room, both again.
 */
#include "pool_internal.h"

#include <inttypes.h>
#include <string.h>

/* One way up, and the detail of the failure before it. */
struct climb {
	berth_pool *pool;
	const struct berth__request *request;
	unsigned calls; /* of the caller's callback */
	int32_t cl_status;
	char why[BERTH_ERROR_MESSAGE_BYTES / 2];
};

static berth_status try_in_flight(struct climb *climb, struct berth__placement *out)
{
	berth_fence fence;
	berth_status st = berth__in_flight_reuse(climb->pool, climb->request, out, &fence);

	if (st == BERTH_OK && fence.drop) {
		berth__pool_unlock(climb->pool);
		berth__fence_drop(&fence);
		berth__pool_lock(climb->pool);
	}
	return st;
}

static berth_status try_held(struct climb *climb, struct berth__placement *out)
{
	berth_status st = try_in_flight(climb, out);

	if (st == BERTH_E_LIMIT)
		st = climb->pool->policy->reuse(climb->pool, climb->request, out);
	if (st == BERTH_OK)
		climb->pool->stats.storages_reused++;
	return st;
}

static berth_status try_all(struct climb *climb, struct berth__placement *out)
{
	const berth_error *error;
	berth_status st = try_held(climb, out);

	if (st == BERTH_E_LIMIT)
		st = climb->pool->policy->grow(climb->pool, climb->request, out);
	if (st == BERTH_E_LIMIT) {
		error = berth_error_get();
		climb->cl_status = error->cl_status;
		memcpy(climb->why, error->message, sizeof(climb->why) - 1);
	}
	return st;
}

static bool release_cached(struct climb *climb)
{
	berth_pool *pool = climb->pool;
	bool dropped = !TAILQ_EMPTY(&pool->idle_objects);

	berth__view_objects_drop_idle(pool, 0);
	return berth__blocks_release_cached(pool) || dropped;
}

/* What is in flight on the device's own queue can be waited for. */
static bool wait_for_queue(struct climb *climb)
{
	const berth_op sync = { .kind = BERTH_OP_SYNC };
	berth_result result;

	if (TAILQ_EMPTY(&climb->pool->in_flight) ||
	    berth__pool_run(climb->pool, &sync, &result) != BERTH_OK)
		return false;
	if (!berth__in_flight_complete(climb->pool, 0))
		return false;
	berth__blocks_release_cached(climb->pool);
	return true;
}

static bool ask_caller(struct climb *climb)
{
	berth_pool *pool = climb->pool;
	bool again;

	if (!pool->options.out_of_memory || climb->calls == BERTH_POOL_OUT_OF_MEMORY_CALLS)
		return false;
	climb->calls++;
	berth__pool_unlock(pool);
	again = pool->options.out_of_memory(pool, climb->request->bytes, pool->options.userdata);
	berth__pool_lock(pool);
	if (again)
		release_cached(climb);
	return again;
}

static bool poll_fences(struct climb *climb)
{
	return berth__in_flight_poll(climb->pool);
}

/* From cheap to dear; a rung may be stepped on again while it makes room. */
static bool (*const rungs[])(struct climb *climb) = {
	poll_fences,
	release_cached,
	wait_for_queue,
	ask_caller,
};

static berth_status give_up(const struct climb *climb)
{
	berth_pool *pool = climb->pool;
	berth_pool_stats stats;

	berth__pool_unlock(pool);
	berth_pool_get_stats(&stats, pool);
	berth__pool_lock(pool);
	return berth_error_set(
		BERTH_E_LIMIT, climb->cl_status,
		"out of device memory: %" PRIu64 " bytes requested, %" PRIu64 " in use, %" PRIu64
		" held, %" PRIu64 " cached, largest hole %" PRIu64 ", fragmentation %.2f: %s",
		climb->request->bytes, stats.in_use_bytes, stats.held_bytes, stats.cached_bytes,
		stats.largest_hole_bytes, stats.fragmentation, climb->why);
}

static berth_status climb_ladder(struct climb *climb, struct berth__placement *out)
{
	berth_status st;

	/* Asking fences is cheaper than a new block. */
	berth__in_flight_poll(climb->pool);
	st = try_all(climb, out);
	for (size_t i = 0; st == BERTH_E_LIMIT && i < sizeof(rungs) / sizeof(rungs[0]);) {
		if (rungs[i](climb))
			st = try_all(climb, out);
		else
			i++;
	}
	return st == BERTH_E_LIMIT ? give_up(climb) : st;
}

berth_status berth__pool_place(berth_pool *pool, const struct berth__request *request,
			       struct berth__placement *out)
{
	struct climb climb;
	berth_status st = BERTH_E_LIMIT;

	/* Mostly there is room in what is held. */
	if (TAILQ_EMPTY(&pool->in_flight))
		st = pool->policy->reuse(pool, request, out);
	if (st == BERTH_OK)
		pool->stats.storages_reused++;
	if (st != BERTH_E_LIMIT)
		return st;
	climb.pool = pool;
	climb.request = request;
	climb.calls = 0;
	climb.cl_status = 0;
	climb.why[0] = climb.why[sizeof(climb.why) - 1] = '\0';
	st = try_held(&climb, out);
	return st == BERTH_E_LIMIT ? climb_ladder(&climb, out) : st;
}
