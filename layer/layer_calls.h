/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that the layer wraps, by the file that does it. X(name): the wrapper
 * is berth__NAME, with the same prototype. Calls that are not here pass by.
 */
#ifndef BERTH_LAYER_LAYER_CALLS_H
#define BERTH_LAYER_LAYER_CALLS_H

#include "layer.h"

#define BERTH__LAYER_CALLS(X)                                                                      \
	/* layer_context.c */                                                                      \
	X(clCreateContext)                                                                         \
	X(clCreateContextFromType)                                                                 \
	X(clRetainContext)                                                                         \
	X(clReleaseContext)                                                                        \
	X(clCreateCommandQueue)                                                                    \
	X(clCreateCommandQueueWithProperties)                                                      \
	X(clRetainCommandQueue)                                                                    \
	X(clReleaseCommandQueue)                                                                   \
	/* layer_buffer.c */                                                                       \
	X(clCreateBuffer)                                                                          \
	X(clCreateBufferWithProperties)                                                            \
	X(clCreateSubBuffer)                                                                       \
	X(clRetainMemObject)                                                                       \
	X(clReleaseMemObject)                                                                      \
	/* layer_image.c */                                                                        \
	X(clCreateImage)                                                                           \
	X(clCreateImageWithProperties)                                                             \
	X(clCreateImage2D)                                                                         \
	X(clCreateImage3D)                                                                         \
	/* layer_transfer.c */                                                                     \
	X(clEnqueueReadBuffer)                                                                     \
	X(clEnqueueReadBufferRect)                                                                 \
	X(clEnqueueReadImage)                                                                      \
	X(clEnqueueWriteBuffer)                                                                    \
	X(clEnqueueWriteBufferRect)                                                                \
	X(clEnqueueWriteImage)                                                                     \
	/* layer_copy.c */                                                                         \
	X(clEnqueueCopyBuffer)                                                                     \
	X(clEnqueueCopyBufferRect)                                                                 \
	X(clEnqueueCopyImage)                                                                      \
	X(clEnqueueCopyImageToBuffer)                                                              \
	X(clEnqueueCopyBufferToImage)                                                              \
	X(clEnqueueFillBuffer)                                                                     \
	X(clEnqueueFillImage)                                                                      \
	/* layer_map.c */                                                                          \
	X(clEnqueueMapBuffer)                                                                      \
	X(clEnqueueMapImage)                                                                       \
	X(clEnqueueUnmapMemObject)                                                                 \
	/* layer_svm.c */                                                                          \
	X(clCreatePipe)                                                                            \
	X(clSVMAlloc)                                                                              \
	X(clSVMFree)                                                                               \
	X(clEnqueueSVMFree)                                                                        \
	X(clEnqueueSVMMemcpy)                                                                      \
	X(clEnqueueSVMMemFill)                                                                     \
	X(clEnqueueSVMMap)                                                                         \
	X(clEnqueueSVMUnmap)                                                                       \
	X(clEnqueueSVMMigrateMem)                                                                  \
	/* layer_kernel.c */                                                                       \
	X(clCreateKernel)                                                                          \
	X(clCreateKernelsInProgram)                                                                \
	X(clCloneKernel)                                                                           \
	X(clRetainKernel)                                                                          \
	X(clReleaseKernel)                                                                         \
	X(clSetKernelArg)                                                                          \
	X(clSetKernelArgSVMPointer)                                                                \
	X(clSetKernelExecInfo)                                                                     \
	/* layer_use.c */                                                                          \
	X(clEnqueueNDRangeKernel)                                                                  \
	X(clEnqueueTask)                                                                           \
	X(clEnqueueNativeKernel)                                                                   \
	X(clEnqueueMigrateMemObjects)                                                              \
	/* layer_sync.c */                                                                         \
	X(clFinish)                                                                                \
	X(clWaitForEvents)                                                                         \
	/* layer_event.c */                                                                        \
	X(clRetainEvent)                                                                           \
	X(clReleaseEvent)                                                                          \
	X(clCreateUserEvent)                                                                       \
	X(clSetUserEventStatus)                                                                    \
	X(clSetEventCallback)                                                                      \
	X(clGetEventInfo)                                                                          \
	X(clFlush)                                                                                 \
	X(clEnqueueMarker)                                                                         \
	X(clEnqueueMarkerWithWaitList)                                                             \
	X(clEnqueueBarrier)                                                                        \
	X(clEnqueueBarrierWithWaitList)                                                            \
	X(clEnqueueWaitForEvents)                                                                  \
	/* layer_extension.c */                                                                    \
	X(clGetExtensionFunctionAddress)                                                           \
	X(clGetExtensionFunctionAddressForPlatform)                                                \
	/* layer_external.c */                                                                     \
	X(clCreateFromGLBuffer)                                                                    \
	X(clCreateFromGLTexture)                                                                   \
	X(clCreateFromGLTexture2D)                                                                 \
	X(clCreateFromGLTexture3D)                                                                 \
	X(clCreateFromGLRenderbuffer)                                                              \
	X(clEnqueueAcquireGLObjects)                                                               \
	X(clEnqueueReleaseGLObjects)                                                               \
	X(clCreateFromEGLImageKHR)                                                                 \
	X(clEnqueueAcquireEGLObjectsKHR)                                                           \
	X(clEnqueueReleaseEGLObjectsKHR)                                                           \
	/* layer_destructor.c */                                                                   \
	X(clSetMemObjectDestructorCallback)                                                        \
	X(clSetContextDestructorCallback)

#define X(name) extern __typeof__(name) berth__##name;
BERTH__LAYER_CALLS(X)
#undef X

#endif
