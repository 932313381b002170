/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real driver against the specification: PoCL under the checker, the simulator
 * at PoCL's own limits as the reference. They must agree in every answer and in
 * every byte that the simulator knows.
 */
#include "opencl_driver.h"
#include "test_main.h"

#include <string.h>

#include <berth/checker.h>
#include <berth/opencl.h>
#include <berth/sim.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define BUFFER_BYTES 4096
#define WIDTH 33
#define HEIGHT 17
#define BOX(...) .region = { __VA_ARGS__ }
#define HOST(pointer) .host = (pointer), .host_address = (uint64_t)(uintptr_t)(pointer)

enum { BUFFER = 1, COPIED, SUBBUFFER, IMAGE, COPIED_IMAGE, LENT, REFUSED };

static berth_device *checker;
static unsigned char source[4 * BUFFER_BYTES], sink[4 * BUFFER_BYTES];
static _Alignas(4096) unsigned char lent[BUFFER_BYTES];

static bool open_checker(void)
{
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	berth_device *subject = NULL, *reference = NULL;
	berth_profile profile;

	checker = NULL;
	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = (unsigned char)(i * 31 + i / 251);
	ASSERT_OK(berth_opencl_find(&options.device, opencl_drivers[0].platform, 0));
	ASSERT_OK(berth_opencl_create(&subject, &options));
	if (!subject)
		return false;
	berth_profile_init_reference(&profile, berth_device_caps(subject));
	ASSERT_OK(berth_sim_create(&reference, &profile, NULL));
	ASSERT_OK(berth_checker_create(&checker, subject, reference));
	return checker != NULL;
}

static void close_checker(void)
{
	berth_device_destroy(checker);
}

static berth_result agree(const berth_op *op)
{
	berth_result result = { 0 };
	char text[160];

	berth_op_describe(op, text, sizeof(text));
	test_case("%s", text);
	ASSERT_OK(berth_device_execute(checker, op, &result));
	ASSERT_STRING(berth_checker_last(checker)->kind == BERTH_DIFFERENCE_NONE
			      ? ""
			      : berth_checker_last(checker)->text,
		      "");
	return result;
}

static void agree_on(const berth_op *ops, size_t count)
{
	for (size_t i = 0; i < count; i++)
		agree(&ops[i]);
}

static void make_objects(void)
{
	const berth_op ops[] = {
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = BUFFER, .bytes = BUFFER_BYTES },
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = COPIED, .bytes = BUFFER_BYTES,
		  .flags = CL_MEM_COPY_HOST_PTR, HOST(source) },
		{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = SUBBUFFER, .other = BUFFER,
		  .offset_bytes = 1024, .bytes = 512 },
		{ .kind = BERTH_OP_IMAGE_CREATE, .object = IMAGE,
		  .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
			     .channel_type = CL_UNSIGNED_INT8, .width = WIDTH, .height = HEIGHT } },
		{ .kind = BERTH_OP_IMAGE_CREATE, .object = COPIED_IMAGE,
		  .flags = CL_MEM_COPY_HOST_PTR, HOST(source),
		  .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
			     .channel_type = CL_UNSIGNED_INT8, .width = WIDTH, .height = HEIGHT,
			     .row_pitch_bytes = 256 } },
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = LENT, .bytes = BUFFER_BYTES,
		  .flags = CL_MEM_USE_HOST_PTR, HOST(lent) },
	};

	agree_on(ops, LENGTH(ops));
}

/* Every byte of every object, in both. */
static void read_all(uint64_t compared)
{
	const berth_op ops[] = {
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = BUFFER,
		  .bytes = BUFFER_BYTES, HOST(sink) },
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = COPIED,
		  .bytes = BUFFER_BYTES, HOST(sink) },
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = SUBBUFFER,
		  .bytes = 512, HOST(sink) },
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .object = IMAGE,
		  BOX(.extent = { WIDTH, HEIGHT, 1 }, .other_row_pitch_bytes = 200), HOST(sink) },
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .object = COPIED_IMAGE,
		  BOX(.extent = { WIDTH, HEIGHT, 1 }), HOST(sink) },
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = LENT,
		  .bytes = BUFFER_BYTES, HOST(sink) },
	};
	uint64_t before = berth_checker_counts(checker)->content_compared;

	agree_on(ops, LENGTH(ops));
	test_case("how many could be compared");
	ASSERT_INT(berth_checker_counts(checker)->content_compared - before, compared);
}

