/* SPDX-License-Identifier: Apache-2.0 */
/* berth replay: execute a trace on another device. */
#include "cmd.h"
#include "json.h"
#include "print.h"
#include "progress.h"
#include "replay_estimate.h"
#include "replay_fault.h"
#include "replay_plan.h"
#include "replay_pool.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>

#include <berth/open.h>
#include <berth/replay.h>
#include <berth/rules.h>
#include <berth/sim.h>

enum {
	OPTION_ON,
	OPTION_CHECK,
	OPTION_GHOST,
	OPTION_MEMORY,
	OPTION_POOL,
	OPTION_PLAN,
	OPTION_FAULT,
	OPTION_JSON,
};

static const struct cmd_option options[] = {
	[OPTION_ON] = { "on", 0, "DEVICE", "the device to replay on; required" },
	[OPTION_CHECK] = { "check", 0, NULL,
			   "compare each answer and all content with the specification" },
	[OPTION_GHOST] = { "ghost", 0, NULL,
			   "keep no content (simulated devices): for traces larger than memory" },
	[OPTION_MEMORY] = { "memory", 0, "SIZE",
			    "capacity instead of the profile's (simulated devices)" },
	[OPTION_POOL] = { "pool", 0, "POLICY",
			  "carve buffers and images out of a pool: suballoc, naive, exact or "
			  "best-fit" },
	[OPTION_PLAN] = { "plan", 0, NULL,
			  "plan the trace first, and give each object the place that the plan has "
			  "for it" },
	[OPTION_FAULT] = { "fault", 0, "SPEC",
			   "make operations fail, as nth=5:write,budget=64M; see below" },
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
	{ NULL, NULL },
};

struct replay {
	const char *path;
	bool check;
	bool ghost;
	berth_trace *trace;
	berth_device *device;
	const berth_device *faulty;  /* with --fault: on the device itself */
	const berth_device *pooled;  /* with --pool: the pool device, under the checker or alone */
	const berth_device *planned; /* with --plan: the pool device that has it */
	struct replay_plan plan;
	berth_replay_report report;
};

/* Put the device under a checker; its reference is the specification at its limits. */
static berth_status add_checker(struct replay *replay)
{
	const berth_sim_options options = { .size = sizeof(options), .ghost = replay->ghost };
	berth_profile profile;
	berth_device *reference, *checker;
	berth_status st;

	berth_profile_init_reference(&profile, berth_device_caps(replay->device));
	st = berth_sim_create(&reference, &profile, &options);
	if (st != BERTH_OK)
		return st;
	st = berth_checker_create(&checker, replay->device, reference);
	if (st == BERTH_OK)
		replay->device = checker;
	else
		berth_device_destroy(reference);
	return st;
}

static int open_device(struct replay *replay, const struct cmd_line *line)
{
	berth_open_options options = BERTH_OPEN_OPTIONS_INIT;
	const char *memory = line->values[OPTION_MEMORY], *name = line->values[OPTION_ON];
	berth_status st;

	options.ghost = replay->ghost;
	if (memory && size_parse(&options.capacity_bytes, memory) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "replay: --memory: %s", berth_error_get()->message);
	st = berth_device_open(&replay->device, name, &options);
	if (st != BERTH_OK) {
		cmd_fail_detail("cannot open device", name);
		return st == BERTH_E_INVAL ? CMD_EXIT_USAGE : CMD_EXIT_FAILED;
	}
	if (line->values[OPTION_FAULT]) {
		st = replay_fault_add(&replay->device, line->values[OPTION_FAULT]);
		if (st == BERTH_E_INVAL)
			return cmd_fail(CMD_EXIT_USAGE, "replay: --fault: %s",
					berth_error_get()->message);
		if (st != BERTH_OK)
			return cmd_fail_detail("cannot put faults on", name);
		replay->faulty = replay->device;
	}
	if (line->values[OPTION_POOL]) {
		st = replay_pool_add(&replay->device, line->values[OPTION_POOL]);
		if (st == BERTH_E_NOT_FOUND)
			return cmd_fail(CMD_EXIT_USAGE, "replay: --pool: %s",
					berth_error_get()->message);
		if (st != BERTH_OK)
			return cmd_fail_detail("cannot put a pool on", name);
		replay->pooled = replay->device;
	}
	if (line->values[OPTION_PLAN]) {
		if (replay_plan_add(&replay->plan, &replay->device, replay->trace) != BERTH_OK)
			return cmd_fail_detail("cannot plan", replay->path);
		replay->planned = replay->device;
	}
	if (replay->check && add_checker(replay) != BERTH_OK)
		return cmd_fail_detail("cannot check", name);
	return CMD_EXIT_OK;
}

