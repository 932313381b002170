/* SPDX-License-Identifier: Apache-2.0 */
/* berth show: what happened in a trace. */
#include "cmd.h"
#include "print.h"
#include "print_stack.h"
#include "show_residency.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/trace.h>

enum { OPTION_JSON, OPTION_RESIDENCY };

static const struct cmd_option options[] = {
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
	[OPTION_RESIDENCY] = { "residency", 0, NULL,
			       "print which transfers moved what the other side had already" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "shown" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "FILE cannot be read: not there, not a trace, damaged, or too new" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth show berth.db", "print device, operations, objects, peak, leaks and failures" },
	{ "berth show --json berth.db", "the same for a script" },
	{ "berth show --residency berth.db",
	  "print the bytes and the time that keeping data on the device would have saved" },
	{ NULL, NULL },
};

static void print_device(berth_trace *trace, uint32_t index)
{
	berth_caps caps;
	char global[SIZE_TEXT_BYTES], largest[SIZE_TEXT_BYTES];

	if (berth_trace_device(&caps, trace, index) != BERTH_OK)
		return;
	print_text(stdout, "device:   %s (%s)\n", caps.name, caps.platform);
	print_text(stdout, "          memory %s, largest allocation %s\n",
		   size_text(global, caps.global_mem_bytes),
		   size_text(largest, caps.max_alloc_bytes));
}

static void print_head(berth_trace *trace)
{
	const berth_trace_info *info = berth_trace_get_info(trace);

	print_text(stdout, "program:  %s\n", info->program ? info->program : "unknown");
	print_text(stdout, "command:  %s\n", info->command ? info->command : "unknown");
	print_text(stdout, "ended:    %s\n", info->end ? info->end : "unknown");
	if (strcmp(info->end ? info->end : "", "cut") == 0)
		print_text(stdout, "          the recording was ended by its --max-size, before the "
				   "process\n");
	if (info->never_began)
		print_text(stdout, "begins:   never: the point that it was to begin at did not come\n");
	else if (info->before_ops > 0)
		print_text(stdout,
			   "begins:   late: the first %" PRIu64
			   " ops make what was alive by then\n",
			   info->before_ops);
	for (uint32_t i = 0; i < info->device_count; i++)
		print_device(trace, i);
	if (info->lost_records > 0)
		print_text(stdout, "lost:     %" PRIu64 " records, for want of room\n",
			   info->lost_records);
}

static void print_ops(const berth_summary *summary)
{
	uint64_t total = 0;

	for (size_t kind = 0; kind < BERTH_OP_KIND_END; kind++)
		total += summary->ops[kind];
	print_text(stdout, "\nops:      %" PRIu64 "\n", total);
	for (size_t kind = 0; kind < BERTH_OP_KIND_END; kind++)
		if (summary->ops[kind] > 0)
			print_text(stdout, "  %-18s %12" PRIu64 "\n",
				   berth_op_kind_string((berth_op_kind)kind), summary->ops[kind]);
	if (summary->unanswered > 0)
		print_text(stdout, "  %-18s %12" PRIu64 "  the process ended in them\n",
			   "unanswered", summary->unanswered);
	print_text(stdout,
		   "objects:  buffers %" PRIu64 ", sub-buffers %" PRIu64 ", images %" PRIu64,
		   summary->buffers, summary->subbuffers, summary->images);
	if (summary->svm > 0)
		print_text(stdout, ", SVM allocations %" PRIu64, summary->svm);
	if (summary->pipes > 0)
		print_text(stdout, ", pipes %" PRIu64, summary->pipes);
	print_text(stdout, "\n");
}

static void print_moved(const berth_summary *summary)
{
	const struct {
		const char *name;
		uint64_t bytes;
	} rows[] = {
		{ "written", summary->bytes_written }, { "read", summary->bytes_read },
		{ "copied", summary->bytes_copied },   { "filled", summary->bytes_filled },
		{ "mapped", summary->bytes_mapped },
	};
	char text[SIZE_TEXT_BYTES];

	print_text(stdout, "\nbytes moved:\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		print_text(stdout, "  %-10s %s\n", rows[i].name, size_text(text, rows[i].bytes));
}

/* A person reads this many; all of them are in the JSON and in the trace. */
#define OBJECTS_SHOWN 32

/* Why an object is still there, where it is not simply forgotten. */
static const char *const reasons[] = {
	[BERTH_UNRELEASED_LEAKED] = "",
	[BERTH_UNRELEASED_IN_FLIGHT] = ", in use by a command that was not waited for",
	[BERTH_UNRELEASED_KEPT] = ", kept in use until the end",
	[BERTH_UNRELEASED_ALIVE] = ", alive when the recording ended",
};

static void print_objects(berth_trace *trace, const berth_summary_object *objects, uint32_t count)
{
	char text[SIZE_TEXT_BYTES];

	for (uint32_t i = 0; i < count && i < OBJECTS_SHOWN; i++) {
		print_text(stdout, "  object %" PRIu64 ", %s%s%s, %s, made by op %" PRIu64
			   "%s%s%s\n",
			   objects[i].id, objects[i].kind, *objects[i].geometry ? " " : "",
			   objects[i].geometry, size_text(text, objects[i].bytes),
			   objects[i].created_op, objects[i].label ? ", " : "",
			   objects[i].label ? objects[i].label : "", reasons[objects[i].why]);
		print_stack(trace, objects[i].stack);
	}
	if (count > OBJECTS_SHOWN)
		print_text(stdout, "  and %" PRIu32 " more: see --json\n", count - OBJECTS_SHOWN);
}

static void print_memory(berth_trace *trace, const berth_summary *summary)
{
	char text[SIZE_TEXT_BYTES];

	print_text(stdout, "\npeak:     %s at op %" PRIu64 "\n",
		   size_text(text, summary->peak_bytes), summary->peak_op);
	print_objects(trace, summary->at_peak, summary->at_peak_count);
	print_text(stdout, "leaked:   objects %" PRIu32 ", %s\n", summary->leaked_count,
		   size_text(text, summary->leaked_bytes));
	print_objects(trace, summary->leaked, summary->leaked_count);
}

static void print_failures(const berth_summary *summary)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < summary->failure_count; i++)
		total += summary->failures[i].count;
	print_text(stdout, "failed:   calls %" PRIu64 "\n", total);
	for (uint32_t i = 0; i < summary->failure_count; i++) {
		const berth_summary_failure *failure = &summary->failures[i];

		print_text(stdout, "  %" PRIu64 " %s with %s, first op %" PRIu64 "\n",
			   failure->count, berth_op_kind_string(failure->kind),
			   berth_cl_status_string(failure->cl_status), failure->first_op);
	}
	if (summary->untracked_count > 0)
		print_text(stdout, "seen but not modelled:\n");
	for (uint32_t i = 0; i < summary->untracked_count; i++)
		print_text(stdout, "  %" PRIu64 " %s\n", summary->untracked[i].count,
			   summary->untracked[i].name);
}

