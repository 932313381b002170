/* SPDX-License-Identifier: Apache-2.0 */
/* What the planner is fed with: tables, allocation lists, traces; and plans as files. */
#include "test_main.h"

#include "scratch.h"
#include "trace_fixture.h"

#include <berth/plan_output.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define REQUESTS_MAX 6
#define ANYWHERE BERTH_PLAN_ANYWHERE

static const char *write_text(const char *content)
{
	const char *path = scratch_path("input");

	file_write(path, content, strlen(content));
	return path;
}

static berth_status load(berth_plan_source **out, const char *content, const berth_caps *caps)
{
	berth_plan_source_options options = BERTH_PLAN_SOURCE_OPTIONS_INIT;

	options.caps = caps;
	*out = NULL;
	return berth_plan_source_load(out, write_text(content), &options);
}

struct expected {
	const char *name;
	uint64_t lower, upper, bytes, align, offset;
};

static void check_requests(const berth_plan_model *model, const struct expected *expected)
{
	size_t count = 0;

	while (count < REQUESTS_MAX && expected[count].name)
		count++;
	ASSERT_INT(model->input.request_count, count);
	for (size_t i = 0; i < count && i < model->input.request_count; i++) {
		const berth_plan_request *request = &model->input.requests[i];

		ASSERT_STRING(model->items[i].name, expected[i].name);
		ASSERT_INT(request->lower, expected[i].lower);
		ASSERT_INT(request->upper, expected[i].upper);
		ASSERT_INT(request->bytes, expected[i].bytes);
		ASSERT_INT(request->align_bytes, expected[i].align);
		ASSERT_INT(request->pinned_offset_bytes, expected[i].offset);
		ASSERT_INT(request->in_place_of, BERTH_PLAN_NO_REQUEST);
	}
}

static void tables(void)
{
	static const struct {
		const char *name;
		const char *text;
		struct expected requests[REQUESTS_MAX];
	} cases[] = {
		{ "the columns of minimalloc",
		  "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\n",
		  { { "b1", 0, 3, 4, 0, ANYWHERE }, { "b2", 3, 9, 4, 0, ANYWHERE } } },
		{ "any order, more columns, optional ones, CRLF, no end of line",
		  "note,offset,Size,id,upper,alignment,lower\r\n"
		  "\"a, b\",128,64,x,5,16,2\r\n,,32,\"y\",9,,0",
		  { { "x", 2, 5, 64, 16, 128 }, { "y", 0, 9, 32, 0, ANYWHERE } } },
		{ "empty lines and spaces",
		  "\nid , lower, upper,size\n\n a , 1,2 ,3\n\n",
		  { { "a", 1, 2, 3, 0, ANYWHERE } } },
		{ "the ends of 64 bits",
		  "id,lower,upper,size\na,0,18446744073709551615,18446744073709551614\n",
		  { { "a", 0, UINT64_MAX, UINT64_MAX - 1, 0, ANYWHERE } } },
		{ "a header alone", "id,lower,upper,size\n", { { 0 } } },
		{ "zero bytes",
		  "id,lower,upper,size\na,0,1,0\n",
		  { { "a", 0, 1, 0, 0, ANYWHERE } } },
	};

	scratch_make();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_plan_source *source;

		test_case("%s", cases[i].name);
		ASSERT_OK(load(&source, cases[i].text, NULL));
		CU_ASSERT_FATAL(source != NULL);
		ASSERT_INT(source->kind, BERTH_PLAN_SOURCE_TABLE);
		ASSERT_INT(source->model_count, 1);
		check_requests(&source->models[0], cases[i].requests);
		berth_plan_source_destroy(source);
	}
	scratch_remove();
}

