/* SPDX-License-Identifier: Apache-2.0 */
#include "player.h"

#include "estimate_sum.h"
#include "judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define KIND(kind) (1u << (kind))
#define CREATES                                                                                    \
	(KIND(BERTH_OP_BUFFER_CREATE) | KIND(BERTH_OP_SUBBUFFER_CREATE) |                          \
	 KIND(BERTH_OP_IMAGE_CREATE) | KIND(BERTH_OP_SVM_ALLOC) | KIND(BERTH_OP_PIPE_CREATE))
/* Ops that give the program something, and can be taken back. */
#define GIVES (CREATES | KIND(BERTH_OP_RETAIN) | KIND(BERTH_OP_MAP))
#define CHANGES_OBJECTS                                                                            \
	(GIVES | KIND(BERTH_OP_RELEASE) | KIND(BERTH_OP_UNMAP) | KIND(BERTH_OP_SVM_FREE))
#define MOVES_BYTES                                                                                \
	(KIND(BERTH_OP_WRITE) | KIND(BERTH_OP_READ) | KIND(BERTH_OP_COPY) | KIND(BERTH_OP_FILL) |  \
	 KIND(BERTH_OP_MAP))
#define HAS_HOST_BYTES                                                                             \
	(KIND(BERTH_OP_BUFFER_CREATE) | KIND(BERTH_OP_IMAGE_CREATE) | KIND(BERTH_OP_WRITE) |       \
	 KIND(BERTH_OP_READ) | KIND(BERTH_OP_FILL))
/* What a device may do after execute returned, unless it is told not to. */
#define MAY_NOT_BLOCK (KIND(BERTH_OP_WRITE) | KIND(BERTH_OP_READ) | KIND(BERTH_OP_MAP))

/* Ids for creations that failed in the program and so have none. */
#define SPARE_ID (UINT64_MAX - 1)

/* Says that there were bytes, where the trace has no address of them. */
#define UNAVAILABLE_ADDRESS UINT64_C(1)

/* Whether an op can be told to the device. */
enum reach {
	REACH_DEVICE,
	REACH_MISSING, /* it needs an object or mapping that the device did not give */
	REACH_UNKNOWN, /* the trace lacks what it needs: a handle, the answer, a wrong argument */
};

static bool is_one_of(const berth_op *op, uint32_t kinds)
{
	return KIND(op->kind) & kinds;
}

static void on_object_end(berth_object *object, void *userdata)
{
	struct berth__player *player = userdata;

	if (object->user)
		player->host_blocks--;
	free(object->user);
}

berth_status berth__player_init(struct berth__player *player, berth_device *device,
				berth_trace *trace, bool ghost)
{
	memset(player, 0, sizeof(*player));
	player->device = device;
	player->ghost = ghost;
	if (!ghost && trace)
		berth__recorded_content_init(&player->recorded, trace);
	return berth_objects_create(&player->objects, on_object_end, player);
}

static enum reach reach_of_id(const struct berth__player *player, uint64_t id)
{
	if (id == BERTH_ID_NONE)
		return REACH_DEVICE;
	if (id == BERTH_ID_UNKNOWN)
		return REACH_UNKNOWN;
	return berth_objects_find(player->objects, id) ? REACH_DEVICE : REACH_MISSING;
}

static enum reach reach_of_list(const struct berth__player *player, const berth_op *op)
{
	enum reach reach = REACH_DEVICE;

	for (uint32_t i = 0; i < op->use_count && reach == REACH_DEVICE; i++)
		reach = reach_of_id(player, op->uses[i].object);
	return reach;
}

/* A mapping the device refused is not on the object, so its unmap has nothing to undo. */
static enum reach reach_of_mapping(const struct berth__player *player, const berth_op *op)
{
	const berth_object *object = berth_objects_find(player->objects, op->object);

	if (!object || op->mapping == 0 || berth_object_find_mapping(object, op->mapping))
		return REACH_DEVICE;
	return REACH_MISSING;
}

static enum reach reach_of(const struct berth__player *player, const berth_op *op)
{
	enum reach reach = REACH_DEVICE;

	/* A moment of an object that may be gone. */
	if (op->kind == BERTH_OP_ORDER)
		return REACH_DEVICE;
	if (!is_one_of(op, CREATES))
		reach = reach_of_id(player, op->object);
	if (reach == REACH_DEVICE && op->other != BERTH_ID_NONE)
		reach = reach_of_id(player, op->other);
	if (reach == REACH_DEVICE && op->use_count > 0)
		reach = reach_of_list(player, op);
	if (reach == REACH_DEVICE && op->kind == BERTH_OP_UNMAP)
		reach = reach_of_mapping(player, op);
	return reach;
}

