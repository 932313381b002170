/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on shared virtual memory ("SVM Sharing Granularity", "Enqueuing SVM
 * Operations", "Setting Kernel Arguments"): R160-R169.
 *
 * clSVMAlloc gives no code, only NULL: a refusal of it is written
 * CL_MEM_OBJECT_ALLOCATION_FAILURE here. That a pointer lies in an allocation, and
 * its range too, is no error the text names: it is undefined else, and what a
 * program does then cannot be said; the rows R169 refuse it so that nothing runs wild.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#include "mem_flags.h"

#define ALLOC "Allocating SVM Memory"
#define QUEUE "SVM Memory Operations"
#define ARGS "Setting Kernel Arguments"

#define FLAGS_SVM ((uint64_t)(CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS))
#define USM                                                                                        \
	(BERTH_OP_USM_HOST | BERTH_OP_USM_DEVICE | BERTH_OP_USM_SHARED)

/* Unified shared memory is an extension with limits of its own, which no capability says. */
static bool is_svm(const struct rule_input *in)
{
	return !(in->op->bits & USM);
}

static bool no_svm(const struct rule_input *in, struct rule_why *why)
{
	return is_svm(in) && in->caps->svm_caps == 0 &&
	       berth__rule_why(why, "the device has no shared virtual memory "
				    "(CL_DEVICE_SVM_CAPABILITIES is 0)");
}

static bool alloc_flags_wrong(const struct rule_input *in, struct rule_why *why)
{
	uint64_t flags = in->op->flags, access = flags & FLAGS_ACCESS;

	if (!is_svm(in))
		return false;
	if (!(flags & ~(FLAGS_ACCESS | FLAGS_SVM)) && !(access & (access - 1)) &&
	    ((flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) || !(flags & CL_MEM_SVM_ATOMICS)))
		return false;
	return berth__rule_why(why, "SVM allocation %" PRIu64 ": flags 0x%" PRIX64
			       "; allowed are one access flag, SVM_FINE_GRAIN_BUFFER, and "
			       "SVM_ATOMICS with it", in->op->object, flags);
}

static bool fine_grain_not_there(const struct rule_input *in, struct rule_why *why)
{
	return is_svm(in) && (in->op->flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) &&
	       !(in->caps->svm_caps & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) &&
	       berth__rule_why(why, "SVM allocation %" PRIu64 ": fine-grained, but "
			       "CL_DEVICE_SVM_CAPABILITIES is 0x%" PRIX64, in->op->object,
			       in->caps->svm_caps);
}

static bool atomics_not_there(const struct rule_input *in, struct rule_why *why)
{
	return is_svm(in) && (in->op->flags & CL_MEM_SVM_ATOMICS) &&
	       !(in->caps->svm_caps & CL_DEVICE_SVM_ATOMICS) &&
	       berth__rule_why(why, "SVM allocation %" PRIu64 ": with atomics, but "
			       "CL_DEVICE_SVM_CAPABILITIES is 0x%" PRIX64, in->op->object,
			       in->caps->svm_caps);
}

static bool alloc_of_no_bytes(const struct rule_input *in, struct rule_why *why)
{
	return in->op->bytes == 0 &&
	       berth__rule_why(why, "SVM allocation %" PRIu64 " has 0 bytes, at least 1 is needed",
			       in->op->object);
}

static bool alloc_over_maximum(const struct rule_input *in, struct rule_why *why)
{
	return is_svm(in) && in->op->bytes > in->caps->max_alloc_bytes &&
	       berth__rule_why(why, "SVM allocation %" PRIu64 " has %" PRIu64
			       " bytes, CL_DEVICE_MAX_MEM_ALLOC_SIZE is %" PRIu64,
			       in->op->object, in->op->bytes, in->caps->max_alloc_bytes);
}

static bool alignment_wrong(const struct rule_input *in, struct rule_why *why)
{
	uint64_t align = in->op->alignment_bytes;

	return (align & (align - 1)) != 0 &&
	       berth__rule_why(why, "SVM allocation %" PRIu64 ": alignment %" PRIu64
			       " is no power of two", in->op->object, align);
}

static const struct rule_row alloc_rows[] = {
	{ { "R168", ALLOC, "the device has shared virtual memory", KIND(SVM_ALLOC),
	    { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, no_svm },
	{ { "R160.flags", ALLOC, "the flags are known, and atomics go with fine grain only",
	    KIND(SVM_ALLOC), { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, alloc_flags_wrong },
	{ { "R160.fine_grain", ALLOC, "fine grain is asked only of a device that has it",
	    KIND(SVM_ALLOC), { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, fine_grain_not_there },
	{ { "R160.atomics", ALLOC, "atomics are asked only of a device that has them",
	    KIND(SVM_ALLOC), { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, atomics_not_there },
	{ { "R160.zero", ALLOC, "the size is not 0", KIND(SVM_ALLOC),
	    { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, alloc_of_no_bytes },
	{ { "R160.size", ALLOC, "the size is at most CL_DEVICE_MAX_MEM_ALLOC_SIZE",
	    KIND(SVM_ALLOC), { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, alloc_over_maximum },
	{ { "R160.alignment", ALLOC, "the alignment is 0 or a power of two", KIND(SVM_ALLOC),
	    { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, alignment_wrong },
};

const struct rule_table berth__rules_svm_alloc =
	RULE_TABLE(alloc_rows, KIND(SVM_ALLOC), FORMS_NONE);

static bool is_enqueued(const struct rule_input *in)
{
	return in->op->bits & BERTH_OP_ENQUEUED;
}

static bool free_without_svm(const struct rule_input *in, struct rule_why *why)
{
	return is_enqueued(in) && no_svm(in, why);
}

/* A list and its length go together; a single object is a list of one. */
static bool free_list_wrong(const struct rule_input *in, struct rule_why *why)
{
	bool absent = in->op->absent & BERTH_ABSENT_LIST;
	uint32_t count = in->op->use_count + (in->op->object != BERTH_ID_NONE);

	return is_enqueued(in) && absent == (count != 0) &&
	       berth__rule_why(why, "svm_free of %" PRIu32 " pointers: the list is%s NULL", count,
			       absent ? "" : " not");
}

static const struct rule_row free_rows[] = {
	{ { "R168.free", QUEUE, "the device has shared virtual memory", KIND(SVM_FREE),
	    { CL_INVALID_OPERATION } }, free_without_svm },
	{ { "R161", QUEUE, "the list of pointers is NULL exactly when their number is 0",
	    KIND(SVM_FREE), { CL_INVALID_VALUE } }, free_list_wrong },
};

const struct rule_table berth__rules_svm_free = RULE_TABLE(free_rows, KIND(SVM_FREE), FORMS_NONE);

static const char *what(const struct rule_input *in)
{
	return berth_op_kind_string(in->op->kind);
}

static bool pointer_null(const struct rule_input *in, struct rule_why *why)
{
	bool host_too = (KINDS_TRANSFER >> in->op->kind & 1) != 0;
	bool two_sided = in->op->kind == BERTH_OP_COPY;

	return (in->op->object == BERTH_ID_NONE || (host_too && in->op->host_address == 0) ||
		(two_sided && in->op->other == BERTH_ID_NONE)) &&
	       berth__rule_why(why, "%s of SVM: a pointer is NULL", what(in));
}

static bool copy_overlaps(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;

	return in->object && in->object == in->other &&
	       !berth__leaves(op->offset_bytes, op->bytes, in->object->bytes) &&
	       !berth__leaves(op->other_offset_bytes, op->bytes, in->other->bytes) &&
	       berth__meet(op->offset_bytes, op->bytes, op->other_offset_bytes, op->bytes) &&
	       berth__rule_why(why, "copy of %" PRIu64 " bytes in SVM allocation %" PRIu64
			       ": those at %" PRIu64 " and those at %" PRIu64 " overlap", op->bytes,
			       in->object->id, op->offset_bytes, op->other_offset_bytes);
}

static bool pattern_missing(const struct rule_input *in, struct rule_why *why)
{
	return in->op->host_address == 0 &&
	       berth__rule_why(why, "fill of SVM: the pattern is NULL");
}

static bool pattern_size_wrong(const struct rule_input *in, struct rule_why *why)
{
	uint64_t bytes = in->op->pattern_bytes;

	return (bytes == 0 || bytes > 128 || (bytes & (bytes - 1)) != 0) &&
	       berth__rule_why(why, "fill of SVM: pattern of %" PRIu64
			       " bytes, allowed are powers of two up to 128", bytes);
}

/* An allocation is aligned to the largest pattern (R160), so the offset decides. */
static bool fill_not_multiple(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;

	if (pattern_size_wrong(in, NULL) ||
	    (op->offset_bytes % op->pattern_bytes == 0 && op->bytes % op->pattern_bytes == 0))
		return false;
	return berth__rule_why(why, "fill of SVM: %" PRIu64 " bytes at %" PRIu64
			       ", no multiples of the pattern's %" PRIu64, op->bytes,
			       op->offset_bytes, op->pattern_bytes);
}

static bool map_of_no_bytes(const struct rule_input *in, struct rule_why *why)
{
	return in->op->bytes == 0 && berth__rule_why(why, "map of SVM: 0 bytes");
}

static bool map_flags_wrong(const struct rule_input *in, struct rule_why *why)
{
	uint64_t known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
	uint64_t flags = in->op->flags;

	if (!(flags & ~known) && (!(flags & CL_MAP_WRITE_INVALIDATE_REGION) ||
				  !(flags & (CL_MAP_READ | CL_MAP_WRITE))))
		return false;
	return berth__rule_why(why, "map of SVM: map flags 0x%" PRIX64 ", allowed are 0x%" PRIX64
			       ", the bit 0x%X only alone", flags, known,
			       CL_MAP_WRITE_INVALIDATE_REGION);
}

#define MAPPED (KIND(MAP) | KIND(UNMAP))
#define ALL (KIND(WRITE) | KIND(READ) | KIND(COPY) | KIND(FILL) | MAPPED)

static bool not_allocated(const struct rule_input *in, struct rule_why *why)
{
	if (in->op->object != BERTH_ID_NONE && !in->object)
		return berth__rule_why_object(in, why, in->op->object, "an SVM allocation");
	if (in->op->kind == BERTH_OP_COPY && in->op->other != BERTH_ID_NONE && !in->other)
		return berth__rule_why_object(in, why, in->op->other, "an SVM allocation");
	return false;
}

static bool leaves(const struct rule_input *in, struct rule_why *why, const berth_object *object,
		   uint64_t offset)
{
	return object && berth__leaves(offset, in->op->bytes, object->bytes) &&
	       berth__rule_why(why, "%s: %" PRIu64 " bytes at %" PRIu64 " of SVM allocation %" PRIu64
			       ", which has %" PRIu64, what(in), in->op->bytes, offset, object->id,
			       object->bytes);
}

static bool leaves_allocation(const struct rule_input *in, struct rule_why *why)
{
	return leaves(in, why, in->object, in->op->offset_bytes) ||
	       (in->op->kind == BERTH_OP_COPY &&
		leaves(in, why, in->other, in->op->other_offset_bytes));
}

static bool mapping_not_live(const struct rule_input *in, struct rule_why *why)
{
	return in->object && !berth_object_find_mapping(in->object, in->op->mapping) &&
	       berth__rule_why(why, "unmap of SVM allocation %" PRIu64 ": %" PRIu64
			       " is none of its %" PRIu32 " live mappings", in->object->id,
			       in->op->mapping, in->object->mapping_count);
}

static const struct rule_row command_rows[] = {
	{ { "R168.command", QUEUE, "the device has shared virtual memory", ALL,
	    { CL_INVALID_OPERATION } }, no_svm },
	{ { "R162.pointer", QUEUE, "no pointer is NULL", ALL, { CL_INVALID_VALUE } }, pointer_null },
	{ { "R162.overlap", QUEUE, "source and destination do not overlap", KIND(COPY),
	    { CL_MEM_COPY_OVERLAP } }, copy_overlaps },
	{ { "R163.pattern", QUEUE, "the pattern is not NULL", KIND(FILL), { CL_INVALID_VALUE } },
	  pattern_missing },
	{ { "R163.pattern_size", QUEUE, "the pattern has a power of two of bytes, at most 128",
	    KIND(FILL), { CL_INVALID_VALUE } }, pattern_size_wrong },
	{ { "R163.multiple", QUEUE, "pointer and size are multiples of the pattern's size",
	    KIND(FILL), { CL_INVALID_VALUE } }, fill_not_multiple },
	{ { "R164.zero", QUEUE, "the size is not 0", KIND(MAP), { CL_INVALID_VALUE } },
	  map_of_no_bytes },
	{ { "R164.flags", QUEUE,
	    "the map flags are known, and WRITE_INVALIDATE_REGION stands alone", KIND(MAP),
	    { CL_INVALID_VALUE } }, map_flags_wrong },
	{ { "R169.allocation", QUEUE, "the pointer lies in an allocation (else undefined)", ALL,
	    { CL_INVALID_VALUE } }, not_allocated },
	{ { "R169.bounds", QUEUE, "the range lies in the allocation (else undefined)", ALL & ~KIND(UNMAP),
	    { CL_INVALID_VALUE } }, leaves_allocation },
	{ { "R165", QUEUE, "what is unmapped is mapped (else undefined)", KIND(UNMAP),
	    { CL_INVALID_VALUE } }, mapping_not_live },
};

const struct rule_table berth__rules_svm_command = RULE_TABLE(command_rows, ALL, FORM(SVM));

static bool migrate_list_missing(const struct rule_input *in, struct rule_why *why)
{
	return ((in->op->absent & BERTH_ABSENT_LIST) || in->op->use_count == 0) &&
	       berth__rule_why(why, "migrate of %" PRIu32 " SVM pointers: %s", in->op->use_count,
			       in->op->absent & BERTH_ABSENT_LIST ? "the list is NULL"
								  : "at least 1 is needed");
}

static bool migrate_no_allocation(const struct rule_input *in, struct rule_why *why)
{
	if (in->op->absent & BERTH_ABSENT_LIST)
		return false;
	for (uint32_t i = 0; i < in->op->use_count; i++) {
		const berth_object *object =
			berth_objects_find(in->objects, in->op->uses[i].object);

		if (!object || object->kind != BERTH_OBJECT_SVM)
			return berth__rule_why_object(in, why, in->op->uses[i].object,
						      "an SVM allocation");
	}
	return false;
}

static const struct rule_row migrate_rows[] = {
	{ { "R168.migrate", QUEUE, "the device has shared virtual memory", KIND(MIGRATE),
	    { CL_INVALID_OPERATION } }, no_svm },
	{ { "R166.list", QUEUE, "there is at least one pointer", KIND(MIGRATE),
	    { CL_INVALID_VALUE } }, migrate_list_missing },
	{ { "R166.allocation", QUEUE, "each pointer lies in an allocation", KIND(MIGRATE),
	    { CL_INVALID_VALUE } }, migrate_no_allocation },
};

const struct rule_table berth__rules_svm_migrate =
	RULE_TABLE(migrate_rows, KIND(MIGRATE), FORM(SVM));

static bool arg_no_allocation(const struct rule_input *in, struct rule_why *why)
{
	uint64_t id = in->op->use_count ? in->op->uses[0].object : BERTH_ID_NONE;
	const berth_object *object = berth_objects_find(in->objects, id);

	/* NULL is a pointer as any other; so is all memory where the device reaches all of it. */
	if (id == BERTH_ID_NONE || (in->caps->svm_caps & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ||
	    (object && object->kind == BERTH_OBJECT_SVM))
		return false;
	return berth__rule_why_object(in, why, id, "an SVM allocation");
}

static const struct rule_row arg_rows[] = {
	{ { "R168.arg", ARGS, "the device has shared virtual memory", KIND(ARG),
	    { CL_INVALID_OPERATION } }, no_svm },
	{ { "R167", ARGS, "the argument is NULL or a pointer into an allocation", KIND(ARG),
	    { CL_INVALID_ARG_VALUE } }, arg_no_allocation },
};

const struct rule_table berth__rules_svm_arg = RULE_TABLE(arg_rows, KIND(ARG), FORM(SVM));
