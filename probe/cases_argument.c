/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on kernel arguments and destructors: R123, R125, R134. */
#include "case.h"

static const berth_object_use buffer[] = { { .object = BUF } };
static const berth_object_use image[] = { { .object = IMG } };
static const berth_object_use array[] = { { .object = ARRAY_2D, .arg_index = 2 } };
static const berth_object_use pipe[] = { { .object = PIPE } };
static const berth_object_use svm[] = { { .object = SVM } };
static const berth_object_use null[] = { { .object = BERTH_ID_NONE } };
static const berth_object_use read_of_ro[] = { { IMG_RO, 0, BERTH_ACCESS_READ } };
static const berth_object_use write_of_ro[] = { { IMG_RO, 1, BERTH_ACCESS_WRITE } };
static const berth_object_use read_of_wo[] = { { IMG_WO, 1, BERTH_ACCESS_READ } };
static const berth_object_use write_of_wo[] = { { IMG_WO, 1, BERTH_ACCESS_WRITE } };
static const berth_object_use both_of_ro[] = { { IMG_RO, 1, 0 } };

#define ARG(list, declared, ...)                                                                   \
	{                                                                                          \
		.kind = BERTH_OP_ARG, .uses = list, .use_count = 1, .bytes = sizeof(cl_mem),       \
		.image = { .type = CL_MEM_OBJECT_##declared }, __VA_ARGS__                         \
	}
#define ARG_UNDECLARED(list)                                                                       \
	{                                                                                          \
		.kind = BERTH_OP_ARG, .uses = list, .use_count = 1, .bytes = sizeof(cl_mem)        \
	}

static const struct probe_row rows[] = {
	{ "R123.mem_object", "a buffer", KEEPS, ARG(buffer, BUFFER) },
	{ "R123.mem_object", "NULL for a pointer (R124)", KEEPS, ARG(null, BUFFER) },
	{ "R123.mem_object", "NULL for what is not known", KEEPS, ARG_UNDECLARED(null) },
	{ "R123.mem_object", "NULL for an image", BREAKS, ARG(null, IMAGE2D) },
	{ "R123.mem_object", "shared virtual memory", BREAKS, ARG(svm, BUFFER) },
	{ "R125", "2D", KEEPS, ARG(image, IMAGE2D) },
	{ "R125", "2D array for 2D", BREAKS, ARG(array, IMAGE2D) },
	{ "R125", "buffer for 2D", BREAKS, ARG(buffer, IMAGE2D) },
	{ "R125", "2D for a pointer", BREAKS, ARG(image, BUFFER) },
	{ "R125", "a pipe", KEEPS, ARG(pipe, PIPE) },
	{ "R125", "a pipe for a pointer", BREAKS, ARG(pipe, BUFFER) },
	{ "R125", "not known", KEEPS, ARG_UNDECLARED(image) },
	{ "R123.size", "of a handle", KEEPS, ARG(buffer, BUFFER) },
	{ "R123.size", "4", BREAKS, ARG(buffer, BUFFER, .bytes = 4) },
	{ "R123.access", "read what is read", KEEPS, ARG(read_of_ro, IMAGE2D) },
	{ "R123.access", "write what is written", KEEPS, ARG(write_of_wo, IMAGE2D) },
	{ "R123.access", "not known", KEEPS, ARG(both_of_ro, IMAGE2D) },
	{ "R123.access", "write what is read", BREAKS, ARG(write_of_ro, IMAGE2D) },
	{ "R123.access", "read what is written", BREAKS, ARG(read_of_wo, IMAGE2D) },
	{ "R134.mem_object", "a buffer", KEEPS, { .kind = BERTH_OP_DESTRUCTOR, .object = BUF } },
	{ "R134", "a function", KEEPS, { .kind = BERTH_OP_DESTRUCTOR, .object = IMG } },
	{ "R134",
	  "NULL",
	  BREAKS,
	  { .kind = BERTH_OP_DESTRUCTOR, .object = IMG, .absent = BERTH_ABSENT_FUNCTION } },
	{ "R134.mem_object", "NULL", BREAKS, { .kind = BERTH_OP_DESTRUCTOR } },
};

const struct probe_rows probe_rows_argument = PROBE_ROWS(rows);
