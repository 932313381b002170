/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Normalisation. Sizes are rounded up to the greatest common divisor of all alignments, which
 * loses nothing but the end of an arena: every offset is a multiple of it. Then all is divided
 * by what divides all. Times become sections, of which there is one for each moment at which
 * something comes alive: the largest sums are to be found there.
 */
#include "plan_normalise.h"
#include "plan_bound.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct building {
	struct plan_group *group;
	const berth_plan_input *input;
	const struct plan_chains *chains;
	uint64_t first, last; /* all of time */
	uint64_t grain_bytes; /* the divisor of all alignments */
	uint64_t *starts;     /* the moments at which sections begin */
	uint32_t start_count;
};

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static const struct plan_chain *chain_of(const struct building *building, uint32_t item)
{
	return &building->chains->chains[building->group->chain[item]];
}

static uint64_t lower_of(const struct building *building, const struct plan_chain *chain)
{
	return chain->whole_run ? building->first : chain->lower;
}

static uint64_t upper_of(const struct building *building, const struct plan_chain *chain)
{
	return chain->whole_run ? building->last : chain->upper;
}

/* Keep the chains that have bytes; see how long all lasts, and what divides the alignments. */
static void gather(struct building *building, const uint32_t *members, uint32_t count)
{
	struct plan_group *group = building->group;

	building->first = UINT64_MAX;
	for (uint32_t i = 0; i < count; i++) {
		const struct plan_chain *chain = &building->chains->chains[members[i]];

		if (chain->bytes == 0)
			continue;
		group->chain[group->problem.count++] = members[i];
		building->grain_bytes = greatest_divisor(chain->align_bytes, building->grain_bytes);
		if (chain->whole_run)
			continue;
		building->first = chain->lower < building->first ? chain->lower : building->first;
		building->last = chain->upper > building->last ? chain->upper : building->last;
	}
	if (building->first >= building->last) {
		building->first = 0;
		building->last = 1;
	}
}

static uint64_t rounded(const struct building *building, uint64_t bytes)
{
	uint64_t grain = building->grain_bytes;

	return (bytes + grain - 1) / grain * grain;
}

/* The unit: what divides all rounded sizes, pinned offsets, and alignments it does not cover. */
static uint64_t find_unit(const struct building *building)
{
	uint32_t count = building->group->problem.count;
	uint64_t unit = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct plan_chain *chain = chain_of(building, i);

		unit = greatest_divisor(rounded(building, chain->bytes), unit);
		if (chain->pinned_offset_bytes != BERTH_PLAN_ANYWHERE)
			unit = greatest_divisor(chain->pinned_offset_bytes, unit);
	}
	for (uint32_t i = 0; i < count; i++)
		if (unit % chain_of(building, i)->align_bytes)
			unit = greatest_divisor(chain_of(building, i)->align_bytes, unit);
	return unit ? unit : 1;
}