/* (1,22,20,20,4) float32, nhwc: 400 texels of 16 bytes a row, 22 rows. */
static void layouts(void)
{
	static const char text[] = "id,lower,upper,layout\n"
				   "t,0,1,texture-nhwc float32 1x22x20x20x4\n"
				   "b,0,1,linear float16 3x5\n"
				   "c,0,1,choose float32 1x22x20x20x4\n"
				   "d,0,1,choose float16 99999x3\n";
	static const struct {
		uint32_t pitch_align;
		berth_pitch_unit unit;
		uint64_t bytes, chosen_bytes;
	} rows[] = {
		{ 1, BERTH_PITCH_UNIT_PIXELS, 140800, 140800 },
		/* 64 pixels are 1024 bytes: 6400 becomes 7168; 138 of them hold 140800 */
		{ 64, BERTH_PITCH_UNIT_PIXELS, 157696, 141312 },
		/* 256 pixels are 4096 bytes: 8192; 35 of them */
		{ 256, BERTH_PITCH_UNIT_PIXELS, 180224, 143360 },
		{ 64, BERTH_PITCH_UNIT_BYTES, 140800, 140800 },
		{ 4096, BERTH_PITCH_UNIT_BYTES, 180224, 143360 },
	};
	berth_plan_source *source;
	berth_caps caps;

	scratch_make();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		test_case("pitch alignment %u, unit %d", rows[i].pitch_align, (int)rows[i].unit);
		berth_caps_init_minimum(&caps, 300);
		caps.image_pitch_align = rows[i].pitch_align;
		caps.pitch_unit = rows[i].unit;
		ASSERT_OK(load(&source, text, &caps));
		CU_ASSERT_FATAL(source != NULL);
		ASSERT_INT(source->models[0].input.requests[0].bytes, rows[i].bytes);
		ASSERT_INT(source->models[0].items[0].kind, BERTH_PLAN_ITEM_IMAGE);
		ASSERT_INT(source->models[0].input.requests[1].bytes, 30);
		ASSERT_INT(source->models[0].items[1].kind, BERTH_PLAN_ITEM_BUFFER);
		/* weight: one row of 8800 texels */
		ASSERT_INT(source->models[0].input.requests[2].bytes, rows[i].chosen_bytes);
		ASSERT_INT(source->models[0].items[2].kind, BERTH_PLAN_ITEM_IMAGE);
		/* three channels are no format */
		ASSERT_INT(source->models[0].input.requests[3].bytes, 599994);
		ASSERT_INT(source->models[0].items[3].kind, BERTH_PLAN_ITEM_BUFFER);
		ASSERT_INT(source->models[0].input.caps.max_arena_bytes, caps.max_alloc_bytes);
		ASSERT_INT(source->models[0].input.caps.align_bytes, caps.base_addr_align_bits / 8);
		berth_plan_source_destroy(source);
	}
	scratch_remove();
}

/* gru.onnx and the like begin so; of the second model the sum of both buffers is 30. */
static void lists(void)
{
	static const char text[] = "# comment\n\nMODEL one two\n";
	static const char good[] = "# comment\n"
				   "MODEL first\nALIGN 64\nALLOC 1 100\nALLOC b 8\nFREE 1\n"
				   "  ALLOC 3 5\r\nFREE 3\nFREE b\nMEM 192\nEFF 1.000000\n"
				   "MODEL second\nALIGN 16\nALLOC 1 30\nFREE 1\n";
	static const struct expected first[REQUESTS_MAX] = { { "1", 0, 2, 100, 0, ANYWHERE },
							     { "b", 1, 5, 8, 0, ANYWHERE },
							     { "3", 3, 4, 5, 0, ANYWHERE } };
	static const struct expected second[REQUESTS_MAX] = { { "1", 0, 1, 30, 0, ANYWHERE } };
	berth_plan_source *source;
	berth_caps caps;

	scratch_make();
	ASSERT_INT(load(&source, text, NULL), BERTH_E_FORMAT);
	ASSERT_OK(load(&source, good, NULL));
	CU_ASSERT_FATAL(source != NULL);
	ASSERT_INT(source->kind, BERTH_PLAN_SOURCE_LISTS);
	ASSERT_INT(source->model_count, 2);
	ASSERT_STRING(source->models[0].name, "first");
	check_requests(&source->models[0], first);
	ASSERT_INT(source->models[0].expected_bytes, 192);
	ASSERT_INT(source->models[0].input.caps.align_bytes, 64);
	ASSERT_INT(source->models[0].items[1].place, 5);
	ASSERT_STRING(source->models[1].name, "second");
	check_requests(&source->models[1], second);
	ASSERT_INT(source->models[1].expected_bytes, 0);
	ASSERT_INT(source->models[1].input.caps.align_bytes, 16);
	berth_plan_source_destroy(source);

	/* The device's 128 bytes and the list's 64: both are kept. */
	berth_caps_init_minimum(&caps, 300);
	ASSERT_OK(load(&source, good, &caps));
	ASSERT_INT(source->models[0].input.caps.align_bytes, caps.base_addr_align_bits / 8);
	berth_plan_source_destroy(source);
	scratch_remove();
}

