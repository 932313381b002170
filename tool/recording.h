/* SPDX-License-Identifier: Apache-2.0 */
/* What `record` and `recover` share: where a trace goes, and the end of a recording. */
#ifndef BERTH_TOOL_RECORDING_H
#define BERTH_TOOL_RECORDING_H

#include <stdbool.h>

#include <berth/record.h>

#define RECORDING_DEFAULT_FILE "berth.db"

/*
 * Check that a trace may be put at @path: there is nothing, or an older trace.
 * BERTH_OK, BERTH_E_STATE.
 */
berth_status recording_check_target(const char *path);

/*
 * berth_drain_finish(), saying on stderr which traces were written, and which
 * processes could not be recorded.
 * @unrecorded  set when there is such a process
 */
berth_status recording_finish(berth_drain *drain, const char *path, bool *unrecorded);

#endif
