/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors: where they are, what moves, what is refused. Names in comments are those of
 * Glow's tests, whose inputs and expected values these are; see doc/residency.md.
 */
#include "tensor_fixture.h"

#define R world.residency

static struct world world;

static void map_and_set(berth_tensor tensor, unsigned char value)
{
	void *host = NULL;

	ASSERT_OK(berth_tensor_map(&host, R, tensor, BERTH_ACCESS_WRITE));
	CU_ASSERT_PTR_NOT_NULL_FATAL(host);
	memset(host, value, world_info(&world, tensor).bytes);
	ASSERT_OK(berth_tensor_unmap(R, tensor, BERTH_ACCESS_WRITE));
}

/* DeviceManager.DeviceResidentTensors: there and back, equal. */
static void test_round_trip(void)
{
	static const float expected[] = { 1.2f, 12.1f, 51, 1515.2f };
	float content[4];
	const berth_layout layout = linear(BERTH_ELEMENT_FLOAT32, 4);
	berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
	berth_tensor tensor = 0;

	memcpy(content, expected, sizeof(content));
	options.host = content;
	world_open(&world, NULL);
	ASSERT_OK(berth_tensor_create(&tensor, R, &layout, &options));
	ASSERT_PLACE(&world, tensor, "host");
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	ASSERT_PLACE(&world, tensor, "both");
	memset(content, 0, sizeof(content));
	world_peek(&world, tensor, 0, content, sizeof(content));
	CU_ASSERT(memcmp(content, expected, sizeof(content)) == 0);
	ASSERT_OK(berth_tensor_to_host(R, tensor, false));
	ASSERT_PLACE(&world, tensor, "host");
	ASSERT_INT(world_stats(&world).charged_bytes, 0);
	CU_ASSERT(memcmp(content, expected, sizeof(content)) == 0);
	world_close(&world);
}

/* TensorCopyRawToDevice: new content at the same address, nothing read back. */
static void test_update_in_place(void)
{
	unsigned char ones[40], twos[40], seen[40];
	berth_tensor tensor;
	berth_storage before;

	memset(ones, 1, sizeof(ones));
	memset(twos, 2, sizeof(twos));
	world_open(&world, NULL);
	tensor = world_tensor(&world, 40, ones);
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	before = world_info(&world, tensor).storage;
	ASSERT_OK(berth_tensor_update(R, tensor, twos, 40));
	ASSERT_INT(world_info(&world, tensor).storage, before);
	ASSERT_PLACE(&world, tensor, "device");
	ASSERT_INT(world_stats(&world).to_host_count, 0);
	world_peek(&world, tensor, 0, seen, 40);
	CU_ASSERT(memcmp(seen, twos, 40) == 0);
	ASSERT_OK(berth_tensor_to_host(R, tensor, true));
	ASSERT_PLACE(&world, tensor, "both");
	ASSERT_BYTES(&world, tensor, 2);
	ASSERT_FAILS(berth_tensor_update(R, tensor, twos, 39), BERTH_E_INVAL);
	world_close(&world);
}

/* A storage of the caller's: used, not charged, not given back. */
static void test_own_storage(void)
{
	unsigned char content[100];
	berth_storage storage = 0, small = 0;
	berth_storage_info info;
	berth_tensor tensor;

	memset(content, 5, sizeof(content));
	world_open(&world, NULL);
	ASSERT_OK(berth_storage_create(&storage, world.pool, 100, NULL));
	ASSERT_OK(berth_storage_create(&small, world.pool, 99, NULL));
	tensor = world_tensor(&world, 100, content);
	ASSERT_FAILS(berth_tensor_to_device(R, tensor, 0, small), BERTH_E_LIMIT);
	ASSERT_CONTAINS(berth_error_get()->message, "100 bytes");
	ASSERT_FAILS(berth_tensor_to_device(R, tensor, 0, 12345), BERTH_E_STATE);
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, storage));
	ASSERT_INT(world_info(&world, tensor).storage, storage);
	ASSERT_INT(world_stats(&world).charged_bytes, 0);
	ASSERT_OK(berth_tensor_destroy(R, tensor));
	ASSERT_OK(berth_storage_get_info(&info, world.pool, storage));
	ASSERT_OK(berth_storage_release(world.pool, storage, NULL));
	ASSERT_OK(berth_storage_release(world.pool, small, NULL));
	world_close(&world);
}

