/* SPDX-License-Identifier: Apache-2.0 */
/* berth replay: execute a trace on another device. */
#include "cmd.h"
#include "output.h"
#include "progress.h"
#include "replay_range.h"
#include "replay_report.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPTION_ON,
	OPTION_CHECK,
	OPTION_GHOST,
	OPTION_MEMORY,
	OPTION_MAX_ALLOC,
	OPTION_SET,
	OPTION_POOL,
	OPTION_PLAN,
	OPTION_FAULT,
	OPTION_FROM,
	OPTION_TO,
	OPTION_TIMING,
	OPTION_THREADS,
	OPTION_QUEUES,
	OPTION_BEFORE,
	OPTION_LIST,
	OPTION_JUNIT,
	OPTION_JSON,
};

static const struct cmd_option options[] = {
	[OPTION_ON] = { "on", 0, "DEVICE",
			"the device to replay on; 'recorded': what the trace says of its own; "
			"required" },
	[OPTION_CHECK] = { "check", 0, NULL,
			   "compare each answer and all content with the specification" },
	[OPTION_GHOST] = { "ghost", 0, NULL,
			   "keep no content (simulated devices): for traces larger than memory" },
	[OPTION_MEMORY] = { "memory", 0, "SIZE",
			    "capacity instead of the profile's (simulated devices)" },
	[OPTION_MAX_ALLOC] = { "max-alloc", 0, "SIZE",
			       "largest allocation instead of the profile's (simulated devices)" },
	[OPTION_SET] = { "set", 0, "KEY=VALUE,...",
			 "other values than the profile's, as commit=first_use "
			 "(doc/profile-format.md)" },
	[OPTION_POOL] = { "pool", 0, "POLICY",
			  "carve buffers and images out of a pool, by a policy of doc/pools.md" },
	[OPTION_PLAN] = { "plan", 0, NULL,
			  "plan the trace first, and give each object the place that the plan has "
			  "for it" },
	[OPTION_FAULT] = { "fault", 0, "SPEC",
			   "make operations fail, as nth=5:write,budget=64M; see below" },
	[OPTION_FROM] = { "from", 0, "PLACE",
			  "compare and count from there on: an op's number, or mark:NAME" },
	[OPTION_TO] = { "to", 0, "PLACE",
			"stop behind this op, or mark:NAME, or the end of the phase of that name" },
	[OPTION_TIMING] = { "timing", 0, "TIMING",
			    "fast, recorded, or recorded:F, F times as fast" },
	[OPTION_THREADS] = { "threads", 0, NULL,
			     "a thread for each thread of the program, one at a time" },
	[OPTION_QUEUES] = { "queues", 0, NULL,
			    "a queue for each queue of the program (real devices)" },
	[OPTION_BEFORE] = { "before", 0, "N",
			    "print the N ops before the first divergent one; at most 32, 5 if not "
			    "given" },
	[OPTION_LIST] = { "list", 0, "N", "print the first N divergences, not only one" },
	[OPTION_JUNIT] = { "junit", 0, "FILE", "write the result for build servers as well" },
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "replayed without divergence" },
	{ CMD_EXIT_DIVERGED, "replayed, and the device answered otherwise than the recorded one" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "not replayed to the end: no such trace or device, or out of memory" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth replay berth.db --on sim:adreno-650", "does the program fit on that GPU?" },
	{ "berth replay berth.db --on sim:adreno-650 --memory 512M --ghost",
	  "and with 512 MiB? Without keeping content" },
	{ "berth replay berth.db --on opencl:Portable --check",
	  "does PoCL keep to the specification?" },
	{ "berth replay berth.db --on sim:adreno-650 --pool suballoc",
	  "how much memory would the program need if it pooled?" },
	{ "berth replay berth.db --on opencl:Portable --plan --check",
	  "does the program run on its own plan, with the same content?" },
	{ "berth replay berth.db --on sim:adreno-650 --fault nth=100:write",
	  "what if the 100th write fails?" },
	{ "berth replay berth.db --on recorded --set commit=first_use --max-alloc 256M",
	  "what if the GPU took memory late, in smaller pieces?" },
	{ "berth replay berth.db --on recorded --from mark:step --to mark:step",
	  "one phase of the program" },
	{ NULL, NULL },
};

#define BEFORE_DEFAULT 5
#define LIST_MAX 1000000

struct replay {
	struct replay_setup setup;
	struct replay_stack stack;
	struct replay_outcome outcome;
	berth_replay_options options;
	struct progress progress;
	size_t list_max;
};