#define HEADER "id,lower,upper,size\n"

static void refuses(void)
{
	static const struct {
		const char *name;
		const char *text;
		const char *detail;
	} cases[] = {
		{ "empty", "", "there is no header" },
		{ "prose", "What is this?\n",
		  "line 1: not a header of a table: there is no column 'id'" },
		{ "no lower", "id,upper,size\na,1,2\n",
		  "line 1: not a header of a table: there is no column 'lower'" },
		{ "a column twice", "id,lower,upper,size,size\n",
		  "the column 'size' is there twice" },
		{ "no size", "id,lower,upper\na,0,1\n", "line 2: neither a size nor a layout" },
		{ "size and layout", "id,lower,upper,size,layout\na,0,1,4,linear float16 2\n",
		  "line 2: both a size and a layout" },
		{ "a field too few", HEADER "a,0,1,5\nb,1,2\n",
		  "line 3: 3 fields, the header has 4" },
		{ "a field too many", HEADER "a,0,1,5,6\n", "line 2: 5 fields, the header has 4" },
		{ "a word", HEADER "a,0,one,5\n", "line 2: upper 'one' is not a number" },
		{ "negative", HEADER "a,-1,1,5\n", "line 2: lower '-1' is not a number" },
		{ "a fraction", HEADER "a,0,1,5.5\n", "line 2: size '5.5' is not a number" },
		{ "over 64 bits", HEADER "a,0,1,18446744073709551616\n",
		  "line 2: size '18446744073709551616' is not" },
		{ "lower is missing", HEADER "a,,1,5\n", "line 2: lower is missing" },
		{ "upper is missing", HEADER "\na,0,,5\n", "line 3: upper is missing" },
		{ "size is missing", HEADER "a,0,1,\n", "line 2: size is missing" },
		{ "id is missing", HEADER ",0,1,5\n", "line 2: id is missing" },
		{ "reversed", HEADER "a,0,1,5\nb,4,2,5\n", "line 3: upper 2 is not after lower 4" },
		{ "of no length", HEADER "a,4,4,5\n", "line 2: upper 4 is not after lower 4" },
		{ "an id twice", HEADER "a,0,1,5\nb,0,1,5\na,1,2,5\n",
		  "line 4: id 'a' is that of line 2 already" },
		{ "an open quote", HEADER "\"a,0,1,5\n", "not CSV" },
		{ "not a layout", "id,lower,upper,layout\na,0,1,round float16 2\n",
		  "line 2: 'round' is not a memory scope" },
		{ "no shape", "id,lower,upper,layout\na,0,1,linear float16\n",
		  "line 2: layout 'linear float16' is not as" },
		{ "no number in the shape", "id,lower,upper,layout\na,0,1,linear float16 2xx3y\n",
		  "line 2: layout" },

		{ "not a keyword", "MODEL m\nALLOC 1 5\nGIVE 1\n",
		  "line 3: 'GIVE' is none of MODEL" },
		{ "no size", "MODEL m\nALLOC 1\n", "line 2: ALLOC takes 2 words, not 1" },
		{ "too many words", "ALLOC 1 2 3 4 5\n", "line 1: ALLOC takes 2 words, not 3" },
		{ "not a size", "ALLOC 1 big\n", "line 1: 'big' is not a number" },
		{ "freed before", "MODEL m\nFREE 7\nALLOC 7 5\n",
		  "line 2: FREE of '7', which is not allocated" },
		{ "freed twice", "ALLOC 7 5\nFREE 7\nFREE 7\n",
		  "line 3: '7' was freed in line 2 and comes again" },
		{ "allocated twice", "ALLOC 7 5\nALLOC 7 5\nFREE 7\n",
		  "line 2: ALLOC of '7', which line 1 allocated" },
		{ "never freed", "MODEL m\nALLOC 1 5\nALLOC 2 5\nFREE 1\nMODEL n\n",
		  "line 3: '2' is never freed" },
		{ "an id again", "ALLOC 7 5\nFREE 7\nALLOC 7 5\nFREE 7\n",
		  "line 3: '7' was freed in line 2 and comes again" },
	};

	scratch_make();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_plan_source *source;

		test_case("%s", cases[i].name);
		ASSERT_INT(load(&source, cases[i].text, NULL), BERTH_E_FORMAT);
		CU_ASSERT_PTR_NULL(source);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
		ASSERT_CONTAINS(berth_error_get()->message, scratch_path("input"));
	}
	scratch_remove();
}

