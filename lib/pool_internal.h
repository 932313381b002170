/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the pool. A file each:
 *
 *   pool.c            how a pool begins and ends, its lock
 *   pool_policy.c     the ways to place storages in blocks
 *   pool_block.c      blocks: buffers of the device
 *   pool_place.c      the ladder from a hole to an out-of-memory error
 *   pool_storage.c    storages: handles, create, release
 *   pool_in_flight.c  what was released while commands may use it
 *   pool_image.c      how image views can be made here
 *   pool_view.c       views: handles, bounds, copies
 *   pool_object.c     the device's objects behind views, and their cache
 *   pool_stats.c      statistics, walk
 *
 * Functions here are called with the pool's mutex held unless they say otherwise.
 */
#ifndef BERTH_LIB_POOL_INTERNAL_H
#define BERTH_LIB_POOL_INTERNAL_H

#include <berth/pool.h>

#include <pthread.h>
#include <CL/cl.h>
#include <sys/queue.h>

#include "slots.h"
#include "suballoc.h"

/* A buffer of the device. */
struct berth__block {
	TAILQ_ENTRY(berth__block) link;
	uint64_t id;
	uint64_t bytes;
	void *host;		       /* host-aliased: its bytes; else NULL */
	struct berth__suballoc *arena; /* NULL: one storage has it all */
	uint64_t refused_bytes;	       /* the arena has no hole of so many, or more */
	uint32_t storage_count; /* in flight included; 0: cached */
	LIST_HEAD(, berth__view_object) objects;
};

/* Where a storage lies. */
struct berth__placement {
	struct berth__block *block;
	berth__span span; /* in the block's arena */
	uint64_t offset_bytes;
	uint64_t reserved_bytes;
};

/* What is asked of a policy. */
struct berth__request {
	uint64_t bytes;
	uint64_t rounded_bytes;
	uint64_t queue;
};

/* BERTH_E_LIMIT without a detail, from these two: there is no such room. */
struct berth__policy {
	uint64_t round_bytes; /* 0: the pool's granule */
	unsigned bin_digits;  /* the binary digits that sizes of a bin share; 0: no bins */
	/* Place in what is held. */
	berth_status (*reuse)(berth_pool *pool, const struct berth__request *request,
			      struct berth__placement *out);
	/* Place in a new block. */
	berth_status (*grow)(berth_pool *pool, const struct berth__request *request,
			     struct berth__placement *out);
	/* Take back; the counts of the block are still those with the storage. */
	void (*give)(berth_pool *pool, const struct berth__placement *placement);
};

/* Whether an OpenCL code says that there was no memory. */
static inline bool berth__pool_out_of_memory(int32_t code)
{
	return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
	       code == CL_OUT_OF_HOST_MEMORY;
}

extern const struct berth__policy berth__policies[BERTH_POOL_POLICY_END];

enum berth__storage_state {
	BERTH__STORAGE_LIVE,
	BERTH__STORAGE_DEFERRED,  /* released, its views are not */
	BERTH__STORAGE_IN_FLIGHT, /* released, its commands may run */
};

/*
 * Two lines of the cache, of which a storage that is never seen through a view nor in
 * flight needs only the first.
 */
struct berth__storage {
	struct berth__slot slot;
	struct berth__placement place;
	uint64_t bytes;
	uint32_t view_count;
	uint8_t state; /* enum berth__storage_state */
	bool has_in_flight;
	LIST_HEAD(, berth__view) views;	  /* with view_count > 0 */
	berth_in_flight in_flight;	  /* with has_in_flight */
	TAILQ_ENTRY(berth__storage) link; /* in flight */
};

TAILQ_HEAD(berth__storage_queue, berth__storage);

/* What tells one object of the device from another; no padding, it is compared as bytes. */
struct berth__view_key {
	uint64_t block;
	uint64_t offset_bytes;
	uint64_t bytes;
	uint64_t flags; /* cl_mem_flags; 0: as the block */
	uint64_t width; /* 0: a buffer */
	uint64_t height;
	uint64_t row_pitch_bytes;
	uint64_t format; /* order << 32 | type */
};

/* An object of the device on a block. */
struct berth__view_object {
	struct berth__view_key key;
	uint64_t id;
	uint64_t told_bytes; /* that the device counts for an image beside the block */
	struct berth__block *block;
	struct berth__view_object *base; /* what an image lies on; referenced */
	uint32_t references;		 /* 0: cached */
	TAILQ_ENTRY(berth__view_object) idle;
	LIST_ENTRY(berth__view_object) on_block;
};

struct berth__view {
	struct berth__slot slot;
	struct berth__storage *storage;
	struct berth__view_object *object;
	uint64_t offset_bytes;
	berth_geometry geometry;
	LIST_ENTRY(berth__view) link;
};

