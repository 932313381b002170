/* SPDX-License-Identifier: Apache-2.0 */
/* Digests of content: XXH3-128 in canonical form, over the bytes without pitch gaps. */
#ifndef BERTH_LAYER_DIGEST_H
#define BERTH_LAYER_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BERTH__DIGEST_BYTES 16

/* Rows in host memory. A pitch of 0 is the default: what it holds, without a gap. */
struct berth__rows {
	const void *host;
	uint64_t first_byte; /* offset of the first row from `host` */
	uint64_t row_bytes;
	uint64_t rows; /* in a slice */
	uint64_t slices;
	uint64_t row_pitch_bytes;
	uint64_t slice_pitch_bytes;
};

/* Put in default pitches; false when they do not fit, or are less than what they hold. */
bool berth__rows_resolve(struct berth__rows *rows);

/* False, and nothing written: there are no bytes, or their end does not fit the address space. */
bool berth__digest_rows(uint8_t out[BERTH__DIGEST_BYTES], const struct berth__rows *rows);

/* The same of memory that may be gone: then false. */
bool berth__digest_rows_carefully(uint8_t out[BERTH__DIGEST_BYTES], const struct berth__rows *rows);

/* 64 bits for hash tables of this process. */
uint64_t berth__digest_short(const void *data, size_t bytes);

#endif
