/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator's content: which of it is known, where it lies, colours. */
#include "sim_fixture.h"

#include "colour.h"

#define MAP(id, how, map_id, at, size)                                                             \
	.kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING,                \
	.object = (id), .flags = (how), .mapping = (map_id), .offset_bytes = (at), .bytes = (size)
#define UNMAP(id, map_id) .kind = BERTH_OP_UNMAP, .object = (id), .mapping = (map_id)
#define COPY(from, to, at, other_at, size)                                                         \
	.kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = (from), .other = (to),         \
	.offset_bytes = (at), .other_offset_bytes = (other_at), .bytes = (size)
#define IMAGE_OP(op_kind, id, x, y, w, h)                                                          \
	.kind = (op_kind), .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING, .object = (id),    \
	.region = { .origin = { (x), (y) }, .extent = { (w), (h), 1 } }

static uint8_t host[4096];

/* How many bytes of [at, at + size) of a buffer the device does not know. */
static uint64_t unknown(berth_device *device, uint64_t id, uint64_t at, uint64_t size)
{
	uint8_t read[4096];

	return ok(device, READ(id, at, size), HOST(read)).unknown_bytes;
}

static berth_device *open_device(void)
{
	berth_profile profile = sim_fixture_profile();

	return sim_fixture_device(&profile);
}

