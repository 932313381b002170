/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels and their arguments. An argument keeps the id that its object had when
 * it was set: the kernel does not retain the object, and a later object with the
 * same handle is another one.
 */
#include "layer_kernel.h"

#include "layer_calls.h"

#include <stdlib.h>
#include <string.h>

/* On berth__handle.extra in berth__layer.kernels, and guarded by its shard. */
struct kernel {
	uint32_t name;
	uint32_t argument_count;
	uint64_t *objects; /* by argument; BERTH_ID_NONE: not a memory object */
	uint64_t *indirect; /* reached through pointers in memory (clSetKernelExecInfo) */
	uint32_t indirect_count;
};

static void free_kernel(struct kernel *kernel)
{
	if (kernel) {
		free(kernel->objects);
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
		copy->objects = calloc(copy->argument_count + 1u, sizeof(*copy->objects));
		if (copy->objects && copy->argument_count)
			memcpy(copy->objects, kernel->objects,
			       copy->argument_count * sizeof(*copy->objects));
	}
	if (entry)
		berth__handle_unlock(&berth__layer.kernels, source);
	if (copy && !copy->objects) {
		free_kernel(copy);
		copy = NULL;
	}
	return copy;
}

cl_kernel CL_API_CALL berth__clCloneKernel(cl_kernel source, cl_int *errcode_ret)
{
	cl_kernel kernel = berth__layer.target.clCloneKernel(source, errcode_ret);

	if (kernel)
		enter_kernel(kernel, copy_kernel(source));
	return kernel;
}

cl_int CL_API_CALL berth__clRetainKernel(cl_kernel kernel)
{
	struct berth__handle entry;
	bool known = berth__handle_retain(&berth__layer.kernels, kernel, &entry);
	cl_int status = berth__layer.target.clRetainKernel(kernel);

	if (known && status != CL_SUCCESS)
		berth__handle_release(&berth__layer.kernels, kernel, &entry);
	return status;
}

cl_int CL_API_CALL berth__clReleaseKernel(cl_kernel kernel)
{
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
	uint64_t *objects;

	if (index < kernel->argument_count)
		return true;
	if (count == 0)
		return false;
	objects = realloc(kernel->objects, count * sizeof(*objects));
	if (!objects)
		return false;
	for (uint32_t i = kernel->argument_count; i < count; i++)
		objects[i] = BERTH_ID_NONE;
	kernel->objects = objects;
	kernel->argument_count = count;
	return true;
}

static void set_argument(cl_kernel kernel, cl_uint index, uint64_t object)
{
	struct berth__handle *entry = berth__handle_lock(&berth__layer.kernels, kernel);
	struct kernel *known;

	if (!entry)
		return;
	known = entry->extra;
	/* Beyond the arguments known so far, one without an object is as good as not set. */
	if (index < known->argument_count || (object && reserve_argument(known, index)))
		known->objects[index] = object;
	berth__handle_unlock(&berth__layer.kernels, kernel);
}

cl_int CL_API_CALL berth__clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
					 const void *value)
{
	cl_int status = berth__layer.target.clSetKernelArg(kernel, index, size, value);

	if (status == CL_SUCCESS)
		set_argument(kernel, index, object_of_argument(size, value));
	return status;
}

cl_int CL_API_CALL berth__clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index,
						   const void *value)
{
	cl_int status = berth__layer.target.clSetKernelArgSVMPointer(kernel, index, value);
	struct berth__svm svm;

	if (status == CL_SUCCESS) {
		berth__svm_map_find(&berth__layer.svm, value, &svm);
		set_argument(kernel, index, svm.id);
	}
	return status;
}

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

/* Each call replaces the list of the one before. */
cl_int CL_API_CALL berth__clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name,
					      size_t size, const void *value)
{
	cl_int status = berth__layer.target.clSetKernelExecInfo(kernel, name, size, value);
	struct berth__handle *entry;
	struct kernel *known;
	uint32_t count;
	uint64_t *ids;

	if (status != CL_SUCCESS || name != CL_KERNEL_EXEC_INFO_SVM_PTRS || !value)
		return status;
	ids = ids_of(&count, value, size);
	entry = berth__handle_lock(&berth__layer.kernels, kernel);
	if (!entry) {
		free(ids);
		return status;
	}
	known = entry->extra;
	free(known->indirect);
	known->indirect = ids;
	known->indirect_count = count;
	berth__handle_unlock(&berth__layer.kernels, kernel);
	return status;
}

bool berth__uses_reserve(struct berth__uses *uses, uint32_t count)
{
	uses->count = 0;
	uses->list = uses->few;
	if (count > sizeof(uses->few) / sizeof(uses->few[0]))
		uses->list = calloc(count, sizeof(*uses->list));
	return uses->list != NULL;
}

void berth__uses_free(struct berth__uses *uses)
{
	if (uses->list != uses->few)
		free(uses->list);
}

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
		if (kernel->objects[i])
			out->list[out->count++] =
				(berth_object_use){ .object = kernel->objects[i], .arg_index = i };
	for (uint32_t i = 0; out->list && i < kernel->indirect_count; i++)
		out->list[out->count++] = (berth_object_use){ .object = kernel->indirect[i],
							      .arg_index = BERTH_ARG_INDIRECT };
	name = kernel->name;
	berth__handle_unlock(&berth__layer.kernels, handle);
	return name;
}
