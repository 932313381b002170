/* SPDX-License-Identifier: Apache-2.0 */
/* Points where the host has waited for the device. */
#include "layer_call.h"
#include "layer_calls.h"

cl_int CL_API_CALL berth__clFinish(cl_command_queue queue)
{
	struct berth__call call;
	cl_int status;

	berth__call_begin(&call, BERTH_OP_SYNC, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	berth__call_enter(&call);
	status = berth__layer.target.clFinish(queue);
	berth__call_leave(&call, status);
	berth__call_commit(&call);
	return status;
}

cl_int CL_API_CALL berth__clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
	struct berth__call call;
	cl_int status;

	berth__call_begin(&call, BERTH_OP_SYNC, BERTH_FORM_NONE);
	berth__call_enter(&call);
	status = berth__layer.target.clWaitForEvents(num_events, event_list);
	berth__call_leave(&call, status);
	berth__call_commit(&call);
	return status;
}
