/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that belongs to something else: OpenGL, EGL, an imported handle. The object is written
 * as a buffer or an image, with the sizes that the driver says it has and a bit that says where
 * it is from. While the other side has it, its content is that side's: an acquire is a use that
 * writes, a release one that reads.
 */
#include "layer_buffer.h"
#include "layer_calls.h"
#include "layer_extension.h"
#include "layer_kernel.h"

#include <string.h>

/* What is asked of a new object; a query that the driver refuses leaves 0. */
static uint64_t mem_info(cl_mem object, cl_mem_info query, size_t bytes)
{
	uint64_t value = 0;

	if (!berth__layer.target.clGetMemObjectInfo ||
	    berth__layer.target.clGetMemObjectInfo(object, query, bytes, &value, NULL) !=
		    CL_SUCCESS)
		return 0;
	return value;
}

static uint64_t image_info(cl_mem image, cl_image_info query)
{
	size_t value = 0;

	if (!berth__layer.target.clGetImageInfo ||
	    berth__layer.target.clGetImageInfo(image, query, sizeof(value), &value, NULL) !=
		    CL_SUCCESS)
		return 0;
	return value;
}

/* An image like it, with memory of its own and the default pitches. */
static void describe_image(struct berth__call *call, cl_mem image, uint32_t type)
{
	cl_image_format format = { 0, 0 };

	if (berth__layer.target.clGetImageInfo)
		berth__layer.target.clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof(format), &format,
						   NULL);
	call->image = (berth_image){
		.type = type,
		.order = format.image_channel_order,
		.channel_type = format.image_channel_data_type,
		.width = image_info(image, CL_IMAGE_WIDTH),
		.height = image_info(image, CL_IMAGE_HEIGHT),
		.depth = image_info(image, CL_IMAGE_DEPTH),
		.array_size = image_info(image, CL_IMAGE_ARRAY_SIZE),
	};
	call->result.row_pitch_bytes = image_info(image, CL_IMAGE_ROW_PITCH);
	call->result.slice_pitch_bytes = image_info(image, CL_IMAGE_SLICE_PITCH);
}

static void begin(struct berth__call *call, berth_op_kind kind, cl_context context,
		  cl_mem_flags flags)
{
	berth__call_begin(call, kind, BERTH_FORM_NONE);
	if (kind == BERTH_OP_IMAGE_CREATE) {
		memset(&call->image, 0, sizeof(call->image));
		call->parts |= BERTH_SPOOL_PART_IMAGE;
	}
	berth__call_new_object(call, context);
	call->op->flags = flags;
	call->op->bits = BERTH_OP_EXTERNAL;
	berth__call_enter(call);
}

/* What the other side's object is, only the driver knows: it may be a buffer after all. */
static void describe(struct berth__call *call, cl_mem object)
{
	uint32_t type = (uint32_t)mem_info(object, CL_MEM_TYPE, sizeof(cl_mem_object_type));
	struct berth__handle entry = { .handle = NULL };

	call->result = (struct berth_spool_result){
		.bytes = mem_info(object, CL_MEM_SIZE, sizeof(size_t)),
	};
	call->parts |= BERTH_SPOOL_PART_RESULT;
	if (type == CL_MEM_OBJECT_BUFFER) {
		call->op->kind = BERTH_OP_BUFFER_CREATE;
		call->parts &= (uint16_t)~BERTH_SPOOL_PART_IMAGE;
		call->op->bytes = call->result.bytes;
	} else {
		call->op->kind = BERTH_OP_IMAGE_CREATE;
		call->parts |= BERTH_SPOOL_PART_IMAGE;
		describe_image(call, object, type);
		entry.element_bytes = (uint32_t)image_info(object, CL_IMAGE_ELEMENT_SIZE);
		entry.channel_order = call->image.order;
		entry.image_type = type;
	}
	berth__call_enter_object(call, object, &entry);
}

static void end(struct berth__call *call, cl_mem object, cl_int status)
{
	berth__call_leave(call, berth__call_create_status(object, status));
	if (berth__call_succeeded(call))
		describe(call, object);
	berth__call_commit(call);
}

/* CREATE(call, kind, (parameters), (arguments but the last)) */
#define UNPACK(...) __VA_ARGS__
#define CREATE(name, kind, parameters, arguments)                                                  \
	cl_mem CL_API_CALL berth__##name(cl_context context, UNPACK parameters,                    \
					 cl_int *errcode_ret)                                      \
	{                                                                                          \
		struct berth__call call;                                                           \
		cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status; \
		cl_mem object;                                                                     \
                                                                                                   \
		BERTH__PASS_INSIDE(name, context, UNPACK arguments, errcode_ret);                  \
		begin(&call, kind, context, flags);                                                \
		object = berth__layer.target.name(context, UNPACK arguments, status);              \
		end(&call, object, *status);                                                       \
		return object;                                                                     \
	}

