/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_report.h"

#include "print.h"
#include "replay_estimate.h"
#include "replay_fault.h"
#include "replay_pool.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>

#include <berth/rules.h>

static void print_divergence(const berth_divergence *divergence, bool crashed)
{
	const berth_rule *rule = divergence->rule ? berth_rules_find(divergence->rule) : NULL;

	print_text(stdout, "  recorded: %s\n", berth_cl_status_string(divergence->recorded));
	print_text(stdout, "  replayed: %s\n",
		   crashed ? "the device crashes" : berth_cl_status_string(divergence->replayed));
	if (rule)
		print_text(stdout, "  rule:     %s (%s): %s\n", rule->id, rule->section,
			   rule->summary);
	else if (divergence->rule)
		print_text(stdout, "  rule:     %s\n", divergence->rule);
	if (*divergence->text)
		print_text(stdout, "  why:      %s\n", divergence->text);
}

static void print_steps(const berth_replay_report *report)
{
	if (report->step_count == 0)
		return;
	print_text(stdout, "  before it:\n");
	for (uint32_t i = 0; i < report->step_count; i++) {
		const berth_replay_step *step = &report->steps[i];

		print_text(stdout, "    %" PRIu64 ", %s", step->seq, step->op);
		if (step->recorded != 0 || step->replayed != 0)
			print_text(stdout, ": %s, recorded %s",
				   berth_cl_status_string(step->replayed),
				   berth_cl_status_string(step->recorded));
		putchar('\n');
	}
}

static void print_divergences(const struct replay_outcome *outcome)
{
	const berth_replay_report *report = &outcome->report;

	print_text(stdout, "first divergent op: %" PRIu64 ", %s\n", report->first.seq,
		   report->first.op);
	print_divergence(&report->first, report->lost_seq == report->first.seq);
	print_steps(report);
	for (size_t i = 1; i < outcome->divergence_count; i++) {
		const berth_divergence *next = &outcome->divergences[i];

		print_text(stdout, "divergent op: %" PRIu64 ", %s\n", next->seq, next->op);
		print_divergence(next, report->lost_seq == next->seq);
	}
}

static void print_verdict(const berth_verdict *verdict)
{
	print_text(stdout, "allocation:  op %" PRIu64 " failed%s: %s\n", verdict->seq,
		   verdict->refused_before ? ", as it did in the program" : "",
		   berth_verdict_kind_string(verdict->kind));
	print_text(stdout, "             %s\n", verdict->text);
}

static void print_left_out(const berth_replay_report *report)
{
	print_text(stdout,
		   "left out:    %" PRIu64 " that need a refused object, %" PRIu64
		   " not replayable",
		   report->consequences, report->not_replayable);
	if (report->not_replayable > 0)
		print_text(stdout,
			   " (%" PRIu64 " unanswered, %" PRIu64 " of unknown handles, %" PRIu64
			   " that the device does not have, %" PRIu64
			   " refused for what a trace does not hold)",
			   report->unanswered, report->unknown_handles, report->unsupported,
			   report->not_replayable - report->unanswered - report->unknown_handles -
				   report->unsupported);
	putchar('\n');
	if (report->before_ops > 0)
		print_text(stdout,
			   "before:      %" PRIu64 " ops that made the state, %" PRIu64
			   " of them refused here alone\n",
			   report->before_ops, report->before_refused);
}

/* What the trace lacks cannot be replayed, and nobody would see it missing. */
static void print_not_recorded(const berth_trace *trace)
{
	const berth_trace_info *info = berth_trace_get_info(trace);

	if (info->untracked_calls > 0 || info->lost_records > 0)
		print_text(stdout,
			   "not in it:   %" PRIu64 " calls that are counted by name only, %" PRIu64
			   " records that were lost\n",
			   info->untracked_calls, info->lost_records);
}

static void print_content(const struct replay_outcome *outcome)
{
	const berth_replay_report *report = &outcome->report;

	if (outcome->setup->check)
		print_text(stdout,
			   "content:     %" PRIu64 " compared, %" PRIu64 " unknown, %" PRIu64
			   " memory failures on one side\n",
			   report->content_compared, report->content_unknown,
			   report->memory_failures);
	if (report->recorded_compared > 0)
		print_text(stdout,
			   "recorded:    %" PRIu64 " reads compared with what was recorded\n",
			   report->recorded_compared);
}

static void print_memory(const berth_memory *memory)
{
	char peak[SIZE_TEXT_BYTES], capacity[SIZE_TEXT_BYTES];

	print_text(stdout, "peak:        %s", size_text(peak, memory->peak_bytes));
	if (memory->capacity_bytes > 0)
		print_text(stdout, " of %s", size_text(capacity, memory->capacity_bytes));
	putchar('\n');
}

void replay_report_print(const struct replay_outcome *outcome)
{
	const berth_replay_report *report = &outcome->report;
	const struct replay_stack *stack = outcome->stack;
	char moved[SIZE_TEXT_BYTES];

	print_text(stdout, "verdict: %s\n", report->diverged ? "diverged" : "no divergence");
	print_text(stdout, "trace '%s' on %s\n", outcome->setup->path,
		   berth_device_name(stack->device));
	if (report->diverged)
		print_divergences(outcome);
	if (report->verdict.kind != BERTH_VERDICT_NONE)
		print_verdict(&report->verdict);
	print_text(stdout,
		   "ops:         %" PRIu64 ", executed %" PRIu64 ", divergences %" PRIu64 "\n",
		   report->ops, report->executed, report->divergences);
	print_left_out(report);
	print_not_recorded(stack->trace);
	print_text(stdout, "other codes: %" PRIu64 " refused by both with different codes\n",
		   report->code_differences);
	print_content(outcome);
	print_memory(&report->memory);
	if (stack->faulty)
		replay_fault_print(stack->faulty);
	if (stack->pooled)
		replay_pool_print(stack->pooled);
	if (stack->planned)
		replay_plan_print(&stack->plan, stack->planned);
	print_text(stdout, "bytes moved: %s\n", size_text(moved, report->bytes_moved));
	replay_estimate_print(&report->estimate);
	print_text(stdout, "elapsed:     %.3f s\n", (double)report->elapsed_ns / 1e9);
}
