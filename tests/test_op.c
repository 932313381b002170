/* SPDX-License-Identifier: Apache-2.0 */
/* Ops: names there and back, bytes moved, bytes behind the host pointer. */
#include "test_main.h"

#include <CL/cl.h>

#include <berth/op.h>

#define MAX UINT64_MAX

static void names_there_and_back(void)
{
	static const struct {
		const char *name;
		berth_op_kind kind;
	} cases[] = {
		{ "buffer_create", 1 }, { "subbuffer_create", 2 }, { "image_create", 3 },
		{ "retain", 6 },	{ "release", 7 },	   { "write", 8 },
		{ "read", 9 },		{ "copy", 10 },		   { "fill", 11 },
		{ "map", 12 },		{ "unmap", 13 },	   { "migrate", 14 },
		{ "use", 15 },		{ "sync", 16 },		   { "label", 17 },
		{ "svm_alloc", 4 },	{ "svm_free", 5 },	   { "pipe_create", 18 },
		{ "arg", 19 },		{ "destructor", 20 },	   { "order", 21 },
	};
	berth_op_kind kind;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].name);
		ASSERT_OK(berth_op_kind_parse(&kind, cases[i].name));
		ASSERT_INT(kind, cases[i].kind);
		ASSERT_STRING(berth_op_kind_string(cases[i].kind), cases[i].name);
		CU_ASSERT(berth_op_kind_is_known(cases[i].kind));
		ASSERT_INT(berth_op_kind_creates(cases[i].kind),
			   cases[i].kind <= 4 || cases[i].kind == 18);
	}
	test_case("no kind");
	kind = BERTH_OP_USE;
	ASSERT_INT(berth_op_kind_parse(&kind, "buffer"), BERTH_E_NOT_FOUND);
	ASSERT_INT(kind, BERTH_OP_USE);
	CU_ASSERT_FALSE(berth_op_kind_is_known(0));
	CU_ASSERT_FALSE(berth_op_kind_is_known(BERTH_OP_KIND_END));
	CU_ASSERT_FALSE(berth_op_kind_is_known(UINT64_MAX));
	ASSERT_STRING(berth_op_kind_string((berth_op_kind)22), "unknown");
	ASSERT_STRING(berth_op_kind_string((berth_op_kind)-1), "unknown");
}