static void refuses_otherwise(void)
{
	berth_plan_source_options options = BERTH_PLAN_SOURCE_OPTIONS_INIT;
	berth_plan_source *source;
	berth_caps caps;

	scratch_make();
	ASSERT_INT(berth_plan_source_load(&source, scratch_path("none"), NULL), BERTH_E_IO);
	ASSERT_INT(berth_plan_source_load(&source, scratch_path("."), NULL), BERTH_E_IO);
	ASSERT_INT(load(&source, "id,lower,upper,layout\na,0,1,linear float16 2\n", NULL),
		   BERTH_E_UNSUPPORTED);
	ASSERT_CONTAINS(berth_error_get()->message, "line 2: a layout has a size on a device only");
	/* The least that a device of version 3.0 allows is a width of 16384. */
	berth_caps_init_minimum(&caps, 300);
	ASSERT_INT(load(&source, "id,lower,upper,layout\na,0,1,texture float16 1x99999x4\n", &caps),
		   BERTH_E_LIMIT);
	ASSERT_CONTAINS(berth_error_get()->message, "line 2: ");
	options.by_use = true;
	ASSERT_INT(berth_plan_source_load(&source, write_text(HEADER), &options),
		   BERTH_E_UNSUPPORTED);
	scratch_remove();
}

/* ---- traces ---- */

#define READ_WRITE CL_MEM_READ_WRITE

static berth_op buffer(uint64_t id, uint64_t flags, uint64_t bytes)
{
	return (berth_op){
		.kind = BERTH_OP_BUFFER_CREATE, .object = id, .flags = flags, .bytes = bytes
	};
}

static berth_op image(uint64_t id, uint64_t on, uint32_t type, uint64_t width, uint64_t height)
{
	return (berth_op){ .kind = BERTH_OP_IMAGE_CREATE,
			   .object = id,
			   .other = on,
			   .flags = READ_WRITE,
			   .image = { .type = type,
				      .order = CL_RGBA,
				      .channel_type = CL_UNORM_INT8,
				      .width = width,
				      .height = height } };
}

static berth_op on(berth_op_kind kind, uint64_t id)
{
	return (berth_op){ .kind = kind,
			   .form = kind == BERTH_OP_WRITE ? BERTH_FORM_LINEAR : BERTH_FORM_NONE,
			   .object = id,
			   .bytes = 16,
			   .host_address = 4096 };
}

static const berth_object_use sub_use = { .object = 2, .access = BERTH_ACCESS_READ };

/*
 * op   what
 *  1   buffer 1, 1000 bytes
 *  2   sub-buffer 2 of it
 *  3   buffer 3, on the program's memory
 *  4   image 4, 100 x 10 texels of 4 bytes: 4000 bytes packed
 *  5   a creation that failed
 *  6   write 1
 *  7   buffer 6, 2000 bytes
 *  8   image 7, 10 x 10, on buffer 6
 *  9   release 6: image 7 holds it
 * 10   a kernel reads sub-buffer 2
 * 11   release 1: sub-buffer 2 holds it
 * 12   release 2: ends 1
 * 13   release 7: ends 6
 * 14   image 8: 1D
 * 15   release 4
 * 16   buffer 9, ALLOC_HOST_PTR, filled from the host, never released
 * 17   release 3
 */
