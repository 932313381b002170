/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a large trace costs: replay, show, findings, diff, report, in time against a plain reading
 * of its ops with SQLite in the same run, and in memory, each in a process of its own. BENCH_OPS is
 * the number of ops (2000000 if not set); 20000000 takes some minutes and 1.3 GB of disk.
 */
#include "tests/sample_trace.h"

#include <berth/findings.h>
#include <berth/replay.h>
#include <berth/report.h>
#include <berth/sim.h>
#include <berth/trace_diff.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#define OPS_DEFAULT 2000000

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Every column of every op, as the integer it is. */
static bool read_with_sqlite(const char *path)
{
	sqlite3_stmt *statement = NULL;
	volatile uint64_t sum = 0;
	sqlite3 *database;
	bool read = false;

	if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ==
		    SQLITE_OK &&
	    sqlite3_prepare_v2(database, "select * from op order by seq", -1, &statement, NULL) ==
		    SQLITE_OK) {
		int columns = sqlite3_column_count(statement);

		while (sqlite3_step(statement) == SQLITE_ROW)
			for (int column = 0; column < columns; column++)
				sum += (uint64_t)sqlite3_column_int64(statement, column);
		read = true;
	}
	sqlite3_finalize(statement);
	sqlite3_close(database);
	return read;
}

static bool replay(const char *path)
{
	const berth_sim_options sim_options = { .size = sizeof(sim_options), .ghost = true };
	const berth_replay_options options = { .size = sizeof(options), .ghost = true };
	berth_profile *profile = malloc(sizeof(*profile));
	berth_device *device = NULL;
	berth_trace *trace = NULL;
	berth_replay_report report;

	return profile && berth_profile_load(profile, "spec-minimum") == BERTH_OK &&
	       berth_sim_create(&device, profile, &sim_options) == BERTH_OK &&
	       berth_trace_open(&trace, path) == BERTH_OK &&
	       berth_replay_run(trace, device, &options, &report) == BERTH_OK && !report.diverged;
}

static bool show(const char *path)
{
	berth_summary *summary;
	berth_trace *trace;

	return berth_trace_open(&trace, path) == BERTH_OK &&
	       berth_trace_summarise(&summary, trace) == BERTH_OK;
}

static bool findings(const char *path)
{
	berth_findings *found;
	berth_trace *trace;

	return berth_trace_open(&trace, path) == BERTH_OK &&
	       berth_findings_find(&found, trace, NULL) == BERTH_OK;
}

static bool diff(const char *path)
{
	berth_trace *traces[2];
	berth_trace_diff *difference;

	return berth_trace_open(&traces[0], path) == BERTH_OK &&
	       berth_trace_open(&traces[1], path) == BERTH_OK &&
	       berth_trace_diff_find(&difference, traces[0], traces[1], true) == BERTH_OK &&
	       !difference->differs;
}

static bool report(const char *path)
{
	char page[128];
	berth_trace *trace;
	bool written;

	snprintf(page, sizeof(page), "%s.html", path);
	written = berth_trace_open(&trace, path) == BERTH_OK &&
		  berth_report_write(page, trace, NULL) == BERTH_OK;
	unlink(page);
	return written;
}

static const struct {
	const char *name;
	bool (*run)(const char *path);
} tasks[] = {
	{ "SQLite alone, all columns", read_with_sqlite },
	{ "ghost replay", replay },
	{ "show", show },
	{ "findings", findings },
	{ "diff with itself", diff },
	{ "report", report },
};

/* Seconds and the most memory, of a process that does it; negative: it failed. */
static double measure(bool (*run)(const char *path), const char *path, long *kib)
{
	double began = now_s();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(run(path) ? 0 : 1);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 0)
		return -1;
	*kib = usage.ru_maxrss;
	return now_s() - began;
}

static int measure_all(const char *path, uint64_t ops)
{
	double sqlite_s = 0;

	printf("a trace of %" PRIu64 " ops\n", ops);
	for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++) {
		long kib = 0;
		double took = measure(tasks[i].run, path, &kib);

		if (took < 0) {
			fprintf(stderr, "bench_trace: %s failed\n", tasks[i].name);
			return 1;
		}
		if (i == 0)
			sqlite_s = took;
		printf("  %-28s %8.2f s  %6.2f x SQLite alone  %8.1f MiB\n", tasks[i].name, took,
		       took / sqlite_s, (double)kib / 1024);
	}
	return 0;
}

int main(void)
{
	const char *wanted = getenv("BENCH_OPS");
	uint64_t ops = wanted ? strtoull(wanted, NULL, 10) / 8 * 8 : OPS_DEFAULT;
	char folder[] = "/tmp/berth-bench.XXXXXX", path[64];
	int status = 1;

	if (!mkdtemp(folder)) {
		perror("bench_trace");
		return 1;
	}
	snprintf(path, sizeof(path), "%s/large.db", folder);
	if (sample_large(path, ops) == BERTH_OK)
		status = measure_all(path, ops);
	else
		fprintf(stderr, "bench_trace: %s\n", berth_error_get()->message);
	unlink(path);
	rmdir(folder);
	return status;
}
