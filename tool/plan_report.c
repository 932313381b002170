/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_report.h"

#include "print.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>

const char *const plan_source_names[] = {
	[BERTH_PLAN_SOURCE_TRACE] = "trace",
	[BERTH_PLAN_SOURCE_TABLE] = "table",
	[BERTH_PLAN_SOURCE_LISTS] = "lists",
};

const char *const plan_stop_names[] = {
	[BERTH_PLAN_STOP_OPTIMAL] = "optimal",
	[BERTH_PLAN_STOP_WORK] = "out of effort",
	[BERTH_PLAN_STOP_TIME] = "out of time",
	[BERTH_PLAN_STOP_CANCELLED] = "cancelled",
	[BERTH_PLAN_STOP_ROUNDED] = "optimal but for less than an alignment an arena",
};

static void print_size(const char *name, uint64_t bytes, const char *format, ...)
	BERTH_PRINTF(3, 4);

/* "name:  4096 bytes (4.0 KiB)", and what follows. */
static void print_size(const char *name, uint64_t bytes, const char *format, ...)
{
	char size[SIZE_TEXT_BYTES];
	va_list args;

	print_text(stdout, "%-13s %s", name, size_text(size, bytes));
	va_start(args, format);
	print_text_v(stdout, format, args);
	va_end(args);
	putchar('\n');
}

/* How far above the bound. */
static double ratio(uint64_t bytes, uint64_t bound)
{
	return bound > 0 ? (double)bytes / (double)bound : 1;
}

uint64_t plan_report_count(const berth_plan_model *model, berth_plan_item_kind kind)
{
	uint64_t count = 0;

	for (size_t i = 0; i < model->input.request_count; i++)
		count += model->items[i].kind == kind;
	return count;
}

static uint64_t apart_count(const berth_plan_source *source)
{
	uint64_t count = 0;

	for (int why = 0; why < BERTH_PLAN_APART_END; why++)
		count += source->apart_count[why];
	return count;
}

static void print_apart(const berth_plan_source *source)
{
	uint64_t count = apart_count(source);

	if (count > 0)
		print_size("apart:", source->apart_bytes,
			   " at most, of %" PRIu64 " objects that cannot be planned:", count);
	for (int why = 0; why < BERTH_PLAN_APART_END; why++)
		if (source->apart_count[why] > 0)
			print_text(stdout, "  %" PRIu64 " %s\n", source->apart_count[why],
				   berth_plan_apart_string((berth_plan_apart)why));
	if (source->lengthened > 0)
		print_text(stdout,
			   "queues:       %" PRIu64 " lifetimes last until the host has waited for "
			   "another queue\n",
			   source->lengthened);
	if (source->unused > 0)
		print_text(stdout,
			   "unused:       %" PRIu64 " objects that nothing used, left out\n",
			   source->unused);
	if (source->recorded_images_apart)
		print_text(stdout,
			   "note: the recorded device makes no images on buffers; the plan is "
			   "for one that does, at the recorded sizes\n");
}

/* With what stays apart, to compare with what the program held in all. */
static void print_program(const berth_plan_source *source, const berth_plan *plan)
{
	uint64_t with_apart;

	if (source->kind != BERTH_PLAN_SOURCE_TRACE)
		return;
	print_size("program held:", source->held_bytes, " at most, on the recorded device");
	if (apart_count(source) > 0 &&
	    !__builtin_add_overflow(plan->total_bytes, source->apart_bytes, &with_apart))
		print_size("plan + apart:", with_apart, "%s", "");
}

static void print_arenas(const berth_plan *plan)
{
	char size[SIZE_TEXT_BYTES];

	for (uint32_t i = 0; plan->arena_count > 1 && i < plan->arena_count; i++)
		print_text(stdout, "  arena %" PRIu32 ": %s%s\n", i,
			   size_text(size, plan->arena_bytes[i]),
			   plan->arena_group[i] == BERTH_PLAN_GROUP_HOST ? ", reached by the host"
									 : "");
}

static void print_one(const struct plan_report *report, const struct plan_result *result)
{
	const berth_plan_model *model = result->model;
	const berth_plan *plan = result->plan;

	print_text(stdout, "%s '%s'%s%s%s%s\n", plan_source_names[report->source->kind],
		   report->path, *model->name ? ", model " : "", model->name,
		   report->device ? ", for " : "", report->device ? report->device : "");
	print_text(stdout,
		   "requests:     %zu: %" PRIu64 " buffers, %" PRIu64 " images, %" PRIu64
		   " buffers with images on them\n",
		   model->input.request_count, plan_report_count(model, BERTH_PLAN_ITEM_BUFFER),
		   plan_report_count(model, BERTH_PLAN_ITEM_IMAGE),
		   plan_report_count(model, BERTH_PLAN_ITEM_BOTH));
	print_size("plan:", plan->total_bytes, ", arenas %" PRIu32 ", %.4f times the lower bound",
		   plan->arena_count, ratio(plan->total_bytes, plan->lower_bound_bytes));
	print_arenas(plan);
	print_size("lower bound:", plan->lower_bound_bytes, " alive together");
	print_size("proven bound:", plan->proven_bytes, ": no plan is smaller");
	print_text(stdout, "found by:     %s; ended: %s; %.3f s\n",
		   berth_plan_tier_string(plan->tier), plan_stop_names[plan->stopped],
		   (double)plan->elapsed_ns / 1e9);
	print_size("best greedy:", plan->greedy_bytes, "%s", "");
	if (result->tokens)
		print_size("tokens:", result->tokens->total_bytes, " in %" PRIu32 " storages",
			   result->tokens->token_count);
	print_size("no sharing:", plan->request_bytes, "%s", "");
	if (model->expected_bytes > 0)
		print_size("expected:", model->expected_bytes, " by the list's MEM line");
	print_program(report->source, plan);
	print_apart(report->source);
}

static void print_table(const struct plan_report *report)
{
	print_text(stdout, "%-40s %8s %14s %14s %7s %14s %-8s %8s\n", "model", "requests", "plan",
		   "lower bound", "ratio", "expected", "found by", "seconds");
	for (size_t i = 0; i < report->result_count; i++) {
		const berth_plan_model *model = report->results[i].model;
		const berth_plan *plan = report->results[i].plan;

		print_text(stdout,
			   "%-40s %8zu %14" PRIu64 " %14" PRIu64 " %7.4f %14" PRIu64
			   " %-8s %8.4f\n",
			   model->name, model->input.request_count, plan->total_bytes,
			   plan->lower_bound_bytes,
			   ratio(plan->total_bytes, plan->lower_bound_bytes), model->expected_bytes,
			   berth_plan_tier_string(plan->tier), (double)plan->elapsed_ns / 1e9);
	}
}

void plan_report_print(const struct plan_report *report)
{
	if (report->result_count == 1)
		print_one(report, &report->results[0]);
	else
		print_table(report);
}
