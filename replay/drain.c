/* SPDX-License-Identifier: Apache-2.0 */
/* A spool directory: finds the processes in it, drains each, puts their traces in place. */
#include <berth/record.h>

#include "drain_leftovers.h"
#include "drain_place.h"
#include "drain_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct berth_drain {
	char *directory;
	char *lock_path;
	int lock;
	struct berth__trace_limits limits;
	char *start_mark;
	struct berth__drain_process **processes;
	size_t count;
};

static berth_status no_memory(const char *directory)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "out of memory draining '%s'", directory);
}

/* A lock of the system's ends with its holder, however that ends. */
static berth_status lock_directory(struct berth_drain *drain)
{
	int error;

	if (asprintf(&drain->lock_path, "%s/%s", drain->directory, BERTH_DRAIN_LOCK_NAME) < 0) {
		drain->lock_path = NULL;
		return no_memory(drain->directory);
	}
	drain->lock = open(drain->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	error = drain->lock < 0 || flock(drain->lock, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
	if (error == EWOULDBLOCK)
		return berth_error_set(BERTH_E_STATE, 0, "another recorder drains '%s'",
				       drain->directory);
	if (error != 0)
		return berth_error_set(BERTH_E_IO, 0, "cannot use the spool directory '%s': %s",
				       drain->directory, strerror(error));
	return BERTH_OK;
}

berth_status berth_drain_create(berth_drain **out, const char *directory)
{
	berth_drain *drain = calloc(1, sizeof(*drain));
	berth_status st;

	if (!drain || !(drain->directory = strdup(directory))) {
		free(drain);
		return no_memory(directory);
	}
	drain->lock = -1;
	if ((st = lock_directory(drain)) != BERTH_OK) {
		berth_drain_destroy(drain);
		return st;
	}
	*out = drain;
	return BERTH_OK;
}

void berth_drain_destroy(berth_drain *drain)
{
	if (!drain)
		return;
	for (size_t i = 0; i < drain->count; i++)
		berth__drain_process_close(drain->processes[i]);
	free(drain->processes);
	if (drain->lock >= 0)
		close(drain->lock);
	free(drain->start_mark);
	free(drain->lock_path);
	free(drain->directory);
	free(drain);
}

berth_status berth_drain_limit(berth_drain *drain, const berth_drain_limits *limits)
{
	char *start_mark = NULL;

	if (limits->size != sizeof(*limits))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "limits.size is %" PRIu32
				       ", %zu is needed: start from the header's _INIT macro",
				       limits->size, sizeof(*limits));
	if (limits->start_mark && !(start_mark = strdup(limits->start_mark)))
		return no_memory(drain->directory);
	free(drain->start_mark);
	drain->start_mark = start_mark;
	drain->limits = (struct berth__trace_limits){
		.start_mark = start_mark,
		.start_ns = limits->start_ns,
		.bytes_max = limits->max_bytes,
	};
	return BERTH_OK;
}

/* ---- finding processes ---- */

/*
 * "PID-START.N.spool" or "PID-START.db": the length of the series' name, and its
 * pid; 0: another file.
 */
static int series_of(const char *name, uint32_t *pid)
{
	int series = 0, end = 0;

	if (sscanf(name, "%" SCNu32 "-%*[0-9a-f]%n.%*[0-9]" BERTH_SPOOL_SUFFIX "%n", pid, &series,
		   &end) == 1 &&
	    end && name[end] == '\0')
		return series;
	if (series && strcmp(name + series, BERTH__UNFINISHED_SUFFIX) == 0)
		return series;
	return 0;
}

/* NULL when it is not known yet. */
static struct berth__drain_process *find_process(const berth_drain *drain, const char *name,
						 int series_bytes)
{
	size_t directory_bytes = strlen(drain->directory) + 1;

	for (size_t i = 0; i < drain->count; i++) {
		const char *known = drain->processes[i]->series + directory_bytes;

		if (strncmp(known, name, (size_t)series_bytes) == 0 && !known[series_bytes])
			return drain->processes[i];
	}
	return NULL;
}

/* On failure the process is closed. */
static berth_status limit_process(const berth_drain *drain, struct berth__drain_process *process)
{
	berth_status st = berth__drain_process_limit(process, &drain->limits);

	if (st != BERTH_OK)
		berth__drain_process_close(process);
	return st;
}

static berth_status add_process(berth_drain *drain, const char *series, uint32_t pid)
{
	struct berth__drain_process **processes;
	berth_status st;

	processes = reallocarray(drain->processes, drain->count + 1, sizeof(*processes));
	if (!processes)
		return no_memory(drain->directory);
	drain->processes = processes;
	st = berth__drain_process_open(&processes[drain->count], series, pid);
	if (st == BERTH_OK)
		st = limit_process(drain, processes[drain->count]);
	if (st != BERTH_OK)
		return st;
	if (processes[drain->count++]->damage.status != BERTH_OK) {
		const berth_error *damage = &processes[drain->count - 1]->damage;

		return berth_error_set(damage->status, 0, "%s", damage->message);
	}
	return BERTH_OK;
}

static berth_status add_file(berth_drain *drain, const char *name)
{
	uint32_t pid;
	int series_bytes = series_of(name, &pid);
	berth_status st;
	char *series;

	if (series_bytes == 0 || find_process(drain, name, series_bytes))
		return BERTH_OK;
	if (asprintf(&series, "%s/%.*s", drain->directory, series_bytes, name) < 0)
		return no_memory(drain->directory);
	st = add_process(drain, series, pid);
	free(series);
	return st;
}

/* The first failure of several, and its detail. */
static void keep_first(berth_error *first, berth_status st)
{
	if (st != BERTH_OK && first->status == BERTH_OK) {
		*first = *berth_error_get();
		first->status = st;
	}
}

static berth_status report(const berth_error *error)
{
	if (error->status == BERTH_OK)
		return BERTH_OK;
	return berth_error_set(error->status, error->cl_status, "%s", error->message);
}

static berth_status open_directory(DIR **out, const berth_drain *drain)
{
	*out = opendir(drain->directory);
	if (*out)
		return BERTH_OK;
	return berth_error_set(BERTH_E_IO, 0, "cannot read the spool directory '%s': %s",
			       drain->directory, strerror(errno));
}

static void scan(berth_drain *drain, berth_error *first)
{
	struct dirent *entry;
	DIR *directory;
	berth_status st = open_directory(&directory, drain);

	if (st != BERTH_OK) {
		keep_first(first, st);
		return;
	}
	while ((entry = readdir(directory)))
		keep_first(first, add_file(drain, entry->d_name));
	closedir(directory);
}

berth_status berth_drain_step(berth_drain *drain, uint64_t *moved)
{
	berth_error first = { .status = BERTH_OK };
	uint64_t count = 0;

	scan(drain, &first);
	for (size_t i = 0; i < drain->count; i++)
		keep_first(&first, berth__drain_process_step(drain->processes[i], &count));
	if (first.status == BERTH_OK)
		*moved = count;
	return report(&first);
}

berth_status berth_drain_mark(berth_drain *drain, const char *text)
{
	berth_error first = { .status = BERTH_OK };

	scan(drain, &first);
	for (size_t i = 0; i < drain->count; i++)
		keep_first(&first, berth__drain_process_mark(drain->processes[i], text));
	return report(&first);
}

void berth_drain_get_progress(const berth_drain *drain, berth_drain_progress *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < drain->count; i++) {
		const struct berth__drain_process *process = drain->processes[i];

		if (process->position.tail == 0 && process->position.segment == 0 &&
		    !process->finished)
			continue;
		out->processes++;
		out->ops += process->writer ? berth__trace_writer_op_count(process->writer)
					    : process->ops;
		out->lost_records += process->lost;
	}
}

