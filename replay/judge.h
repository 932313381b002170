/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a device's answer with the recorded one; <berth/replay.h> says how. */
#ifndef BERTH_REPLAY_JUDGE_H
#define BERTH_REPLAY_JUDGE_H

#include "player.h"

/*
 * Whether the program was refused for what an op does not hold, as a queue, an event or a
 * kernel's work size that was wrong: no other device can be asked that again.
 */
bool berth__refused_for_other_cause(int32_t cl_status);

/* What a checker found on the op it executed last; NULL when nothing, or on other devices. */
const berth_difference *berth__difference_of(const berth_device *device);

/* Right after execute: the device's reason is still in the thread's error detail. */
void berth__judge(struct berth__player *player, const berth_trace_op *row,
		  const berth_result *result);

/* The device crashed at an op that the recorded one answered; the error detail says why. */
void berth__judge_lost(struct berth__player *player, const berth_trace_op *row);

/* A read that gave other content than the program got. */
void berth__judge_content(struct berth__player *player, const berth_trace_op *row);

#endif
