/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on whole objects: R120, R122, R123, R128, R130. */
#include "rule_cases.h"

#define OBJECT CL_INVALID_MEM_OBJECT

static const berth_object_use one_known[] = { { .object = BUF } };
static const berth_object_use two_known[] = { { .object = BUF }, { .object = IMG } };
static const berth_object_use one_ended[] = { { .object = BUF }, { .object = ENDED } };
static const berth_object_use one_null[] = { { .object = BUF }, { .object = BERTH_ID_NONE } };
static const berth_object_use one_unknown[] = { { .object = BERTH_ID_UNKNOWN } };
static const berth_object_use aligned[] = { { .object = SUB_A } };
static const berth_object_use misaligned[] = { { .object = SUB_A },
					       { .object = SUB_ODD, .arg_index = 3 } };

#define UNMAP_OF(id, mapping_id) { .kind = BERTH_OP_UNMAP, .object = id, .mapping = mapping_id }
#define WITH_LIST(op_kind, list, ...)                                                              \
	{ .kind = BERTH_OP_##op_kind, .uses = list, .use_count = sizeof(list) / sizeof((list)[0]), \
	  __VA_ARGS__ }

static const struct rule_case cases[] = {
	{ "R120.mem_object", "mapped", 0, UNMAP_OF(MAPPED, MAPPING_WRITE) },
	{ "R120.mem_object", "NULL", OBJECT, UNMAP_OF(BERTH_ID_NONE, MAPPING_WRITE), .why = { "NULL" } },
	{ "R120.mem_object", "ended", OBJECT, UNMAP_OF(ENDED, MAPPING_WRITE) },
	{ "R120.pipe", "a buffer", 0, UNMAP_OF(MAPPED, MAPPING_WRITE) },
	{ "R120.pipe", "a pipe", OBJECT, UNMAP_OF(PIPE, MAPPING_WRITE), .why = { "a pipe" } },
	{ "R120.mapping", "live", 0, UNMAP_OF(IMG_MAPPED, MAPPING_IMAGE) },
	{ "R120.mapping", "another pointer", CL_INVALID_VALUE, UNMAP_OF(MAPPED, 0),
	  .why = { "mapping 0", "2 live" } },
	{ "R120.mapping", "of another object", CL_INVALID_VALUE, UNMAP_OF(MAPPED, MAPPING_IMAGE),
	  .why = { "mapping 3", "2 live" } },

	{ "R122.mem_object", "known", 0, WITH_LIST(MIGRATE, two_known) },
	{ "R122.mem_object", "the second ended", OBJECT, WITH_LIST(MIGRATE, one_ended),
	  .why = { "15 is not alive" } },
	{ "R122.mem_object", "NULL", OBJECT, WITH_LIST(MIGRATE, one_null) },
	{ "R122.list", "1", 0, WITH_LIST(MIGRATE, one_known) },
	{ "R122.list", "0", CL_INVALID_VALUE, { .kind = BERTH_OP_MIGRATE, .uses = one_known },
	  .why = { "0 objects", "at least 1" } },
	{ "R122.list", "NULL", CL_INVALID_VALUE,
	  { .kind = BERTH_OP_MIGRATE, .use_count = 1, .absent = BERTH_ABSENT_LIST },
	  .why = { "1 objects", "NULL" } },
	{ "R122.flags", "both", 0, WITH_LIST(MIGRATE, one_known, .flags = 3) },
	{ "R122.flags", "bit 2", CL_INVALID_VALUE, WITH_LIST(MIGRATE, one_known, .flags = 4),
	  .why = { "0x4", "0x3" } },

	{ "R123", "known", 0, WITH_LIST(USE, two_known) },
	{ "R123", "NULL (R124)", 0, WITH_LIST(USE, one_null) },
	{ "R123", "no object at all", 0, { .kind = BERTH_OP_USE } },
	{ "R123", "ended", OBJECT, WITH_LIST(USE, one_ended), .why = { "15 is not alive" } },
	{ "R123", "unknown", OBJECT, WITH_LIST(USE, one_unknown) },

	{ "R128", "aligned", 0, WITH_LIST(USE, aligned) },
	{ "R128", "not aligned", CL_MISALIGNED_SUB_BUFFER_OFFSET, WITH_LIST(USE, misaligned),
	  .why = { "argument 3", "at 100, not a multiple of 128" } },

	{ "R130", "retain", 0, { .kind = BERTH_OP_RETAIN, .object = BUF } },
	{ "R130", "release", 0, { .kind = BERTH_OP_RELEASE, .object = IMG } },
	{ "R130", "retain what has ended", OBJECT, { .kind = BERTH_OP_RETAIN, .object = ENDED },
	  .why = { "15 is not alive" } },
	{ "R130", "release NULL", OBJECT, { .kind = BERTH_OP_RELEASE } },
	{ "R130", "release an unknown one", OBJECT,
	  { .kind = BERTH_OP_RELEASE, .object = BERTH_ID_UNKNOWN } },
};

const struct rule_cases rule_cases_object = RULE_CASES(cases);
