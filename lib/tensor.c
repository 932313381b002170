/* SPDX-License-Identifier: Apache-2.0 */
/* A residency: how it begins and ends, its lock, its sites. */
#include "tensor_internal.h"

#include <inttypes.h>
#include <stdlib.h>

#define DEFAULT_FIRST_ID (UINT64_C(1) << 61)

/* Of the global memory, where drivers tell no budget: others use it too. */
#define DEFAULT_LIMIT_PERCENT 80

static const char *const place_strings[] = {
#define X(name, value, string) [value] = string,
	BERTH_PLACE_MAP(X)
#undef X
};

static const char *const evict_strings[] = {
#define X(name, value, string) [value] = string,
	BERTH_EVICT_MAP(X)
#undef X
};

const char *berth_place_string(berth_place place)
{
	return (unsigned)place <= BERTH_ON_BOTH ? place_strings[place] : "unknown";
}

const char *berth_evict_string(berth_evict policy)
{
	return (unsigned)policy < BERTH_EVICT_END ? evict_strings[policy] : "unknown";
}

void berth__residency_lock(berth_residency *residency)
{
	pthread_mutex_lock(&residency->mutex);
}

berth_status berth_residency_create(berth_residency **out, const berth_residency_options *options)
{
	static const berth_residency_options defaults = BERTH_RESIDENCY_OPTIONS_INIT;
	berth_residency *residency;

	if (!options)
		options = &defaults;
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0, "options of %" PRIu32 " bytes, not %zu",
				       options->size, sizeof(*options));
	residency = calloc(1, sizeof(*residency));
	if (!residency)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a residency");
	residency->options = *options;
	residency->next_id = options->first_id ? options->first_id : DEFAULT_FIRST_ID;
	residency->next_serial = 1;
	berth__slots_init(&residency->tensors, sizeof(struct berth__tensor),
			  sizeof(struct berth__tensor));
	berth__slots_init(&residency->records, sizeof(struct berth__record),
			  sizeof(struct berth__record));
	LIST_INIT(&residency->pinned);
	STAILQ_INIT(&residency->ended);
	pthread_mutex_init(&residency->mutex, NULL);
	*out = residency;
	return BERTH_OK;
}

static void free_records(berth_residency *residency)
{
	struct berth__record *record = NULL;

	while ((record = berth__slots_next(&residency->records, record))) {
		if (record->home.storage)
			berth__record_set_home(record, NULL, true);
		if (record->owns_host)
			free(record->host);
		berth__ranges_free(&record->stale_host);
		berth__ranges_free(&record->stale_device);
	}
}

void berth_residency_destroy(berth_residency *residency)
{
	if (!residency)
		return;
	berth__residency_lock(residency);
	for (uint32_t i = 0; i < residency->site_count; i++) {
		berth_status st = berth__site_complete(residency->sites[i]);

		(void)st; /* Each callback is told; a lost device uses nothing any more. */
	}
	berth__residency_unlock(residency);
	free_records(residency);
	while (!LIST_EMPTY(&residency->pinned))
		berth__pinned_give(LIST_FIRST(&residency->pinned));
	for (uint32_t i = 0; i < residency->site_count; i++)
		free(residency->sites[i]);
	free(residency->sites);
	berth__slots_fini(&residency->tensors);
	berth__slots_fini(&residency->records);
	pthread_mutex_destroy(&residency->mutex);
	free(residency);
}

/* Defaults settled: limits are numbers. */
static berth_status settle_options(berth_site_options *out, const berth_pool *pool,
				   const berth_site_options *options)
{
	static const berth_site_options defaults = BERTH_SITE_OPTIONS_INIT;
	const berth_caps *caps = berth_device_caps(berth_pool_device(pool));

	*out = options ? *options : defaults;
	if (out->size != sizeof(*out))
		return berth_error_set(BERTH_E_INVAL, 0, "options of %" PRIu32 " bytes, not %zu",
				       out->size, sizeof(*out));
	if ((unsigned)out->policy >= BERTH_EVICT_END)
		return berth_error_set(BERTH_E_INVAL, 0, "options.policy %d is not defined",
				       (int)out->policy);
	if (out->to_device.bytes_per_second == 0 || out->to_host.bytes_per_second == 0)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "a transfer model of 0 bytes a second: at least 1");
	if (out->hard_limit_bytes == 0)
		out->hard_limit_bytes = caps->global_mem_bytes / 100 * DEFAULT_LIMIT_PERCENT;
	if (out->soft_limit_bytes == 0)
		out->soft_limit_bytes = out->hard_limit_bytes;
	if (out->soft_limit_bytes > out->hard_limit_bytes)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.soft_limit_bytes is %" PRIu64
				       ", above the hard limit of %" PRIu64,
				       out->soft_limit_bytes, out->hard_limit_bytes);
	return BERTH_OK;
}

static berth_status add_site(uint32_t *out, berth_residency *residency, struct berth__site *site)
{
	struct berth__site **sites;
	berth_status st = BERTH_OK;

	sites = realloc(residency->sites, (residency->site_count + 1) * sizeof(*sites));
	if (!sites)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a site");
	residency->sites = sites;
	site->residency = residency;
	site->index = residency->site_count;
	if (site->options.staging_bytes > 0)
		st = berth__pinned_take(&site->staging, site, site->options.staging_bytes);
	if (st != BERTH_OK)
		return st;
	residency->sites[residency->site_count++] = site;
	*out = site->index;
	return BERTH_OK;
}

berth_status berth_residency_add_site(uint32_t *out, berth_residency *residency, berth_pool *pool,
				      const berth_site_options *options)
{
	struct berth__site *site;
	berth_site_options settled;
	berth_status st = settle_options(&settled, pool, options);

	if (st != BERTH_OK)
		return st;
	site = calloc(1, sizeof(*site));
	if (!site)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a site");
	site->pool = pool;
	site->options = settled;
	TAILQ_INIT(&site->residents);
	STAILQ_INIT(&site->pending);
	berth__residency_lock(residency);
	st = add_site(out, residency, site);
	berth__residency_unlock(residency);
	if (st != BERTH_OK)
		free(site);
	return st;
}

struct berth__site *berth__site_find(const berth_residency *residency, uint32_t index)
{
	if (index < residency->site_count)
		return residency->sites[index];
	berth_error_set(BERTH_E_INVAL, 0, "no site %" PRIu32 ": there are %" PRIu32, index,
			residency->site_count);
	return NULL;
}

berth_status berth_residency_get_stats(berth_site_stats *out, berth_residency *residency,
				       uint32_t index)
{
	const struct berth__site *site;

	berth__residency_lock(residency);
	site = berth__site_find(residency, index);
	if (site) {
		*out = site->stats;
		out->hard_limit_bytes = site->options.hard_limit_bytes;
		out->soft_limit_bytes = site->options.soft_limit_bytes;
		out->available_bytes = out->hard_limit_bytes - out->charged_bytes;
		out->obtainable_bytes = berth__site_obtainable_bytes(site);
	}
	berth__residency_unlock(residency);
	return site ? BERTH_OK : BERTH_E_INVAL;
}
