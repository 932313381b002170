/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a table of calls that are numbers: each is a field, in both directions. */
#ifndef BERTH_REPLAY_CALL_COLUMNS_H
#define BERTH_REPLAY_CALL_COLUMNS_H

#include <berth/trace.h>

/* Which calls have it. */
enum berth__call_part { BERTH__CALL_ANY, BERTH__CALL_REGION, BERTH__CALL_IMAGE };

struct berth__call_column {
	const char *name;
	size_t offset; /* in berth_trace_op */
	size_t bytes;  /* 4 or 8 */
	enum berth__call_part part;
};

#define BERTH__CALL_COLUMNS 46
extern const struct berth__call_column berth__call_columns[BERTH__CALL_COLUMNS];

bool berth__call_has(const berth_trace_op *row, const struct berth__call_column *column);
uint64_t berth__call_get(const berth_trace_op *row, const struct berth__call_column *column);
/* false: the field is too small. */
bool berth__call_set(berth_trace_op *row, const struct berth__call_column *column, uint64_t value);

/* The rows behind the calls: what a trace says of the recording. */
#define BERTH__CALL_ROW_META "meta"	      /* name, bytes: a fact and its number */
#define BERTH__CALL_ROW_UNTRACKED "untracked" /* name, bytes: a call that is not modelled, how often */
#define BERTH__CALL_ROW_END "end"	      /* name: how the process ended; the last row */

#endif
