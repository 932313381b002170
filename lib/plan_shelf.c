/* SPDX-License-Identifier: Apache-2.0 */
/* The shelf: a list a block, each in chunks, so that an insertion moves little. */
#include "plan_shelf.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 128

/* Blocks of the last level have at least so many items that begin in them. */
#define ITEMS_PER_BLOCK 1024
#define LEVELS_MAX 10

struct chunk {
	uint32_t count;
	uint64_t offset[CHUNK], top[CHUNK];
	uint32_t begin[CHUNK], end[CHUNK], item[CHUNK];
};

#define NO_CHUNK UINT32_MAX

/* The chunks of a list, and the offset that each begins with. */
struct list {
	uint64_t *first;
	uint32_t *chunk;
	uint32_t count, room;
};

struct plan_shelf {
	const struct plan_problem *problem;
	struct chunk *chunks;
	uint32_t chunk_count, chunk_room;

	/* Level l has 1 << l blocks; block b of it is lists[(1 << l) + b]. */
	struct list *lists;
	uint32_t list_count;
	uint32_t levels;
	uint32_t *block_of_section; /* of the last level */

	/* With conflict lists: mark[i] == marker when item i conflicts with the one looked for. */
	uint32_t *mark, marker;
};

void berth__plan_shelf_destroy(struct plan_shelf *shelf)
{
	if (!shelf)
		return;
	free(shelf->chunks);
	for (uint32_t i = 0; shelf->lists && i < shelf->list_count; i++) {
		free(shelf->lists[i].first);
		free(shelf->lists[i].chunk);
	}
	free(shelf->lists);
	free(shelf->block_of_section);
	free(shelf->mark);
	free(shelf);
}

/* Cut time so that about as many items begin in each block of the last level. */
static void cut_time(struct plan_shelf *shelf)
{
	const struct plan_problem *problem = shelf->problem;
	uint32_t blocks = 1u << (shelf->levels - 1), section = 0;

	for (uint32_t i = 0; i < problem->count; i++) {
		uint32_t block = (uint32_t)((uint64_t)i * blocks / problem->count);

		for (; section <= problem->begin[i]; section++)
			shelf->block_of_section[section] = block;
	}
}

struct plan_shelf *berth__plan_shelf_create(const struct plan_problem *problem)
{
	struct plan_shelf *shelf = calloc(1, sizeof(*shelf));

	if (!shelf)
		return NULL;
	shelf->problem = problem;
	shelf->levels = 1;
	while (!problem->by_conflicts && shelf->levels < LEVELS_MAX &&
	       problem->count >> shelf->levels >= ITEMS_PER_BLOCK)
		shelf->levels++;
	shelf->list_count = 1u << shelf->levels;
	shelf->lists = calloc(shelf->list_count, sizeof(*shelf->lists));
	shelf->block_of_section = calloc((size_t)problem->sections + 1, sizeof(uint32_t));
	shelf->mark = calloc((size_t)problem->count + 1, sizeof(*shelf->mark));
	if (!shelf->lists || !shelf->block_of_section || !shelf->mark) {
		berth__plan_shelf_destroy(shelf);
		return NULL;
	}
	cut_time(shelf);
	berth__plan_shelf_clear(shelf);
	return shelf;
}

void berth__plan_shelf_clear(struct plan_shelf *shelf)
{
	for (uint32_t i = 0; i < shelf->list_count; i++)
		shelf->lists[i].count = 0;
	shelf->chunk_count = 0;
}

static uint32_t first_block(const struct plan_shelf *shelf, uint32_t item)
{
	return shelf->block_of_section[shelf->problem->begin[item]];
}

static uint32_t last_block(const struct plan_shelf *shelf, uint32_t item)
{
	return shelf->block_of_section[shelf->problem->end[item] - 1];
}

/* The smallest block that covers an item's life. */
static uint32_t covering_list(const struct plan_shelf *shelf, uint32_t item)
{
	uint32_t level = shelf->levels - 1;
	uint32_t first = first_block(shelf, item), last = last_block(shelf, item);

	for (; first != last; level--) {
		first /= 2;
		last /= 2;
	}
	return (1u << level) + first;
}

static void mark_conflicts(struct plan_shelf *shelf, uint32_t item)
{
	const struct plan_problem *problem = shelf->problem;

	shelf->marker++;
	for (size_t i = problem->adjacent_start[item]; i < problem->adjacent_start[item + 1]; i++)
		shelf->mark[problem->adjacent[i]] = shelf->marker;
}

/* A search for a gap, from below: what is in conflict reaches up to @top so far. */
struct search {
	struct plan_shelf *shelf;
	uint32_t item;
	enum plan_gap gap;
	uint64_t top;
	uint64_t best, best_rest; /* PLAN_NOWHERE: none yet */
};

/* Whether the search is over with the gap between @top and the next in conflict. */
static bool consider_gap(struct search *search, uint64_t next)
{
	const struct plan_problem *problem = search->shelf->problem;
	uint64_t at = berth__plan_fit(problem, search->item, search->top);
	uint64_t end = at + problem->size[search->item], rest;

	if (end > next)
		return false;
	rest = next - search->top - problem->size[search->item];
	if (search->best == PLAN_NOWHERE || rest < search->best_rest) {
		search->best = at;
		search->best_rest = rest;
	}
	return search->gap == PLAN_FIRST_GAP;
}

static bool in_conflict(const struct search *search, const struct chunk *chunk, uint32_t i)
{
	const struct plan_problem *problem = search->shelf->problem;

	if (problem->by_conflicts)
		return search->shelf->mark[chunk->item[i]] == search->shelf->marker;
	return chunk->begin[i] < problem->end[search->item] &&
	       problem->begin[search->item] < chunk->end[i];
}

