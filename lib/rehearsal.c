/* SPDX-License-Identifier: Apache-2.0 */
/* Record a run, plan it, serve the next from the plan. */
#include <berth/planned.h>

#include <inttypes.h>
#include <stdlib.h>

#include "pool_internal.h"

struct berth_rehearsal {
	berth_pool *pool;
	berth_plan_options options;
	berth_planned *planned; /* NULL: online */
	bool departed;		/* this run, from its plan */
	uint64_t clock;		/* of this run: one a take and one a give */
	size_t live;
	/* What this run took, in order. */
	berth_plan_request *requests;
	size_t request_count, request_capacity;
	berth_rehearsal_stats stats;
};

berth_status berth_rehearsal_create(berth_rehearsal **out, berth_pool *pool,
				    const berth_plan_options *options)
{
	static const berth_plan_options defaults = BERTH_PLAN_OPTIONS_INIT;
	berth_rehearsal *rehearsal = calloc(1, sizeof(*rehearsal));

	if (!rehearsal)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a rehearsal");
	rehearsal->pool = pool;
	rehearsal->options = options ? *options : defaults;
	*out = rehearsal;
	return BERTH_OK;
}

void berth_rehearsal_destroy(berth_rehearsal *rehearsal)
{
	if (!rehearsal)
		return;
	berth_planned_destroy(rehearsal->planned);
	free(rehearsal->requests);
	free(rehearsal);
}

static berth_status reserve_request(berth_rehearsal *rehearsal)
{
	size_t capacity = rehearsal->request_capacity ? rehearsal->request_capacity * 2 : 64;
	berth_plan_request *grown;

	if (rehearsal->request_count < rehearsal->request_capacity)
		return BERTH_OK;
	grown = reallocarray(rehearsal->requests, capacity, sizeof(*grown));
	if (!grown)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a run of %zu places",
				       capacity);
	rehearsal->requests = grown;
	rehearsal->request_capacity = capacity;
	return BERTH_OK;
}

static berth_status take(berth_planned_place *out, berth_rehearsal *rehearsal, uint64_t bytes)
{
	size_t number = rehearsal->request_count;

	if (rehearsal->planned)
		return berth_planned_take(out, rehearsal->planned, number, bytes);
	*out = (berth_planned_place){ .bytes = bytes, .request = number };
	return berth_storage_create(&out->storage, rehearsal->pool, bytes, NULL);
}

berth_status berth_rehearsal_take(berth_planned_place *out, berth_rehearsal *rehearsal,
				  uint64_t bytes)
{
	berth_plan_request request = BERTH_PLAN_REQUEST_INIT;
	berth_planned_place place;
	berth_status st = reserve_request(rehearsal);

	request.bytes = bytes > 0 ? bytes : 1;
	if (st == BERTH_OK)
		st = take(&place, rehearsal, request.bytes);
	if (st != BERTH_OK)
		return st;
	request.lower = rehearsal->clock++;
	rehearsal->requests[rehearsal->request_count++] = request;
	rehearsal->live++;
	if (place.planned) {
		rehearsal->stats.planned++;
	} else {
		rehearsal->stats.online++;
		rehearsal->departed = true;
	}
	*out = place;
	return BERTH_OK;
}

static berth_status give_back(berth_rehearsal *rehearsal, const berth_planned_place *place)
{
	if (rehearsal->planned)
		return berth_planned_give_back(rehearsal->planned, place);
	return berth_storage_release(rehearsal->pool, place->storage, NULL);
}

berth_status berth_rehearsal_give_back(berth_rehearsal *rehearsal, const berth_planned_place *place)
{
	berth_plan_request *request;
	berth_status st;

	if (place->request >= rehearsal->request_count ||
	    rehearsal->requests[place->request].upper > 0)
		return berth_error_set(BERTH_E_STATE, 0, "take %zu of this run is not taken",
				       place->request);
	st = give_back(rehearsal, place);
	if (st != BERTH_OK)
		return st;
	request = &rehearsal->requests[place->request];
	request->upper = rehearsal->clock++;
	rehearsal->live--;
	return BERTH_OK;
}

/* Plan what this run took; the old arenas go first, so that there is room for the new. */
static berth_status replan(berth_rehearsal *rehearsal)
{
	const berth_plan_input input = {
		.requests = rehearsal->requests,
		.request_count = rehearsal->request_count,
		.caps =
			{
				.max_arena_bytes =
					berth_pool_caps(rehearsal->pool)->max_alloc_bytes,
				.align_bytes = rehearsal->pool->granule_bytes,
			},
	};
	berth_plan *plan = NULL;
	berth_status st;

	berth_planned_destroy(rehearsal->planned);
	rehearsal->planned = NULL;
	rehearsal->stats.plan_bytes = 0;
	rehearsal->stats.lower_bound_bytes = 0;
	st = berth_plan_create(&plan, &input, &rehearsal->options);
	if (st == BERTH_OK)
		st = berth_planned_create(&rehearsal->planned, rehearsal->pool, &input, plan);
	if (st == BERTH_OK) {
		rehearsal->stats.plans++;
		rehearsal->stats.plan_bytes = plan->total_bytes;
		rehearsal->stats.lower_bound_bytes = plan->lower_bound_bytes;
	}
	berth_plan_destroy(plan);
	return st;
}

berth_status berth_rehearsal_end_run(berth_rehearsal *rehearsal)
{
	berth_status st = BERTH_OK;

	if (rehearsal->live > 0)
		return berth_error_set(BERTH_E_STATE, 0,
				       "%zu of the %zu places of the run are still taken",
				       rehearsal->live, rehearsal->request_count);
	rehearsal->stats.runs++;
	if (rehearsal->planned && rehearsal->departed)
		rehearsal->stats.departed++;
	if (!rehearsal->planned || rehearsal->departed)
		st = replan(rehearsal);
	rehearsal->request_count = 0;
	rehearsal->clock = 0;
	rehearsal->departed = false;
	return st;
}

void berth_rehearsal_get_stats(berth_rehearsal_stats *out, const berth_rehearsal *rehearsal)
{
	*out = rehearsal->stats;
}