/* The states, and that what is unchanged never moves again: operation, place, moved bytes. */
static void test_states(void)
{
	unsigned char content[64] = { 0 };
	berth_tensor tensor;
	void *host;

	world_open(&world, NULL);
	tensor = world_tensor(&world, 64, content);
	for (int i = 0; i < 3; i++)
		ASSERT_OK(world_use(&world, &tensor, 1));
	ASSERT_INT(world_stats(&world).to_device_bytes, 64);
	ASSERT_PLACE(&world, tensor, "both");
	/* A device's write: host access is refused, in every build. */
	ASSERT_OK(world_fill(&world, tensor, BERTH_ACCESS_WRITE, 9, 64));
	ASSERT_PLACE(&world, tensor, "device");
	for (uint32_t access = 1; access <= 3; access++)
		ASSERT_FAILS(berth_tensor_map(&host, R, tensor, access), BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, "64 of 64 bytes are on site 0 only");
	ASSERT_INT(world_stats(&world).to_host_bytes, 0);
	for (int i = 0; i < 3; i++)
		ASSERT_OK(berth_tensor_ensure_on_host(R, &tensor, 1));
	ASSERT_INT(world_stats(&world).to_host_bytes, 64);
	ASSERT_BYTES(&world, tensor, 9);
	/* A host's write: the device is out of date, and is brought up to date once. */
	map_and_set(tensor, 4);
	ASSERT_PLACE(&world, tensor, "host");
	CU_ASSERT(world_info(&world, tensor).storage != 0);
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	ASSERT_INT(world_stats(&world).to_device_bytes, 128);
	ASSERT_OK(berth_tensor_destroy(R, tensor));
	ASSERT_INT(world_stats(&world).charged_bytes, 0);
	world_close(&world);
}

/* PartialTensorCopy: of 8 bytes the host has 4; only they move. */
static void test_partial(void)
{
	float half = 0.5f;
	const berth_layout layout = linear(BERTH_ELEMENT_FLOAT32, 2);
	berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
	berth_tensor tensor = 0;

	options.host = &half;
	options.host_bytes = 4;
	world_open(&world, NULL);
	ASSERT_OK(berth_tensor_create(&tensor, R, &layout, &options));
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	ASSERT_INT(world_stats(&world).to_device_bytes, 4);
	ASSERT_INT(world_info(&world, tensor).device_bytes, 8);
	ASSERT_OK(world_fill(&world, tensor, BERTH_ACCESS_WRITE, 0, 8));
	ASSERT_OK(berth_tensor_to_host(R, tensor, false));
	ASSERT_INT(world_stats(&world).to_host_bytes, 4);
	CU_ASSERT(half == 0);
	options.host_bytes = 9;
	ASSERT_FAILS(berth_tensor_create(&tensor, R, &layout, &options), BERTH_E_INVAL);
	world_close(&world);
}

/*
 * Tensors.nonOwned, Offset2D: a 3x3 tensor of ones, and its last row as a view of 3.
 * One record: writes are visible both ways; only the view's range moves.
 */
static void test_views(void)
{
	unsigned char ones[9], seen[9];
	const berth_layout row = linear(BERTH_ELEMENT_UINT8, 3);
	berth_tensor tensor, view = 0, inner = 0;
	const berth_layout one = linear(BERTH_ELEMENT_UINT8, 1);

	memset(ones, 1, sizeof(ones));
	world_open(&world, NULL);
	tensor = world_tensor(&world, 9, ones);
	ASSERT_OK(berth_tensor_view(&view, R, tensor, &row, 6));
	ASSERT_OK(berth_tensor_view(&inner, R, view, &one, 2));
	ASSERT_INT(world_info(&world, inner).offset_bytes, 8);
	ASSERT_FAILS(berth_tensor_view(&inner, R, view, &row, 1), BERTH_E_LIMIT);
	ASSERT_OK(berth_tensor_to_device(R, view, 0, 0));
	ASSERT_PLACE(&world, tensor, "both");
	ASSERT_INT(world_stats(&world).to_device_bytes, 9);
	map_and_set(view, 7);
	ASSERT_INT(ones[6], 7);
	ASSERT_PLACE(&world, tensor, "host");
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	ASSERT_INT(world_stats(&world).to_device_bytes, 12);
	world_peek(&world, tensor, 0, seen, 9);
	CU_ASSERT(memcmp(seen, ones, 9) == 0);
	/* The view's new content is on the device; the rest of the base can be touched. */
	ASSERT_OK(berth_tensor_update(R, inner, "\x08", 1));
	ASSERT_PLACE(&world, view, "device");
	ASSERT_OK(berth_tensor_ensure_on_host(R, &inner, 1));
	ASSERT_INT(world_stats(&world).to_host_bytes, 1);
	ASSERT_INT(ones[8], 8);
	ASSERT_PLACE(&world, view, "both");
	/* A view outlives no base. */
	ASSERT_FAILS(berth_tensor_destroy(R, tensor), BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, "2 live views");
	ASSERT_OK(berth_tensor_destroy(R, inner));
	ASSERT_OK(berth_tensor_destroy(R, view));
	ASSERT_OK(berth_tensor_destroy(R, tensor));
	world_close(&world);
}

