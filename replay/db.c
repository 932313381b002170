/* SPDX-License-Identifier: Apache-2.0 */
#include "db.h"

#include <stdarg.h>

static berth_status status_of(int code)
{
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return BERTH_E_NOMEM;
	case SQLITE_PERM:
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_READONLY:
	case SQLITE_IOERR:
	case SQLITE_FULL:
	case SQLITE_CANTOPEN:
	case SQLITE_PROTOCOL:
		return BERTH_E_IO;
	default:
		return BERTH_E_FORMAT;
	}
}

berth_status berth__db_error(sqlite3 *db, const char *action)
{
	if (!db)
		return berth_error_set(BERTH_E_NOMEM, 0, "cannot %s: out of memory", action);
	if (sqlite3_errcode(db) == SQLITE_INTERRUPT)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "cannot %s: it takes longer than its size can explain",
				       action);
	return berth_error_set(status_of(sqlite3_errcode(db)), 0, "cannot %s: %s", action,
			       sqlite3_errmsg(db));
}

berth_status berth__db_exec(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return berth__db_error(db, "use the trace");
	return BERTH_OK;
}

berth_status berth__db_execf(sqlite3 *db, const char *format, ...)
{
	berth_status st;
	va_list args;
	char *sql;

	va_start(args, format);
	sql = sqlite3_vmprintf(format, args);
	va_end(args);
	if (!sql)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory making SQL");
	st = berth__db_exec(db, sql);
	sqlite3_free(sql);
	return st;
}

berth_status berth__db_prepare(sqlite3_stmt **out, sqlite3 *db, const char *sql)
{
	if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) != SQLITE_OK)
		return berth__db_error(db, "use the trace");
	return BERTH_OK;
}

berth_status berth__db_prepare_made(sqlite3_stmt **out, sqlite3 *db, sqlite3_str *made)
{
	char *sql = sqlite3_str_finish(made);
	berth_status st;

	if (!sql)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory making SQL");
	st = berth__db_prepare(out, db, sql);
	sqlite3_free(sql);
	return st;
}

berth_status berth__db_run(sqlite3_stmt *statement)
{
	int code = sqlite3_step(statement);
	berth_status st = BERTH_OK;

	if (code != SQLITE_DONE && code != SQLITE_ROW)
		st = berth__db_error(sqlite3_db_handle(statement), "write the trace");
	sqlite3_reset(statement);
	return st;
}

berth_status berth__db_text(const char **out, sqlite3_stmt *row, int column)
{
	sqlite3 *db = sqlite3_db_handle(row);
	const char *text = (const char *)sqlite3_column_text(row, column);

	if (!text && sqlite3_errcode(db) == SQLITE_NOMEM)
		return berth__db_error(db, "read the trace");
	*out = text;
	return BERTH_OK;
}

berth_status berth__db_number(uint64_t *out, sqlite3 *db, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	berth_status st = berth__db_prepare(&statement, db, sql);

	if (st == BERTH_OK && sqlite3_step(statement) != SQLITE_ROW)
		st = berth__db_error(db, "read the trace");
	if (st == BERTH_OK)
		*out = berth__db_column(statement, 0);
	sqlite3_finalize(statement);
	return st;
}
