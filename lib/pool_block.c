/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks: the buffers of the device that storages lie in. */
#include "pool_internal.h"

#include <CL/cl.h>
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

/* Of host memory that a device shares: what drivers need for it not to be copied. */
#define HOST_ALIGN_BYTES 4096

static berth_status take_host(const berth_pool *pool, struct berth__block *block)
{
	uint64_t bytes;

	if (pool->image_mode != BERTH_IMAGES_HOST_ALIASED)
		return BERTH_OK;
	if (!berth__align_up(&bytes, block->bytes, HOST_ALIGN_BYTES) || bytes > SIZE_MAX)
		return berth_error_set(BERTH_E_OVERFLOW, 0, "a block of %" PRIu64 " bytes",
				       block->bytes);
	block->host = aligned_alloc(HOST_ALIGN_BYTES, (size_t)bytes);
	if (!block->host)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "no host memory for a block of %" PRIu64 " bytes",
				       block->bytes);
	return BERTH_OK;
}

/* Lazy drivers give memory at the first use: have it now, or be told now that there is none. */
static berth_status commit(berth_pool *pool, const struct berth__block *block)
{
	const berth_object_use use = { .object = block->id, .access = BERTH_ACCESS_WRITE };
	const berth_op op = { .kind = BERTH_OP_USE, .uses = &use, .use_count = 1 };
	berth_result result;
	berth_status st;

	if (pool->options.lazy_commit)
		return BERTH_OK;
	st = berth__pool_run(pool, &op, &result);
	return st == BERTH_E_UNSUPPORTED ? BERTH_OK : st;
}

static berth_status make_buffer(berth_pool *pool, struct berth__block *block)
{
	berth_op create = { .kind = BERTH_OP_BUFFER_CREATE,
			    .object = block->id,
			    .bytes = block->bytes,
			    .flags = CL_MEM_READ_WRITE };
	berth_result result;
	berth_status st;

	if (block->host) {
		create.flags |= CL_MEM_USE_HOST_PTR;
		berth_op_set_host(&create, block->host);
	}
	st = berth__pool_run(pool, &create, &result);
	if (st != BERTH_OK)
		return st;
	st = commit(pool, block);
	if (st != BERTH_OK)
		berth__pool_release_object(pool, block->id);
	return st;
}

static berth_status check_limit(const berth_pool *pool, uint64_t bytes)
{
	uint64_t limit = pool->options.limit_bytes, held = pool->stats.held_bytes;

	if (limit == 0 || (held <= limit && bytes <= limit - held))
		return BERTH_OK;
	return berth_error_set(BERTH_E_LIMIT, 0,
			       "the pool's limit is %" PRIu64 " bytes, it holds %" PRIu64, limit,
			       held);
}

static void count_created(berth_pool *pool, struct berth__block *block)
{
	berth_pool_stats *stats = &pool->stats;

	stats->blocks++;
	stats->blocks_created++;
	stats->held_bytes += block->bytes;
	stats->cached_bytes += block->bytes;
	if (stats->held_bytes > stats->peak_held_bytes)
		stats->peak_held_bytes = stats->held_bytes;
	TAILQ_INSERT_TAIL(&pool->blocks, block, link);
}

berth_status berth__block_create(struct berth__block **out, berth_pool *pool, uint64_t bytes)
{
	struct berth__block *block;
	berth_status st = check_limit(pool, bytes);

	if (st != BERTH_OK)
		return st;
	block = calloc(1, sizeof(*block));
	if (!block)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a block");
	block->id = pool->next_id++;
	block->bytes = bytes;
	block->refused_bytes = UINT64_MAX;
	if (pool->options.policy == BERTH_POOL_SUBALLOC)
		st = berth__suballoc_create(&block->arena, bytes, pool->granule_bytes);
	if (st == BERTH_OK)
		st = take_host(pool, block);
	if (st == BERTH_OK)
		st = make_buffer(pool, block);
	if (st != BERTH_OK) {
		free(block->host);
		berth__suballoc_destroy(block->arena);
		free(block);
		return st;
	}
	count_created(pool, block);
	*out = block;
	return BERTH_OK;
}

/* The driver may use host memory of ours until what is queued is done. */
static void complete_queue(berth_pool *pool)
{
	const berth_op sync = { .kind = BERTH_OP_SYNC };
	berth_result result;
	berth_status st = berth_device_execute(pool->device, &sync, &result);

	(void)st; /* A device that cannot complete its queue is lost, and uses nothing. */
}

void berth__block_release(berth_pool *pool, struct berth__block *block)
{
	assert(block->storage_count == 0);
	berth__view_objects_drop_block(pool, block);
	if (block->host)
		complete_queue(pool);
	berth__pool_release_object(pool, block->id);
	TAILQ_REMOVE(&pool->blocks, block, link);
	pool->stats.blocks--;
	pool->stats.blocks_released++;
	pool->stats.held_bytes -= block->bytes;
	pool->stats.cached_bytes -= block->bytes;
	free(block->host);
	berth__suballoc_destroy(block->arena);
	free(block);
}

void berth__block_add_storage(berth_pool *pool, struct berth__block *block)
{
	if (block->storage_count++ == 0)
		pool->stats.cached_bytes -= block->bytes;
}

void berth__block_remove_storage(berth_pool *pool, struct berth__block *block)
{
	assert(block->storage_count > 0);
	if (--block->storage_count == 0)
		pool->stats.cached_bytes += block->bytes;
}

bool berth__blocks_release_cached(berth_pool *pool)
{
	struct berth__block *block = TAILQ_FIRST(&pool->blocks), *next;
	bool released = false;

	for (; block; block = next) {
		next = TAILQ_NEXT(block, link);
		if (block->storage_count > 0)
			continue;
		berth__block_release(pool, block);
		released = true;
	}
	return released;
}