/* Bytes of a pixel on the op's image side; 0 where there is no image. */
static uint32_t element_bytes(const struct berth__player *player, const berth_op *op)
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
	berth_status st = berth_op_host_bytes(&bytes, op, element_bytes(player, op));

	if (st != BERTH_OK)
		return st;
	if (is_one_of(op, CREATES) && op->flags & CL_MEM_USE_HOST_PTR)
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
	if (!block && (st = berth_op_host_bytes(&bytes, op, element_bytes(player, op))) == BERTH_OK)
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

/* The op for the device: the recorded one, with an id and bytes where it lacks them. */
static berth_status prepare(struct berth__player *player, const berth_trace_op *row, berth_op *op,
			    void **block)
{
	berth_status st = BERTH_OK;

	if (is_one_of(op, CREATES) && op->object == BERTH_ID_NONE)
		op->object = SPARE_ID;
	if (player->ghost)
		return BERTH_OK;
	if (is_one_of(op, MAY_NOT_BLOCK))
		op->bits |= BERTH_OP_BLOCKING;
	/* What the program wrote through the mapping is in no trace: an address without bytes. */
	if (op->kind == BERTH_OP_UNMAP && op->host_address == 0)
		op->host_address = UNAVAILABLE_ADDRESS;
	if (op->host_address != 0 && is_one_of(op, HAS_HOST_BYTES))
		st = lend_host(player, row->seq, op, block);
	if (st == BERTH_OK && op->host && is_one_of(op, HAS_HOST_BYTES))
		st = put_recorded(player, row, op, *block);
	/* Without bytes the device decides: what was refused may ask for more than there is. */
	return st == BERTH_E_NOMEM && row->result.cl_status == CL_SUCCESS ? st : BERTH_OK;
}

/* Execute an op of our own, whose answer nobody compares. */
static void tell(struct berth__player *player, const berth_op *op)
{
	berth_result result;
	berth_status st = berth_device_execute(player->device, op, &result);

	(void)st; /* Nothing depends on it: the device frees what is left. */
}

static bool lies_on_host_block(const berth_object *object)
{
	return object && object->root->user;
}

/* Host memory goes with its object; what is queued on it must be done by then. */
static void complete_before_release(struct berth__player *player, const berth_op *op)
{
	const berth_op sync = { .kind = BERTH_OP_SYNC };

	if (player->host_blocks > 0 && op->kind == BERTH_OP_RELEASE &&
	    lies_on_host_block(berth_objects_find(player->objects, op->object)))
		tell(player, &sync);
}

/* Give back what an op of GIVES gave. */
static void undo(struct berth__player *player, const berth_op *op)
{
	const berth_op opposite = berth_op_opposite(op);

	tell(player, &opposite);
}

/* A checker on which one side refused has taken the other's object back already. */
static bool taken_back(const struct berth__player *player)
{
	const berth_difference *difference = berth__difference_of(player->device);

	return difference && (difference->subject.cl_status == CL_SUCCESS) !=
				     (difference->reference.cl_status == CL_SUCCESS);
}

/* Keep the table what the device holds. Takes @block over. */
static berth_status follow(struct berth__player *player, const berth_trace_op *row,
			   const berth_op *op, const berth_result *result, void *block)
{
	berth_object *created = NULL;
	berth_status st = BERTH_OK;
	bool given = is_one_of(op, GIVES) && result->cl_status == CL_SUCCESS;

	if (given && taken_back(player)) {
		given = false;
	} else if (given && row->result.cl_status != CL_SUCCESS) {
		/* The program does not have it and will never give it back. */
		undo(player, op);
		given = false;
	}
	if (given || (result->cl_status == CL_SUCCESS && !is_one_of(op, GIVES)))
		st = berth_objects_apply(player->objects, op, &created);
	if (created && block) {
		created->user = block;
		player->host_blocks++;
	} else {
		if (given && block)
			undo(player, op);
		free(block);
	}
	/* The device accepted what the table cannot follow, as a release of NULL. */
	return st == BERTH_E_NOMEM ? st : BERTH_OK;
}

static void count_moved(struct berth__player *player, const berth_op *op)
{
	uint64_t bytes;

	if (is_one_of(op, MOVES_BYTES) &&
	    berth_op_moved_bytes(&bytes, op, element_bytes(player, op)) == BERTH_OK)
		player->report.bytes_moved += bytes;
}

