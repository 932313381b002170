/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared virtual memory: the calls of OpenCL 2.0, and those of cl_arm_shared_virtual_memory, which
 * are the same under other names.
 */
#include "layer_svm.h"

#include "layer_calls.h"

/*
 * There is no code of a clSVMAlloc(): a refusal is written as this one (rules.h, R160).
 */
#define REFUSED CL_MEM_OBJECT_ALLOCATION_FAILURE

/* Wrappers by name; real(name, handle) is the driver's function. */
#define ALLOC(name, real)                                                                          \
	void *CL_API_CALL berth__##name(cl_context context, cl_svm_mem_flags flags, size_t size,   \
					cl_uint alignment)                                         \
	{                                                                                          \
		const struct berth__svm_request request = { context, flags, size, alignment, 0 };  \
		struct berth__call call;                                                           \
		void *pointer;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(name, context)(context, flags, size, alignment);               \
		berth__svm_begin_alloc(&call, &request);                                           \
		pointer = BERTH__ASK_POINTER(&call, NULL, real(name, context)(context, flags, size, alignment));                    \
		berth__svm_end_alloc(&call, pointer, REFUSED);                                     \
		return pointer;                                                                    \
	}

#define FREE(name, real)                                                                           \
	void CL_API_CALL berth__##name(cl_context context, void *pointer)                          \
	{                                                                                          \
		struct berth__call call;                                                           \
		struct berth__svm entry;                                                           \
                                                                                                   \
		if (berth__layer_is_inside(#name)) {                                               \
			real(name, context)(context, pointer);                                     \
			return;                                                                    \
		}                                                                                  \
		berth__svm_begin_free(&call, &entry, context, pointer);                            \
		BERTH__ASK_VOID(&call, real(name, context)(context, pointer));                     \
		berth__svm_end_free(&call, &entry, CL_SUCCESS);                                    \
	}

#define ENQUEUE_FREE(name, real)                                                                   \
	cl_int CL_API_CALL berth__##name(cl_command_queue queue, cl_uint count, void *pointers[],  \
					 berth__svm_free_function function, void *user_data,       \
					 BERTH__WAIT_LIST)                                         \
	{                                                                                          \
		struct berth__svm_enqueued_free enqueued = {                                       \
			.pointers = pointers,                                                      \
			.count = count,                                                            \
			.function = function,                                                      \
			.user_data = user_data,                                                    \
		};                                                                                 \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(name, queue)(queue, count, pointers, function, user_data,      \
					   BERTH__WAIT_ARGUMENTS);                                 \
		berth__svm_begin_enqueued_free(&enqueued, queue);                                  \
		berth__call_events(&enqueued.call, BERTH__WAIT_ARGUMENTS);                         \
		status = BERTH__ASK(&enqueued.call, real(name, queue)(queue, count, pointers, enqueued.function,              \
				     enqueued.user_data, BERTH__WAIT_ARGUMENTS));                   \
		berth__svm_end_enqueued_free(&enqueued, status);                                   \
		return status;                                                                     \
	}

#define COPY(name, real)                                                                           \
	cl_int CL_API_CALL berth__##name(cl_command_queue queue, cl_bool blocking,                 \
					 void *destination, const void *source, size_t size,       \
					 BERTH__WAIT_LIST)                                         \
	{                                                                                          \
		struct berth__svm_copy copy = { .queue = queue,                                    \
						.blocking = blocking,                              \
						.to = destination,                                 \
						.from = source,                                    \
						.bytes = size };                                   \
		struct berth__call call;                                                           \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name) || !berth__svm_begin_copy(&call, &copy))         \
			return real(name, queue)(queue, blocking, destination, source, size,       \
					   BERTH__WAIT_ARGUMENTS);                                 \
		berth__call_events(&call, BERTH__WAIT_ARGUMENTS);                                  \
		status = BERTH__ASK(&call, real(name, queue)(queue, blocking, destination, source, size, BERTH__WAIT_ARGUMENTS)); \
		berth__svm_end_copy(&call, &copy, status);                                         \
		return status;                                                                     \
	}

