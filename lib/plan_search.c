/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search's tree: which item is placed next, when to split, and where to go back to. What
 * a placement changes, and whether it can be right, is plan_search_state.c's.
 *
 * The stack is explicit. A frame is one choice: its candidates were computed when it was
 * pushed. When no item left crosses some moment, what is before and after it are *parts* that
 * do not touch each other: each is solved by itself, and when one cannot be, the search goes
 * back not to its neighbour but to the choice that made them.
 */
#include "plan_search_state.h"

#include <stdlib.h>

/* A stretch of sections whose items do not reach beyond it. */
struct part {
	uint32_t first; /* its first unplaced item */
	uint32_t begin, end;
	struct plan_closed closed;
	uint32_t owner; /* depth of the frame to go back to, plus one; 0: none */
};

struct candidate {
	uint64_t offset;
	double merit;
	uint32_t item;
};

struct frame {
	struct part part;
	size_t candidates, candidate_next, candidate_end; /* in search->candidates */
	uint32_t parts;					  /* waiting when the frame was pushed */
	size_t changes;					  /* length of the state's log then */
	size_t tried;	  /* and after closing what was tried in vain */
	uint32_t placed;  /* the item, or PLAN_NONE */
	bool only_choice; /* what it placed hurts nobody: no other candidate can help */
};

struct plan_search {
	struct plan_search_state state;
	struct frame *frames; /* count + 1 */
	struct part *parts;   /* at most count wait */
	uint32_t depth, part_count;
	struct candidate *candidates;
	size_t candidate_room;
	const struct plan_order *order;
};

void berth__plan_search_destroy(struct plan_search *search)
{
	if (!search)
		return;
	berth__plan_state_fini(&search->state);
	free(search->frames);
	free(search->parts);
	free(search->candidates);
	free(search);
}

struct plan_search *berth__plan_search_create(const struct plan_problem *problem)
{
	struct plan_search *search = calloc(1, sizeof(*search));

	if (!search)
		return NULL;
	search->frames = calloc((size_t)problem->count + 1, sizeof(*search->frames));
	search->parts = calloc((size_t)problem->count + 1, sizeof(*search->parts));
	if (!berth__plan_state_init(&search->state, problem) || !search->frames || !search->parts) {
		berth__plan_search_destroy(search);
		return NULL;
	}
	return search;
}

static bool earlier(const struct candidate *a, const struct candidate *b)
{
	return a->offset < b->offset || (a->offset == b->offset && a->merit > b->merit);
}

/* Insert by offset and rank into the frame's candidates, the last of all. */
static bool add_candidate(struct plan_search *search, struct frame *frame, struct candidate added)
{
	size_t at = frame->candidate_end;

	if (at == search->candidate_room) {
		size_t room = at ? at * 2 : 256;
		struct candidate *grown = reallocarray(search->candidates, room, sizeof(*grown));

		if (!grown)
			return false;
		search->candidates = grown;
		search->candidate_room = room;
	}
	for (; at > frame->candidates && earlier(&added, &search->candidates[at - 1]); at--)
		search->candidates[at] = search->candidates[at - 1];
	search->candidates[at] = added;
	frame->candidate_end++;
	return true;
}

static double merit(struct plan_search *search, uint32_t item)
{
	struct plan_search_state *state = &search->state;
	const struct plan_order *order = search->order;
	double m = order->fixed[item];

	if (order->left != 0)
		m += order->left * (double)berth__plan_state_most_left(state, state->begin[item],
								       state->end[item]);
	return m;
}

/*
 * The items that may be placed next in a part. Not those that start at or above the lowest
 * possible end of another: that other could slide in below. Not those above what the section
 * with the most left to place can bear.
 */
static bool find_candidates(struct plan_search *search, struct frame *frame)
{
	struct plan_search_state *state = &search->state;
	const struct part *part = &frame->part;
	uint64_t lowest_end = UINT64_MAX, open_end = UINT64_MAX, highest;
	uint32_t item;

	highest = state->capacity - berth__plan_state_most_left(state, part->begin, part->end);
	for (item = part->first; item < state->count && state->begin[item] < part->end;
	     item = state->next[item]) {
		uint64_t offset = berth__plan_state_offset(state, item);
		uint64_t end = offset + state->size[item];

		state->steps++;
		lowest_end = end < lowest_end ? end : lowest_end;
		if (end < open_end &&
		    !berth__plan_state_is_closed(state, item, offset, &part->closed))
			open_end = end;
	}
	frame->part.closed.next = open_end;
	for (item = part->first; item < state->count && state->begin[item] < part->end;
	     item = state->next[item]) {
		uint64_t offset = berth__plan_state_offset(state, item);

		if (offset >= lowest_end || offset > highest ||
		    berth__plan_state_is_closed(state, item, offset, &part->closed) ||
		    (state->plain &&
		     berth__plan_state_is_turned(state, item, search->order->fixed)))
			continue;
		if (!add_candidate(search, frame,
				   (struct candidate){ offset, merit(search, item), item }))
			return false;
	}
	return true;
}

