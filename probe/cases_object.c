/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on whole objects: R120, R122, R123, R128, R130. */
#include "case.h"

static const berth_object_use one_known[] = { { .object = BUF } };
static const berth_object_use two_known[] = { { .object = BUF }, { .object = IMG } };
static const berth_object_use one_null[] = { { .object = BUF }, { .object = BERTH_ID_NONE } };
static const berth_object_use unknown[] = { { .object = BERTH_ID_UNKNOWN } };
static const berth_object_use aligned[] = { { .object = SUB_A } };
static const berth_object_use misaligned[] = { { .object = SUB_A },
					       { .object = SUB_ODD, .arg_index = 3 } };

#define UNMAP_OF(id, mapping_id)                                                                   \
	{                                                                                          \
		.kind = BERTH_OP_UNMAP, .object = id, .mapping = mapping_id                        \
	}
#define WITH_LIST(op_kind, list, ...)                                                              \
	{                                                                                          \
		.kind = BERTH_OP_##op_kind, .uses = list,                                          \
		.use_count = sizeof(list) / sizeof((list)[0]), __VA_ARGS__                         \
	}

static const struct probe_row rows[] = {
	{ "R120.mem_object", "mapped", KEEPS, UNMAP_OF(MAPPED, MAPPING_WRITE) },
	{ "R120.mem_object", "NULL", BREAKS, UNMAP_OF(BERTH_ID_NONE, MAPPING_WRITE) },
	{ "R120.mapping", "live", KEEPS, UNMAP_OF(IMG_MAPPED, MAPPING_IMAGE) },
	{ "R120.mapping", "another pointer", BREAKS, UNMAP_OF(MAPPED, 0) },
	{ "R120.mapping", "of another object", BREAKS, UNMAP_OF(MAPPED, MAPPING_IMAGE) },
	{ "R122.mem_object", "known", KEEPS, WITH_LIST(MIGRATE, two_known) },
	{ "R122.mem_object", "NULL", BREAKS, WITH_LIST(MIGRATE, one_null) },
	{ "R122.list", "1", KEEPS, WITH_LIST(MIGRATE, one_known) },
	{ "R122.list", "0", BREAKS, { .kind = BERTH_OP_MIGRATE, .uses = one_known } },
	{ "R122.list",
	  "NULL",
	  BREAKS,
	  { .kind = BERTH_OP_MIGRATE, .use_count = 1, .absent = BERTH_ABSENT_LIST } },
	{ "R122.flags", "both", KEEPS, WITH_LIST(MIGRATE, one_known, .flags = 3) },
	{ "R122.flags", "bit 2", BREAKS, WITH_LIST(MIGRATE, one_known, .flags = 4) },
	{ "R123", "known", KEEPS, WITH_LIST(USE, two_known) },
	{ "R123", "NULL (R124)", KEEPS, WITH_LIST(USE, one_null) },
	{ "R123", "no object at all", KEEPS, { .kind = BERTH_OP_USE } },
	{ "R128", "aligned", KEEPS, WITH_LIST(USE, aligned) },
	{ "R128", "not aligned", BREAKS, WITH_LIST(USE, misaligned) },
	{ "R130", "retain", KEEPS, { .kind = BERTH_OP_RETAIN, .object = BUF } },
	{ "R130", "release", KEEPS, { .kind = BERTH_OP_RELEASE, .object = IMG } },
	{ "R130", "release NULL", BREAKS, { .kind = BERTH_OP_RELEASE } },
	{ "R120.pipe", "a buffer", KEEPS, UNMAP_OF(MAPPED, MAPPING_WRITE) },
	{ "R120.pipe", "a pipe", BREAKS, UNMAP_OF(PIPE, MAPPING_WRITE) },
	{ "R123", "no object's handle", BREAKS, WITH_LIST(USE, unknown) },
};

const struct probe_rows probe_rows_object = PROBE_ROWS(rows);
