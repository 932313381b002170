/* SPDX-License-Identifier: Apache-2.0 */
#include "payload.h"

#include "layer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define PIECE_BYTES 65536u

/* Of more contents the first are forgotten: what is then kept again the recorder leaves out. */
#define KNOWN_MAX (UINT32_C(1) << 20)

struct key {
	uint64_t word[2]; /* a digest; both 0: a free place */
};

static struct {
	uint64_t bytes_max;
	pthread_mutex_t lock; /* guards the rest */
	struct key *places;   /* open addressing, a power of two of them */
	size_t capacity, count;
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

void berth__payload_start(uint64_t bytes_max)
{
	kept.bytes_max = bytes_max;
}

void berth__payload_forget(void)
{
	pthread_mutex_init(&kept.lock, NULL);
	kept.places = NULL;
	kept.capacity = kept.count = 0;
}

static struct key *probe(struct key *places, size_t capacity, const struct key *key)
{
	size_t at = (size_t)key->word[0] & (capacity - 1);

	while ((places[at].word[0] || places[at].word[1]) &&
	       memcmp(&places[at], key, sizeof(*key)) != 0)
		at = (at + 1) & (capacity - 1);
	return &places[at];
}

static bool reserve_one(void)
{
	size_t capacity = kept.capacity ? kept.capacity * 2 : 1024;
	struct key *places;

	if ((kept.count + 1) * 2 <= kept.capacity)
		return true;
	if (kept.count >= KNOWN_MAX) {
		memset(kept.places, 0, kept.capacity * sizeof(*kept.places));
		kept.count = 0;
		return true;
	}
	places = calloc(capacity, sizeof(*places));
	if (!places)
		return false;
	for (size_t i = 0; i < kept.capacity; i++)
		if (kept.places[i].word[0] || kept.places[i].word[1])
			*probe(places, capacity, &kept.places[i]) = kept.places[i];
	free(kept.places);
	kept.places = places;
	kept.capacity = capacity;
	return true;
}

/* True: it was not known, and is now. Of two threads with the same content one keeps it. */
static bool claim(const uint8_t digest[BERTH__DIGEST_BYTES])
{
	struct key key, *place;
	bool is_new = false;

	memcpy(&key, digest, sizeof(key));
	if (!key.word[0] && !key.word[1])
		return false;
	pthread_mutex_lock(&kept.lock);
	if (reserve_one()) {
		place = probe(kept.places, kept.capacity, &key);
		is_new = !place->word[0] && !place->word[1];
		if (is_new) {
			*place = key;
			kept.count++;
		}
	}
	pthread_mutex_unlock(&kept.lock);
	return is_new;
}

/* A content on its way into the spool. */
struct stream {
	struct berth_spool_payload record;
	bool carefully;
	uint32_t filled; /* of `piece` */
	uint8_t *piece;
};

static void append_piece(struct stream *stream)
{
	struct berth__spool_message message = {
		.record = &stream->record.record,
		.parts = { { &stream->record, sizeof(stream->record) },
			   { stream->piece, stream->filled } },
		.part_count = 2,
	};

	stream->record.piece_bytes = stream->filled;
	berth__spool_append(&berth__layer.spool, &message);
	stream->record.offset_bytes += stream->filled;
	stream->filled = 0;
}

static bool copy(const struct stream *stream, uint8_t *to, const uint8_t *from, size_t bytes)
{
	const struct iovec local = { to, bytes };
	const struct iovec remote = { (void *)(uintptr_t)from, bytes };

	if (stream->carefully)
		return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)bytes;
	memcpy(to, from, bytes);
	return true;
}

/* False: the memory is gone. What is in the trace then is not whole, and says so. */
static bool append_row(struct stream *stream, const uint8_t *at, uint64_t bytes)
{
	while (bytes > 0) {
		uint64_t room = PIECE_BYTES - stream->filled;
		size_t now = (size_t)(bytes < room ? bytes : room);

		if (!copy(stream, stream->piece + stream->filled, at, now))
			return false;
		stream->filled += (uint32_t)now;
		at += now;
		bytes -= now;
		if (stream->filled == PIECE_BYTES)
			append_piece(stream);
	}
	return true;
}

static void append_rows(struct stream *stream, const struct berth__rows *rows)
{
	bool readable = true;

	for (uint64_t slice = 0; readable && slice < rows->slices; slice++) {
		const uint8_t *at = (const uint8_t *)rows->host + rows->first_byte +
				    slice * rows->slice_pitch_bytes;

		for (uint64_t row = 0; readable && row < rows->rows; row++) {
			readable = append_row(stream, at, rows->row_bytes);
			at += rows->row_pitch_bytes;
		}
	}
	if (readable && stream->filled > 0)
		append_piece(stream);
}

static bool is_small(const struct berth__rows *rows)
{
	uint64_t bytes;

	return !__builtin_mul_overflow(rows->row_bytes, rows->rows, &bytes) &&
	       !__builtin_mul_overflow(bytes, rows->slices, &bytes) && bytes <= kept.bytes_max;
}

void berth__payload_keep(const uint8_t digest[BERTH__DIGEST_BYTES], const struct berth__rows *rows,
			 bool carefully)
{
	struct berth__rows resolved = *rows;
	struct stream stream = {
		.record.record.type = BERTH_SPOOL_PAYLOAD,
		.carefully = carefully,
	};
	int errno_of_program = errno;

	if (kept.bytes_max == 0 || !is_small(rows) || !berth__rows_resolve(&resolved) ||
	    !claim(digest))
		return;
	memcpy(stream.record.digest, digest, sizeof(stream.record.digest));
	stream.piece = malloc(PIECE_BYTES);
	if (stream.piece)
		append_rows(&stream, &resolved);
	free(stream.piece);
	errno = errno_of_program;
}