/* A clone has a record of its own; a copy of device content stays there. */
static void test_clone(void)
{
	berth_tensor tensor, clone = 0;

	world_open(&world, NULL);
	tensor = world_tensor(&world, 64, NULL);
	ASSERT_OK(world_fill(&world, tensor, BERTH_ACCESS_WRITE, 3, 64));
	ASSERT_OK(berth_tensor_clone(&clone, R, tensor));
	ASSERT_INT(world_stats(&world).on_device_bytes, 64);
	ASSERT_INT(world_stats(&world).to_host_bytes + world_stats(&world).to_device_bytes, 0);
	ASSERT_OK(world_fill(&world, tensor, BERTH_ACCESS_WRITE, 4, 64));
	ASSERT_OK(berth_tensor_ensure_on_host(R, &clone, 1));
	ASSERT_BYTES(&world, clone, 3);
	ASSERT_PLACE(&world, tensor, "device");
	/* Of what the host has: there. */
	ASSERT_OK(berth_tensor_copy(R, tensor, clone));
	ASSERT_BYTES(&world, tensor, 3);
	ASSERT_PLACE(&world, tensor, "host");
	ASSERT_FAILS(berth_tensor_copy(R, tensor, tensor), BERTH_E_STATE);
	world_close(&world);
}

static void test_refused(void)
{
	unsigned char content[64] = { 0 };
	berth_layout layout = linear(BERTH_ELEMENT_UINT8, 0);
	berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
	berth_tensor tensor, other = 0;
	void *host;

	world_open(&world, NULL);
	/* Zero-sized; larger than 64 bits. */
	ASSERT_FAILS(berth_tensor_create(&other, R, &layout, NULL), BERTH_E_INVAL);
	layout = linear(BERTH_ELEMENT_FLOAT64, UINT64_MAX / 4);
	ASSERT_FAILS(berth_tensor_create(&other, R, &layout, NULL), BERTH_E_OVERFLOW);
	/* Over the largest allocation: a tensor, but on the host only. */
	layout = linear(BERTH_ELEMENT_UINT8,
			berth_device_caps(&world.device->base)->max_alloc_bytes + 1);
	ASSERT_OK(berth_tensor_create(&other, R, &layout, NULL));
	ASSERT_FAILS(berth_tensor_to_device(R, other, 0, 0), BERTH_E_LIMIT);
	ASSERT_OK(berth_tensor_destroy(R, other));

	tensor = world_tensor(&world, 64, NULL);
	ASSERT_FAILS(berth_tensor_map(&host, R, tensor, BERTH_ACCESS_READ), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_map(&host, R, tensor, 4), BERTH_E_INVAL);
	ASSERT_FAILS(world_use(&world, &tensor, 1), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_pin(R, tensor), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_unpin(R, tensor), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_to_device(R, tensor, 1, 0), BERTH_E_INVAL);
	ASSERT_FAILS(berth_tensor_unmap(R, tensor, BERTH_ACCESS_WRITE), BERTH_E_STATE);
	/* Mapped for writing: not on a device, not destroyed, not mapped again. */
	ASSERT_OK(berth_tensor_map(&host, R, tensor, BERTH_ACCESS_WRITE));
	ASSERT_FAILS(berth_tensor_to_device(R, tensor, 0, 0), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_destroy(R, tensor), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_map(&host, R, tensor, BERTH_ACCESS_READ), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_discard(R, tensor), BERTH_E_STATE);
	ASSERT_OK(berth_tensor_unmap(R, tensor, BERTH_ACCESS_WRITE));
	/* Double release, use after release. */
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	ASSERT_OK(berth_tensor_destroy(R, tensor));
	ASSERT_FAILS(berth_tensor_destroy(R, tensor), BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, "was destroyed");
	ASSERT_FAILS(berth_tensor_to_device(R, tensor, 0, 0), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_ensure_on_host(R, &tensor, 1), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_map(&host, R, tensor, 1), BERTH_E_STATE);
	ASSERT_FAILS(world_use(&world, &tensor, 1), BERTH_E_STATE);
	/* Constants are uploaded once (the 64 bytes before are the other tensor's), never written. */
	ASSERT_INT(world_stats(&world).to_device_bytes, 64);
	options.constant = true;
	layout = linear(BERTH_ELEMENT_UINT8, 64);
	ASSERT_FAILS(berth_tensor_create(&tensor, R, &layout, &options), BERTH_E_INVAL);
	options.host = content;
	ASSERT_OK(berth_tensor_create(&tensor, R, &layout, &options));
	for (int i = 0; i < 3; i++)
		ASSERT_OK(world_use(&world, &tensor, 1));
	ASSERT_INT(world_stats(&world).to_device_bytes, 128);
	ASSERT_FAILS(berth_tensor_map(&host, R, tensor, BERTH_ACCESS_WRITE), BERTH_E_STATE);
	ASSERT_FAILS(world_fill(&world, tensor, BERTH_ACCESS_WRITE, 1, 64), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_update(R, tensor, content, 64), BERTH_E_STATE);
	world_close(&world);
}

