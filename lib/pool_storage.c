/* SPDX-License-Identifier: Apache-2.0 */
/* Storages: handles, sizes, create and release. */
#include "pool_internal.h"

#include <inttypes.h>
#include <stdio.h>

static void raise_peak(uint64_t *peak, uint64_t now)
{
	if (now > *peak)
		*peak = now;
}

static void count_in(berth_pool *pool, const struct berth__storage *storage)
{
	berth_pool_stats *stats = &pool->stats;

	stats->storages_created++;
	stats->requested_bytes += storage->bytes;
	stats->in_use_bytes += storage->place.reserved_bytes;
	stats->padding_bytes = stats->in_use_bytes - stats->requested_bytes;
	raise_peak(&stats->peak_requested_bytes, stats->requested_bytes);
	raise_peak(&stats->peak_in_use_bytes, stats->in_use_bytes);
	raise_peak(&stats->peak_padding_bytes, stats->padding_bytes);
}

void berth__storage_end_record(berth_pool *pool, struct berth__storage *storage)
{
	berth_pool_stats *stats = &pool->stats;

	if (storage->state == BERTH__STORAGE_IN_FLIGHT) {
		pool->in_flight_count--;
		stats->in_flight_bytes -= storage->place.reserved_bytes;
	}
	stats->requested_bytes -= storage->bytes;
	stats->in_use_bytes -= storage->place.reserved_bytes;
	stats->padding_bytes = stats->in_use_bytes - stats->requested_bytes;
	berth__slots_free(&pool->storages, storage);
}

void berth__storage_end(berth_pool *pool, struct berth__storage *storage)
{
	struct berth__placement place = storage->place;

	berth__storage_end_record(pool, storage);
	pool->policy->give(pool, &place);
}

void berth__storage_settle(berth_pool *pool, struct berth__storage *storage)
{
	if (storage->has_in_flight)
		berth__in_flight_add(pool, storage);
	else
		berth__storage_end(pool, storage);
}

/* The largest size with the same first @digits binary digits. */
static uint64_t bin_bytes(uint64_t bytes, unsigned digits)
{
	unsigned length = 64 - (unsigned)__builtin_clzll(bytes);

	return length <= digits ? bytes : bytes | ((UINT64_C(1) << (length - digits)) - 1);
}

berth_status berth__request_make(struct berth__request *out, const berth_pool *pool, uint64_t bytes,
				 const berth_storage_options *options)
{
	uint64_t round = pool->policy->round_bytes, rounded;
	uint64_t most = berth_device_caps(pool->device)->max_alloc_bytes;

	if (options && options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0, "options of %" PRIu32 " bytes, not %zu",
				       options->size, sizeof(*options));
	if (bytes == 0)
		bytes = 1;
	if (!berth__align_up(&rounded, bytes, round ? round : pool->granule_bytes))
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "%" PRIu64 " bytes, rounded up, do not fit 64 bits", bytes);
	if (pool->policy->bin_digits)
		rounded = bin_bytes(rounded, pool->policy->bin_digits);
	if (rounded > most)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "a storage of %" PRIu64 " bytes takes %" PRIu64
				       ": the device's largest allocation is %" PRIu64,
				       bytes, rounded, most);
	most = pool->options.limit_bytes;
	if (most > 0 && rounded > most)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "a storage of %" PRIu64 " bytes takes %" PRIu64
				       ": the pool's limit is %" PRIu64,
				       bytes, rounded, most);
	*out = (struct berth__request){ bytes, rounded, options ? options->queue : 0 };
	return BERTH_OK;
}

static berth_status create(berth_storage *out, berth_pool *pool,
			   const struct berth__request *request)
{
	struct berth__storage *storage;
	struct berth__placement place;
	berth_status st = berth__pool_place(pool, request, &place);

	if (st != BERTH_OK)
		return st;
	storage = berth__slots_new(&pool->storages);
	if (!storage) {
		pool->policy->give(pool, &place);
		return BERTH_E_NOMEM;
	}
	storage->place = place;
	storage->bytes = request->bytes;
	count_in(pool, storage);
	*out = berth__slot_handle(&storage->slot);
	return BERTH_OK;
}

