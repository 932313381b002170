/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which id stands behind an OpenCL handle. Drivers give a released handle out
 * again within microseconds, so the map holds live handles only, and counts the
 * program's references itself (the driver's count is stale by definition).
 *
 * Threads: all functions may be called at any time. The map is split in shards with a
 * lock each, held for the change alone. Finding, which most calls do, takes no lock: it
 * copies the entry out, and again if a change came in between.
 */
#ifndef BERTH_LAYER_HANDLE_MAP_H
#define BERTH_LAYER_HANDLE_MAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct berth__handle {
	const void *handle; /* NULL: a free place */
	uint64_t id;
	uint32_t references;
	uint32_t context;	/* id; of memory objects, queues and events */
	union {
		uint32_t element_bytes; /* of images */
		uint32_t queue;		/* id; of events */
	};
	uint32_t channel_order; /* of images */
	uint32_t image_type;	/* of images */
	uint32_t flags;		/* BERTH__QUEUE_* of queues and events, BERTH__CONTEXT_* */
	void *extra;		/* of kernels and memory objects: what hangs on it */
};

/* Flags of a queue, and of the events of its commands. */
enum {
	BERTH__QUEUE_PROFILES = 1u << 0,
	BERTH__QUEUE_OUT_OF_ORDER = 1u << 1,
	BERTH__EVENT_COMPLETE = 1u << 2, /* seen so */
};

/* Flags of a context: all of its devices have OpenCL 1.2 at least. */
enum { BERTH__CONTEXT_HAS_1_2 = 1u << 0 };

#define BERTH__HANDLE_SHARDS 16

/* Places of a shard: open addressing, a power of two of them. */
struct berth__handle_table {
	struct berth__handle_table *smaller; /* the one before: somebody may still look at it */
	size_t capacity;
	struct berth__handle places[];
};

struct berth__handle_shard {
	_Alignas(64) pthread_mutex_t lock;
	_Atomic uint32_t version; /* odd: a change is being made */
	_Atomic(struct berth__handle_table *) table;
	struct berth__handle_table *forgotten; /* of before the last init, for the same reason */
	size_t count;
};

struct berth__handle_map {
	struct berth__handle_shard shards[BERTH__HANDLE_SHARDS];
};

/* Make it empty without looking at what it was: at the start, and in forked children. */
void berth__handle_map_init(struct berth__handle_map *map);

/* Copy out the entry of a handle; false, and anything in *out, when it has none. */
bool berth__handle_find(struct berth__handle_map *map, const void *handle,
			struct berth__handle *out);

/*
 * Add an entry. One of the same handle is a leftover of a release that was not
 * seen: it is replaced, and comes out in *replaced (handle NULL: there was none).
 * False: out of memory.
 */
bool berth__handle_insert(struct berth__handle_map *map, const struct berth__handle *entry,
			  struct berth__handle *replaced);

/* One reference more; undone with berth__handle_release(). */
bool berth__handle_retain(struct berth__handle_map *map, const void *handle,
			  struct berth__handle *out);

/*
 * One reference less; the last one takes the entry out (out->references is 0, and
 * out->extra is the caller's). Undone with berth__handle_restore().
 */
bool berth__handle_release(struct berth__handle_map *map, const void *handle,
			   struct berth__handle *out);
bool berth__handle_restore(struct berth__handle_map *map, const struct berth__handle *released);

/*
 * The entry in place, with its shard locked until berth__handle_unlock(); NULL,
 * and nothing locked, when the handle has none. Of the entry only `extra` and `flags` may be
 * changed, by the functions below.
 */
struct berth__handle *berth__handle_lock(struct berth__handle_map *map, const void *handle);
void berth__handle_unlock(struct berth__handle_map *map, const void *handle);
void berth__handle_set_extra(struct berth__handle *locked, void *extra);
void berth__handle_set_flags(struct berth__handle *locked, uint32_t flags);

#endif
