/* SPDX-License-Identifier: Apache-2.0 */
#include "player_op.h"

#include <CL/cl.h>

#define KIND BERTH__PLAYER_KIND
#define HAS_HOST_BYTES                                                                             \
	(KIND(BERTH_OP_BUFFER_CREATE) | KIND(BERTH_OP_IMAGE_CREATE) | KIND(BERTH_OP_WRITE) |       \
	 KIND(BERTH_OP_READ) | KIND(BERTH_OP_FILL))
/* What a device may do after execute returned, unless it is told not to. */
#define MAY_NOT_BLOCK (KIND(BERTH_OP_WRITE) | KIND(BERTH_OP_READ) | KIND(BERTH_OP_MAP))

/* Ids for creations that failed in the program and so have none. */
#define SPARE_ID (UINT64_MAX - 1)

/* Says that there were bytes, where the trace has no address of them. */
#define UNAVAILABLE_ADDRESS UINT64_C(1)

uint32_t berth__player_element_bytes(const struct berth__player *player, const berth_op *op)
{
	const berth_object *object;
	uint64_t id = op->form == BERTH_FORM_BUFFER_TO_IMAGE ? op->other : op->object;

	if (op->kind == BERTH_OP_IMAGE_CREATE)
		return berth_format_element_bytes(op->image.order, op->image.channel_type);
	if (op->form < BERTH_FORM_IMAGE)
		return 0;
	object = berth_objects_find(player->objects, id);
	return object ? object->element_bytes : 0;
}

static void *fill_colour(struct berth__player *player, const berth_op *op, uint64_t seq)
{
	const berth_object *object = berth_objects_find(player->objects, op->object);

	berth__stand_in_colour(player->colour, seq, object ? object->image.channel_type : 0);
	return player->colour;
}

/* Point @op at host memory of the size it needs. @block: what an object will own, or NULL. */
static berth_status lend_host(struct berth__player *player, uint64_t seq, berth_op *op,
			      void **block)
{
	uint64_t bytes;
	void *host = NULL;
	berth_status st = berth_op_host_bytes(&bytes, op, berth__player_element_bytes(player, op));

	if (st != BERTH_OK)
		return st;
	if (berth__player_is_one_of(op, BERTH__PLAYER_CREATES) && op->flags & CL_MEM_USE_HOST_PTR)
		st = berth__stand_in_keep(&player->stand_in, seq, bytes, op->host_address, block,
					  &host);
	else if (op->kind == BERTH_OP_READ)
		st = berth__stand_in_sink(&player->stand_in, bytes, &host);
	else if (op->kind == BERTH_OP_FILL && op->form == BERTH_FORM_IMAGE)
		host = fill_colour(player, op, seq);
	else
		st = berth__stand_in_source(&player->stand_in, seq, bytes, &host);
	if (st == BERTH_OK)
		berth_op_set_host(op, host);
	return st;
}

/*
 * What the trace holds, instead of what stands in. The stand-in's block is never written to, so
 * the content goes into memory that is: an object's own, or that for reads.
 */
static berth_status put_recorded(struct berth__player *player, const berth_trace_op *row,
				 berth_op *op, const void *block)
{
	const berth_object *object = berth_objects_find(player->objects, op->object);
	void *stood_in = op->host, *host = op->host;
	uint64_t bytes;
	bool found = false;
	berth_status st = BERTH_OK;

	if (!player->recorded.trace || op->kind == BERTH_OP_READ)
		return BERTH_OK;
	if (!block && (st = berth_op_host_bytes(
			       &bytes, op, berth__player_element_bytes(player, op))) == BERTH_OK)
		st = berth__stand_in_sink(&player->stand_in, bytes, &host);
	if (st != BERTH_OK)
		return st;
	berth_op_set_host(op, host);
	st = berth__recorded_content_put(&player->recorded, &found, row, op, object);
	if (!found) {
		berth_op_set_host(op, stood_in);
		player->stood_in = true;
	}
	return st;
}

berth_status berth__player_prepare(struct berth__player *player, const berth_trace_op *row,
				   berth_op *op, void **block)
{
	berth_status st = BERTH_OK;

	if (berth__player_is_one_of(op, BERTH__PLAYER_CREATES) && op->object == BERTH_ID_NONE)
		op->object = SPARE_ID;
	if (player->ghost)
		return BERTH_OK;
	if (berth__player_is_one_of(op, MAY_NOT_BLOCK))
		op->bits |= BERTH_OP_BLOCKING;
	/* What the program wrote through the mapping is in no trace: an address without bytes. */
	if (op->kind == BERTH_OP_UNMAP && op->host_address == 0)
		op->host_address = UNAVAILABLE_ADDRESS;
	if (op->host_address != 0 && berth__player_is_one_of(op, HAS_HOST_BYTES))
		st = lend_host(player, row->seq, op, block);
	if (st == BERTH_OK && op->host && berth__player_is_one_of(op, HAS_HOST_BYTES))
		st = put_recorded(player, row, op, *block);
	/* Without bytes the device decides: what was refused may ask for more than there is. */
	return st == BERTH_E_NOMEM && row->result.cl_status == CL_SUCCESS ? st : BERTH_OK;
}
