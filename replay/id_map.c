/* SPDX-License-Identifier: Apache-2.0 */
#include "id_map.h"

#include <stdlib.h>
#include <unistd.h>

#define CAPACITY_FIRST 64

static size_t place_of(const struct berth__id_map *map, uint64_t key)
{
	uint64_t hash = (key ^ map->seed) * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return (size_t)(hash ^ hash >> 32) & (map->capacity - 1);
}

struct berth__id_entry *berth__id_map_find(const struct berth__id_map *map, uint64_t key)
{
	if (map->capacity == 0)
		return NULL;
	for (size_t i = place_of(map, key); map->entries[i].id; i = (i + 1) & (map->capacity - 1))
		if (map->entries[i].key == key)
			return &map->entries[i];
	return NULL;
}

static void put(struct berth__id_map *map, const struct berth__id_entry *entry)
{
	size_t i = place_of(map, entry->key);

	while (map->entries[i].id)
		i = (i + 1) & (map->capacity - 1);
	map->entries[i] = *entry;
}

static berth_status grow(struct berth__id_map *map)
{
	size_t capacity = map->capacity ? 2 * map->capacity : CAPACITY_FIRST;
	struct berth__id_map grown = { calloc(capacity, sizeof(*map->entries)), capacity,
				       map->count, map->seed };

	if (!grown.entries)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu addresses", map->count);
	/* Without one the keys just are not mixed further. */
	if (map->capacity == 0 && getentropy(&grown.seed, sizeof(grown.seed)) != 0)
		grown.seed = 0;
	for (size_t i = 0; i < map->capacity; i++)
		if (map->entries[i].id)
			put(&grown, &map->entries[i]);
	free(map->entries);
	*map = grown;
	return BERTH_OK;
}

berth_status berth__id_map_add(struct berth__id_map *map, const struct berth__id_entry *entry)
{
	/* At most two thirds are taken. */
	if (3 * (map->count + 1) > 2 * map->capacity) {
		berth_status st = grow(map);

		if (st != BERTH_OK)
			return st;
	}
	put(map, entry);
	map->count++;
	return BERTH_OK;
}

/* What follows in the run moves up, so that no search ends too early. */
void berth__id_map_remove(struct berth__id_map *map, struct berth__id_entry *entry)
{
	size_t mask = map->capacity - 1, hole = (size_t)(entry - map->entries);

	map->entries[hole].id = 0;
	map->count--;
	for (size_t i = (hole + 1) & mask; map->entries[i].id; i = (i + 1) & mask) {
		size_t home = place_of(map, map->entries[i].key);

		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		map->entries[hole] = map->entries[i];
		map->entries[i].id = 0;
		hole = i;
	}
}

void berth__id_map_free(struct berth__id_map *map)
{
	free(map->entries);
	*map = (struct berth__id_map){ 0 };
}
