/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of plans: which kind a file is, and the memory of what is read from it. */
#include "plan_source.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const apart_strings[BERTH_PLAN_APART_END] = {
#define X(name, value, text) [value] = text,
	BERTH_PLAN_APART_MAP(X)
#undef X
};

const char *berth_plan_apart_string(berth_plan_apart apart)
{
	return (unsigned)apart < BERTH_PLAN_APART_END ? apart_strings[apart] : "unknown";
}

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for what is to be planned");
}

/* Room for one more item behind `count`; capacities are powers of two. */
static berth_status reserve(void **items, size_t count, size_t item_bytes)
{
	void *grown;

	if (count & (count - 1))
		return BERTH_OK;
	grown = reallocarray(*items, count ? count * 2 : 1, item_bytes);
	if (!grown)
		return no_memory();
	*items = grown;
	return BERTH_OK;
}

static berth_plan_model *last_model(berth_plan_source *source)
{
	return &source->models[source->model_count - 1];
}

berth_status berth__plan_source_add_model(berth_plan_source *source, const char *name,
					  const berth_caps *caps)
{
	berth_plan_model model = { .name = strdup(name) };
	berth_status st;

	if (!model.name)
		return no_memory();
	if (caps) {
		model.input.caps.align_bytes = berth_caps_base_align_bytes(caps);
		model.input.caps.max_arena_bytes = caps->max_alloc_bytes;
	}
	st = reserve((void **)&source->models, source->model_count, sizeof(*source->models));
	if (st == BERTH_OK)
		source->models[source->model_count++] = model;
	else
		free((char *)model.name);
	return st;
}

berth_plan_request *berth__plan_source_request(berth_plan_source *source, size_t index)
{
	return (berth_plan_request *)&last_model(source)->input.requests[index];
}

berth_plan_item *berth__plan_source_item(berth_plan_source *source, size_t index)
{
	return &last_model(source)->items[index];
}

berth_status berth__plan_source_add(berth_plan_source *source, const char *name,
				    berth_plan_request **request, berth_plan_item **item)
{
	static const berth_plan_request defaults = BERTH_PLAN_REQUEST_INIT;
	berth_plan_model *model = last_model(source);
	size_t index = model->input.request_count;
	char *copy;
	berth_status st;

	if (index == BERTH_PLAN_REQUESTS_MAX)
		return berth_error_set(BERTH_E_LIMIT, 0, "more than %u requests",
				       BERTH_PLAN_REQUESTS_MAX);
	st = reserve((void **)&model->input.requests, index, sizeof(*model->input.requests));
	if (st == BERTH_OK)
		st = reserve((void **)&model->items, index, sizeof(*model->items));
	if (st != BERTH_OK)
		return st;
	copy = strdup(name);
	if (!copy)
		return no_memory();
	model->items[index] = (berth_plan_item){ .name = copy };
	model->input.request_count++;
	*request = berth__plan_source_request(source, index);
	**request = defaults;
	if (item)
		*item = &model->items[index];
	return BERTH_OK;
}

static int compare_names(const void *a, const void *b, void *userdata)
{
	const berth_plan_item *items = userdata;
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	int order = strcmp(items[first].name, items[second].name);

	return order ? order : (first > second) - (first < second);
}

berth_status berth__plan_model_sort(uint32_t **out, const berth_plan_model *model)
{
	size_t count = model->input.request_count;
	uint32_t *sorted = reallocarray(NULL, count + 1, sizeof(*sorted));

	if (!sorted)
		return no_memory();
	for (size_t i = 0; i < count; i++)
		sorted[i] = (uint32_t)i;
	qsort_r(sorted, count, sizeof(*sorted), compare_names, model->items);
	*out = sorted;
	return BERTH_OK;
}

uint32_t berth__plan_model_find(const berth_plan_model *model, const uint32_t *sorted,
				const char *name)
{
	size_t low = 0, high = model->input.request_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, model->items[sorted[middle]].name);

		if (order == 0)
			return sorted[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return BERTH_PLAN_NO_REQUEST;
}

berth_status berth__plan_align_join(uint64_t *align, uint64_t other)
{
	uint64_t a = *align ? *align : 1, b = other ? other : 1, joined;

	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	if (__builtin_mul_overflow((*align ? *align : 1) / a, other ? other : 1, &joined))
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "no 64-bit alignment is a multiple of %" PRIu64
				       " and of %" PRIu64,
				       *align, other);
	*align = joined;
	return BERTH_OK;
}

