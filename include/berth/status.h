/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Status codes, and the detail behind the last failure on this thread.
 *
 * A berth_status says whether *Berth* could do what it was asked. The answer of
 * an OpenCL device to an operation is not a berth_status: it is the OpenCL code
 * in berth_result.cl_status, and a refusal there is a successful execution.
 *
 * Whoever returns a status other than BERTH_OK has set the thread's detail with
 * berth_error_set(): which object, which limit, both numbers, what would work.
 */
#ifndef BERTH_STATUS_H
#define BERTH_STATUS_H

#include <berth/api.h>

BERTH_BEGIN_DECLS

/** X(name, value, text). Values are pinned: they never change meaning. */
#define BERTH_STATUS_MAP(X)                                                    \
	X(BERTH_OK, 0, "success")                                              \
	X(BERTH_E_INVAL, 1, "an argument is not valid")                        \
	X(BERTH_E_NOMEM, 2, "out of host memory")                              \
	X(BERTH_E_OVERFLOW, 3, "a size does not fit the arithmetic")           \
	X(BERTH_E_NOT_FOUND, 4, "no such thing")                               \
	X(BERTH_E_UNSUPPORTED, 5, "not supported here")                        \
	X(BERTH_E_IO, 6, "input or output failed")                             \
	X(BERTH_E_FORMAT, 7, "the file's content is not valid")                \
	X(BERTH_E_VERSION, 8, "the file is of a version not known here")       \
	X(BERTH_E_CL, 9, "an OpenCL call failed")                              \
	X(BERTH_E_LIMIT, 10, "a limit would be passed")                        \
	X(BERTH_E_STATE, 11, "not possible in this state")                     \
	X(BERTH_E_LOST, 12, "the device is lost: it would crash here")

typedef enum berth_status {
#define X(name, value, text) name = value,
	BERTH_STATUS_MAP(X)
#undef X
} berth_status;

/** Room for the message of a detail, its ending NUL included. */
#define BERTH_ERROR_MESSAGE_BYTES 512

/** What went wrong last on this thread. */
typedef struct berth_error {
	berth_status status;
	int32_t cl_status; /**< the OpenCL code behind it, 0 when none */
	char message[BERTH_ERROR_MESSAGE_BYTES]; /**< one line, no full stop */
} berth_error;

/** @return the text of @p status; a static string for any input. Thread safe. */
BERTH_API const char *berth_status_string(berth_status status);

/**
 * @return the name of an OpenCL code, as "CL_INVALID_VALUE"; a static string,
 * "CL_UNKNOWN_STATUS" for a number that OpenCL 3.0 does not define. Thread safe.
 */
BERTH_API const char *berth_cl_status_string(int32_t cl_status);

/**
 * The inverse; the "CL_" may not be left out.
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  not the name of a code
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_cl_status_parse(int32_t *out, const char *name);

/**
 * The detail of this thread's last failure. Borrowed; valid until this thread's
 * next Berth call that fails. Never NULL; status BERTH_OK when nothing failed.
 */
BERTH_API const berth_error *berth_error_get(void);

/**
 * Set this thread's detail; for those who implement devices or callbacks.
 * Does not allocate. A longer message is cut.
 *
 * @param status     what the caller is about to return
 * @param cl_status  the OpenCL code behind it, or 0
 * @param format     as printf's; one line, no full stop
 * @return @p status, so that `return berth_error_set(...)` reads well.
 */
BERTH_API berth_status berth_error_set(berth_status status, int32_t cl_status, const char *format,
				       ...) BERTH_PRINTF(3, 4);

BERTH_END_DECLS

#endif
