/* SPDX-License-Identifier: Apache-2.0 */
/* Images: with their own memory, on a buffer, or on another image. */
#include "layer_buffer.h"
#include "layer_calls.h"

#include <string.h>

static void describe_format(struct berth__call *call, const cl_image_format *format)
{
	if (!format) {
		call->op->absent |= BERTH_ABSENT_FORMAT;
		return;
	}
	call->image.order = format->image_channel_order;
	call->image.channel_type = format->image_channel_data_type;
}

static void describe_desc(struct berth__call *call, const cl_image_desc *desc)
{
	berth_image *image = &call->image;

	if (!desc) {
		call->op->absent |= BERTH_ABSENT_DESC;
		return;
	}
	image->type = desc->image_type;
	image->mip_levels = desc->num_mip_levels;
	image->samples = desc->num_samples;
	image->width = desc->image_width;
	image->height = desc->image_height;
	image->depth = desc->image_depth;
	image->array_size = desc->image_array_size;
	image->row_pitch_bytes = desc->image_row_pitch;
	image->slice_pitch_bytes = desc->image_slice_pitch;
	call->op->other = berth__layer_object(desc->mem_object);
}

static void begin_image(struct berth__call *call, cl_context context, cl_mem_flags flags,
			const cl_image_format *format, const cl_image_desc *desc,
			const void *host_ptr)
{
	berth__call_begin(call, BERTH_OP_IMAGE_CREATE, BERTH_FORM_NONE);
	memset(&call->image, 0, sizeof(call->image));
	call->parts |= BERTH_SPOOL_PART_IMAGE;
	berth__call_new_object(call, context);
	call->op->flags = flags;
	berth__call_host(call, host_ptr);
	describe_format(call, format);
	describe_desc(call, desc);
	berth__call_enter(call);
}

/* What the driver settled on; a query that it refuses gives 0. */
static size_t image_size(cl_mem image, cl_image_info query)
{
	size_t value = 0;

	if (berth__layer.target.clGetImageInfo &&
	    berth__layer.target.clGetImageInfo(image, query, sizeof(value), &value, NULL) ==
		    CL_SUCCESS)
		return value;
	return 0;
}

static size_t memory_size(cl_mem image)
{
	size_t value = 0;

	if (berth__layer.target.clGetMemObjectInfo &&
	    berth__layer.target.clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(value), &value,
						   NULL) == CL_SUCCESS)
		return value;
	return 0;
}

/* The rows of the image that host_ptr holds, by type. */
static struct berth__rows content_rows(const berth_image *image, size_t element_bytes,
				       const void *host_ptr)
{
	struct berth__rows rows = {
		.host = host_ptr,
		.rows = 1,
		.slices = 1,
		.row_pitch_bytes = image->row_pitch_bytes,
		.slice_pitch_bytes = image->slice_pitch_bytes,
	};

	if (__builtin_mul_overflow(image->width, element_bytes, &rows.row_bytes))
		rows.row_bytes = 0;
	switch (image->type) {
	case CL_MEM_OBJECT_IMAGE3D:
		rows.slices = image->depth;
		rows.rows = image->height;
		break;
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		rows.slices = image->array_size;
		rows.rows = image->height;
		break;
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		rows.slices = image->array_size;
		break;
	case CL_MEM_OBJECT_IMAGE2D:
		rows.rows = image->height;
		break;
	}
	return rows;
}

static void end_image(struct berth__call *call, cl_mem image, const void *host_ptr)
{
	struct berth__handle entry = { .channel_order = call->image.order,
				       .image_type = call->image.type };
	struct berth__rows rows;

	if (berth__call_succeeded(call)) {
		entry.element_bytes = (uint32_t)image_size(image, CL_IMAGE_ELEMENT_SIZE);
		call->result.bytes = memory_size(image);
		call->result.row_pitch_bytes = image_size(image, CL_IMAGE_ROW_PITCH);
		call->result.slice_pitch_bytes = image_size(image, CL_IMAGE_SLICE_PITCH);
		call->parts |= BERTH_SPOOL_PART_RESULT;
		if (berth__call_gives_content(call->op->flags)) {
			rows = content_rows(&call->image, entry.element_bytes, host_ptr);
			berth__call_digest_rows(call, &rows);
		}
		berth__call_enter_object(call, image, &entry);
	}
	berth__call_commit(call);
}

