/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the record layer makes of events, callbacks, content that comes later and marks, on a
 * made-up driver that does on demand what real ones do at some time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer_driver.h"
#define BERTH_MARK_NO_LINK
#include <berth/mark.h>
#include "test_main.h"

/* Callbacks that the program gave. */
static void(CL_CALLBACK *on_event)(cl_event, cl_int, void *);
static void(CL_CALLBACK *on_destroyed)(cl_mem, void *);
static void *callback_data;

static cl_int CL_API_CALL driver_reference(cl_mem object)
{
	(void)object;
	return layer_driver_answer(NULL);
}

static cl_int CL_API_CALL driver_set_destructor(cl_mem object,
						void(CL_CALLBACK *function)(cl_mem, void *),
						void *user_data)
{
	(void)object;
	on_destroyed = function;
	callback_data = user_data;
	return next_status;
}

static cl_int CL_API_CALL driver_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				      size_t offset, size_t size, void *host, cl_uint waits,
				      const cl_event *events, cl_event *event)
{
	(void)queue, (void)buffer, (void)offset, (void)waits, (void)events;
	if (blocking && next_status == CL_SUCCESS)
		memset(host, 5, size);
	return layer_driver_answer(event);
}

static void *CL_API_CALL driver_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				    cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
				    const cl_event *events, cl_event *event, cl_int *status)
{
	(void)queue, (void)buffer, (void)blocking, (void)flags, (void)offset, (void)size;
	(void)waits, (void)events;
	*status = layer_driver_answer(event);
	return *status == CL_SUCCESS ? next_pointer : NULL;
}

static cl_int CL_API_CALL driver_unmap(cl_command_queue queue, cl_mem object, void *pointer,
				       cl_uint waits, const cl_event *events, cl_event *event)
{
	(void)queue, (void)object, (void)pointer, (void)waits, (void)events;
	return layer_driver_answer(event);
}

static cl_int CL_API_CALL driver_finish(cl_command_queue queue)
{
	(void)queue;
	return layer_driver_answer(NULL);
}

static cl_int CL_API_CALL driver_wait(cl_uint count, const cl_event *events)
{
	(void)count, (void)events;
	return layer_driver_answer(NULL);
}

static cl_int CL_API_CALL driver_marker(cl_command_queue queue, cl_uint waits,
					const cl_event *events, cl_event *event)
{
	(void)queue, (void)waits, (void)events;
	return layer_driver_answer(event);
}

static cl_event CL_API_CALL driver_user_event(cl_context context, cl_int *status)
{
	(void)context;
	*status = CL_SUCCESS;
	return next_event;
}

static cl_int CL_API_CALL driver_set_user_event(cl_event event, cl_int execution_status)
{
	(void)event, (void)execution_status;
	return layer_driver_answer(NULL);
}

static cl_int CL_API_CALL driver_event_reference(cl_event event)
{
	(void)event;
	return layer_driver_answer(NULL);
}

