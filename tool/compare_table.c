/* SPDX-License-Identifier: Apache-2.0 */
#include "compare_table.h"

#include "print.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What people see of a row, as texts. */
enum {
	CELL_DEVICE,
	CELL_POLICY,
	CELL_OUTCOME,
	CELL_PEAK,
	CELL_CAPACITY,
	CELL_ALLOCATIONS,
	CELL_UNUSED,
	CELL_MOVED,
	CELL_TIME,
	CELLS,
};

static const char *const titles[CELLS] = {
	"device", "policy", "outcome", "peak", "of", "allocations", "unused", "moved", "transfers",
};

#define CELL_BYTES 96

static void fill_cells(char cells[CELLS][CELL_BYTES], const struct compare_row *row)
{
	bool fits = strcmp(row->outcome, COMPARE_DOES_NOT_FIT) != 0;
	char size[SIZE_TEXT_BYTES];

	snprintf(cells[CELL_DEVICE], CELL_BYTES, "%s", row->device);
	snprintf(cells[CELL_POLICY], CELL_BYTES, "%s", row->policy);
	snprintf(cells[CELL_OUTCOME], CELL_BYTES, "%s%s%s", row->outcome, fits ? "" : ": ",
		 fits ? "" : row->verdict);
	for (int i = CELL_PEAK; i < CELLS; i++)
		snprintf(cells[i], CELL_BYTES, "-");
	if (strcmp(row->outcome, COMPARE_FAILED) == 0)
		return;
	snprintf(cells[CELL_PEAK], CELL_BYTES, "%s", size_short_text(size, row->peak_bytes));
	if (row->capacity_bytes > 0)
		snprintf(cells[CELL_CAPACITY], CELL_BYTES, "%s",
			 size_short_text(size, row->capacity_bytes));
	snprintf(cells[CELL_ALLOCATIONS], CELL_BYTES, "%" PRIu64, row->device_allocations);
	snprintf(cells[CELL_UNUSED], CELL_BYTES, "%" PRIu64 " %%", row->unused_percent);
	snprintf(cells[CELL_MOVED], CELL_BYTES, "%s", size_short_text(size, row->bytes_moved));
	if (row->has_estimate)
		snprintf(cells[CELL_TIME], CELL_BYTES, "%.3f ms", (double)row->estimated_ns / 1e6);
}

/* Texts to the left, numbers to the right. */
static bool is_number(int cell)
{
	return cell >= CELL_PEAK;
}

static void print_line(char cells[CELLS][CELL_BYTES], const size_t widths[CELLS])
{
	for (int i = 0; i < CELLS; i++)
		print_text(stdout, is_number(i) ? "  %*s" : "  %-*s", (int)widths[i], cells[i]);
	putchar('\n');
}

static void widen(size_t widths[CELLS], char cells[CELLS][CELL_BYTES])
{
	for (int i = 0; i < CELLS; i++)
		if (strlen(cells[i]) > widths[i])
			widths[i] = strlen(cells[i]);
}

static void title_cells(char cells[CELLS][CELL_BYTES])
{
	for (int i = 0; i < CELLS; i++)
		snprintf(cells[i], CELL_BYTES, "%s", titles[i]);
}

static bool is_new_trace(const struct compare_row *rows, size_t index)
{
	return index == 0 || strcmp(rows[index].trace, rows[index - 1].trace) != 0;
}

static bool is_same_reason(const struct compare_row *a, const struct compare_row *b)
{
	return strcmp(a->trace, b->trace) == 0 && strcmp(a->device, b->device) == 0 &&
	       strcmp(a->rule, b->rule) == 0 && strcmp(a->why, b->why) == 0;
}

/* Mostly all policies fail for one reason. */
static void print_reasons(const struct compare_row *rows, size_t count)
{
	bool titled = false;

	for (size_t i = 0; i < count; i++) {
		const struct compare_row *first = &rows[i];

		if (!*first->why)
			continue;
		if (!titled)
			print_text(stdout, "\nwhy:\n");
		titled = true;
		print_text(stdout, "  %s on %s, %s", first->trace, first->device, first->policy);
		for (; i + 1 < count && is_same_reason(first, &rows[i + 1]); i++)
			print_text(stdout, ", %s", rows[i + 1].policy);
		print_text(stdout, ":\n");
		print_text(stdout, "    %s%s%s\n", first->rule, *first->rule ? ", " : "",
			   first->why);
	}
}

void compare_table_print(const struct compare_row *rows, size_t count)
{
	char cells[CELLS][CELL_BYTES];
	size_t widths[CELLS] = { 0 };

	title_cells(cells);
	widen(widths, cells);
	for (size_t i = 0; i < count; i++) {
		fill_cells(cells, &rows[i]);
		widen(widths, cells);
	}
	for (size_t i = 0; i < count; i++) {
		if (is_new_trace(rows, i)) {
			print_text(stdout, "%s%s\n", i ? "\n" : "", rows[i].trace);
			title_cells(cells);
			print_line(cells, widths);
		}
		fill_cells(cells, &rows[i]);
		print_line(cells, widths);
	}
	print_reasons(rows, count);
}

static void print_markdown_line(char cells[CELLS][CELL_BYTES])
{
	for (int i = 0; i < CELLS; i++)
		print_text(stdout, "| %s ", cells[i]);
	print_text(stdout, "|\n");
}

void compare_table_print_markdown(const struct compare_row *rows, size_t count)
{
	char cells[CELLS][CELL_BYTES];

	for (size_t i = 0; i < count; i++) {
		if (is_new_trace(rows, i)) {
			print_text(stdout, "%s`%s`\n", i ? "\n" : "", rows[i].trace);
			putchar('\n');
			title_cells(cells);
			print_markdown_line(cells);
			for (int j = 0; j < CELLS; j++)
				print_text(stdout, "|%s", is_number(j) ? "--:" : "---");
			print_text(stdout, "|\n");
		}
		fill_cells(cells, &rows[i]);
		print_markdown_line(cells);
	}
}

/* RFC 4180: in quotes, with quotes doubled. Control characters stay what they are, in quotes. */
static void put_csv(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

static void put_csv_number(const struct compare_row *row, const uint64_t *number)
{
	putchar(',');
	if (number != &row->estimated_ns || row->has_estimate)
		printf("%" PRIu64, *number);
}

void compare_table_print_csv(const struct compare_row *rows, size_t count)
{
#define X(name) "," #name
	fputs(&(COMPARE_TEXTS(X))[1], stdout);
	fputs(COMPARE_NUMBERS(X) "\n", stdout);
#undef X
	for (size_t i = 0; i < count; i++) {
		const char *comma = "";
#define X(name)                                                                                    \
	fputs(comma, stdout);                                                                      \
	put_csv(rows[i].name);                                                                     \
	comma = ",";
		COMPARE_TEXTS(X)
#undef X
#define X(name) put_csv_number(&rows[i], &rows[i].name);
		COMPARE_NUMBERS(X)
#undef X
		putchar('\n');
	}
}

berth_status compare_table_print_json(const struct compare_row *rows, size_t count)
{
	putchar('[');
	for (size_t i = 0; i < count; i++) {
		char *text = compare_row_to_json(&rows[i]);

		if (!text)
			return berth_error_set(BERTH_E_NOMEM, 0, "the JSON cannot be built");
		printf("%s%s", i ? ",\n" : "", text);
		free(text);
	}
	puts("]");
	return BERTH_OK;
}
