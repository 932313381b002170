/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on commands on images: objects, host memory, colours, buffers of mixed
 * copies, overlap, and what the queue's device makes of an image ("Reading, Writing
 * and Copying Image Objects", "Filling Image Objects", "Copying Between Image and
 * Buffer Objects"): R111-R115. Their regions: rules_image_region.c; maps: rules_map.c.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "Reading, Writing and Copying Image Objects"
#define FILL "Filling Image Objects"
#define MIXED "Copying Between Image and Buffer Objects"

#define FORMS_WITH_IMAGE (FORM(IMAGE) | FORMS_MIXED)

static bool object_no_image(const struct rule_input *in, struct rule_why *why)
{
	return !in->object && berth__rule_why_object(in, why, in->op->object, "an image");
}

static bool other_no_image(const struct rule_input *in, struct rule_why *why)
{
	return !in->other && berth__rule_why_object(in, why, in->op->other, "an image");
}

static const struct rule_row command_rows[] = {
	{ { "R112.mem_object", SECTION, "the object is an image", KINDS_ONE_SIDED,
	    { CL_INVALID_MEM_OBJECT } }, object_no_image },
};

const struct rule_table berth__rules_image_command =
	RULE_TABLE(command_rows, KINDS_ONE_SIDED, FORM(IMAGE));

static bool formats_differ(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *from, *to;

	if (!in->object || !in->other)
		return false;
	from = &in->object->image;
	to = &in->other->image;
	return (from->order != to->order || from->channel_type != to->channel_type) &&
	       berth__rule_why(why, "copy from image %" PRIu64 " with %s %s to image %" PRIu64
			       " with %s %s", in->object->id,
			       berth_channel_order_string(from->order),
			       berth_channel_type_string(from->channel_type), in->other->id,
			       berth_channel_order_string(to->order),
			       berth_channel_type_string(to->channel_type));
}

static const struct rule_row copy_rows[] = {
	{ { "R113.mem_object", SECTION, "the source is an image", KIND(COPY),
	    { CL_INVALID_MEM_OBJECT } }, object_no_image },
	{ { "R113.other_mem_object", SECTION, "the destination is an image", KIND(COPY),
	    { CL_INVALID_MEM_OBJECT } }, other_no_image },
	{ { "R113.format", SECTION, "both images have the same format", KIND(COPY),
	    { CL_IMAGE_FORMAT_MISMATCH } }, formats_differ },
};

const struct rule_table berth__rules_image_copy = RULE_TABLE(copy_rows, KIND(COPY), FORM(IMAGE));

/* A mixed copy by its sides. */
struct mixed {
	const berth_object *image, *buffer;
	uint64_t image_id, buffer_id;
	uint64_t offset_bytes;
};

static struct mixed mixed_of(const struct rule_input *in)
{
	const berth_op *op = in->op;

	if (op->form == BERTH_FORM_IMAGE_TO_BUFFER)
		return (struct mixed){ in->object, in->other, op->object, op->other,
				       op->other_offset_bytes };
	return (struct mixed){ in->other, in->object, op->other, op->object, op->offset_bytes };
}

static bool mixed_no_image(const struct rule_input *in, struct rule_why *why)
{
	struct mixed mixed = mixed_of(in);

	return !mixed.image && berth__rule_why_object(in, why, mixed.image_id, "an image");
}

static bool mixed_no_buffer(const struct rule_input *in, struct rule_why *why)
{
	struct mixed mixed = mixed_of(in);

	return !mixed.buffer && berth__rule_why_object(in, why, mixed.buffer_id, "a buffer");
}

static bool mixed_same_memory(const struct rule_input *in, struct rule_why *why)
{
	struct mixed mixed = mixed_of(in);

	return mixed.image && mixed.buffer && mixed.image->parent == mixed.buffer &&
	       mixed.image->image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER &&
	       berth__rule_why(why, "image %" PRIu64 " is a 1D buffer image on buffer %" PRIu64
			       " itself", mixed.image_id, mixed.buffer_id);
}

static const struct rule_row mixed_rows[] = {
	{ { "R115.image", MIXED, "the image is an image", KIND(COPY), { CL_INVALID_MEM_OBJECT } },
	  mixed_no_image },
	{ { "R115.buffer", MIXED, "the buffer is a buffer", KIND(COPY), { CL_INVALID_MEM_OBJECT } },
	  mixed_no_buffer },
	{ { "R115.same_memory", MIXED, "the image is no 1D buffer image on the buffer", KIND(COPY),
	    { CL_INVALID_MEM_OBJECT } }, mixed_same_memory },
};

const struct rule_table berth__rules_mixed_copy = RULE_TABLE(mixed_rows, KIND(COPY), FORMS_MIXED);

