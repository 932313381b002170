/* SPDX-License-Identifier: Apache-2.0 */
#include "export.h"

#include "db.h"
#include "trace_schema.h"
#include "trace_store.h"
#include "whole_file.h"

#include <string.h>

static berth__export_fn *const writers[BERTH_EXCHANGE_FORMAT_END] = {
	[BERTH_EXCHANGE_CHROME] = berth__export_chrome,
	[BERTH_EXCHANGE_CSV] = berth__export_calls,
	[BERTH_EXCHANGE_OBJECTS] = berth__export_objects,
	[BERTH_EXCHANGE_RMM] = berth__export_rmm,
	[BERTH_EXCHANGE_PLAN] = berth__export_plan,
};

/* Calls between two looks at the clock of whoever shows progress. */
#define PROGRESS_EVERY 4096

berth_status berth__export_next(const berth_trace_op **out, struct berth__export *export)
{
	berth_status st = berth_trace_next(out, export->trace);

	if (st == BERTH_OK && *out && export->options->progress &&
	    (*out)->seq % PROGRESS_EVERY == 0)
		export->options->progress((*out)->seq,
					  berth_trace_get_info(export->trace)->op_count,
					  export->options->userdata);
	return st;
}

void berth__export_field(FILE *file, const char *text)
{
	if (!text)
		return;
	/* Spaces at an end would be trimmed, and a leading '=' is run by spreadsheets. */
	if (!strpbrk(text, "\",\r\n\t =")) {
		fputs(text, file);
		return;
	}
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', file);
		putc(*text, file);
	}
	putc('"', file);
}

berth_status berth_export(const char *path, berth_trace *trace, berth_exchange_format format,
			  const berth_export_options *options)
{
	static const berth_export_options defaults = BERTH_EXPORT_OPTIONS_INIT;
	struct berth__export export = { .trace = trace, .options = options ? options : &defaults };
	struct berth__whole_file file;
	berth_status st;

	if (export.options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0, "export options of %u bytes, expected %zu",
				       export.options->size, sizeof(*options));
	if ((unsigned)format >= BERTH_EXCHANGE_FORMAT_END)
		return berth_error_set(BERTH_E_INVAL, 0, "no format of files has the number %d",
				       (int)format);
	if (!writers[format])
		return berth_error_set(BERTH_E_UNSUPPORTED, 0, "the format '%s' is read only",
				       berth_exchange_format_string(format));
	if ((st = berth_trace_select(trace, BERTH_TRACE_FIELDS_ALL)) != BERTH_OK ||
	    (st = berth__whole_file_begin(&file, path)) != BERTH_OK)
		return st;
	export.file = file.stream;
	st = writers[format](&export);
	if (st == BERTH_OK)
		return berth__whole_file_end(&file, path);
	berth__whole_file_abandon(&file);
	return st;
}

/* ---- memory ---- */

/* As the summary has it: parents that are held by their children live on. */
static const char events_sql[] =
	"WITH memory AS (SELECT m.*, o.context FROM (%s) m JOIN object o ON o.id = m.id)"
	" SELECT created_op AS op, 1, id, bytes, created_op, context FROM memory"
	" WHERE created_op IS NOT NULL UNION ALL"
	" SELECT ends_op, 0, id, bytes, created_op, context FROM memory WHERE ends_op IS NOT NULL"
	" ORDER BY op";

berth_status berth__memory_events_next(struct berth__memory_events *events)
{
	struct berth__memory_event *event = &events->event;
	int code = sqlite3_step(events->rows);

	if (code != SQLITE_ROW && code != SQLITE_DONE)
		return berth__db_error(events->db, "read the trace");
	event->op = UINT64_MAX;
	if (code == SQLITE_DONE)
		return BERTH_OK;
	event->op = berth__db_column(events->rows, 0);
	event->begins = sqlite3_column_int(events->rows, 1);
	event->id = berth__db_column(events->rows, 2);
	event->bytes = berth__db_column(events->rows, 3);
	event->created_op = berth__db_column(events->rows, 4);
	event->context = berth__db_column(events->rows, 5);
	return BERTH_OK;
}

berth_status berth__memory_events_begin(struct berth__memory_events *events, berth_trace *trace)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);
	berth_status st;

	events->db = trace->db;
	events->rows = NULL;
	sqlite3_str_appendf(sql, events_sql, berth__trace_memory_sql);
	st = berth__db_prepare_made(&events->rows, trace->db, sql);
	return st == BERTH_OK ? berth__memory_events_next(events) : st;
}

void berth__memory_events_end(struct berth__memory_events *events)
{
	sqlite3_finalize(events->rows);
}
