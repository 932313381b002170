/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that lays a 2D image on part of a buffer, writes through one and
 * reads through the other. Needs a driver that makes images on buffers.
 *
 *	cc -o image_on_buffer image_on_buffer.c -lOpenCL && ./image_on_buffer PLATFORM
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100
#define HEIGHT 33
#define PITCH_BYTES 2048 /* 100 pixels of 16 bytes, up to 64 pixels */

static void check(cl_int status, const char *what)
{
	if (status != CL_SUCCESS) {
		fprintf(stderr, "%s: %d\n", what, status);
		exit(1);
	}
}

static cl_device_id find_device(const char *platform_name)
{
	cl_platform_id platforms[16];
	cl_device_id device;
	cl_uint count = 0;
	char name[256];

	check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
	for (cl_uint i = 0; i < count && i < 16; i++) {
		clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL);
		if (strstr(name, platform_name) &&
		    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
			return device;
	}
	fprintf(stderr, "no platform '%s'\n", platform_name);
	exit(1);
}

int main(int argc, char **argv)
{
	static float pixels[HEIGHT][WIDTH][4], rows[HEIGHT][PITCH_BYTES / sizeof(float)];
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { WIDTH, HEIGHT, 1 };
	const cl_image_format format = { CL_RGBA, CL_FLOAT };
	cl_device_id device = find_device(argc > 1 ? argv[1] : "");
	cl_buffer_region part = { 4096, PITCH_BYTES * HEIGHT };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH,
			       .image_height = HEIGHT, .image_row_pitch = PITCH_BYTES };
	cl_mem buffer, sub_buffer, image;
	cl_command_queue queue;
	cl_context context;
	cl_int status;

	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
	check(status, "clCreateCommandQueueWithProperties");
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 20, NULL, &status);
	check(status, "clCreateBuffer");
	sub_buffer = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &status);
	check(status, "clCreateSubBuffer");
	desc.mem_object = sub_buffer;
	image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
	check(status, "clCreateImage");
	/* The image keeps its memory alive. */
	clReleaseMemObject(sub_buffer);

	for (int i = 0; i < HEIGHT * WIDTH * 4; i++)
		pixels[0][0][i] = (float)i;
	check(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL),
	      "clEnqueueWriteImage");
	check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, part.origin, part.size, rows, 0, NULL, NULL),
	      "clEnqueueReadBuffer");
	for (int y = 0; y < HEIGHT; y++) {
		if (memcmp(rows[y], pixels[y], sizeof(pixels[y])) != 0) {
			printf("row %d differs\n", y);
			return 1;
		}
	}
	printf("%d rows of the image stand in the buffer, %d bytes apart\n", HEIGHT, PITCH_BYTES);
	clReleaseMemObject(image);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
