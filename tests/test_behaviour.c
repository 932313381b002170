/* SPDX-License-Identifier: Apache-2.0 */
/* What a device does apart from what it reports: each knob of [behaviour], both sides. */
#include "sim_fixture.h"

#include <stdlib.h>

#define MIB (UINT64_C(1) << 20)
#define UNRESTRICTED (UINT64_C(1) << 23)

#define SUBBUFFER(id, parent, at, size)                                                            \
	.kind = BERTH_OP_SUBBUFFER_CREATE, .object = (id), .other = (parent),                      \
	.offset_bytes = (at), .bytes = (size)
#define IMAGE_ON(id, parent, w, h, pitch)                                                          \
	.kind = BERTH_OP_IMAGE_CREATE, .object = (id), .other = (parent),                          \
	.image = { .type = CL_MEM_OBJECT_IMAGE2D,                                                  \
		   .order = CL_RGBA,                                                               \
		   .channel_type = CL_UNSIGNED_INT8,                                               \
		   .width = (w),                                                                   \
		   .height = (h),                                                                  \
		   .row_pitch_bytes = (pitch) }
#define SYNC .kind = BERTH_OP_SYNC
#define KERNEL(list, count) .kind = BERTH_OP_USE, .uses = (list), .use_count = (count)

static void subbuffer_alignment(void)
{
	static const struct {
		uint32_t reported_bits, enforced_bytes;
		uint64_t origin;
		int32_t status;
	} cases[] = {
		{ 1024, 0, 128, CL_SUCCESS },	{ 1024, 0, 64, CL_MISALIGNED_SUB_BUFFER_OFFSET },
		{ 1024, 4, 4, CL_SUCCESS },	{ 1024, 4, 2, CL_MISALIGNED_SUB_BUFFER_OFFSET },
		{ 1024, 1, 1, CL_SUCCESS },	{ 1024, 256, 128, CL_MISALIGNED_SUB_BUFFER_OFFSET },
		{ 1024, 256, 256, CL_SUCCESS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		uint8_t byte = 0;
		berth_device *device;

		profile.caps.base_addr_align_bits = cases[i].reported_bits;
		profile.behaviour.subbuffer_align_enforced_bytes = cases[i].enforced_bytes;
		device = sim_fixture_device(&profile);
		ASSERT_INT(berth_device_caps(device)->base_addr_align_bits, cases[i].reported_bits);
		ok(device, BUFFER(1, 1024));
		run(device, cases[i].status, SUBBUFFER(2, 1, cases[i].origin, 64));
		if (cases[i].status != CL_SUCCESS && cases[i].enforced_bytes != 0)
			ASSERT_CONTAINS(berth_error_get()->message, "enforces another");
		/* Commands keep to the same alignment (R63). */
		if (cases[i].status == CL_SUCCESS)
			ok(device, WRITE(2, 0, 1), HOST(&byte));
		berth_device_destroy(device);
	}
}

static void largest_buffers(void)
{
	static const struct {
		berth_max_alloc_rule rule;
		uint64_t enforced, bytes, flags;
		int32_t status;
	} cases[] = {
		{ BERTH_MAX_ALLOC_STRICT, 0, MIB, 0, CL_SUCCESS },
		{ BERTH_MAX_ALLOC_STRICT, 0, MIB + 1, 0, CL_INVALID_BUFFER_SIZE },
		{ BERTH_MAX_ALLOC_STRICT, 2 * MIB, 2 * MIB, 0, CL_SUCCESS },
		{ BERTH_MAX_ALLOC_STRICT, 2 * MIB, 2 * MIB + 1, 0, CL_INVALID_BUFFER_SIZE },
		{ BERTH_MAX_ALLOC_STRICT, 4096, MIB, 0, CL_INVALID_BUFFER_SIZE },
		{ BERTH_MAX_ALLOC_STRICT, 0, MIB, UNRESTRICTED, CL_INVALID_VALUE },
		{ BERTH_MAX_ALLOC_FLAG, 0, MIB + 1, 0, CL_INVALID_BUFFER_SIZE },
		{ BERTH_MAX_ALLOC_FLAG, 0, MIB + 1, UNRESTRICTED, CL_SUCCESS },
		{ BERTH_MAX_ALLOC_FLAG, 0, 0, UNRESTRICTED, CL_INVALID_BUFFER_SIZE },
		{ BERTH_MAX_ALLOC_FLAG, 0, MIB, UNRESTRICTED << 1, CL_INVALID_VALUE },
		{ BERTH_MAX_ALLOC_NONE, 0, MIB + 1, 0, CL_SUCCESS },
		{ BERTH_MAX_ALLOC_NONE, 0, UINT64_C(1) << 30, 0, CL_SUCCESS },
		{ BERTH_MAX_ALLOC_NONE, 0, (UINT64_C(1) << 30) + 1, 0,
		  CL_MEM_OBJECT_ALLOCATION_FAILURE },
		{ BERTH_MAX_ALLOC_NONE, 0, UINT64_C(1) << 63, 0, CL_MEM_OBJECT_ALLOCATION_FAILURE },
		{ BERTH_MAX_ALLOC_NONE, 0, UINT64_MAX, 0, CL_MEM_OBJECT_ALLOCATION_FAILURE },
		{ BERTH_MAX_ALLOC_NONE, 0, 0, 0, CL_INVALID_BUFFER_SIZE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;

		profile.caps.max_alloc_bytes = MIB;
		profile.behaviour.max_alloc_enforced = cases[i].rule;
		profile.behaviour.max_alloc_enforced_bytes = cases[i].enforced;
		device = sim_fixture_device(&profile);
		test_case("row %zu", i);
		run(device, cases[i].status, BUFFER(1, cases[i].bytes), .flags = cases[i].flags);
		berth_device_destroy(device);
	}
}

/* A device that checks no size, and takes memory when it is touched. */
static void buffers_of_any_size_fail_when_touched(void)
{
	for (int ghost = 0; ghost < 2; ghost++) {
		const berth_sim_options options = { .size = sizeof(options), .ghost = ghost };
		berth_profile profile = sim_fixture_profile();
		berth_device *device;
		uint8_t byte = 7;

		profile.behaviour.max_alloc_enforced = BERTH_MAX_ALLOC_NONE;
		profile.memory.commit = BERTH_COMMIT_FIRST_USE;
		profile.memory.granularity_bytes = 4096;
		ASSERT_OK(berth_sim_create(&device, &profile, &options));
		ASSERT_INT(ok(device, BUFFER(1, UINT64_MAX)).bytes, -1);
		ok(device, BUFFER(2, UINT64_C(1) << 63));
		ok(device, BUFFER(3, 100));
		ASSERT_INT(sim_fixture_in_use(device), 0);
		run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, WRITE(1, 0, 1), HOST(&byte));
		run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, WRITE(2, UINT64_C(1) << 62, 1),
		    HOST(&byte));
		ok(device, WRITE(3, 0, 1), HOST(&byte));
		run(device, CL_INVALID_VALUE, WRITE(2, UINT64_C(1) << 63, 1), HOST(&byte));
		ASSERT_INT(sim_fixture_in_use(device), 4096);
		ok(device, RELEASE(1));
		ok(device, RELEASE(2));
		berth_device_destroy(device);
	}
}

