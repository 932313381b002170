/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated devices for tests: profiles made in code, ops in one line. */
#ifndef BERTH_TEST_SIM_FIXTURE_H
#define BERTH_TEST_SIM_FIXTURE_H

#include <string.h>

#include <CL/cl.h>

#include <berth/sim.h>

#include "test_main.h"

#define HOST(pointer) .host = (pointer), .host_address = (uint64_t)(uintptr_t)(pointer)

/* An address of which no bytes are here. */
#define HOST_NOT_HERE .host = NULL, .host_address = 4096

/* OpenCL 3.0 at its minimum, with 1 GiB of memory, objects up to all of it, no rounding. */
static inline berth_profile sim_fixture_profile(void)
{
	berth_profile profile;

	memset(&profile, 0, sizeof(profile));
	strcpy(profile.name, "test");
	strcpy(profile.source, "a test");
	berth_caps_init_minimum(&profile.caps, 300);
	profile.caps.global_mem_bytes = UINT64_C(1) << 30;
	profile.caps.max_alloc_bytes = UINT64_C(1) << 30;
	profile.memory = (berth_memory_model){ .capacity_bytes = UINT64_C(1) << 30,
					       .granularity_bytes = 1,
					       .image_row_align_bytes = 1,
					       .out_of_memory_code =
						       CL_MEM_OBJECT_ALLOCATION_FAILURE };
	return profile;
}

static inline berth_device *sim_fixture_device(const berth_profile *profile)
{
	berth_device *device = NULL;

	ASSERT_OK(berth_sim_create(&device, profile, NULL));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	return device;
}

static inline berth_result sim_fixture_run(berth_device *device, const berth_op *op, int32_t status,
					   const char *file, int line)
{
	berth_result result;
	char text[256];

	berth_op_describe(op, text, sizeof(text));
	test_case("%.200s", text);
	test_assert_ok(berth_device_execute(device, op, &result), "execute", file, line);
	test_assert_string(berth_cl_status_string(result.cl_status), berth_cl_status_string(status),
			   "cl_status", file, line);
	return result;
}

/* Execute an op that must be answered with `status`. */
#define run(device, status, ...)                                                                   \
	sim_fixture_run(device, &(berth_op){ __VA_ARGS__ }, status, __FILE__, __LINE__)
#define ok(device, ...) run(device, CL_SUCCESS, __VA_ARGS__)

/* Initialisers of the commonest ops. */
#define BUFFER(id, size) .kind = BERTH_OP_BUFFER_CREATE, .object = (id), .bytes = (size)
#define IMAGE(id, w, h)                                                                            \
	.kind = BERTH_OP_IMAGE_CREATE, .object = (id),                                             \
	.image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,                                \
		   .channel_type = CL_UNSIGNED_INT8, .width = (w), .height = (h) }
#define WRITE(id, at, size)                                                                        \
	.kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING,              \
	.object = (id), .offset_bytes = (at), .bytes = (size)
#define READ(id, at, size)                                                                         \
	.kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING,               \
	.object = (id), .offset_bytes = (at), .bytes = (size)
#define RELEASE(id) .kind = BERTH_OP_RELEASE, .object = (id)

static inline uint64_t sim_fixture_in_use(const berth_device *device)
{
	berth_memory memory;

	berth_device_memory(device, &memory);
	return memory.in_use_bytes;
}

#endif
