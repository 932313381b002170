/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Residency: tensors that stay where they were used last, and memory that suffices.
 *
 * A *residency* knows tensors and *sites*. A site is a device with its pool, a budget
 * and a policy of eviction; any berth_device will do. A *tensor* has a layout, host
 * memory, at most one storage on one site, and a record of where its newest content
 * is. All views of a tensor share its record; a clone has its own.
 *
 * Content moves only when it must: what is unchanged since it was moved is not moved
 * again, and of what changed, only the bytes that did (views write ranges).
 *
 * Bytes of a tensor, offsets of views, and ranges count the *packed* content, as it
 * lies in host memory; rows on the device may be padded.
 *
 * A tensor is created without content or with that of the caller's host memory. It
 * has content from the first write on; to read before is BERTH_E_STATE.
 *
 * Failure: a call that fails leaves the tensors it names in the state they had, and
 * all handles valid. What it evicted on the way stays evicted: its content is on the
 * host. A handle that ended is BERTH_E_STATE wherever it is used.
 *
 * Order: everything is enqueued on the devices' own queues, which must be in order.
 * Kernels on other queues are the caller's: see berth_residency_run().
 *
 * Threads: calls on one residency are serialised by a mutex, which is not held while
 * functions of the caller run, but for berth_decision_fn and those of the pools. All
 * tensors of a device belong to one residency when several threads use it.
 */
#ifndef BERTH_TENSOR_H
#define BERTH_TENSOR_H

#include <berth/pool.h>
#include <berth/transfer.h>

BERTH_BEGIN_DECLS

typedef struct berth_residency berth_residency;

/** A tensor of a residency; never 0. */
typedef uint64_t berth_tensor;

/** X(name, value, string). Values are pinned. */
#define BERTH_PLACE_MAP(X)                                                     \
	X(BERTH_ON_HOST, 0, "host")                                            \
	X(BERTH_ON_DEVICE, 1, "device")                                        \
	X(BERTH_ON_BOTH, 2, "both")

/**
 * Where a tensor's newest content is.
 * - host: all of it is on the host; device memory, if there is any, is out of date
 * - device: some of it at least is on the device only
 * - both: the two are equal
 */
typedef enum berth_place {
#define X(name, value, string) name = value,
	BERTH_PLACE_MAP(X)
#undef X
} berth_place;

/** @return "both" and the like; a static string, "unknown" otherwise. */
BERTH_API const char *berth_place_string(berth_place place);

/** X(name, value, string). Values are pinned. */
#define BERTH_EVICT_MAP(X)                                                     \
	X(BERTH_EVICT_LRU, 0, "lru")                                           \
	X(BERTH_EVICT_COST, 1, "cost")                                         \
	X(BERTH_EVICT_WINDOW, 2, "window")

/**
 * Whose memory is taken when there is too little.
 * - lru: the tensor that was used longest ago
 * - cost: the least time of transfer (there, when it changed, and back) for the bytes
 *   that it frees and the time since its last use; none that is not needed in the end
 * - window: of the runs of neighbours in a block that make room in one piece, the one
 *   whose transfers take the least time; lru where there is no such run
 */
typedef enum berth_evict {
#define X(name, value, string) name = value,
	BERTH_EVICT_MAP(X)
#undef X
	BERTH_EVICT_END,
} berth_evict;

/** @return "window" and the like; a static string, "unknown" otherwise. */
BERTH_API const char *berth_evict_string(berth_evict policy);

/**
 * Told each decision on memory: one JSON object, one line, no newline. The same calls
 * on devices with the same capabilities give the same lines. Keys: "seq" from 1;
 * "action": "drop" (device memory given back, nothing moved), "save" (moved to the
 * host first) or "refuse"; "site"; "need_bytes", the request behind it; for an
 * eviction "tensor" (berth_tensor_info.serial), "bytes" given back, "moved_bytes",
 * "policy", "reason" ("hard-limit", "soft-limit", "device-full" or "trim") and "idle"
 * (uses of any tensor since its last); for a refusal "obtainable_bytes".
 * The mutex is held: do not call the residency.
 */
