/* SPDX-License-Identifier: Apache-2.0 */
/* berth top: what is alive in a recording, while it goes on. */
#include "cmd.h"
#include "json.h"
#include "print.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <berth/live.h>

enum { OPTION_ONCE, OPTION_INTERVAL, OPTION_JSON };

static const struct cmd_option options[] = {
	[OPTION_ONCE] = { "once", 0, NULL, "print how it stands now, and stop" },
	[OPTION_INTERVAL] = { "interval", 0, "SECONDS", "look again after so long (default: 1)" },
	[OPTION_JSON] = { "json", 0, NULL, "print it as JSON; implies --once" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "nothing is recorded there" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth top t.db", "watch what 'berth record -o t.db' records" },
	{ "berth top --once t.db", "once, for a script or a log" },
	{ NULL, NULL },
};

/* A table of this many rows fits every terminal. */
#define GROUPS_SHOWN 16

static void print_table(const berth_live_state *state, double ops_a_second)
{
	char text[SIZE_TEXT_BYTES];

	print_text(stdout, "%s%s\n", state->program ? state->program : "unknown",
		   state->ended ? ", ended" : "");
	print_text(stdout, "ops %" PRIu64 ", %.0f a second, failed %" PRIu64 ", at %.1f s\n",
		   state->ops, ops_a_second, state->failed, (double)state->last_ns / 1e9);
	print_text(stdout, "alive %" PRIu64 " of %" PRIu64 " objects, %s\n", state->alive,
		   state->made, size_text(text, state->alive_bytes));
	print_text(stdout, "%14s %7s %14s  %-7s %s\n", "bytes", "objects", "each", "kind", "name");
	for (uint32_t i = 0; i < state->group_count && i < GROUPS_SHOWN; i++) {
		const berth_live_group *group = &state->groups[i];

		print_text(stdout, "%14" PRIu64 " %7" PRIu64 " %14" PRIu64 "  %-7s %s\n",
			   group->bytes, group->count, group->each_bytes, group->kind,
			   group->label ? group->label : "");
	}
	if (state->group_count > GROUPS_SHOWN)
		print_text(stdout, "and more: see --json\n");
}

static int print_json(const berth_live_state *state)
{
	json_builder *json = json_builder_create();
	int status = CMD_EXIT_OK;

	json_set_text(json, "$.program", state->program);
	json_set_bool(json, "$.ended", state->ended);
	json_set_number(json, "$.ops", state->ops);
	json_set_number(json, "$.failed", state->failed);
	json_set_number(json, "$.last_ns", state->last_ns);
	json_set_number(json, "$.made", state->made);
	json_set_number(json, "$.alive", state->alive);
	json_set_number(json, "$.alive_bytes", state->alive_bytes);
	json_set_number(json, "$.other_bytes", state->other_bytes);
	json_set_array(json, "$.groups");
	for (uint32_t i = 0; i < state->group_count; i++) {
		const berth_live_group *group = &state->groups[i];

		json_set_object(json, "$.groups[#]");
		json_set_text(json, "$.groups[#-1].kind", group->kind);
		json_set_text(json, "$.groups[#-1].label", group->label);
		json_set_number(json, "$.groups[#-1].each_bytes", group->each_bytes);
		json_set_number(json, "$.groups[#-1].count", group->count);
		json_set_number(json, "$.groups[#-1].bytes", group->bytes);
	}
	if (json_print(json) != BERTH_OK)
		status = cmd_fail_detail("cannot print JSON", NULL);
	json_builder_destroy(json);
	return status;
}

static void sleep_seconds(uint64_t seconds)
{
	const struct timespec pause = { .tv_sec = (time_t)seconds };

	nanosleep(&pause, NULL);
}

/* Until the trace is finished: then its file moves away, and cannot be read any more. */
static int watch(berth_live *live, berth_live_state *state, uint64_t seconds)
{
	bool terminal = isatty(STDOUT_FILENO);
	uint64_t ops_before = state->ops;

	if (state->ended)
		print_table(state, 0);
	while (!state->ended) {
		/* From the top of a cleared screen. */
		if (terminal)
			fputs("\033[H\033[2J", stdout);
		print_table(state, (double)(state->ops - ops_before) / (double)seconds);
		if (!terminal)
			fputs("\n", stdout);
		if (fflush(stdout) != 0)
			return CMD_EXIT_OK;
		ops_before = state->ops;
		sleep_seconds(seconds);
		if (berth_live_read(state, live) != BERTH_OK)
			break;
	}
	fputs("the recording has ended\n", stdout);
	return CMD_EXIT_OK;
}

static int run(const struct cmd_line *line)
{
	const char *path = line->operands[0], *interval = line->values[OPTION_INTERVAL];
	bool json = line->values[OPTION_JSON];
	uint64_t seconds = 1;
	berth_live_state state;
	berth_live *live;
	int status = CMD_EXIT_OK;

	if (interval && number_parse(&seconds, interval, 1, 86400) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "top: --interval: %s", berth_error_get()->message);
	if (berth_live_open(&live, path) != BERTH_OK)
		return cmd_fail_detail("cannot watch", path);
	if (berth_live_read(&state, live) != BERTH_OK)
		status = cmd_fail_detail("cannot watch", path);
	else if (json)
		status = print_json(&state);
	else if (line->values[OPTION_ONCE])
		print_table(&state, state.last_ns ? (double)state.ops * 1e9 / (double)state.last_ns
						  : 0);
	else
		status = watch(live, &state, seconds);
	berth_live_close(live);
	return cmd_finish_output(status);
}

const struct cmd cmd_top = {
	.name = "top",
	.summary = "watch what is alive in a recording that goes on",
	.operands = "FILE",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Shows, and again each second, how much memory the recorded program has alive, in "
		"how many objects, grouped by kind, name and size, largest first. FILE is the "
		"trace that 'berth record -o FILE' is going to write, or its spool folder; of "
		"several processes the one that wrote last is shown. Ends with the recording.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