static void transfers(void)
{
	const berth_op writes[] = {
		{ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = BUFFER,
		  .bytes = BUFFER_BYTES, HOST(source + 5) },
		{ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_RECT, .object = BUFFER,
		  BOX(.origin = { 3, 2, 1 }, .other_origin = { 7, 1, 0 }, .extent = { 40, 5, 2 },
		      .row_pitch_bytes = 64, .slice_pitch_bytes = 1024,
		      .other_row_pitch_bytes = 100, .other_slice_pitch_bytes = 1000),
		  HOST(source) },
		{ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = SUBBUFFER,
		  .offset_bytes = 100, .bytes = 300, HOST(source + 9) },
		{ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE, .object = IMAGE,
		  BOX(.extent = { WIDTH, HEIGHT, 1 }, .other_row_pitch_bytes = 256),
		  HOST(source + 1) },
	};
	const berth_op moves[] = {
		{ .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = BUFFER,
		  .offset_bytes = 256, .bytes = 512, .pattern_bytes = 4, HOST(source) },
		{ .kind = BERTH_OP_FILL, .form = BERTH_FORM_IMAGE, .object = IMAGE,
		  .pattern_bytes = 16, BOX(.origin = { 2, 3, 0 }, .extent = { 5, 4, 1 }),
		  HOST(((uint32_t[]){ 1, 2, 3, 250 })) },
		{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = BUFFER,
		  .other = COPIED, .offset_bytes = 8, .other_offset_bytes = 500, .bytes = 999 },
		{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_RECT, .object = COPIED, .other = BUFFER,
		  BOX(.origin = { 1, 1, 0 }, .other_origin = { 9, 4, 0 }, .extent = { 50, 6, 1 },
		      .row_pitch_bytes = 80, .other_row_pitch_bytes = 128) },
		{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE, .object = IMAGE,
		  .other = COPIED_IMAGE,
		  BOX(.origin = { 1, 2, 0 }, .other_origin = { 4, 5, 0 }, .extent = { 9, 8, 1 }) },
		{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE_TO_BUFFER, .object = IMAGE,
		  .other = COPIED, .other_offset_bytes = 64,
		  BOX(.origin = { 3, 0, 0 }, .extent = { 10, 7, 1 }) },
		{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_BUFFER_TO_IMAGE, .object = COPIED,
		  .other = IMAGE, .offset_bytes = 32,
		  BOX(.other_origin = { 0, 9, 0 }, .extent = { 12, 3, 1 }) },
	};

	if (!open_checker())
		return;
	make_objects();
	agree_on(writes, LENGTH(writes));
	read_all(6);
	agree_on(moves, LENGTH(moves));
	read_all(6);
	close_checker();
}

static void mappings(void)
{
	berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = LENT,
			 .mapping = 1, .flags = CL_MAP_WRITE, .offset_bytes = 128, .bytes = 256 };
	berth_op unmap = { .kind = BERTH_OP_UNMAP, .object = LENT, .mapping = 1 };
	berth_op image = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = COPIED_IMAGE,
			   .mapping = 2, .flags = CL_MAP_READ | CL_MAP_WRITE,
			   BOX(.origin = { 4, 3, 0 }, .extent = { 8, 5, 1 }) };
	berth_result result;

	if (!open_checker())
		return;
	make_objects();
	result = agree(&map);
	if (result.mapped)
		memset(result.mapped, 0x77, 256);
	agree(&unmap);
	result = agree(&image);
	for (unsigned row = 0; result.mapped && row < 5; row++)
		memset((char *)result.mapped + row * result.row_pitch_bytes, 0x33, 32);
	unmap.object = COPIED_IMAGE;
	unmap.mapping = 2;
	agree(&unmap);
	/* a buffer, its sub-buffer and an image that nothing was written to */
	read_all(3);
	close_checker();
}

