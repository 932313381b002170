/* SPDX-License-Identifier: Apache-2.0 */
/* The time that ops would take on the device of a profile. */
#include "estimate.h"

#include <stdlib.h>

#include <CL/cl.h>

#include "box.h"

static berth_status moved_bytes(uint64_t *out, const berth_op *op, uint32_t element_bytes)
{
	switch (op->kind) {
	case BERTH_OP_USE:
		*out = 0;
		return BERTH_OK;
	case BERTH_OP_UNMAP:
		*out = op->bytes;
		return BERTH_OK;
	case BERTH_OP_BUFFER_CREATE:
	case BERTH_OP_IMAGE_CREATE:
		return berth_op_host_bytes(
			out, op,
			berth_format_element_bytes(op->image.order, op->image.channel_type));
	default:
		return berth_op_moved_bytes(out, op, element_bytes);
	}
}

berth_status berth_sim_estimate_ns(uint64_t *out, const berth_profile *profile, const berth_op *op,
				   uint32_t element_bytes, bool pinned)
{
	int kind = berth_transfer_kind_of(op, pinned);
	uint64_t bytes;
	berth_status st;

	if (kind == BERTH_TRANSFER_KIND_END) {
		*out = 0;
		return BERTH_OK;
	}
	st = moved_bytes(&bytes, op, element_bytes);
	if (st != BERTH_OK)
		return st;
	return berth_transfer_estimate_ns(out, &profile->transfer, (berth_transfer_kind)kind,
					  bytes);
}

/* The bytes of a mapping that was made for writing go back when it ends. */
static uint64_t unmapped_bytes(const berth_object *object, const berth_op *op)
{
	const berth_mapping *mapping =
		object ? berth_object_find_mapping(object, op->mapping) : NULL;
	uint64_t bytes = mapping ? mapping->bytes : 0;

	if (!mapping || !(mapping->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)))
		return 0;
	if (mapping->linear)
		return bytes;
	bytes = object->element_bytes;
	for (int axis = 0; axis < 3; axis++)
		bytes *= mapping->extent[axis];
	return bytes;
}

/* Of the image's side: the buffer's has no pixels. */
static uint32_t element_bytes_of(const struct berth__simulator *sim, const berth_op *op,
				 const berth_object *object)
{
	if (op->form == BERTH_FORM_BUFFER_TO_IMAGE)
		object = berth_objects_find(sim->objects, op->other);
	return object ? object->element_bytes : 0;
}

static bool is_pinned(const struct berth__simulator *sim, const berth_op *op)
{
	uintptr_t address = (uintptr_t)op->host;

	if (!op->host)
		return false;
	for (size_t i = 0; i < sim->pinned_count; i++)
		if (address - sim->pinned[i].start < sim->pinned[i].bytes)
			return true;
	return false;
}

void berth__estimate(const struct berth__simulator *sim, const berth_op *op, berth_result *result)
{
	const berth_object *object;
	uint64_t ns = 0;
	berth_op unmap;

	if (!sim->has_transfer_model)
		return;
	object = berth_objects_find(sim->objects, op->object);
	if (op->kind == BERTH_OP_UNMAP) {
		unmap = *op;
		unmap.bytes = unmapped_bytes(object, op);
		op = &unmap;
	}
	result->has_estimate =
		berth_sim_estimate_ns(&ns, &sim->profile, op, element_bytes_of(sim, op, object),
				      is_pinned(sim, op)) == BERTH_OK;
	result->estimated_ns = ns;
}

static bool pins(const struct berth__simulator *sim, const berth_op *op, const berth_object *object)
{
	return sim->has_transfer_model && op->kind == BERTH_OP_MAP && object &&
	       (object->flags & CL_MEM_ALLOC_HOST_PTR);
}

berth_status berth__pinned_reserve(struct berth__simulator *sim, const berth_op *op)
{
	size_t capacity = sim->pinned_capacity ? 2 * sim->pinned_capacity : 8;
	struct berth__pinned *pinned;

	if (sim->pinned_count < sim->pinned_capacity ||
	    !pins(sim, op, berth_objects_find(sim->objects, op->object)))
		return BERTH_OK;
	pinned = reallocarray(sim->pinned, capacity, sizeof(*pinned));
	if (!pinned)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu mappings", capacity);
	sim->pinned = pinned;
	sim->pinned_capacity = capacity;
	return BERTH_OK;
}

void berth__pinned_add(struct berth__simulator *sim, const berth_op *op, const void *mapped)
{
	const berth_object *object = berth_objects_find(sim->objects, op->object);
	struct berth__box box;

	if (!mapped || !pins(sim, op, object))
		return;
	berth__box_of_object(&box, op, object, NULL);
	sim->pinned[sim->pinned_count++] = (struct berth__pinned){
		.start = (uintptr_t)mapped,
		.bytes = berth__box_end_bytes(&box) - box.start_bytes,
		.object = op->object,
		.mapping = op->mapping,
	};
}

void berth__pinned_remove(struct berth__simulator *sim, uint64_t object, uint64_t mapping)
{
	size_t kept = 0;

	for (size_t i = 0; i < sim->pinned_count; i++) {
		const struct berth__pinned *pinned = &sim->pinned[i];

		if (pinned->object != object || (mapping && pinned->mapping != mapping))
			sim->pinned[kept++] = *pinned;
	}
	sim->pinned_count = kept;
}
