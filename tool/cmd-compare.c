/* SPDX-License-Identifier: Apache-2.0 */
/* berth compare: traces x devices x ways to allocate. */
#include "cmd.h"
#include "compare_file.h"
#include "compare_run.h"
#include "compare_table.h"
#include "output.h"
#include "print.h"
#include "size.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <berth/pool.h>
#include <berth/sim.h>

enum {
	OPTION_ON,
	OPTION_POOL,
	OPTION_PLAN,
	OPTION_MEMORY,
	OPTION_MAX_ALLOC,
	OPTION_SET,
	OPTION_PARALLEL,
	OPTION_JOBS,
	OPTION_ROW,
	OPTION_COLLECT,
	OPTION_JSON,
	OPTION_CSV,
	OPTION_MARKDOWN,
};

static const struct cmd_option options[] = {
	[OPTION_ON] = { "on", 0, "DEVICE,...",
			"devices with commas between them; 'all': every built-in profile" },
	[OPTION_POOL] = { "pool", 0, "POLICY,...",
			  "verbatim, plan and policies of pools, with commas; verbatim,suballoc if "
			  "not given" },
	[OPTION_PLAN] = { "plan", 0, NULL, "as --pool plan, with those that --pool names" },
	[OPTION_MEMORY] = { "memory", 0, "SIZE", "capacity of simulated devices" },
	[OPTION_MAX_ALLOC] = { "max-alloc", 0, "SIZE", "largest allocation of simulated devices" },
	[OPTION_SET] = { "set", 0, "KEY=VALUE,...",
			 "other values of simulated devices (doc/profile-format.md)" },
	[OPTION_PARALLEL] = { "parallel", 0, "N",
			      "replays at once; the number of cores if not given" },
	[OPTION_JOBS] = { "jobs", 0, "DIR",
			  "run nothing: print a command for each cell, which writes a file to "
			  "DIR" },
	[OPTION_ROW] = { "row", 0, "FILE", "run the one cell here, and write its row to FILE" },
	[OPTION_COLLECT] = { "collect", 0, NULL,
			     "the arguments are files of --row: print their table" },
	[OPTION_JSON] = { "json", 0, NULL, "print a JSON array with an object a cell" },
	[OPTION_CSV] = { "csv", 0, NULL, "print CSV, a line a cell" },
	[OPTION_MARKDOWN] = { "markdown", 0, NULL, "print tables of Markdown" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "all fit, and nothing was answered otherwise than recorded" },
	{ CMD_EXIT_DIVERGED, "some do not" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "a cell could not be replayed: no such trace or device, or a crash" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth compare a.db b.db --on sim:adreno-650,sim:mali-g610 --plan",
	  "do they fit these phones, as they are, pooled, planned?" },
	{ "berth compare *.db --on all --jobs rows | parallel",
	  "on every built-in profile, by GNU parallel" },
	{ "berth compare --collect rows/*.json --markdown", "and the table of it" },
	{ NULL, NULL },
};

/* A list with commas, cut into words. */
struct words {
	char *text;
	const char **items;
	size_t count;
};

struct compare {
	struct words devices, policies;
	struct compare_cell *cells;
	struct compare_row *rows;
	size_t count;
};

static void words_free(struct words *words)
{
	free(words->text);
	free(words->items);
}

static bool words_add(struct words *words, const char *item)
{
	const char **items = reallocarray(words->items, words->count + 1, sizeof(*items));

	if (!items)
		return false;
	items[words->count++] = item;
	words->items = items;
	return true;
}

static bool words_cut(struct words *words, const char *list)
{
	char *rest;

	words->text = strdup(list);
	for (char *word = words->text ? strtok_r(words->text, ",", &rest) : NULL; word;
	     word = strtok_r(NULL, ",", &rest))
		if (!words_add(words, word))
			return false;
	return words->text != NULL;
}

/* "sim:" and the name of each built-in profile, as one list. free(). */
static char *all_devices(void)
{
	char *list = NULL, *longer;

	for (size_t i = 0; i < berth_profile_builtin_count(); i++) {
		if (asprintf(&longer, "%s%ssim:%s", list ? list : "", list ? "," : "",
			     berth_profile_builtin_name(i)) < 0) {
			free(list);
			return NULL;
		}
		free(list);
		list = longer;
	}
	return list;
}

static int no_memory(void)
{
	return cmd_fail(CMD_EXIT_FAILED, "compare: out of memory");
}

static int read_devices(struct compare *compare, const char *typed)
{
	char *all = NULL;
	bool read;

	if (!typed)
		return cmd_fail(CMD_EXIT_USAGE, "compare: no devices; name them with --on, "
						"'berth devices' lists them");
	if (strcmp(typed, "all") == 0 && !(all = all_devices()))
		return no_memory();
	read = words_cut(&compare->devices, all ? all : typed);
	free(all);
	return read ? CMD_EXIT_OK : no_memory();
}

