/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Create ops of the pool device: a range of a block where that gives the same
 * object, else the inner device's own object.
 */
#include "pool_device.h"

#include <CL/cl.h>
#include <inttypes.h>
#include <stdlib.h>

#include <berth/rules.h>

#include "mem_flags.h"

/* The host's memory is the object's, or is where the driver likes it: not a block's. */
#define HOST_MEMORY ((uint64_t)(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR))

/* The host may not write: then no command can fill a new image. */
#define HOST_MAY_NOT_WRITE ((uint64_t)(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))

static void free_svm(struct berth__pool_device *device, uint64_t inner_id)
{
	const berth_op op = { .kind = BERTH_OP_SVM_FREE, .object = inner_id };
	berth_result result;
	berth_status st = berth_device_execute(device->inner, &op, &result);

	(void)st; /* clSVMFree gives no answer. */
}

/* Give back what a backing has, and empty it. */
static void give_back(struct berth__pool_device *device, struct berth__backing *backing)
{
	if (backing->view) {
		berth__pool_lock(device->pool);
		berth__view_object_put(device->pool, backing->view);
		berth__pool_unlock(device->pool);
	} else if (backing->inner_id) {
		if (!backing->is_svm)
			berth__pool_release_object(device->pool, backing->inner_id);
		else
			free_svm(device, backing->inner_id);
		device->stats.passed_through_bytes -= backing->own_bytes;
	}
	/* One queue in order: the next owner's commands come after the last one's. */
	if (backing->place.storage)
		berth__pool_device_give_back(device, &backing->place);
	*backing = (struct berth__backing){ 0 };
}

void berth__pool_device_end(struct berth__pool_device *device, struct berth__backing *backing)
{
	give_back(device, backing);
	free(backing);
}

static struct berth__backing *parent_backing(const struct berth__pool_device *device,
					     const berth_op *op)
{
	const berth_object *parent =
		op->other ? berth_objects_find(device->objects, op->other) : NULL;

	return parent ? parent->user : NULL;
}

/* The inner object for a part of a block. */
static berth_status get_view(struct berth__pool_device *device, struct berth__backing *backing,
			     const struct berth__view_key *key)
{
	berth_status st;

	berth__pool_lock(device->pool);
	st = berth__view_object_get(&backing->view, device->pool, backing->block, key);
	berth__pool_unlock(device->pool);
	if (st == BERTH_OK)
		backing->inner_id = backing->view->id;
	return st;
}

static berth_status take_storage(struct berth__pool_device *device, struct berth__backing *backing,
				 uint64_t object, uint64_t bytes)
{
	struct berth__storage *storage;
	berth_status st = berth__pool_device_take(device, object, bytes, &backing->place);

	if (st != BERTH_OK)
		return st;
	berth__pool_lock(device->pool);
	storage = berth__storage_find(device->pool, backing->place.storage);
	backing->block = storage->place.block;
	backing->block_offset_bytes = storage->place.offset_bytes + backing->place.offset_bytes;
	berth__pool_unlock(device->pool);
	return BERTH_OK;
}

/* A write of the pool's own that must succeed. */
static berth_status write_content(struct berth__pool_device *device, const berth_op *write)
{
	berth_result result;

	return berth__pool_run(device->pool, write, &result);
}

static berth_status carve_buffer(struct berth__pool_device *device, const berth_op *op,
				 struct berth__backing *backing)
{
	struct berth__view_key key = { .bytes = op->bytes,
				       .flags = op->flags &
						~(FLAGS_HOST_PTR | (uint64_t)CL_MEM_READ_WRITE) };
	berth_status st = take_storage(device, backing, op->object, op->bytes);

	if (st != BERTH_OK)
		return st;
	key.block = backing->block->id;
	key.offset_bytes = backing->block_offset_bytes;
	st = get_view(device, backing, &key);
	if (st == BERTH_OK && op->flags & CL_MEM_COPY_HOST_PTR) {
		/* Through the block, as the object's flags may keep the host out. */
		const berth_op write = { .kind = BERTH_OP_WRITE,
					 .form = BERTH_FORM_LINEAR,
					 .bits = BERTH_OP_BLOCKING,
					 .object = backing->block->id,
					 .offset_bytes = backing->block_offset_bytes,
					 .bytes = op->bytes,
					 .host_address = op->host_address,
					 .host = op->host };

		st = write_content(device, &write);
	}
	return st;
}

