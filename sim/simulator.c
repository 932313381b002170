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

#include "behaviour.h"
#include "commit.h"
#include "effect.h"
#include "estimate.h"
#include "irregular.h"
#include "staged_map.h"

typedef struct berth__simulator simulator;

static simulator *simulator_of(berth_device *device)
{
	return (simulator *)device;
}

static void on_end(berth_object *object, void *userdata)
{
	simulator *sim = userdata;
	struct berth__root *root = object->user;

	berth__staged_map_forget(sim, object);
	berth__pinned_remove(sim, object->id, 0);
	if (root)
		berth__sim_give(sim, root);
	berth__root_free(root);
	object->user = NULL;
}

static berth_status refuse(simulator *sim, const berth_op *op, const berth_rule *const broken[],
			   size_t count, berth_result *result)
{
	char why[BERTH_ERROR_MESSAGE_BYTES], note[96];
	berth_status st =
		berth_deviations_answer(&sim->profile.deviations, op, broken, count, result);

	if (st != BERTH_OK) {
		sim->is_lost = true;
		return st;
	}
	berth_rule_explain(broken[0], &sim->enforced, sim->objects, op, why, sizeof(why));
	berth__behaviour_note(sim, broken[0], note, sizeof(note));
	berth_error_set(BERTH_E_CL, result->cl_status, "%s%s", why, note);
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
	result->missing_bytes = with - in_use;
	berth_op_describe(op, what, sizeof(what));
	snprintf(in_all, sizeof(in_all), "%" PRIu64, with - in_use);
	berth_error_set(BERTH_E_CL, result->cl_status,
			"%s: out of device memory: %s bytes requested, %" PRIu64
			" in use, capacity %" PRIu64,
			what, with == UINT64_MAX ? "more than 2^64" : in_all, in_use,
			sim->memory.model.capacity_bytes);
	return BERTH_OK;
}

/* Pitches of a map: the image's own; 1D and 2D have no slice pitch (R91, R116). */
static void answer_map(const simulator *sim, const berth_object *object, const berth_op *op,
		       berth_result *result)
{
	if (op->form == BERTH_FORM_IMAGE)
		berth__staged_map_pitches(sim, object, op, &result->row_pitch_bytes,
					  &result->slice_pitch_bytes);
}

/* The answer of an op on an object that gives more than a status. */
static void answer_values(const simulator *sim, const berth_op *op, berth_result *result)
{
	const berth_object *object;

	if (op->kind != BERTH_OP_MAP && (op->kind != BERTH_OP_READ || !sim->ghost))
		return;
	object = berth_objects_find(sim->objects, op->object);
	if (op->kind == BERTH_OP_MAP)
		answer_map(sim, object, op, result);
	/* A ghost knows no content. The rules have seen that the bytes fit the object. */
	if (sim->ghost &&
	    berth_op_moved_bytes(&result->unknown_bytes, op, object->element_bytes) != BERTH_OK)
		result->unknown_bytes = UINT64_MAX;
}

static bool changes_objects(berth_op_kind kind)
{
	return kind == BERTH_OP_RETAIN || kind == BERTH_OP_RELEASE || kind == BERTH_OP_MAP ||
	       kind == BERTH_OP_UNMAP || kind == BERTH_OP_SVM_FREE;
}

/* What an op does to content, prepared so that it cannot fail any more. */
struct prepared {
	struct berth__effect effect;
	struct berth__staged_map *staged; /* of a map whose pitch is not the image's */
};

static berth_status prepare(struct prepared *p, simulator *sim, const berth_op *op)
{
	berth_status st;

	p->staged = NULL;
	if (op->kind == BERTH_OP_MAP) {
		st = berth__pinned_reserve(sim, op);
		if (st == BERTH_OK)
			st = berth__staged_map_create(
				&p->staged, sim, berth_objects_find(sim->objects, op->object), op);
		if (st != BERTH_OK)
			return st;
	}
	st = berth__effect_prepare(&p->effect, sim->objects, op);
	if (st != BERTH_OK)
		berth__staged_map_free(p->staged);
	return st;
}

static void give_up(struct prepared *p)
{
	berth__effect_finish(&p->effect);
	berth__staged_map_free(p->staged);
}

static void complete(struct prepared *p, simulator *sim, const berth_op *op, berth_result *result)
{
	result->unknown_bytes = p->effect.unknown_bytes;
	result->mapped = p->effect.mapped;
	berth__effect_perform(&p->effect);
	if (p->staged)
		result->mapped = berth__staged_map_keep(sim, p->staged);
	if (op->kind == BERTH_OP_MAP)
		berth__pinned_add(sim, op, result->mapped);
}

