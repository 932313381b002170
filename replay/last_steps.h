/* SPDX-License-Identifier: Apache-2.0 */
/* The last ops that were executed, to be told when one diverges: a ring, filled cheaply. */
#ifndef BERTH_REPLAY_LAST_STEPS_H
#define BERTH_REPLAY_LAST_STEPS_H

#include <berth/replay.h>

struct berth__last_steps;

/* Room for @count ops, at most BERTH_REPLAY_STEPS_MAX. @out: free(). BERTH_OK, BERTH_E_NOMEM. */
berth_status berth__last_steps_create(struct berth__last_steps **out, uint32_t count);

void berth__last_steps_add(struct berth__last_steps *steps, const berth_trace_op *row,
			   const berth_op *op, int32_t replayed);

/* Describe them, oldest first. Returns how many. */
uint32_t berth__last_steps_tell(const struct berth__last_steps *steps,
				berth_replay_step out[BERTH_REPLAY_STEPS_MAX]);

#endif
