/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulated devices that depart from the specification: what they accept stays sane,
 * codes and order are theirs, a crash is final. With bytes and without.
 */
#include "sim_fixture.h"

#include <stdio.h>

#define SUBBUFFER(id, parent, at, size)                                                            \
	.kind = BERTH_OP_SUBBUFFER_CREATE, .object = (id), .other = (parent),                      \
	.offset_bytes = (at), .bytes = (size)
#define COPY(from, from_at, to, to_at, size)                                                       \
	.kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = (from), .other = (to),         \
	.offset_bytes = (from_at), .other_offset_bytes = (to_at), .bytes = (size)

static void deviate(berth_profile *profile, const char *rule, berth_deviation_answer answer,
		    int32_t code)
{
	const berth_deviation item = { .rule = berth_rules_find(rule),
				       .answer = answer,
				       .code = code };

	ASSERT_OK(berth_deviations_add(&profile->deviations, &item));
}

/* A device that accepts what breaks these rules. */
static berth_device *accepting(bool ghost, const char *const rules[])
{
	const berth_sim_options options = { .size = sizeof(options), .ghost = ghost };
	berth_profile profile = sim_fixture_profile();
	berth_device *device = NULL;

	for (size_t i = 0; rules[i]; i++)
		deviate(&profile, rules[i], BERTH_DEVIATION_ACCEPT, 0);
	ASSERT_OK(berth_sim_create(&device, &profile, &options));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	return device;
}

#define ACCEPTING(ghost, ...) accepting(ghost, (const char *const[]){ __VA_ARGS__, NULL })

static void misaligned_subbuffers(void)
{
	berth_device *device = ACCEPTING(false, "R38", "R63");
	uint8_t bytes[64], back[64];

	memset(bytes, 7, sizeof(bytes));
	ok(device, BUFFER(1, 256));
	ok(device, SUBBUFFER(2, 1, 3, 64));
	ok(device, WRITE(2, 0, 64), HOST(bytes));
	ASSERT_INT(ok(device, READ(1, 3, 64), HOST(back)).unknown_bytes, 0);
	CU_ASSERT_EQUAL(memcmp(bytes, back, sizeof(back)), 0);
	test_case("bytes beside it are as they were");
	ASSERT_INT(ok(device, READ(1, 0, 3), HOST(back)).unknown_bytes, 3);
	run(device, CL_INVALID_VALUE, SUBBUFFER(3, 1, 255, 2));
	berth_device_destroy(device);
}

/* The bytes of a sub-buffer that leaves its buffer are none of another object's. */
static void writes_that_leave_their_object(void)
{
	berth_device *device = ACCEPTING(false, "R100.bounds", "R36", "R105.bounds", "R102.bounds",
					 "R102.other_bounds");
	uint8_t known[256], bytes[512], back[256];

	memset(known, 1, sizeof(known));
	memset(bytes, 2, sizeof(bytes));
	ok(device, BUFFER(1, 256));
	ok(device, WRITE(1, 0, 256), HOST(known));
	ok(device, SUBBUFFER(2, 1, 128, 64));
	test_case("a write past the end of a sub-buffer: only the sub-buffer is unknown");
	ok(device, WRITE(2, 32, 64), HOST(bytes));
	ASSERT_INT(ok(device, READ(1, 0, 256), HOST(back)).unknown_bytes, 64);
	CU_ASSERT_EQUAL(memcmp(known, back, sizeof(back)), 0);
	test_case("a write at an offset near 2^64");
	ok(device, WRITE(2, UINT64_MAX - 8, 64), HOST(bytes));
	ok(device, WRITE(1, 0, 256), HOST(known));
	test_case("a read past the end gives nothing that is known, and writes nothing");
	memset(back, 5, sizeof(back));
	ASSERT_INT(ok(device, READ(1, 200, 100), HOST(back)).unknown_bytes, 100);
	ASSERT_INT(back[0], 5);
	test_case("a fill past the end");
	ok(device, .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 2, .bytes = 128,
	   .pattern_bytes = 1, HOST(bytes));
	ASSERT_INT(ok(device, READ(1, 0, 256), HOST(back)).unknown_bytes, 64);
	test_case("copies past either end");
	ok(device, BUFFER(3, 64));
	ok(device, COPY(3, 0, 2, 60, 8));
	ok(device, COPY(3, 60, 1, 0, 8));
	ASSERT_INT(ok(device, READ(1, 0, 256), HOST(back)).unknown_bytes, 256);
	CU_ASSERT_EQUAL(memcmp(known, back, sizeof(back)), 0);
	test_case("a sub-buffer that leaves its buffer, and a write inside it");
	ASSERT_INT(ok(device, SUBBUFFER(4, 1, 128, 1024)).bytes, 1024);
	ok(device, WRITE(1, 0, 256), HOST(known));
	ok(device, WRITE(4, 0, 512), HOST(bytes));
	ASSERT_INT(ok(device, READ(1, 0, 128), HOST(back)).unknown_bytes, 0);
	ASSERT_INT(ok(device, READ(1, 128, 128), HOST(back)).unknown_bytes, 128);
	CU_ASSERT_EQUAL(memcmp(known, back, 128), 0);
	test_case("the part of it that lies in the buffer");
	ok(device, WRITE(4, 0, 128), HOST(bytes));
	ASSERT_INT(ok(device, READ(1, 128, 128), HOST(back)).unknown_bytes, 0);
	ASSERT_INT(back[127], 2);
	test_case("one that begins outside, and one whose end does not fit 64 bits");
	ok(device, SUBBUFFER(5, 1, 512, 64));
	ok(device, WRITE(5, 0, 64), HOST(bytes));
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, SUBBUFFER(6, 1, UINT64_MAX - 127, 256));
	berth_device_destroy(device);
}

