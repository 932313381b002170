/* SPDX-License-Identifier: Apache-2.0 */
/* Content: what each kind of op does to it. */
#include "effect.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "simulator.h"

#define WRITABLE_MAP (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)

/* What a migrate or use makes unknown of one object. */
struct berth__marking {
	struct berth__content *content;
	struct berth__ranges unknown;
};

typedef struct berth__effect effect;

static struct berth__content *content_of(const berth_object *object)
{
	return &berth__root_of(object)->content;
}

/* All bytes of a box, and room for them in the set that they change. */
static bool prepare_ranges(struct berth__ranges *ranges, const struct berth__box *box,
			   struct berth__content *content)
{
	return berth__box_ranges(ranges, box) &&
	       berth__ranges_reserve(&content->unknown, ranges->count);
}

static bool prepare_write(effect *e, const berth_objects *objects)
{
	const berth_object *object = berth_objects_find(objects, e->op->object);

	e->target = content_of(object);
	berth__box_of_object(&e->target_box, e->op, object, NULL);
	berth__box_of_host(&e->source_box, e->op, object);
	if (!e->op->host)
		return prepare_ranges(&e->unknown, &e->target_box, e->target);
	return berth__content_need(e->target) &&
	       prepare_ranges(&e->known, &e->target_box, e->target);
}

static void perform_write(effect *e)
{
	if (e->op->host)
		berth__copy_box(e->target->bytes, e->target_box, e->op->host, e->source_box);
}

static bool count_unknown(effect *e, const struct berth__box *box)
{
	struct berth__ranges ranges = { 0 };
	bool done = berth__box_ranges(&ranges, box);

	if (done)
		e->unknown_bytes = berth__ranges_common_bytes(&e->source->unknown, &ranges);
	berth__ranges_free(&ranges);
	return done;
}

static bool prepare_read(effect *e, const berth_objects *objects)
{
	const berth_object *object = berth_objects_find(objects, e->op->object);

	e->source = content_of(object);
	berth__box_of_object(&e->source_box, e->op, object, NULL);
	berth__box_of_host(&e->target_box, e->op, object);
	return count_unknown(e, &e->source_box) && (!e->op->host || berth__content_need(e->source));
}

static void perform_read(effect *e)
{
	if (e->op->host)
		berth__copy_box(e->op->host, e->target_box, e->source->bytes, e->source_box);
}

/* The parts of the source that are not known are not known at the target either. */
static bool carry_unknown(effect *e)
{
	struct berth__box from = e->source_box, to = e->target_box;

	if (berth__box_is_empty(&from))
		return true;
	berth__box_join(&to, &from);
	for (uint64_t slice = 0; slice < from.slices; slice++) {
		for (uint64_t row = 0; row < from.rows; row++) {
			uint64_t start = berth__box_row_bytes_at(&from, slice, row);

			if (!berth__ranges_append_common(&e->unknown, &e->source->unknown, start,
							 start + from.row_bytes,
							 berth__box_row_bytes_at(&to, slice, row)))
				return false;
		}
	}
	return true;
}

static bool prepare_copy(effect *e, const berth_objects *objects)
{
	const berth_object *object = berth_objects_find(objects, e->op->object);
	const berth_object *other = berth_objects_find(objects, e->op->other);

	e->source = content_of(object);
	e->target = content_of(other);
	berth__box_of_object(&e->source_box, e->op, object, other);
	berth__box_of_other(&e->target_box, e->op, object, other);
	return berth__content_need(e->source) && berth__content_need(e->target) &&
	       carry_unknown(e) && berth__box_ranges(&e->known, &e->target_box) &&
	       berth__ranges_reserve(&e->target->unknown, e->known.count + e->unknown.count);
}

static void perform_copy(effect *e)
{
	berth__copy_box(e->target->bytes, e->target_box, e->source->bytes, e->source_box);
}

/* @return whether there is a pattern whose result is the only one allowed */
static bool find_pattern(effect *e, const berth_object *object)
{
	const berth_op *op = e->op;

	if (!op->host)
		return false;
	if (op->form == BERTH_FORM_IMAGE) {
		e->pattern_bytes = object->element_bytes;
		return berth__colour_to_pixel(e->pattern, op->host, object->image.order,
					      object->image.channel_type);
	}
	e->pattern_bytes = op->pattern_bytes;
	memcpy(e->pattern, op->host, op->pattern_bytes);
	return true;
}

