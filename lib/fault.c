/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fault device. Budgets need to know when an object is gone, so it keeps a
 * table of objects of its own; only when there is a budget.
 */
#include <berth/fault.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include <berth/objects.h>

#include "fault_spec.h"

/* Those that a program cannot see failing; they count only where they are named. */
#define QUIET_KINDS                                                                                \
	(1u << BERTH_OP_LABEL | 1u << BERTH_OP_ORDER | 1u << BERTH_OP_SYNC | 1u << BERTH_OP_RELEASE)

struct fault_state {
	uint64_t seen;	 /* ops that count for this fault */
	uint64_t random; /* of a rate */
};

struct fault_device {
	berth_device base;
	berth_device *inner; /* owned */
	berth_fault_spec spec;
	struct fault_state states[BERTH_FAULTS_MAX];
	berth_fault_counts counts;
	berth_objects *objects; /* with a budget only */
	uint64_t in_use_bytes;
	int32_t lost_code; /* 0: not lost */
	char *name;
};

/* SplitMix64: any seed is as good as another. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

/* In [0, 1). */
static double next_chance(uint64_t *state)
{
	return (double)(next_random(state) >> 11) * 0x1p-53;
}

static bool counts_for(const berth_fault *fault, const berth_op *op)
{
	return (fault->kinds ? fault->kinds : ~QUIET_KINDS) >> op->kind & 1;
}

static bool owns_memory(const berth_op *op)
{
	return berth_op_kind_creates(op->kind) && op->other == BERTH_ID_NONE;
}

/* What a creation asks for; UINT64_MAX when that does not fit 64 bits. */
static uint64_t wanted_bytes(const berth_op *op)
{
	uint64_t bytes = op->bytes;

	if (op->kind == BERTH_OP_PIPE_CREATE &&
	    __builtin_mul_overflow((uint64_t)op->packet_bytes, op->packet_count, &bytes))
		return UINT64_MAX;
	if (op->kind == BERTH_OP_IMAGE_CREATE &&
	    berth_op_host_bytes(&bytes, op,
				berth_format_element_bytes(op->image.order,
							   op->image.channel_type)) != BERTH_OK)
		return UINT64_MAX;
	return bytes;
}

static bool over_budget(const struct fault_device *device, const berth_fault *fault,
			const berth_op *op)
{
	uint64_t after;

	return owns_memory(op) &&
	       (__builtin_add_overflow(device->in_use_bytes, wanted_bytes(op), &after) ||
		after > fault->number);
}

/* Whether this fault strikes now. Every fault counts each op, whichever strikes. */
static bool strikes(struct fault_device *device, size_t index, const berth_op *op)
{
	const berth_fault *fault = &device->spec.faults[index];
	struct fault_state *state = &device->states[index];

	switch (fault->kind) {
	case BERTH_FAULT_NTH:
		return counts_for(fault, op) && ++state->seen == fault->number;
	case BERTH_FAULT_RATE:
		return counts_for(fault, op) && next_chance(&state->random) < fault->rate;
	case BERTH_FAULT_BUDGET:
		return over_budget(device, fault, op);
	case BERTH_FAULT_LOST:
		return ++state->seen >= fault->number;
	}
	return false;
}

static int32_t code_of(const berth_fault *fault, const berth_op *op)
{
	if (fault->code)
		return fault->code;
	if (fault->kind == BERTH_FAULT_LOST)
		return CL_DEVICE_NOT_AVAILABLE;
	return berth_op_kind_creates(op->kind) ? CL_MEM_OBJECT_ALLOCATION_FAILURE
					       : CL_OUT_OF_RESOURCES;
}

/* The first fault of the specification that strikes, or NULL. */
static const berth_fault *find_fault(struct fault_device *device, const berth_op *op)
{
	const berth_fault *found = NULL;

	for (uint32_t i = 0; i < device->spec.count; i++)
		if (strikes(device, i, op) && !found)
			found = &device->spec.faults[i];
	return found;
}

static void explain(const struct fault_device *device, const berth_fault *fault, const berth_op *op,
		    int32_t code)
{
	char what[160];

	berth_op_describe(op, what, sizeof(what));
	if (fault && fault->kind == BERTH_FAULT_BUDGET)
		berth_error_set(BERTH_E_CL, code,
				"%s: made to fail: %" PRIu64 " bytes in use, budget %" PRIu64, what,
				device->in_use_bytes, fault->number);
	else
		berth_error_set(BERTH_E_CL, code, "%s: made to fail, op %" PRIu64 " of the device",
				what, device->counts.ops);
}

static berth_status fail(struct fault_device *device, const berth_fault *fault, const berth_op *op,
			 berth_result *result)
{
	result->cl_status = device->lost_code ? device->lost_code : code_of(fault, op);
	device->counts.failed++;
	if (device->counts.first == 0)
		device->counts.first = device->counts.ops;
	explain(device, fault, op, result->cl_status);
	return BERTH_OK;
}

