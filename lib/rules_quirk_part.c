/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quirks that are a part of a rule: drivers that accept what the rule forbids, but for
 * this. A profile of such a device accepts the rule, and names the part.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#include "image_shape.h"

#define SECTION "not of the specification"

static bool parent_is_image(const struct rule_input *in, struct rule_why *why)
{
	return in->other && !berth__is_buffer(in->other) &&
	       berth__rule_why(why, "sub-buffer %" PRIu64 ": its parent %" PRIu64 " is no buffer",
			       in->op->object, in->other->id);
}

static bool origin_outside(const struct rule_input *in, struct rule_why *why)
{
	return in->other && in->op->offset_bytes >= in->other->bytes &&
	       berth__rule_why(why, "sub-buffer %" PRIu64 ": it begins at %" PRIu64 " of %" PRIu64,
			       in->op->object, in->op->offset_bytes, in->other->bytes);
}

static bool uses_and_allocates(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->flags & CL_MEM_USE_HOST_PTR) && (in->op->flags & CL_MEM_ALLOC_HOST_PTR) &&
	       berth__rule_why(why, "object %" PRIu64
			       ": both CL_MEM_USE_HOST_PTR and CL_MEM_ALLOC_HOST_PTR",
			       in->op->object);
}

static bool without_width(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->op->image.width == 0 &&
	       berth__rule_why(why, "image %" PRIu64 ": its width is 0", in->op->object);
}

static bool line_on_image(const struct rule_input *in, struct rule_why *why)
{
	return in->shape && in->shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && in->other &&
	       in->other->kind == BERTH_OBJECT_IMAGE &&
	       berth__rule_why(why, "image %" PRIu64 ": a 1D buffer image on image %" PRIu64,
			       in->op->object, in->other->id);
}

#define KINDS_STORE (KIND(BUFFER_CREATE) | KIND(IMAGE_CREATE))

static const struct rule_row create_rows[] = {
	{ { "Q.parent_image", SECTION, "the parent of a sub-buffer is a buffer or sub-buffer",
	    KIND(SUBBUFFER_CREATE), { CL_INVALID_MEM_OBJECT } }, parent_is_image },
	{ { "Q.subbuffer_origin", SECTION, "a sub-buffer begins inside its parent",
	    KIND(SUBBUFFER_CREATE), { CL_INVALID_VALUE } }, origin_outside },
	{ { "Q.use_and_alloc", SECTION, "USE_HOST_PTR does not go with ALLOC_HOST_PTR", KINDS_STORE,
	    { CL_INVALID_VALUE } }, uses_and_allocates },
	{ { "Q.zero_width", SECTION, "the width of an image is not 0", KIND(IMAGE_CREATE),
	    { CL_INVALID_IMAGE_SIZE } }, without_width },
	{ { "Q.line_on_image", SECTION, "a 1D buffer image does not lie on an image",
	    KIND(IMAGE_CREATE), { CL_INVALID_IMAGE_DESCRIPTOR } }, line_on_image },
};

const struct rule_table berth__rules_quirk_part_create =
	RULE_TABLE(create_rows, KINDS_STORE | KIND(SUBBUFFER_CREATE), FORMS_NONE);

static bool map_bits_unknown(const struct rule_input *in, struct rule_why *why)
{
	uint64_t known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

	return (in->op->flags & ~known) &&
	       berth__rule_why(why, "map flags 0x%" PRIX64 ", known are 0x%" PRIX64, in->op->flags,
			       known);
}

static bool invalidates_and_reads(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->flags & CL_MAP_WRITE_INVALIDATE_REGION) &&
	       (in->op->flags & CL_MAP_READ) &&
	       berth__rule_why(why, "map flags 0x%" PRIX64
			       ": to read, and to invalidate", in->op->flags);
}

static bool plain_write_forbidden(const struct rule_input *in, struct rule_why *why)
{
	uint64_t forbidding = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

	return in->object && (in->op->flags & CL_MAP_WRITE) && (in->object->flags & forbidding) &&
	       berth__rule_why(why, "CL_MAP_WRITE of object %" PRIu64 " with flags 0x%" PRIX64,
			       in->object->id, in->object->flags);
}

static const struct rule_row map_rows[] = {
	{ { "Q.map_bits", SECTION, "every bit of the map flags is known", KIND(MAP),
	    { CL_INVALID_VALUE } }, map_bits_unknown },
	{ { "Q.map_invalidate_read", SECTION, "WRITE_INVALIDATE_REGION does not go with READ",
	    KIND(MAP), { CL_INVALID_VALUE } }, invalidates_and_reads },
	{ { "Q.map_plain_write", SECTION,
	    "what is mapped with CL_MAP_WRITE is not HOST_READ_ONLY or HOST_NO_ACCESS", KIND(MAP),
	    { CL_INVALID_OPERATION } }, plain_write_forbidden },
};

const struct rule_table berth__rules_quirk_part_map =
	RULE_TABLE(map_rows, KIND(MAP), FORM(LINEAR) | FORM(IMAGE) | FORM(SVM));

static bool argument_no_image(const struct rule_input *in, struct rule_why *why)
{
	const berth_object *object =
		in->op->use_count ? berth_objects_find(in->objects, in->op->uses[0].object) : NULL;
	bool wants_image = berth__image_shape_find(in->op->image.type) != NULL;

	return object && in->op->image.type &&
	       wants_image != (object->kind == BERTH_OBJECT_IMAGE) &&
	       berth__rule_why(why, "object %" PRIu64 " is %s image, the kernel declares %s",
			       object->id, object->kind == BERTH_OBJECT_IMAGE ? "an" : "no",
			       wants_image ? "one" : "none");
}

static const struct rule_row argument_rows[] = {
	{ { "Q.arg_image", SECTION, "an argument is an image exactly where the kernel declares one",
	    KIND(ARG), { CL_INVALID_MEM_OBJECT } }, argument_no_image },
};

const struct rule_table berth__rules_quirk_part_argument =
	RULE_TABLE(argument_rows, KIND(ARG), FORMS_NONE);
