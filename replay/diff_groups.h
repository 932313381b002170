/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of two traces by what they are: how many of a kind, and how many at the peak. */
#ifndef BERTH_REPLAY_DIFF_GROUPS_H
#define BERTH_REPLAY_DIFF_GROUPS_H

#include <berth/objects.h>
#include <berth/trace_diff.h>

struct berth__diff_groups;

/* BERTH_OK, BERTH_E_NOMEM. */
berth_status berth__diff_groups_create(struct berth__diff_groups **out);
void berth__diff_groups_destroy(struct berth__diff_groups *groups);

/* An object of trace @side (0, 1) begins or ends. The two must be told of the same object. */
void berth__diff_groups_begin(struct berth__diff_groups *groups, int side,
			      const berth_object *object);
void berth__diff_groups_end(struct berth__diff_groups *groups, int side,
			    const berth_object *object);

/* Trace @side is at its peak: remember what is alive. */
void berth__diff_groups_peak(struct berth__diff_groups *groups, int side);

/* Into @diff: the groups that differ. BERTH_OK, BERTH_E_NOMEM. */
berth_status berth__diff_groups_tell(const struct berth__diff_groups *groups,
				     berth_trace_diff *diff);

#endif
