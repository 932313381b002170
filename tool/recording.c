/* SPDX-License-Identifier: Apache-2.0 */
#include "print.h"
#include "recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include <berth/trace.h>

berth_status recording_check_target(const char *path)
{
	berth_trace *trace = NULL;
	struct stat info;
	berth_status st;

	if (lstat(path, &info) != 0)
		return BERTH_OK;
	st = S_ISREG(info.st_mode) ? berth_trace_open(&trace, path) : BERTH_E_FORMAT;
	berth_trace_close(trace);
	if (st == BERTH_OK || st == BERTH_E_VERSION)
		return BERTH_OK;
	return berth_error_set(BERTH_E_STATE, 0,
			       "'%s' exists and is not a Berth trace; name another file with -o",
			       path);
}

static void say_written(const berth_drain_trace *written, void *userdata)
{
	berth_trace *trace = NULL;
	bool *unrecorded = userdata;
	uint64_t objects = 0;

	if (written->failure) {
		*unrecorded = true;
		print_text(stderr, "berth: process %" PRIu32 " could not be recorded: %s\n",
			   written->pid, written->failure);
		return;
	}
	if (berth_trace_open(&trace, written->path) == BERTH_OK)
		objects = berth_trace_get_info(trace)->object_count;
	berth_trace_close(trace);
	print_text(stderr, "berth: wrote '%s' of %s: ops %" PRIu64 ", objects %" PRIu64 "\n",
		   written->path, written->program, written->ops, objects);
	if (written->lost_records > 0)
		print_text(stderr, "berth: '%s' lacks %" PRIu64 " records: no room for the spool\n",
			   written->path, written->lost_records);
}

berth_status recording_finish(berth_drain *drain, const char *path, bool *unrecorded)
{
	return berth_drain_finish(drain, path, say_written, unrecorded);
}
