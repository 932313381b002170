/* SPDX-License-Identifier: Apache-2.0 */
/* The estimated time of a replay, told. */
#ifndef BERTH_TOOL_REPLAY_ESTIMATE_H
#define BERTH_TOOL_REPLAY_ESTIMATE_H

#include <berth/replay.h>

#include "json.h"

/* Print the estimate, or that there is none, as text lines. */
/* All of it; at most UINT64_MAX. */
uint64_t replay_estimate_total_ns(const berth_replay_estimate *estimate);

void replay_estimate_print(const berth_replay_estimate *estimate);

/* "$.estimated_ns" and "$.estimated", its parts; null where there is no estimate. */
void replay_estimate_set_json(json_builder *json, const berth_replay_estimate *estimate);

#endif
