/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenCL calls, one function each and one table over them. Arguments are
 * passed as the op has them, broken ones too: only handles and host pointers
 * were looked up before.
 */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS /* clCreateImage2D and 3D, which programs still call */

#include "opencl_device.h"

#include <string.h>

/* Three size_t as OpenCL wants them, or NULL when the program passed NULL. */
struct triple {
	size_t values[3];
};

static const size_t *triple(struct triple *out, const uint64_t values[3], bool absent)
{
	for (int axis = 0; axis < 3; axis++)
		out->values[axis] = (size_t)values[axis];
	return absent ? NULL : out->values;
}

/* The box of an op. */
struct box {
	struct triple origin_room, other_origin_room, extent_room;
	const size_t *origin, *other_origin, *extent;
};

static void box_init(struct box *box, const berth_op *op)
{
	box->origin =
		triple(&box->origin_room, op->region.origin, op->absent & BERTH_ABSENT_ORIGIN);
	box->other_origin = triple(&box->other_origin_room, op->region.other_origin,
				   op->absent & BERTH_ABSENT_OTHER_ORIGIN);
	box->extent =
		triple(&box->extent_room, op->region.extent, op->absent & BERTH_ABSENT_EXTENT);
}

static cl_bool blocking(const berth_op *op)
{
	return op->bits & BERTH_OP_BLOCKING ? CL_TRUE : CL_FALSE;
}

static cl_int buffer_create(struct berth__cl_call *call)
{
	cl_int code = CL_SUCCESS;

	call->created = clCreateBuffer(call->opencl->context, call->op->flags,
				       (size_t)call->op->bytes, call->host, &code);
	return code;
}

static cl_int subbuffer_create(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	cl_buffer_region region = { (size_t)op->offset_bytes, (size_t)op->bytes };
	cl_buffer_create_type type =
		op->absent & BERTH_ABSENT_CREATE_TYPE ? 0 : CL_BUFFER_CREATE_TYPE_REGION;
	cl_int code = CL_SUCCESS;

	call->created = clCreateSubBuffer(call->other, op->flags, type,
					  op->absent & BERTH_ABSENT_INFO ? NULL : &region, &code);
	return code;
}

/* What an op says of an image, as the call wants it. */
struct image_arguments {
	cl_image_format format_room;
	cl_image_desc desc_room;
	const cl_image_format *format;
	const cl_image_desc *desc;
};

static void image_arguments_init(struct image_arguments *out, const struct berth__cl_call *call)
{
	const berth_image *image = &call->op->image;

	out->format_room = (cl_image_format){ image->order, image->channel_type };
	out->desc_room = (cl_image_desc){
		.image_type = image->type,
		.image_width = (size_t)image->width,
		.image_height = (size_t)image->height,
		.image_depth = (size_t)image->depth,
		.image_array_size = (size_t)image->array_size,
		.image_row_pitch = (size_t)image->row_pitch_bytes,
		.image_slice_pitch = (size_t)image->slice_pitch_bytes,
		.num_mip_levels = image->mip_levels,
		.num_samples = image->samples,
	};
	out->desc_room.buffer = call->other; /* the name of 1.2; mem_object since 2.0 */
	out->format = call->op->absent & BERTH_ABSENT_FORMAT ? NULL : &out->format_room;
	out->desc = call->op->absent & BERTH_ABSENT_DESC ? NULL : &out->desc_room;
}

static cl_int image_create(struct berth__cl_call *call)
{
	struct image_arguments image;
	cl_int code = CL_SUCCESS;

	image_arguments_init(&image, call);
	call->created = clCreateImage(call->opencl->context, call->op->flags, image.format,
				      image.desc, call->host, &code);
	return code;
}

/* No property is defined in the core, so any but the end of the list is wrong. */
static const cl_mem_properties *properties(const berth_op *op)
{
	static const cl_mem_properties wrong[] = { 1, 1, 0 };

	return op->absent & BERTH_ABSENT_PROPERTY ? wrong : NULL;
}

static cl_int buffer_with_properties(struct berth__cl_call *call)
{
	cl_int code = CL_SUCCESS;

	call->created = clCreateBufferWithProperties(call->opencl->context, properties(call->op),
						     call->op->flags, (size_t)call->op->bytes,
						     call->host, &code);
	return code;
}

