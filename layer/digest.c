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

/* Read by the system, which says no where a look of our own would end the program. */
static bool feed_carefully(XXH3_state_t *state, const uint8_t *at, uint64_t bytes)
{
	uint8_t piece[16384];

	while (bytes > 0) {
		size_t now = bytes < sizeof(piece) ? bytes : sizeof(piece);
		const struct iovec to = { piece, now };
		const struct iovec from = { (void *)(uintptr_t)at, now };

		if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)now)
			return false;
		XXH3_128bits_update(state, piece, now);
		at += now;
		bytes -= now;
	}
	return true;
}

static bool feed(XXH3_state_t *state, const uint8_t *at, uint64_t bytes)
{
	XXH3_128bits_update(state, at, bytes);
	return true;
}

static bool digest_rows(uint8_t out[BERTH__DIGEST_BYTES], const struct berth__rows *asked,
			bool (*take)(XXH3_state_t *state, const uint8_t *at, uint64_t bytes))
{
	struct berth__rows rows = *asked;
	XXH3_state_t state;

	if (!rows.host || !rows.row_bytes || !rows.rows || !rows.slices ||
	    !berth__rows_resolve(&rows) || !fits(&rows))
		return false;
	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	for (uint64_t slice = 0; slice < rows.slices; slice++) {
		const uint8_t *at = (const uint8_t *)rows.host + rows.first_byte +
				    slice * rows.slice_pitch_bytes;

		for (uint64_t row = 0; row < rows.rows; row++, at += rows.row_pitch_bytes)
			if (!take(&state, at, rows.row_bytes))
				return false;
	}
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
	return digest_rows(out, rows, feed);
}

bool berth__digest_rows_carefully(uint8_t out[BERTH__DIGEST_BYTES], const struct berth__rows *rows)
{
	int errno_of_program = errno;
	bool done = digest_rows(out, rows, feed_carefully);

	errno = errno_of_program;
	return done;
}

uint64_t berth__digest_short(const void *data, size_t bytes)
{
	return XXH3_64bits(data, bytes);
}
