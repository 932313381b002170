/* SPDX-License-Identifier: Apache-2.0 */
/* F-IDLE: memory that was alive at the peak, released later, and not used any more. */
#include "finding.h"

#include <inttypes.h>

#define LEAST_PERCENT 10

struct state {
	struct berth__finding_fold idle;
	double byte_ms; /* of the objects in `idle` */
	uint64_t peak_op;
};

static void ended(struct berth__finding_scan *scan, void *userdata,
		  struct berth__finding_object *object)
{
	struct state *state = userdata;
	uint64_t last_op = object->uses ? object->last_use_op : object->made_op;
	uint64_t last_ns = object->uses ? object->last_use_ns : object->made_ns;
	uint64_t idle_ns = scan->now_ns > last_ns ? scan->now_ns - last_ns : 0;

	/*
	 * What is never released is a leak or a cache; a kernel may find SVM by itself; how
	 * objects from before the trace were used is not known.
	 */
	if (object->root != object || object->external || scan->ending ||
	    (object->object->kind == BERTH_OBJECT_SVM && object->uses == 0) ||
	    (object->made_op <= scan->info->before_ops && object->uses == 0) ||
	    last_op >= scan->peak_op)
		return;
	if (object->made_op > scan->peak_op)
		return;
	if (state->peak_op != scan->peak_op) {
		state->peak_op = scan->peak_op;
		state->byte_ms = 0;
	}
	state->byte_ms += (double)object->bytes * (double)idle_ns / 1e6;
	berth__finding_fold_at_peak(scan, &state->idle, object, object->made_op, object->bytes,
				    idle_ns);
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (!berth__finding_fold_counts(scan, &state->idle, LEAST_PERCENT))
		return;
	berth__finding_emit(
		scan, "F-IDLE", &state->idle,
		"%s of the peak of %s at op %" PRIu64 " were in %" PRIu64
		" objects after their last use; until their release they held %.3f MiB x ms",
		berth__finding_size(state->idle.bytes), berth__finding_size(scan->peak_bytes),
		scan->peak_op, state->idle.count, state->byte_ms / 1048576);
}

const struct berth__finding_checker berth__finding_idle = {
	.state_bytes = sizeof(struct state),
	.ended = ended,
	.finish = finish,
};
