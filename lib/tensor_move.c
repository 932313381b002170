/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors moved at the caller's word: to a site, to the host, to another tensor. */
#include "tensor_internal.h"

#include <inttypes.h>
#include <string.h>

static berth_status to_device(berth_residency *residency, berth_tensor handle, uint32_t index,
			      berth_storage storage)
{
	struct berth__tensor *tensor = berth__tensor_find(residency, handle);
	struct berth__want want = { .lent = storage };
	struct berth__site *site;
	berth_status st;

	if (!tensor)
		return BERTH_E_STATE;
	site = berth__site_find(residency, index);
	if (!site)
		return BERTH_E_INVAL;
	want.record = tensor->record;
	st = berth__make_resident(site, &want, 1, false);
	if (st == BERTH_OK)
		berth__want_end(&want, 1);
	return st;
}

berth_status berth_tensor_to_device(berth_residency *residency, berth_tensor tensor, uint32_t site,
				    berth_storage storage)
{
	berth_status st;

	berth__residency_lock(residency);
	st = to_device(residency, tensor, site, storage);
	berth__residency_unlock(residency);
	return st;
}

static berth_status ensure_all(berth_residency *residency, const berth_tensor *tensors,
			       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!berth__tensor_find(residency, tensors[i]))
			return BERTH_E_STATE;
	}
	for (size_t i = 0; i < count; i++) {
		struct berth__tensor *tensor = berth__tensor_find(residency, tensors[i]);
		berth_status st = berth__record_to_host(tensor->record, tensor->offset_bytes,
							tensor->offset_bytes + tensor->bytes);

		if (st != BERTH_OK)
			return st;
	}
	return BERTH_OK;
}

berth_status berth_tensor_ensure_on_host(berth_residency *residency, const berth_tensor *tensors,
					 size_t count)
{
	berth_status st;

	berth__residency_lock(residency);
	st = ensure_all(residency, tensors, count);
	berth__residency_unlock(residency);
	return st;
}

static berth_status to_host(struct berth__record *record, bool keep)
{
	berth_status st;

	if (!keep && record->pinned + record->in_working_set > 0)
		return berth_error_set(BERTH_E_STATE, 0,
				       "tensor %" PRIu64 " keeps its device memory: it is pinned "
				       "%" PRIu32 " times and in %" PRIu32 " working sets",
				       record->serial, record->pinned, record->in_working_set);
	st = keep ? BERTH_OK : berth__record_settle(record);
	if (st == BERTH_OK)
		st = berth__record_to_host(record, 0, record->bytes);
	if (st == BERTH_OK && !keep && record->home.storage)
		berth__record_set_home(record, NULL, false);
	return st;
}

berth_status berth_tensor_to_host(berth_residency *residency, berth_tensor handle, bool keep)
{
	struct berth__tensor *tensor;
	berth_status st = BERTH_E_STATE;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor)
		st = to_host(tensor->record, keep);
	berth__residency_unlock(residency);
	return st;
}

static berth_status check_copy(const struct berth__tensor *to, const struct berth__tensor *from)
{
	if (to->record == from->record)
		return berth_error_set(BERTH_E_STATE, 0,
				       "a copy within tensor %" PRIu64 ": both are parts of it",
				       to->record->serial);
	if (to->bytes != from->bytes)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "a copy of %" PRIu64 " bytes to a tensor of %" PRIu64,
				       from->bytes, to->bytes);
	if (!from->record->has_content)
		return berth_error_set(BERTH_E_STATE, 0, "tensor %" PRIu64 " has no content",
				       from->record->serial);
	if (to->record->constant || from->record->mapped_for_write > 0)
		return berth_error_set(BERTH_E_STATE, 0,
				       "a copy from tensor %" PRIu64 " to %" PRIu64 ": %s",
				       from->record->serial, to->record->serial,
				       to->record->constant ? "that is a constant"
							    : "the first is mapped for writing");
	return berth__record_check_idle(to->record, "written");
}

/*
 * Whole tensors, the same bytes at the same places, the newest of them on the device. What
 * the other has elsewhere would be lost if the copy failed.
 */
static bool copies_on_device(const struct berth__tensor *to, const struct berth__tensor *from)
{
	const struct berth__record *source = from->record;

	return !to->is_view && !from->is_view && source->stale_host.count > 0 &&
	       source->stale_device.count == 0 &&
	       (!to->record->home.storage || to->record->home.site == source->home.site) &&
	       memcmp(&to->layout, &from->layout, sizeof(to->layout)) == 0;
}

static berth_status copy_on_device(struct berth__record *to, struct berth__record *from)
{
	struct berth__want wants[2] = { { .record = to, .access = BERTH_ACCESS_WRITE },
					{ .record = from } };
	berth_status st = berth__make_resident(from->home.site, wants, 2, false);

	if (st != BERTH_OK)
		return st;
	st = berth__copy_home(&to->home, &from->home, to->bytes);
	if (st == BERTH_OK)
		st = berth__record_load_views(to, NULL);
	if (st == BERTH_OK) {
		/* There is room: they were prepared. */
		to->stale_device.count = 0;
		to->stale_host.items[0] = (struct berth__range){ 0, to->bytes };
		to->stale_host.count = 1;
		to->has_content = true;
	}
	berth__want_end(wants, 2);
	return st;
}

static berth_status copy_on_host(struct berth__tensor *to, struct berth__tensor *from)
{
	uint64_t start = from->offset_bytes, target = to->offset_bytes;
	berth_status st = berth__record_to_host(from->record, start, start + from->bytes);

	if (st == BERTH_OK)
		st = berth__record_prepare(from->record, true);
	if (st == BERTH_OK)
		st = berth__record_settle(to->record);
	if (st == BERTH_OK)
		st = berth__record_prepare(to->record, true);
	if (st != BERTH_OK)
		return st;
	memcpy((char *)to->record->host + target, (const char *)from->record->host + start,
	       from->bytes);
	berth__ranges_remove(&to->record->stale_host, RANGE_SET(target, target + to->bytes));
	berth__record_host_written(to->record, target, target + to->bytes);
	return BERTH_OK;
}

static berth_status copy(berth_residency *residency, berth_tensor to_handle,
			 berth_tensor from_handle)
{
	struct berth__tensor *to = berth__tensor_find(residency, to_handle), *from;
	berth_status st;

	if (!to)
		return BERTH_E_STATE;
	from = berth__tensor_find(residency, from_handle);
	if (!from)
		return BERTH_E_STATE;
	st = check_copy(to, from);
	if (st != BERTH_OK)
		return st;
	return copies_on_device(to, from) ? copy_on_device(to->record, from->record)
					  : copy_on_host(to, from);
}

berth_status berth_tensor_copy(berth_residency *residency, berth_tensor to, berth_tensor from)
{
	berth_status st;

	berth__residency_lock(residency);
	st = copy(residency, to, from);
	berth__residency_unlock(residency);
	return st;
}
