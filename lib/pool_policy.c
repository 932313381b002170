/* SPDX-License-Identifier: Apache-2.0 */
/* The policies: how storages are placed in blocks. */
#include "pool_internal.h"

#define PAGE_BYTES 4096

/* The first block that storages share; later ones double what is held. */
#define FIRST_BLOCK_BYTES (UINT64_C(1) << 20)

static void take_whole(berth_pool *pool, struct berth__block *block, struct berth__placement *out)
{
	berth__block_add_storage(pool, block);
	*out = (struct berth__placement){ .block = block, .reserved_bytes = block->bytes };
}

static berth_status grow_whole(berth_pool *pool, const struct berth__request *request,
			       struct berth__placement *out)
{
	struct berth__block *block;
	berth_status st = berth__block_create(&block, pool, request->rounded_bytes);

	if (st == BERTH_OK)
		take_whole(pool, block, out);
	return st;
}

static berth_status reuse_nothing(berth_pool *pool, const struct berth__request *request,
				  struct berth__placement *out)
{
	(void)pool;
	(void)request;
	(void)out;
	return BERTH_E_LIMIT;
}

static void give_to_device(berth_pool *pool, const struct berth__placement *placement)
{
	berth__block_remove_storage(pool, placement->block);
	berth__block_release(pool, placement->block);
}

/* The block freed last comes first. */
static void give_to_cache(berth_pool *pool, const struct berth__placement *placement)
{
	berth__block_remove_storage(pool, placement->block);
	TAILQ_REMOVE(&pool->blocks, placement->block, link);
	TAILQ_INSERT_HEAD(&pool->blocks, placement->block, link);
}

static berth_status reuse_exact(berth_pool *pool, const struct berth__request *request,
				struct berth__placement *out)
{
	struct berth__block *block;

	TAILQ_FOREACH(block, &pool->blocks, link)
	{
		if (block->storage_count == 0 && block->bytes == request->rounded_bytes) {
			take_whole(pool, block, out);
			return BERTH_OK;
		}
	}
	return BERTH_E_LIMIT;
}

/* The cache lies in the order of releases, the latest first. */
static berth_status reuse_first_fit(berth_pool *pool, const struct berth__request *request,
				    struct berth__placement *out)
{
	struct berth__block *block;

	TAILQ_FOREACH(block, &pool->blocks, link)
	{
		if (block->storage_count == 0 && block->bytes >= request->rounded_bytes) {
			take_whole(pool, block, out);
			return BERTH_OK;
		}
	}
	return BERTH_E_LIMIT;
}

static berth_status reuse_best_fit(berth_pool *pool, const struct berth__request *request,
				   struct berth__placement *out)
{
	struct berth__block *block, *best = NULL;

	TAILQ_FOREACH(block, &pool->blocks, link)
	if (block->storage_count == 0 && block->bytes >= request->rounded_bytes &&
	    (!best || block->bytes < best->bytes))
		best = block;
	if (!best)
		return BERTH_E_LIMIT;
	take_whole(pool, best, out);
	return BERTH_OK;
}

/* None of the free ones is large enough: the largest makes room for a larger one. */
static berth_status grow_best_fit(berth_pool *pool, const struct berth__request *request,
				  struct berth__placement *out)
{
	struct berth__block *block, *largest = NULL;

	TAILQ_FOREACH(block, &pool->blocks, link)
	if (block->storage_count == 0 && (!largest || block->bytes > largest->bytes))
		largest = block;
	if (largest)
		berth__block_release(pool, largest);
	return grow_whole(pool, request, out);
}

/* The arena has no hole of so many bytes, nor of more than it says that it has. */
static void note_room(struct berth__block *block, uint64_t refused_bytes)
{
	uint64_t room_bytes = berth__suballoc_room_bytes(block->arena);

	block->refused_bytes = room_bytes < refused_bytes ? room_bytes + 1 : refused_bytes;
}

