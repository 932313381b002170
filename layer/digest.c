/* SPDX-License-Identifier: Apache-2.0 */
/* Rows are fed to one stream: the digest is that of the same bytes without gaps. */
#include "digest.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

/* In this file only, and all static: the program may have an xxHash of its own. */
#define XXH_INLINE_ALL
#include <xxhash.h>

static void store(uint8_t out[BERTH__DIGEST_BYTES], XXH128_hash_t hash)
{
	XXH128_canonical_t canonical;

	XXH128_canonicalFromHash(&canonical, hash);
	memcpy(out, canonical.digest, BERTH__DIGEST_BYTES);
}

/* The address behind the last slice's pitch fits: then every row does. */
static bool fits(const struct berth__rows *rows)
{
	uint64_t end;

	return !__builtin_mul_overflow(rows->slice_pitch_bytes, rows->slices, &end) &&
	       !__builtin_add_overflow(end, rows->first_byte, &end) &&
	       !__builtin_add_overflow(end, (uint64_t)(uintptr_t)rows->host, &end) &&
	       end <= UINTPTR_MAX;
}

bool berth__rows_resolve(struct berth__rows *rows)
{
	uint64_t slice_bytes;

	if (rows->row_pitch_bytes == 0)
		rows->row_pitch_bytes = rows->row_bytes;
	if (__builtin_mul_overflow(rows->row_pitch_bytes, rows->rows, &slice_bytes))
		return false;
	if (rows->slice_pitch_bytes == 0)
		rows->slice_pitch_bytes = slice_bytes;
	return rows->row_pitch_bytes >= rows->row_bytes && rows->slice_pitch_bytes >= slice_bytes;
}

/* Rows and slices without gaps are one row. */
static void join_rows(struct berth__rows *rows)
{
	if (rows->row_pitch_bytes == rows->row_bytes) {
		rows->row_bytes *= rows->rows;
		rows->rows = 1;
	}
	if (rows->rows == 1 && rows->slice_pitch_bytes == rows->row_bytes) {
		rows->row_bytes *= rows->slices;
		rows->slices = 1;
	}
}

/* Rows that are fed together, by one call. */
struct batch {
	struct iovec rows[64];
	size_t count, bytes;
	uint8_t copy[16384];
};

/* Read by the system, which says no where a look of our own would end the program. */
static bool flush(XXH3_state_t *state, struct batch *batch)
{
	const struct iovec to = { batch->copy, batch->bytes };
	bool read = batch->bytes == 0 ||
		    process_vm_readv(getpid(), &to, 1, batch->rows, batch->count, 0) ==
			    (ssize_t)batch->bytes;

	if (read)
		XXH3_128bits_update(state, batch->copy, batch->bytes);
	batch->count = batch->bytes = 0;
	return read;
}

static bool feed_carefully(XXH3_state_t *state, struct batch *batch, const uint8_t *at,
			   uint64_t bytes)
{
	while (bytes > 0) {
		size_t room = sizeof(batch->copy) - batch->bytes;
		size_t now = bytes < room ? (size_t)bytes : room;

		batch->rows[batch->count++] = (struct iovec){ (void *)(uintptr_t)at, now };
		batch->bytes += now;
		at += now;
		bytes -= now;
		if ((batch->bytes == sizeof(batch->copy) ||
		     batch->count == sizeof(batch->rows) / sizeof(batch->rows[0])) &&
		    !flush(state, batch))
			return false;
	}
	return true;
}

/* `batch`: the memory may be gone; NULL: it is there. */
static bool digest_rows(uint8_t out[BERTH__DIGEST_BYTES], const struct berth__rows *asked,
			struct batch *batch)
{
	struct berth__rows rows = *asked;
	XXH3_state_t state;

	if (!rows.host || !rows.row_bytes || !rows.rows || !rows.slices ||
	    !berth__rows_resolve(&rows) || !fits(&rows))
		return false;
	join_rows(&rows);
	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	for (uint64_t slice = 0; slice < rows.slices; slice++) {
		const uint8_t *at = (const uint8_t *)rows.host + rows.first_byte +
				    slice * rows.slice_pitch_bytes;

		for (uint64_t row = 0; row < rows.rows; row++, at += rows.row_pitch_bytes) {
			if (!batch)
				XXH3_128bits_update(&state, at, rows.row_bytes);
			else if (!feed_carefully(&state, batch, at, rows.row_bytes))
				return false;
		}
	}
	if (batch && !flush(&state, batch))
		return false;
	store(out, XXH3_128bits_digest(&state));
	return true;
}

bool berth__digest_rows(uint8_t out[BERTH__DIGEST_BYTES], const struct berth__rows *rows)
{
	/* One piece, as most transfers are: no stream is needed for it. */
	if (rows->host && rows->row_bytes && rows->rows == 1 && rows->slices == 1) {
		if (rows->first_byte > UINTPTR_MAX - (uintptr_t)rows->host)
			return false;
		store(out, XXH3_128bits((const uint8_t *)rows->host + rows->first_byte,
					rows->row_bytes));
		return true;
	}
	return digest_rows(out, rows, NULL);
}

bool berth__digest_rows_carefully(uint8_t out[BERTH__DIGEST_BYTES], const struct berth__rows *rows)
{
	int errno_of_program = errno;
	struct batch batch;
	bool done;

	batch.count = batch.bytes = 0;
	done = digest_rows(out, rows, &batch);

	errno = errno_of_program;
	return done;
}

uint64_t berth__digest_short(const void *data, size_t bytes)
{
	return XXH3_64bits(data, bytes);
}
