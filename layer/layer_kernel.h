/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a kernel: its name, and the memory objects set as its arguments. */
#ifndef BERTH_LAYER_LAYER_KERNEL_H
#define BERTH_LAYER_LAYER_KERNEL_H

#include "layer.h"

/* Objects of one call. `list` is `few`, or owned when there are more. */
struct berth__uses {
	berth_object_use *list;
	uint32_t count;
	berth_object_use few[32];
};

/*
 * The kernel's objects as they are set now, by argument index, and its name in
 * the spool (0: not known).
 */
uint32_t berth__kernel_uses(struct berth__uses *out, cl_kernel kernel);

/* Room for `count` in an empty list; false, and no room: out of memory. */
bool berth__uses_reserve(struct berth__uses *uses, uint32_t count);
void berth__uses_free(struct berth__uses *uses);

#endif