/* Outputs stay, or come home; a kernel that fails leaves what the host has. */
static void test_run(void)
{
	struct filler filler = { .world = &world, .value = 6, .bytes = 32 };
	berth_tensor tensor, pair[2];
	berth_run_arg arg;

	world_open(&world, NULL);
	tensor = world_tensor(&world, 32, NULL);
	arg = (berth_run_arg){ tensor, BERTH_ACCESS_WRITE };
	ASSERT_OK(berth_residency_run(R, 0, &arg, 1, BERTH_OUTPUTS_STAY, filler_run, &filler));
	ASSERT_PLACE(&world, tensor, "device");
	ASSERT_OK(berth_residency_run(R, 0, &arg, 1, BERTH_OUTPUTS_HOME, filler_run, &filler));
	ASSERT_PLACE(&world, tensor, "both");
	ASSERT_BYTES(&world, tensor, 6);
	ASSERT_INT(world_stats(&world).to_device_bytes, 0);
	filler.answer = BERTH_E_CL;
	filler.value = 99;
	ASSERT_FAILS(berth_residency_run(R, 0, &arg, 1, BERTH_OUTPUTS_HOME, filler_run, &filler),
		     BERTH_E_CL);
	ASSERT_STRING(berth_error_get()->message, "the kernel failed");
	ASSERT_PLACE(&world, tensor, "host");
	ASSERT_BYTES(&world, tensor, 6);
	ASSERT_INT(world_info(&world, tensor).in_working_set, 0);
	arg.access = 0;
	ASSERT_FAILS(berth_residency_run(R, 0, &arg, 1, BERTH_OUTPUTS_HOME, filler_run, &filler),
		     BERTH_E_INVAL);
	/* The same tensor twice is charged once. */
	pair[0] = pair[1] = world_tensor(&world, 16, NULL);
	map_and_set(pair[0], 2);
	ASSERT_OK(world_use(&world, pair, 2));
	ASSERT_INT(world_stats(&world).charged_bytes, 48);
	world_close(&world);
}

struct told {
	unsigned calls;
	berth_status status;
};

static void transfer_done(berth_tensor tensor, berth_status status, void *userdata)
{
	struct told *told = userdata;

	(void)tensor;
	told->calls++;
	told->status = status;
}

