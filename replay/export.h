/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of the formats share. */
#ifndef BERTH_REPLAY_EXPORT_H
#define BERTH_REPLAY_EXPORT_H

#include <sqlite3.h>
#include <stdio.h>

#include <berth/exchange.h>

/* An export under way. */
struct berth__export {
	FILE *file;
	berth_trace *trace;
	const berth_export_options *options;
};

/* The next call, and progress; as berth_trace_next(). */
BERTH_MUST_CHECK berth_status berth__export_next(const berth_trace_op **out,
						 struct berth__export *export);

/* A field of CSV, quoted where that is needed; NULL is an empty one. */
void berth__export_field(FILE *file, const char *text);

/* A writer writes all of the file; what the stream could not take is seen by whoever closes it. */
typedef berth_status berth__export_fn(struct berth__export *export);
berth__export_fn berth__export_chrome, berth__export_calls, berth__export_objects,
	berth__export_rmm, berth__export_plan;

/* ---- when memory begins and ends, in the order of the calls ---- */

struct berth__memory_event {
	uint64_t op; /* seq; UINT64_MAX: there is no more */
	bool begins;
	uint64_t id; /* of the object that owns the memory */
	uint64_t bytes;
	uint64_t created_op, context;
};

struct berth__memory_events {
	sqlite3 *db;
	sqlite3_stmt *rows;
	struct berth__memory_event event; /* the one that comes next */
};

/* Begin, and look at the first; BERTH_OK, or what SQLite says. End with the last function. */
BERTH_MUST_CHECK berth_status berth__memory_events_begin(struct berth__memory_events *events,
							 berth_trace *trace);
BERTH_MUST_CHECK berth_status berth__memory_events_next(struct berth__memory_events *events);
void berth__memory_events_end(struct berth__memory_events *events);

#endif
