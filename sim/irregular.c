/* SPDX-License-Identifier: Apache-2.0 */
#include "irregular.h"

#include <CL/cl.h>

#include "effect.h"

/* *end += step * (count - 1). False: what repeats overlaps, or the sum does not fit 64 bits. */
static bool add_steps(uint64_t *end, uint64_t step, uint64_t count)
{
	uint64_t distance;

	return (count == 1 || step >= *end) &&
	       !__builtin_mul_overflow(step, count - 1, &distance) &&
	       !__builtin_add_overflow(*end, distance, end);
}

/* Rows and slices lie behind one another, and the last ends inside. */
static bool box_fits(const struct berth__box *box, const berth_object *object)
{
	uint64_t size = berth__root_of(object)->content.size_bytes, end = box->row_bytes;

	if (berth__box_is_empty(box))
		return box->start_bytes <= size;
	return add_steps(&end, box->row_step_bytes, box->rows) &&
	       add_steps(&end, box->slice_step_bytes, box->slices) &&
	       !__builtin_add_overflow(end, box->start_bytes, &end) &&
	       end <= size;
}

static bool list_fits(const struct berth__simulator *sim, const berth_op *op)
{
	struct berth__box box;

	for (uint32_t i = 0; i < op->use_count; i++) {
		const berth_object *object = berth_objects_find(sim->objects, op->uses[i].object);

		if (!object)
			continue;
		berth__box_of_all(&box, object);
		if (!box_fits(&box, object))
			return false;
	}
	return true;
}

static bool mapping_fits(const berth_object *object, const berth_op *op)
{
	const berth_mapping *mapping = berth_object_find_mapping(object, op->mapping);
	struct berth__box box;

	if (!mapping)
		return false;
	berth__box_of_mapping(&box, mapping, object);
	return box_fits(&box, object);
}

static bool regions_fit(const struct berth__simulator *sim, const berth_op *op,
			const berth_object *object)
{
	const berth_object *other =
		op->kind == BERTH_OP_COPY ? berth_objects_find(sim->objects, op->other) : NULL;
	struct berth__box box;

	if (op->kind == BERTH_OP_COPY && !other)
		return false;
	berth__box_of_object(&box, op, object, other);
	if (!box_fits(&box, object))
		return false;
	if (!other)
		return true;
	berth__box_of_other(&box, op, object, other);
	return box_fits(&box, other);
}

bool berth__irregular_fits(const struct berth__simulator *sim, const berth_op *op)
{
	const berth_object *object = berth_objects_find(sim->objects, op->object);

	switch (op->kind) {
	case BERTH_OP_MIGRATE:
	case BERTH_OP_USE:
		return list_fits(sim, op);
	case BERTH_OP_UNMAP:
		return object && mapping_fits(object, op);
	case BERTH_OP_WRITE:
	case BERTH_OP_READ:
	case BERTH_OP_FILL:
	case BERTH_OP_MAP:
	case BERTH_OP_COPY:
		return object && regions_fit(sim, op, object);
	default:
		return true;
	}
}

/* A mapping of nothing, so that its unmap has nothing to bring back either. */
static berth_op empty_map(const berth_op *op)
{
	return (berth_op){
		.kind = BERTH_OP_MAP,
		.form = BERTH_FORM_LINEAR,
		.object = op->object,
		.mapping = op->mapping,
		.flags = op->flags,
	};
}

/* Counts and mappings, as far as there is anything to count or map. */
static berth_status apply(struct berth__simulator *sim, const berth_op *op)
{
	const berth_op map = empty_map(op);
	berth_status st =
		berth_objects_apply(sim->objects, op->kind == BERTH_OP_MAP ? &map : op, NULL);

	return st == BERTH_E_NOMEM ? st : BERTH_OK;
}

static uint64_t bytes_not_known(const struct berth__simulator *sim, const berth_op *op)
{
	const berth_object *object = berth_objects_find(sim->objects, op->object);
	uint64_t bytes;

	if (op->kind != BERTH_OP_READ && op->kind != BERTH_OP_MAP)
		return 0;
	if (berth_op_moved_bytes(&bytes, op, object ? object->element_bytes : 1) != BERTH_OK)
		return UINT64_MAX;
	return bytes;
}

berth_status berth__irregular_perform(struct berth__simulator *sim, const berth_op *op,
				      berth_result *result)
{
	struct berth__effect effect;
	berth_status st;

	if (!sim->ghost) {
		st = berth__effect_prepare_unknown(&effect, sim->objects, op);
		if (st != BERTH_OK)
			return st;
	}
	result->unknown_bytes = bytes_not_known(sim, op);
	st = apply(sim, op);
	if (sim->ghost)
		return st;
	if (st == BERTH_OK)
		berth__effect_perform_unknown(&effect);
	else
		berth__effect_finish(&effect);
	return st;
}
