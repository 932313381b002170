/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of `berth replay --plan`: made from the trace, put on the device, told about. */
#ifndef BERTH_TOOL_REPLAY_PLAN_H
#define BERTH_TOOL_REPLAY_PLAN_H

#include <berth/pool_device.h>
#include <berth/trace.h>

#include "json.h"

/* What is told of it afterwards. */
struct replay_plan {
	uint64_t total_bytes, lower_bound_bytes, apart_bytes;
	uint32_t arenas;
};

/*
 * Plan the objects of @trace for @device, and put a pool with the plan on it, which @device
 * becomes. BERTH_OK, or the status of planning or of the pool; @device may be the pool device
 * then, without the plan.
 */
berth_status replay_plan_add(struct replay_plan *plan, berth_device **device, berth_trace *trace);

/* Print it, and how far the replay kept to it, as text lines or as the object "$.plan". */
void replay_plan_print(const struct replay_plan *plan, const berth_device *pool_device);
void replay_plan_set_json(json_builder *json, const struct replay_plan *plan,
			  const berth_device *pool_device);

#endif
