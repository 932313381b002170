/* SPDX-License-Identifier: Apache-2.0 */
/* The end of draining a process: calls that never returned, counters, one whole file. */
#include "drain_process.h"

#include "spool_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int compare_calls(const void *a, const void *b)
{
	const struct berth_spool_op *one = a, *other = b;

	return (one->t_ns > other->t_ns) - (one->t_ns < other->t_ns);
}

/* Append the calls that stand in a segment's slots; false: out of memory. */
static bool collect_pending(struct berth_spool_op **calls, size_t *count,
			    const struct berth__spool *spool)
{
	size_t room = *count + BERTH_SPOOL_PENDING_SLOTS;
	struct berth_spool_op *grown = reallocarray(*calls, room, sizeof(**calls));

	if (!grown)
		return false;
	*calls = grown;
	for (int i = 0; i < BERTH_SPOOL_PENDING_SLOTS; i++) {
		const struct berth_spool_pending *pending = &spool->header->pending[i];

		if (atomic_load_explicit(&pending->in_call, memory_order_acquire) == 1)
			grown[(*count)++] = pending->op;
	}
	return true;
}

/* What was cut cannot be looked at any more. */
static bool is_whole(const struct berth__spool *spool)
{
	return spool && berth__spool_check(spool) == BERTH_OK;
}

static berth_status write_pending(struct berth__drain_process *process)
{
	struct berth_spool_op *calls = NULL;
	size_t count = 0;
	berth_status st = BERTH_OK;
	bool collected = !is_whole(process->spool) ||
			 collect_pending(&calls, &count, process->spool);

	for (struct berth__retired *retired = process->retired; collected && retired;
	     retired = retired->next)
		collected = !is_whole(retired->spool) ||
			    collect_pending(&calls, &count, retired->spool);
	if (!collected)
		st = berth_error_set(BERTH_E_NOMEM, 0, "out of memory draining '%s'",
				     process->series);
	if (st == BERTH_OK && count)
		qsort(calls, count, sizeof(*calls), compare_calls);
	for (size_t i = 0; st == BERTH_OK && i < count; i++)
		st = berth__spool_store_pending(process->writer, &calls[i]);
	free(calls);
	return st;
}

static berth_status write_counters(struct berth__drain_process *process)
{
	berth_status st = berth__trace_write_number(process->writer, "lost", process->lost);

	for (uint32_t i = 0;
	     st == BERTH_OK && is_whole(process->spool) && i < BERTH_SPOOL_UNTRACKED_MAX; i++) {
		uint32_t count = atomic_load_explicit(&process->spool->header->untracked[i],
						      memory_order_relaxed);

		if (count)
			st = berth__trace_write_untracked(process->writer, i, count);
	}
	return st;
}

static const char *end_of(const struct berth__drain_process *process)
{
	if (berth__trace_writer_is_cut(process->writer))
		return "cut";
	return is_whole(process->spool) && atomic_load(&process->spool->header->closed) == 1
		       ? "exit"
		       : "killed";
}

static berth_status write_end(struct berth__drain_process *process)
{
	berth_status st;

	if ((st = berth__trace_writer_begin(process->writer)) != BERTH_OK)
		return st;
	if ((st = write_pending(process)) != BERTH_OK ||
	    (st = write_counters(process)) != BERTH_OK ||
	    (st = berth__trace_writer_finish(process->writer, end_of(process))) != BERTH_OK)
		berth__trace_writer_rollback(process->writer);
	return st;
}

/* The trace has it all now: the spool's files go, but for a damaged one, put aside to look at. */
static void drop_spool(struct berth__drain_process *process)
{
	while (process->retired) {
		struct berth__retired *retired = process->retired;

		process->retired = retired->next;
		unlink(retired->spool->path);
		berth__spool_close(retired->spool);
		free(retired);
	}
	if (process->spool && process->damage.status == BERTH_OK) {
		unlink(process->spool->path);
	} else if (process->spool) {
		char *aside;

		if (asprintf(&aside, "%s.damaged", process->spool->path) >= 0) {
			rename(process->spool->path, aside);
			free(aside);
		}
	}
	berth__spool_close(process->spool);
	process->spool = NULL;
}

static berth_status complete(struct berth__drain_process *process)
{
	berth_status st;
	uint32_t segment;
	uint64_t moved;

	do {
		moved = 0;
		segment = process->position.segment;
		st = berth__drain_process_step(process, &moved);
	} while (st == BERTH_OK && (moved || segment != process->position.segment));
	if (st != BERTH_OK && process->damage.status == BERTH_OK)
		return st;
	if ((st = write_end(process)) != BERTH_OK)
		return st;
	process->finished = true;
	return berth__drain_process_read_finished(process);
}

berth_status berth__drain_process_finish(struct berth__drain_process *process)
{
	berth_status st = BERTH_OK;

	/* No writer: a spool that could not be read at all, or this is done already. */
	if (!process->writer)
		return BERTH_OK;
	if (!process->finished)
		st = complete(process);
	if (st == BERTH_OK)
		st = berth__trace_writer_seal(process->writer);
	if (st != BERTH_OK)
		return st;
	berth__trace_writer_close(process->writer);
	process->writer = NULL;
	drop_spool(process);
	return BERTH_OK;
}
