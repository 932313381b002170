/* SPDX-License-Identifier: Apache-2.0 */
/* berth findings: what in a recorded program costs memory or time. */
#include "cmd.h"
#include "json.h"
#include "junit.h"
#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <berth/findings.h>
#include <berth/open.h>

enum { OPTION_ON, OPTION_JUNIT, OPTION_JSON };

static const struct cmd_option options[] = {
	[OPTION_ON] = { "on", 0, "DEVICE",
			"the device whose limits and alignments count; the recorded one if not given" },
	[OPTION_JUNIT] = { "junit", 0, "FILE", "write the result for build servers as well" },
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "nothing was found" },
	{ CMD_EXIT_DIVERGED, "there are findings" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "no such trace or device, or a damaged trace" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth findings berth.db", "what would make this program need less?" },
	{ "berth findings berth.db --on sim:adreno-650", "and on that GPU?" },
	{ NULL, NULL },
};

static void print_objects(const berth_finding *finding)
{
	if (finding->object_count == 0)
		return;
	print_text(stdout, "  objects:");
	for (uint32_t i = 0; i < finding->object_count; i++)
		print_text(stdout, " %" PRIu64, finding->objects[i]);
	putchar('\n');
}

static void print_finding(const berth_finding *finding)
{
	print_text(stdout, "\n%s: %s\n", berth_finding_id(finding->kind),
		   berth_finding_title(finding->kind));
	print_text(stdout, "  %s\n", finding->what);
	print_objects(finding);
	print_text(stdout, "  do: %s\n", finding->advice);
}

static void print_findings(const berth_findings *findings, const char *path)
{
	print_text(stdout, "'%s': %" PRIu32 " findings\n", path, findings->count);
	print_text(stdout,
		   "objects: %" PRIu64 " made, %" PRIu64 " gone at the end, %" PRIu64 " leaked%s\n",
		   findings->created, findings->released, findings->objects_leaked,
		   findings->created == findings->released
			   ? "; if memory grows all the same, it grows below OpenCL's calls"
			   : "");
	if (findings->writes_without_digest > 0)
		print_text(stdout,
			   "not judged: whether %" PRIu64 " writes without a digest moved what was there\n",
			   findings->writes_without_digest);
	if (findings->shapes_not_followed > 0)
		print_text(stdout, "not judged: whether %" PRIu64
			   " objects of rare sizes are made again and again\n",
			   findings->shapes_not_followed);
	for (uint32_t i = 0; i < findings->count; i++)
		print_finding(&findings->items[i]);
}

static void set_finding(json_builder *json, const berth_finding *finding)
{
	json_set_object(json, "$.findings[#]");
	json_set_text(json, "$.findings[#-1].id", berth_finding_id(finding->kind));
	json_set_text(json, "$.findings[#-1].title", berth_finding_title(finding->kind));
	json_set_number(json, "$.findings[#-1].count", finding->count);
	json_set_number(json, "$.findings[#-1].bytes", finding->bytes);
	json_set_number(json, "$.findings[#-1].time_ns", finding->time_ns);
	json_set_number(json, "$.findings[#-1].op", finding->op);
	json_set_array(json, "$.findings[#-1].objects");
	for (uint32_t i = 0; i < finding->object_count; i++)
		json_set_number(json, "$.findings[#-1].objects[#]", finding->objects[i]);
	json_set_text(json, "$.findings[#-1].what", finding->what);
	json_set_text(json, "$.findings[#-1].advice", finding->advice);
}

static berth_status print_json(const berth_findings *findings, const char *path)
{
	json_builder *json = json_builder_create();
	berth_status st;

	json_set_text(json, "$.trace", path);
	json_set_number(json, "$.created", findings->created);
	json_set_number(json, "$.released", findings->released);
	json_set_number(json, "$.leaked", findings->objects_leaked);
	json_set_number(json, "$.writes_without_digest", findings->writes_without_digest);
	json_set_number(json, "$.shapes_not_followed", findings->shapes_not_followed);
	json_set_array(json, "$.findings");
	for (uint32_t i = 0; i < findings->count; i++)
		set_finding(json, &findings->items[i]);
	st = json_print(json);
	json_builder_destroy(json);
	return st;
}

