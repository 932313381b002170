/* SPDX-License-Identifier: Apache-2.0 */
/* Two devices of one OpenCL context: PoCL's, which can be told to have two. */
#include "tensor_fixture.h"

#include <stdlib.h>

enum { BYTES = 3 * 1000 };

static cl_device_id ids[2];
static cl_context context;

/* False: the platform has not two devices; said. */
static bool find_devices(void)
{
	for (uint32_t i = 0; i < 2; i++) {
		if (berth_opencl_find(&ids[i], PLATFORM, i) != BERTH_OK) {
			test_skip("%s has not two devices", PLATFORM);
			return false;
		}
	}
	return true;
}

static berth_device *open_in(cl_context shared, cl_device_id id)
{
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	berth_device *device = NULL;

	options.device = id;
	options.context = shared;
	ASSERT_OK(berth_opencl_create(&device, &options));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	return device;
}

static void open_pair(berth_device *devices[2], bool shared)
{
	cl_int code = CL_SUCCESS;

	context = clCreateContext(NULL, 2, ids, NULL, NULL, &code);
	ASSERT_INT(code, CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		devices[i] = open_in(shared ? context : NULL, ids[i]);
}

static void close_pair(berth_device *devices[2])
{
	for (int i = 0; i < 2; i++)
		berth_device_destroy(devices[i]);
	clReleaseContext(context);
}

static int32_t answer(berth_device *device, const berth_op *op)
{
	berth_result result;

	ASSERT_OK(berth_device_execute(device, op, &result));
	return result.cl_status;
}

static void test_borrow(void)
{
	const berth_op create = { BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = BYTES };
	const berth_op release = { BERTH_OP_RELEASE, .object = 1 };
	const berth_op give_back = { BERTH_OP_RELEASE, .object = 9 };
	const berth_op sync = { .kind = BERTH_OP_SYNC };
	berth_op fill = { BERTH_OP_FILL, BERTH_FORM_LINEAR, .object = 1, .bytes = BYTES,
			  .pattern_bytes = 1 };
	berth_op read = { BERTH_OP_READ, BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING, .object = 9,
			  .bytes = BYTES };
	unsigned char value = 7, seen[BYTES] = { 0 };
	berth_device *devices[2];
	berth_memory memory;

	if (!find_devices())
		return;
	open_pair(devices, true);
	ASSERT_INT(answer(devices[0], &create), CL_SUCCESS);
	berth_op_set_host(&fill, &value);
	ASSERT_INT(answer(devices[0], &fill), CL_SUCCESS);
	ASSERT_INT(answer(devices[0], &sync), CL_SUCCESS);
	ASSERT_FAILS(berth_device_borrow(devices[1], 9, devices[0], 2), BERTH_E_STATE);
	ASSERT_FAILS(berth_device_borrow(devices[1], 0, devices[0], 1), BERTH_E_STATE);
	ASSERT_OK(berth_device_borrow(devices[1], 9, devices[0], 1));
	ASSERT_FAILS(berth_device_borrow(devices[1], 9, devices[0], 1), BERTH_E_STATE);
	/* Its memory counts once, where it was made, and is there as long as either knows it. */
	berth_device_memory(devices[1], &memory);
	ASSERT_INT(memory.in_use_bytes, 0);
	ASSERT_INT(memory.live_objects, 1);
	ASSERT_INT(answer(devices[0], &release), CL_SUCCESS);
	berth_op_set_host(&read, seen);
	ASSERT_INT(answer(devices[1], &read), CL_SUCCESS);
	for (int i = 0; i < BYTES; i++)
		CU_ASSERT(seen[i] == value);
	ASSERT_INT(answer(devices[1], &give_back), CL_SUCCESS);
	berth_device_memory(devices[1], &memory);
	ASSERT_INT(memory.live_objects, 0);
	close_pair(devices);
}

static void test_nothing_shared(void)
{
	const berth_op create = { BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = BYTES };
	berth_profile profile = sim_fixture_profile();
	berth_device *devices[2], *simulator;

	if (!find_devices())
		return;
	simulator = sim_fixture_device(&profile);
	open_pair(devices, false);
	ASSERT_INT(answer(devices[0], &create), CL_SUCCESS);
	ASSERT_FAILS(berth_device_borrow(devices[1], 9, devices[0], 1), BERTH_E_UNSUPPORTED);
	ASSERT_FAILS(berth_device_borrow(simulator, 9, devices[0], 1), BERTH_E_UNSUPPORTED);
	ASSERT_FAILS(berth_device_borrow(devices[0], 9, simulator, 1), BERTH_E_UNSUPPORTED);
	close_pair(devices);
	berth_device_destroy(simulator);
}

/* A tensor's way between the two: bytes copied between devices, and through the host. */
static void move_there_and_back(bool shared, uint64_t copied_bytes, uint64_t home_bytes)
{
	const berth_layout layout = linear(BERTH_ELEMENT_UINT8, BYTES);
	const unsigned char *host = NULL;
	unsigned char content[BYTES], written[BYTES];
	berth_residency *residency = NULL;
	berth_pool *pools[2] = { NULL, NULL };
	berth_site_stats stats[2];
	berth_device *devices[2];
	berth_tensor tensor = 0;
	uint32_t site;

	open_pair(devices, shared);
	ASSERT_OK(berth_residency_create(&residency, NULL));
	for (int i = 0; i < 2; i++) {
		ASSERT_OK(berth_pool_create(&pools[i], devices[i], NULL));
		ASSERT_OK(berth_residency_add_site(&site, residency, pools[i], NULL));
	}
	for (int i = 0; i < BYTES; i++) {
		content[i] = (unsigned char)(7 * i);
		written[i] = (unsigned char)(content[i] + 1);
	}
	ASSERT_OK(berth_tensor_create(&tensor, residency, &layout, NULL));
	ASSERT_OK(berth_tensor_to_device(residency, tensor, 0, 0));
	ASSERT_OK(berth_tensor_update(residency, tensor, content, BYTES));
	ASSERT_OK(berth_tensor_to_device(residency, tensor, 1, 0));
	ASSERT_OK(berth_tensor_update(residency, tensor, written, BYTES));
	ASSERT_OK(berth_tensor_to_device(residency, tensor, 0, 0));
	for (uint32_t i = 0; i < 2; i++)
		ASSERT_OK(berth_residency_get_stats(&stats[i], residency, i));
	ASSERT_INT(stats[0].on_device_bytes + stats[1].on_device_bytes, copied_bytes);
	ASSERT_INT(stats[0].to_host_bytes + stats[1].to_host_bytes, home_bytes);
	ASSERT_INT(stats[1].charged_bytes, 0);
	ASSERT_OK(berth_tensor_ensure_on_host(residency, &tensor, 1));
	ASSERT_OK(berth_tensor_map((void **)&host, residency, tensor, BERTH_ACCESS_READ));
	CU_ASSERT(host && memcmp(host, written, BYTES) == 0);
	ASSERT_OK(berth_tensor_unmap(residency, tensor, BERTH_ACCESS_READ));
	berth_residency_destroy(residency);
	for (int i = 0; i < 2; i++) {
		berth_memory memory;

		berth_pool_destroy(pools[i]);
		/* Nothing is borrowed any more. */
		berth_device_memory(devices[i], &memory);
		ASSERT_INT(memory.live_objects, 0);
	}
	close_pair(devices);
}

static void test_tensors(void)
{
	if (!find_devices())
		return;
	test_case("one context");
	move_there_and_back(true, 2 * BYTES, 0);
	test_case("two contexts");
	move_there_and_back(false, 0, 2 * BYTES);
}

static const struct test tests[] = {
	{ "borrow", test_borrow },
	{ "nothing shared", test_nothing_shared },
	{ "tensors", test_tensors },
	{ NULL, NULL },
};

int main(void)
{
	setenv("POCL_DEVICES", "pthread basic", 1);
	return world_main("tensor_context", tests);
}
