/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary as JSON, by SQLite's JSON functions: the parts go into a table in
 * memory, and one query puts them together.
 */
#include "trace_store.h"

#include "db.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char table_sql[] =
	"CREATE TABLE part(position INTEGER PRIMARY KEY, list TEXT, key TEXT, json TEXT)";

#define GROUP_OBJECT(list)                                                                         \
	"(SELECT json_group_object(key, json(json)) FROM part WHERE list = '" list "')"
#define GROUP_ARRAY(list) "(SELECT json_group_array(json(json)) FROM part WHERE list = '" list "')"
#define SINGLE(name) "(SELECT json(json) FROM part WHERE list = 'single' AND key = '" name "')"

/* clang-format off */
static const char result_sql[] =
	"SELECT json_object("
	"'program', " SINGLE("program") ", 'device', " SINGLE("device") ","
	"'ops', " GROUP_OBJECT("ops") ", 'objects', " GROUP_OBJECT("objects") ","
	"'peak_bytes', " SINGLE("peak_bytes") ","
	"'peak', json_object('op', " SINGLE("peak_op") ", 'objects', " GROUP_ARRAY("peak") "),"
	"'leaked', json_object('count', " SINGLE("leaked_count") ","
	" 'bytes', " SINGLE("leaked_bytes") ", 'objects', " GROUP_ARRAY("leaked") "),"
	"'failed', " GROUP_ARRAY("failed") ", 'bytes_moved', " GROUP_OBJECT("moved") ","
	"'untracked', " GROUP_OBJECT("untracked") ","
	"'unanswered', " SINGLE("unanswered") ", 'lost', " SINGLE("lost") ")";
/* clang-format on */

enum { NUMBER, PROGRAM, DEVICE, OBJECT, FAILURE, STATEMENT_COUNT };

/* Parameters 1 and 2 are list and key. Numbers come as text: they may be more than 2^63. */
#define ADD "INSERT INTO part(list, key, json) VALUES(?1, ?2, "
static const char *const statement_sql[STATEMENT_COUNT] = {
	[NUMBER] = ADD "?3)",
	[PROGRAM] = ADD "json_object('path', ?3, 'command', ?4, 'berth_version', ?5, 'end', ?6,"
			" 'started_ns', json(?7)))",
	[DEVICE] = ADD "json_object('name', ?3, 'vendor', ?4, 'platform', ?5, 'device_version', ?6,"
		       " 'driver_version', ?7, 'global_mem_bytes', json(?8),"
		       " 'max_alloc_bytes', json(?9)))",
	[OBJECT] = ADD "json_object('id', json(?3), 'kind', ?4, 'bytes', json(?5),"
		       " 'created_op', json(?6), 'label', ?7, 'geometry', nullif(?8, ''),"
		       " 'why', ?9, 'stack', json(?10)))",
	[FAILURE] = ADD "json_object('kind', ?3, 'status', json(?4), 'code', ?5, 'count', json(?6),"
			" 'first_op', json(?7)))",
};

struct builder {
	sqlite3 *db;
	sqlite3_stmt *statements[STATEMENT_COUNT];
	berth_status status; /* the first failure; further calls do nothing */
};

/* Copies the text. What is not bound would be written as NULL: no row then. */
static void bind_text(struct builder *builder, sqlite3_stmt *statement, int index, const char *text)
{
	if (sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT) != SQLITE_OK &&
	    builder->status == BERTH_OK)
		builder->status = berth__db_error(builder->db, "make JSON of the summary");
}

static void bind_number(struct builder *builder, sqlite3_stmt *statement, int index,
			uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	bind_text(builder, statement, index, text);
}

static sqlite3_stmt *begin(struct builder *builder, int which, const char *list, const char *key)
{
	sqlite3_stmt *statement = builder->statements[which];

	sqlite3_clear_bindings(statement);
	bind_text(builder, statement, 1, list);
	bind_text(builder, statement, 2, key);
	return statement;
}

static void end(struct builder *builder, sqlite3_stmt *statement)
{
	if (builder->status == BERTH_OK)
		builder->status = berth__db_run(statement);
}

static void add_number(struct builder *builder, const char *list, const char *key, uint64_t number)
{
	sqlite3_stmt *statement = begin(builder, NUMBER, list, key);

	bind_number(builder, statement, 3, number);
	end(builder, statement);
}

static void add_program(struct builder *builder, const berth_trace_info *info)
{
	sqlite3_stmt *statement = begin(builder, PROGRAM, "single", "program");

	bind_text(builder, statement, 3, info->program);
	bind_text(builder, statement, 4, info->command);
	bind_text(builder, statement, 5, info->berth_version);
	bind_text(builder, statement, 6, info->end);
	bind_number(builder, statement, 7, info->started_ns);
	end(builder, statement);
}

/* A program that made no context has no device: null. */
static void add_device(struct builder *builder, berth_trace *trace)
{
	sqlite3_stmt *statement;
	berth_caps caps;

	if (trace->info.device_count == 0 || builder->status != BERTH_OK)
		return;
	builder->status = berth_trace_device(&caps, trace, 0);
	if (builder->status != BERTH_OK)
		return;
	statement = begin(builder, DEVICE, "single", "device");
	bind_text(builder, statement, 3, caps.name);
	bind_text(builder, statement, 4, caps.vendor);
	bind_text(builder, statement, 5, caps.platform);
	bind_text(builder, statement, 6, caps.device_version);
	bind_text(builder, statement, 7, caps.driver_version);
	bind_number(builder, statement, 8, caps.global_mem_bytes);
	bind_number(builder, statement, 9, caps.max_alloc_bytes);
	end(builder, statement);
}

