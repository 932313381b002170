/* SPDX-License-Identifier: Apache-2.0 */
#include "report_map.h"

#include <stdlib.h>

#define CAPACITY_FIRST 64

/* Ids are often consecutive: the multiplication spreads them (Knuth's constant). */
static size_t home_of(const struct berth__report_map *map, uint64_t id)
{
	return (size_t)((id * 0x9e3779b97f4a7c15u) >> 20) & (map->capacity - 1);
}

/* The id's place, or the empty one where it would be. */
static size_t place_of(const struct berth__report_map *map, uint64_t id)
{
	size_t place = home_of(map, id);

	while (map->indexes[place] != BERTH__REPORT_NO_INDEX && map->ids[place] != id)
		place = (place + 1) & (map->capacity - 1);
	return place;
}

uint32_t berth__report_map_find(const struct berth__report_map *map, uint64_t id)
{
	return map->capacity ? map->indexes[place_of(map, id)] : BERTH__REPORT_NO_INDEX;
}

static berth_status grow(struct berth__report_map *map)
{
	struct berth__report_map larger = {
		.capacity = map->capacity ? map->capacity * 2 : CAPACITY_FIRST,
		.count = map->count,
	};

	larger.ids = calloc(larger.capacity, sizeof(*larger.ids));
	larger.indexes = calloc(larger.capacity, sizeof(*larger.indexes));
	if (!larger.ids || !larger.indexes) {
		berth__report_map_free(&larger);
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory for %zu objects",
				       map->count);
	}
	for (size_t i = 0; i < larger.capacity; i++)
		larger.indexes[i] = BERTH__REPORT_NO_INDEX;
	for (size_t i = 0; i < map->capacity; i++) {
		size_t place;

		if (map->indexes[i] == BERTH__REPORT_NO_INDEX)
			continue;
		place = place_of(&larger, map->ids[i]);
		larger.ids[place] = map->ids[i];
		larger.indexes[place] = map->indexes[i];
	}
	berth__report_map_free(map);
	*map = larger;
	return BERTH_OK;
}

berth_status berth__report_map_put(struct berth__report_map *map, uint64_t id, uint32_t index)
{
	size_t place;

	/* At most three quarters full, so that a search ends soon. */
	if (map->count >= map->capacity / 4 * 3) {
		berth_status st = grow(map);

		if (st != BERTH_OK)
			return st;
	}
	place = place_of(map, id);
	if (map->indexes[place] == BERTH__REPORT_NO_INDEX)
		map->count++;
	map->ids[place] = id;
	map->indexes[place] = index;
	return BERTH_OK;
}

void berth__report_map_remove(struct berth__report_map *map, uint64_t id)
{
	size_t mask = map->capacity - 1, hole, next;

	if (berth__report_map_find(map, id) == BERTH__REPORT_NO_INDEX)
		return;
	hole = place_of(map, id);
	map->count--;
	/* What comes behind and may lie in the hole moves there: no search ends too soon. */
	for (next = (hole + 1) & mask; map->indexes[next] != BERTH__REPORT_NO_INDEX;
	     next = (next + 1) & mask) {
		if (((next - home_of(map, map->ids[next])) & mask) < ((next - hole) & mask))
			continue;
		map->ids[hole] = map->ids[next];
		map->indexes[hole] = map->indexes[next];
		hole = next;
	}
	map->indexes[hole] = BERTH__REPORT_NO_INDEX;
}

void berth__report_map_free(struct berth__report_map *map)
{
	free(map->ids);
	free(map->indexes);
	*map = (struct berth__report_map){ 0 };
}
