/* SPDX-License-Identifier: Apache-2.0 */
/* Why objects were never released: which are leaks, and which only look like it. */
#ifndef BERTH_REPLAY_SUMMARY_UNRELEASED_H
#define BERTH_REPLAY_SUMMARY_UNRELEASED_H

#include <berth/trace.h>

/* Set `why` of each; they are all of the trace's unreleased objects, in order of creation. */
BERTH_MUST_CHECK berth_status berth__summary_explain_unreleased(berth_summary_object *objects,
								uint32_t count,
								berth_trace *trace);

#endif
