/* SPDX-License-Identifier: Apache-2.0 */
/* Best fit by a treap: a search tree by size and address, a heap by random priority. */
#include "best_fit_tree.h"

#include <stdbool.h>
#include <stdlib.h>

struct tree_span {
	uint64_t offset, size;
	struct tree_span *below, *above; /* by address */
	struct tree_span *left, *right;	 /* holes: in the tree */
	uint32_t priority;
	bool hole;
};

struct tree_arena {
	struct tree_span *lowest;
	struct tree_span *root;
	uint64_t granularity, peak;
	uint64_t random;
	size_t spans;
};

static bool is_less(const struct tree_span *a, const struct tree_span *b)
{
	return a->size < b->size || (a->size == b->size && a->offset < b->offset);
}

/* All of tree that is less than span goes left, the rest right. */
static void split(struct tree_span *tree, const struct tree_span *span, struct tree_span **left,
		  struct tree_span **right)
{
	while (tree) {
		if (is_less(tree, span)) {
			*left = tree;
			left = &tree->right;
			tree = tree->right;
		} else {
			*right = tree;
			right = &tree->left;
			tree = tree->left;
		}
	}
	*left = *right = NULL;
}

static void insert(struct tree_arena *arena, struct tree_span *span)
{
	struct tree_span **link = &arena->root;

	arena->random = arena->random * UINT64_C(6364136223846793005) + 1;
	span->priority = (uint32_t)(arena->random >> 32);
	span->hole = true;
	while (*link && (*link)->priority >= span->priority)
		link = is_less(span, *link) ? &(*link)->left : &(*link)->right;
	split(*link, span, &span->left, &span->right);
	*link = span;
}

static void take_out(struct tree_arena *arena, struct tree_span *span)
{
	struct tree_span **link = &arena->root, *left = span->left, *right = span->right;

	while (*link != span)
		link = is_less(span, *link) ? &(*link)->left : &(*link)->right;
	while (left && right) {
		struct tree_span **upper = left->priority > right->priority ? &left : &right;

		*link = *upper;
		link = upper == &left ? &left->right : &right->left;
		*upper = *link;
	}
	*link = left ? left : right;
	span->hole = false;
}

/* The smallest hole of at least size. */
static struct tree_span *find(const struct tree_arena *arena, uint64_t size)
{
	struct tree_span *best = NULL;

	for (struct tree_span *span = arena->root; span;) {
		if (span->size >= size) {
			best = span;
			span = span->left;
		} else {
			span = span->right;
		}
	}
	return best;
}

struct tree_arena *tree_arena_create(uint64_t capacity_bytes, uint64_t granularity_bytes)
{
	struct tree_arena *arena = calloc(1, sizeof(*arena));
	struct tree_span *span = calloc(1, sizeof(*span));

	if (!arena || !span) {
		free(arena);
		free(span);
		return NULL;
	}
	span->size = capacity_bytes;
	arena->lowest = span;
	arena->granularity = granularity_bytes;
	arena->random = 1;
	arena->spans = 1;
	insert(arena, span);
	return arena;
}

void tree_arena_destroy(struct tree_arena *arena)
{
	if (!arena)
		return;
	for (struct tree_span *span = arena->lowest, *above; span; span = above) {
		above = span->above;
		free(span);
	}
	free(arena);
}

struct tree_span *tree_arena_alloc(struct tree_arena *arena, uint64_t bytes)
{
	uint64_t size = (bytes + arena->granularity - 1) & ~(arena->granularity - 1);
	struct tree_span *span = find(arena, size), *rest;

	if (!span)
		return NULL;
	if (span->size == size) {
		take_out(arena, span);
	} else {
		rest = malloc(sizeof(*rest));
		if (!rest)
			return NULL;
		take_out(arena, span);
		rest->offset = span->offset + size;
		rest->size = span->size - size;
		rest->below = span;
		rest->above = span->above;
		if (rest->above)
			rest->above->below = rest;
		span->above = rest;
		span->size = size;
		arena->spans++;
		insert(arena, rest);
	}
	if (span->offset + size > arena->peak)
		arena->peak = span->offset + size;
	return span;
}

/* The lower of two neighbours takes in the upper, which is in no tree. */
static void join(struct tree_arena *arena, struct tree_span *lower, struct tree_span *upper)
{
	lower->size += upper->size;
	lower->above = upper->above;
	if (upper->above)
		upper->above->below = lower;
	arena->spans--;
	free(upper);
}

void tree_arena_free(struct tree_arena *arena, struct tree_span *span)
{
	if (span->above && span->above->hole) {
		take_out(arena, span->above);
		join(arena, span, span->above);
	}
	if (span->below && span->below->hole) {
		struct tree_span *below = span->below;

		take_out(arena, below);
		join(arena, below, span);
		span = below;
	}
	insert(arena, span);
}

uint64_t tree_arena_peak_bytes(const struct tree_arena *arena)
{
	return arena->peak;
}

size_t tree_arena_metadata_bytes(const struct tree_arena *arena)
{
	return sizeof(*arena) + arena->spans * sizeof(*arena->lowest);
}
