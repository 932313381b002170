/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of extensions that the layer wraps. They are in no dispatch table: a program fetches
 * their addresses by name, and gets those of the wrappers. Each wrapper is declared here with
 * the prototype that the extension's specification gives it, so that the layer does not depend
 * on what the headers of the day have. X(name) for each.
 */
#ifndef BERTH_LAYER_LAYER_EXTENSION_H
#define BERTH_LAYER_LAYER_EXTENSION_H

#include "layer.h"

#include <CL/cl_ext.h>

#define BERTH__EXTENSION_CALLS(X)                                                                  \
	/* layer_usm.c */                                                                          \
	X(clHostMemAllocINTEL)                                                                     \
	X(clDeviceMemAllocINTEL)                                                                   \
	X(clSharedMemAllocINTEL)                                                                   \
	X(clMemFreeINTEL)                                                                          \
	X(clMemBlockingFreeINTEL)                                                                  \
	X(clEnqueueMemFillINTEL)                                                                   \
	X(clEnqueueMemsetINTEL)                                                                    \
	X(clEnqueueMemcpyINTEL)                                                                    \
	X(clEnqueueMigrateMemINTEL)                                                                \
	/* layer_svm.c */                                                                          \
	X(clSVMAllocARM)                                                                           \
	X(clSVMFreeARM)                                                                            \
	X(clEnqueueSVMFreeARM)                                                                     \
	X(clEnqueueSVMMemcpyARM)                                                                   \
	X(clEnqueueSVMMemFillARM)                                                                  \
	X(clEnqueueSVMMapARM)                                                                      \
	X(clEnqueueSVMUnmapARM)                                                                    \
	/* layer_kernel.c */                                                                       \
	X(clSetKernelArgMemPointerINTEL)                                                           \
	X(clSetKernelArgSVMPointerARM)                                                             \
	X(clSetKernelExecInfoARM)                                                                  \
	/* layer_external.c */                                                                     \
	X(clCreateBufferWithPropertiesINTEL)                                                       \
	X(clCreateBufferNV)                                                                        \
	X(clImportMemoryARM)                                                                       \
	X(clEnqueueAcquireExternalMemObjectsKHR)                                                   \
	X(clEnqueueReleaseExternalMemObjectsKHR)                                                   \
	X(clEnqueueMigrateMemObjectEXT)                                                            \
	/* layer_destructor.c */                                                                   \
	X(clSetMemObjectDestructorAPPLE)                                                           \
	/* layer_command_buffer.c */                                                               \
	X(clCreateCommandBufferKHR)                                                                \
	X(clRetainCommandBufferKHR)                                                                \
	X(clReleaseCommandBufferKHR)                                                               \
	X(clEnqueueCommandBufferKHR)                                                               \
	X(clCommandCopyBufferKHR)                                                                  \
	X(clCommandCopyBufferRectKHR)                                                              \
	X(clCommandCopyBufferToImageKHR)                                                           \
	X(clCommandCopyImageKHR)                                                                   \
	X(clCommandCopyImageToBufferKHR)                                                           \
	X(clCommandFillBufferKHR)                                                                  \
	X(clCommandFillImageKHR)                                                                   \
	X(clCommandNDRangeKernelKHR)                                                               \
	X(clUpdateMutableCommandsKHR)

enum berth__extension {
#define X(name) BERTH__EXTENSION_##name,
	BERTH__EXTENSION_CALLS(X)
#undef X
		BERTH__EXTENSION_COUNT
};

/*
 * The driver's function behind a wrapper. Drivers have one each: `handle`, an object of the
 * call's, says which. NULL: never fetched.
 */
void *berth__extension_find(enum berth__extension extension, const void *handle);

