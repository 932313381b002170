/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts and queues: each op names those that it was on, and their own calls are ops. */
#include "layer_call.h"
#include "layer_callback.h"
#include "layer_calls.h"

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

/*
 * Record a device that was not seen before; its OpenCL version, 0: not known. Two threads may
 * ask the same device at once: it then has two ids, and both are right.
 */
static uint32_t see_device(cl_device_id device, cl_context context)
{
	const cl_icd_dispatch *target = &berth__layer.target;
	const struct berth__caps_calls calls = {
		.get_platform_info = target->clGetPlatformInfo,
		.get_device_info = target->clGetDeviceInfo,
		.get_supported_image_formats = target->clGetSupportedImageFormats,
	};
	struct berth__handle entry, replaced;
	berth_caps caps;

	if (berth__handle_find(&berth__layer.devices, device, &entry))
		return entry.flags;
	if (berth__caps_query(&caps, &calls, device, context) != BERTH_OK)
		return 0;
	entry = (struct berth__handle){
		.handle = device,
		.id = atomic_fetch_add(&berth__layer.last_device, 1) + 1,
		.references = 1,
		.flags = caps.cl_version,
	};
	append_device((uint32_t)entry.id, &caps);
	if (!berth__handle_insert(&berth__layer.devices, &entry, &replaced))
		berth__spool_count_lost(&berth__layer.spool);
	return caps.cl_version;
}

/* Record the devices of a context; the lowest OpenCL version of them, 0: not known. */
static uint32_t see_devices(cl_context context)
{
	const cl_icd_dispatch *target = &berth__layer.target;
	uint32_t lowest = UINT32_MAX;
	cl_device_id *devices;
	size_t bytes = 0;

	if (!target->clGetContextInfo || !target->clGetPlatformInfo || !target->clGetDeviceInfo ||
	    !target->clGetSupportedImageFormats ||
	    target->clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes) != CL_SUCCESS)
		return 0;
	devices = malloc(bytes);
	if (!devices || target->clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices,
						 NULL) != CL_SUCCESS)
		bytes = 0;
	for (size_t i = 0; i < bytes / sizeof(*devices); i++) {
		uint32_t version = see_device(devices[i], context);

		lowest = version < lowest ? version : lowest;
	}
	free(devices);
	return bytes ? lowest : 0;
}

static void see_context(struct berth__call *call, cl_context context)
{
	struct berth__handle entry = { .handle = context, .references = 1 }, replaced;

	if (see_devices(context) >= 120)
		entry.flags = BERTH__CONTEXT_HAS_1_2;
	entry.id = atomic_fetch_add(&berth__layer.last_context, 1) + 1;
	call->op->context = (uint32_t)entry.id;
	call->op->bytes = 1;
	if (berth__layer_below)
		berth__layer_below->context((uint32_t)entry.id, context);
	if (!berth__handle_insert(&berth__layer.contexts, &entry, &replaced))
		berth__spool_count_lost(&berth__layer.spool);
}

/* The driver reports errors through it at any time, from inside a call as well. */
struct notify_callback {
	void(CL_CALLBACK *function)(const char *, const void *, size_t, void *);
	void *user_data;
};

static void CL_CALLBACK on_notify(const char *text, const void *data, size_t bytes, void *user_data)
{
	const struct notify_callback *callback = user_data;
	uint32_t depth = berth__callback_begin();

	callback->function(text, data, bytes, callback->user_data);
	berth__callback_end(depth);
}

/*
 * NULL: the program gave none, or no memory. It lives as long as the process: nobody knows when
 * the driver calls for the last time.
 */
static struct notify_callback *wrap_notify(void(CL_CALLBACK *function)(const char *, const void *,
								       size_t, void *),
					   void *user_data)
{
	struct notify_callback *callback = function ? malloc(sizeof(*callback)) : NULL;

	if (callback)
		*callback = (struct notify_callback){ function, user_data };
	return callback;
}

static void end_context(struct berth__call *call, cl_context context, cl_int status,
			struct notify_callback *callback)
{
	berth__call_leave(call, berth__call_create_status(context, status));
	if (berth__call_succeeded(call))
		see_context(call, context);
	if (!context)
		free(callback);
	berth__call_commit(call);
}

cl_context CL_API_CALL berth__clCreateContext(
	const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices,
	void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *), void *user_data,
	cl_int *errcode_ret)
{
	struct notify_callback *callback;
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_context context;

	BERTH__PASS_INSIDE(clCreateContext, properties, num_devices, devices, pfn_notify,
			   user_data, errcode_ret);
	callback = wrap_notify(pfn_notify, user_data);
	berth__call_begin_order(&call, "clCreateContext");
	berth__call_enter(&call);
	context = berth__layer.target.clCreateContext(properties, num_devices, devices,
						      callback ? on_notify : pfn_notify,
						      callback ? callback : user_data, status);
	end_context(&call, context, *status, callback);
	return context;
}

