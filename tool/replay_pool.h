/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of `berth replay --pool`: put on the device, and what it did told. */
#ifndef BERTH_TOOL_REPLAY_POOL_H
#define BERTH_TOOL_REPLAY_POOL_H

#include <berth/pool_device.h>

#include "json.h"

/*
 * Put a pool on @device, which becomes the pool device.
 * BERTH_OK; BERTH_E_NOT_FOUND: not a policy; others from the pool. On failure
 * @device is unchanged.
 */
berth_status replay_pool_add(berth_device **device, const char *policy);

/* Print what the pool on a device did, as text lines or as the object "$.pool". */
void replay_pool_print(const berth_device *pool_device);
void replay_pool_set_json(json_builder *json, const berth_device *pool_device);

#endif
