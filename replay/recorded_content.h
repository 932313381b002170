/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content that a trace holds (record --payload), laid out in host memory as the op's call had
 * it; and whether what a device gives back is what the program got.
 */
#ifndef BERTH_REPLAY_RECORDED_CONTENT_H
#define BERTH_REPLAY_RECORDED_CONTENT_H

#include <berth/objects.h>
#include <berth/trace.h>

struct berth__recorded_content {
	berth_trace *trace; /* NULL: the trace holds none */
	uint8_t *packed;    /* room for a content without gaps */
	uint64_t packed_bytes;
};

/* `trace` is borrowed. */
void berth__recorded_content_init(struct berth__recorded_content *content, berth_trace *trace);
void berth__recorded_content_fini(struct berth__recorded_content *content);

/*
 * Put the content of a write, fill or create at op->host, which has the room that the op needs.
 * `object`: of a transfer; NULL of a create. *found: the trace holds it.
 */
BERTH_MUST_CHECK berth_status berth__recorded_content_put(struct berth__recorded_content *content,
							  bool *found, const berth_trace_op *row,
							  const berth_op *op,
							  const berth_object *object);

/* Whether what a read brought to op->host has the digest that was recorded. */
bool berth__recorded_content_matches(const berth_trace_op *row, const berth_op *op,
				     const berth_object *object);

#endif
