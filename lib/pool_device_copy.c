/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of the pool device that drivers cannot be told with sub-buffers: PoCL 3.1
 * crashes on them in rectangular copies and in copies between buffers and images,
 * rusticl 22.3 counts their origin twice in the latter. Such a copy names the block,
 * at the buffer's offset there; the bounds of the caller's buffers, which the driver
 * then cannot see, are checked here by the rules.
 */
#include "pool_device.h"

#include <CL/cl.h>

#include <berth/rules.h>

static const struct berth__backing *carved(const struct berth__pool_device *device, uint64_t id)
{
	const berth_object *object = berth_objects_find(device->objects, id);
	const struct berth__backing *backing = object ? object->user : NULL;

	return backing && backing->block ? backing : NULL;
}

static bool conforms(const struct berth__pool_device *device, const berth_op *op)
{
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];

	return berth_rules_check(device->base.caps, device->objects, op, broken) == 0;
}

/* The defaults of pitches as numbers; the op conforms, so they fit. */
static void resolve_pitches(const berth_region *region, uint64_t *row, uint64_t *slice)
{
	if (*row == 0)
		*row = region->extent[0];
	if (*slice == 0)
		*slice = *row * region->extent[1];
}

/* The box moves by the buffer's offset in its block; x may pass the row's end. */
static void name_blocks(berth_op *translated, const struct berth__backing *from,
			const struct berth__backing *to)
{
	if (from) {
		translated->object = from->block->id;
		translated->region.origin[0] += from->block_offset_bytes;
	}
	if (to) {
		translated->other = to->block->id;
		translated->region.other_origin[0] += to->block_offset_bytes;
	}
}

static uint64_t row_offset(const uint64_t origin[3], uint64_t row_pitch, uint64_t slice_pitch,
			   uint64_t row, uint64_t slice)
{
	return origin[0] + (origin[1] + row) * row_pitch + (origin[2] + slice) * slice_pitch;
}

/* Within one block a box has one pair of pitches: where they differ, row by row. */
static berth_status copy_rows(struct berth__pool_device *device, const berth_op *op,
			      const berth_op *translated, berth_result *result)
{
	const berth_region *region = &translated->region;
	berth_op row_copy = { .kind = BERTH_OP_COPY,
			      .form = BERTH_FORM_LINEAR,
			      .object = translated->object,
			      .other = translated->other,
			      .bytes = region->extent[0] };

	for (uint64_t slice = 0; slice < region->extent[2]; slice++) {
		for (uint64_t row = 0; row < region->extent[1]; row++) {
			berth_status st;

			row_copy.offset_bytes = row_offset(region->origin, region->row_pitch_bytes,
							   region->slice_pitch_bytes, row, slice);
			row_copy.other_offset_bytes =
				row_offset(region->other_origin, region->other_row_pitch_bytes,
					   region->other_slice_pitch_bytes, row, slice);
			st = berth__pool_device_pass(device, op, &row_copy, result);
			if (st != BERTH_OK || result->cl_status != CL_SUCCESS)
				return st;
		}
	}
	return BERTH_OK;
}

static berth_status copy_rect(struct berth__pool_device *device, const berth_op *op,
			      berth_op *translated, berth_result *result)
{
	const struct berth__backing *from = carved(device, op->object);
	const struct berth__backing *to = carved(device, op->other);
	berth_region *region = &translated->region;

	if ((from || to) && conforms(device, op)) {
		resolve_pitches(region, &region->row_pitch_bytes, &region->slice_pitch_bytes);
		resolve_pitches(region, &region->other_row_pitch_bytes,
				&region->other_slice_pitch_bytes);
		if (from && to && from->block == to->block &&
		    (region->row_pitch_bytes != region->other_row_pitch_bytes ||
		     region->slice_pitch_bytes != region->other_slice_pitch_bytes))
			return copy_rows(device, op, translated, result);
		name_blocks(translated, from, to);
	}
	return berth__pool_device_pass(device, op, translated, result);
}

static berth_status copy_from_buffer(struct berth__pool_device *device, const berth_op *op,
				     berth_op *translated, berth_result *result)
{
	const struct berth__backing *from = carved(device, op->object);

	if (from && conforms(device, op)) {
		translated->object = from->block->id;
		translated->offset_bytes += from->block_offset_bytes;
	}
	return berth__pool_device_pass(device, op, translated, result);
}

static berth_status copy_to_buffer(struct berth__pool_device *device, const berth_op *op,
				   berth_op *translated, berth_result *result)
{
	const struct berth__backing *to = carved(device, op->other);

	if (to && conforms(device, op)) {
		translated->other = to->block->id;
		translated->other_offset_bytes += to->block_offset_bytes;
	}
	return berth__pool_device_pass(device, op, translated, result);
}

static berth_status copy_as_it_is(struct berth__pool_device *device, const berth_op *op,
				  berth_op *translated, berth_result *result)
{
	return berth__pool_device_pass(device, op, translated, result);
}

typedef berth_status copy_fn(struct berth__pool_device *device, const berth_op *op,
			     berth_op *translated, berth_result *result);

static copy_fn *const copiers[] = {
	[BERTH_FORM_NONE] = copy_as_it_is,
	[BERTH_FORM_LINEAR] = copy_as_it_is,
	[BERTH_FORM_RECT] = copy_rect,
	[BERTH_FORM_IMAGE] = copy_as_it_is,
	[BERTH_FORM_IMAGE_TO_BUFFER] = copy_to_buffer,
	[BERTH_FORM_BUFFER_TO_IMAGE] = copy_from_buffer,
};

berth_status berth__pool_device_copy(struct berth__pool_device *device, const berth_op *op,
				     berth_op *translated, berth_result *result)
{
	return copiers[op->form](device, op, translated, result);
}
