/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that ends without releasing an object may have forgotten it, or may keep it for use
 * as long as it runs and leave the rest to the system. What tells them apart:
 *  - the context was released: who tears that down means to release all in it: a leak;
 *  - a command that uses the object was not waited for: it is still held;
 *  - it was given new content and used again: a cache, a pool;
 *  - it was used from early on until near the end: kept for the program's whole life;
 *  - its like were released again and again, and it is one of the last: what was in use just then;
 *  - else it was used for a while and forgotten: a leak.
 */
#include "summary_unreleased.h"

#include "db.h"
#include "trace_schema.h"
#include "trace_store.h"

#include <stdlib.h>
#include <string.h>

/* Content given so often: it is used for one thing after another. */
#define GENERATIONS 2
/* Used so often, made in the first half of the recording, and in its last fifth: used to the end. */
#define LASTING_USES 3
#define FIRST_PART 2
#define LAST_PART 5
/* So many of its kind and size were released for each that was not. */
#define LIKE_RELEASED 2

/* Kinds of ops are the numbers of berth_op_kind: the names in an untrusted file may be others. */

/* One row an unreleased object that was used: how, and when last. */
static const char uses_sql[] =
	"WITH u AS (SELECT id FROM object WHERE released_op IS NULL),"
	" uses AS ("
	"SELECT object AS id, seq, queue, t_ns, kind IN (8, 11, 13) AS gives FROM op"
	" WHERE status = 0 AND kind BETWEEN 8 AND 13 AND object IN (SELECT id FROM u)"
	" UNION ALL SELECT other, seq, queue, t_ns, 1 FROM op"
	" WHERE status = 0 AND kind = 10 AND other IN (SELECT id FROM u)"
	" UNION ALL SELECT x.object, x.op, op.queue, op.t_ns, 0"
	" FROM op_object x JOIN op ON op.seq = x.op"
	" WHERE op.status = 0 AND op.kind = 15 AND x.object IN (SELECT id FROM u)),"
	" used AS (SELECT id, count(*) AS n, sum(gives) AS gives, max(seq) AS last, queue, t_ns"
	" FROM uses GROUP BY id),"
	" alike AS (SELECT kind, bytes, sum(released_op IS NOT NULL) AS released,"
	" sum(released_op IS NULL) AS alive FROM object"
	" WHERE (kind, bytes) IN (SELECT kind, bytes FROM object WHERE released_op IS NULL)"
	" GROUP BY kind, bytes)"
	" SELECT used.id, n, used.gives, last, used.queue, used.t_ns,"
	" (SELECT t_ns FROM op WHERE seq = o.created_op), alike.released, alike.alive"
	" FROM used JOIN object o ON o.id = used.id"
	" JOIN alike ON alike.kind = o.kind AND alike.bytes = o.bytes ORDER BY used.id";

/* Up to which op a queue is known to be done: the last of its rows. */
static const char done_sql[] =
	"SELECT queue, seq FROM op WHERE status = 0 AND queue > 0"
	" AND (kind = 16 OR kind IN (8, 9, 12) AND bits & 1)%s";

static const char done_events_sql[] =
	" UNION ALL SELECT op.queue, op.seq FROM op_event complete"
	" JOIN op_event given ON given.event = complete.event AND given.role = 1"
	" JOIN op ON op.seq = given.op WHERE complete.role = 3";

static const char ended_contexts_sql[] =
	"SELECT context FROM op JOIN name ON name.id = op.name"
	" WHERE kind = 21 AND status = 0 AND bytes = 0 AND text = 'clReleaseContext'";

/* Numbers by a small id: queues, contexts. */
struct numbers {
	uint64_t *values;
	uint64_t count;
};

/* Ids are given one by one: one this large is not the recorder's. */
#define ID_MAX UINT64_C(1000000)

/* The largest that an id was given. A sort of the rows takes longer. */
static berth_status set_number(struct numbers *numbers, uint64_t id, uint64_t value)
{
	uint64_t count = id + 1;
	uint64_t *values;

	if (id > ID_MAX)
		return BERTH_OK;
	if (id >= numbers->count) {
		values = reallocarray(numbers->values, count, sizeof(*values));
		if (!values)
			return berth_error_set(BERTH_E_NOMEM, 0, "out of memory summing up");
		memset(values + numbers->count, 0,
		       (count - numbers->count) * sizeof(*values));
		numbers->values = values;
		numbers->count = count;
	}
	if (value > numbers->values[id])
		numbers->values[id] = value;
	return BERTH_OK;
}

static uint64_t number_of(const struct numbers *numbers, uint64_t id)
{
	return id < numbers->count ? numbers->values[id] : 0;
}

