/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on images that lie on a memory object ("Image Descriptor", "Creating
 * Image Objects", cl_khr_image2d_from_buffer): R54, R58, R59, R70-R76.
 *
 * The text doubts its own code for a bad pitch or base address: the format
 * descriptor is named, though the values stand in the image descriptor. Either
 * conforms.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define DESCRIPTOR "Image Descriptor"

static bool is_type(const struct rule_input *in, uint32_t type)
{
	return in->shape && in->shape->type == type;
}

static bool on_buffer(const struct rule_input *in, uint32_t type)
{
	return is_type(in, type) && in->other && berth__is_buffer(in->other);
}

static bool parent_not_known(const struct rule_input *in, struct rule_why *why)
{
	return in->op->other != BERTH_ID_NONE && !in->other &&
	       berth__rule_why_object(in, why, in->op->other, "a buffer or image");
}

static bool buffer_missing(const struct rule_input *in, struct rule_why *why)
{
	return is_type(in, CL_MEM_OBJECT_IMAGE1D_BUFFER) && in->op->other == BERTH_ID_NONE &&
	       berth__rule_why_object(in, why, in->op->other, "a buffer");
}

/* What an image of the type may lie on (R54, and R42 from 3.0 on). */
static bool may_lie_on(const struct rule_input *in, const berth_object *parent)
{
	if (is_type(in, CL_MEM_OBJECT_IMAGE1D_BUFFER))
		return berth__is_buffer(parent);
	if (!is_type(in, CL_MEM_OBJECT_IMAGE2D))
		return false;
	if (!in->caps->image2d_from_buffer && in->caps->cl_version < 300)
		return false;
	if (berth__is_buffer(parent))
		return true;
	return in->caps->cl_version >= 200 && parent->image.type == CL_MEM_OBJECT_IMAGE2D;
}

static bool wrong_parent(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->other && !may_lie_on(in, in->other) &&
	       berth__rule_why(why, "image %" PRIu64 ": a %s cannot lie on object %" PRIu64
			       " on this device", in->op->object, in->shape->name, in->other->id);
}

static bool pitch_misaligned(const struct rule_input *in, struct rule_why *why)
{
	uint64_t pitch = in->op->image.row_pitch_bytes;
	uint64_t align = berth_caps_pitch_align_bytes(in->caps, in->element_bytes);

	return on_buffer(in, CL_MEM_OBJECT_IMAGE2D) && align != 0 && pitch % align != 0 &&
	       berth__rule_why(why, "image %" PRIu64 " on buffer %" PRIu64 ": row pitch %" PRIu64
			       " is not a multiple of %" PRIu64
			       " bytes (CL_DEVICE_IMAGE_PITCH_ALIGNMENT is %" PRIu32 ")",
			       in->op->object, in->other->id, pitch, align,
			       in->caps->image_pitch_align);
}

static bool width_misaligned(const struct rule_input *in, struct rule_why *why)
{
	uint64_t align = berth_caps_pitch_align_bytes(in->caps, in->element_bytes), row;

	/* Every text but the current one: the pitch given, or computed when 0 is given. */
	if (!on_buffer(in, CL_MEM_OBJECT_IMAGE2D) || in->op->image.row_pitch_bytes != 0 ||
	    in->caps->cl_version >= 310 || align == 0)
		return false;
	if (!__builtin_mul_overflow(in->op->image.width, in->element_bytes, &row) && row % align == 0)
		return false;
	return berth__rule_why(why, "image %" PRIu64 " on buffer %" PRIu64 ": width %" PRIu64
			       " x %" PRIu32 " bytes without row pitch is not a multiple of %" PRIu64
			       " bytes (CL_DEVICE_IMAGE_PITCH_ALIGNMENT is %" PRIu32 ")",
			       in->op->object, in->other->id, in->op->image.width, in->element_bytes,
			       align, in->caps->image_pitch_align);
}

static bool base_misaligned(const struct rule_input *in, struct rule_why *why)
{
	uint64_t align = berth_caps_image_base_align_bytes(in->caps, in->element_bytes);

	return on_buffer(in, CL_MEM_OBJECT_IMAGE2D) && align != 0 &&
	       in->other->host_address % align != 0 &&
	       berth__rule_why(why, "image %" PRIu64 " on buffer %" PRIu64 ": host address 0x%" PRIX64
			       " is not a multiple of %" PRIu64
			       " bytes (CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT is %" PRIu32 ")",
			       in->op->object, in->other->id, in->other->host_address, align,
			       in->caps->image_base_align);
}

static bool line_leaves_buffer(const struct rule_input *in, struct rule_why *why)
{
	uint64_t bytes;

	if (!on_buffer(in, CL_MEM_OBJECT_IMAGE1D_BUFFER))
		return false;
	if (!__builtin_mul_overflow(in->op->image.width, in->element_bytes, &bytes) &&
	    bytes <= in->other->bytes)
		return false;
	return berth__rule_why(why, "image %" PRIu64 ": %" PRIu64 " x %" PRIu32 " bytes, buffer %" PRIu64
			       " has %" PRIu64, in->op->object, in->op->image.width,
			       in->element_bytes, in->other->id, in->other->bytes);
}

static bool rows_leave_buffer(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image;
	uint64_t row = image->row_pitch_bytes, slice, bytes;

	if (!on_buffer(in, CL_MEM_OBJECT_IMAGE2D))
		return false;
	/* The last row counts with its full pitch. */
	if (berth__image_pitches(&row, &slice, image, in->element_bytes) &&
	    berth__image_bytes(&bytes, image, row, slice) && bytes <= in->other->bytes)
		return false;
	return berth__rule_why(why, "image %" PRIu64 ": %" PRIu64 " rows of %" PRIu64 " bytes, buffer %"
			       PRIu64 " has %" PRIu64, in->op->object, image->height, row,
			       in->other->id, in->other->bytes);
}

/* A 2D image on a 2D image, where that is allowed at all (R75). */
static bool on_image(const struct rule_input *in)
{
	return is_type(in, CL_MEM_OBJECT_IMAGE2D) && in->other && !berth__is_buffer(in->other) &&
	       may_lie_on(in, in->other);
}

static bool descriptor_differs(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image, *parent;

	if (!on_image(in))
		return false;
	parent = &in->other->image;
	if (image->width == parent->width && image->height == parent->height &&
	    image->row_pitch_bytes == parent->row_pitch_bytes &&
	    image->slice_pitch_bytes == parent->slice_pitch_bytes &&
	    image->mip_levels == parent->mip_levels && image->samples == parent->samples)
		return false;
	return berth__rule_why(why, "image %" PRIu64 ": %" PRIu64 " x %" PRIu64 ", row pitch %" PRIu64
			       ", but image %" PRIu64 " has %" PRIu64 " x %" PRIu64
			       ", row pitch %" PRIu64, in->op->object, image->width, image->height,
			       image->row_pitch_bytes, in->other->id, parent->width, parent->height,
			       parent->row_pitch_bytes);
}

/* Orders that an image may have on an image of another order. */
static const struct {
	uint32_t order, parent;
} order_pairs[] = {
	{ CL_sBGRA, CL_BGRA }, { CL_BGRA, CL_sBGRA }, { CL_sRGBA, CL_RGBA }, { CL_RGBA, CL_sRGBA },
	{ CL_sRGB, CL_RGB },   { CL_RGB, CL_sRGB },   { CL_sRGBx, CL_RGBx }, { CL_RGBx, CL_sRGBx },
	{ CL_DEPTH, CL_R },
};

static bool is_order_pair(uint32_t order, uint32_t parent)
{
	for (size_t i = 0; i < sizeof(order_pairs) / sizeof(order_pairs[0]); i++)
		if (order_pairs[i].order == order && order_pairs[i].parent == parent)
			return true;
	return false;
}

static bool format_incompatible(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image, *parent;

	if (!on_image(in) || in->element_bytes == 0)
		return false;
	parent = &in->other->image;
	if (image->channel_type == parent->channel_type && is_order_pair(image->order, parent->order))
		return false;
	return berth__rule_why(why, "image %" PRIu64 " with %s %s cannot lie on image %" PRIu64
			       " with %s %s", in->op->object,
			       berth_channel_order_string(image->order),
			       berth_channel_type_string(image->channel_type), in->other->id,
			       berth_channel_order_string(parent->order),
			       berth_channel_type_string(parent->channel_type));
}

static const struct rule_row rows[] = {
	{ { "R58", DESCRIPTOR, "on a buffer, a row pitch is a multiple of the pitch alignment",
	    KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR } }, pitch_misaligned },
	{ { "R59", DESCRIPTOR,
	    "on a buffer, a row without pitch is a multiple of the pitch alignment (before 3.1)",
	    KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR } }, width_misaligned },
	{ { "R73", DESCRIPTOR,
	    "the address of a USE_HOST_PTR buffer is a multiple of the base address alignment",
	    KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR } }, base_misaligned },
	{ { "R75.format", DESCRIPTOR,
	    "on an image, the channel type is its and the orders are a pair of the table",
	    KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR } },
	  format_incompatible },
	{ { "R75.descriptor", DESCRIPTOR, "on an image, the descriptor is that of the image",
	    KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR } },
	  descriptor_differs },
	{ { "R48.mem_object", DESCRIPTOR, "mem_object is NULL or a memory object",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_MEM_OBJECT } },
	  parent_not_known },
	{ { "R54b", DESCRIPTOR, "a 1D buffer image has a buffer", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_DESCRIPTOR } }, buffer_missing },
	{ { "R76", DESCRIPTOR, "the type of image may lie on this memory object",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, wrong_parent },
	{ { "R70", DESCRIPTOR, "a 1D buffer image fits the buffer", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE } }, line_leaves_buffer },
	{ { "R71", DESCRIPTOR, "row pitch x height fits the buffer", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE,
	      CL_INVALID_IMAGE_FORMAT_DESCRIPTOR } }, rows_leave_buffer },
};

const struct rule_table berth__rules_image_on_memory =
	RULE_TABLE(rows, KIND(IMAGE_CREATE), FORMS_NONE);
