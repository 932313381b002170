/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator's memory: what objects take, when, and what happens when it is out. */
#include "config.h"

#include "sim_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <berth/open.h>

static void what_objects_take(void)
{
	static const struct {
		const char *name;
		uint64_t granularity, shared_up_to, overhead;
		uint32_t row_align;
		uint64_t buffers[4]; /* created in this order */
		uint64_t width, height; /* then an image of 4-byte pixels, when not 0 */
		uint64_t in_use;
	} cases[] = {
		{ "exact", 1, 0, 0, 1, { 1, 1000 }, 0, 0, 1001 },
		{ "granules", 256, 0, 0, 1, { 1, 256, 257 }, 0, 0, 256 + 256 + 512 },
		{ "overhead", 1, 0, 64, 1, { 1, 100 }, 0, 0, 65 + 164 },
		{ "overhead is rounded too", 256, 0, 64, 1, { 192, 193 }, 0, 0, 256 + 512 },
		/* 100 + 300 + 1000 share, 1400 -> 2 granules; 1001 takes one of its own */
		{ "shared granules", 1024, 1000, 0, 1, { 100, 300, 1000, 1001 }, 0, 0, 2048 + 1024 },
		/* 4096 + 256 for 3 rows of 10 pixels, padded to 64 bytes: 192 */
		{ "image rows", 256, 0, 0, 64, { 4096 }, 10, 3, 4096 + 256 },
		{ "tight image rows", 1, 0, 0, 1, { 0 }, 10, 3, 120 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;
		uint64_t id = 1;

		profile.memory.granularity_bytes = cases[i].granularity;
		profile.memory.shared_up_to_bytes = cases[i].shared_up_to;
		profile.memory.object_overhead_bytes = cases[i].overhead;
		profile.memory.image_row_align_bytes = cases[i].row_align;
		device = sim_fixture_device(&profile);
		for (; id <= 4 && cases[i].buffers[id - 1]; id++)
			ok(device, BUFFER(id, cases[i].buffers[id - 1]));
		if (cases[i].width)
			ok(device, IMAGE(id++, cases[i].width, cases[i].height));
		test_case("%s", cases[i].name);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].in_use);
		while (--id > 0)
			ok(device, RELEASE(id));
		test_case("%s", cases[i].name);
		ASSERT_INT(sim_fixture_in_use(device), 0);
		berth_device_destroy(device);
	}
}

static void sizes_of_images(void)
{
	berth_profile profile = sim_fixture_profile();
	berth_device *device;
	berth_result result;

	profile.memory.image_row_align_bytes = 256;
	device = sim_fixture_device(&profile);
	result = ok(device, IMAGE(1, 100, 3));
	ASSERT_INT(result.row_pitch_bytes, 400); /* R90: tight */
	ASSERT_INT(result.slice_pitch_bytes, 0);
	ASSERT_INT(result.bytes, 3 * 512); /* R83: as stored */
	berth_device_destroy(device);
}

/* Objects on others take nothing of their own, and hold what they lie on. */
static void children(void)
{
	berth_profile profile = sim_fixture_profile();
	berth_device *device = sim_fixture_device(&profile);

	ok(device, BUFFER(1, 4096));
	ok(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1, .bytes = 1024);
	ok(device, .other = 1, IMAGE(3, 16, 16));
	ASSERT_INT(sim_fixture_in_use(device), 4096);
	ok(device, RELEASE(1));
	ok(device, RELEASE(2));
	ASSERT_INT(sim_fixture_in_use(device), 4096);
	ok(device, RELEASE(3));
	ASSERT_INT(sim_fixture_in_use(device), 0);
	berth_device_destroy(device);
}