CREATE(clCreateFromGLBuffer, BERTH_OP_BUFFER_CREATE, (cl_mem_flags flags, cl_GLuint buffer),
       (flags, buffer))
CREATE(clCreateFromGLTexture, BERTH_OP_IMAGE_CREATE,
       (cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture),
       (flags, target, level, texture))
CREATE(clCreateFromGLTexture2D, BERTH_OP_IMAGE_CREATE,
       (cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture),
       (flags, target, level, texture))
CREATE(clCreateFromGLTexture3D, BERTH_OP_IMAGE_CREATE,
       (cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture),
       (flags, target, level, texture))
CREATE(clCreateFromGLRenderbuffer, BERTH_OP_IMAGE_CREATE,
       (cl_mem_flags flags, cl_GLuint renderbuffer), (flags, renderbuffer))
CREATE(clCreateFromEGLImageKHR, BERTH_OP_IMAGE_CREATE,
       (CLeglDisplayKHR display, CLeglImageKHR image, cl_mem_flags flags,
	const cl_egl_image_properties_khr *properties),
       (display, image, flags, properties))

cl_mem CL_API_CALL berth__clImportMemoryARM(cl_context context, cl_mem_flags flags,
					    const intptr_t *properties, void *memory, size_t size,
					    cl_int *errcode_ret)
{
	__typeof__(&berth__clImportMemoryARM) real = BERTH__REAL(clImportMemoryARM, context);
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem object;

	if (berth__layer_is_inside("clImportMemoryARM"))
		return real(context, flags, properties, memory, size, errcode_ret);
	begin(&call, BERTH_OP_BUFFER_CREATE, context, flags);
	call.op->bytes = size;
	object = real(context, flags, properties, memory, size, status);
	end(&call, object, *status);
	return object;
}

/* Its own flags say how the host's side is allocated, which an op has no place for. */
cl_mem CL_API_CALL berth__clCreateBufferNV(cl_context context, cl_mem_flags flags,
					   cl_bitfield flags_nv, size_t size, void *host_ptr,
					   cl_int *errcode_ret)
{
	__typeof__(&berth__clCreateBufferNV) real = BERTH__REAL(clCreateBufferNV, context);
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem buffer;

	if (berth__layer_is_inside("clCreateBufferNV"))
		return real(context, flags, flags_nv, size, host_ptr, errcode_ret);
	berth__buffer_begin(&call, context, flags, size, host_ptr);
	buffer = real(context, flags, flags_nv, size, host_ptr, status);
	berth__buffer_end(&call, buffer, *status, host_ptr);
	return buffer;
}

/* ---- acquire and release ---- */

struct hand_over {
	struct berth__call call;
	struct berth__uses uses;
};

static void begin_hand_over(struct hand_over *over, const char *name, cl_command_queue queue,
			    const cl_mem *objects, cl_uint count, uint32_t access)
{
	berth__uses_list(&over->uses, objects, count, name);
	for (uint32_t i = 0; i < over->uses.count; i++)
		over->uses.list[i].access = access;
	berth__call_begin(&over->call, BERTH_OP_USE, BERTH_FORM_NONE);
	berth__call_queue(&over->call, queue);
	over->call.op->name = berth__layer_name(name);
	berth__call_uses(&over->call, &over->uses);
	berth__call_enter(&over->call);
}

static void end_hand_over(struct hand_over *over, cl_int status)
{
	berth__call_leave(&over->call, status);
	berth__call_commit(&over->call);
	berth__uses_free(&over->uses);
}

#define HAND_OVER(name, real, access)                                                              \
	cl_int CL_API_CALL berth__##name(cl_command_queue queue, cl_uint count,                    \
					 const cl_mem *objects, BERTH__WAIT_LIST)                  \
	{                                                                                          \
		struct hand_over over;                                                             \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(name, queue)(queue, count, objects, BERTH__WAIT_ARGUMENTS);    \
		begin_hand_over(&over, #name, queue, objects, count, access);                      \
		berth__call_events(&over.call, BERTH__WAIT_ARGUMENTS);                             \
		status = real(name, queue)(queue, count, objects, BERTH__WAIT_ARGUMENTS);          \
		end_hand_over(&over, status);                                                      \
		return status;                                                                     \
	}

HAND_OVER(clEnqueueAcquireGLObjects, BERTH__TABLE, BERTH_ACCESS_WRITE)
HAND_OVER(clEnqueueReleaseGLObjects, BERTH__TABLE, BERTH_ACCESS_READ)
HAND_OVER(clEnqueueAcquireEGLObjectsKHR, BERTH__TABLE, BERTH_ACCESS_WRITE)
HAND_OVER(clEnqueueReleaseEGLObjectsKHR, BERTH__TABLE, BERTH_ACCESS_READ)
HAND_OVER(clEnqueueAcquireExternalMemObjectsKHR, BERTH__REAL, BERTH_ACCESS_WRITE)
HAND_OVER(clEnqueueReleaseExternalMemObjectsKHR, BERTH__REAL, BERTH_ACCESS_READ)