typedef void berth_decision_fn(const char *line, void *userdata);

/** Options of berth_residency_create(). Start from BERTH_RESIDENCY_OPTIONS_INIT. */
typedef struct berth_residency_options {
	uint32_t size;		     /**< sizeof(berth_residency_options) */
	berth_decision_fn *decision; /**< may be NULL */
	void *userdata;
	/** Write decisions on the device as label ops, for a trace to show. */
	bool label;
	/** Ids on the devices of pinned host memory, from here up; 0: 2^61. */
	uint64_t first_id;
} berth_residency_options;

#define BERTH_RESIDENCY_OPTIONS_INIT { sizeof(berth_residency_options), NULL, NULL, false, 0 }

/**
 * @param[out] out  owned by the caller (berth_residency_destroy())
 * @param options   NULL: the defaults
 * @retval BERTH_OK, BERTH_E_NOMEM; BERTH_E_INVAL: options->size
 */
BERTH_API BERTH_MUST_CHECK berth_status
berth_residency_create(berth_residency **out, const berth_residency_options *options);

/**
 * Complete what is in flight (callbacks are called), give the pools back what tensors
 * hold, and free everything; content that is on a device only is lost. NULL is fine.
 */
BERTH_API void berth_residency_destroy(berth_residency *residency);

/** Options of berth_residency_add_site(). Start from BERTH_SITE_OPTIONS_INIT. */
typedef struct berth_site_options {
	uint32_t size; /**< sizeof(berth_site_options) */
	/** The most that tensors hold; 0: 80 % of the device's global memory. */
	uint64_t hard_limit_bytes;
	/**
	 * Above it tensors are evicted as far as that is possible; 0: the hard limit.
	 * A working set may pass it.
	 */
	uint64_t soft_limit_bytes;
	berth_evict policy;
	/**
	 * For the policies; bytes_per_second > 0. Of a profile they are the lines
	 * BERTH_TRANSFER_WRITE_PAGEABLE and BERTH_TRANSFER_READ_PAGEABLE of its transfer model.
	 */
	berth_transfer_model to_device, to_host;
	/**
	 * Transfers pass through pinned memory (CL_MEM_ALLOC_HOST_PTR, mapped) in pieces
	 * of so many bytes; 0: they do not.
	 */
	uint64_t staging_bytes;
} berth_site_options;

#define BERTH_SITE_OPTIONS_INIT                                                                    \
	{                                                                                          \
		sizeof(berth_site_options), 0, 0, BERTH_EVICT_LRU,                                 \
			{ 10000, UINT64_C(8000000000) }, { 10000, UINT64_C(8000000000) }, 0        \
	}

/**
 * Add a device. Sites are numbered from 0, and stay until the end.
 * @param pool     borrowed; outlives the residency
 * @param options  NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  an option: the detail says which
 * @retval BERTH_E_LIMIT, BERTH_E_CL, BERTH_E_UNSUPPORTED  no staging memory
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_residency_add_site(uint32_t *out,
								 berth_residency *residency,
								 berth_pool *pool,
								 const berth_site_options *options);

/** Options of berth_tensor_create(). Start from BERTH_TENSOR_OPTIONS_INIT. */
typedef struct berth_tensor_options {
	uint32_t size; /**< sizeof(berth_tensor_options) */
	/** Content and host memory of the tensor, borrowed for its life; NULL: its own. */
	void *host;
	/**
	 * Of the content, the bytes at its beginning that host memory has, the only ones
	 * that are ever moved; 0: all.
	 */
	uint64_t host_bytes;
	/** Is never written: needs @p host. Uploaded once, as long as it is not evicted. */
	bool constant;
} berth_tensor_options;

#define BERTH_TENSOR_OPTIONS_INIT { sizeof(berth_tensor_options), NULL, 0, false }

