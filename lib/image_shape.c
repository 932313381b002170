/* SPDX-License-Identifier: Apache-2.0 */
/* The image types as a table, and the arithmetic on pitches that follows from it. */
#include "image_shape.h"

#include <CL/cl.h>

#define LIMIT(field) offsetof(berth_caps, field)

/* clang-format off */
static const struct berth__image_shape shapes[] = {
	{ .type = CL_MEM_OBJECT_IMAGE1D, .name = "1D image", .axes = 1,
	  .max_width_offset = LIMIT(image2d_max_width) },
	{ .type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .name = "1D buffer image", .axes = 1,
	  .max_width_offset = LIMIT(image_max_buffer_px) },
	{ .type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .name = "1D image array", .axes = 2,
	  .array_axis = 1, .has_slices = true, .max_width_offset = LIMIT(image2d_max_width) },
	{ .type = CL_MEM_OBJECT_IMAGE2D, .name = "2D image", .axes = 2, .height_axis = 1,
	  .max_width_offset = LIMIT(image2d_max_width),
	  .max_height_offset = LIMIT(image2d_max_height) },
	{ .type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .name = "2D image array", .axes = 3,
	  .height_axis = 1, .array_axis = 2, .has_slices = true,
	  .max_width_offset = LIMIT(image2d_max_width),
	  .max_height_offset = LIMIT(image2d_max_height) },
	{ .type = CL_MEM_OBJECT_IMAGE3D, .name = "3D image", .axes = 3, .height_axis = 1,
	  .depth_axis = 2, .has_slices = true, .max_width_offset = LIMIT(image3d_max_width),
	  .max_height_offset = LIMIT(image3d_max_height) },
};
/* clang-format on */

const struct berth__image_shape *berth__image_shape_find(uint32_t type)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (shapes[i].type == type)
			return &shapes[i];
	return NULL;
}

uint64_t berth__image_limit(const struct berth__image_shape *shape, const berth_caps *caps,
			    unsigned axis)
{
	size_t offset = LIMIT(image_max_array);

	if (axis == 0)
		offset = shape->max_width_offset;
	else if (axis == shape->height_axis)
		offset = shape->max_height_offset;
	else if (axis == shape->depth_axis)
		offset = LIMIT(image3d_max_depth);
	return *(const uint64_t *)((const char *)caps + offset);
}

void berth__image_extent(uint64_t out[3], const berth_image *image)
{
	const struct berth__image_shape *shape = berth__image_shape_find(image->type);

	out[0] = image->width;
	out[1] = out[2] = 1;
	if (!shape)
		return;
	if (shape->height_axis)
		out[shape->height_axis] = image->height;
	if (shape->depth_axis)
		out[shape->depth_axis] = image->depth;
	if (shape->array_axis)
		out[shape->array_axis] = image->array_size;
}

bool berth__image_pitches(uint64_t *row_pitch, uint64_t *slice_pitch, const berth_image *image,
			  uint32_t element_bytes)
{
	const struct berth__image_shape *shape = berth__image_shape_find(image->type);
	/* A 1D buffer image is one line: its pitches are not used (R70). */
	bool asked = image->row_pitch_bytes != 0 && image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
	uint64_t row = image->row_pitch_bytes, slice = 0;

	if (!asked && __builtin_mul_overflow(image->width, element_bytes, &row))
		return false;
	if (shape && shape->has_slices) {
		uint64_t rows = shape->height_axis ? image->height : 1;

		slice = image->slice_pitch_bytes;
		if (slice == 0 && __builtin_mul_overflow(row, rows, &slice))
			return false;
	}
	*row_pitch = row;
	*slice_pitch = slice;
	return true;
}

bool berth__image_bytes(uint64_t *out, const berth_image *image, uint64_t row_pitch,
			uint64_t slice_pitch)
{
	const struct berth__image_shape *shape = berth__image_shape_find(image->type);
	uint64_t extent[3];

	berth__image_extent(extent, image);
	if (shape && shape->has_slices)
		return !__builtin_mul_overflow(slice_pitch, extent[shape->axes - 1], out);
	return !__builtin_mul_overflow(row_pitch, extent[1], out);
}
