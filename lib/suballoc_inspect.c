/* SPDX-License-Identifier: Apache-2.0 */
/* Suballocation: reading an arena: its statistics, its spans, its soundness. */
#include "suballoc.h"

#include <inttypes.h>

#include "suballoc_arena.h"

static uint64_t largest_hole(const struct berth__suballoc *arena)
{
	uint64_t largest = arena->tail != NODE_NONE ? arena->nodes[arena->tail].size : 0;
	uint32_t word, class;

	if (arena->word_summary == 0)
		return largest;
	word = 63u - (uint32_t)__builtin_clzll(arena->word_summary);
	class = word * 64u + 63u - (uint32_t)__builtin_clzll(arena->class_words[word]);
	for (uint32_t i = *class_head(arena, class); i != NODE_NONE; i = arena->nodes[i].next)
		if (arena->nodes[i].size > largest)
			largest = arena->nodes[i].size;
	return largest;
}

void berth__suballoc_stats(const struct berth__suballoc *arena, struct berth__suballoc_stats *out)
{
	uint64_t tail = arena->tail != NODE_NONE ? arena->nodes[arena->tail].size : 0;

	*out = (struct berth__suballoc_stats){
		.capacity_bytes = arena->capacity << arena->shift,
		.used_bytes = arena->used << arena->shift,
		.free_bytes = (arena->capacity - arena->used) << arena->shift,
		.largest_hole_bytes = largest_hole(arena) << arena->shift,
		.end_bytes = (arena->capacity - tail) << arena->shift,
		.peak_end_bytes = arena->peak_end << arena->shift,
		.used_count = arena->used_count,
		.hole_count = node_count(arena) - arena->used_count,
		.index_end = arena->index_end - arena->lowest,
		.metadata_bytes = sizeof(*arena) + arena->node_capacity * sizeof(arena->nodes[0]),
	};
}

void berth__suballoc_walk(const struct berth__suballoc *arena,
			  void (*visit)(const struct berth__span_info *info, void *userdata),
			  void *userdata)
{
	for (uint32_t i = arena->lowest; i != NODE_NONE; i = arena->nodes[i].above) {
		const struct node *node = &arena->nodes[i];
		const struct berth__span_info info = {
			.span = node_is_hole(node) ? BERTH__SPAN_NONE : span_of(arena, i),
			.offset_bytes = node->offset << arena->shift,
			.bytes = node->size << arena->shift,
		};

		visit(&info, userdata);
	}
}

static berth_status unsound(uint32_t index, const char *what)
{
	return berth_error_set(BERTH_E_STATE, 0, "arena: node %" PRIu32 " %s", index, what);
}

/* What the chain says, to be compared with the lists and the counts. */
struct census {
	uint64_t end;
	uint64_t used;
	uint32_t used_count;
	uint32_t listed_count; /* holes but for the tail */
};

static const char *node_fault(const struct berth__suballoc *arena, uint32_t i, uint32_t below,
			      uint64_t offset)
{
	const struct node *node = &arena->nodes[i];

	if (node->next == NODE_SPARE)
		return "is in the chain and spare";
	if (node->below != below)
		return "does not lead back to the node below";
	if (node->offset != offset || node->size == 0 || node->size > arena->capacity - offset)
		return "does not begin where the one below ends, or is empty or too large";
	if (node_is_hole(node) && node_is_hole(&arena->nodes[below]))
		return "is a hole above a hole";
	if ((node_is_hole(node) && node->above == NODE_NONE) != (i == arena->tail))
		return "and the tail do not agree";
	return NULL;
}

static berth_status check_chain(const struct berth__suballoc *arena, struct census *census)
{
	uint32_t below = NODE_NONE, count = 0;

	for (uint32_t i = arena->lowest; i != NODE_NONE; below = i, i = arena->nodes[i].above) {
		const struct node *node = &arena->nodes[i];
		const char *fault;

		if (i >= arena->index_end || ++count > node_count(arena))
			return unsound(i, "is not one of the arena, or the chain has a loop");
		if ((fault = node_fault(arena, i, below, census->end)) != NULL)
			return unsound(i, fault);
		census->end += node->size;
		if (!node_is_hole(node)) {
			census->used += node->size;
			census->used_count++;
		} else if (i != arena->tail) {
			census->listed_count++;
		}
	}
	return count == node_count(arena) ? BERTH_OK : unsound(below, "is the last of too few");
}

static berth_status check_list(const struct berth__suballoc *arena, uint32_t class,
			       uint32_t *listed_count)
{
	uint32_t from = HEAD_WORD(class);

	for (uint32_t i = *class_head(arena, class); i != NODE_NONE;
	     from = NEXT_WORD(i), i = arena->nodes[i].next) {
		const struct node *node = &arena->nodes[i];

		if (i >= arena->index_end || !node_is_hole(node) || i == arena->tail)
			return unsound(i, "is listed and not a hole, or the tail");
		if (node->linked_from != from || class_of(node->size) != class)
			return unsound(i, "does not lead back, or is in the list of another class");
		if (++*listed_count > node_count(arena))
			return unsound(i, "is in a list with a loop");
	}
	return BERTH_OK;
}

static berth_status check_lists(const struct berth__suballoc *arena, uint32_t *listed_count)
{
	berth_status st;

	for (uint32_t class = 0; class < CLASS_WORDS * 64u; class++) {
		bool marked = arena->class_words[class / 64u] >> class % 64u & 1u;
		bool summed = arena->word_summary >> class / 64u & 1u;
		bool listed = class < arena->class_count && *class_head(arena, class) != NODE_NONE;

		if (marked != listed || (marked && !summed) ||
		    summed != (arena->class_words[class / 64u] != 0))
			return berth_error_set(BERTH_E_STATE, 0,
					       "arena: class %" PRIu32 " and its bits do not agree",
					       class);
		if (listed && (st = check_list(arena, class, listed_count)) != BERTH_OK)
			return st;
	}
	return BERTH_OK;
}

static berth_status check_spares(const struct berth__suballoc *arena)
{
	uint32_t count = 0;

	for (uint32_t i = arena->spare; i != NODE_NONE; i = arena->nodes[i].below)
		if (i >= arena->index_end || arena->nodes[i].next != NODE_SPARE ||
		    ++count > arena->index_end)
			return unsound(i, "is among the spare ones and is not, or twice");
	if (count != arena->index_end - arena->lowest - node_count(arena))
		return berth_error_set(BERTH_E_STATE, 0,
				       "arena: %" PRIu32 " spare nodes of %" PRIu32 ", %" PRIu32
				       " in the chain",
				       count, arena->index_end, node_count(arena));
	return BERTH_OK;
}

berth_status berth__suballoc_check(const struct berth__suballoc *arena)
{
	struct census census = { 0 };
	uint32_t listed_count = 0;
	berth_status st;

	if ((st = check_chain(arena, &census)) != BERTH_OK ||
	    (st = check_lists(arena, &listed_count)) != BERTH_OK ||
	    (st = check_spares(arena)) != BERTH_OK)
		return st;
	if (census.end != arena->capacity || census.used != arena->used ||
	    census.used_count != arena->used_count || census.listed_count != listed_count)
		return berth_error_set(BERTH_E_STATE, 0,
				       "arena: the chain ends at %" PRIu64 " of %" PRIu64
				       ", uses %" PRIu64 " of %" PRIu64 ", %" PRIu32 " of %" PRIu32 " spans, %" PRIu32
				       " of %" PRIu32 " holes",
				       census.end, arena->capacity, census.used, arena->used,
				       census.used_count, arena->used_count, listed_count,
				       census.listed_count);
	return BERTH_OK;
}