static bool push(struct plan_search *search, const struct part *part)
{
	struct frame *frame = &search->frames[search->depth];
	size_t used = search->depth ? frame[-1].candidate_end : 0;

	*frame = (struct frame){ .part = *part,
				 .parts = search->part_count,
				 .candidates = used,
				 .candidate_next = used,
				 .candidate_end = used,
				 .changes = search->state.change_count,
				 .tried = search->state.change_count,
				 .placed = PLAN_NONE };
	search->depth++;
	return berth__plan_state_reserve(&search->state) && find_candidates(search, frame);
}

/* Take back what a frame placed, and the parts that came of it. */
static void retract(struct plan_search *search, struct frame *frame, size_t changes)
{
	if (frame->placed != PLAN_NONE)
		berth__plan_state_unplace(&search->state, frame->placed);
	berth__plan_state_undo(&search->state, changes);
	frame->placed = PLAN_NONE;
	search->part_count = frame->parts;
}

/* Let the parts wait that what is left of the top frame's part falls into. */
static void split(struct plan_search *search, const struct frame *frame,
		  const struct candidate *placed)
{
	const struct plan_search_state *state = &search->state;
	uint32_t item = frame->part.first, end = frame->part.end;

	if (item == placed->item)
		item = state->next[item];
	while (item < state->count && state->begin[item] < end) {
		struct part part = { .first = item,
				     .begin = state->begin[item],
				     .end = state->end[item],
				     .owner = search->depth };

		part.closed.floor = placed->offset;

		for (; item < state->count && state->begin[item] < part.end;
		     item = state->next[item])
			part.end = state->end[item] > part.end ? state->end[item] : part.end;
		search->parts[search->part_count++] = part;
	}
}

/* Place the next candidate of the top frame that can be right; false when there is none. */
static bool advance(struct plan_search *search, struct frame *frame)
{
	struct plan_search_state *state = &search->state;

	for (;;) {
		const struct candidate *next;
		struct plan_closed closed = frame->part.closed;
		uint32_t tried = frame->placed;

		retract(search, frame, frame->tried);
		if (frame->only_choice || frame->candidate_next == frame->candidate_end)
			return false;
		if (tried != PLAN_NONE) {
			berth__plan_state_close(state, tried);
			frame->tried = state->change_count;
		}
		next = &search->candidates[frame->candidate_next++];
		closed.floor = next->offset;
		frame->placed = next->item;
		if (berth__plan_state_place(state, next->item, next->offset, &closed,
					    &frame->only_choice)) {
			split(search, frame, next);
			return true;
		}
		frame->only_choice = false;
	}
}

enum plan_answer berth__plan_search_run(struct plan_search *search, uint64_t capacity,
					const struct plan_order *order, uint64_t steps,
					struct plan_effort *effort, uint64_t *offsets)
{
	struct plan_search_state *state = &search->state;
	struct part whole = { .first = 0, .begin = 0, .end = state->problem->sections };

	search->order = order;
	if (!berth__plan_state_reset(state, capacity))
		return PLAN_IMPOSSIBLE;
	search->depth = 0;
	search->part_count = 1;
	search->parts[0] = whole;
	for (;;) {
		uint64_t before = state->steps;
		struct frame *top;

		if (search->part_count == 0) {
			berth__plan_state_offsets(state, offsets);
			return PLAN_FOUND;
		}
		if (!push(search, &search->parts[--search->part_count]))
			return PLAN_UNKNOWN;
		top = &search->frames[search->depth - 1];
		while (!advance(search, top)) {
			uint32_t owner = top->part.owner;

			if (owner == 0)
				return PLAN_IMPOSSIBLE;
			for (; search->depth > owner; search->depth--)
				retract(search, &search->frames[search->depth - 1],
					search->frames[search->depth - 1].changes);
			top = &search->frames[owner - 1];
		}
		if (state->steps > steps || berth__plan_spend(effort, state->steps - before))
			return PLAN_UNKNOWN;
	}
}
