/* SPDX-License-Identifier: Apache-2.0 */
/* The search's partial packing. Flat arrays, and no memory is taken after init. */
#include "plan_search_state.h"

#include <stdlib.h>
#include <string.h>

void berth__plan_state_fini(struct plan_search_state *state)
{
	free(state->lowest);
	free(state->closed);
	free(state->offset);
	free(state->next);
	free(state->previous);
	free(state->left);
	free(state->live_start);
	free(state->live);
	free(state->changes);
	free(state->twin);
	free(state->pins);
}

/* Count, sum up, then fill: the items of each section. */
static bool list_live_items(struct plan_search_state *state)
{
	const struct plan_problem *problem = state->problem;
	size_t total = 0;

	state->live_start = calloc((size_t)problem->sections + 2, sizeof(*state->live_start));
	if (!state->live_start)
		return false;
	for (uint32_t item = 0; item < problem->count; item++) {
		for (uint32_t s = problem->begin[item]; s < problem->end[item]; s++)
			state->live_start[s + 2]++;
		total += problem->end[item] - problem->begin[item];
	}
	for (uint32_t s = 0; s < problem->sections; s++)
		state->live_start[s + 2] += state->live_start[s + 1];
	state->live = malloc((total ? total : 1) * sizeof(*state->live));
	if (!state->live)
		return false;
	for (uint32_t item = 0; item < problem->count; item++)
		for (uint32_t s = problem->begin[item]; s < problem->end[item]; s++)
			state->live[state->live_start[s + 1]++] = item;
	return true;
}

/* Items are sorted by begin, so those with the same sections are near to each other. */
static bool link_twins(struct plan_search_state *state)
{
	state->twin = calloc((size_t)state->count + 1, sizeof(*state->twin));
	if (!state->twin)
		return false;
	for (uint32_t item = 0; item < state->count; item++) {
		uint32_t other = item;

		state->twin[item] = item;
		while (other-- > 0 && state->begin[other] == state->begin[item])
			if (state->end[other] == state->end[item]) {
				state->twin[item] = state->twin[other];
				state->twin[other] = item;
				break;
			}
	}
	return true;
}

static bool list_pins(struct plan_search_state *state)
{
	const struct plan_problem *problem = state->problem;

	state->pins = calloc((size_t)problem->count + 1, sizeof(*state->pins));
	if (!state->pins)
		return false;
	for (uint32_t item = 0; problem->pinned && item < problem->count; item++)
		if (problem->pinned[item] != PLAN_NOWHERE)
			state->pins[state->pin_count++] = item;
	return true;
}

bool berth__plan_state_init(struct plan_search_state *state, const struct plan_problem *problem)
{
	size_t count = problem->count;

	*state = (struct plan_search_state){ .problem = problem,
					     .count = problem->count,
					     .size = problem->size,
					     .begin = problem->begin,
					     .end = problem->end };
	state->lowest = calloc(count + 1, sizeof(*state->lowest));
	state->offset = calloc(count + 1, sizeof(*state->offset));
	state->next = calloc(count + 1, sizeof(*state->next));
	state->previous = calloc(count + 1, sizeof(*state->previous));
	state->left = calloc((size_t)problem->sections + 1, sizeof(*state->left));
	state->closed = calloc(count + 1, sizeof(*state->closed));
	if (!state->lowest || !state->offset || !state->next || !state->previous || !state->left ||
	    !state->closed || !list_live_items(state) || !link_twins(state) || !list_pins(state))
		return false;
	state->plain = !problem->align && !problem->arena && state->pin_count == 0;
	return true;
}

bool berth__plan_state_reset(struct plan_search_state *state, uint64_t capacity)
{
	const struct plan_problem *problem = state->problem;

	state->capacity = capacity;
	state->change_count = 0;
	state->steps = 0;
	memset(state->left, 0, problem->sections * sizeof(*state->left));
	for (uint32_t item = 0; item < state->count; item++) {
		state->lowest[item] = 0;
		state->closed[item] = PLAN_NOWHERE;
		state->offset[item] = PLAN_NOWHERE;
		state->next[item] = item + 1;
		state->previous[item] = item ? item - 1 : PLAN_NONE;
		for (uint32_t s = problem->begin[item]; s < problem->end[item]; s++)
			state->left[s] += problem->size[item];
	}
	return capacity >= problem->bound;
}

uint64_t berth__plan_state_most_left(struct plan_search_state *state, uint32_t begin, uint32_t end)
{
	uint64_t most = 0;

	for (uint32_t s = begin; s < end; s++)
		most = state->left[s] > most ? state->left[s] : most;
	state->steps += (end - begin) / 4 + 1;
	return most;
}

static bool overlap(const struct plan_search_state *state, uint32_t a, uint32_t b)
{
	return state->begin[a] < state->end[b] && state->begin[b] < state->end[a];
}

/* Above every pinned item in conflict that it would run into. */
static uint64_t clear_of_pins(const struct plan_search_state *state, uint32_t item, uint64_t at)
{
	const struct plan_problem *problem = state->problem;

	at = berth__plan_fit(problem, item, at);
	for (uint32_t i = 0; i < state->pin_count; i++) {
		uint32_t pin = state->pins[i];
		uint64_t from = problem->pinned[pin], to = from + state->size[pin];

		if (at < to && from < at + state->size[item] && overlap(state, item, pin)) {
			at = berth__plan_fit(problem, item, to);
			i = UINT32_MAX; /* all over again: it may run into one seen before */
		}
	}
	return at;
}

