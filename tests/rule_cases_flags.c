/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on flags: R11-R17, R32-R34, R77. */
#include "rule_cases.h"

#define BAD CL_INVALID_VALUE

#define BUFFER_WITH(flag_bits) CREATE_BUFFER(.bytes = 16, .flags = flag_bits)
#define BUFFER_FROM(flag_bits)                                                                     \
	CREATE_BUFFER(.bytes = 16, .flags = flag_bits, .host_address = POINTER)
#define SUB_WITH(parent, flag_bits) CREATE_SUB(parent, .bytes = 16, .flags = flag_bits)
#define IMAGE_ON(parent, flag_bits)                                                                \
	{ IMAGE(2D, .width = 64, .height = 4), .other = parent, .flags = flag_bits }

static const struct rule_case cases[] = {
	{ "R11", "none", 0, BUFFER_WITH(0) },
	{ "R11", "one", 0, BUFFER_WITH(CL_MEM_WRITE_ONLY) },
	{ "R11", "two", BAD, BUFFER_WITH(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY),
	  .why = { "0x6", "exclude" } },
	{ "R11", "two of a sub-buffer", BAD, SUB_WITH(BUF, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY) },
	{ "R11", "two of an image", BAD, IMAGE_ON(BERTH_ID_NONE, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY),
	  .others = true },

	{ "R12", "use", 0, BUFFER_FROM(CL_MEM_USE_HOST_PTR) },
	{ "R12", "alloc and copy (R13)", 0, BUFFER_FROM(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR) },
	{ "R12", "use and copy", BAD, BUFFER_FROM(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR),
	  .why = { "0x28" } },
	{ "R12", "use and alloc", BAD, BUFFER_FROM(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR),
	  .why = { "0x18" } },

	{ "R14", "one", 0, BUFFER_WITH(CL_MEM_HOST_NO_ACCESS) },
	{ "R14", "two", BAD, BUFFER_WITH(CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY),
	  .why = { "0x300" } },

	{ "R15", "not given", 0, BUFFER_WITH(CL_MEM_READ_WRITE) },
	{ "R15", "given", BAD, BUFFER_WITH(CL_MEM_KERNEL_READ_AND_WRITE), .why = { "0x1000" } },

	{ "R16", "host access in 1.2", 0, BUFFER_WITH(CL_MEM_HOST_READ_ONLY), .version = 120 },
	{ "R16", "host access in 1.1", BAD, BUFFER_WITH(CL_MEM_HOST_READ_ONLY), .version = 110,
	  .why = { "0x100" } },
	{ "R16", "a vendor's bit", BAD, BUFFER_WITH(1 << 23), .why = { "0x800000" } },
	{ "R16", "bit 6, between known ones", BAD, BUFFER_WITH(1 << 6) },
	{ "R16", "bit 63", BAD, SUB_WITH(BUF, UINT64_C(1) << 63) },

	{ "R17", "not given", 0, BUFFER_WITH(CL_MEM_READ_WRITE) },
	{ "R17", "fine grain", BAD, BUFFER_WITH(CL_MEM_SVM_FINE_GRAIN_BUFFER), .why = { "0x400" } },
	{ "R17", "atomics", BAD, BUFFER_WITH(CL_MEM_SVM_ATOMICS) },

	{ "R32", "the same", 0, SUB_WITH(RO, CL_MEM_READ_ONLY) },
	{ "R32", "narrower", 0, SUB_WITH(BUF, CL_MEM_WRITE_ONLY) },
	{ "R32", "inherited", 0, SUB_WITH(WO, 0) },
	{ "R32", "read-write of read-only", BAD, SUB_WITH(RO, CL_MEM_READ_WRITE),
	  .why = { "0x1", "0x4" } },
	{ "R32", "write-only of read-only", BAD, SUB_WITH(RO, CL_MEM_WRITE_ONLY) },
	{ "R32", "read-write of write-only", BAD, SUB_WITH(WO, CL_MEM_READ_WRITE) },
	{ "R32", "read-only of write-only", BAD, SUB_WITH(WO, CL_MEM_READ_ONLY) },
	{ "R32", "an image as its buffer", 0, IMAGE_ON(RO, CL_MEM_READ_ONLY) },
	{ "R32", "an image on a read-only buffer", BAD, IMAGE_ON(RO, CL_MEM_READ_WRITE) },

	{ "R33", "the same", 0, SUB_WITH(TO_READ, CL_MEM_HOST_READ_ONLY) },
	{ "R33", "narrower", 0, SUB_WITH(TO_READ, CL_MEM_HOST_NO_ACCESS) },
	{ "R33", "read of write-only", BAD, SUB_WITH(TO_WRITE, CL_MEM_HOST_READ_ONLY),
	  .why = { "0x100", "0x81" } },
	{ "R33", "write of read-only", BAD, SUB_WITH(TO_READ, CL_MEM_HOST_WRITE_ONLY) },
	{ "R33", "read of no access", BAD, SUB_WITH(NO_HOST, CL_MEM_HOST_READ_ONLY) },
	{ "R33", "write of no access", BAD, IMAGE_ON(NO_HOST, CL_MEM_HOST_WRITE_ONLY) },

	{ "R34", "inherited", 0, SUB_WITH(HOST_EVEN, 0) },
	{ "R34", "given", BAD, SUB_WITH(BUF, CL_MEM_ALLOC_HOST_PTR), .why = { "0x10" } },
	{ "R34", "given as the buffer's", BAD, SUB_WITH(HOST_EVEN, CL_MEM_USE_HOST_PTR) },

	{ "R77", "inherited", 0, IMAGE_ON(HOST_EVEN, 0) },
	{ "R77", "given without memory object", 0, IMAGE_ON(BERTH_ID_NONE, CL_MEM_ALLOC_HOST_PTR) },
	{ "R77", "given", BAD, IMAGE_ON(BUF, CL_MEM_ALLOC_HOST_PTR), .why = { "0x10" } },
};

const struct rule_cases rule_cases_flags = RULE_CASES(cases);
