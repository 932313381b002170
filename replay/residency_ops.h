/* SPDX-License-Identifier: Apache-2.0 */
/* The ops of a trace that matter for residency, each with its object, streamed. */
#ifndef BERTH_REPLAY_RESIDENCY_OPS_H
#define BERTH_REPLAY_RESIDENCY_OPS_H

#include "residency_span.h"

#include <sqlite3.h>

#include <berth/trace.h>

/* An op on one object: of a copy, its destination. */
struct berth__residency_op {
	uint64_t seq;
	uint64_t duration_ns;
	const uint8_t *digest;		   /* NULL: none; borrowed until the next row */
	struct berth__residency_view view; /* root 0: the object is not known */
	berth_op op;			   /* kind, form, flags, mapping, range and region */
};

/* An object in the list of a use or a migrate. */
struct berth__residency_use {
	struct berth__residency_view view;
	uint32_t access;    /* BERTH_ACCESS_* bits; 0: not known */
	bool never_written; /* the object was made read-only for kernels */
};

/* Succeeded calls in order of seq; read a row with berth__residency_op_read(). */
BERTH_MUST_CHECK berth_status berth__residency_ops_prepare(sqlite3_stmt **out, sqlite3 *db);
BERTH_MUST_CHECK berth_status berth__residency_op_read(struct berth__residency_op *out,
						       sqlite3_stmt *row);

/* The objects of the op that is bound as parameter 1. */
BERTH_MUST_CHECK berth_status berth__residency_uses_prepare(sqlite3_stmt **out, sqlite3 *db);
void berth__residency_use_read(struct berth__residency_use *out, sqlite3_stmt *row);

#endif
