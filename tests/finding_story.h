/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces for tests of findings, op by op: the n-th op begins after n milliseconds and takes a
 * microsecond. The device is the specification's minimum, and called "Fixture GPU".
 */
#ifndef BERTH_TEST_FINDING_STORY_H
#define BERTH_TEST_FINDING_STORY_H

#include <berth/findings.h>

#include "trace_fixture.h"

#define MIB UINT64_C(1048576)
#define STORY_MS UINT64_C(1000000)
#define STORY_CALL_NS 1000

void story_begin(void);
/* The row may be changed until the next one is added. */
berth_trace_op *story_add(const berth_op *op);

berth_trace_op *story_buffer(uint64_t id, uint64_t bytes, uint64_t flags);
berth_trace_op *story_subbuffer(uint64_t id, uint64_t on, uint64_t offset, uint64_t bytes);
/* CL_RGBA of CL_HALF_FLOAT, 8 bytes a pixel; on a buffer with this pitch, or alone with 0, 0. */
berth_trace_op *story_image(uint64_t id, uint64_t width, uint64_t height, uint64_t on,
			    uint64_t pitch);
berth_trace_op *story_release(uint64_t id);
/* Give a transfer a digest of nothing but this byte; 0: none. */
berth_trace_op *story_content(berth_trace_op *row, unsigned char content);
/* From 0 on; content as above. */
berth_trace_op *story_write(uint64_t id, uint64_t bytes, unsigned char content);
berth_trace_op *story_read(uint64_t id, uint64_t bytes, uint32_t bits);
/* By a kernel, with BERTH_ACCESS_* bits. */
berth_trace_op *story_use(uint64_t id, uint32_t access);
berth_trace_op *story_sync(void);

/* Look at the story so far; device_sql: what is SET in the row of `device`, or NULL. */
berth_findings *story_find(const char *device_sql, const berth_caps *on);
/* The same, recorded on a second device, which is the first but for `second_sql`. */
berth_findings *story_find_on_two(const char *device_sql, const char *second_sql);
/* The same, with SQL that is run on the trace before. */
berth_findings *story_find_changed(const char *sql);
/* The first finding of a rule; NULL: none. */
const berth_finding *story_rule(const berth_findings *findings, const char *rule);

#endif
