/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in the program a call was made: its call stack, written once and named by number. Only
 * addresses are taken here, and the files that they lie in; what they mean is found out when the
 * program has ended.
 */
#ifndef BERTH_LAYER_STACK_H
#define BERTH_LAYER_STACK_H

#include <stdint.h>

/* Take stacks of at most `depth` frames; 0: none. Loads what walks them. At the start. */
void berth__stack_start(uint32_t depth);

/* The caller's; 0: none are taken, or it could not be had. */
uint32_t berth__stack_take(void);

/* In forked children: nothing was written yet. */
void berth__stack_forget(void);

#endif
