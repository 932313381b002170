/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Planning over several memories: fast ones of limited size first, what does not fit
 * there in the next.
 *
 * Memories ("pools" in compilers' words) are given in the order of preference, as
 * on-chip memory before device memory. Each gets as much of what is left as fits it,
 * packed as the planner packs one arena of its limit (plan.h); what is over goes to the
 * next. The last may have no limit, and then everything has a place.
 *
 * No state, thread safe.
 */
#ifndef BERTH_PLAN_POOLS_H
#define BERTH_PLAN_POOLS_H

#include <berth/plan.h>

BERTH_BEGIN_DECLS

/** One memory. */
typedef struct berth_plan_pool {
	uint64_t limit_bytes; /**< all that can be placed there; 0: no limit, for the last only */
} berth_plan_pool;

/** Where requests go, by memory. Owned by the caller (berth_plan_pools_destroy()). */
typedef struct berth_plan_pools {
	size_t place_count;
	uint32_t *pool_of;	/**< of each request: the index of its memory */
	uint64_t *offset_bytes; /**< of each request: where in that memory */
	size_t pool_count;
	uint64_t *pool_bytes; /**< of each memory: what is needed of it */
	uint64_t lower_bound_bytes; /**< the largest sum of bytes alive together, in all memories */
} berth_plan_pools;

/**
 * Plan.
 *
 * @param[out] out    written on BERTH_OK only
 * @param input       requests without in-place pairs, pinned offsets and arena groups, which
 *                    are about one memory; caps.max_arena_bytes 0: limits are the pools'
 * @param pools       in the order of preference
 * @param pool_count  at least 1
 * @param options     for each planning inside; NULL for the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL     no pool, a pool but the last without limit, or an input as above or as
 *                           berth_plan_create() refuses it
 * @retval BERTH_E_LIMIT     "space exceeded": what is left does not fit the last memory; the
 *                           detail has both numbers
 * @retval BERTH_E_OVERFLOW, BERTH_E_NOMEM  as berth_plan_create()
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_plan_pools_create(berth_plan_pools **out,
								const berth_plan_input *input,
								const berth_plan_pool *pools,
								size_t pool_count,
								const berth_plan_options *options);

/** Free it; NULL does nothing. */
BERTH_API void berth_plan_pools_destroy(berth_plan_pools *plan);

BERTH_END_DECLS

#endif
