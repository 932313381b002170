/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events. An id stands for one from the command that gave it to its last release; that it is
 * complete is noticed where the program notices it, and never asked for on our own.
 */
#include "layer_event.h"

#include "layer_callback.h"
#include "layer_calls.h"
#include "layer_later.h"

uint64_t berth__event_enter(cl_event event, const struct berth__call *call)
{
	struct berth__handle replaced;
	const struct berth__handle entry = {
		.handle = event,
		.id = atomic_fetch_add_explicit(&berth__layer.last_event, 1,
						memory_order_relaxed) +
		      1,
		.references = 1,
		.context = call->op->context,
		.queue = call->op->queue,
		.flags = call->queue_flags,
	};

	if (!berth__handle_insert(&berth__layer.events, &entry, &replaced))
		berth__spool_count_lost(&berth__layer.spool);
	return entry.id;
}

uint64_t berth__event_id(cl_event event)
{
	struct berth__handle entry;

	return berth__handle_find(&berth__layer.events, event, &entry) ? entry.id
								       : BERTH_ID_UNKNOWN;
}

/* The program asked for these times; it is not the recorder who makes the driver take them. */
static void append_times(cl_event event, uint64_t id)
{
	static const cl_profiling_info queries[] = {
		CL_PROFILING_COMMAND_QUEUED,
		CL_PROFILING_COMMAND_SUBMIT,
		CL_PROFILING_COMMAND_START,
		CL_PROFILING_COMMAND_END,
	};
	cl_ulong times_ns[4];
	struct berth_spool_time record = { .record.type = BERTH_SPOOL_TIME, .event = id };
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) } },
		.part_count = 1,
	};

	if (!berth__layer.target.clGetEventProfilingInfo)
		return;
	for (int i = 0; i < 4; i++)
		if (berth__layer.target.clGetEventProfilingInfo(event, queries[i], sizeof(cl_ulong),
								&times_ns[i], NULL) != CL_SUCCESS)
			return;
	record.queued_ns = times_ns[0];
	record.submitted_ns = times_ns[1];
	record.started_ns = times_ns[2];
	record.ended_ns = times_ns[3];
	berth__spool_append(&berth__layer.spool, &message);
}

bool berth__event_complete(cl_event event)
{
	struct berth__handle *place = berth__handle_lock(&berth__layer.events, event);
	struct berth__handle entry;

	if (!place)
		return false;
	entry = *place;
	berth__handle_set_flags(place, entry.flags | BERTH__EVENT_COMPLETE);
	berth__handle_unlock(&berth__layer.events, event);
	if (entry.flags & BERTH__EVENT_COMPLETE)
		return false;
	if (entry.flags & BERTH__QUEUE_PROFILES)
		append_times(event, entry.id);
	if (entry.queue)
		berth__later_event(entry.id, entry.queue,
				   !(entry.flags & BERTH__QUEUE_OUT_OF_ORDER));
	return true;
}

cl_int CL_API_CALL berth__clRetainEvent(cl_event event)
{
	BERTH__PASS_INSIDE(clRetainEvent, event);

	struct berth__handle entry;
	bool known = berth__handle_retain(&berth__layer.events, event, &entry);
	cl_int status = berth__layer.target.clRetainEvent(event);

	if (known && status != CL_SUCCESS)
		berth__handle_release(&berth__layer.events, event, &entry);
	return status;
}

/* The driver may give the handle out again before it returns: the entry goes first. */
cl_int CL_API_CALL berth__clReleaseEvent(cl_event event)
{
	BERTH__PASS_INSIDE(clReleaseEvent, event);

	struct berth__handle entry;
	bool known = berth__handle_release(&berth__layer.events, event, &entry);
	cl_int status = berth__layer.target.clReleaseEvent(event);

	if (known && status != CL_SUCCESS)
		berth__handle_restore(&berth__layer.events, &entry);
	return status;
}

cl_event CL_API_CALL berth__clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
	struct berth__call call;
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_event event;

	BERTH__PASS_INSIDE(clCreateUserEvent, context, errcode_ret);
	berth__call_begin_order(&call, "clCreateUserEvent");
	call.op->context = berth__layer_context(context);
	berth__call_enter(&call);
	event = berth__layer.target.clCreateUserEvent(context, status);
	berth__call_events(&call, 0, NULL, &event);
	berth__call_leave(&call, berth__call_create_status(event, *status));
	berth__call_commit(&call);
	return event;
}

