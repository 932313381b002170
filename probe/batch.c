/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases in child processes: several a child, since opening a driver takes its time. A
 * child ends after a case that a driver wrongly accepted, because its memory may be damaged.
 * When a child dies or hangs in a case that was not its first, the case is tried again as
 * the first of another child.
 */
#include "probe.h"

#include <string.h>
#include <unistd.h>

/* Cases that a child does at most. */
#define BATCH_MAX 24

/* A step's reply on its way; a step of PROBE_NO_STEP ends the case. */
struct message {
	size_t run;
	int step;
	struct probe_reply reply;
};

struct batch {
	berth_probe *probe;
	size_t first; /* of the probe's runs */
	size_t end;
};

berth_status berth__probe_open(berth_device **out, const char *device)
{
	const berth_open_options options = { .size = sizeof(options),
					     .ghost = strncmp(device, "sim:", 4) == 0 };

	return berth_device_open(out, device, &options);
}

static bool is_tainted(const struct probe_run *run, const struct probe_reply replies[])
{
	const struct probe_reply *test = &replies[run->test];

	return test->done && (test->status == BERTH_E_LOST ||
			      (run->answer.breaks && test->cl_status == CL_SUCCESS));
}

static bool work_on(int fd, const struct probe_run *run, size_t index, berth_device *device)
{
	struct message message = { .run = index };
	struct probe_reply replies[PROBE_STEPS_MAX];

	for (int step = 0; step < run->step_count; step++) {
		berth__probe_execute(run, step, device, replies);
		message.step = step;
		message.reply = replies[step];
		berth__probe_child_write(fd, &message, sizeof(message));
	}
	message.step = PROBE_NO_STEP;
	berth__probe_child_write(fd, &message, sizeof(message));
	return !is_tainted(run, replies);
}

static void work(int fd, void *userdata)
{
	const struct batch *batch = userdata;
	berth_device *device;

	if (berth__probe_open(&device, batch->probe->device) != BERTH_OK)
		return;
	for (size_t i = batch->first; i < batch->end; i++)
		if (batch->probe->runs[i].applicable &&
		    !work_on(fd, &batch->probe->runs[i], i, device))
			return;
}

static void forget(struct probe_run *run)
{
	memset(run->replies, 0, sizeof(run->replies));
}

/* What is known when a child has ended or is late within a case. */
static void blame(struct probe_run *run, int signal, bool late)
{
	run->answer.signal = signal;
	run->answer.outcome = late ? BERTH_PROBE_HANGS : BERTH_PROBE_CRASHES;
}

static size_t next_applicable(const berth_probe *probe, size_t from)
{
	while (from < probe->count && !probe->runs[from].applicable)
		from++;
	return from;
}

/* One child. @return the first case that is not done. */
static size_t collect(berth_probe *probe, struct probe_child *child, const struct batch *batch)
{
	const size_t first = batch->first;
	enum probe_read got = PROBE_READ_ALL;
	bool tainted = false;
	size_t at = first;
	int signal;

	while (at < batch->end && !tainted) {
		struct message message;
		struct probe_run *run;

		got = berth__probe_child_read(child, &message, sizeof(message), probe->timeout_ms);
		if (got != PROBE_READ_ALL)
			break;
		run = &probe->runs[message.run];
		if (message.step != PROBE_NO_STEP) {
			run->replies[message.step] = message.reply;
			continue;
		}
		berth__probe_judge(run);
		tainted = is_tainted(run, run->replies);
		at = next_applicable(probe, message.run + 1);
	}
	signal = berth__probe_child_finish(child, got != PROBE_READ_END);
	if (got == PROBE_READ_ALL)
		return at;
	if (at > first) {
		forget(&probe->runs[at]);
		return at;
	}
	blame(&probe->runs[at], signal, got == PROBE_READ_LATE);
	return next_applicable(probe, at + 1);
}

static void tell(const berth_probe *probe, size_t done, const berth_probe_options *options)
{
	const berth_probe_progress progress = { .done = done, .total = probe->count };

	if (options->progress)
		options->progress(&progress, options->userdata);
}

berth_status berth__probe_execute_all(berth_probe *probe, const berth_probe_options *options)
{
	size_t at = next_applicable(probe, 0);

	while (at < probe->count) {
		struct batch batch = { probe, at, at + BATCH_MAX };
		struct probe_child child;
		berth_status st;

		if (batch.end > probe->count)
			batch.end = probe->count;
		st = berth__probe_child_start(&child, work, &batch);
		if (st != BERTH_OK)
			return st;
		at = collect(probe, &child, &batch);
		tell(probe, at, options);
	}
	return BERTH_OK;
}
