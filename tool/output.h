/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a command writes. */
#ifndef BERTH_TOOL_OUTPUT_H
#define BERTH_TOOL_OUTPUT_H

/*
 * Whether @to, which is to be written (NULL: nothing is), may be: not when it is the file @from,
 * by whatever name, which would be lost. CMD_EXIT_OK, or CMD_EXIT_USAGE with a message.
 */
int output_check(const char *command, const char *to, const char *from);

/*
 * From here on SIGINT, SIGTERM and SIGHUP (where they are not ignored) remove what the library
 * has beside @to until it is whole (berth/exchange.h, berth/report.h), and then end the process as
 * usual. Once a process. CMD_EXIT_OK, or CMD_EXIT_FAILED with a message.
 */
int output_remove_on_signal(const char *to);

#endif
