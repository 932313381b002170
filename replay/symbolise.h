/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the frames of call stacks: once, when a recording has ended. */
#ifndef BERTH_REPLAY_SYMBOLISE_H
#define BERTH_REPLAY_SYMBOLISE_H

#include <sqlite3.h>

#include <berth/status.h>

/*
 * Find function, file and line of each row of `frame`, in the files named in `module` as they
 * are now; what is not found, or is of another build than the one that ran, stays NULL. Built
 * without libdw it finds nothing.
 */
BERTH_MUST_CHECK berth_status berth__symbolise(sqlite3 *db);

#endif
