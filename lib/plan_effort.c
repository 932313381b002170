/* SPDX-License-Identifier: Apache-2.0 */
/* How much has been tried, and when it is enough. */
#include "plan_problem.h"

#include <time.h>

/* Steps between two looks at the clock: about a millisecond. */
#define POLL_STEPS 500000

uint64_t berth__plan_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool berth__plan_spend(struct plan_effort *effort, uint64_t steps)
{
	effort->work += steps;
	if (effort->work >= effort->next_poll) {
		effort->next_poll = effort->work + POLL_STEPS;
		effort->gave_up |= effort->cancelled && effort->cancelled(effort->userdata);
		effort->out_of_time |= berth__plan_now_ns() >= effort->deadline_ns;
	}
	return effort->gave_up || effort->out_of_time || effort->work >= effort->work_limit;
}

uint64_t berth__plan_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 2685821657736338717u;
}