static void write_trace(const char *path)
{
	const berth_op ops[] = {
		buffer(1, READ_WRITE, 1000),
		{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1, .bytes = 128 },
		buffer(3, READ_WRITE | CL_MEM_USE_HOST_PTR, 512),
		image(4, 0, CL_MEM_OBJECT_IMAGE2D, 100, 10),
		buffer(BERTH_ID_NONE, READ_WRITE, 0),
		on(BERTH_OP_WRITE, 1),
		buffer(6, READ_WRITE, 2000),
		image(7, 6, CL_MEM_OBJECT_IMAGE2D, 10, 10),
		on(BERTH_OP_RELEASE, 6),
		{ .kind = BERTH_OP_USE, .uses = &sub_use, .use_count = 1 },
		on(BERTH_OP_RELEASE, 1),
		on(BERTH_OP_RELEASE, 2),
		on(BERTH_OP_RELEASE, 7),
		image(8, 0, CL_MEM_OBJECT_IMAGE1D, 50, 0),
		on(BERTH_OP_RELEASE, 4),
		buffer(9, READ_WRITE | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, 300),
		on(BERTH_OP_RELEASE, 3),
	};
	const size_t count = sizeof(ops) / sizeof(ops[0]);
	struct fixture_op rows[sizeof(ops) / sizeof(ops[0])];

	memset(rows, 0, sizeof(rows));
	for (size_t i = 0; i < count; i++) {
		rows[i].row.answered = true;
		rows[i].row.thread = rows[i].row.context = 1;
		rows[i].row.op = ops[i];
		rows[i].row.result.cl_status = i == 4 ? CL_INVALID_BUFFER_SIZE : CL_SUCCESS;
		rows[i].row.result.bytes = ops[i].bytes;
		if (ops[i].kind == BERTH_OP_IMAGE_CREATE) /* the driver padded each row to 512 */
			rows[i].row.result.bytes =
				512 * (ops[i].image.height ? ops[i].image.height : 1);
	}
	trace_fixture_write(path, rows, count);
}

struct trace_expected {
	const char *name;
	uint64_t lower, upper, bytes, align;
	uint32_t group;
	berth_plan_item_kind kind;
};

static void traces(void)
{
	/*
	 * Held: 1000 + 512 + 5120 + 2000 at op 7. Apart: 512 of 3; at op 14 also 512 of 8, when
	 * 1D is none to plan, and 5120 of 4, when no image is.
	 */
	static const struct {
		const char *name;
		bool target, by_use;
		uint32_t pitch_align;
		uint64_t apart_bytes, unused;
		uint64_t apart[BERTH_PLAN_APART_END];
		struct trace_expected requests[REQUESTS_MAX];
	} cases[] = {
		{ "as recorded",
		  false,
		  false,
		  0,
		  512,
		  0,
		  { [BERTH_PLAN_APART_HOST] = 1 },
		  { { "1", 1, 12, 1000, 0, 0, BERTH_PLAN_ITEM_BUFFER },
		    { "4", 4, 15, 5120, 0, 0, BERTH_PLAN_ITEM_IMAGE },
		    { "6", 7, 13, 2000, 0, 0, BERTH_PLAN_ITEM_BOTH },
		    { "8", 14, 18, 512, 0, 0, BERTH_PLAN_ITEM_IMAGE },
		    { "9", 16, 18, 300, 0, BERTH_PLAN_GROUP_HOST, BERTH_PLAN_ITEM_BUFFER } } },
		/* 64 pixels are 256 bytes: a row of 400 becomes 512 */
		{ "64 pixels",
		  true,
		  false,
		  64,
		  1024,
		  0,
		  { [BERTH_PLAN_APART_HOST] = 1, [BERTH_PLAN_APART_TYPE] = 1 },
		  { { "1", 1, 12, 1000, 0, 0, BERTH_PLAN_ITEM_BUFFER },
		    { "4", 4, 15, 5120, 256, 0, BERTH_PLAN_ITEM_IMAGE },
		    { "6", 7, 13, 2000, 256, 0, BERTH_PLAN_ITEM_BOTH },
		    { "9", 16, 18, 300, 0, BERTH_PLAN_GROUP_HOST, BERTH_PLAN_ITEM_BUFFER } } },
		/* 4096 pixels are 16384 bytes a row */
		{ "4096 pixels, by use",
		  true,
		  true,
		  4096,
		  1024,
		  2,
		  { [BERTH_PLAN_APART_HOST] = 1, [BERTH_PLAN_APART_TYPE] = 1 },
		  { { "1", 6, 11, 1000, 0, 0, BERTH_PLAN_ITEM_BUFFER },
		    { "9", 16, 17, 300, 0, BERTH_PLAN_GROUP_HOST, BERTH_PLAN_ITEM_BUFFER } } },
		{ "no images on buffers",
		  true,
		  false,
		  0,
		  6144,
		  0,
		  { [BERTH_PLAN_APART_HOST] = 1,
		    [BERTH_PLAN_APART_TYPE] = 1,
		    [BERTH_PLAN_APART_DEVICE] = 1 },
		  { { "1", 1, 12, 1000, 0, 0, BERTH_PLAN_ITEM_BUFFER },
		    { "6", 7, 13, 2000, 0, 0, BERTH_PLAN_ITEM_BOTH },
		    { "9", 16, 18, 300, 0, BERTH_PLAN_GROUP_HOST, BERTH_PLAN_ITEM_BUFFER } } },
	};
	const char *path;

	scratch_make();
	path = scratch_path("t.db");
	write_trace(path);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_plan_source_options options = BERTH_PLAN_SOURCE_OPTIONS_INIT;
		berth_plan_source *source = NULL;
		berth_caps caps;
		size_t count = 0;

		test_case("%s", cases[i].name);
		berth_caps_init_minimum(&caps, 300);
		caps.image_pitch_align = caps.image_base_align = cases[i].pitch_align;
		caps.image2d_from_buffer = cases[i].pitch_align > 0;
		options.caps = cases[i].target ? &caps : NULL;
		options.by_use = cases[i].by_use;
		ASSERT_OK(berth_plan_source_load(&source, path, &options));
		CU_ASSERT_FATAL(source != NULL);
		ASSERT_INT(source->kind, BERTH_PLAN_SOURCE_TRACE);
		ASSERT_INT(source->held_bytes, 8632);
		ASSERT_INT(source->apart_bytes, cases[i].apart_bytes);
		ASSERT_INT(source->unused, cases[i].unused);
		ASSERT_INT(source->recorded_sizes, !cases[i].target);
		for (int why = 0; why < BERTH_PLAN_APART_END; why++)
			ASSERT_INT(source->apart_count[why], cases[i].apart[why]);
		while (count < REQUESTS_MAX && cases[i].requests[count].name)
			count++;
		ASSERT_INT(source->models[0].input.request_count, count);
		for (size_t j = 0; j < count && j < source->models[0].input.request_count; j++) {
			const struct trace_expected *expected = &cases[i].requests[j];
			const berth_plan_request *request = &source->models[0].input.requests[j];

			ASSERT_STRING(source->models[0].items[j].name, expected->name);
			ASSERT_INT(request->lower, expected->lower);
			ASSERT_INT(request->upper, expected->upper);
			ASSERT_INT(request->bytes, expected->bytes);
			ASSERT_INT(request->arena_group, expected->group);
			ASSERT_INT(source->models[0].items[j].kind, expected->kind);
			/* with the image's own alignment in bytes, 4 a pixel */
			if (cases[i].target && expected->align)
				ASSERT_INT(request->align_bytes, cases[i].pitch_align * 4);
		}
		berth_plan_source_destroy(source);
	}
	scratch_remove();
}

