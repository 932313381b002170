/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator's create ops: objects with memory of their own, and those that lie on others. */
#include "simulator.h"

#include <inttypes.h>
#include <stdlib.h>

#include <CL/cl.h>

#define HAS_HOST_BYTES (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)

typedef struct berth__simulator simulator;

void berth__root_free(struct berth__root *root)
{
	if (!root)
		return;
	berth__content_free(&root->content);
	free(root);
}

berth_status berth__sim_check_new_id(const struct berth__simulator *sim, const berth_op *op)
{
	if (op->object == BERTH_ID_NONE || op->object == BERTH_ID_UNKNOWN)
		return berth_error_set(BERTH_E_STATE, 0, "%s: object id %" PRIu64 " is reserved",
				       berth_op_kind_string(op->kind), op->object);
	if (berth_objects_find(sim->objects, op->object))
		return berth_error_set(BERTH_E_STATE, 0, "%s: object %" PRIu64 " is alive already",
				       berth_op_kind_string(op->kind), op->object);
	return BERTH_OK;
}

static bool owns_memory(const berth_op *op)
{
	return op->kind == BERTH_OP_BUFFER_CREATE || op->kind == BERTH_OP_SVM_ALLOC ||
	       op->kind == BERTH_OP_PIPE_CREATE ||
	       (op->kind == BERTH_OP_IMAGE_CREATE && op->other == BERTH_ID_NONE);
}

/* The host's bytes are needed now, so the memory is as well. */
static bool commits_at_creation(const simulator *sim, const berth_op *op)
{
	return sim->memory.model.commit == BERTH_COMMIT_CREATE ||
	       (sim->memory.model.commit == BERTH_COMMIT_FIRST_USE && (op->flags & HAS_HOST_BYTES));
}

/* The content of a root that has just been created, as a berth_object describes it. */
static bool content_of_new(struct berth__content *content, const berth_object *object,
			   const berth_op *op)
{
	struct berth__box box;

	berth__box_of_all(&box, object);
	if (!berth__content_init(content, berth__box_end_bytes(&box)))
		return false;
	/* The program writes there as it likes, also without an op. */
	if (op->kind == BERTH_OP_SVM_ALLOC)
		return berth__content_need(content);
	if (!(op->flags & HAS_HOST_BYTES) || !op->host)
		return true;
	if (op->flags & CL_MEM_USE_HOST_PTR) {
		berth__content_use_host(content, op->host);
		return true;
	}
	if (!berth__content_need(content))
		return false;
	berth__copy_box(content->bytes, box, op->host, box);
	berth__content_set_known(content);
	return true;
}

static berth_status no_memory_for(const berth_op *op)
{
	char what[160];

	berth_op_describe(op, what, sizeof(what));
	return berth_error_set(BERTH_E_NOMEM, 0, "no host memory for %s", what);
}

/* Take back a create that was applied to the table already. */
static void uncreate(simulator *sim, const berth_op *op)
{
	const berth_op release = { .kind = op->kind == BERTH_OP_SVM_ALLOC ? BERTH_OP_SVM_FREE
									  : BERTH_OP_RELEASE,
				   .object = op->object };

	if (berth_objects_apply(sim->objects, &release, NULL) != BERTH_OK)
		abort(); /* a release of what is there needs no memory */
}

static berth_status create_root(simulator *sim, const berth_op *op,
				const struct berth__footprint *footprint, berth_object **created)
{
	struct berth__root *root = calloc(1, sizeof(*root));
	berth_status st;

	if (!root)
		return no_memory_for(op);
	root->footprint = *footprint;
	st = berth_objects_apply(sim->objects, op, created);
	if (st != BERTH_OK) {
		berth__root_free(root);
		return st;
	}
	(*created)->user = root;
	if (!sim->ghost && !content_of_new(&root->content, *created, op)) {
		uncreate(sim, op);
		return no_memory_for(op);
	}
	if (commits_at_creation(sim, op))
		berth__sim_commit(sim, root);
	return BERTH_OK;
}

/* Where the host's memory is no good for zero-copy, the driver keeps a copy of its own. */
static bool has_hidden_copy(const simulator *sim, const berth_op *op, uint64_t bytes)
{
	const berth_behaviour *behaviour = &sim->profile.behaviour;

	return (op->flags & CL_MEM_USE_HOST_PTR) &&
	       ((behaviour->zero_copy_ptr_align_bytes &&
		 op->host_address % behaviour->zero_copy_ptr_align_bytes != 0) ||
		(behaviour->zero_copy_size_align_bytes &&
		 bytes % behaviour->zero_copy_size_align_bytes != 0));
}

