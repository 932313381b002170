/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite with berth_status: what every user of a trace's database needs. */
#ifndef BERTH_REPLAY_DB_H
#define BERTH_REPLAY_DB_H

#include <sqlite3.h>

#include <berth/status.h>

/* Set the thread's detail from the connection's last error: "cannot ACTION: ...". */
BERTH_MUST_CHECK berth_status berth__db_error(sqlite3 *db, const char *action);

BERTH_MUST_CHECK berth_status berth__db_exec(sqlite3 *db, const char *sql);

/* As sqlite3_mprintf: %Q quotes a string as SQL. */
BERTH_MUST_CHECK berth_status berth__db_execf(sqlite3 *db, const char *format, ...);

/* *out is for many runs; finalise it with sqlite3_finalize(). */
BERTH_MUST_CHECK berth_status berth__db_prepare(sqlite3_stmt **out, sqlite3 *db, const char *sql);

/* The same, of SQL that was built; takes `sql` over. */
BERTH_MUST_CHECK berth_status berth__db_prepare_made(sqlite3_stmt **out, sqlite3 *db,
						     sqlite3_str *sql);

/* Step a statement that gives no rows, and make it ready for the next run. */
BERTH_MUST_CHECK berth_status berth__db_run(sqlite3_stmt *statement);

/* Bind a text that stays as it is until the statement has run. */
static inline void berth__db_bind_text(sqlite3_stmt *statement, int index, const char *text)
{
	/* Nothing is copied, so this cannot fail for memory, and then write NULL instead. */
	sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

/*
 * The text of a column, valid until the row is left; NULL for SQL's NULL.
 * BERTH_E_NOMEM: it cannot be had.
 */
BERTH_MUST_CHECK berth_status berth__db_text(const char **out, sqlite3_stmt *row, int column);

/* The one number that a query gives. */
BERTH_MUST_CHECK berth_status berth__db_number(uint64_t *out, sqlite3 *db, const char *sql);

/* Unsigned 64-bit numbers stand as the signed integer of the same bits. */
static inline void berth__db_bind(sqlite3_stmt *statement, int index, uint64_t value)
{
	sqlite3_bind_int64(statement, index, (sqlite3_int64)value);
}

static inline uint64_t berth__db_column(sqlite3_stmt *statement, int column)
{
	return (uint64_t)sqlite3_column_int64(statement, column);
}

#endif
