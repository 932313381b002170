/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_stack_write.h"

#include "db.h"

#include <stdlib.h>

/* Deeper ones are cut by the recorder; what is longer is damage. */
#define FRAMES_MAX 4096

enum { MODULE, FIND, FRAME, FRAME_ID, STACK, STATEMENT_COUNT };

/*
 * A module may be unloaded, and another be loaded in its place: an address belongs to the one
 * that was written last.
 */
static const char *const statement_sql[STATEMENT_COUNT] = {
	[MODULE] = "INSERT INTO module(path, build_id, start, end, bias)"
		   " VALUES(?, lower(hex(?)), ?, ?, ?)",
	[FIND] = "SELECT id, bias FROM module WHERE start <= ?1 AND ?1 < end"
		 " ORDER BY id DESC LIMIT 1",
	[FRAME] = "INSERT OR IGNORE INTO frame(module, address) VALUES(?, ?)",
	[FRAME_ID] = "SELECT id FROM frame"
		     " WHERE coalesce(module, 0) = coalesce(?, 0) AND address = ?",
	[STACK] = "INSERT OR REPLACE INTO stack VALUES(?, ?, ?)",
};

struct berth__stack_writer {
	sqlite3 *db;
	sqlite3_stmt *statements[STATEMENT_COUNT];
};

berth_status berth__stack_writer_create(struct berth__stack_writer **out, sqlite3 *db)
{
	struct berth__stack_writer *writer = calloc(1, sizeof(*writer));
	berth_status st = BERTH_OK;

	if (!writer)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening a trace");
	writer->db = db;
	for (int i = 0; st == BERTH_OK && i < STATEMENT_COUNT; i++)
		st = berth__db_prepare(&writer->statements[i], db, statement_sql[i]);
	if (st != BERTH_OK) {
		berth__stack_writer_destroy(writer);
		return st;
	}
	*out = writer;
	return BERTH_OK;
}

void berth__stack_writer_destroy(struct berth__stack_writer *writer)
{
	if (!writer)
		return;
	for (int i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(writer->statements[i]);
	free(writer);
}

berth_status berth__stack_writer_add_module(struct berth__stack_writer *writer,
					    const struct berth__trace_module *module)
{
	sqlite3_stmt *statement = writer->statements[MODULE];

	berth__db_bind_text(statement, 1, module->path);
	sqlite3_bind_blob(statement, 2, module->build_id, (int)module->build_id_bytes,
			  SQLITE_STATIC);
	berth__db_bind(statement, 3, module->start);
	berth__db_bind(statement, 4, module->end);
	berth__db_bind(statement, 5, module->bias);
	return berth__db_run(statement);
}

/* *module 0: the address lies in no file. */
static berth_status find_module(uint64_t *module, uint64_t *bias,
				struct berth__stack_writer *writer, uint64_t address)
{
	sqlite3_stmt *statement = writer->statements[FIND];
	berth_status st = BERTH_OK;

	*module = *bias = 0;
	berth__db_bind(statement, 1, address);
	switch (sqlite3_step(statement)) {
	case SQLITE_ROW:
		*module = berth__db_column(statement, 0);
		*bias = berth__db_column(statement, 1);
		break;
	case SQLITE_DONE:
		break;
	default:
		st = berth__db_error(writer->db, "write the trace");
	}
	sqlite3_reset(statement);
	return st;
}

static void bind_place(sqlite3_stmt *statement, uint64_t module, uint64_t address)
{
	if (module)
		berth__db_bind(statement, 1, module);
	else
		sqlite3_bind_null(statement, 1);
	berth__db_bind(statement, 2, address);
}

/* Found or made: its id. */
static berth_status add_frame(uint64_t *out, struct berth__stack_writer *writer, uint64_t address)
{
	sqlite3_stmt *find = writer->statements[FRAME_ID];
	uint64_t module, bias;
	berth_status st = find_module(&module, &bias, writer, address);

	if (st != BERTH_OK)
		return st;
	bind_place(writer->statements[FRAME], module, address - bias);
	if ((st = berth__db_run(writer->statements[FRAME])) != BERTH_OK)
		return st;
	bind_place(find, module, address - bias);
	if (sqlite3_step(find) == SQLITE_ROW)
		*out = berth__db_column(find, 0);
	else
		st = berth__db_error(writer->db, "write the trace");
	sqlite3_reset(find);
	return st;
}

berth_status berth__stack_writer_add(struct berth__stack_writer *writer, uint32_t id,
				     const uint64_t *addresses, uint32_t count)
{
	sqlite3_stmt *statement = writer->statements[STACK];
	berth_status st = BERTH_OK;

	if (count > FRAMES_MAX)
		count = FRAMES_MAX;
	for (uint32_t i = 0; st == BERTH_OK && i < count; i++) {
		uint64_t frame = 0;

		if ((st = add_frame(&frame, writer, addresses[i])) != BERTH_OK)
			break;
		berth__db_bind(statement, 1, id);
		berth__db_bind(statement, 2, i);
		berth__db_bind(statement, 3, frame);
		st = berth__db_run(statement);
	}
	return st;
}