static cl_int CL_API_CALL driver_event_info(cl_event event, cl_event_info name, size_t size,
					    void *value, size_t *size_ret)
{
	(void)event, (void)name, (void)size, (void)size_ret;
	*(cl_int *)value = CL_COMPLETE;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL driver_event_callback(cl_event event, cl_int type,
						void(CL_CALLBACK *function)(cl_event, cl_int,
									    void *),
						void *user_data)
{
	(void)event, (void)type;
	on_event = function;
	callback_data = user_data;
	return next_status;
}

static cl_int CL_API_CALL driver_profile(cl_event event, cl_profiling_info name, size_t size,
					 void *value, size_t *size_ret)
{
	(void)event, (void)size, (void)size_ret;
	*(cl_ulong *)value = 1000 + (name - CL_PROFILING_COMMAND_QUEUED);
	return CL_SUCCESS;
}

static void *CL_API_CALL driver_any_function(const char *name)
{
	(void)name;
	return NULL;
}

static const cl_icd_dispatch driver = {
	.clCreateContext = layer_driver_context,
	.clCreateCommandQueue = layer_driver_queue,
	.clCreateBuffer = layer_driver_buffer,
	.clReleaseMemObject = driver_reference,
	.clSetMemObjectDestructorCallback = driver_set_destructor,
	.clEnqueueReadBuffer = driver_read,
	.clEnqueueMapBuffer = driver_map,
	.clEnqueueUnmapMemObject = driver_unmap,
	.clFinish = driver_finish,
	.clWaitForEvents = driver_wait,
	.clEnqueueMarkerWithWaitList = driver_marker,
	.clCreateUserEvent = driver_user_event,
	.clSetUserEventStatus = driver_set_user_event,
	.clRetainEvent = driver_event_reference,
	.clReleaseEvent = driver_event_reference,
	.clGetEventInfo = driver_event_info,
	.clSetEventCallback = driver_event_callback,
	.clGetEventProfilingInfo = driver_profile,
	.clGetExtensionFunctionAddress = driver_any_function,
};

/* ---- tests ---- */

static void contexts_and_queues(void)
{
	const struct spool_op *orders;

	layer_driver_make_queues();
	orders = layer_ordered(3);
	ASSERT_STRING(name_of(&orders[0]), "clCreateContext");
	ASSERT_INT(orders[0].op.context, 1);
	ASSERT_INT(orders[0].op.bytes, 1);
	ASSERT_STRING(name_of(&orders[2]), "clCreateCommandQueue");
	ASSERT_INT(orders[2].op.context, 1);
	ASSERT_INT(orders[2].op.queue, 2);
}

static void events(void)
{
	const cl_event waits[] = { EVENT(0), EVENT(9) };
	const struct spool_op *ops, *orders;
	uint64_t first;
	cl_int status;

	next_event = EVENT(0);
	layer_cl->clCreateUserEvent(CONTEXT, &status);
	next_event = EVENT(1);
	layer_cl->clEnqueueMarkerWithWaitList(OTHER_QUEUE, 2, waits, &next_event);
	layer_cl->clSetUserEventStatus(EVENT(0), CL_COMPLETE);
	layer_cl->clWaitForEvents(1, &next_event);
	layer_cl->clWaitForEvents(1, &next_event);
	/* The handle is given out again, and is another event. */
	layer_cl->clReleaseEvent(EVENT(1));
	layer_cl->clEnqueueMarkerWithWaitList(OTHER_QUEUE, 0, NULL, &next_event);
	orders = layer_ordered(4);
	ASSERT_STRING(name_of(&orders[0]), "clCreateUserEvent");
	first = orders[0].events[0];
	CU_ASSERT(first != 0);
	ASSERT_INT(orders[1].op.event_count, 3);
	ASSERT_INT(orders[1].events[0], first + 1);
	ASSERT_INT(orders[1].events[1], first);
	ASSERT_INT(orders[1].events[2], BERTH_ID_UNKNOWN);
	ASSERT_INT(orders[2].events[1], first);
	CU_ASSERT(orders[2].op.bits & BERTH_SPOOL_OP_EVENTS_COMPLETE);
	ASSERT_INT(orders[3].events[0], first + 2);
	ops = layer_recorded(2);
	ASSERT_INT(ops[0].op.kind, BERTH_OP_SYNC);
	ASSERT_INT(ops[0].events[1], first + 1);
	/* The queue profiles: its commands' times come once, with the first wait. */
	ASSERT_INT(layer_content.time_count, 1);
	ASSERT_INT(layer_content.time.event, first + 1);
	ASSERT_INT(layer_content.time.queued_ns, 1000);
	ASSERT_INT(layer_content.time.ended_ns, 1003);
	layer_cl->clReleaseEvent(EVENT(1));
}

/* A read that does not block is looked at when the program learns that it is complete. */
static void content_that_comes_later(void)
{
	static char target[64], other_target[64];
	const struct spool_op *ops;
	size_t later;
	cl_int value;

	make_buffer(BUFFER, 64);
	layer_cl->clEnqueueReadBuffer(QUEUE, BUFFER, CL_FALSE, 0, 64, target, 0, NULL, NULL);
	layer_recorded(2);
	later = layer_content.later_count;
	memset(target, 1, sizeof(target));
	layer_cl->clFinish(OTHER_QUEUE);
	layer_recorded(1);
	ASSERT_INT(layer_content.later_count, later);
	layer_cl->clFinish(QUEUE);
	layer_recorded(1);
	ASSERT_INT(layer_content.later_count, later + 1);
	assert_digest(layer_content.later.digest, target, 64);

	/* On a queue out of order, an event speaks for its own command alone. */
	next_event = EVENT(2);
	layer_cl->clEnqueueReadBuffer(OTHER_QUEUE, BUFFER, CL_FALSE, 0, 64, target, 0, NULL,
				      &next_event);
	next_event = EVENT(3);
	layer_cl->clEnqueueReadBuffer(OTHER_QUEUE, BUFFER, CL_FALSE, 0, 64, other_target, 0, NULL,
				      &next_event);
	memset(other_target, 2, sizeof(other_target));
	layer_cl->clGetEventInfo(EVENT(3), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(value), &value,
				 NULL);
	ops = layer_recorded(2);
	CU_ASSERT(ops[1].op.bits & BERTH_SPOOL_OP_DIGEST_LATER);
	ASSERT_INT(layer_content.later_count, later + 2);
	ASSERT_INT(layer_content.later.transfer, ops[1].op.mapping);
	assert_digest(layer_content.later.digest, other_target, 64);
	ASSERT_STRING(name_of(layer_ordered(1)), "complete, by clGetEventInfo");

	/* One that blocks is for all before it on a queue in order. */
	layer_cl->clEnqueueReadBuffer(QUEUE, BUFFER, CL_FALSE, 0, 64, target, 0, NULL, NULL);
	layer_cl->clEnqueueReadBuffer(QUEUE, BUFFER, CL_TRUE, 0, 64, other_target, 0, NULL, NULL);
	ops = layer_recorded(2);
	ASSERT_INT(layer_content.later_count, later + 3);
	assert_digest(ops[1].digest, other_target, 64);
}

/* It may be gone when its time has come: the program ends with no crash of ours. */
static void content_that_is_gone(void)
{
	size_t later;

	layer_cl->clEnqueueReadBuffer(QUEUE, BUFFER, CL_FALSE, 0, 64, (void *)16, 0, NULL, NULL);
	layer_recorded(1);
	later = layer_content.later_count;
	layer_cl->clFinish(QUEUE);
	layer_recorded(1);
	ASSERT_INT(layer_content.later_count, later);
}

static void mapped_content(void)
{
	static char bytes[64];
	static const uint8_t none[16];
	const struct spool_op *ops;
	cl_int status;

	next_pointer = bytes;
	layer_cl->clEnqueueMapBuffer(QUEUE, BUFFER, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL,
				     &status);
	layer_cl->clEnqueueUnmapMemObject(QUEUE, BUFFER, bytes, 0, NULL, NULL);
	layer_cl->clEnqueueMapBuffer(QUEUE, BUFFER, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL,
				     &status);
	memset(bytes, 9, sizeof(bytes));
	layer_cl->clEnqueueUnmapMemObject(QUEUE, BUFFER, bytes, 0, NULL, NULL);
	ops = layer_recorded(4);
	memset(bytes, 0, sizeof(bytes));
	assert_digest(ops[0].digest, bytes, 64);
	ASSERT_INT(memcmp(ops[1].digest, none, 16), 0);
	ASSERT_INT(memcmp(ops[2].digest, none, 16), 0);
	memset(bytes, 9, sizeof(bytes));
	assert_digest(ops[3].digest, bytes, 64);
}

/* ---- callbacks ---- */

static cl_mem destroyed;

static void CL_CALLBACK note_destroyed(cl_mem object, void *user_data)
{
	ASSERT_STRING(user_data, "mine");
	destroyed = object;
}

static void destroy(void)
{
	on_destroyed(BUFFER, callback_data);
}

static void destructors(void)
{
	static char mine[] = "mine";
	const struct spool_op *ops, *orders;
	uint64_t released;

	ASSERT_INT(layer_cl->clSetMemObjectDestructorCallback(BUFFER, note_destroyed, mine),
		   CL_SUCCESS);
	within = destroy;
	layer_cl->clReleaseMemObject(BUFFER);
	CU_ASSERT(destroyed == BUFFER);
	ops = layer_recorded(2);
	ASSERT_INT(ops[0].op.kind, BERTH_OP_DESTRUCTOR);
	released = ops[1].op.object;
	orders = layer_ordered(1);
	ASSERT_STRING(name_of(&orders[0]), "destroyed");
	ASSERT_INT(orders[0].op.object, released);
}

static void CL_CALLBACK use_opencl(cl_event event, cl_int execution_status, void *user_data)
{
	(void)event, (void)execution_status, (void)user_data;
	layer_cl->clFinish(QUEUE);
}

static void complete_event(void)
{
	on_event(EVENT(4), CL_COMPLETE, callback_data);
}

/* A driver may call back from inside a call: what is called there is the program's. */
static void calls_in_callbacks(void)
{
	const struct spool_op *ops;

	next_event = EVENT(4);
	layer_cl->clEnqueueMarkerWithWaitList(QUEUE, 0, NULL, &next_event);
	layer_cl->clSetEventCallback(EVENT(4), CL_COMPLETE, use_opencl, NULL);
	within = complete_event;
	layer_cl->clFinish(OTHER_QUEUE);
	ops = layer_recorded(2);
	ASSERT_INT(ops[0].op.queue, 1);
	ASSERT_INT(ops[1].op.queue, 2);
	ops = layer_ordered(2);
	ASSERT_STRING(name_of(&ops[1]), "complete, by callback");
	ASSERT_INT(layer_untracked("clFinish inside another call"), 0);
}

/* What the program calls its phases and objects. */
static void marks(void)
{
	static const struct {
		const char *text;
		uint32_t bits;
		bool named;
	} expected[] = {
		{ "load", BERTH_OP_BEGINS, false },
		{ "weights", 0, true },
		{ "load", BERTH_OP_ENDS, false },
		{ "now", 0, false },
	};
	const struct spool_op *ops;
	char longer[2000];

	berth_mark("nobody listens yet");
	berth_mark_use(layer_cl->clGetExtensionFunctionAddress);
	make_buffer(BUFFER_2, 64);
	berth_mark_begin("load");
	berth_name_object(BUFFER_2, "weights");
	berth_mark_end("load");
	berth_name_object((cl_mem)HANDLE(13), "no object");
	berth_name_pointer(longer, "no allocation");
	berth_mark("now");
	berth_mark(NULL);
	ops = layer_recorded(5);
	for (size_t i = 0; i < 4; i++) {
		test_case("%s", expected[i].text);
		ASSERT_INT(ops[1 + i].op.kind, BERTH_OP_LABEL);
		ASSERT_STRING(name_of(&ops[1 + i]), expected[i].text);
		ASSERT_INT(ops[1 + i].op.bits, expected[i].bits);
		ASSERT_INT(ops[1 + i].op.object, expected[i].named ? ops[0].op.object : 0);
	}
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	berth_mark(longer);
	layer_recorded(1);
}

int main(void)
{
	static const struct test tests[] = {
		{ "contexts and queues", contexts_and_queues },
		{ "events", events },
		{ "content that comes later", content_that_comes_later },
		{ "content that is gone", content_that_is_gone },
		{ "mapped content", mapped_content },
		{ "destructors", destructors },
		{ "calls in callbacks", calls_in_callbacks },
		{ "marks", marks },
		{ NULL, NULL },
	};
	int failed;

	if (!layer_driver_load(&driver))
		return 99;
	failed = test_main("layer events", tests);
	layer_fixture_unload();
	return failed;
}
