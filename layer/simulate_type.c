/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that want a GPU look for one by type, and so must find the device by it. */
#include "simulate.h"

static cl_device_type shown;

void berth__simulate_type_start(cl_device_type type)
{
	shown = type;
}

cl_device_type berth__simulate_type(void)
{
	return shown;
}

/* What to ask the driver for; 0: no device is of the type. */
static cl_device_type real_type(cl_device_type wanted)
{
	if (shown == 0 || wanted == CL_DEVICE_TYPE_ALL || wanted == CL_DEVICE_TYPE_DEFAULT)
		return wanted;
	return wanted & shown ? CL_DEVICE_TYPE_ALL : 0;
}

cl_int CL_API_CALL berth__simulate_clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
						  cl_uint count, cl_device_id *devices,
						  cl_uint *count_ret)
{
	cl_device_type asked = berth__this_thread.depth > 0 ? type : real_type(type);

	/* A type that is none is the driver's to refuse. */
	if (asked == 0 && (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU |
				   CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM))) {
		if (count_ret)
			*count_ret = 0;
		return CL_DEVICE_NOT_FOUND;
	}
	return berth__simulate_real.clGetDeviceIDs(platform, asked ? asked : type, count, devices,
						   count_ret);
}

/* A program's call: the wrapper is above. */
cl_context CL_API_CALL berth__simulate_clCreateContextFromType(
	const cl_context_properties *properties, cl_device_type type,
	void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user_data,
	cl_int *status)
{
	cl_device_type asked = real_type(type);

	if (asked == 0 && type != 0) {
		if (status)
			*status = CL_DEVICE_NOT_FOUND;
		return NULL;
	}
	return berth__simulate_real.clCreateContextFromType(properties, asked, notify, user_data,
							    status);
}
