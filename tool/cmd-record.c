/* SPDX-License-Identifier: Apache-2.0 */
/* berth record: run a program with the recording layer, and drain what it records. */
#include "cmd.h"
#include "child.h"
#include "progress.h"
#include "record_options.h"
#include "record_way.h"
#include "recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_USAGE, "wrong usage; the program was not started" },
	{ CMD_EXIT_FAILED,
	  "no trace: the program cannot run, made no OpenCL call and exited with 0, "
	  "or FILE cannot be written" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth record -- clpeak --transfer-bandwidth", "record a program into berth.db" },
	{ "berth record -o t.db -- ./program --its-own -o ptions", "name the trace" },
	{ "berth record --stacks --payload 64K -- ./program", "where from, and which bytes" },
	{ "berth record --start-mark run --max-size 1G -- ./program", "a part of a long run" },
	{ NULL, NULL },
};

/* How long to let the spool fill, unless there is much in it: draining costs the program time. */
#define PAUSE_MS 25
#define BUSY_RECORDS 4096
/* A tenth of a processor at least, when all are wanted: the spool stays small. */
#define DRAIN_NICE 10

struct recording {
	struct record_options options;
	struct record_way way;
	char spool[PATH_MAX]; /* absolute */
	berth_drain *drain;
	struct child child;
	struct progress progress;
	bool complained; /* about the spool: once is enough */
	bool unrecorded; /* some process could make no spool, and the user knows why */
};

/* The folder of FILE must take a new file; find out before the program starts. */
static int check_folder(const char *file)
{
	char probe[PATH_MAX];
	int descriptor;

	if (snprintf(probe, sizeof(probe), "%s.XXXXXX", file) >= (int)sizeof(probe))
		return cmd_fail(CMD_EXIT_FAILED, "the name '%s' is too long", file);
	descriptor = mkstemp(probe);
	if (descriptor < 0)
		return cmd_fail(CMD_EXIT_FAILED, "cannot write '%s': %s", file, strerror(errno));
	close(descriptor);
	unlink(probe);
	return CMD_EXIT_OK;
}

static int make_spool(struct recording *recording, const char *folder)
{
	char path[PATH_MAX];
	const char *slash = strrchr(recording->options.file, '/');
	const char *name = folder && slash ? slash + 1 : recording->options.file;
	int length = snprintf(path, sizeof(path), "%s%s%s" BERTH_SPOOL_FOLDER_SUFFIX,
			      folder ? folder : "", folder ? "/" : "", name);

	if (length >= (int)sizeof(path))
		return cmd_fail(CMD_EXIT_FAILED, "the name '%s' is too long", recording->options.file);
	if (mkdir(path, 0700) != 0)
		return errno == EEXIST
			       ? cmd_fail(CMD_EXIT_FAILED,
					  "'%s' is there from another recording; finish it with "
					  "'berth recover %s', or remove it",
					  path, path)
			       : cmd_fail(CMD_EXIT_FAILED, "cannot create '%s': %s", path,
					  strerror(errno));
	if (!realpath(path, recording->spool) ||
	    berth_drain_create(&recording->drain, recording->spool) != BERTH_OK ||
	    berth_drain_limit(recording->drain, &recording->options.limits) != BERTH_OK) {
		rmdir(path);
		return cmd_fail_detail("cannot record into", path);
	}
	return CMD_EXIT_OK;
}

static int prepare(struct recording *recording)
{
	int status = record_way_prepare(&recording->way, recording->options.via);

	if (status == CMD_EXIT_OK && recording_check_target(recording->options.file) != BERTH_OK)
		status = cmd_fail_detail("cannot record", NULL);
	if (status == CMD_EXIT_OK)
		status = check_folder(recording->options.file);
	if (status == CMD_EXIT_OK)
		status = make_spool(recording, recording->options.spool_folder);
	return status;
}

static berth_status start(struct recording *recording, char **argv)
{
	const struct child_variable variables[] = {
		{ recording->way.variable, recording->way.value },
		{ BERTH_ENV_OPENCL, recording->way.opencl },
		{ BERTH_ENV_SPOOL_DIR, recording->spool },
		{ BERTH_ENV_DIGEST, recording->options.digest },
		{ BERTH_ENV_PAYLOAD, recording->options.payload },
		{ BERTH_ENV_STACKS, recording->options.stacks },
		{ BERTH_ENV_SPLIT_WAITS, recording->options.split_waits },
		{ NULL, NULL },
	};

	return child_start(&recording->child, argv, variables, &recording->options.child);
}

static void mark(struct recording *recording)
{
	const char *text = recording->options.child.mark_signal == SIGUSR1 ? "signal USR1"
									   : "signal USR2";

	if (berth_drain_mark(recording->drain, text) != BERTH_OK)
		cmd_fail_detail("cannot mark", recording->options.file);
}

