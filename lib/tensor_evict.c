/* SPDX-License-Identifier: Apache-2.0 */
/* The budget of a site, and evictions. */
#include "tensor_internal.h"

#include <inttypes.h>
#include <stdlib.h>

static bool may_evict(const struct berth__record *record)
{
	return !record->home.lent && record->pinned == 0 && record->in_flight == 0 &&
	       record->mapped == 0 && record->in_working_set == 0;
}

uint64_t berth__record_dirty_bytes(const struct berth__record *record)
{
	return berth__ranges_common_bytes(&record->stale_host, RANGE_SET(0, record->bytes));
}

uint64_t berth__site_protected_bytes(const struct berth__site *site)
{
	uint64_t bytes = site->stats.charged_bytes;
	const struct berth__record *record;

	TAILQ_FOREACH(record, &site->residents, link)
	{
		if (may_evict(record))
			bytes -= record->home.geometry.bytes;
	}
	return bytes;
}

static uint64_t budget_bytes(const struct berth__site *site)
{
	uint64_t protected_bytes = berth__site_protected_bytes(site);
	uint64_t limit = site->options.hard_limit_bytes;

	return limit > protected_bytes ? limit - protected_bytes : 0;
}

uint64_t berth__site_obtainable_bytes(const struct berth__site *site)
{
	uint64_t budget = budget_bytes(site);
	uint64_t most = berth_device_caps(berth_pool_device(site->pool))->max_alloc_bytes;

	return budget < most ? budget : most;
}

static berth_status list_candidates(struct berth__plan *plan, const struct berth__site *site)
{
	struct berth__record *record;
	size_t most = 0;

	*plan = (struct berth__plan){ 0 };
	TAILQ_FOREACH(record, &site->residents, link)
	{
		most++;
	}
	plan->victims = malloc((most + 1) * sizeof(struct berth__record *));
	if (!plan->victims)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to plan an eviction");
	TAILQ_FOREACH(record, &site->residents, link)
	{
		if (may_evict(record))
			plan->victims[plan->candidate_count++] = record;
	}
	return BERTH_OK;
}

static berth_status evict(struct berth__site *site, struct berth__record *record,
			  uint64_t need_bytes, const char *reason)
{
	uint64_t moved = berth__record_dirty_bytes(record);
	uint64_t bytes = record->home.geometry.bytes;
	berth_status st = berth__record_to_host(record, 0, record->bytes);

	if (st != BERTH_OK)
		return st;
	berth__log_evict(site, record, moved, need_bytes, reason);
	if (moved > 0)
		site->stats.saved++;
	else
		site->stats.dropped++;
	site->stats.evicted_bytes += bytes;
	/* A read that was waited for came after whatever used the memory. */
	berth__record_set_home(record, NULL, moved > 0);
	return BERTH_OK;
}

/* The first @hard_bytes that are freed are for the reason, what follows for the soft limit. */
static berth_status evict_plan(struct berth__site *site, const struct berth__plan *plan,
			       uint64_t need_bytes, uint64_t hard_bytes, const char *reason)
{
	uint64_t freed = 0;

	for (size_t i = 0; i < plan->count; i++) {
		uint64_t bytes = plan->victims[i]->home.geometry.bytes;
		berth_status st = evict(site, plan->victims[i], need_bytes,
					freed < hard_bytes ? reason : "soft-limit");

		if (st != BERTH_OK)
			return st;
		freed += bytes;
	}
	return BERTH_OK;
}

static berth_status choose(struct berth__site *site, struct berth__plan *plan, uint64_t bytes,
			   uint64_t piece_bytes)
{
	berth_status st = list_candidates(plan, site);

	if (st != BERTH_OK || plan->candidate_count == 0)
		return st;
	return berth__choosers[site->options.policy](site, plan, bytes, piece_bytes);
}

static berth_status refuse(struct berth__site *site, uint64_t need_bytes)
{
	uint64_t obtainable = budget_bytes(site);

	berth__log_refuse(site, need_bytes, obtainable);
	return berth_error_set(BERTH_E_LIMIT, 0,
			       "site %" PRIu32 ": %" PRIu64
			       " bytes are needed; the limit is %" PRIu64 ", tensors hold %" PRIu64
			       ", %" PRIu64 " of it cannot be evicted; the most that can be had is "
			       "%" PRIu64,
			       site->index, need_bytes, site->options.hard_limit_bytes,
			       site->stats.charged_bytes, berth__site_protected_bytes(site),
			       obtainable);
}

/* What must go for @need_bytes more to stay below @limit. */
static uint64_t excess(const struct berth__site *site, uint64_t need_bytes, uint64_t limit)
{
	uint64_t charged = site->stats.charged_bytes;

	if (charged > limit)
		return charged - limit + need_bytes;
	return need_bytes > limit - charged ? need_bytes - (limit - charged) : 0;
}

berth_status berth__make_room(struct berth__site *site, uint64_t need_bytes, uint64_t piece_bytes)
{
	struct berth__plan plan = { 0 };
	uint64_t soft;
	berth_status st;

	if (need_bytes == 0)
		return BERTH_OK;
	if (need_bytes > budget_bytes(site))
		return refuse(site, need_bytes);
	soft = excess(site, need_bytes, site->options.soft_limit_bytes);
	if (soft == 0)
		return BERTH_OK;
	st = choose(site, &plan, soft, piece_bytes);
	if (st == BERTH_OK)
		st = evict_plan(site, &plan, need_bytes,
				excess(site, need_bytes, site->options.hard_limit_bytes),
				"hard-limit");
	free(plan.victims);
	return st;
}

berth_status berth__make_room_on_device(struct berth__site *site, uint64_t need_bytes)
{
	struct berth__plan plan = { 0 };
	berth_status st = choose(site, &plan, need_bytes, need_bytes);

	if (st == BERTH_OK && plan.count == 0)
		st = BERTH_E_LIMIT;
	if (st == BERTH_OK)
		st = evict_plan(site, &plan, need_bytes, UINT64_MAX, "device-full");
	free(plan.victims);
	return st;
}

static berth_status trim(struct berth__site *site, uint64_t bytes)
{
	uint64_t surplus = excess(site, 0, bytes);
	struct berth__plan plan = { 0 };
	berth_status st = BERTH_OK;

	if (surplus == 0)
		return BERTH_OK;
	st = choose(site, &plan, surplus, 0);
	if (st == BERTH_OK)
		st = evict_plan(site, &plan, surplus, UINT64_MAX, "trim");
	free(plan.victims);
	return st;
}

berth_status berth_residency_trim(berth_residency *residency, uint32_t index, uint64_t bytes,
				  uint64_t *charged_bytes)
{
	struct berth__site *site;
	berth_status st = BERTH_E_INVAL;

	berth__residency_lock(residency);
	site = berth__site_find(residency, index);
	if (site)
		st = trim(site, bytes);
	if (st == BERTH_OK && charged_bytes)
		*charged_bytes = site->stats.charged_bytes;
	berth__residency_unlock(residency);
	return st;
}
