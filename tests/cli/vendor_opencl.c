/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A vendor's library that is linked directly and loads no layers: the few functions that
 * vendor_program calls.
 */
/* The build hides what is not said to be public. */
#pragma GCC visibility push(default)
#include <CL/cl.h>

static char handles[4];

cl_int CL_API_CALL clGetPlatformIDs(cl_uint count, cl_platform_id *platforms, cl_uint *found)
{
	if (platforms && count)
		platforms[0] = (cl_platform_id)&handles[0];
	if (found)
		*found = 1;
	return CL_SUCCESS;
}

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint count,
				       const cl_device_id *devices,
				       void(CL_CALLBACK *notify)(const char *, const void *, size_t,
								 void *),
				       void *user_data, cl_int *status)
{
	(void)properties, (void)count, (void)devices, (void)notify, (void)user_data;
	*status = CL_SUCCESS;
	return (cl_context)&handles[1];
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
				  cl_int *status)
{
	(void)context, (void)flags, (void)host;
	*status = size ? CL_SUCCESS : CL_INVALID_BUFFER_SIZE;
	return size ? (cl_mem)&handles[2] : NULL;
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem object)
{
	return object == (cl_mem)&handles[2] ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;
}
