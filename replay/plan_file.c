/* SPDX-License-Identifier: Apache-2.0 */
/* Plans as tables: written for other programs, read to be checked. */
#include "csv_rows.h"
#include "plan_source.h"
#include "whole_file.h"

#include <csv.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <berth/plan_output.h>

enum { ID, OFFSET, ARENA, SIZE, COLUMN_COUNT };

static const struct berth__csv_column columns[COLUMN_COUNT] = {
	[ID] = { "id", true },
	[OFFSET] = { "offset", true },
	[ARENA] = { "arena", false },
	[SIZE] = { "size", false },
};

/* The claim's arrays, while they can be written to. */
struct loading {
	const struct berth__plan_text *text;
	const berth_plan_model *model;
	uint32_t *sorted;
	berth_plan_place *places;
	uint64_t *lines; /* of each request's row; 0: none */
	uint64_t *arena_bytes;
	size_t arena_count;
};

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a plan");
}

static berth_status parse(uint64_t *out, const struct loading *loading, const char *const *values,
			  int column, uint64_t line)
{
	if (berth__plan_parse_number(out, values[column]))
		return BERTH_OK;
	return berth__plan_text_error(loading->text, line, "%s '%.64s' is not a number of 64 bits",
				      columns[column].name, values[column]);
}

static berth_status reach_arena(struct loading *loading, uint64_t arena, uint64_t end,
				uint64_t line)
{
	size_t most = loading->model->input.request_count;
	uint64_t *grown;

	if (arena >= most)
		return berth__plan_text_error(loading->text, line,
					      "arena %" PRIu64 " of a plan of %zu requests", arena,
					      most);
	if (arena >= loading->arena_count) {
		grown = reallocarray(loading->arena_bytes, arena + 1, sizeof(*grown));
		if (!grown)
			return no_memory();
		memset(grown + loading->arena_count, 0,
		       (arena + 1 - loading->arena_count) * sizeof(*grown));
		loading->arena_bytes = grown;
		loading->arena_count = arena + 1;
	}
	if (end > loading->arena_bytes[arena])
		loading->arena_bytes[arena] = end;
	return BERTH_OK;
}

static berth_status check_size(const struct loading *loading, const char *const *values,
			       uint64_t line, const berth_plan_request *request)
{
	uint64_t size;
	berth_status st = parse(&size, loading, values, SIZE, line);

	if (st != BERTH_OK || size == request->bytes)
		return st;
	return berth_error_set(BERTH_E_STATE, 0,
			       "%s, line %" PRIu64 ": '%.64s' has %" PRIu64
			       " bytes in the plan, %" PRIu64 " in what is planned",
			       loading->text->path, line, values[ID], size, request->bytes);
}

static berth_status take_row(const char *const *values, uint64_t line, void *userdata)
{
	struct loading *loading = userdata;
	uint32_t index = berth__plan_model_find(loading->model, loading->sorted, values[ID]);
	uint64_t offset, arena = 0, end;
	const berth_plan_request *request;
	berth_status st = parse(&offset, loading, values, OFFSET, line);

	if (st == BERTH_OK && values[ARENA])
		st = parse(&arena, loading, values, ARENA, line);
	if (st != BERTH_OK)
		return st;
	if (index == BERTH_PLAN_NO_REQUEST)
		return berth__plan_text_error(loading->text, line,
					      "'%.64s' is not among what is planned", values[ID]);
	if (loading->lines[index])
		return berth__plan_text_error(loading->text, line,
					      "id '%.64s' is that of line %" PRIu64 " already",
					      values[ID], loading->lines[index]);
	request = &loading->model->input.requests[index];
	if (values[SIZE] && (st = check_size(loading, values, line, request)) != BERTH_OK)
		return st;
	if (__builtin_add_overflow(offset, request->bytes, &end))
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "%s, line %" PRIu64 ": offset %" PRIu64 " and %" PRIu64
				       " bytes do not fit 64 bits",
				       loading->text->path, line, offset, request->bytes);
	st = reach_arena(loading, arena, end, line);
	if (st != BERTH_OK)
		return st;
	loading->places[index] = (berth_plan_place){ (uint32_t)arena, offset };
	loading->lines[index] = line;
	return BERTH_OK;
}

static berth_status check_complete(const struct loading *loading)
{
	for (size_t i = 0; i < loading->model->input.request_count; i++)
		if (!loading->lines[i])
			return berth_error_set(BERTH_E_STATE, 0, "%s has no row for '%.64s'",
					       loading->text->path, loading->model->items[i].name);
	return BERTH_OK;
}

static berth_status load(struct loading *loading)
{
	size_t count = loading->model->input.request_count;
	berth_status st = berth__plan_model_sort(&loading->sorted, loading->model);

	if (st != BERTH_OK)
		return st;
	loading->places = calloc(count + 1, sizeof(*loading->places));
	loading->lines = calloc(count + 1, sizeof(*loading->lines));
	if (!loading->places || !loading->lines)
		return no_memory();
	st = berth__csv_read(loading->text, columns, COLUMN_COUNT, take_row, loading);
	return st == BERTH_OK ? check_complete(loading) : st;
}

berth_status berth_plan_file_load(berth_plan_file **out, const char *path,
				  const berth_plan_model *model)
{
	struct berth__plan_text text;
	struct loading loading = { .text = &text, .model = model };
	berth_plan_file *file = NULL;
	berth_status st = berth__plan_text_open(&text, path);

	if (st != BERTH_OK)
		return st;
	st = load(&loading);
	berth__plan_text_close(&text);
	if (st == BERTH_OK && !(file = calloc(1, sizeof(*file))))
		st = no_memory();
	free(loading.sorted);
	free(loading.lines);
	if (st != BERTH_OK) {
		free(loading.places);
		free(loading.arena_bytes);
		return st;
	}
	file->claim = (berth_plan_claim){
		.places = loading.places,
		.place_count = model->input.request_count,
		.arena_bytes = loading.arena_bytes,
		.arena_count = loading.arena_count,
	};
	*out = file;
	return BERTH_OK;
}

void berth_plan_file_destroy(berth_plan_file *file)
{
	if (!file)
		return;
	free((berth_plan_place *)file->claim.places);
	free((uint64_t *)file->claim.arena_bytes);
	free(file);
}

/* What needs no quotes, so that simple readers can take it. */
static bool is_plain(const char *name)
{
	return name[strspn(name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "_.:/-")] == 0;
}

static void write_rows(FILE *file, const berth_plan_model *model, const berth_plan *plan)
{
	fputs("id,lower,upper,size,alignment,arena,offset\n", file);
	for (size_t i = 0; i < plan->place_count; i++) {
		const berth_plan_request *request = &model->input.requests[i];
		const char *name = model->items[i].name;

		if (is_plain(name))
			fputs(name, file);
		else
			csv_fwrite(file, name, strlen(name));
		fprintf(file,
			",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64
			"\n",
			request->lower, request->upper, request->bytes, request->align_bytes,
			plan->places[i].arena, plan->places[i].offset_bytes);
	}
}

berth_status berth_plan_file_write(const char *path, const berth_plan_model *model,
				   const berth_plan *plan)
{
	struct berth__whole_file file;
	berth_status st = berth__whole_file_begin(&file, path);

	if (st != BERTH_OK)
		return st;
	write_rows(file.stream, model, plan);
	return berth__whole_file_end(&file, path);
}
