/* SPDX-License-Identifier: Apache-2.0 */
/* The faults of `berth replay --fault`: put on the device, and what they did told. */
#ifndef BERTH_TOOL_REPLAY_FAULT_H
#define BERTH_TOOL_REPLAY_FAULT_H

#include <berth/fault.h>

#include "json.h"

/*
 * Put a fault device on @device, which becomes it.
 * BERTH_OK; BERTH_E_INVAL: no such specification; BERTH_E_NOMEM. On failure @device
 * is unchanged.
 */
berth_status replay_fault_add(berth_device **device, const char *spec);

/* Print what failed, as a text line or as the object "$.faults". */
void replay_fault_print(const berth_device *fault_device);
void replay_fault_set_json(json_builder *json, const berth_device *fault_device);

#endif
