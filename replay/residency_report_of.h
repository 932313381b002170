/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The residency report of some memories only: transfers of others are counted, and not
 * judged. What one memory holds does not depend on another.
 */
#ifndef BERTH_REPLAY_RESIDENCY_REPORT_OF_H
#define BERTH_REPLAY_RESIDENCY_REPORT_OF_H

#include <berth/residency_report.h>

/* Whether the memory of an object that owns it is to be judged. */
typedef bool berth__residency_wanted_fn(uint64_t root, void *userdata);

/* As berth_residency_report(). */
BERTH_MUST_CHECK berth_status berth__residency_report_of(berth_residency **out, berth_trace *trace,
							 berth__residency_wanted_fn *wanted,
							 void *userdata);

#endif
