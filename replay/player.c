/* SPDX-License-Identifier: Apache-2.0 */
#include "player_op.h"

#include "estimate_sum.h"
#include "judge.h"
#include "verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

/* Ops that give the program something, and can be taken back. */
#define GIVES                                                                                      \
	(BERTH__PLAYER_CREATES | BERTH__PLAYER_KIND(BERTH_OP_RETAIN) |                             \
	 BERTH__PLAYER_KIND(BERTH_OP_MAP))
#define CHANGES_OBJECTS                                                                            \
	(GIVES | BERTH__PLAYER_KIND(BERTH_OP_RELEASE) | BERTH__PLAYER_KIND(BERTH_OP_UNMAP) |       \
	 BERTH__PLAYER_KIND(BERTH_OP_SVM_FREE))
#define MOVES_BYTES                                                                                \
	(BERTH__PLAYER_KIND(BERTH_OP_WRITE) | BERTH__PLAYER_KIND(BERTH_OP_READ) |                  \
	 BERTH__PLAYER_KIND(BERTH_OP_COPY) | BERTH__PLAYER_KIND(BERTH_OP_FILL) |                   \
	 BERTH__PLAYER_KIND(BERTH_OP_MAP))

/* Whether an op can be told to the device. */
enum reach {
	REACH_DEVICE,
	REACH_MISSING, /* it needs an object or mapping that the device did not give */
	REACH_UNKNOWN, /* the trace lacks what it needs: a handle, the answer, a wrong argument */
};

static void on_object_end(berth_object *object, void *userdata)
{
	struct berth__player *player = userdata;

	if (object->user)
		player->host_blocks--;
	free(object->user);
	if (object->root != object)
		return;
	player->alive_bytes -= object->bytes;
	if (player->alive_bytes <= player->capacity_bytes)
		player->crossed_seq = 0;
}

/* More may be created than there is where memory is taken at the first use: keep who did. */
static void count_alive(struct berth__player *player, const berth_object *created, uint64_t seq)
{
	if (created->root != created)
		return;
	player->report.allocations++;
	player->alive_bytes += created->bytes;
	if (player->capacity_bytes > 0 && player->alive_bytes > player->capacity_bytes &&
	    player->crossed_seq == 0)
		player->crossed_seq = seq;
}

berth_status berth__player_init(struct berth__player *player, berth_device *device,
				berth_trace *trace, const berth_replay_options *options)
{
	berth_memory memory;
	berth_status st = BERTH_OK;

	memset(player, 0, sizeof(*player));
	player->device = device;
	player->ghost = options->ghost;
	player->first_seq = options->first_op;
	player->on_divergence = options->divergence;
	player->userdata = options->userdata;
	berth_device_memory(device, &memory);
	player->capacity_bytes =
		memory.capacity_bytes ? memory.capacity_bytes : device->caps->global_mem_bytes;
	if (options->steps > 0)
		st = berth__last_steps_create(&player->steps, options->steps);
	if (st == BERTH_OK && !options->ghost && trace)
		berth__recorded_content_init(&player->recorded, trace);
	if (st == BERTH_OK)
		st = berth_objects_create(&player->objects, on_object_end, player);
	if (st != BERTH_OK)
		free(player->steps);
	return st;
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
	if (!berth__player_is_one_of(op, BERTH__PLAYER_CREATES))
		reach = reach_of_id(player, op->object);
	if (reach == REACH_DEVICE && op->other != BERTH_ID_NONE)
		reach = reach_of_id(player, op->other);
	if (reach == REACH_DEVICE && op->use_count > 0)
		reach = reach_of_list(player, op);
	if (reach == REACH_DEVICE && op->kind == BERTH_OP_UNMAP)
		reach = reach_of_mapping(player, op);
	return reach;
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
	bool given = berth__player_is_one_of(op, GIVES) && result->cl_status == CL_SUCCESS;

	if (given && taken_back(player)) {
		given = false;
	} else if (given && row->result.cl_status != CL_SUCCESS) {
		/* The program does not have it and will never give it back. */
		undo(player, op);
		given = false;
	}
	if (given || (result->cl_status == CL_SUCCESS && !berth__player_is_one_of(op, GIVES)))
		st = berth_objects_apply(player->objects, op, &created);
	if (created)
		count_alive(player, created, row->seq);
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

	if (berth__player_is_one_of(op, MOVES_BYTES) &&
	    berth_op_moved_bytes(&bytes, op, berth__player_element_bytes(player, op)) == BERTH_OK)
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
		player->report.unsupported++;
		return BERTH_OK;
	case BERTH_E_LOST:
		player->report.lost_seq = row->seq;
		berth__judge_lost(player, row);
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
		berth__judge_content(player, row);
}