static cl_int image_with_properties(struct berth__cl_call *call)
{
	struct image_arguments image;
	cl_int code = CL_SUCCESS;

	image_arguments_init(&image, call);
	call->created = clCreateImageWithProperties(call->opencl->context, properties(call->op),
						    call->op->flags, image.format, image.desc,
						    call->host, &code);
	return code;
}

/* clCreateImage2D or clCreateImage3D, deprecated since 1.2 and still there. */
static cl_int image_deprecated(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	struct image_arguments image;
	cl_int code = CL_SUCCESS;

	image_arguments_init(&image, call);
	if (op->image.type == CL_MEM_OBJECT_IMAGE3D)
		call->created = clCreateImage3D(
			call->opencl->context, op->flags, image.format,
			(size_t)op->image.width, (size_t)op->image.height, (size_t)op->image.depth,
			(size_t)op->image.row_pitch_bytes, (size_t)op->image.slice_pitch_bytes,
			call->host, &code);
	else
		call->created = clCreateImage2D(
			call->opencl->context, op->flags, image.format,
			(size_t)op->image.width, (size_t)op->image.height,
			(size_t)op->image.row_pitch_bytes, call->host, &code);
	return code;
}

static cl_int retain(struct berth__cl_call *call)
{
	return clRetainMemObject(call->object);
}

static cl_int release(struct berth__cl_call *call)
{
	return clReleaseMemObject(call->object);
}

static cl_int write_buffer(struct berth__cl_call *call)
{
	const berth_op *op = call->op;

	return clEnqueueWriteBuffer(call->opencl->queue, call->object, blocking(op),
				    (size_t)op->offset_bytes, (size_t)op->bytes, call->host, 0,
				    NULL, NULL);
}

static cl_int read_buffer(struct berth__cl_call *call)
{
	const berth_op *op = call->op;

	return clEnqueueReadBuffer(call->opencl->queue, call->object, blocking(op),
				   (size_t)op->offset_bytes, (size_t)op->bytes, call->host, 0, NULL,
				   NULL);
}

static cl_int write_rect(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	const berth_region *region = &op->region;
	struct box box;

	box_init(&box, op);
	return clEnqueueWriteBufferRect(
		call->opencl->queue, call->object, blocking(op), box.origin, box.other_origin,
		box.extent, (size_t)region->row_pitch_bytes, (size_t)region->slice_pitch_bytes,
		(size_t)region->other_row_pitch_bytes, (size_t)region->other_slice_pitch_bytes,
		call->host, 0, NULL, NULL);
}

static cl_int read_rect(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	const berth_region *region = &op->region;
	struct box box;

	box_init(&box, op);
	return clEnqueueReadBufferRect(
		call->opencl->queue, call->object, blocking(op), box.origin, box.other_origin,
		box.extent, (size_t)region->row_pitch_bytes, (size_t)region->slice_pitch_bytes,
		(size_t)region->other_row_pitch_bytes, (size_t)region->other_slice_pitch_bytes,
		call->host, 0, NULL, NULL);
}

static cl_int write_image(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	struct box box;

	box_init(&box, op);
	return clEnqueueWriteImage(call->opencl->queue, call->object, blocking(op), box.origin,
				   box.extent, (size_t)op->region.other_row_pitch_bytes,
				   (size_t)op->region.other_slice_pitch_bytes, call->host, 0, NULL,
				   NULL);
}

static cl_int read_image(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	struct box box;

	box_init(&box, op);
	return clEnqueueReadImage(call->opencl->queue, call->object, blocking(op), box.origin,
				  box.extent, (size_t)op->region.other_row_pitch_bytes,
				  (size_t)op->region.other_slice_pitch_bytes, call->host, 0, NULL,
				  NULL);
}

static cl_int copy_buffer(struct berth__cl_call *call)
{
	const berth_op *op = call->op;

	return clEnqueueCopyBuffer(call->opencl->queue, call->object, call->other,
				   (size_t)op->offset_bytes, (size_t)op->other_offset_bytes,
				   (size_t)op->bytes, 0, NULL, NULL);
}

