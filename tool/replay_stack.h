/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace is replayed on: a device, and what is put on top of it. */
#ifndef BERTH_TOOL_REPLAY_STACK_H
#define BERTH_TOOL_REPLAY_STACK_H

#include "replay_plan.h"

#include <berth/device.h>
#include <berth/trace.h>

/* As typed. */
struct replay_setup {
	const char *command; /* for messages, as "replay" */
	const char *path;
	const char *device;   /* as berth_device_open() takes it, or "recorded[:N]" */
	const char *settings; /* berth_profile_override(); NULL: none */
	uint64_t memory_bytes; /* 0: the device's */
	uint64_t max_alloc_bytes;
	const char *fault; /* NULL: none; so are the next */
	const char *pool;
	bool plan;
	bool check;
	bool ghost;
	bool queues;
};

struct replay_stack {
	berth_trace *trace;
	berth_device *device;	     /* the uppermost */
	const berth_device *faulty;  /* on the device itself, or NULL */
	const berth_device *pooled;  /* the pool device, under the checker or alone, or NULL */
	const berth_device *planned; /* the pool device that has a plan, or NULL */
	struct replay_plan plan;
};

/*
 * Open the trace and the device. Returns CMD_EXIT_OK, or another exit status after it said
 * why; replay_stack_close() in both cases. @stack: comes zeroed.
 */
int replay_stack_open(struct replay_stack *stack, const struct replay_setup *setup);
void replay_stack_close(struct replay_stack *stack);

#endif
