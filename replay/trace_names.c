/* SPDX-License-Identifier: Apache-2.0 */
/* Names of kernels and labels: few, and looked up for each row, so kept in memory. */
#include "trace_store.h"

#include "db.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static berth_status append(struct berth__trace_names *names, uint64_t id, const char *text)
{
	struct berth__trace_name *items = names->items;

	if (names->count == names->capacity) {
		size_t capacity = names->capacity ? names->capacity * 2 : 64;

		items = reallocarray(items, capacity, sizeof(*items));
		if (!items)
			return berth_error_set(BERTH_E_NOMEM, 0, "out of memory reading names");
		names->items = items;
		names->capacity = capacity;
	}
	items[names->count].id = id;
	items[names->count].text = strdup(text);
	if (!items[names->count].text)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory reading names");
	names->count++;
	return BERTH_OK;
}

berth_status berth__trace_names_load(struct berth__trace_names *names, sqlite3 *db)
{
	sqlite3_stmt *rows = NULL;
	berth_status st;
	int code = SQLITE_DONE;

	st = berth__db_prepare(&rows, db, "SELECT id, text FROM name WHERE id > 0 ORDER BY id");
	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		uint64_t id = berth__db_column(rows, 0);
		const char *text;

		if ((st = berth__db_text(&text, rows, 1)) != BERTH_OK)
			break;
		if (!text || (names->count && names->items[names->count - 1].id >= id))
			st = berth_error_set(BERTH_E_FORMAT, 0,
					     "damaged trace: table 'name', row %" PRIu64
					     ": column 'text' is empty or the row out of order",
					     id);
		else
			st = append(names, id, text);
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(db, "read the trace's names");
	sqlite3_finalize(rows);
	return st;
}

void berth__trace_names_free(struct berth__trace_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i].text);
	free(names->items);
}

static int compare(const void *key, const void *item)
{
	uint64_t id = *(const uint64_t *)key;
	uint64_t other = ((const struct berth__trace_name *)item)->id;

	return (id > other) - (id < other);
}

const char *berth__trace_names_find(const struct berth__trace_names *names, uint64_t id)
{
	const struct berth__trace_name *found;

	/* The recorder numbers them from 1 without gaps. */
	if (id - 1 < names->count && names->items[id - 1].id == id)
		return names->items[id - 1].text;
	if (names->count == 0)
		return NULL;
	found = bsearch(&id, names->items, names->count, sizeof(*names->items), compare);
	return found ? found->text : NULL;
}
