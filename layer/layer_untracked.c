/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that touch memory but that no op describes yet: forwarded, and counted by
 * name, so that a trace says what it lacks.
 */
#include "layer_calls.h"

#include <stdlib.h>
#include <string.h>

static struct {
	pthread_mutex_t lock;
	uint32_t count;
	char *names[BERTH_SPOOL_UNTRACKED_MAX];
} known = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void append_untracked(uint32_t index, const char *name)
{
	struct berth_spool_untracked record = {
		.record.type = BERTH_SPOOL_UNTRACKED,
		.index = index,
		.text_bytes = (uint32_t)strlen(name) + 1,
	};
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) }, { name, record.text_bytes } },
		.part_count = 2,
	};

	berth__spool_append(&berth__layer.spool, &message);
}

/* False: there is no counter left for it, or no memory. */
static bool find_index(uint32_t *out, const char *name)
{
	uint32_t index = 0;

	while (index < known.count && strcmp(known.names[index], name) != 0)
		index++;
	if (index == BERTH_SPOOL_UNTRACKED_MAX)
		return false;
	if (index == known.count) {
		known.names[index] = strdup(name);
		if (!known.names[index])
			return false;
		known.count++;
		append_untracked(index, name);
	}
	*out = index;
	return true;
}

void berth__layer_count_untracked(const char *name)
{
	uint32_t index;
	bool found;

	berth__layer_thread();
	pthread_mutex_lock(&known.lock);
	found = find_index(&index, name);
	pthread_mutex_unlock(&known.lock);
	if (found)
		berth__spool_count_untracked(&berth__layer.spool, index);
	else
		berth__spool_count_lost(&berth__layer.spool);
}

void berth__layer_forget_untracked(void)
{
	pthread_mutex_init(&known.lock, NULL);
	known.count = 0;
}

/* PASS(type of the answer, call, (parameters), (arguments)) */
#define PASS(type, name, parameters, arguments)                                                    \
	type CL_API_CALL berth__##name parameters                                                  \
	{                                                                                          \
		berth__layer_count_untracked(#name);                                               \
		return berth__layer.target.name arguments;                                         \
	}

/* What the enqueue calls end with. */
#define WAIT_LIST cl_uint wait_count, const cl_event *wait_list, cl_event *event
#define WAIT_ARGUMENTS wait_count, wait_list, event

PASS(cl_mem, clCreateFromGLBuffer,
     (cl_context context, cl_mem_flags flags, cl_GLuint buffer, cl_int *errcode_ret),
     (context, flags, buffer, errcode_ret))

PASS(cl_mem, clCreateFromGLTexture,
     (cl_context context, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture,
      cl_int *errcode_ret),
     (context, flags, target, level, texture, errcode_ret))

PASS(cl_mem, clCreateFromGLTexture2D,
     (cl_context context, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture,
      cl_int *errcode_ret),
     (context, flags, target, level, texture, errcode_ret))

PASS(cl_mem, clCreateFromGLTexture3D,
     (cl_context context, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture,
      cl_int *errcode_ret),
     (context, flags, target, level, texture, errcode_ret))

PASS(cl_mem, clCreateFromGLRenderbuffer,
     (cl_context context, cl_mem_flags flags, cl_GLuint renderbuffer, cl_int *errcode_ret),
     (context, flags, renderbuffer, errcode_ret))

PASS(cl_int, clEnqueueAcquireGLObjects,
     (cl_command_queue queue, cl_uint count, const cl_mem *objects, WAIT_LIST),
     (queue, count, objects, WAIT_ARGUMENTS))

PASS(cl_int, clEnqueueReleaseGLObjects,
     (cl_command_queue queue, cl_uint count, const cl_mem *objects, WAIT_LIST),
     (queue, count, objects, WAIT_ARGUMENTS))

PASS(cl_mem, clCreateFromEGLImageKHR,
     (cl_context context, CLeglDisplayKHR display, CLeglImageKHR image, cl_mem_flags flags,
      const cl_egl_image_properties_khr *properties, cl_int *errcode_ret),
     (context, display, image, flags, properties, errcode_ret))

PASS(cl_int, clEnqueueAcquireEGLObjectsKHR,
     (cl_command_queue queue, cl_uint count, const cl_mem *objects, WAIT_LIST),
     (queue, count, objects, WAIT_ARGUMENTS))

PASS(cl_int, clEnqueueReleaseEGLObjectsKHR,
     (cl_command_queue queue, cl_uint count, const cl_mem *objects, WAIT_LIST),
     (queue, count, objects, WAIT_ARGUMENTS))
