/* SPDX-License-Identifier: Apache-2.0 */
/* An op as rows: the table `op` and its side tables. */
#ifndef BERTH_REPLAY_TRACE_OP_WRITE_H
#define BERTH_REPLAY_TRACE_OP_WRITE_H

#include <sqlite3.h>

#include <berth/trace.h>

struct berth__op_writer;

BERTH_MUST_CHECK berth_status berth__op_writer_create(struct berth__op_writer **out, sqlite3 *db);
void berth__op_writer_destroy(struct berth__op_writer *writer);

/* Insert an op as row->seq; kind and form are defined ones. name_id 0: no name. */
BERTH_MUST_CHECK berth_status berth__op_writer_add(struct berth__op_writer *writer,
						   const berth_trace_op *row, uint32_t name_id);

#endif
