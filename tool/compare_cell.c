/* SPDX-License-Identifier: Apache-2.0 */
#include "compare_cell.h"

#include "cmd.h"
#include "replay_estimate.h"
#include "replay_stack.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <berth/pool_device.h>
#include <berth/replay.h>

static bool begin_row(struct compare_row *row, const struct compare_cell *cell)
{
	memset(row, 0, sizeof(*row));
	return compare_row_set(&row->trace, cell->trace) &&
	       compare_row_set(&row->device, cell->device) &&
	       compare_row_set(&row->policy, cell->policy) &&
	       compare_row_set(&row->outcome, COMPARE_FAILED) &&
	       compare_row_set(&row->verdict, berth_verdict_kind_string(BERTH_VERDICT_NONE)) &&
	       compare_row_set(&row->rule, "") && compare_row_set(&row->why, "");
}

bool compare_cell_fail(struct compare_row *row, const struct compare_cell *cell, const char *why)
{
	return begin_row(row, cell) && compare_row_set(&row->why, why);
}

/* Which part of what was held at the most was of no use, in percent. */
static uint64_t unused_percent(const struct replay_stack *stack)
{
	const berth_device *device = stack->pooled ? stack->pooled : stack->planned;
	berth_pool_device_stats stats;

	if (stack->planned && stack->plan.total_bytes > 0)
		return (stack->plan.total_bytes - stack->plan.lower_bound_bytes) * 100 /
		       stack->plan.total_bytes;
	if (!device || berth_pool_device_get_stats(&stats, device) != BERTH_OK ||
	    stats.pool.peak_held_bytes == 0)
		return 0;
	return (stats.pool.peak_held_bytes - stats.pool.peak_in_use_bytes) * 100 /
	       stats.pool.peak_held_bytes;
}

static uint64_t device_allocations(const struct replay_stack *stack,
				   const berth_replay_report *report)
{
	const berth_device *device = stack->pooled ? stack->pooled : stack->planned;
	berth_pool_device_stats stats;

	if (!device || berth_pool_device_get_stats(&stats, device) != BERTH_OK)
		return report->allocations;
	return stats.device_allocations;
}

static const char *outcome_of(const berth_replay_report *report)
{
	const berth_verdict *verdict = &report->verdict;
	bool has_failed = verdict->kind != BERTH_VERDICT_NONE && !verdict->refused_before;

	if (has_failed && verdict->kind != BERTH_VERDICT_NOT_MEMORY)
		return COMPARE_DOES_NOT_FIT;
	return report->diverged ? COMPARE_DIVERGES : COMPARE_FITS;
}

static bool set_why(struct compare_row *row, const berth_replay_report *report)
{
	const berth_verdict *verdict = &report->verdict;
	char why[BERTH_ERROR_MESSAGE_BYTES + 64];
	bool fits = strcmp(row->outcome, COMPARE_FITS) == 0;
	bool is_memory = strcmp(row->outcome, COMPARE_DOES_NOT_FIT) == 0;
	const char *rule = is_memory ? verdict->rule : report->first.rule;

	if (fits)
		return true;
	snprintf(why, sizeof(why), "op %" PRIu64 ": %s",
		 is_memory ? verdict->seq : report->first.seq,
		 is_memory ? verdict->text : report->first.text);
	if (is_memory && !compare_row_set(&row->verdict, berth_verdict_kind_string(verdict->kind)))
		return false;
	return compare_row_set(&row->rule, rule) && compare_row_set(&row->why, why);
}

static bool fill_in(struct compare_row *row, const struct replay_stack *stack,
		    const berth_replay_report *report)
{
	row->ops = report->ops;
	row->executed = report->executed;
	row->divergences = report->divergences;
	row->peak_bytes = report->memory.peak_bytes;
	row->capacity_bytes = report->memory.capacity_bytes;
	row->device_allocations = device_allocations(stack, report);
	row->unused_percent = unused_percent(stack);
	row->bytes_moved = report->bytes_moved;
	row->has_estimate = report->estimate.ops > 0;
	row->estimated_ns = replay_estimate_total_ns(&report->estimate);
	row->elapsed_ns = report->elapsed_ns;
	return compare_row_set(&row->outcome, outcome_of(report)) && set_why(row, report);
}

static bool is_simulated(const char *device)
{
	return strncmp(device, "opencl:", 7) != 0;
}

bool compare_cell_run(struct compare_row *row, const struct compare_cell *cell)
{
	const bool plan = strcmp(cell->policy, COMPARE_PLAN) == 0;
	const bool verbatim = strcmp(cell->policy, COMPARE_VERBATIM) == 0;
	const struct replay_setup setup = {
		.command = "compare",
		.path = cell->trace,
		.device = cell->device,
		.settings = cell->settings,
		.memory_bytes = cell->memory_bytes,
		.max_alloc_bytes = cell->max_alloc_bytes,
		.pool = plan || verbatim ? NULL : cell->policy,
		.plan = plan,
		.ghost = is_simulated(cell->device),
	};
	const berth_replay_options options = { .size = sizeof(options), .ghost = setup.ghost };
	struct replay_stack stack = { 0 };
	berth_replay_report report;
	bool made;

	if (!begin_row(row, cell))
		return false;
	if (replay_stack_open(&stack, &setup) == CMD_EXIT_OK &&
	    berth_replay_run(stack.trace, stack.device, &options, &report) == BERTH_OK)
		made = fill_in(row, &stack, &report);
	else
		made = compare_row_set(&row->why, berth_error_get()->message);
	replay_stack_close(&stack);
	return made;
}
