/* SPDX-License-Identifier: Apache-2.0 */
/* The pool as a device: how it begins and ends, its accounting. */
#include "pool_device.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/rules.h>

/* Images on host memory of the pool's are in its blocks already. */
static uint64_t inner_in_use(const struct berth__pool_device *device)
{
	berth_memory memory;

	berth_device_memory(device->inner, &memory);
	return memory.in_use_bytes - device->pool->aliased_image_bytes;
}

static berth_status execute(berth_device *base, const berth_op *op, berth_result *result)
{
	struct berth__pool_device *device = (struct berth__pool_device *)base;
	uint64_t in_use;
	berth_status st;

	if (berth_op_kind_creates(op->kind))
		st = berth__pool_device_make(device, op, result);
	else
		st = berth__pool_device_command(device, op, result);
	in_use = inner_in_use(device);
	if (in_use > device->stats.peak_bytes)
		device->stats.peak_bytes = in_use;
	return st;
}

/* Free room in blocks is the pool's, not in use; the peak is what the inner device had to give. */
static void memory(const berth_device *base, berth_memory *out)
{
	const struct berth__pool_device *device = (const struct berth__pool_device *)base;
	berth_pool_stats pool;
	berth_memory inner;

	berth_device_memory(device->inner, &inner);
	berth_pool_get_stats(&pool, device->pool);
	out->live_objects = berth_objects_count(device->objects);
	out->in_use_bytes = pool.in_use_bytes + device->stats.passed_through_bytes;
	out->peak_bytes = device->stats.peak_bytes;
	/* A device that commits late may not have given what is in use yet. */
	if (out->peak_bytes < out->in_use_bytes)
		out->peak_bytes = out->in_use_bytes;
	out->capacity_bytes = inner.capacity_bytes;
	out->available_bytes = inner.available_bytes;
	out->unreturned_bytes = inner.unreturned_bytes;
	out->free_bytes = pool.free_bytes;
	out->cached_bytes = pool.cached_bytes;
	out->largest_hole_bytes = pool.largest_hole_bytes;
}

static void on_end(berth_object *object, void *userdata)
{
	struct berth__pool_device *device = userdata;
	struct berth__backing *backing = object->user;
	berth_result result;

	/* A mapping ends with its object, but the inner object may go on in the pool's cache. */
	for (uint32_t i = 0; backing && i < object->mapping_count; i++) {
		const berth_op unmap = { .kind = BERTH_OP_UNMAP,
					 .form = backing->is_svm ? BERTH_FORM_SVM : BERTH_FORM_NONE,
					 .object = backing->inner_id,
					 .mapping = object->mappings[i].id };
		berth_status st = berth_device_execute(device->inner, &unmap, &result);

		(void)st; /* Nobody has the pointer any more. */
	}
	if (backing)
		berth__pool_device_end(device, backing);
	object->user = NULL;
}

static void destroy(berth_device *base)
{
	struct berth__pool_device *device = (struct berth__pool_device *)base;

	berth_objects_destroy(device->objects);
	berth__pool_device_end_plan(device);
	berth_pool_destroy(device->pool);
	berth_device_destroy(device->inner);
	free(device->uses);
	free(device);
}

static const berth_device_ops device_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = execute,
	.memory = memory,
	.destroy = destroy,
};

static const struct berth__pool_device *as_pool_device(const berth_device *device)
{
	return device->ops == &device_ops ? (const struct berth__pool_device *)device : NULL;
}

berth_status berth_pool_device_create(berth_device **out, berth_device *inner,
				      const berth_pool_options *options)
{
	berth_pool_options own = BERTH_POOL_OPTIONS_INIT;
	struct berth__pool_device *device;
	berth_status st;

	if (options)
		own = *options;
	own.copied_images = false;
	own.out_of_memory = NULL;
	device = calloc(1, sizeof(*device));
	if (!device)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a pool device");
	st = berth_objects_create(&device->objects, on_end, device);
	if (st == BERTH_OK)
		st = berth_pool_create(&device->pool, inner, &own);
	if (st != BERTH_OK) {
		berth_objects_destroy(device->objects);
		free(device);
		return st;
	}
	device->inner = inner;
	device->next_id = 1;
	snprintf(device->name, sizeof(device->name), "pool(%s, %s)",
		 berth_pool_policy_string(own.policy), berth_device_name(inner));
	device->base = (berth_device){ &device_ops, berth_device_caps(inner), device->name };
	*out = &device->base;
	return BERTH_OK;
}

berth_status berth_pool_device_get_stats(berth_pool_device_stats *out, const berth_device *base)
{
	const struct berth__pool_device *device = as_pool_device(base);

	if (!device)
		return berth_error_set(BERTH_E_INVAL, 0, "%s is not a pool device",
				       berth_device_name(base));
	*out = device->stats;
	berth_pool_get_stats(&out->pool, device->pool);
	if (device->planned)
		berth_planned_get_stats(&out->planned, device->planned);
	out->device_allocations = out->passed_through + out->pool.blocks_created;
	return BERTH_OK;
}

berth_status berth_pool_device_bind_plan(berth_device *base, const uint64_t *objects,
					 const berth_plan_input *input, const berth_plan *plan)
{
	if (!as_pool_device(base))
		return berth_error_set(BERTH_E_INVAL, 0, "%s is not a pool device",
				       berth_device_name(base));
	return berth__pool_device_bind((struct berth__pool_device *)base, objects, input, plan);
}

berth_pool *berth_pool_device_pool(const berth_device *base)
{
	const struct berth__pool_device *device = as_pool_device(base);

	return device ? device->pool : NULL;
}
