/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace that begins later than its recording, or ends before it: what was before is pruned to
 * what is still there, so that the file does not grow while nobody wants it.
 */
#ifndef BERTH_REPLAY_TRACE_LIMIT_H
#define BERTH_REPLAY_TRACE_LIMIT_H

#include <sqlite3.h>

#include <berth/status.h>

/*
 * Leave of the ops only those that made what is alive now (and what that lies on), and that map
 * it; of the objects those. *kept: how many ops are left.
 */
BERTH_MUST_CHECK berth_status berth__trace_prune(uint64_t *kept, sqlite3 *db);

/*
 * The trace begins here: prune, and add a retain op for each reference but the first that an
 * object has. *last: the number of the last op that tells of the time before; the next one's is
 * higher.
 */
BERTH_MUST_CHECK berth_status berth__trace_begin_here(uint64_t *last, sqlite3 *db);

/* Bytes of the trace's file, or of what it will be. */
BERTH_MUST_CHECK berth_status berth__trace_file_bytes(uint64_t *out, sqlite3 *db);

#endif
