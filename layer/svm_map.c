/* SPDX-License-Identifier: Apache-2.0 */
#include "svm_map.h"

#include <stdlib.h>
#include <string.h>

void berth__svm_map_init(struct berth__svm_map *map)
{
	memset(map, 0, sizeof(*map));
	pthread_mutex_init(&map->lock, NULL);
}

/* How many allocations begin at or below an address. */
static size_t up_to(const struct berth__svm_map *map, const void *pointer)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((uintptr_t)map->items[middle].base <= (uintptr_t)pointer)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool reserve(void **items, size_t *capacity, size_t count, size_t item_bytes)
{
	size_t wanted = *capacity ? *capacity * 2 : 16;
	void *grown;

	if (count < *capacity)
		return true;
	grown = reallocarray(*items, wanted, item_bytes);
	if (!grown)
		return false;
	*items = grown;
	*capacity = wanted;
	return true;
}

bool berth__svm_map_add(struct berth__svm_map *map, const struct berth__svm *svm)
{
	size_t at;
	bool added = true;

	pthread_mutex_lock(&map->lock);
	at = up_to(map, svm->base);
	if (at > 0 && map->items[at - 1].base == svm->base) {
		map->items[at - 1] = *svm;
	} else if (reserve((void **)&map->items, &map->capacity, map->count, sizeof(*svm))) {
		memmove(map->items + at + 1, map->items + at,
			(map->count - at) * sizeof(*map->items));
		map->items[at] = *svm;
		map->count++;
	} else {
		added = false;
	}
	pthread_mutex_unlock(&map->lock);
	return added;
}

/* The allocation that holds a pointer; with the lock. */
static struct berth__svm *holder(const struct berth__svm_map *map, const void *pointer)
{
	size_t at = up_to(map, pointer);
	struct berth__svm *svm = at > 0 ? &map->items[at - 1] : NULL;

	return svm && (uintptr_t)pointer - (uintptr_t)svm->base < svm->bytes ? svm : NULL;
}

bool berth__svm_map_find(struct berth__svm_map *map, const void *pointer, struct berth__svm *out)
{
	const struct berth__svm *svm;

	memset(out, 0, sizeof(*out));
	if (!pointer)
		return false;
	pthread_mutex_lock(&map->lock);
	svm = holder(map, pointer);
	if (svm)
		*out = *svm;
	pthread_mutex_unlock(&map->lock);
	return svm != NULL;
}

bool berth__svm_map_take(struct berth__svm_map *map, const void *base, struct berth__svm *out)
{
	struct berth__svm *svm;

	memset(out, 0, sizeof(*out));
	if (!base)
		return false;
	pthread_mutex_lock(&map->lock);
	svm = holder(map, base);
	if (svm && svm->base != base)
		svm = NULL;
	if (svm) {
		*out = *svm;
		map->count--;
		memmove(svm, svm + 1,
			(size_t)(map->items + map->count - svm) * sizeof(*map->items));
	}
	pthread_mutex_unlock(&map->lock);
	return svm != NULL;
}

bool berth__svm_mapping_add(struct berth__svm_map *map, const struct berth__svm_mapping *mapping)
{
	bool added;

	pthread_mutex_lock(&map->lock);
	added = reserve((void **)&map->mappings, &map->mapping_capacity, map->mapping_count,
			sizeof(*map->mappings));
	if (added)
		map->mappings[map->mapping_count++] = *mapping;
	pthread_mutex_unlock(&map->lock);
	return added;
}

struct berth__svm_mapping berth__svm_mapping_take(struct berth__svm_map *map, const void *pointer)
{
	struct berth__svm_mapping taken = { .id = 0 };

	pthread_mutex_lock(&map->lock);
	for (size_t at = map->mapping_count; at-- > 0 && !taken.id;) {
		if (map->mappings[at].pointer != pointer)
			continue;
		taken = map->mappings[at];
		map->mapping_count--;
		memmove(map->mappings + at, map->mappings + at + 1,
			(map->mapping_count - at) * sizeof(*map->mappings));
	}
	pthread_mutex_unlock(&map->lock);
	return taken;
}
