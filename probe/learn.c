/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Learning: begin with the specification at the device's limits, and as long as a case
 * comes out differently, make the change that sets most cases right. Broad changes come
 * before narrow ones: of equal ones, the first is taken.
 */
#include "learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Changes that are tried for one case. */
#define EDITS_MAX 256

struct learner {
	const berth_probe *probe;
	berth_profile best;
	struct probe_guess guess; /* of the best */
	struct probe_guess trial;
	struct probe_edit edits[EDITS_MAX];
	size_t edit_count;
};

static void add_edit(struct learner *learner, const struct probe_edit *edit)
{
	if (learner->edit_count < EDITS_MAX)
		learner->edits[learner->edit_count++] = *edit;
}

/* A deviation of a row in all scopes, the broadest first. */
static void add_deviations(struct learner *learner, const berth_rule *rule, const berth_op *op,
			   berth_deviation_answer answer, int32_t code)
{
	const uint32_t kind = 1u << op->kind, form = 1u << op->form;
	const uint32_t scopes[][2] = { { 0, 0 }, { kind, 0 }, { 0, form }, { kind, form } };

	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
		struct probe_edit edit = { .what = PROBE_EDIT_DEVIATIONS_AND_ORDER };

		if (scopes[i][1] && op->form == BERTH_FORM_NONE)
			continue;
		edit.deviations[0] =
			(berth_deviation){ rule, scopes[i][0], scopes[i][1], answer, code };
		add_edit(learner, &edit);
		edit.first = rule;
		add_edit(learner, &edit);
	}
}

/* The rows of both tables that a step breaks, on the state that the device's answers made. */
static size_t broken_at(const berth_rule *broken[PROBE_BROKEN_MAX], const struct probe_run *run,
			int step, const berth_caps *caps)
{
	berth_objects *objects;
	size_t count = 0;

	if (berth_objects_create(&objects, NULL, NULL) != BERTH_OK)
		return 0;
	for (int i = 0; i < step; i++)
		if (run->replies[i].done && run->replies[i].status == BERTH_OK &&
		    run->replies[i].cl_status == CL_SUCCESS &&
		    berth_objects_apply(objects, &run->steps[i].op, NULL) != BERTH_OK)
			break;
	count = berth_rules_check(caps, objects, &run->steps[step].op, broken);
	count += berth_quirks_check(caps, objects, &run->steps[step].op, broken + count);
	berth_objects_destroy(objects);
	return count;
}

/*
 * Rows that are part of another: the row holds for some of its cases only, which a quirk
 * names. Then the row is accepted, and the quirk answers as the row did.
 */
static void add_parts(struct learner *learner, const berth_rule *rule, const berth_op *op,
		      int32_t code)
{
	const berth_rule *quirk;

	for (size_t i = 0; (quirk = berth_quirks_at(i)); i++) {
		const uint32_t kind = 1u << op->kind, form = op->form ? 1u << op->form : 0;
		struct probe_edit edit = { .what = PROBE_EDIT_DEVIATIONS_AND_ORDER };

		if (!(quirk->kinds & kind))
			continue;
		edit.deviations[0] =
			(berth_deviation){ rule, kind, form, BERTH_DEVIATION_ACCEPT, 0 };
		edit.deviations[1] =
			(berth_deviation){ quirk, kind, form, BERTH_DEVIATION_CODE, code };
		add_edit(learner, &edit);
	}
}

/* Accept all that the op breaks, and all that the first use of what it makes breaks. */
static void add_accept_all(struct learner *learner, const struct probe_run *run)
{
	const int steps[] = { run->test, run->use };

	for (int narrow = 0; narrow < 2; narrow++) {
		struct probe_edit edit = { .what = PROBE_EDIT_DEVIATIONS_AND_ORDER };
		size_t used = 0;

		for (size_t i = 0; i < 2 && steps[i] != PROBE_NO_STEP; i++) {
			const berth_rule *broken[PROBE_BROKEN_MAX];
			const berth_op *op = &run->steps[steps[i]].op;
			const size_t count =
				broken_at(broken, run, steps[i], &learner->probe->caps);

			for (size_t j = 0; j < count && used < PROBE_EDIT_DEVIATIONS; j++)
				edit.deviations[used++] =
					(berth_deviation){ broken[j], narrow ? 1u << op->kind : 0,
							   narrow && op->form ? 1u << op->form : 0,
							   BERTH_DEVIATION_ACCEPT, 0 };
		}
		add_edit(learner, &edit);
	}
}

/* What might make this case come out as seen. */
static void propose(struct learner *learner, const struct probe_run *run, int step)
{
	const struct probe_reply *seen = &run->replies[step];
	const berth_op *op = &run->steps[step].op;
	const berth_rule *broken[PROBE_BROKEN_MAX];
	const size_t count = broken_at(broken, run, step, &learner->probe->caps);
	berth_deviation_answer answer = BERTH_DEVIATION_CRASH;

	learner->edit_count = 0;
	if (!berth__probe_was_fatal(run))
		answer = seen->cl_status == CL_SUCCESS ? BERTH_DEVIATION_ACCEPT
						       : BERTH_DEVIATION_CODE;
	for (size_t i = 0; i < berth__probe_behaviour_count; i++)
		add_edit(learner,
			 &(struct probe_edit){ .what = PROBE_EDIT_BEHAVIOUR, .behaviour = i });
	for (size_t i = 0; i < count; i++)
		add_edit(learner, &(struct probe_edit){ .first = broken[i] });
	for (size_t i = 0; i < count; i++)
		add_deviations(learner, broken[i], op, answer,
			       answer == BERTH_DEVIATION_CODE ? seen->cl_status : 0);
	for (size_t i = 0; i < count && answer == BERTH_DEVIATION_ACCEPT; i++)
		add_parts(learner, broken[i], op,
			  learner->guess.replies[run - learner->probe->runs][step].cl_status);
	if (answer == BERTH_DEVIATION_ACCEPT)
		add_accept_all(learner, run);
}

