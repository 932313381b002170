/* SPDX-License-Identifier: Apache-2.0 */
/* berth diff: where two traces part, and what makes their peaks differ. */
#include "cmd.h"
#include "json.h"
#include "print.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <berth/trace_diff.h>

enum { OPTION_NO_CONTENT, OPTION_JSON };

static const struct cmd_option options[] = {
	[OPTION_NO_CONTENT] = { "no-content", 0, NULL,
				"do not compare what was moved, by its digests" },
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "they are the same" },
	{ CMD_EXIT_DIVERGED, "they differ" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "no such trace, or a damaged one" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth diff yesterday.db today.db", "why does it need more since yesterday?" },
	{ "berth diff nvidia.db intel.db", "where does it do something else on the other GPU?" },
	{ NULL, NULL },
};

/* A person reads this many groups; all are in the JSON. */
#define GROUPS_SHOWN 16

/* ---- for a person ---- */

static void print_difference(const char *title, const berth_trace_difference *difference)
{
	print_text(stdout, "%s: %s\n", title, difference->what);
	for (int i = 0; i < 2; i++) {
		if (difference->seq[i] == 0)
			print_text(stdout, "  %c: no more ops\n", "AB"[i]);
		else
			print_text(stdout, "  %c: op %" PRIu64 ", %s: %s\n", "AB"[i],
				   difference -> seq[i], difference -> op[i],
				   berth_cl_status_string(difference->status[i]));
	}
}

static void print_kinds(const berth_summary *const summaries[2])
{
	for (int kind = 0; kind < BERTH_OP_KIND_END; kind++)
		if (summaries[0]->ops[kind] != summaries[1]->ops[kind])
			print_text(stdout, "ops:   %" PRIu64 " and %" PRIu64 " of %s\n",
				   summaries[0]->ops[kind], summaries[1]->ops[kind],
				   berth_op_kind_string((berth_op_kind)kind));
}

static void print_group(const berth_trace_group *group)
{
	print_text(stdout,
		   "  %" PRIu64 " and %" PRIu64 " made, %" PRIu64 " and %" PRIu64
		   " at the peak: %s",
		   group->count[0], group->count[1], group->at_peak[0], group->at_peak[1],
		   group->what);
	for (int i = 0; i < 2; i++)
		if (group->first[i])
			print_text(stdout, ", first in %c: object %" PRIu64, "AB"[i],
				   group -> first[i]);
	putchar('\n');
}

static void print_groups(const berth_trace_diff *diff)
{
	if (diff->group_count == 0)
		return;
	print_text(stdout, "objects, what makes the peaks differ first:\n");
	for (uint32_t i = 0; i < diff->group_count && i < GROUPS_SHOWN; i++)
		print_group(&diff->groups[i]);
	if (diff->group_count > GROUPS_SHOWN)
		print_text(stdout, "  and %" PRIu32 " kinds of objects more\n",
			   diff->group_count - GROUPS_SHOWN);
}

static void print_peaks(const berth_summary *const summaries[2])
{
	char sizes[2][SIZE_TEXT_BYTES];

	print_text(stdout, "peak:  %s at op %" PRIu64 " and %s at op %" PRIu64 "\n",
		   size_text(sizes[0], summaries[0]->peak_bytes), summaries[0]->peak_op,
		   size_text(sizes[1], summaries[1]->peak_bytes), summaries[1]->peak_op);
	if (summaries[0]->leaked_count != summaries[1]->leaked_count)
		print_text(stdout, "never released: %" PRIu32 " and %" PRIu32 " objects\n",
			   summaries[0]->leaked_count, summaries[1]->leaked_count);
}

static uint64_t failures_like(const berth_summary *summary, const berth_summary_failure *wanted)
{
	for (uint32_t i = 0; i < summary->failure_count; i++)
		if (summary->failures[i].kind == wanted->kind &&
		    summary->failures[i].cl_status == wanted->cl_status)
			return summary->failures[i].count;
	return 0;
}

/* Those of A, and those that only B has. */
static void print_failures(const berth_summary *const summaries[2])
{
	for (int side = 0; side < 2; side++) {
		for (uint32_t i = 0; i < summaries[side]->failure_count; i++) {
			const berth_summary_failure *failure = &summaries[side]->failures[i];
			uint64_t others = failures_like(summaries[1 - side], failure);

			if (others == failure->count || (side == 1 && others > 0))
				continue;
			print_text(stdout, "failed: %" PRIu64 " and %" PRIu64 " times %s with %s\n",
				   side ? others : failure->count, side ? failure->count : others,
				   berth_op_kind_string(failure->kind),
				   berth_cl_status_string(failure->cl_status));
		}
	}
}

static void print_diff(const berth_trace_diff *diff, char *const paths[])
{
	print_text(stdout, "A is '%s', B is '%s': %s\n", paths[0], paths[1],
		   diff->differs ? "they differ" : "the same");
	if (diff->has_first)
		print_difference("first difference", &diff->first);
	if (diff->has_content)
		print_difference("first other content", &diff->content);
	print_text(stdout,
		   "same:  %" PRIu64 " ops from the beginning, %" PRIu64 " contents compared\n",
		   diff->ops_compared, diff->content_compared);
	print_kinds(diff->summary);
	print_peaks(diff->summary);
	print_groups(diff);
	print_failures(diff->summary);
}

