/* SPDX-License-Identifier: Apache-2.0 */
/* Events: which command gave one, and that it was seen complete. */
#ifndef BERTH_LAYER_LAYER_EVENT_H
#define BERTH_LAYER_LAYER_EVENT_H

#include "layer_call.h"

/* The event that a command gave to the program: its id. */
uint64_t berth__event_enter(cl_event event, const struct berth__call *call);

/* BERTH_ID_UNKNOWN when the recording lacks it. */
uint64_t berth__event_id(cl_event event);

/*
 * The program has been told that a command is complete, and on a queue in order all before it:
 * what they brought to the host can be looked at, and when the command ran is known. Once an
 * event; true the first time.
 */
bool berth__event_complete(cl_event event);

#endif
