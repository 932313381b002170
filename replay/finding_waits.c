/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-WAIT: blocking reads that take far longer than their bytes can: they wait for the commands
 * before them.
 */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

/* The slowest link that anybody has: what a read takes beyond this is waiting. */
#define BYTES_PER_SECOND 100e6
#define CALL_NS 100000

/* What is less is not worth a change: of all the time, and at all. */
#define PERCENT_MIN 10
#define WAIT_NS_MIN 10000000

struct waits {
	uint64_t enqueued; /* commands since the last wait */
	uint64_t count, bytes, ns, behind;
	uint64_t worst_ns, worst_op, worst_bytes, worst_object, worst_behind;
};

static void look_at_read(struct waits *waits, const berth_object *object,
			 const berth_trace_op *row)
{
	uint64_t bytes = 0, ns = row->result.duration_ns, can_take;

	if (berth_op_moved_bytes(&bytes, &row->op, object ? object->element_bytes : 0) != BERTH_OK)
		return;
	can_take = CALL_NS + (uint64_t)((double)bytes / BYTES_PER_SECOND * 1e9);
	if (ns <= can_take || waits->enqueued == 0)
		return;
	waits->count++;
	waits->bytes += bytes;
	waits->ns += ns - can_take;
	waits->behind += waits->enqueued;
	if (ns <= waits->worst_ns)
		return;
	waits->worst_ns = ns;
	waits->worst_op = row->seq;
	waits->worst_bytes = bytes;
	waits->worst_object = row->op.object;
	waits->worst_behind = waits->enqueued;
}

static berth_status op(struct berth__finding_run *run, void *state, const berth_trace_op *row)
{
	struct waits *waits = state;
	bool blocks = row->op.bits & BERTH_OP_BLOCKING || row->op.kind == BERTH_OP_SYNC;

	if (row->result.cl_status != CL_SUCCESS || row->op.queue == 0)
		return BERTH_OK;
	if (row->op.kind == BERTH_OP_READ && blocks)
		look_at_read(waits, berth_objects_find(run->objects, row->op.object), row);
	if (blocks)
		waits->enqueued = 0;
	else if (row->op.kind != BERTH_OP_ORDER && row->op.kind != BERTH_OP_LABEL)
		waits->enqueued++;
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	const struct waits *waits = state;
	uint64_t all_ns = run->last_ns - run->first_ns;
	char text[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (waits->ns < WAIT_NS_MIN || berth__percent(waits->ns, all_ns) < PERCENT_MIN)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_WAIT);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = waits->count;
	finding->time_ns = waits->ns;
	finding->op = waits->worst_op;
	berth__finding_name(finding, waits->worst_object);
	berth__finding_say(finding,
			   "%" PRIu64 " blocking reads waited %.3f ms for commands before them, %" PRIu64
			   " %% of the time; op %" PRIu64 " took %.3f ms for %s, behind %" PRIu64
			   " commands", waits->count, (double)waits->ns / 1e6,
			   berth__percent(waits->ns, all_ns), waits->worst_op,
			   (double)waits->worst_ns / 1e6, berth__bytes_text(text, waits->worst_bytes),
			   waits->worst_behind);
	berth__finding_advise(finding, "this is the time of the kernels, not of the transfer: measure "
				       "with events, and do other work before the read");
	return BERTH_OK;
}

const struct berth__analyser berth__finding_waits = {
	.state_bytes = sizeof(struct waits),
	.op = op,
	.report = report,
};
