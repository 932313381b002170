/* SPDX-License-Identifier: Apache-2.0 */
/* Working sets: made resident together, or not at all. */
#include "tensor_internal.h"

#include <assert.h>
#include <inttypes.h>

#include "pool_internal.h"

static void charge(const struct berth__home *home)
{
	berth_site_stats *stats = &home->site->stats;

	stats->charged_bytes += home->geometry.bytes;
	if (stats->charged_bytes > stats->peak_bytes)
		stats->peak_bytes = stats->charged_bytes;
}

/* Whatever the budget says, the device may have less: evict until it has enough. */
berth_status berth__home_take(struct berth__home *out, struct berth__site *site,
			      const berth_geometry *geometry, uint64_t need_bytes)
{
	berth_storage storage;
	berth_status st;

	while ((st = berth_storage_create(&storage, site->pool, geometry->bytes, NULL)) ==
	       BERTH_E_LIMIT) {
		berth_error why = *berth_error_get();

		st = berth__make_room_on_device(site, need_bytes);
		if (st == BERTH_E_LIMIT)
			return berth_error_set(why.status, why.cl_status, "%s", why.message);
		if (st != BERTH_OK)
			return st;
	}
	if (st != BERTH_OK)
		return st;
	*out = (struct berth__home){ site, storage, false, *geometry };
	charge(out);
	return BERTH_OK;
}

void berth__home_give(const struct berth__home *home, bool queue_is_idle)
{
	const berth_in_flight in_flight = { .queue = 0, .in_order = true };
	berth_status st;

	if (home->lent)
		return;
	home->site->stats.charged_bytes -= home->geometry.bytes;
	st = berth_storage_release(home->site->pool, home->storage,
				   queue_is_idle ? NULL : &in_flight);
	/* Only the caller can have looked at the storage beside us: then it is the caller's. */
	(void)st;
}

static void release_views(struct berth__record *record)
{
	struct berth__tensor *tensor;

	LIST_FOREACH(tensor, &record->tensors, link)
	{
		berth_status st;

		if (!tensor->view)
			continue;
		st = berth_view_release(record->home.site->pool, tensor->view);
		assert(st == BERTH_OK);
		(void)st;
		tensor->view = 0;
	}
}

void berth__record_set_home(struct berth__record *record, const struct berth__home *home,
			    bool queue_is_idle)
{
	if (record->home.storage) {
		release_views(record);
		TAILQ_REMOVE(&record->home.site->residents, record, link);
		record->home.site->stats.resident--;
		berth__home_give(&record->home, queue_is_idle);
	}
	record->stale_device.count = 0;
	record->home = home ? *home : (struct berth__home){ 0 };
	if (home) {
		TAILQ_INSERT_TAIL(&home->site->residents, record, link);
		home->site->stats.resident++;
	}
}

berth_status berth__record_load_views(struct berth__record *record, const struct berth__tensor *but)
{
	const struct berth__tensor *tensor;

	LIST_FOREACH(tensor, &record->tensors, link)
	{
		berth_status st;

		if (!tensor->view || tensor == but)
			continue;
		st = berth_view_load(record->home.site->pool, tensor->view);
		if (st != BERTH_OK)
			return st;
	}
	return BERTH_OK;
}

/* Whether a home has to be made. */
static bool is_missing(const struct berth__site *site, const struct berth__want *want)
{
	const struct berth__home *home = &want->record->home;

	return !home->storage || home->site != site || (want->lent && home->storage != want->lent);
}

static berth_status check_move(const struct berth__record *record)
{
	if (!record->home.storage ||
	    (record->pinned == 0 && record->mapped == 0 && record->in_working_set == 0))
		return BERTH_OK;
	return berth_error_set(BERTH_E_STATE, 0,
			       "tensor %" PRIu64 " cannot leave its storage on site %" PRIu32
			       ": it is pinned %" PRIu32 " times, mapped %" PRIu32
			       " times and in %" PRIu32 " working sets",
			       record->serial, record->home.site->index, record->pinned,
			       record->mapped, record->in_working_set);
}

