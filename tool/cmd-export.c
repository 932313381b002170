/* SPDX-License-Identifier: Apache-2.0 */
/* berth export: a trace as a file of another format. */
#include "cmd.h"
#include "output.h"
#include "progress.h"

#include <inttypes.h>
#include <string.h>

#include <berth/exchange.h>

enum { OPTION_FORMAT, OPTION_OUTPUT };

static const struct cmd_option options[] = {
	[OPTION_FORMAT] = { "format", 'f', "FORMAT", "chrome, csv, objects, rmm or plan" },
	[OPTION_OUTPUT] = { "output", 'o', "FILE", "the file to write" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "FILE is written" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "TRACE cannot be read, or FILE not written; it is as it was" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth export berth.db --format chrome -o berth.json",
	  "calls, objects and memory over time, for ui.perfetto.dev" },
	{ "berth export berth.db --format csv -o calls.csv",
	  "all calls as a table; berth import makes the same trace of it" },
	{ "berth export berth.db --format objects -o objects.csv", "all objects as a table" },
	{ "berth export berth.db --format rmm -o rmm.csv", "for RMM's REPLAY_BENCHMARK" },
	{ "berth export berth.db --format plan -o lifetimes.csv", "for any memory planner" },
	{ NULL, NULL },
};

static void show(uint64_t done, uint64_t total, void *userdata)
{
	progress_show(userdata, "%" PRIu64 " of %" PRIu64 " calls", done, total);
}

static int export(const char *from, const char *to, berth_exchange_format format)
{
	berth_export_options export_options = BERTH_EXPORT_OPTIONS_INIT;
	struct progress progress;
	berth_trace *trace;
	berth_status st;

	if (berth_trace_open(&trace, from) != BERTH_OK)
		return cmd_fail_detail("cannot read", from);
	progress_start(&progress);
	export_options.progress = show;
	export_options.userdata = &progress;
	st = berth_export(to, trace, format, &export_options);
	progress_end(&progress);
	berth_trace_close(trace);
	return st == BERTH_OK ? CMD_EXIT_OK : cmd_fail_detail("cannot export", from);
}

static int run(const struct cmd_line *line)
{
	const char *name = line->values[OPTION_FORMAT], *to = line->values[OPTION_OUTPUT];
	berth_exchange_format format;

	if (!name || !to)
		return cmd_fail(CMD_EXIT_USAGE, "export: name %s",
				name ? "the file to write with -o" : "a format with --format");
	if (berth_exchange_format_parse(&format, name) != BERTH_OK ||
	    !berth_exchange_format_exported(format))
		return cmd_fail(CMD_EXIT_USAGE,
				"export: '%s' is not chrome, csv, objects, rmm or plan", name);
	if (output_check("export", to, line->operands[0]) != CMD_EXIT_OK)
		return CMD_EXIT_USAGE;
	if (output_remove_on_signal(to) != CMD_EXIT_OK)
		return CMD_EXIT_FAILED;
	return export(line->operands[0], to, format);
}

const struct cmd cmd_export = {
	.name = "export",
	.summary = "write a trace as a file of another format",
	.operands = "TRACE",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Writes what is in TRACE for other programs: 'chrome' is Chrome's trace event format "
		"(calls by thread, the lives of objects, memory over time), read by Perfetto and "
		"chrome://tracing; 'csv' a table of all calls with all they had, from which 'berth "
		"import' makes the same trace; 'objects' a table of all objects; 'rmm' the log of "
		"RMM's logging_resource_adaptor; 'plan' a planner's table of lifetimes (id, lower, "
		"upper, size, alignment).\n\n"
		"FILE appears whole or not at all. doc/export-import.md has the columns.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
