/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Pools: device memory allocated once, and seen as buffers and textures.
 *
 * Two stages. A *storage* is a range of device memory. A *view* is a typed window
 * on it, linear or image, at an offset; several may lie on the same bytes at once,
 * and then see each other's content (but for berth_image_mode COPIED).
 *
 * A pool sits on a device and gets its memory in *blocks*, one buffer each. How
 * storages are placed in blocks is its policy. All metadata lies on the host's side.
 *
 * Handles of storages and views carry a serial number: one that was released is
 * BERTH_E_STATE wherever it is used, never harm. They count in their own pool only.
 *
 * Ids: the pool names its objects on the device from options.first_id up. Others
 * who create objects on the same device use ids below it.
 *
 * Threads: calls on one pool are serialised internally, by a mutex that is never
 * held while a callback of the caller runs. The device below is used under it, so
 * whoever executes ops on that device from several threads does it through
 * berth_pool_execute(). A device has one pool when several threads use it.
 */
#ifndef BERTH_POOL_H
#define BERTH_POOL_H

#include <berth/device.h>
#include <berth/layout.h>

BERTH_BEGIN_DECLS

typedef struct berth_pool berth_pool;

/** A storage of a pool; never 0. */
typedef uint64_t berth_storage;
/** A view of a pool; never 0. */
typedef uint64_t berth_view;

/** X(name, value, string). Values are pinned. */
#define BERTH_POOL_POLICY_MAP(X)                                               \
	X(BERTH_POOL_SUBALLOC, 0, "suballoc")                                  \
	X(BERTH_POOL_NAIVE, 1, "naive")                                        \
	X(BERTH_POOL_EXACT, 2, "exact")                                        \
	X(BERTH_POOL_BEST_FIT, 3, "best-fit")                                  \
	X(BERTH_POOL_FIRST_FIT, 4, "first-fit")                                \
	X(BERTH_POOL_BINS, 5, "bins")

/**
 * - suballoc: many storages in a block, offsets in constant time, holes coalesce;
 *   a storage over half of options.block_bytes begins a block of its own size
 * - naive: one device object a storage, of its exact size
 * - exact: one object a storage, rounded to 4096 bytes; a freed one serves the next
 *   storage of exactly that size, the last freed first; nothing else
 * - best-fit: one object a storage, rounded to 4096 bytes; the smallest free one
 *   that is large enough; when none is, the largest free one is replaced
 * - first-fit: one object a storage, rounded to 4096 bytes; any free one that is large
 *   enough, the last freed first; a free one is never replaced. What many runtimes do: it is
 *   here to be compared with
 * - bins: one object a storage, rounded up to the largest size that has the same first five
 *   binary digits; a freed one serves the next storage of that size. As PyOpenCL's MemoryPool
 *   (github.com/inducer/pyopencl/issues/277), to be compared with
 */
typedef enum berth_pool_policy {
#define X(name, value, string) name = value,
	BERTH_POOL_POLICY_MAP(X)
#undef X
	BERTH_POOL_POLICY_END,
} berth_pool_policy;

/** @return "best-fit" and the like; a static string, "unknown" otherwise. */
BERTH_API const char *berth_pool_policy_string(berth_pool_policy policy);

/** @retval BERTH_OK; BERTH_E_NOT_FOUND: not a policy, the detail lists them. */
BERTH_API BERTH_MUST_CHECK berth_status berth_pool_policy_parse(berth_pool_policy *out,
								const char *name);

/** X(name, value, string). Values are pinned. */
#define BERTH_IMAGE_MODE_MAP(X)                                                \
	X(BERTH_IMAGES_NONE, 0, "none")                                        \
	X(BERTH_IMAGES_NATIVE, 1, "native")                                    \
	X(BERTH_IMAGES_HOST_ALIASED, 2, "host-aliased")                        \
	X(BERTH_IMAGES_COPIED, 3, "copied")

/**
 * How a pool makes image views.
 * - none: it makes none; BERTH_E_UNSUPPORTED
 * - native: an image on a (sub-)buffer; cl_khr_image2d_from_buffer
 * - host-aliased: blocks lie in host memory of the pool's, buffers and images are
 *   both made on it with CL_MEM_USE_HOST_PTR. The specification does not promise
 *   that they see each other, so the pool has tried it, in both directions, when it
 *   was created. Some CPU drivers without images on buffers do this
 * - copied: an image with memory of its own; berth_view_load() and
 *   berth_view_store() copy, when the caller says so
 */
