/* SPDX-License-Identifier: Apache-2.0 */
#include "residency_held.h"

#include <string.h>

/* `doubtful`: a kernel may have written there since. */
static const char table_sql[] =
	"CREATE TABLE held("
	" root INTEGER, doubtful INTEGER, lo INTEGER, hi INTEGER, solid INTEGER, box BLOB,"
	" digest BLOB, up INTEGER, PRIMARY KEY(root, doubtful, lo)) WITHOUT ROWID";

/* Those of ?1 and ?2 that overlap [?3, ?4): from the last that begins at or before ?3. */
#define OVERLAPPING                                                                                \
	" WHERE root = ?1 AND doubtful = ?2 AND lo < ?4 AND hi > ?3 AND lo >= ifnull("             \
	"(SELECT max(lo) FROM held WHERE root = ?1 AND doubtful = ?2 AND lo <= ?3), ?3)"

static const char *const statement_sql[HELD_STATEMENT_COUNT] = {
	[HELD_FIND] = "SELECT lo, hi, solid, box, digest, up FROM held"
		      " WHERE root = ?1 AND doubtful = ?2 AND lo <= ?3 ORDER BY lo DESC LIMIT 1",
	[HELD_REMOVE] = "DELETE FROM held" OVERLAPPING,
	[HELD_INSERT] = "INSERT INTO held VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	[HELD_TURN] = "UPDATE held SET up = ?4 WHERE root = ?1 AND doubtful = ?2 AND lo = ?3",
	[HELD_DOUBT] = "UPDATE held SET doubtful = 1" OVERLAPPING,
	[HELD_FORGET] = "DELETE FROM held WHERE root = ?1",
};

berth_status berth__held_open(struct berth__held *held, sqlite3 *db)
{
	berth_status st = berth__db_exec(db, table_sql);

	held->db = db;
	for (int i = 0; st == BERTH_OK && i < HELD_STATEMENT_COUNT; i++)
		st = berth__db_prepare(&held->statements[i], db, statement_sql[i]);
	return st;
}

void berth__held_close(struct berth__held *held)
{
	for (int i = 0; i < HELD_STATEMENT_COUNT; i++)
		sqlite3_finalize(held->statements[i]);
}

static berth_status run_on_span(sqlite3_stmt *statement, const struct berth__residency_span *span,
				int doubtful)
{
	berth__db_bind(statement, 1, span->root);
	sqlite3_bind_int(statement, 2, doubtful);
	berth__db_bind(statement, 3, span->lo);
	berth__db_bind(statement, 4, span->hi);
	return berth__db_run(statement);
}

/* A range that was found, against the one that is asked for. */
struct found {
	bool exact;  /* the same places in the same order */
	bool covers; /* all of the places */
	bool known;  /* both contents are known... */
	bool same;   /* ... and equal */
	bool up;
};

static bool blob_equals(sqlite3_stmt *row, int column, const void *bytes, size_t count)
{
	const void *blob = sqlite3_column_blob(row, column);

	return blob && (size_t)sqlite3_column_bytes(row, column) == count &&
	       memcmp(blob, bytes, count) == 0;
}

static void compare(struct found *out, sqlite3_stmt *row, const struct berth__residency_span *span,
		    const uint8_t *digest)
{
	uint64_t lo = berth__db_column(row, 0), hi = berth__db_column(row, 1);
	bool solid = sqlite3_column_int(row, 2);

	out->exact = lo == span->lo && hi == span->hi && solid == span->solid &&
		     blob_equals(row, 3, span->box, sizeof(span->box));
	out->covers = out->exact || (solid && lo <= span->lo && span->hi <= hi);
	out->known = digest && sqlite3_column_type(row, 4) == SQLITE_BLOB;
	out->same = out->known && blob_equals(row, 4, digest, BERTH__RESIDENCY_DIGEST_BYTES);
	out->up = sqlite3_column_int(row, 5);
}

