/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on flags: R11-R17, R32-R34, R77. */
#include "case.h"

#define BUFFER_WITH(flag_bits) CREATE_BUFFER(.bytes = 16, .flags = flag_bits)
#define BUFFER_FROM(flag_bits)                                                                     \
	CREATE_BUFFER(.bytes = 16, .flags = flag_bits, .host_address = POINTER)
#define SUB_WITH(parent, flag_bits) CREATE_SUB(parent, .bytes = 16, .flags = flag_bits)
#define IMAGE_ON(parent, flag_bits)                                                                \
	{                                                                                          \
		IMAGE(2D, .width = 64, .height = 4), .other = parent, .flags = flag_bits           \
	}

static const struct probe_row rows[] = {
	{ "R11", "none", KEEPS, BUFFER_WITH(0) },
	{ "R11", "one", KEEPS, BUFFER_WITH(CL_MEM_WRITE_ONLY) },
	{ "R11", "two", BREAKS, BUFFER_WITH(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY) },
	{ "R11", "two of a sub-buffer", BREAKS,
	  SUB_WITH(BUF, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY) },
	{ "R11", "two of an image", BREAKS,
	  IMAGE_ON(BERTH_ID_NONE, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY) },
	{ "R12", "use", KEEPS, BUFFER_FROM(CL_MEM_USE_HOST_PTR) },
	{ "R12", "alloc and copy (R13)", KEEPS,
	  BUFFER_FROM(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR) },
	{ "R12", "use and copy", BREAKS, BUFFER_FROM(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) },
	{ "R12", "use and alloc", BREAKS,
	  BUFFER_FROM(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR) },
	{ "R14", "one", KEEPS, BUFFER_WITH(CL_MEM_HOST_NO_ACCESS) },
	{ "R14", "two", BREAKS, BUFFER_WITH(CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY) },
	{ "R15", "not given", KEEPS, BUFFER_WITH(CL_MEM_READ_WRITE) },
	{ "R15", "given", BREAKS, BUFFER_WITH(CL_MEM_KERNEL_READ_AND_WRITE) },
	{ "R16", "host access in 1.2", KEEPS, BUFFER_WITH(CL_MEM_HOST_READ_ONLY) },
	{ "R16", "host access in 1.1", BREAKS, BUFFER_WITH(CL_MEM_HOST_READ_ONLY) },
	{ "R16", "a vendor's bit", BREAKS, BUFFER_WITH(1 << 23) },
	{ "R16", "bit 6, between known ones", BREAKS, BUFFER_WITH(1 << 6) },
	{ "R16", "bit 63", BREAKS, SUB_WITH(BUF, UINT64_C(1) << 63) },
	{ "R17", "not given", KEEPS, BUFFER_WITH(CL_MEM_READ_WRITE) },
	{ "R17", "fine grain", BREAKS, BUFFER_WITH(CL_MEM_SVM_FINE_GRAIN_BUFFER) },
	{ "R17", "atomics", BREAKS, BUFFER_WITH(CL_MEM_SVM_ATOMICS) },
	{ "R32", "the same", KEEPS, SUB_WITH(RO, CL_MEM_READ_ONLY) },
	{ "R32", "narrower", KEEPS, SUB_WITH(BUF, CL_MEM_WRITE_ONLY) },
	{ "R32", "inherited", KEEPS, SUB_WITH(WO, 0) },
	{ "R32", "read-write of read-only", BREAKS, SUB_WITH(RO, CL_MEM_READ_WRITE) },
	{ "R32", "write-only of read-only", BREAKS, SUB_WITH(RO, CL_MEM_WRITE_ONLY) },
	{ "R32", "read-write of write-only", BREAKS, SUB_WITH(WO, CL_MEM_READ_WRITE) },
	{ "R32", "read-only of write-only", BREAKS, SUB_WITH(WO, CL_MEM_READ_ONLY) },
	{ "R32", "an image as its buffer", KEEPS, IMAGE_ON(RO, CL_MEM_READ_ONLY) },
	{ "R32", "an image on a read-only buffer", BREAKS, IMAGE_ON(RO, CL_MEM_READ_WRITE) },
	{ "R33", "the same", KEEPS, SUB_WITH(TO_READ, CL_MEM_HOST_READ_ONLY) },
	{ "R33", "narrower", KEEPS, SUB_WITH(TO_READ, CL_MEM_HOST_NO_ACCESS) },
	{ "R33", "read of write-only", BREAKS, SUB_WITH(TO_WRITE, CL_MEM_HOST_READ_ONLY) },
	{ "R33", "write of read-only", BREAKS, SUB_WITH(TO_READ, CL_MEM_HOST_WRITE_ONLY) },
	{ "R33", "read of no access", BREAKS, SUB_WITH(NO_HOST, CL_MEM_HOST_READ_ONLY) },
	{ "R33", "write of no access", BREAKS, IMAGE_ON(NO_HOST, CL_MEM_HOST_WRITE_ONLY) },
	{ "R34", "inherited", KEEPS, SUB_WITH(HOST_EVEN, 0) },
	{ "R34", "given", BREAKS, SUB_WITH(BUF, CL_MEM_ALLOC_HOST_PTR) },
	{ "R34", "given as the buffer's", BREAKS, SUB_WITH(HOST_EVEN, CL_MEM_USE_HOST_PTR) },
	{ "R77", "inherited", KEEPS, IMAGE_ON(HOST_EVEN, 0) },
	{ "R77", "given without memory object", KEEPS,
	  IMAGE_ON(BERTH_ID_NONE, CL_MEM_ALLOC_HOST_PTR) },
	{ "R77", "given", BREAKS, IMAGE_ON(BUF, CL_MEM_ALLOC_HOST_PTR) },
};

const struct probe_rows probe_rows_flags = PROBE_ROWS(rows);
