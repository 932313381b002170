/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side: checked access, writes in place, content that is not needed any more. */
#include "tensor_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ACCESS_BOTH (BERTH_ACCESS_READ | BERTH_ACCESS_WRITE)

berth_status berth__record_prepare(struct berth__record *record, bool needs_host)
{
	if (!berth__ranges_reserve(&record->stale_host, 1) ||
	    !berth__ranges_reserve(&record->stale_device, 1))
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "no memory for the ranges of tensor %" PRIu64,
				       record->serial);
	if (record->host || !needs_host)
		return BERTH_OK;
	record->host = calloc(1, (size_t)record->bytes);
	if (!record->host)
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "no host memory for tensor %" PRIu64 " of %" PRIu64 " bytes",
				       record->serial, record->bytes);
	return BERTH_OK;
}

void berth__record_host_written(struct berth__record *record, uint64_t start, uint64_t end)
{
	/* Without content before, the whole host's side is the content now. */
	if (record->home.storage && record->has_content) {
		berth__ranges_add(&record->stale_device, RANGE_SET(start, end));
	} else if (record->home.storage) {
		record->stale_device.items[0] = (struct berth__range){ 0, record->bytes };
		record->stale_device.count = 1;
	}
	record->has_content = true;
}

static berth_status check_read(const struct berth__tensor *tensor)
{
	const struct berth__record *record = tensor->record;
	uint64_t start = tensor->offset_bytes, end = start + tensor->bytes;
	uint64_t newer = berth__ranges_common_bytes(&record->stale_host, RANGE_SET(start, end));

	if (newer > 0)
		return berth_error_set(
			BERTH_E_STATE, 0,
			"the host's copy of tensor %" PRIu64 " is out of date: %" PRIu64
			" of %" PRIu64 " bytes are on site %" PRIu32 " only, ensure it on the host",
			record->serial, newer, tensor->bytes, record->home.site->index);
	if (record->mapped_for_write > 0)
		return berth_error_set(BERTH_E_STATE, 0,
				       "tensor %" PRIu64 " is mapped for writing already",
				       record->serial);
	return BERTH_OK;
}

static berth_status check_map(const struct berth__tensor *tensor, uint32_t access)
{
	const struct berth__record *record = tensor->record;
	berth_status st;

	if (access == 0 || (access & ~ACCESS_BOTH))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "access 0x%" PRIx32 ": read, write or both", access);
	if ((access & BERTH_ACCESS_READ) && !record->has_content)
		return berth_error_set(BERTH_E_STATE, 0, "tensor %" PRIu64 " has no content",
				       record->serial);
	if ((access & BERTH_ACCESS_WRITE) && record->constant)
		return berth_error_set(BERTH_E_STATE, 0, "tensor %" PRIu64 " is a constant",
				       record->serial);
	st = check_read(tensor);
	if (st == BERTH_OK && (access & BERTH_ACCESS_WRITE))
		st = berth__record_check_idle(record, "written");
	return st;
}

static berth_status map(void **out, struct berth__tensor *tensor, uint32_t access)
{
	struct berth__record *record = tensor->record;
	bool writes = access & BERTH_ACCESS_WRITE;
	berth_status st = check_map(tensor, access);

	if (st == BERTH_OK && writes)
		st = berth__record_settle(record);
	if (st == BERTH_OK)
		st = berth__record_prepare(record, true);
	if (st != BERTH_OK)
		return st;
	record->mapped++;
	if (writes) {
		record->mapped_for_write++;
		tensor->mapped_for_write++;
		berth__record_host_written(record, tensor->offset_bytes,
					   tensor->offset_bytes + tensor->bytes);
	} else {
		tensor->mapped_for_read++;
	}
	*out = (char *)record->host + tensor->offset_bytes;
	return BERTH_OK;
}

berth_status berth_tensor_map(void **out, berth_residency *residency, berth_tensor handle,
			      uint32_t access)
{
	struct berth__tensor *tensor;
	berth_status st = BERTH_E_STATE;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor)
		st = map(out, tensor, access);
	berth__residency_unlock(residency);
	return st;
}