static bool is_policy(const char *name)
{
	berth_pool_policy policy;

	return strcmp(name, COMPARE_VERBATIM) == 0 || strcmp(name, COMPARE_PLAN) == 0 ||
	       berth_pool_policy_parse(&policy, name) == BERTH_OK;
}

static int read_policies(struct compare *compare, const struct cmd_line *line)
{
	const char *typed = line->values[OPTION_POOL];

	if (!words_cut(&compare->policies, typed ? typed : COMPARE_VERBATIM ",suballoc"))
		return no_memory();
	for (size_t i = 0; i < compare->policies.count; i++)
		if (!is_policy(compare->policies.items[i]))
			return cmd_fail(CMD_EXIT_USAGE,
					"compare: --pool: %s; and verbatim, and plan",
					berth_error_get()->message);
	if (line->values[OPTION_PLAN] && !words_add(&compare->policies, COMPARE_PLAN))
		return no_memory();
	return CMD_EXIT_OK;
}

static int read_size(uint64_t *out, const struct cmd_line *line, int option)
{
	if (line->values[option] && size_parse(out, line->values[option]) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "compare: --%s: %s", options[option].name,
				berth_error_get()->message);
	return CMD_EXIT_OK;
}

static int make_cells(struct compare *compare, const struct cmd_line *line)
{
	struct compare_cell all = { .settings = line->values[OPTION_SET] };
	size_t devices = compare->devices.count, policies = compare->policies.count;
	int status = read_size(&all.memory_bytes, line, OPTION_MEMORY);

	if (status == CMD_EXIT_OK)
		status = read_size(&all.max_alloc_bytes, line, OPTION_MAX_ALLOC);
	if (status != CMD_EXIT_OK)
		return status;
	compare->count = (size_t)line->operand_count * devices * policies;
	if (compare->count == 0)
		return cmd_fail(CMD_EXIT_USAGE,
				"compare: nothing to compare: %d traces, %zu devices, "
				"%zu policies",
				line->operand_count, devices, policies);
	compare->cells = calloc(compare->count, sizeof(*compare->cells));
	compare->rows = calloc(compare->count, sizeof(*compare->rows));
	if (!compare->cells || !compare->rows)
		return no_memory();
	for (size_t i = 0; i < compare->count; i++) {
		compare->cells[i] = all;
		compare->cells[i].trace = line->operands[i / policies / devices];
		compare->cells[i].device = compare->devices.items[i / policies % devices];
		compare->cells[i].policy = compare->policies.items[i % policies];
	}
	return CMD_EXIT_OK;
}

static void print_option(const char *name, const char *value)
{
	print_text(stdout, " --%s ", name);
	print_shell_word(stdout, value);
}

/* A job is a line, and lines for a shell hold no control characters. */
static bool is_line(const char *word)
{
	for (; word && *word; word++)
		if (iscntrl((unsigned char)*word))
			return false;
	return true;
}

