/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The pool as a device: executes ops by carving buffers and 2D images out of the
 * blocks of a pool on an inner device. What would this program need if it pooled?
 *
 * A buffer becomes a range of a block (a sub-buffer of exactly its size, so that the
 * inner device still checks bounds and flags); a sub-buffer one of the same block;
 * a 2D image with memory of its own an image on such a range, where the pool makes
 * images without copies. All else is the inner device's own object: images of other
 * types, objects on host memory (CL_MEM_USE_HOST_PTR) or allocated in it
 * (CL_MEM_ALLOC_HOST_PTR), what does not fit a block's rules, and ops that break the
 * specification, which reach the inner device as they are.
 *
 * Ops are executed in the order of the calls, on the inner device's own queue: what a
 * release frees, the next create may have at once.
 *
 * berth_device_memory(): in_use_bytes counts what objects have, padding included, and
 * not what lies free in blocks; peak_bytes is the most that the inner device held.
 */
#ifndef BERTH_POOL_DEVICE_H
#define BERTH_POOL_DEVICE_H

#include <berth/planned.h>

BERTH_BEGIN_DECLS

/** What a pool device did. */
typedef struct berth_pool_device_stats {
	berth_pool_stats pool;
	uint64_t device_allocations; /**< objects with memory made on the inner device */
	uint64_t passed_through;     /**< of those: not blocks */
	uint64_t passed_through_bytes; /**< alive now */
	uint64_t pooled;	     /**< objects that got their memory from a block */
	uint64_t peak_bytes;	     /**< of the inner device */
	berth_planned_stats planned; /**< zero without berth_pool_device_bind_plan() */
} berth_pool_device_stats;

/**
 * Put a pool on a device, named "pool(POLICY, NAME)".
 * @param[out] out  owned by the caller (berth_device_destroy())
 * @param inner     taken over on BERTH_OK, with nothing on it
 * @param options   NULL: the defaults; copied images and the out-of-memory callback do
 *                  not count
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL, BERTH_E_NOMEM  as berth_pool_create()
 */
BERTH_API BERTH_MUST_CHECK berth_status
berth_pool_device_create(berth_device **out, berth_device *inner,
			 const berth_pool_options *options);

/**
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  @p device is not a pool device
 */
BERTH_API BERTH_MUST_CHECK berth_status
berth_pool_device_get_stats(berth_pool_device_stats *out, const berth_device *device);

/**
 * Execute on a plan: an object whose id is planned has the plan's place, as far as it keeps
 * to the plan (planned.h); all others are as before.
 *
 * @param device   a pool device on which nothing was executed yet
 * @param objects  the id of each request's object; copied
 * @param input, plan  as berth_planned_create()
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  not a pool device
 * @retval BERTH_E_STATE  it has a plan or objects already
 * @retval as berth_planned_create(); the device is unchanged
 */
BERTH_API BERTH_MUST_CHECK berth_status
berth_pool_device_bind_plan(berth_device *device, const uint64_t *objects,
			    const berth_plan_input *input, const berth_plan *plan);

/** @return the pool of a pool device, to be walked; borrowed. NULL for other devices. */
BERTH_API berth_pool *berth_pool_device_pool(const berth_device *device);

BERTH_END_DECLS

#endif
