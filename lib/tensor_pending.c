/* SPDX-License-Identifier: Apache-2.0 */
/* Prefetches: under way, complete, told. */
#include "tensor_internal.h"

#include <stdlib.h>

/* The device never got it: its copy counts no more. */
static void take_back(struct berth__record *record)
{
	if (!record->home.storage || record->stale_host.count > 0 || !record->has_content)
		return;
	if (record->in_working_set == 0 && record->pinned == 0) {
		berth__record_set_home(record, NULL, false);
		return;
	}
	/* There is room: berth__record_prepare() came before the transfer. */
	record->stale_device.items[0] = (struct berth__range){ 0, record->bytes };
	record->stale_device.count = 1;
}

berth_status berth__site_complete(struct berth__site *site)
{
	const berth_op sync = { .kind = BERTH_OP_SYNC };
	struct berth__pending *pending;
	berth_result result;
	berth_status st = berth__site_execute(site, &sync, &result);

	STAILQ_FOREACH(pending, &site->pending, link)
	{
		site->stats.in_flight--;
		pending->record->in_flight--;
		pending->status = st;
		pending->error = *berth_error_get();
		if (st != BERTH_OK)
			take_back(pending->record);
	}
	STAILQ_CONCAT(&site->residency->ended, &site->pending);
	return st;
}

berth_status berth__record_settle(struct berth__record *record)
{
	return record->in_flight > 0 ? berth__site_complete(record->home.site) : BERTH_OK;
}

/* Callbacks are not to change what the call has to say of itself. */
static void tell(struct berth__pending_queue *ended)
{
	berth_error own = *berth_error_get();
	struct berth__pending *pending;

	while ((pending = STAILQ_FIRST(ended))) {
		STAILQ_REMOVE_HEAD(ended, link);
		berth_error_set(pending->error.status, pending->error.cl_status, "%s",
				pending->error.message);
		if (pending->done)
			pending->done(pending->tensor, pending->status, pending->userdata);
		free(pending);
	}
	berth_error_set(own.status, own.cl_status, "%s", own.message);
}

void berth__residency_unlock(berth_residency *residency)
{
	struct berth__pending_queue ended = STAILQ_HEAD_INITIALIZER(ended);

	STAILQ_CONCAT(&ended, &residency->ended);
	pthread_mutex_unlock(&residency->mutex);
	if (!STAILQ_EMPTY(&ended))
		tell(&ended);
}

static berth_status prefetch(berth_residency *residency, berth_tensor handle, uint32_t index,
			     struct berth__pending *pending)
{
	struct berth__tensor *tensor = berth__tensor_find(residency, handle);
	struct berth__want want = { 0 };
	struct berth__site *site;
	berth_status st;

	if (!tensor)
		return BERTH_E_STATE;
	site = berth__site_find(residency, index);
	if (!site)
		return BERTH_E_INVAL;
	want.record = tensor->record;
	st = berth__make_resident(site, &want, 1, true);
	if (st != BERTH_OK) {
		berth_error why = *berth_error_get();
		berth_status synced = berth__site_complete(site);

		/* Some of it may be under way from the tensor's memory. */
		(void)synced;
		return berth_error_set(why.status, why.cl_status, "%s", why.message);
	}
	berth__want_end(&want, 1);
	pending->record = tensor->record;
	pending->record->in_flight++;
	site->stats.in_flight++;
	STAILQ_INSERT_TAIL(&site->pending, pending, link);
	return BERTH_OK;
}

berth_status berth_tensor_prefetch(berth_residency *residency, berth_tensor tensor, uint32_t site,
				   berth_transfer_fn *done, void *userdata)
{
	struct berth__pending *pending = calloc(1, sizeof(*pending));
	berth_status st;

	if (!pending)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a transfer's record");
	pending->tensor = tensor;
	pending->done = done;
	pending->userdata = userdata;
	berth__residency_lock(residency);
	st = prefetch(residency, tensor, site, pending);
	berth__residency_unlock(residency);
	if (st != BERTH_OK)
		free(pending);
	return st;
}

berth_status berth_residency_complete(berth_residency *residency, uint32_t index)
{
	struct berth__site *site;
	berth_status st = BERTH_E_INVAL;

	berth__residency_lock(residency);
	site = berth__site_find(residency, index);
	if (site)
		st = berth__site_complete(site);
	berth__residency_unlock(residency);
	return st;
}
