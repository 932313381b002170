/* SPDX-License-Identifier: Apache-2.0 */
/* From numbers of a file (addresses, threads) to what stands for them now. */
#ifndef BERTH_REPLAY_ID_MAP_H
#define BERTH_REPLAY_ID_MAP_H

#include <berth/status.h>

struct berth__id_entry {
	uint64_t key;
	uint64_t id; /* never 0 */
	uint64_t bytes;
};

/* Zeroed it is empty. */
struct berth__id_map {
	struct berth__id_entry *entries; /* open addressing; id 0: free */
	size_t capacity, count;
	uint64_t seed; /* addresses of a forged file cannot be chosen to collide */
};

/* NULL: not there. Borrowed until the map changes. */
struct berth__id_entry *berth__id_map_find(const struct berth__id_map *map, uint64_t key);
/* The key is not there. BERTH_OK or BERTH_E_NOMEM. */
BERTH_MUST_CHECK berth_status berth__id_map_add(struct berth__id_map *map,
						const struct berth__id_entry *entry);
void berth__id_map_remove(struct berth__id_map *map, struct berth__id_entry *entry);
void berth__id_map_free(struct berth__id_map *map);

#endif
