/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened in a trace. Counting and sorting is SQL over the tables, so that
 * memory does not grow with the number of ops; only the sums that may pass 2^63
 * (a driver may accept such a buffer) are taken here.
 */
#include "trace_store.h"

#include "db.h"
#include "summary_object.h"
#include "summary_unreleased.h"
#include "trace_schema.h"

#include <stdlib.h>
#include <string.h>

#define AT_PEAK_MAX "16"

static void add_saturating(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* Call `row` for each row of a query; it returns a status to go on or stop. */
typedef berth_status row_fn(berth_summary *summary, sqlite3_stmt *row);

static berth_status each_row(berth_summary *summary, berth_trace *trace, const char *sql,
			     uint64_t argument, row_fn *take)
{
	sqlite3_stmt *rows = NULL;
	berth_status st = berth__db_prepare(&rows, trace->db, sql);
	int code = SQLITE_DONE;

	if (st == BERTH_OK && sqlite3_bind_parameter_count(rows))
		berth__db_bind(rows, 1, argument);
	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = take(summary, rows);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(trace->db, "sum up the trace");
	sqlite3_finalize(rows);
	return st;
}

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "out of memory summing up");
}

/*
 * The array with room for one more item behind `count`; capacities are powers of
 * two. NULL: out of memory, and the array is as it was.
 */
static void *with_room(const void *items, uint32_t count, size_t item_bytes)
{
	if (count & (count - 1))
		return (void *)items;
	if (count > UINT32_MAX / 2)
		return NULL;
	return reallocarray((void *)items, count ? (size_t)count * 2 : 1, item_bytes);
}

/* ---- ops ---- */

static uint64_t *moved_sum(berth_summary *summary, uint64_t kind)
{
	switch (kind) {
	case BERTH_OP_WRITE:
		return &summary->bytes_written;
	case BERTH_OP_READ:
		return &summary->bytes_read;
	case BERTH_OP_COPY:
		return &summary->bytes_copied;
	case BERTH_OP_FILL:
		return &summary->bytes_filled;
	case BERTH_OP_MAP:
		return &summary->bytes_mapped;
	default:
		return NULL;
	}
}

static const char ops_sql[] =
	"SELECT seq, kind, status, form, bytes FROM op WHERE seq > 0 ORDER BY seq";

/* Counts every op, and adds up those whose bytes stand in the row itself. */
static berth_status take_op(berth_summary *summary, sqlite3_stmt *row)
{
	uint64_t kind = berth__db_column(row, 1);
	uint64_t *sum;

	if (!berth_op_kind_is_known(kind))
		return berth__trace_damaged("op", berth__db_column(row, 0), "kind", kind);
	summary->ops[kind]++;
	if (sqlite3_column_type(row, 2) == SQLITE_NULL)
		summary->unanswered++;
	else if (sqlite3_column_int64(row, 2) == 0 && (sum = moved_sum(summary, kind)) &&
		 berth_op_form_is_linear((berth_op_form)berth__db_column(row, 3)))
		add_saturating(sum, berth__db_column(row, 4));
	return BERTH_OK;
}

/* From the side of `region`, which few ops have. The pixel is the image's, on either side. */
static const char regions_sql[] =
	"SELECT op.kind, op.form, r.width, r.height, r.depth, o.element_bytes"
	" FROM region r CROSS JOIN op ON op.seq = r.op"
	" LEFT JOIN object o ON o.id = CASE op.form WHEN 5 THEN op.other ELSE op.object END"
	" WHERE op.status = 0 AND op.form BETWEEN 2 AND 5";

static berth_status take_region(berth_summary *summary, sqlite3_stmt *row)
{
	uint64_t *sum = moved_sum(summary, berth__db_column(row, 0));
	uint64_t form = berth__db_column(row, 1), bytes = UINT64_MAX;
	berth_op op = { .kind = BERTH_OP_COPY, .form = (berth_op_form)form };

	if (!sum || form >= BERTH_FORM_END)
		return BERTH_OK;
	for (int axis = 0; axis < 3; axis++)
		op.region.extent[axis] = berth__db_column(row, 2 + axis);
	if (berth_op_moved_bytes(&bytes, &op, (uint32_t)berth__db_column(row, 5)) != BERTH_OK)
		bytes = UINT64_MAX;
	add_saturating(sum, bytes);
	return BERTH_OK;
}

static const char failures_sql[] =
	"SELECT kind, status, count(*), min(seq) FROM op WHERE status <> 0"
	" GROUP BY kind, status ORDER BY 4";