static void print_job(const struct compare_cell *cell, const struct cmd_line *line, size_t number)
{
	static const int passed_on[] = { OPTION_MEMORY, OPTION_MAX_ALLOC, OPTION_SET };
	char file[32];

	print_text(stdout, "berth compare ");
	print_shell_word(stdout, cell->trace);
	print_option("on", cell->device);
	print_option("pool", cell->policy);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		if (line->values[passed_on[i]])
			print_option(options[passed_on[i]].name, line->values[passed_on[i]]);
	snprintf(file, sizeof(file), "/%06zu.json", number);
	print_text(stdout, " --row ");
	print_shell_word(stdout, line->values[OPTION_JOBS]);
	print_text(stdout, "%s\n", file);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int print_jobs(const struct compare *compare, const struct cmd_line *line)
{
	if (!is_folder(line->values[OPTION_JOBS]))
		return cmd_fail(CMD_EXIT_FAILED,
				"compare: --jobs: '%s' is not a folder, and the jobs write into it: "
				"make it first",
				line->values[OPTION_JOBS]);
	for (size_t i = 0; i < compare->count; i++)
		if (!is_line(compare->cells[i].trace) || !is_line(compare->cells[i].device) ||
		    !is_line(line->values[OPTION_SET]) || !is_line(line->values[OPTION_JOBS]))
			return cmd_fail(
				CMD_EXIT_USAGE,
				"compare: --jobs: a name with a control character in it, as a "
				"line break, cannot stand in a job: rename '%s'",
				compare->cells[i].trace);
	for (size_t i = 0; i < compare->count; i++)
		print_job(&compare->cells[i], line, i + 1);
	return CMD_EXIT_OK;
}

static int run_one(struct compare *compare, const char *path)
{
	if (compare->count != 1)
		return cmd_fail(CMD_EXIT_USAGE,
				"compare: --row is for one cell, here are %zu: name one "
				"trace, one device, one policy",
				compare->count);
	if (output_check("compare", path, compare->cells[0].trace) != CMD_EXIT_OK)
		return CMD_EXIT_USAGE;
	if (!compare_cell_run(&compare->rows[0], &compare->cells[0]))
		return no_memory();
	if (compare_file_write(&compare->rows[0], path) != BERTH_OK)
		return cmd_fail_detail("cannot write", path);
	return CMD_EXIT_OK;
}

static int exit_status(const struct compare *compare)
{
	int status = CMD_EXIT_OK;

	for (size_t i = 0; i < compare->count; i++) {
		if (strcmp(compare->rows[i].outcome, COMPARE_FAILED) == 0)
			return CMD_EXIT_FAILED;
		if (strcmp(compare->rows[i].outcome, COMPARE_FITS) != 0)
			status = CMD_EXIT_DIVERGED;
	}
	return status;
}

static int print_rows(const struct compare *compare, const struct cmd_line *line)
{
	if (line->values[OPTION_JSON]) {
		if (compare_table_print_json(compare->rows, compare->count) != BERTH_OK)
			return cmd_fail_detail("cannot print the result", NULL);
	} else if (line->values[OPTION_CSV]) {
		compare_table_print_csv(compare->rows, compare->count);
	} else if (line->values[OPTION_MARKDOWN]) {
		compare_table_print_markdown(compare->rows, compare->count);
	} else {
		compare_table_print(compare->rows, compare->count);
	}
	return exit_status(compare);
}

static int collect(struct compare *compare, const struct cmd_line *line)
{
	int status = CMD_EXIT_OK;

	compare->count = (size_t)line->operand_count;
	compare->rows = calloc(compare->count + 1, sizeof(*compare->rows));
	if (!compare->rows)
		return no_memory();
	for (size_t i = 0; status == CMD_EXIT_OK && i < compare->count; i++)
		if (compare_file_read(&compare->rows[i], line->operands[i]) != BERTH_OK)
			status = cmd_fail_detail("cannot read the row", line->operands[i]);
	return status == CMD_EXIT_OK ? print_rows(compare, line) : status;
}

static int run_cells(struct compare *compare, const struct cmd_line *line)
{
	uint64_t at_once = 0;

	if (line->values[OPTION_PARALLEL] &&
	    number_parse(&at_once, line->values[OPTION_PARALLEL], 1, 4096) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "compare: --parallel: %s",
				berth_error_get()->message);
	if (line->values[OPTION_ROW])
		return run_one(compare, line->values[OPTION_ROW]);
	if (line->values[OPTION_JOBS])
		return print_jobs(compare, line);
	if (compare_run(compare->rows, compare->cells, compare->count, (unsigned)at_once) !=
	    BERTH_OK)
		return cmd_fail_detail("cannot compare", NULL);
	return print_rows(compare, line);
}

static int run_compare(struct compare *compare, const struct cmd_line *line)
{
	int status;

	if (line->values[OPTION_COLLECT])
		return collect(compare, line);
	status = read_devices(compare, line->values[OPTION_ON]);
	if (status == CMD_EXIT_OK)
		status = read_policies(compare, line);
	if (status == CMD_EXIT_OK)
		status = make_cells(compare, line);
	return status == CMD_EXIT_OK ? run_cells(compare, line) : status;
}

static int run(const struct cmd_line *line)
{
	struct compare compare = { 0 };
	int status = run_compare(&compare, line);

	for (size_t i = 0; compare.rows && i < compare.count; i++)
		compare_row_free(&compare.rows[i]);
	free(compare.rows);
	free(compare.cells);
	words_free(&compare.devices);
	words_free(&compare.policies);
	return cmd_finish_output(status);
}

const struct cmd cmd_compare = {
	.name = "compare",
	.summary = "replay traces on many devices, in many ways, and print a table",
	.operands = "TRACE... --on DEVICES",
	.operands_min = 1,
	.operands_max = 1 << 20,
	.description =
		"Replays each trace on each device with each way to allocate: as the program did "
		"(verbatim), by a policy of a pool (doc/pools.md), on its plan. Each is a process "
		"of its own; as "
		"many run at once as there are cores. The table says whether the program fits and "
		"if not why, the peak, how many allocations the device makes, what part of the "
		"memory that was held at the most is of no use, the bytes moved, and the time "
		"that the transfers would take.\n\n"
		"For thousands of cells --jobs prints a command a cell, to be run by GNU parallel, "
		"xargs or a batch system, each of which writes a file; --collect makes the table "
		"of them (doc/compare.md).",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
