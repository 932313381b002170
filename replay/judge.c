/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include "codes.h"

#include <stdio.h>

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

/* Of two refusals: only a device that knows the specification can find the recorded one wrong. */
static bool is_wrong_code(const berth_result *result, int32_t recorded)
{
	return result->rule && !berth__is_memory_code(recorded) &&
	       !berth__answer_allows(result, recorded);
}

void berth__judge(berth_replay_report *report, const berth_device *device,
		  const berth_trace_op *row, const berth_result *result)
{
	const berth_difference *difference = berth__difference_of(device);
	int32_t recorded = row->result.cl_status, replayed = result->cl_status;
	bool diverges = difference != NULL;

	if (recorded != replayed) {
		bool both_refuse = recorded != CL_SUCCESS && replayed != CL_SUCCESS;

		diverges |= !both_refuse || is_wrong_code(result, recorded);
		report->code_differences += both_refuse;
	}
	if (!diverges)
		return;
	if (report->divergences++ == 0) {
		report->diverged = true;
		describe(&report->first, device, row, result, difference);
	}
}

void berth__judge_content(berth_replay_report *report, const berth_trace_op *row)
{
	berth_divergence *first = &report->first;

	if (report->divergences++ > 0)
		return;
	report->diverged = true;
	first->seq = row->seq;
	berth_op_describe(&row->op, first->op, sizeof(first->op));
	first->recorded = first->replayed = CL_SUCCESS;
	first->rule = NULL;
	snprintf(first->text, sizeof(first->text),
		 "the content is not what the program got: its digest differs from the recorded one");
}

void berth__judge_lost(berth_replay_report *report, const berth_trace_op *row)
{
	berth_divergence *first = &report->first;

	if (report->divergences++ > 0)
		return;
	report->diverged = true;
	first->seq = row->seq;
	berth_op_describe(&row->op, first->op, sizeof(first->op));
	first->recorded = row->result.cl_status;
	first->replayed = CL_SUCCESS;
	first->rule = NULL;
	snprintf(first->text, sizeof(first->text), "%s", berth_error_get()->message);
}