/**
 * Create a tensor, on the host.
 * @param[out] out  owned by the caller (berth_tensor_destroy())
 * @param options   NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL     the layout (an axis of 0 among others), or an option
 * @retval BERTH_E_OVERFLOW  its bytes do not fit 64 bits
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_create(berth_tensor *out,
							    berth_residency *residency,
							    const berth_layout *layout,
							    const berth_tensor_options *options);

/**
 * Look at a part of a tensor, or of a view, as another layout. The two share memory
 * and record; the tensor cannot be destroyed before the view.
 * @param offset_bytes  in @p base
 * @retval BERTH_OK
 * @retval BERTH_E_STATE     @p base is not a tensor
 * @retval BERTH_E_INVAL     the layout
 * @retval BERTH_E_LIMIT     the view ends beyond its base
 * @retval BERTH_E_OVERFLOW, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_view(berth_tensor *out,
							  berth_residency *residency,
							  berth_tensor base,
							  const berth_layout *layout,
							  uint64_t offset_bytes);

/**
 * A tensor of its own with equal layout and content; a copy on the device when that
 * is where a whole tensor's content is.
 * @retval as berth_tensor_create() and berth_tensor_copy()
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_clone(berth_tensor *out,
							   berth_residency *residency,
							   berth_tensor tensor);

/**
 * End a tensor or a view. What a tensor holds on a device goes back to the pool; what
 * is in flight is completed before.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a tensor, or destroyed before; it has views, is mapped, or
 *                        in a working set: the detail says how many
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_destroy(berth_residency *residency,
							     berth_tensor tensor);

typedef struct berth_tensor_info {
	uint64_t serial;    /**< 1 for the residency's first tensor; a view has its base's */
	berth_layout layout;
	uint64_t bytes;	    /**< of its content on the host */
	uint64_t offset_bytes; /**< of a view, in the tensor */
	berth_place place;  /**< of the whole tensor, as are the following */
	bool has_content;
	uint32_t pinned, in_flight, mapped, in_working_set; /**< counts */
	uint32_t views;
	uint32_t site;		/**< with a storage */
	berth_storage storage;	/**< 0: none */
	uint64_t device_bytes;	/**< of the storage, as asked of the pool */
} berth_tensor_info;

/** @retval BERTH_OK; BERTH_E_STATE: not a tensor. */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_get_info(berth_tensor_info *out,
							      berth_residency *residency,
							      berth_tensor tensor);

/**
 * Keep a tensor's device memory from eviction, give-back and moves, and allow it again.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a tensor; pin: it is on no device; unpin: it is not pinned
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_pin(berth_residency *residency,
							 berth_tensor tensor);
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_unpin(berth_residency *residency,
							   berth_tensor tensor);

/**
 * Touch host memory. Until berth_tensor_unmap() with the same @p access the tensor is
 * mapped: it is not evicted, and mapped for writing it does not go to a device. A write
 * makes the device's copy out of date where the tensor or view lies.
 *
 * @param[out] out  bytes of the tensor or view, packed
 * @param access    BERTH_ACCESS_READ, BERTH_ACCESS_WRITE or both. With WRITE alone and
 *                  no content yet, the bytes are zero or the caller's own
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a tensor; newest content of these bytes is on the device
 *                        only (berth_tensor_ensure_on_host()); read without content;
 *                        mapped for writing already, or for a write mapped at all or
 *                        in a working set; a write of a constant
 * @retval BERTH_E_INVAL  @p access
 * @retval BERTH_E_NOMEM; and what completing a transfer in flight gives
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_map(void **out, berth_residency *residency,
							 berth_tensor tensor, uint32_t access);

/** @retval BERTH_OK; BERTH_E_STATE: not a tensor, or not mapped through it for @p access. */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_unmap(berth_residency *residency,
							   berth_tensor tensor, uint32_t access);

