/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quirks: what some drivers refuse although the specification does not. The codes are
 * those that have been seen; a profile's deviation says which one its device gives.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "not of the specification"
#define KINDS_LINEAR (KINDS_ONE_SIDED | KIND(COPY))

/* R107: a size of 0 is no error of a read, write or copy; PoCL and ROCm's CLR say it is. */
static bool no_bytes(const struct rule_input *in, struct rule_why *why)
{
	return in->op->form == BERTH_FORM_LINEAR && in->op->bytes == 0 &&
	       berth__rule_why(why, "object %" PRIu64 ": a transfer of 0 bytes", in->op->object);
}

/* Whether [offset, offset + bytes) passes the end, with a sum that passes 2^64 and begins anew. */
static bool leaves_modulo(const berth_object *object, uint64_t offset, uint64_t bytes)
{
	return object && offset + bytes > object->bytes;
}

static bool wraps(uint64_t offset, uint64_t bytes)
{
	return offset + bytes < offset;
}

static bool end_leaves_modulo(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;
	
	return (leaves_modulo(in->object, op->offset_bytes, op->bytes) ||
		(op->kind == BERTH_OP_COPY &&
		 leaves_modulo(in->other, op->other_offset_bytes, op->bytes))) &&
	       berth__rule_why(why, "%" PRIu64 " bytes at %" PRIu64 " or %" PRIu64
			       " end outside, as sums of 64 bits", op->bytes, op->offset_bytes,
			       op->other_offset_bytes);
}

static bool end_wraps(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;

	return (wraps(op->offset_bytes, op->bytes) ||
		(op->kind == BERTH_OP_COPY && wraps(op->other_offset_bytes, op->bytes))) &&
	       berth__rule_why(why, "%" PRIu64 " bytes at %" PRIu64 " or %" PRIu64
			       " end past 2^64", op->bytes, op->offset_bytes,
			       op->other_offset_bytes);
}

static bool box_wraps(const struct rule_input *in, struct rule_why *why)
{
	const berth_region *region = &in->op->region;

	for (int axis = 0; axis < 3; axis++)
		if (wraps(region->origin[axis], region->extent[axis]))
			return berth__rule_why(why, "%" PRIu64 " at %" PRIu64 " end past 2^64",
					       region->extent[axis], region->origin[axis]);
	return false;
}

/* The image's own size on an axis; 1 where it has none. */
static uint64_t axis_pixels(const berth_image *image, int axis)
{
	const uint64_t sizes[3] = { image->width,
				    image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? image->array_size
									      : image->height,
				    image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? image->array_size
									      : image->depth };

	return sizes[axis] ? sizes[axis] : 1;
}

static bool box_leaves_modulo(const struct rule_input *in, struct rule_why *why)
{
	const berth_region *region = &in->op->region;

	for (int axis = 0; in->object && axis < 3; axis++)
		if (region->origin[axis] + region->extent[axis] >
		    axis_pixels(&in->object->image, axis))
			return berth__rule_why(why, "%" PRIu64 " at %" PRIu64 " end outside",
					       region->extent[axis], region->origin[axis]);
	return false;
}

/* A slice that does not fit 64 bits: width x height of the region. */
static bool slice_wraps(const struct rule_input *in, struct rule_why *why)
{
	const uint64_t *extent = in->op->region.extent;
	uint64_t slice;

	return __builtin_mul_overflow(extent[0], extent[1], &slice) &&
	       berth__rule_why(why, "%" PRIu64 " x %" PRIu64 " bytes pass 2^64", extent[0],
			       extent[1]);
}

/* R101 asks for more: a multiple of the row pitch as well. */
static bool slice_pitch_small(const struct rule_input *in, struct rule_why *why)
{
	const berth_region *region = &in->op->region;
	const uint64_t row = region->row_pitch_bytes ? region->row_pitch_bytes : region->extent[0];

	return region->slice_pitch_bytes && row &&
	       region->slice_pitch_bytes / row < region->extent[1] &&
	       berth__rule_why(why, "slice pitch %" PRIu64 ", %" PRIu64 " rows of %" PRIu64,
			       region->slice_pitch_bytes, region->extent[1], row);
}

static bool list_null(const struct rule_input *in, struct rule_why *why)
{
	return in->op->use_count > 0 && (in->op->absent & BERTH_ABSENT_LIST) &&
	       berth__rule_why(why, "%" PRIu32 " objects in a list that is NULL",
			       in->op->use_count);
}

static bool is_subbuffer(const berth_object *object)
{
	return object && object->kind == BERTH_OBJECT_SUBBUFFER;
}

static bool on_subbuffer(const struct rule_input *in, struct rule_why *why)
{
	return (is_subbuffer(in->object) || is_subbuffer(in->other)) &&
	       berth__rule_why(why, "object %" PRIu64 " or %" PRIu64 " is a sub-buffer",
			       in->op->object, in->op->other);
}

static bool is_image_on_memory(const berth_object *object)
{
	return object && object->kind == BERTH_OBJECT_IMAGE && object->parent;
}