#define BERTH__REAL(name, handle)                                                                  \
	((__typeof__(&berth__##name))berth__extension_find(BERTH__EXTENSION_##name, handle))

/* The same for a function of the table: wrappers of both kinds are made by one macro. */
#define BERTH__TABLE(name, handle) ((__typeof__(&berth__##name))berth__layer.target.name)

/* What enqueue calls end with. */
#define BERTH__WAIT_LIST cl_uint wait_count, const cl_event *wait_list, cl_event *event
#define BERTH__WAIT_ARGUMENTS wait_count, wait_list, event

/* The wrapper of a function that a program fetches, or the function itself. */
void *berth__extension_wrap(const char *name, cl_platform_id platform, void *function);

typedef void(CL_CALLBACK *berth__svm_free_function)(cl_command_queue, cl_uint, void *[], void *);

void *CL_API_CALL berth__clHostMemAllocINTEL(cl_context context, const cl_ulong *properties,
					     size_t size, cl_uint alignment, cl_int *errcode_ret);
void *CL_API_CALL berth__clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
					       const cl_ulong *properties, size_t size,
					       cl_uint alignment, cl_int *errcode_ret);
void *CL_API_CALL berth__clSharedMemAllocINTEL(cl_context context, cl_device_id device,
					       const cl_ulong *properties, size_t size,
					       cl_uint alignment, cl_int *errcode_ret);
cl_int CL_API_CALL berth__clMemFreeINTEL(cl_context context, void *pointer);
cl_int CL_API_CALL berth__clMemBlockingFreeINTEL(cl_context context, void *pointer);
cl_int CL_API_CALL berth__clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index,
							const void *value);
cl_int CL_API_CALL berth__clEnqueueMemFillINTEL(cl_command_queue queue, void *pointer,
						const void *pattern, size_t pattern_size,
						size_t size, cl_uint wait_count,
						const cl_event *wait_list, cl_event *event);
cl_int CL_API_CALL berth__clEnqueueMemsetINTEL(cl_command_queue queue, void *pointer, cl_int value,
					       size_t size, cl_uint wait_count,
					       const cl_event *wait_list, cl_event *event);
cl_int CL_API_CALL berth__clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking,
					       void *destination, const void *source, size_t size,
					       cl_uint wait_count, const cl_event *wait_list,
					       cl_event *event);
cl_int CL_API_CALL berth__clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *pointer,
						   size_t size, cl_mem_migration_flags flags,
						   cl_uint wait_count, const cl_event *wait_list,
						   cl_event *event);

void *CL_API_CALL berth__clSVMAllocARM(cl_context context, cl_bitfield flags, size_t size,
				       cl_uint alignment);
void CL_API_CALL berth__clSVMFreeARM(cl_context context, void *pointer);
cl_int CL_API_CALL berth__clEnqueueSVMFreeARM(cl_command_queue queue, cl_uint count,
					      void *pointers[], berth__svm_free_function function,
					      void *user_data, cl_uint wait_count,
					      const cl_event *wait_list, cl_event *event);
cl_int CL_API_CALL berth__clEnqueueSVMMemcpyARM(cl_command_queue queue, cl_bool blocking,
						void *destination, const void *source, size_t size,
						cl_uint wait_count, const cl_event *wait_list,
						cl_event *event);
cl_int CL_API_CALL berth__clEnqueueSVMMemFillARM(cl_command_queue queue, void *pointer,
						 const void *pattern, size_t pattern_size,
						 size_t size, cl_uint wait_count,
						 const cl_event *wait_list, cl_event *event);
cl_int CL_API_CALL berth__clEnqueueSVMMapARM(cl_command_queue queue, cl_bool blocking,
					     cl_map_flags flags, void *pointer, size_t size,
					     cl_uint wait_count, const cl_event *wait_list,
					     cl_event *event);
cl_int CL_API_CALL berth__clEnqueueSVMUnmapARM(cl_command_queue queue, void *pointer,
					       cl_uint wait_count, const cl_event *wait_list,
					       cl_event *event);
cl_int CL_API_CALL berth__clSetKernelArgSVMPointerARM(cl_kernel kernel, cl_uint index,
						      const void *value);
cl_int CL_API_CALL berth__clSetKernelExecInfoARM(cl_kernel kernel, cl_uint name, size_t size,
						 const void *value);

cl_mem CL_API_CALL berth__clCreateBufferWithPropertiesINTEL(cl_context context,
							    const cl_ulong *properties,
							    cl_mem_flags flags, size_t size,
							    void *host_ptr, cl_int *errcode_ret);
cl_mem CL_API_CALL berth__clCreateBufferNV(cl_context context, cl_mem_flags flags,
					   cl_bitfield flags_nv, size_t size, void *host_ptr,
					   cl_int *errcode_ret);
cl_mem CL_API_CALL berth__clImportMemoryARM(cl_context context, cl_mem_flags flags,
					    const intptr_t *properties, void *memory, size_t size,
					    cl_int *errcode_ret);
