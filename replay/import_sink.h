/* SPDX-License-Identifier: Apache-2.0 */
/* The trace that an import makes: ops in order, objects by ids that are counted from 1. */
#ifndef BERTH_REPLAY_IMPORT_SINK_H
#define BERTH_REPLAY_IMPORT_SINK_H

#include <berth/exchange.h>

#include "trace_write.h"

struct berth__import_sink {
	struct berth__trace_writer *writer;
	char *beside; /* where the trace is until it is whole */
	berth_import_result result;
	void *names; /* tsearch(3) tree of the texts */
	uint32_t name_count;
	uint64_t in_batch;
};

/* When and where something happened. */
struct berth__import_place {
	uint64_t t_ns;
	uint32_t thread, context;
};

/* Begin a trace beside its place; end it with one of the two functions behind. */
BERTH_MUST_CHECK berth_status berth__import_sink_begin(struct berth__import_sink *sink,
						       const char *trace_path, const char *program,
						       const berth_caps *caps);
/*
 * Put it in place. @end is what trace_info.end says; @started_ns 0: not known. result.before
 * is written as it stands.
 */
BERTH_MUST_CHECK berth_status berth__import_sink_finish(struct berth__import_sink *sink,
							const char *trace_path, const char *end,
							uint64_t started_ns);
/* Or drop it. Also to be called after the other. */
void berth__import_sink_free(struct berth__import_sink *sink);

/* Append an op as it is; row->op.name is its name. */
BERTH_MUST_CHECK berth_status berth__import_op(struct berth__import_sink *sink,
					       const berth_trace_op *row);
/* A buffer that is made; its id. */
BERTH_MUST_CHECK berth_status berth__import_create(uint64_t *id, struct berth__import_sink *sink,
						   const struct berth__import_place *place,
						   uint64_t bytes);
/* An allocation that failed, for want of memory. */
BERTH_MUST_CHECK berth_status berth__import_failure(struct berth__import_sink *sink,
						    const struct berth__import_place *place,
						    uint64_t bytes);
BERTH_MUST_CHECK berth_status berth__import_release(struct berth__import_sink *sink,
						    const struct berth__import_place *place,
						    uint64_t id);
/* The name of an object; of 0, a mark. */
BERTH_MUST_CHECK berth_status berth__import_label(struct berth__import_sink *sink,
						  const struct berth__import_place *place,
						  uint64_t id, const char *text);

#endif
