/* SPDX-License-Identifier: Apache-2.0 */
#include "summary_object.h"

#include "db.h"
#include "trace_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <berth/caps.h>

static const char *const object_kinds[] = { NULL, "buffer", "subbuffer", "image", "svm", "pipe" };

berth_status berth__summary_object_kind(uint64_t *out, sqlite3_stmt *row, int column)
{
	uint64_t kind = berth__db_column(row, column);

	if (kind < 1 || kind > 5)
		return berth__trace_damaged("object", berth__db_column(row, 0), "kind", kind);
	*out = kind;
	return BERTH_OK;
}

static void describe_geometry(char *text, size_t text_bytes, sqlite3_stmt *row)
{
	int written = snprintf(text, text_bytes, "%" PRIu64 "x%" PRIu64, berth__db_column(row, 5),
			       berth__db_column(row, 6));

	for (int column = 7; column <= 8; column++) {
		if (berth__db_column(row, column) > 1)
			written += snprintf(text + written, text_bytes - (size_t)written,
					    "x%" PRIu64, berth__db_column(row, column));
	}
	snprintf(text + written, text_bytes - (size_t)written, " %s %s",
		 berth_channel_order_string((uint32_t)berth__db_column(row, 9)),
		 berth_channel_type_string((uint32_t)berth__db_column(row, 10)));
}

berth_status berth__summary_object_read(berth_summary_object *out, sqlite3_stmt *row)
{
	berth_summary_object object = { .id = berth__db_column(row, 0) };
	const char *label;
	uint64_t kind = 0;
	berth_status st;

	if ((st = berth__summary_object_kind(&kind, row, 1)) != BERTH_OK ||
	    (st = berth__db_text(&label, row, 4)) != BERTH_OK)
		return st;
	object.kind = object_kinds[kind];
	object.bytes = berth__db_column(row, 2);
	object.created_op = berth__db_column(row, 3);
	object.context = (uint32_t)berth__db_column(row, 11);
	if (label && !(object.label = strdup(label)))
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory summing up");
	if (kind == 3)
		describe_geometry(object.geometry, sizeof(object.geometry), row);
	*out = object;
	return BERTH_OK;
}

const char *berth_unreleased_string(berth_unreleased why)
{
	static const char *const names[] = {
		[BERTH_UNRELEASED_LEAKED] = "leaked",
		[BERTH_UNRELEASED_IN_FLIGHT] = "in_flight",
		[BERTH_UNRELEASED_KEPT] = "kept",
		[BERTH_UNRELEASED_ALIVE] = "alive_at_end",
	};

	return (unsigned)why < sizeof(names) / sizeof(names[0]) ? names[why] : "unknown";
}
