/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on linear commands on buffers ("Reading, Writing and Copying Buffer
 * Objects", "Filling Buffer Objects", "Mapping Buffer Objects"): R100, R102, R105,
 * R106. A size of 0 breaks none of them but a map's (R107).
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "Reading, Writing and Copying Buffer Objects"
#define FILL "Filling Buffer Objects"
#define MAP "Mapping Buffer Objects"

static bool range_leaves(const berth_object *buffer, uint64_t offset, uint64_t bytes,
			 struct rule_why *why)
{
	return buffer && berth__leaves(offset, bytes, buffer->bytes) &&
	       berth__rule_why(why, "%" PRIu64 " bytes at %" PRIu64 ", buffer %" PRIu64 " has %" PRIu64,
			       bytes, offset, buffer->id, buffer->bytes);
}

static bool object_range_leaves(const struct rule_input *in, struct rule_why *why)
{
	return range_leaves(in->object, in->op->offset_bytes, in->op->bytes, why);
}

static bool other_range_leaves(const struct rule_input *in, struct rule_why *why)
{
	return range_leaves(in->other, in->op->other_offset_bytes, in->op->bytes, why);
}

static bool pointer_missing(const struct rule_input *in, struct rule_why *why)
{
	return in->op->host_address == 0 &&
	       berth__rule_why(why, "%" PRIu64 " bytes of object %" PRIu64 ": the pointer is NULL",
			       in->op->bytes, in->op->object);
}

static const struct rule_row transfer_rows[] = {
	{ { "R100.bounds", SECTION, "the range lies inside the buffer", KINDS_TRANSFER,
	    { CL_INVALID_VALUE } }, object_range_leaves },
	{ { "R100.pointer", SECTION, "ptr is not NULL", KINDS_TRANSFER,
	    { CL_INVALID_VALUE } }, pointer_missing },
};

const struct rule_table berth__rules_linear_transfer =
	RULE_TABLE(transfer_rows, KINDS_TRANSFER, FORM(LINEAR));

static bool pattern_missing(const struct rule_input *in, struct rule_why *why)
{
	return in->op->host_address == 0 &&
	       berth__rule_why(why, "fill of object %" PRIu64 ": the pattern is NULL",
			       in->op->object);
}

#define PATTERN_BYTES_MAX 128u /* of the largest type, long16 */

static bool is_pattern_size(uint64_t bytes)
{
	return bytes != 0 && bytes <= PATTERN_BYTES_MAX && (bytes & (bytes - 1)) == 0;
}

static bool pattern_size_wrong(const struct rule_input *in, struct rule_why *why)
{
	return !is_pattern_size(in->op->pattern_bytes) &&
	       berth__rule_why(why, "fill of object %" PRIu64 ": pattern of %" PRIu64
			       " bytes, it must be a power of two, at most %u", in->op->object,
			       in->op->pattern_bytes, PATTERN_BYTES_MAX);
}

static bool pattern_split(const struct rule_input *in, struct rule_why *why)
{
	uint64_t pattern = in->op->pattern_bytes;

	return pattern != 0 && (in->op->offset_bytes % pattern || in->op->bytes % pattern) &&
	       berth__rule_why(why, "fill of object %" PRIu64 ": %" PRIu64 " bytes at %" PRIu64
			       " are not multiples of the pattern's %" PRIu64, in->op->object,
			       in->op->bytes, in->op->offset_bytes, pattern);
}

static const struct rule_row fill_rows[] = {
	{ { "R105.bounds", FILL, "the range lies inside the buffer", KIND(FILL),
	    { CL_INVALID_VALUE } }, object_range_leaves },
	{ { "R105.pattern", FILL, "the pattern is not NULL", KIND(FILL), { CL_INVALID_VALUE } },
	  pattern_missing },
	{ { "R105.pattern_size", FILL, "the pattern size is a power of two up to 128", KIND(FILL),
	    { CL_INVALID_VALUE } }, pattern_size_wrong },
	{ { "R105.multiple", FILL, "offset and size are multiples of the pattern size", KIND(FILL),
	    { CL_INVALID_VALUE } }, pattern_split },
};

const struct rule_table berth__rules_linear_fill =
	RULE_TABLE(fill_rows, KIND(FILL), FORM(LINEAR));

static bool map_of_no_bytes(const struct rule_input *in, struct rule_why *why)
{
	return in->op->bytes == 0 &&
	       berth__rule_why(why, "map of object %" PRIu64 ": 0 bytes, at least 1 is needed",
			       in->op->object);
}

static const struct rule_row map_rows[] = {
	{ { "R106.bounds", MAP, "the range lies inside the buffer", KIND(MAP),
	    { CL_INVALID_VALUE } }, object_range_leaves },
	{ { "R106.zero", MAP, "the size is not 0", KIND(MAP), { CL_INVALID_VALUE } },
	  map_of_no_bytes },
};

const struct rule_table berth__rules_linear_map = RULE_TABLE(map_rows, KIND(MAP), FORM(LINEAR));

static bool ranges_overlap(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;
	uint64_t from, to;

	if (!in->object || !in->other || object_range_leaves(in, NULL) || other_range_leaves(in, NULL))
		return false;
	if (!berth__share_memory(in->object, in->other))
		return false;
	from = in->object->offset_bytes + op->offset_bytes;
	to = in->other->offset_bytes + op->other_offset_bytes;
	return berth__meet(from, op->bytes, to, op->bytes) &&
	       berth__rule_why(why, "%" PRIu64 " bytes from %" PRIu64 " and to %" PRIu64
			       " of buffer %" PRIu64 " overlap", op->bytes, from, to,
			       in->object->root->id);
}

static const struct rule_row copy_rows[] = {
	{ { "R102.bounds", SECTION, "the source range lies inside its buffer", KIND(COPY),
	    { CL_INVALID_VALUE } }, object_range_leaves },
	{ { "R102.other_bounds", SECTION, "the destination range lies inside its buffer",
	    KIND(COPY), { CL_INVALID_VALUE } }, other_range_leaves },
	{ { "R102.overlap", SECTION,
	    "the ranges of one buffer, or of two sub-buffers of one, do not overlap", KIND(COPY),
	    { CL_MEM_COPY_OVERLAP } }, ranges_overlap },
};

const struct rule_table berth__rules_linear_copy =
	RULE_TABLE(copy_rows, KIND(COPY), FORM(LINEAR));