static berth_status check_want(const struct berth__site *site, const struct berth__want *want)
{
	struct berth__record *record = want->record;
	bool missing = is_missing(site, want);
	berth_status st;

	if (record->mapped_for_write > 0)
		return berth_error_set(BERTH_E_STATE, 0,
				       "tensor %" PRIu64 " is mapped for writing on the host",
				       record->serial);
	if ((want->access & BERTH_ACCESS_READ) && !record->has_content)
		return berth_error_set(BERTH_E_STATE, 0,
				       "tensor %" PRIu64 " is read, and has no content",
				       record->serial);
	st = missing ? check_move(record) : BERTH_OK;
	if (st == BERTH_OK && missing)
		st = berth__record_settle(record);
	return st == BERTH_OK ? berth__record_prepare(record, record->has_content) : st;
}

/* What the home will be, without the storage. */
static berth_status lay_out(struct berth__want *want, struct berth__site *site)
{
	struct berth__home *home = &want->home;
	struct berth__request request;
	berth_storage_info info;
	berth_status st;

	home->site = site;
	st = berth_layout_compute(&home->geometry, berth_pool_caps(site->pool),
				  &want->record->layout);
	if (st != BERTH_OK || !want->lent)
		return st == BERTH_OK ? berth__request_make(&request, site->pool,
							    home->geometry.bytes, NULL)
				      : st;
	st = berth_storage_get_info(&info, site->pool, want->lent);
	if (st == BERTH_OK && info.bytes < home->geometry.bytes)
		st = berth_error_set(BERTH_E_LIMIT, 0,
				     "tensor %" PRIu64 " takes %" PRIu64 " bytes on site %" PRIu32
				     ", the storage has %" PRIu64,
				     want->record->serial, home->geometry.bytes, site->index,
				     info.bytes);
	return st;
}

/* Sizes of what is missing; a record that comes twice counts once. */
static berth_status measure(struct berth__site *site, struct berth__want *wants, size_t count,
			    uint64_t *total_bytes, uint64_t *largest_bytes)
{
	*total_bytes = *largest_bytes = 0;
	for (size_t i = 0; i < count; i++) {
		struct berth__want *want = &wants[i];
		bool first = want->record->in_working_set++ == 0;
		uint64_t bytes;
		berth_status st;

		if (!first || !is_missing(site, want))
			continue;
		st = lay_out(want, site);
		if (st == BERTH_OK && !want->lent &&
		    __builtin_add_overflow(*total_bytes, want->home.geometry.bytes, total_bytes))
			st = berth_error_set(BERTH_E_OVERFLOW, 0,
					     "a working set whose bytes do not fit 64 bits");
		if (st != BERTH_OK) {
			berth__want_end(wants, i + 1);
			return st;
		}
		bytes = want->lent ? 0 : want->home.geometry.bytes;
		if (bytes > *largest_bytes)
			*largest_bytes = bytes;
	}
	return BERTH_OK;
}

void berth__want_end(struct berth__want *wants, size_t count)
{
	for (size_t i = 0; i < count; i++)
		wants[i].record->in_working_set--;
}

static berth_status take_home(struct berth__want *want, struct berth__site *site)
{
	berth_geometry geometry = want->home.geometry;

	if (!want->lent)
		return berth__home_take(&want->home, site, &geometry, geometry.bytes);
	want->home.storage = want->lent;
	want->home.lent = true;
	return BERTH_OK;
}

static bool needs_content(const struct berth__want *want)
{
	return want->record->has_content && want->access != BERTH_ACCESS_WRITE;
}