static cl_int copy_rect(struct berth__cl_call *call)
{
	const berth_region *region = &call->op->region;
	struct box box;

	box_init(&box, call->op);
	return clEnqueueCopyBufferRect(
		call->opencl->queue, call->object, call->other, box.origin, box.other_origin,
		box.extent, (size_t)region->row_pitch_bytes, (size_t)region->slice_pitch_bytes,
		(size_t)region->other_row_pitch_bytes, (size_t)region->other_slice_pitch_bytes, 0,
		NULL, NULL);
}

static cl_int copy_image(struct berth__cl_call *call)
{
	struct box box;

	box_init(&box, call->op);
	return clEnqueueCopyImage(call->opencl->queue, call->object, call->other, box.origin,
				  box.other_origin, box.extent, 0, NULL, NULL);
}

static cl_int copy_image_to_buffer(struct berth__cl_call *call)
{
	struct box box;

	box_init(&box, call->op);
	return clEnqueueCopyImageToBuffer(call->opencl->queue, call->object, call->other,
					  box.origin, box.extent,
					  (size_t)call->op->other_offset_bytes, 0, NULL, NULL);
}

static cl_int copy_buffer_to_image(struct berth__cl_call *call)
{
	struct box box;

	box_init(&box, call->op);
	return clEnqueueCopyBufferToImage(call->opencl->queue, call->object, call->other,
					  (size_t)call->op->offset_bytes, box.other_origin,
					  box.extent, 0, NULL, NULL);
}

static cl_int fill_buffer(struct berth__cl_call *call)
{
	const berth_op *op = call->op;

	return clEnqueueFillBuffer(call->opencl->queue, call->object, call->host,
				   (size_t)op->pattern_bytes, (size_t)op->offset_bytes,
				   (size_t)op->bytes, 0, NULL, NULL);
}

static cl_int fill_image(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	unsigned char colour[16] = { 0 }; /* four channels of 4 bytes; a depth colour has one */
	struct box box;

	box_init(&box, op);
	if (call->host)
		memcpy(colour, call->host,
		       op->pattern_bytes < sizeof(colour) ? op->pattern_bytes : sizeof(colour));
	return clEnqueueFillImage(call->opencl->queue, call->object, call->host ? colour : NULL,
				  box.origin, box.extent, 0, NULL, NULL);
}

static cl_int map_buffer(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	cl_int code = CL_SUCCESS;

	call->result->mapped = clEnqueueMapBuffer(call->opencl->queue, call->object, blocking(op),
						  op->flags, (size_t)op->offset_bytes,
						  (size_t)op->bytes, 0, NULL, NULL, &code);
	return code;
}

static cl_int map_image(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	bool no_pitch = op->absent & BERTH_ABSENT_MAP_PITCH;
	size_t row_pitch = 0, slice_pitch = 0;
	cl_int code = CL_SUCCESS;
	struct box box;

	box_init(&box, op);
	call->result->mapped = clEnqueueMapImage(
		call->opencl->queue, call->object, blocking(op), op->flags, box.origin, box.extent,
		no_pitch ? NULL : &row_pitch, no_pitch ? NULL : &slice_pitch, 0, NULL, NULL, &code);
	call->result->row_pitch_bytes = row_pitch;
	call->result->slice_pitch_bytes = slice_pitch;
	return code;
}

static cl_int unmap(struct berth__cl_call *call)
{
	return clEnqueueUnmapMemObject(call->opencl->queue, call->object, call->unmapped, 0, NULL,
				       NULL);
}

static cl_int migrate(struct berth__cl_call *call)
{
	bool absent = call->op->absent & BERTH_ABSENT_LIST;

	return clEnqueueMigrateMemObjects(call->opencl->queue, call->list_count,
					  absent ? NULL : call->list, call->op->flags, 0, NULL,
					  NULL);
}

/* A kernel may well use no object, or NULL for one (R124). */
static cl_int use(struct berth__cl_call *call)
{
	cl_uint count = 0;

	for (cl_uint i = 0; i < call->list_count; i++)
		if (call->list[i])
			call->list[count++] = call->list[i];
	if (count == 0 || call->opencl->caps.cl_version < 120)
		return CL_SUCCESS;
	return clEnqueueMigrateMemObjects(call->opencl->queue, count, call->list, 0, 0, NULL, NULL);
}

