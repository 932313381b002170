/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small real OpenCL program to be recorded: live_program MODE. It prints "ok"
 * and exits 0 when every answer was as expected. Built twice: linked with
 * libOpenCL, and (LIVE_DLOPEN) loading it while it runs.
 *
 * plain    one of each call, see plain() and tests/test_layer.c
 * threads  8 threads, each 200 times create, write, release
 * fork     one buffer, then a child with two more, then another one
 * bare-fork  the same by _Fork(), behind the back of pthread_atfork()
 * abort    three calls, then abort()
 * exit     three calls, then _exit(7)
 * late     releases its buffer in a destructor, behind every atexit handler
 * kill     create, write, release without end; prints how often
 * wait     waits for an event that nobody completes; prints "waiting"
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS(X)                                                                                   \
	X(clGetPlatformIDs)                                                                        \
	X(clGetDeviceIDs)                                                                          \
	X(clCreateContext)                                                                         \
	X(clReleaseContext)                                                                        \
	X(clCreateCommandQueue)                                                                    \
	X(clReleaseCommandQueue)                                                                   \
	X(clCreateBuffer)                                                                          \
	X(clCreateSubBuffer)                                                                       \
	X(clCreateImage)                                                                           \
	X(clRetainMemObject)                                                                       \
	X(clReleaseMemObject)                                                                      \
	X(clEnqueueWriteBuffer)                                                                    \
	X(clEnqueueReadBuffer)                                                                     \
	X(clEnqueueWriteBufferRect)                                                                \
	X(clEnqueueReadBufferRect)                                                                 \
	X(clEnqueueWriteImage)                                                                     \
	X(clEnqueueReadImage)                                                                      \
	X(clEnqueueCopyBuffer)                                                                     \
	X(clEnqueueCopyBufferRect)                                                                 \
	X(clEnqueueCopyImage)                                                                      \
	X(clEnqueueCopyImageToBuffer)                                                              \
	X(clEnqueueCopyBufferToImage)                                                              \
	X(clEnqueueFillBuffer)                                                                     \
	X(clEnqueueFillImage)                                                                      \
	X(clEnqueueMapBuffer)                                                                      \
	X(clEnqueueMapImage)                                                                       \
	X(clEnqueueUnmapMemObject)                                                                 \
	X(clEnqueueMigrateMemObjects)                                                              \
	X(clCreateProgramWithSource)                                                               \
	X(clBuildProgram)                                                                          \
	X(clReleaseProgram)                                                                        \
	X(clCreateKernel)                                                                          \
	X(clReleaseKernel)                                                                         \
	X(clSetKernelArg)                                                                          \
	X(clEnqueueNDRangeKernel)                                                                  \
	X(clCreateUserEvent)                                                                       \
	X(clWaitForEvents)                                                                         \
	X(clFinish)

static struct {
#define X(name) __typeof__(&name) name;
	CALLS(X)
#undef X
} cl;

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_mem late_buffer;

#define EXPECT(holds) expect((holds), #holds, __LINE__)

static void expect(bool holds, const char *text, int line)
{
	if (holds)
		return;
	fprintf(stderr, "live_program:%d: not so: %s\n", line, text);
	exit(1);
}

static void load_calls(void)
{
#ifdef LIVE_DLOPEN
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);

	EXPECT(library != NULL);
#define X(name) *(void **)&cl.name = dlsym(library, #name);
	CALLS(X)
#undef X
#else
#define X(name) cl.name = name;
	CALLS(X)
#undef X
#endif
	EXPECT(cl.clFinish != NULL);
}

static void start(void)
{
	cl_platform_id platform;
	cl_int status;

	load_calls();
	EXPECT(cl.clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
	EXPECT(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
	context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	EXPECT(status == CL_SUCCESS);
	queue = cl.clCreateCommandQueue(context, device, 0, &status);
	EXPECT(status == CL_SUCCESS);
}

static void finish(void)
{
	EXPECT(cl.clFinish(queue) == CL_SUCCESS);
	cl.clReleaseCommandQueue(queue);
	cl.clReleaseContext(context);
}

static cl_mem buffer(size_t bytes)
{
	cl_int status;
	cl_mem made = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);

	EXPECT(status == CL_SUCCESS);
	return made;
}

static void create_write_release(void)
{
	unsigned char bytes[64] = { 1, 2, 3 };
	cl_mem made = buffer(64);

	EXPECT(cl.clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, 64, bytes, 0, NULL, NULL) ==
	       CL_SUCCESS);
	EXPECT(cl.clReleaseMemObject(made) == CL_SUCCESS);
}

static cl_mem image(void)
{
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
				     .image_width = 16,
				     .image_height = 8 };
	cl_int status;
	cl_mem made = cl.clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);

	EXPECT(status == CL_SUCCESS);
	return made;
}

