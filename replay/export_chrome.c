/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome's trace event format, as Perfetto reads it: calls are slices of their thread (X),
 * objects and phases of the program are asynchronous (b, e), since their lives overlap; memory is
 * a counter a device with one key (C): of several keys each would become a counter of its own.
 */
#include "export.h"

#include "db.h"
#include "export_nest.h"
#include "json_text.h"
#include "trace_store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Contexts that have a counter of their own; those behind are added to that of no context. */
#define CONTEXTS_MAX 64

struct chrome {
	struct berth__export *export;
	FILE *file;
	uint64_t pid;
	bool begun; /* an event is there: a comma is next */
	uint64_t last_ns;
	struct berth__nest *nest;
	sqlite3_stmt *object; /* the life of an object, by id */
	struct berth__memory_events memory;
	uint64_t live_bytes[CONTEXTS_MAX]; /* by context */
	char *device_names[CONTEXTS_MAX];  /* of each context's first device */
};

/* Times are microseconds, with three digits behind the point: each is exact. */
static void write_us(FILE *file, const char *key, uint64_t ns)
{
	fprintf(file, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, ns / 1000, ns % 1000);
}

/* The fields that all events have; the caller goes on with a comma. */
static void begin_event(struct chrome *chrome, char phase, const char *category, uint64_t thread,
			const char *name)
{
	fprintf(chrome->file, "%s{\"ph\":\"%c\",\"cat\":\"%s\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64
			      ",\"name\":",
		chrome->begun ? ",\n" : "", phase, category, chrome->pid, thread);
	berth__json_text(chrome->file, name);
	chrome->begun = true;
}

static void write_metadata(struct chrome *chrome, const char *what, uint64_t thread,
			   const char *name)
{
	begin_event(chrome, 'M', "__metadata", thread, what);
	fputs(",\"ts\":0,\"args\":{\"name\":", chrome->file);
	berth__json_text(chrome->file, name);
	fputs("}}", chrome->file);
}

static void write_number(FILE *file, const char *key, uint64_t number)
{
	if (number)
		fprintf(file, ",\"%s\":%" PRIu64, key, number);
}

static void write_call_args(struct chrome *chrome, const berth_trace_op *row)
{
	const berth_op *op = &row->op;

	fprintf(chrome->file, ",\"args\":{\"op\":%" PRIu64, row->seq);
	if (op->object == BERTH_ID_UNKNOWN)
		fputs(",\"object\":\"unknown\"", chrome->file);
	else
		write_number(chrome->file, "object", op->object);
	write_number(chrome->file, "other", op->other == BERTH_ID_UNKNOWN ? 0 : op->other);
	write_number(chrome->file, "bytes", op->bytes);
	write_number(chrome->file, "queue", op->queue == BERTH_ID_UNKNOWN ? 0 : op->queue);
	if (op->name) {
		fputs(",\"name\":", chrome->file);
		berth__json_text(chrome->file, op->name);
	}
	if (!row->answered)
		fputs(",\"answered\":false", chrome->file);
	else if (row->result.cl_status)
		fprintf(chrome->file, ",\"status\":%" PRId32, row->result.cl_status);
	fputs("}}", chrome->file);
}

static berth_status write_call(struct chrome *chrome, const berth_trace_op *row)
{
	uint64_t begin_ns = row->t_ns, end_ns;
	char name[32];
	bool seen;
	berth_status st;

	if (__builtin_add_overflow(begin_ns, row->result.duration_ns, &end_ns))
		end_ns = UINT64_MAX;
	st = berth__nest_fit(chrome->nest, row->thread, &begin_ns, &end_ns, &seen);
	if (st != BERTH_OK)
		return st;
	if (!seen) {
		snprintf(name, sizeof(name), "thread %" PRIu32, row->thread);
		write_metadata(chrome, "thread_name", row->thread,
			       row->thread == chrome->pid ? "main thread" : name);
	}
	begin_event(chrome, 'X', "call", row->thread, berth_op_kind_string(row->op.kind));
	write_us(chrome->file, "ts", begin_ns);
	write_us(chrome->file, "dur", end_ns - begin_ns);
	write_call_args(chrome, row);
	if (end_ns > chrome->last_ns)
		chrome->last_ns = end_ns;
	return BERTH_OK;
}

/* ---- objects, phases, marks ---- */

static const char object_sql[] =
	"SELECT k.name, o.label, o.bytes, o.parent, o.created_op, o.released_op, o.id FROM object o"
	" LEFT JOIN object_kind k ON k.id = o.kind WHERE o.id = ?";

