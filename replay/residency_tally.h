/* SPDX-License-Identifier: Apache-2.0 */
/* The needless transfers, added up by object and class, in the temporary database. */
#ifndef BERTH_REPLAY_RESIDENCY_TALLY_H
#define BERTH_REPLAY_RESIDENCY_TALLY_H

#include "residency_ops.h"

#include <berth/residency_report.h>

enum { TALLY_ADD, TALLY_TOP, TALLY_OBJECT, TALLY_STATEMENT_COUNT };

struct berth__tally {
	sqlite3 *db; /* borrowed */
	sqlite3_stmt *statements[TALLY_STATEMENT_COUNT];
};

/* The table in `db`. Closed with berth__tally_close(), also when it failed. */
BERTH_MUST_CHECK berth_status berth__tally_open(struct berth__tally *tally, sqlite3 *db);
void berth__tally_close(struct berth__tally *tally);

/* Add a transfer to a sum, which stops at 2^63 - 1. */
void berth__residency_sum_add(berth_residency_sum *sum, uint64_t count, uint64_t bytes,
			      uint64_t duration_ns);

BERTH_MUST_CHECK berth_status berth__tally_add(struct berth__tally *tally,
					       const struct berth__residency_op *op, uint64_t bytes,
					       berth_residency_class class_, bool turned);

/* Fill in report->listed and the two counts of objects; objects are named out of `trace`. */
BERTH_MUST_CHECK berth_status berth__tally_list(berth_residency *report, struct berth__tally *tally,
						sqlite3 *trace);

#endif
