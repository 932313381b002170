/* SPDX-License-Identifier: Apache-2.0 */
/* An event of OpenCL as a fence of the pool. */
#include <berth/opencl.h>

/* Negative: the command ended with an error, and uses nothing any more. */
static bool is_complete(void *userdata)
{
	cl_int status = CL_QUEUED;

	return clGetEventInfo(userdata, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
			      NULL) != CL_SUCCESS ||
	       status <= CL_COMPLETE;
}

static void drop(void *userdata)
{
	clReleaseEvent(userdata);
}

berth_status berth_opencl_fence(berth_fence *out, cl_event event)
{
	cl_int code = clRetainEvent(event);

	if (code != CL_SUCCESS)
		return berth_error_set(BERTH_E_CL, code, "clRetainEvent failed with %s",
				       berth_cl_status_string(code));
	*out = (berth_fence){ is_complete, drop, event };
	return BERTH_OK;
}
