/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lower bounds. With lifetimes, the largest sum of sizes alive at one moment: by a sweep. With
 * a conflict list, that is the heaviest set of items which all conflict with each other; finding
 * it is as hard as planning, so the bound is the heaviest set that starts from one item and
 * takes its heaviest neighbours while they fit.
 */
#include "plan_bound.h"

#include <stdlib.h>

static uint64_t bytes_of(const struct plan_group *group, const struct plan_chains *chains,
			 uint32_t item)
{
	return chains->chains[group->chain[item]].bytes;
}

/* Sums rise at an item's begin, and fall after its end. */
static bool sweep(struct plan_group *group, const struct plan_chains *chains)
{
	struct plan_problem *problem = &group->problem;
	uint64_t *bytes = calloc(2 * ((size_t)problem->sections + 1), sizeof(*bytes));
	uint64_t *units = bytes ? bytes + problem->sections + 1 : NULL;
	uint64_t live_bytes = 0, live_units = 0;

	if (!bytes)
		return false;
	/* Unsigned differences: what wraps on the way comes out right in the sum. */
	for (uint32_t i = 0; i < problem->count; i++) {
		bytes[problem->begin[i]] += bytes_of(group, chains, i);
		bytes[problem->end[i]] -= bytes_of(group, chains, i);
		units[problem->begin[i]] += problem->size[i];
		units[problem->end[i]] -= problem->size[i];
	}
	for (uint32_t s = 0; s < problem->sections; s++) {
		live_bytes += bytes[s];
		live_units += units[s];
		group->live_bytes = live_bytes > group->live_bytes ? live_bytes : group->live_bytes;
		problem->bound = live_units > problem->bound ? live_units : problem->bound;
	}
	free(bytes);
	return true;
}

/* The neighbours of an item that all conflict with each other, taken by @rank. */
struct clique {
	uint32_t *members, *seen; /* seen[i]: how many members conflict with item i */
	uint32_t count;
};

static void grow(struct clique *clique, const struct plan_problem *problem, uint32_t member)
{
	clique->members[clique->count++] = member;
	for (size_t i = problem->adjacent_start[member]; i < problem->adjacent_start[member + 1];
	     i++)
		clique->seen[problem->adjacent[i]]++;
}

static void shrink(struct clique *clique, const struct plan_problem *problem)
{
	while (clique->count > 0) {
		uint32_t member = clique->members[--clique->count];

		for (size_t i = problem->adjacent_start[member];
		     i < problem->adjacent_start[member + 1]; i++)
			clique->seen[problem->adjacent[i]]--;
	}
}

/* The heaviest neighbour of @first that conflicts with all members, or @first when none does. */
static uint32_t heaviest_next(const struct clique *clique, const struct plan_problem *problem,
			      uint32_t first)
{
	uint32_t best = first;

	for (size_t i = problem->adjacent_start[first]; i < problem->adjacent_start[first + 1];
	     i++) {
		uint32_t item = problem->adjacent[i];

		if (clique->seen[item] == clique->count &&
		    (best == first || problem->size[item] > problem->size[best]))
			best = item;
	}
	return best;
}

static bool find_cliques(struct plan_group *group, const struct plan_chains *chains)
{
	struct plan_problem *problem = &group->problem;
	struct clique clique = { 0 };
	bool made;

	clique.members = calloc((size_t)problem->count + 1, sizeof(*clique.members));
	clique.seen = calloc((size_t)problem->count + 1, sizeof(*clique.seen));
	made = clique.members && clique.seen;
	for (uint32_t first = 0; made && first < problem->count; first++) {
		uint64_t units = 0, bytes = 0;
		uint32_t next = first;

		do {
			grow(&clique, problem, next);
			next = heaviest_next(&clique, problem, first);
		} while (next != first);
		for (uint32_t i = 0; i < clique.count; i++) {
			units += problem->size[clique.members[i]];
			bytes += bytes_of(group, chains, clique.members[i]);
		}
		shrink(&clique, problem);
		problem->bound = units > problem->bound ? units : problem->bound;
		group->live_bytes = bytes > group->live_bytes ? bytes : group->live_bytes;
	}
	free(clique.members);
	free(clique.seen);
	return made;
}

bool berth__plan_bound(struct plan_group *group, const struct plan_chains *chains)
{
	return group->problem.by_conflicts ? find_cliques(group, chains) : sweep(group, chains);
}
