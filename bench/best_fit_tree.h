/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plain way to hand out offsets, to compare with: best fit by a balanced tree
 * of holes ordered by size and address, a record from malloc() for each span,
 * joined with its neighbours when it is freed.
 */
#ifndef BERTH_BENCH_BEST_FIT_TREE_H
#define BERTH_BENCH_BEST_FIT_TREE_H

#include <stddef.h>
#include <stdint.h>

struct tree_span;
struct tree_arena;

struct tree_arena *tree_arena_create(uint64_t capacity_bytes, uint64_t granularity_bytes);
void tree_arena_destroy(struct tree_arena *arena);

/* NULL when nothing fits, or there is no memory. */
struct tree_span *tree_arena_alloc(struct tree_arena *arena, uint64_t bytes);
void tree_arena_free(struct tree_arena *arena, struct tree_span *span);

/* The highest end of a used span so far. */
uint64_t tree_arena_peak_bytes(const struct tree_arena *arena);
size_t tree_arena_metadata_bytes(const struct tree_arena *arena);

#endif
