/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on shared virtual memory and pipes: R26, R160-R170. */
#include "case.h"

#define FINE CL_MEM_SVM_FINE_GRAIN_BUFFER
#define ATOMICS CL_MEM_SVM_ATOMICS

static const berth_object_use one_svm[] = { { .object = SVM } };
static const berth_object_use one_buffer[] = { { .object = BUF } };
static const berth_object_use one_null[] = { { .object = BERTH_ID_NONE } };

#define ALLOC(...)                                                                                 \
	{                                                                                          \
		.kind = BERTH_OP_SVM_ALLOC, .object = NEW, .bytes = 4096, __VA_ARGS__              \
	}
#define FREE(...)                                                                                  \
	{                                                                                          \
		.kind = BERTH_OP_SVM_FREE, .bits = BERTH_OP_ENQUEUED, __VA_ARGS__                  \
	}
#define COPY_SVM(from, from_offset, to, to_offset, size)                                           \
	ON_SVM(COPY, from, from_offset, size, .other = to, .other_offset_bytes = to_offset)
#define FILL_SVM(offset, size, pattern)                                                            \
	ON_SVM(FILL, SVM_2, offset, size, .pattern_bytes = pattern, .host_address = POINTER)
#define ARG_OF(list, ...)                                                                          \
	{                                                                                          \
		.kind = BERTH_OP_ARG, .form = BERTH_FORM_SVM, .uses = list, .use_count = 1,        \
		__VA_ARGS__                                                                        \
	}
#define MIGRATE_OF(list, ...)                                                                      \
	{                                                                                          \
		.kind = BERTH_OP_MIGRATE, .form = BERTH_FORM_SVM, .uses = list, .use_count = 1,    \
		__VA_ARGS__                                                                        \
	}
#define MAKE_PIPE(bytes_, count_, ...)                                                             \
	{                                                                                          \
		.kind = BERTH_OP_PIPE_CREATE, .object = NEW, .packet_bytes = bytes_,               \
		.packet_count = count_, __VA_ARGS__                                                \
	}

