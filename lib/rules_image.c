/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on clCreateImage ("Creating Image Objects", "Image Format Descriptor",
 * "Image Descriptor"): R41-R62 but for what concerns the memory object that an
 * image may lie on (rules_image_memory.c).
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#include "object.h"

#define SECTION "Creating Image Objects"
#define DESCRIPTOR "Image Descriptor"

static bool is_2d(const struct rule_input *in)
{
	return in->shape && in->shape->type == CL_MEM_OBJECT_IMAGE2D;
}

static bool no_images(const struct rule_input *in, struct rule_why *why)
{
	return !in->caps->images &&
	       berth__rule_why(why, "image %" PRIu64 ": the device has no images", in->op->object);
}

static bool no_images_on_memory(const struct rule_input *in, struct rule_why *why)
{
	/* Before 3.0 such a parent is one that the descriptor must not have (R76). */
	return in->caps->cl_version >= 300 && is_2d(in) && in->op->other != BERTH_ID_NONE &&
	       !in->caps->image2d_from_buffer &&
	       berth__rule_why(why, "image %" PRIu64 " on object %" PRIu64
			       ": the device makes no 2D images on memory objects",
			       in->op->object, in->op->other);
}

static bool no_3d_images(const struct rule_input *in, struct rule_why *why)
{
	const berth_caps *caps = in->caps;

	return in->shape && in->shape->type == CL_MEM_OBJECT_IMAGE3D &&
	       caps->image3d_max_width == 0 && caps->image3d_max_height == 0 &&
	       caps->image3d_max_depth == 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": the device has no 3D images, their limits are 0",
			       in->op->object);
}

static const struct rule_row support_rows[] = {
	{ { "R41", SECTION, "the device has images", KIND(IMAGE_CREATE), { CL_INVALID_OPERATION } },
	  no_images },
	{ { "R42", SECTION, "the device makes 2D images on memory objects (3.0)",
	    KIND(IMAGE_CREATE), { CL_INVALID_OPERATION } }, no_images_on_memory },
	{ { "R43", SECTION, "the device has 3D images", KIND(IMAGE_CREATE),
	    { CL_INVALID_OPERATION } }, no_3d_images },
};

const struct rule_table berth__rules_image_support =
	RULE_TABLE(support_rows, KIND(IMAGE_CREATE), FORMS_NONE);

static bool format_missing(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->absent & BERTH_ABSENT_FORMAT) &&
	       berth__rule_why(why, "image %" PRIu64 ": image_format is NULL", in->op->object);
}

static bool format_undefined(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image;

	return !(in->op->absent & BERTH_ABSENT_FORMAT) && in->element_bytes == 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": %s (0x%" PRIX32 ") does not go with %s (0x%"
			       PRIX32 ")", in->op->object, berth_channel_order_string(image->order),
			       image->order, berth_channel_type_string(image->channel_type),
			       image->channel_type);
}

static const struct rule_row format_rows[] = {
	{ { "R46.format", SECTION, "image_format is not NULL", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_FORMAT_DESCRIPTOR } }, format_missing },
	{ { "R46.pair", "Image Format Descriptor", "the channel order goes with the channel type",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_FORMAT_DESCRIPTOR } }, format_undefined },
};

const struct rule_table berth__rules_image_format =
	RULE_TABLE(format_rows, KIND(IMAGE_CREATE), FORMS_NONE);

static bool descriptor_missing(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->absent & BERTH_ABSENT_DESC) &&
	       berth__rule_why(why, "image %" PRIu64 ": image_desc is NULL", in->op->object);
}

static bool type_not_known(const struct rule_input *in, struct rule_why *why)
{
	return !in->shape && !(in->op->absent & BERTH_ABSENT_DESC) &&
	       berth__rule_why(why, "image %" PRIu64 ": 0x%" PRIX32 " is not an image type",
			       in->op->object, in->op->image.type);
}

static bool has_levels(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->op->image.mip_levels != 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": %" PRIu32 " mip levels, it must be 0",
			       in->op->object, in->op->image.mip_levels);
}

static bool has_samples(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->op->image.samples != 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": %" PRIu32 " samples, it must be 0",
			       in->op->object, in->op->image.samples);
}

/* clCreateImage2D and clCreateImage3D say all about pitches with one code (R49.pitch). */
static bool is_deprecated(const struct rule_input *in)
{
	return in->op->bits & BERTH_OP_DEPRECATED;
}

static bool pitch_without_pointer(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && !is_deprecated(in) && in->op->other == BERTH_ID_NONE && in->op->host_address == 0 &&
	       in->op->image.row_pitch_bytes != 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": row pitch %" PRIu64
			       " without a host pointer, it must be 0", in->op->object,
			       in->op->image.row_pitch_bytes);
}

/* Whether a row pitch is given that counts: a 1D buffer image is one line (R70). */
static bool has_row_pitch(const struct rule_input *in)
{
	return in->shape && !is_deprecated(in) && in->shape->type != CL_MEM_OBJECT_IMAGE1D_BUFFER &&
	       in->element_bytes > 0 && in->op->image.row_pitch_bytes != 0;
}