/* ---- finishing ---- */

static berth_status check_all_ended(const berth_drain *drain)
{
	for (size_t i = 0; i < drain->count; i++) {
		if (berth__drain_process_alive(drain->processes[i]))
			return berth_error_set(BERTH_E_STATE, 0,
					       "process %" PRIu32 " is still being recorded",
					       drain->processes[i]->pid);
	}
	return BERTH_OK;
}

/* First the one that gets the path: the earliest that made a memory operation. */
static int compare_processes(const void *a, const void *b)
{
	const struct berth__drain_process *one = *(struct berth__drain_process *const *)a;
	const struct berth__drain_process *other = *(struct berth__drain_process *const *)b;

	if ((one->ops > 0) != (other->ops > 0))
		return one->ops > 0 ? -1 : 1;
	if (one->started_ns != other->started_ns)
		return one->started_ns < other->started_ns ? -1 : 1;
	return strcmp(one->series, other->series);
}

/* Whether the process has a trace to show; what never said what it is has none. */
static bool has_trace(const struct berth__drain_process *process)
{
	return process->finished && process->program;
}

/*
 * Remove the segments of whole traces. Most are gone by now, but not those of a
 * recorder that ended between its last commit and that: they would be drained again.
 */
static berth_status remove_segments(const berth_drain *drain)
{
	struct dirent *entry;
	DIR *directory;
	berth_status st = open_directory(&directory, drain);

	if (st != BERTH_OK)
		return st;
	while ((entry = readdir(directory))) {
		const struct berth__drain_process *process;
		uint32_t pid;
		int series_bytes = series_of(entry->d_name, &pid);

		if (series_bytes == 0 ||
		    strcmp(entry->d_name + series_bytes, BERTH__UNFINISHED_SUFFIX) == 0)
			continue;
		process = find_process(drain, entry->d_name, series_bytes);
		if (process && process->finished && process->damage.status == BERTH_OK)
			unlinkat(dirfd(directory), entry->d_name, 0);
	}
	closedir(directory);
	return BERTH_OK;
}

