/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate_sum.h"

#include <berth/transfer.h>

/* Where the time of each way of moving bytes is counted. */
static uint64_t *sum_of(berth_replay_estimate *estimate, int kind)
{
	switch (kind) {
	case BERTH_TRANSFER_WRITE_PAGEABLE:
	case BERTH_TRANSFER_WRITE_PINNED:
	case BERTH_TRANSFER_UNMAP:
		return &estimate->to_device_ns;
	case BERTH_TRANSFER_READ_PAGEABLE:
	case BERTH_TRANSFER_READ_PINNED:
	case BERTH_TRANSFER_MAP:
		return &estimate->to_host_ns;
	case BERTH_TRANSFER_COPY:
	case BERTH_TRANSFER_FILL:
		return &estimate->on_device_ns;
	case BERTH_TRANSFER_LAUNCH:
		return &estimate->launch_ns;
	default:
		return NULL;
	}
}

void berth__estimate_sum(berth_replay_estimate *estimate, const berth_op *op,
			 const berth_result *result)
{
	uint64_t *sum = sum_of(estimate, berth_transfer_kind_of(op, false));

	if (!sum)
		return;
	if (!result->has_estimate) {
		estimate->ops_unknown++;
		return;
	}
	estimate->ops++;
	if (__builtin_add_overflow(*sum, result->estimated_ns, sum))
		*sum = UINT64_MAX;
}