static berth_status fill_through_host(struct berth__want *want)
{
	struct berth__record *record = want->record;
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < record->stale_host.count; i++)
		st = berth__download(record, record->stale_host.items[i].start,
				     record->stale_host.items[i].end);
	want->fetched = st == BERTH_OK;
	return st == BERTH_OK
		       ? berth__upload(record, &want->home, RANGE_SET(0, record->bytes), false)
		       : st;
}

/* From another home; the old one keeps what it has until all is well. */
static berth_status fill_from_home(struct berth__want *want)
{
	struct berth__record *record = want->record;
	berth_status st = berth__copy_home(&want->home, &record->home, record->bytes);

	if (st == BERTH_E_UNSUPPORTED) /* the two devices share no memory */
		return fill_through_host(want);
	return st == BERTH_OK ? berth__upload(record, &want->home, &record->stale_device, false)
			      : st;
}

static berth_status fill(struct berth__want *want, bool no_wait)
{
	struct berth__record *record = want->record;
	berth_status st;

	if (!needs_content(want))
		return BERTH_OK;
	if (!want->home.storage) {
		if (record->stale_device.count == 0)
			return BERTH_OK;
		st = berth__upload(record, &record->home, &record->stale_device, no_wait);
		return st == BERTH_OK ? berth__record_load_views(record, NULL) : st;
	}
	if (record->home.storage)
		return fill_from_home(want);
	return berth__upload(record, &want->home, RANGE_SET(0, record->bytes), no_wait);
}

static void set_all(struct berth__ranges *set, uint64_t bytes)
{
	set->items[0] = (struct berth__range){ 0, bytes };
	set->count = 1;
}

static void commit(struct berth__want *want, uint64_t now)
{
	struct berth__record *record = want->record;
	bool filled = needs_content(want);

	record->last_use = now;
	if (!want->home.storage) {
		/* Not when it is in the set twice, and comes later with its new home. */
		if (filled)
			record->stale_device.count = 0;
		return;
	}
	/* What nobody will read, and the host never had, ends with its home. */
	if (!filled && record->stale_host.count > 0)
		record->has_content = false;
	if (!filled || want->fetched)
		record->stale_host.count = 0;
	berth__record_set_home(record, &want->home, false);
	if (!filled && record->has_content)
		set_all(&record->stale_device, record->bytes);
}

static void undo(struct berth__want *wants, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (wants[i].home.storage)
			berth__home_give(&wants[i].home, false);
	}
	berth__want_end(wants, count);
}

/* The same tensor, or a view of it, may be wanted in several ways: as the most demanding. */
static void merge_access(struct berth__want *wants, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (wants[j].record != wants[i].record ||
			    wants[j].access == wants[i].access)
				continue;
			wants[i].access |= wants[j].access | BERTH_ACCESS_READ;
			wants[j].access = wants[i].access;
		}
	}
}

berth_status berth__make_resident(struct berth__site *site, struct berth__want *wants, size_t count,
				  bool no_wait)
{
	uint64_t total_bytes, largest_bytes, now;
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < count; i++)
		st = check_want(site, &wants[i]);
	if (st == BERTH_OK)
		st = measure(site, wants, count, &total_bytes, &largest_bytes);
	if (st != BERTH_OK)
		return st;
	merge_access(wants, count);
	st = berth__make_room(site, total_bytes, largest_bytes);
	for (size_t i = 0; st == BERTH_OK && i < count; i++) {
		if (wants[i].home.site)
			st = take_home(&wants[i], site);
	}
	for (size_t i = 0; st == BERTH_OK && i < count; i++) {
		/* The first of a record that is missing has its home; the others wait for it. */
		if (wants[i].home.storage || !is_missing(site, &wants[i]))
			st = fill(&wants[i], no_wait);
	}
	if (st != BERTH_OK) {
		undo(wants, count);
		return st;
	}
	now = ++site->residency->clock;
	for (size_t i = 0; i < count; i++)
		commit(&wants[i], now);
	return BERTH_OK;
}
