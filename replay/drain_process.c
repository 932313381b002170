/* SPDX-License-Identifier: Apache-2.0 */
#include "drain_process.h"

#include "clock.h"
#include "process_alive.h"
#include "spool_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Records in one transaction: a few megabytes, some tens of milliseconds. */
#define BATCH_RECORDS 50000

/* Each segment is larger than the one before, so a real series has a few. */
#define SEGMENTS_MAX 65535

/* NULL: out of memory. */
static char *segment_path(const char *series, uint32_t segment)
{
	char *path;

	return asprintf(&path, "%s.%" PRIu32 BERTH_SPOOL_SUFFIX, series, segment) < 0 ? NULL : path;
}

static char *unfinished_path(const char *series)
{
	char *path;

	return asprintf(&path, "%s" BERTH__UNFINISHED_SUFFIX, series) < 0 ? NULL : path;
}

static berth_status no_memory(const char *series)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "out of memory draining '%s'", series);
}

static berth_status open_segment(struct berth__spool **out, const char *series, uint32_t segment)
{
	char *path = segment_path(series, segment);
	berth_status st;

	if (!path)
		return no_memory(series);
	st = berth__spool_open(out, path);
	if (st == BERTH_E_IO && access(path, F_OK) != 0)
		st = berth_error_set(BERTH_E_FORMAT, 0, "'%s' is missing: the spool is damaged",
				     path);
	free(path);
	return st;
}

static bool is_damage(berth_status st)
{
	return st == BERTH_E_FORMAT || st == BERTH_E_VERSION;
}

/* The spool is drained no further; its writer need not wait for us. */
static void set_damaged(struct berth__drain_process *process)
{
	process->damage = *berth_error_get();
	if (process->spool && berth__spool_check(process->spool) == BERTH_OK)
		atomic_store(&process->spool->header->reader_pid, 0);
}

static berth_status retire(struct berth__drain_process *process, struct berth__spool *spool)
{
	struct berth__retired *retired = malloc(sizeof(*retired));

	if (!retired)
		return no_memory(process->series);
	retired->spool = spool;
	retired->next = process->retired;
	process->retired = retired;
	return BERTH_OK;
}

/* Delete the files of drained segments in which no call stands any more. */
static void drop_retired(struct berth__drain_process *process)
{
	struct berth__retired **link = &process->retired;

	while (*link) {
		struct berth__retired *retired = *link;

		if (berth__spool_check(retired->spool) == BERTH_OK &&
		    berth__spool_has_pending(retired->spool)) {
			link = &retired->next;
			continue;
		}
		*link = retired->next;
		unlink(retired->spool->path);
		berth__spool_close(retired->spool);
		free(retired);
	}
}

/* Segments before the one that is drained now are there for their pending slots only. */
static berth_status open_retired(struct berth__drain_process *process)
{
	for (uint32_t segment = 0; segment < process->position.segment; segment++) {
		struct berth__spool *spool = NULL;
		berth_status st = open_segment(&spool, process->series, segment);

		if (st == BERTH_E_NOMEM)
			return st;
		if (st == BERTH_OK && (st = retire(process, spool)) != BERTH_OK) {
			berth__spool_close(spool);
			return st;
		}
	}
	drop_retired(process);
	return BERTH_OK;
}

static berth_status open_spool(struct berth__drain_process *process)
{
	berth_status st;

	if ((st = berth__trace_written_position(&process->position, process->writer)) != BERTH_OK)
		return st;
	if (process->position.segment > SEGMENTS_MAX)
		return berth_error_set(BERTH_E_FORMAT, 0, "'%s' is damaged: segment %" PRIu32,
				       process->series, process->position.segment);
	if (!process->spool)
		st = open_segment(&process->spool, process->series, process->position.segment);
	if (st == BERTH_OK)
		st = berth__spool_seek(process->spool, process->position.tail);
	return st == BERTH_OK ? open_retired(process) : st;
}

