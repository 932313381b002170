/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clSetKernelArg needs a kernel that declares the argument: one of ours for each type
 * and access, built when it is first needed.
 */
#include "opencl_device.h"

#include <stdio.h>

static const struct {
	uint32_t type;
	const char *name;
} types[] = {
	{ CL_MEM_OBJECT_BUFFER, "global uchar *" },
	{ CL_MEM_OBJECT_IMAGE1D, "image1d_t" },
	{ CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t" },
	{ CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t" },
	{ CL_MEM_OBJECT_IMAGE2D, "image2d_t" },
	{ CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t" },
	{ CL_MEM_OBJECT_IMAGE3D, "image3d_t" },
	{ CL_MEM_OBJECT_PIPE, "pipe int" },
};

_Static_assert(sizeof(types) / sizeof(types[0]) == BERTH__CL_ARGUMENT_TYPES,
	       "a kernel for each type and access");

static const char *const accesses[BERTH__CL_ARGUMENT_ACCESSES] = {
	[0] = "read_write",
	[BERTH_ACCESS_READ] = "read_only",
	[BERTH_ACCESS_WRITE] = "write_only",
	[BERTH_ACCESS_READ | BERTH_ACCESS_WRITE] = "read_write",
};

/* What is not known to be declared is declared as the object is. */
static uint32_t declared_type(const struct berth__opencl *opencl, const berth_op *op)
{
	const struct berth__cl_object *object =
		op->use_count && op->uses ? berth__cl_find(opencl, op->uses[0].object) : NULL;
	cl_mem_object_type type = 0;

	if (op->image.type || !object || object->svm ||
	    clGetMemObjectInfo(object->mem, CL_MEM_TYPE, sizeof(type), &type, NULL) != CL_SUCCESS)
		return op->image.type;
	return type;
}

static bool find_type(size_t *out, uint32_t declared)
{
	for (size_t i = 0; i < BERTH__CL_ARGUMENT_TYPES; i++)
		if (types[i].type == (declared ? declared : CL_MEM_OBJECT_BUFFER)) {
			*out = i;
			return true;
		}
	return false;
}

static cl_kernel build(const struct berth__opencl *opencl, const char *source)
{
	const char *options = opencl->caps.cl_version >= 300   ? "-cl-std=CL3.0"
			      : opencl->caps.cl_version >= 200 ? "-cl-std=CL2.0"
							       : "";
	cl_program program;
	cl_kernel kernel = NULL;
	cl_int code;

	program = clCreateProgramWithSource(opencl->context, 1, &source, NULL, &code);
	if (code != CL_SUCCESS)
		return NULL;
	if (clBuildProgram(program, 0, NULL, options, NULL, NULL) == CL_SUCCESS)
		kernel = clCreateKernel(program, "argument", &code);
	clReleaseProgram(program);
	return kernel;
}

berth_status berth__cl_argument_kernel(cl_kernel *out, struct berth__opencl *opencl,
				       const berth_op *op)
{
	uint32_t access = op->use_count && op->uses ? op->uses[0].access & 3u : 0;
	char source[128];
	cl_kernel *kernel;
	size_t type;

	if (!find_type(&type, declared_type(opencl, op)))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "0x%X is no type of a kernel's memory argument",
				       op->image.type);
	if (types[type].type == CL_MEM_OBJECT_PIPE && access != BERTH_ACCESS_WRITE)
		access = BERTH_ACCESS_READ;
	kernel = &opencl->argument_kernels[type][access];
	snprintf(source, sizeof(source), "kernel void argument(%s %s a) {}",
		 types[type].type == CL_MEM_OBJECT_BUFFER ? "" : accesses[access],
		 types[type].name);
	if (!*kernel)
		*kernel = build(opencl, source);
	if (!*kernel)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0, "the driver does not build '%s'",
				       source);
	*out = *kernel;
	return BERTH_OK;
}

void berth__cl_argument_release(struct berth__opencl *opencl)
{
	for (int type = 0; type < BERTH__CL_ARGUMENT_TYPES; type++)
		for (int access = 0; access < BERTH__CL_ARGUMENT_ACCESSES; access++)
			if (opencl->argument_kernels[type][access])
				clReleaseKernel(opencl->argument_kernels[type][access]);
}

cl_int berth__cl_argument_set(struct berth__cl_call *call)
{
	cl_mem mem = call->list_count ? call->list[0] : NULL;
	/* As large as any arg_size that the op may name wrongly. */
	cl_mem room[16] = { mem };
	size_t bytes = (size_t)call->op->bytes;

	if (bytes > sizeof(room))
		return CL_INVALID_ARG_SIZE;
	return clSetKernelArg(call->kernel, 0, bytes, room);
}

cl_int berth__cl_argument_set_svm(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	uint64_t id = op->use_count && op->uses ? op->uses[0].object : BERTH_ID_NONE;
	const struct berth__cl_object *object = berth__cl_find(call->opencl, id);

	if (id != BERTH_ID_NONE && (!object || !object->svm))
		return CL_INVALID_ARG_VALUE;
	return clSetKernelArgSVMPointer(call->kernel, 0, object ? object->svm : NULL);
}
