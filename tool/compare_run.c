/* SPDX-License-Identifier: Apache-2.0 */
#include "compare_run.h"

#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* A cell that runs: its process, and the file that it writes its row to. */
struct worker {
	pid_t pid; /* 0: none */
	size_t cell;
	FILE *row;
};

struct crew {
	struct compare_row *rows;
	const struct compare_cell *cells;
	size_t count, begun, done;
	struct worker *workers;
	unsigned at_once;
	struct progress progress;
};

static berth_status system_error(const char *what)
{
	return berth_error_set(BERTH_E_IO, 0, "%s: %s", what, strerror(errno));
}

/* In the child: drivers end with it, and its messages are in its row. */
static void run_in_child(const struct compare_cell *cell, FILE *file)
{
	struct compare_row row;
	char *text = NULL;
	bool made;

	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	made = compare_cell_run(&row, cell) && (text = compare_row_to_json(&row)) &&
	       fputs(text, file) >= 0 && fflush(file) == 0;
	_exit(made ? 0 : 1);
}

static berth_status start(struct crew *crew, struct worker *worker)
{
	worker->cell = crew->begun;
	worker->row = tmpfile();
	if (!worker->row)
		return system_error("cannot make a temporary file");
	fflush(stdout);
	worker->pid = fork();
	if (worker->pid == 0)
		run_in_child(&crew->cells[worker->cell], worker->row);
	if (worker->pid < 0) {
		worker->pid = 0;
		fclose(worker->row);
		return system_error("cannot start a process");
	}
	crew->begun++;
	return BERTH_OK;
}

/* The text that a child left; free(). NULL: none, or no memory. */
static char *read_all(FILE *file)
{
	long bytes;
	char *text;

	if (fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) <= 0)
		return NULL;
	rewind(file);
	text = calloc(1, (size_t)bytes + 1);
	if (text && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
		free(text);
		text = NULL;
	}
	return text;
}

static void explain(char *text, size_t bytes, int status)
{
	if (WIFSIGNALED(status))
		snprintf(text, bytes, "the replay ended by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(text, bytes, "the replay ended with status %d and no result",
			 WEXITSTATUS(status));
}

static berth_status finish(struct crew *crew, struct worker *worker, int status)
{
	struct compare_row *row = &crew->rows[worker->cell];
	char *text = read_all(worker->row), why[128];
	bool made = text && compare_row_from_json(row, text) == BERTH_OK;

	if (text && !made)
		compare_row_free(row);
	free(text);
	fclose(worker->row);
	worker->pid = 0;
	crew->done++;
	progress_show(&crew->progress, "berth: compared %zu of %zu", crew->done, crew->count);
	if (made)
		return BERTH_OK;
	explain(why, sizeof(why), status);
	if (compare_cell_fail(row, &crew->cells[worker->cell], why))
		return BERTH_OK;
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a row");
}

static struct worker *find(struct crew *crew, pid_t pid)
{
	for (unsigned i = 0; i < crew->at_once; i++)
		if (crew->workers[i].pid == pid)
			return &crew->workers[i];
	return NULL;
}

/* Wait for one to end. */
static berth_status reap(struct crew *crew)
{
	struct worker *worker;
	int status;
	pid_t pid;

	do
		pid = waitpid(-1, &status, 0);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return system_error("cannot wait for a process");
	worker = find(crew, pid);
	return worker ? finish(crew, worker, status) : BERTH_OK;
}

static berth_status run_all(struct crew *crew)
{
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && crew->done < crew->count) {
		struct worker *idle = crew->begun < crew->count ? find(crew, 0) : NULL;

		st = idle ? start(crew, idle) : reap(crew);
	}
	return st;
}

berth_status compare_run(struct compare_row *rows, const struct compare_cell *cells, size_t count,
			 unsigned at_once)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct crew crew = { .rows = rows, .cells = cells, .count = count };
	berth_status st;

	crew.at_once = at_once ? at_once : cores > 0 ? (unsigned)cores : 1;
	crew.workers = calloc(crew.at_once, sizeof(*crew.workers));
	if (!crew.workers)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %u processes",
				       crew.at_once);
	progress_start(&crew.progress);
	st = run_all(&crew);
	progress_end(&crew.progress);
	free(crew.workers);
	return st;
}