berth_status berth__drain_process_read_finished(struct berth__drain_process *process)
{
	berth_status st;

	process->ops = berth__trace_writer_op_count(process->writer);
	free(process->program);
	process->program = NULL;
	if ((st = berth__trace_written_number(&process->started_ns, process->writer,
					      "started_ns")) != BERTH_OK ||
	    (st = berth__trace_written_number(&process->lost, process->writer, "lost")) != BERTH_OK)
		return st;
	return berth__trace_written_text(&process->program, process->writer, "program");
}

static berth_status open_writer(struct berth__drain_process *process)
{
	char *end = NULL;
	berth_status st = berth__trace_writer_open(&process->writer, process->unfinished);

	if (st == BERTH_OK)
		st = berth__trace_written_text(&end, process->writer, "end");
	process->finished = end != NULL;
	free(end);
	if (st == BERTH_OK && process->finished)
		st = berth__drain_process_read_finished(process);
	return st;
}

/* A trace is begun only for a spool that can be read: another build's is left as it is. */
static berth_status open_files(struct berth__drain_process *process)
{
	berth_status st = BERTH_OK;

	if (access(process->unfinished, F_OK) != 0)
		st = open_segment(&process->spool, process->series, 0);
	if (st == BERTH_OK)
		st = open_writer(process);
	if (st == BERTH_OK && !process->finished)
		st = open_spool(process);
	return st;
}

berth_status berth__drain_process_open(struct berth__drain_process **out, const char *series,
				       uint32_t pid)
{
	struct berth__drain_process *process = calloc(1, sizeof(*process));
	berth_status st;

	if (!process)
		return no_memory(series);
	process->pid = pid;
	if (!(process->series = strdup(series)) || !(process->unfinished = unfinished_path(series)))
		st = no_memory(series);
	else
		st = open_files(process);
	if (is_damage(st)) {
		set_damaged(process);
		st = BERTH_OK;
	}
	if (st != BERTH_OK) {
		berth__drain_process_close(process);
		return st;
	}
	*out = process;
	return BERTH_OK;
}

void berth__drain_process_close(struct berth__drain_process *process)
{
	if (!process)
		return;
	while (process->retired) {
		struct berth__retired *retired = process->retired;

		process->retired = retired->next;
		berth__spool_close(retired->spool);
		free(retired);
	}
	if (process->spool && berth__spool_check(process->spool) == BERTH_OK)
		atomic_store(&process->spool->header->reader_pid, 0);
	berth__spool_close(process->spool);
	berth__trace_writer_close(process->writer);
	free(process->program);
	free(process->unfinished);
	free(process->series);
	free(process);
}

/* ---- draining ---- */

/* Up to a batch of records into the open transaction; the spool's tail is where it stopped. */
static berth_status move_records(struct berth__drain_process *process, uint64_t *moved)
{
	const struct berth_spool_record *record;
	berth_status st = BERTH_OK;
	uint64_t count = 0;

	while (count < BATCH_RECORDS &&
	       (st = berth__spool_next(&record, process->spool)) == BERTH_OK && record) {
		st = berth__spool_store(process->writer, process->spool, record);
		if (st != BERTH_OK) {
			process->spool->tail = process->spool->record_at;
			break;
		}
		count++;
	}
	*moved += count;
	return st;
}

/* *next: the segment that follows, once this one can give no more; else 0. */
static berth_status find_next(uint32_t *next, const struct berth__drain_process *process)
{
	const struct berth_spool_header *header = process->spool->header;
	uint32_t follower = atomic_load_explicit(&header->next, memory_order_acquire);

	*next = 0;
	if (follower == 0 ||
	    atomic_load_explicit(&header->head, memory_order_acquire) != process->spool->tail)
		return BERTH_OK;
	if (follower != process->position.segment + 1 || follower > SEGMENTS_MAX)
		return berth__spool_damaged(process->spool, "a next segment that cannot be");
	*next = follower;
	return BERTH_OK;
}

static berth_status commit_position(struct berth__drain_process *process,
				    const struct berth__drain_position *position)
{
	berth_status st = berth__trace_write_position(process->writer, position);

	return st == BERTH_OK ? berth__trace_writer_commit(process->writer) : st;
}

