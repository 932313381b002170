/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of the formats share. */
#ifndef BERTH_REPLAY_IMPORT_H
#define BERTH_REPLAY_IMPORT_H

#include "import_sink.h"
#include "plan_text.h"

/* An import under way. */
struct berth__import {
	const char *path;
	const berth_import_options *options;
	struct berth__import_sink sink;
	const char *end;     /* what the trace is to say of its end; a static string */
	uint64_t started_ns; /* 0: not known */
	uint64_t bytes;	     /* of the file, for progress */
};

/* A reader puts all that is in the file into the sink. */
typedef berth_status berth__import_fn(struct berth__import *import);
berth__import_fn berth__import_calls, berth__import_plan, berth__import_pytorch, berth__import_rmm;

/* Tell how far it got, now and then: @row counts rows. */
void berth__import_progress(const struct berth__import *import, uint64_t row, FILE *file);

#endif
