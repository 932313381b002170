/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of bytes in host memory, with pitches: what a check compares and carries over. */
#ifndef BERTH_REPLAY_CHECK_CONTENT_H
#define BERTH_REPLAY_CHECK_CONTENT_H

#include <berth/objects.h>

/* The bytes that a transfer moves. */
struct berth__check_box {
	uint64_t row_bytes, rows, slices;
};

/* Where a box lies. */
struct berth__check_place {
	unsigned char *start;
	uint64_t row_pitch_bytes, slice_pitch_bytes;
};

/* The first difference of two boxes. */
struct berth__check_byte {
	uint64_t x, row, slice; /* x in bytes */
	unsigned char left, right;
};

/* The box of an op that both devices accepted, so that its products fit. */
struct berth__check_box berth__check_box_of(const berth_op *op, const berth_object *object);

/*
 * Where the box of a read lies behind @host. False for what cannot be told from
 * the op alone: layers of a 1D array with a pitch of their own.
 */
bool berth__check_place_in_host(struct berth__check_place *out, const struct berth__check_box *box,
				const berth_op *op, const berth_object *object, void *host);

/* Where the box of a map lies, by the answer to it. */
struct berth__check_place berth__check_place_in_mapping(const struct berth__check_box *box,
							const berth_op *op,
							const berth_object *object,
							const berth_result *result);

/* Whether the bytes of two boxes differ, gaps left out; and where first. */
bool berth__check_box_differs(const struct berth__check_box *box,
			      const struct berth__check_place *left,
			      const struct berth__check_place *right,
			      struct berth__check_byte *where);

void berth__check_box_copy(const struct berth__check_box *box, const struct berth__check_place *to,
			   const struct berth__check_place *from);

#endif
