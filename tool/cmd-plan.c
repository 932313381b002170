/* SPDX-License-Identifier: Apache-2.0 */
/* berth plan: where everything would go, in as few bytes as can be proven. */
#include "cmd.h"
#include "plan_reason.h"
#include "plan_report.h"
#include "print.h"
#include "progress.h"
#include "size.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/open.h>
#include <berth/plan_output.h>

enum {
	OPTION_ON,
	OPTION_BY_USE,
	OPTION_INCLUSIVE,
	OPTION_MODEL,
	OPTION_MAX_ALLOC,
	OPTION_TIME,
	OPTION_SEED,
	OPTION_OUTPUT,
	OPTION_SVG,
	OPTION_CHECK,
	OPTION_JSON,
};

static const struct cmd_option options[] = {
	[OPTION_ON] = { "on", 0, "DEVICE",
			"plan for the alignments, sizes and limits of this device" },
	[OPTION_BY_USE] = { "by-use", 0, NULL,
			    "traces: alive from first to last use, not from creation to release" },
	[OPTION_INCLUSIVE] = { "inclusive", 0, NULL,
			       "tables: alive in [lower, upper], not in [lower, upper)" },
	[OPTION_MODEL] = { "model", 0, "NAME", "allocation lists: this model alone" },
	[OPTION_MAX_ALLOC] = { "max-alloc", 0, "SIZE",
			       "largest arena, instead of the device's largest allocation" },
	[OPTION_TIME] = { "time", 0, "SECONDS",
			  "how long to search, for each model; a fraction of a second by default" },
	[OPTION_SEED] = { "seed", 0, "N", "of the random choices; the same gives the same plan" },
	[OPTION_OUTPUT] = { "output", 'o', "FILE", "write the plan as a table" },
	[OPTION_SVG] = { "svg", 0, "FILE", "draw the plan" },
	[OPTION_CHECK] = { "check", 0, "FILE", "check the plan in this table instead of planning" },
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "planned, or the plan of --check is valid" },
	{ CMD_EXIT_DIVERGED, "the plan of --check is not valid" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "no plan: INPUT cannot be read or is not valid, or does not fit" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth plan berth.db --on sim:adreno-650", "what would sharing memory save there?" },
	{ "berth plan net.csv --max-alloc 256M -o plan.csv --svg plan.svg",
	  "plan in arenas of at most 256 MiB, write it down and draw it" },
	{ "berth plan net.csv --check plan.csv", "is this plan, of whatever planner, valid?" },
	{ NULL, NULL },
};

struct job {
	const struct cmd_line *line;
	const char *path;
	berth_caps caps;
	bool has_caps;
	uint64_t max_alloc_bytes; /* 0: not given */
	berth_plan_options options;
	berth_plan_source *source;
	const char *model;	     /* NULL: all */
	struct plan_result *results; /* of the models asked for */
	size_t result_count;
};

/* ---- the command line ---- */

static int parse_time(uint64_t *out_ns, const char *text)
{
	char *end;
	double seconds;

	errno = 0;
	seconds = strtod(text, &end);
	if (*end || end == text || errno || !isdigit((unsigned char)*text) || seconds <= 0 ||
	    seconds > 1e6)
		return cmd_fail(CMD_EXIT_USAGE,
				"plan: --time: '%s' is not a number of seconds, as 0.5", text);
	*out_ns = (uint64_t)(seconds * 1e9);
	if (*out_ns == 0)
		*out_ns = 1;
	return CMD_EXIT_OK;
}

/* The options that are numbers. */
static int parse_numbers(struct job *job)
{
	const char *const *values = job->line->values;
	int status = CMD_EXIT_OK;

	if (values[OPTION_TIME])
		status = parse_time(&job->options.time_budget_ns, values[OPTION_TIME]);
	if (status == CMD_EXIT_OK && values[OPTION_SEED] &&
	    number_parse(&job->options.seed, values[OPTION_SEED], 0, UINT64_MAX) != BERTH_OK)
		status = cmd_fail(CMD_EXIT_USAGE, "plan: --seed: %s", berth_error_get()->message);
	if (status == CMD_EXIT_OK && values[OPTION_MAX_ALLOC] &&
	    size_parse(&job->max_alloc_bytes, values[OPTION_MAX_ALLOC]) != BERTH_OK)
		status = cmd_fail(CMD_EXIT_USAGE, "plan: --max-alloc: %s",
				  berth_error_get()->message);
	return status;
}