static void pitch_of_images_on_buffers(void)
{
	static const struct {
		berth_pitch0_rule rule;
		uint32_t cl_version;
		uint64_t width, buffer_bytes;
		int32_t status;
		uint64_t pitch;
	} cases[] = {
		/* Aligned to 16 pixels of 4 bytes; 10 pixels are 40 bytes, rounded up 64. */
		{ BERTH_PITCH0_ERROR, 300, 16, 640, CL_SUCCESS, 64 },
		{ BERTH_PITCH0_ERROR, 300, 10, 640, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0 },
		{ BERTH_PITCH0_ERROR, 310, 10, 640, CL_SUCCESS, 40 },
		{ BERTH_PITCH0_TIGHT, 300, 10, 640, CL_SUCCESS, 40 },
		{ BERTH_PITCH0_TIGHT, 300, 10, 400, CL_SUCCESS, 40 },
		{ BERTH_PITCH0_TIGHT, 300, 10, 399, CL_INVALID_IMAGE_DESCRIPTOR, 0 },
		{ BERTH_PITCH0_ROUND_UP, 300, 10, 640, CL_SUCCESS, 64 },
		{ BERTH_PITCH0_ROUND_UP, 310, 10, 640, CL_SUCCESS, 64 },
		{ BERTH_PITCH0_ROUND_UP, 300, 10, 639, CL_INVALID_IMAGE_DESCRIPTOR, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;

		profile.caps.cl_version = cases[i].cl_version;
		profile.caps.image_pitch_align = 16;
		profile.behaviour.from_buffer_pitch0 = cases[i].rule;
		device = sim_fixture_device(&profile);
		ok(device, BUFFER(1, cases[i].buffer_bytes));
		test_case("row %zu", i);
		ASSERT_INT(run(device, cases[i].status, IMAGE_ON(2, 1, cases[i].width, 10, 0))
				   .row_pitch_bytes,
			   cases[i].pitch);
		/* A pitch that is given is another matter (R58). */
		run(device, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, IMAGE_ON(3, 1, 4, 4, 40));
		berth_device_destroy(device);
	}
}

static void rows_that_fit_tightly(void)
{
	static const struct {
		berth_from_buffer_size rule;
		uint64_t buffer_bytes;
		int32_t status;
	} cases[] = {
		/* 10 x 10 pixels of 4 bytes with a pitch of 64: 640 bytes, tightly 400. */
		{ BERTH_FROM_BUFFER_PADDED, 640, CL_SUCCESS },
		{ BERTH_FROM_BUFFER_PADDED, 639, CL_INVALID_IMAGE_DESCRIPTOR },
		{ BERTH_FROM_BUFFER_TIGHT, 639, CL_SUCCESS },
		{ BERTH_FROM_BUFFER_TIGHT, 400, CL_SUCCESS },
		{ BERTH_FROM_BUFFER_TIGHT, 399, CL_INVALID_IMAGE_DESCRIPTOR },
	};
	uint8_t pixels[400];

	memset(pixels, 9, sizeof(pixels));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;

		profile.caps.image_pitch_align = 16;
		profile.behaviour.from_buffer_size = cases[i].rule;
		device = sim_fixture_device(&profile);
		ok(device, BUFFER(1, cases[i].buffer_bytes));
		test_case("row %zu", i);
		run(device, cases[i].status, IMAGE_ON(2, 1, 10, 10, 64));
		/* The last rows of the image may lie outside: no byte there is touched. */
		if (cases[i].status == CL_SUCCESS)
			ok(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE, .object = 2,
			   .bits = BERTH_OP_BLOCKING, .region.extent = { 10, 10, 1 }, HOST(pixels));
		berth_device_destroy(device);
	}
}