/**
 * Bring a tensor to a site: nothing to do, from the host, from another site with the same
 * device or one that shares memory with it (berth_device_borrow(); copied there), or from
 * another device (through the host). Evicts when the
 * budget needs it. After it the tensor is on both sides, or on the device as before.
 *
 * @param storage  0: a storage is taken from the site's pool. Else one that the caller
 *                 took there: borrowed while the tensor is in it, neither charged to the
 *                 budget nor evicted
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a tensor; mapped for writing; pinned, mapped or in a working
 *                        set elsewhere; @p storage is not one
 * @retval BERTH_E_INVAL  not a site
 * @retval BERTH_E_LIMIT  over the largest allocation; more than the budget can give: the
 *                        detail says the most that can be had, and nothing was evicted;
 *                        or the device is out of memory; @p storage is too small
 * @retval BERTH_E_CL, BERTH_E_UNSUPPORTED, BERTH_E_OVERFLOW, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_to_device(berth_residency *residency,
							       berth_tensor tensor, uint32_t site,
							       berth_storage storage);

/**
 * Called once when a prefetch ended, without the mutex.
 * @param status  BERTH_OK, or why the tensor is where it was
 */
typedef void berth_transfer_fn(berth_tensor tensor, berth_status status, void *userdata);

/**
 * As berth_tensor_to_device(), without waiting. The tensor is in flight until
 * berth_residency_complete() or another call that needs it at rest; kernels on the
 * device's own queue may use it before. A failure that shows then takes the device's
 * copy back: the tensor is on the host.
 * @param done  may be NULL: the status is then that of berth_residency_complete()
 * @retval as berth_tensor_to_device(): then @p done is not called
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_prefetch(berth_residency *residency,
							      berth_tensor tensor, uint32_t site,
							      berth_transfer_fn *done,
							      void *userdata);

/**
 * Wait for what is in flight on a site, and call the callbacks.
 * @retval BERTH_OK; BERTH_E_INVAL: not a site; the device's failure
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_residency_complete(berth_residency *residency,
								 uint32_t site);

/**
 * Make newest content available on the host; what is there already is not moved. Of a
 * view only its range is. Device memory is kept.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  one is not a tensor: nothing was moved
 * @retval BERTH_E_CL, BERTH_E_LIMIT, BERTH_E_NOMEM, BERTH_E_OVERFLOW  those before it in
 *                        the list are on the host
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_ensure_on_host(berth_residency *residency,
								    const berth_tensor *tensors,
								    size_t count);

/**
 * Bring a tensor (of a view, the whole) to the host.
 * @param keep  keep the device's copy; false: give its memory back
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a tensor; not kept, and pinned or in a working set
 * @retval as berth_tensor_ensure_on_host()
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_to_host(berth_residency *residency,
							     berth_tensor tensor, bool keep);

/**
 * Give a tensor or view new content where it is: on a device at the same address, without
 * touching the host's copy, which is then out of date; without device memory, on the host.
 * Where it takes several commands (staging, padded rows), a failure between them leaves the
 * host's content when that was current, and a mixture when there was none.
 * @param bytes  berth_tensor_info.bytes
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a tensor; constant, mapped or in a working set
 * @retval BERTH_E_INVAL  another number of bytes
 * @retval BERTH_E_CL, BERTH_E_LIMIT, BERTH_E_NOMEM, BERTH_E_OVERFLOW
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_update(berth_residency *residency,
							    berth_tensor tensor,
							    const void *content, uint64_t bytes);

/**
 * Copy content from one tensor to another. On the device when both are whole tensors that
 * lie alike there and the source's newest content is there; @p to, unless it is elsewhere, is
 * then made resident on that site. Through the host otherwise.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a tensor; @p from has no content; @p to is constant, mapped or
 *                        in a working set; both are parts of one tensor
 * @retval BERTH_E_INVAL  they have not the same number of bytes
 * @retval as berth_tensor_to_device()
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_copy(berth_residency *residency,
							  berth_tensor to, berth_tensor from);

/**
 * The content is not needed any more: the tensor (of a view, the whole) has none, and its
 * device memory is given back without a transfer.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  not a tensor; constant, pinned, mapped or in a working set
 * @retval and what completing a transfer in flight gives
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tensor_discard(berth_residency *residency,
							     berth_tensor tensor);

/** One argument of a run. */
typedef struct berth_run_arg {
	berth_tensor tensor;
	/**
	 * BERTH_ACCESS_READ: content is brought; WRITE: it is new after. WRITE alone says
	 * that all of it is written: nothing is brought.
	 */
	uint32_t access;
} berth_run_arg;

