/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_report.h"

#include "json.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const apart_keys[BERTH_PLAN_APART_END] = {
	[BERTH_PLAN_APART_HOST] = "host",     [BERTH_PLAN_APART_TYPE] = "type",
	[BERTH_PLAN_APART_DEVICE] = "device", [BERTH_PLAN_APART_FORMAT] = "format",
	[BERTH_PLAN_APART_LIMIT] = "limit",
};

static void set_number_at(json_builder *json, size_t index, const char *key, uint64_t number)
{
	char path[96];

	snprintf(path, sizeof(path), "$.models[%zu].%s", index, key);
	json_set_number(json, path, number);
}

static void set_text_at(json_builder *json, size_t index, const char *key, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "$.models[%zu].%s", index, key);
	json_set_text(json, path, text);
}

static void set_arenas(json_builder *json, size_t index, const berth_plan *plan)
{
	char path[96];

	snprintf(path, sizeof(path), "$.models[%zu].arena_bytes", index);
	json_set_array(json, path);
	snprintf(path, sizeof(path), "$.models[%zu].arena_bytes[#]", index);
	for (uint32_t i = 0; i < plan->arena_count; i++)
		json_set_number(json, path, plan->arena_bytes[i]);
}

static void set_model(json_builder *json, size_t index, const struct plan_result *result)
{
	const berth_plan_model *model = result->model;
	const berth_plan *plan = result->plan;
	const struct {
		const char *key;
		uint64_t number;
	} numbers[] = {
		{ "requests", model->input.request_count },
		{ "buffers", plan_report_count(model, BERTH_PLAN_ITEM_BUFFER) },
		{ "images", plan_report_count(model, BERTH_PLAN_ITEM_IMAGE) },
		{ "buffers_with_images", plan_report_count(model, BERTH_PLAN_ITEM_BOTH) },
		{ "total_bytes", plan->total_bytes },
		{ "lower_bound_bytes", plan->lower_bound_bytes },
		{ "proven_bytes", plan->proven_bytes },
		{ "greedy_bytes", plan->greedy_bytes },
		{ "request_bytes", plan->request_bytes },
		{ "expected_bytes", model->expected_bytes },
		{ "elapsed_ns", plan->elapsed_ns },
		{ "work", plan->work },
	};

	json_set_object(json, "$.models[#]");
	set_text_at(json, index, "name", model->name);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		set_number_at(json, index, numbers[i].key, numbers[i].number);
	set_text_at(json, index, "tier", berth_plan_tier_string(plan->tier));
	set_text_at(json, index, "stopped", plan_stop_names[plan->stopped]);
	set_text_at(json, index, "token_bytes", NULL);
	set_text_at(json, index, "tokens", NULL);
	if (result->tokens) {
		set_number_at(json, index, "token_bytes", result->tokens->total_bytes);
		set_number_at(json, index, "tokens", result->tokens->token_count);
	}
	set_number_at(json, index, "arenas", plan->arena_count);
	set_arenas(json, index, plan);
}

/* What a trace's program did, as the plan is to be compared with it. */
static void set_program(json_builder *json, const berth_plan_source *source)
{
	char path[64];

	json_set_number(json, "$.held_bytes", source->held_bytes);
	json_set_number(json, "$.apart_bytes", source->apart_bytes);
	json_set_number(json, "$.unused", source->unused);
	json_set_number(json, "$.lengthened", source->lengthened);
	json_set_object(json, "$.apart");
	for (int why = 0; why < BERTH_PLAN_APART_END; why++) {
		snprintf(path, sizeof(path), "$.apart.%s", apart_keys[why]);
		json_set_number(json, path, source->apart_count[why]);
	}
}

berth_status plan_report_print_json(const struct plan_report *report)
{
	json_builder *json = json_builder_create();
	berth_status st;

	json_set_text(json, "$.input", report->path);
	json_set_text(json, "$.kind", plan_source_names[report->source->kind]);
	json_set_text(json, "$.device", report->device);
	if (report->source->kind == BERTH_PLAN_SOURCE_TRACE)
		set_program(json, report->source);
	json_set_array(json, "$.models");
	for (size_t i = 0; i < report->result_count; i++)
		set_model(json, i, &report->results[i]);
	st = json_print(json);
	json_builder_destroy(json);
	return st;
}
