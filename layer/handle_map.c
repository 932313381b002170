/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing; removal closes the gap, so there are no tombstones. */
#include "handle_map.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 64

static uint64_t hash(const void *handle)
{
	/* Fibonacci hashing: handles differ in their middle bits, the product mixes them up. */
	return (uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15);
}

static struct berth__handle_shard *shard_of(struct berth__handle_map *map, const void *handle)
{
	return &map->shards[hash(handle) >> 60];
}

static size_t first_place(const struct berth__handle_shard *shard, const void *handle)
{
	return (hash(handle) >> 24) & (shard->capacity - 1);
}

/* The place of a handle, or the free one where it would go. */
static struct berth__handle *probe(const struct berth__handle_shard *shard, const void *handle)
{
	size_t at = first_place(shard, handle);

	while (shard->places[at].handle && shard->places[at].handle != handle)
		at = (at + 1) & (shard->capacity - 1);
	return &shard->places[at];
}

static struct berth__handle *find(const struct berth__handle_shard *shard, const void *handle)
{
	struct berth__handle *place;

	if (!handle || shard->count == 0)
		return NULL;
	place = probe(shard, handle);
	return place->handle ? place : NULL;
}

static bool reserve_one(struct berth__handle_shard *shard)
{
	struct berth__handle_shard larger = { .capacity = CAPACITY_MIN };

	if (shard->capacity && (shard->count + 1) * 4 <= shard->capacity * 3)
		return true;
	if (shard->capacity && __builtin_mul_overflow(shard->capacity, 2, &larger.capacity))
		return false;
	larger.places = calloc(larger.capacity, sizeof(*larger.places));
	if (!larger.places)
		return false;
	for (size_t i = 0; i < shard->capacity; i++)
		if (shard->places[i].handle)
			*probe(&larger, shard->places[i].handle) = shard->places[i];
	free(shard->places);
	shard->places = larger.places;
	shard->capacity = larger.capacity;
	return true;
}

/* Entries behind the gap move up when their probe would now stop at it. */
static void remove_place(struct berth__handle_shard *shard, struct berth__handle *place)
{
	size_t mask = shard->capacity - 1;
	size_t gap = (size_t)(place - shard->places);

	for (size_t at = (gap + 1) & mask; shard->places[at].handle; at = (at + 1) & mask) {
		size_t wanted = first_place(shard, shard->places[at].handle);

		if (((at - wanted) & mask) < ((at - gap) & mask))
			continue;
		shard->places[gap] = shard->places[at];
		gap = at;
	}
	shard->places[gap] = (struct berth__handle){ .handle = NULL };
	shard->count--;
}

void berth__handle_map_init(struct berth__handle_map *map)
{
	for (size_t i = 0; i < BERTH__HANDLE_SHARDS; i++)
		map->shards[i] = (struct berth__handle_shard){ .lock = PTHREAD_MUTEX_INITIALIZER };
}

struct berth__handle *berth__handle_lock(struct berth__handle_map *map, const void *handle)
{
	struct berth__handle_shard *shard = shard_of(map, handle);
	struct berth__handle *place;

	pthread_mutex_lock(&shard->lock);
	place = find(shard, handle);
	if (!place)
		pthread_mutex_unlock(&shard->lock);
	return place;
}

void berth__handle_unlock(struct berth__handle_map *map, const void *handle)
{
	pthread_mutex_unlock(&shard_of(map, handle)->lock);
}

bool berth__handle_find(struct berth__handle_map *map, const void *handle,
			struct berth__handle *out)
{
	struct berth__handle *place = berth__handle_lock(map, handle);

	if (!place)
		return false;
	*out = *place;
	berth__handle_unlock(map, handle);
	return true;
}

bool berth__handle_insert(struct berth__handle_map *map, const struct berth__handle *entry,
			  struct berth__handle *replaced)
{
	struct berth__handle_shard *shard = shard_of(map, entry->handle);
	struct berth__handle *place;
	bool room;

	pthread_mutex_lock(&shard->lock);
	room = reserve_one(shard);
	if (room) {
		place = probe(shard, entry->handle);
		*replaced = *place;
		shard->count += place->handle == NULL;
		*place = *entry;
	}
	pthread_mutex_unlock(&shard->lock);
	return room;
}

bool berth__handle_retain(struct berth__handle_map *map, const void *handle,
			  struct berth__handle *out)
{
	struct berth__handle *place = berth__handle_lock(map, handle);

	if (!place)
		return false;
	place->references++;
	*out = *place;
	berth__handle_unlock(map, handle);
	return true;
}

bool berth__handle_release(struct berth__handle_map *map, const void *handle,
			   struct berth__handle *out)
{
	struct berth__handle *place = berth__handle_lock(map, handle);

	if (!place)
		return false;
	place->references--;
	*out = *place;
	if (place->references == 0)
		remove_place(shard_of(map, handle), place);
	berth__handle_unlock(map, handle);
	return true;
}

bool berth__handle_restore(struct berth__handle_map *map, const struct berth__handle *released)
{
	struct berth__handle entry = *released, replaced;
	struct berth__handle *place = berth__handle_lock(map, released->handle);

	if (place) {
		place->references++;
		berth__handle_unlock(map, released->handle);
		return true;
	}
	entry.references = 1;
	return berth__handle_insert(map, &entry, &replaced);
}
