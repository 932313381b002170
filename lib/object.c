/* SPDX-License-Identifier: Apache-2.0 */
/* One object: what its create op makes of it, and its live mappings. */
#include "object.h"

#include <CL/cl.h>
#include <inttypes.h>
#include <stdlib.h>

#include "image_shape.h"
#include "mem_flags.h"

uint64_t berth__flags_effective(uint64_t flags, const berth_object *parent)
{
	if (!parent)
		return flags & FLAGS_ACCESS ? flags : flags | CL_MEM_READ_WRITE;
	if (!(flags & FLAGS_ACCESS))
		flags |= parent->flags & FLAGS_ACCESS;
	if (!(flags & FLAGS_HOST_ACCESS))
		flags |= parent->flags & FLAGS_HOST_ACCESS;
	return flags | (parent->flags & FLAGS_HOST_PTR);
}

/* Where a USE_HOST_PTR store is; a child's lies inside its parent's (R84). */
static uint64_t host_address(const berth_object *parent, uint64_t origin, const berth_op *op)
{
	if (parent)
		return parent->host_address ? parent->host_address + origin : 0;
	if (op->kind == BERTH_OP_SVM_ALLOC)
		return op->host_address;
	return op->flags & CL_MEM_USE_HOST_PTR ? op->host_address : 0;
}

static berth_status init_image(berth_object *object, const berth_op *op)
{
	object->image = op->image;
	object->element_bytes = berth_format_element_bytes(op->image.order, op->image.channel_type);
	if (!berth__image_pitches(&object->row_pitch_bytes, &object->slice_pitch_bytes, &op->image,
				  object->element_bytes) ||
	    !berth__image_bytes(&object->bytes, &op->image, object->row_pitch_bytes,
				object->slice_pitch_bytes))
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "the bytes of image %" PRIu64 " (%" PRIu64 " x %" PRIu64
				       " pixels of %" PRIu32 " bytes) do not fit 64 bits",
				       op->object, op->image.width, op->image.height,
				       object->element_bytes);
	return BERTH_OK;
}

berth_status berth__object_init(berth_object *object, berth_object *parent, const berth_op *op)
{
	static const berth_object_kind kinds[BERTH_OP_KIND_END] = {
		[BERTH_OP_BUFFER_CREATE] = BERTH_OBJECT_BUFFER,
		[BERTH_OP_SUBBUFFER_CREATE] = BERTH_OBJECT_SUBBUFFER,
		[BERTH_OP_IMAGE_CREATE] = BERTH_OBJECT_IMAGE,
		[BERTH_OP_SVM_ALLOC] = BERTH_OBJECT_SVM,
		[BERTH_OP_PIPE_CREATE] = BERTH_OBJECT_PIPE,
	};
	uint64_t origin = op->kind == BERTH_OP_SUBBUFFER_CREATE ? op->offset_bytes : 0, end;
	berth_object made = {
		.id = op->object,
		.kind = kinds[op->kind],
		.parent = parent,
		.root = parent ? parent->root : object,
		.flags = berth__flags_effective(op->flags, parent),
		.bytes = op->bytes,
		.host_address = host_address(parent, origin, op),
		.references = 1,
		.mappings = object->mappings,
		.mapping_capacity = object->mapping_capacity,
	};
	berth_status st;

	if (op->kind == BERTH_OP_PIPE_CREATE)
		made.bytes = (uint64_t)op->packet_bytes * op->packet_count;
	if (op->kind == BERTH_OP_IMAGE_CREATE) {
		st = init_image(&made, op);
		if (st != BERTH_OK)
			return st;
	}
	if (__builtin_add_overflow(parent ? parent->offset_bytes : 0, origin, &made.offset_bytes) ||
	    __builtin_add_overflow(made.offset_bytes, made.bytes, &end))
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "object %" PRIu64 ": origin %" PRIu64 " and %" PRIu64
				       " bytes do not fit 64 bits",
				       op->object, origin, made.bytes);
	*object = made;
	return BERTH_OK;
}

static berth_mapping *find_mapping(const berth_object *object, uint64_t id)
{
	for (uint32_t i = 0; i < object->mapping_count; i++)
		if (object->mappings[i].id == id)
			return &object->mappings[i];
	return NULL;
}

const berth_mapping *berth_object_find_mapping(const berth_object *object, uint64_t id)
{
	return find_mapping(object, id);
}

static berth_status grow_mappings(berth_object *object)
{
	uint32_t capacity = object->mapping_capacity ? object->mapping_capacity : 2;
	berth_mapping *mappings;

	if (__builtin_mul_overflow(capacity, 2u, &capacity))
		return berth_error_set(BERTH_E_NOMEM, 0, "object %" PRIu64 " has too many mappings",
				       object->id);
	mappings = reallocarray(object->mappings, capacity, sizeof(*mappings));
	if (!mappings)
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "no memory for %" PRIu32 " mappings of object %" PRIu64,
				       capacity, object->id);
	object->mappings = mappings;
	object->mapping_capacity = capacity;
	return BERTH_OK;
}

berth_status berth__object_map(berth_object *object, const berth_op *op)
{
	berth_mapping *mapping;

	if (op->mapping == BERTH_ID_NONE || find_mapping(object, op->mapping))
		return berth_error_set(BERTH_E_STATE, 0,
				       "mapping %" PRIu64 " of object %" PRIu64 " is %s",
				       op->mapping, object->id,
				       op->mapping == BERTH_ID_NONE ? "no id" : "alive already");
	if (object->mapping_count == object->mapping_capacity) {
		berth_status st = grow_mappings(object);

		if (st != BERTH_OK)
			return st;
	}
	mapping = &object->mappings[object->mapping_count++];
	*mapping = (berth_mapping){
		.id = op->mapping,
		.flags = op->flags,
		.linear = op->form == BERTH_FORM_LINEAR || op->form == BERTH_FORM_SVM,
		.offset_bytes = op->offset_bytes,
		.bytes = op->bytes,
	};
	for (int axis = 0; axis < 3; axis++) {
		mapping->origin[axis] = op->region.origin[axis];
		mapping->extent[axis] = op->region.extent[axis];
	}
	object->root->family_mappings++;
	return BERTH_OK;
}

berth_status berth__object_unmap(berth_object *object, uint64_t mapping)
{
	berth_mapping *found = find_mapping(object, mapping);

	if (!found)
		return berth_error_set(BERTH_E_STATE, 0,
				       "object %" PRIu64 " has no mapping %" PRIu64, object->id,
				       mapping);
	*found = object->mappings[--object->mapping_count];
	object->root->family_mappings--;
	return BERTH_OK;
}
