/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Workspaces: temporary storages of one thread or queue, taken and given back in
 * the manner of a stack.
 *
 * A workspace keeps what is given back, so that the next storage costs no search of
 * the pool: the smallest free one that is large enough serves; when none is, the
 * largest free one is exchanged for a larger. What it keeps counts as in use in its
 * pool, until berth_workspace_trim().
 *
 * What it gives is for the commands of its queue, in order: a storage that was given
 * back serves the next one at once.
 *
 * Threads: one workspace is one thread's. Workspaces of one pool are independent.
 */
#ifndef BERTH_WORKSPACE_H
#define BERTH_WORKSPACE_H

#include <berth/pool.h>

BERTH_BEGIN_DECLS

typedef struct berth_workspace berth_workspace;

/**
 * @param[out] out  owned by the caller (berth_workspace_destroy())
 * @param pool      borrowed; outlives the workspace
 * @param queue     as berth_storage_options.queue, an in-order one
 * @retval BERTH_OK, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_workspace_create(berth_workspace **out,
							       berth_pool *pool, uint64_t queue);

/**
 * Take a storage of at least @p bytes; 0 counts as 1. Rounded up to 4096.
 * @param[out] out  a storage of the pool, to be given back with
 *                  berth_workspace_free(); views may be made on it
 * @retval BERTH_OK
 * @retval BERTH_E_LIMIT  out of memory, after the free ones went back to the pool
 * @retval as berth_storage_create()
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_workspace_alloc(berth_storage *out,
							      berth_workspace *workspace,
							      uint64_t bytes);

/**
 * Give a storage back; the last taken is found first.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  it is not taken from this workspace; or it has live views
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_workspace_free(berth_workspace *workspace,
							     berth_storage storage);

/** Return the free ones to the pool. @return their bytes. */
BERTH_API uint64_t berth_workspace_trim(berth_workspace *workspace);

/**
 * Return everything to the pool, in flight on the workspace's queue. Storages still
 * taken end as well, those with live views excepted, which stay with the pool. NULL
 * is fine.
 */
BERTH_API void berth_workspace_destroy(berth_workspace *workspace);

BERTH_END_DECLS

#endif
