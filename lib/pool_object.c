/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects of the device behind views, in a search tree of the C library by
 * what they are: a view of the same kind at the same place shares one. Those of no
 * live view are kept, up to a bound, the one released longest ago goes first.
 */
#include "pool_internal.h"

#include <CL/cl.h>
#include <assert.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
	const struct berth__view_object *a = left, *b = right;

	return memcmp(&a->key, &b->key, sizeof(a->key));
}

static bool is_image(const struct berth__view_key *key)
{
	return key->width > 0;
}

/* A view of a whole block needs no object of its own. */
static bool is_block(const struct berth__block *block, const struct berth__view_key *key)
{
	return !is_image(key) && key->bytes == block->bytes && key->flags == 0;
}

static void set_idle(berth_pool *pool, struct berth__view_object *object)
{
	TAILQ_INSERT_HEAD(&pool->idle_objects, object, idle);
	pool->stats.cached_views++;
}

static void set_used(berth_pool *pool, struct berth__view_object *object)
{
	TAILQ_REMOVE(&pool->idle_objects, object, idle);
	pool->stats.cached_views--;
}

static void drop_reference(berth_pool *pool, struct berth__view_object *object)
{
	assert(object->references > 0);
	if (--object->references == 0)
		set_idle(pool, object);
}

/* Bytes that the device counts for images; modulo 2^64, to take away as well. */
static void count_image(berth_pool *pool, uint64_t bytes)
{
	if (pool->image_mode == BERTH_IMAGES_COPIED)
		pool->stats.copied_image_bytes += bytes;
	else
		pool->aliased_image_bytes += bytes;
}

/* It is idle. What it lies on may become idle in turn. */
static void end(berth_pool *pool, struct berth__view_object *object)
{
	set_used(pool, object);
	tdelete(object, &pool->objects, compare);
	LIST_REMOVE(object, on_block);
	if (object->id != object->block->id)
		berth__pool_release_object(pool, object->id);
	count_image(pool, -object->told_bytes);
	if (object->base)
		drop_reference(pool, object->base);
	free(object);
}

static bool is_sub_buffer(const struct berth__view_object *object)
{
	return !is_image(&object->key) && object->id != object->block->id;
}

/* Of one block. */
static bool overlap(const struct berth__view_key *a, const struct berth__view_key *b)
{
	return a->offset_bytes < b->offset_bytes + b->bytes &&
	       b->offset_bytes < a->offset_bytes + a->bytes;
}

/* Whether no newer sub-buffer overlaps it, where that matters (newest_first). */
static bool may_end(const berth_pool *pool, const struct berth__view_object *object)
{
	const struct berth__view_object *newer;

	if (!pool->newest_first || !is_sub_buffer(object))
		return true;
	/* A block's list begins with the newest. */
	for (newer = LIST_FIRST(&object->block->objects); newer != object;
	     newer = LIST_NEXT(newer, on_block))
		if (is_sub_buffer(newer) && overlap(&newer->key, &object->key))
			return false;
	return true;
}

void berth__view_objects_drop_idle(berth_pool *pool, uint64_t keep)
{
	struct berth__view_object *object =
		TAILQ_LAST(&pool->idle_objects, berth__view_object_queue);

	while (pool->stats.cached_views > keep && object) {
		if (!may_end(pool, object)) {
			object = TAILQ_PREV(object, berth__view_object_queue, idle);
			continue;
		}
		end(pool, object);
		/* What it lay on may be idle now, and what it lay over may end. */
		object = TAILQ_LAST(&pool->idle_objects, berth__view_object_queue);
	}
}

void berth__view_objects_drop_block(berth_pool *pool, struct berth__block *block)
{
	struct berth__view_object *object;

	/* An image frees its base, so each round ends at least one; the newest comes first. */
	while ((object = LIST_FIRST(&block->objects))) {
		while (object->references > 0)
			object = LIST_NEXT(object, on_block);
		end(pool, object);
	}
}

