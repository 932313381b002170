/* SPDX-License-Identifier: Apache-2.0 */
/* The meter: a device over another that counts. */
#include <berth/meter.h>

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/objects.h>

#include "clock.h"

struct meter {
	berth_device base;
	char *name;
	berth_device *inner;
	berth_objects *objects; /* what images' regions have for a pixel */
	berth_meter_counts counts;
};

static uint32_t element_bytes(const struct meter *meter, const berth_op *op)
{
	uint64_t id = op->form == BERTH_FORM_BUFFER_TO_IMAGE ? op->other : op->object;
	const berth_object *object = id ? berth_objects_find(meter->objects, id) : NULL;

	return object ? object->element_bytes : 0;
}

static void count(struct meter *meter, const berth_op *op, const berth_result *result)
{
	berth_meter_counts *counts = &meter->counts;
	berth_memory memory;
	uint64_t bytes;

	counts->calls[op->kind]++;
	if (result->cl_status != CL_SUCCESS) {
		counts->refused[op->kind]++;
		return;
	}
	if (berth_op_kind_creates(op->kind))
		counts->created_bytes += result->bytes;
	else if (op->form != BERTH_FORM_NONE && op->kind != BERTH_OP_UNMAP &&
		 berth_op_moved_bytes(&bytes, op, element_bytes(meter, op)) == BERTH_OK)
		counts->moved_bytes[op->kind] += bytes;
	berth_device_memory(meter->inner, &memory);
	if (memory.in_use_bytes > counts->peak_in_use_bytes)
		counts->peak_in_use_bytes = memory.in_use_bytes;
	if (memory.live_objects > counts->peak_live_objects)
		counts->peak_live_objects = memory.live_objects;
}

static berth_status execute(berth_device *base, const berth_op *op, berth_result *result)
{
	struct meter *meter = (struct meter *)base;
	uint64_t begun_ns = berth__clock_ns(CLOCK_MONOTONIC);
	berth_status st = berth_device_execute(meter->inner, op, result);

	if (st != BERTH_OK)
		return st;
	meter->counts.duration_ns[op->kind] += berth__clock_ns(CLOCK_MONOTONIC) - begun_ns;
	/* Without room for it the table lacks an object: then an image's bytes are not counted. */
	if (result->cl_status == CL_SUCCESS && op->kind != BERTH_OP_MAP &&
	    op->kind != BERTH_OP_UNMAP)
		st = berth_objects_apply(meter->objects, op, NULL);
	count(meter, op, result);
	return BERTH_OK;
}

static void memory(const berth_device *base, berth_memory *out)
{
	berth_device_memory(((const struct meter *)base)->inner, out);
}

static void destroy(berth_device *base)
{
	struct meter *meter = (struct meter *)base;

	berth_objects_destroy(meter->objects);
	berth_device_destroy(meter->inner);
	free(meter->name);
	free(meter);
}

static const berth_device_ops device_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = execute,
	.memory = memory,
	.destroy = destroy,
};

berth_status berth_meter_create(berth_device **out, berth_device *inner)
{
	const char *inner_name = berth_device_name(inner);
	size_t name_bytes = sizeof("meter:") + strlen(inner_name);
	struct meter *meter = calloc(1, sizeof(*meter));
	char *name = malloc(name_bytes);

	if (!meter || !name || berth_objects_create(&meter->objects, NULL, NULL) != BERTH_OK) {
		free(meter);
		free(name);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a meter");
	}
	snprintf(name, name_bytes, "meter:%s", inner_name);
	meter->name = name;
	meter->inner = inner;
	meter->base = (berth_device){ &device_ops, berth_device_caps(inner), name };
	*out = &meter->base;
	return BERTH_OK;
}

const berth_meter_counts *berth_meter_get_counts(const berth_device *device)
{
	return device->ops == &device_ops ? &((const struct meter *)device)->counts : NULL;
}