static void unit_of_pitches(void)
{
	static const struct {
		berth_pitch_unit reported;
		berth_enforced_unit enforced;
		uint64_t pitch;
		int32_t status;
	} cases[] = {
		{ BERTH_PITCH_UNIT_PIXELS, BERTH_ENFORCED_AS_REPORTED, 64,
		  CL_INVALID_IMAGE_FORMAT_DESCRIPTOR },
		{ BERTH_PITCH_UNIT_PIXELS, BERTH_ENFORCED_AS_REPORTED, 256, CL_SUCCESS },
		{ BERTH_PITCH_UNIT_PIXELS, BERTH_ENFORCED_BYTES, 64, CL_SUCCESS },
		{ BERTH_PITCH_UNIT_PIXELS, BERTH_ENFORCED_BYTES, 40,
		  CL_INVALID_IMAGE_FORMAT_DESCRIPTOR },
		{ BERTH_PITCH_UNIT_BYTES, BERTH_ENFORCED_AS_REPORTED, 64, CL_SUCCESS },
		{ BERTH_PITCH_UNIT_BYTES, BERTH_ENFORCED_PIXELS, 64,
		  CL_INVALID_IMAGE_FORMAT_DESCRIPTOR },
		{ BERTH_PITCH_UNIT_BYTES, BERTH_ENFORCED_PIXELS, 256, CL_SUCCESS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;

		profile.caps.image_pitch_align = 64;
		profile.caps.image_base_align = 64;
		profile.caps.pitch_unit = cases[i].reported;
		profile.behaviour.pitch_unit_enforced = cases[i].enforced;
		device = sim_fixture_device(&profile);
		ok(device, BUFFER(1, 4096));
		test_case("row %zu", i);
		run(device, cases[i].status, IMAGE_ON(2, 1, 4, 4, cases[i].pitch));
		berth_device_destroy(device);
	}
}

/* 3 x 2 pixels of 4 bytes: the image's pitch is 12. */
static void pitch_of_maps(void)
{
	static const struct {
		uint32_t align;
		uint64_t flags, pitch;
	} cases[] = {
		{ 0, CL_MEM_READ_WRITE, 12 },
		{ 1, CL_MEM_READ_WRITE, 12 },
		{ 4, CL_MEM_READ_WRITE, 12 },
		{ 64, CL_MEM_READ_WRITE, 64 },
		/* The pointer follows from host_ptr (R117). */
		{ 64, CL_MEM_USE_HOST_PTR, 12 },
	};
	uint8_t pixels[24], back[24];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;
		berth_result map;
		uint8_t *mapped;

		for (size_t j = 0; j < sizeof(pixels); j++)
			pixels[j] = (uint8_t)(j + 1);
		profile.behaviour.map_pitch_align_bytes = cases[i].align;
		device = sim_fixture_device(&profile);
		ok(device, IMAGE(1, 3, 2),
		   .flags = cases[i].flags == CL_MEM_USE_HOST_PTR ? cases[i].flags
								  : CL_MEM_COPY_HOST_PTR,
		   HOST(pixels));
		map = ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 1,
			 .mapping = 5, .bits = BERTH_OP_BLOCKING,
			 .flags = CL_MAP_READ | CL_MAP_WRITE, .region.extent = { 3, 2, 1 });
		test_case("row %zu", i);
		ASSERT_INT(map.row_pitch_bytes, cases[i].pitch);
		CU_ASSERT_PTR_NOT_NULL_FATAL(map.mapped);
		mapped = map.mapped;
		CU_ASSERT_EQUAL(memcmp(mapped, pixels, 12), 0);
		ASSERT_INT(mapped[cases[i].pitch], 13);
		mapped[cases[i].pitch + 11] = 99;
		ok(device, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5);
		ok(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .object = 1,
		   .bits = BERTH_OP_BLOCKING, .region.extent = { 3, 2, 1 }, HOST(back));
		ASSERT_INT(back[12], 13);
		ASSERT_INT(back[23], 99);
		berth_device_destroy(device);
	}
}

