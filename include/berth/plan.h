/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The offline planner: where each buffer of a program goes, in as few bytes as can be proven.
 *
 * Known before: what is needed, how large, and what is alive together, from lifetimes or from
 * a list of conflicts. Result: an arena and an offset for each request. An arena is one device
 * buffer; requests are ranges of it (sub-buffers, images on sub-buffers).
 *
 * Two requests conflict when both are alive at one moment, or when the conflict list says so.
 * Conflicting requests never share a byte. A plan also keeps alignments, pinned offsets, the
 * maximum allocation size, arena groups and in-place pairs. berth_plan_check() checks all of
 * this, and shares no code with the planner.
 *
 * The planner goes through tiers, and stops when the plan is as small as its proven bound: see
 * berth_plan_tier. No tier makes the plan larger, so a plan is never worse than the best greedy.
 *
 * Determinism. A plan depends on the input and the options alone: effort is counted in steps
 * of work, not in time. A time budget buys a fixed number of steps (one each three
 * nanoseconds, as on machines of 2020); the clock is only a guard, at four times the budget,
 * for a machine that is much slower. When the guard stops the planner, berth_plan.stopped says
 * so, and only then may another run give another plan.
 */
#ifndef BERTH_PLAN_H
#define BERTH_PLAN_H

#include <berth/caps.h>

BERTH_BEGIN_DECLS

/** "No request", in berth_plan_request.in_place_of. */
#define BERTH_PLAN_NO_REQUEST UINT32_MAX

/** "Anywhere", in berth_plan_request.pinned_offset_bytes. */
#define BERTH_PLAN_ANYWHERE UINT64_MAX

/** The most requests of one plan. */
#define BERTH_PLAN_REQUESTS_MAX 16777216u

/** One range of device memory that is needed. BERTH_PLAN_REQUEST_INIT sets "no wishes". */
typedef struct berth_plan_request {
	/** 0 is allowed: an empty range, placed at offset 0. */
	uint64_t bytes;
	/**
	 * Alive in [lower, upper), in any unit of time: steps, op numbers. upper > lower. Not read
	 * when the input has conflicts instead of lifetimes, nor when whole_run is set.
	 */
	uint64_t lower, upper;
	/** The offset is a multiple of it and of berth_plan_caps.align_bytes. 0: no wish. */
	uint64_t align_bytes;
	/** The offset, in the first arena of its group, or BERTH_PLAN_ANYWHERE. */
	uint64_t pinned_offset_bytes;
	/** Requests of different groups never share an arena. Any number; 0 when it is all one. */
	uint32_t arena_group;
	/**
	 * Index of the request whose bytes this one takes over (same arena, same offset), or
	 * BERTH_PLAN_NO_REQUEST. The caller vouches that the two may share while both are alive.
	 * Takes part in chains; each request is taken over by at most one other.
	 */
	uint32_t in_place_of;
	/** Conflicts with every other request: weights, and what the program keeps. */
	bool whole_run;
} berth_plan_request;

#define BERTH_PLAN_REQUEST_INIT                                                                    \
	{                                                                                          \
		0, 0, 0, 0, BERTH_PLAN_ANYWHERE, 0, BERTH_PLAN_NO_REQUEST, false                   \
	}

/** Two requests that must not share bytes, by index. Order and repetition do not matter. */
typedef struct berth_plan_conflict {
	uint32_t a, b;
} berth_plan_conflict;

/** What the device sets. Zeros: no limits, no alignment. */
typedef struct berth_plan_caps {
	uint64_t max_arena_bytes; /**< CL_DEVICE_MAX_MEM_ALLOC_SIZE; 0: no limit, one arena a group
				   */
	uint64_t max_total_bytes; /**< all arenas together; 0: no limit */
	uint64_t align_bytes;	  /**< of every offset; 0 counts as 1; need not be a power of two */
} berth_plan_caps;

/** What is to be planned. All memory is borrowed for the call. */
typedef struct berth_plan_input {
	const berth_plan_request *requests;
	size_t request_count; /**< at most BERTH_PLAN_REQUESTS_MAX */
	/**
	 * Read when by_conflicts: what is alive together comes from a dependency graph ("not
	 * ordered, so in conflict"), and lower and upper are not read.
	 */
	const berth_plan_conflict *conflicts;
	size_t conflict_count;
	bool by_conflicts;
	berth_plan_caps caps;
} berth_plan_input;

/** How a plan was reached: each tier starts from the best plan of those before it. */
typedef enum berth_plan_tier {
	BERTH_PLAN_TIER_GREEDY = 1, /**< orders by size, area, ... times first fit and best fit */
	BERTH_PLAN_TIER_SEARCH = 2, /**< canonical depth-first search at the bound */
	BERTH_PLAN_TIER_LOCAL = 3,  /**< local search over orders */
	BERTH_PLAN_TIER_BRANCH = 4, /**< branch and bound between the bound and the best plan */
	BERTH_PLAN_TIER_VARY = 5,   /**< greedy in varied orders, for inputs too large to search */
} berth_plan_tier;

/** @return "greedy" and the like; a static string, "unknown" for other numbers. Thread safe. */
BERTH_API const char *berth_plan_tier_string(berth_plan_tier tier);

