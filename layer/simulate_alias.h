/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images on buffers where the driver makes none: buffer and image lie on one piece of host memory,
 * which both are given with CL_MEM_USE_HOST_PTR. That is true sharing where the device's memory is
 * the host's, on some drivers for CPUs; whether it is on this one is tried before it is used.
 * An image may come long after its buffer, so every buffer is made in that way there.
 */
#ifndef BERTH_LAYER_SIMULATE_ALIAS_H
#define BERTH_LAYER_SIMULATE_ALIAS_H

#include "simulate.h"

enum { ALIAS_NOT_TRIED = 0, ALIAS_WORKS, ALIAS_NOT_NEEDED, ALIAS_FAILS };

/* What is hidden of an object on shared memory. */
struct alias {
	struct alias_block *block;
	unsigned char *memory; /* where the object begins */
	cl_mem object;
	cl_mem parent;	    /* of an image: its buffer; NULL */
	cl_mem_flags flags; /* as the program gave them */
	void *host_ptr;	    /* as the program shall see it */
};

/* Whether two objects of `context` on one piece of memory are one (simulate_alias_test.c). */
bool berth__simulate_alias_test(cl_context context, cl_device_id device, size_t offset);

/* False: `object` is on no shared memory. */
bool berth__simulate_alias_find(const void *object, struct alias *out);
void berth__simulate_alias_forget(void);

/* Functions below the wrappers. */
cl_mem CL_API_CALL berth__simulate_clCreateBuffer(cl_context context, cl_mem_flags flags,
						  size_t size, void *host_ptr, cl_int *status);
cl_mem CL_API_CALL berth__simulate_clCreateSubBuffer(cl_mem parent, cl_mem_flags flags,
						     cl_buffer_create_type type, const void *info,
						     cl_int *status);
cl_mem CL_API_CALL berth__simulate_clCreateImage(cl_context context, cl_mem_flags flags,
						 const cl_image_format *format,
						 const cl_image_desc *desc, void *host_ptr,
						 cl_int *status);

/* The pitch that the simulated device gave the image that is being made. */
size_t berth__simulate_asked_row_pitch(void);

#endif
