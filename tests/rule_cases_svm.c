/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on shared virtual memory and pipes: R26, R160-R170. */
#include "rule_cases.h"

#define REFUSED CL_MEM_OBJECT_ALLOCATION_FAILURE
#define FINE CL_MEM_SVM_FINE_GRAIN_BUFFER
#define ATOMICS CL_MEM_SVM_ATOMICS

static void without_svm(berth_caps *caps)
{
	caps->svm_caps = 0;
}

static void with_fine_grain(berth_caps *caps)
{
	caps->svm_caps |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
}

static void with_atomics(berth_caps *caps)
{
	caps->svm_caps |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
}

static void of_two_megabytes(berth_caps *caps)
{
	caps->max_alloc_bytes = 2 << 20;
}

static void without_pipes(berth_caps *caps)
{
	caps->pipe_max_packet_bytes = 0;
}

static const berth_object_use one_svm[] = { { .object = SVM } };
static const berth_object_use one_buffer[] = { { .object = BUF } };
static const berth_object_use one_null[] = { { .object = BERTH_ID_NONE } };
static const berth_object_use one_unknown[] = { { .object = BERTH_ID_UNKNOWN } };

#define ALLOC(...) { .kind = BERTH_OP_SVM_ALLOC, .object = NEW, .bytes = 4096, __VA_ARGS__ }
#define FREE(...) { .kind = BERTH_OP_SVM_FREE, .bits = BERTH_OP_ENQUEUED, __VA_ARGS__ }
#define COPY_SVM(from, from_offset, to, to_offset, size)                                           \
	ON_SVM(COPY, from, from_offset, size, .other = to, .other_offset_bytes = to_offset)
#define FILL_SVM(offset, size, pattern)                                                            \
	ON_SVM(FILL, SVM_2, offset, size, .pattern_bytes = pattern, .host_address = POINTER)
#define ARG_OF(list, ...)                                                                          \
	{ .kind = BERTH_OP_ARG, .form = BERTH_FORM_SVM, .uses = list, .use_count = 1, __VA_ARGS__ }
#define MIGRATE_OF(list, ...)                                                                      \
	{ .kind = BERTH_OP_MIGRATE, .form = BERTH_FORM_SVM, .uses = list, .use_count = 1,          \
	  __VA_ARGS__ }
#define MAKE_PIPE(bytes_, count_, ...)                                                             \
	{ .kind = BERTH_OP_PIPE_CREATE, .object = NEW, .packet_bytes = bytes_,                     \
	  .packet_count = count_, __VA_ARGS__ }

