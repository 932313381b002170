/* SPDX-License-Identifier: Apache-2.0 */
/* What no plan can be below: sums of what is alive together. And who is, as lists. */
#ifndef BERTH_PLAN_BOUND_H
#define BERTH_PLAN_BOUND_H

#include "plan_normalise.h"

/* Set problem.bound and live_bytes. False when out of memory. */
bool berth__plan_bound(struct plan_group *group, const struct plan_chains *chains);

/* Set problem.adjacent from the conflict list of the input. False when out of memory. */
bool berth__plan_list_conflicts(struct plan_group *group, const berth_plan_input *input,
				const struct plan_chains *chains);

#endif
