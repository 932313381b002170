/* SPDX-License-Identifier: Apache-2.0 */
/* When objects take their memory, and when they give it back. */
#ifndef BERTH_SIM_COMMIT_H
#define BERTH_SIM_COMMIT_H

#include "simulator.h"

/* What the objects take that this op is the first to use. */
struct berth__footprint berth__commit_footprint(struct berth__simulator *sim, const berth_op *op);

/* They take it. It fits. */
void berth__commit_touched(struct berth__simulator *sim, const berth_op *op);

/* A sync: what was released before it can be had after it. */
void berth__commit_give_unreturned(struct berth__simulator *sim);

/*
 * The buffer that a release leaves without memory though something lies on it, or NULL:
 * only on devices that do not retain parents.
 */
berth_object *berth__commit_loser(const struct berth__simulator *sim, const berth_op *op);
void berth__commit_lose(struct berth__simulator *sim, struct berth__root *root);

#endif
