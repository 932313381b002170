/* SPDX-License-Identifier: Apache-2.0 */
/* Requests from a table: id, lower, upper, size or layout, alignment, offset. */
#include "csv_rows.h"
#include "plan_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <berth/layout.h>

enum { ID, LOWER, UPPER, SIZE, LAYOUT, ALIGNMENT, OFFSET, COLUMN_COUNT };

static const struct berth__csv_column columns[COLUMN_COUNT] = {
	[ID] = { "id", true },		[LOWER] = { "lower", true },
	[UPPER] = { "upper", true },	[SIZE] = { "size", false },
	[LAYOUT] = { "layout", false }, [ALIGNMENT] = { "alignment", false },
	[OFFSET] = { "offset", false },
};

struct table {
	berth_plan_source *source;
	const struct berth__plan_text *text;
	const berth_caps *caps; /* or NULL */
	bool inclusive;
};

/* The moment after the last, where the table has the last. */
static berth_status close_lifetime(const struct table *table, berth_plan_request *request,
				   uint64_t line)
{
	if (table->inclusive && request->upper == UINT64_MAX)
		return berth__plan_text_error(table->text, line,
					      "upper %" PRIu64 " has no moment after it",
					      request->upper);
	request->upper += table->inclusive;
	return BERTH_OK;
}

/* A number in a column; @otherwise where the table or the row has none. */
static berth_status parse_value(uint64_t *out, const struct table *table, const char *const *values,
				int column, uint64_t line, const uint64_t *otherwise)
{
	const char *value = values[column];

	if (otherwise && (!value || !*value)) {
		*out = *otherwise;
		return BERTH_OK;
	}
	if (berth__plan_parse_number(out, value))
		return BERTH_OK;
	if (!*value)
		return berth__plan_text_error(table->text, line, "%s is missing",
					      columns[column].name);
	return berth__plan_text_error(table->text, line, "%s '%.64s' is not a number of 64 bits",
				      columns[column].name, value);
}

static berth_status layout_error(const struct table *table, uint64_t line, const char *text)
{
	return berth__plan_text_error(
		table->text, line, "layout '%.64s' is not as 'texture float16 1x28x28x32x4'", text);
}

/* "1x28x28x4" */
static bool parse_shape(berth_layout *layout, char *shape)
{
	char *rest = NULL;

	for (char *axis = strtok_r(shape, "x", &rest); axis; axis = strtok_r(NULL, "x", &rest)) {
		if (layout->axis_count == BERTH_LAYOUT_AXES_MAX ||
		    !berth__plan_parse_number(&layout->shape[layout->axis_count++], axis))
			return false;
	}
	return layout->axis_count > 0;
}

/* For a scope: the texture scope of the fewest rows that fits, else linear. */
static const char choose_word[] = "choose";

static berth_status parse_layout(berth_layout *layout, bool *choose, const struct table *table,
				 uint64_t line, const char *text)
{
	char scope[24], element[24], shape[128];
	int used = 0;

	*layout = (berth_layout){ .lanes = 1 };
	if (sscanf(text, "%23s %23s %127s %n", scope, element, shape, &used) != 3 || text[used] ||
	    !parse_shape(layout, shape))
		return layout_error(table, line, text);
	*choose = strcmp(scope, choose_word) == 0;
	if ((!*choose && berth_scope_parse(&layout->scope, scope) != BERTH_OK) ||
	    berth_element_parse(&layout->element, element) != BERTH_OK) {
		char reason[BERTH_ERROR_MESSAGE_BYTES];

		snprintf(reason, sizeof(reason), "%s", berth_error_get()->message);
		return berth__plan_text_error(table->text, line, "%s", reason);
	}
	return BERTH_OK;
}

