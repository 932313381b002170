/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of one size, named by handles: an index and the record's serial number,
 * so that a handle of a record that was freed finds nothing, also when its place
 * is used again. A record stays where it is for its life. No locks.
 */
#ifndef BERTH_LIB_SLOTS_H
#define BERTH_LIB_SLOTS_H

#include <berth/status.h>

/* Every record begins with this. */
struct berth__slot {
	uint32_t index;
	uint32_t serial; /* odd: in use */
	struct berth__slot *next_free;
};

struct berth__slots {
	size_t record_bytes, zeroed_bytes;
	void **chunks;
	uint32_t chunk_count;
	uint32_t in_use;
	struct berth__slot *free_list;
};

/* The first zeroed_bytes of a new record are zero, but for its slot. */
void berth__slots_init(struct berth__slots *slots, size_t record_bytes, size_t zeroed_bytes);
void berth__slots_fini(struct berth__slots *slots);

/* A record; NULL, with the detail set: no host memory. */
void *berth__slots_new(struct berth__slots *slots);

/* The handle of a record in use; never 0. */
static inline uint64_t berth__slot_handle(const struct berth__slot *slot)
{
	return (uint64_t)slot->serial << 32 | slot->index;
}

/* The record in use that a handle names, or NULL. */
void *berth__slots_find(const struct berth__slots *slots, uint64_t handle);

void berth__slots_free(struct berth__slots *slots, void *record);

/*
 * The record in use after @previous (NULL: the first; it may have been freed), in
 * order of index; NULL at the end.
 */
void *berth__slots_next(const struct berth__slots *slots, const void *previous);

#endif