static bool pitch_below_row(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image;
	uint64_t row;

	if (!has_row_pitch(in))
		return false;
	if (!__builtin_mul_overflow(image->width, in->element_bytes, &row) &&
	    image->row_pitch_bytes >= row)
		return false;
	return berth__rule_why(why, "image %" PRIu64 ": row pitch %" PRIu64 ", a row has %" PRIu64
			       " x %" PRIu32 " bytes", in->op->object, image->row_pitch_bytes,
			       image->width, in->element_bytes);
}

static bool pitch_splits_element(const struct rule_input *in, struct rule_why *why)
{
	return has_row_pitch(in) && in->op->image.row_pitch_bytes % in->element_bytes != 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": row pitch %" PRIu64
			       " is not a multiple of the element's %" PRIu32 " bytes",
			       in->op->object, in->op->image.row_pitch_bytes, in->element_bytes);
}

static bool slice_without_pointer(const struct rule_input *in, struct rule_why *why)
{
	/* Pitches of a 1D buffer image are not used; those on an image are its parent's (R75). */
	bool counts = in->shape && !is_deprecated(in) && in->shape->type != CL_MEM_OBJECT_IMAGE1D_BUFFER &&
		      !(in->other && in->other->kind == BERTH_OBJECT_IMAGE);

	return counts && in->op->host_address == 0 && in->op->image.slice_pitch_bytes != 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": slice pitch %" PRIu64
			       " without a host pointer, it must be 0", in->op->object,
			       in->op->image.slice_pitch_bytes);
}

/* The given slice pitch and the row pitch that holds; false when either does not count. */
static bool slice_and_row(const struct rule_input *in, uint64_t *slice, uint64_t *row)
{
	if (!in->shape || is_deprecated(in) || !in->shape->has_slices || in->element_bytes == 0 ||
	    in->op->image.slice_pitch_bytes == 0)
		return false;
	return berth__image_pitches(row, slice, &in->op->image, in->element_bytes);
}

static bool slice_below_rows(const struct rule_input *in, struct rule_why *why)
{
	uint64_t rows, slice, row, least;

	if (!slice_and_row(in, &slice, &row))
		return false;
	rows = in->shape->height_axis ? in->op->image.height : 1;
	if (!__builtin_mul_overflow(row, rows, &least) && slice >= least)
		return false;
	return berth__rule_why(why, "image %" PRIu64 ": slice pitch %" PRIu64 ", a slice has %" PRIu64
			       " rows of %" PRIu64 " bytes", in->op->object, slice, rows, row);
}

static bool slice_splits_row(const struct rule_input *in, struct rule_why *why)
{
	uint64_t slice, row;

	return slice_and_row(in, &slice, &row) && row > 0 && slice % row != 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": slice pitch %" PRIu64
			       " is not a multiple of the row pitch %" PRIu64, in->op->object, slice,
			       row);
}

static bool is_empty(const struct rule_input *in, struct rule_why *why)
{
	uint64_t extent[3];

	if (!in->shape)
		return false;
	berth__image_extent(extent, &in->op->image);
	return (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) &&
	       berth__rule_why(why, "image %" PRIu64 ", a %s of %" PRIu64 " x %" PRIu64 " x %" PRIu64
			       ": each must be at least 1", in->op->object, in->shape->name,
			       extent[0], extent[1], extent[2]);
}

static bool over_limit(const struct rule_input *in, struct rule_why *why, unsigned axis,
		       const char *name)
{
	uint64_t extent[3], limit;

	berth__image_extent(extent, &in->op->image);
	limit = berth__image_limit(in->shape, in->caps, axis);
	return extent[axis] > limit &&
	       berth__rule_why(why, "image %" PRIu64 ": %s %" PRIu64 ", the limit for a %s is %" PRIu64,
			       in->op->object, name, extent[axis], in->shape->name, limit);
}

/* The pitches of clCreateImage2D and clCreateImage3D, with R55 to R62 in one. */
static bool deprecated_pitch_wrong(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image;
	uint64_t row, rows, slice = image->slice_pitch_bytes, pitch = image->row_pitch_bytes;

	if (!is_deprecated(in) || !in->shape || in->element_bytes == 0 ||
	    __builtin_mul_overflow(image->width, in->element_bytes, &row))
		return false;
	if (!in->shape->has_slices)
		slice = 0;
	if (pitch == 0 && slice == 0)
		return false;
	if (in->op->host_address && (pitch == 0 || (pitch >= row && pitch % in->element_bytes == 0))) {
		row = pitch ? pitch : row;
		if (slice == 0 || (!__builtin_mul_overflow(row, image->height, &rows) &&
				   slice >= rows && row > 0 && slice % row == 0))
			return false;
	}
	return berth__rule_why(why, "image %" PRIu64 ": row pitch %" PRIu64 " and slice pitch %" PRIu64
			       " for rows of %" PRIu64 " x %" PRIu32 " bytes%s", in->op->object,
			       pitch, image->slice_pitch_bytes, image->width, in->element_bytes,
			       in->op->host_address ? "" : " without a host pointer");
}