cl_int CL_API_CALL berth__clEnqueueAcquireExternalMemObjectsKHR(
	cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_uint wait_count,
	const cl_event *wait_list, cl_event *event);
cl_int CL_API_CALL berth__clEnqueueReleaseExternalMemObjectsKHR(
	cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_uint wait_count,
	const cl_event *wait_list, cl_event *event);
cl_int CL_API_CALL berth__clEnqueueMigrateMemObjectEXT(cl_command_queue queue, cl_uint count,
						       const cl_mem *objects, cl_bitfield flags,
						       cl_uint wait_count,
						       const cl_event *wait_list, cl_event *event);
cl_int CL_API_CALL berth__clSetMemObjectDestructorAPPLE(cl_mem object,
							void (*function)(cl_mem, void *),
							void *user_data);

/* cl_khr_command_buffer before revision 0.9.5, which gave its commands one parameter more. */
typedef struct _cl_command_buffer_khr *berth__command_buffer;
typedef struct _cl_mutable_command_khr *berth__mutable_command;

/* What the commands end with. */
#define BERTH__COMMAND_END                                                                         \
	cl_uint point_count, const cl_uint *points, cl_uint *point, berth__mutable_command *command

berth__command_buffer CL_API_CALL berth__clCreateCommandBufferKHR(cl_uint queue_count,
								  const cl_command_queue *queues,
								  const cl_ulong *properties,
								  cl_int *errcode_ret);
cl_int CL_API_CALL berth__clRetainCommandBufferKHR(berth__command_buffer buffer);
cl_int CL_API_CALL berth__clReleaseCommandBufferKHR(berth__command_buffer buffer);
cl_int CL_API_CALL berth__clEnqueueCommandBufferKHR(cl_uint queue_count, cl_command_queue *queues,
						    berth__command_buffer buffer,
						    cl_uint wait_count, const cl_event *wait_list,
						    cl_event *event);
cl_int CL_API_CALL berth__clCommandCopyBufferKHR(berth__command_buffer buffer,
						 cl_command_queue queue, cl_mem source,
						 cl_mem destination, size_t source_offset,
						 size_t destination_offset, size_t size,
						 BERTH__COMMAND_END);
cl_int CL_API_CALL berth__clCommandCopyBufferRectKHR(
	berth__command_buffer buffer, cl_command_queue queue, cl_mem source, cl_mem destination,
	const size_t *source_origin, const size_t *destination_origin, const size_t *extent,
	size_t source_row_pitch, size_t source_slice_pitch, size_t destination_row_pitch,
	size_t destination_slice_pitch, BERTH__COMMAND_END);
cl_int CL_API_CALL berth__clCommandCopyBufferToImageKHR(
	berth__command_buffer buffer, cl_command_queue queue, cl_mem source, cl_mem destination,
	size_t source_offset, const size_t *destination_origin, const size_t *extent,
	BERTH__COMMAND_END);
cl_int CL_API_CALL berth__clCommandCopyImageKHR(berth__command_buffer buffer,
						cl_command_queue queue, cl_mem source,
						cl_mem destination, const size_t *source_origin,
						const size_t *destination_origin,
						const size_t *extent, BERTH__COMMAND_END);
cl_int CL_API_CALL berth__clCommandCopyImageToBufferKHR(
	berth__command_buffer buffer, cl_command_queue queue, cl_mem source, cl_mem destination,
	const size_t *source_origin, const size_t *extent, size_t destination_offset,
	BERTH__COMMAND_END);
cl_int CL_API_CALL berth__clCommandFillBufferKHR(berth__command_buffer buffer,
						 cl_command_queue queue, cl_mem object,
						 const void *pattern, size_t pattern_size,
						 size_t offset, size_t size, BERTH__COMMAND_END);
cl_int CL_API_CALL berth__clCommandFillImageKHR(berth__command_buffer buffer,
						cl_command_queue queue, cl_mem image,
						const void *colour, const size_t *origin,
						const size_t *extent, BERTH__COMMAND_END);
cl_int CL_API_CALL berth__clCommandNDRangeKernelKHR(
	berth__command_buffer buffer, cl_command_queue queue, const cl_ulong *properties,
	cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset,
	const size_t *global_work_size, const size_t *local_work_size, BERTH__COMMAND_END);
cl_int CL_API_CALL berth__clUpdateMutableCommandsKHR(berth__command_buffer buffer,
						     const void *config);

#endif