static int compare_times(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void find_starts(struct building *building)
{
	uint32_t count = building->group->problem.count, kept = 0;
	uint64_t *starts = building->starts;

	for (uint32_t i = 0; i < count; i++)
		starts[i] = lower_of(building, chain_of(building, i));
	qsort(starts, count, sizeof(*starts), compare_times);
	for (uint32_t i = 0; i < count; i++)
		if (kept == 0 || starts[kept - 1] != starts[i])
			starts[kept++] = starts[i];
	building->start_count = kept;
}

/* The number of sections that begin before a time. */
static uint32_t section_of(const struct building *building, uint64_t time)
{
	uint32_t low = 0, high = building->start_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (building->starts[middle] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct sort_row {
	uint64_t lower, upper;
	uint32_t chain;
};

static int by_start(const void *a, const void *b)
{
	const struct sort_row *x = a, *y = b;

	if (x->lower != y->lower)
		return x->lower < y->lower ? -1 : 1;
	if (x->upper != y->upper)
		return x->upper < y->upper ? -1 : 1;
	return (x->chain > y->chain) - (x->chain < y->chain);
}

static bool sort_items(struct building *building)
{
	struct plan_group *group = building->group;
	uint32_t count = group->problem.count;
	struct sort_row *rows = calloc((size_t)count + 1, sizeof(*rows));

	if (!rows)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct plan_chain *chain = chain_of(building, i);

		rows[i] = (struct sort_row){ lower_of(building, chain), upper_of(building, chain),
					     group->chain[i] };
	}
	if (!building->input->by_conflicts)
		qsort(rows, count, sizeof(*rows), by_start);
	for (uint32_t i = 0; i < count; i++)
		group->chain[i] = rows[i].chain;
	free(rows);
	return true;
}

/* Arrays the problem needs; align and pinned only where an item asks. */
static bool allocate(struct building *building)
{
	struct plan_problem *problem = &building->group->problem;
	size_t count = (size_t)problem->count + 1;
	bool aligned = false, pinned = false;

	for (uint32_t i = 0; i < problem->count; i++) {
		const struct plan_chain *chain = chain_of(building, i);

		aligned |= building->group->unit_bytes % chain->align_bytes != 0;
		pinned |= chain->pinned_offset_bytes != BERTH_PLAN_ANYWHERE;
	}
	problem->size = calloc(count, sizeof(*problem->size));
	problem->begin = calloc(count, sizeof(*problem->begin));
	problem->end = calloc(count, sizeof(*problem->end));
	problem->align = aligned ? calloc(count, sizeof(*problem->align)) : NULL;
	problem->pinned = pinned ? calloc(count, sizeof(*problem->pinned)) : NULL;
	building->starts = calloc(count, sizeof(*building->starts));
	return problem->size && problem->begin && problem->end && building->starts &&
	       (!aligned || problem->align) && (!pinned || problem->pinned);
}

static void fill(struct building *building)
{
	struct plan_problem *problem = &building->group->problem;
	uint64_t unit = building->group->unit_bytes;

	find_starts(building);
	problem->sections = building->input->by_conflicts ? 1 : building->start_count;
	for (uint32_t i = 0; i < problem->count; i++) {
		const struct plan_chain *chain = chain_of(building, i);
		uint64_t pin = chain->pinned_offset_bytes;

		problem->size[i] = rounded(building, chain->bytes) / unit;
		if (problem->align)
			problem->align[i] =
				unit % chain->align_bytes ? chain->align_bytes / unit : 1;
		if (problem->pinned)
			problem->pinned[i] = pin == BERTH_PLAN_ANYWHERE ? PLAN_NOWHERE : pin / unit;
		problem->end[i] = 1;
		if (building->input->by_conflicts)
			continue;
		problem->begin[i] = section_of(building, lower_of(building, chain));
		problem->end[i] = section_of(building, upper_of(building, chain));
	}
}

/* The limit of an arena in units. */
static berth_status set_arena(struct building *building)
{
	struct plan_problem *problem = &building->group->problem;
	uint64_t limit = building->input->caps.max_arena_bytes;
	uint64_t unit = building->group->unit_bytes;

	problem->arena = limit / unit;
	if (limit == 0)
		return BERTH_OK;
	for (uint32_t i = 0; i < problem->count; i++) {
		uint64_t pin = problem->pinned && problem->pinned[i] != PLAN_NOWHERE
				       ? problem->pinned[i]
				       : 0;

		if (pin + problem->size[i] > problem->arena)
			return berth_error_set(BERTH_E_LIMIT, 0,
					       "request %" PRIu32 ": %" PRIu64 " bytes, rounded up "
					       "to the alignment, pass an arena of %" PRIu64,
					       chain_of(building, i)->request,
					       (pin + problem->size[i]) * unit, limit);
	}
	return BERTH_OK;
}

berth_status berth__plan_group_init(struct plan_group *out, const berth_plan_input *input,
				    const struct plan_chains *chains, const uint32_t *members,
				    uint32_t count)
{
	struct building building = { .group = out, .input = input, .chains = chains };
	berth_status st = BERTH_OK;
	bool made;

	*out = (struct plan_group){ .unit_bytes = 1 };
	out->problem.by_conflicts = input->by_conflicts;
	out->arena_group = chains->chains[members[0]].arena_group;
	out->chain = calloc((size_t)count + 1, sizeof(*out->chain));
	made = out->chain != NULL;
	if (made) {
		gather(&building, members, count);
		out->unit_bytes = find_unit(&building);
		made = sort_items(&building) && allocate(&building);
	}
	if (made) {
		fill(&building);
		st = set_arena(&building);
		made = st != BERTH_OK || !input->by_conflicts ||
		       berth__plan_list_conflicts(out, input, chains);
	}
	if (made && st == BERTH_OK)
		made = berth__plan_bound(out, chains);
	free(building.starts);
	if (!made)
		st = berth_error_set(BERTH_E_NOMEM, 0, "no memory to plan %" PRIu32 " requests",
				     count);
	return st;
}

void berth__plan_group_fini(struct plan_group *group)
{
	struct plan_problem *problem = &group->problem;

	free(problem->size);
	free(problem->begin);
	free(problem->end);
	free(problem->align);
	free(problem->pinned);
	free(problem->adjacent_start);
	free(problem->adjacent);
	free(group->chain);
}