/* Sub-buffer: its range of the block. Image on a buffer: on its base. */
static berth_status make(berth_pool *pool, struct berth__view_object *object)
{
	const struct berth__view_key *key = &object->key;
	berth_op op = { .kind = BERTH_OP_SUBBUFFER_CREATE,
			.object = object->id,
			.other = object->block->id,
			.flags = key->flags,
			.offset_bytes = key->offset_bytes,
			.bytes = key->bytes };
	berth_result result;
	berth_status st;

	if (is_image(key)) {
		op = (berth_op){ .kind = BERTH_OP_IMAGE_CREATE,
				 .object = object->id,
				 .flags = key->flags,
				 .image = { .type = CL_MEM_OBJECT_IMAGE2D,
					    .order = (uint32_t)(key->format >> 32),
					    .channel_type = (uint32_t)key->format,
					    .width = key->width,
					    .height = key->height } };
		if (pool->image_mode != BERTH_IMAGES_COPIED)
			op.image.row_pitch_bytes = key->row_pitch_bytes;
		if (pool->image_mode == BERTH_IMAGES_NATIVE)
			op.other = object->base->id;
	}
	if (is_image(key) && object->block->host) {
		op.flags |= CL_MEM_USE_HOST_PTR;
		berth_op_set_host(&op, (char *)object->block->host + key->offset_bytes);
	}
	st = berth__pool_run(pool, &op, &result);
	if (st == BERTH_OK && is_image(key) && pool->image_mode != BERTH_IMAGES_NATIVE)
		object->told_bytes = result.bytes;
	return st;
}

/* The buffer under an image, with its bytes alone. */
static berth_status get_base(berth_pool *pool, struct berth__view_object *object)
{
	const struct berth__view_key key = { .block = object->key.block,
					     .offset_bytes = object->key.offset_bytes,
					     .bytes = object->key.bytes };

	if (!is_image(&object->key) || pool->image_mode != BERTH_IMAGES_NATIVE)
		return BERTH_OK;
	return berth__view_object_get(&object->base, pool, object->block, &key);
}

/* A device object and its record, in the tree; used once. */
static berth_status create(struct berth__view_object **out, berth_pool *pool,
			   struct berth__block *block, const struct berth__view_key *key)
{
	struct berth__view_object *object = calloc(1, sizeof(*object));
	berth_status st;

	if (!object)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a view");
	*object = (struct berth__view_object){ .key = *key, .block = block, .references = 1 };
	st = get_base(pool, object);
	if (st != BERTH_OK)
		goto fail;
	object->id = is_block(block, key) ? block->id : pool->next_id++;
	if (!tsearch(object, &pool->objects, compare)) {
		st = berth_error_set(BERTH_E_NOMEM, 0, "no memory for a view");
		goto fail;
	}
	if (!is_block(block, key))
		st = make(pool, object);
	if (st == BERTH_OK) {
		LIST_INSERT_HEAD(&block->objects, object, on_block);
		count_image(pool, object->told_bytes);
		pool->stats.view_objects_created += !is_block(block, key);
		*out = object;
		return BERTH_OK;
	}
	tdelete(object, &pool->objects, compare);
fail:
	if (object->base)
		drop_reference(pool, object->base);
	free(object);
	return st;
}

berth_status berth__view_object_get(struct berth__view_object **out, berth_pool *pool,
				    struct berth__block *block, const struct berth__view_key *key)
{
	const struct berth__view_object wanted = { .key = *key };
	struct berth__view_object *object;
	void *node = tfind(&wanted, &pool->objects, compare);
	berth_status st;

	if (node) {
		object = *(struct berth__view_object **)node;
		if (object->references++ == 0)
			set_used(pool, object);
		pool->stats.view_objects_reused++;
		*out = object;
		return BERTH_OK;
	}
	st = create(out, pool, block, key);
	if (st == BERTH_E_LIMIT && pool->stats.cached_views > 0) {
		/* Copied images take memory, which cached ones may have. */
		berth__view_objects_drop_idle(pool, 0);
		st = create(out, pool, block, key);
	}
	return st;
}

void berth__view_object_put(berth_pool *pool, struct berth__view_object *object)
{
	drop_reference(pool, object);
	berth__view_objects_drop_idle(pool, pool->options.view_cache_max);
}
