/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls that make a buffer have in common; vendors have more of them. */
#ifndef BERTH_LAYER_LAYER_BUFFER_H
#define BERTH_LAYER_LAYER_BUFFER_H

#include "layer_call.h"

/* Ends with berth__call_enter(). */
void berth__buffer_begin(struct berth__call *call, cl_context context, cl_mem_flags flags,
			 size_t size, const void *host_ptr);
/* Leaves and commits. */
void berth__buffer_end(struct berth__call *call, cl_mem buffer, cl_int status,
		       const void *host_ptr);

/* Whether a property list says that the memory is another API's; `list` is a list, or NULL. */
bool berth__properties_are_external(const cl_ulong *list);

/*
 * Of a create call that gave an object: memory of another API, or a property that is not modelled
 * (counted by the call's name).
 */
void berth__take_properties(struct berth__call *call, const cl_ulong *properties,
			    const char *name);

#endif
