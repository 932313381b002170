/* SPDX-License-Identifier: Apache-2.0 */
/* Points where the host has waited for the device. */
#include "layer_call.h"
#include "layer_calls.h"
#include "layer_event.h"
#include "layer_later.h"

cl_int CL_API_CALL berth__clFinish(cl_command_queue queue)
{
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clFinish, queue);
	berth__call_begin(&call, BERTH_OP_SYNC, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	berth__call_enter(&call);
	status = berth__layer.target.clFinish(queue);
	berth__call_leave(&call, status);
	if (berth__call_succeeded(&call) && call.op->queue)
		berth__later_queue(call.op->queue);
	berth__call_commit(&call);
	return status;
}

cl_int CL_API_CALL berth__clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clWaitForEvents, num_events, event_list);
	berth__call_begin(&call, BERTH_OP_SYNC, BERTH_FORM_NONE);
	call.op->bits = BERTH_SPOOL_OP_EVENTS_COMPLETE;
	berth__call_events(&call, num_events, event_list, NULL);
	berth__call_enter(&call);
	status = berth__layer.target.clWaitForEvents(num_events, event_list);
	berth__call_leave(&call, status);
	for (cl_uint i = 0; berth__call_succeeded(&call) && i < num_events; i++)
		berth__event_complete(event_list[i]);
	berth__call_commit(&call);
	return status;
}
