/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Learning a profile: changes of a profile that may make a simulated device answer as the
 * probed one did, tried one by one.
 */
#ifndef BERTH_PROBE_LEARN_H
#define BERTH_PROBE_LEARN_H

#include "probe.h"

/* Rows that an op breaks, of both tables. */
#define PROBE_BROKEN_MAX (2 * BERTH_RULES_BROKEN_MAX)

#define PROBE_EDIT_DEVIATIONS 6

/* One change of a profile. */
struct probe_edit {
	enum { PROBE_EDIT_DEVIATIONS_AND_ORDER, PROBE_EDIT_BEHAVIOUR } what;
	berth_deviation deviations[PROBE_EDIT_DEVIATIONS]; /* to the first without a rule */
	const berth_rule *first; /* to be checked before all others; NULL: none */
	size_t behaviour;	 /* index of the behaviours that are tried */
};

/* Make a change; false when it changes nothing or there is no room. */
bool berth__probe_edit(berth_profile *profile, const struct probe_edit *edit,
		       const berth_caps *caps);

/* How many behaviours there are to try. */
extern const size_t berth__probe_behaviour_count;

/* What a simulated device answers to all cases. */
struct probe_guess {
	struct probe_reply (*replies)[PROBE_STEPS_MAX]; /* for each case */
	bool *same;					/* as the probed device */
	size_t wrong;					/* how many are not */
};

BERTH_MUST_CHECK berth_status berth__probe_guess_create(struct probe_guess *guess, size_t count);
void berth__probe_guess_free(struct probe_guess *guess);

/* Execute all cases on the profile. */
BERTH_MUST_CHECK berth_status berth__probe_guess(struct probe_guess *guess,
						 const berth_probe *probe,
						 const berth_profile *profile);

/* Whether the case ended or hung its process. */
bool berth__probe_was_fatal(const struct probe_run *run);

/* The first step at which a case differs, or PROBE_NO_STEP. */
int berth__probe_differs(const struct probe_run *run, const struct probe_reply guessed[]);

#endif
