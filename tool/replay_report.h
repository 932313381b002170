/* SPDX-License-Identifier: Apache-2.0 */
/* How a replay went, for people, for scripts, and for build servers. */
#ifndef BERTH_TOOL_REPLAY_REPORT_H
#define BERTH_TOOL_REPLAY_REPORT_H

#include "json.h"
#include "replay_stack.h"

#include <berth/replay.h>

/* What was replayed, and what came of it. */
struct replay_outcome {
	const struct replay_setup *setup;
	const struct replay_stack *stack;
	berth_replay_report report;
	berth_divergence *divergences; /* the first of all, as many as were asked for */
	size_t divergence_count;
};

void replay_report_print(const struct replay_outcome *outcome);

/* BERTH_OK or BERTH_E_NOMEM. */
berth_status replay_report_print_json(const struct replay_outcome *outcome);

/* One test a question. BERTH_OK or BERTH_E_IO. */
berth_status replay_report_write_junit(const struct replay_outcome *outcome, const char *path);

/* Set the object "verdict" at @path, or null. */
void replay_verdict_set_json(json_builder *json, const char *path, const berth_verdict *verdict);

#endif