static void test_prefetch(void)
{
	struct told told = { 0 };
	berth_tensor tensor;

	world_open(&world, NULL);
	tensor = world_tensor(&world, 64, NULL);
	map_and_set(tensor, 8);
	ASSERT_OK(berth_tensor_prefetch(R, tensor, 0, transfer_done, &told));
	ASSERT_INT(world_info(&world, tensor).in_flight, 1);
	ASSERT_INT(told.calls, 0);
	ASSERT_INT(world.device->last[BERTH_OP_WRITE].bits & BERTH_OP_BLOCKING, 0);
	ASSERT_OK(berth_residency_complete(R, 0));
	ASSERT_INT(told.calls, 1);
	ASSERT_INT(told.status, BERTH_OK);
	ASSERT_INT(world_info(&world, tensor).in_flight, 0);
	ASSERT_PLACE(&world, tensor, "both");
	/* A host's write waits for it. */
	map_and_set(tensor, 9);
	ASSERT_OK(berth_tensor_prefetch(R, tensor, 0, transfer_done, &told));
	map_and_set(tensor, 10);
	ASSERT_INT(told.calls, 2);
	/* A failure is told, and takes the device's copy back. */
	ASSERT_OK(berth_tensor_prefetch(R, tensor, 0, transfer_done, &told));
	world.device->kinds = 1u << BERTH_OP_SYNC;
	world.device->countdown = 1;
	ASSERT_FAILS(berth_residency_complete(R, 0), BERTH_E_LIMIT);
	ASSERT_INT(told.calls, 3);
	ASSERT_INT(told.status, BERTH_E_LIMIT);
	ASSERT_PLACE(&world, tensor, "host");
	ASSERT_INT(world_stats(&world).charged_bytes, 0);
	ASSERT_BYTES(&world, tensor, 10);
	/* Under way when all ends: told too. */
	ASSERT_OK(berth_tensor_prefetch(R, tensor, 0, transfer_done, &told));
	ASSERT_OK(berth_tensor_destroy(R, tensor));
	ASSERT_INT(told.calls, 4);
	world_close(&world);
}

static void test_discard(void)
{
	berth_tensor tensor;
	void *host;

	world_open(&world, NULL);
	tensor = world_tensor(&world, 64, NULL);
	ASSERT_OK(world_fill(&world, tensor, BERTH_ACCESS_WRITE, 1, 64));
	ASSERT_OK(berth_tensor_pin(R, tensor));
	ASSERT_FAILS(berth_tensor_discard(R, tensor), BERTH_E_STATE);
	ASSERT_FAILS(berth_tensor_to_host(R, tensor, false), BERTH_E_STATE);
	ASSERT_OK(berth_tensor_unpin(R, tensor));
	ASSERT_OK(berth_tensor_discard(R, tensor));
	ASSERT_INT(world_stats(&world).charged_bytes, 0);
	ASSERT_INT(world_stats(&world).to_host_bytes, 0);
	ASSERT_FAILS(berth_tensor_map(&host, R, tensor, BERTH_ACCESS_READ), BERTH_E_STATE);
	map_and_set(tensor, 2);
	ASSERT_BYTES(&world, tensor, 2);
	world_close(&world);
}

/* Through pinned pieces of 24 bytes: 100 bytes are 5 commands a way. */
static void test_staging(void)
{
	berth_site_options site = BERTH_SITE_OPTIONS_INIT;
	unsigned char content[100], expected[100];
	berth_tensor tensor;
	void *pinned = NULL;

	for (size_t i = 0; i < sizeof(content); i++)
		content[i] = expected[i] = (unsigned char)(3 * i);
	site.staging_bytes = 24;
	world_open(&world, &site);
	tensor = world_tensor(&world, 100, content);
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	ASSERT_INT(world_stats(&world).to_device_count, 5);
	memset(content, 0, sizeof(content));
	world_peek(&world, tensor, 0, content, 100);
	CU_ASSERT(memcmp(content, expected, 100) == 0);
	ASSERT_OK(berth_tensor_update(R, tensor, expected, 100));
	memset(content, 0, sizeof(content));
	ASSERT_OK(berth_tensor_ensure_on_host(R, &tensor, 1));
	ASSERT_INT(world_stats(&world).to_host_count, 5);
	CU_ASSERT(memcmp(content, expected, 100) == 0);
	/* An update that fails at its third piece of five: the content is what the host has. */
	memset(expected, 1, sizeof(expected));
	world.device->kinds = 1u << BERTH_OP_WRITE;
	world.device->countdown = 3;
	ASSERT_FAILS(berth_tensor_update(R, tensor, expected, 100), BERTH_E_LIMIT);
	ASSERT_PLACE(&world, tensor, "host");
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	world_peek(&world, tensor, 0, expected, 100);
	CU_ASSERT(memcmp(content, expected, 100) == 0);
	/* The caller's pinned memory. */
	ASSERT_OK(berth_pinned_create(&pinned, R, 0, 256));
	memset(pinned, 1, 256);
	ASSERT_OK(berth_pinned_release(R, pinned));
	ASSERT_FAILS(berth_pinned_release(R, pinned), BERTH_E_STATE);
	ASSERT_FAILS(berth_pinned_create(&pinned, R, 0, 0), BERTH_E_INVAL);
	world_close(&world);
}

