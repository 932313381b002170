/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of a trace: reads its rows, hands them to a player, says how far it is. */
#include "player.h"

#include "clock.h"

#include <inttypes.h>

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

static berth_status play(struct berth__player *player, berth_trace *trace, struct watch *watch)
{
	const berth_trace_op *row;
	berth_status st;

	/* Content is found by its digest, which replay does not need otherwise. */
	st = berth_trace_select(trace, player->recorded.trace ? BERTH_TRACE_FIELDS_ALL
							      : BERTH_TRACE_FIELDS_OP);
	if (st != BERTH_OK)
		return st;
	for (;;) {
		st = berth_trace_next(&row, trace);
		if (st != BERTH_OK || !row)
			return st;
		st = berth__player_step(player, row);
		if (st == BERTH_OK)
			st = tell_progress(watch, player->report.ops);
		if (st != BERTH_OK)
			return st;
	}
}

berth_status berth_replay_run(berth_trace *trace, berth_device *device,
			      const berth_replay_options *options, berth_replay_report *report)
{
	static const berth_replay_options defaults = BERTH_REPLAY_OPTIONS_INIT;
	struct berth__player player;
	const uint64_t began_ns = berth__clock_ns(CLOCK_MONOTONIC);
	struct watch watch = {
		.options = options ? options : &defaults,
		.looked_ns = began_ns,
		.told_ns = began_ns,
	};
	berth_status st;

	if (watch.options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.size is %" PRIu32
				       ", %zu is needed: start from the header's _INIT macro",
				       watch.options->size, sizeof(*options));
	watch.progress.ops_total = berth_trace_get_info(trace)->op_count;
	st = berth__player_init(&player, device, trace, watch.options->ghost);
	if (st != BERTH_OK)
		return st;
	st = play(&player, trace, &watch);
	player.report.elapsed_ns = berth__clock_ns(CLOCK_MONOTONIC) - began_ns;
	berth__player_fini(&player);
	if (st == BERTH_OK)
		*report = player.report;
	return st;
}
