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

/* Undone with the other. */
void berth__commands_retain(const void *buffer);
void berth__commands_release(const void *buffer);

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
