/* SPDX-License-Identifier: Apache-2.0 */
/* berth findings: what a recorded program could do better with memory, with numbers. */
#include "cmd.h"
#include "findings_print.h"
#include "output.h"
#include "print.h"
#include "print_stack.h"
#include "progress.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>

#include <berth/open.h>

enum { OPTION_ON, OPTION_JSON, OPTION_JUNIT, OPTION_RULES };

static const struct cmd_option options[] = {
	[OPTION_ON] = { "on", 0, "DEVICE",
			"compare with the limits and alignments of this device, not of the "
			"recorded "
			"one" },
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
	[OPTION_JUNIT] = { "junit", 0, "FILE", "write the findings as JUnit's XML as well" },
	[OPTION_RULES] = { "rules", 0, NULL, "list what is looked for, and stop" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "nothing was found" },
	{ CMD_EXIT_DIVERGED, "there are findings" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "FILE cannot be read, no such DEVICE, or a file cannot be written" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth findings berth.db", "what wastes memory and time, and what to change?" },
	{ "berth findings berth.db --on sim:adreno-650", "and with the limits of that GPU" },
	{ "berth findings berth.db --json --junit findings.xml",
	  "for a script and a build server" },
	{ NULL, NULL },
};

static void print_object(const berth_finding_object *object)
{
	char size[SIZE_TEXT_BYTES];

	if (object->id == BERTH_ID_NONE)
		print_text(stdout, "    op %" PRIu64, object->op);
	else
		print_text(stdout, "    object %" PRIu64 "%s%s, op %" PRIu64, object->id,
			   object->kind ? ", " : "", object->kind ? object->kind : "", object->op);
	if (object->bytes > 0)
		print_text(stdout, ", %s", size_text(size, object->bytes));
	if (object->time_ns > 0)
		print_text(stdout, ", %.3f ms", (double)object->time_ns / 1e6);
	print_text(stdout, "%s%s\n", *object->label ? ", " : "", object->label);
}

static void print_finding(berth_trace *trace, const berth_finding *finding)
{
	uint64_t stack = 0;

	print_text(stdout, "%s: %s\n", finding->rule->id, finding->rule->title);
	print_text(stdout, "  %s\n", finding->text);
	for (uint32_t i = 0; i < finding->object_count; i++) {
		print_object(&finding->objects[i]);
		/* Many are from one place. */
		if (finding->objects[i].stack != stack)
			print_stack(trace, finding->objects[i].stack);
		stack = finding->objects[i].stack;
	}
	print_text(stdout, "  %s: %s\n", finding->rule->note ? "otherwise" : "change",
		   finding->rule->advice);
}

static void print_findings(const berth_findings *findings, berth_trace *trace)
{
	const berth_trace_info *info = berth_trace_get_info(trace);
	size_t count = berth_findings_count(findings);
	const berth_finding *finding;

	if (info->lost_records > 0)
		print_text(stdout,
			   "%" PRIu64 " records were lost for want of room: releases may be among "
			   "them\n",
			   info->lost_records);
	for (size_t i = 0; (finding = berth_findings_at(findings, i)); i++)
		print_finding(trace, finding);
	if (count == 0)
		print_text(stdout, "no findings\n");
	else
		print_text(stdout, "%zu finding%s\n", count, count == 1 ? "" : "s");
}

static void show_progress(uint64_t ops, uint64_t total, void *userdata)
{
	progress_show(userdata, "%" PRIu64 " of %" PRIu64 " ops", ops, total);
}

static int look(const struct cmd_line *line, berth_trace *trace, const berth_caps *caps)
{
	berth_findings_options find = BERTH_FINDINGS_OPTIONS_INIT;
	const char *path = line->operands[0], *junit = line->values[OPTION_JUNIT];
	berth_findings *findings;
	struct progress progress;
	berth_status st;
	int status;

	progress_start(&progress);
	find.caps = caps;
	find.progress = show_progress;
	find.userdata = &progress;
	st = berth_findings_find(&findings, trace, &find);
	progress_end(&progress);
	if (st != BERTH_OK)
		return cmd_fail_detail("cannot read", path);
	status = berth_findings_count(findings) > 0 ? CMD_EXIT_DIVERGED : CMD_EXIT_OK;
	if (!line->values[OPTION_JSON])
		print_findings(findings, trace);
	else if (findings_print_json(findings, trace) != BERTH_OK)
		status = cmd_fail_detail("cannot print JSON", NULL);
	if (junit && findings_write_junit(findings, path, junit) != BERTH_OK)
		status = cmd_fail_detail("cannot write", junit);
	berth_findings_free(findings);
	return status;
}

static int list_rules(void)
{
	const berth_finding_rule *rule;

	for (size_t i = 0; (rule = berth_finding_rule_at(i)); i++)
		print_text(stdout, "%-18s %s\n", rule->id, rule->title);
	return CMD_EXIT_OK;
}

static int run(const struct cmd_line *line)
{
	const char *on = line->values[OPTION_ON];
	berth_device *device = NULL;
	berth_trace *trace;
	int status;

	if (line->values[OPTION_RULES])
		return cmd_finish_output(list_rules());
	if (line->operand_count != 1)
		return cmd_fail(CMD_EXIT_USAGE, "findings: no FILE; 'berth findings --help' shows "
						"the usage");
	if (output_check("findings", line->values[OPTION_JUNIT], line->operands[0]) != CMD_EXIT_OK)
		return CMD_EXIT_USAGE;
	if (on && berth_device_open(&device, on, NULL) != BERTH_OK)
		return cmd_fail_detail("cannot open", on);
	if (berth_trace_open(&trace, line->operands[0]) != BERTH_OK) {
		status = cmd_fail_detail("cannot open", line->operands[0]);
	} else {
		status = look(line, trace, device ? berth_device_caps(device) : NULL);
		berth_trace_close(trace);
	}
	berth_device_destroy(device);
	return cmd_finish_output(status);
}

const struct cmd cmd_findings = {
	.name = "findings",
	.summary = "say what a recorded program could do better with memory",
	.operands = "FILE",
	.operands_min = 0,
	.operands_max = 1,
	.description =
		"Looks in a trace for what costs the program memory, time or safety: transfers of "
		"what was there already, objects idle or doubled at the peak, images and buffers "
		"that could share storage, sizes near or over the device's limits, padding, "
		"objects made again and again, leaks, releases of what is gone, and more. Each "
		"finding has a rule (doc/findings.md, or --rules), its numbers, the worst objects, "
		"and what to change. Thousands of the same are one finding.\n"
		"\n"
		"With --on, sizes are compared with the limits of that device and laid out with "
		"its alignments; whether the program runs there is for 'berth replay'. A note, as "
		"that all objects are released, is no finding.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
