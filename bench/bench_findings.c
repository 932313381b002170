/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings against SQLite: how long does it take to look for everything in a trace, and how
 * much longer than stepping through the same rows with SQLite and reading every column? And
 * how much memory does it take? `bench_findings 20000000` is what a long recording has.
 */
#include "tests/sample_trace.h"

#include <berth/findings.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#define OPS 1000000
#define ROUNDS 3

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Every column, as the integer it is: the least that a reader of the table does. */
static uint64_t read_columns(sqlite3_stmt *statement)
{
	uint64_t sum = 0;

	for (int column = 0; column < sqlite3_column_count(statement); column++)
		sum += (uint64_t)sqlite3_column_int64(statement, column);
	return sum;
}

/* Seconds to read all rows of `op`; negative on failure. */
static double read_with_sqlite(const char *path)
{
	double began = now_s();
	sqlite3_stmt *statement = NULL;
	sqlite3 *database;
	volatile uint64_t sum = 0;
	int code = SQLITE_ERROR;

	if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(database, "SELECT * FROM op ORDER BY seq", -1, &statement, NULL) ==
		    SQLITE_OK)
		while ((code = sqlite3_step(statement)) == SQLITE_ROW)
			sum += read_columns(statement);
	sqlite3_finalize(statement);
	sqlite3_close(database);
	return code == SQLITE_DONE ? now_s() - began : -1;
}

static double find(const char *path)
{
	double began = now_s();
	berth_findings *findings = NULL;
	berth_trace *trace = NULL;
	berth_status st = berth_trace_open(&trace, path);

	if (st == BERTH_OK)
		st = berth_findings_find(&findings, trace, NULL);
	if (st != BERTH_OK)
		fprintf(stderr, "bench_findings: %s\n", berth_error_get()->message);
	berth_findings_free(findings);
	berth_trace_close(trace);
	return st == BERTH_OK ? now_s() - began : -1;
}

/* The best of the rounds: what disturbs only adds. */
static int measure(const char *path, uint64_t ops)
{
	double sqlite = 0, ours = 0;
	struct rusage usage;

	for (int round = 0; round < ROUNDS; round++) {
		double one = read_with_sqlite(path), other = find(path);

		if (one < 0 || other < 0)
			return 1;
		sqlite = round == 0 || one < sqlite ? one : sqlite;
		ours = round == 0 || other < ours ? other : ours;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("findings of %" PRIu64
	       " ops: %.2f s, %.2f million ops/s; SQLite reads them in %.2f s; "
	       "ratio %.2f\n",
	       ops, ours, (double)ops / ours / 1e6, sqlite, ours / sqlite);
	printf("largest resident size: %ld KiB\n", usage.ru_maxrss);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t ops = argc > 1 ? strtoull(argv[1], NULL, 10) / 8 * 8 : OPS;
	char path[] = "/tmp/bench_findings.XXXXXX";
	int fd = mkstemp(path), status = 1;

	if (fd < 0 || close(fd) != 0 || unlink(path) != 0)
		return 1;
	if (sample_large(path, ops) == BERTH_OK)
		status = measure(path, ops);
	else
		fprintf(stderr, "bench_findings: %s\n", berth_error_get()->message);
	unlink(path);
	return status;
}