/* As "buffer 7", or its label: the same at both ends. */
static berth_status write_life(struct chrome *chrome, char phase, sqlite3_stmt *row,
			       uint64_t thread, uint64_t ns)
{
	const char *kind = NULL, *label = NULL;
	uint64_t id = berth__db_column(row, 6);
	char name[64];
	berth_status st;

	if ((st = berth__db_text(&kind, row, 0)) != BERTH_OK ||
	    (st = berth__db_text(&label, row, 1)) != BERTH_OK)
		return st;
	snprintf(name, sizeof(name), "%.24s %" PRIu64, kind ? kind : "object", id);
	begin_event(chrome, phase, "object", thread, label ? label : name);
	fprintf(chrome->file, ",\"id\":\"0x%" PRIx64 "\"", id);
	write_us(chrome->file, "ts", ns);
	fprintf(chrome->file, ",\"args\":{\"object\":%" PRIu64, id);
	write_number(chrome->file, "bytes", berth__db_column(row, 2));
	write_number(chrome->file, "parent", berth__db_column(row, 3));
	if (phase == 'e' && sqlite3_column_type(row, 5) == SQLITE_NULL)
		fputs(",\"released\":false", chrome->file);
	fputs("}}", chrome->file);
	return BERTH_OK;
}

/* Whether this call began (column 4) or ended (column 5) the object's life. */
static berth_status see_life(struct chrome *chrome, const berth_trace_op *op, uint64_t id,
			     char phase, uint64_t ns)
{
	sqlite3_stmt *row = chrome->object;
	int column = phase == 'b' ? 4 : 5, code;
	berth_status st = BERTH_OK;

	berth__db_bind(row, 1, id);
	code = sqlite3_step(row);
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		st = berth__db_error(chrome->export->trace->db, "read the trace");
	else if (code == SQLITE_ROW && sqlite3_column_type(row, column) != SQLITE_NULL &&
		 berth__db_column(row, column) == op->seq)
		st = write_life(chrome, phase, row, op->thread, ns);
	sqlite3_reset(row);
	return st;
}

static berth_status write_lives(struct chrome *chrome, const berth_trace_op *row, uint64_t ns)
{
	berth_status st = BERTH_OK;

	if (berth_op_kind_creates(row->op.kind))
		return see_life(chrome, row, row->op.object, 'b', ns);
	if (row->op.kind == BERTH_OP_RELEASE ||
	    (row->op.kind == BERTH_OP_SVM_FREE && row->op.use_count == 0))
		return see_life(chrome, row, row->op.object, 'e', ns);
	for (uint32_t i = 0;
	     st == BERTH_OK && row->op.kind == BERTH_OP_SVM_FREE && i < row->op.use_count; i++)
		st = see_life(chrome, row, row->op.uses[i].object, 'e', ns);
	return st;
}

static const char unreleased_sql[] =
	"SELECT k.name, o.label, o.bytes, o.parent, o.created_op, o.released_op, o.id,"
	" (SELECT thread FROM op WHERE seq = o.created_op) FROM object o"
	" LEFT JOIN object_kind k ON k.id = o.kind"
	" WHERE o.released_op IS NULL AND o.created_op IS NOT NULL";

/* What was never released ends with the trace, so that its life is seen. */
static berth_status end_unreleased(struct chrome *chrome)
{
	sqlite3 *db = chrome->export->trace->db;
	sqlite3_stmt *rows = NULL;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&rows, db, unreleased_sql);

	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = write_life(chrome, 'e', rows, berth__db_column(rows, 7), chrome->last_ns);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(db, "read the trace");
	sqlite3_finalize(rows);
	return st;
}

/* A mark is a moment; what begins and ends is a phase, whose ends find each other by their name. */
static void write_mark(struct chrome *chrome, const berth_trace_op *row)
{
	bool begins = row->op.bits & BERTH_OP_BEGINS, ends = row->op.bits & BERTH_OP_ENDS;

	if (begins || ends) {
		begin_event(chrome, begins ? 'b' : 'e', "phase", row->thread, row->op.name);
		fputs(",\"id\":", chrome->file);
		berth__json_text(chrome->file, row->op.name);
	} else {
		begin_event(chrome, 'i', "mark", row->thread, row->op.name);
		fputs(",\"s\":\"p\"", chrome->file);
	}
	write_us(chrome->file, "ts", row->t_ns);
	putc('}', chrome->file);
}

/* ---- memory ---- */