/* ---- plans as files ---- */

static void files_there_and_back(void)
{
	berth_plan_place places[] = { { 0, 64 }, { 1, 0 }, { 0, 0 } };
	const berth_plan plan = { .place_count = 3, .places = places };
	berth_plan_source *source;
	berth_plan_file *file = NULL;
	const char *path;

	scratch_make();
	ASSERT_OK(load(&source, HEADER "\"a,\"\"b\",0,2,10\n2,1,3,20\n3,0,2,30\n", NULL));
	path = scratch_path("plan.csv");
	ASSERT_OK(berth_plan_file_write(path, &source->models[0], &plan));
	ASSERT_OK(berth_plan_file_load(&file, path, &source->models[0]));
	CU_ASSERT_FATAL(file != NULL);
	ASSERT_INT(file->claim.place_count, 3);
	for (int i = 0; i < 3; i++) {
		ASSERT_INT(file->claim.places[i].arena, places[i].arena);
		ASSERT_INT(file->claim.places[i].offset_bytes, places[i].offset_bytes);
	}
	/* 64 + 10 and 0 + 20 */
	ASSERT_INT(file->claim.arena_count, 2);
	ASSERT_INT(file->claim.arena_bytes[0], 74);
	ASSERT_INT(file->claim.arena_bytes[1], 20);
	berth_plan_file_destroy(file);
	ASSERT_INT(berth_plan_file_write(scratch_path("no/such/folder"), &source->models[0], &plan),
		   BERTH_E_IO);
	berth_plan_source_destroy(source);
	scratch_remove();
}

