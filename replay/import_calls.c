/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all calls that the export writes. */
#include "import.h"

#include "call_columns.h"
#include "csv_rows.h"
#include "id_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <berth/trace.h>

enum { SEQ, KIND, FORM, STATUS, NAME, DIGEST, USES, EVENTS, TEXT_COLUMNS };

#define COLUMN_COUNT (TEXT_COLUMNS + BERTH__CALL_COLUMNS)
_Static_assert(COLUMN_COUNT <= CSV_COLUMNS_MAX, "libcsv's reader takes as many columns");

static const struct berth__csv_column text_columns[TEXT_COLUMNS] = {
	[SEQ] = { "seq", false },     [KIND] = { "kind", true },     [FORM] = { "form", false },
	[STATUS] = { "status", true }, [NAME] = { "name", false },    [DIGEST] = { "digest", false },
	[USES] = { "uses", false },   [EVENTS] = { "events", false },
};

struct table {
	struct berth__import *import;
	const struct berth__plan_text *text;
	uint64_t line; /* of this row */
	berth_object_use *uses;
	size_t use_capacity;
	berth_op_event *events;
	size_t event_capacity;
	struct berth__id_map live; /* objects, by id; bytes: the references */
	char end[16];		   /* of the row that says it; empty: not come yet */
	uint64_t untracked;
};

static bool is_given(const char *value)
{
	return value && *value;
}

/* Numbers parted by ':' ("7:0:1"), so many of them; moves behind a ';' and the numbers. */
static bool take_numbers(uint64_t *numbers, int count, const char **text)
{
	for (int i = 0; i < count; i++) {
		char *end;

		if (**text < '0' || **text > '9')
			return false;
		errno = 0;
		numbers[i] = strtoull(*text, &end, 10);
		if (errno == ERANGE || (i + 1 < count && *end != ':'))
			return false;
		*text = i + 1 < count ? end + 1 : end;
	}
	if (**text == ';')
		return *++*text != 0;
	return **text == 0;
}

static berth_status grow(void **items, size_t *capacity, size_t needed, size_t item_bytes)
{
	void *grown;

	if (needed <= *capacity)
		return BERTH_OK;
	grown = reallocarray(*items, 2 * needed, item_bytes);
	if (!grown)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a list of %zu", needed);
	*items = grown;
	*capacity = 2 * needed;
	return BERTH_OK;
}

static berth_status parse_uses(struct table *table, berth_op *op, const char *text)
{
	const char *at = text;
	uint64_t numbers[3];
	berth_status st;

	while (*at) {
		if (!take_numbers(numbers, 3, &at) || numbers[1] > UINT32_MAX ||
		    numbers[2] > UINT32_MAX || op->use_count == BERTH__USES_MAX)
			return berth__plan_text_error(table->text, table->line,
						      "uses '%.64s' are not as '7:0:1;9:3:0'", text);
		st = grow((void **)&table->uses, &table->use_capacity, op->use_count + 1,
			  sizeof(*table->uses));
		if (st != BERTH_OK)
			return st;
		table->uses[op->use_count++] = (berth_object_use){
			numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2]
		};
	}
	if (op->use_count && !berth_op_kind_has_list(op->kind))
		return berth__plan_text_error(table->text, table->line, "a %s has no list of objects",
					      berth_op_kind_string(op->kind));
	op->uses = table->uses;
	return BERTH_OK;
}

static berth_status parse_events(struct table *table, berth_trace_op *row, const char *text)
{
	const char *at = text;
	uint64_t numbers[2];
	berth_status st;

	while (*at) {
		if (!take_numbers(numbers, 2, &at) || numbers[1] < BERTH_EVENT_GIVEN ||
		    numbers[1] > BERTH_EVENT_COMPLETE || row->event_count == BERTH__USES_MAX)
			return berth__plan_text_error(table->text, table->line,
						      "events '%.64s' are not as '1:2;4:1'", text);
		st = grow((void **)&table->events, &table->event_capacity, row->event_count + 1,
			  sizeof(*table->events));
		if (st != BERTH_OK)
			return st;
		table->events[row->event_count++] = (berth_op_event){
			numbers[0], (berth_event_role)numbers[1]
		};
	}
	row->events = table->events;
	return BERTH_OK;
}

static berth_status parse_digest(struct table *table, berth_trace_op *row, const char *text)
{
	static const char digits[] = "0123456789abcdef";

	if (strlen(text) != 2 * sizeof(row->digest) ||
	    strspn(text, digits) != 2 * sizeof(row->digest))
		return berth__plan_text_error(table->text, table->line,
					      "digest '%.64s' is not 32 digits of lower case hex", text);
	for (size_t i = 0; i < sizeof(row->digest); i++)
		row->digest[i] = (uint8_t)((strchr(digits, text[2 * i]) - digits) << 4 |
					   (strchr(digits, text[2 * i + 1]) - digits));
	row->has_digest = true;
	return BERTH_OK;
}

