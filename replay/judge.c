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

/* One divergence of a report: the first is kept, all are told. */
static void report_divergence(struct berth__player *player, const berth_trace_op *row,
			      berth_divergence *divergence)
{
	berth_replay_report *report = &player->report;

	divergence->seq = row->seq;
	berth_op_describe(&row->op, divergence->op, sizeof(divergence->op));
	divergence->recorded = row->result.cl_status;
	if (report->divergences++ == 0) {
		report->diverged = true;
		report->first = *divergence;
		if (player->steps)
			report->step_count = berth__last_steps_tell(player->steps, report->steps);
	}
	if (player->on_divergence)
		player->on_divergence(divergence, player->userdata);
}

/* Texts cost time: only where somebody will see them. */
static bool is_wanted(struct berth__player *player)
{
	if (player->report.divergences == 0 || player->on_divergence)
		return true;
	player->report.divergences++;
	return false;
}

/* Of two refusals: only a device that knows the specification can find the recorded one wrong. */
static bool is_wrong_code(const berth_result *result, int32_t recorded)
{
	return result->rule && !berth__is_memory_code(recorded) &&
	       !berth__answer_allows(result, recorded);
}

void berth__judge(struct berth__player *player, const berth_trace_op *row,
		  const berth_result *result)
{
	const berth_difference *difference = berth__difference_of(player->device);
	int32_t recorded = row->result.cl_status, replayed = result->cl_status;
	berth_divergence found = { .replayed = replayed };
	bool diverges = difference != NULL;

	if (recorded != replayed) {
		bool both_refuse = recorded != CL_SUCCESS && replayed != CL_SUCCESS;

		diverges |= !both_refuse || is_wrong_code(result, recorded);
		player->report.code_differences += both_refuse;
	}
	if (!diverges || !is_wanted(player))
		return;
	found.rule = difference && difference->rule ? difference->rule : result->rule;
	/* The device's reason is the thread's error detail. */
	if (difference)
		snprintf(found.text, sizeof(found.text), "%s", difference->text);
	else if (replayed != CL_SUCCESS)
		snprintf(found.text, sizeof(found.text), "%s", berth_error_get()->message);
	else
		snprintf(found.text, sizeof(found.text),
			 "the recorded device refused it, %s accepts it",
			 berth_device_name(player->device));
	report_divergence(player, row, &found);
}

void berth__judge_content(struct berth__player *player, const berth_trace_op *row)
{
	berth_divergence found = {
		.text = "the content is not what the program got: its digest differs from the "
			"recorded one",
	};

	if (is_wanted(player))
		report_divergence(player, row, &found);
}

void berth__judge_lost(struct berth__player *player, const berth_trace_op *row)
{
	berth_divergence found = { 0 };

	snprintf(found.text, sizeof(found.text), "%s", berth_error_get()->message);
	if (is_wanted(player))
		report_divergence(player, row, &found);
}
