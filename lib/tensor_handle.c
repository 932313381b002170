/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors and views: handles, create and destroy, what they say of themselves. */
#include "tensor_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

struct berth__tensor *berth__tensor_find(const berth_residency *residency, berth_tensor handle)
{
	struct berth__tensor *tensor = berth__slots_find(&residency->tensors, handle);

	if (!tensor)
		berth_error_set(BERTH_E_STATE, 0,
				"0x%" PRIx64 " is not a tensor of this residency, or was destroyed",
				handle);
	return tensor;
}

/* Packed bytes do not depend on a device: they are those of a linear layout without limits. */
static berth_status packed_bytes(uint64_t *out, const berth_layout *layout)
{
	static const berth_caps no_limits = { .max_alloc_bytes = UINT64_MAX };
	berth_layout linear = *layout;
	berth_geometry geometry;
	berth_status st;

	linear.scope = BERTH_SCOPE_LINEAR;
	st = berth_layout_compute(&geometry, &no_limits, &linear);
	if (st == BERTH_OK && geometry.bytes > SIZE_MAX)
		st = berth_error_set(BERTH_E_OVERFLOW, 0, "a tensor of %" PRIu64 " bytes",
				     geometry.bytes);
	if (st == BERTH_OK)
		*out = geometry.bytes;
	return st;
}

static berth_status check_options(const berth_tensor_options *options, uint64_t bytes)
{
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0, "options of %" PRIu32 " bytes, not %zu",
				       options->size, sizeof(*options));
	if (options->host_bytes > bytes)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.host_bytes is %" PRIu64 ", the tensor has %" PRIu64,
				       options->host_bytes, bytes);
	if (options->constant && !options->host)
		return berth_error_set(BERTH_E_INVAL, 0, "a constant needs options.host");
	return BERTH_OK;
}

static struct berth__tensor *add_tensor(berth_residency *residency, struct berth__record *record,
					const berth_layout *layout)
{
	struct berth__tensor *tensor = berth__slots_new(&residency->tensors);

	if (!tensor)
		return NULL;
	tensor->record = record;
	tensor->layout = *layout;
	record->tensor_count++;
	LIST_INSERT_HEAD(&record->tensors, tensor, link);
	return tensor;
}

static berth_status create(berth_tensor *out, berth_residency *residency,
			   const berth_layout *layout, uint64_t bytes,
			   const berth_tensor_options *options)
{
	struct berth__record *record = berth__slots_new(&residency->records);
	struct berth__tensor *tensor;

	if (!record)
		return BERTH_E_NOMEM;
	LIST_INIT(&record->tensors);
	tensor = add_tensor(residency, record, layout);
	if (!tensor) {
		berth__slots_free(&residency->records, record);
		return BERTH_E_NOMEM;
	}
	record->serial = residency->next_serial++;
	record->layout = *layout;
	record->bytes = options->host_bytes ? options->host_bytes : bytes;
	record->host = options->host;
	record->owns_host = !options->host;
	record->has_content = options->host != NULL;
	record->constant = options->constant;
	tensor->bytes = record->bytes;
	*out = berth__slot_handle(&tensor->slot);
	return BERTH_OK;
}

berth_status berth_tensor_create(berth_tensor *out, berth_residency *residency,
				 const berth_layout *layout, const berth_tensor_options *options)
{
	static const berth_tensor_options defaults = BERTH_TENSOR_OPTIONS_INIT;
	uint64_t bytes;
	berth_status st = packed_bytes(&bytes, layout);

	if (!options)
		options = &defaults;
	if (st == BERTH_OK)
		st = check_options(options, bytes);
	if (st != BERTH_OK)
		return st;
	berth__residency_lock(residency);
	st = create(out, residency, layout, bytes, options);
	berth__residency_unlock(residency);
	return st;
}

static berth_status view(berth_tensor *out, berth_residency *residency, berth_tensor handle,
			 const berth_layout *layout, uint64_t bytes, uint64_t offset_bytes)
{
	struct berth__tensor *base = berth__tensor_find(residency, handle), *tensor;
	uint64_t end;

	if (!base)
		return BERTH_E_STATE;
	if (__builtin_add_overflow(offset_bytes, bytes, &end) || end > base->bytes)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "a view of %" PRIu64 " bytes at %" PRIu64
				       " ends beyond its base of %" PRIu64 " bytes",
				       bytes, offset_bytes, base->bytes);
	tensor = add_tensor(residency, base->record, layout);
	if (!tensor)
		return BERTH_E_NOMEM;
	tensor->is_view = true;
	tensor->bytes = bytes;
	tensor->offset_bytes = base->offset_bytes + offset_bytes;
	*out = berth__slot_handle(&tensor->slot);
	return BERTH_OK;
}

berth_status berth_tensor_view(berth_tensor *out, berth_residency *residency, berth_tensor base,
			       const berth_layout *layout, uint64_t offset_bytes)
{
	uint64_t bytes;
	berth_status st = packed_bytes(&bytes, layout);

	if (st != BERTH_OK)
		return st;
	berth__residency_lock(residency);
	st = view(out, residency, base, layout, bytes, offset_bytes);
	berth__residency_unlock(residency);
	return st;
}