/* Rows of (id), or of (id, value). */
static berth_status read_numbers(struct numbers *out, berth_trace *trace, const char *sql)
{
	sqlite3_stmt *rows = NULL;
	berth_status st = berth__db_prepare(&rows, trace->db, sql);
	int code = SQLITE_DONE;

	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = set_number(out, berth__db_column(rows, 0),
				sqlite3_column_count(rows) > 1 ? berth__db_column(rows, 1) : 1);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(trace->db, "sum up the trace");
	sqlite3_finalize(rows);
	return st;
}

struct evidence {
	struct numbers done;  /* op by queue */
	struct numbers ended; /* 1 by context */
	uint64_t end_ns;      /* of the last op */
};

static berth_status read_evidence(struct evidence *out, berth_trace *trace)
{
	bool has_events = berth__trace_has_table(trace->db, "op_event");
	char *done = sqlite3_mprintf(done_sql, has_events ? done_events_sql : "");
	berth_status st;

	if (!done)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory summing up");
	if ((st = read_numbers(&out->done, trace, done)) == BERTH_OK &&
	    (st = read_numbers(&out->ended, trace, ended_contexts_sql)) == BERTH_OK)
		st = berth__db_number(&out->end_ns, trace->db,
				      "SELECT coalesce(max(t_ns), 0) FROM op"
				      " WHERE seq > (SELECT max(seq) FROM op) - 1000");
	sqlite3_free(done);
	return st;
}

static berth_unreleased judge(const struct evidence *evidence, const berth_summary_object *object,
			      sqlite3_stmt *use)
{
	uint64_t count = berth__db_column(use, 1), gives = berth__db_column(use, 2);
	uint64_t last_op = berth__db_column(use, 3), queue = berth__db_column(use, 4);
	uint64_t last_ns = berth__db_column(use, 5), made_ns = berth__db_column(use, 6);
	uint64_t released = berth__db_column(use, 7), alive = berth__db_column(use, 8);
	bool late = last_ns >= evidence->end_ns - evidence->end_ns / LAST_PART;
	bool lasting = late && made_ns <= evidence->end_ns / FIRST_PART;
	bool last_of_many = late && released / LIKE_RELEASED >= alive;

	if (number_of(&evidence->ended, object->context))
		return BERTH_UNRELEASED_LEAKED;
	if (queue && last_op > number_of(&evidence->done, queue))
		return BERTH_UNRELEASED_IN_FLIGHT;
	if (gives >= GENERATIONS || (count >= LASTING_USES && lasting) || last_of_many)
		return BERTH_UNRELEASED_KEPT;
	return BERTH_UNRELEASED_LEAKED;
}

static int compare_ids(const void *a, const void *b)
{
	const berth_summary_object *const *one = a, *const *other = b;

	return ((*one)->id > (*other)->id) - ((*one)->id < (*other)->id);
}

/* Both in order of id. Objects that no command used stay what they are: leaks. */
static berth_status judge_all(berth_summary_object **sorted, uint32_t count, berth_trace *trace,
			      const struct evidence *evidence)
{
	sqlite3_stmt *rows = NULL;
	berth_status st = berth__db_prepare(&rows, trace->db, uses_sql);
	uint32_t at = 0;
	int code = SQLITE_DONE;

	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		uint64_t id = berth__db_column(rows, 0);

		while (at < count && sorted[at]->id < id)
			at++;
		if (at < count && sorted[at]->id == id)
			sorted[at]->why = judge(evidence, sorted[at], rows);
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(trace->db, "sum up the trace");
	sqlite3_finalize(rows);
	return st;
}

berth_status berth__summary_explain_unreleased(berth_summary_object *objects, uint32_t count,
					       berth_trace *trace)
{
	const char *end = trace->info.end;
	struct evidence evidence = { .end_ns = 0 };
	berth_summary_object **sorted;
	berth_status st;

	if (count == 0)
		return BERTH_OK;
	if (end && strcmp(end, "exit") != 0) {
		for (uint32_t i = 0; i < count; i++)
			objects[i].why = BERTH_UNRELEASED_ALIVE;
		return BERTH_OK;
	}
	sorted = calloc(count, sizeof(*sorted));
	if (!sorted)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory summing up");
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = &objects[i];
	qsort(sorted, count, sizeof(*sorted), compare_ids);
	st = read_evidence(&evidence, trace);
	if (st == BERTH_OK)
		st = judge_all(sorted, count, trace, &evidence);
	free(evidence.done.values);
	free(evidence.ended.values);
	free(sorted);
	return st;
}
