/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of a trace: reads its rows, hands them to a player, says how far it is. */
#include "crew.h"
#include "player.h"

#include "clock.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>

#define PROGRESS_EVERY_NS UINT64_C(100000000)

/* Reading the clock costs as much as a cheap op: not for each, unless ops are slow. */
#define LOOK_EVERY_OPS 64
#define SLOW_OPS_NS UINT64_C(10000000)

struct watch {
	const berth_replay_options *options;
	berth_replay_progress progress;
	uint64_t look_at_op;
	uint64_t looked_ns;
	uint64_t told_ns;
};

static berth_status tell_progress(struct watch *watch, uint64_t ops_done)
{
	uint64_t now;
	bool slow;

	if (!watch->options->progress || ops_done < watch->look_at_op)
		return BERTH_OK;
	now = berth__clock_ns(CLOCK_MONOTONIC);
	slow = now - watch->looked_ns > SLOW_OPS_NS;
	watch->looked_ns = now;
	watch->look_at_op = ops_done + (slow ? 1 : LOOK_EVERY_OPS);
	if (now - watch->told_ns < PROGRESS_EVERY_NS)
		return BERTH_OK;
	watch->told_ns = now;
	watch->progress.ops_done = ops_done;
	if (watch->options->progress(&watch->progress, watch->options->userdata))
		return BERTH_OK;
	return berth_error_set(BERTH_E_STATE, 0,
			       "the replay was stopped after %" PRIu64 " of %" PRIu64 " ops",
			       ops_done, watch->progress.ops_total);
}

/* What one run of a trace consists of. */
struct run {
	struct berth__player player;
	struct berth__crew *crew; /* NULL: all on the caller's thread */
	struct watch watch;
	const berth_replay_options *options;
	bool begun;		 /* the first op that counts was met */
	uint64_t begun_ns, t_ns; /* when, and its recorded time */
};

static void sleep_until(uint64_t monotonic_ns)
{
	const struct timespec until = { .tv_sec = (time_t)(monotonic_ns / 1000000000),
					.tv_nsec = (long)(monotonic_ns % 1000000000) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

/* Times are of the calls' ends, in order but for threads: an op that is late does not wait. */
static void keep_pace(struct run *run, const berth_trace_op *row)
{
	if (run->options->pace <= 0.0 || row->t_ns <= run->t_ns)
		return;
	sleep_until(run->begun_ns +
		    (uint64_t)((double)(row->t_ns - run->t_ns) / run->options->pace));
}

static void begin(struct run *run, const berth_trace_op *row)
{
	run->begun = true;
	run->begun_ns = berth__clock_ns(CLOCK_MONOTONIC);
	run->t_ns = row->t_ns;
}

/* A step as the crew takes it. */
struct task {
	struct run *run;
	const berth_trace_op *row;
};

static berth_status do_task(void *userdata)
{
	const struct task *task = userdata;

	return berth__player_step(&task->run->player, task->row);
}

static berth_status step(struct run *run, const berth_trace_op *row)
{
	struct task task = { run, row };

	if (!run->crew)
		return berth__player_step(&run->player, row);
	return berth__crew_run(run->crew, row->thread, do_task, &task);
}

/* Content is found by its digest, which replay does not need otherwise. */
static unsigned fields(const struct run *run)
{
	return run->player.recorded.trace || run->crew || run->options->pace > 0.0
		       ? BERTH_TRACE_FIELDS_ALL
		       : BERTH_TRACE_FIELDS_OP;
}

static berth_status play(struct run *run, berth_trace *trace)
{
	const berth_replay_options *options = run->options;
	const berth_trace_op *row;
	berth_status st = berth_trace_select(trace, fields(run));

	while (st == BERTH_OK) {
		st = berth_trace_next(&row, trace);
		if (st != BERTH_OK || !row || (options->last_op && row->seq > options->last_op))
			break;
		if (!run->begun && row->seq >= options->first_op)
			begin(run, row);
		if (run->begun)
			keep_pace(run, row);
		st = step(run, row);
		if (st == BERTH_OK)
			st = tell_progress(&run->watch,
					   run->player.report.before_ops + run->player.report.ops);
	}
	if (st == BERTH_OK && !run->begun && options->first_op > 0)
		st = berth_error_set(BERTH_E_NOT_FOUND, 0,
				     "the trace has no op %" PRIu64 ": its last is %" PRIu64,
				     options->first_op, run->player.report.before_ops);
	return st;
}

static berth_status check_options(const berth_replay_options *options)
{
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.size is %" PRIu32
				       ", %zu is needed: start from the header's _INIT macro",
				       options->size, sizeof(*options));
	if (options->steps > BERTH_REPLAY_STEPS_MAX)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.steps is %" PRIu32 ", at most %d are kept",
				       options->steps, BERTH_REPLAY_STEPS_MAX);
	if (!(options->pace >= 0.0))
		return berth_error_set(BERTH_E_INVAL, 0, "options.pace is %g, not 0 or more",
				       options->pace);
	if (options->last_op && options->last_op < options->first_op)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.last_op %" PRIu64 " is before first_op %" PRIu64,
				       options->last_op, options->first_op);
	return BERTH_OK;
}

static berth_status run_begin(struct run *run, berth_trace *trace, berth_device *device)
{
	berth_status st = berth__player_init(&run->player, device, trace, run->options);

	if (st == BERTH_OK && run->options->threads &&
	    (st = berth__crew_create(&run->crew)) != BERTH_OK)
		berth__player_fini(&run->player);
	return st;
}

berth_status berth_replay_run(berth_trace *trace, berth_device *device,
			      const berth_replay_options *options, berth_replay_report *report)
{
	static const berth_replay_options defaults = BERTH_REPLAY_OPTIONS_INIT;
	const uint64_t began_ns = berth__clock_ns(CLOCK_MONOTONIC);
	struct run run = { .options = options ? options : &defaults };
	berth_status st = check_options(run.options);

	if (st == BERTH_OK)
		st = run_begin(&run, trace, device);
	if (st != BERTH_OK)
		return st;
	run.watch = (struct watch){ .options = run.options,
				    .looked_ns = began_ns,
				    .told_ns = began_ns };
	run.watch.progress.ops_total = berth_trace_get_info(trace)->op_count;
	st = play(&run, trace);
	berth__crew_destroy(run.crew);
	run.player.report.elapsed_ns = berth__clock_ns(CLOCK_MONOTONIC) - began_ns;
	berth__player_fini(&run.player);
	if (st == BERTH_OK)
		*report = run.player.report;
	return st;
}
