/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and sub-buffers, and the references to every memory object. */
#include "layer_buffer.h"

#include "layer_calls.h"
#include "layer_extension.h"
#include "layer_mapping.h"

#include <stdio.h>

void berth__buffer_begin(struct berth__call *call, cl_context context, cl_mem_flags flags,
			 size_t size, const void *host_ptr)
{
	berth__call_begin(call, BERTH_OP_BUFFER_CREATE, BERTH_FORM_NONE);
	berth__call_new_object(call, context);
	call->op->flags = flags;
	call->op->bytes = size;
	berth__call_host(call, host_ptr);
	berth__call_enter(call);
}

/* CL_MEM_SIZE of a buffer is what was asked: no need to ask the driver. */
static void made_buffer(struct berth__call *call, cl_mem buffer)
{
	const struct berth__handle entry = { .handle = NULL };

	call->result = (struct berth_spool_result){ .bytes = call->op->bytes };
	call->parts |= BERTH_SPOOL_PART_RESULT;
	berth__call_enter_object(call, buffer, &entry);
}

void berth__buffer_end(struct berth__call *call, cl_mem buffer, cl_int status, const void *host_ptr)
{
	berth__call_leave(call, berth__call_create_status(buffer, status));
	if (berth__call_succeeded(call)) {
		if (berth__call_gives_content(call->op->flags))
			berth__call_digest(call, host_ptr, call->op->bytes);
		made_buffer(call, buffer);
	}
	berth__call_commit(call);
}

/* The handles of cl_khr_external_memory and its kin stand in one range. */
#define EXTERNAL_MEMORY_FIRST 0x2060
#define EXTERNAL_MEMORY_LAST 0x206A

bool berth__properties_are_external(const cl_ulong *list)
{
	/* A list of devices stands in the list, of any length: the handle comes before it. */
	for (; list && list[0] && list[0] != CL_DEVICE_HANDLE_LIST_KHR; list += 2)
		if (list[0] >= EXTERNAL_MEMORY_FIRST && list[0] <= EXTERNAL_MEMORY_LAST)
			return true;
	return false;
}

void berth__take_properties(struct berth__call *call, const cl_ulong *properties, const char *name)
{
	char text[128];

	if (!properties || !properties[0])
		return;
	if (berth__properties_are_external(properties)) {
		call->op->bits |= BERTH_OP_EXTERNAL;
		return;
	}
	snprintf(text, sizeof(text), "%s with properties", name);
	berth__layer_count_untracked(text);
}

cl_mem CL_API_CALL berth__clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
					 void *host_ptr, cl_int *errcode_ret)
{
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem buffer;

	BERTH__PASS_INSIDE(clCreateBuffer, context, flags, size, host_ptr, errcode_ret);
	berth__buffer_begin(&call, context, flags, size, host_ptr);
	buffer = BERTH__ASK_MADE(
		&call, status,
		berth__layer.target.clCreateBuffer(context, flags, size, host_ptr, status));
	berth__buffer_end(&call, buffer, *status, host_ptr);
	return buffer;
}