static berth_status take_failure(berth_summary *summary, sqlite3_stmt *row)
{
	berth_summary_failure *failure =
		with_room(summary->failures, summary->failure_count, sizeof(*failure));

	if (!failure)
		return no_memory();
	summary->failures = failure;
	failure += summary->failure_count++;
	failure->kind = (berth_op_kind)berth__db_column(row, 0);
	failure->cl_status = sqlite3_column_int(row, 1);
	failure->count = berth__db_column(row, 2);
	failure->first_op = berth__db_column(row, 3);
	return BERTH_OK;
}

static const char untracked_sql[] =
	"SELECT name, count FROM untracked WHERE name IS NOT NULL ORDER BY count DESC, name";

static berth_status take_untracked(berth_summary *summary, sqlite3_stmt *row)
{
	const char *name = (const char *)sqlite3_column_text(row, 0);
	berth_summary_untracked *untracked =
		with_room(summary->untracked, summary->untracked_count, sizeof(*untracked));

	if (!untracked)
		return no_memory();
	summary->untracked = untracked;
	untracked += summary->untracked_count;
	untracked->name = name ? strdup(name) : NULL;
	untracked->count = berth__db_column(row, 1);
	if (!untracked->name)
		return no_memory();
	summary->untracked_count++;
	return BERTH_OK;
}

/* ---- objects ---- */

static const char object_counts_sql[] = "SELECT min(id), kind, count(*) FROM object GROUP BY kind";

static berth_status take_object_count(berth_summary *summary, sqlite3_stmt *row)
{
	uint64_t *counts[] = { NULL, &summary->buffers, &summary->subbuffers,
			       &summary->images, &summary->svm, &summary->pipes };
	uint64_t kind = 0;
	berth_status st = berth__summary_object_kind(&kind, row, 1);

	if (st == BERTH_OK)
		*counts[kind] = berth__db_column(row, 2);
	return st;
}

static berth_status append_object(const berth_summary_object **objects, uint32_t *count,
				  sqlite3_stmt *row)
{
	berth_summary_object *object = with_room(*objects, *count, sizeof(*object));
	berth_status st;

	if (!object)
		return no_memory();
	*objects = object;
	if ((st = berth__summary_object_read(object + *count, row)) == BERTH_OK)
		(*count)++;
	return st;
}

static const char leaked_sql[] = "SELECT " BERTH__SUMMARY_OBJECT_COLUMNS
				 " FROM object o WHERE released_op IS NULL ORDER BY created_op, id";

static berth_status take_leaked(berth_summary *summary, sqlite3_stmt *row)
{
	return append_object(&summary->leaked, &summary->leaked_count, row);
}

static const char leaked_bytes_sql[] = "SELECT bytes FROM (%s) WHERE ends_op IS NULL";

static berth_status take_leaked_bytes(berth_summary *summary, sqlite3_stmt *row)
{
	add_saturating(&summary->leaked_bytes, berth__db_column(row, 0));
	return BERTH_OK;
}

/* ---- the peak ---- */

/* Objects come at created_op and go at ends_op. */
static const char events_sql[] =
	"SELECT created_op AS op, 1, bytes FROM (%s) UNION ALL"
	" SELECT ends_op, 0, bytes FROM (%s) WHERE ends_op IS NOT NULL ORDER BY op";

static berth_status find_peak(berth_summary *summary, berth_trace *trace, const char *sql)
{
	sqlite3_stmt *events = NULL;
	uint64_t in_use = 0;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&events, trace->db, sql);

	while (st == BERTH_OK && (code = sqlite3_step(events)) == SQLITE_ROW) {
		uint64_t bytes = berth__db_column(events, 2);

		if (!sqlite3_column_int(events, 1)) {
			in_use -= bytes < in_use ? bytes : in_use;
			continue;
		}
		add_saturating(&in_use, bytes);
		if (in_use > summary->peak_bytes) {
			summary->peak_bytes = in_use;
			summary->peak_op = berth__db_column(events, 0);
		}
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(trace->db, "sum up the trace");
	sqlite3_finalize(events);
	return st;
}

/* Unsigned order: what is negative as a signed number is largest. */
static const char at_peak_sql[] =
	"SELECT " BERTH__SUMMARY_OBJECT_COLUMNS " FROM (%s) m JOIN object o ON o.id = m.id"
	" WHERE m.created_op <= ?1 AND (m.ends_op IS NULL OR m.ends_op > ?1) AND m.bytes <> 0"
	" ORDER BY m.bytes < 0 DESC, m.bytes DESC, m.id LIMIT " AT_PEAK_MAX;

