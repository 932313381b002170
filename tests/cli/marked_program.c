/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with phases: marked_program ROUNDS [READY GO]. It makes and releases ROUNDS buffers,
 * then in its phase "run" writes and reads what it has kept; creates the file READY and waits
 * for GO, where they are given; and leaves one buffer.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <berth/mark.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static cl_context context;
static cl_command_queue queue;
static char bytes[8192];

static void expect(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "marked_program: %s: %d\n", what, status);
	exit(1);
}

static cl_mem make(size_t size)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &status);

	expect(status, "clCreateBuffer");
	return buffer;
}

/* So that a call stack has a name to look for. */
__attribute__((noinline)) static cl_mem make_forgotten(void)
{
	cl_mem buffer = make(777);

	berth_name_object(buffer, "forgotten");
	return buffer;
}

static void write_buffer(cl_mem buffer, size_t size)
{
	expect(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
	       "clEnqueueWriteBuffer");
}

static void churn(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		cl_mem buffer = make(1000);

		write_buffer(buffer, 100);
		clReleaseMemObject(buffer);
	}
}

static void run(cl_mem weights, cl_mem part, int rounds)
{
	berth_mark_begin("run");
	for (int i = 0; i < rounds; i++) {
		bytes[0] = (char)i;
		write_buffer(weights, 4096);
		expect(clEnqueueReadBuffer(queue, part, CL_TRUE, 0, 1024, bytes, 0, NULL, NULL),
		       "clEnqueueReadBuffer");
	}
	berth_mark_end("run");
}

static void wait_for(const char *ready, const char *go)
{
	FILE *file = fopen(ready, "w");

	if (file)
		fclose(file);
	while (access(go, F_OK) != 0)
		usleep(10000);
}

int main(int argc, char **argv)
{
	const cl_buffer_region region = { 1024, 1024 };
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	cl_platform_id platform;
	cl_device_id device;
	cl_mem weights, parent, part;
	cl_int status;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return 77;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	expect(status, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &status);
	expect(status, "clCreateCommandQueue");
	weights = make(4096);
	berth_name_object(weights, "weights");
	clRetainMemObject(weights);
	parent = make(8192);
	part = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
	expect(status, "clCreateSubBuffer");
	write_buffer(parent, 8192);
	clReleaseMemObject(parent);
	churn(rounds);
	run(weights, part, rounds);
	make_forgotten();
	if (argc > 3)
		wait_for(argv[2], argv[3]);
	clReleaseMemObject(weights);
	clReleaseMemObject(weights);
	clReleaseMemObject(part);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