static void CL_CALLBACK on_destruction(cl_mem mem, void *userdata)
{
	(void)mem;
	(void)userdata;
}

static cl_int destructor(struct berth__cl_call *call)
{
	bool absent = call->op->absent & BERTH_ABSENT_FUNCTION;

	return clSetMemObjectDestructorCallback(call->object, absent ? NULL : on_destruction, NULL);
}

static cl_int sync(struct berth__cl_call *call)
{
	return clFinish(call->opencl->queue);
}

/*
 * Drivers have no place for labels. What orders commands in a program's queues means nothing to
 * the one queue of a device, which keeps their order.
 */
static cl_int nothing_to_tell(struct berth__cl_call *call)
{
	(void)call;
	return CL_SUCCESS;
}

#define OBJECT BERTH__CL_OBJECT
#define OTHER BERTH__CL_OTHER
#define LIST BERTH__CL_LIST
#define DATA BERTH__CL_DATA
#define STORE BERTH__CL_STORE

#define FORMS BERTH_FORM_END

static const struct berth__cl_command commands[BERTH_OP_KIND_END][FORMS] = {
	[BERTH_OP_BUFFER_CREATE] = {
		[BERTH_FORM_NONE] = { "clCreateBuffer", buffer_create, 100, STORE },
	},
	[BERTH_OP_SUBBUFFER_CREATE] = {
		[BERTH_FORM_NONE] = { "clCreateSubBuffer", subbuffer_create, 110, OTHER },
	},
	[BERTH_OP_IMAGE_CREATE] = {
		[BERTH_FORM_NONE] = { "clCreateImage", image_create, 120, OTHER | STORE },
	},
	[BERTH_OP_SVM_ALLOC] = {
		[BERTH_FORM_NONE] = { "clSVMAlloc", berth__cl_svm_alloc, 200, 0 },
	},
	[BERTH_OP_SVM_FREE] = {
		[BERTH_FORM_NONE] = { "clSVMFree", berth__cl_svm_free, 200, 0 },
	},
	[BERTH_OP_PIPE_CREATE] = {
		[BERTH_FORM_NONE] = { "clCreatePipe", berth__cl_pipe_create, 200, 0 },
	},
	[BERTH_OP_ARG] = {
		[BERTH_FORM_NONE] = { "clSetKernelArg", berth__cl_argument_set, 100, LIST },
		[BERTH_FORM_SVM] = { "clSetKernelArgSVMPointer", berth__cl_argument_set_svm, 200,
				     0 },
	},
	[BERTH_OP_DESTRUCTOR] = {
		[BERTH_FORM_NONE] = { "clSetMemObjectDestructorCallback", destructor, 110, OBJECT },
	},
	[BERTH_OP_RETAIN] = {
		[BERTH_FORM_NONE] = { "clRetainMemObject", retain, 100, OBJECT },
	},
	[BERTH_OP_RELEASE] = {
		[BERTH_FORM_NONE] = { "clReleaseMemObject", release, 100, OBJECT },
	},
	[BERTH_OP_WRITE] = {
		[BERTH_FORM_LINEAR] = { "clEnqueueWriteBuffer", write_buffer, 100, OBJECT | DATA },
		[BERTH_FORM_RECT] = { "clEnqueueWriteBufferRect", write_rect, 110, OBJECT | DATA },
		[BERTH_FORM_IMAGE] = { "clEnqueueWriteImage", write_image, 100, OBJECT | DATA },
		[BERTH_FORM_SVM] = { "clEnqueueSVMMemcpy", berth__cl_svm_write, 200, DATA },
	},
	[BERTH_OP_READ] = {
		[BERTH_FORM_LINEAR] = { "clEnqueueReadBuffer", read_buffer, 100, OBJECT | DATA },
		[BERTH_FORM_RECT] = { "clEnqueueReadBufferRect", read_rect, 110, OBJECT | DATA },
		[BERTH_FORM_IMAGE] = { "clEnqueueReadImage", read_image, 100, OBJECT | DATA },
		[BERTH_FORM_SVM] = { "clEnqueueSVMMemcpy", berth__cl_svm_read, 200, DATA },
	},
	[BERTH_OP_COPY] = {
		[BERTH_FORM_LINEAR] = { "clEnqueueCopyBuffer", copy_buffer, 100, OBJECT | OTHER },
		[BERTH_FORM_RECT] = { "clEnqueueCopyBufferRect", copy_rect, 110, OBJECT | OTHER },
		[BERTH_FORM_IMAGE] = { "clEnqueueCopyImage", copy_image, 100, OBJECT | OTHER },
		[BERTH_FORM_IMAGE_TO_BUFFER] = { "clEnqueueCopyImageToBuffer", copy_image_to_buffer,
						 100, OBJECT | OTHER },
		[BERTH_FORM_BUFFER_TO_IMAGE] = { "clEnqueueCopyBufferToImage", copy_buffer_to_image,
						 100, OBJECT | OTHER },
		[BERTH_FORM_SVM] = { "clEnqueueSVMMemcpy", berth__cl_svm_copy, 200, 0 },
	},
	[BERTH_OP_FILL] = {
		[BERTH_FORM_LINEAR] = { "clEnqueueFillBuffer", fill_buffer, 120, OBJECT | DATA },
		[BERTH_FORM_IMAGE] = { "clEnqueueFillImage", fill_image, 120, OBJECT | DATA },
		[BERTH_FORM_SVM] = { "clEnqueueSVMMemFill", berth__cl_svm_fill, 200, DATA },
	},
	[BERTH_OP_MAP] = {
		[BERTH_FORM_LINEAR] = { "clEnqueueMapBuffer", map_buffer, 100, OBJECT },
		[BERTH_FORM_IMAGE] = { "clEnqueueMapImage", map_image, 100, OBJECT },
		[BERTH_FORM_SVM] = { "clEnqueueSVMMap", berth__cl_svm_map, 200, 0 },
	},
	[BERTH_OP_UNMAP] = {
		[BERTH_FORM_NONE] = { "clEnqueueUnmapMemObject", unmap, 100, OBJECT },
		[BERTH_FORM_SVM] = { "clEnqueueSVMUnmap", berth__cl_svm_unmap, 200, 0 },
	},
	[BERTH_OP_MIGRATE] = {
		[BERTH_FORM_NONE] = { "clEnqueueMigrateMemObjects", migrate, 120, LIST },
		[BERTH_FORM_SVM] = { "clEnqueueSVMMigrateMem", berth__cl_svm_migrate, 210, 0 },
	},
	[BERTH_OP_USE] = {
		[BERTH_FORM_NONE] = { "clEnqueueMigrateMemObjects", use, 100, LIST },
	},
	[BERTH_OP_SYNC] = {
		[BERTH_FORM_NONE] = { "clFinish", sync, 100, 0 },
	},
	[BERTH_OP_LABEL] = {
		[BERTH_FORM_NONE] = { "label", nothing_to_tell, 100, 0 },
	},
	[BERTH_OP_ORDER] = {
		[BERTH_FORM_NONE] = { "order", nothing_to_tell, 100, 0 },
	},
};

