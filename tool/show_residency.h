/* SPDX-License-Identifier: Apache-2.0 */
/* What berth show --residency prints. */
#ifndef BERTH_TOOL_SHOW_RESIDENCY_H
#define BERTH_TOOL_SHOW_RESIDENCY_H

#include <berth/trace.h>

/* Returns the exit status. @path names the trace in messages. */
int show_residency(berth_trace *trace, const char *path, bool json);

#endif
