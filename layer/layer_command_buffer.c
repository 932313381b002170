/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_command_buffer. What is recorded into a buffer has no effect before the buffer is
 * enqueued, and has it each time; kernels keep the arguments that were set then, and nothing is
 * retained.
 */
#include "command_list.h"
#include "layer_extension.h"

#include <CL/cl_ext.h>

#include <string.h>

berth__command_buffer CL_API_CALL berth__clCreateCommandBufferKHR(cl_uint queue_count,
								  const cl_command_queue *queues,
								  const cl_ulong *properties,
								  cl_int *errcode_ret)
{
	const void *first = queue_count && queues ? queues[0] : NULL;
	__typeof__(&berth__clCreateCommandBufferKHR) real =
		BERTH__REAL(clCreateCommandBufferKHR, first);
	berth__command_buffer buffer = real(queue_count, queues, properties, errcode_ret);

	if (buffer && !berth__layer_is_inside("clCreateCommandBufferKHR")) {
		berth__layer_thread();
		berth__commands_enter(buffer, queues[0]);
	}
	return buffer;
}

cl_int CL_API_CALL berth__clRetainCommandBufferKHR(berth__command_buffer buffer)
{
	cl_int status = BERTH__REAL(clRetainCommandBufferKHR, buffer)(buffer);

	if (status == CL_SUCCESS && !berth__layer_is_inside("clRetainCommandBufferKHR"))
		berth__commands_retain(buffer);
	return status;
}