/* Calls of another name for the same kind of op. */
static const struct {
	berth_op_kind kind;
	uint32_t bit;
	struct berth__cl_command command;
} variants[] = {
	{ BERTH_OP_BUFFER_CREATE,
	  BERTH_OP_PROPERTIES,
	  { "clCreateBufferWithProperties", buffer_with_properties, 300, STORE } },
	{ BERTH_OP_IMAGE_CREATE,
	  BERTH_OP_PROPERTIES,
	  { "clCreateImageWithProperties", image_with_properties, 300, OTHER | STORE } },
	{ BERTH_OP_IMAGE_CREATE,
	  BERTH_OP_DEPRECATED,
	  { "clCreateImage2D", image_deprecated, 100, STORE } },
};

/* A device that does not have the other call yet, or any more, gets the plain one. */
const struct berth__cl_command *berth__cl_command(const berth_op *op, cl_uint version)
{
	const struct berth__cl_command *command;

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		if (variants[i].kind == op->kind && (op->bits & variants[i].bit) &&
		    variants[i].command.cl_version <= version)
			return &variants[i].command;
	command = &commands[op->kind][op->form];
	/* The form of a kind that has none does not matter. */
	if (!command->run)
		command = &commands[op->kind][BERTH_FORM_NONE];
	return command->run ? command : NULL;
}