#define FILL(name, real)                                                                           \
	cl_int CL_API_CALL berth__##name(cl_command_queue queue, void *pointer,                    \
					 const void *pattern, size_t pattern_size, size_t size,    \
					 BERTH__WAIT_LIST)                                         \
	{                                                                                          \
		struct berth__call call;                                                           \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(name, queue)(queue, pointer, pattern, pattern_size, size,      \
					   BERTH__WAIT_ARGUMENTS);                                 \
		berth__svm_begin_fill(&call, queue, pointer, pattern, pattern_size, size);         \
		berth__call_events(&call, BERTH__WAIT_ARGUMENTS);                                  \
		status = BERTH__ASK(&call, real(name, queue)(queue, pointer, pattern, pattern_size, size, BERTH__WAIT_ARGUMENTS)); \
		berth__svm_end_fill(&call, status, pattern);                                       \
		return status;                                                                     \
	}

#define MAP(name, real)                                                                            \
	cl_int CL_API_CALL berth__##name(cl_command_queue queue, cl_bool blocking,                 \
					 cl_map_flags flags, void *pointer, size_t size,           \
					 BERTH__WAIT_LIST)                                         \
	{                                                                                          \
		struct berth__call call;                                                           \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(name, queue)(queue, blocking, flags, pointer, size, BERTH__WAIT_ARGUMENTS); \
		berth__svm_begin_map(&call, queue, blocking, flags, pointer, size);                \
		berth__call_events(&call, BERTH__WAIT_ARGUMENTS);                                  \
		status = BERTH__ASK(&call, real(name, queue)(queue, blocking, flags, pointer, size, BERTH__WAIT_ARGUMENTS)); \
		berth__svm_end_map(&call, status, pointer);                                        \
		return status;                                                                     \
	}

#define UNMAP(name, real)                                                                          \
	cl_int CL_API_CALL berth__##name(cl_command_queue queue, void *pointer, BERTH__WAIT_LIST)  \
	{                                                                                          \
		struct berth__call call;                                                           \
		struct berth__svm_mapping mapping;                                                 \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(name, queue)(queue, pointer, BERTH__WAIT_ARGUMENTS);           \
		berth__svm_begin_unmap(&call, &mapping, queue, pointer);                           \
		berth__call_events(&call, BERTH__WAIT_ARGUMENTS);                                  \
		status = BERTH__ASK(&call, real(name, queue)(queue, pointer, BERTH__WAIT_ARGUMENTS));                 \
		berth__svm_end_unmap(&call, &mapping, status);                                     \
		return status;                                                                     \
	}

ALLOC(clSVMAlloc, BERTH__TABLE)
FREE(clSVMFree, BERTH__TABLE)
ENQUEUE_FREE(clEnqueueSVMFree, BERTH__TABLE)
COPY(clEnqueueSVMMemcpy, BERTH__TABLE)
FILL(clEnqueueSVMMemFill, BERTH__TABLE)
MAP(clEnqueueSVMMap, BERTH__TABLE)
UNMAP(clEnqueueSVMUnmap, BERTH__TABLE)

ALLOC(clSVMAllocARM, BERTH__REAL)
FREE(clSVMFreeARM, BERTH__REAL)
ENQUEUE_FREE(clEnqueueSVMFreeARM, BERTH__REAL)
COPY(clEnqueueSVMMemcpyARM, BERTH__REAL)
FILL(clEnqueueSVMMemFillARM, BERTH__REAL)
MAP(clEnqueueSVMMapARM, BERTH__REAL)
UNMAP(clEnqueueSVMUnmapARM, BERTH__REAL)

cl_int CL_API_CALL berth__clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint count,
						 const void **pointers, const size_t *sizes,
						 cl_mem_migration_flags flags, BERTH__WAIT_LIST)
{
	struct berth__svm_migration migration;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueSVMMigrateMem, queue, count, pointers, sizes, flags,
			   BERTH__WAIT_ARGUMENTS);
	berth__svm_begin_migrate(&migration, queue, (void *const *)pointers, count, flags);
	berth__call_events(&migration.call, BERTH__WAIT_ARGUMENTS);
	status = BERTH__ASK(&migration.call, berth__layer.target.clEnqueueSVMMigrateMem(queue, count, pointers, sizes, flags,
							    BERTH__WAIT_ARGUMENTS));
	berth__svm_end_migrate(&migration, status);
	return status;
}