/* All false when there is none. */
static berth_status find(struct found *out, struct berth__held *held,
			 const struct berth__residency_span *span, int doubtful,
			 const uint8_t *digest)
{
	sqlite3_stmt *statement = held->statements[HELD_FIND];
	berth_status st = BERTH_OK;
	int code;

	*out = (struct found){ 0 };
	berth__db_bind(statement, 1, span->root);
	sqlite3_bind_int(statement, 2, doubtful);
	berth__db_bind(statement, 3, span->lo);
	code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		compare(out, statement, span, digest);
	else if (code != SQLITE_DONE)
		st = berth__db_error(held->db, "look a range up");
	sqlite3_reset(statement);
	return st;
}

berth_status berth__held_written(struct berth__held *held, const struct berth__residency_span *span)
{
	berth_status st = run_on_span(held->statements[HELD_REMOVE], span, 0);

	return st == BERTH_OK ? run_on_span(held->statements[HELD_REMOVE], span, 1) : st;
}

berth_status berth__held_doubt(struct berth__held *held, const struct berth__residency_span *span)
{
	return run_on_span(held->statements[HELD_DOUBT], span, 0);
}

berth_status berth__held_forget(struct berth__held *held, uint64_t root)
{
	berth__db_bind(held->statements[HELD_FORGET], 1, root);
	return berth__db_run(held->statements[HELD_FORGET]);
}

static berth_status insert(struct berth__held *held, const struct berth__residency_span *span,
			   const uint8_t *digest, bool up)
{
	sqlite3_stmt *statement = held->statements[HELD_INSERT];
	berth_status st;

	berth__db_bind(statement, 1, span->root);
	sqlite3_bind_int(statement, 2, 0);
	berth__db_bind(statement, 3, span->lo);
	berth__db_bind(statement, 4, span->hi);
	sqlite3_bind_int(statement, 5, span->solid);
	sqlite3_bind_blob(statement, 6, span->box, sizeof(span->box), SQLITE_STATIC);
	sqlite3_bind_blob(statement, 7, digest, BERTH__RESIDENCY_DIGEST_BYTES, SQLITE_STATIC);
	sqlite3_bind_int(statement, 8, up);
	st = berth__db_run(statement);
	sqlite3_clear_bindings(statement);
	return st;
}

static berth_status turn(struct berth__held *held, const struct berth__residency_span *span,
			 bool up)
{
	sqlite3_stmt *statement = held->statements[HELD_TURN];

	berth__db_bind(statement, 1, span->root);
	sqlite3_bind_int(statement, 2, 0);
	berth__db_bind(statement, 3, span->lo);
	sqlite3_bind_int(statement, 4, up);
	return berth__db_run(statement);
}

berth_status berth__held_transfer(struct berth__held_answer *out, struct berth__held *held,
				  const struct berth__residency_span *span, const uint8_t *digest,
				  bool up)
{
	struct berth__held_answer answer = { BERTH__HELD_NEW, false };
	struct found sure, doubtful;
	berth_status st;

	if ((st = find(&sure, held, span, 0, digest)) != BERTH_OK ||
	    (st = find(&doubtful, held, span, 1, digest)) != BERTH_OK)
		return st;
	/*
	 * A write needs the digest to be told the same. A read does not, but when it has
	 * one that differs, something wrote that the trace does not know of.
	 */
	if (sure.exact && (sure.same || (!up && !sure.known)))
		answer = (struct berth__held_answer){ BERTH__HELD_SAME, sure.up != up };
	else if (!up && !sure.exact && sure.covers)
		answer = (struct berth__held_answer){ BERTH__HELD_SAME, false };
	else if (doubtful.exact && doubtful.same)
		answer = (struct berth__held_answer){ BERTH__HELD_PERHAPS, doubtful.up != up };
	/* The same range with a digest that was not known before is entered anew. */
	if (answer.kind == BERTH__HELD_SAME && (sure.same || !sure.exact || !digest))
		st = answer.turned ? turn(held, span, up) : BERTH_OK;
	else if ((st = berth__held_written(held, span)) == BERTH_OK)
		st = insert(held, span, digest, up);
	if (st == BERTH_OK)
		*out = answer;
	return st;
}
