/* SPDX-License-Identifier: Apache-2.0 */
#include "check_content.h"

#include <string.h>

#include <CL/cl.h>

struct berth__check_box berth__check_box_of(const berth_op *op, const berth_object *object)
{
	const uint64_t *extent = op->region.extent;
	uint64_t element_bytes = op->form == BERTH_FORM_IMAGE ? object->element_bytes : 1;

	if (berth_op_form_is_linear(op->form))
		return (struct berth__check_box){ op->bytes, 1, 1 };
	return (struct berth__check_box){ extent[0] * element_bytes, extent[1], extent[2] };
}

bool berth__check_place_in_host(struct berth__check_place *out, const struct berth__check_box *box,
				const berth_op *op, const berth_object *object, void *host)
{
	const berth_region *region = &op->region;
	uint64_t row = region->other_row_pitch_bytes, slice = region->other_slice_pitch_bytes;
	uint64_t start = 0;

	if (object->image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY && slice != 0)
		return false;
	if (berth_op_form_is_linear(op->form)) {
		*out = (struct berth__check_place){ host, 0, 0 };
		return true;
	}
	if (row == 0)
		row = box->row_bytes;
	if (slice == 0)
		slice = row * box->rows;
	if (op->form == BERTH_FORM_RECT)
		start = region->other_origin[2] * slice + region->other_origin[1] * row +
			region->other_origin[0];
	*out = (struct berth__check_place){ (unsigned char *)host + start, row, slice };
	return true;
}

struct berth__check_place berth__check_place_in_mapping(const struct berth__check_box *box,
							const berth_op *op,
							const berth_object *object,
							const berth_result *result)
{
	uint64_t row = result->row_pitch_bytes, slice = result->slice_pitch_bytes;

	if (berth_op_form_is_linear(op->form))
		return (struct berth__check_place){ result->mapped, 0, 0 };
	/* The rows of a box of a 1D array are its layers. */
	if (object->image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY && slice != 0)
		row = slice;
	/* 0 for 1D and 2D images (R116), which have one slice. */
	if (slice == 0)
		slice = row * box->rows;
	return (struct berth__check_place){ result->mapped, row, slice };
}

static unsigned char *row_at(const struct berth__check_place *place, uint64_t row, uint64_t slice)
{
	return place->start + slice * place->slice_pitch_bytes + row * place->row_pitch_bytes;
}

static void find_byte(const unsigned char *left, const unsigned char *right, uint64_t row,
		      uint64_t slice, struct berth__check_byte *where)
{
	uint64_t x = 0;

	while (left[x] == right[x])
		x++;
	*where = (struct berth__check_byte){ x, row, slice, left[x], right[x] };
}

bool berth__check_box_differs(const struct berth__check_box *box,
			      const struct berth__check_place *left,
			      const struct berth__check_place *right,
			      struct berth__check_byte *where)
{
	for (uint64_t slice = 0; slice < box->slices; slice++)
		for (uint64_t row = 0; row < box->rows; row++) {
			const unsigned char *a = row_at(left, row, slice);
			const unsigned char *b = row_at(right, row, slice);

			if (memcmp(a, b, box->row_bytes) != 0) {
				find_byte(a, b, row, slice, where);
				return true;
			}
		}
	return false;
}

void berth__check_box_copy(const struct berth__check_box *box, const struct berth__check_place *to,
			   const struct berth__check_place *from)
{
	for (uint64_t slice = 0; slice < box->slices; slice++)
		for (uint64_t row = 0; row < box->rows; row++)
			memcpy(row_at(to, row, slice), row_at(from, row, slice), box->row_bytes);
}