static bool region_bytes(uint64_t *out, const uint64_t extent[3], uint32_t element_bytes)
{
	return !__builtin_mul_overflow(extent[0], element_bytes, out) &&
	       !__builtin_mul_overflow(*out, extent[1], out) &&
	       !__builtin_mul_overflow(*out, extent[2], out);
}

static bool mixed_range_leaves(const struct rule_input *in, struct rule_why *why)
{
	struct mixed mixed = mixed_of(in);
	const uint64_t *extent = in->op->region.extent;
	uint64_t bytes;

	if (!mixed.image || !mixed.buffer || (in->op->absent & BERTH_ABSENT_EXTENT))
		return false;
	if (region_bytes(&bytes, extent, mixed.image->element_bytes) &&
	    !berth__leaves(mixed.offset_bytes, bytes, mixed.buffer->bytes))
		return false;
	return berth__rule_why(why, "%" PRIu64 " x %" PRIu64 " x %" PRIu64 " pixels of %" PRIu32
			       " bytes at %" PRIu64 ", buffer %" PRIu64 " has %" PRIu64, extent[0],
			       extent[1], extent[2], mixed.image->element_bytes, mixed.offset_bytes,
			       mixed.buffer_id, mixed.buffer->bytes);
}

static const struct rule_row mixed_buffer_rows[] = {
	{ { "R115.buffer_bounds", MIXED, "the region's bytes lie inside the buffer", KIND(COPY),
	    { CL_INVALID_VALUE } }, mixed_range_leaves },
};

const struct rule_table berth__rules_mixed_copy_buffer =
	RULE_TABLE(mixed_buffer_rows, KIND(COPY), FORMS_MIXED);

static const struct berth__image_shape *shape_of(const berth_object *image)
{
	return image ? berth__image_shape_find(image->image.type) : NULL;
}

static bool slice_pitch_of_flat(const struct rule_input *in, struct rule_why *why)
{
	const struct berth__image_shape *shape = shape_of(in->object);

	return shape && !shape->has_slices && in->op->region.other_slice_pitch_bytes != 0 &&
	       berth__rule_why(why, "image %" PRIu64 " is a %s: slice pitch %" PRIu64
			       ", it must be 0", in->object->id, shape->name,
			       in->op->region.other_slice_pitch_bytes);
}

static bool host_row_pitch_wrong(const struct rule_input *in, struct rule_why *why)
{
	const berth_region *region = &in->op->region;
	uint64_t row;

	if (!in->object || region->other_row_pitch_bytes == 0 ||
	    (in->op->absent & BERTH_ABSENT_EXTENT))
		return false;
	if (!__builtin_mul_overflow(region->extent[0], in->object->element_bytes, &row) &&
	    region->other_row_pitch_bytes >= row)
		return false;
	return berth__rule_why(why, "image %" PRIu64 ": host row pitch %" PRIu64 ", a row has %" PRIu64
			       " x %" PRIu32 " bytes", in->object->id,
			       region->other_row_pitch_bytes, region->extent[0],
			       in->object->element_bytes);
}

static bool host_slice_pitch_wrong(const struct rule_input *in, struct rule_why *why)
{
	const struct berth__image_shape *shape = shape_of(in->object);
	const berth_region *region = &in->op->region;
	uint64_t row = region->other_row_pitch_bytes, rows, least;
	bool fits = true;

	if (!shape || !shape->has_slices || region->other_slice_pitch_bytes == 0 ||
	    (in->op->absent & BERTH_ABSENT_EXTENT))
		return false;
	rows = shape->height_axis ? region->extent[1] : 1;
	if (row == 0)
		fits = !__builtin_mul_overflow(region->extent[0], in->object->element_bytes, &row);
	if (fits && !__builtin_mul_overflow(row, rows, &least) &&
	    region->other_slice_pitch_bytes >= least)
		return false;
	return berth__rule_why(why, "image %" PRIu64 ": host slice pitch %" PRIu64 ", a slice has %"
			       PRIu64 " rows of %" PRIu64 " bytes", in->object->id,
			       region->other_slice_pitch_bytes, rows, row);
}

static bool pointer_missing(const struct rule_input *in, struct rule_why *why)
{
	return in->op->host_address == 0 &&
	       berth__rule_why(why, "%s of image %" PRIu64 ": the pointer is NULL",
			       berth_op_kind_string(in->op->kind), in->op->object);
}

static const struct rule_row transfer_rows[] = {
	{ { "R112.flat", SECTION, "the slice pitch of a 1D or 2D image is 0", KINDS_TRANSFER,
	    { CL_INVALID_VALUE } }, slice_pitch_of_flat },
	{ { "R112.row_pitch", SECTION, "a host row pitch is at least region[0] x element size",
	    KINDS_TRANSFER, { CL_INVALID_VALUE } }, host_row_pitch_wrong },
	{ { "R112.slice_pitch", SECTION, "a host slice pitch is at least that of its rows",
	    KINDS_TRANSFER, { CL_INVALID_VALUE } }, host_slice_pitch_wrong },
	{ { "R112.pointer", SECTION, "ptr is not NULL", KINDS_TRANSFER, { CL_INVALID_VALUE } },
	  pointer_missing },
};