/* ---- for a script ---- */

static void set_pair(json_builder *json, const char *path, uint64_t a, uint64_t b)
{
	char full[96];

	json_set_array(json, path);
	snprintf(full, sizeof(full), "%s[0]", path);
	json_set_number(json, full, a);
	snprintf(full, sizeof(full), "%s[1]", path);
	json_set_number(json, full, b);
}

static void set_difference(json_builder *json, const char *path, bool is_there,
			   const berth_trace_difference *difference)
{
	char full[64];

	json_set_text(json, path, NULL);
	if (!is_there)
		return;
	json_set_object(json, path);
	snprintf(full, sizeof(full), "%s.what", path);
	json_set_text(json, full, difference->what);
	snprintf(full, sizeof(full), "%s.seq", path);
	set_pair(json, full, difference->seq[0], difference->seq[1]);
	for (int i = 0; i < 2; i++) {
		snprintf(full, sizeof(full), "%s.%c", path, "ab"[i]);
		json_set_text(json, full, difference->seq[i] ? difference->op[i] : NULL);
		snprintf(full, sizeof(full), "%s.%c_status", path, "ab"[i]);
		json_set_text(json, full,
			      difference->seq[i] ? berth_cl_status_string(difference->status[i])
						 : NULL);
	}
}

static void set_group(json_builder *json, const berth_trace_group *group)
{
	json_set_object(json, "$.groups[#]");
	json_set_text(json, "$.groups[#-1].what", group->what);
	json_set_number(json, "$.groups[#-1].bytes", group->bytes);
	set_pair(json, "$.groups[#-1].made", group->count[0], group->count[1]);
	set_pair(json, "$.groups[#-1].at_peak", group->at_peak[0], group->at_peak[1]);
	set_pair(json, "$.groups[#-1].first", group->first[0], group->first[1]);
}

static berth_status print_json(const berth_trace_diff *diff, char *const paths[])
{
	const berth_summary *a = diff->summary[0], *b = diff->summary[1];
	json_builder *json = json_builder_create();
	char path[64];
	berth_status st;

	json_set_text(json, "$.a", paths[0]);
	json_set_text(json, "$.b", paths[1]);
	json_set_bool(json, "$.differs", diff->differs);
	json_set_number(json, "$.ops_compared", diff->ops_compared);
	json_set_number(json, "$.content_compared", diff->content_compared);
	set_difference(json, "$.first", diff->has_first, &diff->first);
	set_difference(json, "$.content", diff->has_content, &diff->content);
	set_pair(json, "$.peak_bytes", a->peak_bytes, b->peak_bytes);
	set_pair(json, "$.peak_op", a->peak_op, b->peak_op);
	set_pair(json, "$.leaked", a->leaked_count, b->leaked_count);
	json_set_object(json, "$.ops");
	for (int kind = 0; kind < BERTH_OP_KIND_END; kind++) {
		if (a->ops[kind] == b->ops[kind])
			continue;
		snprintf(path, sizeof(path), "$.ops.%s", berth_op_kind_string((berth_op_kind)kind));
		set_pair(json, path, a->ops[kind], b->ops[kind]);
	}
	json_set_array(json, "$.groups");
	for (uint32_t i = 0; i < diff->group_count; i++)
		set_group(json, &diff->groups[i]);
	st = json_print(json);
	json_builder_destroy(json);
	return st;
}

static int report(const berth_trace_diff *diff, const struct cmd_line *line)
{
	if (!line->values[OPTION_JSON])
		print_diff(diff, line->operands);
	else if (print_json(diff, line->operands) != BERTH_OK)
		return cmd_fail_detail("cannot print the result", NULL);
	return diff->differs ? CMD_EXIT_DIVERGED : CMD_EXIT_OK;
}

static int compare(berth_trace *const traces[2], const struct cmd_line *line)
{
	berth_trace_diff *diff;
	int status;

	if (berth_trace_diff_find(&diff, traces[0], traces[1], !line->values[OPTION_NO_CONTENT]) !=
	    BERTH_OK)
		return cmd_fail_detail("cannot compare", NULL);
	status = report(diff, line);
	berth_trace_diff_free(diff);
	return status;
}

static int run(const struct cmd_line *line)
{
	berth_trace *traces[2] = { NULL, NULL };
	int status = CMD_EXIT_OK;

	for (int i = 0; status == CMD_EXIT_OK && i < 2; i++)
		if (berth_trace_open(&traces[i], line->operands[i]) != BERTH_OK)
			status = cmd_fail_detail("cannot open", line->operands[i]);
	if (status == CMD_EXIT_OK)
		status = compare(traces, line);
	berth_trace_close(traces[0]);
	berth_trace_close(traces[1]);
	return cmd_finish_output(status);
}

const struct cmd cmd_diff = {
	.name = "diff",
	.summary = "where two traces part, and what makes their peaks differ",
	.operands = "A B",
	.operands_min = 2,
	.operands_max = 2,
	.description =
		"Compares two traces of one program: two runs, or runs on two devices. Ops are "
		"compared in order, up to the first difference; times, threads, addresses and the "
		"numbers of objects do not count. What lies behind it is summed up: ops by kind, "
		"objects by what they are, what was alive at the peaks, failed calls.\n\n"
		"Where both traces have digests, the first transfer with other bytes is named as "
		"well: of a read, kernels made something else.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