berth_status berth_tensor_clone(berth_tensor *out, berth_residency *residency, berth_tensor handle)
{
	const struct berth__tensor *tensor;
	berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
	berth_layout layout = { 0 };
	bool has_content = false;
	berth_tensor clone = 0;
	berth_status st;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor) {
		layout = tensor->layout;
		options.host_bytes = tensor->bytes;
		has_content = tensor->record->has_content;
	}
	berth__residency_unlock(residency);
	if (!tensor)
		return BERTH_E_STATE;
	st = berth_tensor_create(&clone, residency, &layout, &options);
	if (st == BERTH_OK && has_content)
		st = berth_tensor_copy(residency, clone, handle);
	if (st == BERTH_OK) {
		*out = clone;
	} else if (clone) {
		/* Nobody else has the handle. */
		berth_error why = *berth_error_get();
		berth_status ended = berth_tensor_destroy(residency, clone);

		(void)ended;
		berth_error_set(why.status, why.cl_status, "%s", why.message);
	}
	return st;
}

berth_status berth__record_check_idle(const struct berth__record *record, const char *what)
{
	if (record->mapped == 0 && record->in_working_set == 0)
		return BERTH_OK;
	return berth_error_set(BERTH_E_STATE, 0,
			       "tensor %" PRIu64 " cannot be %s: it is mapped %" PRIu32
			       " times and in %" PRIu32 " working sets",
			       record->serial, what, record->mapped, record->in_working_set);
}

static void end_record(berth_residency *residency, struct berth__record *record)
{
	assert(LIST_EMPTY(&record->tensors));
	if (record->home.storage)
		berth__record_set_home(record, NULL, false);
	if (record->owns_host)
		free(record->host);
	berth__ranges_free(&record->stale_host);
	berth__ranges_free(&record->stale_device);
	berth__slots_free(&residency->records, record);
}

static berth_status check_destroy(struct berth__tensor *tensor)
{
	struct berth__record *record = tensor->record;
	berth_status st;

	if (tensor->is_view) {
		if (tensor->mapped_for_read + tensor->mapped_for_write == 0 &&
		    record->in_working_set == 0)
			return BERTH_OK;
		return berth__record_check_idle(record, "destroyed, nor a view of it");
	}
	if (record->tensor_count > 1)
		return berth_error_set(BERTH_E_STATE, 0,
				       "tensor %" PRIu64 " has %" PRIu32 " live views",
				       record->serial, record->tensor_count - 1);
	st = berth__record_check_idle(record, "destroyed");
	if (st != BERTH_OK)
		return st;
	/* What a transfer that failed has to say is its callback's. */
	st = berth__record_settle(record);
	(void)st;
	return BERTH_OK;
}

static void end_tensor(berth_residency *residency, struct berth__tensor *tensor)
{
	struct berth__record *record = tensor->record;

	if (tensor->view) {
		berth_status st = berth_view_release(record->home.site->pool, tensor->view);

		assert(st == BERTH_OK);
		(void)st;
	}
	LIST_REMOVE(tensor, link);
	berth__slots_free(&residency->tensors, tensor);
	if (--record->tensor_count == 0)
		end_record(residency, record);
}

berth_status berth_tensor_destroy(berth_residency *residency, berth_tensor handle)
{
	struct berth__tensor *tensor;
	berth_status st = BERTH_E_STATE;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor)
		st = check_destroy(tensor);
	if (st == BERTH_OK)
		end_tensor(residency, tensor);
	berth__residency_unlock(residency);
	return st;
}

static berth_place place_of(const struct berth__record *record)
{
	if (record->stale_host.count > 0)
		return BERTH_ON_DEVICE;
	if (!record->home.storage || record->stale_device.count > 0)
		return BERTH_ON_HOST;
	return BERTH_ON_BOTH;
}

berth_status berth_tensor_get_info(berth_tensor_info *out, berth_residency *residency,
				   berth_tensor handle)
{
	const struct berth__tensor *tensor;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor) {
		const struct berth__record *record = tensor->record;

		*out = (berth_tensor_info){
			.serial = record->serial,
			.layout = tensor->layout,
			.bytes = tensor->bytes,
			.offset_bytes = tensor->offset_bytes,
			.place = place_of(record),
			.has_content = record->has_content,
			.pinned = record->pinned,
			.in_flight = record->in_flight,
			.mapped = record->mapped,
			.in_working_set = record->in_working_set,
			.views = record->tensor_count - 1,
			.storage = record->home.storage,
			.site = record->home.storage ? record->home.site->index : 0,
			.device_bytes = record->home.storage ? record->home.geometry.bytes : 0,
		};
	}
	berth__residency_unlock(residency);
	return tensor ? BERTH_OK : BERTH_E_STATE;
}

static berth_status pin(struct berth__record *record)
{
	if (!record->home.storage)
		return berth_error_set(BERTH_E_STATE, 0,
				       "tensor %" PRIu64 " is on no device: nothing to pin",
				       record->serial);
	record->pinned++;
	return BERTH_OK;
}

static berth_status unpin(struct berth__record *record)
{
	if (record->pinned == 0)
		return berth_error_set(BERTH_E_STATE, 0, "tensor %" PRIu64 " is not pinned",
				       record->serial);
	record->pinned--;
	return BERTH_OK;
}

static berth_status with_record(berth_residency *residency, berth_tensor handle,
				berth_status (*change)(struct berth__record *record))
{
	struct berth__tensor *tensor;
	berth_status st = BERTH_E_STATE;

	berth__residency_lock(residency);
	tensor = berth__tensor_find(residency, handle);
	if (tensor)
		st = change(tensor->record);
	berth__residency_unlock(residency);
	return st;
}

berth_status berth_tensor_pin(berth_residency *residency, berth_tensor tensor)
{
	return with_record(residency, tensor, pin);
}

berth_status berth_tensor_unpin(berth_residency *residency, berth_tensor tensor)
{
	return with_record(residency, tensor, unpin);
}
