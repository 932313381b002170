/* SPDX-License-Identifier: Apache-2.0 */
/* The table that `berth compare --csv` prints, as a part of a report's data. */
#include "csv_rows.h"
#include "report_json.h"
#include "report_tables.h"

#include <stdlib.h>

#define TEXT_MAX_BYTES 400
#define ROWS_MAX 2000 /* a person reads no more */

static const struct {
	struct berth__csv_column column;
	bool number;
} columns[] = {
	{ { "trace", true }, false },	       { { "device", true }, false },
	{ { "policy", true }, false },	       { { "outcome", true }, false },
	{ { "verdict", false }, false },       { { "peak_bytes", true }, true },
	{ { "capacity_bytes", false }, true }, { { "device_allocations", false }, true },
	{ { "unused_percent", false }, true }, { { "estimated_ns", false }, true },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

struct reader {
	FILE *file;
	const struct berth__plan_text *text;
	size_t rows;
};

static berth_status take_row(const char *const *values, uint64_t line, void *userdata)
{
	struct reader *reader = userdata;

	if (++reader->rows > ROWS_MAX)
		return berth__plan_text_error(reader->text, line, "more than %d rows", ROWS_MAX);
	fputs(reader->rows > 1 ? ",\n{" : "{", reader->file);
	for (size_t i = 0; i < COLUMNS; i++) {
		uint64_t number;

		berth__report_json_key(reader->file, columns[i].column.name, i == 0);
		if (!columns[i].number)
			berth__report_json_text(reader->file, values[i], TEXT_MAX_BYTES);
		else if (!values[i] || !*values[i])
			fputs("null", reader->file);
		else if (berth__plan_parse_number(&number, values[i]))
			berth__report_json_number(reader->file, number);
		else
			return berth__plan_text_error(reader->text, line, "%s is no number: '%s'",
						      columns[i].column.name, values[i]);
	}
	fputc('}', reader->file);
	return BERTH_OK;
}

berth_status berth__report_put_comparison(FILE *file, const struct berth__report *report)
{
	struct berth__csv_column known[COLUMNS];
	struct berth__plan_text text;
	struct reader reader = { .file = file, .text = &text };
	berth_status st;

	if (!report->options->comparison)
		return BERTH_OK;
	for (size_t i = 0; i < COLUMNS; i++)
		known[i] = columns[i].column;
	if ((st = berth__plan_text_open(&text, report->options->comparison)) != BERTH_OK)
		return st;
	fputs(",\n\"comparison\":[", file);
	st = berth__csv_read(&text, known, COLUMNS, take_row, &reader);
	fputc(']', file);
	berth__plan_text_close(&text);
	return st;
}
