/* SPDX-License-Identifier: Apache-2.0 */
/* berth import: a trace of what another program logged. */
#include "cmd.h"
#include "progress.h"
#include "print.h"
#include "json.h"
#include "output.h"

#include <inttypes.h>
#include <string.h>

#include <berth/device.h>
#include <berth/exchange.h>
#include <berth/open.h>

enum { OPTION_FORMAT, OPTION_OUTPUT, OPTION_ON, OPTION_SEGMENTS, OPTION_JSON };

static const struct cmd_option options[] = {
	[OPTION_FORMAT] = { "format", 'f', "FORMAT",
			    "rmm, csv, plan or pytorch (default: what the content shows)" },
	[OPTION_OUTPUT] = { "output", 'o', "TRACE", "the trace to write" },
	[OPTION_ON] = { "on", 0, "DEVICE", "the device that the trace is to name" },
	[OPTION_SEGMENTS] = { "segments", 0, NULL,
			      "of a PyTorch snapshot: what its allocator took from the driver, "
			      "instead of the blocks it handed out" },
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "TRACE is written" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "FILE cannot be read or is damaged, or TRACE not written; it is as it was" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth import rmm_log.dev0.csv -o rmm.db", "a trace of what RMM logged" },
	{ "berth import snapshot.pickle -o torch.db",
	  "a trace of a PyTorch memory snapshot; then berth show torch.db" },
	{ "berth import calls.csv --on sim:adreno-650 -o calls.db",
	  "the trace that 'berth export --format csv' was made of" },
	{ NULL, NULL },
};

struct wish {
	const char *from, *to;
	berth_exchange_format format;
	bool guessed, json;
	berth_import_options options;
};

static void show(uint64_t done, uint64_t total, void *userdata)
{
	progress_show(userdata, "%" PRIu64 " of %" PRIu64 " MiB", done >> 20, total >> 20);
}

static int print_json(const struct wish *wish, const berth_import_result *result)
{
	json_builder *json = json_builder_create();
	const struct {
		const char *path;
		uint64_t number;
	} rows[] = {
		{ "$.ops", result->ops },	    { "$.objects", result->objects },
		{ "$.before", result->before },	    { "$.failures", result->failures },
		{ "$.empty", result->empty },	    { "$.unreleased", result->unreleased },
	};
	berth_status st;

	json_set_text(json, "$.trace", wish->to);
	json_set_text(json, "$.format", berth_exchange_format_string(wish->format));
	json_set_bool(json, "$.guessed", wish->guessed);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		json_set_number(json, rows[i].path, rows[i].number);
	st = json_print(json);
	json_builder_destroy(json);
	return st == BERTH_OK ? CMD_EXIT_OK : cmd_fail_detail("cannot print", NULL);
}

static void print_result(const struct wish *wish, const berth_import_result *result)
{
	print_text(stdout, "format:   %s%s\n", berth_exchange_format_string(wish->format),
		   wish->guessed ? ", by its content" : "");
	print_text(stdout, "trace:    %s, %" PRIu64 " ops\n", wish->to, result->ops);
	print_text(stdout, "objects:  %" PRIu64 ", %" PRIu64 " never released\n", result->objects,
		   result->unreleased);
	if (result->before)
		print_text(stdout, "          the first %" PRIu64 " ops make what was there before\n",
			   result->before);
	if (result->failures)
		print_text(stdout, "failed:   %" PRIu64 " allocations\n", result->failures);
	if (result->empty)
		print_text(stdout, "left out: %" PRIu64 " rows of no bytes\n", result->empty);
}

static int import(struct wish *wish)
{
	berth_import_result result;
	struct progress progress;
	berth_status st;

	if (wish->guessed && berth_import_guess(&wish->format, wish->from) != BERTH_OK)
		return cmd_fail_detail("cannot import", wish->from);
	progress_start(&progress);
	wish->options.progress = show;
	wish->options.userdata = &progress;
	st = berth_import(&result, wish->to, wish->from, wish->format, &wish->options);
	progress_end(&progress);
	if (st != BERTH_OK)
		return cmd_fail_detail("cannot import", wish->from);
	if (wish->json)
		return cmd_finish_output(print_json(wish, &result));
	print_result(wish, &result);
	return cmd_finish_output(CMD_EXIT_OK);
}

static int import_on(struct wish *wish, const char *name)
{
	berth_open_options open_options = BERTH_OPEN_OPTIONS_INIT;
	berth_device *device;
	int status;

	if (!name)
		return import(wish);
	open_options.ghost = strncmp(name, "sim:", 4) == 0;
	if (berth_device_open(&device, name, &open_options) != BERTH_OK)
		return cmd_fail_detail("cannot open", name);
	wish->options.caps = berth_device_caps(device);
	status = import(wish);
	berth_device_destroy(device);
	return status;
}

static int run(const struct cmd_line *line)
{
	const char *name = line->values[OPTION_FORMAT];
	struct wish wish = { .from = line->operands[0],
			     .to = line->values[OPTION_OUTPUT],
			     .guessed = !name,
			     .json = line->values[OPTION_JSON],
			     .options = BERTH_IMPORT_OPTIONS_INIT };

	wish.options.segments = line->values[OPTION_SEGMENTS];
	if (!wish.to)
		return cmd_fail(CMD_EXIT_USAGE, "import: name the trace to write with -o");
	if (name && (berth_exchange_format_parse(&wish.format, name) != BERTH_OK ||
		     !berth_exchange_format_imported(wish.format)))
		return cmd_fail(CMD_EXIT_USAGE, "import: '%s' is not rmm, csv, plan or pytorch", name);
	if (output_check("import", wish.to, wish.from) != CMD_EXIT_OK)
		return CMD_EXIT_USAGE;
	if (output_remove_on_signal(wish.to) != CMD_EXIT_OK)
		return CMD_EXIT_FAILED;
	return import_on(&wish, line->values[OPTION_ON]);
}

const struct cmd cmd_import = {
	.name = "import",
	.summary = "make a trace of what another program logged",
	.operands = "FILE",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Makes a trace that show, replay and the others read of: 'rmm', a log of RMM's "
		"logging_resource_adaptor; 'csv', the table that 'berth export --format csv' writes; "
		"'plan', a planner's table of lifetimes (id, lower, upper, size), or allocation lists; "
		"'pytorch', a memory snapshot (torch.cuda.memory._dump_snapshot). Each allocation "
		"becomes a buffer.\n\n"
		"FILE is not trusted: what is wrong in it is said with its line or byte, and no trace "
		"is written. A pickle is read as data: nothing in it is executed. TRACE appears whole "
		"or not at all.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
