/* SPDX-License-Identifier: Apache-2.0 */
/* Suballocation: finding, splitting and joining the spans of an arena. */
#include "suballoc.h"

#include <inttypes.h>

#include "suballoc_arena.h"

/*
 * How many holes are looked at before the best so far is taken. Measured on random
 * churn and on the traces of 49 networks: 16 or 64 do not lower the peak, while 1
 * raises it by 1 per cent, and by 5 where blocks grow.
 */
#define PROBES 8u

/* Keeps what is rare out of the code, and the registers, of what runs every time. */
#define COLD __attribute__((__noinline__, __cold__))

/* One allocation can cut a hole into three. */
#define NODES_AN_ALLOCATION 2u

static inline uint32_t take_node(struct berth__suballoc *arena)
{
	uint32_t index = arena->spare;

	arena->nodes_left--;
	if (index == NODE_NONE)
		return arena->index_end++;
	arena->spare = arena->nodes[index].below;
	return index;
}

static inline void give_node(struct berth__suballoc *arena, uint32_t index)
{
	struct node *node = &arena->nodes[index];

	arena->nodes_left++;
	node->next = NODE_SPARE;
	node->below = arena->spare;
	arena->spare = index;
}

static inline void list_hole(struct berth__suballoc *arena, uint32_t index)
{
	struct node *node = &arena->nodes[index];
	uint32_t class = class_of(node->size);
	uint32_t *head = class_head(arena, class);

	node->linked_from = HEAD_WORD(class);
	node->next = *head;
	arena->nodes[node->next].linked_from = NEXT_WORD(index);
	*head = index;
	arena->class_words[class / 64u] |= UINT64_C(1) << class % 64u;
	arena->word_summary |= UINT64_C(1) << class / 64u;
}

/*
 * Whether a hole is the first or the last of its list is a coin toss, on which a
 * branch would cost more than all else here: so there is none, and the bit of class
 * 0, which no hole is in, is cleared when no class has become empty.
 */
static inline void unlist_hole(struct berth__suballoc *arena, uint32_t index)
{
	const struct node *node = &arena->nodes[index];
	uint32_t from = node->linked_from, next = node->next;
	uint32_t emptied = (next == NODE_NONE) & (from < HEAD_WORD(arena->class_count));
	uint32_t class = (from - HEAD_WORD(0)) & -emptied;
	uint32_t word = class / 64u;

	((uint32_t *)(void *)arena->nodes)[from] = next;
	arena->nodes[next].linked_from = from;
	arena->class_words[word] &= ~(UINT64_C(1) << class % 64u);
	arena->word_summary &= ~((uint64_t)(arena->class_words[word] == 0) << word);
}

/* A hole that is in no list yet becomes the tail or is put in its list. */
static inline void keep_hole(struct berth__suballoc *arena, uint32_t index)
{
	struct node *node = &arena->nodes[index];

	if (node->above == NODE_NONE) {
		node->next = NODE_NONE; /* a hole, though in no list */
		arena->tail = index;
	} else {
		list_hole(arena, index);
	}
}

static inline void drop_hole(struct berth__suballoc *arena, uint32_t index)
{
	if (index == arena->tail)
		arena->tail = NODE_NONE;
	else
		unlist_hole(arena, index);
}

/* Units in front of the first aligned one of a hole. */
static inline uint64_t padding_of(const struct node *node, uint64_t align)
{
	return -node->offset & (align - 1);
}

/* Subtracts rather than adds: a padding and a size may be over 64 bits in sum. */
static inline bool fits(const struct node *node, uint64_t size, uint64_t align)
{
	uint64_t padding = padding_of(node, align);

	return node->size >= padding && node->size - padding >= size;
}

/* The best of the first holes of a class: one of the very size, else the smallest that fits. */
static inline uint32_t best_of_class(const struct berth__suballoc *arena, uint32_t class,
				     uint64_t size, uint64_t align, uint32_t *probes)
{
	uint64_t best_size = UINT64_MAX;
	uint32_t best = NODE_NONE, next;

	for (uint32_t i = *class_head(arena, class); i != NODE_NONE && *probes > 0; i = next) {
		const struct node *node = &arena->nodes[i];
		bool is_better = fits(node, size, align) & (node->size < best_size);

		if (is_better & (node->size == size))
			return i;
		best = is_better ? i : best;
		best_size = is_better ? node->size : best_size;
		next = node->next;
		--*probes;
	}
	return best;
}