static berth_status carve_subbuffer(struct berth__pool_device *device, const berth_op *op,
				    struct berth__backing *backing)
{
	const struct berth__backing *parent = parent_backing(device, op);
	const berth_object *object = berth_objects_find(device->objects, op->other);
	struct berth__view_key key = { .bytes = op->bytes };

	backing->block = parent->block;
	backing->block_offset_bytes = parent->block_offset_bytes + op->offset_bytes;
	key.block = parent->block->id;
	key.offset_bytes = backing->block_offset_bytes;
	/* What the caller's parent hands down, the block does not have to give. */
	key.flags = op->flags;
	if (!(key.flags & FLAGS_ACCESS))
		key.flags |= object->flags & FLAGS_ACCESS & ~(uint64_t)CL_MEM_READ_WRITE;
	if (!(key.flags & FLAGS_HOST_ACCESS))
		key.flags |= object->flags & FLAGS_HOST_ACCESS;
	return get_view(device, backing, &key);
}

static berth_status fill_image(struct berth__pool_device *device, const berth_op *op,
			       const struct berth__backing *backing)
{
	const berth_op write = { .kind = BERTH_OP_WRITE,
				 .form = BERTH_FORM_IMAGE,
				 .bits = BERTH_OP_BLOCKING,
				 .object = backing->inner_id,
				 .region = { .extent = { op->image.width, op->image.height, 1 },
					     .other_row_pitch_bytes = op->image.row_pitch_bytes },
				 .host_address = op->host_address,
				 .host = op->host };

	return write_content(device, &write);
}

static berth_status carve_image(struct berth__pool_device *device, const berth_op *op,
				struct berth__backing *backing)
{
	const berth_caps *caps = &device->pool->caps;
	const berth_image *image = &op->image;
	uint32_t element = berth_format_element_bytes(image->order, image->channel_type);
	uint64_t align = berth_caps_pitch_align_bytes(caps, element), pitch, bytes;
	struct berth__view_key key;
	berth_status st;

	if (align == 0 || __builtin_mul_overflow(image->width, element, &pitch) ||
	    !berth__align_up(&pitch, pitch, align) ||
	    __builtin_mul_overflow(pitch, image->height, &bytes))
		return BERTH_E_LIMIT;
	st = take_storage(device, backing, op->object, bytes);
	if (st != BERTH_OK)
		return st;
	key = (struct berth__view_key){
		.block = backing->block->id,
		.offset_bytes = backing->block_offset_bytes,
		.bytes = bytes,
		.flags = op->flags & ~FLAGS_HOST_PTR,
		.width = image->width,
		.height = image->height,
		.row_pitch_bytes = pitch,
		.format = (uint64_t)image->order << 32 | image->channel_type,
	};
	st = get_view(device, backing, &key);
	if (st == BERTH_OK && op->flags & CL_MEM_COPY_HOST_PTR)
		st = fill_image(device, op, backing);
	return st;
}

typedef berth_status carve_fn(struct berth__pool_device *device, const berth_op *op,
			      struct berth__backing *backing);

/* How a conforming create op can be made from a block; NULL: it cannot. */
static carve_fn *find_carver(const struct berth__pool_device *device, const berth_op *op)
{
	const struct berth__backing *parent = parent_backing(device, op);
	bool host_memory = op->flags & HOST_MEMORY;

	if (op->kind == BERTH_OP_BUFFER_CREATE)
		return host_memory ? NULL : carve_buffer;
	if (op->kind == BERTH_OP_SUBBUFFER_CREATE)
		return parent && parent->block ? carve_subbuffer : NULL;
	/* Shared virtual memory and pipes are no ranges of a buffer. */
	if (op->kind != BERTH_OP_IMAGE_CREATE)
		return NULL;
	if (op->other != BERTH_ID_NONE || host_memory || op->image.type != CL_MEM_OBJECT_IMAGE2D ||
	    device->pool->image_mode == BERTH_IMAGES_NONE ||
	    (op->flags & CL_MEM_COPY_HOST_PTR && op->flags & HOST_MAY_NOT_WRITE))
		return NULL;
	return carve_image;
}