static void overlapping_copies(void)
{
	berth_device *device = ACCEPTING(false, "R102.overlap");
	uint8_t bytes[100] = { 0 };

	ok(device, BUFFER(1, 100));
	ok(device, WRITE(1, 0, 100), HOST(bytes));
	ok(device, COPY(1, 0, 1, 50, 50));
	ASSERT_INT(ok(device, READ(1, 0, 100), HOST(bytes)).unknown_bytes, 0);
	test_case("what an overlap leaves is not known");
	ok(device, COPY(1, 0, 1, 10, 50));
	ASSERT_INT(ok(device, READ(1, 0, 100), HOST(bytes)).unknown_bytes, 100);
	berth_device_destroy(device);
}

static void images_over_the_limits(void)
{
	for (int ghost = 0; ghost < 2; ghost++) {
		berth_device *device =
			ACCEPTING(ghost, "R49.width", "R49.height", "R49.zero", "R111.size");
		uint8_t pixels[40] = { 3 };

		test_case(ghost ? "ghost" : "bytes");
		ok(device, IMAGE(1, 20000, 2));
		ok(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE, .object = 1,
		   .bits = BERTH_OP_BLOCKING, .region = { { 19990, 1, 0 }, .extent = { 10, 1, 1 } },
		   HOST(pixels));
		run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, IMAGE(2, UINT64_C(1) << 32, 16));
		run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, IMAGE(2, UINT64_C(1) << 62, 4));
		run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, IMAGE(2, UINT64_MAX, UINT64_MAX));
		ok(device, IMAGE(2, 0, 5));
		ok(device, IMAGE(3, 5, 0));
		ASSERT_INT(sim_fixture_in_use(device), 160000);
		berth_device_destroy(device);
	}
}

/* Rows that overlap: what is written has no one order, so none of it is known. */
static void images_whose_rows_overlap(void)
{
	berth_device *device = ACCEPTING(false, "R57.least");
	uint8_t pixels[100] = { 0 };

	/* 5 pixels of 4 bytes, a pitch of 8. */
	ok(device, .kind = BERTH_OP_IMAGE_CREATE, .object = 1, .flags = CL_MEM_COPY_HOST_PTR,
	   .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
		      .channel_type = CL_UNSIGNED_INT8, .width = 5, .height = 5,
		      .row_pitch_bytes = 8 },
	   HOST(pixels));
	ok(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE, .object = 1,
	   .bits = BERTH_OP_BLOCKING, .region.extent = { 5, 5, 1 }, HOST(pixels));
	ASSERT_INT(ok(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .object = 1,
		      .bits = BERTH_OP_BLOCKING, .region.extent = { 5, 5, 1 }, HOST(pixels))
			   .unknown_bytes,
		   100);
	ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 1, .mapping = 5,
	   .flags = CL_MAP_READ, .region.extent = { 5, 5, 1 });
	berth_device_destroy(device);
}