/* A hole from the class of `size` on, of which all below `sure` need not fit. */
static inline uint32_t find_hole(const struct berth__suballoc *arena, uint64_t size,
				 uint64_t align, uint32_t sure, uint32_t probes)
{
	uint32_t left = probes;

	for (uint32_t class = class_next(arena, class_of(size)); class != CLASS_NONE;
	     class = class_next(arena, class + 1)) {
		uint32_t best = best_of_class(arena, class, size, align, &left);

		if (best != NODE_NONE)
			return best;
		if (left == 0) {
			left = probes;
			if (class + 1 < sure)
				class = sure - 1;
		}
	}
	return NODE_NONE;
}

static inline uint32_t sure_class(uint64_t size, uint64_t align)
{
	uint64_t sure_size;

	if (__builtin_add_overflow(size, align - 1, &sure_size))
		sure_size = UINT64_MAX;
	return class_of(sure_size) + 1;
}

/* Before giving up: a hole that the bounded search has passed by. */
static COLD uint32_t find_any_hole(const struct berth__suballoc *arena, uint64_t size,
				   uint64_t align)
{
	return find_hole(arena, size, align, sure_class(size, align), UINT32_MAX);
}

/* Where to put size units: in a hole, else in the tail. */
static inline uint32_t choose_hole(const struct berth__suballoc *arena, uint64_t size,
				   uint64_t align)
{
	uint32_t hole = find_hole(arena, size, align, sure_class(size, align), PROBES);

	if (hole != NODE_NONE)
		return hole;
	if (arena->tail != NODE_NONE && fits(&arena->nodes[arena->tail], size, align))
		return arena->tail;
	return find_any_hole(arena, size, align);
}

/* Insert a node above another that is [offset, offset + size) of what that was. */
static inline uint32_t cut_above(struct berth__suballoc *arena, uint32_t index, uint64_t size)
{
	uint32_t upper_index = take_node(arena);
	struct node *node = &arena->nodes[index], *upper = &arena->nodes[upper_index];

	upper->offset = node->offset + size;
	upper->size = node->size - size;
	upper->below = index;
	upper->above = node->above;
	arena->nodes[node->above].below = upper_index;
	node->size = size;
	node->above = upper_index;
	return upper_index;
}

/* Make a span of a hole in which it fits; the room for two nodes is there. */
static inline uint32_t use_hole(struct berth__suballoc *arena, uint32_t index, uint64_t size,
				uint64_t align)
{
	uint64_t padding = padding_of(&arena->nodes[index], align);
	struct node *node;

	drop_hole(arena, index);
	if (padding > 0) {
		uint32_t padding_index = index;

		index = cut_above(arena, padding_index, padding);
		list_hole(arena, padding_index);
	}
	if (arena->nodes[index].size > size)
		keep_hole(arena, cut_above(arena, index, size));
	node = &arena->nodes[index];
	if (++arena->serial == 0)
		arena->serial = 1;
	node->linked_from = arena->serial;
	node->next = NODE_USED;
	arena->used += size;
	arena->used_count++;
	if (node->offset + size > arena->peak_end)
		arena->peak_end = node->offset + size;
	return index;
}

static inline berth_status place(struct berth__suballoc *arena, uint64_t size, uint64_t align,
				 berth__span *span, uint64_t *offset_bytes)
{
	uint32_t index = choose_hole(arena, size, align);
	berth_status st;

	if (index == NODE_NONE)
		return BERTH_E_LIMIT;
	if (arena->nodes_left < NODES_AN_ALLOCATION &&
	    (st = berth__suballoc_grow(arena)) != BERTH_OK)
		return st;
	index = use_hole(arena, index, size, align);
	*span = span_of(arena, index);
	*offset_bytes = arena->nodes[index].offset << arena->shift;
	return BERTH_OK;
}