/* What a mapping leaves behind when it ends. */
static void end_mapping(simulator *sim, const berth_op *op)
{
	if (op->kind != BERTH_OP_UNMAP || sim->ghost)
		return;
	berth__staged_map_unmap(sim, berth_objects_find(sim->objects, op->object), op);
	berth__pinned_remove(sim, op->object, op->mapping);
}

static berth_status apply(simulator *sim, const berth_op *op)
{
	berth_object *loser = berth__commit_loser(sim, op);
	berth_status st = berth_objects_apply(sim->objects, op, NULL);

	if (st == BERTH_OK && loser)
		berth__commit_lose(sim, berth__root_of(loser));
	return st;
}

/* An op that the rules and the memory model accept, and that creates nothing. */
static berth_status perform(simulator *sim, const berth_op *op, berth_result *result)
{
	struct prepared prepared;
	berth_status st;

	if (!sim->ghost) {
		st = prepare(&prepared, sim, op);
		if (st != BERTH_OK)
			return st;
	}
	if (changes_objects(op->kind)) {
		end_mapping(sim, op);
		st = apply(sim, op);
		if (st != BERTH_OK) {
			if (!sim->ghost)
				give_up(&prepared);
			return st;
		}
	}
	if (op->kind == BERTH_OP_SYNC)
		berth__commit_give_unreturned(sim);
	if (!sim->ghost)
		complete(&prepared, sim, op, result);
	answer_values(sim, op, result);
	return BERTH_OK;
}

static berth_status perform_irregular(simulator *sim, const berth_op *op, berth_result *result)
{
	berth_status st = berth__irregular_perform(sim, op, result);

	if (st == BERTH_OK)
		end_mapping(sim, op);
	return st;
}

/* An op that the device accepts: whether there is memory for it, then its effect. */
static berth_status accept(simulator *sim, const berth_op *op, bool is_regular,
			   berth_result *result)
{
	struct berth__footprint more;
	berth_op without_list;
	berth_status st;

	if (berth_op_kind_creates(op->kind))
		return berth__sim_create_object(sim, op, result);
	if (op->use_count > 0 && !op->uses) {
		without_list = *op;
		without_list.use_count = 0;
		op = &without_list;
	}
	more = berth__commit_footprint(sim, op);
	if (!berth__memory_fits(&sim->memory, &more))
		return berth__sim_refuse_memory(sim, op, "R5", &more, result);
	if (is_regular && (!sim->departs || sim->ghost || berth__irregular_fits(sim, op)))
		st = perform(sim, op, result);
	else
		st = perform_irregular(sim, op, result);
	if (st == BERTH_OK)
		berth__commit_touched(sim, op);
	return st;
}

static berth_status execute(berth_device *device, const berth_op *op, berth_result *result)
{
	simulator *sim = simulator_of(device);
	const berth_rule *broken[BERTH__BROKEN_MAX];
	berth_op changed;
	bool is_regular;
	size_t count;
	berth_status st;

	if (sim->is_lost)
		return berth_error_set(BERTH_E_LOST, 0, "%s has crashed before", sim->name);
	if (berth_op_kind_creates(op->kind) && berth__sim_check_new_id(sim, op) != BERTH_OK)
		return BERTH_E_STATE;
	op = berth__behaviour_effective(sim, op, &changed);
	count = berth__behaviour_check(sim, op, broken, &is_regular);
	if (count > 0)
		return refuse(sim, op, broken, count, result);
	berth__estimate(sim, op, result);
	st = accept(sim, op, is_regular, result);
	if (st != BERTH_OK || result->cl_status != CL_SUCCESS) {
		result->has_estimate = false;
		result->estimated_ns = 0;
	}
	return st;
}

static void memory(const berth_device *device, berth_memory *out)
{
	const simulator *sim = (const simulator *)device;

	out->live_objects = berth_objects_count(sim->objects);
	out->in_use_bytes = berth__memory_in_use_bytes(&sim->memory);
	out->peak_bytes = sim->memory.peak_bytes;
	out->unreturned_bytes = berth__memory_of(&sim->memory, &sim->unreturned);
	if (sim->memory.model.capacity_bytes == UINT64_MAX)
		return;
	out->capacity_bytes = sim->memory.model.capacity_bytes;
	out->available_bytes = out->capacity_bytes - out->in_use_bytes;
}

static void destroy(berth_device *device)
{
	simulator *sim = simulator_of(device);

	berth_objects_destroy(sim->objects);
	free(sim->pinned);
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
	if (st == BERTH_OK)
		st = berth__behaviour_validate(profile);
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
	sim->has_transfer_model = berth_transfer_times_known(&profile->transfer);
	berth__behaviour_init(sim);
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
