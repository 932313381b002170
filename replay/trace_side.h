/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What few ops have stands in side tables (region, image, result, op_object, ...), read
 * in step with `op`: one cursor each, both in order of the op's number.
 */
#ifndef BERTH_REPLAY_TRACE_SIDE_H
#define BERTH_REPLAY_TRACE_SIDE_H

#include <sqlite3.h>

#include <berth/trace.h>

struct berth__side_reader;

BERTH_MUST_CHECK berth_status berth__side_reader_create(struct berth__side_reader **out,
							sqlite3 *db);
void berth__side_reader_destroy(struct berth__side_reader *reader);
void berth__side_reader_rewind(struct berth__side_reader *reader);

/* Add what row->seq has, by its kind and form; rows come in order of seq. */
BERTH_MUST_CHECK berth_status berth__side_reader_read(struct berth__side_reader *reader,
						      berth_trace_op *row);
/* Add its events and its stack, which replay does not need. */
BERTH_MUST_CHECK berth_status berth__side_reader_read_more(struct berth__side_reader *reader,
							   berth_trace_op *row);
/* Zero what the last read set in the row; large structs only if it did. */
void berth__side_reader_clear(struct berth__side_reader *reader, berth_trace_op *row);

#endif
