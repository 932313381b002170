/* SPDX-License-Identifier: Apache-2.0 */
#include "compare_row.h"

#include "json.h"
#include "json_read.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *path;
	size_t offset;
} texts[] = {
#define X(name) { "$." #name, offsetof(struct compare_row, name) },
	COMPARE_TEXTS(X)
#undef X
};

static const struct {
	const char *path;
	size_t offset;
} numbers[] = {
#define X(name) { "$." #name, offsetof(struct compare_row, name) },
	COMPARE_NUMBERS(X)
#undef X
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static char **text_at(const struct compare_row *row, size_t index)
{
	return (char **)((char *)row + texts[index].offset);
}

static uint64_t *number_at(const struct compare_row *row, size_t index)
{
	return (uint64_t *)((char *)row + numbers[index].offset);
}

bool compare_row_set(char **text, const char *value)
{
	char *copy = strdup(value ? value : "");

	free(*text);
	*text = copy;
	return copy != NULL;
}

char *compare_row_to_json(const struct compare_row *row)
{
	json_builder *json = json_builder_create();
	const char *text;
	char *copy;

	for (size_t i = 0; i < COUNT(texts); i++)
		json_set_text(json, texts[i].path, *text_at(row, i));
	for (size_t i = 0; i < COUNT(numbers); i++)
		json_set_number(json, numbers[i].path, *number_at(row, i));
	if (!row->has_estimate)
		json_set_text(json, "$.estimated_ns", NULL);
	text = json_text(json);
	copy = text ? strdup(text) : NULL;
	json_builder_destroy(json);
	return copy;
}

static berth_status read_row(struct compare_row *row, json_reader *reader)
{
	for (size_t i = 0; i < COUNT(texts); i++) {
		*text_at(row, i) = json_read_text(reader, texts[i].path);
		if (!*text_at(row, i))
			return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a row");
	}
	for (size_t i = 0; i < COUNT(numbers); i++) {
		bool is_estimate = number_at(row, i) == &row->estimated_ns;
		bool found = json_read_number(reader, number_at(row, i), numbers[i].path);

		if (is_estimate)
			row->has_estimate = found;
		else if (!found)
			return berth_error_set(BERTH_E_FORMAT, 0,
					       "not a row of a comparison: no %s",
					       numbers[i].path + 2);
	}
	if (!*row->trace || !*row->device || !*row->policy || !*row->outcome)
		return berth_error_set(
			BERTH_E_FORMAT, 0,
			"not a row of a comparison: no trace, device, policy or outcome");
	return BERTH_OK;
}

berth_status compare_row_from_json(struct compare_row *row, const char *text)
{
	json_reader *reader = NULL;
	berth_status st = json_reader_open(&reader, text);

	memset(row, 0, sizeof(*row));
	if (st == BERTH_OK)
		st = read_row(row, reader);
	json_reader_close(reader);
	return st;
}

void compare_row_free(struct compare_row *row)
{
	for (size_t i = 0; i < COUNT(texts); i++)
		free(*text_at(row, i));
	memset(row, 0, sizeof(*row));
}
