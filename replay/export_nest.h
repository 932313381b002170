/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a thread as slices that nest: a viewer drops or misplaces a slice that overlaps
 * another of its thread without lying in it. Calls of a real recording nest; what is imported,
 * or forged, may not.
 */
#ifndef BERTH_REPLAY_EXPORT_NEST_H
#define BERTH_REPLAY_EXPORT_NEST_H

#include <berth/status.h>

struct berth__nest;

BERTH_MUST_CHECK berth_status berth__nest_create(struct berth__nest **out);
void berth__nest_destroy(struct berth__nest *nest);

/*
 * The next call of a thread, in the order of completion: its times are changed as little as is
 * needed. *seen is false at a thread's first. BERTH_OK or BERTH_E_NOMEM.
 */
BERTH_MUST_CHECK berth_status berth__nest_fit(struct berth__nest *nest, uint32_t thread,
					      uint64_t *begin_ns, uint64_t *end_ns, bool *seen);

#endif
