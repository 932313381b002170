/* SPDX-License-Identifier: Apache-2.0 */
/* F-STALE-ARG: a kernel keeps no reference to its arguments; released ones are still set. */
#include "finding.h"

#include <inttypes.h>
#include <stdio.h>

struct state {
	struct berth__finding_fold stale;
	char kernel[64]; /* of the first */
	uint32_t argument;
};

static void op(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	const berth_op *op = &scan->row->op;

	for (uint32_t i = 0; op->kind == BERTH_OP_USE && i < op->use_count; i++) {
		const berth_object_use *use = &op->uses[i];

		if (use->object == BERTH_ID_NONE || use->object == BERTH_ID_UNKNOWN ||
		    berth__finding_find(scan, use->object))
			continue;
		if (state->stale.count == 0) {
			snprintf(state->kernel, sizeof(state->kernel), "%s",
				 op->name ? op->name : "");
			state->argument = use->arg_index;
		}
		berth__finding_fold_add_op(scan, &state->stale, use->object, 0, 0);
	}
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (state->stale.count > 0)
		berth__finding_emit(scan, "F-STALE-ARG", &state->stale,
				    "%" PRIu64
				    " arguments at enqueues were released objects; first at op "
				    "%" PRIu64 ", argument %" PRIu32 " of %s, object %" PRIu64,
				    state->stale.count, state->stale.op, state->argument,
				    state->kernel, state->stale.worst[0].id);
}

const struct berth__finding_checker berth__finding_argument = {
	.state_bytes = sizeof(struct state),
	.op = op,
	.finish = finish,
};