/* Finish every trace; drop those with nothing in them; the others come in order of their rank. */
static berth_status finish_all(berth_drain *drain, size_t *with_trace)
{
	size_t kept = 0;
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < drain->count; i++)
		st = berth__drain_process_finish(drain->processes[i]);
	if (st == BERTH_OK)
		st = remove_segments(drain);
	if (st != BERTH_OK)
		return st;
	for (size_t i = 0; i < drain->count; i++) {
		struct berth__drain_process *process = drain->processes[i];

		if (has_trace(process)) {
			drain->processes[i] = drain->processes[kept];
			drain->processes[kept++] = process;
		} else if (process->finished) {
			unlink(process->unfinished);
		}
	}
	if (kept)
		qsort(drain->processes, kept, sizeof(*drain->processes), compare_processes);
	*with_trace = kept;
	return BERTH_OK;
}

/* The target of the trace at `index`. free(); NULL: out of memory. */
static char *target_path(const berth_drain *drain, size_t index, const char *path)
{
	unsigned nth = 1;

	if (index == 0)
		return strdup(path);
	for (size_t i = 1; i < index; i++)
		nth += drain->processes[i]->pid == drain->processes[index]->pid;
	return berth__place_path(path, drain->processes[index]->pid, nth);
}

/* The first one last: a retry after a failure must not take another for it. */
static berth_status place_all(berth_drain *drain, size_t count, const char *path)
{
	berth_status st = BERTH_OK;

	for (size_t left = count; st == BERTH_OK && left > 0; left--) {
		struct berth__drain_process *process = drain->processes[left - 1];
		char *to = target_path(drain, left - 1, path);

		if (!to)
			st = no_memory(drain->directory);
		else if (!process->placed)
			st = berth__place_file(process->unfinished, to);
		process->placed = st == BERTH_OK;
		free(to);
	}
	return st;
}

static berth_status visit_all(const berth_drain *drain, size_t count, const char *path,
			      berth_drain_visit_fn *visit, void *userdata)
{
	for (size_t i = 0; visit && i < count; i++) {
		const struct berth__drain_process *process = drain->processes[i];
		char *to = target_path(drain, i, path);
		berth_drain_trace trace = {
			.path = to,
			.pid = process->pid,
			.ops = process->ops,
			.lost_records = process->lost,
			.program = process->program,
		};

		if (!to)
			return no_memory(drain->directory);
		visit(&trace, userdata);
		free(to);
	}
	return BERTH_OK;
}

/* A directory that still holds something, such as a damaged spool, stays. */
static void remove_directory(const berth_drain *drain)
{
	unlink(drain->lock_path);
	rmdir(drain->directory);
}

berth_status berth_drain_finish(berth_drain *drain, const char *path, berth_drain_visit_fn *visit,
				void *userdata)
{
	berth_error damage = { .status = BERTH_OK };
	size_t count = 0, unrecorded;
	berth_status st;

	scan(drain, &damage);
	if (damage.status != BERTH_OK && damage.status != BERTH_E_FORMAT &&
	    damage.status != BERTH_E_VERSION)
		return report(&damage);
	if ((st = check_all_ended(drain)) != BERTH_OK ||
	    (st = finish_all(drain, &count)) != BERTH_OK ||
	    (st = place_all(drain, count, path)) != BERTH_OK ||
	    (st = visit_all(drain, count, path, visit, userdata)) != BERTH_OK)
		return st;
	damage.status = BERTH_OK;
	for (size_t i = 0; i < drain->count && damage.status == BERTH_OK; i++)
		damage = drain->processes[i]->damage;
	unrecorded = berth__drain_leftovers(drain->directory, visit, userdata);
	remove_directory(drain);
	if (damage.status == BERTH_OK && count == 0)
		return berth_error_set(BERTH_E_NOT_FOUND, 0,
				       unrecorded ? "no process could be recorded"
						  : "no process has used OpenCL");
	return report(&damage);
}
