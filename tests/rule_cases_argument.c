/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on kernel arguments and destructors: R123, R125, R134. */
#include "rule_cases.h"

#define OBJECT CL_INVALID_MEM_OBJECT

static const berth_object_use buffer[] = { { .object = BUF } };
static const berth_object_use image[] = { { .object = IMG } };
static const berth_object_use array[] = { { .object = ARRAY_2D, .arg_index = 2 } };
static const berth_object_use pipe[] = { { .object = PIPE } };
static const berth_object_use svm[] = { { .object = SVM } };
static const berth_object_use ended[] = { { .object = ENDED } };
static const berth_object_use null[] = { { .object = BERTH_ID_NONE } };
static const berth_object_use read_of_ro[] = { { IMG_RO, 0, BERTH_ACCESS_READ } };
static const berth_object_use write_of_ro[] = { { IMG_RO, 1, BERTH_ACCESS_WRITE } };
static const berth_object_use read_of_wo[] = { { IMG_WO, 1, BERTH_ACCESS_READ } };
static const berth_object_use write_of_wo[] = { { IMG_WO, 1, BERTH_ACCESS_WRITE } };
static const berth_object_use both_of_ro[] = { { IMG_RO, 1, 0 } };

#define ARG(list, declared, ...)                                                                   \
	{ .kind = BERTH_OP_ARG, .uses = list, .use_count = 1, .bytes = sizeof(cl_mem),             \
	  .image = { .type = CL_MEM_OBJECT_##declared }, __VA_ARGS__ }
#define ARG_UNDECLARED(list) { .kind = BERTH_OP_ARG, .uses = list, .use_count = 1, .bytes = sizeof(cl_mem) }

static const struct rule_case cases[] = {
	{ "R123.mem_object", "a buffer", 0, ARG(buffer, BUFFER) },
	{ "R123.mem_object", "NULL for a pointer (R124)", 0, ARG(null, BUFFER) },
	{ "R123.mem_object", "NULL for what is not known", 0, ARG_UNDECLARED(null) },
	{ "R123.mem_object", "NULL for an image", OBJECT, ARG(null, IMAGE2D), .why = { "NULL" } },
	{ "R123.mem_object", "ended", OBJECT, ARG(ended, BUFFER), .why = { "15 is not alive" } },
	{ "R123.mem_object", "shared virtual memory", OBJECT, ARG(svm, BUFFER),
	  .why = { "is an SVM allocation" } },
	{ "R125", "2D", 0, ARG(image, IMAGE2D) },
	{ "R125", "2D array for 2D", OBJECT, ARG(array, IMAGE2D),
	  .why = { "argument 2", "object 22" } },
	{ "R125", "buffer for 2D", OBJECT, ARG(buffer, IMAGE2D), .why = { "object 1 is a buffer" } },
	{ "R125", "2D for a pointer", OBJECT, ARG(image, BUFFER) },
	{ "R125", "a pipe", 0, ARG(pipe, PIPE) },
	{ "R125", "a pipe for a pointer", OBJECT, ARG(pipe, BUFFER), .why = { "is a pipe" } },
	{ "R125", "not known", 0, ARG_UNDECLARED(image) },
	{ "R123.size", "of a handle", 0, ARG(buffer, BUFFER) },
	{ "R123.size", "4", CL_INVALID_ARG_SIZE, ARG(buffer, BUFFER, .bytes = 4),
	  .why = { "arg_size is 4" } },
	{ "R123.access", "read what is read", 0, ARG(read_of_ro, IMAGE2D) },
	{ "R123.access", "write what is written", 0, ARG(write_of_wo, IMAGE2D) },
	{ "R123.access", "not known", 0, ARG(both_of_ro, IMAGE2D) },
	{ "R123.access", "write what is read", CL_INVALID_ARG_VALUE, ARG(write_of_ro, IMAGE2D),
	  .why = { "declared write_only" } },
	{ "R123.access", "read what is written", CL_INVALID_ARG_VALUE, ARG(read_of_wo, IMAGE2D),
	  .why = { "declared read_only" } },

	{ "R134.mem_object", "a buffer", 0, { .kind = BERTH_OP_DESTRUCTOR, .object = BUF } },
	{ "R134.mem_object", "ended", OBJECT, { .kind = BERTH_OP_DESTRUCTOR, .object = ENDED },
	  .why = { "15 is not alive" } },
	{ "R134", "a function", 0, { .kind = BERTH_OP_DESTRUCTOR, .object = IMG } },
	{ "R134", "NULL", CL_INVALID_VALUE,
	  { .kind = BERTH_OP_DESTRUCTOR, .object = IMG, .absent = BERTH_ABSENT_FUNCTION },
	  .why = { "NULL" } },
};

const struct rule_cases rule_cases_argument = RULE_CASES(cases);
