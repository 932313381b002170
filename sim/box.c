/* SPDX-License-Identifier: Apache-2.0 */
/* From the geometry of ops to boxes of bytes. */
#include "box.h"

#include "image_shape.h"

#include <CL/cl.h>

static void set_linear(struct berth__box *box, uint64_t start, uint64_t bytes)
{
	*box = (struct berth__box){ start, bytes, 1, 1, bytes, bytes };
}

/* Of buffers: x of the origin in bytes, pitches with their defaults (R101). */
static void set_rect(struct berth__box *box, uint64_t base, const uint64_t origin[3],
		     const uint64_t extent[3], uint64_t row_pitch, uint64_t slice_pitch)
{
	if (row_pitch == 0)
		row_pitch = extent[0];
	if (slice_pitch == 0)
		slice_pitch = row_pitch * extent[1];
	box->start_bytes = base + origin[2] * slice_pitch + origin[1] * row_pitch + origin[0];
	box->row_bytes = extent[0];
	box->rows = extent[1];
	box->slices = extent[2];
	box->row_step_bytes = row_pitch;
	box->slice_step_bytes = slice_pitch;
}

/* In a 1D array the second coordinate is the image, so a "row" is a slice pitch away. */
static uint64_t image_row_step(const berth_object *image)
{
	return image->image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY && image->slice_pitch_bytes
		       ? image->slice_pitch_bytes
		       : image->row_pitch_bytes;
}

static void set_image(struct berth__box *box, const berth_object *image, const uint64_t origin[3],
		      const uint64_t extent[3])
{
	uint64_t row_step = image_row_step(image), slice_step = image->slice_pitch_bytes;

	box->start_bytes = image->offset_bytes + origin[2] * slice_step + origin[1] * row_step +
			   origin[0] * image->element_bytes;
	box->row_bytes = extent[0] * image->element_bytes;
	box->rows = extent[1];
	box->slices = extent[2];
	box->row_step_bytes = row_step;
	box->slice_step_bytes = slice_step;
}

/* Pixels in a buffer, one behind the other (R115). */
static void set_packed(struct berth__box *box, uint64_t start, const uint64_t extent[3],
		       uint32_t element_bytes)
{
	uint64_t row_bytes = extent[0] * element_bytes;

	*box = (struct berth__box){ start,     row_bytes, extent[1],
				    extent[2], row_bytes, row_bytes * extent[1] };
}

void berth__box_of_object(struct berth__box *box, const berth_op *op, const berth_object *object,
			  const berth_object *other)
{
	const berth_region *region = &op->region;
	uint64_t start = object->offset_bytes + op->offset_bytes;

	if (berth_op_form_is_linear(op->form))
		set_linear(box, start, op->bytes);
	else if (op->form == BERTH_FORM_BUFFER_TO_IMAGE)
		set_packed(box, start, region->extent, other->element_bytes);
	else if (op->form == BERTH_FORM_RECT)
		set_rect(box, object->offset_bytes, region->origin, region->extent,
			 region->row_pitch_bytes, region->slice_pitch_bytes);
	else
		set_image(box, object, region->origin, region->extent);
}

void berth__box_of_other(struct berth__box *box, const berth_op *op, const berth_object *object,
			 const berth_object *other)
{
	const berth_region *region = &op->region;
	uint64_t start = other->offset_bytes + op->other_offset_bytes;

	if (berth_op_form_is_linear(op->form))
		set_linear(box, start, op->bytes);
	else if (op->form == BERTH_FORM_RECT)
		set_rect(box, other->offset_bytes, region->other_origin, region->extent,
			 region->other_row_pitch_bytes, region->other_slice_pitch_bytes);
	else if (op->form == BERTH_FORM_IMAGE_TO_BUFFER)
		set_packed(box, start, region->extent, object->element_bytes);
	else
		set_image(box, other, region->other_origin, region->extent);
}

void berth__box_of_host(struct berth__box *box, const berth_op *op, const berth_object *object)
{
	const berth_region *region = &op->region;

	if (berth_op_form_is_linear(op->form)) {
		set_linear(box, 0, op->bytes);
	} else if (op->form == BERTH_FORM_RECT) {
		set_rect(box, 0, region->other_origin, region->extent,
			 region->other_row_pitch_bytes, region->other_slice_pitch_bytes);
	} else {
		set_packed(box, 0, region->extent, object->element_bytes);
		if (region->other_row_pitch_bytes)
			box->row_step_bytes = region->other_row_pitch_bytes;
		box->slice_step_bytes = region->other_slice_pitch_bytes
						? region->other_slice_pitch_bytes
						: box->row_step_bytes * box->rows;
		if (object->image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY &&
		    region->other_slice_pitch_bytes)
			box->row_step_bytes = region->other_slice_pitch_bytes;
	}
}

void berth__box_of_all(struct berth__box *box, const berth_object *object)
{
	static const uint64_t origin[3];
	uint64_t extent[3];

	if (object->kind != BERTH_OBJECT_IMAGE) {
		set_linear(box, object->offset_bytes, object->bytes);
		return;
	}
	berth__image_extent(extent, &object->image);
	set_image(box, object, origin, extent);
}

void berth__box_of_mapping(struct berth__box *box, const berth_mapping *mapping,
			   const berth_object *object)
{
	if (mapping->linear)
		set_linear(box, object->offset_bytes + mapping->offset_bytes, mapping->bytes);
	else
		set_image(box, object, mapping->origin, mapping->extent);
}

uint64_t berth__box_end_bytes(const struct berth__box *box)
{
	if (berth__box_is_empty(box))
		return box->start_bytes;
	return berth__box_row_bytes_at(box, box->slices - 1, box->rows - 1) + box->row_bytes;
}

static bool rows_touch(const struct berth__box *box)
{
	return box->rows == 1 || box->row_step_bytes == box->row_bytes;
}

static bool slices_touch(const struct berth__box *box)
{
	return box->slices == 1 || box->slice_step_bytes == box->row_bytes;
}

static void join_rows(struct berth__box *box)
{
	box->row_bytes *= box->rows;
	box->row_step_bytes = box->row_bytes;
	box->rows = 1;
}

static void join_slices(struct berth__box *box)
{
	box->row_bytes *= box->slices;
	box->row_step_bytes = box->row_bytes;
	box->slice_step_bytes = box->row_bytes;
	box->slices = 1;
}

void berth__box_join(struct berth__box *box, struct berth__box *other)
{
	if (!rows_touch(box) || !rows_touch(other))
		return;
	join_rows(box);
	if (other != box)
		join_rows(other);
	if (!slices_touch(box) || !slices_touch(other))
		return;
	join_slices(box);
	if (other != box)
		join_slices(other);
}

bool berth__box_ranges(struct berth__ranges *out, const struct berth__box *box)
{
	struct berth__box joined = *box;

	if (berth__box_is_empty(box))
		return true;
	berth__box_join(&joined, &joined);
	for (uint64_t slice = 0; slice < joined.slices; slice++) {
		for (uint64_t row = 0; row < joined.rows; row++) {
			uint64_t start = berth__box_row_bytes_at(&joined, slice, row);

			if (!berth__ranges_append(out, start, start + joined.row_bytes))
				return false;
		}
	}
	return true;
}
