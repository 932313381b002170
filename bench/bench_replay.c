/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ghost replay against SQLite: how many ops a second does a replay on the
 * simulator execute, and how much longer does it take than stepping through the
 * same rows with SQLite and reading every column? Rounds alternate, so that what
 * else the machine does hits both; medians are compared.
 */
#include "tests/sample_trace.h"

#include <berth/replay.h>
#include <berth/sim.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#define OPS 1000000
#define ROUNDS 5

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), by_value);
	return values[ROUNDS / 2];
}

/* Every column, as the integer it is: the least that a reader of the table does. */
static uint64_t read_columns(sqlite3_stmt *statement, int count)
{
	uint64_t sum = 0;

	for (int column = 0; column < count; column++)
		sum += (uint64_t)sqlite3_column_int64(statement, column);
	return sum;
}

/* Seconds to read all rows of `op`; negative on failure. */
static double read_with_sqlite(const char *path, uint64_t *rows)
{
	double began = now_s(), took = -1;
	sqlite3_stmt *statement = NULL;
	sqlite3 *database;
	volatile uint64_t sum = 0;

	*rows = 0;
	if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ==
		    SQLITE_OK &&
	    sqlite3_prepare_v2(database, "select * from op order by seq", -1, &statement, NULL) ==
		    SQLITE_OK) {
		int columns = sqlite3_column_count(statement);

		while (sqlite3_step(statement) == SQLITE_ROW) {
			sum += read_columns(statement, columns);
			(*rows)++;
		}
		took = now_s() - began;
	}
	sqlite3_finalize(statement);
	sqlite3_close(database);
	return took;
}

static berth_status open_sim(berth_device **device)
{
	const berth_sim_options options = { .size = sizeof(options), .ghost = true };
	berth_profile profile;
	berth_status st = berth_profile_load(&profile, "spec-minimum");

	return st == BERTH_OK ? berth_sim_create(device, &profile, &options) : st;
}

/* Seconds to replay all rows; negative on failure. */
static double replay(const char *path, berth_replay_report *report)
{
	const berth_replay_options options = { .size = sizeof(options), .ghost = true };
	berth_device *device = NULL;
	berth_trace *trace = NULL;
	double began = now_s(), took = -1;

	if (berth_trace_open(&trace, path) == BERTH_OK && open_sim(&device) == BERTH_OK &&
	    berth_replay_run(trace, device, &options, report) == BERTH_OK)
		took = now_s() - began;
	berth_device_destroy(device);
	berth_trace_close(trace);
	return took;
}

static int measure(const char *path)
{
	double sqlite_s[ROUNDS], replay_s[ROUNDS], sqlite, ghost;
	berth_replay_report report;
	uint64_t rows = 0;

	if (sample_large(path, OPS) != BERTH_OK)
		return 1;
	for (int round = 0; round < ROUNDS; round++) {
		sqlite_s[round] = read_with_sqlite(path, &rows);
		replay_s[round] = replay(path, &report);
		if (sqlite_s[round] < 0 || replay_s[round] < 0)
			return 1;
	}
	if (report.executed != rows || report.diverged) {
		fprintf(stderr, "bench_replay: %" PRIu64 " of %" PRIu64 " ops executed, %s\n",
			report.executed, rows, report.first.text);
		return 1;
	}
	sqlite = median(sqlite_s);
	ghost = median(replay_s);
	printf("ghost replay, %" PRIu64 " ops, median of %d alternating rounds\n", rows, ROUNDS);
	printf("  %-28s %6.2f million ops/s\n", "SQLite alone, all columns", (double)rows / sqlite / 1e6);
	printf("  %-28s %6.2f million ops/s   (target: 3)\n", "ghost replay", (double)rows / ghost / 1e6);
	printf("  %-28s %6.2f              (target: 1.5)\n", "time / time of SQLite alone",
	       ghost / sqlite);
	return 0;
}

int main(void)
{
	char folder[] = "/tmp/berth-bench.XXXXXX", path[64];
	int status;

	if (!mkdtemp(folder)) {
		perror("bench_replay");
		return 1;
	}
	snprintf(path, sizeof(path), "%s/large.db", folder);
	status = measure(path);
	if (status != 0)
		fprintf(stderr, "bench_replay: %s\n", berth_error_get()->message);
	unlink(path);
	rmdir(folder);
	return status;
}
