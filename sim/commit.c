/* SPDX-License-Identifier: Apache-2.0 */
/* When objects take their memory, and when they give it back. */
#include "commit.h"

typedef struct berth__simulator simulator;

void berth__sim_commit(struct berth__simulator *sim, struct berth__root *root)
{
	if (root->committed)
		return;
	root->committed = true;
	berth__memory_take(&sim->memory, &root->footprint);
}

void berth__sim_give(struct berth__simulator *sim, struct berth__root *root)
{
	const berth_behaviour *behaviour = &sim->profile.behaviour;

	if (!root->committed ||
	    (root->has_had_children && behaviour->retain_parent == BERTH_RETAIN_PARENT_LEAK))
		return;
	if (behaviour->free_time == BERTH_FREE_RELEASE)
		berth__memory_give(&sim->memory, &root->footprint);
	else if (behaviour->free_time == BERTH_FREE_FINISH)
		berth__footprint_add(&sim->unreturned, &root->footprint);
}

void berth__commit_give_unreturned(struct berth__simulator *sim)
{
	berth__memory_give(&sim->memory, &sim->unreturned);
	sim->unreturned = (struct berth__footprint){ 0, 0 };
}

berth_object *berth__commit_loser(const struct berth__simulator *sim, const berth_op *op)
{
	berth_object *object;

	if (sim->profile.behaviour.retain_parent != BERTH_RETAIN_PARENT_NO ||
	    op->kind != BERTH_OP_RELEASE)
		return NULL;
	object = berth_objects_find(sim->objects, op->object);
	return object && object->kind == BERTH_OBJECT_BUFFER && object->references == 1 &&
			       object->children > 0
		       ? object
		       : NULL;
}

void berth__commit_lose(struct berth__simulator *sim, struct berth__root *root)
{
	berth__sim_give(sim, root);
	root->footprint = (struct berth__footprint){ 0, 0 };
	berth__content_set_unknown(&root->content);
}

/* The n-th object whose memory an op needs, or BERTH_ID_NONE past the last. */
static uint64_t touched_id(const berth_op *op, uint32_t n)
{
	switch (op->kind) {
	case BERTH_OP_WRITE:
	case BERTH_OP_READ:
	case BERTH_OP_FILL:
	case BERTH_OP_MAP:
		return n == 0 ? op->object : BERTH_ID_NONE;
	case BERTH_OP_COPY:
		return n == 0 ? op->object : n == 1 ? op->other : BERTH_ID_NONE;
	case BERTH_OP_MIGRATE:
	case BERTH_OP_USE:
		return n < op->use_count ? op->uses[n].object : BERTH_ID_NONE;
	default:
		return BERTH_ID_NONE;
	}
}

static uint32_t touched_count(const berth_op *op)
{
	return op->kind == BERTH_OP_MIGRATE || op->kind == BERTH_OP_USE ? op->use_count : 2;
}

static struct berth__root *uncommitted(const simulator *sim, const berth_op *op, uint32_t n)
{
	uint64_t id = touched_id(op, n);
	const berth_object *object = id ? berth_objects_find(sim->objects, id) : NULL;

	return object && !berth__root_of(object)->committed ? berth__root_of(object) : NULL;
}

/* Whether an op of this kind makes objects take the memory that they have not taken yet. */
static bool takes_memory(const simulator *sim, berth_op_kind kind)
{
	switch (sim->memory.model.commit) {
	case BERTH_COMMIT_CREATE:
		return false;
	case BERTH_COMMIT_FIRST_USE:
		return true;
	case BERTH_COMMIT_MIGRATE:
		return kind == BERTH_OP_MIGRATE || kind == BERTH_OP_USE;
	case BERTH_COMMIT_NDRANGE:
		return kind == BERTH_OP_USE;
	}
	return false;
}

struct berth__footprint berth__commit_footprint(struct berth__simulator *sim, const berth_op *op)
{
	struct berth__footprint more = { 0, 0 };

	if (!takes_memory(sim, op->kind))
		return more;
	sim->op_number++;
	for (uint32_t i = 0; i < touched_count(op); i++) {
		struct berth__root *root = uncommitted(sim, op, i);

		if (!root || root->seen_in_op == sim->op_number)
			continue;
		root->seen_in_op = sim->op_number;
		berth__footprint_add(&more, &root->footprint);
	}
	return more;
}

void berth__commit_touched(struct berth__simulator *sim, const berth_op *op)
{
	if (!takes_memory(sim, op->kind))
		return;
	for (uint32_t i = 0; i < touched_count(op); i++) {
		struct berth__root *root = uncommitted(sim, op, i);

		if (root)
			berth__sim_commit(sim, root);
	}
}
