/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content that a read or map that does not block brings to the host: looked at when the program
 * has been told that the command is complete.
 */
#ifndef BERTH_LAYER_LAYER_LATER_H
#define BERTH_LAYER_LAYER_LATER_H

#include "layer_call.h"

/*
 * Remember where the call's content will be. Its op gets a number (op.mapping, unless it has
 * one) under which the digest follows. After the call is left, before its commit.
 */
void berth__later_add(struct berth__call *call, const struct berth__rows *rows);

/* The command of an event is complete; `in_order`: so is all before it on its queue. */
void berth__later_event(uint64_t event, uint32_t queue, bool in_order);

/* All that was enqueued on a queue before now is complete. */
void berth__later_queue(uint32_t queue);

/* At the start, and in forked children. */
void berth__later_forget(void);

#endif
