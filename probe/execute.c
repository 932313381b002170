/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a case on a device, and what their replies say. */
#include "probe.h"

#include <stdio.h>

static bool succeeded(const struct probe_reply *reply)
{
	return reply->done && reply->status == BERTH_OK && reply->cl_status == CL_SUCCESS;
}

static bool wanted(const struct probe_step *step, const struct probe_reply replies[])
{
	return (step->after == PROBE_NO_STEP || succeeded(&replies[step->after])) &&
	       (step->unless == PROBE_NO_STEP || !succeeded(&replies[step->unless]));
}

void berth__probe_execute(const struct probe_run *run, int step, berth_device *device,
			  struct probe_reply replies[])
{
	struct probe_reply *reply = &replies[step];
	berth_result result = { .cl_status = CL_SUCCESS };

	*reply = (struct probe_reply){ .done = false };
	if (!wanted(&run->steps[step], replies))
		return;
	reply->status = berth_device_execute(device, &run->steps[step].op, &result);
	reply->done = true;
	reply->cl_status = result.cl_status;
	reply->bytes = result.bytes;
	reply->row_pitch_bytes = result.row_pitch_bytes;
	reply->slice_pitch_bytes = result.slice_pitch_bytes;
	reply->duration_ns = result.duration_ns;
}

/* R1, R5: running out of memory or resources is always a device's right. */
static bool out_of_memory(int32_t code)
{
	return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
	       code == CL_OUT_OF_HOST_MEMORY;
}

static bool conforms(const berth_probe_case *answer)
{
	if (answer->answer == answer->expected)
		return true;
	for (uint32_t i = 0; i < answer->code_count; i++)
		if (answer->codes[i] == answer->answer)
			return true;
	return answer->answer != CL_SUCCESS && out_of_memory(answer->answer);
}

static void say(struct probe_run *run, berth_probe_outcome outcome, const char *text, int32_t code)
{
	run->answer.outcome = outcome;
	snprintf(run->answer.reason, sizeof(run->answer.reason), text,
		 berth_cl_status_string(code));
}

static void judge_answer(struct probe_run *run)
{
	berth_probe_case *answer = &run->answer;

	if (!conforms(answer) && answer->answer != CL_SUCCESS)
		say(run, BERTH_PROBE_DEVIATES, answer->breaks ? "another code: %s" : "refused: %s",
		    answer->answer);
	else if (!conforms(answer) && answer->used && answer->use_answer != CL_SUCCESS)
		say(run, BERTH_PROBE_DEVIATES, "accepted; its first use is refused: %s",
		    answer->use_answer);
	else if (!conforms(answer))
		say(run, BERTH_PROBE_DEVIATES, "accepted", CL_SUCCESS);
	else if (answer->used && answer->use_answer != CL_SUCCESS &&
		 !out_of_memory(answer->use_answer))
		say(run, BERTH_PROBE_DEVIATES, "its first use is refused: %s", answer->use_answer);
	else if (answer->answer != CL_SUCCESS && out_of_memory(answer->answer) &&
		 answer->answer != answer->expected)
		say(run, BERTH_PROBE_AGREES, "out of memory, as any call may be: %s",
		    answer->answer);
	else
		say(run, BERTH_PROBE_AGREES, "", CL_SUCCESS);
}

/* The first step at which the (simulated) device was lost, or PROBE_NO_STEP. */
static bool lost(const struct probe_run *run)
{
	for (int i = 0; i < run->step_count; i++)
		if (run->replies[i].done && run->replies[i].status == BERTH_E_LOST)
			return true;
	return false;
}

static void judge_setup(struct probe_run *run)
{
	char kind[80];

	for (int i = 0; i < run->test; i++) {
		const struct probe_reply *reply = &run->replies[i];

		if (!reply->done || succeeded(reply))
			continue;
		snprintf(kind, sizeof(kind), "it needs an object that is refused: %s of a %s", "%s",
			 berth_op_kind_string(run->steps[i].op.kind));
		say(run, BERTH_PROBE_NOT_APPLICABLE, kind, reply->cl_status);
		return;
	}
}

void berth__probe_judge(struct probe_run *run)
{
	const struct probe_reply *test = &run->replies[run->test];
	berth_probe_case *answer = &run->answer;

	if (!run->applicable)
		return;
	if (lost(run)) {
		say(run, BERTH_PROBE_CRASHES, "", CL_SUCCESS);
	} else if (!test->done) {
		judge_setup(run);
	} else if (test->status != BERTH_OK) {
		say(run, BERTH_PROBE_NOT_APPLICABLE, "there is no such call for this device",
		    CL_SUCCESS);
	} else {
		answer->answered = true;
		answer->answer = test->cl_status;
		if (run->use != PROBE_NO_STEP && run->replies[run->use].done &&
		    run->replies[run->use].status == BERTH_OK) {
			answer->used = true;
			answer->use_answer = run->replies[run->use].cl_status;
		}
		judge_answer(run);
	}
}
