/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_limit.h"

#include "db.h"

#include <berth/op.h>

/*
 * `wanted`: objects that are alive, and what they lie on, up to the root. A mapping is alive
 * when no unmap names it.
 */
static const char prune_sql[] =
	"CREATE TEMP TABLE wanted(id INTEGER PRIMARY KEY);"
	"CREATE TEMP TABLE kept(seq INTEGER PRIMARY KEY);"
	"WITH RECURSIVE needed(id) AS ("
	"SELECT id FROM object WHERE released_op IS NULL"
	" UNION SELECT parent FROM object JOIN needed USING(id) WHERE parent > 0)"
	" INSERT INTO wanted SELECT id FROM needed;"
	"INSERT INTO kept SELECT created_op FROM object WHERE id IN (SELECT id FROM wanted)"
	" AND created_op IS NOT NULL;"
	/* What others lie on may be released itself. */
	"INSERT OR IGNORE INTO kept SELECT released_op FROM object"
	" WHERE id IN (SELECT id FROM wanted) AND released_op IS NOT NULL;"
	"INSERT OR IGNORE INTO kept SELECT seq FROM op WHERE kind = %d AND status = 0"
	" AND object IN (SELECT id FROM wanted)"
	" AND mapping NOT IN (SELECT mapping FROM op WHERE kind = %d AND mapping IS NOT NULL);"
	"DELETE FROM op WHERE seq NOT IN (SELECT seq FROM kept);"
	"DELETE FROM object WHERE id NOT IN (SELECT id FROM wanted)";

/* What hangs on ops. */
static const char *const side_tables[] = { "region",   "image",	   "result",
					   "op_object", "op_event", "op_stack" };

static const char end_sql[] = "DROP TABLE temp.wanted; DROP TABLE temp.kept;"
			      "DELETE FROM command_time; DELETE FROM payload WHERE digest NOT IN"
			      " (SELECT digest FROM op WHERE digest IS NOT NULL)";

berth_status berth__trace_prune(uint64_t *kept, sqlite3 *db)
{
	berth_status st = berth__db_execf(db, prune_sql, BERTH_OP_MAP, BERTH_OP_UNMAP);

	for (size_t i = 0; st == BERTH_OK && i < sizeof(side_tables) / sizeof(side_tables[0]); i++)
		st = berth__db_execf(db, "DELETE FROM %s WHERE op NOT IN (SELECT seq FROM kept)",
				     side_tables[i]);
	if (st == BERTH_OK)
		st = berth__db_exec(db, end_sql);
	return st == BERTH_OK ? berth__db_number(kept, db, "SELECT count(*) FROM op") : st;
}

/* One retain a reference: the first is that of the creation. */
static const char retain_sql[] =
	"WITH RECURSIVE extra(id, context, left) AS ("
	"SELECT id, context, refs - 1 FROM object WHERE refs > 1 AND released_op IS NULL"
	" UNION ALL SELECT id, context, left - 1 FROM extra WHERE left > 1)"
	" INSERT INTO op(seq, kind, status, object, t_ns, dur_ns, thread, context)"
	" SELECT (SELECT coalesce(max(seq), 0) FROM op) + row_number() OVER (ORDER BY id),"
	" %d, 0, id, 0, 0, 0, context FROM extra";

/* From 1 without gaps. Numbers only get smaller, and in order: none meets another. */
static berth_status renumber(sqlite3 *db)
{
	berth_status st = berth__db_exec(
		db, "CREATE TEMP TABLE number(old INTEGER PRIMARY KEY, new INTEGER);"
		    "INSERT INTO number SELECT seq, row_number() OVER (ORDER BY seq) FROM op");

	for (size_t i = 0; st == BERTH_OK && i < sizeof(side_tables) / sizeof(side_tables[0]); i++)
		st = berth__db_execf(
			db, "UPDATE %s SET op = (SELECT new FROM number WHERE old = op)",
			side_tables[i]);
	if (st != BERTH_OK)
		return st;
	return berth__db_exec(
		db, "UPDATE object SET"
		    " created_op = (SELECT new FROM number WHERE old = created_op),"
		    " released_op = (SELECT new FROM number WHERE old = released_op);"
		    "UPDATE op SET seq = (SELECT new FROM number WHERE old = seq);"
		    "DROP TABLE temp.number");
}

berth_status berth__trace_begin_here(uint64_t *last, sqlite3 *db)
{
	uint64_t kept;
	berth_status st = berth__trace_prune(&kept, db);

	if (st == BERTH_OK)
		st = renumber(db);
	if (st == BERTH_OK)
		st = berth__db_execf(db, retain_sql, BERTH_OP_RETAIN);
	return st == BERTH_OK
		       ? berth__db_number(last, db, "SELECT coalesce(max(seq), 0) FROM op")
		       : st;
}

berth_status berth__trace_file_bytes(uint64_t *out, sqlite3 *db)
{
	return berth__db_number(out, db,
				"SELECT (page_count - freelist_count) * page_size"
				" FROM pragma_page_count, pragma_freelist_count, pragma_page_size");
}
