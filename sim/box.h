/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A box: the bytes that one side of a transfer covers, as rows in slices. Every
 * form of every transfer is one box a side, and the two boxes of an op have the
 * same rows.
 */
#ifndef BERTH_SIM_BOX_H
#define BERTH_SIM_BOX_H

#include <berth/objects.h>

#include "ranges.h"

struct berth__box {
	uint64_t start_bytes; /* of the first row: in the root object, or behind the host pointer */
	uint64_t row_bytes;
	uint64_t rows; /* in a slice */
	uint64_t slices;
	uint64_t row_step_bytes;
	uint64_t slice_step_bytes;
};

/*
 * The functions below are for ops that the rules accept: bounds are checked, so
 * nothing overflows.
 */

/*
 * What @p op covers of its object; of op->other, the destination of a copy.
 * @p other: needed for copies only.
 */
void berth__box_of_object(struct berth__box *box, const berth_op *op, const berth_object *object,
			  const berth_object *other);
void berth__box_of_other(struct berth__box *box, const berth_op *op, const berth_object *object,
			 const berth_object *other);

/* What a write or read covers behind its host pointer. */
void berth__box_of_host(struct berth__box *box, const berth_op *op, const berth_object *object);

/* All pixels of an image or bytes of a buffer, and what a live mapping covers. */
void berth__box_of_all(struct berth__box *box, const berth_object *object);
void berth__box_of_mapping(struct berth__box *box, const berth_mapping *mapping,
			   const berth_object *object);

/* From the first byte of the box to one past its last; start_bytes when it is empty. */
uint64_t berth__box_end_bytes(const struct berth__box *box);

/* Whether it covers no byte; however many rows of none it has. */
static inline bool berth__box_is_empty(const struct berth__box *box)
{
	return box->row_bytes == 0 || box->rows == 0 || box->slices == 0;
}

/* Where a row begins. */
static inline uint64_t berth__box_row_bytes_at(const struct berth__box *box, uint64_t slice,
					       uint64_t row)
{
	return box->start_bytes + slice * box->slice_step_bytes + row * box->row_step_bytes;
}

/*
 * Join rows and slices that have no gap between them, in both boxes at once (they
 * have the same rows before and after). @p other may be @p box.
 */
void berth__box_join(struct berth__box *box, struct berth__box *other);

/* The box as byte ranges, appended to @p out; false: no memory. */
bool berth__box_ranges(struct berth__ranges *out, const struct berth__box *box);

#endif
