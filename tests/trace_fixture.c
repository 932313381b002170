/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_fixture.h"

#include "trace_write.h"

#include <sqlite3.h>

#include <stdio.h>
#include <stdlib.h>

static void must(berth_status st)
{
	if (st != BERTH_OK) {
		fprintf(stderr, "fixture: %s\n", berth_error_get()->message);
		exit(99);
	}
}

void trace_fixture_write(const char *path, const struct fixture_op *ops, size_t count)
{
	struct berth__trace_writer *writer;
	berth_caps caps;

	berth_caps_init_minimum(&caps, 300);
	snprintf(caps.name, sizeof(caps.name), "Fixture GPU");
	must(berth__trace_writer_open(&writer, path));
	must(berth__trace_writer_begin(writer));
	must(berth__trace_write_text(writer, "program", "/usr/bin/fixture"));
	must(berth__trace_write_text(writer, "command", "fixture --once"));
	must(berth__trace_write_text(writer, "berth_version", "9.8.7"));
	must(berth__trace_write_number(writer, "started_ns", 1000));
	must(berth__trace_write_number(writer, "lost", 3));
	must(berth__trace_write_device(writer, 1, &caps));
	must(berth__trace_write_queue(writer, 1, 1, 1, 0));
	must(berth__trace_write_name(writer, 1, "kernel one"));
	must(berth__trace_write_name(writer, 2, "label two"));
	must(berth__trace_write_untracked_name(writer, 5, "clSVMAlloc"));
	must(berth__trace_write_untracked(writer, 5, 12));
	for (size_t i = 0; i < count; i++)
		must(berth__trace_write_op(writer, &ops[i].row, ops[i].name_id));
	must(berth__trace_writer_finish(writer, "exit"));
	must(berth__trace_writer_seal(writer));
	berth__trace_writer_close(writer);
}

void trace_fixture_sql(const char *path, const char *sql)
{
	sqlite3 *db;

	if (sqlite3_open(path, &db) != SQLITE_OK ||
	    sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
		fprintf(stderr, "fixture: %s: %s\n", sql, sqlite3_errmsg(db));
		exit(99);
	}
	sqlite3_close(db);
}

long long trace_fixture_number(const char *path, const char *sql)
{
	sqlite3_stmt *row = NULL;
	long long number = -1;
	sqlite3 *db;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK) {
		fprintf(stderr, "fixture: %s: %s\n", sql, sqlite3_errmsg(db));
		exit(99);
	}
	if (sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL)
		number = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	sqlite3_close(db);
	return number;
}
