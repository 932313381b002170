/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that are gone, or should be. A parent may be released before what lies on it,
 * which keeps it: no fault, unless it keeps much more than that needs (F-PARENT-HELD).
 * Commands on objects whose last reference and last child are gone are one
 * (F-USE-AFTER-END).
 */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

#define LEAST_PERCENT 5

struct state {
	struct berth__finding_fold held, gone;
	uint64_t accepted; /* of `gone`: the driver did not mind */
};

static struct berth__finding_object *parent_of(const struct berth__finding_object *object)
{
	return object->object->parent ? object->object->parent->user : NULL;
}

static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	struct berth__finding_object *parent = parent_of(object);

	(void)scan;
	(void)userdata;
	if (parent)
		parent->child_bytes = berth__finding_add(parent->child_bytes, object->bytes);
}

static void let_go(struct berth__finding_scan *scan, void *userdata,
		   struct berth__finding_object *object)
{
	(void)scan;
	(void)userdata;
	if (object->object->children > 0 && object->child_bytes < object->bytes)
		object->held_bytes = object->bytes - object->child_bytes;
}

static void ended(struct berth__finding_scan *scan, void *userdata,
		  struct berth__finding_object *object)
{
	struct state *state = userdata;
	struct berth__finding_object *parent = parent_of(object);

	if (parent && !scan->ending)
		parent->child_bytes -=
			object->bytes < parent->child_bytes ? object->bytes : parent->child_bytes;
	if (object->root == object && object->held_bytes > 0)
		berth__finding_fold_at_peak(scan, &state->held, object, object->let_go_op,
					    object->held_bytes, scan->now_ns - object->let_go_ns);
}

static bool is_gone(struct berth__finding_scan *scan, uint64_t id)
{
	if (id == BERTH_ID_NONE || berth__finding_find(scan, id))
		return false;
	/* A handle of no object: of one that is gone, unless the recording lacks some. */
	return id != BERTH_ID_UNKNOWN || scan->complete;
}

static void op(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	const berth_op *op = &scan->row->op;

	if (op->kind < BERTH_OP_WRITE || op->kind > BERTH_OP_UNMAP)
		return;
	if (!is_gone(scan, op->object) && (op->kind != BERTH_OP_COPY || !is_gone(scan, op->other)))
		return;
	state->accepted += scan->row->answered && scan->row->result.cl_status == CL_SUCCESS;
	berth__finding_fold_add_op(scan, &state->gone, op->object, op->bytes, 0);
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (berth__finding_fold_counts(scan, &state->held, LEAST_PERCENT))
		berth__finding_emit(scan, "F-PARENT-HELD", &state->held,
				    "%s of the peak of %s at op %" PRIu64 " were in %" PRIu64
				    " released objects that smaller ones on them kept alive",
				    berth__finding_size(state->held.bytes),
				    berth__finding_size(scan->peak_bytes), scan->peak_op,
				    state->held.count);
	if (state->gone.count > 0)
		berth__finding_emit(scan, "F-USE-AFTER-END", &state->gone,
				    "%" PRIu64 " commands on objects that are gone, first at "
				    "op %" PRIu64 "; %" PRIu64 " were accepted",
				    state->gone.count, state->gone.op, state->accepted);
}

const struct berth__finding_checker berth__finding_parent = {
	.state_bytes = sizeof(struct state),
	.made = made,
	.let_go = let_go,
	.ended = ended,
	.op = op,
	.finish = finish,
};
