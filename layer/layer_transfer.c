/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes and reads: linear, rectangular and of images.
 *
 * Host memory is looked at only when the driver has accepted the call, and so
 * found its bounds right: garbage must not crash the layer. What is written may
 * not change until the command is done, so it still is what it was.
 */
#include "layer_call.h"
#include "layer_calls.h"

/* Returns what is known of the object. */
static struct berth__handle begin_transfer(struct berth__call *call, berth_op_kind kind,
					   berth_op_form form, cl_command_queue queue,
					   cl_mem object, cl_bool blocking, const void *host)
{
	struct berth__handle entry;

	berth__call_begin(call, kind, form);
	berth__call_queue(call, queue);
	berth__layer_find_object(object, &entry);
	call->op->object = entry.id;
	berth__call_blocking(call, blocking);
	berth__call_host(call, host);
	return entry;
}

static void end_rows(struct berth__call *call, const struct berth__rows *rows)
{
	if (berth__call_succeeded(call)) {
		if (call->op->kind == BERTH_OP_READ)
			berth__call_digest_read(call, rows);
		else
			berth__call_digest_rows(call, rows);
	}
	berth__call_commit(call);
}

static void end_linear(struct berth__call *call, const void *host)
{
	const struct berth__rows rows = {
		.host = host,
		.row_bytes = call->op->bytes,
		.rows = 1,
		.slices = 1,
	};

	end_rows(call, &rows);
}

cl_int CL_API_CALL berth__clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
					       cl_bool blocking, size_t offset, size_t size,
					       const void *ptr, cl_uint num_events_in_wait_list,
					       const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueWriteBuffer, queue, buffer, blocking, offset, size, ptr,
			   num_events_in_wait_list, event_wait_list, event);
	begin_transfer(&call, BERTH_OP_WRITE, BERTH_FORM_LINEAR, queue, buffer, blocking, ptr);
	call.op->offset_bytes = offset;
	call.op->bytes = size;
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueWriteBuffer(
					   queue, buffer, blocking, offset, size, ptr,
					   num_events_in_wait_list, event_wait_list, event));
	berth__call_leave(&call, status);
	end_linear(&call, ptr);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
					      cl_bool blocking, size_t offset, size_t size,
					      void *ptr, cl_uint num_events_in_wait_list,
					      const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueReadBuffer, queue, buffer, blocking, offset, size, ptr,
			   num_events_in_wait_list, event_wait_list, event);
	begin_transfer(&call, BERTH_OP_READ, BERTH_FORM_LINEAR, queue, buffer, blocking, ptr);
	call.op->offset_bytes = offset;
	call.op->bytes = size;
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueReadBuffer(
					   queue, buffer, blocking, offset, size, ptr,
					   num_events_in_wait_list, event_wait_list, event));
	berth__call_leave(&call, status);
	end_linear(&call, ptr);
	return status;
}

struct rect {
	const size_t *buffer_origin, *host_origin, *extent;
	size_t buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch;
};

static void enter_rect(struct berth__call *call, const struct rect *rect)
{
	berth_region *region = berth__call_region(call);

	berth__call_axes(call, region->origin, rect->buffer_origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(call, region->other_origin, rect->host_origin, BERTH_ABSENT_OTHER_ORIGIN);
	berth__call_axes(call, region->extent, rect->extent, BERTH_ABSENT_EXTENT);
	region->row_pitch_bytes = rect->buffer_row_pitch;
	region->slice_pitch_bytes = rect->buffer_slice_pitch;
	region->other_row_pitch_bytes = rect->host_row_pitch;
	region->other_slice_pitch_bytes = rect->host_slice_pitch;
	berth__call_enter(call);
}

/* Where in host memory the first row is; UINT64_MAX, which no row can have, on overflow. */
static uint64_t first_byte(const uint64_t origin[3], uint64_t row_pitch, uint64_t slice_pitch)
{
	uint64_t rows, slices, first;

	if (__builtin_mul_overflow(origin[1], row_pitch, &rows) ||
	    __builtin_mul_overflow(origin[2], slice_pitch, &slices) ||
	    __builtin_add_overflow(rows, slices, &first) ||
	    __builtin_add_overflow(first, origin[0], &first))
		return UINT64_MAX;
	return first;
}

static void end_rect(struct berth__call *call, const void *host)
{
	const berth_region *region = &call->region;
	struct berth__rows rows = {
		.host = host,
		.row_bytes = region->extent[0],
		.rows = region->extent[1],
		.slices = region->extent[2],
		.row_pitch_bytes = region->other_row_pitch_bytes,
		.slice_pitch_bytes = region->other_slice_pitch_bytes,
	};

	/* Pitches that do not fit are refused by the driver. */
	if (berth__rows_resolve(&rows))
		rows.first_byte = first_byte(region->other_origin, rows.row_pitch_bytes,
					     rows.slice_pitch_bytes);
	else
		rows.host = NULL;
	end_rows(call, &rows);
}

cl_int CL_API_CALL berth__clEnqueueWriteBufferRect(
	cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
	const size_t *host_origin, const size_t *region, size_t buffer_row_pitch,
	size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
	cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
	const struct rect rect = { buffer_origin,    host_origin,	 region,
				   buffer_row_pitch, buffer_slice_pitch, host_row_pitch,
				   host_slice_pitch };
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueWriteBufferRect, queue, buffer, blocking, buffer_origin,
			   host_origin, region, buffer_row_pitch, buffer_slice_pitch,
			   host_row_pitch, host_slice_pitch, ptr, num_events_in_wait_list,
			   event_wait_list, event);
	begin_transfer(&call, BERTH_OP_WRITE, BERTH_FORM_RECT, queue, buffer, blocking, ptr);
	enter_rect(&call, &rect);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueWriteBufferRect(
					   queue, buffer, blocking, buffer_origin, host_origin,
					   region, buffer_row_pitch, buffer_slice_pitch,
					   host_row_pitch, host_slice_pitch, ptr,
					   num_events_in_wait_list, event_wait_list, event));
	berth__call_leave(&call, status);
	end_rect(&call, ptr);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueReadBufferRect(
	cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
	const size_t *host_origin, const size_t *region, size_t buffer_row_pitch,
	size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
	cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
	const struct rect rect = { buffer_origin,    host_origin,	 region,
				   buffer_row_pitch, buffer_slice_pitch, host_row_pitch,
				   host_slice_pitch };
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueReadBufferRect, queue, buffer, blocking, buffer_origin,
			   host_origin, region, buffer_row_pitch, buffer_slice_pitch,
			   host_row_pitch, host_slice_pitch, ptr, num_events_in_wait_list,
			   event_wait_list, event);
	begin_transfer(&call, BERTH_OP_READ, BERTH_FORM_RECT, queue, buffer, blocking, ptr);
	enter_rect(&call, &rect);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueReadBufferRect(
					   queue, buffer, blocking, buffer_origin, host_origin,
					   region, buffer_row_pitch, buffer_slice_pitch,
					   host_row_pitch, host_slice_pitch, ptr,
					   num_events_in_wait_list, event_wait_list, event));
	berth__call_leave(&call, status);
	end_rect(&call, ptr);
	return status;
}

