/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on linear commands and maps of buffers: R63, R100, R102, R105, R106. */
#include "rule_cases.h"

#define BAD CL_INVALID_VALUE
#define OBJECT CL_INVALID_MEM_OBJECT
#define OPERATION CL_INVALID_OPERATION
#define MISALIGNED CL_MISALIGNED_SUB_BUFFER_OFFSET

#define WRITE_OF(id, offset, size) LINEAR(WRITE, id, offset, size, .host_address = POINTER)
#define READ_OF(id, offset, size) LINEAR(READ, id, offset, size, .host_address = POINTER)
#define FILL_OF(id, offset, size, pattern)                                                         \
	LINEAR(FILL, id, offset, size, .host_address = POINTER, .pattern_bytes = pattern)
#define MAP_OF(id, offset, size, map_flags)                                                        \
	LINEAR(MAP, id, offset, size, .flags = map_flags, .mapping = MAPPING_NEW)
#define MAP_IMAGE_OF(id, x, y, map_flags)                                                          \
	{ .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = id, .flags = map_flags,        \
	  .mapping = MAPPING_NEW, .region = { .origin = { x, y }, .extent = { 8, 8, 1 } } }

static const struct rule_case cases[] = {
	{ "R100.mem_object", "a buffer", 0, WRITE_OF(BUF, 0, 4) },
	{ "R100.mem_object", "a sub-buffer", 0, READ_OF(SUB_A, 0, 4) },
	{ "R100.mem_object", "NULL", OBJECT, WRITE_OF(BERTH_ID_NONE, 0, 4), .why = { "NULL" } },
	{ "R100.mem_object", "unknown", OBJECT, READ_OF(BERTH_ID_UNKNOWN, 0, 4) },
	{ "R100.mem_object", "ended", OBJECT, FILL_OF(ENDED, 0, 4, 4), .why = { "15 is not alive" } },
	{ "R100.mem_object", "an image", OBJECT, MAP_OF(IMG, 0, 4, CL_MAP_READ),
	  .why = { "16 is an image", "a buffer" } },

	{ "R63", "aligned", 0, WRITE_OF(SUB_A, 0, 4) },
	{ "R63", "write", MISALIGNED, WRITE_OF(SUB_ODD, 0, 4), .why = { "at 100", "128 bytes" } },
	{ "R63", "fill", MISALIGNED, FILL_OF(SUB_ODD, 0, 4, 4) },
	{ "R63", "map", MISALIGNED, MAP_OF(SUB_ODD, 0, 4, CL_MAP_READ) },
	{ "R63.source", "aligned", 0, COPY_LINEAR(SUB_A, 0, BIG, 0, 4) },
	{ "R63.source", "not aligned", MISALIGNED, COPY_LINEAR(SUB_ODD, 0, BIG, 0, 4),
	  .why = { "at 100", "128 bytes" } },
	{ "R63.destination", "aligned", 0, COPY_LINEAR(BIG, 0, SUB_A, 0, 4) },
	{ "R63.destination", "not aligned", MISALIGNED, COPY_LINEAR(BIG, 0, SUB_ODD, 0, 4),
	  .why = { "at 100", "128 bytes" } },

	{ "R100.bounds", "to the end", 0, WRITE_OF(BUF, 4000, 96) },
	{ "R100.bounds", "one more", BAD, WRITE_OF(BUF, 4000, 97), .why = { "97 bytes at 4000", "4096" } },
	{ "R100.bounds", "0 bytes at the end (R107)", 0, READ_OF(BUF, 4096, 0) },
	{ "R100.bounds", "0 bytes past the end", BAD, READ_OF(BUF, 4097, 0) },
	{ "R100.bounds", "the end wraps", BAD, READ_OF(BUF, UINT64_MAX, 2) },
	{ "R100.bounds", "the end of a sub-buffer", BAD, READ_OF(SUB_A, 0, 1025),
	  .why = { "1025 bytes", "1024" } },

	{ "R100.pointer", "there", 0, READ_OF(BUF, 0, 4) },
	{ "R100.pointer", "NULL", BAD, LINEAR(READ, BUF, 0, 4), .why = { "NULL" } },

	{ "R100.host_read", "read", 0, READ_OF(TO_READ, 0, 4) },
	{ "R100.host_read", "only to write", OPERATION, READ_OF(TO_WRITE, 0, 4),
	  .why = { "read of object 9", "0x80" } },
	{ "R100.host_read", "no access", OPERATION, READ_OF(NO_HOST, 0, 4) },
	{ "R100.host_read", "rect", OPERATION, RECT(READ, NO_HOST, .extent = { 1, 1, 1 }) },
	{ "R100.host_read", "image", OPERATION, ON_IMAGE(READ, IMG_NO_HOST, .extent = { 1, 1, 1 }) },
	{ "R100.host_write", "write", 0, WRITE_OF(TO_WRITE, 0, 4) },
	{ "R100.host_write", "only to read", OPERATION, WRITE_OF(TO_READ, 0, 4),
	  .why = { "write of object 10", "0x100" } },
	{ "R100.host_write", "no access", OPERATION, WRITE_OF(NO_HOST, 0, 4) },

	{ "R102.mem_object", "a buffer", 0, COPY_LINEAR(BUF, 0, BIG, 0, 4) },
	{ "R102.mem_object", "ended", OBJECT, COPY_LINEAR(ENDED, 0, BIG, 0, 4),
	  .why = { "15 is not alive" } },
	{ "R102.other_mem_object", "a buffer that the host cannot reach (R108)", 0,
	  COPY_LINEAR(BIG, 0, NO_HOST, 0, 4) },
	{ "R102.other_mem_object", "NULL", OBJECT, COPY_LINEAR(BIG, 0, BERTH_ID_NONE, 0, 4),
	  .why = { "NULL" } },
	{ "R102.other_mem_object", "NULL, from a sub-buffer", OBJECT,
	  COPY_LINEAR(SUB_A, 0, BERTH_ID_NONE, 0, 4) },
	{ "R102.mem_object", "NULL, to a sub-buffer", OBJECT,
	  COPY_LINEAR(BERTH_ID_NONE, 0, SUB_A, 0, 4) },

	{ "R102.bounds", "to the end", 0, COPY_LINEAR(BUF, 4000, BIG, 0, 96) },
	{ "R102.bounds", "one more", BAD, COPY_LINEAR(BUF, 4000, BIG, 0, 97),
	  .why = { "97 bytes at 4000", "4096" } },
	{ "R102.other_bounds", "to the end", 0, COPY_LINEAR(BIG, 0, BUF, 4000, 96) },
	{ "R102.other_bounds", "one more", BAD, COPY_LINEAR(BIG, 0, BUF, 4000, 97),
	  .why = { "97 bytes at 4000", "4096" } },
	{ "R102.other_bounds", "the end wraps", BAD, COPY_LINEAR(BUF, 0, BUF, UINT64_MAX - 1, 4) },

	{ "R102.overlap", "side by side", 0, COPY_LINEAR(BUF, 0, BUF, 100, 100) },
	{ "R102.overlap", "one byte", CL_MEM_COPY_OVERLAP, COPY_LINEAR(BUF, 0, BUF, 99, 100),
	  .why = { "100 bytes from 0", "to 99" } },
	{ "R102.overlap", "backwards", CL_MEM_COPY_OVERLAP, COPY_LINEAR(BUF, 99, BUF, 0, 100) },
	{ "R102.overlap", "0 bytes", 0, COPY_LINEAR(BUF, 5, BUF, 5, 0) },
	/* 1024 + 511 ends where 1536 starts */
	{ "R102.overlap", "sub-buffers side by side", 0, COPY_LINEAR(SUB_A, 0, SUB_B, 0, 512) },
	{ "R102.overlap", "sub-buffers", CL_MEM_COPY_OVERLAP, COPY_LINEAR(SUB_A, 0, SUB_B, 0, 513),
	  .why = { "513 bytes from 1024", "to 1536" } },
	{ "R102.overlap", "sub-buffers of two buffers", 0, COPY_LINEAR(SUB_A, 512, SUB_BIG, 0, 16) },
	{ "R102.overlap", "two buffers", 0, COPY_LINEAR(BUF, 0, BIG, 0, 16) },
	{ "R102.overlap", "a buffer and its sub-buffer: not named", 0,
	  COPY_LINEAR(BUF, 1024, SUB_A, 0, 16) },

	{ "R105.bounds", "to the end", 0, FILL_OF(BUF, 4080, 16, 16) },
	{ "R105.bounds", "past it", BAD, FILL_OF(BUF, 4080, 32, 16), .why = { "32 bytes at 4080", "4096" } },
	{ "R105.pattern", "there", 0, FILL_OF(BUF, 0, 16, 16) },
	{ "R105.pattern", "NULL", BAD, LINEAR(FILL, BUF, 0, 16, .pattern_bytes = 16), .why = { "NULL" } },
	{ "R105.pattern_size", "1", 0, FILL_OF(BUF, 3, 5, 1) },
	{ "R105.pattern_size", "128", 0, FILL_OF(BUF, 0, 256, 128) },
	{ "R105.pattern_size", "0", BAD, FILL_OF(BUF, 0, 256, 0), .why = { "of 0 bytes", "128" } },
	{ "R105.pattern_size", "256", BAD, FILL_OF(BUF, 0, 256, 256), .why = { "of 256 bytes", "128" } },
	{ "R105.pattern_size", "12", BAD, FILL_OF(BUF, 0, 24, 12) },
	{ "R105.multiple", "both", 0, FILL_OF(BUF, 8, 16, 8) },
	{ "R105.multiple", "offset not", BAD, FILL_OF(BUF, 4, 16, 8), .why = { "16 bytes at 4", "8" } },
	{ "R105.multiple", "size not", BAD, FILL_OF(BUF, 8, 12, 8) },

	{ "R106.bounds", "to the end", 0, MAP_OF(BUF, 4000, 96, CL_MAP_READ) },
	{ "R106.bounds", "one more", BAD, MAP_OF(BUF, 4000, 97, CL_MAP_READ),
	  .why = { "97 bytes at 4000", "4096" } },
	{ "R106.zero", "1 byte", 0, MAP_OF(BUF, 0, 1, CL_MAP_READ) },
	{ "R106.zero", "0 bytes", BAD, MAP_OF(BUF, 0, 0, CL_MAP_READ), .why = { "0 bytes", "at least 1" } },

	{ "R106.flags", "read and write", 0, MAP_OF(BUF, 0, 4, CL_MAP_READ | CL_MAP_WRITE) },
	{ "R106.flags", "invalidate alone", 0, MAP_OF(BUF, 0, 4, CL_MAP_WRITE_INVALIDATE_REGION) },
	{ "R106.flags", "invalidate and write", BAD,
	  MAP_OF(BUF, 0, 4, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_WRITE), .why = { "0x6", "0x4" } },
	{ "R106.flags", "invalidate in 1.2", 0, MAP_OF(BUF, 0, 4, CL_MAP_WRITE_INVALIDATE_REGION),
	  .version = 120 },
	{ "R106.flags", "invalidate in 1.1", BAD, MAP_OF(BUF, 0, 4, CL_MAP_WRITE_INVALIDATE_REGION),
	  .version = 110, .why = { "0x4", "0x3" } },
	{ "R106.flags", "bit 3", BAD, MAP_OF(BUF, 0, 4, 8) },
	{ "R106.flags", "an image, bit 3", BAD, MAP_IMAGE_OF(IMG, 0, 0, 8) },

	{ "R106.host_read", "write what is only to write", 0, MAP_OF(TO_WRITE, 0, 4, CL_MAP_WRITE) },
	{ "R106.host_read", "read it", OPERATION, MAP_OF(TO_WRITE, 0, 4, CL_MAP_READ),
	  .why = { "0x1:", "0x80" } },
	{ "R106.host_write", "read what is only to read", 0, MAP_OF(TO_READ, 0, 4, CL_MAP_READ) },
	{ "R106.host_write", "write it", OPERATION, MAP_OF(TO_READ, 0, 4, CL_MAP_WRITE),
	  .why = { "0x2:", "0x100" } },
	{ "R106.host_write", "invalidate it", OPERATION,
	  MAP_OF(TO_READ, 0, 4, CL_MAP_WRITE_INVALIDATE_REGION) },
	{ "R106.host_write", "an image", OPERATION, MAP_IMAGE_OF(IMG_NO_HOST, 0, 0, CL_MAP_WRITE) },

	{ "R106.overlap", "before", 0, MAP_OF(MAPPED, 512, 512, CL_MAP_WRITE) },
	{ "R106.overlap", "after", 0, MAP_OF(MAPPED, 2048, 512, CL_MAP_WRITE) },
	{ "R106.overlap", "one byte", OPERATION, MAP_OF(MAPPED, 512, 513, CL_MAP_WRITE),
	  .why = { "at 512", "mapping 1 at 1024" } },
	{ "R106.overlap", "inside, invalidating", OPERATION,
	  MAP_OF(MAPPED, 1500, 4, CL_MAP_WRITE_INVALIDATE_REGION) },
	{ "R106.overlap", "0 bytes inside: another rule", 0, MAP_OF(MAPPED, 1500, 0, CL_MAP_WRITE),
	  .others = true },
	{ "R106.overlap", "to read", 0, MAP_OF(MAPPED, 1024, 4, CL_MAP_READ) },
	{ "R106.overlap", "what is mapped for reading", 0, MAP_OF(MAPPED, 0, 16, CL_MAP_WRITE) },
	{ "R106.relative", "of the sub-buffer, beside", 0, MAP_OF(SUB_MAPPED, 512, 512, CL_MAP_WRITE) },
	{ "R106.relative", "of the sub-buffer, one byte", OPERATION,
	  MAP_OF(SUB_MAPPED, 511, 1, CL_MAP_WRITE), .why = { "at 511", "mapping of object 14" } },
	{ "R106.relative", "of the sub-buffer, to read", 0, MAP_OF(SUB_MAPPED, 0, 512, CL_MAP_READ) },
	{ "R106.overlap", "image, beside", 0, MAP_IMAGE_OF(IMG_MAPPED, 16, 8, CL_MAP_WRITE) },
	{ "R106.overlap", "image, a corner", OPERATION, MAP_IMAGE_OF(IMG_MAPPED, 15, 15, CL_MAP_WRITE),
	  .why = { "at 15", "mapping 3 at 8" } },
};

const struct rule_cases rule_cases_linear = RULE_CASES(cases);
