/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a list of objects: kernels that use them, and migrations. */
#include "layer_call.h"
#include "layer_calls.h"
#include "layer_kernel.h"

/* Of a longer list the rest is left out, and the call counted as not modelled. */
#define LIST_MAX 16384u

static void attach_uses(struct berth__call *call, const struct berth__uses *uses)
{
	if (uses->count == 0)
		return;
	call->uses = uses->list;
	call->op->use_count = uses->count;
	call->parts |= BERTH_SPOOL_PART_USES;
}

static void begin_kernel(struct berth__call *call, struct berth__uses *uses, cl_command_queue queue,
			 cl_kernel kernel)
{
	berth__call_begin(call, BERTH_OP_USE, BERTH_FORM_NONE);
	berth__call_queue(call, queue);
	call->op->name = berth__kernel_uses(uses, kernel);
	attach_uses(call, uses);
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

	begin_kernel(&call, &uses, queue, kernel);
	status = berth__layer.target.clEnqueueNDRangeKernel(
		queue, kernel, work_dim, global_work_offset, global_work_size, local_work_size,
		num_events_in_wait_list, event_wait_list, event);
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

	begin_kernel(&call, &uses, queue, kernel);
	status = berth__layer.target.clEnqueueTask(queue, kernel, num_events_in_wait_list,
						   event_wait_list, event);
	end(&call, &uses, status);
	return status;
}

static void list_objects(struct berth__uses *uses, const cl_mem *objects, cl_uint count,
			 const char *untracked_name)
{
	if (count > LIST_MAX) {
		berth__layer_count_untracked(untracked_name);
		count = LIST_MAX;
	}
	if (!berth__uses_reserve(uses, objects ? count : 0))
		berth__spool_count_lost(&berth__layer.spool);
	if (!objects || !uses->list)
		return;
	for (cl_uint i = 0; i < count; i++)
		uses->list[uses->count++] = (berth_object_use){
			.object = berth__layer_object(objects[i]),
			.arg_index = i,
		};
}

cl_int CL_API_CALL berth__clEnqueueNativeKernel(cl_command_queue queue,
						void(CL_CALLBACK *user_func)(void *), void *args,
						size_t cb_args, cl_uint num_mem_objects,
						const cl_mem *mem_list, const void **args_mem_loc,
						cl_uint num_events_in_wait_list,
						const cl_event *event_wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__uses uses;
	cl_int status;

	list_objects(&uses, mem_list, num_mem_objects, "clEnqueueNativeKernel of too many objects");
	berth__call_begin(&call, BERTH_OP_USE, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	call.op->name = berth__layer_name("native kernel");
	attach_uses(&call, &uses);
	berth__call_enter(&call);
	status = berth__layer.target.clEnqueueNativeKernel(
		queue, user_func, args, cb_args, num_mem_objects, mem_list, args_mem_loc,
		num_events_in_wait_list, event_wait_list, event);
	end(&call, &uses, status);
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

	list_objects(&uses, mem_objects, num_mem_objects,
		     "clEnqueueMigrateMemObjects of too many objects");
	berth__call_begin(&call, BERTH_OP_MIGRATE, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	call.op->flags = flags;
	if (!mem_objects)
		call.op->absent |= BERTH_ABSENT_LIST;
	attach_uses(&call, &uses);
	berth__call_enter(&call);
	status = berth__layer.target.clEnqueueMigrateMemObjects(queue, num_mem_objects, mem_objects,
								flags, num_events_in_wait_list,
								event_wait_list, event);
	end(&call, &uses, status);
	return status;
}
