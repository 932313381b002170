/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What host and device both hold: the content of the last transfer of each range
 * of each memory, until something on the device writes there. It stands in a
 * temporary database of SQLite, which goes to a file when it is large.
 *
 * Ranges of one memory never overlap: a new one replaces what it touches. So the
 * one that may hold a place is the last that begins at or before it, and each step
 * costs a look-up, and for each range that it ends, once, its removal.
 */
#ifndef BERTH_REPLAY_RESIDENCY_HELD_H
#define BERTH_REPLAY_RESIDENCY_HELD_H

#include "db.h"
#include "residency_span.h"

#define BERTH__RESIDENCY_DIGEST_BYTES 16

enum {
	HELD_FIND,
	HELD_REMOVE,
	HELD_INSERT,
	HELD_TURN,
	HELD_DOUBT,
	HELD_FORGET,
	HELD_STATEMENT_COUNT,
};

struct berth__held {
	sqlite3 *db; /* borrowed */
	sqlite3_stmt *statements[HELD_STATEMENT_COUNT];
};

enum berth__held_answer_kind {
	BERTH__HELD_NEW,     /* content that the other side had not, as far as is known */
	BERTH__HELD_SAME,    /* the other side had it */
	BERTH__HELD_PERHAPS, /* it had it, if kernels in between only read */
};

struct berth__held_answer {
	enum berth__held_answer_kind kind;
	bool turned; /* NEW: false; else the transfer before went the other way */
};

/* The tables in `db`. Closed with berth__held_close(), also when it failed. */
BERTH_MUST_CHECK berth_status berth__held_open(struct berth__held *held, sqlite3 *db);
void berth__held_close(struct berth__held *held);

/*
 * A transfer to the device (up) or from it. `digest` is NULL when the content is
 * not known.
 */
BERTH_MUST_CHECK berth_status berth__held_transfer(struct berth__held_answer *out,
						   struct berth__held *held,
						   const struct berth__residency_span *span,
						   const uint8_t *digest, bool up);

/* Something on the device wrote there. */
BERTH_MUST_CHECK berth_status berth__held_written(struct berth__held *held,
						  const struct berth__residency_span *span);

/* Something on the device may have written there. */
BERTH_MUST_CHECK berth_status berth__held_doubt(struct berth__held *held,
						const struct berth__residency_span *span);

/* The memory is gone. */
BERTH_MUST_CHECK berth_status berth__held_forget(struct berth__held *held, uint64_t root);

#endif