static void maps_that_are_read_or_left(void)
{
	berth_profile profile = sim_fixture_profile();
	uint8_t pixels[24] = { 1 }, back[24] = { 0 };
	berth_device *device;
	berth_result map;

	profile.behaviour.map_pitch_align_bytes = 64;
	device = sim_fixture_device(&profile);
	ok(device, IMAGE(1, 3, 2), .flags = CL_MEM_COPY_HOST_PTR, HOST(pixels));
	test_case("a mapping for reading brings nothing back");
	map = ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 1, .mapping = 5,
		 .bits = BERTH_OP_BLOCKING, .flags = CL_MAP_READ, .region.extent = { 3, 2, 1 });
	memset(map.mapped, 77, 12);
	ok(device, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5);
	ok(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .object = 1,
	   .bits = BERTH_OP_BLOCKING, .region.extent = { 3, 2, 1 }, HOST(back));
	ASSERT_INT(back[0], 1);
	test_case("an object that ends while it is mapped");
	ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 1, .mapping = 6,
	   .flags = CL_MAP_WRITE, .region.extent = { 3, 1, 1 });
	ok(device, RELEASE(1));
	berth_device_destroy(device);
}

static void slice_pitch_of_2d_images(void)
{
	berth_profile profile = sim_fixture_profile();
	berth_device *device = sim_fixture_device(&profile);

	ASSERT_INT(ok(device, IMAGE(1, 3, 2)).slice_pitch_bytes, 0);
	berth_device_destroy(device);
	profile.behaviour.slice_pitch_2d = BERTH_SLICE_PITCH_ROWS;
	device = sim_fixture_device(&profile);
	ASSERT_INT(ok(device, IMAGE(1, 3, 2)).slice_pitch_bytes, 24);
	ASSERT_INT(ok(device, BUFFER(2, 100)).slice_pitch_bytes, 0);
	berth_device_destroy(device);
}

