/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks as rows: each stack once, each place in a file once. */
#ifndef BERTH_REPLAY_TRACE_STACK_WRITE_H
#define BERTH_REPLAY_TRACE_STACK_WRITE_H

#include <sqlite3.h>

#include "trace_write.h"

struct berth__stack_writer;

BERTH_MUST_CHECK berth_status berth__stack_writer_create(struct berth__stack_writer **out,
							 sqlite3 *db);
/* NULL is fine. */
void berth__stack_writer_destroy(struct berth__stack_writer *writer);

BERTH_MUST_CHECK berth_status berth__stack_writer_add_module(
	struct berth__stack_writer *writer, const struct berth__trace_module *module);
BERTH_MUST_CHECK berth_status berth__stack_writer_add(struct berth__stack_writer *writer,
						      uint32_t id, const uint64_t *addresses,
						      uint32_t count);

#endif
