/* SPDX-License-Identifier: Apache-2.0 */
/* A native kernel's function and arguments, with ours around them. */
#ifndef BERTH_LAYER_LAYER_NATIVE_H
#define BERTH_LAYER_LAYER_NATIVE_H

#include "layer.h"

/* What clEnqueueNativeKernel() takes. */
struct berth__native {
	void(CL_CALLBACK *function)(void *);
	void *args;
	size_t args_bytes;
	cl_uint object_count;
	const void **locations; /* in `args`, where the driver puts pointers to the objects' memory */
};

/*
 * What to give to the driver instead: a copy whose function runs the program's as the program's.
 * The same, where the driver will refuse it or no memory is left. Ends with berth__native_free()
 * after the call: drivers copy arguments.
 */
struct berth__native berth__native_wrap(const struct berth__native *program);
void berth__native_free(struct berth__native *given, const struct berth__native *program);

#endif