static void when_memory_comes_back(void)
{
	static const struct {
		berth_free_time time;
		uint64_t after_release, after_sync;
	} cases[] = {
		{ BERTH_FREE_RELEASE, 0, 0 },
		{ BERTH_FREE_FINISH, 600, 0 },
		{ BERTH_FREE_CONTEXT, 600, 600 },
		{ BERTH_FREE_PROCESS, 600, 600 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;
		berth_memory memory;

		profile.memory.capacity_bytes = 1000;
		profile.behaviour.free_time = cases[i].time;
		device = sim_fixture_device(&profile);
		ok(device, BUFFER(1, 600));
		ok(device, RELEASE(1));
		test_case("row %zu", i);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].after_release);
		run(device, cases[i].after_release ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_SUCCESS,
		    BUFFER(2, 401));
		if (cases[i].after_release == 0)
			ok(device, RELEASE(2));
		ok(device, SYNC);
		test_case("row %zu, after a sync", i);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].after_sync);
		run(device, cases[i].after_sync ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_SUCCESS,
		    BUFFER(3, 401));
		berth_device_memory(device, &memory);
		ASSERT_INT(memory.live_objects, cases[i].after_sync ? 0 : 1);
		berth_device_destroy(device);
	}
}

static void what_keeps_a_parent(void)
{
	static const struct {
		berth_retain_parent rule;
		uint64_t parent_gone, child_gone;
		uint64_t unknown; /* of the child's 64 bytes, without the parent */
	} cases[] = {
		{ BERTH_RETAIN_PARENT_YES, 128, 0, 0 },
		{ BERTH_RETAIN_PARENT_NO, 0, 0, 64 },
		{ BERTH_RETAIN_PARENT_LEAK, 128, 128, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		uint8_t bytes[128] = { 0 };
		berth_device *device;

		profile.behaviour.retain_parent = cases[i].rule;
		device = sim_fixture_device(&profile);
		ok(device, BUFFER(1, 128));
		ok(device, .kind = BERTH_OP_RETAIN, .object = 1);
		ok(device, WRITE(1, 0, 128), HOST(bytes));
		ok(device, SUBBUFFER(2, 1, 0, 64));
		ok(device, RELEASE(1));
		test_case("row %zu: retained", i);
		ASSERT_INT(sim_fixture_in_use(device), 128);
		ASSERT_INT(ok(device, READ(2, 0, 64), HOST(bytes)).unknown_bytes, 0);
		ok(device, RELEASE(1));
		test_case("row %zu: the parent is released", i);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].parent_gone);
		ASSERT_INT(ok(device, READ(2, 0, 64), HOST(bytes)).unknown_bytes, cases[i].unknown);
		ok(device, RELEASE(2));
		test_case("row %zu: all are released", i);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].child_gone);
		test_case("row %zu: a buffer without children", i);
		ok(device, BUFFER(3, 50));
		ok(device, RELEASE(3));
		ASSERT_INT(sim_fixture_in_use(device), cases[i].child_gone);
		berth_device_destroy(device);
	}
}

static void copies_behind_host_pointers(void)
{
	static const struct {
		uint32_t pointer_align, size_align;
		uint64_t address, bytes, flags, taken;
	} cases[] = {
		{ 0, 0, 4097, 100, CL_MEM_USE_HOST_PTR, 100 },
		{ 4096, 0, 8192, 100, CL_MEM_USE_HOST_PTR, 100 },
		{ 4096, 0, 8256, 100, CL_MEM_USE_HOST_PTR, 200 },
		{ 0, 64, 8256, 128, CL_MEM_USE_HOST_PTR, 128 },
		{ 0, 64, 8256, 100, CL_MEM_USE_HOST_PTR, 200 },
		{ 4096, 64, 8192, 100, CL_MEM_COPY_HOST_PTR, 100 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;

		profile.behaviour.zero_copy_ptr_align_bytes = cases[i].pointer_align;
		profile.behaviour.zero_copy_size_align_bytes = cases[i].size_align;
		device = sim_fixture_device(&profile);
		ok(device, BUFFER(1, cases[i].bytes), .flags = cases[i].flags,
		   .host_address = cases[i].address);
		test_case("row %zu", i);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].taken);
		berth_device_destroy(device);
	}
}

