/* SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

#include <stdlib.h>
#include <string.h>

#define CACHE_LINE_BYTES ((size_t)64)

#define CHUNK_BITS 8
#define CHUNK_RECORDS (1u << CHUNK_BITS)

/* A slot whose serial number would begin again is not used any more. */
#define LAST_SERIAL UINT32_MAX

static struct berth__slot *slot_at(const struct berth__slots *slots, uint32_t index)
{
	char *chunk = slots->chunks[index >> CHUNK_BITS];

	return (struct berth__slot *)(chunk + (index & (CHUNK_RECORDS - 1)) * slots->record_bytes);
}

/* Each begins at a line of the cache. */
void berth__slots_init(struct berth__slots *slots, size_t record_bytes, size_t zeroed_bytes)
{
	*slots = (struct berth__slots){
		.record_bytes = (record_bytes + CACHE_LINE_BYTES - 1) & ~(CACHE_LINE_BYTES - 1),
		.zeroed_bytes = zeroed_bytes,
	};
}

void berth__slots_fini(struct berth__slots *slots)
{
	for (uint32_t i = 0; i < slots->chunk_count; i++)
		free(slots->chunks[i]);
	free(slots->chunks);
	berth__slots_init(slots, slots->record_bytes, slots->zeroed_bytes);
}

static bool add_chunk(struct berth__slots *slots)
{
	uint32_t first = slots->chunk_count << CHUNK_BITS;
	void **chunks, *chunk = NULL;

	if (slots->chunk_count >= UINT32_MAX >> CHUNK_BITS)
		return false;
	chunks = realloc(slots->chunks, (slots->chunk_count + 1) * sizeof(*chunks));
	if (!chunks)
		return false;
	slots->chunks = chunks;
	if (posix_memalign(&chunk, CACHE_LINE_BYTES, CHUNK_RECORDS * slots->record_bytes) != 0)
		return false;
	memset(chunk, 0, CHUNK_RECORDS * slots->record_bytes);
	slots->chunks[slots->chunk_count++] = chunk;
	for (uint32_t i = CHUNK_RECORDS; i-- > 0;) {
		struct berth__slot *slot = slot_at(slots, first + i);

		slot->index = first + i;
		slot->next_free = slots->free_list;
		slots->free_list = slot;
	}
	return true;
}

void *berth__slots_new(struct berth__slots *slots)
{
	struct berth__slot *slot;

	if (!slots->free_list && !add_chunk(slots)) {
		berth_error_set(BERTH_E_NOMEM, 0, "no memory for %u more records", CHUNK_RECORDS);
		return NULL;
	}
	slot = slots->free_list;
	slots->free_list = slot->next_free;
	slots->in_use++;
	memset(slot + 1, 0, slots->zeroed_bytes - sizeof(*slot));
	slot->serial++;
	return slot;
}

void *berth__slots_find(const struct berth__slots *slots, uint64_t handle)
{
	uint32_t index = (uint32_t)handle, serial = (uint32_t)(handle >> 32);
	struct berth__slot *slot;

	if (index >> CHUNK_BITS >= slots->chunk_count)
		return NULL;
	slot = slot_at(slots, index);
	return slot->serial == serial && serial & 1 ? slot : NULL;
}

void berth__slots_free(struct berth__slots *slots, void *record)
{
	struct berth__slot *slot = record;

	slots->in_use--;
	if (slot->serial == LAST_SERIAL) {
		slot->serial = 0;
		return;
	}
	slot->serial++;
	slot->next_free = slots->free_list;
	slots->free_list = slot;
}

void *berth__slots_next(const struct berth__slots *slots, const void *previous)
{
	uint32_t end = slots->chunk_count << CHUNK_BITS;
	uint32_t index = previous ? ((const struct berth__slot *)previous)->index + 1 : 0;

	for (; index < end; index++)
		if (slot_at(slots, index)->serial & 1)
			return slot_at(slots, index);
	return NULL;
}