static berth_status try_edits(struct learner *learner, bool *better)
{
	size_t least = learner->guess.wrong, chosen = 0;
	berth_profile profile;

	*better = false;
	for (size_t i = 0; i < learner->edit_count; i++) {
		berth_status st;

		profile = learner->best;
		if (!berth__probe_edit(&profile, &learner->edits[i], &learner->probe->caps))
			continue;
		st = berth__probe_guess(&learner->trial, learner->probe, &profile);
		if (st == BERTH_E_INVAL)
			continue; /* no profile at all */
		if (st != BERTH_OK)
			return st;
		if (learner->trial.wrong < least) {
			least = learner->trial.wrong;
			chosen = i;
			*better = true;
		}
	}
	if (!*better)
		return BERTH_OK;
	berth__probe_edit(&learner->best, &learner->edits[chosen], &learner->probe->caps);
	return berth__probe_guess(&learner->guess, learner->probe, &learner->best);
}

/* All cases once. */
static berth_status improve(struct learner *learner, bool *better)
{
	const berth_probe *probe = learner->probe;

	*better = false;
	for (size_t i = 0; i < probe->count; i++) {
		bool this_one;
		int step;
		berth_status st;

		if (!probe->runs[i].applicable || learner->guess.same[i])
			continue;
		step = berth__probe_differs(&probe->runs[i], learner->guess.replies[i]);
		propose(learner, &probe->runs[i], step);
		st = try_edits(learner, &this_one);
		if (st != BERTH_OK)
			return st;
		*better |= this_one;
	}
	return BERTH_OK;
}

/* What was measured, where it was. */
static void take_measures(berth_profile *profile, const berth_probe_measures *measures)
{
	const uint64_t pitch = measures->map_row_pitch_bytes;

	profile->transfer = measures->transfer;
	if (measures->image_slice_pitch_bytes)
		profile->behaviour.slice_pitch_2d = BERTH_SLICE_PITCH_ROWS;
	/* The largest power of two that divides it. */
	if (pitch > measures->image_row_bytes && (pitch & -pitch) <= UINT32_MAX)
		profile->behaviour.map_pitch_align_bytes = (uint32_t)(pitch & -pitch);
}

static void begin(struct learner *learner, const berth_probe *probe, uint64_t capacity_bytes)
{
	berth_profile *profile = &learner->best;
	const berth_caps *caps = &probe->caps;

	learner->probe = probe;
	berth_profile_init_reference(profile, caps);
	profile->memory.capacity_bytes = capacity_bytes;
	take_measures(profile, &probe->measures);
	snprintf(profile->name, sizeof(profile->name), "%.60s", caps->name);
	snprintf(profile->source, sizeof(profile->source), "berth probe of '%.70s', driver '%.60s'",
		 caps->device_version, caps->driver_version);
}

static void tell_differences(const struct learner *learner, berth_probe_visit_fn *differs,
			     void *userdata)
{
	const berth_probe *probe = learner->probe;

	for (size_t i = 0; differs && i < probe->count; i++)
		if (probe->runs[i].applicable && !learner->guess.same[i])
			differs(&probe->runs[i].answer, userdata);
}

/* From the specification, with a capacity, to where no change makes it better. */
static berth_status learn_with(struct learner *learner, const berth_probe *probe,
			       uint64_t capacity_bytes)
{
	bool better = true;
	berth_status st;

	begin(learner, probe, capacity_bytes);
	st = berth__probe_guess(&learner->guess, probe, &learner->best);
	while (st == BERTH_OK && better)
		st = improve(learner, &better);
	return st;
}

/* What a process can address: more than any host's memory, less than sizes made to overflow. */
#define ADDRESS_SPACE_BYTES (UINT64_C(1) << 47)

/*
 * A device that accepts objects larger than the memory it reports needs a profile without
 * that limit, which no single change shows to be better: so begin with several.
 */
static berth_status learn(struct learner *learner, const berth_probe *probe)
{
	const berth_caps *caps = &probe->caps;
	const uint64_t capacities[] = {
		caps->global_mem_bytes > caps->max_alloc_bytes ? caps->global_mem_bytes :
								 caps->max_alloc_bytes,
		ADDRESS_SPACE_BYTES,
		UINT64_MAX,
	};
	const size_t count = sizeof(capacities) / sizeof(capacities[0]);
	size_t best = 0, fewest = SIZE_MAX;
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < count; i++) {
		st = learn_with(learner, probe, capacities[i]);
		if (st == BERTH_OK && learner->guess.wrong < fewest) {
			fewest = learner->guess.wrong;
			best = i;
		}
	}
	return st == BERTH_OK && best + 1 < count ? learn_with(learner, probe, capacities[best])
						  : st;
}

berth_status berth_probe_learn(berth_profile *out, const berth_probe *probe,
			       berth_probe_visit_fn *differs, void *userdata)
{
	struct learner *learner = calloc(1, sizeof(*learner));
	berth_status st;

	if (!learner)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to learn a profile");
	st = berth__probe_guess_create(&learner->guess, probe->count);
	if (st == BERTH_OK)
		st = berth__probe_guess_create(&learner->trial, probe->count);
	if (st == BERTH_OK)
		st = learn(learner, probe);
	if (st == BERTH_OK) {
		*out = learner->best;
		tell_differences(learner, differs, userdata);
	}
	berth__probe_guess_free(&learner->guess);
	berth__probe_guess_free(&learner->trial);
	free(learner);
	return st;
}
