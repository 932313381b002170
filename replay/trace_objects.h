/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table `object`, kept as ops are written: an object's row is made by the op
 * that created it, its references follow retains and releases. The counts stand in
 * the database, so a recorder that takes over needs nothing else.
 */
#ifndef BERTH_REPLAY_TRACE_OBJECTS_H
#define BERTH_REPLAY_TRACE_OBJECTS_H

#include <sqlite3.h>

#include <berth/trace.h>

struct berth__trace_objects;

BERTH_MUST_CHECK berth_status berth__trace_objects_create(struct berth__trace_objects **out,
							  sqlite3 *db);
void berth__trace_objects_destroy(struct berth__trace_objects *objects);

/* Take an op that was answered CL_SUCCESS; name_id is the text of a label. */
BERTH_MUST_CHECK berth_status berth__trace_objects_apply(struct berth__trace_objects *objects,
							 const berth_trace_op *row,
							 uint32_t name_id);

#endif