static bool search_chunk(struct search *search, const struct chunk *chunk)
{
	for (uint32_t i = 0; i < chunk->count; i++) {
		if (!in_conflict(search, chunk, i))
			continue;
		if (chunk->offset[i] > search->top && consider_gap(search, chunk->offset[i]))
			return true;
		search->top = chunk->top[i] > search->top ? chunk->top[i] : search->top;
	}
	return false;
}

uint64_t berth__plan_shelf_find(struct plan_shelf *shelf, uint32_t item, uint64_t from,
				enum plan_gap gap, uint64_t *steps)
{
	struct search search = {
		.shelf = shelf, .item = item, .gap = gap, .top = from, .best = PLAN_NOWHERE
	};
	const struct list *list;

	if (shelf->problem->by_conflicts)
		mark_conflicts(shelf, item);
	list = &shelf->lists[covering_list(shelf, item)];
	for (uint32_t i = 0; i < list->count; i++) {
		*steps += shelf->chunks[list->chunk[i]].count;
		if (search_chunk(&search, &shelf->chunks[list->chunk[i]]))
			break;
	}
	return search.best != PLAN_NOWHERE ? search.best
					   : berth__plan_fit(shelf->problem, item, search.top);
}

static uint32_t new_chunk(struct plan_shelf *shelf)
{
	if (shelf->chunk_count == shelf->chunk_room) {
		uint32_t room = shelf->chunk_room ? shelf->chunk_room * 2 : 16;
		struct chunk *grown = reallocarray(shelf->chunks, room, sizeof(*grown));

		if (!grown)
			return NO_CHUNK;
		shelf->chunks = grown;
		shelf->chunk_room = room;
	}
	shelf->chunks[shelf->chunk_count].count = 0;
	return shelf->chunk_count++;
}

#define MOVE(to, to_at, from, from_at, count)                                                      \
	do {                                                                                       \
		memmove(&(to)->offset[to_at], &(from)->offset[from_at],                            \
			(count) * sizeof(uint64_t));                                               \
		memmove(&(to)->top[to_at], &(from)->top[from_at], (count) * sizeof(uint64_t));     \
		memmove(&(to)->begin[to_at], &(from)->begin[from_at], (count) * sizeof(uint32_t)); \
		memmove(&(to)->end[to_at], &(from)->end[from_at], (count) * sizeof(uint32_t));     \
		memmove(&(to)->item[to_at], &(from)->item[from_at], (count) * sizeof(uint32_t));   \
	} while (0)

/* Add a new chunk to a list, at a place in it. */
static struct chunk *add_chunk(struct plan_shelf *shelf, struct list *list, uint32_t at)
{
	uint32_t chunk = new_chunk(shelf);

	if (chunk == NO_CHUNK)
		return NULL;
	if (list->count == list->room) {
		uint32_t room = list->room ? 2 * list->room : 8;
		uint64_t *first = reallocarray(list->first, room, sizeof(*first));
		uint32_t *chunks = reallocarray(list->chunk, room, sizeof(*chunks));

		list->first = first ? first : list->first;
		list->chunk = chunks ? chunks : list->chunk;
		if (!first || !chunks)
			return NULL;
		list->room = room;
	}
	memmove(list->first + at + 1, list->first + at, (list->count - at) * sizeof(*list->first));
	memmove(list->chunk + at + 1, list->chunk + at, (list->count - at) * sizeof(*list->chunk));
	list->chunk[at] = chunk;
	list->count++;
	return &shelf->chunks[chunk];
}

/* Move the upper half of a full chunk to a new one behind it. */
static bool split_chunk(struct plan_shelf *shelf, struct list *list, uint32_t at)
{
	struct chunk *half = add_chunk(shelf, list, at + 1), *full;

	if (!half)
		return false;
	full = &shelf->chunks[list->chunk[at]];
	half->count = full->count / 2;
	full->count -= half->count;
	MOVE(half, 0, full, full->count, half->count);
	list->first[at + 1] = half->offset[0];
	return true;
}

/* The last chunk that begins at or below an offset, or the first. */
static uint32_t chunk_of(const struct list *list, uint64_t offset)
{
	uint32_t low = 0, high = list->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (list->first[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static bool put_in_list(struct plan_shelf *shelf, struct list *list, uint32_t item, uint64_t offset)
{
	const struct plan_problem *problem = shelf->problem;
	uint32_t at, place;
	struct chunk *chunk;

	if (list->count == 0 && !add_chunk(shelf, list, 0))
		return false;
	at = chunk_of(list, offset);
	if (shelf->chunks[list->chunk[at]].count == CHUNK) {
		if (!split_chunk(shelf, list, at))
			return false;
		at = chunk_of(list, offset);
	}
	chunk = &shelf->chunks[list->chunk[at]];
	for (place = chunk->count; place > 0 && chunk->offset[place - 1] > offset; place--)
		;
	MOVE(chunk, place + 1, chunk, place, chunk->count - place);
	chunk->offset[place] = offset;
	chunk->top[place] = offset + problem->size[item];
	chunk->begin[place] = problem->begin[item];
	chunk->end[place] = problem->end[item];
	chunk->item[place] = item;
	chunk->count++;
	list->first[at] = chunk->offset[0];
	return true;
}

bool berth__plan_shelf_put(struct plan_shelf *shelf, uint32_t item, uint64_t offset)
{
	uint32_t first = first_block(shelf, item), last = last_block(shelf, item);

	for (uint32_t level = shelf->levels; level-- > 0; first /= 2, last /= 2)
		for (uint32_t block = first; block <= last; block++)
			if (!put_in_list(shelf, &shelf->lists[(1u << level) + block], item, offset))
				return false;
	return true;
}
