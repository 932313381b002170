/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suballocation: offsets in one arena of a device's memory. The metadata lies on
 * the host's side; nothing here touches a device, and nothing locks: calls on one
 * arena are serialised by the caller.
 *
 * The arena is a chain of spans in address order, each used or a hole; two holes
 * never touch. Sizes are rounded up to the granularity before they are placed, and
 * every offset is a multiple of it. A hole is found by two-level bitmaps of size
 * classes in constant time, best fit within a class by a bounded number of probes.
 * The hole at the arena's end is taken last.
 *
 * A handle is an index of a span's record and the serial number of its allocation,
 * so that a stale one, or a second free, is an error and never harm.
 */
#ifndef BERTH_LIB_SUBALLOC_H
#define BERTH_LIB_SUBALLOC_H

#include <berth/status.h>

struct berth__suballoc;

/* A used span; never 0. */
typedef uint64_t berth__span;

#define BERTH__SPAN_NONE ((berth__span)0)

/*
 * A small number that no other used span of the arena has: an index for tables of
 * the owner's. It is below berth__suballoc_stats.index_end.
 */
static inline uint32_t berth__span_index(berth__span span)
{
	return (uint32_t)span;
}

/* What lies where; of a hole `span` is BERTH__SPAN_NONE. */
struct berth__span_info {
	berth__span span;
	uint64_t offset_bytes;
	uint64_t bytes; /* rounded up to the granularity */
};

struct berth__suballoc_stats {
	uint64_t capacity_bytes;
	uint64_t used_bytes; /* rounded sizes */
	uint64_t free_bytes;
	uint64_t largest_hole_bytes;
	uint64_t end_bytes;	 /* where the hole at the end begins: the highest use now */
	uint64_t peak_end_bytes; /* its maximum so far */
	uint32_t used_count;
	uint32_t hole_count;
	uint32_t index_end;
	uint64_t metadata_bytes; /* of host memory */
};

/*
 * capacity_bytes is rounded down to the granularity, a power of two.
 * BERTH_OK; BERTH_E_INVAL: the granularity is not a power of two, or the capacity
 * is below it; BERTH_E_NOMEM.
 */
BERTH_MUST_CHECK berth_status berth__suballoc_create(struct berth__suballoc **out,
						     uint64_t capacity_bytes,
						     uint64_t granularity_bytes);

/* Used spans may be left; NULL is fine. */
void berth__suballoc_destroy(struct berth__suballoc *arena);

/*
 * Take bytes > 0 at a multiple of align_bytes (a power of two; below the
 * granularity it counts as that). The last two results are written on BERTH_OK
 * only, and the arena is unchanged otherwise.
 *
 * BERTH_OK
 * BERTH_E_LIMIT  no hole is large enough; sets no detail, as the owner may have
 *                another arena to try
 * BERTH_E_INVAL  0 bytes, or the alignment is not a power of two
 * BERTH_E_NOMEM  of the host's memory
 */
BERTH_MUST_CHECK berth_status berth__suballoc_alloc(struct berth__suballoc *arena, uint64_t bytes,
						    uint64_t align_bytes, berth__span *span,
						    uint64_t *offset_bytes);

/*
 * Give a span back; joins it with the holes beside it. Needs no memory.
 * BERTH_OK; BERTH_E_STATE: not a used span of this arena (freed before, or never
 * given); the arena is unchanged.
 */
BERTH_MUST_CHECK berth_status berth__suballoc_free(struct berth__suballoc *arena, berth__span span);

/* BERTH_OK, BERTH_E_STATE as berth__suballoc_free(). */
BERTH_MUST_CHECK berth_status berth__suballoc_find(const struct berth__suballoc *arena,
						   berth__span span, struct berth__span_info *out);

/* In constant time: no hole is larger; at most by 1/32 above the largest. */
uint64_t berth__suballoc_room_bytes(const struct berth__suballoc *arena);

/* Whether nothing is used: the whole arena may be given back. */
bool berth__suballoc_is_empty(const struct berth__suballoc *arena);

/* Constant time but for largest_hole_bytes, which reads the class of the largest holes. */
void berth__suballoc_stats(const struct berth__suballoc *arena, struct berth__suballoc_stats *out);

/* Call visit for every span and hole in order of address. It may not change the arena. */
void berth__suballoc_walk(const struct berth__suballoc *arena,
			  void (*visit)(const struct berth__span_info *info, void *userdata),
			  void *userdata);

/*
 * For tests: whether the metadata is sound (chain, holes, classes, counts).
 * BERTH_OK; BERTH_E_STATE: the detail says what is not.
 */
BERTH_MUST_CHECK berth_status berth__suballoc_check(const struct berth__suballoc *arena);

#endif
