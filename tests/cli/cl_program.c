/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program to be recorded: makes a buffer, writes to it three times, reads it once,
 * then ends as asked. Its OpenCL calls are ops 1 to 5; the buffer is never released.
 *
 *   cl_program exit CODE     ends with CODE
 *   cl_program raise SIGNAL  ends by a signal (a number)
 *   cl_program wait FILE     makes FILE, then waits for a signal
 *   cl_program leave FILE    leaves a process behind that has done the same, and goes on
 *                            until FILE appears
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>

#define BYTES 4096

/* Read by the leak sanitizer: what leaks here is meant to, and the exit status is ours. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return 1;
}

static int use_memory(void)
{
	static char bytes[BYTES];
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue = NULL;
	cl_mem buffer = NULL;
	cl_int code;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return 77;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	if (code == CL_SUCCESS)
		queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
	if (code == CL_SUCCESS)
		buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
	for (int i = 0; i < 3 && code == CL_SUCCESS; i++)
		code = clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL);
	if (code == CL_SUCCESS)
		code = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL);
	return code == CL_SUCCESS ? 0 : 1;
}

static void make_file(const char *path)
{
	FILE *file = fopen(path, "w");

	if (file)
		fclose(file);
}

/* Before this process uses OpenCL: drivers do not survive a fork. */
static void leave_process(const char *path)
{
	int ready[2];
	char byte = 0;

	if (pipe(ready) != 0)
		exit(1);
	if (fork() == 0) {
		int status = use_memory();

		if (write(ready[1], &byte, 1) != 1)
			exit(1);
		while (access(path, F_OK) != 0)
			usleep(10000);
		exit(status);
	}
	if (read(ready[0], &byte, 1) != 1)
		exit(1);
}

int main(int argc, char **argv)
{
	int status;

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "leave") == 0)
		leave_process(argv[2]);
	status = use_memory();
	if (status != 0)
		return status;
	puts("output of the program");
	fflush(stdout);
	if (strcmp(argv[1], "exit") == 0)
		return atoi(argv[2]);
	if (strcmp(argv[1], "raise") == 0) {
		/* LLVM in a driver catches signals, and goes on after one that was raised. */
		signal(atoi(argv[2]), SIG_DFL);
		raise(atoi(argv[2]));
	}
	if (strcmp(argv[1], "wait") == 0) {
		make_file(argv[2]);
		pause();
	}
	return 0;
}