static int show_text(berth_trace *trace, const char *path)
{
	berth_summary *summary;

	if (berth_trace_summarise(&summary, trace) != BERTH_OK)
		return cmd_fail_detail("cannot read", path);
	print_head(trace);
	print_ops(summary);
	print_moved(summary);
	print_memory(trace, summary);
	print_failures(summary);
	berth_summary_free(summary);
	return CMD_EXIT_OK;
}

static int show_json(berth_trace *trace, const char *path)
{
	char *json;

	if (berth_trace_summary_json(&json, trace) != BERTH_OK)
		return cmd_fail_detail("cannot read", path);
	puts(json);
	free(json);
	return CMD_EXIT_OK;
}

static int run(const struct cmd_line *line)
{
	const char *path = line->operands[0];
	bool json = line->values[OPTION_JSON];
	berth_trace *trace;
	int status;

	if (berth_trace_open(&trace, path) != BERTH_OK)
		return cmd_fail_detail("cannot open", path);
	if (line->values[OPTION_RESIDENCY])
		status = show_residency(trace, path, json);
	else
		status = json ? show_json(trace, path) : show_text(trace, path);
	berth_trace_close(trace);
	return cmd_finish_output(status);
}

const struct cmd cmd_show = {
	.name = "show",
	.summary = "say what happened in a trace",
	.operands = "FILE",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Prints what a trace holds: the device, how many operations of each kind, the "
		"objects, the peak of live memory and the largest objects at it, what was "
		"never released, which calls failed, how many bytes were moved, and which "
		"calls were seen but are not modelled.\n"
		"\n"
		"With --residency it prints instead which writes and reads moved content that "
		"was on the other side already, how much of that turned round on the same "
		"object (ping-pong), and the bytes and the time, as recorded for these very "
		"calls, that keeping it there would have saved. A kernel counts as writing "
		"all objects that are not read-only, unless it is known better; transfers "
		"whose content was the same behind such a kernel are given apart.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