static void out_of_memory_at_creation(void)
{
	berth_profile profile = sim_fixture_profile();
	berth_device *device;
	berth_result result;
	berth_memory memory;

	profile.memory.capacity_bytes = 10000;
	profile.memory.granularity_bytes = 1000;
	device = sim_fixture_device(&profile);
	ok(device, BUFFER(1, 6001)); /* 7000 */
	result = run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(2, 3001));
	ASSERT_STRING(result.rule, "R30");
	ASSERT_CONTAINS(berth_error_get()->message, "object 2");
	ASSERT_CONTAINS(berth_error_get()->message, "4000 bytes requested");
	ASSERT_CONTAINS(berth_error_get()->message, "7000 in use");
	ASSERT_CONTAINS(berth_error_get()->message, "capacity 10000");
	result = run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, IMAGE(3, 1000, 1));
	ASSERT_STRING(result.rule, "R53");
	ASSERT_INT(run(device, CL_INVALID_MEM_OBJECT, RELEASE(2)).bytes, 0);
	ok(device, BUFFER(2, 3000)); /* fills it to the last byte */
	berth_device_memory(device, &memory);
	ASSERT_INT(memory.in_use_bytes, 10000);
	ASSERT_INT(memory.peak_bytes, 10000);
	ASSERT_INT(memory.capacity_bytes, 10000);
	ASSERT_INT(memory.live_objects, 2);
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(4, 1));
	ok(device, RELEASE(1));
	ok(device, BUFFER(4, 7000));
	berth_device_destroy(device);
}

static void out_of_memory_at_first_use(void)
{
	const berth_object_use twice[] = { { .object = 3 }, { .object = 3, .arg_index = 1 } };
	const berth_object_use both[] = { { .object = 3 }, { .object = 4, .arg_index = 1 } };
	uint8_t byte = 1;
	berth_profile profile = sim_fixture_profile();
	berth_device *device;
	berth_result result;

	profile.memory.capacity_bytes = 10000;
	profile.memory.commit = BERTH_COMMIT_FIRST_USE;
	profile.memory.out_of_memory_code = CL_OUT_OF_RESOURCES;
	device = sim_fixture_device(&profile);
	for (uint64_t id = 1; id <= 4; id++)
		ok(device, BUFFER(id, 4000)); /* 16000 in all, none of it taken */
	ASSERT_INT(sim_fixture_in_use(device), 0);
	ok(device, WRITE(1, 0, 1), HOST(&byte));
	ASSERT_INT(sim_fixture_in_use(device), 4000);
	/* a copy takes its destination too; what is there already is not taken again */
	ok(device, .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 1, .other = 2,
	   .bytes = 1);
	ASSERT_INT(sim_fixture_in_use(device), 8000);
	result = run(device, CL_OUT_OF_RESOURCES, .kind = BERTH_OP_USE, .uses = twice,
		     .use_count = 2);
	ASSERT_STRING(result.rule, "R5");
	ASSERT_CONTAINS(berth_error_get()->message, "4000 bytes requested, 8000 in use");
	ASSERT_INT(sim_fixture_in_use(device), 8000);
	ok(device, RELEASE(2));
	run(device, CL_OUT_OF_RESOURCES, .kind = BERTH_OP_USE, .uses = both, .use_count = 2);
	ASSERT_CONTAINS(berth_error_get()->message, "8000 bytes requested, 4000 in use");
	ok(device, .kind = BERTH_OP_USE, .uses = twice, .use_count = 2);
	ASSERT_INT(sim_fixture_in_use(device), 8000);
	ok(device, RELEASE(4)); /* never used: gives nothing back */
	ASSERT_INT(sim_fixture_in_use(device), 8000);
	berth_device_destroy(device);
}

/* Which ops are a first use, of an object or of what it lies on. */
static void first_uses(void)
{
	uint8_t bytes[1024] = { 0 };
	const berth_object_use use = { .object = 2 };
	const struct {
		const char *name;
		berth_op op;
		bool takes;
	} cases[] = {
		{ "retain", { .kind = BERTH_OP_RETAIN, .object = 2 }, false },
		{ "label", { .kind = BERTH_OP_LABEL, .object = 2, .name = "x" }, false },
		{ "sync", { .kind = BERTH_OP_SYNC }, false },
		{ "sub-buffer", { .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 3, .other = 1,
				  .bytes = 128 }, false },
		{ "write", { WRITE(2, 0, 8), HOST(bytes) }, true },
		{ "read", { READ(2, 0, 8), HOST(bytes) }, true },
		{ "fill", { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 2,
			    .bytes = 8, .pattern_bytes = 1, HOST(bytes) }, true },
		{ "map", { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 2,
			   .flags = CL_MAP_READ, .mapping = 1, .bytes = 8 }, true },
		{ "migrate", { .kind = BERTH_OP_MIGRATE, .uses = &use, .use_count = 1 }, true },
		{ "use", { .kind = BERTH_OP_USE, .uses = &use, .use_count = 1 }, true },
	};
	berth_profile profile = sim_fixture_profile();

	profile.memory.commit = BERTH_COMMIT_FIRST_USE;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_device *device = sim_fixture_device(&profile);

		ok(device, BUFFER(1, 4096));
		ok(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1,
		   .bytes = 1024);
		sim_fixture_run(device, &cases[i].op, CL_SUCCESS, __FILE__, __LINE__);
		test_case("%s", cases[i].name);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].takes ? 4096 : 0);
		berth_device_destroy(device);
	}
}