/*
 * From here on commands that waited for it run, and may end the program's memory: recorded
 * before as well as after, it would be two calls. The pending slot says that it began.
 */
cl_int CL_API_CALL berth__clSetUserEventStatus(cl_event event, cl_int execution_status)
{
	struct berth__call call;
	cl_int status;

	BERTH__PASS_INSIDE(clSetUserEventStatus, event, execution_status);
	berth__call_begin_order(&call, "clSetUserEventStatus");
	berth__call_enter(&call);
	call.op->bits = BERTH_SPOOL_OP_EVENTS_COMPLETE;
	berth__call_events(&call, 1, &event, NULL);
	status = berth__layer.target.clSetUserEventStatus(event, execution_status);
	berth__call_leave(&call, status);
	berth__call_commit(&call);
	return status;
}

/* A moment at which the program learnt that a command is complete. */
static void note_complete(cl_event event, const char *how)
{
	struct berth__call call;

	if (!berth__event_complete(event))
		return;
	berth__call_begin_order(&call, how);
	call.op->bits = BERTH_SPOOL_OP_EVENTS_COMPLETE;
	berth__call_events(&call, 1, &event, NULL);
	berth__call_enter(&call);
	berth__call_leave(&call, CL_SUCCESS);
	berth__call_commit(&call);
}

cl_int CL_API_CALL berth__clGetEventInfo(cl_event event, cl_event_info name, size_t size,
					 void *value, size_t *size_ret)
{
	cl_int status = berth__layer.target.clGetEventInfo(event, name, size, value, size_ret);

	if (berth__this_thread.depth == 0 && status == CL_SUCCESS && value &&
	    name == CL_EVENT_COMMAND_EXECUTION_STATUS && *(const cl_int *)value == CL_COMPLETE)
		note_complete(event, "complete, by clGetEventInfo");
	return status;
}

struct event_callback {
	void(CL_CALLBACK *function)(cl_event, cl_int, void *);
	void *user_data;
};

static void CL_CALLBACK on_event(cl_event event, cl_int execution_status, void *user_data)
{
	struct event_callback *callback = user_data;
	struct event_callback own = *callback;
	uint32_t depth;

	free(callback);
	depth = berth__callback_begin();
	if (execution_status == CL_COMPLETE)
		note_complete(event, "complete, by callback");
	own.function(event, execution_status, own.user_data);
	berth__callback_end(depth);
}

cl_int CL_API_CALL berth__clSetEventCallback(cl_event event, cl_int type,
					     void(CL_CALLBACK *function)(cl_event, cl_int, void *),
					     void *user_data)
{
	struct event_callback *callback = NULL;
	cl_int status;

	BERTH__PASS_INSIDE(clSetEventCallback, event, type, function, user_data);
	if (function)
		callback = malloc(sizeof(*callback));
	if (!callback)
		return berth__layer.target.clSetEventCallback(event, type, function, user_data);
	*callback = (struct event_callback){ function, user_data };
	status = berth__layer.target.clSetEventCallback(event, type, on_event, callback);
	if (status != CL_SUCCESS)
		free(callback);
	return status;
}

/* Commands that do nothing but order others; on a queue and with events. */
#define ORDER(name, parameters, arguments, wait_count, wait_list, event)                           \
	cl_int CL_API_CALL berth__##name parameters                                                \
	{                                                                                          \
		struct berth__call call;                                                           \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return berth__layer.target.name arguments;                                 \
		berth__call_begin_order(&call, #name);                                             \
		berth__call_queue(&call, queue);                                                   \
		berth__call_events(&call, wait_count, wait_list, event);                           \
		berth__call_enter(&call);                                                          \
		status = berth__layer.target.name arguments;                                       \
		berth__call_leave(&call, status);                                                  \
		berth__call_commit(&call);                                                         \
		return status;                                                                     \
	}

ORDER(clFlush, (cl_command_queue queue), (queue), 0, NULL, NULL)

ORDER(clEnqueueMarker, (cl_command_queue queue, cl_event *event), (queue, event), 0, NULL, event)

ORDER(clEnqueueMarkerWithWaitList,
      (cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event),
      (queue, count, list, event), count, list, event)

ORDER(clEnqueueBarrier, (cl_command_queue queue), (queue), 0, NULL, NULL)

ORDER(clEnqueueBarrierWithWaitList,
      (cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event),
      (queue, count, list, event), count, list, event)

ORDER(clEnqueueWaitForEvents, (cl_command_queue queue, cl_uint count, const cl_event *list),
      (queue, count, list), count, list, NULL)
