/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of a profile. */
#include "learn.h"

#include <string.h>

typedef void behaviour_fn(berth_profile *profile, const berth_caps *caps);

static void commit_first_use(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->memory.commit = BERTH_COMMIT_FIRST_USE;
}

static void commit_migrate(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->memory.commit = BERTH_COMMIT_MIGRATE;
}

static void no_max_alloc(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->behaviour.max_alloc_enforced = BERTH_MAX_ALLOC_NONE;
}

static void max_alloc_by_flag(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->behaviour.max_alloc_enforced = BERTH_MAX_ALLOC_FLAG;
}

static void align_1(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->behaviour.subbuffer_align_enforced_bytes = 1;
}

static void align_4(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->behaviour.subbuffer_align_enforced_bytes = 4;
}

static void align_half(berth_profile *profile, const berth_caps *caps)
{
	const uint32_t align = berth_caps_base_align_bytes(caps);

	profile->behaviour.subbuffer_align_enforced_bytes = align > 1 ? align / 2 : 1;
}

static void pitch0_tight(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->behaviour.from_buffer_pitch0 = BERTH_PITCH0_TIGHT;
}

static void pitch0_round_up(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->behaviour.from_buffer_pitch0 = BERTH_PITCH0_ROUND_UP;
}

static void tight_from_buffer(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->behaviour.from_buffer_size = BERTH_FROM_BUFFER_TIGHT;
}

static void enforce_bytes(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->behaviour.pitch_unit_enforced = BERTH_ENFORCED_BYTES;
}

static void no_capacity(berth_profile *profile, const berth_caps *caps)
{
	(void)caps;
	profile->memory.capacity_bytes = UINT64_MAX;
}

static behaviour_fn *const behaviours[] = {
	no_capacity,	   commit_first_use, commit_migrate,	no_max_alloc,
	max_alloc_by_flag, align_1,	     align_4,		align_half,
	pitch0_tight,	   pitch0_round_up,  tight_from_buffer, enforce_bytes,
};

const size_t berth__probe_behaviour_count = sizeof(behaviours) / sizeof(behaviours[0]);

static berth_deviation *same_scope(berth_deviations *all, const berth_deviation *as)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (all->items[i].rule == as->rule && all->items[i].kinds == as->kinds &&
		    all->items[i].forms == as->forms)
			return &all->items[i];
	return NULL;
}

static bool deviate(berth_deviations *all, const berth_deviation *deviation)
{
	berth_deviation *old = same_scope(all, deviation);

	if (!old)
		return berth_deviations_add(all, deviation) == BERTH_OK;
	if (old->answer == deviation->answer && old->code == deviation->code)
		return false;
	*old = *deviation;
	return true;
}

/* Before all that are there, wherever it was. */
static bool put_first(berth_deviations *all, const berth_rule *rule)
{
	uint32_t at = 0;

	while (at < all->first_count && all->first[at] != rule)
		at++;
	if (at == all->first_count) {
		if (at == BERTH_ORDER_MAX)
			return false;
		all->first_count++;
	} else if (at == 0) {
		return false;
	}
	memmove(&all->first[1], &all->first[0], at * sizeof(all->first[0]));
	all->first[0] = rule;
	return true;
}

bool berth__probe_edit(berth_profile *profile, const struct probe_edit *edit,
		       const berth_caps *caps)
{
	bool changed = false;

	if (edit->what == PROBE_EDIT_BEHAVIOUR) {
		behaviours[edit->behaviour](profile, caps);
		return true;
	}
	if (edit->first)
		changed = put_first(&profile->deviations, edit->first);
	for (int i = 0; i < PROBE_EDIT_DEVIATIONS && edit->deviations[i].rule; i++)
		changed |= deviate(&profile->deviations, &edit->deviations[i]);
	return changed;
}