static bool on_image_on_memory(const struct rule_input *in, struct rule_why *why)
{
	return (is_image_on_memory(in->object) || is_image_on_memory(in->other)) &&
	       berth__rule_why(why, "object %" PRIu64 " or %" PRIu64 " is an image on a buffer",
			       in->op->object, in->op->other);
}

/* R102 speaks of one buffer, or two sub-buffers of one: not of a buffer and a part of it. */
static bool overlaps_parent(const struct rule_input *in, struct rule_why *why)
{
	const berth_object *a = in->object, *b = in->other;

	return a && b && a != b && (a->parent == b || b->parent == a) &&
	       berth__meet(a->offset_bytes + in->op->offset_bytes, in->op->bytes,
			   b->offset_bytes + in->op->other_offset_bytes, in->op->bytes) &&
	       berth__rule_why(why, "%" PRIu64 " bytes of object %" PRIu64
			       " overlap those of %" PRIu64, in->op->bytes, a->id, b->id);
}

/* What is left of R102 and R104 where sub-buffers are not followed to their buffer. */
static bool overlaps_itself(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;

	return in->object && in->object == in->other &&
	       berth__meet(op->offset_bytes, op->bytes, op->other_offset_bytes, op->bytes) &&
	       berth__rule_why(why, "%" PRIu64 " bytes of object %" PRIu64 " from %" PRIu64
			       " to %" PRIu64, op->bytes, op->object, op->offset_bytes,
			       op->other_offset_bytes);
}

static const struct rule_row linear_rows[] = {
	{ { "Q.zero_bytes", SECTION, "a read, write or copy moves at least one byte",
	    KINDS_TRANSFER | KIND(COPY), { CL_INVALID_VALUE } }, no_bytes },
	{ { "Q.end_modulo", SECTION, "the end, as a sum of 64 bits, lies inside",
	    KINDS_LINEAR, { CL_INVALID_VALUE } }, end_leaves_modulo },
	{ { "Q.end_wraps", SECTION, "the end does not pass 2^64", KINDS_LINEAR,
	    { CL_INVALID_VALUE } }, end_wraps },
	{ { "Q.copy_parent", SECTION, "a buffer and its sub-buffer do not overlap in a copy",
	    KIND(COPY), { CL_MEM_COPY_OVERLAP } }, overlaps_parent },
	{ { "Q.copy_itself", SECTION, "the ranges of one object do not overlap in a copy",
	    KIND(COPY), { CL_MEM_COPY_OVERLAP } }, overlaps_itself },
};

const struct rule_table berth__rules_quirk =
	RULE_TABLE(linear_rows, KINDS_LINEAR, FORM(LINEAR));

static const struct rule_row region_rows[] = {
	{ { "Q.slice_wraps", SECTION, "a slice of the region does not pass 2^64",
	    KINDS_TRANSFER | KIND(COPY), { CL_INVALID_VALUE } }, slice_wraps },
	{ { "Q.slice_pitch", SECTION, "a slice pitch is at least that of its rows",
	    KINDS_TRANSFER | KIND(COPY), { CL_INVALID_VALUE } }, slice_pitch_small },
};

const struct rule_table berth__rules_quirk_rect =
	RULE_TABLE(region_rows, KINDS_TRANSFER | KIND(COPY), FORM(RECT));

static const struct rule_row image_rows[] = {
	{ { "Q.box_modulo", SECTION, "the region's end, as a sum of 64 bits, lies inside",
	    KINDS_ONE_SIDED, { CL_INVALID_VALUE } }, box_leaves_modulo },
	{ { "Q.box_wraps", SECTION, "the region's end does not pass 2^64", KINDS_ONE_SIDED,
	    { CL_INVALID_VALUE } }, box_wraps },
};

const struct rule_table berth__rules_quirk_image =
	RULE_TABLE(image_rows, KINDS_ONE_SIDED, FORM(IMAGE));

static const struct rule_row copy_rows[] = {
	{ { "Q.copy_subbuffer", SECTION, "no side of a copy is a sub-buffer", KIND(COPY),
	    { CL_INVALID_MEM_OBJECT } }, on_subbuffer },
	{ { "Q.copy_image_on_memory", SECTION, "no side of a copy is an image on a buffer",
	    KIND(COPY), { CL_INVALID_MEM_OBJECT } }, on_image_on_memory },
};

const struct rule_table berth__rules_quirk_copy = RULE_TABLE(
	copy_rows, KIND(COPY), FORMS_BUFFER | FORM(IMAGE) | FORMS_MIXED);

static const struct rule_row migrate_rows[] = {
	{ { "Q.list_null", SECTION, "the list of objects is not NULL",
	    KIND(MIGRATE) | KIND(SVM_FREE), { CL_INVALID_VALUE } }, list_null },
};

const struct rule_table berth__rules_quirk_migrate =
	RULE_TABLE(migrate_rows, KIND(MIGRATE) | KIND(SVM_FREE), FORMS_NONE | FORM(SVM));
