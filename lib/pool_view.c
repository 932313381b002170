/* SPDX-License-Identifier: Apache-2.0 */
/* Views: handles, bounds, copies where images are copied. */
#include "pool_internal.h"

#include <CL/cl.h>
#include <inttypes.h>

static bool is_image(const berth_geometry *geometry)
{
	return geometry->scope != BERTH_SCOPE_LINEAR;
}

/*
 * The view lies inside what was asked for, the padding of its last row included;
 * its place suits the device.
 */
static berth_status check_place(const berth_pool *pool, const struct berth__storage *storage,
				const berth_geometry *geometry, uint64_t offset_bytes)
{
	uint64_t align = geometry->align_bytes, end, next = 0;
	uint64_t base_align = berth_caps_base_align_bytes(&pool->caps);

	if (align < base_align)
		align = base_align;
	if (__builtin_add_overflow(offset_bytes, geometry->bytes, &end) || end > storage->bytes)
		return berth_error_set(
			BERTH_E_LIMIT, 0,
			"a %s view of %" PRIu64 " bytes (%" PRIu64 " rows of %" PRIu64
			") at %" PRIu64 " ends beyond its storage of %" PRIu64 " bytes",
			berth_scope_string(geometry->scope), geometry->bytes, geometry->height,
			geometry->row_pitch_bytes, offset_bytes, storage->bytes);
	if (offset_bytes % align != 0) {
		if (!berth__align_up(&next, offset_bytes, align))
			next = UINT64_MAX;
		return berth_error_set(
			BERTH_E_INVAL, 0,
			"a %s view at %" PRIu64 ": its offset is a multiple of %" PRIu64
			" on this device, the next is %" PRIu64,
			berth_scope_string(geometry->scope), offset_bytes, align, next);
	}
	return BERTH_OK;
}

static struct berth__view_key key_of(const struct berth__storage *storage,
				     const berth_geometry *geometry, uint64_t offset_bytes)
{
	struct berth__view_key key = {
		.block = storage->place.block->id,
		.offset_bytes = storage->place.offset_bytes + offset_bytes,
		.bytes = geometry->bytes,
	};

	if (is_image(geometry)) {
		key.width = geometry->width;
		key.height = geometry->height;
		key.row_pitch_bytes = geometry->row_pitch_bytes;
		key.format = (uint64_t)geometry->order << 32 | geometry->type;
	}
	return key;
}

static berth_status create(berth_view *out, berth_pool *pool, berth_storage handle,
			   const berth_geometry *geometry, uint64_t offset_bytes)
{
	struct berth__storage *storage = berth__storage_find(pool, handle);
	struct berth__view_key key;
	struct berth__view *view;
	berth_status st;

	if (!storage)
		return BERTH_E_STATE;
	st = check_place(pool, storage, geometry, offset_bytes);
	if (st != BERTH_OK)
		return st;
	view = berth__slots_new(&pool->views);
	if (!view)
		return BERTH_E_NOMEM;
	key = key_of(storage, geometry, offset_bytes);
	st = berth__view_object_get(&view->object, pool, storage->place.block, &key);
	if (st != BERTH_OK) {
		berth__slots_free(&pool->views, view);
		return st;
	}
	view->storage = storage;
	view->offset_bytes = offset_bytes;
	view->geometry = *geometry;
	if (storage->view_count++ == 0)
		LIST_INIT(&storage->views);
	LIST_INSERT_HEAD(&storage->views, view, link);
	*out = berth__slot_handle(&view->slot);
	return BERTH_OK;
}

berth_status berth_view_create(berth_view *out, berth_pool *pool, berth_storage storage,
			       const berth_layout *layout, uint64_t offset_bytes)
{
	berth_geometry geometry;
	berth_status st = berth_layout_compute(&geometry, &pool->caps, layout);

	if (st != BERTH_OK)
		return st;
	if (is_image(&geometry) && pool->image_mode == BERTH_IMAGES_NONE)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "%s makes no images on buffers, and copied images were not "
				       "asked for",
				       berth_device_name(pool->device));
	berth__pool_lock(pool);
	st = create(out, pool, storage, &geometry, offset_bytes);
	berth__pool_unlock(pool);
	return st;
}

static struct berth__view *find_view(const berth_pool *pool, berth_view handle)
{
	struct berth__view *view = berth__slots_find(&pool->views, handle);

	if (!view)
		berth_error_set(BERTH_E_STATE, 0,
				"0x%" PRIx64 " is not a view of this pool, or was released",
				handle);
	return view;
}

static void end_view(berth_pool *pool, struct berth__view *view)
{
	struct berth__storage *storage = view->storage;

	LIST_REMOVE(view, link);
	berth__view_object_put(pool, view->object);
	berth__slots_free(&pool->views, view);
	if (--storage->view_count == 0 && storage->state == BERTH__STORAGE_DEFERRED)
		berth__storage_settle(pool, storage);
}

berth_status berth_view_release(berth_pool *pool, berth_view handle)
{
	struct berth__view *view;

	berth__pool_lock(pool);
	view = find_view(pool, handle);
	if (view)
		end_view(pool, view);
	berth__pool_unlock(pool);
	return view ? BERTH_OK : BERTH_E_STATE;
}

berth_status berth_view_get_info(berth_view_info *out, berth_pool *pool, berth_view handle)
{
	const struct berth__view *view;

	berth__pool_lock(pool);
	view = find_view(pool, handle);
	if (view)
		*out = (berth_view_info){
			.object = view->object->id,
			.storage = berth__slot_handle(&view->storage->slot),
			.offset_bytes = view->offset_bytes,
			.geometry = view->geometry,
		};
	berth__pool_unlock(pool);
	return view ? BERTH_OK : BERTH_E_STATE;
}

/*
 * Copied images lie in the storage without padding: one command moves all rows. It
 * names the block, not a sub-buffer, whose origin rusticl 22.3 counts twice here.
 */
static berth_status copy(berth_pool *pool, const struct berth__view *view, berth_op_form form)
{
	berth_op op = {
		.kind = BERTH_OP_COPY,
		.form = form,
		.region.extent = { view->geometry.width, view->geometry.height, 1 },
	};
	berth_result result;

	if (!is_image(&view->geometry) || pool->image_mode != BERTH_IMAGES_COPIED)
		return BERTH_OK;
	if (form == BERTH_FORM_BUFFER_TO_IMAGE) {
		op.object = view->object->block->id;
		op.offset_bytes = view->object->key.offset_bytes;
		op.other = view->object->id;
	} else {
		op.object = view->object->id;
		op.other = view->object->block->id;
		op.other_offset_bytes = view->object->key.offset_bytes;
	}
	return berth__pool_run(pool, &op, &result);
}

static berth_status find_and_copy(berth_pool *pool, berth_view handle, berth_op_form form)
{
	const struct berth__view *view;
	berth_status st = BERTH_E_STATE;

	berth__pool_lock(pool);
	view = find_view(pool, handle);
	if (view)
		st = copy(pool, view, form);
	berth__pool_unlock(pool);
	return st;
}

berth_status berth_view_load(berth_pool *pool, berth_view view)
{
	return find_and_copy(pool, view, BERTH_FORM_BUFFER_TO_IMAGE);
}

berth_status berth_view_store(berth_pool *pool, berth_view view)
{
	return find_and_copy(pool, view, BERTH_FORM_IMAGE_TO_BUFFER);
}
