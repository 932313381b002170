/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the planner's tiers work on: one group of requests after normalisation.
 *
 * Sizes and offsets are in *units*, the largest number that divides them all. Time is
 * *sections*: stretches within which the set of live items does not change, numbered from 0.
 * Items are sorted by their first section.
 *
 * Several arenas are one *strip*: arena k is the stretch [k * arena, (k + 1) * arena), and an
 * item may not straddle its borders. So every tier plans one strip and knows of arenas in
 * one place, berth__plan_fit().
 */
#ifndef BERTH_PLAN_PROBLEM_H
#define BERTH_PLAN_PROBLEM_H

#include <berth/plan.h>

/* An item's pinned offset when it has none; also "not placed". */
#define PLAN_NOWHERE UINT64_MAX

/* So that sums of an offset, a size and a round-up fit 64 bits. */
#define PLAN_UNITS_MAX (UINT64_MAX >> 2)

struct plan_problem {
	uint32_t count;
	uint32_t sections;
	uint64_t *size;	       /* > 0 */
	uint32_t *begin, *end; /* sections [begin, end), begin ascending, end > begin */
	uint64_t *align;       /* NULL when every multiple of a unit will do */
	uint64_t *pinned;      /* the offset or PLAN_NOWHERE; NULL when no item has one */
	uint64_t arena;	       /* units of one arena; 0: no limit */
	uint64_t bound;	       /* no strip is lower: the largest sum of sizes alive together */

	/*
	 * Who conflicts with item i: adjacent[adjacent_start[i]] up to that of i + 1. NULL for
	 * large inputs with lifetimes. Always there when the input is a conflict list
	 * (by_conflicts): all items then live in one section, which says nothing.
	 */
	size_t *adjacent_start;
	uint32_t *adjacent;
	bool by_conflicts;
};

/* Effort: counted steps, and the clock and the callback, asked now and then. */
struct plan_effort {
	uint64_t work, work_limit;
	uint64_t next_poll; /* ask the clock when work reaches it */
	uint64_t deadline_ns;
	bool (*cancelled)(void *userdata);
	void *userdata;
	bool out_of_time, gave_up; /* the clock; the callback */
};

/* Add steps. @return whether the planner must stop now. */
bool berth__plan_spend(struct plan_effort *effort, uint64_t steps);

uint64_t berth__plan_now_ns(void);

/* xorshift64*: the only source of chance. *state is not 0. */
uint64_t berth__plan_random(uint64_t *state);

/* The lowest offset >= @at that item's alignment and the arena borders allow. */
static inline uint64_t berth__plan_fit(const struct plan_problem *problem, uint32_t item,
				       uint64_t at)
{
	uint64_t size = problem->size[item], align = problem->align ? problem->align[item] : 1;

	if (align > 1)
		at = (at + align - 1) / align * align;
	if (problem->arena && at / problem->arena != (at + size - 1) / problem->arena) {
		at = (at / problem->arena + 1) * problem->arena;
		at = align > 1 ? (at + align - 1) / align * align : at;
	}
	return at;
}

#endif
