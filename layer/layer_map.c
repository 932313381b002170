/* SPDX-License-Identifier: Apache-2.0 */
/* Maps and unmaps. A mapping gets its id before the call, and its pointer after it. */
#include "layer_call.h"
#include "layer_calls.h"
#include "layer_mapping.h"

static void begin_map(struct berth__call *call, berth_op_form form, cl_command_queue queue,
		      cl_mem object, cl_bool blocking, cl_map_flags flags)
{
	berth__call_begin(call, BERTH_OP_MAP, form);
	berth__call_queue(call, queue);
	call->op->object = berth__layer_object(object);
	call->op->mapping =
		atomic_fetch_add_explicit(&berth__layer.last_mapping, 1, memory_order_relaxed) + 1;
	call->op->flags = flags;
	berth__call_blocking(call, blocking);
}

/* What is mapped to be read has its content when the map is complete. */
static void end_map(struct berth__call *call, cl_mem object, const struct berth__rows *rows)
{
	const struct berth__mapping mapping = {
		.id = call->op->mapping,
		.flags = call->op->flags,
		.rows = *rows,
	};

	if (berth__call_succeeded(call)) {
		berth__mapping_add(object, &mapping);
		if (call->op->flags & CL_MAP_READ)
			berth__call_digest_read(call, rows);
	}
	berth__call_commit(call);
}

void *CL_API_CALL berth__clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
					    cl_map_flags flags, size_t offset, size_t size,
					    cl_uint num_events_in_wait_list,
					    const cl_event *event_wait_list, cl_event *event,
					    cl_int *errcode_ret)
{
	struct berth__call call;
	struct berth__rows rows = { .row_bytes = size, .rows = 1, .slices = 1 };
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	void *pointer;

	BERTH__PASS_INSIDE(clEnqueueMapBuffer, queue, buffer, blocking, flags, offset, size,
			   num_events_in_wait_list, event_wait_list, event, errcode_ret);
	begin_map(&call, BERTH_FORM_LINEAR, queue, buffer, blocking, flags);
	call.op->offset_bytes = offset;
	call.op->bytes = size;
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	pointer = BERTH__ASK_POINTER(
		&call, status,
		berth__layer.target.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
						       num_events_in_wait_list, event_wait_list,
						       event, status));
	berth__call_leave(&call, berth__call_create_status(pointer, *status));
	rows.host = pointer;
	end_map(&call, buffer, &rows);
	return pointer;
}

/* The pitches that the map gave; a slice pitch that was not asked for is 0. */
static void take_pitches(struct berth__call *call, const size_t *row_pitch,
			 const size_t *slice_pitch)
{
	if (!berth__call_succeeded(call))
		return;
	call->result = (struct berth_spool_result){
		.row_pitch_bytes = row_pitch ? *row_pitch : 0,
		.slice_pitch_bytes = slice_pitch ? *slice_pitch : 0,
	};
	call->parts |= BERTH_SPOOL_PART_RESULT;
}

/* Types whose maps must have a place for the slice pitch. */
static bool has_slices(cl_mem_object_type type)
{
	return type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
	       type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

/* Where the mapped pixels are, by the pitches that the driver gave. */
static struct berth__rows rows_of_image(const struct berth__call *call,
					const struct berth__handle *entry, const void *pointer)
{
	const uint64_t *extent = call->region.extent;
	struct berth__rows rows = {
		.host = pointer,
		.rows = extent[1],
		.slices = extent[2],
		.row_pitch_bytes = call->result.row_pitch_bytes,
		.slice_pitch_bytes = call->result.slice_pitch_bytes,
	};

	/* The rows of an array of lines are its layers. */
	if (entry->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
		rows.rows = 1;
		rows.slices = extent[1];
	}
	if (!(call->parts & BERTH_SPOOL_PART_RESULT) ||
	    __builtin_mul_overflow(extent[0], entry->element_bytes, &rows.row_bytes))
		rows.row_bytes = 0;
	return rows;
}

void *CL_API_CALL berth__clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
					   cl_map_flags flags, const size_t *origin,
					   const size_t *extent, size_t *image_row_pitch,
					   size_t *image_slice_pitch,
					   cl_uint num_events_in_wait_list,
					   const cl_event *event_wait_list, cl_event *event,
					   cl_int *errcode_ret)
{
	struct berth__call call;
	struct berth__handle entry;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	struct berth__rows rows;
	berth_region *region;
	void *pointer;

	BERTH__PASS_INSIDE(clEnqueueMapImage, queue, image, blocking, flags, origin, extent,
			   image_row_pitch, image_slice_pitch, num_events_in_wait_list,
			   event_wait_list, event, errcode_ret);
	begin_map(&call, BERTH_FORM_IMAGE, queue, image, blocking, flags);
	berth__layer_find_object(image, &entry);
	if (!image_row_pitch || (!image_slice_pitch && has_slices(entry.image_type)))
		call.op->absent |= BERTH_ABSENT_MAP_PITCH;
	region = berth__call_region(&call);
	berth__call_axes(&call, region->origin, origin, BERTH_ABSENT_ORIGIN);
	berth__call_axes(&call, region->extent, extent, BERTH_ABSENT_EXTENT);
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	pointer = BERTH__ASK_POINTER(
		&call, status,
		berth__layer.target.clEnqueueMapImage(queue, image, blocking, flags, origin, extent,
						      image_row_pitch, image_slice_pitch,
						      num_events_in_wait_list, event_wait_list,
						      event, status));
	berth__call_leave(&call, berth__call_create_status(pointer, *status));
	take_pitches(&call, image_row_pitch, image_slice_pitch);
	rows = rows_of_image(&call, &entry, pointer);
	end_map(&call, image, &rows);
	return pointer;
}

/*
 * The driver may give the pointer out again before it returns: the mapping goes first. What the
 * program wrote is looked at as long as it is there.
 */
cl_int CL_API_CALL berth__clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem object,
						  void *mapped_ptr, cl_uint num_events_in_wait_list,
						  const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__mapping mapping;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueUnmapMemObject, queue, object, mapped_ptr,
			   num_events_in_wait_list, event_wait_list, event);
	mapping = berth__mapping_take(object, mapped_ptr);
	berth__call_begin(&call, BERTH_OP_UNMAP, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	call.op->object = berth__layer_object(object);
	call.op->mapping = mapping.id;
	berth__call_host(&call, mapped_ptr);
	if (mapping.id && (mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)))
		berth__call_digest_rows(&call, &mapping.rows);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	berth__call_enter(&call);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueUnmapMemObject(
					   queue, object, mapped_ptr, num_events_in_wait_list,
					   event_wait_list, event));
	berth__call_leave(&call, status);
	if (mapping.id && status != CL_SUCCESS)
		berth__mapping_add(object, &mapping);
	berth__call_commit(&call);
	return status;
}
