/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a command buffer: its commands as ops, in the order in which they were
 * recorded into it. They have their effects each time it is enqueued.
 *
 * Threads: all functions may be called at any time.
 */
#ifndef BERTH_LAYER_COMMAND_LIST_H
#define BERTH_LAYER_COMMAND_LIST_H

#include "layer_kernel.h"

/* A new one, with a reference; `queue`: the first of its queues. */
void berth__commands_enter(const void *buffer, cl_command_queue queue);

void berth__commands_retain(const void *buffer);

/*
 * One reference less, before the driver is asked: it may give the handle out again before it
 * returns. False: not known. `entry` is for the end, which undoes it when the driver refuses.
 */
bool berth__commands_begin_release(const void *buffer, struct berth__handle *entry);
void berth__commands_end_release(const struct berth__handle *entry, cl_int status);

/*
 * Add the op of a call that was begun and is not to be committed, with its parts; `handle`: of
 * a command that can be changed, or NULL.
 */
void berth__commands_add(const void *buffer, const struct berth__call *call, const void *handle);

/* An argument of a kernel is another object now. */
void berth__commands_set_argument(const void *buffer, const void *handle, uint32_t index,
				  uint64_t object);

/* Append an op for each command, on `queue` or, when it is NULL, on that of the buffer. */
void berth__commands_append(const void *buffer, cl_command_queue queue);

#endif