/*
 * To another device, where rows are padded otherwise. A texture of 3 rows of 5 texels of
 * 16 bytes is 80 bytes a row; with a pitch of 64 pixels 1024, of 1 pixel 80.
 */
static void test_two_devices(void)
{
	berth_profile profile = sim_fixture_profile();
	const berth_layout layout = { .scope = BERTH_SCOPE_TEXTURE, .element = BERTH_ELEMENT_FLOAT32,
				      .lanes = 1, .axis_count = 3, .shape = { 3, 5, 4 } };
	unsigned char content[240], expected[240];
	berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
	berth_device *wide;
	berth_pool *pool = NULL;
	berth_tensor tensor = 0, view = 0;
	struct filler filler = { .world = &world };
	berth_site_stats stats;
	const berth_layout part = linear(BERTH_ELEMENT_UINT8, 100);
	uint32_t other = 0;

	profile.caps.image_pitch_align = 64;
	wide = sim_fixture_device(&profile);
	for (size_t i = 0; i < sizeof(content); i++)
		content[i] = expected[i] = (unsigned char)(7 * i);
	options.host = content;
	world_open(&world, NULL);
	ASSERT_OK(berth_pool_create(&pool, wide, NULL));
	ASSERT_OK(berth_residency_add_site(&other, R, pool, NULL));
	ASSERT_INT(other, 1);
	ASSERT_OK(berth_tensor_create(&tensor, R, &layout, &options));
	ASSERT_OK(berth_tensor_view(&view, R, tensor, &part, 50));
	ASSERT_OK(berth_tensor_to_device(R, tensor, 1, 0));
	ASSERT_INT(world_info(&world, tensor).device_bytes, 3 * 1024);
	/* From byte 50 of row 0 to byte 70 of row 1: 30 + 70 bytes in two commands. */
	memset(expected + 50, 1, 100);
	map_and_set(view, 1);
	ASSERT_OK(berth_tensor_to_device(R, tensor, 1, 0));
	ASSERT_OK(berth_residency_get_stats(&stats, R, other));
	ASSERT_INT(stats.to_device_bytes, 240 + 100);
	ASSERT_INT(stats.to_device_count, 1 + 2);
	/* A kernel cannot have a part of rows that are padded. */
	ASSERT_FAILS(berth_residency_run(R, other, &(berth_run_arg){ view, BERTH_ACCESS_READ }, 1,
					 BERTH_OUTPUTS_STAY, filler_run, &filler),
		     BERTH_E_UNSUPPORTED);
	ASSERT_INT(filler.calls, 0);
	ASSERT_INT(world_info(&world, tensor).in_working_set, 0);
	/* On the device only from here on, so the way to the other leads through the host. */
	ASSERT_OK(berth_tensor_update(R, tensor, expected, 240));
	memset(content, 0, sizeof(content));
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	ASSERT_INT(world_info(&world, tensor).site, 0);
	ASSERT_INT(world_stats(&world).to_device_bytes, 240);
	ASSERT_PLACE(&world, tensor, "both");
	CU_ASSERT(memcmp(content, expected, sizeof(content)) == 0);
	memset(content, 0, sizeof(content));
	ASSERT_OK(berth_tensor_update(R, tensor, expected, 240));
	ASSERT_OK(berth_tensor_to_host(R, tensor, false));
	CU_ASSERT(memcmp(content, expected, sizeof(content)) == 0);
	/* CanHandleDeviceResidentTensors: a run fetches what is on another device. */
	ASSERT_OK(berth_tensor_to_device(R, tensor, 1, 0));
	ASSERT_OK(world_use(&world, &tensor, 1));
	ASSERT_INT(world_info(&world, tensor).site, 0);
	/* A pinned tensor stays. */
	ASSERT_OK(berth_tensor_to_device(R, tensor, 1, 0));
	ASSERT_OK(berth_tensor_pin(R, tensor));
	ASSERT_FAILS(berth_tensor_to_device(R, tensor, 0, 0), BERTH_E_STATE);
	ASSERT_INT(world_info(&world, tensor).site, 1);
	world_close(&world);
	berth_pool_destroy(pool);
	berth_device_destroy(wide);
}