static void padding_of_images(void)
{
	static const struct {
		uint32_t row_align, row_min, rows_align;
		uint32_t type;
		uint64_t width, height, depth, array;
		uint64_t bytes; /* pixels of 4 bytes */
	} cases[] = {
		{ 1, 0, 0, CL_MEM_OBJECT_IMAGE2D, 5, 3, 0, 0, 60 },
		{ 64, 0, 0, CL_MEM_OBJECT_IMAGE2D, 5, 3, 0, 0, 192 },
		{ 16, 64, 0, CL_MEM_OBJECT_IMAGE2D, 5, 3, 0, 0, 192 },
		{ 16, 64, 0, CL_MEM_OBJECT_IMAGE2D, 20, 3, 0, 0, 240 },
		{ 1, 0, 4, CL_MEM_OBJECT_IMAGE2D, 5, 3, 0, 0, 80 },
		{ 1, 0, 4, CL_MEM_OBJECT_IMAGE2D, 5, 4, 0, 0, 80 },
		{ 1, 0, 4, CL_MEM_OBJECT_IMAGE2D, 5, 5, 0, 0, 160 },
		{ 1, 0, 4, CL_MEM_OBJECT_IMAGE3D, 5, 3, 2, 0, 160 },
		/* The layers of a 1D array are no rows. */
		{ 1, 0, 4, CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 0, 0, 3, 60 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;

		profile.memory.image_row_align_bytes = cases[i].row_align;
		profile.memory.image_row_min_bytes = cases[i].row_min;
		profile.memory.image_rows_align = cases[i].rows_align;
		device = sim_fixture_device(&profile);
		ok(device, .kind = BERTH_OP_IMAGE_CREATE, .object = 1,
		   .image = { .type = cases[i].type,
			      .order = CL_RGBA,
			      .channel_type = CL_UNSIGNED_INT8,
			      .width = cases[i].width,
			      .height = cases[i].height,
			      .depth = cases[i].depth,
			      .array_size = cases[i].array });
		test_case("row %zu", i);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].bytes);
		berth_device_destroy(device);
	}
}

/* The op that takes the memory of a buffer, of those that touch it in this order. */
static void when_memory_is_taken(void)
{
	static const berth_object_use uses[] = { { .object = 1 } };
	static const struct {
		berth_commit commit;
		uint64_t created, copied, written, migrated, used;
	} cases[] = {
		{ BERTH_COMMIT_CREATE, 100, 200, 200, 200, 200 },
		/* A buffer that brings its bytes along takes memory with them. */
		{ BERTH_COMMIT_FIRST_USE, 0, 100, 200, 200, 200 },
		{ BERTH_COMMIT_MIGRATE, 0, 0, 0, 100, 100 },
		{ BERTH_COMMIT_NDRANGE, 0, 0, 0, 0, 100 },
	};
	uint8_t bytes[100] = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;

		profile.memory.commit = cases[i].commit;
		device = sim_fixture_device(&profile);
		test_case("row %zu", i);
		ok(device, BUFFER(1, 100));
		ASSERT_INT(sim_fixture_in_use(device), cases[i].created);
		ok(device, BUFFER(2, 100), .flags = CL_MEM_COPY_HOST_PTR, HOST(bytes));
		ASSERT_INT(sim_fixture_in_use(device), cases[i].copied);
		ok(device, WRITE(1, 0, 100), HOST(bytes));
		ASSERT_INT(sim_fixture_in_use(device), cases[i].written);
		ok(device, .kind = BERTH_OP_MIGRATE, .uses = uses, .use_count = 1);
		ASSERT_INT(sim_fixture_in_use(device), cases[i].migrated);
		ok(device, KERNEL(uses, 1));
		ASSERT_INT(sim_fixture_in_use(device), cases[i].used);
		ok(device, KERNEL(uses, 1));
		ASSERT_INT(sim_fixture_in_use(device), cases[i].used);
		berth_device_destroy(device);
	}
}

