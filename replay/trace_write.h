/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The writer of traces, used by the drainer. A trace being written is a database
 * in WAL mode; finished and sealed, it is a single file.
 *
 * Besides the rows of a trace, an unfinished one remembers how far its spool was
 * drained (tables `drain` and `drain_untracked`), in the same transactions.
 */
#ifndef BERTH_REPLAY_TRACE_WRITE_H
#define BERTH_REPLAY_TRACE_WRITE_H

#include <berth/caps.h>
#include <berth/trace.h>

/* More objects than this in one use or migrate is taken as damage. */
#define BERTH__USES_MAX (1u << 20)

struct berth__trace_writer;

/* How far a spool was drained. */
struct berth__drain_position {
	uint32_t segment;
	uint64_t tail;
};

/* Open an unfinished or finished trace, or make a new one. */
BERTH_MUST_CHECK berth_status berth__trace_writer_open(struct berth__trace_writer **out,
						       const char *path);
/* An open transaction is rolled back; NULL is fine. */
void berth__trace_writer_close(struct berth__trace_writer *writer);

BERTH_MUST_CHECK berth_status berth__trace_writer_begin(struct berth__trace_writer *writer);
BERTH_MUST_CHECK berth_status berth__trace_writer_commit(struct berth__trace_writer *writer);
void berth__trace_writer_rollback(struct berth__trace_writer *writer);

BERTH_MUST_CHECK berth_status berth__trace_write_text(struct berth__trace_writer *writer,
						      const char *key, const char *text);
BERTH_MUST_CHECK berth_status berth__trace_write_number(struct berth__trace_writer *writer,
							const char *key, uint64_t number);
/* Rows of `meta`; *out is 0 or NULL when there is none. free() the text. */
BERTH_MUST_CHECK berth_status berth__trace_written_number(uint64_t *out,
							  struct berth__trace_writer *writer,
							  const char *key);
BERTH_MUST_CHECK berth_status berth__trace_written_text(char **out,
							struct berth__trace_writer *writer,
							const char *key);

BERTH_MUST_CHECK berth_status berth__trace_write_device(struct berth__trace_writer *writer,
							uint32_t id, const berth_caps *caps);
BERTH_MUST_CHECK berth_status berth__trace_write_queue(struct berth__trace_writer *writer,
						       uint32_t id, uint32_t context,
						       uint32_t device, uint64_t properties);
BERTH_MUST_CHECK berth_status berth__trace_write_name(struct berth__trace_writer *writer,
						      uint32_t id, const char *text);

/* CLOCK_MONOTONIC when the recording began: what t_ns counts from. 0 before it is written. */
BERTH_MUST_CHECK berth_status berth__trace_write_start(struct berth__trace_writer *writer,
						       uint64_t monotonic_ns);
uint64_t berth__trace_writer_start(const struct berth__trace_writer *writer);

/* What of a recording goes into its trace. */
struct berth__trace_limits {
	/* It begins with the op that marks this (the text of a mark); NULL: at once. */
	const char *start_mark;
	/* It begins at the first op that is so late; 0: at once. */
	uint64_t start_ns;
	/* It ends when the file is so large; 0: it does not. */
	uint64_t bytes_max;
};

/*
 * For a trace that was not begun when it was opened: what was set then is kept in it, and counts
 * for one that is opened again. Borrows nothing.
 */
BERTH_MUST_CHECK berth_status berth__trace_writer_limit(struct berth__trace_writer *writer,
							const struct berth__trace_limits *limits);
/* Whether its end was reached: nothing more goes into it. */
bool berth__trace_writer_is_cut(const struct berth__trace_writer *writer);

/* A mark of the recorder's own, at a time of CLOCK_MONOTONIC. */
BERTH_MUST_CHECK berth_status berth__trace_write_mark(struct berth__trace_writer *writer,
						      const char *text, uint64_t monotonic_ns);

/*
 * Append an op as row->seq, which is set to the next. Side tables follow from the
 * op's kind and form; objects are kept as its answer says. row->op.name is not used.
 */
BERTH_MUST_CHECK berth_status berth__trace_write_op(struct berth__trace_writer *writer,
						    const berth_trace_op *row, uint32_t name_id);
/* The op written last will get its digest later, under this number; the digest. */
BERTH_MUST_CHECK berth_status berth__trace_write_transfer(struct berth__trace_writer *writer,
							  uint64_t transfer);
BERTH_MUST_CHECK berth_status berth__trace_write_digest(struct berth__trace_writer *writer,
							uint64_t transfer,
							const uint8_t digest[16]);
/* A piece of the content that has a digest. */
BERTH_MUST_CHECK berth_status berth__trace_write_payload(struct berth__trace_writer *writer,
							 const uint8_t digest[16],
							 uint64_t offset_bytes, const void *bytes,
							 uint32_t piece_bytes);
/* When the command of an event was queued, submitted, started and ended. */
BERTH_MUST_CHECK berth_status berth__trace_write_time(struct berth__trace_writer *writer,
						      uint64_t event, const uint64_t times_ns[4]);

/* How many objects it has: an id that was used twice is there once. */
BERTH_MUST_CHECK berth_status berth__trace_written_objects(uint64_t *out,
							   struct berth__trace_writer *writer);

/* @return rows of `op`. */
uint64_t berth__trace_writer_op_count(const struct berth__trace_writer *writer);

/* Name the counter `index`; say where it stands. Without a name it is called "#index". */
BERTH_MUST_CHECK berth_status berth__trace_write_untracked_name(struct berth__trace_writer *writer,
								uint32_t index, const char *name);
BERTH_MUST_CHECK berth_status berth__trace_write_untracked(struct berth__trace_writer *writer,
							   uint32_t index, uint64_t count);

BERTH_MUST_CHECK berth_status berth__trace_write_position(
	struct berth__trace_writer *writer, const struct berth__drain_position *position);
BERTH_MUST_CHECK berth_status berth__trace_written_position(struct berth__drain_position *out,
							    struct berth__trace_writer *writer);

/* A file that was mapped to be run. */
struct berth__trace_module {
	const char *path;
	uint64_t start, end, bias;
	const uint8_t *build_id;
	uint32_t build_id_bytes;
};

BERTH_MUST_CHECK berth_status berth__trace_write_module(struct berth__trace_writer *writer,
							const struct berth__trace_module *module);
/* A stack by its return addresses, innermost first; in the modules that were written before. */
BERTH_MUST_CHECK berth_status berth__trace_write_stack(struct berth__trace_writer *writer,
						       uint32_t id, const uint64_t *addresses,
						       uint32_t count);

/*
 * Say how the process ended ("exit" or "killed"), drop what only the drainer
 * needs, and commit the open transaction.
 */
BERTH_MUST_CHECK berth_status berth__trace_writer_finish(struct berth__trace_writer *writer,
							 const char *end);
/* Leave WAL mode: after this and closing, the trace is one file. */
BERTH_MUST_CHECK berth_status berth__trace_writer_seal(struct berth__trace_writer *writer);

#endif
