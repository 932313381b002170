/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include "../replay/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

struct json_builder {
	sqlite3 *database;
	sqlite3_stmt *set_value; /* json_set(?1, ?2, ?3) */
	sqlite3_stmt *set_json;	 /* json_set(?1, ?2, json(?3)) */
	char *text;
	bool failed;
};

json_builder *json_builder_create(void)
{
	json_builder *builder = calloc(1, sizeof(*builder));

	if (!builder)
		return NULL;
	builder->text = strdup("{}");
	builder->failed = !builder->text ||
			  sqlite3_open(":memory:", &builder->database) != SQLITE_OK ||
			  sqlite3_prepare_v2(builder->database, "select json_set(?1, ?2, ?3)", -1,
					     &builder->set_value, NULL) != SQLITE_OK ||
			  sqlite3_prepare_v2(builder->database, "select json_set(?1, ?2, json(?3))",
					     -1, &builder->set_json, NULL) != SQLITE_OK;
	return builder;
}

void json_builder_destroy(json_builder *builder)
{
	if (!builder)
		return;
	sqlite3_finalize(builder->set_value);
	sqlite3_finalize(builder->set_json);
	sqlite3_close(builder->database);
	free(builder->text);
	free(builder);
}

/* Run a statement whose value is bound already, and keep its result. */
static void apply(json_builder *builder, sqlite3_stmt *statement, const char *path, int bound)
{
	char *text = NULL;

	if (bound == SQLITE_OK &&
	    sqlite3_bind_text(statement, 1, builder->text, -1, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_bind_text(statement, 2, path, -1, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
		text = strdup((const char *)sqlite3_column_text(statement, 0));
	sqlite3_reset(statement);
	builder->failed |= !text;
	if (text) {
		free(builder->text);
		builder->text = text;
	}
}

static bool can_set(const json_builder *builder)
{
	return builder && !builder->failed;
}

static void set_json(json_builder *builder, const char *path, const char *json)
{
	if (can_set(builder))
		apply(builder, builder->set_json, path,
		      sqlite3_bind_text(builder->set_json, 3, json, -1, SQLITE_STATIC));
}

void json_start_array(json_builder *builder)
{
	if (can_set(builder))
		memcpy(builder->text, "[]", 2);
}

void json_set_object(json_builder *builder, const char *path)
{
	set_json(builder, path, "{}");
}

void json_set_array(json_builder *builder, const char *path)
{
	set_json(builder, path, "[]");
}

void json_set_text(json_builder *builder, const char *path, const char *text)
{
	char *quoted = NULL;
	size_t bytes;
	FILE *file;

	if (!can_set(builder))
		return;
	/* SQLite passes on bytes that are no UTF-8, as names of files may have. */
	file = open_memstream(&quoted, &bytes);
	if (file) {
		berth__json_text(file, text);
		if (fclose(file) != 0) {
			free(quoted);
			quoted = NULL;
		}
	}
	builder->failed |= !quoted;
	if (quoted)
		set_json(builder, path, quoted);
	free(quoted);
}

/* As text, for what is over SQLite's signed 64 bits. */
void json_set_number(json_builder *builder, const char *path, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	set_json(builder, path, text);
}

void json_set_signed(json_builder *builder, const char *path, int64_t number)
{
	if (can_set(builder))
		apply(builder, builder->set_value, path,
		      sqlite3_bind_int64(builder->set_value, 3, number));
}

void json_set_bool(json_builder *builder, const char *path, bool value)
{
	set_json(builder, path, value ? "true" : "false");
}

const char *json_text(const json_builder *builder)
{
	return can_set(builder) ? builder->text : NULL;
}

berth_status json_print(json_builder *builder)
{
	if (!can_set(builder))
		return berth_error_set(BERTH_E_NOMEM, 0, "the JSON cannot be built");
	puts(builder->text);
	return BERTH_OK;
}
