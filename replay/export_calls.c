/* SPDX-License-Identifier: Apache-2.0 */
/* A table of all calls, from which the import makes the same trace; one of all objects. */
#include "export.h"

#include "call_columns.h"
#include "db.h"
#include "trace_schema.h"
#include "trace_store.h"

#include <inttypes.h>

static void write_uses(FILE *file, const berth_op *op)
{
	for (uint32_t i = 0; i < op->use_count; i++)
		fprintf(file, "%s%" PRIu64 ":%" PRIu32 ":%" PRIu32, i ? ";" : "", op->uses[i].object,
			op->uses[i].arg_index, op->uses[i].access);
}

static void write_events(FILE *file, const berth_trace_op *row)
{
	for (uint32_t i = 0; i < row->event_count; i++)
		fprintf(file, "%s%" PRIu64 ":%d", i ? ";" : "", row->events[i].event,
			(int)row->events[i].role);
}

/* A row that is no call has a name and a number, and nothing else. */
static void write_fact(FILE *file, const char *kind, const char *name, uint64_t number)
{
	fprintf(file, ",%s,,,", kind);
	berth__export_field(file, name);
	fputs(",,,", file);
	for (size_t i = 0; i < BERTH__CALL_COLUMNS; i++) {
		putc(',', file);
		if (berth__call_columns[i].offset == offsetof(berth_trace_op, op.bytes))
			fprintf(file, "%" PRIu64, number);
	}
	putc('\n', file);
}

static void write_header(FILE *file)
{
	fputs("seq,kind,form,status,name,digest,uses,events", file);
	for (size_t i = 0; i < BERTH__CALL_COLUMNS; i++)
		fprintf(file, ",%s", berth__call_columns[i].name);
	putc('\n', file);
}

/* A 0 is written as nothing: most of the columns are, in most of the rows. */
static void write_call(FILE *file, const berth_trace_op *row)
{
	fprintf(file, "%" PRIu64 ",%s,%s,", row->seq, berth_op_kind_string(row->op.kind),
		berth_op_form_string(row->op.form));
	if (row->answered)
		fprintf(file, "%" PRId32, row->result.cl_status);
	putc(',', file);
	berth__export_field(file, row->op.name);
	putc(',', file);
	for (size_t i = 0; row->has_digest && i < sizeof(row->digest); i++)
		fprintf(file, "%02x", row->digest[i]);
	putc(',', file);
	write_uses(file, &row->op);
	putc(',', file);
	write_events(file, row);
	for (size_t i = 0; i < BERTH__CALL_COLUMNS; i++) {
		const struct berth__call_column *column = &berth__call_columns[i];
		uint64_t value = berth__call_has(row, column) ? berth__call_get(row, column) : 0;

		putc(',', file);
		if (value)
			fprintf(file, "%" PRIu64, value);
	}
	putc('\n', file);
}

static const char untracked_sql[] =
	"SELECT name, count FROM untracked WHERE name IS NOT NULL ORDER BY name";

static berth_status write_untracked(struct berth__export *export)
{
	sqlite3_stmt *rows = NULL;
	const char *name = NULL;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&rows, export->trace->db, untracked_sql);

	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		if ((st = berth__db_text(&name, rows, 0)) == BERTH_OK)
			write_fact(export->file, BERTH__CALL_ROW_UNTRACKED, name,
				   berth__db_column(rows, 1));
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(export->trace->db, "read the trace");
	sqlite3_finalize(rows);
	return st;
}

berth_status berth__export_calls(struct berth__export *export)
{
	const berth_trace_info *info = berth_trace_get_info(export->trace);
	const berth_trace_op *row = NULL;
	berth_status st;

	write_header(export->file);
	while ((st = berth__export_next(&row, export)) == BERTH_OK && row)
		write_call(export->file, row);
	if (st != BERTH_OK)
		return st;
	if (info->before_ops)
		write_fact(export->file, BERTH__CALL_ROW_META, "before", info->before_ops);
	if (info->lost_records)
		write_fact(export->file, BERTH__CALL_ROW_META, "lost", info->lost_records);
	if (info->started_ns)
		write_fact(export->file, BERTH__CALL_ROW_META, "started_ns", info->started_ns);
	st = write_untracked(export);
	if (st == BERTH_OK)
		write_fact(export->file, BERTH__CALL_ROW_END, info->end ? info->end : "killed", 0);
	return st;
}

/* ---- objects ---- */

static const char objects_sql[] =
	"SELECT o.id, k.name, o.label, o.parent, o.root, o.context, o.bytes, o.offset, o.flags,"
	" o.width, o.height, o.depth, o.array_size, o.row_pitch, o.slice_pitch,"
	" o.created_op, (SELECT t_ns FROM op WHERE seq = o.created_op),"
	" o.released_op, (SELECT t_ns FROM op WHERE seq = o.released_op)"
	" FROM object o LEFT JOIN object_kind k ON k.id = o.kind ORDER BY o.id";

/* Of the query, in its order. */
static const char objects_header[] =
	"id,kind,label,parent,root,context,bytes,offset,flags,width,height,depth,array_size,"
	"row_pitch,slice_pitch,created_op,created_ns,released_op,released_ns\n";

static berth_status write_object(FILE *file, sqlite3_stmt *row)
{
	const char *text = NULL;
	berth_status st = BERTH_OK;

	for (int i = 0; st == BERTH_OK && i < sqlite3_column_count(row); i++) {
		if (i > 0)
			putc(',', file);
		if (sqlite3_column_type(row, i) == SQLITE_NULL)
			continue;
		if (sqlite3_column_type(row, i) == SQLITE_INTEGER)
			fprintf(file, "%" PRIu64, berth__db_column(row, i));
		else if ((st = berth__db_text(&text, row, i)) == BERTH_OK)
			berth__export_field(file, text);
	}
	putc('\n', file);
	return st;
}

berth_status berth__export_objects(struct berth__export *export)
{
	sqlite3_stmt *rows = NULL;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&rows, export->trace->db, objects_sql);

	fputs(objects_header, export->file);
	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = write_object(export->file, rows);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(export->trace->db, "read the trace");
	sqlite3_finalize(rows);
	return st;
}
