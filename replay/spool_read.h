/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One segment of a spool, mapped, and its records in order. The other process may
 * write anything into it at any time: a record is copied out before it is looked
 * at, and its size is checked against the ring.
 */
#ifndef BERTH_REPLAY_SPOOL_READ_H
#define BERTH_REPLAY_SPOOL_READ_H

#include <stdatomic.h>

#include <berth/status.h>

#include "spool_format.h"

struct berth__spool {
	char *path;
	int file;
	struct berth_spool_header *header; /* of the mapping */
	const unsigned char *ring;
	uint64_t ring_bytes; /* as checked when it was opened */
	uint64_t mapped_bytes;
	uint64_t tail;	    /* of this reader; header->tail follows after a commit */
	uint64_t record_at; /* where the record given last begins */
	void *record;	    /* copy of the record given last */
	uint32_t record_capacity;
};

/*
 * Map a segment. BERTH_E_IO: not there; BERTH_E_FORMAT: damaged; BERTH_E_VERSION:
 * another build's; BERTH_E_NOMEM.
 */
BERTH_MUST_CHECK berth_status berth__spool_open(struct berth__spool **out, const char *path);
/* NULL is fine. */
void berth__spool_close(struct berth__spool *spool);

/*
 * Whether the file still has all that is mapped: to touch what it lost would end this process.
 * Before a series of reads. BERTH_E_FORMAT: it was cut.
 */
BERTH_MUST_CHECK berth_status berth__spool_check(const struct berth__spool *spool);

/*
 * Continue where an earlier reader stopped, and announce this process as the reader.
 * BERTH_E_FORMAT: that is not in the ring any more.
 */
BERTH_MUST_CHECK berth_status berth__spool_seek(struct berth__spool *spool, uint64_t tail);

/* The next record, valid until the next call; NULL: none is complete. PAD is skipped. */
BERTH_MUST_CHECK berth_status berth__spool_next(const struct berth_spool_record **out,
						struct berth__spool *spool);

/* What is before spool->tail is stored elsewhere: the writer may use its room again. */
void berth__spool_release(struct berth__spool *spool);

/* Whether a call stands in a pending slot. */
bool berth__spool_has_pending(const struct berth__spool *spool);

/* BERTH_E_FORMAT that names the file and the byte of the record given last. */
BERTH_MUST_CHECK berth_status berth__spool_damaged(const struct berth__spool *spool,
						   const char *what);

#endif
