/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-BACKLOG: memory of objects that the program has released, while commands that use them were
 * enqueued and nobody had waited for them. It looks like a leak, and is none.
 */
#include "finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/queue.h>

#include <CL/cl.h>

/* As much as is alive is no accident of the last few commands. */
#define BYTES_MIN BERTH__MIB
#define COUNT_MIN 4

/* Queues beyond these are not followed. */
#define QUEUES_MAX 64

struct waiting {
	TAILQ_ENTRY(waiting) link;
	uint64_t queue, enqueued, bytes, object;
};

struct backlog {
	struct {
		uint64_t id;
		uint64_t complete; /* all commands up to this seq are */
	} queues[QUEUES_MAX];
	uint32_t queue_count;
	TAILQ_HEAD(, waiting) waiting; /* in the order of their release */
	bool is_ready;
	uint64_t count, bytes;		   /* waiting now */
	uint64_t most_bytes, most_count, most_op, most_object, most_alive;
};

static uint64_t *complete_of(struct backlog *backlog, uint64_t queue)
{
	for (uint32_t i = 0; i < backlog->queue_count; i++)
		if (backlog->queues[i].id == queue)
			return &backlog->queues[i].complete;
	if (backlog->queue_count == QUEUES_MAX)
		return NULL;
	backlog->queues[backlog->queue_count].id = queue;
	return &backlog->queues[backlog->queue_count++].complete;
}

static bool is_waiting(struct backlog *backlog, uint64_t queue, uint64_t enqueued)
{
	const uint64_t *complete = complete_of(backlog, queue);

	return complete && enqueued > *complete;
}

static void drop_complete(struct backlog *backlog)
{
	struct waiting *one, *next;

	for (one = TAILQ_FIRST(&backlog->waiting); one; one = next) {
		next = TAILQ_NEXT(one, link);
		if (is_waiting(backlog, one->queue, one->enqueued))
			continue;
		TAILQ_REMOVE(&backlog->waiting, one, link);
		backlog->bytes -= one->bytes;
		backlog->count--;
		free(one);
	}
}

/* A clFinish, a blocking command, or an event that was awaited. All waits count for all queues. */
static bool waits(const berth_trace_op *row)
{
	if (row->op.kind == BERTH_OP_SYNC || row->op.bits & BERTH_OP_BLOCKING)
		return true;
	for (uint32_t i = 0; i < row->event_count; i++)
		if (row->events[i].role == BERTH_EVENT_COMPLETE)
			return true;
	return false;
}

static berth_status begin(struct berth__finding_run *run, void *state)
{
	struct backlog *backlog = state;

	(void)run;
	TAILQ_INIT(&backlog->waiting);
	backlog->is_ready = true;
	return BERTH_OK;
}

static berth_status op(struct berth__finding_run *run, void *state, const berth_trace_op *row)
{
	struct backlog *backlog = state;

	(void)run;
	if (row->result.cl_status != CL_SUCCESS)
		return BERTH_OK;
	if (row->op.queue != 0)
		complete_of(backlog, row->op.queue);
	if (!waits(row))
		return BERTH_OK;
	/* Which queue an event is of is not followed: rather say nothing than too much. */
	for (uint32_t i = 0; i < backlog->queue_count; i++)
		if (row->op.kind != BERTH_OP_SYNC || row->op.queue == 0 ||
		    backlog->queues[i].id == row->op.queue)
			backlog->queues[i].complete = row->seq;
	if (backlog->count > 0)
		drop_complete(backlog);
	return BERTH_OK;
}

static void end(struct berth__finding_run *run, void *state, const berth_object *object)
{
	const struct berth__facts *facts = berth__facts_of(object);
	struct backlog *backlog = state;
	struct waiting *one;

	if (facts->own_bytes == 0 || facts->enqueued == 0 || run->seq <= facts->enqueued ||
	    !is_waiting(backlog, facts->queue, facts->enqueued) || object->references > 0)
		return;
	one = malloc(sizeof(*one));
	if (!one)
		return; /* one object less in a sum that is a least */
	*one = (struct waiting){ .queue = facts->queue,
				 .enqueued = facts->enqueued,
				 .bytes = facts->own_bytes,
				 .object = object->id };
	TAILQ_INSERT_TAIL(&backlog->waiting, one, link);
	backlog->bytes += one->bytes;
	backlog->count++;
}

/* It matters where more is made: what a program releases at its end waits for nothing. */
static berth_status made(struct berth__finding_run *run, void *state, const berth_trace_op *row,
			 const berth_object *object)
{
	struct backlog *backlog = state;

	(void)object;
	if (backlog->bytes <= backlog->most_bytes || backlog->bytes < run->alive_bytes)
		return BERTH_OK;
	backlog->most_bytes = backlog->bytes;
	backlog->most_count = backlog->count;
	backlog->most_op = row->seq;
	backlog->most_object = TAILQ_FIRST(&backlog->waiting)->object;
	backlog->most_alive = run->alive_bytes;
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	const struct backlog *backlog = state;
	char text[BERTH__BYTES_TEXT], alive[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (backlog->most_bytes < BYTES_MIN || backlog->most_count < COUNT_MIN)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_BACKLOG);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = backlog->most_count;
	finding->bytes = backlog->most_bytes;
	finding->op = backlog->most_op;
	berth__finding_name(finding, backlog->most_object);
	berth__finding_say(finding,
			   "when op %" PRIu64 " made one more, %" PRIu64 " released objects of %s were "
			   "still in use by commands that nobody had waited for, beside %s that the "
			   "program held: this is no leak, the driver cannot free them yet",
			   backlog->most_op, backlog->most_count,
			   berth__bytes_text(text, backlog->most_bytes),
			   berth__bytes_text(alive, backlog->most_alive));
	berth__finding_advise(finding, "wait for the queue now and then (clFinish, an event, a blocking "
				       "read), or make fewer and keep them");
	return BERTH_OK;
}

static void free_state(void *state)
{
	struct backlog *backlog = state;
	struct waiting *one;

	while (backlog->is_ready && (one = TAILQ_FIRST(&backlog->waiting))) {
		TAILQ_REMOVE(&backlog->waiting, one, link);
		free(one);
	}
}

const struct berth__analyser berth__finding_backlog = {
	.state_bytes = sizeof(struct backlog),
	.begin = begin,
	.op = op,
	.made = made,
	.end = end,
	.report = report,
	.free = free_state,
};