static bool on_progress(const berth_replay_progress *done, void *userdata)
{
	struct replay *replay = userdata;

	progress_show(&replay->progress, "berth: replayed %" PRIu64 " of %" PRIu64 " ops",
		      done->ops_done, done->ops_total);
	return true;
}

static void on_divergence(const berth_divergence *divergence, void *userdata)
{
	struct replay *replay = userdata;
	struct replay_outcome *outcome = &replay->outcome;

	if (outcome->divergence_count < replay->list_max)
		outcome->divergences[outcome->divergence_count++] = *divergence;
}

/* One size option; absent, it stays 0. */
static int read_size(uint64_t *out, const struct cmd_line *line, int option)
{
	if (line->values[option] && size_parse(out, line->values[option]) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "replay: --%s: %s", options[option].name,
				berth_error_get()->message);
	return CMD_EXIT_OK;
}

static int read_number(uint64_t *out, const struct cmd_line *line, int option, uint64_t most)
{
	if (line->values[option] && number_parse(out, line->values[option], 0, most) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "replay: --%s: %s", options[option].name,
				berth_error_get()->message);
	return CMD_EXIT_OK;
}

static int read_timing(double *pace, const char *text)
{
	char *end;

	if (!text || strcmp(text, "fast") == 0)
		return CMD_EXIT_OK;
	*pace = 1.0;
	if (strcmp(text, "recorded") == 0)
		return CMD_EXIT_OK;
	if (strncmp(text, "recorded:", 9) == 0 && text[9] >= '0' && text[9] <= '9') {
		*pace = strtod(text + 9, &end);
		if (!*end && *pace >= 0.001 && *pace <= 1e6)
			return CMD_EXIT_OK;
	}
	return cmd_fail(
		CMD_EXIT_USAGE,
		"replay: --timing: '%s' is not allowed: fast, recorded or recorded:F, F from "
		"0.001 to 1000000",
		text);
}

static int read_setup(struct replay *replay, const struct cmd_line *line)
{
	struct replay_setup *setup = &replay->setup;
	int status;

	*setup = (struct replay_setup){
		.command = "replay",
		.path = line->operands[0],
		.device = line->values[OPTION_ON],
		.settings = line->values[OPTION_SET],
		.fault = line->values[OPTION_FAULT],
		.pool = line->values[OPTION_POOL],
		.plan = line->values[OPTION_PLAN],
		.check = line->values[OPTION_CHECK],
		.ghost = line->values[OPTION_GHOST],
		.queues = line->values[OPTION_QUEUES],
	};
	status = read_size(&setup->memory_bytes, line, OPTION_MEMORY);
	if (status == CMD_EXIT_OK)
		status = read_size(&setup->max_alloc_bytes, line, OPTION_MAX_ALLOC);
	if (status != CMD_EXIT_OK)
		return status;
	if (!setup->device)
		return cmd_fail(CMD_EXIT_USAGE, "replay: no device; name one with --on, "
						"'berth devices' lists them");
	if (setup->pool && setup->plan)
		return cmd_fail(CMD_EXIT_USAGE, "replay: --plan has a pool of its own: not with "
						"--pool");
	return CMD_EXIT_OK;
}

static int read_options(struct replay *replay, const struct cmd_line *line)
{
	uint64_t before = BEFORE_DEFAULT, list = 0;
	int status = read_timing(&replay->options.pace, line->values[OPTION_TIMING]);

	if (status == CMD_EXIT_OK)
		status = read_number(&before, line, OPTION_BEFORE, BERTH_REPLAY_STEPS_MAX);
	if (status == CMD_EXIT_OK)
		status = read_number(&list, line, OPTION_LIST, LIST_MAX);
	if (status != CMD_EXIT_OK)
		return status;
	replay->options.ghost = replay->setup.ghost;
	replay->options.threads = line->values[OPTION_THREADS];
	replay->options.steps = (uint32_t)before;
	replay->options.progress = on_progress;
	replay->options.userdata = replay;
	if (list == 0)
		return CMD_EXIT_OK;
	replay->options.divergence = on_divergence;
	replay->list_max = (size_t)list;
	replay->outcome.divergences = calloc(replay->list_max, sizeof(berth_divergence));
	if (!replay->outcome.divergences)
		return cmd_fail(CMD_EXIT_FAILED, "no memory for %zu divergences", replay->list_max);
	return CMD_EXIT_OK;
}

static int play(struct replay *replay)
{
	berth_status st;

	progress_start(&replay->progress);
	st = berth_replay_run(replay->stack.trace, replay->stack.device, &replay->options,
			      &replay->outcome.report);
	progress_end(&replay->progress);
	if (st != BERTH_OK)
		return cmd_fail_detail("cannot replay", replay->setup.path);
	return replay->outcome.report.diverged ? CMD_EXIT_DIVERGED : CMD_EXIT_OK;
}

