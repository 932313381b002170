/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels and their arguments. An argument keeps the id that its object had when
 * it was set: the kernel does not retain the object, and a later object with the
 * same handle is another one.
 */
#include "layer_kernel.h"

#include "layer_calls.h"
#include "layer_extension.h"

#include <stdlib.h>
#include <string.h>

/* As it is set now. */
struct argument {
	uint64_t object; /* BERTH_ID_NONE: not a memory object */
	uint32_t access; /* BERTH_ACCESS_*, as the kernel declares it */
	bool asked;	 /* for its access */
};

/* On berth__handle.extra in berth__layer.kernels, and guarded by its shard. */
struct kernel {
	uint32_t name;
	uint32_t argument_count;
	struct argument *arguments;
	uint64_t *indirect; /* reached through pointers in memory (clSetKernelExecInfo) */
	uint32_t indirect_count;
};

static void free_kernel(struct kernel *kernel)
{
	if (kernel) {
		free(kernel->arguments);
		free(kernel->indirect);
	}
	free(kernel);
}

static void enter_kernel(cl_kernel handle, struct kernel *kernel)
{
	struct berth__handle entry = { .handle = handle, .references = 1, .extra = kernel };
	struct berth__handle replaced = { .handle = NULL };

	if (!kernel || !berth__handle_insert(&berth__layer.kernels, &entry, &replaced)) {
		free_kernel(kernel);
		berth__spool_count_lost(&berth__layer.spool);
		return;
	}
	if (replaced.handle)
		free_kernel(replaced.extra);
}

static void see_kernel(cl_kernel handle, const char *name)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));

	berth__layer_thread();
	if (kernel)
		kernel->name = berth__layer_name(name);
	enter_kernel(handle, kernel);
}

cl_kernel CL_API_CALL berth__clCreateKernel(cl_program program, const char *kernel_name,
					    cl_int *errcode_ret)
{
	BERTH__PASS_INSIDE(clCreateKernel, program, kernel_name, errcode_ret);

	cl_kernel kernel = berth__layer.target.clCreateKernel(program, kernel_name, errcode_ret);

	if (kernel)
		see_kernel(kernel, kernel_name);
	return kernel;
}

static void see_kernel_of_program(cl_kernel kernel)
{
	const cl_icd_dispatch *target = &berth__layer.target;
	size_t bytes = 0;
	char *name = NULL;

	if (target->clGetKernelInfo &&
	    target->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &bytes) == CL_SUCCESS)
		name = calloc(bytes + 1, 1);
	if (name && target->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, bytes, name, NULL) ==
			    CL_SUCCESS)
		see_kernel(kernel, name);
	else
		see_kernel(kernel, NULL);
	free(name);
}

cl_int CL_API_CALL berth__clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
						   cl_kernel *kernels, cl_uint *num_kernels_ret)
{
	BERTH__PASS_INSIDE(clCreateKernelsInProgram, program, num_kernels, kernels,
			   num_kernels_ret);

	cl_uint own_count = 0, *made = num_kernels_ret ? num_kernels_ret : &own_count;
	cl_int status =
		berth__layer.target.clCreateKernelsInProgram(program, num_kernels, kernels, made);

	if (status == CL_SUCCESS && kernels)
		for (cl_uint i = 0; i < *made && i < num_kernels; i++)
			see_kernel_of_program(kernels[i]);
	return status;
}

static struct kernel *copy_kernel(cl_kernel source)
{
	struct berth__handle *entry = berth__handle_lock(&berth__layer.kernels, source);
	struct kernel *copy = entry ? malloc(sizeof(*copy)) : NULL;
	const struct kernel *kernel = entry ? entry->extra : NULL;

	if (copy) {
		*copy = *kernel;
		/* What was said of indirect access is not cloned for sure; it may be said again. */
		copy->indirect = NULL;
		copy->indirect_count = 0;
		copy->arguments = calloc(copy->argument_count + 1u, sizeof(*copy->arguments));
		if (copy->arguments && copy->argument_count)
			memcpy(copy->arguments, kernel->arguments,
			       copy->argument_count * sizeof(*copy->arguments));
	}
	if (entry)
		berth__handle_unlock(&berth__layer.kernels, source);
	if (copy && !copy->arguments) {
		free_kernel(copy);
		copy = NULL;
	}
	return copy;
}

cl_kernel CL_API_CALL berth__clCloneKernel(cl_kernel source, cl_int *errcode_ret)
{
	BERTH__PASS_INSIDE(clCloneKernel, source, errcode_ret);

	cl_kernel kernel = berth__layer.target.clCloneKernel(source, errcode_ret);

	if (kernel)
		enter_kernel(kernel, copy_kernel(source));
	return kernel;
}

