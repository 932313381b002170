/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BERTH_TOOL_PRINT_STACK_H
#define BERTH_TOOL_PRINT_STACK_H

#include <berth/trace.h>

/* The innermost places of a recorded call stack, up to main, a line each; 0: nothing. */
void print_stack(berth_trace *trace, uint64_t stack);

#endif