static bool on_progress(const berth_replay_progress *progress, void *userdata)
{
	progress_show(userdata, "berth: replayed %" PRIu64 " of %" PRIu64 " ops",
		      progress->ops_done, progress->ops_total);
	return true;
}

static int play(struct replay *replay)
{
	struct progress progress;
	const berth_replay_options options = {
		.size = sizeof(options),
		.ghost = replay->ghost,
		.progress = on_progress,
		.userdata = &progress,
	};
	berth_status st;

	progress_start(&progress);
	st = berth_replay_run(replay->trace, replay->device, &options, &replay->report);
	progress_end(&progress);
	if (st != BERTH_OK)
		return cmd_fail_detail("cannot replay", replay->path);
	return replay->report.diverged ? CMD_EXIT_DIVERGED : CMD_EXIT_OK;
}

static void print_divergence(const berth_divergence *first, bool crashed)
{
	const berth_rule *rule = first->rule ? berth_rules_find(first->rule) : NULL;

	print_text(stdout, "first divergent op: %" PRIu64 ", %s\n", first->seq, first->op);
	print_text(stdout, "  recorded: %s\n", berth_cl_status_string(first->recorded));
	print_text(stdout, "  replayed: %s\n",
		   crashed ? "the device crashes" : berth_cl_status_string(first->replayed));
	if (rule)
		print_text(stdout, "  rule:     %s (%s): %s\n", rule->id, rule->section,
			   rule->summary);
	else if (first->rule)
		print_text(stdout, "  rule:     %s\n", first->rule);
	if (*first->text)
		print_text(stdout, "  why:      %s\n", first->text);
}

static void print_memory(const berth_memory *memory)
{
	char peak[SIZE_TEXT_BYTES], capacity[SIZE_TEXT_BYTES];

	print_text(stdout, "peak:        %s", size_text(peak, memory->peak_bytes));
	if (memory->capacity_bytes > 0)
		print_text(stdout, " of %s", size_text(capacity, memory->capacity_bytes));
	putchar('\n');
}

static void print_verdict(const struct replay *replay)
{
	const berth_replay_report *report = &replay->report;
	char moved[SIZE_TEXT_BYTES];

	print_text(stdout, "verdict: %s\n", report->diverged ? "diverged" : "no divergence");
	print_text(stdout, "trace '%s' on %s\n", replay->path, berth_device_name(replay->device));
	if (report->diverged)
		print_divergence(&report->first, report->lost_seq == report->first.seq);
	print_text(stdout,
		   "ops:         %" PRIu64 ", executed %" PRIu64 ", divergences %" PRIu64 "\n",
		   report->ops, report->executed, report->divergences);
	print_text(stdout,
		   "left out:    %" PRIu64 " that need a refused object, %" PRIu64
		   " not replayable\n",
		   report->consequences, report->not_replayable);
	print_text(stdout, "other codes: %" PRIu64 " refused by both with different codes\n",
		   report->code_differences);
	if (replay->check)
		print_text(stdout,
			   "content:     %" PRIu64 " compared, %" PRIu64 " unknown, %" PRIu64
			   " memory failures on one side\n",
			   report->content_compared, report->content_unknown,
			   report->memory_failures);
	if (report->recorded_compared > 0)
		print_text(stdout, "recorded:    %" PRIu64 " reads compared with what was recorded\n",
			   report->recorded_compared);
	print_memory(&report->memory);
	if (replay->faulty)
		replay_fault_print(replay->faulty);
	if (replay->pooled)
		replay_pool_print(replay->pooled);
	if (replay->planned)
		replay_plan_print(&replay->plan, replay->planned);
	print_text(stdout, "bytes moved: %s\n", size_text(moved, report->bytes_moved));
	replay_estimate_print(&report->estimate);
	print_text(stdout, "elapsed:     %.3f s\n", (double)report->elapsed_ns / 1e9);
}

