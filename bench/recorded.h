/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads from files: the creations and releases of a trace, or the lifetimes of a
 * table or of allocation lists, in their order.
 */
#ifndef BERTH_BENCH_RECORDED_H
#define BERTH_BENCH_RECORDED_H

#include <berth/plan_input.h>

#include "workload.h"

/*
 * The model again and again, so that there are at least least_steps, and at the end
 * up to where most is alive. 0; -1 without memory, or with a block of 4 GiB or more,
 * or none at all.
 */
int workload_from_model(struct workload *out, const berth_plan_model *model, size_t least_steps);

#endif