static berth_status take_span(berth_pool *pool, struct berth__block *block,
			      const struct berth__request *request, struct berth__placement *out)
{
	struct berth__placement made = { .block = block, .reserved_bytes = request->rounded_bytes };
	berth_status st = berth__suballoc_alloc(block->arena, request->rounded_bytes, 1, &made.span,
						&made.offset_bytes);

	if (st == BERTH_E_LIMIT)
		note_room(block, request->rounded_bytes);
	if (st != BERTH_OK)
		return st;
	berth__block_add_storage(pool, block);
	*out = made;
	return BERTH_OK;
}

/* The oldest blocks first, so that the youngest become empty. */
static berth_status reuse_span(berth_pool *pool, const struct berth__request *request,
			       struct berth__placement *out)
{
	struct berth__block *block;

	TAILQ_FOREACH(block, &pool->blocks, link)
	{
		berth_status st;

		if (request->rounded_bytes >= block->refused_bytes)
			continue;
		st = take_span(pool, block, request, out);
		if (st != BERTH_E_LIMIT)
			return st;
	}
	return BERTH_E_LIMIT;
}

/* At least the request's bytes: as much as is held, within the limits. */
static uint64_t next_block_bytes(const berth_pool *pool, uint64_t request_bytes)
{
	uint64_t bytes = pool->stats.held_bytes, limit = pool->options.limit_bytes;

	if (request_bytes > pool->max_block_bytes / 2)
		return request_bytes;
	if (bytes < FIRST_BLOCK_BYTES)
		bytes = FIRST_BLOCK_BYTES;
	if (bytes > pool->max_block_bytes)
		bytes = pool->max_block_bytes;
	if (limit > pool->stats.held_bytes && bytes > limit - pool->stats.held_bytes)
		bytes = limit - pool->stats.held_bytes;
	bytes -= bytes % pool->granule_bytes;
	return bytes > request_bytes ? bytes : request_bytes;
}

static berth_status grow_span(berth_pool *pool, const struct berth__request *request,
			      struct berth__placement *out)
{
	struct berth__block *block = NULL;
	uint64_t bytes;
	berth_status st;

	/* Empty blocks that are too small would only add up. */
	berth__blocks_release_cached(pool);
	bytes = next_block_bytes(pool, request->rounded_bytes);
	st = berth__block_create(&block, pool, bytes);
	if (st == BERTH_E_LIMIT && bytes > request->rounded_bytes)
		st = berth__block_create(&block, pool, request->rounded_bytes);
	if (st != BERTH_OK)
		return st;
	st = take_span(pool, block, request, out);
	if (st != BERTH_OK)
		berth__block_release(pool, block);
	return st;
}

static void give_span(berth_pool *pool, const struct berth__placement *placement)
{
	berth_status st = berth__suballoc_free(placement->block->arena, placement->span);

	(void)st; /* It is a span of ours: nothing else ever freed it. */
	note_room(placement->block, UINT64_MAX);
	berth__block_remove_storage(pool, placement->block);
	if (placement->block->storage_count == 0 &&
	    pool->stats.cached_bytes > pool->options.retain_bytes)
		berth__block_release(pool, placement->block);
}

const struct berth__policy berth__policies[BERTH_POOL_POLICY_END] = {
	[BERTH_POOL_SUBALLOC] = { 0, 0, reuse_span, grow_span, give_span },
	[BERTH_POOL_NAIVE] = { 1, 0, reuse_nothing, grow_whole, give_to_device },
	[BERTH_POOL_EXACT] = { PAGE_BYTES, 0, reuse_exact, grow_whole, give_to_cache },
	[BERTH_POOL_BEST_FIT] = { PAGE_BYTES, 0, reuse_best_fit, grow_best_fit, give_to_cache },
	[BERTH_POOL_FIRST_FIT] = { PAGE_BYTES, 0, reuse_first_fit, grow_whole, give_to_cache },
	[BERTH_POOL_BINS] = { 1, 5, reuse_exact, grow_whole, give_to_cache },
};
