/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which names have a colour of their own: those whose objects took the most bytes for the
 * most ops. An object without a label goes by its kind and size, as programs make many alike.
 */
#include "report_data.h"

#include "db.h"
#include "trace_store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 128

static const char *const kinds[] = { "", "buffer", "subbuffer", "image", "svm", "pipe" };

static void name_of(char *out, const char *label, unsigned kind, uint64_t bytes)
{
	if (label && *label)
		snprintf(out, NAME_BYTES, "%s", label);
	else
		snprintf(out, NAME_BYTES, "%s of %" PRIu64 " bytes",
			 kind < BERTH__REPORT_KINDS ? kinds[kind] : "", bytes);
}

size_t berth__report_group_of(const struct berth__report *report, const char *label, unsigned kind,
			      uint64_t bytes)
{
	char name[NAME_BYTES];

	name_of(name, label, kind, bytes);
	for (size_t i = 0; i < report->group_count; i++)
		if (strcmp(report->groups[i], name) == 0)
			return i;
	return report->group_count;
}

/*
 * REAL: bytes times ops do not fit 64 bits. What is negative is 2^63 and more. What lies on an
 * object and may outlive it does not count here: this chooses colours, and is fast.
 */
static const char groups_sql[] = "SELECT label, kind, bytes,"
				 " sum((bytes + iif(bytes < 0, 18446744073709551616.0, 0.0)) *"
				 "  (coalesce(released_op, ?1) - created_op + 1)) AS weight"
				 " FROM object WHERE root = id AND bytes <> 0"
				 " GROUP BY coalesce(nullif(label, ''), bytes * 8 + kind)"
				 " ORDER BY weight DESC LIMIT %d";

static berth_status take_groups(struct berth__report *report, sqlite3_stmt *rows)
{
	berth_status st = BERTH_OK;
	int code;

	berth__db_bind(rows, 1, report->op_count);
	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		char name[NAME_BYTES];
		const char *label;

		if ((st = berth__db_text(&label, rows, 0)) != BERTH_OK)
			return st;
		name_of(name, label, (unsigned)berth__db_column(rows, 1),
			berth__db_column(rows, 2));
		if (!(report->groups[report->group_count] = strdup(name)))
			return berth__report_no_memory();
		report->group_count++;
	}
	if (code != SQLITE_DONE)
		return berth__db_error(report->trace->db, "read the names of objects");
	return BERTH_OK;
}

berth_status berth__report_find_groups(struct berth__report *report)
{
	sqlite3_stmt *rows = NULL;
	char *sql = sqlite3_mprintf(groups_sql, BERTH__REPORT_GROUPS);
	berth_status st;

	if (!sql)
		return berth__report_no_memory();
	st = berth__db_prepare(&rows, report->trace->db, sql);
	if (st == BERTH_OK)
		st = take_groups(report, rows);
	sqlite3_finalize(rows);
	sqlite3_free(sql);
	return st;
}
