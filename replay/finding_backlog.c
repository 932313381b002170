/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-BACKLOG: memory that the program has released, but that commands which nobody waited for
 * still use. A driver keeps it until they are done, so the device holds more than the program
 * has alive. It is no leak: it goes by itself.
 */
#include "finding.h"

#include <inttypes.h>
#include <string.h>

/* The part of the program's own peak from which on it matters. */
#define LEAST_PART 4
#define LEAST_COUNT 2

struct pending {
	uint64_t bytes, count;
	uint64_t newest_use_op;
};

struct state {
	struct pending queues[FINDING_QUEUES]; /* by the slots of scan->queues */
	size_t queue_end;		       /* slots behind it are empty */
	struct berth__finding_fold fold;       /* the worst moment */
	uint64_t alive_then;
};

static void forget_done(const struct berth__finding_scan *scan, struct state *state)
{
	for (size_t i = 0; i < state->queue_end; i++)
		if (state->queues[i].count > 0 &&
		    scan->queues[i].synced_op >= state->queues[i].newest_use_op)
			memset(&state->queues[i], 0, sizeof(state->queues[i]));
}

/* The last command that needs an object; of clEnqueueSVMFree itself. */
static uint64_t last_command(const struct berth__finding_scan *scan,
			     const struct berth__finding_object *object, uint64_t *queue)
{
	const berth_op *op = &scan->row->op;
	bool queued = op->kind == BERTH_OP_SVM_FREE && op->bits & BERTH_OP_ENQUEUED;

	*queue = queued ? op->queue : object->last_queue;
	return queued ? scan->op : object->last_use_op;
}

static void let_go(struct berth__finding_scan *scan, void *userdata,
		   struct berth__finding_object *object)
{
	struct state *state = userdata;
	uint64_t queue_id, last_op = last_command(scan, object, &queue_id);
	struct berth__finding_queue *queue = berth__finding_queue_of(scan, queue_id);
	struct pending *pending;
	size_t slot;

	if (!queue || object->root != object || object->object->children > 0 ||
	    last_op <= queue->synced_op)
		return;
	forget_done(scan, state);
	slot = (size_t)(queue - scan->queues);
	state->queue_end = slot >= state->queue_end ? slot + 1 : state->queue_end;
	pending = &state->queues[slot];
	pending->bytes = berth__finding_add(pending->bytes, object->bytes);
	pending->count++;
	if (last_op > pending->newest_use_op)
		pending->newest_use_op = last_op;
}

/* More is made: that is when it hurts. */
static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	struct state *state = userdata;
	uint64_t bytes = 0, count = 0;

	if (object->root != object || state->queue_end == 0)
		return;
	forget_done(scan, state);
	for (size_t i = 0; i < state->queue_end; i++) {
		bytes = berth__finding_add(bytes, state->queues[i].bytes);
		count += state->queues[i].count;
	}
	if (bytes == 0 || berth__finding_add(bytes, scan->alive_bytes) <=
				  berth__finding_add(state->fold.bytes, state->alive_then))
		return;
	state->fold =
		(struct berth__finding_fold){ .count = count, .bytes = bytes, .op = scan->op };
	state->alive_then = scan->alive_bytes;
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	uint64_t total = berth__finding_add(state->fold.bytes, state->alive_then);

	if (state->fold.count < LEAST_COUNT || state->fold.bytes < FINDING_LEAST_BYTES ||
	    total < berth__finding_add(scan->peak_bytes, scan->peak_bytes / LEAST_PART))
		return;
	berth__finding_emit(
		scan, "F-BACKLOG", &state->fold,
		"at op %" PRIu64 " the device may hold %s, of which %s in %" PRIu64
		" objects are released and wait for queued commands; the program itself never "
		"has more than %s alive",
		state->fold.op, berth__finding_size(total), berth__finding_size(state->fold.bytes),
		state->fold.count, berth__finding_size(scan->peak_bytes));
}

const struct berth__finding_checker berth__finding_backlog = {
	.state_bytes = sizeof(struct state),
	.made = made,
	.let_go = let_go,
	.finish = finish,
};
