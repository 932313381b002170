/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules that maps of buffers and of images share ("Mapping Buffer Objects",
 * "Mapping Image Objects"): R106, R116.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "Mapping Buffer Objects"
#define IMAGES "Mapping Image Objects"

#define MAP_WRITES ((uint64_t)(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))

static bool flags_wrong(const struct rule_input *in, struct rule_why *why)
{
	uint64_t known = CL_MAP_READ | CL_MAP_WRITE, flags = in->op->flags;

	if (in->caps->cl_version >= 120)
		known |= CL_MAP_WRITE_INVALIDATE_REGION;
	if (!(flags & ~known) && (!(flags & CL_MAP_WRITE_INVALIDATE_REGION) ||
				  !(flags & (CL_MAP_READ | CL_MAP_WRITE))))
		return false;
	return berth__rule_why(why, "map of object %" PRIu64 ": map flags 0x%" PRIX64
			       ", allowed are 0x%" PRIX64 ", the bit 0x%X only alone",
			       in->op->object, flags, known, CL_MAP_WRITE_INVALIDATE_REGION);
}

static const struct rule_row flags_rows[] = {
	{ { "R106.flags", SECTION,
	    "the map flags are known, and WRITE_INVALIDATE_REGION stands alone", KIND(MAP),
	    { CL_INVALID_VALUE } }, flags_wrong },
};

const struct rule_table berth__rules_map =
	RULE_TABLE(flags_rows, KIND(MAP), FORM(LINEAR) | FORM(IMAGE));

static bool pitch_pointer_missing(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->absent & BERTH_ABSENT_MAP_PITCH) &&
	       berth__rule_why(why, "map of image %" PRIu64
			       ": the pointer for a row or slice pitch is NULL", in->op->object);
}

static const struct rule_row image_rows[] = {
	{ { "R116.pitch", IMAGES, "the pointers for the pitches are not NULL", KIND(MAP),
	    { CL_INVALID_VALUE } }, pitch_pointer_missing },
};

const struct rule_table berth__rules_image_map = RULE_TABLE(image_rows, KIND(MAP), FORM(IMAGE));

static bool map_forbidden(const struct rule_input *in, struct rule_why *why, uint64_t map_flags,
			  uint64_t forbidding)
{
	return in->object && (in->op->flags & map_flags) && (in->object->flags & forbidding) &&
	       berth__rule_why(why, "map of object %" PRIu64 " with map flags 0x%" PRIX64
			       ": its flags 0x%" PRIX64 " hold 0x%" PRIX64, in->object->id,
			       in->op->flags, in->object->flags, in->object->flags & forbidding);
}

static bool read_forbidden(const struct rule_input *in, struct rule_why *why)
{
	return map_forbidden(in, why, CL_MAP_READ, CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS);
}

static bool write_forbidden(const struct rule_input *in, struct rule_why *why)
{
	return map_forbidden(in, why, MAP_WRITES, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
}

/* Live mappings are inside their object, what is asked may not be: its end may wrap. */
static bool meets(uint64_t mapped, uint64_t mapped_size, uint64_t asked, uint64_t asked_size)
{
	uint64_t end;

	return !__builtin_add_overflow(asked, asked_size, &end) &&
	       berth__meet(mapped, mapped_size, asked, asked_size);
}

static bool mapping_overlaps(const berth_mapping *mapping, const berth_op *op)
{
	if (!(mapping->flags & MAP_WRITES) || mapping->linear != (op->form == BERTH_FORM_LINEAR))
		return false;
	if (mapping->linear)
		return meets(mapping->offset_bytes, mapping->bytes, op->offset_bytes, op->bytes);
	for (int axis = 0; axis < 3; axis++)
		if (!meets(mapping->origin[axis], mapping->extent[axis], op->region.origin[axis],
			   op->region.extent[axis]))
			return false;
	return true;
}

/* Where a linear map of one object, or a sub-buffer's, lies in the buffer that owns the memory. */
struct stretch {
	uint64_t start, bytes;
};

static bool meets_stretch(const berth_object *relative, const berth_mapping *mapping, void *userdata)
{
	const struct stretch *asked = userdata;

	return mapping->linear && (mapping->flags & MAP_WRITES) &&
	       meets(relative->offset_bytes + mapping->offset_bytes, mapping->bytes, asked->start,
		     asked->bytes);
}

/*
 * A buffer and its sub-buffers are one memory. What an image on a buffer maps is rows of it,
 * so it is left to the image's own mappings.
 */
static bool relative_overlaps(const struct rule_input *in, struct rule_why *why)
{
	const berth_object *relative, *object = in->object;
	struct stretch asked;

	if (!object || in->op->form != BERTH_FORM_LINEAR || !(in->op->flags & MAP_WRITES) ||
	    berth__leaves(in->op->offset_bytes, in->op->bytes, object->bytes))
		return false;
	asked = (struct stretch){ object->offset_bytes + in->op->offset_bytes, in->op->bytes };
	relative = berth_objects_find_mapped_relative(in->objects, object, meets_stretch, &asked);
	return relative &&
	       berth__rule_why(why, "map of object %" PRIu64 " for writing, at %" PRIu64
			       ", overlaps a mapping of object %" PRIu64
			       ", which lies in the same buffer",
			       object->id, in->op->offset_bytes, relative->id);
}

static bool write_overlaps(const struct rule_input *in, struct rule_why *why)
{
	if (!in->object || !(in->op->flags & MAP_WRITES))
		return false;
	for (uint32_t i = 0; i < in->object->mapping_count; i++) {
		const berth_mapping *mapping = &in->object->mappings[i];

		if (mapping_overlaps(mapping, in->op))
			return berth__rule_why(why, "map of object %" PRIu64 " for writing, at %" PRIu64
					       ", overlaps mapping %" PRIu64 " at %" PRIu64,
					       in->object->id,
					       mapping->linear ? in->op->offset_bytes
							       : in->op->region.origin[0],
					       mapping->id,
					       mapping->linear ? mapping->offset_bytes
							       : mapping->origin[0]);
	}
	return false;
}

static const struct rule_row access_rows[] = {
	{ { "R106.host_read", SECTION,
	    "what is mapped for reading is not HOST_WRITE_ONLY or HOST_NO_ACCESS", KIND(MAP),
	    { CL_INVALID_OPERATION } }, read_forbidden },
	{ { "R106.host_write", SECTION,
	    "what is mapped for writing is not HOST_READ_ONLY or HOST_NO_ACCESS", KIND(MAP),
	    { CL_INVALID_OPERATION } }, write_forbidden },
	{ { "R106.overlap", SECTION, "regions mapped for writing do not overlap", KIND(MAP),
	    { CL_INVALID_OPERATION } }, write_overlaps },
	{ { "R106.relative", SECTION,
	    "regions of a buffer and its sub-buffers mapped for writing do not overlap", KIND(MAP),
	    { CL_INVALID_OPERATION } }, relative_overlaps },
};

const struct rule_table berth__rules_map_access =
	RULE_TABLE(access_rows, KIND(MAP), FORM(LINEAR) | FORM(IMAGE));
