/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Destructor callbacks. The driver calls them when it really destroys the object, which may be
 * long after the last release: that moment is written, since only here it can be seen.
 */
#include "layer_callback.h"
#include "layer_call.h"
#include "layer_calls.h"
#include "layer_extension.h"

struct destructor {
	uint64_t object; /* id */
	uint32_t context;
	uint32_t generation;
	union {
		void(CL_CALLBACK *of_object)(cl_mem, void *);
		void(CL_CALLBACK *of_context)(cl_context, void *);
	};
	void *user_data;
};

static void note_destroyed(const struct destructor *destructor)
{
	struct berth__call call;

	berth__call_begin_order(&call, "destroyed");
	/* Of the parent's objects a forked child knows nothing. */
	if (destructor->generation == berth__layer.generation) {
		call.op->object = destructor->object;
		call.op->context = destructor->context;
	}
	berth__call_enter(&call);
	berth__call_leave(&call, CL_SUCCESS);
	berth__call_commit(&call);
}

static void CL_CALLBACK on_destroyed(cl_mem object, void *user_data)
{
	struct destructor own = *(const struct destructor *)user_data;
	uint32_t depth = berth__callback_begin();

	free(user_data);
	note_destroyed(&own);
	own.of_object(object, own.user_data);
	berth__callback_end(depth);
}

static void CL_CALLBACK on_context_destroyed(cl_context context, void *user_data)
{
	struct destructor own = *(const struct destructor *)user_data;
	uint32_t depth = berth__callback_begin();

	free(user_data);
	own.of_context(context, own.user_data);
	berth__callback_end(depth);
}

/* Begins the op; NULL: the program gave no function, or no memory. */
static struct destructor *begin(struct berth__call *call, cl_mem object, bool has_function)
{
	struct destructor *destructor = has_function ? malloc(sizeof(*destructor)) : NULL;
	struct berth__handle entry;

	berth__call_begin(call, BERTH_OP_DESTRUCTOR, BERTH_FORM_NONE);
	berth__layer_find_object(object, &entry);
	call->op->object = entry.id;
	call->op->context = entry.context;
	if (!has_function)
		call->op->absent |= BERTH_ABSENT_FUNCTION;
	if (destructor)
		*destructor = (struct destructor){
			.object = entry.id,
			.context = entry.context,
			.generation = berth__layer.generation,
		};
	berth__call_enter(call);
	return destructor;
}

static void end(struct berth__call *call, struct destructor *destructor, cl_int status)
{
	berth__call_leave(call, status);
	if (status != CL_SUCCESS)
		free(destructor);
	berth__call_commit(call);
}

#define SET_DESTRUCTOR(name, real)                                                                 \
	cl_int CL_API_CALL berth__##name(                                                          \
		cl_mem object, void(CL_CALLBACK *function)(cl_mem, void *), void *user_data)       \
	{                                                                                          \
		struct destructor *destructor;                                                     \
		struct berth__call call;                                                           \
		cl_int status;                                                                     \
                                                                                                   \
		if (berth__layer_is_inside(#name))                                                 \
			return real(name, object)(object, function, user_data);                    \
		destructor = begin(&call, object, function);                                       \
		if (destructor) {                                                                  \
			destructor->of_object = function;                                          \
			destructor->user_data = user_data;                                         \
		}                                                                                  \
		status = real(name, object)(object, destructor ? on_destroyed : function,          \
					    destructor ? destructor : user_data);                  \
		end(&call, destructor, status);                                                    \
		return status;                                                                     \
	}

SET_DESTRUCTOR(clSetMemObjectDestructorCallback, BERTH__TABLE)
SET_DESTRUCTOR(clSetMemObjectDestructorAPPLE, BERTH__REAL)

/* Only so that what it calls is the program's. */
cl_int CL_API_CALL berth__clSetContextDestructorCallback(
	cl_context context, void(CL_CALLBACK *function)(cl_context, void *), void *user_data)
{
	struct destructor *destructor = function ? malloc(sizeof(*destructor)) : NULL;
	cl_int status;

	if (!destructor)
		return berth__layer.target.clSetContextDestructorCallback(context, function,
									  user_data);
	*destructor = (struct destructor){ .of_context = function, .user_data = user_data };
	status = berth__layer.target.clSetContextDestructorCallback(context, on_context_destroyed,
								    destructor);
	if (status != CL_SUCCESS)
		free(destructor);
	return status;
}
