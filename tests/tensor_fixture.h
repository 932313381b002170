/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors for tests, on the simulator, or with -DDRIVER on a driver: a program each. A
 * world is a device, its pool, and a residency with one site, and keeps the decisions.
 */
#ifndef BERTH_TEST_TENSOR_FIXTURE_H
#define BERTH_TEST_TENSOR_FIXTURE_H

#include <inttypes.h>
#include <stdio.h>

#include <berth/tensor.h>

#include "fault_device.h"
#include "sim_fixture.h"

#ifdef DRIVER
#include <berth/opencl.h>

#include "opencl_driver.h"
#endif

#define KIB UINT64_C(1024)

struct world {
	struct fault_device *device;
	berth_pool *pool;
	berth_residency *residency;
	uint32_t site;
	char decisions[16384];
};

static inline void world_decided(const char *line, void *userdata)
{
	struct world *world = userdata;
	size_t used = strlen(world->decisions);

	snprintf(world->decisions + used, sizeof(world->decisions) - used, "%s\n", line);
}

static inline berth_device *world_device(void)
{
#ifdef DRIVER
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	berth_device *device = NULL;

	ASSERT_OK(berth_opencl_find(&options.device, PLATFORM, 0));
	ASSERT_OK(berth_opencl_create(&device, &options));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	return device;
#else
	berth_profile profile = sim_fixture_profile();

	return sim_fixture_device(&profile);
#endif
}

static inline void world_open_on(struct world *world, berth_device *device,
				 const berth_site_options *site)
{
	berth_residency_options options = BERTH_RESIDENCY_OPTIONS_INIT;
	berth_pool_options pool = BERTH_POOL_OPTIONS_INIT;

	memset(world, 0, sizeof(*world));
	options.decision = world_decided;
	options.userdata = world;
	options.label = true;
	pool.block_bytes = 64 * KIB;
	world->device = fault_device_create(device);
	ASSERT_OK(berth_pool_create(&world->pool, &world->device->base, &pool));
	CU_ASSERT_PTR_NOT_NULL_FATAL(world->pool);
	ASSERT_OK(berth_residency_create(&world->residency, &options));
	CU_ASSERT_PTR_NOT_NULL_FATAL(world->residency);
	ASSERT_OK(berth_residency_add_site(&world->site, world->residency, world->pool, site));
}

static inline void world_open(struct world *world, const berth_site_options *site)
{
	world_open_on(world, world_device(), site);
}

/* With a hard limit of so many bytes. */
static inline void world_open_limit(struct world *world, uint64_t bytes, berth_evict policy)
{
	berth_site_options site = BERTH_SITE_OPTIONS_INIT;

	site.hard_limit_bytes = bytes;
	site.policy = policy;
	world_open(world, &site);
}

/* The pool got everything back. */
static inline void world_close(struct world *world)
{
	berth_pool_stats stats;

	berth_residency_destroy(world->residency);
	berth_pool_complete(world->pool, 0);
	berth_pool_get_stats(&stats, world->pool);
	ASSERT_INT(stats.storages, 0);
	ASSERT_INT(stats.views, 0);
	ASSERT_INT(stats.requested_bytes, 0);
	berth_pool_destroy(world->pool);
	berth_device_destroy(&world->device->base);
}

static inline berth_layout linear(berth_element element, uint64_t entries)
{
	return (berth_layout){ .element = element, .lanes = 1, .axis_count = 1,
			       .shape = { entries } };
}

static inline berth_tensor world_tensor(struct world *world, uint64_t bytes, void *host)
{
	const berth_layout layout = linear(BERTH_ELEMENT_UINT8, bytes);
	berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
	berth_tensor tensor = 0;

	options.host = host;
	ASSERT_OK(berth_tensor_create(&tensor, world->residency, &layout, &options));
	return tensor;
}

static inline berth_tensor_info world_info(struct world *world, berth_tensor tensor)
{
	berth_tensor_info info = { 0 };

	ASSERT_OK(berth_tensor_get_info(&info, world->residency, tensor));
	return info;
}

static inline berth_site_stats world_stats(struct world *world)
{
	berth_site_stats stats = { 0 };

	ASSERT_OK(berth_residency_get_stats(&stats, world->residency, world->site));
	return stats;
}

