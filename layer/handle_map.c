/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open addressing with linear probing; removal closes the gap, so there are no tombstones.
 *
 * Changes are made under the shard's lock, with its version odd. Who finds without the lock reads
 * words of 64 bits, each at once, and believes them when the version was even and is the same
 * afterwards. A table that became too small is kept: somebody may be in it; all of them together
 * are no larger than the one in use.
 */
#include "handle_map.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 64

/* Tries without the lock while others change the shard. */
#define TRIES 16

#define WORDS (sizeof(struct berth__handle) / sizeof(uint64_t))

static_assert(sizeof(struct berth__handle) % sizeof(uint64_t) == 0, "an entry is whole words");

static uint64_t hash(const void *handle)
{
	/* Fibonacci hashing: handles differ in their middle bits, the product mixes them up. */
	return (uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15);
}

static struct berth__handle_shard *shard_of(struct berth__handle_map *map, const void *handle)
{
	return &map->shards[hash(handle) >> 60];
}

/* ---- entries, word by word ---- */

/* Without a copy between: reading wide what was just written narrow stalls a processor. */
static void load(struct berth__handle *to, const struct berth__handle *from)
{
	for (size_t i = 0; i < WORDS; i++) {
		uint64_t word = __atomic_load_n((const uint64_t *)from + i, __ATOMIC_RELAXED);

		memcpy((unsigned char *)to + i * sizeof(word), &word, sizeof(word));
	}
}

static void store(struct berth__handle *to, const struct berth__handle *from)
{
	for (size_t i = 0; i < WORDS; i++) {
		uint64_t word;

		memcpy(&word, (const unsigned char *)from + i * sizeof(word), sizeof(word));
		__atomic_store_n((uint64_t *)to + i, word, __ATOMIC_RELAXED);
	}
}

static const void *load_handle(const struct berth__handle *place)
{
	return __atomic_load_n(&place->handle, __ATOMIC_RELAXED);
}

