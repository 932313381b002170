/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as a table, for people, for documents, and for programs. */
#ifndef BERTH_TOOL_COMPARE_TABLE_H
#define BERTH_TOOL_COMPARE_TABLE_H

#include "compare_row.h"

void compare_table_print(const struct compare_row *rows, size_t count);
void compare_table_print_markdown(const struct compare_row *rows, size_t count);
void compare_table_print_csv(const struct compare_row *rows, size_t count);

/* An array with an object a row. BERTH_OK or BERTH_E_NOMEM. */
berth_status compare_table_print_json(const struct compare_row *rows, size_t count);

#endif
