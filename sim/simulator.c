/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulator: an op is checked by the rules, then by the memory model, then
 * its effects are prepared; only when all of that went well does anything change.
 */
#include "simulator.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "effect.h"

typedef struct berth__simulator simulator;

static simulator *simulator_of(berth_device *device)
{
	return (simulator *)device;
}

static void on_end(berth_object *object, void *userdata)
{
	simulator *sim = userdata;
	struct berth__root *root = object->user;

	if (root && root->committed)
		berth__memory_give(&sim->memory, &root->footprint);
	berth__root_free(root);
	object->user = NULL;
}

void berth__sim_commit(struct berth__simulator *sim, struct berth__root *root)
{
	if (root->committed)
		return;
	root->committed = true;
	berth__memory_take(&sim->memory, &root->footprint);
}

static berth_status refuse(const simulator *sim, const berth_op *op,
			   const berth_rule *const broken[], size_t count, berth_result *result)
{
	char why[BERTH_ERROR_MESSAGE_BYTES];

	berth_rules_answer(broken, count, result);
	berth_rule_explain(broken[0], &sim->profile.caps, sim->objects, op, why, sizeof(why));
	berth_error_set(BERTH_E_CL, result->cl_status, "%s", why);
	return BERTH_OK;
}

berth_status berth__sim_refuse_memory(const struct berth__simulator *sim, const berth_op *op,
				      const char *rule, const struct berth__footprint *more,
				      berth_result *result)
{
	char what[256], in_all[32];
	uint64_t with = berth__memory_with(&sim->memory, more);
	uint64_t in_use = berth__memory_in_use_bytes(&sim->memory);

	result->cl_status = sim->profile.memory.out_of_memory_code;
	result->rule = rule;
	berth_op_describe(op, what, sizeof(what));
	snprintf(in_all, sizeof(in_all), "%" PRIu64, with - in_use);
	berth_error_set(BERTH_E_CL, result->cl_status,
			"%s: out of device memory: %s bytes requested, %" PRIu64
			" in use, capacity %" PRIu64,
			what, with == UINT64_MAX ? "more than 2^64" : in_all, in_use,
			sim->memory.model.capacity_bytes);
	return BERTH_OK;
}

/* The n-th object whose memory an op needs, or BERTH_ID_NONE past the last. */
static uint64_t touched_id(const berth_op *op, uint32_t n)
{
	switch (op->kind) {
	case BERTH_OP_WRITE:
	case BERTH_OP_READ:
	case BERTH_OP_FILL:
	case BERTH_OP_MAP:
		return n == 0 ? op->object : BERTH_ID_NONE;
	case BERTH_OP_COPY:
		return n == 0 ? op->object : n == 1 ? op->other : BERTH_ID_NONE;
	case BERTH_OP_MIGRATE:
	case BERTH_OP_USE:
		return n < op->use_count ? op->uses[n].object : BERTH_ID_NONE;
	default:
		return BERTH_ID_NONE;
	}
}

static uint32_t touched_count(const berth_op *op)
{
	return op->kind == BERTH_OP_MIGRATE || op->kind == BERTH_OP_USE ? op->use_count : 2;
}

static struct berth__root *uncommitted(const simulator *sim, const berth_op *op, uint32_t n)
{
	uint64_t id = touched_id(op, n);
	const berth_object *object = id ? berth_objects_find(sim->objects, id) : NULL;

	return object && !berth__root_of(object)->committed ? berth__root_of(object) : NULL;
}

/* What the objects take that this op is the first to use. */
static struct berth__footprint first_use_footprint(simulator *sim, const berth_op *op)
{
	struct berth__footprint more = { 0, 0 };

	if (sim->memory.model.commit != BERTH_COMMIT_FIRST_USE)
		return more;
	sim->op_number++;
	for (uint32_t i = 0; i < touched_count(op); i++) {
		struct berth__root *root = uncommitted(sim, op, i);

		if (!root || root->seen_in_op == sim->op_number)
			continue;
		root->seen_in_op = sim->op_number;
		berth__footprint_add(&more, &root->footprint);
	}
	return more;
}

static void commit_touched(simulator *sim, const berth_op *op)
{
	if (sim->memory.model.commit != BERTH_COMMIT_FIRST_USE)
		return;
	for (uint32_t i = 0; i < touched_count(op); i++) {
		struct berth__root *root = uncommitted(sim, op, i);

		if (root)
			berth__sim_commit(sim, root);
	}
}

/* Pitches of a map: the image's own; 1D and 2D have no slice pitch (R91, R116). */
static void answer_map(const berth_object *object, const berth_op *op, berth_result *result)
{
	if (op->form != BERTH_FORM_IMAGE)
		return;
	result->row_pitch_bytes = object->row_pitch_bytes;
	result->slice_pitch_bytes = object->slice_pitch_bytes;
}

