/* SPDX-License-Identifier: Apache-2.0 */
#include "import.h"

#include <sys/stat.h>

static berth__import_fn *const readers[BERTH_EXCHANGE_FORMAT_END] = {
	[BERTH_EXCHANGE_CSV] = berth__import_calls,
	[BERTH_EXCHANGE_RMM] = berth__import_rmm,
	[BERTH_EXCHANGE_PLAN] = berth__import_plan,
	[BERTH_EXCHANGE_PYTORCH] = berth__import_pytorch,
};

/* Rows between two looks at the clock of whoever shows progress. */
#define PROGRESS_EVERY 4096

void berth__import_progress(const struct berth__import *import, uint64_t row, FILE *file)
{
	long at;

	if (!import->options->progress || row % PROGRESS_EVERY != 0)
		return;
	at = ftell(file);
	import->options->progress(at > 0 ? (uint64_t)at : 0, import->bytes,
				  import->options->userdata);
}

static berth_status check(berth_exchange_format format, const berth_import_options *options)
{
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0, "import options of %u bytes, expected %zu",
				       options->size, sizeof(*options));
	if ((unsigned)format >= BERTH_EXCHANGE_FORMAT_END)
		return berth_error_set(BERTH_E_INVAL, 0, "no format of files has the number %d",
				       (int)format);
	if (!readers[format])
		return berth_error_set(BERTH_E_UNSUPPORTED, 0, "the format '%s' is written only",
				       berth_exchange_format_string(format));
	if (options->segments && format != BERTH_EXCHANGE_PYTORCH)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "segments are of PyTorch's snapshots, this is to be read as '%s'",
				       berth_exchange_format_string(format));
	return BERTH_OK;
}

berth_status berth_import(berth_import_result *out, const char *trace_path, const char *path,
			  berth_exchange_format format, const berth_import_options *options)
{
	static const berth_import_options defaults = BERTH_IMPORT_OPTIONS_INIT;
	struct berth__import import = { .path = path,
					.options = options ? options : &defaults,
					.end = "exit" };
	struct stat status;
	berth_status st = check(format, import.options);

	if (st != BERTH_OK)
		return st;
	if (stat(path, &status) == 0)
		import.bytes = (uint64_t)status.st_size;
	st = berth__import_sink_begin(&import.sink, trace_path, path, import.options->caps);
	if (st == BERTH_OK)
		st = readers[format](&import);
	if (st == BERTH_OK)
		st = berth__import_sink_finish(&import.sink, trace_path, import.end,
					       import.started_ns);
	if (st == BERTH_OK && out)
		*out = import.sink.result;
	berth__import_sink_free(&import.sink);
	return st;
}
