/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on commands that take whole objects ("Unmapping Mapped Memory Objects",
 * "Migrating Memory Objects", "Setting Kernel Arguments", "Executing Kernels",
 * "Retaining and Releasing Memory Objects"): R120, R122, R123, R128, R130, R134.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

static bool object_not_known(const struct rule_input *in, struct rule_why *why)
{
	return !in->object && berth__rule_why_object(in, why, in->op->object, "a memory object");
}

static bool mapping_not_live(const struct rule_input *in, struct rule_why *why)
{
	return in->object && in->object->kind != BERTH_OBJECT_PIPE &&
	       !berth_object_find_mapping(in->object, in->op->mapping) &&
	       berth__rule_why(why, "unmap of object %" PRIu64 ": mapping %" PRIu64
			       " is none of its %" PRIu32 " live mappings", in->object->id,
			       in->op->mapping, in->object->mapping_count);
}

static bool pipe_unmapped(const struct rule_input *in, struct rule_why *why)
{
	return in->object && in->object->kind == BERTH_OBJECT_PIPE &&
	       berth__rule_why(why, "unmap of object %" PRIu64 ", a pipe: it cannot be mapped",
			       in->object->id);
}

#define UNMAP "Unmapping Mapped Memory Objects"

static const struct rule_row unmap_rows[] = {
	{ { "R120.mem_object", UNMAP, "the object is a memory object", KIND(UNMAP),
	    { CL_INVALID_MEM_OBJECT } }, object_not_known },
	{ { "R120.pipe", UNMAP, "the object is no pipe", KIND(UNMAP), { CL_INVALID_MEM_OBJECT } },
	  pipe_unmapped },
	{ { "R120.mapping", UNMAP, "the pointer is of a live mapping of the object", KIND(UNMAP),
	    { CL_INVALID_VALUE } }, mapping_not_live },
};

const struct rule_table berth__rules_unmap = RULE_TABLE(unmap_rows, KIND(UNMAP), FORMS_NONE);

static bool list_names_no_object(const struct rule_input *in, struct rule_why *why)
{
	if (in->op->absent & BERTH_ABSENT_LIST)
		return false;
	for (uint32_t i = 0; i < in->op->use_count; i++)
		if (!berth_objects_find(in->objects, in->op->uses[i].object))
			return berth__rule_why_object(in, why, in->op->uses[i].object,
						      "a memory object");
	return false;
}

static bool list_missing(const struct rule_input *in, struct rule_why *why)
{
	return ((in->op->absent & BERTH_ABSENT_LIST) || in->op->use_count == 0) &&
	       berth__rule_why(why, "migrate of %" PRIu32 " objects: %s", in->op->use_count,
			       in->op->absent & BERTH_ABSENT_LIST ? "the list is NULL"
								  : "at least 1 is needed");
}

static bool migration_flags_wrong(const struct rule_input *in, struct rule_why *why)
{
	uint64_t known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

	return (in->op->flags & ~known) &&
	       berth__rule_why(why, "migrate of %" PRIu32 " objects: flags 0x%" PRIX64
			       ", known are 0x%" PRIX64, in->op->use_count, in->op->flags, known);
}

#define MIGRATE "Migrating Memory Objects"

static const struct rule_row migrate_rows[] = {
	{ { "R122.mem_object", MIGRATE, "each object is a memory object", KIND(MIGRATE),
	    { CL_INVALID_MEM_OBJECT } }, list_names_no_object },
	{ { "R122.list", MIGRATE, "there is at least one object", KIND(MIGRATE),
	    { CL_INVALID_VALUE } }, list_missing },
	{ { "R122.flags", MIGRATE, "every migration flag is known", KIND(MIGRATE),
	    { CL_INVALID_VALUE } }, migration_flags_wrong },
};

const struct rule_table berth__rules_migrate = RULE_TABLE(migrate_rows, KIND(MIGRATE), FORMS_NONE);

static bool argument_no_object(const struct rule_input *in, struct rule_why *why)
{
	for (uint32_t i = 0; i < in->op->use_count; i++) {
		uint64_t id = in->op->uses[i].object;

		/* A NULL buffer is a legal argument (R124). */
		if (id != BERTH_ID_NONE && !berth_objects_find(in->objects, id))
			return berth__rule_why_object(in, why, id, "a memory object");
	}
	return false;
}

static bool argument_misaligned(const struct rule_input *in, struct rule_why *why)
{
	uint32_t align = berth_caps_base_align_bytes(in->caps);

	for (uint32_t i = 0; i < in->op->use_count; i++) {
		const berth_object *object =
			berth_objects_find(in->objects, in->op->uses[i].object);

		if (object && object->kind == BERTH_OBJECT_SUBBUFFER &&
		    object->offset_bytes % align != 0)
			return berth__rule_why(why, "argument %" PRIu32 ": sub-buffer %" PRIu64
					       " lies at %" PRIu64 ", not a multiple of %" PRIu32
					       " bytes", in->op->uses[i].arg_index, object->id,
					       object->offset_bytes, align);
	}
	return false;
}

static const struct rule_row use_rows[] = {
	{ { "R123", "Setting Kernel Arguments", "each argument is NULL or a memory object", KIND(USE),
	    { CL_INVALID_MEM_OBJECT } }, argument_no_object },
	{ { "R128", "Executing Kernels", "each sub-buffer is aligned for the device", KIND(USE),
	    { CL_MISALIGNED_SUB_BUFFER_OFFSET } }, argument_misaligned },
};

const struct rule_table berth__rules_use = RULE_TABLE(use_rows, KIND(USE), FORMS_NONE);

static const struct rule_row lifetime_rows[] = {
	{ { "R130", "Retaining and Releasing Memory Objects", "the object is a memory object",
	    KIND(RETAIN) | KIND(RELEASE), { CL_INVALID_MEM_OBJECT } }, object_not_known },
};

const struct rule_table berth__rules_lifetime =
	RULE_TABLE(lifetime_rows, KIND(RETAIN) | KIND(RELEASE), FORMS_NONE);

static bool function_missing(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->absent & BERTH_ABSENT_FUNCTION) &&
	       berth__rule_why(why, "object %" PRIu64 ": pfn_notify is NULL", in->op->object);
}

#define CALLBACKS "Retaining and Releasing Memory Objects"

static const struct rule_row destructor_rows[] = {
	{ { "R134.mem_object", CALLBACKS, "the object is a memory object", KIND(DESTRUCTOR),
	    { CL_INVALID_MEM_OBJECT } }, object_not_known },
	{ { "R134", CALLBACKS, "the destructor callback is not NULL", KIND(DESTRUCTOR),
	    { CL_INVALID_VALUE } }, function_missing },
};

const struct rule_table berth__rules_destructor =
	RULE_TABLE(destructor_rows, KIND(DESTRUCTOR), FORMS_NONE);
