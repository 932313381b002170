/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks and content out of a trace. */
#include "trace_store.h"

#include "db.h"
#include "trace_schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Recorders take fewer; what is longer is a forged file. */
#define FRAMES_MAX 4096

static const char frames_sql[] =
	"SELECT function, file, line, path, address FROM stack"
	" JOIN frame ON frame.id = stack.frame LEFT JOIN module ON module.id = frame.module"
	" WHERE stack.id = ? ORDER BY position";

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "out of memory reading a call stack");
}

static berth_status copy_text(const char **out, sqlite3_stmt *row, int column)
{
	const char *text;
	berth_status st = berth__db_text(&text, row, column);

	if (st == BERTH_OK && text && !(*out = strdup(text)))
		st = no_memory();
	return st;
}

static berth_status read_frame(berth_trace_frame *frame, sqlite3_stmt *row)
{
	uint64_t line = berth__db_column(row, 2);
	berth_status st;

	memset(frame, 0, sizeof(*frame));
	frame->line = line <= UINT32_MAX ? (uint32_t)line : 0;
	frame->address = berth__db_column(row, 4);
	if ((st = copy_text(&frame->function, row, 0)) == BERTH_OK &&
	    (st = copy_text(&frame->file, row, 1)) == BERTH_OK)
		st = copy_text(&frame->module, row, 3);
	return st;
}

static berth_status append_frame(berth_trace_frame **frames, uint32_t *count, sqlite3_stmt *row)
{
	berth_trace_frame *grown = *frames;

	if (*count == FRAMES_MAX)
		return berth_error_set(BERTH_E_FORMAT, 0, "damaged trace: a stack of over %d frames",
				       FRAMES_MAX);
	if ((*count & (*count - 1)) == 0)
		grown = reallocarray(*frames, *count ? *count * 2 : 1, sizeof(*grown));
	if (!grown)
		return no_memory();
	*frames = grown;
	return read_frame(&grown[(*count)++], row);
}

berth_status berth_trace_stack(berth_trace_frame **out, uint32_t *out_count, berth_trace *trace,
			       uint64_t stack)
{
	berth_trace_frame *frames = NULL;
	sqlite3_stmt *rows = NULL;
	uint32_t count = 0;
	int code = SQLITE_DONE;
	berth_status st = BERTH_OK;

	berth__trace_bound_begin(trace);
	if (stack && berth__trace_has_table(trace->db, "stack"))
		st = berth__db_prepare(&rows, trace->db, frames_sql);
	if (rows)
		berth__db_bind(rows, 1, stack);
	while (rows && st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = append_frame(&frames, &count, rows);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(trace->db, "read a call stack");
	sqlite3_finalize(rows);
	berth__trace_bound_end(trace);
	if (st == BERTH_OK && count == 0)
		st = berth_error_set(BERTH_E_NOT_FOUND, 0, "the trace has no stack %" PRIu64,
				     stack);
	if (st != BERTH_OK) {
		berth_trace_stack_free(frames, count);
		return st;
	}
	*out = frames;
	*out_count = count;
	return BERTH_OK;
}

void berth_trace_stack_free(berth_trace_frame *frames, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		free((char *)frames[i].function);
		free((char *)frames[i].file);
		free((char *)frames[i].module);
	}
	free(frames);
}

berth_status berth__trace_stack_json(char **out, berth_trace *trace, uint64_t stack)
{
	sqlite3_stmt *row = NULL;
	const char *text = NULL;
	char *sql, *json = NULL;
	berth_status st;

	if (!berth__trace_has_table(trace->db, "stack"))
		return BERTH_OK;
	sql = sqlite3_mprintf("SELECT json_group_array(json_object('function', function,"
			      " 'file', file, 'line', line, 'module', path, 'address', address))"
			      " FROM (%s)",
			      frames_sql);
	if (!sql)
		return no_memory();
	berth__trace_bound_begin(trace);
	if ((st = berth__db_prepare(&row, trace->db, sql)) == BERTH_OK) {
		berth__db_bind(row, 1, stack);
		if (sqlite3_step(row) != SQLITE_ROW)
			st = berth__db_error(trace->db, "read a call stack");
		else if ((st = berth__db_text(&text, row, 0)) == BERTH_OK && text &&
			 !(json = sqlite3_mprintf("%s", text)))
			st = no_memory();
	}
	sqlite3_finalize(row);
	sqlite3_free(sql);
	berth__trace_bound_end(trace);
	if (st == BERTH_OK)
		*out = json;
	return st;
}

/* ---- content ---- */

bool berth_trace_has_payload(berth_trace *trace)
{
	uint64_t has = 0;

	return berth__trace_has_table(trace->db, "payload") &&
	       berth__db_number(&has, trace->db, "SELECT EXISTS(SELECT 1 FROM payload)") ==
		       BERTH_OK &&
	       has;
}

static berth_status copy_piece(uint8_t *bytes, uint64_t size, uint64_t *at, sqlite3_stmt *row)
{
	uint64_t offset = berth__db_column(row, 0);
	const void *piece = sqlite3_column_blob(row, 1);
	uint64_t piece_bytes = (uint64_t)sqlite3_column_bytes(row, 1);

	/* Pieces follow one another; one that was lost, or is too much, ends it. */
	if (offset != *at || piece_bytes > size - *at || (piece_bytes && !piece))
		return berth_error_set(BERTH_E_NOT_FOUND, 0,
				       "the content is not whole: byte %" PRIu64 " is missing", *at);
	if (piece_bytes)
		memcpy(bytes + *at, piece, piece_bytes);
	*at += piece_bytes;
	return BERTH_OK;
}

berth_status berth_trace_payload(void *bytes, berth_trace *trace, const uint8_t digest[16],
				 uint64_t size)
{
	sqlite3_stmt *rows = NULL;
	uint64_t at = 0;
	int code = SQLITE_DONE;
	berth_status st = BERTH_OK;

	if (berth__trace_has_table(trace->db, "payload"))
		st = berth__db_prepare(&rows, trace->db,
				       "SELECT offset, bytes FROM payload WHERE digest = ?"
				       " ORDER BY offset");
	if (rows)
		sqlite3_bind_blob(rows, 1, digest, 16, SQLITE_STATIC);
	while (rows && st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = copy_piece(bytes, size, &at, rows);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(trace->db, "read content");
	if (st == BERTH_OK && at != size)
		st = berth_error_set(BERTH_E_NOT_FOUND, 0,
				     "the trace has %" PRIu64 " of %" PRIu64 " bytes of this content",
				     at, size);
	sqlite3_finalize(rows);
	return st;
}