/* What the layout takes on the device that is planned for. */
static berth_status take_layout(const struct table *table, uint64_t line, const char *text,
				berth_plan_request *request, berth_plan_item *item)
{
	berth_layout layout;
	berth_geometry geometry;
	char reason[BERTH_ERROR_MESSAGE_BYTES];
	bool choose = false;
	berth_status st = parse_layout(&layout, &choose, table, line, text);

	if (st != BERTH_OK)
		return st;
	if (!table->caps)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "%s, line %" PRIu64
				       ": a layout has a size on a device only, "
				       "and none is given",
				       table->text->path, line);
	st = choose ? berth_layout_choose(&geometry, table->caps, &layout, BERTH_CHOOSE_WIDEST)
		    : berth_layout_compute(&geometry, table->caps, &layout);
	if (st != BERTH_OK) {
		snprintf(reason, sizeof(reason), "%s", berth_error_get()->message);
		return berth_error_set(st, 0, "%s, line %" PRIu64 ": %s", table->text->path, line,
				       reason);
	}
	request->bytes = geometry.bytes;
	item->kind = geometry.scope == BERTH_SCOPE_LINEAR ? BERTH_PLAN_ITEM_BUFFER
							  : BERTH_PLAN_ITEM_IMAGE;
	return berth__plan_align_join(&request->align_bytes, geometry.align_bytes);
}

static berth_status take_size(const struct table *table, const char *const *values, uint64_t line,
			      berth_plan_request *request, berth_plan_item *item)
{
	const char *size = values[SIZE], *layout = values[LAYOUT];

	if (size && *size && layout && *layout)
		return berth__plan_text_error(table->text, line, "both a size and a layout");
	if (layout && *layout)
		return take_layout(table, line, layout, request, item);
	if (!size)
		return berth__plan_text_error(table->text, line, "neither a size nor a layout");
	return parse_value(&request->bytes, table, values, SIZE, line, NULL);
}

static berth_status take_row(const char *const *values, uint64_t line, void *userdata)
{
	static const uint64_t none = 0, anywhere = BERTH_PLAN_ANYWHERE;
	const struct table *table = userdata;
	berth_plan_request *request;
	berth_plan_item *item;
	berth_status st;

	if (!*values[ID])
		return berth__plan_text_error(table->text, line, "id is missing");
	if ((st = berth__plan_source_add(table->source, values[ID], &request, &item)) != BERTH_OK ||
	    (st = parse_value(&request->lower, table, values, LOWER, line, NULL)) != BERTH_OK ||
	    (st = parse_value(&request->upper, table, values, UPPER, line, NULL)) != BERTH_OK ||
	    (st = close_lifetime(table, request, line)) != BERTH_OK ||
	    (st = parse_value(&request->align_bytes, table, values, ALIGNMENT, line, &none)) !=
		    BERTH_OK ||
	    (st = parse_value(&request->pinned_offset_bytes, table, values, OFFSET, line,
			      &anywhere)) != BERTH_OK ||
	    (st = take_size(table, values, line, request, item)) != BERTH_OK)
		return st;
	item->place = line;
	if (request->upper > request->lower)
		return BERTH_OK;
	return berth__plan_text_error(table->text, line, "upper %" PRIu64 " is %s lower %" PRIu64,
				      request->upper - table->inclusive,
				      table->inclusive ? "before" : "not after", request->lower);
}

/* Ids are what plans are checked by. */
static berth_status check_ids(const struct table *table)
{
	const berth_plan_model *model = &table->source->models[0];
	const berth_plan_item *items = model->items;
	uint32_t *sorted = NULL;
	berth_status st = berth__plan_model_sort(&sorted, model);

	for (size_t i = 1; st == BERTH_OK && i < model->input.request_count; i++) {
		const berth_plan_item *first = &items[sorted[i - 1]], *second = &items[sorted[i]];

		if (strcmp(first->name, second->name) == 0)
			st = berth__plan_text_error(table->text, second->place,
						    "id '%.64s' is that of line %" PRIu64
						    " already",
						    second->name, first->place);
	}
	free(sorted);
	return st;
}

berth_status berth__plan_table_read(berth_plan_source *source, const struct berth__plan_text *text,
				    const berth_plan_source_options *options)
{
	struct table table = { .source = source, .text = text, .caps = options->caps,
			       .inclusive = options->inclusive };
	berth_status st;

	source->kind = BERTH_PLAN_SOURCE_TABLE;
	st = berth__plan_source_add_model(source, "", options->caps);
	if (st == BERTH_OK)
		st = berth__csv_read(text, columns, COLUMN_COUNT, take_row, &table);
	return st == BERTH_OK ? check_ids(&table) : st;
}
