/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storages that were released while commands may still use them. They keep their
 * place, and their record, until the commands are known to be complete, or a
 * storage for the same in-order queue takes the place over.
 */
#include "pool_internal.h"

/* Taking over is not worth a long search, nor a place that is much too large. */
#define REUSE_PROBES 64
#define REUSE_FACTOR 2

void berth__fence_drop(const berth_fence *fence)
{
	if (fence->drop)
		fence->drop(fence->userdata);
}

void berth__in_flight_add(berth_pool *pool, struct berth__storage *storage)
{
	storage->state = BERTH__STORAGE_IN_FLIGHT;
	TAILQ_INSERT_TAIL(&pool->in_flight, storage, link);
	pool->in_flight_count++;
	pool->stats.in_flight_bytes += storage->place.reserved_bytes;
}

static bool may_take_over(const struct berth__storage *storage,
			  const struct berth__request *request)
{
	uint64_t reserved = storage->place.reserved_bytes;

	return storage->in_flight.in_order && storage->in_flight.queue == request->queue &&
	       reserved >= request->rounded_bytes &&
	       reserved / REUSE_FACTOR <= request->rounded_bytes;
}

berth_status berth__in_flight_reuse(berth_pool *pool, const struct berth__request *request,
				    struct berth__placement *out, berth_fence *fence)
{
	struct berth__storage *storage, *best = NULL;
	unsigned probes = 0;

	if (request->queue == BERTH_QUEUE_NONE)
		return BERTH_E_LIMIT;
	TAILQ_FOREACH(storage, &pool->in_flight, link)
	{
		if (++probes > REUSE_PROBES)
			break;
		if (may_take_over(storage, request) &&
		    (!best || storage->place.reserved_bytes < best->place.reserved_bytes))
			best = storage;
	}
	if (!best)
		return BERTH_E_LIMIT;
	TAILQ_REMOVE(&pool->in_flight, best, link);
	*out = best->place;
	*fence = best->in_flight.fence;
	/* The place lives on: its block goes on counting it. */
	berth__storage_end_record(pool, best);
	return BERTH_OK;
}

/* Their commands are complete. Unlocks the mutex for fences to be dropped. */
static void end_all(berth_pool *pool, struct berth__storage_queue *complete)
{
	struct berth__storage *storage;

	while ((storage = TAILQ_FIRST(complete))) {
		berth_fence fence = storage->in_flight.fence;

		TAILQ_REMOVE(complete, storage, link);
		berth__storage_end(pool, storage);
		if (!fence.drop)
			continue;
		berth__pool_unlock(pool);
		berth__fence_drop(&fence);
		berth__pool_lock(pool);
	}
}

bool berth__in_flight_complete(berth_pool *pool, uint64_t queue)
{
	struct berth__storage_queue complete = TAILQ_HEAD_INITIALIZER(complete);
	struct berth__storage *storage = TAILQ_FIRST(&pool->in_flight), *next;
	bool any = false;

	for (; storage; storage = next) {
		next = TAILQ_NEXT(storage, link);
		if (storage->in_flight.queue != queue)
			continue;
		TAILQ_REMOVE(&pool->in_flight, storage, link);
		TAILQ_INSERT_TAIL(&complete, storage, link);
		any = true;
	}
	end_all(pool, &complete);
	return any;
}

/* Those with a fence leave the pool while they are asked, so that nobody else ends them. */
static void take_fenced(berth_pool *pool, struct berth__storage_queue *fenced)
{
	struct berth__storage *storage = TAILQ_FIRST(&pool->in_flight), *next;

	for (; storage; storage = next) {
		next = TAILQ_NEXT(storage, link);
		if (!storage->in_flight.fence.is_complete)
			continue;
		TAILQ_REMOVE(&pool->in_flight, storage, link);
		TAILQ_INSERT_TAIL(fenced, storage, link);
	}
}

bool berth__in_flight_poll(berth_pool *pool)
{
	struct berth__storage_queue fenced = TAILQ_HEAD_INITIALIZER(fenced);
	struct berth__storage_queue complete = TAILQ_HEAD_INITIALIZER(complete);
	struct berth__storage *storage;
	bool any;

	take_fenced(pool, &fenced);
	if (TAILQ_EMPTY(&fenced))
		return false;
	berth__pool_unlock(pool);
	for (storage = TAILQ_FIRST(&fenced); storage;) {
		struct berth__storage *next = TAILQ_NEXT(storage, link);
		const berth_fence *fence = &storage->in_flight.fence;

		if (fence->is_complete(fence->userdata)) {
			TAILQ_REMOVE(&fenced, storage, link);
			TAILQ_INSERT_TAIL(&complete, storage, link);
		}
		storage = next;
	}
	berth__pool_lock(pool);
	TAILQ_CONCAT(&pool->in_flight, &fenced, link);
	any = !TAILQ_EMPTY(&complete);
	end_all(pool, &complete);
	return any;
}

void berth_pool_complete(berth_pool *pool, uint64_t queue)
{
	berth__pool_lock(pool);
	berth__in_flight_complete(pool, queue);
	berth__pool_unlock(pool);
}

void berth_pool_poll(berth_pool *pool)
{
	berth__pool_lock(pool);
	berth__in_flight_poll(pool);
	berth__pool_unlock(pool);
}
