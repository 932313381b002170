/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-READ-WAITS: blocking reads that take far longer than their bytes can explain, with kernels
 * enqueued before them that nobody waited for: the time is the kernels'.
 */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

/* Slower than any device moves bytes, and the longest that a call takes besides. */
#define BYTES_PER_NS 1
#define CALL_NS UINT64_C(100000)
#define LEAST_WAIT_NS UINT64_C(1000000)
#define LEAST_WAIT_PERCENT 90
#define LEAST_TOTAL_NS UINT64_C(10000000)

struct state {
	struct berth__finding_fold waits;
	uint64_t duration_ns, commands;
};

static void op(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	const berth_trace_op *row = scan->row;
	struct berth__finding_object *object;
	struct berth__finding_queue *queue;
	uint64_t bytes = 0, moving_ns, wait_ns;

	if (row->op.kind != BERTH_OP_READ || !(row->op.bits & BERTH_OP_BLOCKING) ||
	    !row->answered || row->result.cl_status != CL_SUCCESS ||
	    row->result.duration_ns < LEAST_WAIT_NS)
		return;
	queue = berth__finding_queue_of(scan, row->op.queue);
	object = berth__finding_find(scan, row->op.object);
	if (!queue || !object || queue->last_kernel_op <= queue->synced_op ||
	    berth_op_moved_bytes(&bytes, &row->op, object->object->element_bytes) != BERTH_OK)
		return;
	moving_ns = berth__finding_add(bytes / BYTES_PER_NS, CALL_NS);
	if (moving_ns >= row->result.duration_ns)
		return;
	wait_ns = row->result.duration_ns - moving_ns;
	if (wait_ns < row->result.duration_ns / 100 * LEAST_WAIT_PERCENT)
		return;
	berth__finding_fold_add(scan, &state->waits, object, bytes, wait_ns);
	state->duration_ns = berth__finding_add(state->duration_ns, row->result.duration_ns);
	state->commands += queue->commands;
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (state->waits.time_ns >= LEAST_TOTAL_NS)
		berth__finding_emit(
			scan, "F-READ-WAITS", &state->waits,
			"%" PRIu64 " blocking reads of %s took %.3f ms, of which moving the bytes "
			"explains %.3f ms; %" PRIu64 " commands were enqueued before them and not "
			"waited for",
			state->waits.count, berth__finding_size(state->waits.bytes),
			(double)state->duration_ns / 1e6,
			(double)(state->duration_ns - state->waits.time_ns) / 1e6, state->commands);
}

const struct berth__finding_checker berth__finding_wait = {
	.state_bytes = sizeof(struct state),
	.op = op,
	.finish = finish,
};