/* Two sites on one device: from one to the other without the host. */
static void test_same_device(void)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_pool *pool = NULL;
	berth_tensor tensor, away;
	uint64_t home_bytes;
	uint32_t other = 0;

	options.first_id = UINT64_C(1) << 60;
	world_open(&world, NULL);
	ASSERT_OK(berth_pool_create(&pool, &world.device->base, &options));
	ASSERT_OK(berth_residency_add_site(&other, R, pool, NULL));
	tensor = world_tensor(&world, 64, NULL);
	ASSERT_OK(world_fill(&world, tensor, BERTH_ACCESS_WRITE, 5, 64));
	/* A copy to what is on the other site does not take that along. */
	away = world_tensor(&world, 64, NULL);
	map_and_set(away, 1);
	ASSERT_OK(berth_tensor_to_device(R, away, other, 0));
	ASSERT_OK(berth_tensor_copy(R, away, tensor));
	ASSERT_BYTES(&world, away, 5);
	ASSERT_INT(world_info(&world, away).site, other);
	ASSERT_OK(berth_tensor_destroy(R, away));
	ASSERT_OK(world_fill(&world, tensor, BERTH_ACCESS_WRITE, 5, 64));
	home_bytes = world_stats(&world).to_host_bytes;
	ASSERT_OK(berth_tensor_to_device(R, tensor, other, 0));
	ASSERT_INT(world_stats(&world).charged_bytes, 0);
	ASSERT_INT(world_stats(&world).to_host_bytes, home_bytes);
	ASSERT_PLACE(&world, tensor, "device");
	ASSERT_OK(berth_tensor_to_host(R, tensor, false));
	ASSERT_BYTES(&world, tensor, 5);
	ASSERT_OK(berth_tensor_destroy(R, tensor));
	berth_residency_destroy(world.residency);
	world.residency = NULL;
	berth_pool_destroy(pool);
	world_close(&world);
}

/* What went wrong in Glow's residency, and does not here. */
static void test_defects(void)
{
	unsigned char content[64], seen[64];
	berth_pool_stats pool;
	berth_storage before;
	berth_storage own = 0;
	berth_tensor tensor;

	memset(content, 1, sizeof(content));
	world_open(&world, NULL);
	tensor = world_tensor(&world, 64, content);
	/* All that is allocated is charged. */
	ASSERT_OK(world_fill(&world, world_tensor(&world, 100, NULL), BERTH_ACCESS_WRITE, 1, 100));
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	berth_pool_get_stats(&pool, world.pool);
	ASSERT_INT(world_stats(&world).charged_bytes, 164);
	ASSERT_INT(pool.requested_bytes, 164);
	/* Brought home and kept: the device's copy is not lost. */
	ASSERT_OK(berth_tensor_update(R, tensor, content, 64));
	before = world_info(&world, tensor).storage;
	ASSERT_OK(berth_tensor_to_host(R, tensor, true));
	ASSERT_INT(world_info(&world, tensor).storage, before);
	ASSERT_OK(world_use(&world, &tensor, 1));
	ASSERT_INT(world_stats(&world).to_device_bytes, 64 + 64);
	/* An update that fails: place, storage and content as before; again, and it works. */
	memset(seen, 2, sizeof(seen));
	world.device->kinds = 1u << BERTH_OP_WRITE;
	world.device->countdown = 1;
	ASSERT_FAILS(berth_tensor_update(R, tensor, seen, 64), BERTH_E_LIMIT);
	ASSERT_PLACE(&world, tensor, "both");
	ASSERT_INT(world_info(&world, tensor).storage, before);
	ASSERT_BYTES(&world, tensor, 1);
	ASSERT_OK(berth_tensor_update(R, tensor, seen, 64));
	/* Moved to another storage: the first goes back. */
	ASSERT_OK(berth_storage_create(&own, world.pool, 64, NULL));
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, own));
	ASSERT_INT(world_stats(&world).charged_bytes, 100);
	ASSERT_INT(world_stats(&world).to_host_bytes, 64);
	world_peek(&world, tensor, 0, content, 64);
	CU_ASSERT(memcmp(content, seen, 64) == 0);
	ASSERT_OK(berth_tensor_to_host(R, tensor, false));
	ASSERT_OK(berth_storage_release(world.pool, own, NULL));
	world_close(&world);
}

