/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Releases of what is none: of NULL, which is an error and no harm (F-RELEASE-NULL), and of
 * an object that is gone (F-DOUBLE-RELEASE), which some drivers crash on. And the useful
 * negative, F-BALANCED.
 */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

/* Fewer objects than this are no evidence of anything. */
#define BALANCED_LEAST 16

struct state {
	struct berth__finding_fold null, twice, balanced;
	uint64_t crashed, accepted; /* of `twice` */
	uint64_t unreleased;
};

static bool is_accepted(const berth_trace_op *row)
{
	return row->answered && row->result.cl_status == CL_SUCCESS;
}

static void op(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	const berth_trace_op *row = scan->row;

	if (row->op.kind != BERTH_OP_RELEASE || berth__finding_find(scan, row->op.object))
		return;
	if (row->op.object == BERTH_ID_NONE) {
		berth__finding_fold_add_op(scan, &state->null, BERTH_ID_NONE, 0, 0);
		return;
	}
	if (row->op.object == BERTH_ID_UNKNOWN && !scan->complete && is_accepted(row))
		return;
	state->crashed += !row->answered;
	state->accepted += is_accepted(row);
	berth__finding_fold_add_op(scan, &state->twice, row->op.object, 0, 0);
}

static void ended(struct berth__finding_scan *scan, void *userdata,
		  struct berth__finding_object *object)
{
	struct state *state = userdata;

	state->unreleased += scan->ending && object->object->references > 0;
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (state->null.count > 0)
		berth__finding_emit(scan, "F-RELEASE-NULL", &state->null,
				    "NULL was released %" PRIu64 " times, first at op %" PRIu64
				    "; this is no double release",
				    state->null.count, state->null.op);
	if (state->twice.count > 0)
		berth__finding_emit(
			scan, "F-DOUBLE-RELEASE", &state->twice,
			"%" PRIu64 " releases of objects that are gone, first at op %" PRIu64
			"; %" PRIu64 " were accepted, in %" PRIu64 " the process ended",
			state->twice.count, state->twice.op, state->accepted, state->crashed);
	if (scan->made < BALANCED_LEAST || state->unreleased > 0)
		return;
	state->balanced.count = scan->made;
	berth__finding_emit(scan, "F-BALANCED", &state->balanced,
			    "%" PRIu64 " objects were made and %" PRIu64
			    " released: the API is balanced, and what grows is below it",
			    scan->made, scan->let_go);
}

const struct berth__finding_checker berth__finding_release = {
	.state_bytes = sizeof(struct state),
	.ended = ended,
	.op = op,
	.finish = finish,
};