static inline void world_assert_place(struct world *world, berth_tensor tensor, const char *place,
				      const char *file, int line)
{
	test_assert_string(berth_place_string(world_info(world, tensor).place), place, "place",
			   file, line);
}
#define ASSERT_PLACE(world, tensor, place)                                                         \
	world_assert_place(world, tensor, place, __FILE__, __LINE__)

/* What is in device memory, read past the residency. */
static inline void world_peek(struct world *world, berth_tensor tensor, uint64_t offset,
			      void *out, uint64_t bytes)
{
	berth_tensor_info info = world_info(world, tensor);
	berth_storage_info storage = { 0 };
	berth_op op = { READ(0, 0, bytes), HOST(out) };
	berth_result result;

	ASSERT_OK(berth_storage_get_info(&storage, world->pool, info.storage));
	op.object = storage.object;
	op.offset_bytes = storage.offset_bytes + offset;
	ASSERT_OK(berth_pool_execute(world->pool, &op, &result));
	ASSERT_INT(result.cl_status, CL_SUCCESS);
}

/* A kernel as far as memory goes: fill the objects, each with a byte. */
struct filler {
	struct world *world;
	unsigned char value;
	uint64_t bytes;
	berth_status answer;
	unsigned calls;
	uint64_t object; /* the first */
};

static inline berth_status filler_run(const uint64_t *objects, size_t count, void *userdata)
{
	struct filler *filler = userdata;

	filler->calls++;
	filler->object = objects[0];
	for (size_t i = 0; filler->bytes > 0 && i < count; i++) {
		berth_op op = { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR,
				.object = objects[i], .bytes = filler->bytes,
				HOST(&filler->value), .pattern_bytes = 1 };
		berth_result result;

		ASSERT_OK(berth_pool_execute(filler->world->pool, &op, &result));
		ASSERT_INT(result.cl_status, CL_SUCCESS);
	}
	return filler->answer ? berth_error_set(filler->answer, 0, "the kernel failed") : BERTH_OK;
}

/* Fill whole tensors of so many bytes on the device. */
static inline berth_status world_fill(struct world *world, berth_tensor tensor, uint32_t access,
				      unsigned char value, uint64_t bytes)
{
	struct filler filler = { .world = world, .value = value, .bytes = bytes };
	const berth_run_arg arg = { tensor, access };

	return berth_residency_run(world->residency, world->site, &arg, 1, BERTH_OUTPUTS_STAY,
				   filler_run, &filler);
}

/* Use tensors, as a kernel that only reads. */
static inline berth_status world_use(struct world *world, const berth_tensor *tensors, size_t count)
{
	struct filler filler = { .world = world };
	berth_run_arg args[16];

	for (size_t i = 0; i < count; i++)
		args[i] = (berth_run_arg){ tensors[i], BERTH_ACCESS_READ };
	return berth_residency_run(world->residency, world->site, args, count, BERTH_OUTPUTS_STAY,
				   filler_run, &filler);
}

#define ASSERT_FAILS(expression, status) ASSERT_INT((expression), (status))

/* The bytes on the host are all of a value; they must be readable. */
static inline void world_assert_bytes(struct world *world, berth_tensor tensor, unsigned char value,
				      const char *file, int line)
{
	uint64_t bytes = world_info(world, tensor).bytes, wrong = 0;
	void *host = NULL;

	test_assert_ok(berth_tensor_map(&host, world->residency, tensor, BERTH_ACCESS_READ), "map",
		       file, line);
	CU_ASSERT_PTR_NOT_NULL_FATAL(host);
	for (uint64_t i = 0; i < bytes; i++)
		wrong += ((unsigned char *)host)[i] != value;
	test_assert_int((long long)wrong, 0, "bytes that are wrong", file, line);
	ASSERT_OK(berth_tensor_unmap(world->residency, tensor, BERTH_ACCESS_READ));
}
#define ASSERT_BYTES(world, tensor, value)                                                         \
	world_assert_bytes(world, tensor, value, __FILE__, __LINE__)

/* main() of a program of tests on a world. */
static inline int world_main(const char *suite, const struct test *tests)
{
#ifdef DRIVER
	for (const struct opencl_driver *driver = opencl_drivers; driver->name; driver++) {
		if (strcmp(driver->name, DRIVER) == 0 && !opencl_driver_select(driver))
			return 77;
	}
#endif
	return test_main(suite, tests);
}

#endif
