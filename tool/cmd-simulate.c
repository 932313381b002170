/* SPDX-License-Identifier: Apache-2.0 */
/* berth simulate: run a program as if its OpenCL device was another. */
#include "cmd.h"
#include "child.h"
#include "simulate_setup.h"
#include "size.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/fault.h>
#include <berth/record.h>

enum {
	OPTION_ON,
	OPTION_MEMORY,
	OPTION_SET,
	OPTION_TYPE,
	OPTION_FAULT,
	OPTION_RECORD,
	OPTION_EXPLAIN,
};

static const struct cmd_option options[] = {
	[OPTION_ON] = { "on", 0, "DEVICE,...",
			"the device to be seen, as sim:adreno-650; several: one a real device" },
	[OPTION_MEMORY] = { "memory", 0, "SIZE", "give the device so much memory, as 512M" },
	[OPTION_SET] = { "set", 0, "KEY=VALUE,...",
			 "change a value of the profile (doc/profile-format.md); may be given again" },
	[OPTION_TYPE] = { "type", 0, "TYPE",
			  "the type of device that the program sees: gpu, cpu, or real (default)" },
	[OPTION_FAULT] = { "fault", 0, "SPEC,...",
			   "fail chosen calls, as nth=5:buffer_create or budget=64M" },
	[OPTION_RECORD] = { "record", 0, "FILE", "record what the program sees, as 'berth record'" },
	[OPTION_EXPLAIN] = { "explain", 0, NULL,
			     "say each refusal on stderr: the call, the rule, the limit" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_USAGE, "wrong usage; the program was not started" },
	{ CMD_EXIT_FAILED, "the program cannot run, or the device cannot be opened" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth simulate --on sim:adreno-650 -- ./program", "a phone's limits on this machine" },
	{ "berth simulate --on sim:nvidia-gtx-1650 --memory 512M --explain -- ./program",
	  "which call runs out of memory, and why" },
	{ "berth simulate --on sim:mali-g610 --type gpu -- ./program",
	  "a program that wants a GPU, where there is only a driver for the CPU" },
	{ "berth simulate --on sim:mali-g610 --record t.db -- ./program",
	  "record what the program does there" },
	{ NULL, NULL },
};

#define WAIT_MS 1000
/* The first entry of the recorder's variable of that name (layer_path.h). */
#define ENV_LAYER "BERTH_LAYER"

/* As CL_DEVICE_TYPE has it, decimal; NULL: there is no such type. */
static const char *type_value(const char *name)
{
	static const struct {
		const char *name, *value;
	} types[] = { { "real", "0" }, { "cpu", "2" }, { "gpu", "4" } };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(name, types[i].name) == 0)
			return types[i].value;
	return NULL;
}

static int read_request(struct simulate_request *out, const struct cmd_line *line)
{
	const char *memory = line->values[OPTION_MEMORY], *fault = line->values[OPTION_FAULT];
	const char *type = line->values[OPTION_TYPE];
	berth_fault_spec spec;

	*out = (struct simulate_request){ .devices = line->values[OPTION_ON],
					  .settings = line->values[OPTION_SET] };
	if (!out->devices)
		return cmd_fail(CMD_EXIT_USAGE, "simulate: --on DEVICE is missing; 'berth devices' "
						"lists them");
	if (memory && (size_parse(&out->memory_bytes, memory) != BERTH_OK || !out->memory_bytes))
		return cmd_fail(CMD_EXIT_USAGE, "simulate: --memory: %s",
				out->memory_bytes || !*berth_error_get()->message
					? "the size is 0"
					: berth_error_get()->message);
	if (type && !type_value(type))
		return cmd_fail(CMD_EXIT_USAGE, "simulate: --type: '%s' is not gpu, cpu or real",
				type);
	if (fault && berth_fault_parse(&spec, fault) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "simulate: --fault: %s", berth_error_get()->message);
	return CMD_EXIT_OK;
}

/* For the program, which inherits them. */
static int set_environment(const struct simulate_setup *setup, const struct cmd_line *line)
{
	const char *fault = line->values[OPTION_FAULT];
	const char *type = line->values[OPTION_TYPE];
	const struct child_variable variables[] = {
		{ BERTH_ENV_SIMULATE, setup->paths },
		{ BERTH_ENV_SIMULATE_FAULT, fault ? fault : "" },
		{ BERTH_ENV_SIMULATE_EXPLAIN, line->values[OPTION_EXPLAIN] ? "1" : "0" },
		{ BERTH_ENV_SIMULATE_TYPE, type ? type_value(type) : "0" },
		{ ENV_LAYER, setup->layer },
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (setenv(variables[i].name, variables[i].value, 1) != 0)
			return cmd_fail(CMD_EXIT_FAILED, "no memory for the environment");
	return CMD_EXIT_OK;
}

static int run_recorded(const struct cmd_line *line)
{
	struct cmd_line record = { .operands = line->operands,
				   .operand_count = line->operand_count };
	int i = 0;

	while (strcmp(cmd_record.options[i].name, "output") != 0)
		i++;
	record.values[i] = line->values[OPTION_RECORD];
	return cmd_record.run(&record);
}

static int run_alone(const struct simulate_setup *setup, const struct cmd_line *line)
{
	const char *others = getenv("OPENCL_LAYERS");
	char layers[2 * PATH_MAX];
	const struct child_variable variables[] = { { "OPENCL_LAYERS", layers }, { NULL, NULL } };
	struct child child;

	if (strchr(setup->layer, ':'))
		return cmd_fail(CMD_EXIT_FAILED,
				"cannot simulate: the OpenCL loader cannot take a ':' in '%s'",
				setup->layer);
	snprintf(layers, sizeof(layers), "%s%s%s", setup->layer, others && *others ? ":" : "",
		 others ? others : "");
	unsetenv(BERTH_ENV_SPOOL_DIR);
	if (child_start(&child, line->operands, variables, NULL) != BERTH_OK)
		return cmd_fail(CMD_EXIT_FAILED, "%s", berth_error_get()->message);
	while (!child.ended)
		child_wait(&child, WAIT_MS);
	child_finish(&child);
	return child_exit_like(&child);
}

static int run(const struct cmd_line *line)
{
	struct simulate_setup setup = { .file_count = 0 };
	struct simulate_request request;
	int status = read_request(&request, line);

	if (status == CMD_EXIT_OK)
		status = simulate_setup_open(&setup, &request);
	if (status == CMD_EXIT_OK)
		status = set_environment(&setup, line);
	if (status == CMD_EXIT_OK)
		status = line->values[OPTION_RECORD] ? run_recorded(line)
						     : run_alone(&setup, line);
	simulate_setup_close(&setup);
	return status;
}

const struct cmd cmd_simulate = {
	.name = "simulate",
	.summary = "run a program as if on another GPU",
	.operands = "[--] PROGRAM [ARGUMENTS]",
	.operands_min = 1,
	.operands_max = -1,
	.description =
		"Runs PROGRAM, unmodified, with a layer that the OpenCL loader puts between it "
		"and the driver. The program sees DEVICE: its name, its limits and alignments, "
		"its image formats. Each memory call is first executed on the simulated device: "
		"what that refuses, or has no memory for, the program is refused with the same "
		"code at the same time, and the driver does not see it. All else runs on the driver that "
		"is there, kernels too.\n\n"
		"What only the driver that is there refuses is said on stderr: it is this "
		"machine's limit, not the device's. doc/simulate.md has what is simulated and "
		"what is not.\n\n"
		"Exits with the program's exit status, or ends by the signal that ended it.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