static berth_status unmap(struct berth__tensor *tensor, uint32_t access)
{
	bool writes = access & BERTH_ACCESS_WRITE;
	uint32_t *mapped = writes ? &tensor->mapped_for_write : &tensor->mapped_for_read;

	if (*mapped == 0)
		return berth_error_set(BERTH_E_STATE, 0,
				       "tensor %" PRIu64 " is not mapped for %s here",
				       tensor->record->serial, writes ? "writing" : "reading");
	(*mapped)--;
	tensor->record->mapped--;
	if (writes)
		tensor->record->mapped_for_write--;
	return BERTH_OK;
}

berth_status berth_tensor_unmap(berth_residency *residency, berth_tensor handle, uint32_t access)
{
	struct berth__tensor *tensor;
	berth_status st = BERTH_E_STATE;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor)
		st = unmap(tensor, access);
	berth__residency_unlock(residency);
	return st;
}

static berth_status check_update(const struct berth__tensor *tensor, uint64_t bytes)
{
	if (tensor->bytes != bytes)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "%" PRIu64 " bytes for a tensor of %" PRIu64, bytes,
				       tensor->bytes);
	if (tensor->record->constant)
		return berth_error_set(BERTH_E_STATE, 0, "tensor %" PRIu64 " is a constant",
				       tensor->record->serial);
	return berth__record_check_idle(tensor->record, "updated");
}

/*
 * A write that fails changes nothing; but where it takes several commands, some may have
 * succeeded. What the host has is then the content.
 */
static berth_status update_on_device(struct berth__record *record, const void *content,
				     uint64_t start, uint64_t end)
{
	const berth_site_stats *stats = &record->home.site->stats;
	uint64_t before = stats->to_device_count;
	berth_status st = berth__upload_from(&record->home, content, start, end - start);

	if (st == BERTH_OK)
		st = berth__record_load_views(record, NULL);
	if (st == BERTH_OK) {
		berth__ranges_add(&record->stale_host, RANGE_SET(start, end));
		berth__ranges_remove(&record->stale_device, RANGE_SET(start, end));
	} else if (stats->to_device_count > before && record->stale_host.count == 0 &&
		   record->has_content) {
		berth__ranges_add(&record->stale_device, RANGE_SET(start, end));
	}
	return st;
}

static berth_status update(struct berth__tensor *tensor, const void *content, uint64_t bytes)
{
	struct berth__record *record = tensor->record;
	uint64_t start = tensor->offset_bytes, end = start + tensor->bytes;
	berth_status st = check_update(tensor, bytes);

	if (st == BERTH_OK)
		st = berth__record_settle(record);
	/* A part of what has no content: begin with the host's zeros. */
	if (st == BERTH_OK)
		st = berth__record_prepare(record, !record->home.storage || !record->has_content);
	if (st != BERTH_OK)
		return st;
	if (record->home.storage && (record->has_content || !tensor->is_view)) {
		st = update_on_device(record, content, start, end);
		record->has_content = record->has_content || st == BERTH_OK;
		return st;
	}
	memcpy((char *)record->host + start, content, bytes);
	berth__record_host_written(record, start, end);
	return BERTH_OK;
}

berth_status berth_tensor_update(berth_residency *residency, berth_tensor handle,
				 const void *content, uint64_t bytes)
{
	struct berth__tensor *tensor;
	berth_status st = BERTH_E_STATE;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor)
		st = update(tensor, content, bytes);
	berth__residency_unlock(residency);
	return st;
}

static berth_status discard(struct berth__record *record)
{
	berth_status st = berth__record_check_idle(record, "discarded");

	if (st == BERTH_OK && (record->constant || record->pinned > 0))
		st = berth_error_set(BERTH_E_STATE, 0, "tensor %" PRIu64 " is %s", record->serial,
				     record->constant ? "a constant" : "pinned");
	if (st == BERTH_OK)
		st = berth__record_settle(record);
	if (st != BERTH_OK)
		return st;
	record->stale_host.count = 0;
	record->has_content = false;
	if (record->home.storage)
		berth__record_set_home(record, NULL, false);
	return BERTH_OK;
}

berth_status berth_tensor_discard(berth_residency *residency, berth_tensor handle)
{
	struct berth__tensor *tensor;
	berth_status st = BERTH_E_STATE;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor)
		st = discard(tensor->record);
	berth__residency_unlock(residency);
	return st;
}