static const struct rule_case cases[] = {
	{ "R168", "coarse grain", 0, ALLOC() },
	{ "R168", "none", REFUSED, ALLOC(), .change = without_svm,
	  .why = { "CL_DEVICE_SVM_CAPABILITIES is 0" } },
	{ "R160.flags", "one access flag", 0, ALLOC(.flags = CL_MEM_READ_ONLY) },
	{ "R160.flags", "two access flags", REFUSED,
	  ALLOC(.flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), .why = { "0x6" } },
	{ "R160.flags", "a flag of buffers", REFUSED, ALLOC(.flags = CL_MEM_USE_HOST_PTR) },
	{ "R160.flags", "atomics without fine grain", REFUSED, ALLOC(.flags = ATOMICS),
	  .change = with_atomics },
	{ "R160.fine_grain", "has it", 0, ALLOC(.flags = FINE), .change = with_fine_grain },
	{ "R160.fine_grain", "has it not", REFUSED, ALLOC(.flags = FINE),
	  .why = { "fine-grained", "0x1" } },
	{ "R160.atomics", "has them", 0, ALLOC(.flags = FINE | ATOMICS), .change = with_atomics },
	{ "R160.atomics", "has them not", REFUSED, ALLOC(.flags = FINE | ATOMICS),
	  .change = with_fine_grain, .why = { "with atomics", "0x3" } },
	{ "R160.zero", "1 byte", 0, ALLOC(.bytes = 1) },
	{ "R160.zero", "0 bytes", REFUSED, ALLOC(.bytes = 0), .why = { "0 bytes" } },
	{ "R160.size", "the maximum", 0, ALLOC(.bytes = 2 << 20), .change = of_two_megabytes },
	{ "R160.size", "one more", REFUSED, ALLOC(.bytes = (2 << 20) + 1),
	  .change = of_two_megabytes, .why = { "2097153", "2097152" } },
	{ "R160.alignment", "default", 0, ALLOC(.alignment_bytes = 0) },
	{ "R160.alignment", "64", 0, ALLOC(.alignment_bytes = 64) },
	{ "R160.alignment", "48", REFUSED, ALLOC(.alignment_bytes = 48), .why = { "48" } },

	{ "R168.free", "has SVM", 0, FREE(.object = SVM) },
	{ "R168.free", "has none", CL_INVALID_OPERATION, FREE(.object = SVM), .change = without_svm,
	  .why = { "no shared virtual memory" } },
	{ "R161", "one", 0, FREE(.uses = one_svm, .use_count = 1) },
	{ "R161", "no list of none", 0, FREE(.absent = BERTH_ABSENT_LIST) },
	{ "R161", "a list of none", CL_INVALID_VALUE, FREE(.use_count = 0),
	  .why = { "0 pointers", "not NULL" } },
	{ "R161", "no list of one", CL_INVALID_VALUE,
	  FREE(.use_count = 1, .absent = BERTH_ABSENT_LIST), .why = { "1 pointers", "is NULL" } },
	{ "R161", "clSVMFree of NULL", 0, { .kind = BERTH_OP_SVM_FREE } },

	{ "R168.command", "has SVM", 0, COPY_SVM(SVM, 0, SVM_2, 0, 16) },
	{ "R168.command", "has none", CL_INVALID_OPERATION, COPY_SVM(SVM, 0, SVM_2, 0, 16),
	  .change = without_svm, .why = { "no shared virtual memory" } },
	{ "R162.pointer", "from the host", 0, ON_SVM(WRITE, SVM_2, 0, 16, .host_address = POINTER) },
	{ "R162.pointer", "from NULL", CL_INVALID_VALUE, ON_SVM(WRITE, SVM_2, 0, 16),
	  .why = { "NULL" } },
	{ "R162.pointer", "to NULL", CL_INVALID_VALUE, COPY_SVM(SVM, 0, BERTH_ID_NONE, 0, 16) },
	{ "R162.pointer", "map NULL", CL_INVALID_VALUE,
	  ON_SVM(MAP, BERTH_ID_NONE, 0, 16, .flags = CL_MAP_READ) },
	{ "R162.overlap", "side by side", 0, COPY_SVM(SVM, 0, SVM, 16, 16) },
	{ "R162.overlap", "by one byte", CL_MEM_COPY_OVERLAP, COPY_SVM(SVM, 0, SVM, 15, 16),
	  .why = { "at 0", "at 15" } },
	{ "R162.overlap", "another allocation", 0, COPY_SVM(SVM, 0, SVM_2, 0, 16) },
	{ "R163.pattern", "there", 0, FILL_SVM(0, 64, 16) },
	{ "R163.pattern", "NULL", CL_INVALID_VALUE, ON_SVM(FILL, SVM_2, 0, 64, .pattern_bytes = 16),
	  .why = { "NULL" } },
	{ "R163.pattern_size", "128", 0, FILL_SVM(0, 128, 128) },
	{ "R163.pattern_size", "256", CL_INVALID_VALUE, FILL_SVM(0, 256, 256), .why = { "256" } },
	{ "R163.pattern_size", "12", CL_INVALID_VALUE, FILL_SVM(0, 24, 12) },
	{ "R163.pattern_size", "0", CL_INVALID_VALUE, FILL_SVM(0, 16, 0) },
	{ "R163.multiple", "of both", 0, FILL_SVM(8, 24, 8) },
	{ "R163.multiple", "not of the offset", CL_INVALID_VALUE, FILL_SVM(4, 24, 8),
	  .why = { "24 bytes at 4", "8" } },
	{ "R163.multiple", "not of the size", CL_INVALID_VALUE, FILL_SVM(8, 20, 8) },
	{ "R164.zero", "1", 0, ON_SVM(MAP, SVM_2, 0, 1, .flags = CL_MAP_READ, .mapping = MAPPING_NEW) },
	{ "R164.zero", "0", CL_INVALID_VALUE,
	  ON_SVM(MAP, SVM_2, 0, 0, .flags = CL_MAP_READ, .mapping = MAPPING_NEW), .why = { "0 bytes" } },
	{ "R164.flags", "invalidate", 0,
	  ON_SVM(MAP, SVM_2, 0, 1, .flags = CL_MAP_WRITE_INVALIDATE_REGION, .mapping = MAPPING_NEW) },
	{ "R164.flags", "invalidate and read", CL_INVALID_VALUE,
	  ON_SVM(MAP, SVM_2, 0, 1, .flags = CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ,
		 .mapping = MAPPING_NEW), .why = { "0x5" } },
	{ "R164.flags", "bit 3", CL_INVALID_VALUE,
	  ON_SVM(MAP, SVM_2, 0, 1, .flags = 8, .mapping = MAPPING_NEW) },
	{ "R169.allocation", "known", 0, COPY_SVM(SVM, 0, SVM_2, 0, 16) },
	{ "R169.allocation", "a buffer", CL_INVALID_VALUE, COPY_SVM(BUF, 0, SVM_2, 0, 16),
	  .why = { "object 1 is a buffer", "an SVM allocation is needed" } },
	{ "R169.allocation", "unknown", CL_INVALID_VALUE, COPY_SVM(SVM, 0, BERTH_ID_UNKNOWN, 0, 16) },
	{ "R169.bounds", "to the end", 0, COPY_SVM(SVM, 4080, SVM_2, 4080, 16) },
	{ "R169.bounds", "beyond", CL_INVALID_VALUE, COPY_SVM(SVM, 4081, SVM_2, 0, 16),
	  .why = { "16 bytes at 4081", "4096" } },
	{ "R169.bounds", "beyond the destination", CL_INVALID_VALUE,
	  COPY_SVM(SVM, 0, SVM_2, UINT64_MAX, 16) },
	{ "R165", "mapped", 0, ON_SVM(UNMAP, SVM, 0, 0, .mapping = MAPPING_SVM) },
	{ "R165", "not mapped", CL_INVALID_VALUE, ON_SVM(UNMAP, SVM_2, 0, 0, .mapping = MAPPING_SVM),
	  .why = { "0 live" } },

	{ "R168.migrate", "has SVM", 0, MIGRATE_OF(one_svm) },
	{ "R168.migrate", "has none", CL_INVALID_OPERATION, MIGRATE_OF(one_svm),
	  .change = without_svm, .why = { "no shared virtual memory" } },
	{ "R166.list", "one", 0, MIGRATE_OF(one_svm) },
	{ "R166.list", "none", CL_INVALID_VALUE, MIGRATE_OF(one_svm, .use_count = 0),
	  .why = { "at least 1" } },
	{ "R166.list", "NULL", CL_INVALID_VALUE, MIGRATE_OF(NULL, .absent = BERTH_ABSENT_LIST) },
	{ "R166.allocation", "known", 0, MIGRATE_OF(one_svm) },
	{ "R166.allocation", "a buffer", CL_INVALID_VALUE, MIGRATE_OF(one_buffer),
	  .why = { "object 1 is a buffer" } },

	{ "R168.arg", "has SVM", 0, ARG_OF(one_svm) },
	{ "R168.arg", "has none", CL_INVALID_OPERATION, ARG_OF(one_svm), .change = without_svm,
	  .why = { "no shared virtual memory" } },
	{ "R167", "NULL", 0, ARG_OF(one_null) },
	{ "R167", "unknown", CL_INVALID_ARG_VALUE, ARG_OF(one_unknown),
	  .why = { "of no known object" } },
	{ "R167", "a buffer", CL_INVALID_ARG_VALUE, ARG_OF(one_buffer) },

	{ "R26", "as large", 0, CREATE_BUFFER(.bytes = 4096, .flags = CL_MEM_USE_HOST_PTR,
					      .host_address = 0x20000) },
	{ "R26", "larger", CL_INVALID_BUFFER_SIZE,
	  CREATE_BUFFER(.bytes = 4097, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x20000),
	  .why = { "4097", "has 4096" } },
	{ "R26", "from its middle", CL_INVALID_BUFFER_SIZE,
	  CREATE_BUFFER(.bytes = 4096, .flags = CL_MEM_COPY_HOST_PTR, .host_address = 0x20001),
	  .why = { "has 4095" } },
	{ "R26", "behind it", 0,
	  CREATE_BUFFER(.bytes = 8192, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x21000) },

	{ "R170.pipes", "has pipes", 0, MAKE_PIPE(4, 1) },
	{ "R170.pipes", "has none", CL_INVALID_OPERATION, MAKE_PIPE(4, 1), .change = without_pipes,
	  .others = true, .why = { "no pipes" } },
	{ "R170.flags", "no access of the host", 0, MAKE_PIPE(4, 1, .flags = CL_MEM_HOST_NO_ACCESS) },
	{ "R170.flags", "read only", CL_INVALID_VALUE, MAKE_PIPE(4, 1, .flags = CL_MEM_READ_ONLY),
	  .why = { "0x4" } },
	{ "R170.properties", "NULL", 0, MAKE_PIPE(4, 1) },
	{ "R170.properties", "some", CL_INVALID_VALUE, MAKE_PIPE(4, 1, .absent = BERTH_ABSENT_PROPERTY),
	  .why = { "must be NULL" } },
	{ "R170.size", "the largest", 0, MAKE_PIPE(1024, 1) },
	{ "R170.size", "one more", CL_INVALID_PIPE_SIZE, MAKE_PIPE(1025, 1),
	  .why = { "1025", "at most 1024" } },
	{ "R170.size", "no bytes", CL_INVALID_PIPE_SIZE, MAKE_PIPE(0, 1) },
	{ "R170.size", "no packets", CL_INVALID_PIPE_SIZE, MAKE_PIPE(4, 0) },
};

const struct rule_cases rule_cases_svm = RULE_CASES(cases);