/* A list of places; null without a stack. */
static void add_stack(struct builder *builder, sqlite3_stmt *statement, int index,
		      berth_trace *trace, uint64_t stack)
{
	char *json = NULL;

	if (stack == 0 || builder->status != BERTH_OK)
		return;
	builder->status = berth__trace_stack_json(&json, trace, stack);
	if (json)
		bind_text(builder, statement, index, json);
	sqlite3_free(json);
}

static void add_objects(struct builder *builder, const char *list, berth_trace *trace,
			const berth_summary_object *objects, uint32_t count, bool unreleased)
{
	for (uint32_t i = 0; builder->status == BERTH_OK && i < count; i++) {
		sqlite3_stmt *statement = begin(builder, OBJECT, list, NULL);

		bind_number(builder, statement, 3, objects[i].id);
		bind_text(builder, statement, 4, objects[i].kind);
		bind_number(builder, statement, 5, objects[i].bytes);
		bind_number(builder, statement, 6, objects[i].created_op);
		bind_text(builder, statement, 7, objects[i].label);
		bind_text(builder, statement, 8, objects[i].geometry);
		if (unreleased)
			bind_text(builder, statement, 9, berth_unreleased_string(objects[i].why));
		add_stack(builder, statement, 10, trace, objects[i].stack);
		end(builder, statement);
	}
}

static void add_failures(struct builder *builder, const berth_summary *summary)
{
	for (uint32_t i = 0; builder->status == BERTH_OK && i < summary->failure_count; i++) {
		const berth_summary_failure *failure = &summary->failures[i];
		sqlite3_stmt *statement = begin(builder, FAILURE, "failed", NULL);

		bind_text(builder, statement, 3, berth_op_kind_string(failure->kind));
		sqlite3_bind_int(statement, 4, failure->cl_status);
		bind_text(builder, statement, 5, berth_cl_status_string(failure->cl_status));
		bind_number(builder, statement, 6, failure->count);
		bind_number(builder, statement, 7, failure->first_op);
		end(builder, statement);
	}
}

static void add_kinds(struct builder *builder, const berth_summary *summary)
{
	static const berth_op_kind kinds[] = {
#define X(name, value, string) name,
		BERTH_OP_KIND_MAP(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		add_number(builder, "ops", berth_op_kind_string(kinds[i]), summary->ops[kinds[i]]);
}

static void add_numbers(struct builder *builder, const berth_summary *summary,
			const berth_trace_info *info)
{
	const struct {
		const char *list, *key;
		uint64_t number;
	} numbers[] = {
		{ "objects", "buffer", summary->buffers },
		{ "objects", "subbuffer", summary->subbuffers },
		{ "objects", "image", summary->images },
		{ "objects", "svm", summary->svm },
		{ "objects", "pipe", summary->pipes },
		{ "single", "peak_bytes", summary->peak_bytes },
		{ "single", "peak_op", summary->peak_op },
		{ "single", "leaked_count", summary->leaked_count },
		{ "single", "leaked_bytes", summary->leaked_bytes },
		{ "moved", "write", summary->bytes_written },
		{ "moved", "read", summary->bytes_read },
		{ "moved", "copy", summary->bytes_copied },
		{ "moved", "fill", summary->bytes_filled },
		{ "moved", "map", summary->bytes_mapped },
		{ "single", "unanswered", summary->unanswered },
		{ "single", "lost", info->lost_records },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		add_number(builder, numbers[i].list, numbers[i].key, numbers[i].number);
	for (uint32_t i = 0; i < summary->untracked_count; i++)
		add_number(builder, "untracked", summary->untracked[i].name,
			   summary->untracked[i].count);
}

static berth_status put_together(char **out, sqlite3 *db)
{
	sqlite3_stmt *result = NULL;
	berth_status st = berth__db_prepare(&result, db, result_sql);
	const char *text = NULL;
	char *copy;

	if (st != BERTH_OK)
		return st;
	if (sqlite3_step(result) == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(result, 0);
	if (!text)
		st = berth__db_error(db, "make JSON of the summary");
	else if (!(copy = strdup(text)))
		st = berth_error_set(BERTH_E_NOMEM, 0, "out of memory making JSON");
	else
		*out = copy;
	sqlite3_finalize(result);
	return st;
}

static berth_status open_builder(struct builder *builder)
{
	berth_status st;

	if (sqlite3_open(":memory:", &builder->db) != SQLITE_OK)
		return berth__db_error(builder->db, "make JSON of the summary");
	st = berth__db_exec(builder->db, table_sql);
	for (int i = 0; st == BERTH_OK && i < STATEMENT_COUNT; i++)
		st = berth__db_prepare(&builder->statements[i], builder->db, statement_sql[i]);
	return st == BERTH_OK ? berth__db_exec(builder->db, "BEGIN") : st;
}

berth_status berth_trace_summary_json(char **out, berth_trace *trace)
{
	struct builder builder = { .status = BERTH_OK };
	berth_summary *summary = NULL;
	berth_status st;

	if ((st = berth_trace_summarise(&summary, trace)) != BERTH_OK ||
	    (st = open_builder(&builder)) != BERTH_OK)
		goto out;
	add_program(&builder, &trace->info);
	add_device(&builder, trace);
	add_kinds(&builder, summary);
	add_numbers(&builder, summary, &trace->info);
	add_objects(&builder, "peak", trace, summary->at_peak, summary->at_peak_count, false);
	add_objects(&builder, "leaked", trace, summary->leaked, summary->leaked_count, true);
	add_failures(&builder, summary);
	st = builder.status == BERTH_OK ? put_together(out, builder.db) : builder.status;
out:
	for (int i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(builder.statements[i]);
	sqlite3_close(builder.db);
	berth_summary_free(summary);
	return st;
}
