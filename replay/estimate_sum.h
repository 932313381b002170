/* SPDX-License-Identifier: Apache-2.0 */
/* Adding up the estimated times of a replay. */
#ifndef BERTH_REPLAY_ESTIMATE_SUM_H
#define BERTH_REPLAY_ESTIMATE_SUM_H

#include <berth/replay.h>

/* @op succeeded with @result. */
void berth__estimate_sum(berth_replay_estimate *estimate, const berth_op *op,
			 const berth_result *result);

#endif
