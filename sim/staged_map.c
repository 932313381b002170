/* SPDX-License-Identifier: Apache-2.0 */
#include "staged_map.h"

#include <stdlib.h>

#include <CL/cl.h>

#define WRITABLE_MAP (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)

struct berth__staged_map {
	struct berth__staged_map *next;
	uint64_t object;
	uint64_t mapping;
	struct berth__content *content; /* of the object's root */
	struct berth__box stored;	/* where the region lies in it */
	struct berth__box staged;	/* where it lies in `bytes` */
	bool is_writable;
	uint8_t *bytes;
};

static bool has_own_pitch(const struct berth__simulator *sim, const berth_object *object,
			  const berth_op *op)
{
	/* With CL_MEM_USE_HOST_PTR the pointer follows from host_ptr, and so does the pitch. */
	return op->form == BERTH_FORM_IMAGE && sim->profile.behaviour.map_pitch_align_bytes > 1 &&
	       object->root->host_address == 0;
}

/* @return false when the padded pitch does not fit 64 bits */
static bool padded_pitches(const struct berth__simulator *sim, const berth_object *object,
			   const berth_op *op, uint64_t *row_pitch, uint64_t *slice_pitch)
{
	uint64_t align = sim->profile.behaviour.map_pitch_align_bytes, rows;

	if (__builtin_add_overflow(object->row_pitch_bytes, align - 1, row_pitch))
		return false;
	*row_pitch &= ~(align - 1);
	*slice_pitch = 0;
	rows = object->image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : op->region.extent[1];
	return object->slice_pitch_bytes == 0 ||
	       !__builtin_mul_overflow(*row_pitch, rows, slice_pitch);
}

void berth__staged_map_pitches(const struct berth__simulator *sim, const berth_object *object,
			       const berth_op *op, uint64_t *row_pitch, uint64_t *slice_pitch)
{
	if (has_own_pitch(sim, object, op) &&
	    padded_pitches(sim, object, op, row_pitch, slice_pitch))
		return;
	*row_pitch = object->row_pitch_bytes;
	*slice_pitch = object->slice_pitch_bytes;
}

/* The region in the copy: as in the image, with the copy's pitches. */
static void set_staged_box(struct berth__box *staged, const struct berth__box *stored,
			   const berth_object *object, uint64_t row_pitch, uint64_t slice_pitch)
{
	*staged = *stored;
	staged->start_bytes = 0;
	staged->row_step_bytes =
		object->image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice_pitch : row_pitch;
	staged->slice_step_bytes = slice_pitch;
}

berth_status berth__staged_map_create(struct berth__staged_map **out,
				      const struct berth__simulator *sim,
				      const berth_object *object, const berth_op *op)
{
	struct berth__staged_map *map;
	uint64_t row_pitch, slice_pitch, bytes;

	*out = NULL;
	if (!has_own_pitch(sim, object, op) ||
	    !padded_pitches(sim, object, op, &row_pitch, &slice_pitch) ||
	    row_pitch == object->row_pitch_bytes)
		return BERTH_OK;
	map = calloc(1, sizeof(*map));
	if (!map)
		return berth_error_set(BERTH_E_NOMEM, 0, "no host memory for a mapping");
	map->object = op->object;
	map->mapping = op->mapping;
	map->content = &berth__root_of(object)->content;
	map->is_writable = op->flags & WRITABLE_MAP;
	berth__box_of_object(&map->stored, op, object, NULL);
	set_staged_box(&map->staged, &map->stored, object, row_pitch, slice_pitch);
	bytes = berth__box_end_bytes(&map->staged);
	map->bytes = calloc(1, bytes > 0 ? bytes : 1);
	if (!map->bytes) {
		free(map);
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "no host memory for a mapping of %llu bytes",
				       (unsigned long long)bytes);
	}
	*out = map;
	return BERTH_OK;
}

void *berth__staged_map_keep(struct berth__simulator *sim, struct berth__staged_map *map)
{
	berth__copy_box(map->bytes, map->staged, map->content->bytes, map->stored);
	map->next = sim->staged_maps;
	sim->staged_maps = map;
	return map->bytes;
}

static struct berth__staged_map **find(struct berth__simulator *sim, uint64_t mapping)
{
	struct berth__staged_map **link = &sim->staged_maps;

	while (*link && (*link)->mapping != mapping)
		link = &(*link)->next;
	return link;
}

void berth__staged_map_unmap(struct berth__simulator *sim, const berth_object *object,
			     const berth_op *op)
{
	struct berth__staged_map **link = find(sim, op->mapping), *map = *link;

	if (!map || !object || map->object != object->id)
		return;
	if (map->is_writable)
		berth__copy_box(map->content->bytes, map->stored, map->bytes, map->staged);
	*link = map->next;
	berth__staged_map_free(map);
}

void berth__staged_map_forget(struct berth__simulator *sim, const berth_object *object)
{
	struct berth__staged_map **link = &sim->staged_maps;

	while (*link) {
		struct berth__staged_map *map = *link;

		if (object && map->object != object->id) {
			link = &map->next;
			continue;
		}
		*link = map->next;
		berth__staged_map_free(map);
	}
}

void berth__staged_map_free(struct berth__staged_map *map)
{
	if (map)
		free(map->bytes);
	free(map);
}
