/* SPDX-License-Identifier: Apache-2.0 */
/* Whether kernels see through an image what they wrote through a buffer, and the other way round.
 */
#include "simulate_alias.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 16
#define HEIGHT 4
#define TEXEL_BYTES 4
/* Padded rows: 64 bytes of pixels in 256. */
#define PITCH_BYTES 256
#define BYTES (PITCH_BYTES * HEIGHT)

/* Each adds to what it finds, so that the sum is right only when both see each other. */
static const char source[] =
	"kernel void through_buffer(global uint *data) {"
	" size_t x = get_global_id(0), y = get_global_id(1);"
	" data[y * 64 + x] = data[y * 64 + x] * 2 + x + 16 * y + 1; }\n"
	"kernel void through_image(read_only image2d_t from, write_only image2d_t to) {"
	" const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;"
	" int2 at = (int2)(get_global_id(0), get_global_id(1));"
	" write_imageui(to, at, read_imageui(from, s, at) * 2); }\n";

struct objects {
	cl_command_queue queue;
	cl_program program;
	cl_kernel through_buffer, through_image;
	cl_mem buffer, image;
};

static bool make_objects(struct objects *out, cl_context context, cl_device_id device,
			 void *buffer_memory, void *memory)
{
	const cl_icd_dispatch *cl = &berth__simulate_real;
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
				     .image_width = WIDTH,
				     .image_height = HEIGHT,
				     .image_row_pitch = PITCH_BYTES };
	const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
	const char *text = source;
	size_t before = (size_t)((unsigned char *)memory - (unsigned char *)buffer_memory);
	const cl_buffer_region region = { before, BYTES };
	cl_mem whole;
	cl_int code;

	out->queue = cl->clCreateCommandQueue(context, device, 0, &code);
	whole = cl->clCreateBuffer(context, flags, before + BYTES, buffer_memory, &code);
	if (whole) {
		out->buffer = cl->clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
						    &code);
		cl->clReleaseMemObject(whole);
	}
	out->image = cl->clCreateImage(context, flags, &format, &desc, memory, &code);
	out->program = cl->clCreateProgramWithSource(context, 1, &text, NULL, &code);
	if (!out->queue || !out->buffer || !out->image || !out->program ||
	    cl->clBuildProgram(out->program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
		return false;
	out->through_buffer = cl->clCreateKernel(out->program, "through_buffer", &code);
	out->through_image = cl->clCreateKernel(out->program, "through_image", &code);
	return out->through_buffer && out->through_image;
}

static void release_objects(struct objects *objects)
{
	const cl_icd_dispatch *cl = &berth__simulate_real;

	if (objects->through_image)
		cl->clReleaseKernel(objects->through_image);
	if (objects->through_buffer)
		cl->clReleaseKernel(objects->through_buffer);
	if (objects->program)
		cl->clReleaseProgram(objects->program);
	if (objects->image)
		cl->clReleaseMemObject(objects->image);
	if (objects->buffer)
		cl->clReleaseMemObject(objects->buffer);
	if (objects->queue)
		cl->clReleaseCommandQueue(objects->queue);
}

/* Buffer, image, buffer: v = x + 16 y + 1; then 2 v; then 2 * 2 v + v. */
static bool run(const struct objects *objects)
{
	const cl_icd_dispatch *cl = &berth__simulate_real;
	const cl_kernel kernels[] = { objects->through_buffer, objects->through_image,
				      objects->through_buffer };
	const size_t size[] = { WIDTH, HEIGHT };
	cl_int code = CL_SUCCESS;

	cl->clSetKernelArg(objects->through_buffer, 0, sizeof(cl_mem), &objects->buffer);
	cl->clSetKernelArg(objects->through_image, 0, sizeof(cl_mem), &objects->image);
	cl->clSetKernelArg(objects->through_image, 1, sizeof(cl_mem), &objects->image);
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]) && code == CL_SUCCESS; i++)
		code = cl->clEnqueueNDRangeKernel(objects->queue, kernels[i], 2, NULL, size, NULL,
						  0, NULL, NULL);
	return code == CL_SUCCESS;
}

static bool is_right(const struct objects *objects)
{
	uint32_t values[BYTES / TEXEL_BYTES];

	if (berth__simulate_real.clEnqueueReadBuffer(objects->queue, objects->buffer, CL_TRUE, 0,
						     BYTES, values, 0, NULL, NULL) != CL_SUCCESS)
		return false;
	for (uint32_t y = 0; y < HEIGHT; y++)
		for (uint32_t x = 0; x < WIDTH; x++)
			if (values[y * PITCH_BYTES / TEXEL_BYTES + x] != 5 * (x + 16 * y + 1))
				return false;
	return true;
}

bool berth__simulate_alias_test(cl_context context, cl_device_id device, size_t offset)
{
	size_t page = 4096, bytes = (offset + BYTES + page - 1) / page * page;
	struct objects objects = { .queue = NULL };
	cl_device_type type = 0;
	unsigned char *memory;
	bool works;

	berth__simulate_real.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	if (!(type & CL_DEVICE_TYPE_CPU) || !berth__simulate_real.clSetMemObjectDestructorCallback)
		return false;
	memory = aligned_alloc(page, bytes);
	if (!memory)
		return false;
	memset(memory, 0, bytes);
	works = make_objects(&objects, context, device, memory, memory + offset) && run(&objects) &&
		is_right(&objects);
	release_objects(&objects);
	free(memory);
	return works;
}