static bool deprecated_flat(const struct rule_input *in, struct rule_why *why)
{
	return is_deprecated(in) && in->shape && in->shape->type == CL_MEM_OBJECT_IMAGE3D &&
	       in->op->image.depth == 1 &&
	       berth__rule_why(why, "image %" PRIu64 ": clCreateImage3D with a depth of 1",
			       in->op->object);
}

static bool too_wide(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && over_limit(in, why, 0, "width");
}

static bool too_high(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->shape->height_axis &&
	       over_limit(in, why, in->shape->height_axis, "height");
}

static bool too_deep(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->shape->depth_axis &&
	       over_limit(in, why, in->shape->depth_axis, "depth");
}

static bool too_many(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->shape->array_axis &&
	       over_limit(in, why, in->shape->array_axis, "array size");
}

static bool format_not_supported(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image;
	uint64_t flags = berth__flags_effective(in->op->flags, in->other);

	return in->shape && in->element_bytes > 0 &&
	       !berth_caps_has_format(in->caps, image->type, image->order, image->channel_type,
				      flags) &&
	       berth__rule_why(why, "image %" PRIu64 ": %s %s with flags 0x%" PRIX64
			       " is none of the device's %" PRIu32 " formats", in->op->object,
			       berth_channel_order_string(image->order),
			       berth_channel_type_string(image->channel_type), flags,
			       in->caps->format_count);
}

/* A zero is named under the size only since 2025-03: before it is a wrong value as any. */
static const struct rule_row descriptor_rows[] = {
	{ { "R48.desc", SECTION, "image_desc is not NULL", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_DESCRIPTOR } }, descriptor_missing },
	{ { "R48.type", DESCRIPTOR, "image_type is one of the image types", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_DESCRIPTOR } }, type_not_known },
	{ { "R48.levels", DESCRIPTOR, "num_mip_levels is 0", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_DESCRIPTOR } }, has_levels },
	{ { "R48.samples", DESCRIPTOR, "num_samples is 0", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_DESCRIPTOR } }, has_samples },
	{ { "R55", DESCRIPTOR, "without host_ptr and memory object the row pitch is 0",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, pitch_without_pointer },
	{ { "R57.least", DESCRIPTOR, "a row pitch is at least width x element size",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, pitch_below_row },
	{ { "R57.multiple", DESCRIPTOR, "a row pitch is a multiple of the element size",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, pitch_splits_element },
	{ { "R60", DESCRIPTOR, "without host_ptr the slice pitch is 0", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_DESCRIPTOR } }, slice_without_pointer },
	{ { "R62.least", DESCRIPTOR, "a slice pitch is at least that of its rows",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, slice_below_rows },
	{ { "R62.multiple", DESCRIPTOR, "a slice pitch is a multiple of the row pitch",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, slice_splits_row },
	{ { "R49.zero", SECTION, "no dimension that the type has is 0", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_SIZE, CL_INVALID_IMAGE_DESCRIPTOR } }, is_empty },
	{ { "R49.width", SECTION, "the width is within the limit of the type", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_SIZE } }, too_wide },
	{ { "R49.height", SECTION, "the height is within the limit of the type", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_SIZE } }, too_high },
	{ { "R49.depth", SECTION, "the depth is at most CL_DEVICE_IMAGE3D_MAX_DEPTH",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_SIZE } }, too_deep },
	{ { "R49.array", SECTION, "the array size is at most CL_DEVICE_IMAGE_MAX_ARRAY_SIZE",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_SIZE } }, too_many },
	{ { "R49.pitch", "clCreateImage2D, clCreateImage3D",
	    "pitches are 0, or with host_ptr at least and multiples of what they span",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_SIZE } }, deprecated_pitch_wrong },
	{ { "R49.flat", "clCreateImage3D", "the depth is more than 1", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_SIZE } }, deprecated_flat },
	{ { "R51.missing", SECTION, "with USE_HOST_PTR or COPY_HOST_PTR, host_ptr is not NULL",
	    KIND(IMAGE_CREATE), { CL_INVALID_HOST_PTR } }, berth__pointer_missing },
	{ { "R51.unwanted", SECTION, "without USE_HOST_PTR and COPY_HOST_PTR, host_ptr is NULL",
	    KIND(IMAGE_CREATE), { CL_INVALID_HOST_PTR } }, berth__pointer_unwanted },
	{ { "R52", SECTION, "the device has the format for images of the type with this access",
	    KIND(IMAGE_CREATE), { CL_IMAGE_FORMAT_NOT_SUPPORTED } }, format_not_supported },
};

const struct rule_table berth__rules_image_descriptor =
	RULE_TABLE(descriptor_rows, KIND(IMAGE_CREATE), FORMS_NONE);