typedef enum berth_image_mode {
#define X(name, value, string) name = value,
	BERTH_IMAGE_MODE_MAP(X)
#undef X
} berth_image_mode;

/** @return "host-aliased" and the like; a static string, "unknown" otherwise. */
BERTH_API const char *berth_image_mode_string(berth_image_mode mode);

/**
 * Called when device memory is out, after the pool released what it had cached: the
 * caller may free storages, of this pool or others, or device memory elsewhere.
 * The pool's mutex is not held.
 * @param bytes  that did not fit
 * @return whether to try again; false, or too many calls, ends in the error
 */
typedef bool berth_pool_out_of_memory_fn(berth_pool *pool, uint64_t bytes, void *userdata);

/** The most calls of the out-of-memory callback for one storage. */
#define BERTH_POOL_OUT_OF_MEMORY_CALLS 4

/** Options of berth_pool_create(). Start from BERTH_POOL_OPTIONS_INIT. */
typedef struct berth_pool_options {
	uint32_t size; /**< sizeof(berth_pool_options) */
	berth_pool_policy policy;
	/**
	 * suballoc: the largest size of a block that several storages share; the first
	 * ones are smaller. 0: 64 MiB, or less on a small device.
	 */
	uint64_t block_bytes;
	uint64_t limit_bytes;  /**< the most that the pool holds of the device; 0: no limit */
	uint64_t align_bytes;  /**< of each storage's offset, a power of two; 0: what the device needs */
	/** suballoc: bytes of empty blocks that are kept for later. */
	uint64_t retain_bytes;
	uint32_t view_cache_max; /**< device objects of released views that are kept for later */
	bool copied_images;	 /**< where images cannot share memory: copied rather than none */
	bool never_host_aliased; /**< do not try host-aliased images */
	bool lazy_commit; /**< do not touch a new block: the driver may then run out of memory later */
	bool defer_release; /**< releasing a storage with live views waits for the last of them */
	berth_pool_out_of_memory_fn *out_of_memory; /**< may be NULL */
	void *userdata;
	uint64_t first_id; /**< 0: 2^62 */
} berth_pool_options;

#define BERTH_POOL_OPTIONS_INIT                                                                    \
	{                                                                                          \
		sizeof(berth_pool_options), BERTH_POOL_SUBALLOC, 0, 0, 0, UINT64_C(64) << 20, 256, \
			false, false, false, false, NULL, NULL, 0                                  \
	}

/**
 * Make a pool on a device. Holds no device memory yet.
 * @param[out] out  owned by the caller (berth_pool_destroy())
 * @param device    borrowed; outlives the pool
 * @param options   NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  an option; the detail says which
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_pool_create(berth_pool **out, berth_device *device,
							  const berth_pool_options *options);

/**
 * Give everything back to the device, live storages and views included; NULL is
 * fine. The caller has completed the commands that use them.
 */
BERTH_API void berth_pool_destroy(berth_pool *pool);

/** @return the device below; borrowed. */
BERTH_API berth_device *berth_pool_device(const berth_pool *pool);

/** @return how image views are made; constant for the pool's life. */
BERTH_API berth_image_mode berth_pool_image_mode(const berth_pool *pool);

/**
 * The capabilities by which the pool lays out views: the device's, but where images
 * are host-aliased or copied with the alignments that hold there. What
 * berth_layout_compute() says with them is what a view takes. Borrowed.
 */
BERTH_API const berth_caps *berth_pool_caps(const berth_pool *pool);

/**
 * berth_device_borrow() on the devices below two pools, under the mutexes of both.
 * @return as berth_device_borrow()
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_pool_borrow(berth_pool *pool, uint64_t object,
							  berth_pool *from, uint64_t from_object);

/**
 * Execute an op on the device below, under the pool's mutex. After a sync, what was
 * released in flight on queue 0 is free (see berth_in_flight).
 * @return as berth_device_execute()
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_pool_execute(berth_pool *pool, const berth_op *op,
							   berth_result *result);

/** A queue that no storage is ever in flight on. */
#define BERTH_QUEUE_NONE UINT64_MAX

/** Options of berth_storage_create(). Start from BERTH_STORAGE_OPTIONS_INIT. */
typedef struct berth_storage_options {
	uint32_t size; /**< sizeof(berth_storage_options) */
	/**
	 * The queue that uses the storage first; 0: the device's own. Memory that is still
	 * in flight on this queue may be given. BERTH_QUEUE_NONE: only memory at rest, as
	 * for a storage that the host or several queues use at once.
	 */
	uint64_t queue;
} berth_storage_options;