cl_int CL_API_CALL berth__clRetainKernel(cl_kernel kernel)
{
	BERTH__PASS_INSIDE(clRetainKernel, kernel);

	struct berth__handle entry;
	bool known = berth__handle_retain(&berth__layer.kernels, kernel, &entry);
	cl_int status = berth__layer.target.clRetainKernel(kernel);

	if (known && status != CL_SUCCESS)
		berth__handle_release(&berth__layer.kernels, kernel, &entry);
	return status;
}

cl_int CL_API_CALL berth__clReleaseKernel(cl_kernel kernel)
{
	BERTH__PASS_INSIDE(clReleaseKernel, kernel);

	struct berth__handle entry;
	bool known = berth__handle_release(&berth__layer.kernels, kernel, &entry);
	cl_int status = berth__layer.target.clReleaseKernel(kernel);

	if (known && status != CL_SUCCESS)
		berth__handle_restore(&berth__layer.kernels, &entry);
	else if (known && entry.references == 0)
		free_kernel(entry.extra);
	return status;
}

/* The object behind an argument that was accepted; of other arguments none. */
static uint64_t object_of_argument(size_t size, const void *value)
{
	struct berth__handle entry;
	cl_mem handle;

	if (size != sizeof(handle) || !value)
		return BERTH_ID_NONE;
	memcpy(&handle, value, sizeof(handle));
	return berth__handle_find(&berth__layer.mems, handle, &entry) ? entry.id : BERTH_ID_NONE;
}

static bool reserve_argument(struct kernel *kernel, cl_uint index)
{
	uint32_t count = index + 1;
	struct argument *arguments;

	if (index < kernel->argument_count)
		return true;
	if (count == 0)
		return false;
	arguments = reallocarray(kernel->arguments, count, sizeof(*arguments));
	if (!arguments)
		return false;
	memset(arguments + kernel->argument_count, 0,
	       (count - kernel->argument_count) * sizeof(*arguments));
	kernel->arguments = arguments;
	kernel->argument_count = count;
	return true;
}

/* True: its access was not asked for yet. */
static bool store_argument(cl_kernel kernel, cl_uint index, uint64_t object)
{
	struct berth__handle *entry = berth__handle_lock(&berth__layer.kernels, kernel);
	struct kernel *known;
	bool ask = false;

	if (!entry)
		return false;
	known = entry->extra;
	/* Beyond the arguments known so far, one without an object is as good as not set. */
	if (index < known->argument_count || (object && reserve_argument(known, index))) {
		known->arguments[index].object = object;
		ask = object && !known->arguments[index].asked;
	}
	berth__handle_unlock(&berth__layer.kernels, kernel);
	return ask;
}

/* Drivers of before OpenCL 1.2 have no clGetKernelArgInfo(), and may crash in a loader's. */
static bool has_arg_info(cl_kernel kernel)
{
	const cl_icd_dispatch *target = &berth__layer.target;
	struct berth__handle entry;
	cl_context context;

	return target->clGetKernelInfo && target->clGetKernelArgInfo &&
	       target->clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(context), &context,
				       NULL) == CL_SUCCESS &&
	       berth__handle_find(&berth__layer.contexts, context, &entry) &&
	       (entry.flags & BERTH__CONTEXT_HAS_1_2);
}

/* A property of an argument; 0 where the program was built without them. */
static uint64_t arg_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info query, size_t bytes)
{
	uint64_t value = 0;

	return berth__layer.target.clGetKernelArgInfo(kernel, index, query, bytes, &value, NULL) ==
			       CL_SUCCESS
		       ? value
		       : 0;
}

static uint32_t declared_access(cl_kernel kernel, cl_uint index)
{
	if (!has_arg_info(kernel))
		return 0;
	switch (arg_info(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER,
			 sizeof(cl_kernel_arg_access_qualifier))) {
	case CL_KERNEL_ARG_ACCESS_READ_ONLY:
		return BERTH_ACCESS_READ;
	case CL_KERNEL_ARG_ACCESS_WRITE_ONLY:
		return BERTH_ACCESS_WRITE;
	case CL_KERNEL_ARG_ACCESS_READ_WRITE:
		return BERTH_ACCESS_READ | BERTH_ACCESS_WRITE;
	}
	if (arg_info(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
		     sizeof(cl_kernel_arg_address_qualifier)) == CL_KERNEL_ARG_ADDRESS_CONSTANT ||
	    (arg_info(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER,
		      sizeof(cl_kernel_arg_type_qualifier)) &
	     CL_KERNEL_ARG_TYPE_CONST))
		return BERTH_ACCESS_READ;
	return 0;
}

static void set_argument(cl_kernel kernel, cl_uint index, uint64_t object)
{
	struct berth__handle *entry;
	struct kernel *known;
	uint32_t access;

	if (!store_argument(kernel, index, object))
		return;
	/* Once an argument, and never with a lock: it is the driver that answers. */
	access = declared_access(kernel, index);
	entry = berth__handle_lock(&berth__layer.kernels, kernel);
	if (!entry)
		return;
	known = entry->extra;
	if (index < known->argument_count) {
		known->arguments[index].access = access;
		known->arguments[index].asked = true;
	}
	berth__handle_unlock(&berth__layer.kernels, kernel);
}

