/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the program that a driver calls: what they call is the program's, even when the
 * driver runs them inside a recorded call. They are given to the driver wrapped.
 */
#ifndef BERTH_LAYER_LAYER_CALLBACK_H
#define BERTH_LAYER_LAYER_CALLBACK_H

#include "layer.h"

#include <stdlib.h>

/* Around the program's function; what begin gave goes to end. */
static inline uint32_t berth__callback_begin(void)
{
	uint32_t depth = berth__this_thread.depth;

	berth__this_thread.depth = 0;
	return depth;
}

static inline void berth__callback_end(uint32_t depth)
{
	berth__this_thread.depth = depth;
}

#endif
