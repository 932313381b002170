/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program to simulate: it says which limits it sees, what it is refused, and what two views of
 * one memory show. One line a question, so that the case's expected output reads as a table.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static int open_device(void)
{
	cl_platform_id platform;
	cl_int code;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return 77;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
	return code == CL_SUCCESS ? 0 : 1;
}

/* How often the list of OpenCL 3.0 has it. */
static unsigned count_versions(void)
{
	static cl_name_version list[256];
	unsigned count = 0;
	size_t bytes = 0;

	if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(list), list,
			    &bytes) != CL_SUCCESS)
		return 0;
	for (size_t i = 0; i < bytes / sizeof(list[0]); i++)
		count += strcmp(list[i].name, "cl_khr_image2d_from_buffer") == 0;
	return count;
}

static void print_limits(void)
{
	static const struct {
		cl_device_info query;
		const char *name;
	} queries[] = {
		{ CL_DEVICE_GLOBAL_MEM_SIZE, "global memory" },
		{ CL_DEVICE_MAX_MEM_ALLOC_SIZE, "largest object" },
		{ CL_DEVICE_MEM_BASE_ADDR_ALIGN, "base alignment in bits" },
		{ CL_DEVICE_IMAGE2D_MAX_WIDTH, "image width" },
		{ CL_DEVICE_IMAGE_PITCH_ALIGNMENT, "pitch alignment" },
	};
	cl_device_type type = 0;
	char text[4096] = "";

	clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	printf("type: %llu\n", (unsigned long long)type);
	clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(text), text, NULL);
	printf("name: %s\n", text);
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		unsigned long long value = 0;
		cl_int code =
			clGetDeviceInfo(device, queries[i].query, sizeof(value), &value, NULL);

		printf("%s: %llu (%d)\n", queries[i].name, value, code);
	}
	clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL);
	printf("images on buffers: %s, %u times with a version\n",
	       strstr(text, "cl_khr_image2d_from_buffer") ? "listed" : "not listed",
	       count_versions());
}

/* A buffer of so many MiB: made, then written to, then used by a kernel. */
static void try_buffer(size_t mib)
{
	static const char *source = "kernel void k(global int *out) { out[0] = 1; }";
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	cl_int code = clBuildProgram(program, 1, &device, "", NULL, NULL);
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	size_t one = 1;
	int value = 0;
	cl_mem buffer;

	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, mib * MIB, NULL, &code);
	printf("buffer of %zu MiB: %d\n", mib, code);
	if (!buffer)
		return;
	clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
	code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
	printf("kernel: %d\n", code);
	code = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
	printf("read: %d, value %d\n", code, value);
	printf("release: %d\n", clReleaseMemObject(buffer));
}

static void try_image(size_t width)
{
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
				     .image_width = width,
				     .image_height = 4 };
	cl_int code;
	cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
	size_t pitch = 0, bytes = 0;

	printf("image of width %zu: %d\n", width, code);
	if (!image)
		return;
	clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof(pitch), &pitch, NULL);
	clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
	printf("row pitch %zu, %zu bytes\n", pitch, bytes);
	clReleaseMemObject(image);
}

/* Pixel x of row y is 100 y + x; a kernel adds 1 through the image. */
static const char add_source[] =
	"kernel void add(read_only image2d_t from, write_only image2d_t to) {"
	" const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;"
	" int2 at = (int2)(get_global_id(0), get_global_id(1));"
	" write_imageui(to, at, read_imageui(from, s, at) + 1); }";

#define WIDTH 50
#define HEIGHT 3

/*
 * What was written into the buffer is read through the image by a kernel, which writes there what
 * is then read from the buffer. The padding keeps what it was: 7.
 */
static void try_views(cl_mem buffer, size_t pitch)
{
	const char *source = add_source;
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
				     .image_width = WIDTH,
				     .image_height = HEIGHT,
				     .image_row_pitch = pitch,
				     .mem_object = buffer };
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	size_t size[] = { WIDTH, HEIGHT }, stride = pitch / sizeof(cl_uint), seen = 0, wrong = 0;
	cl_uint *values = calloc(HEIGHT, pitch);
	cl_mem below = NULL, image;
	cl_kernel kernel;
	cl_int code;

	for (size_t i = 0; i < HEIGHT * stride; i++)
		values[i] = i % stride < WIDTH ? (cl_uint)(i / stride * 100 + i % stride) : 7;
	image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
	printf("image on a buffer: %d\n", code);
	if (!image) {
		clReleaseProgram(program);
		free(values);
		return;
	}
	clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof(seen), &seen, NULL);
	clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(below), &below, NULL);
	printf("row pitch %zu, on %s\n", seen, below == buffer ? "the buffer" : "something else");
	clBuildProgram(program, 1, &device, "", NULL, NULL);
	kernel = clCreateKernel(program, "add", NULL);
	clSetKernelArg(kernel, 0, sizeof(image), &image);
	clSetKernelArg(kernel, 1, sizeof(image), &image);
	clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, HEIGHT * pitch, values, 0, NULL, NULL);
	code = clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL);
	printf("kernel: %d\n", code);
	clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, HEIGHT * pitch, values, 0, NULL, NULL);
	for (size_t i = 0; i < HEIGHT * stride; i++)
		wrong += values[i] != (i % stride < WIDTH ? i / stride * 100 + i % stride + 1 : 7);
	printf("%zu of %zu values are wrong\n", wrong, (size_t)(HEIGHT * stride));
	free(values);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseMemObject(image);
}

static void try_alias(size_t pitch)
{
	const size_t bytes = HEIGHT * pitch, origin = 4096;
	const cl_buffer_region region = { origin, bytes };
	cl_int code;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, origin + bytes, NULL, &code);
	cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
	cl_mem_flags flags = 0;
	void *host = &host;

	clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof(flags), &flags, NULL);
	clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof(host), &host, NULL);
	printf("flags %llu, host pointer %s\n", (unsigned long long)flags, host ? "set" : "none");
	try_views(buffer, pitch);
	try_views(part, pitch);
	clReleaseMemObject(part);
	clReleaseMemObject(buffer);
}

/* Drivers do not survive a fork, so the parent has used nothing yet. */
static int in_child(void)
{
	int status = 1;
	pid_t child = fork();

	if (child == 0)
		return 0;
	waitpid(child, &status, 0);
	printf("child: %d\n", WEXITSTATUS(status));
	fflush(stdout);
	return 1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	size_t number = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	int status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(what, "fork") == 0)
		in_child();
	status = open_device();
	if (status != 0)
		return status;
	if (strcmp(what, "buffer") == 0)
		try_buffer(number);
	else if (strcmp(what, "alias") == 0)
		try_alias(number);
	else if (strcmp(what, "image") == 0)
		try_image(number);
	else
		print_limits();
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
