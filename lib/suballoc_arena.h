/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an arena consists of, for the files of the suballocator only.
 *
 * Sizes and offsets in here are counted in units of the granularity.
 */
#ifndef BERTH_LIB_SUBALLOC_ARENA_H
#define BERTH_LIB_SUBALLOC_ARENA_H

#include "suballoc.h"

/*
 * The record of one span or hole. 32 bytes, so that two fill a cache line.
 *
 * All links are indices of nodes. Node 0 is no span: it stands for "none", may be
 * written through, and never looks like a hole, so that no link has to be tested
 * before it is followed. The nodes after it hold, in place of spans, the first hole
 * of each class, so that a hole's list is unlinked the same way wherever it stands.
 */
struct node {
	uint64_t offset;
	uint64_t size;
	uint32_t below; /* its neighbours by address; of a spare node: the next spare one */
	uint32_t above;
	uint32_t linked_from; /* hole: the word that has its index; used: the serial number */
	uint32_t next;	      /* hole: the next of its class; else a mark as below */
};

#define NODE_NONE 0u

/* In place of node.next: a used span; a node that is neither span nor hole. */
#define NODE_USED UINT32_MAX
#define NODE_SPARE (UINT32_MAX - 1u)

/* Words of 32 bits, counted from node 0: what node.linked_from says. */
#define NODE_WORDS ((uint32_t)(sizeof(struct node) / sizeof(uint32_t)))
#define NEXT_WORD(index) ((index) * NODE_WORDS + NODE_WORDS - 1u)
#define HEAD_WORD(class) (NODE_WORDS + (class))
#define NODES_MAX (UINT32_MAX / NODE_WORDS)

/*
 * Size classes: the sizes below 2 * CLASSES_A_POWER have one each; from there on
 * every power of two is cut into CLASSES_A_POWER. No size is in class 0.
 */
#define CLASS_BITS 5u
#define CLASSES_A_POWER (1u << CLASS_BITS)
#define CLASS_NONE UINT32_MAX

/*
 * All that 64-bit sizes have, and the words of 64 that they fill: under 64 words, of
 * which the last is left empty, so that there is always a next class to look for.
 */
#define CLASSES_MAX ((64u - CLASS_BITS + 1u) * CLASSES_A_POWER)
#define CLASS_WORDS (CLASSES_MAX / 64u + 1u)

struct berth__suballoc {
	struct node *nodes;
	char *node_block; /* what they lie in, from realloc() */
	uint32_t node_capacity;
	uint32_t lowest;     /* the first node of a span, and the one at address 0 */
	uint32_t index_end;  /* nodes from here on have never been taken */
	uint32_t spare;	     /* the first of the nodes given back */
	uint32_t nodes_left; /* spare or never taken */
	uint32_t used_count;
	uint32_t tail;	 /* the hole at the arena's end, in no list; NODE_NONE: it is used */
	uint32_t serial; /* of the last allocation; never 0 after it */
	unsigned shift;	 /* log2 of the granularity */
	uint64_t capacity;
	uint64_t used;
	uint64_t peak_end;
	uint64_t word_summary;		  /* bit w: class_words[w] is not 0 */
	uint64_t class_words[CLASS_WORDS]; /* bit c of all: class c has a hole */
	uint32_t class_count;
};

/* Room for more nodes. BERTH_OK; BERTH_E_NOMEM: the arena is unchanged. */
berth_status berth__suballoc_grow(struct berth__suballoc *arena);

static inline bool is_power_of_two(uint64_t value)
{
	return value != 0 && (value & (value - 1)) == 0;
}

/* The first hole of a class. */
static inline uint32_t *class_head(const struct berth__suballoc *arena, uint32_t class)
{
	return (uint32_t *)(void *)arena->nodes + HEAD_WORD(class);
}

/* The class that holds of this size are in; size > 0. */
static inline uint32_t class_of(uint64_t size)
{
	unsigned power = 63u - (unsigned)__builtin_clzll(size | CLASSES_A_POWER);
	unsigned cut = power - CLASS_BITS;

	return cut * CLASSES_A_POWER + (uint32_t)(size >> cut);
}

/* The first size that is above a class; 0 when that is over 64 bits. */
static inline uint64_t class_end(uint32_t class)
{
	uint32_t next = class + 1;
	unsigned cut = next < 2u * CLASSES_A_POWER ? 0 : next / CLASSES_A_POWER - 1u;
	uint64_t size = next - (uint64_t)cut * CLASSES_A_POWER;

	return cut + CLASS_BITS + 1u > 64u ? 0 : size << cut;
}

/* The first class from `first` on that has a hole, or CLASS_NONE. */
static inline uint32_t class_next(const struct berth__suballoc *arena, uint32_t first)
{
	uint32_t word = first / 64u;
	uint64_t bits, words;

	bits = arena->class_words[word] >> first % 64u;
	if (bits != 0)
		return first + (uint32_t)__builtin_ctzll(bits);
	words = arena->word_summary >> (word + 1u);
	if (words == 0)
		return CLASS_NONE;
	word += 1u + (uint32_t)__builtin_ctzll(words);
	return word * 64u + (uint32_t)__builtin_ctzll(arena->class_words[word]);
}

static inline bool node_is_hole(const struct node *node)
{
	return node->next < NODE_SPARE;
}

/* How many spans and holes there are. */
static inline uint32_t node_count(const struct berth__suballoc *arena)
{
	return arena->node_capacity - arena->lowest - arena->nodes_left;
}

/* The handle of a used node. */
static inline berth__span span_of(const struct berth__suballoc *arena, uint32_t index)
{
	return (uint64_t)arena->nodes[index].linked_from << 32 | (index - arena->lowest);
}

#endif
