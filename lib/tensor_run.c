/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: a working set brought, used, and marked as written. */
#include "tensor_internal.h"

#include <inttypes.h>
#include <stdlib.h>

#define ACCESS_BOTH (BERTH_ACCESS_READ | BERTH_ACCESS_WRITE)

struct run {
	berth_residency *residency;
	struct berth__site *site;
	struct berth__tensor **tensors;
	struct berth__want *wants;
	uint64_t *objects;
	const berth_run_arg *args;
	size_t count;
};

static berth_status open_run(struct run *run, size_t count)
{
	run->count = count;
	run->tensors = calloc(count + 1, sizeof(struct berth__tensor *));
	run->wants = calloc(count + 1, sizeof(*run->wants));
	run->objects = calloc(count + 1, sizeof(*run->objects));
	if (run->tensors && run->wants && run->objects)
		return BERTH_OK;
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a run of %zu arguments", count);
}

static void close_run(struct run *run)
{
	free(run->tensors);
	free(run->wants);
	free(run->objects);
}

static berth_status read_arg(struct run *run, size_t i)
{
	const berth_run_arg *arg = &run->args[i];
	struct berth__tensor *tensor = berth__tensor_find(run->residency, arg->tensor);

	if (!tensor)
		return BERTH_E_STATE;
	if (arg->access == 0 || (arg->access & ~ACCESS_BOTH))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "argument %zu: access 0x%" PRIx32 ": read, write or both", i,
				       arg->access);
	if ((arg->access & BERTH_ACCESS_WRITE) && tensor->record->constant)
		return berth_error_set(BERTH_E_STATE, 0,
				       "argument %zu: tensor %" PRIu64 " is a constant", i,
				       tensor->record->serial);
	run->tensors[i] = tensor;
	run->wants[i].record = tensor->record;
	run->wants[i].access = arg->access;
	/* A view that is written leaves the rest as it is, which must be there then. */
	if (tensor->is_view && arg->access == BERTH_ACCESS_WRITE)
		run->wants[i].access = 0;
	return BERTH_OK;
}

berth_status berth__tensor_object(uint64_t *out, struct berth__tensor *tensor)
{
	const struct berth__home *home = &tensor->record->home;
	const berth_geometry *geometry = &home->geometry;
	berth_view_info info;
	berth_status st;

	if (!tensor->view) {
		berth_view view;

		if (tensor->is_view && geometry->bytes != geometry->packed_bytes)
			return berth_error_set(BERTH_E_UNSUPPORTED, 0,
					       "a view of tensor %" PRIu64
					       ": its rows are padded on site %" PRIu32 ", %" PRIu64
					       " bytes for %" PRIu64,
					       tensor->record->serial, home->site->index,
					       geometry->bytes, geometry->packed_bytes);
		st = berth_view_create(&view, home->site->pool, home->storage, &tensor->layout,
				       tensor->offset_bytes);
		if (st != BERTH_OK)
			return st;
		tensor->view = view;
		st = berth_view_load(home->site->pool, view);
		if (st != BERTH_OK)
			return st;
	}
	st = berth_view_get_info(&info, home->site->pool, tensor->view);
	if (st == BERTH_OK)
		*out = info.object;
	return st;
}

static berth_status begin(struct run *run)
{
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < run->count; i++)
		st = read_arg(run, i);
	if (st == BERTH_OK)
		st = berth__make_resident(run->site, run->wants, run->count, false);
	if (st != BERTH_OK)
		return st;
	for (size_t i = 0; st == BERTH_OK && i < run->count; i++)
		st = berth__tensor_object(&run->objects[i], run->tensors[i]);
	if (st != BERTH_OK)
		berth__want_end(run->wants, run->count);
	return st;
}

/* Newer on the other side; without memory for a part all of it, which is right as well. */
static void mark(struct berth__ranges *set, const struct berth__tensor *tensor)
{
	uint64_t start = tensor->offset_bytes;

	/* A part that is the first content leaves the rest as it happens to be there. */
	if (tensor->record->has_content && berth__ranges_reserve(set, 1)) {
		berth__ranges_add(set, RANGE_SET(start, start + tensor->bytes));
		return;
	}
	/* There is room for one: berth__make_resident() prepared the record. */
	set->items[0] = (struct berth__range){ 0, tensor->record->bytes };
	set->count = 1;
}

static berth_status mark_written(struct berth__tensor *tensor)
{
	struct berth__record *record = tensor->record;
	berth_status st;

	mark(&record->stale_host, tensor);
	/* What was not brought is written now; the rest was brought. */
	record->stale_device.count = 0;
	record->has_content = true;
	st = berth_view_store(record->home.site->pool, tensor->view);
	return st == BERTH_OK ? berth__record_load_views(record, tensor) : st;
}

/* Kernels may have begun to write: where the host has the content, that is what counts. */
static void mark_failed(struct berth__tensor *tensor)
{
	struct berth__record *record = tensor->record;

	if (record->has_content && record->stale_host.count == 0)
		mark(&record->stale_device, tensor);
}

static bool writes(const struct run *run, size_t i)
{
	return run->args[i].access & BERTH_ACCESS_WRITE;
}

static berth_status finish(struct run *run, berth_status ran, berth_outputs outputs)
{
	berth_status st = BERTH_OK;

	for (size_t i = 0; i < run->count; i++) {
		berth_status marked = BERTH_OK;

		if (writes(run, i) && ran == BERTH_OK)
			marked = mark_written(run->tensors[i]);
		else if (writes(run, i))
			mark_failed(run->tensors[i]);
		if (st == BERTH_OK)
			st = marked;
	}
	for (size_t i = 0; ran == BERTH_OK && st == BERTH_OK && i < run->count; i++) {
		const struct berth__tensor *tensor = run->tensors[i];

		if (outputs == BERTH_OUTPUTS_HOME && writes(run, i))
			st = berth__record_to_host(tensor->record, tensor->offset_bytes,
						   tensor->offset_bytes + tensor->bytes);
	}
	berth__want_end(run->wants, run->count);
	return ran == BERTH_OK ? st : ran;
}

static berth_status run_locked(struct run *run, uint32_t index)
{
	run->site = berth__site_find(run->residency, index);
	return run->site ? begin(run) : BERTH_E_INVAL;
}

berth_status berth_residency_run(berth_residency *residency, uint32_t site,
				 const berth_run_arg *args, size_t count, berth_outputs outputs,
				 berth_run_fn *fn, void *userdata)
{
	struct run run = { .residency = residency, .args = args };
	berth_status st = open_run(&run, count);

	if (st == BERTH_OK) {
		berth__residency_lock(residency);
		st = run_locked(&run, site);
		berth__residency_unlock(residency);
		if (st == BERTH_OK) {
			st = fn(run.objects, count, userdata);
			berth__residency_lock(residency);
			st = finish(&run, st, outputs);
			berth__residency_unlock(residency);
		}
	}
	close_run(&run);
	return st;
}
