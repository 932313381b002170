/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on cl_mem_flags ("Memory Flags"): R11-R17, and what a sub-buffer or an
 * image on a memory object may ask of its parent: R32-R34, R77. Also the predicates
 * on the host pointer that the flags ask for (R27, R28, R51).
 *
 * The bit of cl_ext_immutable_memory_objects (R18) counts as not known: no
 * capability says whether a device has the extension.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#include "mem_flags.h"

#define SECTION "Creating Buffer Objects"
#define FLAGS_SVM ((uint64_t)(CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS))

static bool more_than_one(uint64_t bits)
{
	return (bits & (bits - 1)) != 0;
}

static bool why_flags(const struct rule_input *in, struct rule_why *why, uint64_t bits,
		      const char *problem)
{
	return berth__rule_why(why, "object %" PRIu64 ": flags 0x%" PRIX64 ", of which 0x%" PRIX64
			       " %s", in->op->object, in->op->flags, bits, problem);
}

static bool two_accesses(const struct rule_input *in, struct rule_why *why)
{
	uint64_t bits = in->op->flags & FLAGS_ACCESS;

	return more_than_one(bits) && why_flags(in, why, bits, "exclude each other");
}

static bool two_stores(const struct rule_input *in, struct rule_why *why)
{
	uint64_t bits = in->op->flags & FLAGS_HOST_PTR;

	return (bits & CL_MEM_USE_HOST_PTR) && more_than_one(bits) &&
	       why_flags(in, why, bits, "cannot go with CL_MEM_USE_HOST_PTR");
}

static bool two_host_accesses(const struct rule_input *in, struct rule_why *why)
{
	uint64_t bits = in->op->flags & FLAGS_HOST_ACCESS;

	return more_than_one(bits) && why_flags(in, why, bits, "exclude each other");
}

static bool for_queries_only(const struct rule_input *in, struct rule_why *why)
{
	uint64_t bits = in->op->flags & CL_MEM_KERNEL_READ_AND_WRITE;

	return bits && why_flags(in, why, bits, "is for queries of formats only");
}

static bool for_svm_only(const struct rule_input *in, struct rule_why *why)
{
	uint64_t bits = in->op->flags & FLAGS_SVM;

	return bits && why_flags(in, why, bits, "is for clSVMAlloc only");
}

static bool bits_not_known(const struct rule_input *in, struct rule_why *why)
{
	/* Bits with a rule of their own are that rule's. */
	uint64_t known = FLAGS_ACCESS | FLAGS_HOST_PTR | FLAGS_SVM | CL_MEM_KERNEL_READ_AND_WRITE;
	uint64_t bits;

	if (in->caps->cl_version >= 120)
		known |= FLAGS_HOST_ACCESS;
	bits = in->op->flags & ~known;
	return bits && why_flags(in, why, bits, "is not known to the device's OpenCL version");
}

/* R32, R33: flags that a parent with one flag of the same group does not allow. */
struct widening {
	uint64_t parent, child;
};

static const struct widening access_widenings[] = {
	{ CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY },
	{ CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY },
};

static const struct widening host_widenings[] = {
	{ CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY },
	{ CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY },
	{ CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY },
};

static bool widens(const struct rule_input *in, struct rule_why *why,
		   const struct widening *widenings, size_t count)
{
	if (!in->other)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t bits = in->op->flags & widenings[i].child;

		if ((in->other->flags & widenings[i].parent) && bits)
			return berth__rule_why(why, "object %" PRIu64 ": flags 0x%" PRIX64
					       ", of which parent %" PRIu64 " with flags 0x%" PRIX64
					       " does not allow 0x%" PRIX64, in->op->object,
					       in->op->flags, in->other->id, in->other->flags, bits);
	}
	return false;
}

static bool widens_access(const struct rule_input *in, struct rule_why *why)
{
	return widens(in, why, access_widenings,
		      sizeof(access_widenings) / sizeof(access_widenings[0]));
}

static bool widens_host_access(const struct rule_input *in, struct rule_why *why)
{
	return widens(in, why, host_widenings, sizeof(host_widenings) / sizeof(host_widenings[0]));
}

static bool subbuffer_store(const struct rule_input *in, struct rule_why *why)
{
	uint64_t bits = in->op->flags & FLAGS_HOST_PTR;

	return bits && why_flags(in, why, bits, "can only be inherited from the buffer");
}

static bool image_store_on_memory(const struct rule_input *in, struct rule_why *why)
{
	return in->op->other != BERTH_ID_NONE && subbuffer_store(in, why);
}

#define FLAGS_POINTER ((uint64_t)(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR))

bool berth__pointer_missing(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->flags & FLAGS_POINTER) && in->op->host_address == 0 &&
	       berth__rule_why(why, "object %" PRIu64 ": flags 0x%" PRIX64
			       " need a host pointer, it is NULL", in->op->object, in->op->flags);
}

bool berth__pointer_unwanted(const struct rule_input *in, struct rule_why *why)
{
	return !(in->op->flags & FLAGS_POINTER) && in->op->host_address != 0 &&
	       berth__rule_why(why, "object %" PRIu64 ": host pointer 0x%" PRIX64
			       ", but flags 0x%" PRIX64 " neither use nor copy it",
			       in->op->object, in->op->host_address, in->op->flags);
}

#define KINDS_ON_PARENT (KIND(SUBBUFFER_CREATE) | KIND(IMAGE_CREATE))

static const struct rule_row rows[] = {
	{ { "R11", "Memory Flags", "at most one of READ_WRITE, WRITE_ONLY and READ_ONLY is given",
	    KINDS_CREATE, { CL_INVALID_VALUE } }, two_accesses },
	{ { "R12", "Memory Flags", "USE_HOST_PTR goes with neither ALLOC_HOST_PTR nor COPY_HOST_PTR",
	    KIND(BUFFER_CREATE) | KIND(IMAGE_CREATE), { CL_INVALID_VALUE } }, two_stores },
	{ { "R14", "Memory Flags",
	    "at most one of HOST_WRITE_ONLY, HOST_READ_ONLY and HOST_NO_ACCESS is given",
	    KINDS_CREATE, { CL_INVALID_VALUE } }, two_host_accesses },
	{ { "R15", "Memory Flags", "KERNEL_READ_AND_WRITE is not given to a creation", KINDS_CREATE,
	    { CL_INVALID_VALUE } }, for_queries_only },
	{ { "R16", "Memory Flags", "every bit of the flags is known", KINDS_CREATE,
	    { CL_INVALID_VALUE } }, bits_not_known },
	{ { "R17", "Memory Flags", "no SVM flag is given to a creation", KINDS_CREATE,
	    { CL_INVALID_VALUE } }, for_svm_only },
	{ { "R32", SECTION, "the kernel access is not wider than the parent's", KINDS_ON_PARENT,
	    { CL_INVALID_VALUE } }, widens_access },
	{ { "R33", SECTION, "the host access is not wider than the parent's", KINDS_ON_PARENT,
	    { CL_INVALID_VALUE } }, widens_host_access },
	{ { "R34", SECTION, "no host pointer flag is given for a sub-buffer", KIND(SUBBUFFER_CREATE),
	    { CL_INVALID_VALUE } }, subbuffer_store },
	{ { "R77", "Creating Image Objects",
	    "no host pointer flag is given for an image on a memory object", KIND(IMAGE_CREATE),
	    { CL_INVALID_VALUE } }, image_store_on_memory },
};

const struct rule_table berth__rules_flags = RULE_TABLE(rows, KINDS_CREATE, FORMS_NONE);
