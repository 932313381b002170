/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue of the device for each queue that ops name. All stay in the order of the ops: where
 * the queue changes, the new one waits for a marker in the old one.
 */
#include "opencl_device.h"

#include <stdlib.h>

/*
 * PoCL 3.1 ends the process at clEnqueueWaitForEvents, which is all that OpenCL 1.1 has: such
 * devices are waited for here.
 */
static cl_int wait_for(const struct berth__opencl *opencl, cl_command_queue next)
{
	cl_event event;
	cl_int code;

	if (opencl->caps.cl_version < 120)
		return clFinish(opencl->queue);
	code = clEnqueueMarkerWithWaitList(opencl->queue, 0, NULL, &event);
	if (code != CL_SUCCESS)
		return code;
	code = clFlush(opencl->queue);
	if (code == CL_SUCCESS)
		code = clEnqueueBarrierWithWaitList(next, 1, &event, NULL);
	clReleaseEvent(event);
	return code;
}

static struct berth__cl_queue *find(struct berth__opencl *opencl, uint64_t id)
{
	struct berth__cl_queue *queue;

	LIST_FOREACH(queue, &opencl->queues, link)
	if (queue->id == id)
		return queue;
	return NULL;
}

/* The first queue that is named is the device's own. */
static berth_status add(struct berth__cl_queue **out, struct berth__opencl *opencl, uint64_t id,
			cl_device_id device)
{
	struct berth__cl_queue *queue = calloc(1, sizeof(*queue));
	cl_int code = CL_SUCCESS;

	if (!queue)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a queue");
	queue->id = id;
	queue->queue = opencl->queue;
	if (!LIST_EMPTY(&opencl->queues))
		queue->queue = clCreateCommandQueue(opencl->context, device, 0, &code);
	if (code != CL_SUCCESS) {
		free(queue);
		return berth__cl_failed("clCreateCommandQueue", code);
	}
	LIST_INSERT_HEAD(&opencl->queues, queue, link);
	*out = queue;
	return BERTH_OK;
}

berth_status berth__cl_queue_switch(struct berth__opencl *opencl, uint64_t id)
{
	struct berth__cl_queue *queue;
	cl_device_id device;
	berth_status st;
	cl_int code;

	if (!opencl->has_queues || id == 0)
		return BERTH_OK;
	queue = find(opencl, id);
	if (!queue) {
		code = clGetCommandQueueInfo(opencl->queue, CL_QUEUE_DEVICE, sizeof(device),
					     &device, NULL);
		if (code != CL_SUCCESS)
			return berth__cl_failed("clGetCommandQueueInfo", code);
		st = add(&queue, opencl, id, device);
		if (st != BERTH_OK)
			return st;
	}
	if (queue->queue == opencl->queue)
		return BERTH_OK;
	code = wait_for(opencl, queue->queue);
	if (code != CL_SUCCESS)
		return berth__cl_failed("a wait between two queues", code);
	opencl->queue = queue->queue;
	return BERTH_OK;
}

void berth__cl_queues_release(struct berth__opencl *opencl)
{
	struct berth__cl_queue *queue;
	bool own = LIST_EMPTY(&opencl->queues);

	if (own)
		clReleaseCommandQueue(opencl->queue);
	while ((queue = LIST_FIRST(&opencl->queues))) {
		clReleaseCommandQueue(queue->queue);
		LIST_REMOVE(queue, link);
		free(queue);
	}
}
