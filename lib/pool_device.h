/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the pool device. Two sets of ids: the caller's, kept in a table of
 * objects, and those on the inner device, which hang on the objects.
 *
 *   pool_device.c          how it begins and ends, its accounting
 *   pool_device_create.c   objects: from blocks, or the inner device's own
 *   pool_device_command.c  the other ops, told to the inner device with its ids
 *   pool_device_copy.c     copies that must not name sub-buffers
 *   pool_device_plan.c     places from a plan
 */
#ifndef BERTH_LIB_POOL_DEVICE_H
#define BERTH_LIB_POOL_DEVICE_H

#include <berth/objects.h>
#include <berth/pool_device.h>

#include "pool_internal.h"

/* Which request of the plan an object has. */
struct berth__planned_object {
	uint64_t id;
	size_t request;
};

struct berth__pool_device {
	berth_device base;
	char name[320];
	berth_device *inner;
	berth_pool *pool;
	berth_objects *objects;
	uint64_t next_id; /* of objects that are not the pool's */
	berth_pool_device_stats stats;
	berth_object_use *uses; /* translated list of an op */
	uint32_t uses_capacity;
	berth_planned *planned; /* NULL: no plan */
	struct berth__planned_object *planned_objects; /* by id */
	size_t planned_object_count;
};

/* What is behind an object (berth_object.user). */
struct berth__backing {
	uint64_t inner_id;
	berth_planned_place place;	 /* that it has; storage 0: none */
	struct berth__block *block;	 /* that it lies in; NULL: passed through */
	uint64_t block_offset_bytes;	 /* there */
	struct berth__view_object *view; /* its inner object; NULL: its own */
	uint64_t own_bytes;		 /* passed through, with memory */
	bool is_svm;			 /* passed through, and freed instead of released */
};

/* Of a create op. */
berth_status berth__pool_device_make(struct berth__pool_device *device, const berth_op *op,
				     berth_result *result);

/* Of all other ops. */
berth_status berth__pool_device_command(struct berth__pool_device *device, const berth_op *op,
					berth_result *result);

/* Of a copy, whose ids are translated. */
berth_status berth__pool_device_copy(struct berth__pool_device *device, const berth_op *op,
				     berth_op *translated, berth_result *result);

/* Puts a plan on a device that has nothing on it. */
berth_status berth__pool_device_bind(struct berth__pool_device *device, const uint64_t *objects,
				     const berth_plan_input *input, const berth_plan *plan);
/* The place of a new object, from the plan where there is one. */
berth_status berth__pool_device_take(struct berth__pool_device *device, uint64_t object,
				     uint64_t bytes, berth_planned_place *out);
/* Give it back. */
void berth__pool_device_give_back(struct berth__pool_device *device,
				  const berth_planned_place *place);
/* Forget the plan, at the end. */
void berth__pool_device_end_plan(struct berth__pool_device *device);

/* Give back what is behind an object. */
void berth__pool_device_end(struct berth__pool_device *device, struct berth__backing *backing);

/* The inner id of an object of the caller's; the two ids that are none stay. */
uint64_t berth__pool_device_inner_id(const struct berth__pool_device *device, uint64_t id);

/* Execute on the inner device; a refusal is explained with the caller's ids. */
berth_status berth__pool_device_pass(struct berth__pool_device *device, const berth_op *op,
				     const berth_op *translated, berth_result *result);

#endif
