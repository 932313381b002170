/* SPDX-License-Identifier: Apache-2.0 */
/* Rules on clSetKernelArg with memory objects ("Setting Kernel Arguments"): R123-R125. */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#include "image_shape.h"
#include "mem_flags.h"

#define SECTION "Setting Kernel Arguments"

static const berth_object_use *argument(const struct rule_input *in)
{
	static const berth_object_use null_argument;

	return in->op->use_count ? &in->op->uses[0] : &null_argument;
}

static const berth_object *object_of(const struct rule_input *in)
{
	const berth_object *object = berth_objects_find(in->objects, argument(in)->object);

	return object && object->kind != BERTH_OBJECT_SVM ? object : NULL;
}

static bool no_object(const struct rule_input *in, struct rule_why *why)
{
	uint64_t id = argument(in)->object;

	/* NULL is good for a pointer (R124), and for what the kernel is not known to declare. */
	if (object_of(in) ||
	    (id == BERTH_ID_NONE &&
	     (in->op->image.type == 0 || in->op->image.type == CL_MEM_OBJECT_BUFFER)))
		return false;
	return berth__rule_why_object(in, why, id, "a memory object");
}

/* What a kernel has to declare for an object: CL_MEM_OBJECT_BUFFER and the like. */
static uint32_t type_of(const berth_object *object)
{
	if (object->kind == BERTH_OBJECT_PIPE)
		return CL_MEM_OBJECT_PIPE;
	return object->kind == BERTH_OBJECT_IMAGE ? object->image.type : CL_MEM_OBJECT_BUFFER;
}

static const char *type_string(uint32_t type)
{
	const struct berth__image_shape *shape = berth__image_shape_find(type);

	if (shape)
		return shape->name;
	return type == CL_MEM_OBJECT_PIPE ? "pipe" : "buffer";
}

static bool wrong_type(const struct rule_input *in, struct rule_why *why)
{
	const berth_object *object = object_of(in);
	uint32_t type = in->op->image.type;

	return object && type != 0 && type != type_of(object) &&
	       berth__rule_why(why, "argument %" PRIu32 " is declared as a %s, object %" PRIu64
			       " is a %s", argument(in)->arg_index, type_string(type), object->id,
			       type_string(type_of(object)));
}

static bool wrong_size(const struct rule_input *in, struct rule_why *why)
{
	return in->op->bytes != sizeof(cl_mem) &&
	       berth__rule_why(why, "argument %" PRIu32 ": arg_size is %" PRIu64
			       ", sizeof(cl_mem) is %zu", argument(in)->arg_index, in->op->bytes,
			       sizeof(cl_mem));
}

static bool access_forbidden(const struct rule_input *in, struct rule_why *why)
{
	const berth_object *object = object_of(in);
	uint32_t access = argument(in)->access;

	if (!object || object->kind != BERTH_OBJECT_IMAGE)
		return false;
	if (!(access == BERTH_ACCESS_READ && (object->flags & CL_MEM_WRITE_ONLY)) &&
	    !(access == BERTH_ACCESS_WRITE && (object->flags & CL_MEM_READ_ONLY)))
		return false;
	return berth__rule_why(why, "argument %" PRIu32 " is declared %s, image %" PRIu64
			       " has the flags 0x%" PRIX64, argument(in)->arg_index,
			       access == BERTH_ACCESS_READ ? "read_only" : "write_only", object->id,
			       object->flags);
}

static const struct rule_row rows[] = {
	{ { "R123.mem_object", SECTION, "the argument is a memory object, or NULL for a pointer",
	    KIND(ARG), { CL_INVALID_MEM_OBJECT } }, no_object },
	{ { "R125", SECTION, "the object is of the type that the kernel declares", KIND(ARG),
	    { CL_INVALID_MEM_OBJECT, CL_INVALID_ARG_VALUE } }, wrong_type },
	{ { "R123.size", SECTION, "arg_size is sizeof(cl_mem)", KIND(ARG),
	    { CL_INVALID_ARG_SIZE } }, wrong_size },
	{ { "R123.access", SECTION,
	    "a read_only argument is no WRITE_ONLY image, a write_only one no READ_ONLY image",
	    KIND(ARG), { CL_INVALID_ARG_VALUE } }, access_forbidden },
};

const struct rule_table berth__rules_argument = RULE_TABLE(rows, KIND(ARG), FORMS_NONE);