cl_mem CL_API_CALL berth__clCreateImage(cl_context context, cl_mem_flags flags,
					const cl_image_format *image_format,
					const cl_image_desc *image_desc, void *host_ptr,
					cl_int *errcode_ret)
{
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem image;

	BERTH__PASS_INSIDE(clCreateImage, context, flags, image_format, image_desc, host_ptr,
			   errcode_ret);
	begin_image(&call, context, flags, image_format, image_desc, host_ptr);
	image = BERTH__ASK_MADE(&call, status,
				berth__layer.target.clCreateImage(context, flags, image_format,
								  image_desc, host_ptr, status));
	berth__call_leave(&call, berth__call_create_status(image, *status));
	end_image(&call, image, host_ptr);
	return image;
}

cl_mem CL_API_CALL berth__clCreateImageWithProperties(cl_context context,
						      const cl_mem_properties *properties,
						      cl_mem_flags flags,
						      const cl_image_format *image_format,
						      const cl_image_desc *image_desc,
						      void *host_ptr, cl_int *errcode_ret)
{
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem image;

	BERTH__PASS_INSIDE(clCreateImageWithProperties, context, properties, flags, image_format,
			   image_desc, host_ptr, errcode_ret);
	begin_image(&call, context, flags, image_format, image_desc, host_ptr);
	call.op->bits |= BERTH_OP_PROPERTIES;
	image = BERTH__ASK_MADE(
		&call, status,
		berth__layer.target.clCreateImageWithProperties(
			context, properties, flags, image_format, image_desc, host_ptr, status));
	if (image)
		berth__take_properties(&call, properties, "clCreateImageWithProperties");
	berth__call_leave(&call, berth__call_create_status(image, *status));
	end_image(&call, image, host_ptr);
	return image;
}

cl_mem CL_API_CALL berth__clCreateImage2D(cl_context context, cl_mem_flags flags,
					  const cl_image_format *image_format, size_t image_width,
					  size_t image_height, size_t image_row_pitch,
					  void *host_ptr, cl_int *errcode_ret)
{
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = image_width,
		.image_height = image_height,
		.image_row_pitch = image_row_pitch,
	};
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem image;

	BERTH__PASS_INSIDE(clCreateImage2D, context, flags, image_format, image_width, image_height,
			   image_row_pitch, host_ptr, errcode_ret);
	begin_image(&call, context, flags, image_format, &desc, host_ptr);
	call.op->bits |= BERTH_OP_DEPRECATED;
	image = BERTH__ASK_MADE(&call, status,
				berth__layer.target.clCreateImage2D(
					context, flags, image_format, image_width, image_height,
					image_row_pitch, host_ptr, status));
	berth__call_leave(&call, berth__call_create_status(image, *status));
	end_image(&call, image, host_ptr);
	return image;
}

cl_mem CL_API_CALL berth__clCreateImage3D(cl_context context, cl_mem_flags flags,
					  const cl_image_format *image_format, size_t image_width,
					  size_t image_height, size_t image_depth,
					  size_t image_row_pitch, size_t image_slice_pitch,
					  void *host_ptr, cl_int *errcode_ret)
{
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = image_width,
		.image_height = image_height,
		.image_depth = image_depth,
		.image_row_pitch = image_row_pitch,
		.image_slice_pitch = image_slice_pitch,
	};
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem image;

	BERTH__PASS_INSIDE(clCreateImage3D, context, flags, image_format, image_width, image_height,
			   image_depth, image_row_pitch, image_slice_pitch, host_ptr, errcode_ret);
	begin_image(&call, context, flags, image_format, &desc, host_ptr);
	call.op->bits |= BERTH_OP_DEPRECATED;
	image = BERTH__ASK_MADE(
		&call, status,
		berth__layer.target.clCreateImage3D(context, flags, image_format, image_width,
						    image_height, image_depth, image_row_pitch,
						    image_slice_pitch, host_ptr, status));
	berth__call_leave(&call, berth__call_create_status(image, *status));
	end_image(&call, image, host_ptr);
	return image;
}
