/* SPDX-License-Identifier: Apache-2.0 */
/* The formats by name, and by what a file begins with. */
#include <berth/exchange.h>

#include "plan_text.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *name, *text;
	bool exported, imported;
} formats[BERTH_EXCHANGE_FORMAT_END] = {
#define X(name, value, string, exported, imported, text) [name] = { string, text, exported, imported },
	BERTH_EXCHANGE_FORMAT_MAP(X)
#undef X
};

static bool is_known(berth_exchange_format format)
{
	return (unsigned)format < BERTH_EXCHANGE_FORMAT_END;
}

const char *berth_exchange_format_string(berth_exchange_format format)
{
	return is_known(format) ? formats[format].name : "unknown";
}

const char *berth_exchange_format_text(berth_exchange_format format)
{
	return is_known(format) ? formats[format].text : "unknown";
}

bool berth_exchange_format_exported(berth_exchange_format format)
{
	return is_known(format) && formats[format].exported;
}

bool berth_exchange_format_imported(berth_exchange_format format)
{
	return is_known(format) && formats[format].imported;
}

berth_status berth_exchange_format_parse(berth_exchange_format *out, const char *name)
{
	for (int i = 0; i < BERTH_EXCHANGE_FORMAT_END; i++) {
		if (strcmp(formats[i].name, name) == 0) {
			*out = (berth_exchange_format)i;
			return BERTH_OK;
		}
	}
	return berth_error_set(BERTH_E_NOT_FOUND, 0,
			       "'%s' is not a format; there are chrome, csv, objects, rmm, plan and "
			       "pytorch",
			       name);
}

/* ---- by content ---- */

/* Enough of a file for its header line. */
#define HEAD_BYTES 4096

/* Whether a header line has a column of that name, in quotes or not. */
static bool has_column(const char *line, const char *name)
{
	size_t bytes = strlen(name);

	for (;;) {
		size_t field = strcspn(line, ","), from = strspn(line, " \t\""), to = field;

		if (from > field)
			from = field;
		while (to > from && strchr(" \t\"\r", line[to - 1]))
			to--;
		if (to - from == bytes && strncasecmp(line + from, name, bytes) == 0)
			return true;
		if (!line[field])
			return false;
		line += field + 1;
	}
}

/* Columns that no other format has together. */
static const struct {
	berth_exchange_format format;
	const char *columns[4];
} headers[] = {
	{ BERTH_EXCHANGE_RMM, { "Thread", "Time", "Action", "Pointer" } },
	{ BERTH_EXCHANGE_CSV, { "kind", "status", "object", "bytes" } },
	{ BERTH_EXCHANGE_PLAN, { "id", "lower", "upper", NULL } },
};

static bool guess_header(berth_exchange_format *out, const char *line)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		size_t found = 0;

		while (found < 4 && headers[i].columns[found] &&
		       has_column(line, headers[i].columns[found]))
			found++;
		if (found == 4 || !headers[i].columns[found]) {
			*out = headers[i].format;
			return true;
		}
	}
	return false;
}

/* Words that a line of an allocation list begins with. */
static bool is_list_line(const char *line)
{
	static const char *const words[] = { "MODEL ", "ALIGN ", "ALLOC ", "FREE ", "#" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(line, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

berth_status berth_import_guess(berth_exchange_format *out, const char *path)
{
	struct berth__plan_text text;
	char head[HEAD_BYTES + 1], *line = head;
	size_t bytes;
	bool failed;
	berth_status st = berth__plan_text_open(&text, path);

	if (st != BERTH_OK)
		return st;
	bytes = fread(head, 1, HEAD_BYTES, text.file);
	failed = ferror(text.file);
	berth__plan_text_close(&text);
	if (failed)
		return berth_error_set(BERTH_E_IO, 0, "cannot read '%s'", path);
	head[bytes] = 0;
	/* PROTO, and a version. */
	if (bytes >= 2 && (unsigned char)head[0] == 0x80 && head[1] >= 2 && head[1] <= 5) {
		*out = BERTH_EXCHANGE_PYTORCH;
		return BERTH_OK;
	}
	/* A byte order mark, as spreadsheets write it. */
	if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
		line += 3;
	line += strspn(line, "\r\n");
	line[strcspn(line, "\r\n")] = 0;
	if (guess_header(out, line))
		return BERTH_OK;
	if (is_list_line(line)) {
		*out = BERTH_EXCHANGE_PLAN;
		return BERTH_OK;
	}
	return berth_error_set(BERTH_E_FORMAT, 0,
			       "'%s' begins as none of the formats that are read: a table of calls, an "
			       "RMM log, a planner's table, a PyTorch snapshot",
			       path);
}