static berth_status follow(struct berth__drain_process *process, uint32_t segment)
{
	struct berth__drain_position position = { segment, 0 };
	struct berth__spool *spool = NULL;
	berth_status st = open_segment(&spool, process->series, segment);

	if (st != BERTH_OK)
		return st;
	if ((st = berth__spool_seek(spool, 0)) != BERTH_OK ||
	    (st = berth__trace_writer_begin(process->writer)) != BERTH_OK ||
	    (st = commit_position(process, &position)) != BERTH_OK ||
	    (st = retire(process, process->spool)) != BERTH_OK) {
		berth__trace_writer_rollback(process->writer);
		berth__spool_close(spool);
		return st;
	}
	process->position = position;
	process->spool = spool;
	return BERTH_OK;
}

/* One transaction. On failure the trace and the spool stand where they stood. */
static berth_status move_batch(struct berth__drain_process *process, uint64_t *moved)
{
	struct berth__drain_position position = process->position;
	uint64_t count = 0;
	berth_error damage = { .status = BERTH_OK };
	berth_status st = berth__trace_writer_begin(process->writer);

	if (st == BERTH_OK)
		st = move_records(process, &count);
	if (is_damage(st)) {
		damage = *berth_error_get();
		st = BERTH_OK;
	}
	position.tail = process->spool->tail;
	if (st == BERTH_OK)
		st = commit_position(process, &position);
	if (st != BERTH_OK) {
		berth__trace_writer_rollback(process->writer);
		process->spool->tail = process->position.tail;
		return st;
	}
	process->position = position;
	berth__spool_release(process->spool);
	/* Its writer need not write what nobody keeps. */
	if (berth__trace_writer_is_cut(process->writer))
		atomic_store(&process->spool->header->stopped, 1);
	*moved += count;
	if (damage.status != BERTH_OK)
		return berth_error_set(damage.status, 0, "%s", damage.message);
	return BERTH_OK;
}

static berth_status step(struct berth__drain_process *process, uint64_t *moved)
{
	const struct berth_spool_header *header = process->spool->header;
	berth_status st = berth__spool_check(process->spool);
	uint32_t next = 0;

	if (st != BERTH_OK)
		return st;
	process->lost = atomic_load_explicit(&header->lost, memory_order_relaxed);
	if (atomic_load_explicit(&header->head, memory_order_acquire) != process->spool->tail)
		st = move_batch(process, moved);
	if (st == BERTH_OK)
		st = find_next(&next, process);
	if (st == BERTH_OK && next)
		st = follow(process, next);
	drop_retired(process);
	return st;
}

berth_status berth__drain_process_step(struct berth__drain_process *process, uint64_t *moved)
{
	berth_status st;

	if (!process->spool || process->damage.status != BERTH_OK)
		return BERTH_OK;
	st = step(process, moved);
	if (is_damage(st))
		set_damaged(process);
	return st;
}

berth_status berth__drain_process_limit(struct berth__drain_process *process,
					const struct berth__trace_limits *limits)
{
	return process->writer && !process->finished
		       ? berth__trace_writer_limit(process->writer, limits)
		       : BERTH_OK;
}

berth_status berth__drain_process_mark(struct berth__drain_process *process, const char *text)
{
	uint64_t now_ns = berth__clock_ns(CLOCK_MONOTONIC), moved = 0;
	berth_status st = berth__drain_process_step(process, &moved);

	if (st != BERTH_OK || !process->writer || process->finished)
		return st;
	if ((st = berth__trace_writer_begin(process->writer)) != BERTH_OK ||
	    (st = berth__trace_write_mark(process->writer, text, now_ns)) != BERTH_OK ||
	    (st = berth__trace_writer_commit(process->writer)) != BERTH_OK)
		berth__trace_writer_rollback(process->writer);
	return st;
}

bool berth__drain_process_alive(const struct berth__drain_process *process)
{
	const struct berth_spool_header *header = process->spool ? process->spool->header : NULL;

	if (!header || berth__spool_check(process->spool) != BERTH_OK ||
	    atomic_load_explicit(&header->closed, memory_order_acquire))
		return false;
	return berth__process_alive(process->pid, header->process_start_ticks);
}
