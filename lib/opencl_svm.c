/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenCL calls on shared virtual memory, and clCreatePipe. Pointers come from ids
 * and offsets: what lies in no allocation, or leaves it, never reaches the driver, to
 * which such a pointer is undefined.
 */
#include "opencl_device.h"

#include <stdlib.h>

static const struct berth__cl_object *find_svm(const struct berth__opencl *opencl, uint64_t id)
{
	const struct berth__cl_object *object = berth__cl_find(opencl, id);

	return object && object->svm ? object : NULL;
}

/* Where a range of an allocation is; *out is NULL for no id. False: it is nowhere. */
static bool range(char **out, const struct berth__opencl *opencl, uint64_t id, uint64_t offset,
		  uint64_t bytes)
{
	const struct berth__cl_object *object;

	*out = NULL;
	if (id == BERTH_ID_NONE)
		return true;
	object = find_svm(opencl, id);
	if (!object || bytes > object->bytes || offset > object->bytes - bytes)
		return false;
	*out = (char *)object->svm + offset;
	return true;
}

static cl_bool blocking(const berth_op *op)
{
	return op->bits & BERTH_OP_BLOCKING ? CL_TRUE : CL_FALSE;
}

cl_int berth__cl_svm_alloc(struct berth__cl_call *call)
{
	const berth_op *op = call->op;

	/* A larger one cannot even be said. */
	if (op->alignment_bytes > CL_UINT_MAX)
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	call->result->mapped = clSVMAlloc(call->opencl->context, op->flags, (size_t)op->bytes,
					  (cl_uint)op->alignment_bytes);
	return call->result->mapped ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

/* The pointers of a list; NULL for no memory. What is not known is left out. */
static void **pointers(cl_uint *count, const struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	void **list = calloc((size_t)op->use_count + 1, sizeof(*list));

	*count = 0;
	if (!list)
		return NULL;
	if (op->use_count == 0 && op->object != BERTH_ID_NONE)
		list[(*count)++] = find_svm(call->opencl, op->object)->svm;
	for (uint32_t i = 0; i < op->use_count; i++) {
		const struct berth__cl_object *object = find_svm(call->opencl, op->uses[i].object);

		if (object)
			list[(*count)++] = object->svm;
	}
	return list;
}

/* By default the driver frees when the command runs. */
static cl_int enqueue_free(struct berth__cl_call *call)
{
	bool absent = call->op->absent & BERTH_ABSENT_LIST;
	cl_uint count;
	void **list = pointers(&count, call);
	cl_int code;

	if (!list)
		return CL_OUT_OF_HOST_MEMORY;
	if (absent)
		count = call->op->use_count;
	code = clEnqueueSVMFree(call->opencl->queue, count, absent ? NULL : list, NULL, NULL, 0,
				NULL, NULL);
	free(list);
	return code;
}

cl_int berth__cl_svm_free(struct berth__cl_call *call)
{
	const struct berth__cl_object *object = find_svm(call->opencl, call->op->object);

	if (call->op->object != BERTH_ID_NONE && !object)
		return CL_SUCCESS; /* nothing known: not for the driver */
	if (call->op->bits & BERTH_OP_ENQUEUED)
		return enqueue_free(call);
	clSVMFree(call->opencl->context, object ? object->svm : NULL);
	return CL_SUCCESS;
}

cl_int berth__cl_svm_write(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	char *to;

	if (!range(&to, call->opencl, op->object, op->offset_bytes, op->bytes))
		return CL_INVALID_VALUE;
	return clEnqueueSVMMemcpy(call->opencl->queue, blocking(op), to, call->host,
				  (size_t)op->bytes, 0, NULL, NULL);
}

cl_int berth__cl_svm_read(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	char *from;

	if (!range(&from, call->opencl, op->object, op->offset_bytes, op->bytes))
		return CL_INVALID_VALUE;
	return clEnqueueSVMMemcpy(call->opencl->queue, blocking(op), call->host, from,
				  (size_t)op->bytes, 0, NULL, NULL);
}

cl_int berth__cl_svm_copy(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	char *from, *to;

	if (!range(&from, call->opencl, op->object, op->offset_bytes, op->bytes) ||
	    !range(&to, call->opencl, op->other, op->other_offset_bytes, op->bytes))
		return CL_INVALID_VALUE;
	return clEnqueueSVMMemcpy(call->opencl->queue, blocking(op), to, from, (size_t)op->bytes, 0,
				  NULL, NULL);
}

cl_int berth__cl_svm_fill(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	char *at;

	if (!range(&at, call->opencl, op->object, op->offset_bytes, op->bytes))
		return CL_INVALID_VALUE;
	return clEnqueueSVMMemFill(call->opencl->queue, at, call->host, (size_t)op->pattern_bytes,
				   (size_t)op->bytes, 0, NULL, NULL);
}

cl_int berth__cl_svm_map(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	cl_int code;
	char *at;

	if (!range(&at, call->opencl, op->object, op->offset_bytes, op->bytes))
		return CL_INVALID_VALUE;
	code = clEnqueueSVMMap(call->opencl->queue, blocking(op), op->flags, at, (size_t)op->bytes,
			       0, NULL, NULL);
	if (code == CL_SUCCESS)
		call->result->mapped = at;
	return code;
}

/* A pointer that is not mapped is undefined as well. */
cl_int berth__cl_svm_unmap(struct berth__cl_call *call)
{
	const struct berth__cl_object *object = find_svm(call->opencl, call->op->object);
	const struct berth__cl_mapping *mapping =
		object ? berth__cl_find_mapping(object, call->op->mapping) : NULL;

	if (call->op->object != BERTH_ID_NONE && !mapping)
		return CL_INVALID_VALUE;
	return clEnqueueSVMUnmap(call->opencl->queue, mapping ? mapping->pointer : NULL, 0, NULL,
				 NULL);
}

cl_int berth__cl_svm_migrate(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	cl_uint count;
	void **list;
	cl_int code;

	for (uint32_t i = 0; i < op->use_count && op->uses; i++)
		if (!find_svm(call->opencl, op->uses[i].object))
			return CL_INVALID_VALUE;
	list = pointers(&count, call);
	if (!list)
		return CL_OUT_OF_HOST_MEMORY;
	code = clEnqueueSVMMigrateMem(call->opencl->queue,
				      op->absent & BERTH_ABSENT_LIST ? op->use_count : count,
				      op->absent & BERTH_ABSENT_LIST ? NULL : (const void **)list,
				      NULL, op->flags, 0, NULL, NULL);
	free(list);
	return code;
}

cl_int berth__cl_pipe_create(struct berth__cl_call *call)
{
	/* No property is defined: any is wrong. */
	static const cl_pipe_properties wrong[] = { 1, 1, 0 };
	const berth_op *op = call->op;
	cl_int code = CL_SUCCESS;

	call->created = clCreatePipe(call->opencl->context, op->flags, op->packet_bytes,
				     op->packet_count,
				     op->absent & BERTH_ABSENT_PROPERTY ? wrong : NULL, &code);
	return code;
}
