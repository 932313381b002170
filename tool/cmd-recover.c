/* SPDX-License-Identifier: Apache-2.0 */
/* berth recover: finish a recording whose recorder died. */
#include "cmd.h"
#include "recording.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_OUTPUT };

static const struct cmd_option options[] = {
	[OPTION_OUTPUT] = { "output", 'o', "FILE",
			    "the trace to write (default: SPOOL-DIR without '.spool')" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "the trace is written and the spool removed" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "not recovered, or only up to where the spool is damaged; it is kept" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth recover berth.db.spool", "write berth.db from what a killed berth left" },
	{ NULL, NULL },
};

static bool ends_with(const char *text, const char *end)
{
	size_t text_length = strlen(text), end_length = strlen(end);

	return text_length > end_length && strcmp(text + text_length - end_length, end) == 0;
}

/* SPOOL-DIR without slashes at its end and without ".spool". */
static int default_target(char path[PATH_MAX], const char *directory)
{
	size_t length = strlen(directory);

	while (length > 1 && directory[length - 1] == '/')
		length--;
	if (snprintf(path, PATH_MAX, "%.*s", (int)length, directory) >= PATH_MAX)
		return cmd_fail(CMD_EXIT_FAILED, "the name '%s' is too long", directory);
	if (!ends_with(path, BERTH_SPOOL_FOLDER_SUFFIX))
		return cmd_fail(CMD_EXIT_USAGE,
				"recover: '%s' does not end in '" BERTH_SPOOL_FOLDER_SUFFIX
				"'; name the trace with -o",
				directory);
	path[strlen(path) - strlen(BERTH_SPOOL_FOLDER_SUFFIX)] = '\0';
	return CMD_EXIT_OK;
}

/* Finishing removes the directory, so it must be one of ours. */
static bool holds_spool(const char *directory)
{
	DIR *entries = opendir(directory);
	const struct dirent *entry;
	bool found = false;

	if (!entries)
		return false;
	while (!found && (entry = readdir(entries)))
		found = ends_with(entry->d_name, BERTH_SPOOL_FOLDER_SUFFIX) ||
			strcmp(entry->d_name, BERTH_DRAIN_LOCK_NAME) == 0;
	closedir(entries);
	return found;
}

static int recover(const char *directory, const char *target)
{
	bool unrecorded = false;
	berth_drain *drain;
	berth_status st;

	if (!holds_spool(directory))
		return cmd_fail(CMD_EXIT_FAILED,
				"'%s' is not a spool directory with anything in it", directory);
	if (recording_check_target(target) != BERTH_OK ||
	    berth_drain_create(&drain, directory) != BERTH_OK)
		return cmd_fail_detail("cannot recover", directory);
	st = recording_finish(drain, target, &unrecorded);
	berth_drain_destroy(drain);
	return st == BERTH_OK ? CMD_EXIT_OK : cmd_fail_detail("cannot recover", directory);
}

static int run(const struct cmd_line *line)
{
	const char *directory = line->operands[0], *target = line->values[OPTION_OUTPUT];
	char path[PATH_MAX];
	int status = CMD_EXIT_OK;

	if (!target) {
		status = default_target(path, directory);
		target = path;
	}
	return status == CMD_EXIT_OK ? recover(directory, target) : status;
}

const struct cmd cmd_recover = {
	.name = "recover",
	.summary = "finish a recording whose recorder died",
	.operands = "SPOOL-DIR",
	.operands_min = 1,
	.operands_max = 1,
	.description = "Writes the trace from a spool that a killed 'berth record' left behind: "
		       "everything that the recorded program did is in it, up to the call that it "
		       "ended in. Then removes the spool. The recorded processes must have ended.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