berth_status berth_storage_create(berth_storage *out, berth_pool *pool, uint64_t bytes,
				  const berth_storage_options *options)
{
	struct berth__request request;
	berth_status st = berth__request_make(&request, pool, bytes, options);

	if (st != BERTH_OK)
		return st;
	berth__pool_lock(pool);
	st = create(out, pool, &request);
	berth__pool_unlock(pool);
	return st;
}

berth_status berth_storage_create_for(berth_storage *out, berth_pool *pool,
				      const berth_layout *layouts, size_t layout_count,
				      const berth_storage_options *options)
{
	uint64_t bytes = 0;

	if (layout_count == 0)
		return berth_error_set(BERTH_E_INVAL, 0, "a storage for no layout");
	for (size_t i = 0; i < layout_count; i++) {
		berth_geometry geometry;
		berth_status st = berth_layout_compute(&geometry, &pool->caps, &layouts[i]);

		if (st != BERTH_OK)
			return st;
		if (geometry.bytes > bytes)
			bytes = geometry.bytes;
	}
	return berth_storage_create(out, pool, bytes, options);
}

struct berth__storage *berth__storage_find(const berth_pool *pool, berth_storage handle)
{
	struct berth__storage *storage = berth__slots_find(&pool->storages, handle);

	if (storage && storage->state == BERTH__STORAGE_LIVE)
		return storage;
	berth_error_set(BERTH_E_STATE, 0,
			"0x%" PRIx64 " is not a storage of this pool, or was released", handle);
	return NULL;
}

/* Name as many of the views as fit the message. */
static berth_status has_views(const struct berth__storage *storage)
{
	char names[BERTH_ERROR_MESSAGE_BYTES - 128];
	const struct berth__view *view;
	size_t used = 0;

	names[0] = '\0';
	LIST_FOREACH(view, &storage->views, link)
	{
		int length = snprintf(names + used, sizeof(names) - used,
				      "%s0x%" PRIx64 " (%s at %" PRIu64 ", object %" PRIu64 ")",
				      used ? ", " : "", berth__slot_handle(&view->slot),
				      berth_scope_string(view->geometry.scope), view->offset_bytes,
				      view->object->id);

		if (length < 0 || (size_t)length >= sizeof(names) - used) {
			names[used] = '\0';
			break;
		}
		used += (size_t)length;
	}
	return berth_error_set(BERTH_E_STATE, 0,
			       "storage 0x%" PRIx64 " has %" PRIu32 " live views: %s",
			       berth__slot_handle(&storage->slot), storage->view_count, names);
}

static berth_status release(berth_pool *pool, berth_storage handle,
			    const berth_in_flight *in_flight)
{
	struct berth__storage *storage = berth__storage_find(pool, handle);

	if (!storage)
		return BERTH_E_STATE;
	if (storage->view_count > 0 && !pool->options.defer_release)
		return has_views(storage);
	if (in_flight) {
		storage->has_in_flight = true;
		storage->in_flight = *in_flight;
	}
	if (storage->view_count > 0)
		storage->state = BERTH__STORAGE_DEFERRED;
	else
		berth__storage_settle(pool, storage);
	return BERTH_OK;
}

berth_status berth_storage_release(berth_pool *pool, berth_storage storage,
				   const berth_in_flight *in_flight)
{
	berth_status st;

	if (in_flight && in_flight->queue == BERTH_QUEUE_NONE)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "storage 0x%" PRIx64 " cannot be in flight on no queue",
				       storage);
	berth__pool_lock(pool);
	st = release(pool, storage, in_flight);
	berth__pool_unlock(pool);
	return st;
}

berth_status berth_storage_get_info(berth_storage_info *out, berth_pool *pool, berth_storage handle)
{
	const struct berth__storage *storage;

	berth__pool_lock(pool);
	storage = berth__storage_find(pool, handle);
	if (storage)
		*out = (berth_storage_info){
			.object = storage->place.block->id,
			.offset_bytes = storage->place.offset_bytes,
			.bytes = storage->bytes,
			.reserved_bytes = storage->place.reserved_bytes,
			.views = storage->view_count,
		};
	berth__pool_unlock(pool);
	return storage ? BERTH_OK : BERTH_E_STATE;
}