struct berth_pool {
	pthread_mutex_t mutex;
	berth_device *device;
	berth_pool_options options;
	const struct berth__policy *policy;
	berth_image_mode image_mode;
	/*
	 * NVIDIA's driver (580.159) crashes in clReleaseMemObject() of a sub-buffer that a
	 * command has touched while a newer one overlaps it: the newer one has to go first.
	 */
	bool newest_first;
	berth_caps caps;	/* to lay out views by */
	uint64_t granule_bytes; /* of every storage's offset */
	uint64_t max_block_bytes;
	uint64_t next_id;
	berth_pool_stats stats; /* kept up to date but for what can be computed */
	TAILQ_HEAD(, berth__block) blocks;
	struct berth__slots storages;
	struct berth__slots views;
	struct berth__storage_queue in_flight; /* but for those whose fences are being asked */
	uint64_t in_flight_count;
	uint64_t aliased_image_bytes; /* counted by the device, though they lie in blocks */
	void *objects;		      /* tsearch(3) tree of berth__view_object by key */
	TAILQ_HEAD(berth__view_object_queue, berth__view_object)
	idle_objects; /* last released first */
};

void berth__pool_lock(berth_pool *pool);
void berth__pool_unlock(berth_pool *pool);

/*
 * What became of an op that was executed: @st, or for a refusal BERTH_E_LIMIT (out of
 * memory) or BERTH_E_CL, with the device's detail.
 */
berth_status berth__answer_status(const berth_pool *pool, berth_status st,
				  const berth_result *result);

/*
 * Execute an op of the pool's own. BERTH_E_LIMIT: the device is out of memory;
 * BERTH_E_CL: it refused for another reason; both with the device's detail.
 */
berth_status berth__pool_run(berth_pool *pool, const berth_op *op, berth_result *result);

/* Release an object of the pool's own. */
void berth__pool_release_object(berth_pool *pool, uint64_t id);

/* Align @bytes up; false when it does not fit. @align: a power of two. */
bool berth__align_up(uint64_t *out, uint64_t bytes, uint64_t align);

/* Blocks. A new one is empty and cached; BERTH_E_LIMIT: out of memory, or the pool's limit. */
berth_status berth__block_create(struct berth__block **out, berth_pool *pool, uint64_t bytes);
/* It is empty. */
void berth__block_release(berth_pool *pool, struct berth__block *block);
/* Count a storage in or out. */
void berth__block_add_storage(berth_pool *pool, struct berth__block *block);
void berth__block_remove_storage(berth_pool *pool, struct berth__block *block);
/* Give back every cached block; whether there was one. */
bool berth__blocks_release_cached(berth_pool *pool);

/*
 * Find room. Unlocks the mutex while callbacks run.
 * BERTH_OK, BERTH_E_LIMIT with the whole story in the detail, others.
 */
berth_status berth__pool_place(berth_pool *pool, const struct berth__request *request,
			       struct berth__placement *out);

/* The size that the policy places; a size that can never be had is an error at once. */
berth_status berth__request_make(struct berth__request *out, const berth_pool *pool, uint64_t bytes,
				 const berth_storage_options *options);
/* The live storage that a handle names; NULL, with the detail set (BERTH_E_STATE). */
struct berth__storage *berth__storage_find(const berth_pool *pool, berth_storage handle);
/* A storage that nobody uses any more ends; its place is given back, or kept for another. */
void berth__storage_end(berth_pool *pool, struct berth__storage *storage);
void berth__storage_end_record(berth_pool *pool, struct berth__storage *storage);
/* It has no views and is not live: hold it while it is in flight, else end it. */
void berth__storage_settle(berth_pool *pool, struct berth__storage *storage);

/* In flight. Hold a released storage. */
void berth__in_flight_add(berth_pool *pool, struct berth__storage *storage);
/*
 * Take over the room of a storage that is in flight on the request's own queue. Its
 * fence, if any, is to be dropped without the mutex. BERTH_E_LIMIT: there is none.
 */
berth_status berth__in_flight_reuse(berth_pool *pool, const struct berth__request *request,
				    struct berth__placement *out, berth_fence *fence);
/* Ask the fences; unlocks the mutex meanwhile. Whether room was made. */
bool berth__in_flight_poll(berth_pool *pool);
/* Free what is in flight on a queue; unlocks the mutex to drop fences. Whether room was made. */
bool berth__in_flight_complete(berth_pool *pool, uint64_t queue);
/* Without the mutex. */
void berth__fence_drop(const berth_fence *fence);

/* Sets image_mode, caps and granule_bytes. */
void berth__pool_choose_image_mode(berth_pool *pool);

/* The device's object for a key, made or from the cache; to be put back. */
berth_status berth__view_object_get(struct berth__view_object **out, berth_pool *pool,
				    struct berth__block *block, const struct berth__view_key *key);
void berth__view_object_put(berth_pool *pool, struct berth__view_object *object);
/* Release the cached ones, of a block (which has no others) or of all that may (newest_first). */
void berth__view_objects_drop_block(berth_pool *pool, struct berth__block *block);
void berth__view_objects_drop_idle(berth_pool *pool, uint64_t keep);

#endif
