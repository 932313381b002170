/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bytes of which memory a transfer touches, so that transfers through
 * different objects and forms can be compared: places in the object that owns the
 * memory. In a buffer a place is a byte; in an image with its own memory it is the
 * byte its pixel would have without pitch gaps, since nothing else can address it.
 */
#ifndef BERTH_REPLAY_RESIDENCY_SPAN_H
#define BERTH_REPLAY_RESIDENCY_SPAN_H

#include <berth/op.h>

/* An object, as the transfers through it see it. */
struct berth__residency_view {
	uint64_t object;
	uint64_t root;	     /* owner of the memory; 0: not known */
	uint64_t base_bytes; /* where it begins in the root */
	uint64_t bytes;	     /* all that may be touched through it; of an own image its places */
	bool owns_image;     /* an image that owns its memory */
	uint64_t width, height, element_bytes;
};

/* Numbers stop at 2^63 - 1, as SQLite's do. Empty: lo >= hi. */
struct berth__residency_span {
	uint64_t root;
	uint64_t lo, hi; /* every place that is touched lies in [lo, hi) */
	bool solid;	 /* and all of [lo, hi) is touched, in this order */
	/* Otherwise what tells two boxes in one span apart. */
	uint64_t box[9];
};

/* The bytes of an image without pitch gaps; a size of 0 is one that its type has not. */
uint64_t berth__residency_image_bytes(const uint64_t sizes[4], uint64_t element_bytes);

void berth__residency_span_whole(struct berth__residency_span *out,
				 const struct berth__residency_view *view);
void berth__residency_span_linear(struct berth__residency_span *out,
				  const struct berth__residency_view *view, uint64_t offset,
				  uint64_t bytes);
/* Of a write or read, by its form. */
void berth__residency_span_transfer(struct berth__residency_span *out,
				    const struct berth__residency_view *view, const berth_op *op);

#endif
