/* SPDX-License-Identifier: Apache-2.0 */
/* What a device does apart from what it reports: which rules it checks, at which limits. */
#ifndef BERTH_SIM_BEHAVIOUR_H
#define BERTH_SIM_BEHAVIOUR_H

#include "simulator.h"

/* Room for rows of both tables. */
#define BERTH__BROKEN_MAX (2 * BERTH_RULES_BROKEN_MAX)

/* BERTH_E_INVAL: the detail names the field and what is allowed. */
berth_status berth__behaviour_validate(const berth_profile *profile);

/* The limits that are enforced, and whether there is anything else to look after. */
void berth__behaviour_init(struct berth__simulator *sim);

/*
 * The rows that an op breaks on this device, in the device's order; none: it accepts.
 * @is_regular: it breaks no row of the specification that the bytes depend on, so
 * that they can move as usual. Always true where the device does not depart.
 */
size_t berth__behaviour_check(const struct berth__simulator *sim, const berth_op *op,
			      const berth_rule *broken[BERTH__BROKEN_MAX], bool *is_regular);

/*
 * What to add to the reason of a refusal, because the limit in it is not the one that the
 * device reports; empty where it is.
 */
void berth__behaviour_note(const struct berth__simulator *sim, const berth_rule *rule, char *text,
			   size_t text_bytes);

/*
 * The op as the device takes it: one that rounds up row pitches takes an image on a
 * buffer without pitch as if it had been given. @return @op itself, or @changed.
 */
const berth_op *berth__behaviour_effective(const struct berth__simulator *sim, const berth_op *op,
					   berth_op *changed);

#endif