/* The host's bytes are copied at creation, so the memory is needed then. */
static void content_at_creation_commits(void)
{
	uint8_t bytes[64] = { 0 };
	berth_profile profile = sim_fixture_profile();
	berth_device *device;

	profile.memory.commit = BERTH_COMMIT_FIRST_USE;
	profile.memory.capacity_bytes = 64;
	device = sim_fixture_device(&profile);
	ok(device, BUFFER(1, 64), .flags = CL_MEM_COPY_HOST_PTR, HOST(bytes));
	ASSERT_INT(sim_fixture_in_use(device), 64);
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(2, 64), .flags = CL_MEM_COPY_HOST_PTR,
	    HOST(bytes));
	berth_device_destroy(device);
}

/* What follows from the rules is in the answer: rule, code, and why. */
static void refusals(void)
{
	uint8_t bytes[100] = { 0 };
	berth_profile profile = sim_fixture_profile();
	berth_device *device = sim_fixture_device(&profile);
	berth_result result;

	result = run(device, CL_INVALID_BUFFER_SIZE, BUFFER(1, (UINT64_C(1) << 30) + 1));
	ASSERT_STRING(result.rule, "R25");
	ASSERT_INT(berth_error_get()->status, BERTH_E_CL);
	ASSERT_INT(berth_error_get()->cl_status, CL_INVALID_BUFFER_SIZE);
	ASSERT_CONTAINS(berth_error_get()->message, "1073741825");
	ASSERT_CONTAINS(berth_error_get()->message, "1073741824");
	ok(device, BUFFER(1, 64));
	result = run(device, CL_INVALID_VALUE, WRITE(1, 1, 64), HOST(bytes));
	CU_ASSERT_PTR_NOT_NULL(result.rule);
	ASSERT_CONTAINS(berth_error_get()->message, "64");
	run(device, CL_INVALID_VALUE, WRITE(1, UINT64_MAX - 7, 64), HOST(bytes));
	berth_device_destroy(device);
}

/* The specification at a driver's limits: no bound on the sum, no padding. */
static void reference(void)
{
	berth_profile profile;
	berth_caps caps;
	berth_device *device;
	berth_memory memory;

	berth_caps_init_minimum(&caps, 300);
	strcpy(caps.name, "A driver");
	caps.max_alloc_bytes = UINT64_C(1) << 40;
	caps.global_mem_bytes = UINT64_C(1) << 40;
	berth_profile_init_reference(&profile, &caps);
	ASSERT_CONTAINS(profile.source, "A driver");
	device = sim_fixture_device(&profile);
	ASSERT_STRING(berth_device_name(device), "sim:reference");
	for (uint64_t id = 1; id <= 100; id++)
		ok(device, BUFFER(id, UINT64_C(1) << 40));
	ok(device, BUFFER(101, 3));
	berth_device_memory(device, &memory);
	ASSERT_INT(memory.capacity_bytes, 0);
	ASSERT_INT(memory.in_use_bytes, (UINT64_C(100) << 40) + 3);
	berth_device_destroy(device);
}

/* Content costs memory of this machine only where it is touched. */
static void large_objects(void)
{
	uint8_t written[16] = "fifteen letters", read[16] = { 0 };
	const uint64_t size = UINT64_C(16) << 30;
	berth_profile profile = sim_fixture_profile();
	berth_device *device;

	profile.caps.max_alloc_bytes = size;
	profile.caps.global_mem_bytes = size;
	profile.memory.capacity_bytes = 8 * size;
	device = sim_fixture_device(&profile);
	for (uint64_t id = 1; id <= 8; id++)
		ok(device, BUFFER(id, size));
	ok(device, WRITE(8, size - 16, 16), HOST(written));
	ASSERT_INT(ok(device, READ(8, size - 16, 16), HOST(read)).unknown_bytes, 0);
	ASSERT_STRING((char *)read, "fifteen letters");
	berth_device_destroy(device);
}

