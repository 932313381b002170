/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a comparison, each in a process of its own, as many at once as there are cores. */
#ifndef BERTH_TOOL_COMPARE_RUN_H
#define BERTH_TOOL_COMPARE_RUN_H

#include "compare_cell.h"

/*
 * Run all cells. @rows: one for each, filled in; a cell whose process died has outcome "failed".
 * @at_once: 0: the number of cores. BERTH_OK, BERTH_E_IO, BERTH_E_NOMEM
 */
berth_status compare_run(struct compare_row *rows, const struct compare_cell *cells, size_t count,
			 unsigned at_once);

#endif
