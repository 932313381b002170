/* SPDX-License-Identifier: Apache-2.0 */
/* Appending to the ring; waiting and growing when it is full. */
#include "spool_writer.h"

#include "clock.h"
#include "spool_process.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* How long to sleep between looks at a reader that is behind. */
#define WAIT_STEP_NS 100000
/* After a segment could not be made, when to try again. */
#define RETRY_NS UINT64_C(1000000000)

static struct berth_spool_header *current_header(struct berth__spool_writer *writer)
{
	return atomic_load_explicit(&writer->header, memory_order_acquire);
}

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 7) & ~UINT64_C(7);
}

static uint64_t bytes_to_end(const struct berth__spool_writer *writer)
{
	return writer->segment.ring_bytes - (writer->head & (writer->segment.ring_bytes - 1));
}

/* A record never wraps: at the end it takes the rest of the ring as well, as padding. */
static bool room_for(struct berth__spool_writer *writer, uint64_t bytes)
{
	uint64_t to_end = bytes_to_end(writer);
	uint64_t need = bytes <= to_end ? bytes : to_end + bytes;
	uint64_t tail;

	if (writer->head - writer->tail + need <= writer->segment.ring_bytes)
		return true;
	tail = atomic_load_explicit(&writer->segment.header->tail, memory_order_acquire);
	/* The file is shared: a tail that no reader could have stored is not believed. */
	if (tail <= writer->head && tail > writer->tail)
		writer->tail = tail;
	return writer->head - writer->tail + need <= writer->segment.ring_bytes;
}

