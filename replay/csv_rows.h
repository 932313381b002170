/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a CSV file (RFC 4180) with a header line, by libcsv; bounded by the longest row. */
#ifndef BERTH_REPLAY_CSV_ROWS_H
#define BERTH_REPLAY_CSV_ROWS_H

#include "plan_text.h"

/* More columns than any table that is planned from has. */
#define CSV_COLUMNS_MAX 64

/* A column that the reader knows, by its index in the table given. */
struct berth__csv_column {
	const char *name;
	bool needed; /* the header must have it */
};

/*
 * One row. values[i] is that of the i-th known column: its text, without spaces around it,
 * or NULL when the table lacks the column. Borrowed for the call.
 */
typedef berth_status berth__csv_row_fn(const char *const *values, uint64_t line, void *userdata);

/*
 * Read all rows; empty lines are skipped.
 * BERTH_OK; BERTH_E_FORMAT: no header, a needed column is missing or comes twice, a row with
 * another number of fields, a quote that does not end; BERTH_E_IO; BERTH_E_NOMEM; or what
 * the callback returned.
 */
BERTH_MUST_CHECK berth_status berth__csv_read(const struct berth__plan_text *text,
					      const struct berth__csv_column *columns,
					      size_t column_count, berth__csv_row_fn *take,
					      void *userdata);

#endif