/* Not so rare, but a copy of its own: where nothing is aligned, no padding is computed. */
static __attribute__((__noinline__)) berth_status
place_aligned(struct berth__suballoc *arena, uint64_t size, uint64_t align, berth__span *span,
	      uint64_t *offset_bytes)
{
	return place(arena, size, align, span, offset_bytes);
}

static COLD berth_status refuse(uint64_t bytes, uint64_t align_bytes)
{
	return berth_error_set(BERTH_E_INVAL, 0,
			       "%" PRIu64 " bytes at a multiple of %" PRIu64
			       ": at least 1, and a power of two",
			       bytes, align_bytes);
}

berth_status berth__suballoc_alloc(struct berth__suballoc *arena, uint64_t bytes,
				   uint64_t align_bytes, berth__span *span, uint64_t *offset_bytes)
{
	uint64_t size, align;

	if (bytes == 0 || !is_power_of_two(align_bytes))
		return refuse(bytes, align_bytes);
	size = ((bytes - 1) >> arena->shift) + 1;
	align = align_bytes >> arena->shift;
	if (align > 1)
		return place_aligned(arena, size, align, span, offset_bytes);
	return place(arena, size, 1, span, offset_bytes);
}

static COLD void refuse_span(berth__span span)
{
	(void)berth_error_set(BERTH_E_STATE, 0,
			      "span %" PRIu32 " of serial number %" PRIu32
			      " is not used: freed before, or not of this arena",
			      berth__span_index(span), (uint32_t)(span >> 32));
}

/* The node of a used span; NODE_NONE with the detail set when it is not one. */
static inline uint32_t node_of(const struct berth__suballoc *arena, berth__span span)
{
	uint32_t index = berth__span_index(span), serial = (uint32_t)(span >> 32);

	if (index < arena->index_end - arena->lowest) {
		const struct node *node = &arena->nodes[arena->lowest + index];

		if (node->next == NODE_USED && node->linked_from == serial)
			return arena->lowest + index;
	}
	refuse_span(span);
	return NODE_NONE;
}

/* Two neighbours become one node, the lower. */
static inline void join(struct berth__suballoc *arena, uint32_t lower_index, uint32_t upper_index)
{
	struct node *lower = &arena->nodes[lower_index], *upper = &arena->nodes[upper_index];

	lower->size += upper->size;
	lower->above = upper->above;
	arena->nodes[upper->above].below = lower_index;
	give_node(arena, upper_index);
}

berth_status berth__suballoc_free(struct berth__suballoc *arena, berth__span span)
{
	uint32_t index = node_of(arena, span), below, above;

	if (index == NODE_NONE)
		return BERTH_E_STATE;
	arena->used -= arena->nodes[index].size;
	arena->used_count--;
	below = arena->nodes[index].below;
	above = arena->nodes[index].above;
	if (node_is_hole(&arena->nodes[above])) {
		drop_hole(arena, above);
		join(arena, index, above);
	}
	if (node_is_hole(&arena->nodes[below])) {
		drop_hole(arena, below);
		join(arena, below, index);
		index = below;
	}
	keep_hole(arena, index);
	return BERTH_OK;
}

berth_status berth__suballoc_find(const struct berth__suballoc *arena, berth__span span,
				  struct berth__span_info *out)
{
	uint32_t index = node_of(arena, span);

	if (index == NODE_NONE)
		return BERTH_E_STATE;
	out->span = span;
	out->offset_bytes = arena->nodes[index].offset << arena->shift;
	out->bytes = arena->nodes[index].size << arena->shift;
	return BERTH_OK;
}

uint64_t berth__suballoc_room_bytes(const struct berth__suballoc *arena)
{
	uint64_t room = arena->tail != NODE_NONE ? arena->nodes[arena->tail].size : 0;
	uint64_t listed = 0;

	if (arena->word_summary != 0) {
		uint32_t word = 63u - (uint32_t)__builtin_clzll(arena->word_summary);
		uint64_t bits = arena->class_words[word];

		listed = class_end(word * 64u + 63u - (uint32_t)__builtin_clzll(bits)) - 1;
	}
	room = listed > room ? listed : room;
	return (room < arena->capacity ? room : arena->capacity) << arena->shift;
}

bool berth__suballoc_is_empty(const struct berth__suballoc *arena)
{
	return arena->used_count == 0;
}