static int report(const struct replay *replay, const struct cmd_line *line, int status)
{
	const char *junit = line->values[OPTION_JUNIT];

	if (junit && replay_report_write_junit(&replay->outcome, junit) != BERTH_OK)
		return cmd_fail_detail("cannot write", junit);
	if (!line->values[OPTION_JSON])
		replay_report_print(&replay->outcome);
	else if (replay_report_print_json(&replay->outcome) != BERTH_OK)
		return cmd_fail_detail("cannot print the result", NULL);
	return status;
}

static int open_and_play(struct replay *replay, const struct cmd_line *line)
{
	int status = read_setup(replay, line);

	if (status == CMD_EXIT_OK)
		status = read_options(replay, line);
	if (status == CMD_EXIT_OK)
		status = replay_stack_open(&replay->stack, &replay->setup);
	if (status == CMD_EXIT_OK)
		status = replay_range_find(&replay->options, replay->stack.trace,
					   line->values[OPTION_FROM], line->values[OPTION_TO]);
	if (status == CMD_EXIT_OK)
		status = play(replay);
	return status <= CMD_EXIT_DIVERGED ? report(replay, line, status) : status;
}

static int run(const struct cmd_line *line)
{
	struct replay *replay;
	int status;

	if (output_check("replay", line->values[OPTION_JUNIT], line->operands[0]) != CMD_EXIT_OK)
		return CMD_EXIT_USAGE;
	replay = calloc(1, sizeof(*replay));
	if (!replay)
		return cmd_fail(CMD_EXIT_FAILED, "no memory to replay");
	replay->options = (berth_replay_options)BERTH_REPLAY_OPTIONS_INIT;
	replay->outcome.setup = &replay->setup;
	replay->outcome.stack = &replay->stack;
	status = open_and_play(replay, line);
	replay_stack_close(&replay->stack);
	free(replay->outcome.divergences);
	free(replay);
	return cmd_finish_output(status);
}

const struct cmd cmd_replay = {
	.name = "replay",
	.summary = "execute a trace on a real or simulated device",
	.operands = "FILE --on DEVICE",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Executes every operation of a trace, in order, on DEVICE, and compares each "
		"answer with the recorded one. Prints a verdict, the first operation that was "
		"answered otherwise with the rule of the OpenCL specification behind it, the "
		"peak of memory, and counts. Operations on an object that DEVICE refused are "
		"left out and counted.\n\n"
		"The trace holds no content, so bytes made from the operation's number stand "
		"in for what the program wrote. Kernels are not run: what they write is "
		"unknown.\n\n"
		"'recorded' as DEVICE is a simulator with what the trace says of the device that "
		"the "
		"program ran on, 'recorded:1' its second one.\n\n"
		"An allocation that fails ends in a verdict: max-alloc, total, fragmented, "
		"reclaimable, image-axis or not-memory, with the numbers.\n\n"
		"With --check a simulator with the limits of DEVICE and no deviations "
		"executes the same operations, and statuses, sizes, pitches and content are "
		"compared.\n\n"
		"With --from the ops before it are executed, so that their objects are there, but "
		"neither compared nor counted.\n\n"
		"With --queues commands go to a queue for each queue of the program, and wait for "
		"all that were enqueued before them elsewhere; with --threads the ops of each "
		"thread "
		"are executed by one of their own. Both keep the recorded order.\n\n"
		"With --fault chosen operations fail on DEVICE, below a pool: 'nth=N' the N-th, "
		"'rate=R:seed=S' each with probability R, 'budget=SIZE' creations by which the "
		"objects alive would take more, 'lost=N' the N-th and all after it. Behind each "
		"may "
		"stand ':KIND', a kind of operation (nth and rate), and ':CODE', the OpenCL "
		"code.\n\n"
		"The estimated time is the sum over the transfers by the transfer model of a "
		"simulated DEVICE, the host's memory taken as pageable.\n\n"
		"With --pool buffers and 2D images are ranges of a few large buffers of "
		"DEVICE, placed by POLICY (doc/pools.md), and what the pool held is printed "
		"as well; the peak is that of DEVICE.\n\n"
		"With --plan the trace is planned first (berth plan), for DEVICE, and buffers "
		"and 2D images have the places of the plan, in a few buffers of exactly the "
		"planned size. An object that departs from the plan has a buffer of its own, and "
		"is counted.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