static void files_refused(void)
{
	static const struct {
		const char *name;
		const char *text;
		berth_status st;
		const char *detail;
	} cases[] = {
		{ "no offset column", "id,size\na,10\n", BERTH_E_FORMAT, "no column 'offset'" },
		{ "of another model", "id,offset\na,0\nc,0\n", BERTH_E_FORMAT,
		  "line 3: 'c' is not among what is planned" },
		{ "a row is missing", "id,offset\na,0\n", BERTH_E_STATE, "has no row for 'b'" },
		{ "a row twice", "id,offset\na,0\na,0\n", BERTH_E_FORMAT,
		  "line 3: id 'a' is that of line 2" },
		{ "another size", "id,offset,size\na,0,11\n", BERTH_E_STATE,
		  "'a' has 11 bytes in the plan, 10 in" },
		{ "no offset", "id,offset\na,\n", BERTH_E_FORMAT,
		  "line 2: offset '' is not a number" },
		{ "beyond 64 bits", "id,offset\na,18446744073709551610\n", BERTH_E_OVERFLOW,
		  "line 2: offset 18446744073709551610 and 10 bytes" },
		{ "more arenas than requests", "id,offset,arena\na,0,2\n", BERTH_E_FORMAT,
		  "line 2: arena 2 of a plan of 2 requests" },
	};
	berth_plan_source *source;

	scratch_make();
	ASSERT_OK(load(&source, HEADER "a,0,2,10\nb,0,2,20\n", NULL));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_plan_file *file = NULL;
		const char *path = scratch_path("plan.csv");

		test_case("%s", cases[i].name);
		file_write(path, cases[i].text, strlen(cases[i].text));
		ASSERT_INT(berth_plan_file_load(&file, path, &source->models[0]), cases[i].st);
		CU_ASSERT_PTR_NULL(file);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
	}
	berth_plan_source_destroy(source);
	scratch_remove();
}

/* One box a request that has bytes; what a name holds stays text. */
static void pictures(void)
{
	static const char text[] = HEADER "<a & b>,0,2,10\n2,1,3,20\n3,2,3,0\n";
	berth_plan_place places[] = { { 0, 0 }, { 1, 0 }, { 0, 0 } };
	uint64_t arena_bytes[] = { 10, 20 };
	uint32_t arena_group[] = { 0, 0 };
	const berth_plan plan = { .place_count = 3,
				  .places = places,
				  .arena_count = 2,
				  .arena_bytes = arena_bytes,
				  .arena_group = arena_group,
				  .total_bytes = 30,
				  .lower_bound_bytes = 30 };
	berth_plan_model conflicts = { .input.by_conflicts = true };
	const berth_plan empty = { .place_count = 0 };
	berth_plan_source *source;
	const char *path;
	char *svg;
	size_t bytes, boxes = 0;

	scratch_make();
	path = scratch_path("plan.svg");
	ASSERT_OK(load(&source, text, NULL));
	ASSERT_OK(berth_plan_svg_write(path, "<title>", &source->models[0], &plan));
	svg = (char *)file_read(path, &bytes);
	svg = realloc(svg, bytes + 1);
	CU_ASSERT_FATAL(svg != NULL);
	svg[bytes] = 0;
	for (const char *at = svg; (at = strstr(at, "<title>")) != NULL; at++)
		boxes++;
	ASSERT_INT(boxes, 2);
	ASSERT_CONTAINS(svg, "&lt;a &amp; b>: buffer, 10 bytes at 0 of arena 0, alive in [0, 2)");
	ASSERT_CONTAINS(svg, "&lt;title>");
	CU_ASSERT(strcmp(svg + bytes - 7, "</svg>\n") == 0);
	free(svg);
	berth_plan_source_destroy(source);

	ASSERT_OK(load(&source, HEADER, NULL));
	ASSERT_OK(berth_plan_svg_write(path, "", &source->models[0], &empty));
	berth_plan_source_destroy(source);
	ASSERT_INT(berth_plan_svg_write(path, "", &conflicts, &empty), BERTH_E_UNSUPPORTED);
	scratch_remove();
}

int main(void)
{
	static const struct test tests[] = {
		{ "tables", tables },
		{ "layouts", layouts },
		{ "lists", lists },
		{ "refuses", refuses },
		{ "refuses otherwise", refuses_otherwise },
		{ "traces", traces },
		{ "files there and back", files_there_and_back },
		{ "files refused", files_refused },
		{ "pictures", pictures },
		{ NULL, NULL },
	};

	return test_main("plan_input", tests);
}