static const struct probe_row rows[] = {
	{ "R168", "coarse grain", KEEPS, ALLOC() },
	{ "R168", "none", BREAKS, ALLOC() },
	{ "R160.flags", "one access flag", KEEPS, ALLOC(.flags = CL_MEM_READ_ONLY) },
	{ "R160.flags", "two access flags", BREAKS,
	  ALLOC(.flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY) },
	{ "R160.flags", "a flag of buffers", BREAKS, ALLOC(.flags = CL_MEM_USE_HOST_PTR) },
	{ "R160.flags", "atomics without fine grain", BREAKS, ALLOC(.flags = ATOMICS) },
	{ "R160.fine_grain", "has it", KEEPS, ALLOC(.flags = FINE) },
	{ "R160.fine_grain", "has it not", BREAKS, ALLOC(.flags = FINE) },
	{ "R160.atomics", "has them", KEEPS, ALLOC(.flags = FINE | ATOMICS) },
	{ "R160.atomics", "has them not", BREAKS, ALLOC(.flags = FINE | ATOMICS) },
	{ "R160.zero", "1 byte", KEEPS, ALLOC(.bytes = 1) },
	{ "R160.zero", "0 bytes", BREAKS, ALLOC(.bytes = 0) },
	{ "R160.size", "the maximum", KEEPS, ALLOC(.bytes = 2 << 20) },
	{ "R160.size", "one more", BREAKS, ALLOC(.bytes = (2 << 20) + 1) },
	{ "R160.alignment", "default", KEEPS, ALLOC(.alignment_bytes = 0) },
	{ "R160.alignment", "64", KEEPS, ALLOC(.alignment_bytes = 64) },
	{ "R160.alignment", "48", BREAKS, ALLOC(.alignment_bytes = 48) },
	{ "R168.free", "has SVM", KEEPS, FREE(.object = SVM) },
	{ "R168.free", "has none", BREAKS, FREE(.object = SVM) },
	{ "R161", "one", KEEPS, FREE(.uses = one_svm, .use_count = 1) },
	{ "R161", "no list of none", KEEPS, FREE(.absent = BERTH_ABSENT_LIST) },
	{ "R161", "a list of none", BREAKS, FREE(.use_count = 0) },
	{ "R161", "no list of one", BREAKS, FREE(.use_count = 1, .absent = BERTH_ABSENT_LIST) },
	{ "R161", "clSVMFree of NULL", KEEPS, { .kind = BERTH_OP_SVM_FREE } },
	{ "R168.command", "has SVM", KEEPS, COPY_SVM(SVM, 0, SVM_2, 0, 16) },
	{ "R168.command", "has none", BREAKS, COPY_SVM(SVM, 0, SVM_2, 0, 16) },
	{ "R162.pointer", "from the host", KEEPS,
	  ON_SVM(WRITE, SVM_2, 0, 16, .host_address = POINTER) },
	{ "R162.pointer", "from NULL", BREAKS, ON_SVM(WRITE, SVM_2, 0, 16) },
	{ "R162.pointer", "to NULL", BREAKS, COPY_SVM(SVM, 0, BERTH_ID_NONE, 0, 16) },
	{ "R162.pointer", "map NULL", BREAKS,
	  ON_SVM(MAP, BERTH_ID_NONE, 0, 16, .flags = CL_MAP_READ) },
	{ "R162.overlap", "side by side", KEEPS, COPY_SVM(SVM, 0, SVM, 16, 16) },
	{ "R162.overlap", "by one byte", BREAKS, COPY_SVM(SVM, 0, SVM, 15, 16) },
	{ "R162.overlap", "another allocation", KEEPS, COPY_SVM(SVM, 0, SVM_2, 0, 16) },
	{ "R163.pattern", "there", KEEPS, FILL_SVM(0, 64, 16) },
	{ "R163.pattern", "NULL", BREAKS, ON_SVM(FILL, SVM_2, 0, 64, .pattern_bytes = 16) },
	{ "R163.pattern_size", "128", KEEPS, FILL_SVM(0, 128, 128) },
	{ "R163.pattern_size", "256", BREAKS, FILL_SVM(0, 256, 256) },
	{ "R163.pattern_size", "12", BREAKS, FILL_SVM(0, 24, 12) },
	{ "R163.pattern_size", "0", BREAKS, FILL_SVM(0, 16, 0) },
	{ "R163.multiple", "of both", KEEPS, FILL_SVM(8, 24, 8) },
	{ "R163.multiple", "not of the offset", BREAKS, FILL_SVM(4, 24, 8) },
	{ "R163.multiple", "not of the size", BREAKS, FILL_SVM(8, 20, 8) },
	{ "R164.zero", "1", KEEPS,
	  ON_SVM(MAP, SVM_2, 0, 1, .flags = CL_MAP_READ, .mapping = MAPPING_NEW) },
	{ "R164.zero", "0", BREAKS,
	  ON_SVM(MAP, SVM_2, 0, 0, .flags = CL_MAP_READ, .mapping = MAPPING_NEW) },
	{ "R164.flags", "invalidate", KEEPS,
	  ON_SVM(MAP, SVM_2, 0, 1, .flags = CL_MAP_WRITE_INVALIDATE_REGION,
		 .mapping = MAPPING_NEW) },
	{ "R164.flags", "invalidate and read", BREAKS,
	  ON_SVM(MAP, SVM_2, 0, 1, .flags = CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ,
		 .mapping = MAPPING_NEW) },
	{ "R164.flags", "bit 3", BREAKS,
	  ON_SVM(MAP, SVM_2, 0, 1, .flags = 8, .mapping = MAPPING_NEW) },
	{ "R169.allocation", "known", KEEPS, COPY_SVM(SVM, 0, SVM_2, 0, 16) },
	{ "R169.allocation", "a buffer", BREAKS, COPY_SVM(BUF, 0, SVM_2, 0, 16) },
	{ "R169.bounds", "to the end", KEEPS, COPY_SVM(SVM, 4080, SVM_2, 4080, 16) },
	{ "R169.bounds", "beyond", BREAKS, COPY_SVM(SVM, 4081, SVM_2, 0, 16) },
	{ "R169.bounds", "beyond the destination", BREAKS,
	  COPY_SVM(SVM, 0, SVM_2, UINT64_MAX, 16) },
	{ "R165", "mapped", KEEPS, ON_SVM(UNMAP, SVM, 0, 0, .mapping = MAPPING_SVM) },
	{ "R165", "not mapped", BREAKS, ON_SVM(UNMAP, SVM_2, 0, 0, .mapping = MAPPING_SVM) },
	{ "R168.migrate", "has SVM", KEEPS, MIGRATE_OF(one_svm) },
	{ "R168.migrate", "has none", BREAKS, MIGRATE_OF(one_svm) },
	{ "R166.list", "one", KEEPS, MIGRATE_OF(one_svm) },
	{ "R166.list", "none", BREAKS, MIGRATE_OF(one_svm, .use_count = 0) },
	{ "R166.list", "NULL", BREAKS, MIGRATE_OF(NULL, .absent = BERTH_ABSENT_LIST) },
	{ "R166.allocation", "known", KEEPS, MIGRATE_OF(one_svm) },
	{ "R166.allocation", "a buffer", BREAKS, MIGRATE_OF(one_buffer) },
	{ "R168.arg", "has SVM", KEEPS, ARG_OF(one_svm) },
	{ "R168.arg", "has none", BREAKS, ARG_OF(one_svm) },
	{ "R167", "NULL", KEEPS, ARG_OF(one_null) },
	{ "R167", "a buffer", BREAKS, ARG_OF(one_buffer) },
	{ "R26", "as large", KEEPS,
	  CREATE_BUFFER(.bytes = 4096, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x20000) },
	{ "R26", "larger", BREAKS,
	  CREATE_BUFFER(.bytes = 4097, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x20000) },
	{ "R26", "from its middle", BREAKS,
	  CREATE_BUFFER(.bytes = 4096, .flags = CL_MEM_COPY_HOST_PTR, .host_address = 0x20001) },
	{ "R26", "behind it", KEEPS,
	  CREATE_BUFFER(.bytes = 8192, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x21000) },
	{ "R170.pipes", "has pipes", KEEPS, MAKE_PIPE(4, 1) },
	{ "R170.pipes", "has none", BREAKS, MAKE_PIPE(4, 1) },
	{ "R170.flags", "no access of the host", KEEPS,
	  MAKE_PIPE(4, 1, .flags = CL_MEM_HOST_NO_ACCESS) },
	{ "R170.flags", "read only", BREAKS, MAKE_PIPE(4, 1, .flags = CL_MEM_READ_ONLY) },
	{ "R170.properties", "NULL", KEEPS, MAKE_PIPE(4, 1) },
	{ "R170.properties", "some", BREAKS, MAKE_PIPE(4, 1, .absent = BERTH_ABSENT_PROPERTY) },
	{ "R170.size", "the largest", KEEPS, MAKE_PIPE(1024, 1) },
	{ "R170.size", "one more", BREAKS, MAKE_PIPE(1025, 1) },
	{ "R170.size", "no bytes", BREAKS, MAKE_PIPE(0, 1) },
	{ "R170.size", "no packets", BREAKS, MAKE_PIPE(4, 0) },
	{ "R160.size", "one more than the maximum", BREAKS, ALLOC(), { AT(bytes, MAX_ALLOC, 1) } },
};

const struct probe_rows probe_rows_svm = PROBE_ROWS(rows);