/* Byte i of what is written is 7 * i, as tests/test_layer.c expects. */
static void transfers(cl_mem a, cl_mem picture)
{
	const size_t origin[3] = { 4, 1, 0 }, host[3] = { 2, 1, 0 }, extent[3] = { 8, 3, 1 };
	const size_t pixel[3] = { 1, 2, 0 }, pixels[3] = { 4, 2, 1 };
	unsigned char bytes[256], back[256] = { 0 };

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(7 * i);
	EXPECT(cl.clEnqueueWriteBuffer(queue, a, CL_TRUE, 128, 64, bytes, 0, NULL, NULL) == 0);
	EXPECT(cl.clEnqueueReadBuffer(queue, a, CL_TRUE, 128, 64, back, 0, NULL, NULL) == 0);
	EXPECT(memcmp(bytes, back, 64) == 0);
	EXPECT(cl.clEnqueueWriteBufferRect(queue, a, CL_TRUE, origin, host, extent, 32, 0, 16, 0,
					   bytes, 0, NULL, NULL) == 0);
	EXPECT(cl.clEnqueueReadBufferRect(queue, a, CL_TRUE, origin, host, extent, 32, 0, 16, 0,
					  back, 0, NULL, NULL) == 0);
	EXPECT(cl.clEnqueueWriteImage(queue, picture, CL_TRUE, pixel, pixels, 20, 0, bytes, 0, NULL,
				      NULL) == 0);
	EXPECT(cl.clEnqueueReadImage(queue, picture, CL_TRUE, pixel, pixels, 0, 0, back, 0, NULL,
				     NULL) == 0);
	EXPECT(memcmp(bytes, back, 16) == 0 && memcmp(bytes + 20, back + 16, 16) == 0);
}

static void copies_and_fills(cl_mem a, cl_mem b, cl_mem picture, cl_mem other_picture)
{
	const size_t origin[3] = { 0, 0, 0 }, extent[3] = { 8, 2, 1 };
	const unsigned pattern = 0x01020304;
	const float colour[4] = { 1, 0, 0, 1 };

	EXPECT(cl.clEnqueueCopyBuffer(queue, a, b, 0, 512, 256, 0, NULL, NULL) == 0);
	EXPECT(cl.clEnqueueCopyBufferRect(queue, a, b, origin, origin, extent, 64, 0, 32, 0, 0,
					  NULL, NULL) == 0);
	EXPECT(cl.clEnqueueCopyImage(queue, picture, other_picture, origin, origin, extent, 0, NULL,
				     NULL) == 0);
	EXPECT(cl.clEnqueueCopyImageToBuffer(queue, picture, b, origin, extent, 64, 0, NULL,
					     NULL) == 0);
	EXPECT(cl.clEnqueueCopyBufferToImage(queue, b, picture, 64, origin, extent, 0, NULL,
					     NULL) == 0);
	EXPECT(cl.clEnqueueFillBuffer(queue, a, &pattern, 4, 16, 32, 0, NULL, NULL) == 0);
	EXPECT(cl.clEnqueueFillImage(queue, picture, colour, origin, extent, 0, NULL, NULL) == 0);
}

static void maps(cl_mem a, cl_mem picture)
{
	const size_t origin[3] = { 0, 0, 0 }, extent[3] = { 16, 8, 1 };
	size_t row_pitch = 0;
	cl_int status;
	void *first, *second, *third;

	first = cl.clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 256, 64, 0, NULL, NULL,
				      &status);
	second = cl.clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 256, 64, 0, NULL, NULL,
				       NULL);
	EXPECT(status == CL_SUCCESS && first && second);
	EXPECT(cl.clEnqueueUnmapMemObject(queue, a, first, 0, NULL, NULL) == 0);
	EXPECT(cl.clEnqueueUnmapMemObject(queue, a, second, 0, NULL, NULL) == 0);
	third = cl.clEnqueueMapImage(queue, picture, CL_TRUE, CL_MAP_READ, origin, extent,
				     &row_pitch, NULL, 0, NULL, NULL, &status);
	EXPECT(status == CL_SUCCESS && row_pitch >= 64);
	EXPECT(cl.clEnqueueUnmapMemObject(queue, picture, third, 0, NULL, NULL) == 0);
}

