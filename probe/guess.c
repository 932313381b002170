/* SPDX-License-Identifier: Apache-2.0 */
/* The cases on a simulated device, in this process, against what was seen. */
#include "learn.h"

#include <stdlib.h>
#include <string.h>

berth_status berth__probe_guess_create(struct probe_guess *guess, size_t count)
{
	guess->replies = calloc(count + 1, sizeof(*guess->replies));
	guess->same = calloc(count + 1, sizeof(*guess->same));
	guess->wrong = 0;
	if (guess->replies && guess->same)
		return BERTH_OK;
	berth__probe_guess_free(guess);
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for the answers of %zu cases", count);
}

void berth__probe_guess_free(struct probe_guess *guess)
{
	free(guess->replies);
	free(guess->same);
	memset(guess, 0, sizeof(*guess));
}

bool berth__probe_was_fatal(const struct probe_run *run)
{
	return run->answer.outcome == BERTH_PROBE_CRASHES ||
	       run->answer.outcome == BERTH_PROBE_HANGS;
}

/* Drivers end a process a little after the op; a simulated device is lost in it. */
static bool is_lost(const struct probe_run *run, const struct probe_reply guessed[])
{
	for (int i = 0; i < run->step_count; i++)
		if (guessed[i].done && guessed[i].status == BERTH_E_LOST)
			return true;
	return false;
}

int berth__probe_differs(const struct probe_run *run, const struct probe_reply guessed[])
{
	if (berth__probe_was_fatal(run))
		return is_lost(run, guessed) ? PROBE_NO_STEP : run->test;
	/* Without the call there is nothing to be like. */
	if (run->replies[run->test].done && run->replies[run->test].status != BERTH_OK)
		return PROBE_NO_STEP;
	for (int i = 0; i < run->step_count; i++) {
		const struct probe_reply *seen = &run->replies[i], *guess = &guessed[i];

		if (seen->done != guess->done || seen->status != guess->status ||
		    seen->cl_status != guess->cl_status)
			return i;
	}
	return PROBE_NO_STEP;
}

static bool guess_case(struct probe_reply replies[], const struct probe_run *run,
		       berth_device *device)
{
	bool lost = false;

	for (int i = 0; i < run->step_count; i++) {
		berth__probe_execute(run, i, device, replies);
		lost |= replies[i].done && replies[i].status == BERTH_E_LOST;
	}
	return !lost;
}

berth_status berth__probe_guess(struct probe_guess *guess, const berth_probe *probe,
				const berth_profile *profile)
{
	const berth_sim_options ghost = { .size = sizeof(ghost), .ghost = true };
	berth_device *device = NULL;
	berth_status st = BERTH_OK;

	guess->wrong = 0;
	for (size_t i = 0; i < probe->count && st == BERTH_OK; i++) {
		const struct probe_run *run = &probe->runs[i];

		if (!run->applicable)
			continue;
		if (!device)
			st = berth_sim_create(&device, profile, &ghost);
		if (st != BERTH_OK)
			break;
		if (!guess_case(guess->replies[i], run, device)) {
			berth_device_destroy(device);
			device = NULL;
		}
		guess->same[i] = berth__probe_differs(run, guess->replies[i]) == PROBE_NO_STEP;
		guess->wrong += !guess->same[i];
	}
	berth_device_destroy(device);
	return st;
}
