/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a list of objects: kernels that use them, and migrations. */
#include "layer_call.h"
#include "layer_calls.h"
#include "layer_extension.h"
#include "layer_kernel.h"
#include "layer_native.h"

static void begin_kernel(struct berth__call *call, struct berth__uses *uses, cl_command_queue queue,
			 cl_kernel kernel)
{
	berth__call_begin(call, BERTH_OP_USE, BERTH_FORM_NONE);
	berth__call_queue(call, queue);
	call->op->name = berth__kernel_uses(uses, kernel);
	berth__call_uses(call, uses);
	berth__call_enter(call);
}

static void end(struct berth__call *call, struct berth__uses *uses, cl_int status)
{
	berth__call_leave(call, status);
	call->op->use_count = uses->count;
	berth__call_commit(call);
	berth__uses_free(uses);
}

cl_int CL_API_CALL berth__clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
						 cl_uint work_dim, const size_t *global_work_offset,
						 const size_t *global_work_size,
						 const size_t *local_work_size,
						 cl_uint num_events_in_wait_list,
						 const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__uses uses;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueNDRangeKernel, queue, kernel, work_dim, global_work_offset,
			   global_work_size, local_work_size, num_events_in_wait_list,
			   event_wait_list, event);
	begin_kernel(&call, &uses, queue, kernel);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueNDRangeKernel(
					   queue, kernel, work_dim, global_work_offset,
					   global_work_size, local_work_size,
					   num_events_in_wait_list, event_wait_list, event));
	end(&call, &uses, status);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
					cl_uint num_events_in_wait_list,
					const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__uses uses;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueTask, queue, kernel, num_events_in_wait_list, event_wait_list,
			   event);
	begin_kernel(&call, &uses, queue, kernel);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueTask(queue, kernel,
								     num_events_in_wait_list,
								     event_wait_list, event));
	end(&call, &uses, status);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueNativeKernel(cl_command_queue queue,
						void(CL_CALLBACK *user_func)(void *), void *args,
						size_t cb_args, cl_uint num_mem_objects,
						const cl_mem *mem_list, const void **args_mem_loc,
						cl_uint num_events_in_wait_list,
						const cl_event *event_wait_list, cl_event *event)
{
	const struct berth__native program = { user_func, args, cb_args, num_mem_objects,
					       args_mem_loc };
	struct berth__native given;
	struct berth__call call;
	struct berth__uses uses;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueNativeKernel, queue, user_func, args, cb_args, num_mem_objects,
			   mem_list, args_mem_loc, num_events_in_wait_list, event_wait_list, event);
	given = berth__native_wrap(&program);
	berth__uses_list(&uses, mem_list, num_mem_objects, "clEnqueueNativeKernel");
	berth__call_begin(&call, BERTH_OP_USE, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	call.op->name = berth__layer_name("native kernel");
	berth__call_uses(&call, &uses);
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueNativeKernel(
					   queue, given.function, given.args, given.args_bytes,
					   num_mem_objects, mem_list, given.locations,
					   num_events_in_wait_list, event_wait_list, event));
	end(&call, &uses, status);
	berth__native_free(&given, &program);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueMigrateMemObjects(
	cl_command_queue queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
	cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
	const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__uses uses;
	cl_int status;

	BERTH__PASS_INSIDE(clEnqueueMigrateMemObjects, queue, num_mem_objects, mem_objects, flags,
			   num_events_in_wait_list, event_wait_list, event);
	berth__uses_list(&uses, mem_objects, num_mem_objects, "clEnqueueMigrateMemObjects");
	berth__call_begin(&call, BERTH_OP_MIGRATE, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	call.op->flags = flags;
	if (!mem_objects)
		call.op->absent |= BERTH_ABSENT_LIST;
	berth__call_uses(&call, &uses);
	berth__call_enter(&call);
	berth__call_events(&call, num_events_in_wait_list, event_wait_list, event);
	status = BERTH__ASK(&call, berth__layer.target.clEnqueueMigrateMemObjects(
					   queue, num_mem_objects, mem_objects, flags,
					   num_events_in_wait_list, event_wait_list, event));
	end(&call, &uses, status);
	return status;
}

/* What it does is a migration; the flags are its own. */
cl_int CL_API_CALL berth__clEnqueueMigrateMemObjectEXT(cl_command_queue queue, cl_uint count,
						       const cl_mem *objects, cl_bitfield flags,
						       cl_uint wait_count,
						       const cl_event *wait_list, cl_event *event)
{
	__typeof__(&berth__clEnqueueMigrateMemObjectEXT) real =
		BERTH__REAL(clEnqueueMigrateMemObjectEXT, queue);
	struct berth__call call;
	struct berth__uses uses;
	cl_int status;

	if (berth__layer_is_inside("clEnqueueMigrateMemObjectEXT"))
		return real(queue, count, objects, flags, wait_count, wait_list, event);
	berth__uses_list(&uses, objects, count, "clEnqueueMigrateMemObjectEXT");
	berth__call_begin(&call, BERTH_OP_MIGRATE, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	berth__call_uses(&call, &uses);
	berth__call_events(&call, wait_count, wait_list, event);
	berth__call_enter(&call);
	status =
		BERTH__ASK(&call, real(queue, count, objects, flags, wait_count, wait_list, event));
	end(&call, &uses, status);
	return status;
}