static void kernel(cl_mem a, cl_mem b)
{
	const char *source = "kernel void twice(global int *a, int n, global const int *b)"
			     "{ a[get_global_id(0)] = n * b[get_global_id(0)]; }";
	const size_t size = 16;
	const cl_int factor = 2;
	cl_int status;
	cl_program program = cl.clCreateProgramWithSource(context, 1, &source, NULL, &status);
	cl_kernel made;

	EXPECT(cl.clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS);
	made = cl.clCreateKernel(program, "twice", &status);
	EXPECT(status == CL_SUCCESS);
	EXPECT(cl.clSetKernelArg(made, 0, sizeof(a), &a) == CL_SUCCESS);
	EXPECT(cl.clSetKernelArg(made, 1, sizeof(factor), &factor) == CL_SUCCESS);
	EXPECT(cl.clSetKernelArg(made, 2, sizeof(b), &b) == CL_SUCCESS);
	EXPECT(cl.clEnqueueNDRangeKernel(queue, made, 1, NULL, &size, NULL, 0, NULL, NULL) == 0);
	EXPECT(cl.clFinish(queue) == CL_SUCCESS);
	cl.clReleaseKernel(made);
	cl.clReleaseProgram(program);
}

static void plain(void)
{
	unsigned char content[1024] = { 5 };
	const cl_buffer_region region = { 1024, 512 };
	cl_int status;
	cl_mem a = buffer(4096), b, part, pictures[2], both[2];

	b = cl.clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(content),
			      content, &status);
	EXPECT(status == CL_SUCCESS);
	part = cl.clCreateSubBuffer(a, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region,
				    &status);
	EXPECT(status == CL_SUCCESS);
	pictures[0] = image();
	pictures[1] = image();
	EXPECT(cl.clRetainMemObject(a) == CL_SUCCESS);
	EXPECT(cl.clReleaseMemObject(a) == CL_SUCCESS);
	EXPECT(!cl.clCreateBuffer(context, CL_MEM_READ_WRITE, 0, NULL, &status));
	EXPECT(status == CL_INVALID_BUFFER_SIZE);
	EXPECT(cl.clReleaseMemObject(NULL) == CL_INVALID_MEM_OBJECT);
	transfers(a, pictures[0]);
	copies_and_fills(a, b, pictures[0], pictures[1]);
	maps(a, pictures[0]);
	both[0] = a;
	both[1] = b;
	EXPECT(cl.clEnqueueMigrateMemObjects(queue, 2, both, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
					     NULL) == CL_SUCCESS);
	kernel(a, b);
	/* A list of that length runs off the stack: refused before anybody reads it. */
	EXPECT(cl.clEnqueueMigrateMemObjects(NULL, 16000, both, 0, 0, NULL, NULL) ==
	       CL_INVALID_COMMAND_QUEUE);
	cl.clReleaseMemObject(part);
	cl.clReleaseMemObject(a);
	cl.clReleaseMemObject(b);
	cl.clReleaseMemObject(pictures[0]);
	cl.clReleaseMemObject(pictures[1]);
	finish();
}

static void *one_thread(void *unused)
{
	for (int i = 0; i < 200; i++)
		create_write_release();
	return unused;
}

static void threads(void)
{
	pthread_t made[8];

	for (size_t i = 0; i < 8; i++)
		EXPECT(pthread_create(&made[i], NULL, one_thread, NULL) == 0);
	for (size_t i = 0; i < 8; i++)
		pthread_join(made[i], NULL);
	finish();
}

static void forks_by(pid_t (*make_child)(void))
{
	int status = -1;
	pid_t child;

	create_write_release();
	child = make_child();
	if (child == 0) {
		/* Not finish(): the driver's threads are not here. */
		cl.clReleaseMemObject(buffer(100));
		cl.clReleaseMemObject(buffer(200));
		_exit(0);
	}
	EXPECT(waitpid(child, &status, 0) == child && status == 0);
	create_write_release();
	finish();
}

static void forks(void)
{
	forks_by(fork);
}

static void forks_bare(void)
{
	forks_by(_Fork);
}

static void aborts(void)
{
	create_write_release();
	abort();
}

static void exits(void)
{
	create_write_release();
	_exit(7);
}

static void late(void)
{
	late_buffer = buffer(64);
}

__attribute__((destructor)) static void release_late(void)
{
	if (late_buffer)
		cl.clReleaseMemObject(late_buffer);
}

static void endless(void)
{
	for (unsigned long i = 1;; i++) {
		create_write_release();
		printf("%lu\n", i);
		fflush(stdout);
	}
}

static void waits(void)
{
	cl_int status;
	cl_event event = cl.clCreateUserEvent(context, &status);

	EXPECT(status == CL_SUCCESS);
	puts("waiting");
	fflush(stdout);
	cl.clWaitForEvents(1, &event);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {
		{ "plain", plain }, { "threads", threads }, { "fork", forks },	 { "abort", aborts },
		{ "bare-fork", forks_bare },
		{ "exit", exits },  { "late", late },	    { "kill", endless }, { "wait", waits },
	};

	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name) == 0) {
			/* A driver that hangs fails the test; it does not hang it. */
			alarm(120);
			start();
			modes[i].run();
			puts("ok");
			return 0;
		}
	}
	fprintf(stderr, "usage: live_program MODE\n");
	return 2;
}
