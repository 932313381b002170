/* SPDX-License-Identifier: Apache-2.0 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "layer_driver.h"

#include <string.h>

#include "test_main.h"

const void *layer_dispatches[2] = { &layer_dispatches[0], &layer_dispatches[1] };
struct layer_driver_object layer_objects[32];
cl_int next_status;
cl_event next_event;
void *next_pointer;
cl_mem next_object;
cl_command_queue next_queue;
void (*within)(void);

cl_int layer_driver_answer(cl_event *event)
{
	void (*run)(void) = within;

	within = NULL;
	if (run)
		run();
	if (event && next_status == CL_SUCCESS)
		*event = next_event;
	return next_status;
}

cl_context CL_API_CALL layer_driver_context(const cl_context_properties *properties, cl_uint count,
					    const cl_device_id *devices,
					    void(CL_CALLBACK *notify)(const char *, const void *,
								      size_t, void *),
					    void *user_data, cl_int *status)
{
	(void)properties, (void)count, (void)devices, (void)notify, (void)user_data;
	*status = CL_SUCCESS;
	return CONTEXT;
}

cl_command_queue CL_API_CALL layer_driver_queue(cl_context context, cl_device_id device,
						cl_command_queue_properties properties,
						cl_int *status)
{
	(void)context, (void)device, (void)properties;
	*status = CL_SUCCESS;
	return next_queue;
}

cl_mem CL_API_CALL layer_driver_buffer(cl_context context, cl_mem_flags flags, size_t size,
				       void *host, cl_int *status)
{
	(void)context, (void)flags, (void)size, (void)host;
	*status = next_status;
	return next_status == CL_SUCCESS ? next_object : NULL;
}

bool layer_driver_load(const cl_icd_dispatch *driver)
{
	for (size_t i = 0; i < sizeof(layer_objects) / sizeof(layer_objects[0]); i++)
		layer_objects[i].dispatch = layer_dispatches[i == 11 || i == 12];
	return layer_fixture_load(driver);
}

void layer_driver_make_queues(void)
{
	cl_int status;

	layer_cl->clCreateContext(NULL, 0, NULL, NULL, NULL, &status);
	next_queue = QUEUE;
	layer_cl->clCreateCommandQueue(CONTEXT, NULL, 0, &status);
	next_queue = OTHER_QUEUE;
	layer_cl->clCreateCommandQueue(
		CONTEXT, NULL, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
		&status);
}

void make_buffer(cl_mem handle, size_t bytes)
{
	cl_int status;

	next_object = handle;
	layer_cl->clCreateBuffer(CONTEXT, 0, bytes, NULL, &status);
	ASSERT_INT(status, CL_SUCCESS);
}

const char *name_of(const struct spool_op *op)
{
	return layer_content.names[op->op.name];
}

void assert_digest(const uint8_t *actual, const void *bytes, size_t count)
{
	XXH128_canonical_t expected;

	XXH128_canonicalFromHash(&expected, XXH3_128bits(bytes, count));
	ASSERT_INT(memcmp(actual, expected.digest, 16), 0);
}