static bool prepare_fill(effect *e, const berth_objects *objects)
{
	const berth_object *object = berth_objects_find(objects, e->op->object);

	e->target = content_of(object);
	berth__box_of_object(&e->target_box, e->op, object, NULL);
	if (!find_pattern(e, object)) {
		e->pattern_bytes = 0;
		return prepare_ranges(&e->unknown, &e->target_box, e->target);
	}
	return berth__content_need(e->target) &&
	       prepare_ranges(&e->known, &e->target_box, e->target);
}

static void perform_fill(effect *e)
{
	if (e->pattern_bytes)
		berth__fill_box(e->target->bytes, &e->target_box, e->pattern, e->pattern_bytes);
}

static bool prepare_map(effect *e, const berth_objects *objects)
{
	const berth_object *object = berth_objects_find(objects, e->op->object);
	bool discards = e->op->flags & CL_MAP_WRITE_INVALIDATE_REGION;

	e->source = content_of(object);
	berth__box_of_object(&e->source_box, e->op, object, NULL);
	if (!berth__content_need(e->source))
		return false;
	e->mapped = e->source->bytes + e->source_box.start_bytes;
	if (discards) {
		e->target = e->source;
		if (!prepare_ranges(&e->unknown, &e->source_box, e->target))
			return false;
		for (size_t i = 0; i < e->unknown.count; i++)
			e->unknown_bytes += e->unknown.items[i].end - e->unknown.items[i].start;
		return true;
	}
	return count_unknown(e, &e->source_box);
}

/* What the program wrote through the pointer lies in the store already. */
static bool prepare_unmap(effect *e, const berth_objects *objects)
{
	const berth_object *object = berth_objects_find(objects, e->op->object);
	const berth_mapping *mapping = berth_object_find_mapping(object, e->op->mapping);
	bool not_here = e->op->host_address != 0 && !e->op->host;

	if (!(mapping->flags & WRITABLE_MAP))
		return true;
	e->target = content_of(object);
	berth__box_of_mapping(&e->target_box, mapping, object);
	return prepare_ranges(not_here ? &e->unknown : &e->known, &e->target_box, e->target);
}

static bool use_discards(const berth_op *op, const berth_object_use *use)
{
	if (op->kind == BERTH_OP_MIGRATE)
		return op->flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
	return use->access == 0 || (use->access & BERTH_ACCESS_WRITE);
}

static bool mark_object(effect *e, const berth_object *object)
{
	struct berth__marking *marking = &e->markings[e->marking_count++];
	struct berth__box box;

	marking->content = content_of(object);
	berth__box_of_all(&box, object);
	return berth__box_ranges(&marking->unknown, &box);
}

/* Room in each marked content for what all markings make unknown: several may be of one root. */
static bool reserve_markings(effect *e)
{
	size_t ranges = 0;

	for (uint32_t i = 0; i < e->marking_count; i++)
		ranges += e->markings[i].unknown.count;
	for (uint32_t i = 0; i < e->marking_count; i++)
		if (!berth__ranges_reserve(&e->markings[i].content->unknown, ranges))
			return false;
	return true;
}

static bool prepare_uses(effect *e, const berth_objects *objects)
{
	e->markings = calloc(e->op->use_count ? e->op->use_count : 1, sizeof(*e->markings));
	if (!e->markings)
		return false;
	for (uint32_t i = 0; i < e->op->use_count; i++) {
		const berth_object_use *use = &e->op->uses[i];
		const berth_object *object = berth_objects_find(objects, use->object);

		if (!object || !use_discards(e->op, use))
			continue;
		if (!mark_object(e, object))
			return false;
	}
	return reserve_markings(e);
}

static void perform_uses(effect *e)
{
	for (uint32_t i = 0; i < e->marking_count; i++)
		berth__ranges_add(&e->markings[i].content->unknown, &e->markings[i].unknown);
}