static berth_status write_memory(struct chrome *chrome, const berth_trace_op *row, uint64_t ns)
{
	struct berth__memory_event *event = &chrome->memory.event;
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && event->op <= row->seq) {
		uint64_t context = event->context < CONTEXTS_MAX ? event->context : 0;
		uint64_t *live = &chrome->live_bytes[context];
		const char *device = chrome->device_names[context];
		char name[320];

		if (!event->begins)
			*live -= event->bytes < *live ? event->bytes : *live;
		else if (__builtin_add_overflow(*live, event->bytes, live))
			*live = UINT64_MAX;
		snprintf(name, sizeof(name), "memory%s%s", device ? " of " : "",
			 device ? device : "");
		begin_event(chrome, 'C', "memory", 0, name);
		/* Two contexts on one device are two counters. */
		fprintf(chrome->file, ",\"id\":\"%" PRIu64 "\"", context);
		write_us(chrome->file, "ts", ns);
		fprintf(chrome->file, ",\"args\":{\"bytes\":%" PRIu64 "}}", *live);
		st = berth__memory_events_next(&chrome->memory);
	}
	return st;
}

static const char contexts_sql[] =
	"SELECT q.context, d.name FROM queue q JOIN device d ON d.id = q.device"
	" WHERE q.context IS NOT NULL ORDER BY q.id DESC";

/* The device of a context's first queue. */
static berth_status read_contexts(struct chrome *chrome)
{
	sqlite3 *db = chrome->export->trace->db;
	sqlite3_stmt *rows = NULL;
	const char *name = NULL;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&rows, db, contexts_sql);

	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		uint64_t context = berth__db_column(rows, 0);

		st = berth__db_text(&name, rows, 1);
		if (st != BERTH_OK || !name || context >= CONTEXTS_MAX)
			continue;
		free(chrome->device_names[context]);
		chrome->device_names[context] = strdup(name);
		if (!chrome->device_names[context])
			st = berth_error_set(BERTH_E_NOMEM, 0, "no memory for an export");
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(db, "read the trace");
	sqlite3_finalize(rows);
	return st;
}

/* ---- all of it ---- */

static berth_status write_row(struct chrome *chrome, const berth_trace_op *row)
{
	uint64_t ns;
	berth_status st = write_call(chrome, row);

	if (__builtin_add_overflow(row->t_ns, row->result.duration_ns, &ns))
		ns = UINT64_MAX;
	if (row->op.kind == BERTH_OP_LABEL && !row->op.object && row->op.name)
		write_mark(chrome, row);
	if (st == BERTH_OK)
		st = write_lives(chrome, row, ns);
	return st == BERTH_OK ? write_memory(chrome, row, ns) : st;
}

static berth_status write_rows(struct chrome *chrome)
{
	const berth_trace_info *info = berth_trace_get_info(chrome->export->trace);
	const berth_trace_op *row = NULL;
	berth_status st;

	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"made_by\":\"berth export\",\"program\":",
	      chrome->file);
	berth__json_text(chrome->file, info->program);
	fputs("},\"traceEvents\":[\n", chrome->file);
	write_metadata(chrome, "process_name", 0, info->program ? info->program : "program");
	while ((st = berth__export_next(&row, chrome->export)) == BERTH_OK && row)
		if ((st = write_row(chrome, row)) != BERTH_OK)
			return st;
	if (st == BERTH_OK)
		st = end_unreleased(chrome);
	fputs("\n]}\n", chrome->file);
	return st;
}

berth_status berth__export_chrome(struct berth__export *export)
{
	sqlite3 *db = export->trace->db;
	struct chrome *chrome = calloc(1, sizeof(*chrome));
	berth_status st;

	if (!chrome)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for an export");
	chrome->export = export;
	chrome->file = export->file;
	if ((st = berth__db_number(&chrome->pid, db,
				   "SELECT coalesce(max(value), 0) FROM meta WHERE key = 'pid'")) ==
		    BERTH_OK &&
	    (st = berth__nest_create(&chrome->nest)) == BERTH_OK &&
	    (st = berth__db_prepare(&chrome->object, db, object_sql)) == BERTH_OK &&
	    (st = read_contexts(chrome)) == BERTH_OK &&
	    (st = berth__memory_events_begin(&chrome->memory, export->trace)) == BERTH_OK)
		st = write_rows(chrome);
	berth__memory_events_end(&chrome->memory);
	sqlite3_finalize(chrome->object);
	berth__nest_destroy(chrome->nest);
	for (int i = 0; i < CONTEXTS_MAX; i++)
		free(chrome->device_names[i]);
	free(chrome);
	return st;
}
