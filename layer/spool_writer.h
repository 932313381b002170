/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The writing side of a spool (lib/spool_format.h): appends records of all
 * threads of one process.
 *
 * Threads: every function may be called from any thread at any time, but for
 * open, destroy and forget. The lock is held for the append alone; when the ring
 * is full that includes a bounded wait for the reader, and making a segment.
 */
#ifndef BERTH_LAYER_SPOOL_WRITER_H
#define BERTH_LAYER_SPOOL_WRITER_H

#include <limits.h>
#include <pthread.h>

#include "spool_segment.h"

struct berth__spool_options {
	const char *directory;	 /* exists */
	bool forked;		 /* made by fork in a recorded process */
	uint64_t ring_bytes;	 /* of segment 0; a power of two, at least 256 KiB */
	uint64_t ring_bytes_max; /* segments double up to this */
	uint64_t wait_ns;	 /* for a reader that is behind, in all, in one segment */
};

/* No slot could be had: this many threads are in calls already. */
#define BERTH__SPOOL_NO_SLOT BERTH_SPOOL_PENDING_SLOTS

struct berth__spool_writer {
	pthread_mutex_t lock;			     /* guards all of this but the two atomics */
	_Atomic(struct berth_spool_header *) header; /* of the newest segment; NULL: not open */
	_Atomic uint64_t slots_taken;		     /* bit i: pending slot i has a thread */
	struct berth__spool_segment segment;
	uint64_t head;
	uint64_t tail; /* as seen last; the reader's own may be further */
	uint64_t ring_bytes_max;
	uint64_t wait_ns;
	uint64_t wait_left_ns;
	uint64_t retry_ns; /* CLOCK_MONOTONIC before which no new segment is tried */
	uint64_t process_start_ticks;
	uint32_t number;
	char prefix[PATH_MAX];
};

/* A piece of a record; in the ring each is padded to 8 bytes. */
struct berth__spool_part {
	const void *data;
	size_t bytes;
};

/* Pieces of the largest record: op, region, image, result, digest, uses, events. */
#define BERTH__SPOOL_PARTS_MAX 7

struct berth__spool_message {
	struct berth_spool_record *record; /* begins part 0; `bytes` is set by the append */
	struct berth__spool_part parts[BERTH__SPOOL_PARTS_MAX];
	uint32_t part_count;
	_Atomic uint32_t *in_call; /* cleared as the record commits; may be NULL */
};

/*
 * Open segment 0, and append the PROCESS record.
 * BERTH_E_IO, BERTH_E_NOMEM, BERTH_E_INVAL (the path is too long): *writer takes no
 * records then, which all other functions allow.
 */
BERTH_MUST_CHECK berth_status berth__spool_open(struct berth__spool_writer *writer,
						const struct berth__spool_options *options);

/* Append a record. When no room can be had it is counted in `lost`. */
void berth__spool_append(struct berth__spool_writer *writer, struct berth__spool_message *message);

/* Count one more of untracked call `index`. */
void berth__spool_count_untracked(struct berth__spool_writer *writer, uint32_t index);

/* Count a record that could not even be made. */
void berth__spool_count_lost(struct berth__spool_writer *writer);

/* A pending slot for a thread, or BERTH__SPOOL_NO_SLOT. Give it back when the thread ends. */
uint32_t berth__spool_claim_slot(struct berth__spool_writer *writer);
void berth__spool_release_slot(struct berth__spool_writer *writer, uint32_t slot);

/* The process ends in order (closed), or goes on after all. */
void berth__spool_set_closed(struct berth__spool_writer *writer, bool closed);

/* Close and unmap; no other thread uses it. For tests: a process keeps its spool to its end. */
void berth__spool_destroy(struct berth__spool_writer *writer);

/* In a forked child, before anything else: the spool is the parent's. Leaves it not open. */
void berth__spool_forget(struct berth__spool_writer *writer);

#endif