/* Buffers 1 and 2 of 100 bytes; [10, 60) of the first is written before each case. */
static void what_is_known(void)
{
	const berth_object_use reads = { .object = 1, .access = BERTH_ACCESS_READ };
	const berth_object_use writes = { .object = 1, .access = BERTH_ACCESS_WRITE };
	const berth_object_use not_said = { .object = 1 };
	const berth_object_use both[] = { writes, { .object = 2, .access = BERTH_ACCESS_WRITE } };
	const struct {
		const char *name;
		berth_op op;
		uint64_t id, at, size, unknown;
	} cases[] = {
		{ "nothing else", { .kind = BERTH_OP_SYNC }, 1, 0, 100, 50 },
		{ "never written", { .kind = BERTH_OP_SYNC }, 2, 0, 100, 100 },
		{ "all of what was written", { .kind = BERTH_OP_SYNC }, 1, 10, 50, 0 },
		{ "across the start", { .kind = BERTH_OP_SYNC }, 1, 5, 10, 5 },
		{ "written beside", { WRITE(1, 60, 40), HOST(host) }, 1, 0, 100, 10 },
		{ "written over", { WRITE(1, 0, 30), HOST(host) }, 1, 0, 100, 40 },
		{ "bytes not here", { WRITE(1, 20, 10), HOST_NOT_HERE }, 1, 0, 100, 60 },
		{ "filled", { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1,
			      .offset_bytes = 60, .bytes = 40, .pattern_bytes = 4, HOST(host) },
		  1, 0, 100, 10 },
		{ "pattern not here", { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR,
					.object = 1, .offset_bytes = 40, .bytes = 40,
					.pattern_bytes = 4, HOST_NOT_HERE }, 1, 0, 100, 70 },
		/* [5, 25) of it: 5 unknown, 15 known */
		{ "copied", { COPY(1, 2, 5, 50, 20) }, 2, 0, 100, 85 },
		{ "copied, the unknown part", { COPY(1, 2, 5, 50, 20) }, 2, 50, 5, 5 },
		{ "copied, the known part", { COPY(1, 2, 5, 50, 20) }, 2, 55, 15, 0 },
		{ "unknown copied over known", { COPY(2, 1, 0, 20, 10) }, 1, 0, 100, 60 },
		{ "copied within", { COPY(1, 1, 10, 60, 40) }, 1, 0, 100, 10 },
		/* 5 x 4 at (0, 0) with rows of 10: [10,15) [20,25) [30,35) of 0, 10, 20, 30 known */
		{ "copied as a rect",
		  { .kind = BERTH_OP_COPY, .form = BERTH_FORM_RECT, .object = 1, .other = 2,
		    .region = { .extent = { 5, 4, 1 }, .row_pitch_bytes = 10,
				.other_row_pitch_bytes = 20 } }, 2, 0, 100, 85 },
		{ "written as a rect",
		  { .kind = BERTH_OP_WRITE, .form = BERTH_FORM_RECT, .object = 2, HOST(host),
		    .bits = BERTH_OP_BLOCKING,
		    .region = { .extent = { 5, 4, 1 }, .row_pitch_bytes = 10 } }, 2, 0, 100, 80 },
		{ "read by a kernel", { .kind = BERTH_OP_USE, .uses = &reads, .use_count = 1 },
		  1, 0, 100, 50 },
		{ "written by a kernel", { .kind = BERTH_OP_USE, .uses = &writes, .use_count = 1 },
		  1, 0, 100, 100 },
		{ "used by a kernel", { .kind = BERTH_OP_USE, .uses = &not_said, .use_count = 1 },
		  1, 0, 100, 100 },
		{ "two by a kernel", { .kind = BERTH_OP_USE, .uses = both, .use_count = 2 },
		  1, 0, 100, 100 },
		{ "migrated", { .kind = BERTH_OP_MIGRATE, .uses = &writes, .use_count = 1 },
		  1, 0, 100, 50 },
		{ "migrated without content",
		  { .kind = BERTH_OP_MIGRATE, .uses = &reads, .use_count = 1,
		    .flags = CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED }, 1, 0, 100, 100 },
		{ "mapped for reading", { MAP(1, CL_MAP_READ, 1, 0, 100) }, 1, 0, 100, 50 },
		{ "mapped for writing", { MAP(1, CL_MAP_WRITE, 1, 0, 100) }, 1, 0, 100, 50 },
		{ "mapped and discarded", { MAP(1, CL_MAP_WRITE_INVALIDATE_REGION, 1, 20, 10) },
		  1, 0, 100, 60 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_device *device = open_device();

		ok(device, BUFFER(1, 100));
		ok(device, BUFFER(2, 100));
		ok(device, WRITE(1, 10, 50), HOST(host));
		sim_fixture_run(device, &cases[i].op, CL_SUCCESS, __FILE__, __LINE__);
		test_case("%s", cases[i].name);
		ASSERT_INT(unknown(device, cases[i].id, cases[i].at, cases[i].size),
			   cases[i].unknown);
		berth_device_destroy(device);
	}
}

static void what_maps_know(void)
{
	static const struct {
		const char *name;
		uint64_t flags;
		bool not_here;		 /* what the program wrote there */
		uint64_t at_map, after; /* unknown bytes of [0, 40): of the map, after the unmap */
	} cases[] = {
		{ "reading", CL_MAP_READ, false, 10, 10 },
		{ "writing", CL_MAP_WRITE, false, 10, 0 },
		{ "both", CL_MAP_READ | CL_MAP_WRITE, false, 10, 0 },
		{ "discarding", CL_MAP_WRITE_INVALIDATE_REGION, false, 40, 0 },
		{ "writing, bytes not here", CL_MAP_WRITE, true, 10, 40 },
		{ "discarding, bytes not here", CL_MAP_WRITE_INVALIDATE_REGION, true, 40, 40 },
		{ "reading, bytes not here", CL_MAP_READ, true, 10, 10 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_device *device = open_device();
		berth_op unmap = { UNMAP(1, 7) };
		berth_result result;

		ok(device, BUFFER(1, 100));
		ok(device, WRITE(1, 10, 50), HOST(host));
		result = ok(device, MAP(1, cases[i].flags, 7, 0, 40));
		test_case("%s", cases[i].name);
		ASSERT_INT(result.unknown_bytes, cases[i].at_map);
		CU_ASSERT_PTR_NOT_NULL(result.mapped);
		if (cases[i].not_here)
			unmap.host_address = 4096;
		sim_fixture_run(device, &unmap, CL_SUCCESS, __FILE__, __LINE__);
		test_case("%s", cases[i].name);
		ASSERT_INT(unknown(device, 1, 0, 40), cases[i].after);
		berth_device_destroy(device);
	}
}

/* 10 x 4 pixels of 4 bytes. */
static void what_images_know(void)
{
	uint8_t read[160];
	const berth_object_use use = { .object = 1, .access = BERTH_ACCESS_WRITE };
	berth_device *device = open_device();
	berth_op create = { IMAGE(2, 10, 4), .flags = CL_MEM_COPY_HOST_PTR, HOST_NOT_HERE };

	ok(device, IMAGE(1, 10, 4));
	ASSERT_INT(ok(device, IMAGE_OP(BERTH_OP_READ, 1, 0, 0, 10, 4), HOST(read)).unknown_bytes,
		   160);
	ok(device, IMAGE_OP(BERTH_OP_WRITE, 1, 2, 1, 3, 2), HOST(host));
	ASSERT_INT(ok(device, IMAGE_OP(BERTH_OP_READ, 1, 0, 0, 10, 4), HOST(read)).unknown_bytes,
		   160 - 3 * 2 * 4);
	ASSERT_INT(ok(device, IMAGE_OP(BERTH_OP_READ, 1, 2, 1, 3, 2), HOST(read)).unknown_bytes, 0);
	ok(device, IMAGE_OP(BERTH_OP_WRITE, 1, 0, 0, 10, 4), HOST(host));
	ASSERT_INT(ok(device, IMAGE_OP(BERTH_OP_READ, 1, 0, 0, 10, 4), HOST(read)).unknown_bytes, 0);
	ok(device, .kind = BERTH_OP_USE, .uses = &use, .use_count = 1);
	ASSERT_INT(ok(device, IMAGE_OP(BERTH_OP_READ, 1, 0, 0, 1, 1), HOST(read)).unknown_bytes, 4);
	sim_fixture_run(device, &create, CL_SUCCESS, __FILE__, __LINE__);
	ASSERT_INT(ok(device, IMAGE_OP(BERTH_OP_READ, 2, 0, 0, 10, 4), HOST(read)).unknown_bytes,
		   160);
	berth_device_destroy(device);
}

/*
 * Images of other types: 4 x 3 x 2 pixels in each, a byte a pixel, numbered from
 * 1 in the order of their coordinates; a box of 2 x 2 x 2 at (1, 1, 0) is copied
 * to a buffer, where types with fewer axes have fewer pixels.
 */
static void other_image_types(void)
{
	static const struct {
		const char *name;
		berth_image image;
		uint64_t extent[3];	    /* all of it */
		uint64_t origin[3], box[3]; /* of the copy */
		uint8_t copied[8];	    /* then 0 */
	} cases[] = {
		{ "3D", { .type = CL_MEM_OBJECT_IMAGE3D, .width = 4, .height = 3, .depth = 2 },
		  { 4, 3, 2 }, { 1, 1, 0 }, { 2, 2, 2 }, { 6, 7, 10, 11, 18, 19, 22, 23 } },
		{ "2D array",
		  { .type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .width = 4, .height = 3, .array_size = 2 },
		  { 4, 3, 2 }, { 1, 1, 0 }, { 2, 2, 2 }, { 6, 7, 10, 11, 18, 19, 22, 23 } },
		{ "1D array", { .type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .width = 4, .array_size = 3 },
		  { 4, 3, 1 }, { 1, 1, 0 }, { 2, 2, 1 }, { 6, 7, 10, 11 } },
		{ "1D", { .type = CL_MEM_OBJECT_IMAGE1D, .width = 4 }, { 4, 1, 1 }, { 1, 0, 0 },
		  { 2, 1, 1 }, { 2, 3 } },
	};
	uint8_t pixels[24], read[8];

	for (unsigned i = 0; i < sizeof(pixels); i++)
		pixels[i] = (uint8_t)(i + 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_device *device = open_device();
		berth_op create = { .kind = BERTH_OP_IMAGE_CREATE, .object = 1,
				    .image = cases[i].image };
		berth_op write = { IMAGE_OP(BERTH_OP_WRITE, 1, 0, 0, 0, 0), HOST(pixels) };
		berth_op copy = { .kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE_TO_BUFFER,
				  .object = 1, .other = 2 };

		create.image.order = CL_R;
		create.image.channel_type = CL_UNSIGNED_INT8;
		memcpy(write.region.extent, cases[i].extent, sizeof(write.region.extent));
		memcpy(copy.region.origin, cases[i].origin, sizeof(copy.region.origin));
		memcpy(copy.region.extent, cases[i].box, sizeof(copy.region.extent));
		sim_fixture_run(device, &create, CL_SUCCESS, __FILE__, __LINE__);
		ok(device, BUFFER(2, 8), .flags = CL_MEM_COPY_HOST_PTR, HOST(host));
		sim_fixture_run(device, &write, CL_SUCCESS, __FILE__, __LINE__);
		sim_fixture_run(device, &copy, CL_SUCCESS, __FILE__, __LINE__);
		ASSERT_INT(ok(device, READ(2, 0, 8), HOST(read)).unknown_bytes, 0);
		test_case("%s", cases[i].name);
		for (int byte = 0; byte < 8; byte++)
			ASSERT_INT(read[byte], cases[i].copied[byte]);
		berth_device_destroy(device);
	}
}

/* One memory under a buffer, a sub-buffer and an image with a pitch of 64 on it. */
static void one_memory(void)
{
	uint8_t pixels[2 * 40], read[1024] = { 0 };
	const berth_object_use use = { .object = 3, .access = BERTH_ACCESS_WRITE };
	berth_device *device = open_device();

	memset(pixels, 7, sizeof(pixels));
	ok(device, BUFFER(1, 1024));
	ok(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1, .offset_bytes = 128,
	   .bytes = 512);
	ok(device, .kind = BERTH_OP_IMAGE_CREATE, .object = 3, .other = 2,
	   .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
		      .channel_type = CL_UNSIGNED_INT8, .width = 10, .height = 4,
		      .row_pitch_bytes = 64 });
	ok(device, WRITE(1, 0, 1024), HOST(host));
	ok(device, IMAGE_OP(BERTH_OP_WRITE, 3, 0, 2, 10, 2), HOST(pixels));
	ok(device, READ(1, 0, 1024), HOST(read));
	/* rows 2 and 3 of the image lie at 128 + 2 * 64 and 128 + 3 * 64 */
	ASSERT_INT(read[255], 0);
	ASSERT_INT(read[256], 7);
	ASSERT_INT(read[256 + 39], 7);
	ASSERT_INT(read[256 + 40], 0);
	ASSERT_INT(read[320], 7);
	ASSERT_INT(read[320 + 39], 7);
	/* a kernel writes the image: 4 rows of 40 bytes, not the gaps between them */
	ok(device, .kind = BERTH_OP_USE, .uses = &use, .use_count = 1);
	ASSERT_INT(unknown(device, 1, 0, 1024), 160);
	ASSERT_INT(unknown(device, 2, 40, 24), 0);
	ASSERT_INT(unknown(device, 2, 0, 40), 40);
	berth_device_destroy(device);
}

/* CL_MEM_USE_HOST_PTR: the application's memory is the store. */
static void host_memory_as_the_store(void)
{
	uint8_t store[256], written[16];
	berth_device *device = open_device();

	memset(store, 1, sizeof(store));
	memset(written, 2, sizeof(written));
	ok(device, BUFFER(1, 256), .flags = CL_MEM_USE_HOST_PTR, HOST(store));
	ASSERT_INT(unknown(device, 1, 0, 256), 0);
	ok(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1, .offset_bytes = 128,
	   .bytes = 128);
	ok(device, WRITE(2, 8, 16), HOST(written));
	CU_ASSERT_PTR_EQUAL(ok(device, MAP(1, CL_MAP_READ, 1, 100, 100)).mapped, store + 100);
	ASSERT_INT(store[128 + 7], 1);
	ASSERT_INT(store[128 + 8], 2);
	ASSERT_INT(store[128 + 23], 2);
	ASSERT_INT(store[128 + 24], 1);
	ok(device, UNMAP(1, 1));
	berth_device_destroy(device);
	/* with the bytes not here: a store of its own, and nothing known */
	device = open_device();
	ok(device, BUFFER(1, 256), .flags = CL_MEM_USE_HOST_PTR, HOST_NOT_HERE);
	ASSERT_INT(unknown(device, 1, 0, 256), 256);
	berth_device_destroy(device);
}

/* A ghost answers as the device with bytes does, and knows nothing of content. */
static void ghosts(void)
{
	berth_profile profile = sim_fixture_profile();
	berth_sim_options options = BERTH_SIM_OPTIONS_INIT;
	berth_device *device = NULL;
	berth_result result;

	options.ghost = true;
	options.capacity_bytes = UINT64_C(1) << 50;
	profile.caps.max_alloc_bytes = profile.caps.global_mem_bytes = UINT64_C(1) << 48;
	ASSERT_OK(berth_sim_create(&device, &profile, &options));
	ok(device, BUFFER(1, UINT64_C(1) << 48));
	ok(device, WRITE(1, 10, UINT64_C(1) << 47), HOST_NOT_HERE);
	result = ok(device, READ(1, 0, UINT64_C(1) << 47), HOST_NOT_HERE);
	ASSERT_INT(result.unknown_bytes, UINT64_C(1) << 47);
	result = ok(device, MAP(1, CL_MAP_READ, 1, 0, 100));
	ASSERT_INT(result.unknown_bytes, 100);
	CU_ASSERT_PTR_NULL(result.mapped);
	ok(device, UNMAP(1, 1));
	ok(device, IMAGE(2, 10, 4));
	result = ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 2,
		    .flags = CL_MAP_READ, .mapping = 2, .region = { .extent = { 3, 2, 1 } });
	ASSERT_INT(result.unknown_bytes, 24);
	ASSERT_INT(result.row_pitch_bytes, 40);
	berth_device_destroy(device);
}