/* One round: take what is there, say how far we are, give the program time. */
static void drain_round(struct recording *recording)
{
	berth_drain_progress progress;
	uint64_t moved = 0;

	if (berth_drain_step(recording->drain, &moved) != BERTH_OK && !recording->complained) {
		recording->complained = true;
		progress_end(&recording->progress);
		cmd_fail_detail("recording goes on, but cannot drain", recording->spool);
	}
	berth_drain_get_progress(recording->drain, &progress);
	if (progress.processes == 0)
		record_way_look(&recording->way, recording->child.pid);
	progress_show(&recording->progress, "berth: recorded %" PRIu64 " ops", progress.ops);
	child_wait(&recording->child, moved > BUSY_RECORDS ? 0 : PAUSE_MS);
	while (recording->child.marks > 0) {
		recording->child.marks--;
		mark(recording);
	}
}

/* The program has ended; processes that it started may go on. */
static berth_status finish(struct recording *recording)
{
	bool told = false;
	berth_status st;

	recording->child.interrupted = false;
	for (;;) {
		progress_end(&recording->progress);
		bool wait = recording->child.adopts && !recording->child.alone &&
			    !recording->child.interrupted;

		st = wait ? BERTH_E_STATE
			  : recording_finish(recording->drain, recording->options.file,
					     &recording->unrecorded);
		if (st != BERTH_E_STATE || recording->child.interrupted)
			return st;
		if (!told)
			cmd_fail(0, "the program has ended; waiting for processes that it left "
				    "running (interrupt to stop waiting)");
		told = true;
		for (int i = 0; i < 10 && !recording->child.interrupted; i++)
			drain_round(recording);
	}
}

/* The tool's own exit status, when the program's is not to be passed on. */
static int judge_end(struct recording *recording, berth_status st, const char *program)
{
	bool succeeded = recording->child.wait_status == 0;

	switch (st) {
	case BERTH_OK:
		/* Removed at the end, unless somebody has just come. */
		if (access(recording->spool, F_OK) == 0)
			cmd_fail(0,
				 "a process that the program left running begins to record; when "
				 "it has ended: 'berth recover %s -o ANOTHER-FILE'",
				 recording->spool);
		return CMD_EXIT_OK;
	case BERTH_E_NOT_FOUND:
		if (!recording->unrecorded)
			record_way_explain(&recording->way, program);
		return succeeded ? CMD_EXIT_FAILED : CMD_EXIT_OK;
	default:
		cmd_fail_detail("cannot finish", recording->options.file);
		return cmd_fail(CMD_EXIT_FAILED, "what was recorded is kept: 'berth recover %s'",
				recording->spool);
	}
}

static int record(struct recording *recording, char **argv)
{
	berth_status st;
	int status;

	st = start(recording, argv);
	if (st != BERTH_OK) {
		status = cmd_fail(CMD_EXIT_FAILED, "%s", berth_error_get()->message);
		/* Nothing was recorded, so this removes the spool. */
		st = berth_drain_finish(recording->drain, recording->options.file, NULL, NULL);
		return st == BERTH_E_NOT_FOUND ? status : cmd_fail_detail("cannot clean up", NULL);
	}
	/* The program goes first: where all processors are busy, draining shall not hold it up. */
	setpriority(PRIO_PROCESS, 0, DRAIN_NICE);
	progress_start(&recording->progress);
	while (!recording->child.ended)
		drain_round(recording);
	st = finish(recording);
	status = judge_end(recording, st, argv[0]);
	child_finish(&recording->child);
	return status == CMD_EXIT_OK ? child_exit_like(&recording->child) : status;
}

static int run(const struct cmd_line *line)
{
	struct recording recording = { .drain = NULL };
	int status = record_options_read(&recording.options, line);

	if (status == CMD_EXIT_OK)
		status = prepare(&recording);
	if (status == CMD_EXIT_OK)
		status = record(&recording, line->operands);
	berth_drain_destroy(recording.drain);
	return status;
}

const struct cmd cmd_record = {
	.name = "record",
	.summary = "run a program and record its OpenCL memory operations",
	.operands = "[--] PROGRAM [ARGUMENTS]",
	.operands_min = 1,
	.operands_max = -1,
	.description =
		"Runs PROGRAM, unmodified, with a layer that the OpenCL loader puts between "
		"it and the driver, and writes each memory operation with the driver's answer "
		"into FILE, an SQLite database. The program's output, input and exit status "
		"are its own. Each further process that uses OpenCL gets a file of its own, "
		"with its number before the extension.\n\n"
		"Programs whose OpenCL loader loads no layers are recorded with --via. A program "
		"can mark its phases and name its objects (berth/mark.h); the trace can begin at "
		"a mark, and end at a size.\n\n"
		"While the program runs, FILE.spool holds what it has recorded; it stays when "
		"berth is killed or the disk is full, and 'berth recover' finishes it, also a "
		"copy of it on another disk. An older trace at FILE is "
		"replaced at the end; any other file is left alone, and the program not "
		"started.\n\n"
		"Exits with the program's exit status, or ends by the signal that ended it.",
	.options = record_option_table,
	.exits = exits,
	.examples = examples,
	.run = run,
};