cl_context CL_API_CALL berth__clCreateContextFromType(
	const cl_context_properties *properties, cl_device_type device_type,
	void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *), void *user_data,
	cl_int *errcode_ret)
{
	struct notify_callback *callback;
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_context context;

	BERTH__PASS_INSIDE(clCreateContextFromType, properties, device_type, pfn_notify, user_data,
			   errcode_ret);
	callback = wrap_notify(pfn_notify, user_data);
	berth__call_begin_order(&call, "clCreateContextFromType");
	berth__call_enter(&call);
	context = berth__layer.target.clCreateContextFromType(
		properties, device_type, callback ? on_notify : pfn_notify,
		callback ? callback : user_data, status);
	end_context(&call, context, *status, callback);
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

static uint32_t queue_flags(cl_command_queue_properties properties)
{
	return (properties & CL_QUEUE_PROFILING_ENABLE ? BERTH__QUEUE_PROFILES : 0u) |
	       (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE ? BERTH__QUEUE_OUT_OF_ORDER
								    : 0u);
}

static void see_queue(struct berth__call *call, cl_command_queue queue, cl_device_id device,
		      cl_command_queue_properties properties)
{
	struct berth__handle replaced;
	struct berth__handle entry = {
		.handle = queue,
		.references = 1,
		.id = atomic_fetch_add(&berth__layer.last_queue, 1) + 1,
		.context = call->op->context,
		.flags = queue_flags(properties),
	};

	append_queue(&entry, device, properties);
	call->op->queue = (uint32_t)entry.id;
	call->op->bytes = 1;
	if (!berth__handle_insert(&berth__layer.queues, &entry, &replaced))
		berth__spool_count_lost(&berth__layer.spool);
}

cl_command_queue CL_API_CALL berth__clCreateCommandQueue(cl_context context, cl_device_id device,
							 cl_command_queue_properties properties,
							 cl_int *errcode_ret)
{
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_command_queue queue;

	BERTH__PASS_INSIDE(clCreateCommandQueue, context, device, properties, errcode_ret);
	berth__call_begin_order(&call, "clCreateCommandQueue");
	call.op->context = berth__layer_context(context);
	berth__call_enter(&call);
	queue = berth__layer.target.clCreateCommandQueue(context, device, properties, status);
	berth__call_leave(&call, berth__call_create_status(queue, *status));
	if (berth__call_succeeded(&call))
		see_queue(&call, queue, device, properties);
	berth__call_commit(&call);
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
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_command_queue queue;

	BERTH__PASS_INSIDE(clCreateCommandQueueWithProperties, context, device, properties,
			   errcode_ret);
	berth__call_begin_order(&call, "clCreateCommandQueueWithProperties");
	call.op->context = berth__layer_context(context);
	berth__call_enter(&call);
	queue = berth__layer.target.clCreateCommandQueueWithProperties(context, device, properties,
								       status);
	berth__call_leave(&call, berth__call_create_status(queue, *status));
	/* Only of a queue that was made: then the list is a list. */
	if (berth__call_succeeded(&call))
		see_queue(&call, queue, device, listed_properties(properties));
	berth__call_commit(&call);
	return queue;
}

/* Of a context its own id, of a queue also that of its context. */
static void put_ids(struct berth__call *call, const struct berth__handle_map *map,
		    const struct berth__handle *entry)
{
	bool is_queue = map == &berth__layer.queues;

	call->op->queue = is_queue ? (uint32_t)entry->id : 0;
	call->op->context = is_queue ? entry->context : (uint32_t)entry->id;
	call->op->bytes = entry->references;
}

#define RETAIN(name, type, map)                                                                    \
	cl_int CL_API_CALL berth__##name(type handle)                                              \
	{                                                                                          \
		struct berth__handle entry;                                                        \
		struct berth__call call;                                                           \
		cl_int status;                                                                     \
		bool known;                                                                        \
                                                                                                   \
		BERTH__PASS_INSIDE(name, handle);                                                  \
		berth__call_begin_order(&call, #name);                                             \
		known = berth__handle_retain(map, handle, &entry);                                 \
		if (known)                                                                         \
			put_ids(&call, map, &entry);                                               \
		berth__call_enter(&call);                                                          \
		status = berth__layer.target.name(handle);                                         \
		berth__call_leave(&call, status);                                                  \
		if (known && status != CL_SUCCESS)                                                 \
			berth__handle_release(map, handle, &entry);                                \
		berth__call_commit(&call);                                                         \
		return status;                                                                     \
	}

#define RELEASE(name, type, map)                                                                   \
	cl_int CL_API_CALL berth__##name(type handle)                                              \
	{                                                                                          \
		struct berth__handle entry;                                                        \
		struct berth__call call;                                                           \
		cl_int status;                                                                     \
		bool known;                                                                        \
                                                                                                   \
		BERTH__PASS_INSIDE(name, handle);                                                  \
		berth__call_begin_order(&call, #name);                                             \
		known = berth__handle_release(map, handle, &entry);                                \
		if (known)                                                                         \
			put_ids(&call, map, &entry);                                               \
		berth__call_enter(&call);                                                          \
		status = berth__layer.target.name(handle);                                         \
		berth__call_leave(&call, status);                                                  \
		if (known && status != CL_SUCCESS)                                                 \
			berth__handle_restore(map, &entry);                                        \
		berth__call_commit(&call);                                                         \
		return status;                                                                     \
	}

RETAIN(clRetainContext, cl_context, &berth__layer.contexts)
RELEASE(clReleaseContext, cl_context, &berth__layer.contexts)
RETAIN(clRetainCommandQueue, cl_command_queue, &berth__layer.queues)
RELEASE(clReleaseCommandQueue, cl_command_queue, &berth__layer.queues)