uint64_t berth__plan_state_careful_offset(const struct plan_search_state *state, uint32_t item)
{
	uint64_t at = state->lowest[item];

	if (state->problem->pinned && state->problem->pinned[item] != PLAN_NOWHERE)
		return at <= state->problem->pinned[item] ? state->problem->pinned[item]
							  : PLAN_UNITS_MAX;
	return clear_of_pins(state, item, at);
}

static bool precedes(const double *precedence, uint32_t a, uint32_t b)
{
	return precedence[a] > precedence[b] || (precedence[a] == precedence[b] && a < b);
}

bool berth__plan_state_is_turned(const struct plan_search_state *state, uint32_t item,
				 const double *precedence)
{
	uint64_t lowest = state->lowest[item];

	for (uint32_t twin = state->twin[item]; twin != item; twin = state->twin[twin]) {
		bool first = precedes(precedence, twin, item);

		if (state->offset[twin] == PLAN_NOWHERE) {
			if (first && state->size[twin] == state->size[item])
				return true;
		} else if (!first && state->offset[twin] + state->size[twin] == lowest) {
			return true;
		}
	}
	return false;
}

/*
 * Can section s hold what is left of it? Those of its items that start no lower than some
 * offset r must end by the capacity, for each r; the r that the last placement made are the
 * lowest of all and the end of what was placed.
 */
static bool section_holds(struct plan_search_state *state, uint32_t s,
			  const struct plan_closed *closed, uint64_t end)
{
	uint64_t lowest = UINT64_MAX, above = 0;

	for (size_t i = state->live_start[s]; i < state->live_start[s + 1]; i++) {
		uint32_t item = state->live[i];
		uint64_t at;

		if (state->offset[item] != PLAN_NOWHERE)
			continue;
		at = state->lowest[item];
		if (state->plain && berth__plan_state_is_closed(state, item, at, closed))
			at = closed->next;
		if (at >= end)
			above += state->size[item];
		lowest = at < lowest ? at : lowest;
	}
	state->steps += (state->live_start[s + 1] - state->live_start[s]) / 2;
	lowest = lowest > closed->floor ? lowest : closed->floor;
	return lowest <= state->capacity - state->left[s] && above <= state->capacity - end;
}

static void unlink_item(struct plan_search_state *state, uint32_t item)
{
	if (state->previous[item] != PLAN_NONE)
		state->next[state->previous[item]] = state->next[item];
	if (state->next[item] < state->count)
		state->previous[state->next[item]] = state->previous[item];
}

static void link_item(struct plan_search_state *state, uint32_t item)
{
	if (state->previous[item] != PLAN_NONE)
		state->next[state->previous[item]] = item;
	if (state->next[item] < state->count)
		state->previous[state->next[item]] = item;
}

bool berth__plan_state_place(struct plan_search_state *state, uint32_t item, uint64_t offset,
			     const struct plan_closed *closed, bool *hurts_nobody)
{
	const struct plan_problem *problem = state->problem;
	const size_t first = problem->adjacent_start[item],
		     last = problem->adjacent_start[item + 1];
	uint64_t end = offset + state->size[item];
	uint32_t from = UINT32_MAX, to = 0;

	*hurts_nobody = true;
	state->offset[item] = offset;
	unlink_item(state, item);
	for (uint32_t s = state->begin[item]; s < state->end[item]; s++)
		state->left[s] -= state->size[item];
	for (size_t i = first; i < last; i++) {
		uint32_t other = problem->adjacent[i];

		if (state->offset[other] != PLAN_NOWHERE)
			continue;
		*hurts_nobody = false;
		if (state->lowest[other] >= end)
			continue;
		state->changes[state->change_count++] =
			(struct plan_change){ state->lowest[other], state->closed[other], other };
		state->lowest[other] = end;
		from = state->begin[other] < from ? state->begin[other] : from;
		to = state->end[other] > to ? state->end[other] : to;
	}
	state->steps += (last - first) + (state->end[item] - state->begin[item]) / 4 + 4;
	/* Only sections of raised items got worse, and those that bear @end are still right. */
	for (uint32_t s = from; s < to; s++)
		if (end > state->capacity - state->left[s] && state->left[s] &&
		    !section_holds(state, s, closed, end))
			return false;
	return true;
}

void berth__plan_state_unplace(struct plan_search_state *state, uint32_t item)
{
	for (uint32_t s = state->begin[item]; s < state->end[item]; s++)
		state->left[s] += state->size[item];
	link_item(state, item);
	state->offset[item] = PLAN_NOWHERE;
}

void berth__plan_state_undo(struct plan_search_state *state, size_t changes)
{
	while (state->change_count > changes) {
		const struct plan_change *change = &state->changes[--state->change_count];

		state->lowest[change->item] = change->lowest;
		state->closed[change->item] = change->closed;
	}
}

bool berth__plan_state_reserve(struct plan_search_state *state)
{
	size_t room = state->change_count + 2 * (size_t)state->count;
	struct plan_change *grown;

	if (room <= state->change_room)
		return true;
	room *= 2;
	grown = reallocarray(state->changes, room, sizeof(*grown));
	if (!grown)
		return false;
	state->changes = grown;
	state->change_room = room;
	return true;
}

void berth__plan_state_close(struct plan_search_state *state, uint32_t item)
{
	state->changes[state->change_count++] =
		(struct plan_change){ state->lowest[item], state->closed[item], item };
	state->closed[item] = state->lowest[item];
}

void berth__plan_state_offsets(const struct plan_search_state *state, uint64_t *offsets)
{
	memcpy(offsets, state->offset, state->count * sizeof(*offsets));
}