/* The first that failed; rather one that the program was given. */
static void note_failed_allocation(struct berth__player *player, const berth_trace_op *row,
				   const berth_result *result)
{
	berth_verdict *verdict = &player->report.verdict;
	bool refused_before = row->result.cl_status != CL_SUCCESS;

	if (verdict->kind != BERTH_VERDICT_NONE && (refused_before || !verdict->refused_before))
		return;
	*verdict = (berth_verdict){ .crossed_seq = player->crossed_seq };
	berth__verdict_find(verdict, player->device, player->objects, row, result);
}

/* Compare and count, unless the op is only there to build the state. */
static void judge(struct berth__player *player, const berth_trace_op *row, const berth_op *op,
		  const berth_result *result)
{
	/* Explanations are in the error detail: first who reads it, then who may change it. */
	if (row->seq < player->first_seq) {
		player->report.before_refused +=
			result->cl_status != CL_SUCCESS && row->result.cl_status == CL_SUCCESS;
		return;
	}
	player->report.executed++;
	berth__judge(player, row, result);
	if (result->cl_status == CL_SUCCESS) {
		compare_with_recorded(player, row, op, result);
		count_moved(player, op);
		berth__estimate_sum(&player->report.estimate, op, result);
	}
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
	if (berth__is_failed_allocation(op, &result))
		note_failed_allocation(player, row, &result);
	judge(player, row, op, &result);
	if (player->steps)
		berth__last_steps_add(player->steps, row, &row->op, result.cl_status);
	if (berth__player_is_one_of(op, CHANGES_OBJECTS))
		st = follow(player, row, op, &result, block);
	return st;
}

/* Whether the device needs another op than the recorded one: spares a ghost the copy. */
static bool needs_preparing(const struct berth__player *player, const berth_op *op)
{
	return !player->ghost ||
	       (berth__player_is_one_of(op, BERTH__PLAYER_CREATES) && op->object == BERTH_ID_NONE);
}

static void count_left_out(struct berth__player *player, const berth_trace_op *row,
			   enum reach reach)
{
	berth_replay_report *report = &player->report;

	if (reach == REACH_MISSING) {
		report->consequences++;
		return;
	}
	report->not_replayable++;
	if (!row->answered)
		report->unanswered++;
	else if (!berth__refused_for_other_cause(row->result.cl_status) &&
		 row->op.kind != BERTH_OP_ORDER)
		report->unknown_handles++;
}

berth_status berth__player_step(struct berth__player *player, const berth_trace_op *row)
{
	/* What only orders is accepted by every device: nothing can be asked where it was refused.
	 */
	bool is_told = row->answered && !berth__refused_for_other_cause(row->result.cl_status) &&
		       (row->op.kind != BERTH_OP_ORDER || row->result.cl_status == CL_SUCCESS);
	enum reach reach = is_told ? reach_of(player, &row->op) : REACH_UNKNOWN;
	void *block = NULL;
	berth_op op;
	berth_status st;

	if (row->seq < player->first_seq)
		player->report.before_ops++;
	else
		player->report.ops++;
	if (player->report.lost_seq)
		reach = REACH_MISSING;
	if (reach == REACH_DEVICE && !needs_preparing(player, &row->op))
		return execute(player, row, &row->op, NULL);
	if (reach == REACH_DEVICE) {
		op = row->op;
		st = berth__player_prepare(player, row, &op, &block);
		return st == BERTH_OK ? execute(player, row, &op, block) : st;
	}
	if (row->seq >= player->first_seq)
		count_left_out(player, row, reach);
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
	free(player->steps);
	berth__stand_in_fini(&player->stand_in);
	berth__recorded_content_fini(&player->recorded);
}