/** Why the planner ended. */
typedef enum berth_plan_stop {
	BERTH_PLAN_STOP_OPTIMAL = 0,  /**< total_bytes is proven_bytes */
	BERTH_PLAN_STOP_WORK = 1,     /**< the steps that the time budget buys are used up */
	BERTH_PLAN_STOP_TIME = 2,     /**< the clock: the machine is slower than counted with */
	BERTH_PLAN_STOP_CANCELLED = 3, /**< the callback asked for it */
	/**
	 * With sizes rounded up to the alignment, no plan is smaller. The last request of an
	 * arena need not be rounded, and another one in its place might save less than one
	 * alignment an arena: by so much total_bytes is above proven_bytes.
	 */
	BERTH_PLAN_STOP_ROUNDED = 4
} berth_plan_stop;

/** How hard to try. NULL options are BERTH_PLAN_OPTIONS_INIT. */
typedef struct berth_plan_options {
	uint32_t size; /**< sizeof(berth_plan_options) */
	/**
	 * For all that comes after the greedy tier; 0: 250 ms and 50 us a request. On a slow machine
	 * it may take four times as long.
	 */
	uint64_t time_budget_ns;
	uint64_t seed;		   /**< of every random choice */
	berth_plan_tier last_tier; /**< go no further than this tier */
	/**
	 * Asked a few hundred times a second or more often; true ends the planner with the best
	 * plan so far. NULL: never. Called on the calling thread.
	 */
	bool (*cancelled)(void *userdata);
	void *userdata;
} berth_plan_options;

#define BERTH_PLAN_OPTIONS_INIT                                                                    \
	{                                                                                          \
		sizeof(berth_plan_options), 0, 0, BERTH_PLAN_TIER_VARY, NULL, NULL                 \
	}

/** Where a request goes. */
typedef struct berth_plan_place {
	uint32_t arena;
	uint64_t offset_bytes;
} berth_plan_place;

/** A plan. Read it; berth_plan_destroy() frees it with all it points to. */
typedef struct berth_plan {
	size_t place_count;
	berth_plan_place *places; /**< one a request, in the order of the requests */

	/**
	 * Arenas are numbered from 0, a group's in a row, groups in the order of their numbers.
	 * A request of 0 bytes needs no arena: it has the first of its group, which may be empty.
	 */
	uint32_t arena_count;
	uint64_t *arena_bytes; /**< what each arena needs: the largest end in it */
	uint32_t *arena_group; /**< the group of each arena */

	uint64_t total_bytes; /**< the sum of arena_bytes */
	/**
	 * The largest sum of bytes alive together, of each group. With a conflict list: the
	 * heaviest set in conflict that was found, a bound as well.
	 */
	uint64_t lower_bound_bytes;
	uint64_t proven_bytes;	/**< no plan can have a smaller total; >= lower_bound_bytes */
	uint64_t greedy_bytes;	/**< of the best greedy plan, in whole units of alignment */
	uint64_t request_bytes; /**< the sum of all requests: a plan that shares nothing */
	berth_plan_tier tier;	/**< the tier that found this plan */
	berth_plan_stop stopped;
	uint64_t elapsed_ns;
	uint64_t work; /**< steps used */
} berth_plan;

/**
 * Plan.
 *
 * @param[out] out  the plan, owned by the caller (berth_plan_destroy()); written on success only
 * @param options   NULL for BERTH_PLAN_OPTIONS_INIT
 * @retval BERTH_OK          a valid plan, also when the planner was stopped or cancelled
 * @retval BERTH_E_INVAL     the detail names the request ("request 3: ...") or option: upper <=
 *                           lower, an index out of range, a pinned offset that is not aligned,
 *                           an in-place pair that does not meet in time, of two groups, twice taken
 * @retval BERTH_E_LIMIT     a request above max_arena_bytes; pinned requests that cannot be
 *                           kept; more arenas than 32 bits; a total above max_total_bytes, with
 *                           the bound in the detail
 * @retval BERTH_E_OVERFLOW  the sizes do not fit 64 bits together
 * @retval BERTH_E_NOMEM
 * Thread safe. Makes no threads.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_plan_create(berth_plan **out,
							  const berth_plan_input *input,
							  const berth_plan_options *options);

/** Free a plan; NULL does nothing. */
BERTH_API void berth_plan_destroy(berth_plan *plan);

/** Places and arenas to check, from a berth_plan or from a file. Borrowed. */
typedef struct berth_plan_claim {
	const berth_plan_place *places; /**< one a request */
	size_t place_count;
	const uint64_t *arena_bytes;
	size_t arena_count;
} berth_plan_claim;

/** @return what a plan claims. Borrows from @p plan. */
BERTH_API berth_plan_claim berth_plan_get_claim(const berth_plan *plan);

/**
 * Check that a claimed plan keeps all that the input asks: one place a request, inside an
 * arena of at most max_arena_bytes, aligned, pinned where asked, groups apart, in-place pairs
 * together, no byte shared by two conflicting requests, the total within max_total_bytes.
 * Independent of the planner. O(n log n) for lifetimes; the conflict list is read once.
 *
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  the input itself is not valid: as berth_plan_create()
 * @retval BERTH_E_STATE  the plan breaks a promise: the detail names the request or the two
 *                        requests, and the numbers
 * @retval BERTH_E_NOMEM
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_plan_check(const berth_plan_input *input,
							 const berth_plan_claim *claim);

BERTH_END_DECLS

#endif
