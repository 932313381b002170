/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <stdio.h>

#include <CL/cl.h>

/* A code that any command may give at any time (R1). */
static bool is_memory_code(int32_t cl_status)
{
	return cl_status == CL_OUT_OF_RESOURCES || cl_status == CL_OUT_OF_HOST_MEMORY ||
	       cl_status == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

bool berth__refused_for_other_cause(int32_t cl_status)
{
	static const int32_t codes[] = {
		CL_INVALID_CONTEXT,
		CL_INVALID_COMMAND_QUEUE,
		CL_INVALID_EVENT,
		CL_INVALID_EVENT_WAIT_LIST,
		CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
		CL_INVALID_PROGRAM_EXECUTABLE,
		CL_INVALID_KERNEL,
		CL_INVALID_KERNEL_ARGS,
		CL_INVALID_WORK_DIMENSION,
		CL_INVALID_WORK_GROUP_SIZE,
		CL_INVALID_WORK_ITEM_SIZE,
		CL_INVALID_GLOBAL_OFFSET,
		CL_INVALID_GLOBAL_WORK_SIZE,
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i] == cl_status)
			return true;
	return false;
}

static bool allows_code(const berth_result *result, int32_t recorded)
{
	if (!result->rule || is_memory_code(recorded))
		return true;
	for (uint32_t i = 0; i < result->code_count; i++)
		if (result->codes[i] == recorded)
			return true;
	return false;
}

/* On a checker: what it found on this op; else NULL. */
const berth_difference *berth__difference_of(const berth_device *device)
{
	const berth_difference *difference = berth_checker_last(device);

	return difference && difference->kind != BERTH_DIFFERENCE_NONE ? difference : NULL;
}

/* The first divergence in words. The device's reason is the thread's error detail. */
static void describe(berth_divergence *first, const berth_device *device, const berth_trace_op *row,
		     const berth_result *result, const berth_difference *difference)
{
	first->seq = row->seq;
	berth_op_describe(&row->op, first->op, sizeof(first->op));
	first->recorded = row->result.cl_status;
	first->replayed = result->cl_status;
	first->rule = difference && difference->rule ? difference->rule : result->rule;
	if (difference)
		snprintf(first->text, sizeof(first->text), "%s", difference->text);
	else if (result->cl_status != CL_SUCCESS)
		snprintf(first->text, sizeof(first->text), "%s", berth_error_get()->message);
	else
		snprintf(first->text, sizeof(first->text),
			 "the recorded device refused it, %s accepts it",
			 berth_device_name(device));
}

void berth__judge(berth_replay_report *report, const berth_device *device,
		  const berth_trace_op *row, const berth_result *result)
{
	const berth_difference *difference = berth__difference_of(device);
	int32_t recorded = row->result.cl_status, replayed = result->cl_status;
	bool diverges = difference != NULL;

	if (recorded != replayed) {
		bool both_refuse = recorded != CL_SUCCESS && replayed != CL_SUCCESS;

		diverges |= !both_refuse || !allows_code(result, recorded);
		report->code_differences += both_refuse;
	}
	if (!diverges)
		return;
	if (report->divergences++ == 0) {
		report->diverged = true;
		describe(&report->first, device, row, result, difference);
	}
}
