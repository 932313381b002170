/* SPDX-License-Identifier: Apache-2.0 */
#include "record_options.h"

#include "recording.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	OPTION_OUTPUT,
	OPTION_VIA,
	OPTION_NO_DIGEST,
	OPTION_PAYLOAD,
	OPTION_STACKS,
	OPTION_DEPTH,
	OPTION_SPLIT_WAITS,
	OPTION_START_MARK,
	OPTION_START_AFTER,
	OPTION_MARK_SIGNAL,
	OPTION_MAX_SIZE,
	OPTION_WAIT_CHILDREN,
	OPTION_SPOOL,
};

const struct cmd_option record_option_table[] = {
	[OPTION_OUTPUT] = { "output", 'o', "FILE",
			    "the trace to write (default: " RECORDING_DEFAULT_FILE ")" },
	[OPTION_VIA] = { "via", 0, "WAY",
			 "how the recorder gets in: layer (default), library or preload" },
	[OPTION_NO_DIGEST] = { "no-digest", 0, NULL,
			       "leave out the digests of what the program transfers: cheaper" },
	[OPTION_PAYLOAD] = { "payload", 0, "SIZE",
			     "keep the bytes of transfers of at most SIZE each, as 64K" },
	[OPTION_STACKS] = { "stacks", 0, NULL,
			    "record where in the program each op was called" },
	[OPTION_DEPTH] = { "stack-depth", 0, "N",
			   "the most frames of a call stack (default: 32; at most 128)" },
	[OPTION_SPLIT_WAITS] = { "split-waits", 0, NULL,
				 "wait for the queue before transfers that block, in a sync of "
				 "its own" },
	[OPTION_START_MARK] = { "start-mark", 0, "TEXT",
				"begin the trace at the mark TEXT; what is alive then is in it" },
	[OPTION_START_AFTER] = { "start-after", 0, "SECONDS",
				 "begin the trace so long after the program's first call" },
	[OPTION_MARK_SIGNAL] = { "mark-signal", 0, "NAME",
				 "USR1 or USR2, sent to berth, writes the mark \"signal NAME\"" },
	[OPTION_MAX_SIZE] = { "max-size", 0, "SIZE",
			      "end the trace when it is so large, as 500M; the program goes on" },
	[OPTION_WAIT_CHILDREN] = { "wait-children", 0, NULL,
				   "wait for all processes that the program leaves running" },
	[OPTION_SPOOL] = { "spool", 0, "DIR",
			   "put the spool into DIR instead of beside FILE, as /dev/shm" },
	{ .name = NULL },
};

#define STACK_DEPTH_MAX 128
#define STACK_DEPTH_DEFAULT "32"
/* A thousand years: nobody waits longer, and it fits. */
#define SECONDS_MAX UINT64_C(31536000000)

static int wrong(const char *option)
{
	return cmd_fail(CMD_EXIT_USAGE, "record: --%s: %s", option, berth_error_get()->message);
}

static int read_via(struct record_options *out, const struct cmd_line *line)
{
	static const char *const ways[] = {
		[RECORD_VIA_LAYER] = "layer",
		[RECORD_VIA_LIBRARY] = "library",
		[RECORD_VIA_PRELOAD] = "preload",
	};
	const char *text = line->values[OPTION_VIA];

	if (!text)
		return CMD_EXIT_OK;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(text, ways[i]) != 0)
			continue;
		out->via = (enum record_via)i;
		return CMD_EXIT_OK;
	}
	return cmd_fail(CMD_EXIT_USAGE, "record: --via: '%s' is not layer, library or preload",
			text);
}

static int read_payload(struct record_options *out, const struct cmd_line *line)
{
	const char *text = line->values[OPTION_PAYLOAD];
	uint64_t bytes = 0;

	if (text && line->values[OPTION_NO_DIGEST])
		return cmd_fail(CMD_EXIT_USAGE, "record: --payload needs digests: not with "
						"--no-digest");
	if (text && size_parse(&bytes, text) != BERTH_OK)
		return wrong("payload");
	snprintf(out->payload, sizeof(out->payload), "%" PRIu64, bytes);
	return CMD_EXIT_OK;
}

static int read_stacks(struct record_options *out, const struct cmd_line *line)
{
	const char *depth = line->values[OPTION_DEPTH];
	uint64_t frames = 0;

	if (line->values[OPTION_STACKS] && !depth)
		depth = STACK_DEPTH_DEFAULT;
	if (depth && number_parse(&frames, depth, 1, STACK_DEPTH_MAX) != BERTH_OK)
		return wrong("stack-depth");
	snprintf(out->stacks, sizeof(out->stacks), "%" PRIu64, frames);
	return CMD_EXIT_OK;
}

static int read_limits(struct record_options *out, const struct cmd_line *line)
{
	const char *after = line->values[OPTION_START_AFTER];
	const char *size = line->values[OPTION_MAX_SIZE];
	uint64_t seconds = 0;

	out->limits.start_mark = line->values[OPTION_START_MARK];
	if (after && number_parse(&seconds, after, 1, SECONDS_MAX) != BERTH_OK)
		return wrong("start-after");
	out->limits.start_ns = seconds * UINT64_C(1000000000);
	if (size && size_parse(&out->limits.max_bytes, size) != BERTH_OK)
		return wrong("max-size");
	return CMD_EXIT_OK;
}

static int read_mark_signal(struct record_options *out, const struct cmd_line *line)
{
	const char *name = line->values[OPTION_MARK_SIGNAL];

	if (!name)
		return CMD_EXIT_OK;
	if (strcmp(name, "USR1") == 0)
		out->child.mark_signal = SIGUSR1;
	else if (strcmp(name, "USR2") == 0)
		out->child.mark_signal = SIGUSR2;
	else
		return cmd_fail(CMD_EXIT_USAGE, "record: --mark-signal: '%s' is not USR1 or USR2",
				name);
	return CMD_EXIT_OK;
}

int record_options_read(struct record_options *out, const struct cmd_line *line)
{
	static int (*const readers[])(struct record_options *out, const struct cmd_line *line) = {
		read_via, read_payload, read_stacks, read_limits, read_mark_signal,
	};
	const char *output = line->values[OPTION_OUTPUT];
	int status = CMD_EXIT_OK;

	*out = (struct record_options){
		.file = output ? output : RECORDING_DEFAULT_FILE,
		.spool_folder = line->values[OPTION_SPOOL],
		.limits = BERTH_DRAIN_LIMITS_INIT,
		.digest = line->values[OPTION_NO_DIGEST] ? "0" : "1",
		.split_waits = line->values[OPTION_SPLIT_WAITS] ? "1" : "0",
		.child.adopts = line->values[OPTION_WAIT_CHILDREN],
	};
	for (size_t i = 0; status == CMD_EXIT_OK && i < sizeof(readers) / sizeof(readers[0]); i++)
		status = readers[i](out, line);
	return status;
}