/* The answer of an op on an object that gives more than a status. */
static void answer_values(const simulator *sim, const berth_op *op, berth_result *result)
{
	const berth_object *object;

	if (op->kind != BERTH_OP_MAP && (op->kind != BERTH_OP_READ || !sim->ghost))
		return;
	object = berth_objects_find(sim->objects, op->object);
	if (op->kind == BERTH_OP_MAP)
		answer_map(object, op, result);
	/* A ghost knows no content. The rules have seen that the bytes fit the object. */
	if (sim->ghost &&
	    berth_op_moved_bytes(&result->unknown_bytes, op, object->element_bytes) != BERTH_OK)
		result->unknown_bytes = UINT64_MAX;
}

static bool changes_objects(berth_op_kind kind)
{
	return kind == BERTH_OP_RETAIN || kind == BERTH_OP_RELEASE || kind == BERTH_OP_MAP ||
	       kind == BERTH_OP_UNMAP;
}

/* An op that the rules and the memory model accept, and that creates nothing. */
static berth_status perform(simulator *sim, const berth_op *op, berth_result *result)
{
	struct berth__effect effect;
	berth_status st;

	if (!sim->ghost) {
		st = berth__effect_prepare(&effect, sim->objects, op);
		if (st != BERTH_OK)
			return st;
	}
	if (changes_objects(op->kind)) {
		st = berth_objects_apply(sim->objects, op, NULL);
		if (st != BERTH_OK) {
			if (!sim->ghost)
				berth__effect_finish(&effect);
			return st;
		}
	}
	commit_touched(sim, op);
	if (!sim->ghost) {
		result->unknown_bytes = effect.unknown_bytes;
		result->mapped = effect.mapped;
		berth__effect_perform(&effect);
	}
	answer_values(sim, op, result);
	return BERTH_OK;
}

static berth_status execute(berth_device *device, const berth_op *op, berth_result *result)
{
	simulator *sim = simulator_of(device);
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];
	struct berth__footprint more;
	size_t count;

	if (berth_op_kind_creates(op->kind) && berth__sim_check_new_id(sim, op) != BERTH_OK)
		return BERTH_E_STATE;
	count = berth_rules_check(&sim->profile.caps, sim->objects, op, broken);
	if (count > 0)
		return refuse(sim, op, broken, count, result);
	if (berth_op_kind_creates(op->kind))
		return berth__sim_create_object(sim, op, result);
	more = first_use_footprint(sim, op);
	if (!berth__memory_fits(&sim->memory, &more))
		return berth__sim_refuse_memory(sim, op, "R5", &more, result);
	return perform(sim, op, result);
}

static void memory(const berth_device *device, berth_memory *out)
{
	const simulator *sim = (const simulator *)device;

	out->live_objects = berth_objects_count(sim->objects);
	out->in_use_bytes = berth__memory_in_use_bytes(&sim->memory);
	out->peak_bytes = sim->memory.peak_bytes;
	if (sim->memory.model.capacity_bytes != UINT64_MAX)
		out->capacity_bytes = sim->memory.model.capacity_bytes;
}

static void destroy(berth_device *device)
{
	simulator *sim = simulator_of(device);

	berth_objects_destroy(sim->objects);
	free(sim);
}

static const berth_device_ops device_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = execute,
	.memory = memory,
	.destroy = destroy,
};

berth_status berth_sim_create(berth_device **out, const berth_profile *profile,
			      const berth_sim_options *options)
{
	static const berth_sim_options defaults = BERTH_SIM_OPTIONS_INIT;
	berth_status st = berth__memory_model_validate(&profile->memory);
	simulator *sim;

	if (st == BERTH_OK)
		st = berth_caps_validate(&profile->caps);
	if (st != BERTH_OK)
		return st;
	if (!memchr(profile->name, '\0', sizeof(profile->name)))
		return berth_error_set(BERTH_E_INVAL, 0, "the profile's name does not end");
	if (!options)
		options = &defaults;
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.size is %" PRIu32
				       ", %zu is needed: start from the header's _INIT macro",
				       options->size, sizeof(*options));
	sim = calloc(1, sizeof(*sim));
	if (!sim)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a simulated device");
	sim->profile = *profile;
	if (options->capacity_bytes)
		sim->profile.memory.capacity_bytes = options->capacity_bytes;
	sim->memory.model = sim->profile.memory;
	sim->ghost = options->ghost;
	snprintf(sim->name, sizeof(sim->name), "sim:%s", sim->profile.name);
	sim->base = (berth_device){ &device_ops, &sim->profile.caps, sim->name };
	st = berth_objects_create(&sim->objects, on_end, sim);
	if (st != BERTH_OK) {
		free(sim);
		return st;
	}
	*out = &sim->base;
	return BERTH_OK;
}
