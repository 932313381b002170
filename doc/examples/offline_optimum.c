/* SPDX-License-Identifier: Apache-2.0 */
#include "offline_optimum.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <berth/op.h>

struct state {
	bool resident, dirty, in_set;
};

struct machine {
	const struct event *events;
	size_t event_count, now;
	const uint64_t *bytes;
	struct state *states;
	size_t tensor_count;
	uint64_t limit, used, moved;
};

static bool names(const struct event *event, size_t tensor)
{
	for (size_t i = 0; i < event->count; i++)
		if (event->tensors[i] == tensor)
			return true;
	return false;
}

/* The next event that needs the tensor; the number of events when none does. */
static size_t next_use(const struct machine *machine, size_t tensor)
{
	for (size_t i = machine->now + 1; i < machine->event_count; i++)
		if (names(&machine->events[i], tensor))
			return machine->events[i].kind == EVENT_DISCARD ? machine->event_count : i;
	return machine->event_count;
}

static void drop(struct machine *machine, size_t tensor)
{
	if (machine->states[tensor].resident)
		machine->used -= machine->bytes[tensor];
	machine->states[tensor] = (struct state){ false, false, false };
}

static void evict_one(struct machine *machine)
{
	size_t victim = machine->tensor_count, latest = 0;

	for (size_t i = 0; i < machine->tensor_count; i++) {
		size_t next;

		if (!machine->states[i].resident || machine->states[i].in_set)
			continue;
		next = next_use(machine, i);
		if (victim == machine->tensor_count || next > latest) {
			victim = i;
			latest = next;
		}
	}
	if (victim == machine->tensor_count) {
		fprintf(stderr, "offline_optimum: a run does not fit %llu bytes\n",
			(unsigned long long)machine->limit);
		exit(1);
	}
	if (machine->states[victim].dirty && latest < machine->event_count)
		machine->moved += machine->bytes[victim];
	drop(machine, victim);
}

static void play_run(struct machine *machine, const struct event *event)
{
	for (size_t i = 0; i < event->count; i++)
		machine->states[event->tensors[i]].in_set = true;
	for (size_t i = 0; i < event->count; i++) {
		struct state *state = &machine->states[event->tensors[i]];
		uint64_t bytes = machine->bytes[event->tensors[i]];

		if (!state->resident) {
			while (machine->used + bytes > machine->limit)
				evict_one(machine);
			machine->used += bytes;
			if (event->access[i] & BERTH_ACCESS_READ)
				machine->moved += bytes;
		}
		state->resident = true;
		state->dirty = state->dirty || (event->access[i] & BERTH_ACCESS_WRITE);
	}
	for (size_t i = 0; i < event->count; i++)
		machine->states[event->tensors[i]].in_set = false;
}

static void play(struct machine *machine, const struct event *event)
{
	size_t tensor = event->tensors[0];
	struct state *state = &machine->states[tensor];

	if (event->kind == EVENT_RUN) {
		play_run(machine, event);
	} else if (event->kind == EVENT_DISCARD) {
		drop(machine, tensor);
	} else if (event->kind == EVENT_UPDATE && state->resident) {
		machine->moved += machine->bytes[tensor];
		state->dirty = true;
	} else if (event->kind == EVENT_HOME && state->dirty) {
		machine->moved += machine->bytes[tensor];
		state->dirty = false;
	}
}

uint64_t offline_moved_bytes(const struct event *events, size_t event_count,
			     const uint64_t *tensor_bytes, size_t tensor_count,
			     uint64_t limit_bytes)
{
	struct machine machine = { .events = events,
				   .event_count = event_count,
				   .bytes = tensor_bytes,
				   .tensor_count = tensor_count,
				   .limit = limit_bytes };

	machine.states = calloc(tensor_count, sizeof(*machine.states));
	if (!machine.states)
		abort();
	for (; machine.now < event_count; machine.now++)
		play(&machine, &events[machine.now]);
	free(machine.states);
	return machine.moved;
}
