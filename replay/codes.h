/* SPDX-License-Identifier: Apache-2.0 */
/* What an OpenCL code says, and whether an answer allows it. */
#ifndef BERTH_REPLAY_CODES_H
#define BERTH_REPLAY_CODES_H

#include <CL/cl.h>

#include <berth/op.h>

/* R1: any call may run out of memory; that is the driver's right. */
static inline bool berth__is_memory_code(int32_t code)
{
	return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
	       code == CL_OUT_OF_HOST_MEMORY;
}

/* Whether a code is that of an answer or one of its alternatives. */
static inline bool berth__answer_allows(const berth_result *answer, int32_t code)
{
	if (code == answer->cl_status)
		return true;
	for (uint32_t i = 0; i < answer->code_count && i < BERTH_RESULT_CODES_MAX; i++)
		if (answer->codes[i] == code)
			return true;
	return false;
}

#endif