/* Expected bytes by the conversion rules of the OpenCL C specification. */
static void colours(void)
{
	const float third = 1.0f / 3.0f; /* 85 of 255 steps, as near as a float can be */
	const struct {
		const char *name;
		uint32_t order, type;
		float real[4];
		int32_t integer[4]; /* instead, for integer types */
		bool exact;
		uint8_t pixel[16];
	} cases[] = {
		{ "unorm8", CL_RGBA, CL_UNORM_INT8, { 0, third, 1, 2 }, { 0 }, true,
		  { 0, 85, 255, 255 } },
		{ "unorm8 below 0", CL_R, CL_UNORM_INT8, { -1 }, { 0 }, true, { 0 } },
		{ "unorm8 between two steps", CL_R, CL_UNORM_INT8, { 0.5f }, { 0 }, false, { 0 } },
		{ "snorm8", CL_RG, CL_SNORM_INT8, { 1, -1 }, { 0 }, true, { 127, 0x81 } },
		{ "snorm8 far below", CL_R, CL_SNORM_INT8, { -5 }, { 0 }, true, { 0x80 } },
		{ "unorm16", CL_R, CL_UNORM_INT16, { 1 }, { 0 }, true, { 0xff, 0xff } },
		{ "order BGRA", CL_BGRA, CL_UNORM_INT8, { 0, third, 1, 0 }, { 0 }, true,
		  { 255, 85, 0, 0 } },
		{ "order ARGB", CL_ARGB, CL_UNORM_INT8, { 0, 0, third, 1 }, { 0 }, true,
		  { 255, 0, 0, 85 } },
		{ "order A", CL_A, CL_UNORM_INT8, { 0, 0, 0, 1 }, { 0 }, true, { 255 } },
		{ "float", CL_RG, CL_FLOAT, { 1, -2 }, { 0 }, true,
		  { 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0 } },
		{ "half", CL_R, CL_HALF_FLOAT, { 1.5f }, { 0 }, true, { 0, 0x3e } },
		{ "half, not exact", CL_R, CL_HALF_FLOAT, { 0.1f }, { 0 }, false, { 0 } },
		{ "int8 clamps", CL_RGBA, CL_SIGNED_INT8, { 0 }, { 127, 128, -128, -129 }, true,
		  { 127, 127, 0x80, 0x80 } },
		{ "uint8 clamps", CL_RG, CL_UNSIGNED_INT8, { 0 }, { 255, 256 }, true,
		  { 255, 255 } },
		{ "uint16", CL_R, CL_UNSIGNED_INT16, { 0 }, { 0x1234 }, true, { 0x34, 0x12 } },
		{ "int32", CL_R, CL_SIGNED_INT32, { 0 }, { -2 }, true,
		  { 0xfe, 0xff, 0xff, 0xff } },
		{ "depth", CL_DEPTH, CL_FLOAT, { 1 }, { 0 }, true, { 0, 0, 0x80, 0x3f } },
		{ "sRGB", CL_sRGBA, CL_UNORM_INT8, { 1, 1, 1, 1 }, { 0 }, false, { 0 } },
		{ "packed", CL_RGB, CL_UNORM_SHORT_565, { 1, 1, 1, 1 }, { 0 }, false, { 0 } },
		{ "an unused channel", CL_RGBx, CL_UNORM_INT8, { 1, 1, 1, 1 }, { 0 }, false,
		  { 0 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t pixel[BERTH__PIXEL_BYTES_MAX], colour[16];
		bool integer = cases[i].type >= CL_SIGNED_INT8 && cases[i].type <= CL_UNSIGNED_INT32;

		memcpy(colour, integer ? (const void *)cases[i].integer : cases[i].real, 16);
		test_case("%s", cases[i].name);
		ASSERT_INT(berth__colour_to_pixel(pixel, colour, cases[i].order, cases[i].type),
			   cases[i].exact);
		for (int byte = 0; byte < 16; byte++)
			ASSERT_INT(pixel[byte], cases[i].pixel[byte]);
	}
}

/* A colour with one result makes the pixels known, any other does not. */
static void image_fills(void)
{
	const float colour[4] = { 1, 0, 0.5f, 1 };
	uint8_t read[16];
	berth_device *device = open_device();
	berth_op create = { IMAGE(1, 4, 4) };

	create.image.channel_type = CL_FLOAT;
	sim_fixture_run(device, &create, CL_SUCCESS, __FILE__, __LINE__);
	create.object = 2;
	create.image.channel_type = CL_UNORM_INT8;
	sim_fixture_run(device, &create, CL_SUCCESS, __FILE__, __LINE__);
	for (uint64_t id = 1; id <= 2; id++)
		ok(device, IMAGE_OP(BERTH_OP_FILL, id, 0, 0, 4, 4), .pattern_bytes = 16,
		   HOST((void *)colour));
	ASSERT_INT(ok(device, IMAGE_OP(BERTH_OP_READ, 1, 3, 3, 1, 1), HOST(read)).unknown_bytes, 0);
	CU_ASSERT_EQUAL(memcmp(read, colour, 16), 0);
	ASSERT_INT(ok(device, IMAGE_OP(BERTH_OP_READ, 2, 3, 3, 1, 1), HOST(read)).unknown_bytes, 4);
	berth_device_destroy(device);
}

int main(void)
{
	static const struct test tests[] = {
		{ "what is known", what_is_known },
		{ "what maps know", what_maps_know },
		{ "what images know", what_images_know },
		{ "other image types", other_image_types },
		{ "one memory", one_memory },
		{ "host memory as the store", host_memory_as_the_store },
		{ "ghosts", ghosts },
		{ "colours", colours },
		{ "image fills", image_fills },
		{ NULL, NULL },
	};

	return test_main("sim_content", tests);
}
