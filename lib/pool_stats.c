/* SPDX-License-Identifier: Apache-2.0 */
/* What a pool holds: numbers that add up, and every block, storage and hole. */
#include "pool_internal.h"

#include <stdlib.h>

static uint64_t largest_hole(const berth_pool *pool)
{
	const struct berth__block *block;
	uint64_t largest = 0;

	TAILQ_FOREACH(block, &pool->blocks, link)
	{
		uint64_t hole = block->storage_count == 0 ? block->bytes : 0;

		if (block->arena) {
			struct berth__suballoc_stats arena;

			berth__suballoc_stats(block->arena, &arena);
			hole = arena.largest_hole_bytes;
		}
		if (hole > largest)
			largest = hole;
	}
	return largest;
}

void berth_pool_get_stats(berth_pool_stats *out, berth_pool *pool)
{
	berth_pool_stats stats;

	berth__pool_lock(pool);
	stats = pool->stats;
	stats.storages = pool->storages.in_use - pool->in_flight_count;
	stats.views = pool->views.in_use;
	stats.free_bytes = stats.held_bytes - stats.in_use_bytes;
	stats.largest_hole_bytes = largest_hole(pool);
	berth__pool_unlock(pool);
	if (stats.free_bytes > 0)
		stats.fragmentation =
			1.0 - (double)stats.largest_hole_bytes / (double)stats.free_bytes;
	*out = stats;
}

struct snapshot {
	berth_span *spans;
	size_t count;
	uint64_t object; /* block whose holes come next */
};

static void add(struct snapshot *snapshot, const berth_span *span)
{
	snapshot->spans[snapshot->count++] = *span;
}

static void add_hole(const struct berth__span_info *info, void *userdata)
{
	struct snapshot *snapshot = userdata;
	const berth_span hole = { .kind = BERTH_SPAN_HOLE,
				  .object = snapshot->object,
				  .offset_bytes = info->offset_bytes,
				  .bytes = info->bytes };

	if (info->span == BERTH__SPAN_NONE)
		add(snapshot, &hole);
}

static void add_block(struct snapshot *snapshot, const struct berth__block *block)
{
	berth_span span = { .kind = BERTH_SPAN_BLOCK, .object = block->id, .bytes = block->bytes };

	snapshot->object = block->id;
	add(snapshot, &span);
	if (block->arena) {
		berth__suballoc_walk(block->arena, add_hole, snapshot);
	} else if (block->storage_count == 0) {
		span.kind = BERTH_SPAN_HOLE;
		add(snapshot, &span);
	}
}

static void add_storage(struct snapshot *snapshot, const struct berth__storage *storage)
{
	const berth_span span = {
		.kind = storage->state == BERTH__STORAGE_IN_FLIGHT ? BERTH_SPAN_IN_FLIGHT
								   : BERTH_SPAN_STORAGE,
		.object = storage->place.block->id,
		.offset_bytes = storage->place.offset_bytes,
		.bytes = storage->place.reserved_bytes,
		.requested_bytes = storage->bytes,
		.storage = berth__slot_handle(&storage->slot),
		.views = storage->view_count,
	};

	add(snapshot, &span);
}

/* By block (ids grow), by offset; a block before what is in it. */
static int compare(const void *left, const void *right)
{
	const berth_span *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->offset_bytes != b->offset_bytes)
		return a->offset_bytes < b->offset_bytes ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

/* Every block, its holes, every storage: no more than this. */
static size_t spans_max(const berth_pool *pool)
{
	const struct berth__block *block;
	size_t count = pool->storages.in_use;

	TAILQ_FOREACH(block, &pool->blocks, link)
	count += 2 + (size_t)block->storage_count;
	return count;
}

static berth_status take_snapshot(struct snapshot *snapshot, const berth_pool *pool)
{
	const struct berth__block *block;
	const struct berth__storage *storage = NULL;
	size_t most = spans_max(pool);

	snapshot->spans = calloc(most ? most : 1, sizeof(*snapshot->spans));
	if (!snapshot->spans)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a walk over %zu spans",
				       most);
	TAILQ_FOREACH(block, &pool->blocks, link)
	add_block(snapshot, block);
	while ((storage = berth__slots_next(&pool->storages, storage)))
		add_storage(snapshot, storage);
	return BERTH_OK;
}

berth_status berth_pool_walk(berth_pool *pool, berth_span_fn *visit, void *userdata)
{
	struct snapshot snapshot = { 0 };
	berth_status st;

	berth__pool_lock(pool);
	st = take_snapshot(&snapshot, pool);
	berth__pool_unlock(pool);
	if (st != BERTH_OK)
		return st;
	qsort(snapshot.spans, snapshot.count, sizeof(*snapshot.spans), compare);
	for (size_t i = 0; i < snapshot.count; i++)
		visit(&snapshot.spans[i], userdata);
	free(snapshot.spans);
	return BERTH_OK;
}
