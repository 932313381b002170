/* SPDX-License-Identifier: Apache-2.0 */
/* The tables and views of a trace, version BERTH_TRACE_VERSION (doc/trace-format.md). */
#ifndef BERTH_REPLAY_TRACE_SCHEMA_H
#define BERTH_REPLAY_TRACE_SCHEMA_H

#include <sqlite3.h>

#include <berth/status.h>

/* Make all tables, views and lookup rows in an empty database, and mark it as a trace. */
BERTH_MUST_CHECK berth_status berth__trace_schema_create(sqlite3 *db);

/*
 * Compare the tables of a database with those of a trace: each must be there, be
 * an ordinary table and have the same columns in the same order. A view under a
 * table's name could run for ever, so nothing is read before this.
 */
BERTH_MUST_CHECK berth_status berth__trace_schema_verify(sqlite3 *db);

/*
 * One row (id, bytes, created_op, ends_op) for each object that owns memory.
 * ends_op: when the memory goes back, the object and everything on it released;
 * NULL = never. Also the view `memory`, which a reader must not trust.
 */
extern const char berth__trace_memory_sql[];

/* Whether a trace has a table or view; those that came later, not all have. */
bool berth__trace_has_table(sqlite3 *db, const char *table);

/* The views of a new trace. */
berth_status berth__trace_views_create(sqlite3 *db);

#endif
