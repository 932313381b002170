/* SPDX-License-Identifier: Apache-2.0 */
/* Estimated times of a simulated device's answers, and which memory of the host is pinned. */
#ifndef BERTH_SIM_ESTIMATE_H
#define BERTH_SIM_ESTIMATE_H

#include "simulator.h"

/* Before an op is applied: the time it takes, where the model knows that. */
void berth__estimate(const struct berth__simulator *sim, const berth_op *op, berth_result *result);

/* Room for one more mapping, if @op makes one of pinned memory. BERTH_E_NOMEM. */
berth_status berth__pinned_reserve(struct berth__simulator *sim, const berth_op *op);

/* After a map: what is at @mapped is pinned, if the object is of such memory. */
void berth__pinned_add(struct berth__simulator *sim, const berth_op *op, const void *mapped);

/* A mapping has ended; 0: all of the object. */
void berth__pinned_remove(struct berth__simulator *sim, uint64_t object, uint64_t mapping);

#endif