#define BERTH_STORAGE_OPTIONS_INIT { sizeof(berth_storage_options), 0 }

/**
 * Take a storage. When memory is out: what is cached is released, then what is in
 * flight on the device's own queue is waited for, then the out-of-memory callback
 * is asked, each followed by another try.
 *
 * @param[out] out  owned by the caller (berth_storage_release())
 * @param bytes     0 counts as 1
 * @param options   NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_LIMIT     out of memory; the detail says requested, in use, cached,
 *                           largest hole and fragmentation. Live storages and views
 *                           are unchanged; what was cached may be gone
 * @retval BERTH_E_LIMIT     over the device's largest allocation, or the pool's limit;
 *                           the pool is unchanged
 * @retval BERTH_E_OVERFLOW  the size, rounded up, does not fit 64 bits
 * @retval BERTH_E_NOMEM     of the host's memory; the pool is unchanged
 * @retval BERTH_E_CL        the device refused for another reason
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_storage_create(berth_storage *out, berth_pool *pool,
							     uint64_t bytes,
							     const berth_storage_options *options);

/**
 * Take a storage that holds any one of several layouts at offset 0.
 * @retval as berth_storage_create(), and as berth_layout_compute() with
 *         berth_pool_caps(): no layout counts as not valid
 */
BERTH_API BERTH_MUST_CHECK berth_status
berth_storage_create_for(berth_storage *out, berth_pool *pool, const berth_layout *layouts,
			 size_t layout_count, const berth_storage_options *options);

/** Tells when commands are complete. Zero: nothing tells. */
typedef struct berth_fence {
	/** Whether they are; called without the pool's mutex, once it said true never again. */
	bool (*is_complete)(void *userdata);
	/** Called once, when the fence is needed no more; may be NULL. */
	void (*drop)(void *userdata);
	void *userdata;
} berth_fence;

/**
 * Commands that may still use a storage which is released. Its memory is held until
 * the fence is complete, berth_pool_complete() names the queue, or, for queue 0, a
 * sync is executed through the pool. Until then a storage created for the same
 * queue may have it when the queue is in order: its commands come later.
 */
typedef struct berth_in_flight {
	uint64_t queue; /**< any number but BERTH_QUEUE_NONE; 0: the device's own */
	bool in_order;	/**< the queue executes in order */
	berth_fence fence;
} berth_in_flight;

/**
 * Release a storage.
 * @param in_flight  NULL: no command uses it any more. Its fence is taken over on
 *                   BERTH_OK
 * @retval BERTH_OK       with options.defer_release, its memory is freed when the last
 *                        of its views is released
 * @retval BERTH_E_STATE  not a storage, or released before; or it has live views
 *                        and releases are not deferred: the detail names them
 * @retval BERTH_E_INVAL  in flight on BERTH_QUEUE_NONE
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_storage_release(berth_pool *pool,
							      berth_storage storage,
							      const berth_in_flight *in_flight);

/**
 * All commands that were enqueued on @p queue are complete: free what was released
 * in flight there.
 */
BERTH_API void berth_pool_complete(berth_pool *pool, uint64_t queue);

/** Ask the fences of what is in flight, and free what is complete. */
BERTH_API void berth_pool_poll(berth_pool *pool);

typedef struct berth_storage_info {
	uint64_t object;	 /**< id on the device of the buffer it lies in */
	uint64_t offset_bytes;	 /**< in that buffer */
	uint64_t bytes;		 /**< as asked */
	uint64_t reserved_bytes; /**< with padding */
	uint32_t views;		 /**< live */
} berth_storage_info;

/** @retval BERTH_OK; BERTH_E_STATE: not a storage, or released. */
BERTH_API BERTH_MUST_CHECK berth_status berth_storage_get_info(berth_storage_info *out,
							       berth_pool *pool,
							       berth_storage storage);

/**
 * Look at a storage as @p layout. Making the device's object costs far more than
 * finding the memory, so objects of released views are kept (options.view_cache_max)
 * and serve a later view of the same kind at the same place.
 *
 * @param[out] out      owned by the caller (berth_view_release())
 * @param offset_bytes  in the storage; a multiple of the layout's alignment
 * @retval BERTH_OK
 * @retval BERTH_E_STATE        not a storage, or released
 * @retval BERTH_E_INVAL        the layout; or the offset is misaligned: the detail
 *                              says the next that is not
 * @retval BERTH_E_LIMIT        the view, row padding included, ends beyond the storage;
 *                              or a limit of the device, as berth_layout_compute(); or
 *                              out of device memory (copied images)
 * @retval BERTH_E_UNSUPPORTED  an image, and the pool makes none, or not of this format
 * @retval BERTH_E_CL           the device refused
 * @retval BERTH_E_NOMEM, BERTH_E_OVERFLOW
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_view_create(berth_view *out, berth_pool *pool,
							  berth_storage storage,
							  const berth_layout *layout,
							  uint64_t offset_bytes);

/** @retval BERTH_OK; BERTH_E_STATE: not a view, or released before. */
BERTH_API BERTH_MUST_CHECK berth_status berth_view_release(berth_pool *pool, berth_view view);