static berth_status take_at_peak(berth_summary *summary, sqlite3_stmt *row)
{
	return append_object(&summary->at_peak, &summary->at_peak_count, row);
}

static berth_status sum_peak(berth_summary *summary, berth_trace *trace)
{
	const char *memory = berth__trace_memory_sql;
	char *events = sqlite3_mprintf(events_sql, memory, memory);
	char *at_peak = sqlite3_mprintf(at_peak_sql, memory);
	berth_status st;

	if (!events || !at_peak)
		st = no_memory();
	else if ((st = find_peak(summary, trace, events)) == BERTH_OK)
		st = each_row(summary, trace, at_peak, summary->peak_op, take_at_peak);
	sqlite3_free(events);
	sqlite3_free(at_peak);
	return st;
}

static berth_status sum_leaked(berth_summary *summary, berth_trace *trace)
{
	char *leaked_bytes = sqlite3_mprintf(leaked_bytes_sql, berth__trace_memory_sql);
	berth_status st;

	if (!leaked_bytes)
		return no_memory();
	st = each_row(summary, trace, leaked_bytes, 0, take_leaked_bytes);
	sqlite3_free(leaked_bytes);
	return st;
}

/* Where the objects were made, if the recording took stacks. */
static berth_status find_stacks(berth_summary_object *objects, uint32_t count, berth_trace *trace)
{
	sqlite3_stmt *find = NULL;
	berth_status st = BERTH_OK;

	if (count == 0 || !berth__trace_has_table(trace->db, "op_stack"))
		return BERTH_OK;
	st = berth__db_prepare(&find, trace->db, "SELECT stack FROM op_stack WHERE op = ?");
	for (uint32_t i = 0; st == BERTH_OK && i < count; i++) {
		int code;

		berth__db_bind(find, 1, objects[i].created_op);
		code = sqlite3_step(find);
		if (code == SQLITE_ROW)
			objects[i].stack = berth__db_column(find, 0);
		else if (code != SQLITE_DONE)
			st = berth__db_error(trace->db, "sum up the trace");
		sqlite3_reset(find);
	}
	sqlite3_finalize(find);
	return st;
}

static berth_status explain_objects(berth_summary *summary, berth_trace *trace)
{
	berth_summary_object *leaked = (berth_summary_object *)summary->leaked;
	berth_status st;

	if ((st = find_stacks(leaked, summary->leaked_count, trace)) != BERTH_OK ||
	    (st = find_stacks((berth_summary_object *)summary->at_peak, summary->at_peak_count,
			      trace)) != BERTH_OK)
		return st;
	return berth__summary_explain_unreleased(leaked, summary->leaked_count, trace);
}

static berth_status sum_rows(berth_summary *summary, berth_trace *trace)
{
	static const struct {
		const char *sql;
		row_fn *take;
	} queries[] = {
		{ ops_sql, take_op },
		{ regions_sql, take_region },
		{ failures_sql, take_failure },
		{ untracked_sql, take_untracked },
		{ object_counts_sql, take_object_count },
		{ leaked_sql, take_leaked },
	};
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < sizeof(queries) / sizeof(queries[0]); i++)
		st = each_row(summary, trace, queries[i].sql, 0, queries[i].take);
	return st;
}

berth_status berth__trace_summarise(berth_summary **out, berth_trace *trace, bool with_lives)
{
	berth_summary *summary = calloc(1, sizeof(*summary));
	berth_status st;

	if (!summary)
		return no_memory();
	berth__trace_bound_begin(trace);
	st = sum_rows(summary, trace);
	if (st == BERTH_OK && with_lives)
		st = sum_peak(summary, trace);
	if (st == BERTH_OK && with_lives)
		st = sum_leaked(summary, trace);
	if (st == BERTH_OK)
		st = explain_objects(summary, trace);
	berth__trace_bound_end(trace);
	if (st != BERTH_OK) {
		berth_summary_free(summary);
		return st;
	}
	*out = summary;
	return BERTH_OK;
}

berth_status berth_trace_summarise(berth_summary **out, berth_trace *trace)
{
	return berth__trace_summarise(out, trace, true);
}

static void free_objects(const berth_summary_object *objects, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		free((char *)objects[i].label);
	free((void *)objects);
}

void berth_summary_free(berth_summary *summary)
{
	if (!summary)
		return;
	free_objects(summary->at_peak, summary->at_peak_count);
	free_objects(summary->leaked, summary->leaked_count);
	free((void *)summary->failures);
	for (uint32_t i = 0; i < summary->untracked_count; i++)
		free((char *)summary->untracked[i].name);
	free((void *)summary->untracked);
	free(summary);
}
