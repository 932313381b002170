/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Plans put to use: a plan and a pool give places for views; a program without lifetimes
 * known beforehand runs once, is planned from what was seen, and runs again on the plan.
 *
 * A *planned* object holds a storage of its pool for each arena of a plan, and hands out the
 * places in them. Whoever departs from the plan is still served: what is larger than planned,
 * was not planned, or comes while the bytes planned for it are still taken, gets a storage of
 * its own from the pool ("online"). So a place that is handed out is always the taker's alone.
 *
 * A *rehearsal* records takes and gives of a run, by their order; at the end of the run it
 * plans them, and the next run, whose n-th take counts as the n-th of before, is served from
 * the plan. A run that departed is planned anew at its end.
 *
 * What a place is for, views and commands, ends before it is given back: commands of one
 * in-order queue, or complete. Views are made with berth_view_create() on the place's storage
 * at its offset.
 *
 * Threads: calls on one object are serialised by the caller; the pool is safe by itself.
 */
#ifndef BERTH_PLANNED_H
#define BERTH_PLANNED_H

#include <berth/plan.h>
#include <berth/pool.h>

BERTH_BEGIN_DECLS

typedef struct berth_planned berth_planned;

/** Bytes that were taken; to be given back as they are. */
typedef struct berth_planned_place {
	berth_storage storage;
	uint64_t offset_bytes; /**< there */
	uint64_t bytes;
	bool planned;	/**< false: online, a storage of its own */
	uint32_t arena; /**< when planned */
	size_t request; /**< for whom; of a rehearsal: the number of the take in its run */
} berth_planned_place;

typedef struct berth_planned_stats {
	uint64_t arena_bytes; /**< of the plan, held all the time */
	uint64_t planned;     /**< takes that were served from the plan */
	uint64_t online;      /**< takes that departed from it */
	uint64_t live;	      /**< places taken now */
} berth_planned_stats;

/**
 * Take the storages that a plan needs.
 * @param[out] out  owned by the caller (berth_planned_destroy())
 * @param pool      borrowed; outlives it. Its policy decides what an arena costs: naive takes
 *                  exactly the arena's bytes
 * @param input, plan  what was planned; not kept. The input's alignments must hold in the
 *                  pool: caps.align_bytes a multiple of the device's, textures' on top
 * @retval BERTH_OK
 * @retval as berth_storage_create(); nothing is kept then
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_planned_create(berth_planned **out, berth_pool *pool,
							     const berth_plan_input *input,
							     const berth_plan *plan);

/** Give the arenas back to the pool; places still taken from them end with it. NULL is fine. */
BERTH_API void berth_planned_destroy(berth_planned *planned);

/**
 * Take the place of a request.
 * @param request  index in the plan; another number is online
 * @param bytes    what is needed now; more than planned is online
 * @retval BERTH_OK
 * @retval as berth_storage_create(), when online
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_planned_take(berth_planned_place *out,
							   berth_planned *planned, size_t request,
							   uint64_t bytes);

/**
 * Give a place back.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  it is not taken, or, when online, has live views
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_planned_give_back(berth_planned *planned,
								const berth_planned_place *place);

BERTH_API void berth_planned_get_stats(berth_planned_stats *out, const berth_planned *planned);

typedef struct berth_rehearsal berth_rehearsal;

typedef struct berth_rehearsal_stats {
	uint64_t runs;		    /**< ended */
	uint64_t departed;	    /**< runs that departed from their plan */
	uint64_t plans;		    /**< made */
	uint64_t planned;	    /**< takes served from a plan, in all runs */
	uint64_t online;	    /**< takes that were not, the first run's included */
	uint64_t plan_bytes;	    /**< of the plan in use; 0: none yet */
	uint64_t lower_bound_bytes; /**< of it */
} berth_rehearsal_stats;

/**
 * @param[out] out  owned by the caller (berth_rehearsal_destroy())
 * @param pool      borrowed; outlives it
 * @param options   for the planner; NULL: its defaults
 * @retval BERTH_OK, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_rehearsal_create(berth_rehearsal **out,
							       berth_pool *pool,
							       const berth_plan_options *options);

/** Places still taken from a plan end with it, those online stay with the pool. NULL is fine. */
BERTH_API void berth_rehearsal_destroy(berth_rehearsal *rehearsal);

/**
 * Take the next place of the run.
 * @param bytes  0 counts as 1
 * @retval BERTH_OK
 * @retval BERTH_E_NOMEM
 * @retval as berth_storage_create(), when online
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_rehearsal_take(berth_planned_place *out,
							     berth_rehearsal *rehearsal,
							     uint64_t bytes);

/** @retval as berth_planned_give_back() */
BERTH_API BERTH_MUST_CHECK berth_status berth_rehearsal_give_back(berth_rehearsal *rehearsal,
								  const berth_planned_place *place);

/**
 * End the run. When it was the first, or departed from its plan, what it took is planned, and
 * the arenas are exchanged. Commands on the old ones are complete.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  places are taken: a run gives back all that it took
 * @retval as berth_plan_create() and berth_planned_create(): there is no plan, the next run is
 *                        online and is planned at its end
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_rehearsal_end_run(berth_rehearsal *rehearsal);

BERTH_API void berth_rehearsal_get_stats(berth_rehearsal_stats *out,
					 const berth_rehearsal *rehearsal);

BERTH_END_DECLS

#endif