typedef struct berth_view_info {
	/**
	 * Id on the device: a buffer or an image. berth_opencl_mem() gives its cl_mem.
	 * A linear view's buffer begins at the view and ends with it.
	 */
	uint64_t object;
	berth_storage storage;
	uint64_t offset_bytes; /**< in the storage */
	berth_geometry geometry;
} berth_view_info;

/** @retval BERTH_OK; BERTH_E_STATE: not a view, or released. */
BERTH_API BERTH_MUST_CHECK berth_status berth_view_get_info(berth_view_info *out,
							    berth_pool *pool, berth_view view);

/**
 * Bring the storage's bytes into a view, or a view's content into the storage. Does
 * nothing but where images are copied: there other views of the same bytes see what
 * was written to an image only after its store, and an image sees what they wrote
 * only after its load. Enqueued on the device's own queue.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a view, or released
 * @retval BERTH_E_LIMIT, BERTH_E_CL, BERTH_E_NOMEM  from the device
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_view_load(berth_pool *pool, berth_view view);
BERTH_API BERTH_MUST_CHECK berth_status berth_view_store(berth_pool *pool, berth_view view);

/**
 * Give back what is cached: objects of released views, empty blocks.
 * @return the bytes of device memory given back
 */
BERTH_API uint64_t berth_pool_trim(berth_pool *pool);

/**
 * What a pool holds. in_use = requested + padding; held = in_use + free; cached is the
 * part of free that lies in blocks with nothing else in them.
 */
typedef struct berth_pool_stats {
	uint64_t requested_bytes; /**< as asked for storages, those in flight included */
	uint64_t padding_bytes;	  /**< added by rounding */
	uint64_t in_use_bytes;
	uint64_t in_flight_bytes; /**< the part of in_use that is released, and held for its commands */
	uint64_t held_bytes;	  /**< of the device, in blocks */
	uint64_t cached_bytes;
	uint64_t copied_image_bytes; /**< of copied images, outside of the blocks */
	uint64_t peak_requested_bytes;
	uint64_t peak_padding_bytes;
	uint64_t peak_in_use_bytes;
	uint64_t peak_held_bytes;
	uint64_t largest_hole_bytes;
	uint64_t free_bytes;
	double fragmentation; /**< 1 - largest hole / free; 0 when nothing is free */
	uint64_t storages;    /**< live */
	uint64_t views;	      /**< live */
	uint64_t blocks;
	uint64_t cached_views; /**< device objects of no live view */
	uint64_t storages_created;
	uint64_t storages_reused; /**< of those: without a new block */
	uint64_t blocks_created;  /**< device allocations */
	uint64_t blocks_released;
	uint64_t view_objects_created;
	uint64_t view_objects_reused;
} berth_pool_stats;

/** What the pool holds now, and has done so far. @param[out] out written always. */
BERTH_API void berth_pool_get_stats(berth_pool_stats *out, berth_pool *pool);

typedef enum berth_span_kind {
	BERTH_SPAN_BLOCK = 0,	  /**< a block begins; bytes is its size */
	BERTH_SPAN_STORAGE = 1,	  /**< in the block named last */
	BERTH_SPAN_IN_FLIGHT = 2, /**< a released storage that commands may still use */
	BERTH_SPAN_HOLE = 3,
} berth_span_kind;

typedef struct berth_span {
	berth_span_kind kind;
	uint64_t object;	 /**< the block's id on the device */
	uint64_t offset_bytes;
	uint64_t bytes;		 /**< with padding */
	uint64_t requested_bytes; /**< of a storage */
	berth_storage storage;	 /**< 0 when not one */
	uint32_t views;
} berth_span;

typedef void berth_span_fn(const berth_span *span, void *userdata);

/**
 * Show each block, and in it each storage and hole in order of offset, as they are
 * at the moment of the call. The pool's mutex is not held during @p visit.
 * @retval BERTH_OK, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_pool_walk(berth_pool *pool, berth_span_fn *visit,
							void *userdata);

BERTH_END_DECLS

#endif