static void names_of_forms(void)
{
	static const struct {
		const char *name;
		berth_op_form form;
	} cases[] = {
		{ "", 0 },
		{ "linear", 1 },
		{ "rect", 2 },
		{ "image", 3 },
		{ "image_to_buffer", 4 },
		{ "buffer_to_image", 5 },
		{ "svm", 6 },
		{ "", 7 },
		{ "", (berth_op_form)-1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("form %d", (int)cases[i].form);
		ASSERT_STRING(berth_op_form_string(cases[i].form), cases[i].name);
	}
}

static void moved_bytes(void)
{
	static const struct {
		const char *name;
		berth_op_form form;
		uint64_t bytes, extent[3];
		uint32_t element;
		berth_status status;
		uint64_t expected;
	} cases[] = {
		{ "linear", BERTH_FORM_LINEAR, 100, { 0 }, 0, BERTH_OK, 100 },
		/* 10 x 3 x 2 bytes, whatever the element */
		{ "rect", BERTH_FORM_RECT, 0, { 10, 3, 2 }, 16, BERTH_OK, 60 },
		/* 10 x 3 pixels of 16 bytes */
		{ "image", BERTH_FORM_IMAGE, 0, { 10, 3, 1 }, 16, BERTH_OK, 480 },
		{ "too large", BERTH_FORM_IMAGE, 0, { MAX / 2, 3, 1 }, 16, BERTH_E_OVERFLOW, 7 },
		{ "no form", BERTH_FORM_NONE, 0, { 0 }, 1, BERTH_E_INVAL, 7 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_op op = { .kind = BERTH_OP_WRITE, .form = cases[i].form,
				.bytes = cases[i].bytes };
		uint64_t out = 7;

		test_case("%s", cases[i].name);
		for (int axis = 0; axis < 3; axis++)
			op.region.extent[axis] = cases[i].extent[axis];
		ASSERT_INT(berth_op_moved_bytes(&out, &op, cases[i].element), cases[i].status);
		ASSERT_INT(out, cases[i].expected);
	}
}

static void host_bytes(void)
{
	static const struct {
		const char *name;
		berth_op_kind kind;
		berth_op_form form;
		uint64_t bytes;
		berth_region region;
		uint32_t element;
		berth_status status;
		uint64_t expected;
	} cases[] = {
		{ "linear", BERTH_OP_WRITE, BERTH_FORM_LINEAR, 100, { .row_pitch_bytes = 1 }, 0,
		  BERTH_OK, 100 },
		/* rows at 0, 32, 64: 64 + 10 */
		{ "rect", BERTH_OP_READ, BERTH_FORM_RECT, 0,
		  { .extent = { 10, 3, 1 }, .other_row_pitch_bytes = 32 }, 0, BERTH_OK, 74 },
		/* host origin 5 + 1 row of 32 + 1 slice of 96 in front of 96 + 64 + 10 */
		{ "rect with origin", BERTH_OP_READ, BERTH_FORM_RECT, 0,
		  { .extent = { 10, 3, 2 }, .other_origin = { 5, 1, 1 },
		    .other_row_pitch_bytes = 32 }, 0, BERTH_OK, 303 },
		/* 3 rows of 10 pixels of 4 bytes, no gaps */
		{ "image, default pitch", BERTH_OP_WRITE, BERTH_FORM_IMAGE, 0,
		  { .extent = { 10, 3, 1 } }, 4, BERTH_OK, 120 },
		/* 2 * 64 + 40 */
		{ "image, pitch 64", BERTH_OP_WRITE, BERTH_FORM_IMAGE, 0,
		  { .extent = { 10, 3, 1 }, .other_row_pitch_bytes = 64 }, 4, BERTH_OK, 168 },
		{ "empty image", BERTH_OP_WRITE, BERTH_FORM_IMAGE, 0, { .extent = { 0, 3, 1 } }, 4,
		  BERTH_OK, 0 },
		{ "pitch too large", BERTH_OP_WRITE, BERTH_FORM_RECT, 0,
		  { .extent = { 10, 3, 1 }, .other_row_pitch_bytes = MAX }, 0, BERTH_E_OVERFLOW, 7 },
		{ "origin too large", BERTH_OP_WRITE, BERTH_FORM_RECT, 0,
		  { .extent = { 10, 3, 1 }, .other_origin = { MAX, 0, 0 } }, 0, BERTH_E_OVERFLOW, 7 },
		{ "a copy has none", BERTH_OP_COPY, BERTH_FORM_LINEAR, 9, { .origin = { 0 } }, 0,
		  BERTH_E_INVAL, 7 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_op op = { .kind = cases[i].kind, .form = cases[i].form,
				.bytes = cases[i].bytes, .region = cases[i].region };
		uint64_t out = 7;

		test_case("%s", cases[i].name);
		ASSERT_INT(berth_op_host_bytes(&out, &op, cases[i].element), cases[i].status);
		ASSERT_INT(out, cases[i].expected);
	}
}

#define D2 .type = CL_MEM_OBJECT_IMAGE2D
#define D3 .type = CL_MEM_OBJECT_IMAGE3D

static void image_create_host_bytes(void)
{
	static const struct {
		const char *name;
		berth_image image;
		uint32_t element;
		uint64_t expected;
	} cases[] = {
		/* 100 x 16 = 1600 a row, 33 rows */
		{ "2D, default pitch", { D2, .width = 100, .height = 33 }, 16, 52800 },
		/* the last row counts with its full pitch (R71's reading): 2048 x 33 */
		{ "2D, pitch 2048", { D2, .width = 100, .height = 33, .row_pitch_bytes = 2048 }, 16,
		  67584 },
		{ "2D, sizes of other types", { D2, .width = 4, .height = 3, .depth = 2,
						.array_size = 5, .slice_pitch_bytes = 100 }, 4, 48 },
		{ "3D", { D3, .width = 4, .height = 3, .depth = 2 }, 4, 96 },
		{ "3D, slice pitch 100", { D3, .width = 4, .height = 3, .depth = 2,
					   .slice_pitch_bytes = 100 }, 4, 200 },
		{ "3D, one slice", { D3, .width = 4, .height = 3, .depth = 1,
				     .slice_pitch_bytes = 100 }, 4, 100 },
		{ "2D array", { .type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .width = 4, .height = 3,
				.array_size = 5 }, 4, 240 },
		{ "1D array", { .type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .width = 4, .height = 3,
				.array_size = 5 }, 4, 80 },
		{ "1D", { .type = CL_MEM_OBJECT_IMAGE1D, .width = 4, .height = 3 }, 4, 16 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_op op = { .kind = BERTH_OP_IMAGE_CREATE, .image = cases[i].image };
		uint64_t out = 7;

		test_case("%s", cases[i].name);
		ASSERT_OK(berth_op_host_bytes(&out, &op, cases[i].element));
		ASSERT_INT(out, cases[i].expected);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "names there and back", names_there_and_back },
		{ "names of forms", names_of_forms },
		{ "moved bytes", moved_bytes },
		{ "host bytes", host_bytes },
		{ "host bytes of image_create", image_create_host_bytes },
		{ NULL, NULL },
	};

	return test_main("op", tests);
}
