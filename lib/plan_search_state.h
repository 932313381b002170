/* SPDX-License-Identifier: Apache-2.0 */
/* The search's partial packing: what is placed, and what that leaves to the rest. */
#ifndef BERTH_PLAN_SEARCH_STATE_H
#define BERTH_PLAN_SEARCH_STATE_H

#include "plan_search.h"

#define PLAN_NONE UINT32_MAX

/* What an item was before a placement raised or an exhausted choice closed it. */
struct plan_change {
	uint64_t lowest, closed;
	uint32_t item;
};

struct plan_search_state {
	const struct plan_problem *problem;
	uint32_t count;
	uint64_t capacity;
	const uint64_t *size;
	const uint32_t *begin, *end;
	bool plain; /* no alignment, no arena borders, no pins: any offset will do */

	uint64_t *lowest; /* of each unplaced item: no lower than what is placed below it */
	uint64_t *closed; /* the lowest offset at which the item was tried in vain */
	uint64_t *offset; /* of each placed item; PLAN_NOWHERE of the others */
	uint32_t *next, *previous; /* the unplaced items by index; next[count - 1] is count */
	uint64_t *left;		   /* of each section: sizes not placed yet */

	/*
	 * Items with the same sections, in a ring. One may be turned with the next above it
	 * without touching anything else: so only stacks in the order of precedence are made.
	 */
	uint32_t *twin;

	/* The items of section s: live[live_start[s]] up to that of s + 1. */
	size_t *live_start;
	uint32_t *live;

	struct plan_change *changes; /* newest last */
	size_t change_count, change_room;

	uint32_t *pins; /* items with pinned offsets */
	uint32_t pin_count;
	uint64_t steps;
};

/* False when out of memory; fini is due in either case. */
bool berth__plan_state_init(struct plan_search_state *state, const struct plan_problem *problem);
void berth__plan_state_fini(struct plan_search_state *state);

/* Nothing is placed. False when the capacity is below the bound. */
bool berth__plan_state_reset(struct plan_search_state *state, uint64_t capacity);

/* The largest sum of unplaced sizes of the sections [begin, end). */
uint64_t berth__plan_state_most_left(struct plan_search_state *state, uint32_t begin, uint32_t end);

/*
 * What the order by offset has closed in a part: items whose lowest offset is below the floor
 * were passed over there. Such an item is not placed until something below it has been, which
 * ends no lower than @next.
 */
struct plan_closed {
	uint64_t floor, next;
};

static inline bool berth__plan_state_is_closed(const struct plan_search_state *state, uint32_t item,
					       uint64_t offset, const struct plan_closed *closed)
{
	return offset < closed->floor || state->closed[item] == state->lowest[item];
}

/* Room for the changes of one choice more. False when out of memory. */
bool berth__plan_state_reserve(struct plan_search_state *state);

/* Its lowest offset was tried in vain: not again, until something raises it. */
void berth__plan_state_close(struct plan_search_state *state, uint32_t item);

/*
 * Whether a packing with this item at its lowest offset is one that another choice makes too,
 * with items of the same sections turned round.
 */
bool berth__plan_state_is_turned(const struct plan_search_state *state, uint32_t item,
				 const double *precedence);

/* The same with alignment, arena borders and pins: PLAN_UNITS_MAX when it cannot go anywhere. */
uint64_t berth__plan_state_careful_offset(const struct plan_search_state *state, uint32_t item);

/* Where an unplaced item would go. */
static inline uint64_t berth__plan_state_offset(const struct plan_search_state *state,
						uint32_t item)
{
	return state->plain ? state->lowest[item] : berth__plan_state_careful_offset(state, item);
}

/*
 * Place an item. @return whether every section it bears on can still hold what is left; the
 * placement stands in either case. @hurts_nobody: no item left to place conflicts with it.
 */
bool berth__plan_state_place(struct plan_search_state *state, uint32_t item, uint64_t offset,
			     const struct plan_closed *closed, bool *hurts_nobody);

/* Take the item placed last back; and all changes since the log was @changes long. */
void berth__plan_state_unplace(struct plan_search_state *state, uint32_t item);
void berth__plan_state_undo(struct plan_search_state *state, size_t changes);

/* Copy the offsets of all items, each of which is placed. */
void berth__plan_state_offsets(const struct plan_search_state *state, uint64_t *offsets);

#endif
