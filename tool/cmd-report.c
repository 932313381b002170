/* SPDX-License-Identifier: Apache-2.0 */
/* berth report: a trace as one HTML page. */
#include "cmd.h"
#include "output.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/pool.h>
#include <berth/report.h>

enum {
	OPTION_OUTPUT,
	OPTION_ON,
	OPTION_POOL,
	OPTION_PLAN,
	OPTION_TITLE,
	OPTION_COMPARE,
	OPTION_JSON
};

static const struct cmd_option options[] = {
	[OPTION_OUTPUT] = { "output", 'o', "PAGE",
			    "where to write the page; '-': standard output" },
	[OPTION_ON] = { "on", 0, "DEVICE,...",
			"compare with devices: capacity, what they would hold and refuse" },
	[OPTION_POOL] = { "pool", 0, "POLICY",
			  "put a pool on the simulated ones of these devices" },
	[OPTION_PLAN] = { "plan", 0, NULL, "plan the trace, and show the picture of the plan" },
	[OPTION_TITLE] = { "title", 0, "TEXT", "title of the page instead of the program's name" },
	[OPTION_COMPARE] = { "compare", 0, "CSV",
			     "show the table that 'berth compare --csv' printed" },
	[OPTION_JSON] = { "json", 0, NULL, "write the page's data alone, to standard output" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "the page is written" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "FILE cannot be read, there is no such device, or the page cannot be "
			   "written" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth report berth.db -o berth.html", "then open berth.html in a browser" },
	{ "berth report berth.db -o berth.html --on sim:adreno-650,sim:mali-g610 --plan",
	  "would it fit on these GPUs, and what would a plan save?" },
	{ "berth report berth.db -o berth.html --on sim:adreno-650 --pool suballoc",
	  "how much would a pool hold there at each moment?" },
	{ NULL, NULL },
};

/* The names of a list; they and the list are for the caller to free. NULL: no memory. */
static const char **split_names(char *list, size_t *count)
{
	const char **names;
	char *rest = NULL;

	*count = 1;
	for (const char *at = list; (at = strchr(at, ',')) != NULL; at++)
		(*count)++;
	if (!(names = calloc(*count, sizeof(*names))))
		return NULL;
	*count = 0;
	for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		names[(*count)++] = name;
	return names;
}

static void on_progress(const berth_report_progress *at, void *userdata)
{
	progress_show(userdata, "berth: %s: %" PRIu64 " of %" PRIu64 " ops", at->stage,
		      at->ops_done, at->ops_total);
}

static berth_status print_json(berth_trace *trace, const berth_report_options *report)
{
	char *json;
	berth_status st = berth_report_json(&json, trace, report);

	if (st == BERTH_OK) {
		fputs(json, stdout);
		free(json);
	}
	return st;
}

static int make(berth_trace *trace, const char *path, const struct cmd_line *line,
		berth_report_options *report)
{
	const char *output = line->values[OPTION_OUTPUT];
	struct progress progress;
	berth_status st;

	report->title = line->values[OPTION_TITLE];
	report->pool = line->values[OPTION_POOL];
	report->comparison = line->values[OPTION_COMPARE];
	report->plan = line->values[OPTION_PLAN];
	report->progress = on_progress;
	report->userdata = &progress;
	progress_start(&progress);
	if (line->values[OPTION_JSON])
		st = print_json(trace, report);
	else
		st = berth_report_write(strcmp(output, "-") == 0 ? NULL : output, trace, report);
	progress_end(&progress);
	if (st == BERTH_OK)
		return CMD_EXIT_OK;
	cmd_fail_detail("cannot make a report of", path);
	return st == BERTH_E_INVAL ? CMD_EXIT_USAGE : CMD_EXIT_FAILED;
}

static int check_usage(const struct cmd_line *line)
{
	berth_pool_policy policy;

	if (!line->values[OPTION_OUTPUT] && !line->values[OPTION_JSON])
		return cmd_fail(CMD_EXIT_USAGE, "report: no page; name one with --output");
	if (line->values[OPTION_OUTPUT] && line->values[OPTION_JSON])
		return cmd_fail(CMD_EXIT_USAGE,
				"report: --json goes to standard output: not with --output");
	if (line->values[OPTION_POOL] && !line->values[OPTION_ON])
		return cmd_fail(CMD_EXIT_USAGE,
				"report: --pool needs a device; name one with --on");
	if (line->values[OPTION_POOL] &&
	    berth_pool_policy_parse(&policy, line->values[OPTION_POOL]) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "report: --pool: %s", berth_error_get()->message);
	return CMD_EXIT_OK;
}

static int open_and_make(const char *path, const struct cmd_line *line,
			 berth_report_options *report)
{
	berth_trace *trace;
	int status;

	if (berth_trace_open(&trace, path) != BERTH_OK)
		return cmd_fail_detail("cannot open", path);
	status = make(trace, path, line, report);
	berth_trace_close(trace);
	return status;
}

static int run(const struct cmd_line *line)
{
	berth_report_options report = BERTH_REPORT_OPTIONS_INIT;
	const char **names = NULL;
	char *list = NULL;
	int status = check_usage(line);

	if (status == CMD_EXIT_OK)
		status = output_check("report", line->values[OPTION_OUTPUT], line->operands[0]);
	if (status == CMD_EXIT_OK && line->values[OPTION_OUTPUT])
		status = output_remove_on_signal(line->values[OPTION_OUTPUT]);
	if (status != CMD_EXIT_OK)
		return status;
	if (line->values[OPTION_ON]) {
		list = strdup(line->values[OPTION_ON]);
		names = list ? split_names(list, &report.device_count) : NULL;
		report.devices = names;
	}
	if (line->values[OPTION_ON] && !names)
		status = cmd_fail(CMD_EXIT_FAILED, "no memory for the names of devices");
	else
		status = open_and_make(line->operands[0], line, &report);
	free((void *)names);
	free(list);
	/* A page that could not be written was said to be. */
	return status == CMD_EXIT_OK ? cmd_finish_output(status) : status;
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "make one HTML page of a trace",
	.operands = "FILE --output PAGE",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Writes one page that needs nothing else, and no network: memory over time by "
		"label, kind or object, what was alive at a moment that is chosen, the life, "
		"label, call stack and transfers of each object, the peak, what was never "
		"released, what was refused, and what is not modelled.\n\n"
		"Its size does not grow with the trace: time is cut into at most 800 spans of "
		"which the exact maximum is shown, and the 24 largest objects of each are "
		"named (doc/report.md).\n\n"
		"With --on, a comma between them, devices are compared with: each has its "
		"capacity as a line; on a simulated one the operations are executed, without "
		"content, what it would hold is shown, and what it refuses is counted. With "
		"--pool that is what a pool on it would hold, free room in its blocks "
		"included.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
