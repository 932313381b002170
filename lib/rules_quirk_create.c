/* SPDX-License-Identifier: Apache-2.0 */
/* Quirks of creations: what some drivers refuse although the specification does not. */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "not of the specification"

/* CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL; R16 refuses it too, with all bits that are not known. */
#define UNRESTRICTED_SIZE (UINT64_C(1) << 23)

static bool unrestricted_size(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->flags & UNRESTRICTED_SIZE) &&
	       berth__rule_why(why, "object %" PRIu64 ": flags 0x%" PRIx64, in->op->object,
			       in->op->flags);
}

static bool end_leaves_modulo(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;

	return in->other && op->offset_bytes + op->bytes > in->other->bytes &&
	       berth__rule_why(why, "%" PRIu64 " bytes at %" PRIu64
			       " end outside, as a sum of 64 bits", op->bytes, op->offset_bytes);
}

static bool pointer_for_subbuffer(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) &&
	       berth__rule_why(why, "object %" PRIu64 ": flags 0x%" PRIx64 " need a pointer",
			       in->op->object, in->op->flags);
}

static bool is_type(const struct rule_input *in, uint32_t type)
{
	return in->shape && in->shape->type == type;
}

/* The specification does not look at pitches that a type has no use for. */
static bool unused_row_pitch(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image;

	return is_type(in, CL_MEM_OBJECT_IMAGE1D_BUFFER) && image->row_pitch_bytes &&
	       berth__rule_why(why, "image %" PRIu64 ": row pitch %" PRIu64 " is of no use",
			       in->op->object, image->row_pitch_bytes);
}

static bool unused_slice_pitch(const struct rule_input *in, struct rule_why *why)
{
	const berth_image *image = &in->op->image;

	return (is_type(in, CL_MEM_OBJECT_IMAGE1D) || is_type(in, CL_MEM_OBJECT_IMAGE2D)) &&
	       image->slice_pitch_bytes &&
	       berth__rule_why(why, "image %" PRIu64 ": slice pitch %" PRIu64 " is of no use",
			       in->op->object, image->slice_pitch_bytes);
}

/* Numbers that name no channel order: part of R46.pair. */
static bool order_unknown(const struct rule_input *in, struct rule_why *why)
{
	return berth_channel_order_string(in->op->image.order) == berth_channel_order_string(0) &&
	       berth__rule_why(why, "image %" PRIu64 ": channel order 0x%" PRIx32,
			       in->op->object, in->op->image.order);
}

static bool line_on_subbuffer(const struct rule_input *in, struct rule_why *why)
{
	return is_type(in, CL_MEM_OBJECT_IMAGE1D_BUFFER) && in->other &&
	       in->other->kind == BERTH_OBJECT_SUBBUFFER &&
	       berth__rule_why(why, "image %" PRIu64 " on sub-buffer %" PRIu64, in->op->object,
			       in->op->other);
}

/* R76 without what it says of 1D buffer images. */
static bool other_type_on_memory(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->other && !is_type(in, CL_MEM_OBJECT_IMAGE1D_BUFFER) &&
	       !is_type(in, CL_MEM_OBJECT_IMAGE2D) &&
	       berth__rule_why(why, "image %" PRIu64 ": a %s on object %" PRIu64,
			       in->op->object, in->shape->name, in->op->other);
}

/* R59 up to 3.0; a device of 3.1 may still keep to it. */
static bool tight_row_misaligned(const struct rule_input *in, struct rule_why *why)
{
	const uint64_t align = in->element_bytes
				       ? berth_caps_pitch_align_bytes(in->caps, in->element_bytes)
				       : 0;
	uint64_t row;

	return is_type(in, CL_MEM_OBJECT_IMAGE2D) && in->other && align &&
	       in->other->kind != BERTH_OBJECT_IMAGE && in->op->image.row_pitch_bytes == 0 &&
	       !__builtin_mul_overflow(in->op->image.width, in->element_bytes, &row) &&
	       row % align != 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": rows of %" PRIu64
			       ", no multiple of %" PRIu64, in->op->object, row, align);
}

static const struct rule_row buffer_rows[] = {
	{ { "Q.unrestricted_size", SECTION, "CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL is not given",
	    KINDS_CREATE, { CL_INVALID_VALUE } }, unrestricted_size },
	{ { "Q.subbuffer_modulo", SECTION, "the end, as a sum of 64 bits, lies inside",
	    KIND(SUBBUFFER_CREATE), { CL_INVALID_VALUE } }, end_leaves_modulo },
	{ { "Q.subbuffer_pointer", SECTION, "no flag that needs a pointer is given",
	    KIND(SUBBUFFER_CREATE), { CL_INVALID_HOST_PTR } }, pointer_for_subbuffer },
	{ { "Q.unused_row_pitch", SECTION, "the row pitch of a 1D buffer image is 0",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, unused_row_pitch },
	{ { "Q.unused_slice_pitch", SECTION, "the slice pitch of a 1D or 2D image is 0",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, unused_slice_pitch },
	{ { "Q.order_unknown", SECTION, "the channel order is one of the defined",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_FORMAT_DESCRIPTOR } }, order_unknown },
	{ { "Q.line_on_subbuffer", SECTION, "a 1D buffer image does not lie on a sub-buffer",
	    KIND(IMAGE_CREATE), { CL_INVALID_MEM_OBJECT } }, line_on_subbuffer },
	{ { "Q.other_on_memory", SECTION, "only 2D and 1D buffer images lie on memory objects",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, other_type_on_memory },
	{ { "Q.tight_row", SECTION, "on a buffer, a row without pitch is aligned",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, tight_row_misaligned },
};

const struct rule_table berth__rules_quirk_create =
	RULE_TABLE(buffer_rows, KINDS_CREATE, FORMS_NONE);
