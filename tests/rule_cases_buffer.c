/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on creating buffers and sub-buffers: R24-R38. */
#include "rule_cases.h"

#define MAX_ALLOC (32 << 20) /* of a minimal 3.0 device */
#define SIZE CL_INVALID_BUFFER_SIZE
#define OBJECT CL_INVALID_MEM_OBJECT

static const struct rule_case cases[] = {
	{ "R24", "1 byte", 0, CREATE_BUFFER(.bytes = 1) },
	{ "R24", "0 bytes", SIZE, CREATE_BUFFER(.bytes = 0), .why = { "0 bytes", "at least 1" } },

	{ "R25", "the maximum", 0, CREATE_BUFFER(.bytes = MAX_ALLOC) },
	{ "R25", "one more", SIZE, CREATE_BUFFER(.bytes = MAX_ALLOC + 1),
	  .why = { "33554433", "33554432" } },
	{ "R25", "2^63", SIZE, CREATE_BUFFER(.bytes = UINT64_C(1) << 63) },

	{ "R27", "copy with pointer", 0,
	  CREATE_BUFFER(.bytes = 1, .flags = CL_MEM_COPY_HOST_PTR, .host_address = POINTER) },
	{ "R27", "copy without pointer", CL_INVALID_HOST_PTR,
	  CREATE_BUFFER(.bytes = 1, .flags = CL_MEM_COPY_HOST_PTR), .why = { "0x20", "NULL" } },
	{ "R27", "use without pointer", CL_INVALID_HOST_PTR,
	  CREATE_BUFFER(.bytes = 1, .flags = CL_MEM_USE_HOST_PTR) },

	{ "R28", "alloc without pointer", 0,
	  CREATE_BUFFER(.bytes = 1, .flags = CL_MEM_ALLOC_HOST_PTR) },
	{ "R28", "alloc with pointer", CL_INVALID_HOST_PTR,
	  CREATE_BUFFER(.bytes = 1, .flags = CL_MEM_ALLOC_HOST_PTR, .host_address = POINTER),
	  .why = { "0x1000", "0x10" } },
	{ "R28", "pointer without flag", CL_INVALID_HOST_PTR,
	  CREATE_BUFFER(.bytes = 1, .host_address = POINTER) },

	{ "R31.mem_object", "a buffer", 0, CREATE_SUB(BUF, .bytes = 1) },
	{ "R31.mem_object", "NULL", OBJECT, CREATE_SUB(BERTH_ID_NONE, .bytes = 1),
	  .why = { "NULL", "a buffer" } },
	{ "R31.mem_object", "unknown", OBJECT, CREATE_SUB(BERTH_ID_UNKNOWN, .bytes = 1),
	  .why = { "no known object" } },
	{ "R31.mem_object", "ended", OBJECT, CREATE_SUB(ENDED, .bytes = 1),
	  .why = { "15 is not alive" } },

	{ "R31.buffer", "a buffer", 0, CREATE_SUB(BUF, .bytes = 1) },
	{ "R31.buffer", "a sub-buffer", OBJECT, CREATE_SUB(SUB_A, .bytes = 1),
	  .why = { "object 2 is a sub-buffer", "a buffer is needed" } },
	{ "R31.buffer", "an image", OBJECT, CREATE_SUB(IMG, .bytes = 1),
	  .why = { "object 16 is an image" } },

	{ "R35", "all there", 0, CREATE_SUB(BUF, .bytes = 1) },
	{ "R35", "info NULL", CL_INVALID_VALUE, CREATE_SUB(BUF, .absent = BERTH_ABSENT_INFO),
	  .why = { "buffer_create_info is NULL" } },
	{ "R35", "another type", CL_INVALID_VALUE,
	  CREATE_SUB(BUF, .bytes = 1, .absent = BERTH_ABSENT_CREATE_TYPE),
	  .why = { "CL_BUFFER_CREATE_TYPE_REGION" } },

	{ "R36", "to the end", 0, CREATE_SUB(BUF, .offset_bytes = 3072, .bytes = 1024) },
	{ "R36", "one more", CL_INVALID_VALUE, CREATE_SUB(BUF, .offset_bytes = 3072, .bytes = 1025),
	  .why = { "1025 bytes at 3072", "has 4096" } },
	{ "R36", "the end wraps", CL_INVALID_VALUE,
	  CREATE_SUB(BUF, .offset_bytes = UINT64_MAX - 127, .bytes = 256) },

	{ "R37", "1 byte", 0, CREATE_SUB(BUF, .bytes = 1) },
	{ "R37", "0 bytes", SIZE, CREATE_SUB(BUF, .bytes = 0), .why = { "0 bytes", "at least 1" } },

	/* 1024 bits are 128 bytes */
	{ "R38", "128", 0, CREATE_SUB(BUF, .offset_bytes = 128, .bytes = 1) },
	{ "R38", "127", CL_MISALIGNED_SUB_BUFFER_OFFSET,
	  CREATE_SUB(BUF, .offset_bytes = 127, .bytes = 1), .why = { "origin 127", "128 bytes" } },
	{ "R38", "64", CL_MISALIGNED_SUB_BUFFER_OFFSET,
	  CREATE_SUB(BUF, .offset_bytes = 64, .bytes = 1) },

	{ "R21", "good ones", 0, CREATE_BUFFER(.bytes = 16, .bits = BERTH_OP_PROPERTIES) },
	{ "R21", "an unknown one", CL_INVALID_PROPERTY,
	  CREATE_BUFFER(.bytes = 16, .bits = BERTH_OP_PROPERTIES, .absent = BERTH_ABSENT_PROPERTY),
	  .why = { "a property is not known" } },
};

const struct rule_cases rule_cases_buffer = RULE_CASES(cases);