static void begin_change(struct berth__handle_shard *shard)
{
	uint32_t version = atomic_load_explicit(&shard->version, memory_order_relaxed);

	atomic_store_explicit(&shard->version, version + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

static void end_change(struct berth__handle_shard *shard)
{
	uint32_t version = atomic_load_explicit(&shard->version, memory_order_relaxed);

	atomic_store_explicit(&shard->version, version + 1, memory_order_release);
}

/* ---- places ---- */

static size_t first_place(size_t capacity, const void *handle)
{
	return (hash(handle) >> 24) & (capacity - 1);
}

/*
 * The place of a handle, or the free one where it would go. Without the lock the table may change
 * meanwhile: after a whole round NULL.
 */
static struct berth__handle *probe(struct berth__handle_table *table, const void *handle)
{
	size_t at = first_place(table->capacity, handle);

	for (size_t i = 0; i < table->capacity; i++) {
		const void *there = load_handle(&table->places[at]);

		if (!there || there == handle)
			return &table->places[at];
		at = (at + 1) & (table->capacity - 1);
	}
	return NULL;
}

/* With the lock. */
static struct berth__handle *find(const struct berth__handle_shard *shard, const void *handle)
{
	struct berth__handle_table *table = shard->table;
	struct berth__handle *place;

	if (!handle || !table || shard->count == 0)
		return NULL;
	place = probe(table, handle);
	return place && place->handle ? place : NULL;
}

static bool reserve_one(struct berth__handle_shard *shard)
{
	struct berth__handle_table *table = shard->table, *larger;
	size_t capacity = CAPACITY_MIN, bytes;

	if (table && (shard->count + 1) * 4 <= table->capacity * 3)
		return true;
	if (table && __builtin_mul_overflow(table->capacity, 2, &capacity))
		return false;
	if (__builtin_mul_overflow(capacity, sizeof(larger->places[0]), &bytes) ||
	    __builtin_add_overflow(bytes, sizeof(*larger), &bytes))
		return false;
	larger = calloc(1, bytes);
	if (!larger)
		return false;
	larger->smaller = table ? table : shard->forgotten;
	larger->capacity = capacity;
	for (size_t i = 0; table && i < table->capacity; i++)
		if (table->places[i].handle)
			*probe(larger, table->places[i].handle) = table->places[i];
	atomic_store_explicit(&shard->table, larger, memory_order_release);
	return true;
}

/* Entries behind the gap move up when their probe would now stop at it. */
static void remove_place(struct berth__handle_shard *shard, struct berth__handle *place)
{
	static const struct berth__handle none = { .handle = NULL };
	struct berth__handle_table *table = shard->table;
	struct berth__handle *places = table->places;
	size_t mask = table->capacity - 1;
	size_t gap = (size_t)(place - places);

	for (size_t at = (gap + 1) & mask; places[at].handle; at = (at + 1) & mask) {
		size_t wanted = first_place(table->capacity, places[at].handle);

		if (((at - wanted) & mask) < ((at - gap) & mask))
			continue;
		store(&places[gap], &places[at]);
		gap = at;
	}
	store(&places[gap], &none);
	shard->count--;
}

/* ---- the map ---- */

void berth__handle_map_init(struct berth__handle_map *map)
{
	for (size_t i = 0; i < BERTH__HANDLE_SHARDS; i++) {
		struct berth__handle_shard *shard = &map->shards[i];
		struct berth__handle_table *table = atomic_load(&shard->table);

		if (table)
			shard->forgotten = table;
		pthread_mutex_init(&shard->lock, NULL);
		atomic_store(&shard->version, 0);
		atomic_store(&shard->table, NULL);
		shard->count = 0;
	}
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

/* Both are words, or halves of one, that nobody who finds without the lock depends on. */
void berth__handle_set_extra(struct berth__handle *locked, void *extra)
{
	__atomic_store_n(&locked->extra, extra, __ATOMIC_RELAXED);
}

void berth__handle_set_flags(struct berth__handle *locked, uint32_t flags)
{
	__atomic_store_n(&locked->flags, flags, __ATOMIC_RELAXED);
}

static bool find_locked(struct berth__handle_map *map, const void *handle,
			struct berth__handle *out)
{
	struct berth__handle *place = berth__handle_lock(map, handle);

	if (!place)
		return false;
	*out = *place;
	berth__handle_unlock(map, handle);
	return true;
}

bool berth__handle_find(struct berth__handle_map *map, const void *handle,
			struct berth__handle *out)
{
	struct berth__handle_shard *shard = shard_of(map, handle);

	if (!handle)
		return false;
	for (int i = 0; i < TRIES; i++) {
		uint32_t version = atomic_load_explicit(&shard->version, memory_order_acquire);
		struct berth__handle_table *table =
			atomic_load_explicit(&shard->table, memory_order_acquire);
		struct berth__handle *place;

		if (version & 1)
			continue;
		place = table ? probe(table, handle) : NULL;
		if (place)
			load(out, place);
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load_explicit(&shard->version, memory_order_relaxed) == version)
			return place && out->handle == handle;
	}
	return find_locked(map, handle, out);
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
		place = probe(shard->table, entry->handle);
		*replaced = *place;
		shard->count += place->handle == NULL;
		begin_change(shard);
		store(place, entry);
		end_change(shard);
	}
	pthread_mutex_unlock(&shard->lock);
	return room;
}

/* Change the count of references of an entry, and take it out at 0; a copy as it then is. */
static bool count(struct berth__handle_map *map, const void *handle, uint32_t change,
		  struct berth__handle *out)
{
	struct berth__handle_shard *shard = shard_of(map, handle);
	struct berth__handle *place = berth__handle_lock(map, handle);

	if (!place)
		return false;
	*out = *place;
	out->references += change;
	if (out->references == 0) {
		begin_change(shard);
		remove_place(shard, place);
		end_change(shard);
	} else {
		/* One number: who finds gets the one or the other. */
		__atomic_store_n(&place->references, out->references, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&shard->lock);
	return true;
}

bool berth__handle_retain(struct berth__handle_map *map, const void *handle,
			  struct berth__handle *out)
{
	return count(map, handle, 1, out);
}

bool berth__handle_release(struct berth__handle_map *map, const void *handle,
			   struct berth__handle *out)
{
	return count(map, handle, UINT32_MAX, out);
}

bool berth__handle_restore(struct berth__handle_map *map, const struct berth__handle *released)
{
	struct berth__handle entry = *released, replaced;

	if (count(map, released->handle, 1, &replaced))
		return true;
	entry.references = 1;
	return berth__handle_insert(map, &entry, &replaced);
}
