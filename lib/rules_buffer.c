/* SPDX-License-Identifier: Apache-2.0 */
/* Rules on clCreateBuffer and clCreateSubBuffer ("Creating Buffer Objects"): R24-R38. */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "Creating Buffer Objects"

static bool buffer_of_no_bytes(const struct rule_input *in, struct rule_why *why)
{
	return in->op->bytes == 0 &&
	       berth__rule_why(why, "object %" PRIu64 " has 0 bytes, at least 1 is needed",
			       in->op->object);
}

static bool buffer_over_maximum(const struct rule_input *in, struct rule_why *why)
{
	return in->op->bytes > in->caps->max_alloc_bytes &&
	       berth__rule_why(why, "object %" PRIu64 " has %" PRIu64
			       " bytes, CL_DEVICE_MAX_MEM_ALLOC_SIZE is %" PRIu64,
			       in->op->object, in->op->bytes, in->caps->max_alloc_bytes);
}

/* Memory of clSVMAlloc under a buffer has to be as large as it. */
static bool svm_too_small(const struct rule_input *in, struct rule_why *why)
{
	uint64_t pointer = in->op->host_address, left;
	const berth_object *svm = NULL;

	if (pointer && (in->op->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
		svm = berth_objects_find_svm(in->objects, pointer);
	if (!svm)
		return false;
	left = svm->bytes - (pointer - svm->host_address);
	return in->op->bytes > left &&
	       berth__rule_why(why, "object %" PRIu64 " has %" PRIu64
			       " bytes, SVM allocation %" PRIu64 " has %" PRIu64
			       " from host_ptr on", in->op->object, in->op->bytes, svm->id, left);
}

static const struct rule_row buffer_rows[] = {
	{ { "R24", SECTION, "the size is not 0", KIND(BUFFER_CREATE), { CL_INVALID_BUFFER_SIZE } },
	  buffer_of_no_bytes },
	{ { "R25", SECTION, "the size is at most CL_DEVICE_MAX_MEM_ALLOC_SIZE", KIND(BUFFER_CREATE),
	    { CL_INVALID_BUFFER_SIZE } }, buffer_over_maximum },
	{ { "R26", SECTION, "an SVM allocation behind host_ptr is at least as large as the buffer",
	    KIND(BUFFER_CREATE), { CL_INVALID_BUFFER_SIZE } }, svm_too_small },
	{ { "R27", SECTION, "with USE_HOST_PTR or COPY_HOST_PTR, host_ptr is not NULL",
	    KIND(BUFFER_CREATE), { CL_INVALID_HOST_PTR } }, berth__pointer_missing },
	{ { "R28", SECTION, "without USE_HOST_PTR and COPY_HOST_PTR, host_ptr is NULL",
	    KIND(BUFFER_CREATE), { CL_INVALID_HOST_PTR } }, berth__pointer_unwanted },
};

static bool property_wrong(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->absent & BERTH_ABSENT_PROPERTY) &&
	       berth__rule_why(why, "object %" PRIu64
			       ": a property is not known, stands twice, or has no such value",
			       in->op->object);
}

static const struct rule_row property_rows[] = {
	{ { "R21", SECTION, "each property is known, stands once, and has a valid value",
	    KIND(BUFFER_CREATE), { CL_INVALID_PROPERTY } }, property_wrong },
	{ { "R44", "Creating Image Objects",
	    "each property is known, stands once, and has a valid value", KIND(IMAGE_CREATE),
	    { CL_INVALID_PROPERTY } }, property_wrong },
};

const struct rule_table berth__rules_properties =
	RULE_TABLE(property_rows, KIND(BUFFER_CREATE) | KIND(IMAGE_CREATE), FORMS_NONE);

const struct rule_table berth__rules_buffer =
	RULE_TABLE(buffer_rows, KIND(BUFFER_CREATE), FORMS_NONE);

static bool parent_not_known(const struct rule_input *in, struct rule_why *why)
{
	return !in->other && berth__rule_why_object(in, why, in->op->other, "a buffer");
}

static bool parent_no_buffer(const struct rule_input *in, struct rule_why *why)
{
	return in->other && in->other->kind != BERTH_OBJECT_BUFFER &&
	       berth__rule_why_object(in, why, in->op->other, "a buffer");
}

static const struct rule_row parent_rows[] = {
	{ { "R31.mem_object", SECTION, "the parent is a memory object", KIND(SUBBUFFER_CREATE),
	    { CL_INVALID_MEM_OBJECT } }, parent_not_known },
	{ { "R31.buffer", SECTION, "the parent is a buffer, and no sub-buffer",
	    KIND(SUBBUFFER_CREATE), { CL_INVALID_MEM_OBJECT } }, parent_no_buffer },
};

const struct rule_table berth__rules_subbuffer_parent =
	RULE_TABLE(parent_rows, KIND(SUBBUFFER_CREATE), FORMS_NONE);

static bool has_info(const struct rule_input *in)
{
	return !(in->op->absent & (BERTH_ABSENT_INFO | BERTH_ABSENT_CREATE_TYPE));
}

static bool info_missing(const struct rule_input *in, struct rule_why *why)
{
	return !has_info(in) &&
	       berth__rule_why(why, "sub-buffer %" PRIu64 ": %s", in->op->object,
			       in->op->absent & BERTH_ABSENT_INFO
				       ? "buffer_create_info is NULL"
				       : "the type is not CL_BUFFER_CREATE_TYPE_REGION");
}

static bool region_leaves_parent(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;

	return has_info(in) && in->other &&
	       berth__leaves(op->offset_bytes, op->bytes, in->other->bytes) &&
	       berth__rule_why(why, "sub-buffer %" PRIu64 ": %" PRIu64 " bytes at %" PRIu64
			       ", buffer %" PRIu64 " has %" PRIu64, op->object, op->bytes,
			       op->offset_bytes, in->other->id, in->other->bytes);
}

static bool region_of_no_bytes(const struct rule_input *in, struct rule_why *why)
{
	return has_info(in) && buffer_of_no_bytes(in, why);
}

static bool origin_misaligned(const struct rule_input *in, struct rule_why *why)
{
	uint32_t align = berth_caps_base_align_bytes(in->caps);
	uint64_t over = in->op->offset_bytes % align;

	return has_info(in) && over != 0 &&
	       berth__rule_why(why, "sub-buffer %" PRIu64 ": origin %" PRIu64
			       " is not a multiple of %" PRIu32
			       " bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN is %" PRIu32
			       " bits); the next one is %" PRIu64,
			       in->op->object, in->op->offset_bytes, align,
			       in->caps->base_addr_align_bits, in->op->offset_bytes - over + align);
}

static const struct rule_row subbuffer_rows[] = {
	{ { "R35", SECTION, "the create type is a region, and its info is there",
	    KIND(SUBBUFFER_CREATE), { CL_INVALID_VALUE } }, info_missing },
	{ { "R36", SECTION, "the region lies inside the buffer", KIND(SUBBUFFER_CREATE),
	    { CL_INVALID_VALUE } }, region_leaves_parent },
	{ { "R37", SECTION, "the size is not 0", KIND(SUBBUFFER_CREATE),
	    { CL_INVALID_BUFFER_SIZE } }, region_of_no_bytes },
	{ { "R38", SECTION, "the origin is a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN bits",
	    KIND(SUBBUFFER_CREATE), { CL_MISALIGNED_SUB_BUFFER_OFFSET } }, origin_misaligned },
};

const struct rule_table berth__rules_subbuffer =
	RULE_TABLE(subbuffer_rows, KIND(SUBBUFFER_CREATE), FORMS_NONE);