cl_int CL_API_CALL berth__clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
					 const void *value)
{
	BERTH__PASS_INSIDE(clSetKernelArg, kernel, index, size, value);

	cl_int status = berth__layer.target.clSetKernelArg(kernel, index, size, value);

	if (status == CL_SUCCESS)
		set_argument(kernel, index, object_of_argument(size, value));
	return status;
}

static void set_pointer(cl_kernel kernel, cl_uint index, const void *value)
{
	struct berth__svm svm;

	berth__svm_map_find(&berth__layer.svm, value, &svm);
	set_argument(kernel, index, svm.id);
}

#define SET_POINTER(name, real)                                                                    \
	cl_int CL_API_CALL berth__##name(cl_kernel kernel, cl_uint index, const void *value)       \
	{                                                                                          \
		cl_int status = real(name, kernel)(kernel, index, value);                          \
                                                                                                   \
		if (status == CL_SUCCESS && !berth__layer_is_inside(#name))                        \
			set_pointer(kernel, index, value);                                         \
		return status;                                                                     \
	}

SET_POINTER(clSetKernelArgSVMPointer, BERTH__TABLE)
SET_POINTER(clSetKernelArgSVMPointerARM, BERTH__REAL)
SET_POINTER(clSetKernelArgMemPointerINTEL, BERTH__REAL)

/* The ids of a list of pointers; NULL when it has none. */
static uint64_t *ids_of(uint32_t *count, const void *const *pointers, size_t bytes)
{
	size_t most = bytes / sizeof(*pointers);
	uint64_t *ids = most && most <= UINT32_MAX ? calloc(most, sizeof(*ids)) : NULL;

	*count = 0;
	for (size_t i = 0; ids && i < most; i++) {
		struct berth__svm svm;

		if (berth__svm_map_find(&berth__layer.svm, pointers[i], &svm))
			ids[(*count)++] = svm.id;
	}
	return ids;
}

static bool lists_pointers(cl_kernel_exec_info info)
{
	return info == CL_KERNEL_EXEC_INFO_SVM_PTRS || info == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL ||
	       info == CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM;
}

/* Each call replaces the list of the one before. */
static void set_indirect(cl_kernel kernel, size_t size, const void *value)
{
	uint32_t count;
	uint64_t *ids = ids_of(&count, value, size);
	struct berth__handle *entry = berth__handle_lock(&berth__layer.kernels, kernel);
	struct kernel *known;

	if (!entry) {
		free(ids);
		return;
	}
	known = entry->extra;
	free(known->indirect);
	known->indirect = ids;
	known->indirect_count = count;
	berth__handle_unlock(&berth__layer.kernels, kernel);
}

#define SET_EXEC_INFO(name, real)                                                                  \
	cl_int CL_API_CALL berth__##name(cl_kernel kernel, cl_kernel_exec_info info, size_t size,  \
					 const void *value)                                        \
	{                                                                                          \
		cl_int status = real(name, kernel)(kernel, info, size, value);                     \
                                                                                                   \
		if (status == CL_SUCCESS && lists_pointers(info) && value &&                       \
		    !berth__layer_is_inside(#name))                                                \
			set_indirect(kernel, size, value);                                         \
		return status;                                                                     \
	}

SET_EXEC_INFO(clSetKernelExecInfo, BERTH__TABLE)
SET_EXEC_INFO(clSetKernelExecInfoARM, BERTH__REAL)

uint32_t berth__kernel_uses(struct berth__uses *out, cl_kernel handle)
{
	struct berth__handle *entry = berth__handle_lock(&berth__layer.kernels, handle);
	const struct kernel *kernel = entry ? entry->extra : NULL;
	uint32_t name = 0;

	if (!berth__uses_reserve(out,
				 kernel ? kernel->argument_count + kernel->indirect_count : 0))
		berth__spool_count_lost(&berth__layer.spool);
	if (!kernel)
		return 0;
	for (uint32_t i = 0; out->list && i < kernel->argument_count; i++)
		if (kernel->arguments[i].object)
			out->list[out->count++] = (berth_object_use){
				.object = kernel->arguments[i].object,
				.arg_index = i,
				.access = kernel->arguments[i].access,
			};
	for (uint32_t i = 0; out->list && i < kernel->indirect_count; i++)
		out->list[out->count++] = (berth_object_use){ .object = kernel->indirect[i],
							      .arg_index = BERTH_ARG_INDIRECT };
	name = kernel->name;
	berth__handle_unlock(&berth__layer.kernels, handle);
	return name;
}