/* The device gave no answer. Some reasons concern this op alone. */
static berth_status no_answer(struct berth__player *player, const berth_trace_op *row,
			      berth_status st)
{
	switch (st) {
	case BERTH_E_UNSUPPORTED:
	case BERTH_E_INVAL:
		player->report.not_replayable++;
		return BERTH_OK;
	case BERTH_E_LOST:
		player->report.lost_seq = row->seq;
		berth__judge_lost(&player->report, row);
		return BERTH_OK;
	case BERTH_E_STATE:
		return berth_error_set(BERTH_E_FORMAT, 0, "op %" PRIu64 " of the trace: %s",
				       row->seq, berth_error_get()->message);
	default:
		return st;
	}
}

/*
 * What a program read must be what it reads again, where all content is what it was. Only a
 * checker knows what no kernel has changed.
 */
static void compare_with_recorded(struct berth__player *player, const berth_trace_op *row,
				  const berth_op *op, const berth_result *result)
{
	if (op->kind != BERTH_OP_READ || !player->recorded.trace || player->stood_in ||
	    !row->has_digest || !op->host || result->cl_status != CL_SUCCESS ||
	    result->unknown_bytes > 0 || !berth_checker_counts(player->device))
		return;
	player->report.recorded_compared++;
	if (!berth__recorded_content_matches(row, op,
					     berth_objects_find(player->objects, op->object)))
		berth__judge_content(&player->report, row);
}

static berth_status execute(struct berth__player *player, const berth_trace_op *row,
			    const berth_op *op, void *block)
{
	berth_result result;
	berth_status st;

	complete_before_release(player, op);
	st = berth_device_execute(player->device, op, &result);
	if (st != BERTH_OK) {
		free(block);
		return no_answer(player, row, st);
	}
	player->report.executed++;
	berth__judge(&player->report, player->device, row, &result);
	compare_with_recorded(player, row, op, &result);
	if (result.cl_status == CL_SUCCESS) {
		count_moved(player, op);
		berth__estimate_sum(&player->report.estimate, op, &result);
	}
	if (is_one_of(op, CHANGES_OBJECTS))
		st = follow(player, row, op, &result, block);
	return st;
}

/* Whether the device needs another op than the recorded one: spares a ghost the copy. */
static bool needs_preparing(const struct berth__player *player, const berth_op *op)
{
	return !player->ghost || (is_one_of(op, CREATES) && op->object == BERTH_ID_NONE);
}

berth_status berth__player_step(struct berth__player *player, const berth_trace_op *row)
{
	/* What only orders is accepted by every device: nothing can be asked where it was refused. */
	bool is_told = row->answered && !berth__refused_for_other_cause(row->result.cl_status) &&
		       (row->op.kind != BERTH_OP_ORDER || row->result.cl_status == CL_SUCCESS);
	enum reach reach = is_told ? reach_of(player, &row->op) : REACH_UNKNOWN;
	void *block = NULL;
	berth_op op;
	berth_status st;

	player->report.ops++;
	if (player->report.lost_seq)
		reach = REACH_MISSING;
	if (reach == REACH_DEVICE && !needs_preparing(player, &row->op))
		return execute(player, row, &row->op, NULL);
	if (reach == REACH_DEVICE) {
		op = row->op;
		st = prepare(player, row, &op, &block);
		return st == BERTH_OK ? execute(player, row, &op, block) : st;
	}
	if (reach == REACH_MISSING)
		player->report.consequences++;
	else
		player->report.not_replayable++;
	return BERTH_OK;
}

static void release_if_on_host_block(berth_object *object, void *userdata)
{
	struct berth__player *player = userdata;
	berth_op op = { .kind = BERTH_OP_UNMAP, .object = object->id };

	if (!lies_on_host_block(object))
		return;
	for (uint32_t i = 0; i < object->mapping_count; i++) {
		op.mapping = object->mappings[i].id;
		tell(player, &op);
	}
	op.kind = BERTH_OP_RELEASE;
	op.mapping = 0;
	for (uint32_t i = 0; i < object->references; i++)
		tell(player, &op);
}

static void complete_report(struct berth__player *player)
{
	const berth_check_counts *counts = berth_checker_counts(player->device);
	berth_replay_report *report = &player->report;

	berth_device_memory(player->device, &report->memory);
	if (counts) {
		report->content_compared = counts->content_compared;
		report->content_unknown = counts->content_unknown;
		report->memory_failures = counts->memory_failures;
	}
}

void berth__player_fini(struct berth__player *player)
{
	const berth_op sync = { .kind = BERTH_OP_SYNC };

	complete_report(player);
	if (player->host_blocks > 0) {
		tell(player, &sync);
		berth_objects_each(player->objects, release_if_on_host_block, player);
		tell(player, &sync);
	}
	berth_objects_destroy(player->objects);
	player->objects = NULL;
	berth__stand_in_fini(&player->stand_in);
	berth__recorded_content_fini(&player->recorded);
}
