/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the pool device. Two sets of ids: the caller's, kept in a table of
 * objects, and those on the inner device, which hang on the objects.
 *
 *   pool_device.c          how it begins and ends, its accounting
 *   pool_device_create.c   objects: from blocks, or the inner device's own
 *   pool_device_command.c  the other ops, told to the inner device with its ids
 *   pool_device_copy.c     copies that must not name sub-buffers
 */
#ifndef BERTH_LIB_POOL_DEVICE_H
#define BERTH_LIB_POOL_DEVICE_H

#include <berth/objects.h>
#include <berth/pool_device.h>

#include "pool_internal.h"

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
};

/* What is behind an object (berth_object.user). */
struct berth__backing {
	uint64_t inner_id;
	berth_storage storage;		 /* that it has; 0: none */
	struct berth__block *block;	 /* that it lies in; NULL: passed through */
	uint64_t block_offset_bytes;	 /* there */
	struct berth__view_object *view; /* its inner object; NULL: its own */
	uint64_t own_bytes;		 /* passed through, with memory */
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

/* Give back what is behind an object. */
void berth__pool_device_end(struct berth__pool_device *device, struct berth__backing *backing);

/* The inner id of an object of the caller's; the two ids that are none stay. */
uint64_t berth__pool_device_inner_id(const struct berth__pool_device *device, uint64_t id);

/* Execute on the inner device; a refusal is explained with the caller's ids. */
berth_status berth__pool_device_pass(struct berth__pool_device *device, const berth_op *op,
				     const berth_op *translated, berth_result *result);

#endif
