/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a spool as rows of a trace. */
#ifndef BERTH_REPLAY_SPOOL_STORE_H
#define BERTH_REPLAY_SPOOL_STORE_H

#include "spool_read.h"
#include "trace_write.h"

/*
 * Check a record that berth__spool_next() gave, and write it. BERTH_E_FORMAT: it is
 * damaged; nothing of it was written.
 */
BERTH_MUST_CHECK berth_status berth__spool_store(struct berth__trace_writer *writer,
						 const struct berth__spool *spool,
						 const struct berth_spool_record *record);

/* A call of a pending slot: a row without an answer. A slot that makes no sense is left out. */
BERTH_MUST_CHECK berth_status berth__spool_store_pending(struct berth__trace_writer *writer,
							 const struct berth_spool_op *call);

#endif