static const struct {
	bool (*prepare)(effect *e, const berth_objects *objects); /* NULL: no effect on content */
	void (*perform)(effect *e);
} kinds[BERTH_OP_KIND_END] = {
	[BERTH_OP_WRITE] = { prepare_write, perform_write },
	[BERTH_OP_READ] = { prepare_read, perform_read },
	[BERTH_OP_COPY] = { prepare_copy, perform_copy },
	[BERTH_OP_FILL] = { prepare_fill, perform_fill },
	[BERTH_OP_MAP] = { prepare_map, NULL },
	[BERTH_OP_UNMAP] = { prepare_unmap, NULL },
	[BERTH_OP_MIGRATE] = { prepare_uses, perform_uses },
	[BERTH_OP_USE] = { prepare_uses, perform_uses },
};

static berth_status no_memory(const berth_op *op)
{
	char what[160];

	berth_op_describe(op, what, sizeof(what));
	return berth_error_set(BERTH_E_NOMEM, 0, "no host memory for the content of %s", what);
}

berth_status berth__effect_prepare(effect *e, const berth_objects *objects, const berth_op *op)
{
	memset(e, 0, sizeof(*e));
	e->op = op;
	if (!kinds[op->kind].prepare || kinds[op->kind].prepare(e, objects))
		return BERTH_OK;
	berth__effect_finish(e);
	return no_memory(op);
}

/* All that lies in the root's memory of an object that may leave it. */
static bool mark_inside(effect *e, const berth_object *object)
{
	struct berth__content *content = content_of(object);
	uint64_t start = object->offset_bytes, end = start + object->bytes;
	struct berth__marking *marking = &e->markings[e->marking_count++];

	marking->content = content;
	if (end > content->size_bytes)
		end = content->size_bytes;
	return start >= end || berth__ranges_append(&marking->unknown, start, end);
}

static bool mark_inside_by_id(effect *e, const berth_objects *objects, uint64_t id)
{
	const berth_object *object = berth_objects_find(objects, id);

	return !object || mark_inside(e, object);
}

static bool mark_list_inside(effect *e, const berth_objects *objects)
{
	for (uint32_t i = 0; i < e->op->use_count; i++)
		if (use_discards(e->op, &e->op->uses[i]) &&
		    !mark_inside_by_id(e, objects, e->op->uses[i].object))
			return false;
	return true;
}

static bool mark_changed(effect *e, const berth_objects *objects)
{
	const berth_op *op = e->op;

	switch (op->kind) {
	case BERTH_OP_WRITE:
	case BERTH_OP_FILL:
	case BERTH_OP_UNMAP:
		return mark_inside_by_id(e, objects, op->object);
	case BERTH_OP_MAP:
		return !(op->flags & WRITABLE_MAP) || mark_inside_by_id(e, objects, op->object);
	case BERTH_OP_COPY:
		return mark_inside_by_id(e, objects, op->other);
	case BERTH_OP_MIGRATE:
	case BERTH_OP_USE:
		return mark_list_inside(e, objects);
	default:
		return true;
	}
}

berth_status berth__effect_prepare_unknown(effect *e, const berth_objects *objects,
					   const berth_op *op)
{
	memset(e, 0, sizeof(*e));
	e->op = op;
	e->markings = calloc((size_t)op->use_count + 1, sizeof(*e->markings));
	if (e->markings && mark_changed(e, objects) && reserve_markings(e))
		return BERTH_OK;
	berth__effect_finish(e);
	return no_memory(op);
}

void berth__effect_perform_unknown(effect *e)
{
	perform_uses(e);
	berth__effect_finish(e);
}

void berth__effect_perform(effect *e)
{
	if (kinds[e->op->kind].perform)
		kinds[e->op->kind].perform(e);
	if (e->target) {
		berth__ranges_remove(&e->target->unknown, &e->known);
		berth__ranges_add(&e->target->unknown, &e->unknown);
	}
	berth__effect_finish(e);
}

void berth__effect_finish(effect *e)
{
	for (uint32_t i = 0; i < e->marking_count; i++)
		berth__ranges_free(&e->markings[i].unknown);
	free(e->markings);
	berth__ranges_free(&e->known);
	berth__ranges_free(&e->unknown);
}
