/* SPDX-License-Identifier: Apache-2.0 */
/* Memory alone, without calls: RMM's log, a planner's table. */
#include "export.h"

#include "db.h"
#include "trace_schema.h"
#include "trace_store.h"

#include <inttypes.h>

/* ---- RMM ---- */

/* Ids as addresses: as far apart as RMM's alignment, so that none looks as if it were inside. */
#define ADDRESS_SHIFT 8

static void write_event(FILE *file, const berth_trace_op *row, uint64_t started_ns,
			const char *action, uint64_t id, uint64_t bytes)
{
	uint64_t us = (started_ns + row->t_ns) / 1000, s = us / 1000000 % 86400;

	fprintf(file, "%" PRIu32 ",%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 ".%06" PRIu64 ",%s,",
		row->thread, s / 3600, s / 60 % 60, s % 60, us % 1000000, action);
	if (id)
		fprintf(file, "0x%" PRIx64, id << ADDRESS_SHIFT);
	else
		fputs("(nil)", file);
	fprintf(file, ",%" PRIu64 ",0x0\n", bytes);
}

/* What a create call asks for, as far as it says: an image says no bytes. */
static uint64_t asked_bytes(const berth_op *op)
{
	uint64_t bytes;
	uint32_t element;

	if (op->kind == BERTH_OP_PIPE_CREATE)
		return (uint64_t)op->packet_bytes * op->packet_count;
	if (op->kind != BERTH_OP_IMAGE_CREATE)
		return op->bytes;
	element = berth_format_element_bytes(op->image.order, op->image.channel_type);
	if (berth_op_host_bytes(&bytes, op, element) != BERTH_OK)
		return 0;
	return bytes;
}

/* A call that would have made memory, refused. */
static bool is_failure(const berth_trace_op *row)
{
	return row->answered && row->result.cl_status != 0 &&
	       berth_op_kind_creates(row->op.kind) && row->op.kind != BERTH_OP_SUBBUFFER_CREATE &&
	       !row->op.other;
}

berth_status berth__export_rmm(struct berth__export *export)
{
	uint64_t started_ns = berth_trace_get_info(export->trace)->started_ns;
	const berth_trace_op *row = NULL;
	struct berth__memory_events events;
	berth_status st = berth__memory_events_begin(&events, export->trace);

	fputs("Thread,Time,Action,Pointer,Size,Stream\n", export->file);
	while (st == BERTH_OK && (st = berth__export_next(&row, export)) == BERTH_OK && row) {
		if (is_failure(row))
			write_event(export->file, row, started_ns, "allocate failure", 0,
				    asked_bytes(&row->op));
		while (st == BERTH_OK && events.event.op <= row->seq) {
			write_event(export->file, row, started_ns,
				    events.event.begins ? "allocate" : "free", events.event.id,
				    events.event.bytes);
			st = berth__memory_events_next(&events);
		}
	}
	berth__memory_events_end(&events);
	return st;
}

/* ---- a planner's table ---- */

static const char lives_sql[] =
	"SELECT id, created_op, ends_op, bytes FROM (%s) WHERE bytes <> 0 AND created_op IS NOT NULL"
	" ORDER BY created_op";

berth_status berth__export_plan(struct berth__export *export)
{
	const berth_trace_info *info = berth_trace_get_info(export->trace);
	uint64_t end = info->op_count + 1, align_bytes = 0;
	sqlite3_str *sql = sqlite3_str_new(NULL);
	sqlite3_stmt *rows = NULL;
	berth_caps caps;
	int code = SQLITE_DONE;
	berth_status st;

	if (info->device_count > 0 && berth_trace_device(&caps, export->trace, 0) == BERTH_OK)
		align_bytes = caps.base_addr_align_bits / 8;
	sqlite3_str_appendf(sql, lives_sql, berth__trace_memory_sql);
	st = berth__db_prepare_made(&rows, export->trace->db, sql);
	fprintf(export->file, "id,lower,upper,size%s\n", align_bytes ? ",alignment" : "");
	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		bool ends = sqlite3_column_type(rows, 2) != SQLITE_NULL;

		fprintf(export->file, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
			berth__db_column(rows, 0), berth__db_column(rows, 1),
			ends ? berth__db_column(rows, 2) : end, berth__db_column(rows, 3));
		if (align_bytes)
			fprintf(export->file, ",%" PRIu64, align_bytes);
		putc('\n', export->file);
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(export->trace->db, "read the trace");
	sqlite3_finalize(rows);
	return st;
}
