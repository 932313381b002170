/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a kernel: its name, and the memory objects set as its arguments. */
#ifndef BERTH_LAYER_LAYER_KERNEL_H
#define BERTH_LAYER_LAYER_KERNEL_H

#include "layer_call.h"

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

/*
 * The objects behind a list that the driver has not looked at yet: it may point anywhere. What
 * cannot be read, or is too much, is left out.
 */
void berth__uses_list(struct berth__uses *uses, const cl_mem *objects, cl_uint count,
		      const char *call_name);

/* The objects of a call: `uses` stays until the commit. */
void berth__call_uses(struct berth__call *call, const struct berth__uses *uses);

#endif
