/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_plan.h"

#include "print.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/plan_input.h>

static berth_status bind(berth_device *device, const berth_plan_model *model,
			 const berth_plan *plan)
{
	size_t count = model->input.request_count;
	uint64_t *objects = calloc(count + 1, sizeof(*objects));
	berth_status st;

	if (!objects)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu objects", count);
	for (size_t i = 0; i < count; i++)
		objects[i] = model->items[i].object;
	st = berth_pool_device_bind_plan(device, objects, &model->input, plan);
	free(objects);
	return st;
}

/* Arenas cost exactly their bytes: each is an object of the device of its own. */
static berth_status add_pool(berth_device **device)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_device *pooled;
	berth_status st;

	options.policy = BERTH_POOL_NAIVE;
	st = berth_pool_device_create(&pooled, *device, &options);
	if (st == BERTH_OK)
		*device = pooled;
	return st;
}

static berth_status plan_model(struct replay_plan *out, berth_device *device,
			       const berth_plan_model *model)
{
	berth_plan *plan = NULL;
	berth_status st = berth_plan_create(&plan, &model->input, NULL);

	if (st == BERTH_OK)
		st = bind(device, model, plan);
	if (st == BERTH_OK) {
		out->total_bytes = plan->total_bytes;
		out->lower_bound_bytes = plan->lower_bound_bytes;
		out->arenas = plan->arena_count;
	}
	berth_plan_destroy(plan);
	return st;
}

berth_status replay_plan_add(struct replay_plan *out, berth_device **device, berth_trace *trace)
{
	berth_plan_source_options options = BERTH_PLAN_SOURCE_OPTIONS_INIT;
	berth_plan_source *source = NULL;
	berth_status st = add_pool(device);

	if (st != BERTH_OK)
		return st;
	options.caps = berth_pool_caps(berth_pool_device_pool(*device));
	options.host_memory_apart = true;
	st = berth_plan_source_from_trace(&source, trace, &options);
	if (st == BERTH_OK)
		st = plan_model(out, *device, &source->models[0]);
	if (st == BERTH_OK)
		out->apart_bytes = source->apart_bytes;
	berth_plan_source_destroy(source);
	return st;
}

/* It is a pool device: nothing can go wrong. */
static berth_pool_device_stats stats_of(const berth_device *pool_device)
{
	berth_pool_device_stats stats;

	if (berth_pool_device_get_stats(&stats, pool_device) != BERTH_OK)
		memset(&stats, 0, sizeof(stats));
	return stats;
}

void replay_plan_print(const struct replay_plan *plan, const berth_device *pool_device)
{
	const berth_pool_device_stats stats = stats_of(pool_device);
	char total[SIZE_TEXT_BYTES], bound[SIZE_TEXT_BYTES], apart[SIZE_TEXT_BYTES];

	print_text(stdout, "plan:        %s, arenas %" PRIu32 ", lower bound %s, apart %s\n",
		   size_text(total, plan->total_bytes), plan->arenas,
		   size_text(bound, plan->lower_bound_bytes), size_text(apart, plan->apart_bytes));
	print_text(stdout,
		   "  objects on the plan %" PRIu64 ", departed from it %" PRIu64
		   ", passed through %" PRIu64 "; device allocations %" PRIu64 "\n",
		   stats.planned.planned, stats.planned.online, stats.passed_through,
		   stats.device_allocations);
}

void replay_plan_set_json(json_builder *json, const struct replay_plan *plan,
			  const berth_device *pool_device)
{
	const berth_pool_device_stats stats = stats_of(pool_device);
	const struct {
		const char *path;
		uint64_t number;
	} numbers[] = {
		{ "$.plan.total_bytes", plan->total_bytes },
		{ "$.plan.lower_bound_bytes", plan->lower_bound_bytes },
		{ "$.plan.apart_bytes", plan->apart_bytes },
		{ "$.plan.arenas", plan->arenas },
		{ "$.plan.planned", stats.planned.planned },
		{ "$.plan.departed", stats.planned.online },
		{ "$.plan.passed_through", stats.passed_through },
		{ "$.plan.device_allocations", stats.device_allocations },
	};

	json_set_object(json, "$.plan");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_set_number(json, numbers[i].path, numbers[i].number);
}
