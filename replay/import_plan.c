/* SPDX-License-Identifier: Apache-2.0 */
/* What planners read: lifetimes become the creation and the release of a buffer. */
#include "import.h"

#include <inttypes.h>
#include <stdlib.h>

#include <berth/plan_input.h>

/* A moment at which a request begins or ends. */
struct moment {
	uint64_t at;
	uint32_t request;
	bool begins;
};

/* Ends come first: lifetimes are half-open. Then as in the file. */
static int compare_moments(const void *a, const void *b)
{
	const struct moment *first = a, *second = b;

	if (first->at != second->at)
		return first->at < second->at ? -1 : 1;
	if (first->begins != second->begins)
		return first->begins ? 1 : -1;
	return (first->request > second->request) - (first->request < second->request);
}

static berth_status put_moment(struct berth__import *import, const berth_plan_model *model,
			       const struct moment *moment, uint64_t since_ns, uint64_t *ids)
{
	struct berth__import_place place = { .context = 1 };
	berth_status st;

	if (__builtin_add_overflow(since_ns, moment->at, &place.t_ns))
		place.t_ns = UINT64_MAX;
	if (!moment->begins)
		return berth__import_release(&import->sink, &place, ids[moment->request]);
	st = berth__import_create(&ids[moment->request], &import->sink, &place,
				  model->input.requests[moment->request].bytes);
	return st == BERTH_OK ? berth__import_label(&import->sink, &place, ids[moment->request],
						    model->items[moment->request].name)
			      : st;
}

/* A moment of the file is a nanosecond of the trace. */
static berth_status put_moments(struct berth__import *import, const berth_plan_model *model,
				struct moment *moments, uint64_t *ids, uint64_t *since_ns)
{
	size_t count = 0;
	berth_status st = BERTH_OK;

	for (uint32_t i = 0; i < model->input.request_count; i++) {
		const berth_plan_request *request = &model->input.requests[i];

		if (request->bytes == 0) {
			import->sink.result.empty++;
			continue;
		}
		moments[count++] = (struct moment){ request->lower, i, true };
		moments[count++] = (struct moment){ request->upper, i, false };
	}
	qsort(moments, count, sizeof(*moments), compare_moments);
	for (size_t i = 0; st == BERTH_OK && i < count; i++)
		st = put_moment(import, model, &moments[i], *since_ns, ids);
	/* The next model begins where this one ends. */
	if (count > 0 && __builtin_add_overflow(*since_ns, moments[count - 1].at, since_ns))
		*since_ns = UINT64_MAX;
	return st;
}

static berth_status put_model(struct berth__import *import, const berth_plan_model *model,
			      uint64_t *since_ns)
{
	size_t count = model->input.request_count;
	struct moment *moments = calloc(count ? count : 1, 2 * sizeof(*moments));
	uint64_t *ids = calloc(count ? count : 1, sizeof(*ids));
	const struct berth__import_place place = { .t_ns = *since_ns };
	berth_status st = BERTH_OK;

	if (!moments || !ids)
		st = berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu lifetimes", count);
	if (st == BERTH_OK && *model->name)
		st = berth__import_label(&import->sink, &place, BERTH_ID_NONE, model->name);
	if (st == BERTH_OK)
		st = put_moments(import, model, moments, ids, since_ns);
	free(moments);
	free(ids);
	return st;
}

berth_status berth__import_plan(struct berth__import *import)
{
	berth_plan_source_options options = BERTH_PLAN_SOURCE_OPTIONS_INIT;
	berth_plan_source *source;
	uint64_t since_ns = 0;
	berth_status st;

	options.caps = import->options->caps;
	if ((st = berth_plan_source_load(&source, import->path, &options)) != BERTH_OK)
		return st;
	if (source->kind == BERTH_PLAN_SOURCE_TRACE)
		st = berth_error_set(BERTH_E_FORMAT, 0, "'%s' is a trace already", import->path);
	for (size_t i = 0; st == BERTH_OK && i < source->model_count; i++)
		st = put_model(import, &source->models[i], &since_ns);
	berth_plan_source_destroy(source);
	return st;
}
