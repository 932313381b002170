/* SPDX-License-Identifier: Apache-2.0 */
/* One op of a trace made ready for a device: what a trace lacks, bytes and ids, is stood in for. */
#ifndef BERTH_REPLAY_PLAYER_OP_H
#define BERTH_REPLAY_PLAYER_OP_H

#include "player.h"

#define BERTH__PLAYER_KIND(kind) (1u << (kind))
#define BERTH__PLAYER_CREATES                                                                      \
	(BERTH__PLAYER_KIND(BERTH_OP_BUFFER_CREATE) |                                              \
	 BERTH__PLAYER_KIND(BERTH_OP_SUBBUFFER_CREATE) |                                           \
	 BERTH__PLAYER_KIND(BERTH_OP_IMAGE_CREATE) | BERTH__PLAYER_KIND(BERTH_OP_SVM_ALLOC) |      \
	 BERTH__PLAYER_KIND(BERTH_OP_PIPE_CREATE))

static inline bool berth__player_is_one_of(const berth_op *op, uint32_t kinds)
{
	return BERTH__PLAYER_KIND(op->kind) & kinds;
}

/* Bytes of a pixel on the op's image side; 0 where there is no image. */
uint32_t berth__player_element_bytes(const struct berth__player *player, const berth_op *op);

/*
 * The op for the device: @op, a copy of the recorded one, with an id and bytes where it lacks
 * them. @block: what a new object will own, or unchanged.
 */
berth_status berth__player_prepare(struct berth__player *player, const berth_trace_op *row,
				   berth_op *op, void **block);

#endif
