/* SPDX-License-Identifier: Apache-2.0 */
/* The thread's error detail: fixed room, so that reporting an error cannot fail. */
#include <berth/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local berth_error last_error;

const berth_error *berth_error_get(void)
{
	return &last_error;
}

berth_status berth_error_set(berth_status status, int32_t cl_status, const char *format, ...)
{
	/* Through a buffer: the arguments may point into the old message. */
	char message[BERTH_ERROR_MESSAGE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	last_error.status = status;
	last_error.cl_status = cl_status;
	memcpy(last_error.message, message, sizeof(message));
	return status;
}
