/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on rectangular commands on buffers ("Reading, Writing and Copying Buffer
 * Rectangular Regions", "Checking for Memory Copy Overlap"): R101, R103, R104.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "Reading, Writing and Copying Buffer Objects"
#define OVERLAP "Checking for Memory Copy Overlap"

#define ABSENT_BOX (BERTH_ABSENT_ORIGIN | BERTH_ABSENT_OTHER_ORIGIN | BERTH_ABSENT_EXTENT)

/* One side of a rect: where its box is, in bytes and with the pitches that hold. */
struct side {
	const char *name;
	const uint64_t *origin;
	uint64_t row_pitch;   /* as given */
	uint64_t slice_pitch; /* as given */
};

static struct side object_side(const struct rule_input *in)
{
	const berth_region *region = &in->op->region;

	return (struct side){ "buffer", region->origin, region->row_pitch_bytes,
			      region->slice_pitch_bytes };
}

static struct side other_side(const struct rule_input *in)
{
	const berth_region *region = &in->op->region;

	return (struct side){ in->op->kind == BERTH_OP_COPY ? "destination" : "host",
			      region->other_origin, region->other_row_pitch_bytes,
			      region->other_slice_pitch_bytes };
}

static bool box_missing(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->absent & ABSENT_BOX) &&
	       berth__rule_why(why, "rect %s of object %" PRIu64 ": an origin or the region is NULL",
			       berth_op_kind_string(in->op->kind), in->op->object);
}

static bool box_empty(const struct rule_input *in, struct rule_why *why)
{
	const uint64_t *extent = in->op->region.extent;

	return !(in->op->absent & BERTH_ABSENT_EXTENT) &&
	       (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) &&
	       berth__rule_why(why, "rect %s of object %" PRIu64 ": region %" PRIu64 " x %" PRIu64
			       " x %" PRIu64 ", each must be at least 1",
			       berth_op_kind_string(in->op->kind), in->op->object, extent[0],
			       extent[1], extent[2]);
}

/* Whether there is a box to speak of: the other rows are silent without one. */
static bool has_box(const struct rule_input *in)
{
	return !(in->op->absent & ABSENT_BOX) && !box_empty(in, NULL);
}

static bool row_pitch_wrong(const struct rule_input *in, struct side side, struct rule_why *why)
{
	return has_box(in) && side.row_pitch != 0 && side.row_pitch < in->op->region.extent[0] &&
	       berth__rule_why(why, "rect %s of object %" PRIu64 ": %s row pitch %" PRIu64
			       ", a row has %" PRIu64 " bytes", berth_op_kind_string(in->op->kind),
			       in->op->object, side.name, side.row_pitch, in->op->region.extent[0]);
}

static uint64_t row_pitch_of(const struct rule_input *in, struct side side)
{
	return side.row_pitch ? side.row_pitch : in->op->region.extent[0];
}

static bool slice_pitch_wrong(const struct rule_input *in, struct side side, struct rule_why *why)
{
	uint64_t row = row_pitch_of(in, side), rows = in->op->region.extent[1], least;

	if (!has_box(in) || side.slice_pitch == 0)
		return false;
	if (!__builtin_mul_overflow(row, rows, &least) && side.slice_pitch >= least &&
	    side.slice_pitch % row == 0)
		return false;
	return berth__rule_why(why, "rect %s of object %" PRIu64 ": %s slice pitch %" PRIu64
			       ", it must be a multiple of the row pitch %" PRIu64
			       ", at least %" PRIu64 " rows", berth_op_kind_string(in->op->kind),
			       in->op->object, side.name, side.slice_pitch, row, rows);
}

/* A box with its pitches resolved, as the bytes [start, start + bytes). */
struct box {
	uint64_t row_pitch, slice_pitch;
	uint64_t start, bytes;
	uint64_t slice_bytes; /* from the first byte of a slice to its last */
};

