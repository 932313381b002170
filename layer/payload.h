/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of what is transferred, on request: each content once, in pieces. */
#ifndef BERTH_LAYER_PAYLOAD_H
#define BERTH_LAYER_PAYLOAD_H

#include "digest.h"

/* Keep contents of at most so many bytes; 0: none. At the start. */
void berth__payload_start(uint64_t bytes_max);

/*
 * Keep the content behind `rows`, whose digest it is, unless it was kept before. `carefully`: the
 * memory may be gone. Before the record that names the digest.
 */
void berth__payload_keep(const uint8_t digest[BERTH__DIGEST_BYTES], const struct berth__rows *rows,
			 bool carefully);

/* In forked children: nothing was kept yet. */
void berth__payload_forget(void);

#endif
