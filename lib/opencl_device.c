/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenCL device: how it begins and ends, and what it lends to its user. */
#include "opencl_device.h"

#include <inttypes.h>
#include <stdlib.h>

static const berth_device_ops opencl_ops;

static const struct berth__opencl *as_opencl(const berth_device *device)
{
	return device->ops == &opencl_ops ? (const struct berth__opencl *)device : NULL;
}

static void opencl_memory(const berth_device *device, berth_memory *memory)
{
	*memory = ((const struct berth__opencl *)device)->memory;
}

static void opencl_destroy(berth_device *device)
{
	struct berth__opencl *opencl = (struct berth__opencl *)device;

	berth__cl_argument_release(opencl);
	if (opencl->queue) {
		berth__cl_release_all(opencl);
		berth__cl_queues_release(opencl);
	}
	if (opencl->context)
		clReleaseContext(opencl->context);
	free(opencl);
}

static berth_status opencl_borrow(berth_device *device, uint64_t id, berth_device *from,
				  uint64_t from_id)
{
	struct berth__opencl *opencl = (struct berth__opencl *)device;
	const struct berth__opencl *lender = as_opencl(from);
	const struct berth__cl_object *object;

	if (!lender || lender->context != opencl->context)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0, "%s is not in the context of %s",
				       from->name, opencl->name);
	object = berth__cl_find(lender, from_id);
	if (!object || !object->mem)
		return berth_error_set(BERTH_E_STATE, 0, "%s has no memory object %" PRIu64,
				       from->name, from_id);
	return berth__cl_borrow(opencl, id, object->mem);
}

static const berth_device_ops opencl_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = berth__cl_execute,
	.memory = opencl_memory,
	.destroy = opencl_destroy,
	.borrow = opencl_borrow,
};

static berth_status take_context(struct berth__opencl *opencl, const berth_opencl_options *options)
{
	cl_context context = options->context;
	cl_int code = CL_SUCCESS;

	if (context)
		code = clRetainContext(context);
	else
		context = clCreateContext(NULL, 1, &options->device, NULL, NULL, &code);
	if (code != CL_SUCCESS)
		return berth__cl_failed(options->context ? "clRetainContext" : "clCreateContext",
					code);
	opencl->context = context;
	return BERTH_OK;
}

static berth_status take_queue(struct berth__opencl *opencl, const berth_opencl_options *options)
{
	cl_command_queue queue = options->queue;
	cl_int code = CL_SUCCESS;

	/* The call of 1.x: every version has it, and in-order is all that is asked. */
	if (queue)
		code = clRetainCommandQueue(queue);
	else
		queue = clCreateCommandQueue(opencl->context, options->device, 0, &code);
	if (code != CL_SUCCESS)
		return berth__cl_failed(
			options->queue ? "clRetainCommandQueue" : "clCreateCommandQueue", code);
	opencl->queue = queue;
	opencl->has_queues = options->queues;
	return BERTH_OK;
}

berth_status berth_opencl_create(berth_device **out, const berth_opencl_options *options)
{
	struct berth__opencl *opencl;
	berth_status st;

	if (!options)
		return berth_error_set(BERTH_E_INVAL, 0, "options is NULL, a device is needed");
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.size is %" PRIu32
				       ", %zu is needed: start from the header's _INIT macro",
				       options->size, sizeof(*options));
	if (!options->device)
		return berth_error_set(BERTH_E_INVAL, 0, "options.device is NULL");
	if (options->queue && !options->context)
		return berth_error_set(BERTH_E_INVAL, 0, "options.queue needs its context");
	if (options->queue && options->queues)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.queues: the device has the caller's one queue");
	opencl = calloc(1, sizeof(*opencl));
	if (!opencl)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for an OpenCL device");
	if ((st = take_context(opencl, options)) != BERTH_OK ||
	    (st = take_queue(opencl, options)) != BERTH_OK ||
	    (st = berth_opencl_caps(&opencl->caps, options->device, opencl->context)) != BERTH_OK) {
		opencl_destroy(&opencl->device);
		return st;
	}
	berth__cl_device_name(opencl->name, sizeof(opencl->name), options->device,
			      opencl->caps.platform);
	opencl->device = (berth_device){ &opencl_ops, &opencl->caps, opencl->name };
	*out = &opencl->device;
	return BERTH_OK;
}

cl_mem berth_opencl_mem(const berth_device *device, uint64_t object)
{
	const struct berth__opencl *opencl = as_opencl(device);
	const struct berth__cl_object *found = opencl ? berth__cl_find(opencl, object) : NULL;

	return found ? found->mem : NULL;
}

cl_command_queue berth_opencl_queue(const berth_device *device)
{
	const struct berth__opencl *opencl = as_opencl(device);

	return opencl ? opencl->queue : NULL;
}

cl_context berth_opencl_context(const berth_device *device)
{
	const struct berth__opencl *opencl = as_opencl(device);

	return opencl ? opencl->context : NULL;
}
