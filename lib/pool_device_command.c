/* SPDX-License-Identifier: Apache-2.0 */
/* The ops of the pool device that make no object: the same op with the inner device's ids. */
#include "pool_device.h"

#include <CL/cl.h>
#include <inttypes.h>
#include <stdlib.h>

#include <berth/rules.h>

uint64_t berth__pool_device_inner_id(const struct berth__pool_device *device, uint64_t id)
{
	const berth_object *object;

	if (id == BERTH_ID_NONE || id == BERTH_ID_UNKNOWN)
		return id;
	object = berth_objects_find(device->objects, id);
	return object ? ((const struct berth__backing *)object->user)->inner_id : BERTH_ID_UNKNOWN;
}

/* The inner device has named its own ids; say it again with the caller's. */
static void explain(const struct berth__pool_device *device, const berth_op *op,
		    const berth_result *result)
{
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];
	char why[BERTH_ERROR_MESSAGE_BYTES];

	if (berth_rules_check(device->base.caps, device->objects, op, broken) == 0)
		return;
	berth_rule_explain(broken[0], device->base.caps, device->objects, op, why, sizeof(why));
	berth_error_set(BERTH_OK, result->cl_status, "%s", why);
}

berth_status berth__pool_device_pass(struct berth__pool_device *device, const berth_op *op,
				     const berth_op *translated, berth_result *result)
{
	berth_status st = berth_device_execute(device->inner, translated, result);

	if (st == BERTH_OK && result->cl_status != CL_SUCCESS)
		explain(device, op, result);
	return st;
}

/* References are counted here: an inner object has one, and goes with the last. */
static berth_status count_reference(struct berth__pool_device *device, const berth_op *op,
				    berth_result *result)
{
	berth_op translated = *op;

	if (berth_objects_find(device->objects, op->object))
		return berth_objects_apply(device->objects, op, NULL);
	translated.object = berth__pool_device_inner_id(device, op->object);
	return berth__pool_device_pass(device, op, &translated, result);
}

static berth_status translate_uses(struct berth__pool_device *device, const berth_op *op)
{
	berth_object_use *uses = device->uses;

	if (op->use_count > device->uses_capacity) {
		uses = reallocarray(device->uses, op->use_count, sizeof(*uses));
		if (!uses)
			return berth_error_set(BERTH_E_NOMEM, 0,
					       "no memory for a list of %" PRIu32 " objects",
					       op->use_count);
		device->uses = uses;
		device->uses_capacity = op->use_count;
	}
	for (uint32_t i = 0; i < op->use_count; i++) {
		uses[i] = op->uses[i];
		uses[i].object = berth__pool_device_inner_id(device, op->uses[i].object);
	}
	return BERTH_OK;
}

static void unmap_again(struct berth__pool_device *device, const berth_op *map)
{
	const berth_op unmap = { .kind = BERTH_OP_UNMAP,
				 .form = map->form == BERTH_FORM_SVM ? map->form : BERTH_FORM_NONE,
				 .object = map->object,
				 .mapping = map->mapping };
	berth_result result;
	berth_status st = berth_device_execute(device->inner, &unmap, &result);

	(void)st; /* The caller is told of the first failure. */
}

/* What the inner device has freed is not freed again when the objects end. */
static void forget_freed(struct berth__pool_device *device, const berth_op *op)
{
	uint32_t count = op->uses ? op->use_count : 0;

	for (uint32_t i = 0; i <= count; i++) {
		uint64_t id = i < count ? op->uses[i].object : op->object;
		const berth_object *object = id ? berth_objects_find(device->objects, id) : NULL;
		struct berth__backing *backing = object ? object->user : NULL;

		if (!backing || !backing->is_svm)
			continue;
		device->stats.passed_through_bytes -= backing->own_bytes;
		backing->inner_id = backing->own_bytes = 0;
	}
}

static berth_status pass_command(struct berth__pool_device *device, const berth_op *op,
				 berth_result *result)
{
	bool changes_objects = op->kind == BERTH_OP_MAP || op->kind == BERTH_OP_UNMAP ||
			       op->kind == BERTH_OP_SVM_FREE;
	berth_op translated = *op;
	berth_status st = translate_uses(device, op);

	if (st != BERTH_OK)
		return st;
	translated.object = berth__pool_device_inner_id(device, op->object);
	translated.other = berth__pool_device_inner_id(device, op->other);
	translated.uses = device->uses;
	if (op->kind == BERTH_OP_COPY && op->form != BERTH_FORM_SVM)
		return berth__pool_device_copy(device, op, &translated, result);
	st = berth__pool_device_pass(device, op, &translated, result);
	if (st != BERTH_OK || result->cl_status != CL_SUCCESS || !changes_objects)
		return st;
	if (op->kind == BERTH_OP_SVM_FREE)
		forget_freed(device, op);
	st = berth_objects_apply(device->objects, op, NULL);
	if (st != BERTH_OK && op->kind == BERTH_OP_MAP)
		unmap_again(device, &translated);
	return st;
}

berth_status berth__pool_device_command(struct berth__pool_device *device, const berth_op *op,
					berth_result *result)
{
	if (op->kind == BERTH_OP_RETAIN || op->kind == BERTH_OP_RELEASE)
		return count_reference(device, op, result);
	return pass_command(device, op, result);
}
