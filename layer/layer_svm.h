/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the calls on shared virtual memory have in common: those of OpenCL 2.0 (layer_svm.c), of
 * cl_arm_shared_virtual_memory and of cl_intel_unified_shared_memory. Each begin ends with
 * berth__call_enter(), each end with the commit.
 */
#ifndef BERTH_LAYER_LAYER_SVM_H
#define BERTH_LAYER_LAYER_SVM_H

#include "layer_call.h"
#include "layer_extension.h"
#include "layer_kernel.h"

struct berth__svm_request {
	cl_context context;
	uint64_t flags;
	size_t size;
	cl_uint alignment;
	uint32_t bits; /* BERTH_OP_USM_* */
};

/* `status` of the end: why there is no pointer. */
void berth__svm_begin_alloc(struct berth__call *call, const struct berth__svm_request *request);
void berth__svm_end_alloc(struct berth__call *call, void *pointer, cl_int status);

/* The entry that goes with the call, and comes back when it fails. */
void berth__svm_begin_free(struct berth__call *call, struct berth__svm *entry, cl_context context,
			   const void *pointer);
void berth__svm_end_free(struct berth__call *call, const struct berth__svm *entry, cl_int status);

/* A free that is enqueued; the program's function to free with, wrapped. */
struct berth__svm_enqueued_free {
	struct berth__call call;
	struct berth__uses uses;
	void **pointers;
	cl_uint count;
	berth__svm_free_function function;
	void *user_data;
};

void berth__svm_begin_enqueued_free(struct berth__svm_enqueued_free *free, cl_command_queue queue);
void berth__svm_end_enqueued_free(struct berth__svm_enqueued_free *free, cl_int status);

/* From the host it is a write, to the host a read. */
struct berth__svm_copy {
	cl_command_queue queue;
	cl_bool blocking;
	void *to;
	const void *from;
	size_t bytes;
	struct berth__svm target, source; /* base NULL: of the host */
};

/* False: nothing of a device's is copied, and the call is not begun. */
bool berth__svm_begin_copy(struct berth__call *call, struct berth__svm_copy *copy);
void berth__svm_end_copy(struct berth__call *call, const struct berth__svm_copy *copy,
			 cl_int status);

void berth__svm_begin_fill(struct berth__call *call, cl_command_queue queue, const void *pointer,
			   const void *pattern, size_t pattern_bytes, size_t bytes);
void berth__svm_end_fill(struct berth__call *call, cl_int status, const void *pattern);

void berth__svm_begin_map(struct berth__call *call, cl_command_queue queue, cl_bool blocking,
			  cl_map_flags flags, const void *pointer, size_t bytes);
void berth__svm_end_map(struct berth__call *call, cl_int status, const void *pointer);

void berth__svm_begin_unmap(struct berth__call *call, struct berth__svm_mapping *mapping,
			    cl_command_queue queue, const void *pointer);
void berth__svm_end_unmap(struct berth__call *call, const struct berth__svm_mapping *mapping,
			  cl_int status);

struct berth__svm_migration {
	struct berth__call call;
	struct berth__uses uses;
};

void berth__svm_begin_migrate(struct berth__svm_migration *migration, cl_command_queue queue,
			      void *const *pointers, cl_uint count, cl_mem_migration_flags flags);
void berth__svm_end_migrate(struct berth__svm_migration *migration, cl_int status);

#endif
