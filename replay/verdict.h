/* SPDX-License-Identifier: Apache-2.0 */
/* Why an allocation failed, from the op, the answer and what the device held. */
#ifndef BERTH_REPLAY_VERDICT_H
#define BERTH_REPLAY_VERDICT_H

#include <berth/objects.h>
#include <berth/replay.h>

/* Whether an op that was answered so is an allocation that failed. */
bool berth__is_failed_allocation(const berth_op *op, const berth_result *result);

/*
 * Right after execute: the device's reason is still in the thread's error detail.
 * @verdict: comes zeroed, but for crossed_seq
 * @objects: alive on @device, for the rules where the device knows none
 */
void berth__verdict_find(berth_verdict *verdict, const berth_device *device,
			 const berth_objects *objects, const berth_trace_op *row,
			 const berth_result *result);

#endif