static berth_status parse_status(struct table *table, berth_trace_op *row, const char *text)
{
	char *end;
	long number;

	row->answered = *text != 0;
	if (!row->answered)
		return BERTH_OK;
	errno = 0;
	number = strtol(text, &end, 10);
	if (*end || errno == ERANGE || number < INT32_MIN || number > INT32_MAX)
		return berth__plan_text_error(table->text, table->line,
					      "status '%.64s' is not a number of 32 bits", text);
	row->result.cl_status = (int32_t)number;
	return BERTH_OK;
}

static berth_status parse_form(struct table *table, berth_op *op, const char *text)
{
	for (int form = BERTH_FORM_NONE; form < BERTH_FORM_END; form++) {
		if (strcmp(berth_op_form_string((berth_op_form)form), text) == 0) {
			op->form = (berth_op_form)form;
			return BERTH_OK;
		}
	}
	return berth__plan_text_error(table->text, table->line, "form '%.64s' is none", text);
}

static berth_status parse_numbers(struct table *table, berth_trace_op *row,
				  const char *const *values)
{
	for (size_t i = 0; i < BERTH__CALL_COLUMNS; i++) {
		const struct berth__call_column *column = &berth__call_columns[i];
		uint64_t number;

		if (!is_given(values[i]))
			continue;
		if (!berth__plan_parse_number(&number, values[i]) ||
		    !berth__call_set(row, column, number))
			return berth__plan_text_error(table->text, table->line,
						      "%s '%.64s' is not a number of %zu bits",
						      column->name, values[i], 8 * column->bytes);
		if (!berth__call_has(row, column))
			return berth__plan_text_error(table->text, table->line, "a %s has no %s",
						      berth_op_kind_string(row->op.kind),
						      column->name);
	}
	return BERTH_OK;
}

static berth_status parse_call(struct table *table, berth_trace_op *row, const char *const *values)
{
	berth_status st;

	if (berth_op_kind_parse(&row->op.kind, values[KIND]) != BERTH_OK)
		return berth__plan_text_error(table->text, table->line,
					      "kind '%.64s' is not one of a call", values[KIND]);
	if (is_given(values[FORM]) &&
	    (st = parse_form(table, &row->op, values[FORM])) != BERTH_OK)
		return st;
	if ((st = parse_status(table, row, values[STATUS])) != BERTH_OK ||
	    (st = parse_numbers(table, row, values + TEXT_COLUMNS)) != BERTH_OK)
		return st;
	if (is_given(values[USES]) && (st = parse_uses(table, &row->op, values[USES])) != BERTH_OK)
		return st;
	if (is_given(values[EVENTS]) && (st = parse_events(table, row, values[EVENTS])) != BERTH_OK)
		return st;
	if (is_given(values[DIGEST]))
		st = parse_digest(table, row, values[DIGEST]);
	row->op.name = is_given(values[NAME]) ? values[NAME] : NULL;
	return st;
}

/* ---- what is alive, for the counts, and because an id is never used twice ---- */

static berth_status begin_object(struct table *table, const berth_op *op)
{
	const struct berth__id_entry made = { op->object, 1, 1 };

	if (op->object == BERTH_ID_NONE || op->object == BERTH_ID_UNKNOWN)
		return berth__plan_text_error(table->text, table->line,
					      "a %s that succeeded has no object",
					      berth_op_kind_string(op->kind));
	/* Recorders count: calls that end out of order are few, and looked for among the living. */
	if (berth__id_map_find(&table->live, op->object))
		return berth__plan_text_error(table->text, table->line,
					      "object %" PRIu64 " is made, and is there already",
					      op->object);
	table->import->sink.result.unreleased++;
	return berth__id_map_add(&table->live, &made);
}

static void end_reference(struct table *table, uint64_t id)
{
	struct berth__id_entry *there = berth__id_map_find(&table->live, id);

	if (!there || --there->bytes > 0)
		return;
	berth__id_map_remove(&table->live, there);
	table->import->sink.result.unreleased--;
}

static berth_status see_objects(struct table *table, const berth_trace_op *row)
{
	const berth_op *op = &row->op;
	struct berth__id_entry *there;

	if (!row->answered || row->result.cl_status != 0)
		return BERTH_OK;
	if (berth_op_kind_creates(op->kind))
		return begin_object(table, op);
	if (op->kind == BERTH_OP_RETAIN && (there = berth__id_map_find(&table->live, op->object)))
		there->bytes++;
	if (op->kind == BERTH_OP_RELEASE || (op->kind == BERTH_OP_SVM_FREE && !op->use_count))
		end_reference(table, op->object);
	for (uint32_t i = 0; op->kind == BERTH_OP_SVM_FREE && i < op->use_count; i++)
		end_reference(table, op->uses[i].object);
	return BERTH_OK;
}

/* ---- rows ---- */