/* Pixels of no bytes, in more rows than anyone can count: nothing to do, and done at once. */
static void rows_of_nothing(void)
{
	berth_device *device = ACCEPTING(false, "R46.pair", "R52", "R49.height", "R111.size",
					 "R111.format");
	const berth_region all = { .extent = { 1, UINT64_C(1) << 50, 1 } };
	uint8_t colour[16] = { 0 };

	ok(device, .kind = BERTH_OP_IMAGE_CREATE, .object = 1,
	   .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGB,
		      .channel_type = CL_UNSIGNED_INT8, .width = 1, .height = UINT64_C(1) << 50 });
	ok(device, .kind = BERTH_OP_FILL, .form = BERTH_FORM_IMAGE, .object = 1, .pattern_bytes = 16,
	   .region = all, HOST(colour));
	ok(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .object = 1,
	   .bits = BERTH_OP_BLOCKING, .region = all, HOST(colour));
	ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 1, .mapping = 5,
	   .flags = CL_MAP_READ, .region = all);
	berth_device_destroy(device);
}

static void handles_of_nothing(void)
{
	for (int ghost = 0; ghost < 2; ghost++) {
		berth_device *device =
			ACCEPTING(ghost, "R100.mem_object", "R102.mem_object", "R130",
				  "R120.mem_object", "R120.mapping", "R31.mem_object",
				  "R122.mem_object", "R123", "R48.mem_object", "R54b");
		const berth_object_use uses[] = { { .object = 77 }, { .object = 1 } };
		uint8_t byte = 0;

		test_case(ghost ? "ghost" : "bytes");
		ok(device, BUFFER(1, 100));
		ok(device, WRITE(77, 0, 1), HOST(&byte));
		ok(device, READ(BERTH_ID_NONE, 0, 1), HOST(&byte));
		ok(device, COPY(77, 0, 1, 0, 1));
		ok(device, RELEASE(BERTH_ID_NONE));
		ok(device, RELEASE(77));
		ok(device, .kind = BERTH_OP_RETAIN, .object = BERTH_ID_UNKNOWN);
		ok(device, .kind = BERTH_OP_UNMAP, .object = 77, .mapping = 5);
		ok(device, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5);
		ok(device, .kind = BERTH_OP_MIGRATE, .uses = uses, .use_count = 2);
		ok(device, .kind = BERTH_OP_USE, .uses = uses, .use_count = 2);
		test_case("what is made on nothing has memory of its own");
		ok(device, SUBBUFFER(2, 77, 1024, 50));
		ASSERT_INT(sim_fixture_in_use(device), 150);
		ok(device, WRITE(2, 49, 1), HOST(&byte));
		ok(device, IMAGE(3, 5, 5), .other = 77);
		ASSERT_INT(sim_fixture_in_use(device), 250);
		ok(device, RELEASE(2));
		ok(device, RELEASE(3));
		ASSERT_INT(sim_fixture_in_use(device), 100);
		berth_device_destroy(device);
	}
}

static void maps_out_of_bounds(void)
{
	berth_device *device = ACCEPTING(false, "R106.bounds");
	uint8_t bytes[100] = { 0 };

	ok(device, BUFFER(1, 100));
	ok(device, WRITE(1, 0, 100), HOST(bytes));
	CU_ASSERT_PTR_NULL(ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
			      .mapping = 5, .flags = CL_MAP_WRITE, .offset_bytes = 90, .bytes = 20)
				   .mapped);
	ASSERT_INT(ok(device, READ(1, 0, 100), HOST(bytes)).unknown_bytes, 100);
	ok(device, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5);
	run(device, CL_INVALID_VALUE, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5);
	berth_device_destroy(device);
}