static void out_of_memory_where_it_is_taken(void)
{
	static const berth_object_use uses[] = { { .object = 1 }, { .object = 2 } };
	static const struct {
		berth_commit commit;
		int32_t code, created, written, migrated, used;
	} cases[] = {
		{ BERTH_COMMIT_CREATE, -4, -4, 0, 0, 0 },
		{ BERTH_COMMIT_FIRST_USE, -5, 0, -5, 0, 0 },
		{ BERTH_COMMIT_MIGRATE, -6, 0, 0, -6, 0 },
		{ BERTH_COMMIT_NDRANGE, -4, 0, 0, 0, -4 },
	};
	uint8_t byte = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_device *device;

		profile.memory.capacity_bytes = 199;
		profile.memory.commit = cases[i].commit;
		profile.memory.out_of_memory_code = cases[i].code;
		device = sim_fixture_device(&profile);
		test_case("row %zu", i);
		ok(device, BUFFER(1, 100));
		run(device, cases[i].created, BUFFER(2, 100));
		if (cases[i].created == 0) {
			ok(device, WRITE(1, 0, 1), HOST(&byte));
			run(device, cases[i].written, WRITE(2, 0, 1), HOST(&byte));
		}
		if (cases[i].written == 0 && cases[i].created == 0) {
			run(device, cases[i].migrated, .kind = BERTH_OP_MIGRATE, .uses = uses,
			    .use_count = 2);
			run(device, cases[i].used ? cases[i].used : cases[i].migrated,
			    KERNEL(uses, 2));
			ASSERT_INT(sim_fixture_in_use(device), 0);
		}
		berth_device_destroy(device);
	}
}

static void behaviour_that_makes_no_sense(void)
{
	static const struct {
		const char *field;
		berth_behaviour behaviour;
	} cases[] = {
		{ "subbuffer_align_enforced_bytes", { .subbuffer_align_enforced_bytes = 3 } },
		{ "subbuffer_align_enforced_bytes",
		  { .subbuffer_align_enforced_bytes = UINT32_C(1) << 30 } },
		{ "max_alloc_enforced", { .max_alloc_enforced = (berth_max_alloc_rule)3 } },
		{ "from_buffer_pitch0", { .from_buffer_pitch0 = (berth_pitch0_rule)3 } },
		{ "from_buffer_size", { .from_buffer_size = (berth_from_buffer_size)2 } },
		{ "pitch_unit_enforced", { .pitch_unit_enforced = (berth_enforced_unit)3 } },
		{ "map_pitch_align_bytes", { .map_pitch_align_bytes = 48 } },
		{ "slice_pitch_2d", { .slice_pitch_2d = (berth_slice_pitch_rule)2 } },
		{ "free_time", { .free_time = (berth_free_time)4 } },
		{ "retain_parent", { .retain_parent = (berth_retain_parent)3 } },
		{ "zero_copy_ptr_align_bytes", { .zero_copy_ptr_align_bytes = 5 } },
		{ "zero_copy_size_align_bytes", { .zero_copy_size_align_bytes = 6 } },
	};
	berth_profile profile = sim_fixture_profile();
	berth_device *device = NULL;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].field);
		profile.behaviour = cases[i].behaviour;
		ASSERT_INT(berth_sim_create(&device, &profile, NULL), BERTH_E_INVAL);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].field);
		CU_ASSERT_PTR_NULL(device);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "alignment of sub-buffers", subbuffer_alignment },
		{ "largest buffers", largest_buffers },
		{ "buffers of any size fail when touched", buffers_of_any_size_fail_when_touched },
		{ "pitch of images on buffers", pitch_of_images_on_buffers },
		{ "rows that fit tightly", rows_that_fit_tightly },
		{ "unit of pitches", unit_of_pitches },
		{ "pitch of maps", pitch_of_maps },
		{ "maps that are read or left", maps_that_are_read_or_left },
		{ "slice pitch of 2D images", slice_pitch_of_2d_images },
		{ "when memory comes back", when_memory_comes_back },
		{ "what keeps a parent", what_keeps_a_parent },
		{ "copies behind host pointers", copies_behind_host_pointers },
		{ "padding of images", padding_of_images },
		{ "when memory is taken", when_memory_is_taken },
		{ "out of memory where it is taken", out_of_memory_where_it_is_taken },
		{ "behaviour that makes no sense", behaviour_that_makes_no_sense },
		{ NULL, NULL },
	};

	return test_main("behaviour", tests);
}
