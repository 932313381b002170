/* SPDX-License-Identifier: Apache-2.0 */
/* A layer that only forwards the calls that bench_record makes: what any layer costs. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>

#include <string.h>

#include <berth/api.h>

static const cl_icd_dispatch *target;
static cl_icd_dispatch table;

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
					void *host, cl_int *status)
{
	return target->clCreateBuffer(context, flags, size, host, status);
}

static cl_int CL_API_CALL retain(cl_mem object)
{
	return target->clRetainMemObject(object);
}

static cl_int CL_API_CALL release(cl_mem object)
{
	return target->clReleaseMemObject(object);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				       size_t offset, size_t size, const void *host,
				       cl_uint wait_count, const cl_event *wait_list,
				       cl_event *event)
{
	return target->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, host, wait_count,
					    wait_list, event);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
				       const void *value)
{
	return target->clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL run_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				     const size_t *offset, const size_t *global,
				     const size_t *local, cl_uint wait_count,
				     const cl_event *wait_list, cl_event *event)
{
	return target->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
					      wait_count, wait_list, event);
}

BERTH_API cl_int CL_API_CALL clInitLayer(cl_uint num_entries,
					 const cl_icd_dispatch *target_dispatch,
					 cl_uint *num_entries_ret,
					 const cl_icd_dispatch **layer_dispatch_ret)
{
	if (num_entries < sizeof(table) / sizeof(void *))
		return CL_INVALID_VALUE;
	target = target_dispatch;
	table = (cl_icd_dispatch){
		.clCreateBuffer = create_buffer,
		.clRetainMemObject = retain,
		.clReleaseMemObject = release,
		.clEnqueueWriteBuffer = write_buffer,
		.clSetKernelArg = set_argument,
		.clEnqueueNDRangeKernel = run_kernel,
	};
	*num_entries_ret = sizeof(table) / sizeof(void *);
	*layer_dispatch_ret = &table;
	return CL_SUCCESS;
}

BERTH_API cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value,
					    size_t *size_ret)
{
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100;

	if (name != CL_LAYER_API_VERSION || (value && size < sizeof(version)))
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, &version, sizeof(version));
	if (size_ret)
		*size_ret = sizeof(version);
	return CL_SUCCESS;
}
