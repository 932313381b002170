/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_stack.h"

#include "cmd.h"
#include "replay_fault.h"
#include "replay_pool.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/checker.h>
#include <berth/open.h>
#include <berth/sim.h>

#define RECORDED "recorded"

/* "recorded" or "recorded:N": the device that the trace is of. */
static bool is_recorded(const char *name)
{
	size_t length = strlen(RECORDED);

	return strncmp(name, RECORDED, length) == 0 && (!name[length] || name[length] == ':');
}

static berth_status recorded_profile(berth_profile *profile, berth_trace *trace, const char *name)
{
	const char *index = name + strlen(RECORDED);
	uint64_t number = 0;
	berth_caps caps;
	berth_status st = BERTH_OK;

	if (*index)
		st = number_parse(&number, index + 1, 0, UINT32_MAX);
	if (st == BERTH_OK)
		st = berth_trace_device(&caps, trace, (uint32_t)number);
	if (st != BERTH_OK)
		return st;
	berth_profile_init_reference(profile, &caps);
	snprintf(profile->name, sizeof(profile->name), "%s", name);
	if (caps.global_mem_bytes > 0)
		profile->memory.capacity_bytes = caps.global_mem_bytes;
	return BERTH_OK;
}

static berth_status open_recorded(struct replay_stack *stack, const struct replay_setup *setup,
				  const char *settings)
{
	const berth_sim_options options = { .size = sizeof(options),
					    .ghost = setup->ghost,
					    .capacity_bytes = setup->memory_bytes };
	berth_profile *profile = malloc(sizeof(*profile));
	berth_status st;

	if (!profile)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a profile");
	st = recorded_profile(profile, stack->trace, setup->device);
	/* What is wrong is in the trace; settings may put it right. */
	if (st == BERTH_OK && !settings && berth_caps_validate(&profile->caps) != BERTH_OK)
		st = berth_error_set(BERTH_E_FORMAT, 0, "damaged trace: table 'device': %s",
				     berth_error_get()->message);
	if (st == BERTH_OK && settings)
		st = berth_profile_override(profile, settings);
	if (st == BERTH_OK)
		st = berth_sim_create(&stack->device, profile, &options);
	free(profile);
	return st;
}

static berth_status open_named(struct replay_stack *stack, const struct replay_setup *setup,
			       const char *settings)
{
	berth_open_options options = BERTH_OPEN_OPTIONS_INIT;

	options.ghost = setup->ghost;
	options.capacity_bytes = setup->memory_bytes;
	options.settings = settings;
	options.queues = setup->queues;
	return berth_device_open(&stack->device, setup->device, &options);
}

/* The settings of --max-alloc and --set in one text; *text: free(). */
static berth_status join_settings(char **text, const struct replay_setup *setup)
{
	const char *more = setup->settings ? setup->settings : "";

	*text = NULL;
	if (!setup->settings && !setup->max_alloc_bytes)
		return BERTH_OK;
	if ((setup->max_alloc_bytes ? asprintf(text, "max_alloc_bytes=%" PRIu64 ",%s",
					       setup->max_alloc_bytes, more)
				    : asprintf(text, "%s", more)) >= 0)
		return BERTH_OK;
	*text = NULL;
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for settings");
}

static int open_device(struct replay_stack *stack, const struct replay_setup *setup)
{
	char *settings;
	berth_status st = join_settings(&settings, setup);

	if (st == BERTH_OK)
		st = is_recorded(setup->device) ? open_recorded(stack, setup, settings)
						: open_named(stack, setup, settings);
	free(settings);
	if (st == BERTH_OK)
		return CMD_EXIT_OK;
	cmd_fail_detail("cannot open device", setup->device);
	return st == BERTH_E_INVAL ? CMD_EXIT_USAGE : CMD_EXIT_FAILED;
}

static int add_fault(struct replay_stack *stack, const struct replay_setup *setup)
{
	berth_status st = replay_fault_add(&stack->device, setup->fault);

	if (st == BERTH_E_INVAL)
		return cmd_fail(CMD_EXIT_USAGE, "%s: --fault: %s", setup->command,
				berth_error_get()->message);
	if (st != BERTH_OK)
		return cmd_fail_detail("cannot put faults on", setup->device);
	stack->faulty = stack->device;
	return CMD_EXIT_OK;
}

static int add_pool(struct replay_stack *stack, const struct replay_setup *setup)
{
	berth_status st = replay_pool_add(&stack->device, setup->pool);

	if (st == BERTH_E_NOT_FOUND)
		return cmd_fail(CMD_EXIT_USAGE, "%s: --pool: %s", setup->command,
				berth_error_get()->message);
	if (st != BERTH_OK)
		return cmd_fail_detail("cannot put a pool on", setup->device);
	stack->pooled = stack->device;
	return CMD_EXIT_OK;
}

static int add_plan(struct replay_stack *stack, const struct replay_setup *setup)
{
	if (replay_plan_add(&stack->plan, &stack->device, stack->trace) != BERTH_OK)
		return cmd_fail_detail("cannot plan", setup->path);
	stack->planned = stack->device;
	return CMD_EXIT_OK;
}

/* Put the device under a checker; its reference is the specification at its limits. */
static int add_checker(struct replay_stack *stack, const struct replay_setup *setup)
{
	const berth_sim_options options = { .size = sizeof(options), .ghost = setup->ghost };
	berth_profile *profile = malloc(sizeof(*profile));
	berth_device *reference = NULL, *checker;
	berth_status st = BERTH_E_NOMEM;

	if (profile) {
		berth_profile_init_reference(profile, berth_device_caps(stack->device));
		st = berth_sim_create(&reference, profile, &options);
	} else {
		berth_error_set(st, 0, "no memory for a profile");
	}
	free(profile);
	if (st == BERTH_OK)
		st = berth_checker_create(&checker, stack->device, reference);
	if (st != BERTH_OK) {
		berth_device_destroy(reference);
		return cmd_fail_detail("cannot check", setup->device);
	}
	stack->device = checker;
	return CMD_EXIT_OK;
}

int replay_stack_open(struct replay_stack *stack, const struct replay_setup *setup)
{
	int status;

	if (berth_trace_open(&stack->trace, setup->path) != BERTH_OK)
		return cmd_fail_detail("cannot open", setup->path);
	status = open_device(stack, setup);
	if (status == CMD_EXIT_OK && setup->fault)
		status = add_fault(stack, setup);
	if (status == CMD_EXIT_OK && setup->pool)
		status = add_pool(stack, setup);
	if (status == CMD_EXIT_OK && setup->plan)
		status = add_plan(stack, setup);
	if (status == CMD_EXIT_OK && setup->check)
		status = add_checker(stack, setup);
	return status;
}

void replay_stack_close(struct replay_stack *stack)
{
	berth_device_destroy(stack->device);
	berth_trace_close(stack->trace);
}