static void on_end(berth_object *object, void *userdata)
{
	struct fault_device *device = userdata;

	if (object->root == object)
		device->in_use_bytes -= object->bytes;
}

static bool changes_objects(const berth_op *op)
{
	return berth_op_kind_creates(op->kind) || op->kind == BERTH_OP_RETAIN ||
	       op->kind == BERTH_OP_RELEASE || op->kind == BERTH_OP_SVM_FREE;
}

/* Keep the table what the inner device holds. */
static berth_status follow(struct fault_device *device, const berth_op *op)
{
	berth_object *created = NULL;
	berth_status st = berth_objects_apply(device->objects, op, &created);

	if (created && created->root == created)
		device->in_use_bytes += created->bytes;
	/* The inner device accepted what the table cannot follow, as a release of NULL. */
	return st == BERTH_E_NOMEM ? st : BERTH_OK;
}

/* The program thinks that it does not have it, and neither has the inner device. */
static void take_back(struct fault_device *device, const berth_op *op)
{
	const berth_op opposite = berth_op_opposite(op);
	berth_result result;
	berth_status st = berth_device_execute(device->inner, &opposite, &result);

	(void)st; /* What cannot be released goes with the inner device. */
}

static berth_status pass_on(struct fault_device *device, const berth_op *op, berth_result *result)
{
	berth_status st = berth_device_execute(device->inner, op, result);

	if (st != BERTH_OK || !device->objects || result->cl_status != CL_SUCCESS ||
	    !changes_objects(op))
		return st;
	st = follow(device, op);
	if (st != BERTH_OK && berth_op_kind_creates(op->kind))
		take_back(device, op);
	return st;
}

/* A lost device still lets go: a program must be able to end. */
static void let_go(struct fault_device *device, const berth_op *op)
{
	berth_result result;
	berth_status st;

	if (op->kind != BERTH_OP_RELEASE && op->kind != BERTH_OP_SVM_FREE)
		return;
	st = pass_on(device, op, &result);
	(void)st; /* The answer is the lost device's. */
}

static berth_status execute(berth_device *base, const berth_op *op, berth_result *result)
{
	struct fault_device *device = (struct fault_device *)base;
	const berth_fault *fault;

	device->counts.ops++;
	fault = find_fault(device, op);
	if (fault && fault->kind == BERTH_FAULT_LOST && !device->lost_code)
		device->lost_code = code_of(fault, op);
	if (device->lost_code)
		let_go(device, op);
	if (fault || device->lost_code)
		return fail(device, fault, op, result);
	return pass_on(device, op, result);
}

static void memory(const berth_device *base, berth_memory *out)
{
	berth_device_memory(((const struct fault_device *)base)->inner, out);
}

static void destroy(berth_device *base)
{
	struct fault_device *device = (struct fault_device *)base;

	berth_objects_destroy(device->objects);
	berth_device_destroy(device->inner);
	free(device->name);
	free(device);
}

static const berth_device_ops device_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = execute,
	.memory = memory,
	.destroy = destroy,
};

static bool has_budget(const berth_fault_spec *spec)
{
	for (uint32_t i = 0; i < spec->count; i++)
		if (spec->faults[i].kind == BERTH_FAULT_BUDGET)
			return true;
	return false;
}

static berth_status init(struct fault_device *device, const berth_fault_spec *spec)
{
	const char *inner_name = berth_device_name(device->inner);
	size_t name_bytes = sizeof("fault:") + strlen(inner_name);

	device->spec = *spec;
	for (uint32_t i = 0; i < spec->count; i++)
		device->states[i].random = spec->faults[i].seed;
	device->name = malloc(name_bytes);
	if (!device->name)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a fault device");
	snprintf(device->name, name_bytes, "fault:%s", inner_name);
	device->base =
		(berth_device){ &device_ops, berth_device_caps(device->inner), device->name };
	return has_budget(spec) ? berth_objects_create(&device->objects, on_end, device) : BERTH_OK;
}

berth_status berth_fault_create(berth_device **out, const berth_fault_spec *spec,
				berth_device *inner)
{
	berth_status st = berth__fault_check(spec);
	struct fault_device *device;

	if (st != BERTH_OK)
		return st;
	device = calloc(1, sizeof(*device));
	if (!device)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a fault device");
	device->inner = inner;
	st = init(device, spec);
	if (st != BERTH_OK) {
		free(device->name);
		free(device);
		return st;
	}
	*out = &device->base;
	return BERTH_OK;
}

const berth_fault_counts *berth_fault_get_counts(const berth_device *device)
{
	if (device->ops != &device_ops)
		return NULL;
	return &((const struct fault_device *)device)->counts;
}