const struct rule_table berth__rules_image_transfer =
	RULE_TABLE(transfer_rows, KINDS_TRANSFER, FORM(IMAGE));

static const struct rule_row fill_rows[] = {
	{ { "R114.colour", FILL, "fill_color is not NULL", KIND(FILL), { CL_INVALID_VALUE } },
	  pointer_missing },
};

const struct rule_table berth__rules_image_fill = RULE_TABLE(fill_rows, KIND(FILL), FORM(IMAGE));

static bool image_too_large(const struct rule_input *in, const berth_object *object,
			    struct rule_why *why)
{
	const struct berth__image_shape *shape;
	uint64_t extent[3];

	if (!object || object->kind != BERTH_OBJECT_IMAGE)
		return false;
	shape = berth__image_shape_find(object->image.type);
	berth__image_extent(extent, &object->image);
	for (unsigned axis = 0; shape && axis < shape->axes; axis++) {
		uint64_t limit = berth__image_limit(shape, in->caps, axis);

		if (extent[axis] > limit)
			return berth__rule_why(why, "image %" PRIu64 " has %" PRIu64
					       " along axis %u, the limit for a %s is %" PRIu64,
					       object->id, extent[axis], axis, shape->name, limit);
	}
	return false;
}

static bool an_image_too_large(const struct rule_input *in, struct rule_why *why)
{
	return image_too_large(in, in->object, why) || image_too_large(in, in->other, why);
}

static bool format_missing(const struct rule_input *in, const berth_object *object,
			   struct rule_why *why)
{
	const berth_image *image;

	if (!object || object->kind != BERTH_OBJECT_IMAGE)
		return false;
	image = &object->image;
	return !berth_caps_has_format(in->caps, image->type, image->order, image->channel_type,
				      object->flags) &&
	       berth__rule_why(why, "image %" PRIu64 ": %s %s with flags 0x%" PRIX64
			       " is none of the device's %" PRIu32 " formats", object->id,
			       berth_channel_order_string(image->order),
			       berth_channel_type_string(image->channel_type), object->flags,
			       in->caps->format_count);
}

static bool a_format_missing(const struct rule_input *in, struct rule_why *why)
{
	return format_missing(in, in->object, why) || format_missing(in, in->other, why);
}

static bool no_images(const struct rule_input *in, struct rule_why *why)
{
	return !in->caps->images &&
	       berth__rule_why(why, "%s of object %" PRIu64 ": the device has no images",
			       berth_op_kind_string(in->op->kind), in->op->object);
}

static const struct rule_row device_rows[] = {
	{ { "R111.size", SECTION, "the device takes images of that size", KINDS_ONE_SIDED | KIND(COPY),
	    { CL_INVALID_IMAGE_SIZE } }, an_image_too_large },
	{ { "R111.format", SECTION, "the device has the format of the image",
	    KINDS_ONE_SIDED | KIND(COPY), { CL_IMAGE_FORMAT_NOT_SUPPORTED } }, a_format_missing },
	{ { "R111.images", SECTION, "the device has images", KINDS_ONE_SIDED | KIND(COPY),
	    { CL_INVALID_OPERATION } }, no_images },
};

const struct rule_table berth__rules_image_device =
	RULE_TABLE(device_rows, KINDS_ONE_SIDED | KIND(COPY), FORMS_WITH_IMAGE);

static bool regions_overlap(const struct rule_input *in, struct rule_why *why)
{
	const berth_region *region = &in->op->region;

	if (!in->object || in->object != in->other || in->op->absent)
		return false;
	for (int axis = 0; axis < 3; axis++) {
		uint64_t from = region->origin[axis], to = region->other_origin[axis];
		uint64_t distance = from < to ? to - from : from - to;

		if (distance >= region->extent[axis])
			return false;
	}
	return berth__rule_why(why, "copy inside image %" PRIu64 " from %" PRIu64 ",%" PRIu64 ",%" PRIu64
			       " to %" PRIu64 ",%" PRIu64 ",%" PRIu64 ": regions of %" PRIu64 " x %"
			       PRIu64 " x %" PRIu64 " overlap", in->object->id, region->origin[0],
			       region->origin[1], region->origin[2], region->other_origin[0],
			       region->other_origin[1], region->other_origin[2], region->extent[0],
			       region->extent[1], region->extent[2]);
}

static const struct rule_row overlap_rows[] = {
	{ { "R113.overlap", SECTION, "the regions of one image do not overlap", KIND(COPY),
	    { CL_MEM_COPY_OVERLAP } }, regions_overlap },
};

const struct rule_table berth__rules_image_overlap =
	RULE_TABLE(overlap_rows, KIND(COPY), FORM(IMAGE));