static int check_combination(const struct job *job)
{
	static const int not_with_check[] = { OPTION_TIME, OPTION_SEED, OPTION_OUTPUT, OPTION_SVG,
					      OPTION_JSON };
	const char *const *values = job->line->values;

	for (size_t i = 0; i < sizeof(not_with_check) / sizeof(not_with_check[0]); i++)
		if (values[OPTION_CHECK] && values[not_with_check[i]])
			return cmd_fail(CMD_EXIT_USAGE, "plan: --%s has no meaning with --check",
					options[not_with_check[i]].name);
	return CMD_EXIT_OK;
}

/* Only what the device says of itself is needed. */
static int learn_device(struct job *job)
{
	const char *name = job->line->values[OPTION_ON];
	berth_device *device;
	berth_status st;

	if (!name)
		return CMD_EXIT_OK;
	st = berth_device_open(&device, name, NULL);
	if (st != BERTH_OK) {
		cmd_fail_detail("cannot open device", name);
		return st == BERTH_E_INVAL ? CMD_EXIT_USAGE : CMD_EXIT_FAILED;
	}
	job->caps = *berth_device_caps(device);
	job->has_caps = true;
	berth_device_destroy(device);
	return CMD_EXIT_OK;
}

/* ---- what is planned ---- */

/* Room for a result of each model that is asked for. */
static int choose_models(struct job *job)
{
	const char *wanted = job->line->values[OPTION_MODEL];

	job->results = calloc(job->source->model_count + 1, sizeof(*job->results));
	if (!job->results)
		return cmd_fail(CMD_EXIT_FAILED, "no memory for %zu models",
				job->source->model_count);
	for (size_t i = 0; i < job->source->model_count; i++) {
		berth_plan_model *model = &job->source->models[i];

		if (wanted && strcmp(wanted, model->name) != 0)
			continue;
		if (job->max_alloc_bytes)
			model->input.caps.max_arena_bytes = job->max_alloc_bytes;
		job->results[job->result_count++].model = model;
	}
	if (job->result_count == 0)
		return cmd_fail(CMD_EXIT_FAILED, "'%s' has no model '%s'", job->path, wanted);
	return CMD_EXIT_OK;
}

static int load(struct job *job)
{
	const char *const *values = job->line->values;
	berth_plan_source_options source = BERTH_PLAN_SOURCE_OPTIONS_INIT;
	int status;

	source.caps = job->has_caps ? &job->caps : NULL;
	source.by_use = values[OPTION_BY_USE];
	source.inclusive = values[OPTION_INCLUSIVE];
	if (berth_plan_source_load(&job->source, job->path, &source) != BERTH_OK)
		return cmd_fail_detail("cannot plan", job->path);
	status = choose_models(job);
	if (status != CMD_EXIT_OK || job->result_count == 1)
		return status;
	if (values[OPTION_CHECK] || values[OPTION_OUTPUT] || values[OPTION_SVG])
		return cmd_fail(CMD_EXIT_USAGE,
				"plan: '%s' has %zu models; choose one with --model", job->path,
				job->result_count);
	return CMD_EXIT_OK;
}

static int fail_model(const struct job *job, const berth_plan_model *model)
{
	char reason[PLAN_REASON_BYTES];

	return cmd_fail(CMD_EXIT_FAILED, "cannot plan '%s'%s%s: %s", job->path,
			*model->name ? ", model " : "", model->name,
			plan_reason(reason, job->source, model));
}

static int plan_model(struct job *job, struct plan_result *result)
{
	const berth_plan_model *model = result->model;

	if (berth_plan_create(&result->plan, &model->input, &job->options) != BERTH_OK)
		return fail_model(job, model);
	/* Of pinned requests there are none by tokens. */
	if (berth_token_plan_create(&result->tokens, &model->input) != BERTH_OK)
		result->tokens = NULL;
	return CMD_EXIT_OK;
}

static int plan_models(struct job *job)
{
	struct progress progress;
	int status = CMD_EXIT_OK;

	progress_start(&progress);
	for (size_t i = 0; status == CMD_EXIT_OK && i < job->result_count; i++) {
		status = plan_model(job, &job->results[i]);
		progress_show(&progress, "berth: planned %zu of %zu models", i + 1,
			      job->result_count);
	}
	progress_end(&progress);
	return status;
}

/* ---- what comes of it ---- */

