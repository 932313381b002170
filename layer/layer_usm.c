/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_intel_unified_shared_memory: memory of the host, of a device, or shared, by its pointer. It
 * is written as shared virtual memory, with a bit for the kind.
 */
#include "layer_svm.h"

static void begin_alloc(struct berth__call *call, cl_context context, size_t size,
			cl_uint alignment, uint32_t bit)
{
	const struct berth__svm_request request = { context, CL_MEM_READ_WRITE, size, alignment,
						    bit };

	berth__svm_begin_alloc(call, &request);
}

void *CL_API_CALL berth__clHostMemAllocINTEL(cl_context context, const cl_ulong *properties,
					     size_t size, cl_uint alignment, cl_int *errcode_ret)
{
	__typeof__(&berth__clHostMemAllocINTEL) real = BERTH__REAL(clHostMemAllocINTEL, context);
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	struct berth__call call;
	void *pointer;

	if (berth__layer_is_inside("clHostMemAllocINTEL"))
		return real(context, properties, size, alignment, errcode_ret);
	begin_alloc(&call, context, size, alignment, BERTH_OP_USM_HOST);
	pointer = BERTH__ASK_POINTER(&call, status,
				     real(context, properties, size, alignment, status));
	berth__svm_end_alloc(&call, pointer, *status);
	return pointer;
}

/* Both of a device have the same parameters. */
#define ALLOC(name, bit)                                                                           \
	void *CL_API_CALL berth__##name(cl_context context, cl_device_id device,                   \
					const cl_ulong *properties, size_t size,                   \
					cl_uint alignment, cl_int *errcode_ret)                    \
	{                                                                                          \
		__typeof__(&berth__##name) real = BERTH__REAL(name, context);                      \
		cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status; \
		struct berth__call call;                                                           \
		void *pointer;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(context, device, properties, size, alignment, errcode_ret);    \
		begin_alloc(&call, context, size, alignment, bit);                                 \
		pointer = BERTH__ASK_POINTER(                                                      \
			&call, status,                                                             \
			real(context, device, properties, size, alignment, status));               \
		berth__svm_end_alloc(&call, pointer, *status);                                     \
		return pointer;                                                                    \
	}

ALLOC(clDeviceMemAllocINTEL, BERTH_OP_USM_DEVICE)
ALLOC(clSharedMemAllocINTEL, BERTH_OP_USM_SHARED)

#define FREE(name)                                                                                 \
	cl_int CL_API_CALL berth__##name(cl_context context, void *pointer)                        \
	{                                                                                          \
		__typeof__(&berth__##name) real = BERTH__REAL(name, context);                      \
		struct berth__call call;                                                           \
		struct berth__svm entry;                                                           \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(context, pointer);                                             \
		berth__svm_begin_free(&call, &entry, context, pointer);                            \
		status = BERTH__ASK(&call, real(context, pointer));                                \
		berth__svm_end_free(&call, &entry, status);                                        \
		return status;                                                                     \
	}

FREE(clMemFreeINTEL)
FREE(clMemBlockingFreeINTEL)

cl_int CL_API_CALL berth__clEnqueueMemFillINTEL(cl_command_queue queue, void *pointer,
						const void *pattern, size_t pattern_size,
						size_t size, BERTH__WAIT_LIST)
{
	__typeof__(&berth__clEnqueueMemFillINTEL) real = BERTH__REAL(clEnqueueMemFillINTEL, queue);
	struct berth__call call;
	cl_int status;

	if (berth__layer_is_inside("clEnqueueMemFillINTEL"))
		return real(queue, pointer, pattern, pattern_size, size, BERTH__WAIT_ARGUMENTS);
	berth__svm_begin_fill(&call, queue, pointer, pattern, pattern_size, size);
	berth__call_events(&call, BERTH__WAIT_ARGUMENTS);
	status = BERTH__ASK(
		&call, real(queue, pointer, pattern, pattern_size, size, BERTH__WAIT_ARGUMENTS));
	berth__svm_end_fill(&call, status, pattern);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueMemsetINTEL(cl_command_queue queue, void *pointer, cl_int value,
					       size_t size, BERTH__WAIT_LIST)
{
	__typeof__(&berth__clEnqueueMemsetINTEL) real = BERTH__REAL(clEnqueueMemsetINTEL, queue);
	const unsigned char pattern = (unsigned char)value;
	struct berth__call call;
	cl_int status;

	if (berth__layer_is_inside("clEnqueueMemsetINTEL"))
		return real(queue, pointer, value, size, BERTH__WAIT_ARGUMENTS);
	berth__svm_begin_fill(&call, queue, pointer, &pattern, sizeof(pattern), size);
	berth__call_events(&call, BERTH__WAIT_ARGUMENTS);
	status = BERTH__ASK(&call, real(queue, pointer, value, size, BERTH__WAIT_ARGUMENTS));
	berth__svm_end_fill(&call, status, &pattern);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking,
					       void *destination, const void *source, size_t size,
					       BERTH__WAIT_LIST)
{
	__typeof__(&berth__clEnqueueMemcpyINTEL) real = BERTH__REAL(clEnqueueMemcpyINTEL, queue);
	struct berth__svm_copy copy = { queue, blocking, destination, source,
					size,  { NULL }, { NULL } };
	struct berth__call call;
	cl_int status;

	if (berth__layer_is_inside("clEnqueueMemcpyINTEL") || !berth__svm_begin_copy(&call, &copy))
		return real(queue, blocking, destination, source, size, BERTH__WAIT_ARGUMENTS);
	berth__call_events(&call, BERTH__WAIT_ARGUMENTS);
	status = BERTH__ASK(
		&call, real(queue, blocking, destination, source, size, BERTH__WAIT_ARGUMENTS));
	berth__svm_end_copy(&call, &copy, status);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *pointer,
						   size_t size, cl_mem_migration_flags flags,
						   BERTH__WAIT_LIST)
{
	__typeof__(&berth__clEnqueueMigrateMemINTEL) real =
		BERTH__REAL(clEnqueueMigrateMemINTEL, queue);
	void *const pointers[] = { (void *)(uintptr_t)pointer };
	struct berth__svm_migration migration;
	cl_int status;

	if (berth__layer_is_inside("clEnqueueMigrateMemINTEL"))
		return real(queue, pointer, size, flags, BERTH__WAIT_ARGUMENTS);
	berth__svm_begin_migrate(&migration, queue, pointers, 1, flags);
	berth__call_events(&migration.call, BERTH__WAIT_ARGUMENTS);
	status = BERTH__ASK(&migration.call,
			    real(queue, pointer, size, flags, BERTH__WAIT_ARGUMENTS));
	berth__svm_end_migrate(&migration, status);
	return status;
}
