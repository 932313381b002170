/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings with a pitch of their own: a device that maps an image by copying it may
 * choose another row pitch than the image's (R117). What is mapped is then a copy,
 * which goes back when it is unmapped.
 */
#ifndef BERTH_SIM_STAGED_MAP_H
#define BERTH_SIM_STAGED_MAP_H

#include "simulator.h"

/* The pitches that a map answers. */
void berth__staged_map_pitches(const struct berth__simulator *sim, const berth_object *object,
			       const berth_op *op, uint64_t *row_pitch, uint64_t *slice_pitch);

/*
 * Prepare the copy that a map of @object gives; NULL in @out: it needs none. Before
 * the op is applied. BERTH_E_NOMEM: no host memory.
 */
berth_status berth__staged_map_create(struct berth__staged_map **out,
				      const struct berth__simulator *sim,
				      const berth_object *object, const berth_op *op);

/* Fill the copy, keep it, and say where it is. */
void *berth__staged_map_keep(struct berth__simulator *sim, struct berth__staged_map *map);

/* Before an unmap is applied: bring the copy back, if there is one. */
void berth__staged_map_unmap(struct berth__simulator *sim, const berth_object *object,
			     const berth_op *op);

/* Free all copies of mappings of an object that ends; NULL: of every object. */
void berth__staged_map_forget(struct berth__simulator *sim, const berth_object *object);

/* NULL is fine. */
void berth__staged_map_free(struct berth__staged_map *map);

#endif
