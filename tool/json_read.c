/* SPDX-License-Identifier: Apache-2.0 */
#include "json_read.h"

#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

struct json_reader {
	sqlite3 *database;
	sqlite3_stmt *extract; /* json_extract(?1, ?2) */
};

static bool is_valid(json_reader *reader, const char *text)
{
	sqlite3_stmt *valid = NULL;
	bool is = sqlite3_prepare_v2(reader->database, "select json_valid(?1)", -1, &valid, NULL) ==
			  SQLITE_OK &&
		  sqlite3_bind_text(valid, 1, text, -1, SQLITE_STATIC) == SQLITE_OK &&
		  sqlite3_step(valid) == SQLITE_ROW && sqlite3_column_int(valid, 0) == 1;

	sqlite3_finalize(valid);
	return is;
}

berth_status json_reader_open(json_reader **out, const char *text)
{
	json_reader *reader = calloc(1, sizeof(*reader));

	if (!reader || sqlite3_open(":memory:", &reader->database) != SQLITE_OK ||
	    sqlite3_prepare_v2(reader->database, "select json_extract(?1, ?2)", -1,
			       &reader->extract, NULL) != SQLITE_OK) {
		json_reader_close(reader);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read JSON");
	}
	if (!is_valid(reader, text)) {
		json_reader_close(reader);
		return berth_error_set(BERTH_E_FORMAT, 0, "not JSON: '%.40s'", text);
	}
	if (sqlite3_bind_text(reader->extract, 1, text, -1, SQLITE_TRANSIENT) != SQLITE_OK) {
		json_reader_close(reader);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read JSON");
	}
	*out = reader;
	return BERTH_OK;
}

void json_reader_close(json_reader *reader)
{
	if (!reader)
		return;
	sqlite3_finalize(reader->extract);
	sqlite3_close(reader->database);
	free(reader);
}

static bool find(json_reader *reader, const char *path)
{
	sqlite3_reset(reader->extract);
	return sqlite3_bind_text(reader->extract, 2, path, -1, SQLITE_STATIC) == SQLITE_OK &&
	       sqlite3_step(reader->extract) == SQLITE_ROW;
}

char *json_read_text(json_reader *reader, const char *path)
{
	const unsigned char *text =
		find(reader, path) ? sqlite3_column_text(reader->extract, 0) : NULL;

	return strdup(text ? (const char *)text : "");
}

bool json_read_number(json_reader *reader, uint64_t *out, const char *path)
{
	if (!find(reader, path) || sqlite3_column_type(reader->extract, 0) != SQLITE_INTEGER ||
	    sqlite3_column_int64(reader->extract, 0) < 0)
		return false;
	*out = (uint64_t)sqlite3_column_int64(reader->extract, 0);
	return true;
}
