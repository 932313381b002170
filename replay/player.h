/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays op by op: replay.c feeds it from a trace, tests from tables. Keeps the
 * objects that are alive on the device, so that an op that needs one the device
 * did not get is left out, and host memory lives as long as the object on it.
 */
#ifndef BERTH_REPLAY_PLAYER_H
#define BERTH_REPLAY_PLAYER_H

#include "last_steps.h"
#include "recorded_content.h"
#include "stand_in.h"

#include <berth/objects.h>
#include <berth/replay.h>

struct berth__player {
	berth_device *device;
	bool ghost;
	berth_objects *objects; /* alive on the device; `user` is a block of host memory */
	uint64_t host_blocks;	/* how many objects have one */
	struct berth__stand_in stand_in;
	struct berth__recorded_content recorded;
	/* Some content was stood in for: what is read now need not be what was recorded. */
	bool stood_in;
	uint32_t colour[4];
	uint64_t alive_bytes;	 /* of objects that own memory, as asked */
	uint64_t capacity_bytes; /* that the device says it has; 0: not known */
	uint64_t crossed_seq;	 /* the create since which more is alive than that; 0: not more */
	uint64_t first_seq;	 /* ops before it only build the state */
	struct berth__last_steps *steps; /* owned; NULL: none are kept */
	berth_replay_divergence_fn *on_divergence; /* or NULL */
	void *userdata;
	berth_replay_report report;
};

/*
 * @device is borrowed and fresh; @trace, where the content comes from, is borrowed, or NULL.
 * Of @options all counts but progress, threads, last_op and pace.
 */
berth_status berth__player_init(struct berth__player *player, berth_device *device,
				berth_trace *trace, const berth_replay_options *options);

/*
 * Execute one row and compare.
 * BERTH_OK whatever the device answers; BERTH_E_NOMEM, or the device's own status
 * when it can give no answer to anything any more.
 */
berth_status berth__player_step(struct berth__player *player, const berth_trace_op *row);

/*
 * Complete the report, then release on the device what lies on the player's host
 * memory, and free that.
 */
void berth__player_fini(struct berth__player *player);

#endif
