/* SPDX-License-Identifier: Apache-2.0 */
/* Who conflicts with whom, as one array of items and where each item's part of it starts. */
#include "plan_bound.h"

#include <stdlib.h>

static uint64_t count_pairs(const struct plan_problem *problem)
{
	uint64_t pairs = 0, alive = 0;
	uint64_t *gone = calloc((size_t)problem->sections + 1, sizeof(*gone));
	uint32_t section = 0;

	if (!gone)
		return UINT64_MAX;
	for (uint32_t i = 0; i < problem->count; i++)
		gone[problem->end[i]]++;
	/* Each item meets those that are alive when it begins. */
	for (uint32_t i = 0; i < problem->count; i++) {
		while (section < problem->begin[i])
			alive -= gone[++section];
		pairs += alive++;
	}
	free(gone);
	return pairs;
}

bool berth__plan_list_adjacent(struct plan_problem *problem, size_t most)
{
	uint64_t pairs = count_pairs(problem);
	size_t *start, used = 0;
	uint32_t *adjacent;

	if (problem->adjacent_start)
		return true;
	if (pairs > most)
		return false;
	start = calloc((size_t)problem->count + 1, sizeof(*start));
	adjacent = calloc(2 * (size_t)pairs + 1, sizeof(*adjacent));
	if (!start || !adjacent) {
		free(start);
		free(adjacent);
		return false;
	}
	for (uint32_t i = 0; i < problem->count; i++) {
		start[i] = used;
		for (uint32_t j = 0; j < problem->count && problem->begin[j] < problem->end[i]; j++)
			if (j != i && problem->end[j] > problem->begin[i])
				adjacent[used++] = j;
	}
	start[problem->count] = used;
	problem->adjacent_start = start;
	problem->adjacent = adjacent;
	return true;
}

/* A pair of items, and its reverse: the list is made from these, sorted, without repetitions. */
struct edge {
	uint32_t from, to;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

struct edges {
	struct edge *edges;
	size_t count, room;
};

static bool add_edge(struct edges *list, uint32_t a, uint32_t b)
{
	if (list->count + 2 > list->room) {
		size_t room = list->room ? 2 * list->room : 256;
		struct edge *grown = reallocarray(list->edges, room, sizeof(*grown));

		if (!grown)
			return false;
		list->edges = grown;
		list->room = room;
	}
	list->edges[list->count++] = (struct edge){ a, b };
	list->edges[list->count++] = (struct edge){ b, a };
	return true;
}

static bool gather_edges(struct edges *list, const struct plan_group *group,
			 const berth_plan_input *input, const struct plan_chains *chains,
			 const uint32_t *item_of_chain)
{
	for (size_t i = 0; i < input->conflict_count; i++) {
		uint32_t a = item_of_chain[chains->of_request[input->conflicts[i].a]];
		uint32_t b = item_of_chain[chains->of_request[input->conflicts[i].b]];

		if (a != b && a != UINT32_MAX && b != UINT32_MAX && !add_edge(list, a, b))
			return false;
	}
	for (uint32_t i = 0; i < group->problem.count; i++)
		for (uint32_t j = 0;
		     chains->chains[group->chain[i]].whole_run && j < group->problem.count; j++)
			if (i != j && !add_edge(list, i, j))
				return false;
	return true;
}

static bool make_lists(struct plan_problem *problem, struct edges *list)
{
	size_t used = 0;
	uint32_t item = 0;

	problem->adjacent_start = calloc((size_t)problem->count + 1, sizeof(size_t));
	problem->adjacent = calloc(list->count + 1, sizeof(*problem->adjacent));
	if (!problem->adjacent_start || !problem->adjacent)
		return false;
	if (list->count)
		qsort(list->edges, list->count, sizeof(*list->edges), compare_edges);
	for (size_t i = 0; i < list->count; i++) {
		if (i && compare_edges(&list->edges[i - 1], &list->edges[i]) == 0)
			continue;
		while (item < list->edges[i].from)
			problem->adjacent_start[++item] = used;
		problem->adjacent[used++] = list->edges[i].to;
	}
	while (item < problem->count)
		problem->adjacent_start[++item] = used;
	return true;
}

bool berth__plan_list_conflicts(struct plan_group *group, const berth_plan_input *input,
				const struct plan_chains *chains)
{
	uint32_t *item_of_chain = malloc(((size_t)chains->count + 1) * sizeof(*item_of_chain));
	struct edges list = { 0 };
	bool made = false;

	for (uint32_t i = 0; item_of_chain && i < chains->count; i++)
		item_of_chain[i] = UINT32_MAX;
	for (uint32_t i = 0; item_of_chain && i < group->problem.count; i++)
		item_of_chain[group->chain[i]] = i;
	if (item_of_chain && gather_edges(&list, group, input, chains, item_of_chain))
		made = make_lists(&group->problem, &list);
	free(item_of_chain);
	free(list.edges);
	return made;
}
