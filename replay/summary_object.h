/* SPDX-License-Identifier: Apache-2.0 */
/* An object as the reports on a trace name it, out of the table `object`. */
#ifndef BERTH_REPLAY_SUMMARY_OBJECT_H
#define BERTH_REPLAY_SUMMARY_OBJECT_H

#include <sqlite3.h>

#include <berth/trace.h>

/* What a row for berth__summary_object_read() begins with; `o` is the object. */
#define BERTH__SUMMARY_OBJECT_COLUMNS                                                              \
	"o.id, o.kind, o.bytes, o.created_op, o.label, o.width, o.height, o.depth, o.array_size,"  \
	" o.channel_order, o.channel_type, o.context"

/* `kind` at a column of a row whose first column is the object's id. */
BERTH_MUST_CHECK berth_status berth__summary_object_kind(uint64_t *out, sqlite3_stmt *row,
							 int column);

/* The caller frees out->label. */
BERTH_MUST_CHECK berth_status berth__summary_object_read(berth_summary_object *out,
							 sqlite3_stmt *row);

#endif