cl_int CL_API_CALL berth__clReleaseCommandBufferKHR(berth__command_buffer buffer)
{
	__typeof__(&berth__clReleaseCommandBufferKHR) real =
		BERTH__REAL(clReleaseCommandBufferKHR, buffer);
	struct berth__handle entry;
	cl_int status;
	bool known;

	if (berth__layer_is_inside("clReleaseCommandBufferKHR"))
		return real(buffer);
	known = berth__commands_begin_release(buffer, &entry);
	status = real(buffer);
	if (known)
		berth__commands_end_release(&entry, status);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueCommandBufferKHR(cl_uint queue_count, cl_command_queue *queues,
						    berth__command_buffer buffer,
						    cl_uint wait_count, const cl_event *wait_list,
						    cl_event *event)
{
	__typeof__(&berth__clEnqueueCommandBufferKHR) real =
		BERTH__REAL(clEnqueueCommandBufferKHR, buffer);
	cl_command_queue queue = queue_count && queues ? queues[0] : NULL;
	struct berth__call call;
	cl_int status;

	if (berth__layer_is_inside("clEnqueueCommandBufferKHR"))
		return real(queue_count, queues, buffer, wait_count, wait_list, event);
	berth__call_begin_order(&call, "clEnqueueCommandBufferKHR");
	berth__call_queue(&call, queue);
	berth__call_events(&call, wait_count, wait_list, event);
	berth__call_enter(&call);
	status = real(queue_count, queues, buffer, wait_count, wait_list, event);
	berth__call_leave(&call, status);
	berth__call_commit(&call);
	if (status == CL_SUCCESS)
		berth__commands_append(buffer, queue);
	return status;
}

/* ---- commands: an op that is begun, kept instead of committed ---- */

#define END_ARGUMENTS point_count, points, point, command

/* Describes the op; `call` has no slot that another call of the thread needs. */
static void describe(struct berth__call *call, berth_op_kind kind, berth_op_form form,
		     cl_mem object, cl_mem other)
{
	berth__call_begin(call, kind, form);
	call->op->object = berth__layer_object(object);
	call->op->other = berth__layer_object(other);
}

/* A command that the driver refused has no effect, ever. */
static void keep(struct berth__call *call, berth__command_buffer buffer, cl_int status,
		 const berth__mutable_command *command)
{
	if (status == CL_SUCCESS)
		berth__commands_add(buffer, call, command ? *command : NULL);
}

cl_int CL_API_CALL berth__clCommandCopyBufferKHR(berth__command_buffer buffer,
						 cl_command_queue queue, cl_mem source,
						 cl_mem destination, size_t source_offset,
						 size_t destination_offset, size_t size,
						 BERTH__COMMAND_END)
{
	cl_int status = BERTH__REAL(clCommandCopyBufferKHR, buffer)(
		buffer, queue, source, destination, source_offset, destination_offset, size,
		END_ARGUMENTS);
	struct berth__call call;

	describe(&call, BERTH_OP_COPY, BERTH_FORM_LINEAR, source, destination);
	call.op->offset_bytes = source_offset;
	call.op->other_offset_bytes = destination_offset;
	call.op->bytes = size;
	keep(&call, buffer, status, command);
	return status;
}

cl_int CL_API_CALL berth__clCommandCopyBufferRectKHR(
	berth__command_buffer buffer, cl_command_queue queue, cl_mem source, cl_mem destination,
	const size_t *source_origin, const size_t *destination_origin, const size_t *extent,
	size_t source_row_pitch, size_t source_slice_pitch, size_t destination_row_pitch,
	size_t destination_slice_pitch, BERTH__COMMAND_END)
{
	cl_int status = BERTH__REAL(clCommandCopyBufferRectKHR, buffer)(
		buffer, queue, source, destination, source_origin, destination_origin, extent,
		source_row_pitch, source_slice_pitch, destination_row_pitch,
		destination_slice_pitch, END_ARGUMENTS);
	struct berth__call call;
	berth_region *region;

	describe(&call, BERTH_OP_COPY, BERTH_FORM_RECT, source, destination);
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, source_origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->other_origin, destination_origin,
			 BERTH_ABSENT_OTHER_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	region->row_pitch_bytes = source_row_pitch;
	region->slice_pitch_bytes = source_slice_pitch;
	region->other_row_pitch_bytes = destination_row_pitch;
	region->other_slice_pitch_bytes = destination_slice_pitch;
	keep(&call, buffer, status, command);
	return status;
}

cl_int CL_API_CALL berth__clCommandCopyBufferToImageKHR(
	berth__command_buffer buffer, cl_command_queue queue, cl_mem source, cl_mem destination,
	size_t source_offset, const size_t *destination_origin, const size_t *extent,
	BERTH__COMMAND_END)
{
	cl_int status = BERTH__REAL(clCommandCopyBufferToImageKHR, buffer)(
		buffer, queue, source, destination, source_offset, destination_origin, extent,
		END_ARGUMENTS);
	struct berth__call call;
	berth_region *region;

	describe(&call, BERTH_OP_COPY, BERTH_FORM_BUFFER_TO_IMAGE, source, destination);
	region = berth__call_region(&call);
	berth__call_axes(&call, region->other_origin, destination_origin,
			 BERTH_ABSENT_OTHER_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	call.op->offset_bytes = source_offset;
	keep(&call, buffer, status, command);
	return status;
}

cl_int CL_API_CALL berth__clCommandCopyImageKHR(berth__command_buffer buffer,
						cl_command_queue queue, cl_mem source,
						cl_mem destination, const size_t *source_origin,
						const size_t *destination_origin,
						const size_t *extent, BERTH__COMMAND_END)
{
	cl_int status = BERTH__REAL(clCommandCopyImageKHR, buffer)(
		buffer, queue, source, destination, source_origin, destination_origin, extent,
		END_ARGUMENTS);
	struct berth__call call;
	berth_region *region;

	describe(&call, BERTH_OP_COPY, BERTH_FORM_IMAGE, source, destination);
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, source_origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->other_origin, destination_origin,
			 BERTH_ABSENT_OTHER_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	keep(&call, buffer, status, command);
	return status;
}

cl_int CL_API_CALL berth__clCommandCopyImageToBufferKHR(
	berth__command_buffer buffer, cl_command_queue queue, cl_mem source, cl_mem destination,
	const size_t *source_origin, const size_t *extent, size_t destination_offset,
	BERTH__COMMAND_END)
{
	cl_int status = BERTH__REAL(clCommandCopyImageToBufferKHR, buffer)(
		buffer, queue, source, destination, source_origin, extent, destination_offset,
		END_ARGUMENTS);
	struct berth__call call;
	berth_region *region;

	describe(&call, BERTH_OP_COPY, BERTH_FORM_IMAGE_TO_BUFFER, source, destination);
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, source_origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	call.op->other_offset_bytes = destination_offset;
	keep(&call, buffer, status, command);
	return status;
}

cl_int CL_API_CALL berth__clCommandFillBufferKHR(berth__command_buffer buffer,
						 cl_command_queue queue, cl_mem object,
						 const void *pattern, size_t pattern_size,
						 size_t offset, size_t size, BERTH__COMMAND_END)
{
	cl_int status = BERTH__REAL(clCommandFillBufferKHR, buffer)(
		buffer, queue, object, pattern, pattern_size, offset, size, END_ARGUMENTS);
	struct berth__call call;

	describe(&call, BERTH_OP_FILL, BERTH_FORM_LINEAR, object, NULL);
	berth__call_host(&call, pattern);
	call.op->pattern_bytes = pattern_size;
	call.op->offset_bytes = offset;
	call.op->bytes = size;
	if (status == CL_SUCCESS)
		berth__call_digest(&call, pattern, pattern_size);
	keep(&call, buffer, status, command);
	return status;
}

cl_int CL_API_CALL berth__clCommandFillImageKHR(berth__command_buffer buffer,
						cl_command_queue queue, cl_mem image,
						const void *colour, const size_t *origin,
						const size_t *extent, BERTH__COMMAND_END)
{
	cl_int status = BERTH__REAL(clCommandFillImageKHR, buffer)(
		buffer, queue, image, colour, origin, extent, END_ARGUMENTS);
	struct berth__call call;
	struct berth__handle entry;
	berth_region *region;

	describe(&call, BERTH_OP_FILL, BERTH_FORM_IMAGE, image, NULL);
	berth__layer_find_object(image, &entry);
	berth__call_host(&call, colour);
	call.op->pattern_bytes = 16;
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	if (status == CL_SUCCESS)
		berth__call_digest(&call, colour, berth__colour_bytes(&entry));
	keep(&call, buffer, status, command);
	return status;
}

cl_int CL_API_CALL berth__clCommandNDRangeKernelKHR(
	berth__command_buffer buffer, cl_command_queue queue, const cl_ulong *properties,
	cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset,
	const size_t *global_work_size, const size_t *local_work_size, BERTH__COMMAND_END)
{
	cl_int status = BERTH__REAL(clCommandNDRangeKernelKHR, buffer)(
		buffer, queue, properties, kernel, work_dim, global_work_offset, global_work_size,
		local_work_size, END_ARGUMENTS);
	struct berth__call call;
	struct berth__uses uses;

	describe(&call, BERTH_OP_USE, BERTH_FORM_NONE, NULL, NULL);
	call.op->name = berth__kernel_uses(&uses, kernel);
	berth__call_uses(&call, &uses);
	keep(&call, buffer, status, command);
	berth__uses_free(&uses);
	return status;
}

/* ---- cl_khr_command_buffer_mutable_dispatch ---- */

static uint64_t object_of(const cl_mutable_dispatch_arg_khr *argument)
{
	cl_mem handle;

	if (argument->arg_size != sizeof(handle) || !argument->arg_value)
		return BERTH_ID_NONE;
	memcpy(&handle, argument->arg_value, sizeof(handle));
	return berth__layer_object(handle);
}

static void follow_update(berth__command_buffer buffer, const cl_mutable_dispatch_config_khr *update)
{
	for (cl_uint i = 0; i < update->num_args; i++) {
		uint64_t object = object_of(&update->arg_list[i]);

		if (object != BERTH_ID_NONE && object != BERTH_ID_UNKNOWN)
			berth__commands_set_argument(buffer, update->command,
						     update->arg_list[i].arg_index, object);
	}
	for (cl_uint i = 0; i < update->num_svm_args; i++) {
		struct berth__svm svm;

		if (berth__svm_map_find(&berth__layer.svm, update->arg_svm_list[i].arg_value, &svm))
			berth__commands_set_argument(buffer, update->command,
						     update->arg_svm_list[i].arg_index, svm.id);
	}
}

/* What the driver has accepted is what it says it is. */
cl_int CL_API_CALL berth__clUpdateMutableCommandsKHR(berth__command_buffer buffer,
						     const void *config)
{
	cl_int status = BERTH__REAL(clUpdateMutableCommandsKHR, buffer)(buffer, config);
	const cl_mutable_base_config_khr *base = config;

	if (status != CL_SUCCESS || berth__layer_is_inside("clUpdateMutableCommandsKHR"))
		return status;
	if (base->next)
		berth__layer_count_untracked("clUpdateMutableCommandsKHR of another structure");
	for (cl_uint i = 0; i < base->num_mutable_dispatch; i++)
		follow_update(buffer, &base->mutable_dispatch_list[i]);
	return status;
}
