/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts and queues: not ops, but each op names the context and queue it was on. */
#include "layer_calls.h"

#include <errno.h>
#include <stdlib.h>

#include "caps_query.h"

static void append_device(uint32_t id, const berth_caps *caps)
{
	struct berth_spool_device record = {
		.record.type = BERTH_SPOOL_DEVICE,
		.device = id,
		.caps_bytes = sizeof(*caps),
	};
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) }, { caps, sizeof(*caps) } },
		.part_count = 2,
	};

	berth__spool_append(&berth__layer.spool, &message);
}

/* Two threads may ask the same device at once: it then has two ids, and both are right. */
static void see_device(cl_device_id device, cl_context context)
{
	const cl_icd_dispatch *target = &berth__layer.target;
	const struct berth__caps_calls calls = {
		.get_platform_info = target->clGetPlatformInfo,
		.get_device_info = target->clGetDeviceInfo,
		.get_supported_image_formats = target->clGetSupportedImageFormats,
	};
	struct berth__handle entry, replaced;
	berth_caps caps;

	if (berth__handle_find(&berth__layer.devices, device, &entry) ||
	    berth__caps_query(&caps, &calls, device, context) != BERTH_OK)
		return;
	entry = (struct berth__handle){
		.handle = device,
		.id = atomic_fetch_add(&berth__layer.last_device, 1) + 1,
		.references = 1,
	};
	append_device((uint32_t)entry.id, &caps);
	if (!berth__handle_insert(&berth__layer.devices, &entry, &replaced))
		berth__spool_count_lost(&berth__layer.spool);
}

/* Record the devices of a context when they were not seen before. */
static void see_devices(cl_context context)
{
	const cl_icd_dispatch *target = &berth__layer.target;
	cl_device_id *devices;
	size_t bytes = 0;

	if (!target->clGetContextInfo || !target->clGetPlatformInfo || !target->clGetDeviceInfo ||
	    !target->clGetSupportedImageFormats ||
	    target->clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes) != CL_SUCCESS)
		return;
	devices = malloc(bytes);
	if (devices && target->clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices,
						NULL) == CL_SUCCESS)
		for (size_t i = 0; i < bytes / sizeof(*devices); i++)
			see_device(devices[i], context);
	free(devices);
}

static void see_context(cl_context context)
{
	int errno_of_program = errno;
	struct berth__handle entry = { .handle = context, .references = 1 }, replaced;

	if (context) {
		berth__layer_thread();
		see_devices(context);
		entry.id = atomic_fetch_add(&berth__layer.last_context, 1) + 1;
		if (!berth__handle_insert(&berth__layer.contexts, &entry, &replaced))
			berth__spool_count_lost(&berth__layer.spool);
	}
	errno = errno_of_program;
}

cl_context CL_API_CALL berth__clCreateContext(
	const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices,
	void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *), void *user_data,
	cl_int *errcode_ret)
{
	cl_context context = berth__layer.target.clCreateContext(
		properties, num_devices, devices, pfn_notify, user_data, errcode_ret);

	see_context(context);
	return context;
}

cl_context CL_API_CALL berth__clCreateContextFromType(
	const cl_context_properties *properties, cl_device_type device_type,
	void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *), void *user_data,
	cl_int *errcode_ret)
{
	cl_context context = berth__layer.target.clCreateContextFromType(
		properties, device_type, pfn_notify, user_data, errcode_ret);

	see_context(context);
	return context;
}

static void append_queue(const struct berth__handle *queue, cl_device_id device,
			 cl_command_queue_properties properties)
{
	struct berth__handle entry;
	struct berth_spool_queue record = {
		.record.type = BERTH_SPOOL_QUEUE,
		.queue = (uint32_t)queue->id,
		.context = queue->context,
		.properties = properties,
	};
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) } },
		.part_count = 1,
	};

	if (berth__handle_find(&berth__layer.devices, device, &entry))
		record.device = (uint32_t)entry.id;
	berth__spool_append(&berth__layer.spool, &message);
}

static void see_queue(cl_command_queue queue, cl_context context, cl_device_id device,
		      cl_command_queue_properties properties)
{
	struct berth__handle entry = { .handle = queue, .references = 1 }, replaced;

	if (!queue)
		return;
	berth__layer_thread();
	entry.id = atomic_fetch_add(&berth__layer.last_queue, 1) + 1;
	entry.context = berth__layer_context(context);
	append_queue(&entry, device, properties);
	if (!berth__handle_insert(&berth__layer.queues, &entry, &replaced))
		berth__spool_count_lost(&berth__layer.spool);
}

cl_command_queue CL_API_CALL berth__clCreateCommandQueue(cl_context context, cl_device_id device,
							 cl_command_queue_properties properties,
							 cl_int *errcode_ret)
{
	cl_command_queue queue =
		berth__layer.target.clCreateCommandQueue(context, device, properties, errcode_ret);

	see_queue(queue, context, device, properties);
	return queue;
}

static cl_command_queue_properties listed_properties(const cl_queue_properties *list)
{
	for (; list && list[0]; list += 2)
		if (list[0] == CL_QUEUE_PROPERTIES)
			return list[1];
	return 0;
}

cl_command_queue CL_API_CALL berth__clCreateCommandQueueWithProperties(
	cl_context context, cl_device_id device, const cl_queue_properties *properties,
	cl_int *errcode_ret)
{
	cl_command_queue queue = berth__layer.target.clCreateCommandQueueWithProperties(
		context, device, properties, errcode_ret);

	/* Only of a queue that was made: then the list is a list. */
	if (queue)
		see_queue(queue, context, device, listed_properties(properties));
	return queue;
}

cl_int CL_API_CALL berth__clRetainContext(cl_context context)
{
	struct berth__handle entry;
	bool known = berth__handle_retain(&berth__layer.contexts, context, &entry);
	cl_int status = berth__layer.target.clRetainContext(context);

	if (known && status != CL_SUCCESS)
		berth__handle_release(&berth__layer.contexts, context, &entry);
	return status;
}

cl_int CL_API_CALL berth__clReleaseContext(cl_context context)
{
	struct berth__handle entry;
	bool known = berth__handle_release(&berth__layer.contexts, context, &entry);
	cl_int status = berth__layer.target.clReleaseContext(context);

	if (known && status != CL_SUCCESS)
		berth__handle_restore(&berth__layer.contexts, &entry);
	return status;
}

cl_int CL_API_CALL berth__clRetainCommandQueue(cl_command_queue queue)
{
	struct berth__handle entry;
	bool known = berth__handle_retain(&berth__layer.queues, queue, &entry);
	cl_int status = berth__layer.target.clRetainCommandQueue(queue);

	if (known && status != CL_SUCCESS)
		berth__handle_release(&berth__layer.queues, queue, &entry);
	return status;
}

cl_int CL_API_CALL berth__clReleaseCommandQueue(cl_command_queue queue)
{
	struct berth__handle entry;
	bool known = berth__handle_release(&berth__layer.queues, queue, &entry);
	cl_int status = berth__layer.target.clReleaseCommandQueue(queue);

	if (known && status != CL_SUCCESS)
		berth__handle_restore(&berth__layer.queues, &entry);
	return status;
}
