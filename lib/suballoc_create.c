/* SPDX-License-Identifier: Apache-2.0 */
/* Suballocation: an arena's records: making them, more of them, and ending them. */
#include "suballoc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "suballoc_arena.h"

#define CACHE_LINE_BYTES 64u
#define FIRST_NODES 8u
#define MANY_NODES 2048u

/*
 * The new capacity is at least the old one; the arena is unchanged on failure. Nodes
 * begin at a cache line; realloc() moves large blocks by their page tables, but
 * keeps no alignment.
 */
static berth_status set_node_capacity(struct berth__suballoc *arena, uint32_t capacity)
{
	size_t old_bytes = (size_t)arena->index_end * sizeof(struct node);
	size_t old_skip = arena->nodes ? (size_t)((char *)arena->nodes - arena->node_block) : 0;
	char *block = realloc(arena->node_block,
			      (size_t)capacity * sizeof(struct node) + CACHE_LINE_BYTES);
	size_t skip;

	if (!block)
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "no memory for the records of %" PRIu32 " spans", capacity);
	skip = -(uintptr_t)block % CACHE_LINE_BYTES;
	if (skip != old_skip)
		memmove(block + skip, block + old_skip, old_bytes);
	arena->node_block = block;
	arena->nodes = (struct node *)(void *)(block + skip);
	arena->nodes_left += capacity - arena->node_capacity;
	arena->node_capacity = capacity;
	return BERTH_OK;
}

/*
 * Few records grow by little, so that an arena of 200 spans carries no slack to speak
 * of; many by a quarter, as each growing is then a call of the system's.
 */
berth_status berth__suballoc_grow(struct berth__suballoc *arena)
{
	bool are_many = arena->node_capacity >= MANY_NODES;
	uint32_t more = arena->node_capacity / (are_many ? 4u : 32u) + FIRST_NODES;

	if (more > NODES_MAX - arena->node_capacity)
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "an arena of %" PRIu32
				       " records cannot have more than %" PRIu32,
				       arena->node_capacity, NODES_MAX);
	return set_node_capacity(arena, arena->node_capacity + more);
}

berth_status berth__suballoc_create(struct berth__suballoc **out, uint64_t capacity_bytes,
				    uint64_t granularity_bytes)
{
	struct berth__suballoc *arena;
	uint64_t capacity;
	uint32_t class_count, lowest;
	unsigned shift;

	if (!is_power_of_two(granularity_bytes) || capacity_bytes < granularity_bytes)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "an arena of %" PRIu64 " bytes in units of %" PRIu64
				       ", a power of two not above it",
				       capacity_bytes, granularity_bytes);
	shift = (unsigned)__builtin_ctzll(granularity_bytes);
	capacity = capacity_bytes >> shift;
	class_count = class_of(capacity) + 1;
	lowest = (HEAD_WORD(class_count) + NODE_WORDS - 1) / NODE_WORDS;
	arena = calloc(1, sizeof(*arena));
	if (!arena)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for an arena");
	if (set_node_capacity(arena, lowest + FIRST_NODES) != BERTH_OK) {
		free(arena);
		return BERTH_E_NOMEM;
	}
	memset(arena->nodes, 0, lowest * sizeof(struct node)); /* no class has a hole */
	arena->nodes[NODE_NONE].next = NODE_USED;
	arena->lowest = arena->index_end = lowest;
	arena->nodes_left -= lowest;
	arena->shift = shift;
	arena->capacity = capacity;
	arena->class_count = class_count;
	arena->tail = arena->index_end++;
	arena->nodes_left--;
	arena->nodes[arena->tail] = (struct node){ .size = capacity };
	*out = arena;
	return BERTH_OK;
}

void berth__suballoc_destroy(struct berth__suballoc *arena)
{
	if (!arena)
		return;
	free(arena->node_block);
	free(arena);
}