static void models_that_make_no_sense(void)
{
	static const struct {
		const char *field;
		berth_memory_model model;
	} cases[] = {
		{ "capacity_bytes", { 0, 1, 0, 0, 1, BERTH_COMMIT_CREATE, -4, 0, 0 } },
		{ "granularity_bytes", { 1, 0, 0, 0, 1, BERTH_COMMIT_CREATE, -4, 0, 0 } },
		{ "image_row_align_bytes", { 1, 1, 0, 0, 0, BERTH_COMMIT_CREATE, -4, 0, 0 } },
		{ "commit", { 1, 1, 0, 0, 1, (berth_commit)4, -4, 0, 0 } },
		{ "out_of_memory_code", { 1, 1, 0, 0, 1, BERTH_COMMIT_CREATE, 0, 0, 0 } },
	};
	berth_sim_options options = BERTH_SIM_OPTIONS_INIT;
	berth_profile profile = sim_fixture_profile();
	berth_device *device = NULL;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		profile.memory = cases[i].model;
		test_case("%s", cases[i].field);
		ASSERT_INT(berth_sim_create(&device, &profile, NULL), BERTH_E_INVAL);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].field);
	}
	test_case("caps");
	profile = sim_fixture_profile();
	profile.caps.base_addr_align_bits = 1000;
	ASSERT_INT(berth_sim_create(&device, &profile, NULL), BERTH_E_INVAL);
	test_case("options");
	profile = sim_fixture_profile();
	options.size = 3;
	ASSERT_INT(berth_sim_create(&device, &profile, &options), BERTH_E_INVAL);
	CU_ASSERT_PTR_NULL(device);
}

static void names_of_devices(void)
{
	static const struct {
		const char *name;
		berth_status status;
		const char *message;
	} cases[] = {
		{ "", BERTH_E_INVAL, "sim:PROFILE" },
		{ "sim", BERTH_E_INVAL, "'sim'" },
		{ "sim:", BERTH_E_INVAL, "'sim:'" },
		{ "adreno-650", BERTH_E_INVAL, "'adreno-650'" },
		{ "sim:adreno-6500", BERTH_E_NOT_FOUND, "adreno-650," },
		{ "sim:/no/such/folder/x.ini", BERTH_E_IO, "/no/such/folder/x.ini" },
#ifdef BERTH_WITH_OPENCL
		/* 10^19 and more does not fit 64 bits, 10^9 and more are not read. */
		{ "opencl:x:99999999999999999999", BERTH_E_NOT_FOUND, " 99999999999999999999:" },
		{ "opencl:x:1000000000", BERTH_E_NOT_FOUND, " 1000000000:" },
#endif
	};
	berth_open_options options = BERTH_OPEN_OPTIONS_INIT;
	berth_device *device = NULL;
	berth_memory memory;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("'%s'", cases[i].name);
		ASSERT_INT(berth_device_open(&device, cases[i].name, NULL), cases[i].status);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].message);
		CU_ASSERT_PTR_NULL(device);
	}
	test_case("capacity of a real device");
	options.capacity_bytes = 5000;
#ifdef BERTH_WITH_OPENCL
	ASSERT_INT(berth_device_open(&device, "opencl:x", &options), BERTH_E_INVAL);
#else
	ASSERT_INT(berth_device_open(&device, "opencl:x", &options), BERTH_E_UNSUPPORTED);
#endif
	test_case("a profile with another capacity");
	ASSERT_OK(berth_device_open(&device, "sim:adreno-650", &options));
	ASSERT_STRING(berth_device_name(device), "sim:adreno-650");
	berth_device_memory(device, &memory);
	ASSERT_INT(memory.capacity_bytes, 5000);
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(1, 5001));
	berth_device_destroy(device);
}

int main(void)
{
	static const struct test tests[] = {
		{ "what objects take", what_objects_take },
		{ "sizes of images", sizes_of_images },
		{ "children", children },
		{ "out of memory at creation", out_of_memory_at_creation },
		{ "out of memory at the first use", out_of_memory_at_first_use },
		{ "first uses", first_uses },
		{ "content at creation commits", content_at_creation_commits },
		{ "refusals", refusals },
		{ "the reference", reference },
		{ "large objects", large_objects },
		{ "models that make no sense", models_that_make_no_sense },
		{ "names of devices", names_of_devices },
		{ NULL, NULL },
	};

	return test_main("sim", tests);
}