/* Both names, of OpenCL 3.0 and of the extension that came first. */
#define WITH_PROPERTIES(name, real)                                                                \
	cl_mem CL_API_CALL berth__##name(cl_context context, const cl_ulong *properties,           \
					 cl_mem_flags flags, size_t size, void *host_ptr,          \
					 cl_int *errcode_ret)                                      \
	{                                                                                          \
		struct berth__call call;                                                           \
		cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status; \
		cl_mem buffer;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(name, context)(context, properties, flags, size, host_ptr,     \
						   errcode_ret);                                   \
		berth__buffer_begin(&call, context, flags, size, host_ptr);                        \
		call.op->bits |= BERTH_OP_PROPERTIES;                                              \
		buffer = BERTH__ASK_MADE(                                                          \
			&call, status,                                                             \
			real(name, context)(context, properties, flags, size, host_ptr, status));  \
		if (buffer)                                                                        \
			berth__take_properties(&call, properties, #name);                          \
		berth__buffer_end(&call, buffer, *status, host_ptr);                               \
		return buffer;                                                                     \
	}

WITH_PROPERTIES(clCreateBufferWithProperties, BERTH__TABLE)
WITH_PROPERTIES(clCreateBufferWithPropertiesINTEL, BERTH__REAL)

/* Only a region is known to be behind `info`. */
static void describe_region(struct berth_spool_op *op, cl_buffer_create_type type, const void *info)
{
	const cl_buffer_region *region = info;

	if (type != CL_BUFFER_CREATE_TYPE_REGION)
		op->absent |= BERTH_ABSENT_CREATE_TYPE;
	if (!info)
		op->absent |= BERTH_ABSENT_INFO;
	if (op->absent)
		return;
	op->offset_bytes = region->origin;
	op->bytes = region->size;
}

cl_mem CL_API_CALL berth__clCreateSubBuffer(cl_mem parent, cl_mem_flags flags,
					    cl_buffer_create_type type, const void *info,
					    cl_int *errcode_ret)
{
	struct berth__call call;
	struct berth__handle known;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem buffer;

	BERTH__PASS_INSIDE(clCreateSubBuffer, parent, flags, type, info, errcode_ret);
	berth__call_begin(&call, BERTH_OP_SUBBUFFER_CREATE, BERTH_FORM_NONE);
	berth__call_new_object(&call, NULL);
	berth__layer_find_object(parent, &known);
	call.op->context = known.context;
	call.op->other = known.id;
	call.op->flags = flags;
	describe_region(call.op, type, info);
	berth__call_enter(&call);
	buffer = BERTH__ASK_MADE(
		&call, status,
		berth__layer.target.clCreateSubBuffer(parent, flags, type, info, status));
	berth__call_leave(&call, berth__call_create_status(buffer, *status));
	if (berth__call_succeeded(&call))
		made_buffer(&call, buffer);
	berth__call_commit(&call);
	return buffer;
}

cl_int CL_API_CALL berth__clRetainMemObject(cl_mem object)
{
	struct berth__call call;
	struct berth__handle entry;
	cl_int status;
	bool known;

	BERTH__PASS_INSIDE(clRetainMemObject, object);
	berth__call_begin(&call, BERTH_OP_RETAIN, BERTH_FORM_NONE);
	known = berth__handle_retain(&berth__layer.mems, object, &entry);
	call.op->object = known ? entry.id : object ? BERTH_ID_UNKNOWN : BERTH_ID_NONE;
	call.op->context = known ? entry.context : 0;
	berth__call_enter(&call);
	status = BERTH__ASK(&call, berth__layer.target.clRetainMemObject(object));
	berth__call_leave(&call, status);
	if (known && status != CL_SUCCESS)
		berth__handle_release(&berth__layer.mems, object, &entry);
	berth__call_commit(&call);
	return status;
}

/* The driver may give the handle out again before it returns: the entry goes first. */
cl_int CL_API_CALL berth__clReleaseMemObject(cl_mem object)
{
	struct berth__call call;
	struct berth__handle entry;
	cl_int status;
	bool known;

	BERTH__PASS_INSIDE(clReleaseMemObject, object);
	berth__call_begin(&call, BERTH_OP_RELEASE, BERTH_FORM_NONE);
	known = berth__handle_release(&berth__layer.mems, object, &entry);
	call.op->object = known ? entry.id : object ? BERTH_ID_UNKNOWN : BERTH_ID_NONE;
	call.op->context = known ? entry.context : 0;
	berth__call_enter(&call);
	status = BERTH__ASK(&call, berth__layer.target.clReleaseMemObject(object));
	berth__call_leave(&call, status);
	if (known && status != CL_SUCCESS)
		berth__handle_restore(&berth__layer.mems, &entry);
	else if (known && entry.references == 0)
		berth__mappings_free(entry.extra);
	berth__call_commit(&call);
	return status;
}
