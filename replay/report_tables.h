/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a report's data that are tables of their own. */
#ifndef BERTH_REPLAY_REPORT_TABLES_H
#define BERTH_REPLAY_REPORT_TABLES_H

#include "report_data.h"

/* Call stacks of the objects, each once. */
BERTH_MUST_CHECK berth_status berth__report_put_stacks(FILE *file,
						       const struct berth__report *report);

/* Counts, bytes moved, what was never released, what failed, what is not modelled. */
BERTH_MUST_CHECK berth_status berth__report_put_summary(FILE *file,
							const struct berth__report *report);

/* The table of options->comparison; nothing without one. */
BERTH_MUST_CHECK berth_status berth__report_put_comparison(FILE *file,
							   const struct berth__report *report);

/* What `berth findings` finds. Moves the reader of berth_trace_next(). */
BERTH_MUST_CHECK berth_status berth__report_put_findings(FILE *file,
							 const struct berth__report *report);

#endif
