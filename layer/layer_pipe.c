/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes. */
#include "layer_call.h"
#include "layer_calls.h"

cl_mem CL_API_CALL berth__clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
				       cl_uint max_packets, const cl_pipe_properties *properties,
				       cl_int *errcode_ret)
{
	struct berth__call call;
	const struct berth__handle entry = { .handle = NULL };
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem pipe;

	BERTH__PASS_INSIDE(clCreatePipe, context, flags, packet_size, max_packets, properties,
			   errcode_ret);
	berth__call_begin(&call, BERTH_OP_PIPE_CREATE, BERTH_FORM_NONE);
	berth__call_new_object(&call, context);
	call.op->flags = flags;
	call.op->pattern_bytes = packet_size; /* op_fold.h */
	call.op->other_offset_bytes = max_packets;
	if (properties && properties[0])
		call.op->absent |= BERTH_ABSENT_PROPERTY;
	berth__call_enter(&call);
	pipe = BERTH__ASK_MADE(&call, status,
			       berth__layer.target.clCreatePipe(context, flags, packet_size,
								max_packets, properties, status));
	berth__call_leave(&call, berth__call_create_status(pipe, *status));
	if (berth__call_succeeded(&call))
		berth__call_enter_object(&call, pipe, &entry);
	berth__call_commit(&call);
	return pipe;
}