/* Fill an image, as a kernel that writes one. */
static berth_status fill_image(const uint64_t *objects, size_t count, void *userdata)
{
	const uint32_t colour[4] = { 5, 5, 5, 5 };
	berth_op op = { .kind = BERTH_OP_FILL, .form = BERTH_FORM_IMAGE, .object = objects[0],
			.region.extent = { 5, 3, 1 }, HOST((void *)colour), .pattern_bytes = 16 };
	berth_result result;

	(void)userdata;
	ASSERT_INT(count, 1);
	ASSERT_OK(berth_pool_execute(world.pool, &op, &result));
	return result.cl_status == CL_SUCCESS ? BERTH_OK : BERTH_E_CL;
}

static berth_status read_last_texel(const uint64_t *objects, size_t count, void *userdata)
{
	unsigned char texel[4] = { 0 };
	berth_op op = { .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING,
			.object = objects[0], .region.origin = { 4, 2, 0 },
			.region.extent = { 1, 1, 1 }, HOST(texel) };
	berth_result result;

	(void)count;
	(void)userdata;
	ASSERT_OK(berth_pool_execute(world.pool, &op, &result));
	ASSERT_INT(result.cl_status, CL_SUCCESS);
	ASSERT_INT(texel[3], 9);
	return BERTH_OK;
}

/*
 * A texture of 5 x 3 texels of 4 bytes where images have memory of their own: what a
 * kernel writes to it comes home, what the host writes is in it at the next run.
 */
static void test_copied_images(void)
{
	const berth_layout layout = { .scope = BERTH_SCOPE_TEXTURE, .element = BERTH_ELEMENT_UINT8,
				      .lanes = 1, .axis_count = 3, .shape = { 3, 5, 4 } };
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_profile profile = sim_fixture_profile();
	berth_run_arg arg = { 0, BERTH_ACCESS_WRITE };
	berth_device *device;
	berth_residency *residency = NULL;
	berth_pool *pool = NULL;
	berth_tensor tensor = 0;
	unsigned char *host = NULL;
	uint32_t site;

	profile.caps.image2d_from_buffer = false;
	profile.caps.host_unified = false;
	options.copied_images = true;
	device = sim_fixture_device(&profile);
	ASSERT_OK(berth_pool_create(&pool, device, &options));
	ASSERT_STRING(berth_image_mode_string(berth_pool_image_mode(pool)), "copied");
	ASSERT_OK(berth_residency_create(&residency, NULL));
	ASSERT_OK(berth_residency_add_site(&site, residency, pool, NULL));
	ASSERT_OK(berth_tensor_create(&tensor, residency, &layout, NULL));
	arg.tensor = tensor;
	world.pool = pool;
	ASSERT_OK(berth_residency_run(residency, site, &arg, 1, BERTH_OUTPUTS_HOME, fill_image,
				      NULL));
	ASSERT_OK(berth_tensor_map((void **)&host, residency, tensor, BERTH_ACCESS_WRITE));
	ASSERT_INT(host[0], 5);
	ASSERT_INT(host[59], 5);
	memset(host, 9, 60);
	ASSERT_OK(berth_tensor_unmap(residency, tensor, BERTH_ACCESS_WRITE));
	/* The image's last texel, read by the device. */
	arg.access = BERTH_ACCESS_READ;
	ASSERT_OK(berth_residency_run(residency, site, &arg, 1, BERTH_OUTPUTS_STAY, read_last_texel,
				      NULL));
	berth_residency_destroy(residency);
	berth_pool_destroy(pool);
	berth_device_destroy(device);
}

static const struct test tests[] = {
	{ "round trip", test_round_trip },
	{ "update in place", test_update_in_place },
	{ "own storage", test_own_storage },
	{ "states", test_states },
	{ "partial", test_partial },
	{ "views", test_views },
	{ "clone", test_clone },
	{ "refused", test_refused },
	{ "run", test_run },
	{ "prefetch", test_prefetch },
	{ "discard", test_discard },
	{ "staging", test_staging },
	{ "two devices", test_two_devices },
	{ "same device", test_same_device },
	{ "defects", test_defects },
	{ "copied images", test_copied_images },
	{ NULL, NULL },
};

int main(void)
{
	return world_main("tensor", tests);
}