static berth_status take_meta(struct table *table, const char *name, uint64_t number)
{
	berth_import_result *result = &table->import->sink.result;

	if (strcmp(name, "started_ns") == 0) {
		table->import->started_ns = number;
		return BERTH_OK;
	}
	if (strcmp(name, "lost") == 0)
		return berth__trace_write_number(table->import->sink.writer, "lost", number);
	if (strcmp(name, "before") != 0)
		return berth__plan_text_error(table->text, table->line, "meta '%.64s' is not known",
					      name);
	if (number > result->ops)
		return berth__plan_text_error(table->text, table->line,
					      "%" PRIu64 " calls before, of %" PRIu64, number,
					      result->ops);
	result->before = number;
	return BERTH_OK;
}

static berth_status take_untracked(struct table *table, const char *name, uint64_t number)
{
	struct berth__trace_writer *writer = table->import->sink.writer;
	uint32_t index = (uint32_t)++table->untracked;
	berth_status st = berth__trace_write_untracked_name(writer, index, name);

	return st == BERTH_OK ? berth__trace_write_untracked(writer, index, number) : st;
}

static berth_status take_end(struct table *table, const char *name, uint64_t number)
{
	static const char *const ends[] = { "exit", "killed", "cut" };

	(void)number;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (strcmp(name, ends[i]) == 0) {
			table->import->end = ends[i];
			strcpy(table->end, ends[i]);
			return BERTH_OK;
		}
	}
	return berth__plan_text_error(table->text, table->line,
				      "end '%.64s' is not exit, killed or cut", name);
}

static const struct {
	const char *kind;
	berth_status (*take)(struct table *table, const char *name, uint64_t number);
} facts[] = {
	{ BERTH__CALL_ROW_META, take_meta },
	{ BERTH__CALL_ROW_UNTRACKED, take_untracked },
	{ BERTH__CALL_ROW_END, take_end },
};

/* Where `bytes` is. */
static const char *bytes_of(const char *const *values)
{
	for (size_t i = 0; i < BERTH__CALL_COLUMNS; i++)
		if (strcmp(berth__call_columns[i].name, "bytes") == 0)
			return values[TEXT_COLUMNS + i];
	return NULL;
}

static berth_status take_call(struct table *table, const char *const *values)
{
	berth_trace_op row = { 0 };
	uint64_t seq, expected = table->import->sink.result.ops + 1;
	berth_status st;

	if (is_given(values[SEQ]) &&
	    (!berth__plan_parse_number(&seq, values[SEQ]) || seq != expected))
		return berth__plan_text_error(table->text, table->line,
					      "seq '%.64s' is not %" PRIu64 ": calls are missing",
					      values[SEQ], expected);
	if ((st = parse_call(table, &row, values)) != BERTH_OK ||
	    (st = see_objects(table, &row)) != BERTH_OK)
		return st;
	return berth__import_op(&table->import->sink, &row);
}

static berth_status take_row(const char *const *values, uint64_t line, void *userdata)
{
	struct table *table = userdata;
	const char *number = bytes_of(values), *name = values[NAME] ? values[NAME] : "";
	uint64_t bytes = 0;

	table->line = line;
	berth__import_progress(table->import, line, table->text->file);
	if (*table->end)
		return berth__plan_text_error(table->text, line, "a row behind the end");
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (strcmp(values[KIND], facts[i].kind) != 0)
			continue;
		if (is_given(number) && !berth__plan_parse_number(&bytes, number))
			return berth__plan_text_error(table->text, line,
						      "bytes '%.64s' is not a number of 64 bits",
						      number);
		return facts[i].take(table, name, bytes);
	}
	return take_call(table, values);
}

/* Ids of the living were looked at row by row; this is of all. */
static berth_status check_ids(const struct table *table)
{
	uint64_t made = table->import->sink.result.objects, there = 0;
	berth_status st = berth__trace_written_objects(&there, table->import->sink.writer);

	if (st != BERTH_OK || there == made)
		return st;
	return berth_error_set(BERTH_E_FORMAT, 0,
			       "%s: %" PRIu64 " objects are made, with %" PRIu64
			       " ids: an id is used again after its object's end",
			       table->import->path, made, there);
}

berth_status berth__import_calls(struct berth__import *import)
{
	struct berth__csv_column columns[COLUMN_COUNT];
	struct berth__plan_text text;
	struct table table = { .import = import, .text = &text };
	berth_status st = berth__plan_text_open(&text, import->path);

	if (st != BERTH_OK)
		return st;
	memcpy(columns, text_columns, sizeof(text_columns));
	for (size_t i = 0; i < BERTH__CALL_COLUMNS; i++)
		columns[TEXT_COLUMNS + i] =
			(struct berth__csv_column){ berth__call_columns[i].name, false };
	st = berth__csv_read(&text, columns, COLUMN_COUNT, take_row, &table);
	if (st == BERTH_OK && !*table.end)
		st = berth__plan_text_error(&text, table.line,
					    "no row 'end' follows: the table is cut short");
	if (st == BERTH_OK)
		st = check_ids(&table);
	berth__id_map_free(&table.live);
	free(table.uses);
	free(table.events);
	berth__plan_text_close(&text);
	return st;
}
