/* SPDX-License-Identifier: Apache-2.0 */
/* What the device does with memory by itself: copies and fills. */
#include "layer_call.h"
#include "layer_calls.h"

static void begin_copy(struct berth__call *call, berth_op_form form, cl_command_queue queue,
		       cl_mem source, cl_mem destination)
{
	berth__call_begin(call, BERTH_OP_COPY, form);
	berth__call_queue(call, queue);
	call->op->object = berth__layer_object(source);
	call->op->other = berth__layer_object(destination);
}

static void end_copy(struct berth__call *call, cl_int status)
{
	berth__call_leave(call, status);
	berth__call_commit(call);
}

cl_int CL_API_CALL berth__clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source,
					      cl_mem destination, size_t source_offset,
					      size_t destination_offset, size_t size,
					      cl_uint num_events_in_wait_list,
					      const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueCopyBuffer, queue, source, destination, source_offset,
			   destination_offset, size, num_events_in_wait_list, event_wait_list,
			   event);
	begin_copy(&call, BERTH_FORM_LINEAR, queue, source, destination);
	call.op->offset_bytes = source_offset;
	call.op->other_offset_bytes = destination_offset;
	call.op->bytes = size;
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call,
			    berth__layer.target.clEnqueueCopyBuffer(
				    queue, source, destination, source_offset, destination_offset,
				    size, num_events_in_wait_list, event_wait_list, event));
	end_copy(&call, status);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueCopyBufferRect(
	cl_command_queue queue, cl_mem source, cl_mem destination, const size_t *source_origin,
	const size_t *destination_origin, const size_t *extent, size_t source_row_pitch,
	size_t source_slice_pitch, size_t destination_row_pitch, size_t destination_slice_pitch,
	cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	berth_region *region;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueCopyBufferRect, queue, source, destination, source_origin,
			   destination_origin, extent, source_row_pitch, source_slice_pitch,
			   destination_row_pitch, destination_slice_pitch, num_events_in_wait_list,
			   event_wait_list, event);
	begin_copy(&call, BERTH_FORM_RECT, queue, source, destination);
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, source_origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->other_origin, destination_origin,
			 BERTH_ABSENT_OTHER_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	region->row_pitch_bytes = source_row_pitch;
	region->slice_pitch_bytes = source_slice_pitch;
	region->other_row_pitch_bytes = destination_row_pitch;
	region->other_slice_pitch_bytes = destination_slice_pitch;
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call,
			    berth__layer.target.clEnqueueCopyBufferRect(
				    queue, source, destination, source_origin, destination_origin,
				    extent, source_row_pitch, source_slice_pitch,
				    destination_row_pitch, destination_slice_pitch,
				    num_events_in_wait_list, event_wait_list, event));
	end_copy(&call, status);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueCopyImage(cl_command_queue queue, cl_mem source,
					     cl_mem destination, const size_t *source_origin,
					     const size_t *destination_origin, const size_t *extent,
					     cl_uint num_events_in_wait_list,
					     const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	berth_region *region;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueCopyImage, queue, source, destination, source_origin,
			   destination_origin, extent, num_events_in_wait_list, event_wait_list,
			   event);
	begin_copy(&call, BERTH_FORM_IMAGE, queue, source, destination);
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, source_origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->other_origin, destination_origin,
			 BERTH_ABSENT_OTHER_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call,
			    berth__layer.target.clEnqueueCopyImage(
				    queue, source, destination, source_origin, destination_origin,
				    extent, num_events_in_wait_list, event_wait_list, event));
	end_copy(&call, status);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueCopyImageToBuffer(
	cl_command_queue queue, cl_mem source, cl_mem destination, const size_t *source_origin,
	const size_t *extent, size_t destination_offset, cl_uint num_events_in_wait_list,
	const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	berth_region *region;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueCopyImageToBuffer, queue, source, destination, source_origin,
			   extent, destination_offset, num_events_in_wait_list, event_wait_list,
			   event);
	begin_copy(&call, BERTH_FORM_IMAGE_TO_BUFFER, queue, source, destination);
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, source_origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	call.op->other_offset_bytes = destination_offset;
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueCopyImageToBuffer(
					   queue, source, destination, source_origin, extent,
					   destination_offset, num_events_in_wait_list,
					   event_wait_list, event));
	end_copy(&call, status);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueCopyBufferToImage(
	cl_command_queue queue, cl_mem source, cl_mem destination, size_t source_offset,
	const size_t *destination_origin, const size_t *extent, cl_uint num_events_in_wait_list,
	const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	berth_region *region;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueCopyBufferToImage, queue, source, destination, source_offset,
			   destination_origin, extent, num_events_in_wait_list, event_wait_list,
			   event);
	begin_copy(&call, BERTH_FORM_BUFFER_TO_IMAGE, queue, source, destination);
	region = berth__call_region(&call);
	berth__call_axes(&call, region->other_origin, destination_origin,
			 BERTH_ABSENT_OTHER_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	call.op->offset_bytes = source_offset;
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call,
			    berth__layer.target.clEnqueueCopyBufferToImage(
				    queue, source, destination, source_offset, destination_origin,
				    extent, num_events_in_wait_list, event_wait_list, event));
	end_copy(&call, status);
	return status;
}

/* A call that succeeded copied the pattern away, so it is there to be read. */
static void end_fill(struct berth__call *call, cl_int status, const void *pattern,
		     size_t pattern_bytes)
{
	berth__call_leave(call, status);
	if (berth__call_succeeded(call))
		berth__call_digest(call, pattern, pattern_bytes);
	berth__call_commit(call);
}

cl_int CL_API_CALL berth__clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer,
					      const void *pattern, size_t pattern_size,
					      size_t offset, size_t size,
					      cl_uint num_events_in_wait_list,
					      const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueFillBuffer, queue, buffer, pattern, pattern_size, offset, size,
			   num_events_in_wait_list, event_wait_list, event);
	berth__call_begin(&call, BERTH_OP_FILL, BERTH_FORM_LINEAR);
	berth__call_queue(&call, queue);
	call.op->object = berth__layer_object(buffer);
	berth__call_host(&call, pattern);
	call.op->pattern_bytes = pattern_size;
	call.op->offset_bytes = offset;
	call.op->bytes = size;
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueFillBuffer(
					   queue, buffer, pattern, pattern_size, offset, size,
					   num_events_in_wait_list, event_wait_list, event));
	end_fill(&call, status, pattern, pattern_size);
	return status;
}

size_t berth__colour_bytes(const struct berth__handle *image)
{
	return image->channel_order == CL_DEPTH || image->channel_order == CL_DEPTH_STENCIL ? 4
											    : 16;
}

cl_int CL_API_CALL berth__clEnqueueFillImage(cl_command_queue queue, cl_mem image,
					     const void *colour, const size_t *origin,
					     const size_t *extent, cl_uint num_events_in_wait_list,
					     const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__handle entry;
	berth_region *region;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueFillImage, queue, image, colour, origin, extent,
			   num_events_in_wait_list, event_wait_list, event);
	berth__call_begin(&call, BERTH_OP_FILL, BERTH_FORM_IMAGE);
	berth__call_queue(&call, queue);
	berth__layer_find_object(image, &entry);
	call.op->object = entry.id;
	berth__call_host(&call, colour);
	call.op->pattern_bytes = 16;
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueFillImage(
					   queue, image, colour, origin, extent,
					   num_events_in_wait_list, event_wait_list, event));
	end_fill(&call, status, colour, berth__colour_bytes(&entry));
	return status;
}