static void refusals(void)
{
	const berth_op ops[] = {
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = REFUSED },
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = REFUSED, .bytes = 4,
		  .flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY },
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = REFUSED, .bytes = UINT64_MAX / 2 },
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = REFUSED, .bytes = 4,
		  .flags = CL_MEM_COPY_HOST_PTR },
		{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = REFUSED, .other = BUFFER,
		  .offset_bytes = 1, .bytes = 1 },
		{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = REFUSED, .other = BUFFER,
		  .offset_bytes = BUFFER_BYTES, .bytes = 1 },
		{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = REFUSED, .other = SUBBUFFER,
		  .bytes = 1 },
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = BUFFER,
		  .offset_bytes = 1, .bytes = BUFFER_BYTES, HOST(sink) },
		{ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = BUFFER, .bytes = 4 },
		{ .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = BUFFER, .bytes = 6,
		  .pattern_bytes = 3, HOST(source) },
		{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = BUFFER,
		  .other = BUFFER, .other_offset_bytes = 4, .bytes = 8 },
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .object = IMAGE,
		  BOX(.origin = { 1, 0, 0 }, .extent = { WIDTH, HEIGHT, 1 }), HOST(sink) },
		{ .kind = BERTH_OP_UNMAP, .object = BUFFER, .mapping = 9 },
		{ .kind = BERTH_OP_RETAIN, .object = BERTH_ID_UNKNOWN },
		{ .kind = BERTH_OP_RELEASE, .object = BERTH_ID_NONE },
	};

	if (!open_checker())
		return;
	make_objects();
	for (size_t i = 0; i < LENGTH(ops); i++)
		ASSERT_INT(agree(&ops[i]).cl_status < 0, true);
	close_checker();
}

static void lifetimes(void)
{
	static const berth_object_use uses[] = { { .object = BUFFER, .access = BERTH_ACCESS_WRITE } };
	const berth_op ops[] = {
		{ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = BUFFER,
		  .bytes = BUFFER_BYTES, HOST(source) },
		{ .kind = BERTH_OP_RETAIN, .object = BUFFER },
		{ .kind = BERTH_OP_RELEASE, .object = BUFFER },
		{ .kind = BERTH_OP_MIGRATE, .uses = uses, .use_count = 1 },
		{ .kind = BERTH_OP_RELEASE, .object = BUFFER },
		/* the sub-buffer holds it */
		{ .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = SUBBUFFER,
		  .bytes = 512, HOST(sink) },
		{ .kind = BERTH_OP_RELEASE, .object = BUFFER },
		{ .kind = BERTH_OP_RELEASE, .object = SUBBUFFER },
		{ .kind = BERTH_OP_SYNC },
	};
	const berth_op use = { .kind = BERTH_OP_USE, .uses = uses, .use_count = 1, .name = "k" };

	if (!open_checker())
		return;
	make_objects();
	agree_on(ops, LENGTH(ops));
	ASSERT_INT(berth_checker_counts(checker)->content_compared, 1);
	close_checker();

	if (!open_checker())
		return;
	make_objects();
	agree(&ops[0]);
	agree(&use);
	test_case("what a kernel wrote is not known: the buffer, its sub-buffer, the image");
	read_all(3);
	ASSERT_INT(berth_checker_counts(checker)->content_unknown, 3);
	close_checker();
}

int main(void)
{
	static const struct test tests[] = {
		{ "transfers", transfers },
		{ "mappings", mappings },
		{ "refusals", refusals },
		{ "lifetimes", lifetimes },
		{ NULL, NULL },
	};

	return opencl_driver_select(&opencl_drivers[0]) ? test_main("check_opencl", tests) : 77;
}
