/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ops that a device accepts although they break a rule on which the bytes depend: a
 * write that leaves its object, overlapping regions, a handle of nothing. No byte
 * moves; what the op could have changed is unknown afterwards.
 */
#ifndef BERTH_SIM_IRREGULAR_H
#define BERTH_SIM_IRREGULAR_H

#include "simulator.h"

/*
 * Whether the bytes that an op covers lie inside of the memory of its objects, which
 * is not so for objects that should not have been made: a sub-buffer that leaves its
 * buffer, an image that is larger than the buffer below it.
 */
bool berth__irregular_fits(const struct berth__simulator *sim, const berth_op *op);

/* The effect of an op that moves no bytes for such a reason. Creates nothing. */
berth_status berth__irregular_perform(struct berth__simulator *sim, const berth_op *op,
				      berth_result *result);

#endif