static int write_files(const struct job *job)
{
	const struct plan_result *result = &job->results[0];
	const char *output = job->line->values[OPTION_OUTPUT];
	const char *svg = job->line->values[OPTION_SVG];

	if (output && berth_plan_file_write(output, result->model, result->plan) != BERTH_OK)
		return cmd_fail_detail("cannot write", output);
	if (svg && berth_plan_svg_write(svg, *result->model->name ? result->model->name : job->path,
					result->model, result->plan) != BERTH_OK)
		return cmd_fail_detail("cannot draw", svg);
	return CMD_EXIT_OK;
}

static int plan(struct job *job)
{
	const struct plan_report report = {
		.path = job->path,
		.device = job->line->values[OPTION_ON],
		.source = job->source,
		.results = job->results,
		.result_count = job->result_count,
	};
	int status = plan_models(job);

	if (status == CMD_EXIT_OK)
		status = write_files(job);
	if (status != CMD_EXIT_OK)
		return status;
	if (!job->line->values[OPTION_JSON])
		plan_report_print(&report);
	else if (plan_report_print_json(&report) != BERTH_OK)
		return cmd_fail_detail("cannot print the result", NULL);
	return CMD_EXIT_OK;
}

/* "valid", or why not: that is the answer, and goes to standard output. */
static int check(const struct job *job)
{
	const char *path = job->line->values[OPTION_CHECK];
	const berth_plan_model *model = job->results[0].model;
	berth_plan_file *file = NULL;
	uint64_t total = 0;
	char size[SIZE_TEXT_BYTES], reason[PLAN_REASON_BYTES];
	berth_status st = berth_plan_file_load(&file, path, model);

	if (st == BERTH_OK)
		st = berth_plan_check(&model->input, &file->claim);
	if (st == BERTH_E_STATE) {
		print_text(stdout, "not valid: %s\n", plan_reason(reason, job->source, model));
		berth_plan_file_destroy(file);
		return CMD_EXIT_DIVERGED;
	}
	if (st != BERTH_OK) {
		berth_plan_file_destroy(file);
		return cmd_fail_detail("cannot check", path);
	}
	for (size_t i = 0; i < file->claim.arena_count; i++)
		total += file->claim.arena_bytes[i];
	print_text(stdout, "valid: requests %zu, arenas %zu, %s\n", file->claim.place_count,
		   file->claim.arena_count, size_text(size, total));
	berth_plan_file_destroy(file);
	return CMD_EXIT_OK;
}

static int run_job(struct job *job)
{
	int status = check_combination(job);

	if (status == CMD_EXIT_OK)
		status = parse_numbers(job);
	if (status == CMD_EXIT_OK)
		status = learn_device(job);
	if (status == CMD_EXIT_OK)
		status = load(job);
	if (status != CMD_EXIT_OK)
		return status;
	return job->line->values[OPTION_CHECK] ? check(job) : plan(job);
}

static int run(const struct cmd_line *line)
{
	struct job job = {
		.line = line,
		.path = line->operands[0],
		.options = BERTH_PLAN_OPTIONS_INIT,
	};
	int status = run_job(&job);

	for (size_t i = 0; i < job.result_count; i++) {
		berth_plan_destroy(job.results[i].plan);
		berth_token_plan_destroy(job.results[i].tokens);
	}
	free(job.results);
	berth_plan_source_destroy(job.source);
	return cmd_finish_output(status);
}

const struct cmd cmd_plan = {
	.name = "plan",
	.summary = "place everything in as few bytes as can be proven",
	.operands = "INPUT",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Plans where each buffer and texture of INPUT goes, so that what is not alive "
		"together shares memory, and prints how many bytes that takes, the lower bound "
		"(the most that is alive together), what is proven, how the plan was found, and "
		"what other ways of sharing take. Arenas are device buffers of at most the "
		"largest allocation; requests are ranges of them.\n\n"
		"INPUT is a trace (each object that owns memory, from its creation to its "
		"release), a CSV table with the columns id, lower, upper and size (alive in "
		"[lower, upper), or layout instead of size, and the optional columns alignment "
		"and offset), or allocation lists with lines MODEL, ALIGN, ALLOC, FREE and MEM. "
		"Several models are printed as a table.\n\n"
		"The plan of -o is a table with the columns id, lower, upper, size, alignment, "
		"arena and offset. --check reads such a table, of this or any other planner: the "
		"columns id, offset and, with more arenas than one, arena are enough.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
