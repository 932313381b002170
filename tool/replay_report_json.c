/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_report.h"

#include "replay_estimate.h"
#include "replay_fault.h"
#include "replay_pool.h"

#include <inttypes.h>
#include <stdio.h>

#include <berth/rules.h>

#define PATH_BYTES 64

static void set_text(json_builder *json, const char *path, const char *key, const char *text)
{
	char full[2 * PATH_BYTES];

	snprintf(full, sizeof(full), "%s.%s", path, key);
	json_set_text(json, full, text);
}

static void set_number(json_builder *json, const char *path, const char *key, uint64_t number)
{
	char full[2 * PATH_BYTES];

	snprintf(full, sizeof(full), "%s.%s", path, key);
	json_set_number(json, full, number);
}

static void set_code(json_builder *json, const char *path, const char *key, int32_t code)
{
	char full[2 * PATH_BYTES];

	set_text(json, path, key, berth_cl_status_string(code));
	snprintf(full, sizeof(full), "%s.%s_code", path, key);
	json_set_signed(json, full, code);
}

static void set_divergence(json_builder *json, const char *path, const berth_divergence *divergence)
{
	const berth_rule *rule = divergence->rule ? berth_rules_find(divergence->rule) : NULL;

	json_set_object(json, path);
	set_number(json, path, "seq", divergence->seq);
	set_text(json, path, "op", divergence->op);
	set_code(json, path, "recorded", divergence->recorded);
	set_code(json, path, "replayed", divergence->replayed);
	set_text(json, path, "rule", divergence->rule);
	set_text(json, path, "section", rule ? rule->section : NULL);
	set_text(json, path, "why", divergence->text);
}

static void set_divergences(json_builder *json, const struct replay_outcome *outcome)
{
	const berth_replay_report *report = &outcome->report;
	char path[PATH_BYTES];

	json_set_text(json, "$.first", NULL);
	if (!report->diverged)
		return;
	set_divergence(json, "$.first", &report->first);
	json_set_array(json, "$.first.before");
	for (uint32_t i = 0; i < report->step_count; i++) {
		snprintf(path, sizeof(path), "$.first.before[%" PRIu32 "]", i);
		json_set_object(json, path);
		set_number(json, path, "seq", report->steps[i].seq);
		set_text(json, path, "op", report->steps[i].op);
		set_code(json, path, "recorded", report->steps[i].recorded);
		set_code(json, path, "replayed", report->steps[i].replayed);
	}
	if (outcome->divergence_count == 0)
		return;
	json_set_array(json, "$.list");
	for (size_t i = 0; i < outcome->divergence_count; i++) {
		snprintf(path, sizeof(path), "$.list[%zu]", i);
		set_divergence(json, path, &outcome->divergences[i]);
	}
}

void replay_verdict_set_json(json_builder *json, const char *path, const berth_verdict *verdict)
{
	const struct {
		const char *key;
		uint64_t number;
	} numbers[] = {
		{ "seq", verdict->seq },
		{ "requested_bytes", verdict->requested_bytes },
		{ "limit_bytes", verdict->limit_bytes },
		{ "in_use_bytes", verdict->in_use_bytes },
		{ "capacity_bytes", verdict->capacity_bytes },
		{ "free_bytes", verdict->free_bytes },
		{ "largest_hole_bytes", verdict->largest_hole_bytes },
		{ "cached_bytes", verdict->cached_bytes },
		{ "unreturned_bytes", verdict->unreturned_bytes },
		{ "axis_needs", verdict->axis_needs },
		{ "axis_limit", verdict->axis_limit },
		{ "crossed_seq", verdict->crossed_seq },
	};
	char full[2 * PATH_BYTES];

	json_set_text(json, path, NULL);
	if (verdict->kind == BERTH_VERDICT_NONE)
		return;
	json_set_object(json, path);
	set_text(json, path, "kind", berth_verdict_kind_string(verdict->kind));
	set_text(json, path, "text", verdict->text);
	set_text(json, path, "rule", verdict->rule);
	set_text(json, path, "axis", verdict->axis);
	snprintf(full, sizeof(full), "%s.refused_before", path);
	json_set_bool(json, full, verdict->refused_before);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		set_number(json, path, numbers[i].key, numbers[i].number);
}

static void set_counts(json_builder *json, const struct replay_outcome *outcome)
{
	const berth_replay_report *report = &outcome->report;
	const berth_trace_info *info = berth_trace_get_info(outcome->stack->trace);
	const struct {
		const char *path;
		uint64_t number;
	} numbers[] = {
		{ "$.ops", report->ops },
		{ "$.executed", report->executed },
		{ "$.divergences", report->divergences },
		{ "$.code_differences", report->code_differences },
		{ "$.consequences", report->consequences },
		{ "$.not_replayable", report->not_replayable },
		{ "$.unanswered", report->unanswered },
		{ "$.unknown_handles", report->unknown_handles },
		{ "$.unsupported", report->unsupported },
		{ "$.untracked_calls", info->untracked_calls },
		{ "$.lost_records", info->lost_records },
		{ "$.before_ops", report->before_ops },
		{ "$.before_refused", report->before_refused },
		{ "$.bytes_moved", report->bytes_moved },
		{ "$.content_compared", report->content_compared },
		{ "$.content_unknown", report->content_unknown },
		{ "$.recorded_compared", report->recorded_compared },
		{ "$.memory_failures", report->memory_failures },
		{ "$.lost_seq", report->lost_seq },
		{ "$.peak_bytes", report->memory.peak_bytes },
		{ "$.capacity_bytes", report->memory.capacity_bytes },
		{ "$.elapsed_ns", report->elapsed_ns },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_set_number(json, numbers[i].path, numbers[i].number);
}

berth_status replay_report_print_json(const struct replay_outcome *outcome)
{
	const struct replay_stack *stack = outcome->stack;
	json_builder *json = json_builder_create();
	berth_status st;

	json_set_text(json, "$.verdict", outcome->report.diverged ? "diverged" : "no divergence");
	json_set_text(json, "$.trace", outcome->setup->path);
	json_set_text(json, "$.device", berth_device_name(stack->device));
	json_set_bool(json, "$.checked", outcome->setup->check);
	json_set_bool(json, "$.ghost", outcome->setup->ghost);
	set_counts(json, outcome);
	replay_verdict_set_json(json, "$.allocation", &outcome->report.verdict);
	replay_estimate_set_json(json, &outcome->report.estimate);
	if (stack->faulty)
		replay_fault_set_json(json, stack->faulty);
	if (stack->pooled)
		replay_pool_set_json(json, stack->pooled);
	if (stack->planned)
		replay_plan_set_json(json, &stack->plan, stack->planned);
	set_divergences(json, outcome);
	st = json_print(json);
	json_builder_destroy(json);
	return st;
}