/* What the pool has cached is worth less than an object that somebody wants. */
static berth_status pass_or_make_room(struct berth__pool_device *device, const berth_op *op,
				      const berth_op *translated, berth_result *result)
{
	berth_status st = berth__pool_device_pass(device, op, translated, result);

	if (st != BERTH_OK || !berth__pool_out_of_memory(result->cl_status) ||
	    berth_pool_trim(device->pool) == 0)
		return st;
	*result = (berth_result){ 0 };
	return berth__pool_device_pass(device, op, translated, result);
}

/* The inner device's own object, which is also what breaks the specification. */
static berth_status make_own(struct berth__pool_device *device, const berth_op *op,
			     struct berth__backing *backing, berth_result *result)
{
	berth_op translated = *op;
	berth_status st;

	translated.object = device->next_id++;
	translated.other = berth__pool_device_inner_id(device, op->other);
	st = pass_or_make_room(device, op, &translated, result);
	if (st != BERTH_OK || result->cl_status != CL_SUCCESS)
		return st;
	backing->inner_id = translated.object;
	backing->is_svm = op->kind == BERTH_OP_SVM_ALLOC;
	if (op->other == BERTH_ID_NONE)
		backing->own_bytes = result->bytes;
	device->stats.passed_through_bytes += backing->own_bytes;
	return BERTH_OK;
}

static berth_status check_id(const struct berth__pool_device *device, uint64_t id)
{
	if (id == BERTH_ID_NONE || id == BERTH_ID_UNKNOWN)
		return berth_error_set(BERTH_E_STATE, 0, "id %" PRIu64 " is reserved", id);
	if (berth_objects_find(device->objects, id))
		return berth_error_set(BERTH_E_STATE, 0, "object %" PRIu64 " is alive already", id);
	return BERTH_OK;
}

static bool lies_in_block(const struct berth__pool_device *device, uint64_t id)
{
	const berth_object *object = berth_objects_find(device->objects, id);

	return object && object->user && ((const struct berth__backing *)object->user)->block;
}

/*
 * Carve it, or let the inner device make it; the answer says which sizes it has. What the inner
 * device says of a parent that is a part of a block, is about that part: then the rules answer.
 */
static berth_status make_backing(struct berth__pool_device *device, const berth_op *op,
				 struct berth__backing *backing, berth_result *result)
{
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];
	size_t count = berth_rules_check(device->base.caps, device->objects, op, broken);
	carve_fn *carve = count == 0 ? find_carver(device, op) : NULL;
	berth_status st;

	if (carve) {
		st = carve(device, op, backing);
		if (st == BERTH_OK || st == BERTH_E_NOMEM)
			return st;
		give_back(device, backing);
	}
	st = make_own(device, op, backing, result);
	if (st == BERTH_OK && result->cl_status != CL_SUCCESS && count > 0 &&
	    lies_in_block(device, op->other))
		berth_rules_answer(broken, count, result);
	return st;
}

static void count_made(struct berth__pool_device *device, const struct berth__backing *backing)
{
	if (backing->place.storage)
		device->stats.pooled++;
	else if (backing->own_bytes > 0)
		device->stats.passed_through++;
}

/* A carved object has the sizes of what was asked for, not those of the block. */
static void answer(const struct berth__backing *backing, const berth_object *object,
		   berth_result *result)
{
	if (!backing->block)
		return;
	result->bytes = object->bytes;
	if (object->kind != BERTH_OBJECT_IMAGE)
		return;
	result->row_pitch_bytes = object->row_pitch_bytes;
	result->slice_pitch_bytes = object->slice_pitch_bytes;
}

berth_status berth__pool_device_make(struct berth__pool_device *device, const berth_op *op,
				     berth_result *result)
{
	struct berth__backing *backing;
	berth_object *object = NULL;
	berth_status st = check_id(device, op->object);

	if (st != BERTH_OK)
		return st;
	backing = calloc(1, sizeof(*backing));
	if (!backing)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for an object");
	st = make_backing(device, op, backing, result);
	if (st == BERTH_OK && result->cl_status == CL_SUCCESS)
		st = berth_objects_apply(device->objects, op, &object);
	if (!object) {
		berth__pool_device_end(device, backing);
		return st;
	}
	object->user = backing;
	count_made(device, backing);
	answer(backing, object, result);
	return BERTH_OK;
}
