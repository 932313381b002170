/* SPDX-License-Identifier: Apache-2.0 */
#include "residency_tally.h"

#include "db.h"
#include "summary_object.h"

#include <stdlib.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

static const char table_sql[] =
	"CREATE TABLE tally("
	" object INTEGER, class INTEGER, count INTEGER, bytes INTEGER, ns INTEGER,"
	" turns INTEGER, first_op INTEGER, PRIMARY KEY(object, class)) WITHOUT ROWID";

/* A sum beyond 2^63 - 1 becomes a floating-point number, which reads as 2^63 - 1. */
static const char *const statement_sql[TALLY_STATEMENT_COUNT] = {
	[TALLY_ADD] = "INSERT INTO tally VALUES(?1, ?2, 1, ?3, ?4, ?5, ?6)"
		      " ON CONFLICT(object, class) DO UPDATE SET count = count + 1,"
		      " bytes = bytes + ?3, ns = ns + ?4, turns = turns + ?5",
	/* total(), since sum() fails beyond 2^63 - 1. */
	[TALLY_TOP] = "SELECT object FROM tally GROUP BY object"
		      " ORDER BY total(CASE WHEN class <= 1 THEN bytes END) DESC,"
		      " total(bytes) DESC, object LIMIT " TEXT(BERTH_RESIDENCY_OBJECTS_MAX),
	[TALLY_OBJECT] =
		"SELECT class, count, bytes, ns, turns, first_op FROM tally WHERE object = ?1",
};

static const char object_count_sql[] = "SELECT count(DISTINCT object) FROM tally";
static const char ping_pong_sql[] =
	"SELECT count(*) FROM (SELECT object FROM tally GROUP BY object"
	" HAVING total(turns) >= " TEXT(BERTH_RESIDENCY_PING_PONG_TURNS) ")";
static const char name_sql[] =
	"SELECT " BERTH__SUMMARY_OBJECT_COLUMNS " FROM object o WHERE id = ?1";

berth_status berth__tally_open(struct berth__tally *tally, sqlite3 *db)
{
	berth_status st = berth__db_exec(db, table_sql);

	tally->db = db;
	for (int i = 0; st == BERTH_OK && i < TALLY_STATEMENT_COUNT; i++)
		st = berth__db_prepare(&tally->statements[i], db, statement_sql[i]);
	return st;
}

void berth__tally_close(struct berth__tally *tally)
{
	for (int i = 0; i < TALLY_STATEMENT_COUNT; i++)
		sqlite3_finalize(tally->statements[i]);
}

static void add_saturating(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum) || *sum > INT64_MAX)
		*sum = INT64_MAX;
}

void berth__residency_sum_add(berth_residency_sum *sum, uint64_t count, uint64_t bytes,
			      uint64_t duration_ns)
{
	add_saturating(&sum->count, count);
	add_saturating(&sum->bytes, bytes);
	add_saturating(&sum->duration_ns, duration_ns);
}

berth_status berth__tally_add(struct berth__tally *tally, const struct berth__residency_op *op,
			      uint64_t bytes, berth_residency_class class_, bool turned)
{
	sqlite3_stmt *statement = tally->statements[TALLY_ADD];
	berth_residency_sum one = { 0 };

	berth__residency_sum_add(&one, 1, bytes, op->duration_ns);
	berth__db_bind(statement, 1, op->view.object);
	sqlite3_bind_int(statement, 2, class_);
	berth__db_bind(statement, 3, one.bytes);
	berth__db_bind(statement, 4, one.duration_ns);
	sqlite3_bind_int(statement, 5, turned);
	berth__db_bind(statement, 6, op->seq);
	return berth__db_run(statement);
}

static berth_status read_sums(berth_residency_object *out, struct berth__tally *tally,
			      uint64_t object)
{
	sqlite3_stmt *row = tally->statements[TALLY_OBJECT];
	berth_status st = BERTH_OK;
	int code;

	berth__db_bind(row, 1, object);
	while ((code = sqlite3_step(row)) == SQLITE_ROW) {
		uint64_t first = berth__db_column(row, 5);

		berth__residency_sum_add(&out->sums[sqlite3_column_int(row, 0)],
					 berth__db_column(row, 1), berth__db_column(row, 2),
					 berth__db_column(row, 3));
		add_saturating(&out->turns, berth__db_column(row, 4));
		if (out->first_op == 0 || first < out->first_op)
			out->first_op = first;
	}
	if (code != SQLITE_DONE)
		st = berth__db_error(tally->db, "list objects");
	sqlite3_reset(row);
	return st;
}

static berth_status read_name(berth_residency_object *out, sqlite3 *trace, uint64_t object)
{
	sqlite3_stmt *row = NULL;
	berth_status st = berth__db_prepare(&row, trace, name_sql);

	if (st != BERTH_OK)
		return st;
	berth__db_bind(row, 1, object);
	st = sqlite3_step(row) == SQLITE_ROW ? berth__summary_object_read(&out->object, row)
					     : berth__db_error(trace, "read an object");
	sqlite3_finalize(row);
	return st;
}

berth_status berth__tally_list(berth_residency *report, struct berth__tally *tally, sqlite3 *trace)
{
	sqlite3_stmt *top = tally->statements[TALLY_TOP];
	berth_residency_object *objects;
	int code = SQLITE_DONE;
	berth_status st;

	if ((st = berth__db_number(&report->object_count, tally->db, object_count_sql)) !=
		    BERTH_OK ||
	    (st = berth__db_number(&report->ping_pong_count, tally->db, ping_pong_sql)) != BERTH_OK)
		return st;
	objects = calloc(BERTH_RESIDENCY_OBJECTS_MAX, sizeof(*objects));
	if (!objects)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory listing objects");
	report->listed = objects;
	while (st == BERTH_OK && (code = sqlite3_step(top)) == SQLITE_ROW) {
		berth_residency_object *object = &objects[report->listed_count];
		uint64_t id = berth__db_column(top, 0);

		if ((st = read_sums(object, tally, id)) == BERTH_OK &&
		    (st = read_name(object, trace, id)) == BERTH_OK)
			report->listed_count++;
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(tally->db, "list objects");
	sqlite3_reset(top);
	return st;
}
