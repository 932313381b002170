/* SPDX-License-Identifier: Apache-2.0 */
/* Linked with a vendor's library instead of a loader. Runs long enough to be looked at. */
#include <CL/cl.h>

#include <stdio.h>
#include <unistd.h>

int main(void)
{
	cl_platform_id platform;
	cl_context context;
	cl_mem buffer;
	cl_int status;

	clGetPlatformIDs(1, &platform, NULL);
	context = clCreateContext(NULL, 0, NULL, NULL, NULL, &status);
	buffer = clCreateBuffer(context, 0, 4096, NULL, &status);
	printf("made a buffer: %d\n", status);
	clCreateBuffer(context, 0, 0, NULL, &status);
	printf("refused: %d\n", status);
	printf("released: %d\n", clReleaseMemObject(buffer));
	fflush(stdout);
	usleep(300000);
	return 0;
}
