/* SPDX-License-Identifier: Apache-2.0 */
/* Putting finished traces where the user wants them. */
#ifndef BERTH_REPLAY_DRAIN_PLACE_H
#define BERTH_REPLAY_DRAIN_PLACE_H

#include <berth/status.h>

/* Move a file, at once and whole, also onto another file system; replaces what is there. */
BERTH_MUST_CHECK berth_status berth__place_file(const char *from, const char *to);

/*
 * The path for another process of the same recording: "t.db" becomes "t.4711.db",
 * and "t.4711-2.db" for the second of that pid (nth 2). free(); NULL: out of memory.
 */
char *berth__place_path(const char *path, uint32_t pid, unsigned nth);

#endif
