/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from ids to indexes, with open addressing; grows, and gives nothing back. */
#ifndef BERTH_REPLAY_REPORT_MAP_H
#define BERTH_REPLAY_REPORT_MAP_H

#include <berth/status.h>

#define BERTH__REPORT_NO_INDEX UINT32_MAX

struct berth__report_map {
	uint64_t *ids;
	uint32_t *indexes; /* BERTH__REPORT_NO_INDEX: the place is empty */
	size_t capacity;   /* a power of two, or 0 */
	size_t count;
};

/* @return the index, or BERTH__REPORT_NO_INDEX. */
uint32_t berth__report_map_find(const struct berth__report_map *map, uint64_t id);

/* Add, or give another index. BERTH_OK, BERTH_E_NOMEM. */
BERTH_MUST_CHECK berth_status berth__report_map_put(struct berth__report_map *map, uint64_t id,
						    uint32_t index);

/* An id that is not there is fine. */
void berth__report_map_remove(struct berth__report_map *map, uint64_t id);

void berth__report_map_free(struct berth__report_map *map);

#endif