static bool multiply_add(uint64_t *sum, uint64_t a, uint64_t b)
{
	uint64_t product;

	return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

/* False when it does not fit 64 bits. The box is not empty. */
static bool resolve(struct box *box, const struct rule_input *in, struct side side)
{
	const uint64_t *extent = in->op->region.extent;
	uint64_t end;

	box->row_pitch = row_pitch_of(in, side);
	box->slice_pitch = side.slice_pitch;
	if (box->slice_pitch == 0 &&
	    __builtin_mul_overflow(extent[1], box->row_pitch, &box->slice_pitch))
		return false;
	box->start = side.origin[0];
	box->slice_bytes = extent[0];
	if (!multiply_add(&box->start, side.origin[1], box->row_pitch) ||
	    !multiply_add(&box->start, side.origin[2], box->slice_pitch) ||
	    !multiply_add(&box->slice_bytes, extent[1] - 1, box->row_pitch))
		return false;
	box->bytes = box->slice_bytes;
	return multiply_add(&box->bytes, extent[2] - 1, box->slice_pitch) &&
	       !__builtin_add_overflow(box->start, box->bytes, &end);
}

static bool box_leaves(const struct rule_input *in, struct side side, const berth_object *buffer,
		       struct rule_why *why)
{
	struct box box;

	if (!buffer || !has_box(in))
		return false;
	if (!resolve(&box, in, side))
		return berth__rule_why(why, "rect %s: the %s box ends beyond 2^64 bytes, buffer %"
				       PRIu64 " has %" PRIu64, berth_op_kind_string(in->op->kind),
				       side.name, buffer->id, buffer->bytes);
	return berth__leaves(box.start, box.bytes, buffer->bytes) &&
	       berth__rule_why(why, "rect %s: the %s box has its last byte at %" PRIu64 ", buffer %"
			       PRIu64 " has %" PRIu64, berth_op_kind_string(in->op->kind), side.name,
			       box.start + box.bytes - 1, buffer->id, buffer->bytes);
}

static bool object_row_wrong(const struct rule_input *in, struct rule_why *why)
{
	return row_pitch_wrong(in, object_side(in), why);
}

static bool other_row_wrong(const struct rule_input *in, struct rule_why *why)
{
	return row_pitch_wrong(in, other_side(in), why);
}

static bool object_slice_wrong(const struct rule_input *in, struct rule_why *why)
{
	return slice_pitch_wrong(in, object_side(in), why);
}

static bool other_slice_wrong(const struct rule_input *in, struct rule_why *why)
{
	return slice_pitch_wrong(in, other_side(in), why);
}

static bool object_box_leaves(const struct rule_input *in, struct rule_why *why)
{
	return box_leaves(in, object_side(in), in->object, why);
}

static bool other_box_leaves(const struct rule_input *in, struct rule_why *why)
{
	return box_leaves(in, other_side(in), in->other, why);
}

static bool pointer_missing(const struct rule_input *in, struct rule_why *why)
{
	return in->op->host_address == 0 &&
	       berth__rule_why(why, "rect %s of object %" PRIu64 ": the pointer is NULL",
			       berth_op_kind_string(in->op->kind), in->op->object);
}

static const struct rule_row transfer_rows[] = {
	{ { "R101.null", SECTION, "no origin nor the region is NULL", KINDS_TRANSFER,
	    { CL_INVALID_VALUE } }, box_missing },
	{ { "R101.bounds", SECTION, "the box lies inside the buffer", KINDS_TRANSFER,
	    { CL_INVALID_VALUE } }, object_box_leaves },
	{ { "R101.zero", SECTION, "no element of the region is 0", KINDS_TRANSFER,
	    { CL_INVALID_VALUE } }, box_empty },
	{ { "R101.row_pitch", SECTION, "a buffer row pitch is at least region[0]", KINDS_TRANSFER,
	    { CL_INVALID_VALUE } }, object_row_wrong },
	{ { "R101.other_row_pitch", SECTION, "a host row pitch is at least region[0]",
	    KINDS_TRANSFER, { CL_INVALID_VALUE } }, other_row_wrong },
	{ { "R101.slice_pitch", SECTION,
	    "a buffer slice pitch is at least region[1] rows and a multiple of the row pitch",
	    KINDS_TRANSFER, { CL_INVALID_VALUE } }, object_slice_wrong },
	{ { "R101.other_slice_pitch", SECTION,
	    "a host slice pitch is at least region[1] rows and a multiple of the row pitch",
	    KINDS_TRANSFER, { CL_INVALID_VALUE } }, other_slice_wrong },
	{ { "R101.pointer", SECTION, "ptr is not NULL", KINDS_TRANSFER, { CL_INVALID_VALUE } },
	  pointer_missing },
};

const struct rule_table berth__rules_rect_transfer =
	RULE_TABLE(transfer_rows, KINDS_TRANSFER, FORM(RECT));

/* Both boxes inside their buffers; false when either is not. */
static bool boxes_inside(const struct rule_input *in, struct box *from, struct box *to)
{
	return in->object && in->other && has_box(in) && !object_box_leaves(in, NULL) &&
	       !other_box_leaves(in, NULL) && resolve(from, in, object_side(in)) &&
	       resolve(to, in, other_side(in));
}

static bool pitches_differ(const struct rule_input *in, struct rule_why *why)
{
	struct box from, to;

	if (in->object != in->other || !in->object || !has_box(in) ||
	    !resolve(&from, in, object_side(in)) || !resolve(&to, in, other_side(in)))
		return false;
	return (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch) &&
	       berth__rule_why(why, "rect copy inside buffer %" PRIu64 ": pitches %" PRIu64 " and %"
			       PRIu64 " from, %" PRIu64 " and %" PRIu64 " to", in->object->id,
			       from.row_pitch, from.slice_pitch, to.row_pitch, to.slice_pitch);
}

/*
 * Whether a fits in the gap behind b: pieces of `bytes` bytes that repeat every
 * `pitch` bytes, the first at a and b.
 */
static bool fits_behind(uint64_t a, uint64_t b, uint64_t bytes, uint64_t pitch)
{
	return a >= b + bytes && a + bytes <= b + pitch;
}

static bool interleave(uint64_t a, uint64_t b, uint64_t bytes, uint64_t pitch)
{
	return fits_behind(a, b, bytes, pitch) || fits_behind(b, a, bytes, pitch);
}

/*
 * R104, the specification's own algorithm, on offsets in the root so that it holds
 * for two sub-buffers as well. With two different pitches it knows only whether
 * the whole boxes meet.
 */
static bool boxes_overlap(const struct rule_input *in, const struct box *from, const struct box *to)
{
	uint64_t a = in->object->offset_bytes + from->start;
	uint64_t b = in->other->offset_bytes + to->start;

	if (!berth__meet(a, from->bytes, b, to->bytes))
		return false;
	if (from->row_pitch != to->row_pitch || from->slice_pitch != to->slice_pitch)
		return true;
	return !interleave(a % from->row_pitch, b % from->row_pitch, in->op->region.extent[0],
			   from->row_pitch) &&
	       !interleave(a % from->slice_pitch, b % from->slice_pitch, from->slice_bytes,
			   from->slice_pitch);
}

static bool copy_overlaps(const struct rule_input *in, struct rule_why *why)
{
	struct box from, to;

	if (!boxes_inside(in, &from, &to))
		return false;
	if (!berth__share_memory(in->object, in->other))
		return false;
	return boxes_overlap(in, &from, &to) &&
	       berth__rule_why(why, "rect copy from %" PRIu64 " to %" PRIu64 " of buffer %" PRIu64
			       ": boxes of %" PRIu64 " bytes overlap",
			       in->object->offset_bytes + from.start, in->other->offset_bytes + to.start,
			       in->object->root->id, from.bytes);
}

static const struct rule_row copy_rows[] = {
	{ { "R103.null", SECTION, "no origin nor the region is NULL", KIND(COPY),
	    { CL_INVALID_VALUE } }, box_missing },
	{ { "R103.bounds", SECTION, "the source box lies inside its buffer", KIND(COPY),
	    { CL_INVALID_VALUE } }, object_box_leaves },
	{ { "R103.other_bounds", SECTION, "the destination box lies inside its buffer", KIND(COPY),
	    { CL_INVALID_VALUE } }, other_box_leaves },
	{ { "R103.zero", SECTION, "no element of the region is 0", KIND(COPY),
	    { CL_INVALID_VALUE } }, box_empty },
	{ { "R103.row_pitch", SECTION, "a source row pitch is at least region[0]", KIND(COPY),
	    { CL_INVALID_VALUE } }, object_row_wrong },
	{ { "R103.other_row_pitch", SECTION, "a destination row pitch is at least region[0]",
	    KIND(COPY), { CL_INVALID_VALUE } }, other_row_wrong },
	{ { "R103.slice_pitch", SECTION,
	    "a source slice pitch is at least region[1] rows and a multiple of the row pitch",
	    KIND(COPY), { CL_INVALID_VALUE } }, object_slice_wrong },
	{ { "R103.other_slice_pitch", SECTION,
	    "a destination slice pitch is at least region[1] rows and a multiple of the row pitch",
	    KIND(COPY), { CL_INVALID_VALUE } }, other_slice_wrong },
	{ { "R103.same_pitches", SECTION, "inside one buffer both sides have the same pitches",
	    KIND(COPY), { CL_INVALID_VALUE } }, pitches_differ },
	{ { "R104", OVERLAP,
	    "the boxes of one buffer, or of two sub-buffers of one, do not overlap", KIND(COPY),
	    { CL_MEM_COPY_OVERLAP } }, copy_overlaps },
};

const struct rule_table berth__rules_rect_copy = RULE_TABLE(copy_rows, KIND(COPY), FORM(RECT));