/* ---- which kind of file ---- */

static const char sqlite_magic[16] = "SQLite format 3";

/* The first word of the file, comments of lists left out; the file is at its start afterwards. */
static berth_status read_first_word(char word[16], FILE *file)
{
	int c;

	for (;;) {
		while ((c = fgetc(file)) != EOF && isspace(c))
			;
		if (c != '#')
			break;
		while ((c = fgetc(file)) != EOF && c != '\n')
			;
	}
	for (size_t i = 0; i < 16; i++, c = fgetc(file)) {
		bool ends = c == EOF || isspace(c) || i == 15;

		word[i] = ends ? 0 : (char)c;
		if (ends)
			break;
	}
	if (fseek(file, 0, SEEK_SET) != 0 || ferror(file))
		return berth_error_set(BERTH_E_IO, 0, "%s", strerror(errno));
	return BERTH_OK;
}

static berth_status load_trace(berth_plan_source *source, const char *path,
			       const berth_plan_source_options *options)
{
	berth_trace *trace;
	berth_status st = berth_trace_open(&trace, path);

	if (st != BERTH_OK)
		return st;
	st = berth__plan_trace_read(source, trace, options);
	berth_trace_close(trace);
	return st;
}

static bool begins_list(const char *word)
{
	static const char *const words[] = { "MODEL", "ALIGN", "ALLOC", "FREE", "MEM", "EFF" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

/* What an option asks of the kind of file. */
static berth_status check_options(const struct berth__plan_text *text, bool is_table,
				  const berth_plan_source_options *options)
{
	if (options->inclusive && !is_table)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "'%s' is not a table: its lifetimes are known, there is no "
				       "last moment to be counted in",
				       text->path);
	return BERTH_OK;
}

static berth_status load_text(berth_plan_source *source, const struct berth__plan_text *text,
			      const berth_plan_source_options *options)
{
	char magic[16], word[16];
	berth_status st;

	if (fread(magic, 1, sizeof(magic), text->file) == sizeof(magic) &&
	    memcmp(magic, sqlite_magic, sizeof(magic)) == 0) {
		st = check_options(text, false, options);
		return st == BERTH_OK ? load_trace(source, text->path, options) : st;
	}
	if (options->by_use)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "'%s' is not a trace: its lifetimes are those it gives, "
				       "there are no uses to go by",
				       text->path);
	rewind(text->file);
	st = read_first_word(word, text->file);
	if (st != BERTH_OK)
		return berth_error_set(st, 0, "cannot read '%s': %s", text->path,
				       berth_error_get()->message);
	st = check_options(text, !begins_list(word), options);
	if (st != BERTH_OK)
		return st;
	return begins_list(word) ? berth__plan_lists_read(source, text, options)
				 : berth__plan_table_read(source, text, options);
}

static const berth_plan_source_options default_options = BERTH_PLAN_SOURCE_OPTIONS_INIT;

berth_status berth_plan_source_load(berth_plan_source **out, const char *path,
				    const berth_plan_source_options *options)
{
	struct berth__plan_text text;
	berth_plan_source *source;
	berth_status st = berth__plan_text_open(&text, path);

	if (st != BERTH_OK)
		return st;
	source = calloc(1, sizeof(*source));
	st = source ? load_text(source, &text, options ? options : &default_options) : no_memory();
	berth__plan_text_close(&text);
	if (st == BERTH_OK)
		*out = source;
	else
		berth_plan_source_destroy(source);
	return st;
}

berth_status berth_plan_source_from_trace(berth_plan_source **out, berth_trace *trace,
					  const berth_plan_source_options *options)
{
	berth_plan_source *source = calloc(1, sizeof(*source));
	berth_status st =
		source ? berth__plan_trace_read(source, trace, options ? options : &default_options)
		       : no_memory();

	if (st == BERTH_OK)
		*out = source;
	else
		berth_plan_source_destroy(source);
	return st;
}

static void free_model(berth_plan_model *model)
{
	for (size_t i = 0; i < model->input.request_count; i++)
		free((char *)model->items[i].name);
	free(model->items);
	free((berth_plan_request *)model->input.requests);
	free((char *)model->name);
}

void berth_plan_source_destroy(berth_plan_source *source)
{
	if (!source)
		return;
	for (size_t i = 0; i < source->model_count; i++)
		free_model(&source->models[i]);
	free(source->models);
	free(source);
}
