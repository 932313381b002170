/* SPDX-License-Identifier: Apache-2.0 */
/* A row of a comparison in a file of its own, so that cells can run anywhere. */
#ifndef BERTH_TOOL_COMPARE_FILE_H
#define BERTH_TOOL_COMPARE_FILE_H

#include "compare_row.h"

/* Whole, or not there. BERTH_OK, BERTH_E_IO, BERTH_E_NOMEM. */
berth_status compare_file_write(const struct compare_row *row, const char *path);

/* @row: free it in any case. BERTH_OK, BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_NOMEM. */
berth_status compare_file_read(struct compare_row *row, const char *path);

#endif