static struct berth__footprint footprint_of(const simulator *sim, const berth_op *op)
{
	uint64_t bytes = berth__memory_object_bytes(&sim->memory.model, op);

	if (has_hidden_copy(sim, op, bytes) && __builtin_mul_overflow(bytes, 2u, &bytes))
		bytes = UINT64_MAX;
	return berth__memory_footprint(&sim->memory.model, bytes);
}

/* CL_IMAGE_SLICE_PITCH: 1D and 2D images have none, but for some drivers (R91). */
static uint64_t slice_pitch(const simulator *sim, const berth_object *image)
{
	uint64_t bytes = image->slice_pitch_bytes;

	if (bytes == 0 && sim->profile.behaviour.slice_pitch_2d == BERTH_SLICE_PITCH_ROWS)
		bytes = image->bytes;
	return bytes;
}

static void answer_create(const simulator *sim, const berth_op *op, const berth_object *object,
			  berth_result *result)
{
	result->bytes = object->bytes;
	if (object->kind == BERTH_OBJECT_SVM && !sim->ghost)
		result->mapped = berth__root_of(object)->content.bytes;
	if (object->kind != BERTH_OBJECT_IMAGE)
		return;
	if (owns_memory(op))
		result->bytes = berth__memory_object_bytes(&sim->memory.model, op);
	result->row_pitch_bytes = object->row_pitch_bytes;
	result->slice_pitch_bytes = slice_pitch(sim, object);
}

/* The rule behind out of memory at a creation. */
static const char *memory_rule(const berth_op *op)
{
	if (op->kind == BERTH_OP_IMAGE_CREATE)
		return "R53";
	if (op->kind == BERTH_OP_SVM_ALLOC)
		return "R160.memory";
	if (op->kind == BERTH_OP_PIPE_CREATE)
		return "R170.memory";
	return op->kind == BERTH_OP_SUBBUFFER_CREATE ? "R39" : "R30";
}

/*
 * On a device that accepts to make something on no object: it lies on nothing, so it
 * has memory of its own. @return @op itself, or @changed.
 */
static const berth_op *without_missing_parent(const simulator *sim, const berth_op *op,
					      berth_op *changed)
{
	if (!sim->departs || berth_objects_find(sim->objects, op->other) ||
	    (op->kind != BERTH_OP_SUBBUFFER_CREATE && op->kind != BERTH_OP_IMAGE_CREATE))
		return op;
	*changed = *op;
	changed->other = BERTH_ID_NONE;
	if (op->kind == BERTH_OP_SUBBUFFER_CREATE) {
		changed->kind = BERTH_OP_BUFFER_CREATE;
		changed->offset_bytes = 0;
	}
	return changed;
}

static berth_status create_on_parent(simulator *sim, const berth_op *op, berth_object **created)
{
	berth_status st = berth_objects_apply(sim->objects, op, created);

	if (st == BERTH_OK && (*created)->root != *created)
		berth__root_of(*created)->has_had_children = true;
	return st;
}

berth_status berth__sim_create_object(struct berth__simulator *sim, const berth_op *op,
				      berth_result *result)
{
	static const struct berth__footprint endless = { UINT64_MAX, 0 };
	berth_object *object = NULL;
	berth_op changed;
	berth_status st;

	op = without_missing_parent(sim, op, &changed);
	if (owns_memory(op)) {
		struct berth__footprint footprint = footprint_of(sim, op);

		if (commits_at_creation(sim, op) && !berth__memory_fits(&sim->memory, &footprint))
			return berth__sim_refuse_memory(sim, op, memory_rule(op), &footprint,
							result);
		st = create_root(sim, op, &footprint, &object);
	} else {
		st = create_on_parent(sim, op, &object);
	}
	/* The device accepts any size, but nothing holds one that does not fit 64 bits. */
	if (st == BERTH_E_OVERFLOW && sim->departs)
		return berth__sim_refuse_memory(sim, op, memory_rule(op), &endless, result);
	if (st == BERTH_OK)
		answer_create(sim, op, object, result);
	return st;
}
