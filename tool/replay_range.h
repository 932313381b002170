/* SPDX-License-Identifier: Apache-2.0 */
/* From where to where a trace is replayed: --from and --to. */
#ifndef BERTH_TOOL_REPLAY_RANGE_H
#define BERTH_TOOL_REPLAY_RANGE_H

#include <berth/replay.h>

/* @from, @to: as typed, or NULL. Returns an exit status, after it said why. */
int replay_range_find(berth_replay_options *options, berth_trace *trace, const char *from,
		      const char *to);

#endif
