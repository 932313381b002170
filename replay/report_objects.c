/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that a report names: label, shape, where they were made, what lies on them. */
#include "report_data.h"

#include "db.h"
#include "summary_object.h"
#include "trace_schema.h"
#include "trace_store.h"

#include <stdlib.h>
#include <string.h>

static berth_status describe(struct berth__report_object *object, sqlite3_stmt *find, sqlite3 *db)
{
	berth_summary_object found;
	berth_status st;

	berth__db_bind(find, 1, object->id);
	if (sqlite3_step(find) != SQLITE_ROW)
		return berth__db_error(db, "read an object");
	st = berth__summary_object_read(&found, find);
	if (st == BERTH_OK) {
		object->label = (char *)found.label;
		memcpy(object->geometry, found.geometry, sizeof(object->geometry));
		object->element_bytes = (uint32_t)berth__db_column(find, 12);
	}
	sqlite3_reset(find);
	return st;
}

static berth_status describe_all(struct berth__report *report)
{
	sqlite3_stmt *find = NULL;
	berth_status st = berth__db_prepare(&find, report->trace->db,
					    "SELECT " BERTH__SUMMARY_OBJECT_COLUMNS
					    ", o.element_bytes FROM object o WHERE o.id = ?");

	for (size_t i = 0; st == BERTH_OK && i < report->object_count; i++)
		st = describe(&report->objects[i], find, report->trace->db);
	sqlite3_finalize(find);
	return st;
}

static berth_status find_stacks(struct berth__report *report)
{
	sqlite3_stmt *find = NULL;
	berth_status st = BERTH_OK;

	if (!berth__trace_has_table(report->trace->db, "op_stack"))
		return BERTH_OK;
	st = berth__db_prepare(&find, report->trace->db, "SELECT stack FROM op_stack WHERE op = ?");
	for (size_t i = 0; st == BERTH_OK && i < report->object_count; i++) {
		int code;

		berth__db_bind(find, 1, report->objects[i].created_op);
		if ((code = sqlite3_step(find)) == SQLITE_ROW)
			report->objects[i].stack = berth__db_column(find, 0);
		else if (code != SQLITE_DONE)
			st = berth__db_error(report->trace->db, "read a call stack");
		sqlite3_reset(find);
	}
	sqlite3_finalize(find);
	return st;
}

/* What lies on a named object counts as that object. */
static berth_status find_parts(struct berth__report *report)
{
	sqlite3_stmt *rows = NULL;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&rows, report->trace->db,
					    "SELECT id, root FROM object WHERE root <> id");

	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		uint32_t root = berth__report_map_find(&report->index, berth__db_column(rows, 1));

		if (root == BERTH__REPORT_NO_INDEX)
			continue;
		report->objects[root].parts++;
		st = berth__report_map_put(&report->index, berth__db_column(rows, 0), root);
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(report->trace->db, "read objects");
	sqlite3_finalize(rows);
	return st;
}

berth_status berth__report_find_objects(struct berth__report *report)
{
	berth_status st = describe_all(report);

	if (st == BERTH_OK)
		st = find_stacks(report);
	if (st == BERTH_OK)
		st = find_parts(report);
	return st;
}
