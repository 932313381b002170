/* SPDX-License-Identifier: Apache-2.0 */
/* The findings as they are handed out. */
#ifndef BERTH_REPLAY_FINDING_LIST_H
#define BERTH_REPLAY_FINDING_LIST_H

#include <berth/findings.h>

struct berth_findings {
	size_t count, capacity;
	size_t faults; /* that are no notes */
	berth_finding *items;
};

/* A new one, zeroed but for its rule; NULL: out of memory. */
berth_finding *berth__finding_list_append(berth_findings *findings, const char *rule);
/* Into the order of the rules; those of one rule stay as they came. */
void berth__finding_list_sort(berth_findings *findings);

#endif