static void enter_image(struct berth__call *call, const size_t *origin, const size_t *extent,
			size_t row_pitch, size_t slice_pitch)
{
	berth_region *region = berth__call_region(call);

	berth__call_axes(call, region->origin, origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(call, region->extent, extent, BERTH_ABSENT_EXTENT);
	region->other_row_pitch_bytes = row_pitch;
	region->other_slice_pitch_bytes = slice_pitch;
	berth__call_enter(call);
}

static void end_image(struct berth__call *call, const struct berth__handle *entry, const void *host)
{
	const berth_region *region = &call->region;
	struct berth__rows rows = {
		.host = host,
		.rows = region->extent[1],
		.slices = region->extent[2],
		.row_pitch_bytes = region->other_row_pitch_bytes,
		.slice_pitch_bytes = region->other_slice_pitch_bytes,
	};

	if (entry->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
		rows.rows = 1;
		rows.slices = region->extent[1];
	}
	/* An image that is not known has 0 bytes a pixel, and so no digest. */
	if (__builtin_mul_overflow(region->extent[0], entry->element_bytes, &rows.row_bytes))
		rows.row_bytes = 0;
	end_rows(call, &rows);
}

cl_int CL_API_CALL berth__clEnqueueWriteImage(cl_command_queue queue, cl_mem image,
					      cl_bool blocking, const size_t *origin,
					      const size_t *region, size_t row_pitch,
					      size_t slice_pitch, const void *ptr,
					      cl_uint num_events_in_wait_list,
					      const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__handle entry;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueWriteImage, queue, image, blocking, origin, region, row_pitch,
			   slice_pitch, ptr, num_events_in_wait_list, event_wait_list, event);
	entry = begin_transfer(&call, BERTH_OP_WRITE, BERTH_FORM_IMAGE, queue, image, blocking,
			       ptr);
	enter_image(&call, origin, region, row_pitch, slice_pitch);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call,
			    berth__layer.target.clEnqueueWriteImage(
				    queue, image, blocking, origin, region, row_pitch, slice_pitch,
				    ptr, num_events_in_wait_list, event_wait_list, event));
	berth__call_leave(&call, status);
	end_image(&call, &entry, ptr);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
					     const size_t *origin, const size_t *region,
					     size_t row_pitch, size_t slice_pitch, void *ptr,
					     cl_uint num_events_in_wait_list,
					     const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__handle entry;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueReadImage, queue, image, blocking, origin, region, row_pitch,
			   slice_pitch, ptr, num_events_in_wait_list, event_wait_list, event);
	entry = begin_transfer(&call, BERTH_OP_READ, BERTH_FORM_IMAGE, queue, image, blocking, ptr);
	enter_image(&call, origin, region, row_pitch, slice_pitch);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call,
			    berth__layer.target.clEnqueueReadImage(
				    queue, image, blocking, origin, region, row_pitch, slice_pitch,
				    ptr, num_events_in_wait_list, event_wait_list, event));
	berth__call_leave(&call, status);
	end_image(&call, &entry, ptr);
	return status;
}