/* The finding of a kind that costs the most, or NULL. */
static const berth_finding *first_of(const berth_findings *findings, berth_finding_kind kind)
{
	for (uint32_t i = 0; i < findings->count; i++)
		if (findings->items[i].kind == kind)
			return &findings->items[i];
	return NULL;
}

/* A test a rule. */
static berth_status write_junit(const berth_findings *findings, const char *trace, const char *path)
{
	struct junit_totals totals = { .tests = BERTH_FINDING_KIND_END };
	junit *file;
	berth_status st;

	for (int kind = 0; kind < BERTH_FINDING_KIND_END; kind++)
		totals.failures += first_of(findings, (berth_finding_kind)kind) != NULL;
	st = junit_open(&file, path, "berth findings", trace, &totals);
	if (st != BERTH_OK)
		return st;
	for (int kind = 0; kind < BERTH_FINDING_KIND_END; kind++) {
		const berth_finding *found = first_of(findings, (berth_finding_kind)kind);

		junit_test(file, trace, berth_finding_id((berth_finding_kind)kind),
			   found ? "failure" : NULL, found ? found->what : NULL);
	}
	return junit_close(file);
}

static int report(const berth_findings *findings, const struct cmd_line *line)
{
	const char *path = line->operands[0], *junit = line->values[OPTION_JUNIT];

	if (junit && write_junit(findings, path, junit) != BERTH_OK)
		return cmd_fail_detail("cannot write", junit);
	if (!line->values[OPTION_JSON])
		print_findings(findings, path);
	else if (print_json(findings, path) != BERTH_OK)
		return cmd_fail_detail("cannot print the result", NULL);
	return findings->count > 0 ? CMD_EXIT_DIVERGED : CMD_EXIT_OK;
}

static int open_device(berth_device **device, const char *name)
{
	berth_status st = name ? berth_device_open(device, name, NULL) : BERTH_OK;

	if (st == BERTH_OK)
		return CMD_EXIT_OK;
	cmd_fail_detail("cannot open device", name);
	return st == BERTH_E_INVAL ? CMD_EXIT_USAGE : CMD_EXIT_FAILED;
}

static int find(berth_trace *trace, const berth_device *device, const struct cmd_line *line)
{
	berth_findings *findings;
	int status;

	if (berth_findings_find(&findings, trace, device ? berth_device_caps(device) : NULL) !=
	    BERTH_OK)
		return cmd_fail_detail("cannot look at", line->operands[0]);
	status = report(findings, line);
	berth_findings_free(findings);
	return status;
}

static int run(const struct cmd_line *line)
{
	berth_trace *trace = NULL;
	berth_device *device = NULL;
	int status = open_device(&device, line->values[OPTION_ON]);

	if (status == CMD_EXIT_OK && berth_trace_open(&trace, line->operands[0]) != BERTH_OK)
		status = cmd_fail_detail("cannot open", line->operands[0]);
	if (status == CMD_EXIT_OK)
		status = find(trace, device, line);
	berth_trace_close(trace);
	berth_device_destroy(device);
	return cmd_finish_output(status);
}

const struct cmd cmd_findings = {
	.name = "findings",
	.summary = "what in a recorded program costs memory or time, and what to change",
	.operands = "FILE",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Looks at a trace for what costs: transfers of content that was there already, "
		"objects that are kept beyond their last use, images and buffers that could share "
		"storage, leaks, released memory that waits for commands, padding, sizes near a "
		"limit, alignments read in the wrong unit, the same bytes twice, released objects "
		"that kernels use, and more. Each finding has a rule, numbers, the objects, and "
		"what to change. doc/findings.md has the rules and from which numbers on they "
		"speak: what costs little is not said.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
