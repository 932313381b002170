/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
	bool explains;
	_Atomic uint64_t own; /* refusals of the machine */
	_Atomic bool ended;
} say;

/* The call behind an op; forms that are not here have one call each. */
static const struct {
	berth_op_kind kind;
	berth_op_form form;
	const char *name;
} names[] = {
	{ BERTH_OP_BUFFER_CREATE, BERTH_FORM_NONE, "clCreateBuffer" },
	{ BERTH_OP_SUBBUFFER_CREATE, BERTH_FORM_NONE, "clCreateSubBuffer" },
	{ BERTH_OP_IMAGE_CREATE, BERTH_FORM_NONE, "clCreateImage" },
	{ BERTH_OP_PIPE_CREATE, BERTH_FORM_NONE, "clCreatePipe" },
	{ BERTH_OP_SVM_ALLOC, BERTH_FORM_NONE, "clSVMAlloc" },
	{ BERTH_OP_SVM_FREE, BERTH_FORM_NONE, "clSVMFree" },
	{ BERTH_OP_RETAIN, BERTH_FORM_NONE, "clRetainMemObject" },
	{ BERTH_OP_RELEASE, BERTH_FORM_NONE, "clReleaseMemObject" },
	{ BERTH_OP_WRITE, BERTH_FORM_LINEAR, "clEnqueueWriteBuffer" },
	{ BERTH_OP_WRITE, BERTH_FORM_RECT, "clEnqueueWriteBufferRect" },
	{ BERTH_OP_WRITE, BERTH_FORM_IMAGE, "clEnqueueWriteImage" },
	{ BERTH_OP_READ, BERTH_FORM_LINEAR, "clEnqueueReadBuffer" },
	{ BERTH_OP_READ, BERTH_FORM_RECT, "clEnqueueReadBufferRect" },
	{ BERTH_OP_READ, BERTH_FORM_IMAGE, "clEnqueueReadImage" },
	{ BERTH_OP_COPY, BERTH_FORM_LINEAR, "clEnqueueCopyBuffer" },
	{ BERTH_OP_COPY, BERTH_FORM_RECT, "clEnqueueCopyBufferRect" },
	{ BERTH_OP_COPY, BERTH_FORM_IMAGE, "clEnqueueCopyImage" },
	{ BERTH_OP_COPY, BERTH_FORM_IMAGE_TO_BUFFER, "clEnqueueCopyImageToBuffer" },
	{ BERTH_OP_COPY, BERTH_FORM_BUFFER_TO_IMAGE, "clEnqueueCopyBufferToImage" },
	{ BERTH_OP_FILL, BERTH_FORM_LINEAR, "clEnqueueFillBuffer" },
	{ BERTH_OP_FILL, BERTH_FORM_IMAGE, "clEnqueueFillImage" },
	{ BERTH_OP_MAP, BERTH_FORM_LINEAR, "clEnqueueMapBuffer" },
	{ BERTH_OP_MAP, BERTH_FORM_IMAGE, "clEnqueueMapImage" },
	{ BERTH_OP_UNMAP, BERTH_FORM_NONE, "clEnqueueUnmapMemObject" },
	{ BERTH_OP_MIGRATE, BERTH_FORM_NONE, "clEnqueueMigrateMemObjects" },
	{ BERTH_OP_USE, BERTH_FORM_NONE, "clEnqueueNDRangeKernel" },
	{ BERTH_OP_SYNC, BERTH_FORM_NONE, "clFinish" },
};

static const char *call_name(const berth_op *op)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].kind == op->kind && names[i].form == op->form)
			return names[i].name;
	return op->form == BERTH_FORM_SVM ? "a call on shared virtual memory"
					  : berth_op_kind_string(op->kind);
}

void berth__simulate_say_start(bool explain)
{
	say.explains = explain;
}

void berth__simulate_say(const char *format, ...)
{
	char line[1024] = "berth: ";
	size_t begin = strlen(line), room = sizeof(line) - begin - 1;
	ssize_t written;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line + begin, room, format, args);
	va_end(args);
	if (length < 0)
		return;
	begin += (size_t)length < room ? (size_t)length : room - 1;
	line[begin++] = '\n';
	written = write(STDERR_FILENO, line, begin);
	(void)written; /* then nobody listens */
}

void berth__simulate_say_refused(const struct simulated *simulated, const berth_op *op,
				 const berth_result *result)
{
	const char *reason = berth_error_get()->message;
	char text[256];

	if (!say.explains)
		return;
	/* The detail of most refusals begins with the op itself. */
	berth_op_describe(op, text, sizeof(text));
	berth__simulate_say("%s: %s refuses it with %s: %s%s%s", call_name(op),
			    simulated->profile->name, berth_cl_status_string(result->cl_status),
			    result->rule ? result->rule : "", result->rule ? ": " : "",
			    *reason ? reason : text);
}

void berth__simulate_say_own(const struct simulated *simulated, const berth_op *op, cl_int code)
{
	char text[256];

	/* The first one always: what the program does from here on, it would not do there. */
	if (atomic_fetch_add(&say.own, 1) > 0 && !say.explains)
		return;
	berth_op_describe(op, text, sizeof(text));
	berth__simulate_say("%s: this machine's driver refuses it with %s; %s would accept it (%s)",
			    call_name(op), berth_cl_status_string(code), simulated->profile->name,
			    text);
}

void berth__simulate_say_end(void)
{
	uint64_t own = atomic_load(&say.own);

	if (own > 1 && !atomic_exchange(&say.ended, true))
		berth__simulate_say("%" PRIu64
				    " calls were refused by this machine's driver, not by the "
				    "simulated device",
				    own);
}