static void codes_and_order(void)
{
	berth_profile profile = sim_fixture_profile();
	berth_device *device;
	berth_result result;

	profile.caps.max_alloc_bytes = 1000;
	deviate(&profile, "R25", BERTH_DEVIATION_CODE, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	deviate(&profile, "Q.zero_bytes", BERTH_DEVIATION_CODE, CL_INVALID_VALUE);
	device = sim_fixture_device(&profile);
	test_case("a code of the device's own");
	result = run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(1, 1001));
	ASSERT_STRING(result.rule, "R25");
	ASSERT_INT(result.code_count, 0);
	ASSERT_CONTAINS(berth_error_get()->message, "1001 bytes");
	test_case("flags first");
	result = run(device, CL_INVALID_VALUE, BUFFER(1, 1001),
		     .flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
	ASSERT_STRING(result.rule, "R11");
	test_case("a quirk");
	ok(device, BUFFER(1, 1000));
	result = run(device, CL_INVALID_VALUE, READ(1, 0, 0), HOST(&result));
	ASSERT_STRING(result.rule, "Q.zero_bytes");
	ok(device, READ(1, 0, 1), HOST(&result));
	berth_device_destroy(device);

	test_case("size first");
	profile.deviations.first[profile.deviations.first_count++] = berth_rules_find("R25");
	device = sim_fixture_device(&profile);
	result = run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(1, 1001),
		     .flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
	ASSERT_STRING(result.rule, "R25");
	ASSERT_INT(result.codes[0], CL_INVALID_VALUE);
	berth_device_destroy(device);

	test_case("no quirk where no deviation names it");
	profile = sim_fixture_profile();
	device = sim_fixture_device(&profile);
	ok(device, BUFFER(1, 1000));
	ok(device, READ(1, 0, 0), HOST(&result));
	berth_device_destroy(device);
}

static void a_crash_is_final(void)
{
	berth_profile profile = sim_fixture_profile();
	const berth_op fill = { .kind = BERTH_OP_FILL,
				.form = BERTH_FORM_LINEAR,
				.object = 1,
				.bytes = 16,
				.pattern_bytes = 4 };
	const berth_op buffer = { BUFFER(2, 100) };
	berth_device *device;
	berth_result result;
	berth_memory memory;

	deviate(&profile, "R105.pattern", BERTH_DEVIATION_CRASH, 0);
	device = sim_fixture_device(&profile);
	ok(device, BUFFER(1, 100));
	ASSERT_INT(berth_device_execute(device, &fill, &result), BERTH_E_LOST);
	ASSERT_CONTAINS(berth_error_get()->message, "R105.pattern");
	ASSERT_INT(berth_device_execute(device, &buffer, &result), BERTH_E_LOST);
	ASSERT_CONTAINS(berth_error_get()->message, "has crashed");
	berth_device_memory(device, &memory);
	ASSERT_INT(memory.live_objects, 1);
	berth_device_destroy(device);
}

static void deviations_that_make_no_sense(void)
{
	berth_profile profile = sim_fixture_profile();
	berth_device *device = NULL;

	profile.deviations.count = BERTH_DEVIATIONS_MAX + 1;
	ASSERT_INT(berth_sim_create(&device, &profile, NULL), BERTH_E_INVAL);
	profile.deviations.count = 1; /* which has no rule */
	ASSERT_INT(berth_sim_create(&device, &profile, NULL), BERTH_E_INVAL);
	profile.deviations.count = 0;
	profile.deviations.first_count = BERTH_ORDER_MAX + 1;
	ASSERT_INT(berth_sim_create(&device, &profile, NULL), BERTH_E_INVAL);
	CU_ASSERT_PTR_NULL(device);
}

/* Of 4096 bytes each: 9 us + 512 ns pageable, 8 us + 128 ns pinned. */
static void estimates(void)
{
	berth_profile profile = sim_fixture_profile();
	uint8_t bytes[4096] = { 0 };
	berth_device *device;
	berth_result result, map;
	uint64_t ns;

	profile.transfer.lines[BERTH_TRANSFER_WRITE_PAGEABLE] =
		(berth_transfer_model){ 9000, UINT64_C(8000000000) };
	profile.transfer.lines[BERTH_TRANSFER_WRITE_PINNED] =
		(berth_transfer_model){ 8000, UINT64_C(32000000000) };
	profile.transfer.lines[BERTH_TRANSFER_UNMAP] = (berth_transfer_model){ 10, 4096000000 };
	profile.transfer.lines[BERTH_TRANSFER_LAUNCH] = (berth_transfer_model){ 5000, 0 };
	device = sim_fixture_device(&profile);
	test_case("what moves nothing takes no time");
	result = ok(device, BUFFER(1, 4096));
	CU_ASSERT_TRUE(result.has_estimate);
	ASSERT_INT(result.estimated_ns, 0);
	test_case("pageable");
	ASSERT_INT(ok(device, WRITE(1, 0, 4096), HOST(bytes)).estimated_ns, 9512);
	ASSERT_INT(ok(device, BUFFER(2, 4096), .flags = CL_MEM_COPY_HOST_PTR, HOST(bytes))
			   .estimated_ns,
		   9512);
	test_case("a way that the model does not know");
	result = ok(device, READ(1, 0, 4096), HOST(bytes));
	CU_ASSERT_FALSE(result.has_estimate);
	ASSERT_INT(result.estimated_ns, 0);
	test_case("a refusal takes no time");
	result = run(device, CL_INVALID_VALUE, WRITE(1, 1, 4096), HOST(bytes));
	CU_ASSERT_FALSE(result.has_estimate);
	test_case("pinned, as long as it is mapped");
	ok(device, BUFFER(3, 4096), .flags = CL_MEM_ALLOC_HOST_PTR);
	map = ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 3, .mapping = 5,
		 .bits = BERTH_OP_BLOCKING, .flags = CL_MAP_WRITE, .bytes = 4096);
	CU_ASSERT_PTR_NOT_NULL_FATAL(map.mapped);
	ASSERT_INT(ok(device, WRITE(1, 0, 4096), HOST(map.mapped)).estimated_ns, 8128);
	/* 4096 bytes at 4.096e9 a second are 1000 ns. */
	ASSERT_INT(ok(device, .kind = BERTH_OP_UNMAP, .object = 3, .mapping = 5).estimated_ns,
		   1010);
	ASSERT_INT(ok(device, WRITE(1, 0, 4096), HOST(map.mapped)).estimated_ns, 9512);
	test_case("a mapping for reading brings nothing back");
	ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 3, .mapping = 6,
	   .bits = BERTH_OP_BLOCKING, .flags = CL_MAP_READ, .bytes = 4096);
	ASSERT_INT(ok(device, .kind = BERTH_OP_UNMAP, .object = 3, .mapping = 6).estimated_ns, 10);
	ASSERT_INT(ok(device, .kind = BERTH_OP_USE).estimated_ns, 5000);
	berth_device_destroy(device);

	test_case("an image: 8 x 4 pixels of 4 bytes are 16 ns");
	ASSERT_OK(berth_sim_estimate_ns(&ns, &profile,
					&(berth_op){ .kind = BERTH_OP_WRITE,
						     .form = BERTH_FORM_IMAGE,
						     .region.extent = { 8, 4, 1 } },
					4, false));
	ASSERT_INT(ns, 9016);
	test_case("bytes that do not fit 64 bits");
	ASSERT_INT(berth_sim_estimate_ns(&ns, &profile,
					 &(berth_op){ .kind = BERTH_OP_WRITE,
						      .form = BERTH_FORM_IMAGE,
						      .region.extent = { UINT64_MAX, 4, 1 } },
					 4, false),
		   BERTH_E_OVERFLOW);
	test_case("no model at all");
	profile = sim_fixture_profile();
	ASSERT_INT(berth_sim_estimate_ns(&ns, &profile, &(berth_op){ WRITE(1, 0, 1) }, 0, false),
		   BERTH_E_NOT_FOUND);
	device = sim_fixture_device(&profile);
	CU_ASSERT_FALSE(ok(device, BUFFER(1, 1)).has_estimate);
	berth_device_destroy(device);
}

int main(void)
{
	static const struct test tests[] = {
		{ "misaligned sub-buffers", misaligned_subbuffers },
		{ "writes that leave their object", writes_that_leave_their_object },
		{ "overlapping copies", overlapping_copies },
		{ "images over the limits", images_over_the_limits },
		{ "images whose rows overlap", images_whose_rows_overlap },
		{ "rows of nothing", rows_of_nothing },
		{ "handles of nothing", handles_of_nothing },
		{ "maps out of bounds", maps_out_of_bounds },
		{ "codes and order", codes_and_order },
		{ "a crash is final", a_crash_is_final },
		{ "deviations that make no sense", deviations_that_make_no_sense },
		{ "estimates", estimates },
		{ NULL, NULL },
	};

	return test_main("sim deviations", tests);
}
