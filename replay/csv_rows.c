/* SPDX-License-Identifier: Apache-2.0 */
#include "csv_rows.h"

#include <csv.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Index of a known column that the table does not have. */
#define NO_FIELD SIZE_MAX

struct reader {
	const struct berth__plan_text *text;
	const struct berth__csv_column *columns;
	size_t column_count;
	berth__csv_row_fn *take;
	void *userdata;

	char *row; /* the fields of the row so far, each with its NUL */
	size_t row_used, row_capacity;
	size_t starts[CSV_COLUMNS_MAX]; /* of each field in `row` */
	size_t fields;			/* may pass CSV_COLUMNS_MAX: then they are only counted */

	uint64_t line;
	bool headed;
	size_t header_fields;
	size_t field_of[CSV_COLUMNS_MAX]; /* by known column */
	berth_status st;
};

static berth_status append(struct reader *reader, const char *field, size_t bytes)
{
	size_t needed = reader->row_used + bytes + 1;

	if (memchr(field, 0, bytes))
		return berth__plan_text_error(reader->text, reader->line,
					      "field %zu has a NUL in it", reader->fields + 1);
	if (needed > reader->row_capacity) {
		char *grown = realloc(reader->row, 2 * needed);

		if (!grown)
			return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a row of '%s'",
					       reader->text->path);
		reader->row = grown;
		reader->row_capacity = 2 * needed;
	}
	memcpy(reader->row + reader->row_used, field, bytes);
	reader->row[reader->row_used + bytes] = 0;
	if (reader->fields < CSV_COLUMNS_MAX)
		reader->starts[reader->fields] = reader->row_used;
	reader->row_used = needed;
	return BERTH_OK;
}

static void on_field(void *field, size_t bytes, void *data)
{
	struct reader *reader = data;

	if (reader->st == BERTH_OK)
		reader->st = append(reader, field ? field : "", bytes);
	reader->fields++;
}

/* Where the header has a known column. */
static berth_status find_column(struct reader *reader, size_t column)
{
	const char *name = reader->columns[column].name;

	reader->field_of[column] = NO_FIELD;
	for (size_t i = 0; i < reader->fields; i++) {
		if (strcasecmp(reader->row + reader->starts[i], name) != 0)
			continue;
		if (reader->field_of[column] != NO_FIELD)
			return berth__plan_text_error(reader->text, reader->line,
						      "the column '%s' is there twice", name);
		reader->field_of[column] = i;
	}
	if (reader->columns[column].needed && reader->field_of[column] == NO_FIELD)
		return berth__plan_text_error(reader->text, reader->line,
					      "not a header of a table: there is no column '%s'",
					      name);
	return BERTH_OK;
}

static berth_status take_header(struct reader *reader)
{
	berth_status st = BERTH_OK;

	if (reader->fields > CSV_COLUMNS_MAX)
		return berth__plan_text_error(reader->text, reader->line,
					      "%zu columns; at most %d are read", reader->fields,
					      CSV_COLUMNS_MAX);
	for (size_t i = 0; st == BERTH_OK && i < reader->column_count; i++)
		st = find_column(reader, i);
	reader->headed = true;
	reader->header_fields = reader->fields;
	return st;
}

static berth_status take_row(struct reader *reader)
{
	const char *values[CSV_COLUMNS_MAX];

	if (reader->fields != reader->header_fields)
		return berth__plan_text_error(reader->text, reader->line,
					      "%zu fields, the header has %zu", reader->fields,
					      reader->header_fields);
	for (size_t i = 0; i < reader->column_count; i++)
		values[i] = reader->field_of[i] == NO_FIELD
				    ? NULL
				    : reader->row + reader->starts[reader->field_of[i]];
	return reader->take(values, reader->line, reader->userdata);
}

/* Ends of empty lines come as well, and count the lines. */
static void on_row(int end, void *data)
{
	struct reader *reader = data;

	if (reader->st == BERTH_OK && reader->fields > 0)
		reader->st = reader->headed ? take_row(reader) : take_header(reader);
	reader->fields = 0;
	reader->row_used = 0;
	if (end == '\n')
		reader->line++;
}

static berth_status parse_error(const struct reader *reader, struct csv_parser *parser)
{
	int code = csv_error(parser);

	if (code == CSV_ENOMEM)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a row of '%s'",
				       reader->text->path);
	return berth__plan_text_error(reader->text, reader->line, "not CSV: %s",
				      csv_strerror(code));
}

/* A byte order mark, as spreadsheets write it, is no part of the first column's name. */
static void skip_mark(FILE *file)
{
	char mark[3];

	if (fread(mark, 1, sizeof(mark), file) != sizeof(mark) ||
	    memcmp(mark, "\xef\xbb\xbf", sizeof(mark)) != 0)
		rewind(file);
}

static berth_status parse(struct reader *reader, struct csv_parser *parser)
{
	FILE *file = reader->text->file;
	char block[16384];
	size_t bytes;

	skip_mark(file);
	while (reader->st == BERTH_OK && (bytes = fread(block, 1, sizeof(block), file)) > 0)
		if (csv_parse(parser, block, bytes, on_field, on_row, reader) != bytes &&
		    reader->st == BERTH_OK)
			return parse_error(reader, parser);
	if (reader->st == BERTH_OK && ferror(file))
		return berth_error_set(BERTH_E_IO, 0, "cannot read '%s': %s", reader->text->path,
				       strerror(errno));
	if (reader->st == BERTH_OK && csv_fini(parser, on_field, on_row, reader) != 0)
		return parse_error(reader, parser);
	if (reader->st == BERTH_OK && !reader->headed)
		return berth__plan_text_error(reader->text, reader->line, "there is no header");
	return reader->st;
}

berth_status berth__csv_read(const struct berth__plan_text *text,
			     const struct berth__csv_column *columns, size_t column_count,
			     berth__csv_row_fn *take, void *userdata)
{
	struct reader reader = {
		.text = text,
		.columns = columns,
		.column_count = column_count,
		.take = take,
		.userdata = userdata,
		.line = 1,
	};
	struct csv_parser parser;
	berth_status st;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read '%s'", text->path);
	st = parse(&reader, &parser);
	csv_free(&parser);
	free(reader.row);
	return st;
}
