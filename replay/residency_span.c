/* SPDX-License-Identifier: Apache-2.0 */
#include "residency_span.h"

#include <string.h>

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) || sum > INT64_MAX ? INT64_MAX : sum;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) || product > INT64_MAX ? INT64_MAX : product;
}

uint64_t berth__residency_image_bytes(const uint64_t sizes[4], uint64_t element_bytes)
{
	uint64_t bytes = element_bytes;

	for (int i = 0; i < 4; i++)
		bytes = multiply(bytes, sizes[i] > 0 ? sizes[i] : 1);
	return bytes;
}

void berth__residency_span_linear(struct berth__residency_span *out,
				  const struct berth__residency_view *view, uint64_t offset,
				  uint64_t bytes)
{
	uint64_t lo = add(view->base_bytes, offset);

	*out = (struct berth__residency_span){
		.root = view->root,
		.lo = lo,
		.hi = add(lo, bytes),
		.solid = true,
	};
}

void berth__residency_span_whole(struct berth__residency_span *out,
				 const struct berth__residency_view *view)
{
	berth__residency_span_linear(out, view, 0, view->bytes);
}

/* A box in memory of these pitches; element_bytes is the size of one step of x. */
static void span_box(struct berth__residency_span *out, const struct berth__residency_view *view,
		     const berth_region *region, uint64_t element_bytes, uint64_t row_pitch,
		     uint64_t slice_pitch)
{
	const uint64_t *origin = region->origin, *extent = region->extent;
	uint64_t row_bytes = multiply(extent[0], element_bytes);
	uint64_t first = add(add(multiply(origin[2], slice_pitch), multiply(origin[1], row_pitch)),
			     multiply(origin[0], element_bytes));
	bool rows_touch = extent[1] == 1 || row_bytes == row_pitch;
	bool slices_touch = extent[2] == 1 || multiply(extent[1], row_bytes) == slice_pitch;

	if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) {
		berth__residency_span_linear(out, view, 0, 0);
		return;
	}
	berth__residency_span_linear(
		out, view, first,
		add(add(multiply(extent[2] - 1, slice_pitch), multiply(extent[1] - 1, row_pitch)),
		    row_bytes));
	out->solid = rows_touch && slices_touch;
	if (out->solid)
		return;
	memcpy(out->box, extent, sizeof(region->extent));
	out->box[3] = row_pitch;
	out->box[4] = slice_pitch;
	out->box[5] = element_bytes;
}

static void span_rect(struct berth__residency_span *out, const struct berth__residency_view *view,
		      const berth_region *region)
{
	uint64_t row = region->row_pitch_bytes, slice = region->slice_pitch_bytes;

	if (row == 0)
		row = region->extent[0];
	if (slice == 0)
		slice = multiply(row, region->extent[1]);
	span_box(out, view, region, 1, row, slice);
}

static void span_image(struct berth__residency_span *out, const struct berth__residency_view *view,
		       const berth_region *region)
{
	uint64_t row = multiply(view->width, view->element_bytes);

	if (view->owns_image) {
		/* The rows of a one-dimensional array are its layers: it has no height. */
		span_box(out, view, region, view->element_bytes, row,
			 multiply(row, view->height > 0 ? view->height : 1));
		return;
	}
	/* On another object, at that one's pitch: all of it, and only the same box is the same. */
	berth__residency_span_whole(out, view);
	out->solid = false;
	memcpy(out->box, region->extent, sizeof(region->extent));
	memcpy(out->box + 3, region->origin, sizeof(region->origin));
	out->box[6] = view->object;
}

void berth__residency_span_transfer(struct berth__residency_span *out,
				    const struct berth__residency_view *view, const berth_op *op)
{
	if (op->form == BERTH_FORM_LINEAR)
		berth__residency_span_linear(out, view, op->offset_bytes, op->bytes);
	else if (op->form == BERTH_FORM_RECT)
		span_rect(out, view, &op->region);
	else
		span_image(out, view, &op->region);
}