/** Where what a run writes is after it. */
typedef enum berth_outputs {
	BERTH_OUTPUTS_STAY = 0, /**< on the device */
	BERTH_OUTPUTS_HOME = 1, /**< on both sides */
} berth_outputs;

/**
 * Enqueue what uses the arguments, called without the mutex.
 * @param objects  ids on the device, one an argument: a buffer, or an image for texture
 *                 layouts. berth_opencl_mem() gives the cl_mem
 * @return BERTH_OK; else nothing that was enqueued counts as written
 */
typedef berth_status berth_run_fn(const uint64_t *objects, size_t count, void *userdata);

/**
 * Run something on a site: its working set is made resident together or not at all, stays
 * while @p fn runs, and is marked as written then. Kernels on the device's own queue need
 * not be complete when @p fn returns; those on others do.
 *
 * When @p fn fails, what it should have written keeps its old content if that is on the
 * host; a copy on the device only is as the kernels left it. Content that was on another
 * site only, and was not to be read, is gone.
 *
 * @param count  of @p args; the same tensor may come twice
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  as berth_tensor_to_device(); an argument is read and has no
 *                        content; a constant is written
 * @retval BERTH_E_INVAL  not a site, or an access
 * @retval BERTH_E_UNSUPPORTED  a view of a tensor whose rows are padded on the device
 * @retval as berth_tensor_to_device(), berth_view_create(), and what @p fn returned. When
 *         outputs cannot be brought home they are on the device
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_residency_run(berth_residency *residency,
							    uint32_t site,
							    const berth_run_arg *args, size_t count,
							    berth_outputs outputs,
							    berth_run_fn *fn, void *userdata);

/**
 * Evict until tensors hold at most @p bytes on a site, as far as that is possible.
 * @param[out] charged_bytes  what they hold after it; may be NULL
 * @retval BERTH_OK; BERTH_E_INVAL: not a site; a transfer's failure
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_residency_trim(berth_residency *residency,
							     uint32_t site, uint64_t bytes,
							     uint64_t *charged_bytes);

/**
 * Host memory that the device reaches fast (CL_MEM_ALLOC_HOST_PTR, mapped), for a tensor's
 * options.host or anything else. Ends with berth_pinned_release() or the residency.
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  not a site, or no bytes
 * @retval BERTH_E_UNSUPPORTED  the device has no bytes (a ghost)
 * @retval BERTH_E_LIMIT, BERTH_E_CL, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_pinned_create(void **out,
							    berth_residency *residency,
							    uint32_t site, uint64_t bytes);

/** @retval BERTH_OK; BERTH_E_STATE: not pinned memory of this residency, or released. */
BERTH_API BERTH_MUST_CHECK berth_status berth_pinned_release(berth_residency *residency,
							     void *memory);

/** What a site holds and did. */
typedef struct berth_site_stats {
	uint64_t hard_limit_bytes, soft_limit_bytes;
	uint64_t charged_bytes; /**< held by tensors, as asked of the pool */
	uint64_t peak_bytes;
	uint64_t available_bytes;  /**< hard limit - charged */
	uint64_t obtainable_bytes; /**< with eviction: the largest request that can succeed */
	uint64_t resident;	   /**< tensors with a storage */
	uint64_t in_flight;	   /**< transfers */
	uint64_t to_device_bytes, to_host_bytes, on_device_bytes; /**< moved */
	uint64_t to_device_count, to_host_count, on_device_count; /**< commands */
	uint64_t dropped, saved;   /**< evictions without and with a transfer */
	uint64_t evicted_bytes;
	uint64_t refused;
} berth_site_stats;

/** @retval BERTH_OK; BERTH_E_INVAL: not a site. */
BERTH_API BERTH_MUST_CHECK berth_status berth_residency_get_stats(berth_site_stats *out,
								  berth_residency *residency,
								  uint32_t site);

BERTH_END_DECLS

#endif