static void set_divergence(json_builder *json, const berth_divergence *first)
{
	const berth_rule *rule = first->rule ? berth_rules_find(first->rule) : NULL;

	json_set_object(json, "$.first");
	json_set_number(json, "$.first.seq", first->seq);
	json_set_text(json, "$.first.op", first->op);
	json_set_text(json, "$.first.recorded", berth_cl_status_string(first->recorded));
	json_set_signed(json, "$.first.recorded_code", first->recorded);
	json_set_text(json, "$.first.replayed", berth_cl_status_string(first->replayed));
	json_set_signed(json, "$.first.replayed_code", first->replayed);
	json_set_text(json, "$.first.rule", first->rule);
	json_set_text(json, "$.first.section", rule ? rule->section : NULL);
	json_set_text(json, "$.first.why", first->text);
}

static int print_json(const struct replay *replay, int status)
{
	const berth_replay_report *report = &replay->report;
	const struct {
		const char *path;
		uint64_t number;
	} numbers[] = {
		{ "$.ops", report->ops },
		{ "$.executed", report->executed },
		{ "$.divergences", report->divergences },
		{ "$.code_differences", report->code_differences },
		{ "$.consequences", report->consequences },
		{ "$.not_replayable", report->not_replayable },
		{ "$.bytes_moved", report->bytes_moved },
		{ "$.content_compared", report->content_compared },
		{ "$.content_unknown", report->content_unknown },
		{ "$.recorded_compared", report->recorded_compared },
		{ "$.memory_failures", report->memory_failures },
		{ "$.lost_seq", report->lost_seq },
		{ "$.peak_bytes", report->memory.peak_bytes },
		{ "$.capacity_bytes", report->memory.capacity_bytes },
		{ "$.elapsed_ns", report->elapsed_ns },
	};
	json_builder *json = json_builder_create();

	json_set_text(json, "$.verdict", report->diverged ? "diverged" : "no divergence");
	json_set_text(json, "$.trace", replay->path);
	json_set_text(json, "$.device", berth_device_name(replay->device));
	json_set_bool(json, "$.checked", replay->check);
	json_set_bool(json, "$.ghost", replay->ghost);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_set_number(json, numbers[i].path, numbers[i].number);
	replay_estimate_set_json(json, &report->estimate);
	if (replay->faulty)
		replay_fault_set_json(json, replay->faulty);
	if (replay->pooled)
		replay_pool_set_json(json, replay->pooled);
	if (replay->planned)
		replay_plan_set_json(json, &replay->plan, replay->planned);
	json_set_text(json, "$.first", NULL);
	if (report->diverged)
		set_divergence(json, &report->first);
	if (json_print(json) != BERTH_OK)
		status = cmd_fail_detail("cannot print the result", NULL);
	json_builder_destroy(json);
	return status;
}

static int open_and_play(struct replay *replay, const struct cmd_line *line)
{
	int status;

	if (berth_trace_open(&replay->trace, replay->path) != BERTH_OK)
		return cmd_fail_detail("cannot open", replay->path);
	status = open_device(replay, line);
	if (status != CMD_EXIT_OK)
		return status;
	status = play(replay);
	if (status > CMD_EXIT_DIVERGED)
		return status;
	if (line->values[OPTION_JSON])
		return print_json(replay, status);
	print_verdict(replay);
	return status;
}

static int run(const struct cmd_line *line)
{
	struct replay replay = {
		.path = line->operands[0],
		.check = line->values[OPTION_CHECK],
		.ghost = line->values[OPTION_GHOST],
	};
	int status;

	if (!line->values[OPTION_ON])
		return cmd_fail(CMD_EXIT_USAGE, "replay: no device; name one with --on, "
						"'berth devices' lists them");
	if (line->values[OPTION_POOL] && line->values[OPTION_PLAN])
		return cmd_fail(CMD_EXIT_USAGE, "replay: --plan has a pool of its own: not with "
						"--pool");
	status = open_and_play(&replay, line);
	berth_device_destroy(replay.device);
	berth_trace_close(replay.trace);
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
		"With --check a simulator with the limits of DEVICE and no deviations "
		"executes the same operations, and statuses, sizes, pitches and content are "
		"compared.\n\n"
		"With --fault chosen operations fail on DEVICE, below a pool: 'nth=N' the N-th, "
		"'rate=R:seed=S' each with probability R, 'budget=SIZE' creations by which the "
		"objects alive would take more, 'lost=N' the N-th and all after it. Behind each may "
		"stand ':KIND', a kind of operation (nth and rate), and ':CODE', the OpenCL code.\n\n"
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
