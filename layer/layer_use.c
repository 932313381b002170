/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a list of objects: kernels that use them, and migrations. */
#include "layer_call.h"
#include "layer_calls.h"
#include "layer_kernel.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

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

/*
 * Copy handles from a list that the driver has not looked at: what it refuses for
 * another reason may point anywhere. Returns how many could be read.
 */
static cl_uint read_handles(cl_mem *out, const cl_mem *list, cl_uint count)
{
	const struct iovec to = { out, count * sizeof(*out) };
	const struct iovec from = { (void *)(uintptr_t)list, count * sizeof(*list) };
	int errno_of_program = errno;
	ssize_t bytes = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	bool forbidden = bytes < 0 && errno != EFAULT;

	errno = errno_of_program;
	if (forbidden) {
		memcpy(out, list, count * sizeof(*list));
		return count;
	}
	return bytes < 0 ? 0 : (cl_uint)((size_t)bytes / sizeof(*out));
}

static void list_objects(struct berth__uses *uses, const cl_mem *objects, cl_uint count,
			 const char *untracked_name)
{
	cl_mem handles[64];
	const cl_uint room = sizeof(handles) / sizeof(handles[0]);

	if (count > LIST_MAX) {
		berth__layer_count_untracked(untracked_name);
		count = LIST_MAX;
	}
	if (!berth__uses_reserve(uses, objects ? count : 0))
		berth__spool_count_lost(&berth__layer.spool);
	if (!objects || !uses->list)
		return;
	while (uses->count < count) {
		cl_uint left = count - uses->count, part = left < room ? left : room;
		cl_uint got = read_handles(handles, objects + uses->count, part);

		for (cl_uint i = 0; i < got; i++, uses->count++)
			uses->list[uses->count] = (berth_object_use){
				.object = berth__layer_object(handles[i]),
				.arg_index = uses->count,
			};
		if (got < part)
			return;
	}
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