static bool reader_is_alive(const struct berth__spool_writer *writer)
{
	uint32_t pid =
		atomic_load_explicit(&writer->segment.header->reader_pid, memory_order_relaxed);

	return pid != 0 && pid <= INT_MAX && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

static bool wait_for_room(struct berth__spool_writer *writer, uint64_t bytes)
{
	const struct timespec step = { .tv_nsec = WAIT_STEP_NS };
	uint64_t began = berth__clock_ns(CLOCK_MONOTONIC);
	uint64_t waited = 0;
	bool room = false;

	while (!room && waited < writer->wait_left_ns && reader_is_alive(writer)) {
		nanosleep(&step, NULL);
		room = room_for(writer, bytes);
		waited = berth__clock_ns(CLOCK_MONOTONIC) - began;
	}
	writer->wait_left_ns -= waited < writer->wait_left_ns ? waited : writer->wait_left_ns;
	return room;
}

static void carry_counts(struct berth_spool_header *to, const struct berth_spool_header *from)
{
	atomic_store_explicit(&to->lost, atomic_load_explicit(&from->lost, memory_order_relaxed),
			      memory_order_relaxed);
	for (size_t i = 0; i < BERTH_SPOOL_UNTRACKED_MAX; i++)
		atomic_store_explicit(
			&to->untracked[i],
			atomic_load_explicit(&from->untracked[i], memory_order_relaxed),
			memory_order_relaxed);
}

static void enter_segment(struct berth__spool_writer *writer,
			  const struct berth__spool_segment *segment)
{
	writer->segment = *segment;
	writer->head = 0;
	writer->tail = 0;
	writer->wait_left_ns = writer->wait_ns;
	atomic_store_explicit(&writer->header, segment->header, memory_order_release);
}

static bool grow(struct berth__spool_writer *writer)
{
	struct berth__spool_segment old = writer->segment, next;
	uint64_t ring_bytes = old.ring_bytes;

	if (berth__clock_ns(CLOCK_MONOTONIC) < writer->retry_ns)
		return false;
	if (ring_bytes < writer->ring_bytes_max)
		ring_bytes *= 2;
	if (berth__spool_segment_create(&next, writer->prefix, writer->number + 1, ring_bytes,
					writer->process_start_ticks) != BERTH_OK) {
		writer->retry_ns = berth__clock_ns(CLOCK_MONOTONIC) + RETRY_NS;
		return false;
	}
	carry_counts(next.header, old.header);
	writer->number++;
	enter_segment(writer, &next);
	atomic_store_explicit(&old.header->next, writer->number, memory_order_release);
	berth__spool_segment_leave(&old);
	return true;
}

/*
 * The slow way to room. It sleeps and opens files: the thread may not be cancelled
 * in it, and the program's errno stays.
 */
static bool make_room(struct berth__spool_writer *writer, uint64_t bytes)
{
	int errno_of_program = errno;
	int cancel_state;
	bool room;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	room = wait_for_room(writer, bytes) || (grow(writer) && room_for(writer, bytes));
	pthread_setcancelstate(cancel_state, NULL);
	errno = errno_of_program;
	return room;
}

static unsigned char *ring_at_head(struct berth__spool_writer *writer)
{
	return writer->segment.ring + (writer->head & (writer->segment.ring_bytes - 1));
}

static void pad_to_start(struct berth__spool_writer *writer)
{
	struct berth_spool_record pad = { .bytes = (uint32_t)bytes_to_end(writer),
					  .type = BERTH_SPOOL_PAD };

	memcpy(ring_at_head(writer), &pad, sizeof(pad));
	writer->head += pad.bytes;
}

static void copy_parts(struct berth__spool_writer *writer,
		       const struct berth__spool_message *message)
{
	unsigned char *at = ring_at_head(writer);

	for (uint32_t i = 0; i < message->part_count; i++) {
		const struct berth__spool_part *part = &message->parts[i];
		size_t rest = padded(part->bytes) - part->bytes;

		memcpy(at, part->data, part->bytes);
		if (rest)
			memset(at + part->bytes, 0, rest);
		at += part->bytes + rest;
	}
}

static void append_locked(struct berth__spool_writer *writer, struct berth__spool_message *message)
{
	uint64_t bytes = 0;

	if (atomic_load_explicit(&writer->segment.header->stopped, memory_order_relaxed)) {
		if (message->in_call)
			atomic_store_explicit(message->in_call, 0, memory_order_release);
		return;
	}
	for (uint32_t i = 0; i < message->part_count; i++)
		bytes += padded(message->parts[i].bytes);
	/* A quarter, so that a record and its padding always fit an empty ring. */
	if (bytes > writer->segment.ring_bytes / 4 ||
	    atomic_load_explicit(&writer->segment.header->closed, memory_order_relaxed) ||
	    (!room_for(writer, bytes) && !make_room(writer, bytes))) {
		atomic_fetch_add_explicit(&writer->segment.header->lost, 1, memory_order_relaxed);
		if (message->in_call)
			atomic_store_explicit(message->in_call, 0, memory_order_release);
		return;
	}
	message->record->bytes = (uint32_t)bytes;
	if (bytes > bytes_to_end(writer))
		pad_to_start(writer);
	copy_parts(writer, message);
	writer->head += bytes;
	if (message->in_call)
		atomic_store_explicit(message->in_call, 0, memory_order_release);
	atomic_store_explicit(&writer->segment.header->head, writer->head, memory_order_release);
}

void berth__spool_append(struct berth__spool_writer *writer, struct berth__spool_message *message)
{
	if (!current_header(writer))
		return;
	pthread_mutex_lock(&writer->lock);
	append_locked(writer, message);
	pthread_mutex_unlock(&writer->lock);
}

void berth__spool_count_untracked(struct berth__spool_writer *writer, uint32_t index)
{
	if (!current_header(writer))
		return;
	/* Locked, so that no count falls between a segment and the next. */
	pthread_mutex_lock(&writer->lock);
	atomic_fetch_add_explicit(&writer->segment.header->untracked[index], 1,
				  memory_order_relaxed);
	pthread_mutex_unlock(&writer->lock);
}

void berth__spool_count_lost(struct berth__spool_writer *writer)
{
	if (!current_header(writer))
		return;
	pthread_mutex_lock(&writer->lock);
	atomic_fetch_add_explicit(&writer->segment.header->lost, 1, memory_order_relaxed);
	pthread_mutex_unlock(&writer->lock);
}

uint32_t berth__spool_claim_slot(struct berth__spool_writer *writer)
{
	uint64_t taken = atomic_load_explicit(&writer->slots_taken, memory_order_relaxed);

	static_assert(BERTH_SPOOL_PENDING_SLOTS == 64, "one bit a slot");
	while (~taken) {
		uint32_t slot = (uint32_t)__builtin_ctzll(~taken);

		if (atomic_compare_exchange_weak_explicit(
			    &writer->slots_taken, &taken, taken | UINT64_C(1) << slot,
			    memory_order_acquire, memory_order_relaxed))
			return slot;
	}
	return BERTH__SPOOL_NO_SLOT;
}

void berth__spool_release_slot(struct berth__spool_writer *writer, uint32_t slot)
{
	assert(slot < BERTH_SPOOL_PENDING_SLOTS);
	atomic_fetch_and_explicit(&writer->slots_taken, ~(UINT64_C(1) << slot),
				  memory_order_release);
}

static void append_process(struct berth__spool_writer *writer, struct berth__spool_process *process)
{
	struct berth__spool_message message = {
		.record = &process->fixed.record,
		.parts = { { &process->fixed, sizeof(process->fixed) },
			   { process->strings, process->strings_bytes } },
		.part_count = 2,
	};

	berth__spool_append(writer, &message);
}

static berth_status open_first_segment(struct berth__spool_writer *writer,
				       const struct berth__spool_options *options,
				       struct berth__spool_process *process)
{
	struct berth__spool_segment segment;
	berth_status status;

	berth__spool_describe_process(process, options->forked);
	if (snprintf(writer->prefix, sizeof(writer->prefix), "%s/%" PRIu32 "-%" PRIx64,
		     options->directory, process->fixed.pid,
		     process->fixed.monotonic_ns) >= (int)sizeof(writer->prefix))
		return berth_error_set(BERTH_E_INVAL, 0, "the path of a spool is over %d bytes",
				       PATH_MAX);
	writer->process_start_ticks = berth__spool_process_start_ticks();
	writer->ring_bytes_max = options->ring_bytes_max;
	writer->wait_ns = options->wait_ns;
	status = berth__spool_segment_create(&segment, writer->prefix, 0, options->ring_bytes,
					     writer->process_start_ticks);
	if (status != BERTH_OK)
		return status;
	enter_segment(writer, &segment);
	append_process(writer, process);
	return BERTH_OK;
}

berth_status berth__spool_open(struct berth__spool_writer *writer,
			       const struct berth__spool_options *options)
{
	/* Not on the stack: the thread that opens may have a small one. */
	struct berth__spool_process *process = malloc(sizeof(*process));
	berth_status status;

	static_assert(BERTH__SPOOL_STRINGS_MAX > 2 * PATH_MAX, "arguments have room");
	assert(options->ring_bytes / 4 >= sizeof(*process));
	berth__spool_forget(writer);
	if (!process)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to describe the process");
	status = open_first_segment(writer, options, process);
	free(process);
	return status;
}

void berth__spool_set_closed(struct berth__spool_writer *writer, bool closed)
{
	if (!current_header(writer))
		return;
	pthread_mutex_lock(&writer->lock);
	atomic_store_explicit(&writer->segment.header->closed, closed, memory_order_release);
	pthread_mutex_unlock(&writer->lock);
}

void berth__spool_destroy(struct berth__spool_writer *writer)
{
	struct berth__spool_segment segment = writer->segment;

	berth__spool_set_closed(writer, true);
	if (atomic_exchange(&writer->header, NULL))
		munmap(segment.header, BERTH_SPOOL_HEADER_BYTES + segment.ring_bytes);
	pthread_mutex_destroy(&writer->lock);
}

void berth__spool_forget(struct berth__spool_writer *writer)
{
	/* The lock's owner may be a thread that does not exist here: made anew, not taken. */
	*writer = (struct berth__spool_writer){ .lock = PTHREAD_MUTEX_INITIALIZER };
}
