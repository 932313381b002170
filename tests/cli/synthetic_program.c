/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that goes on when calls are refused: 8 threads, each 20 times every kind of call
 * that makes, moves or gives back memory. Prints, sorted as SQLite sorts, for each kind of op
 * how many calls there were, how many were refused, and the sum of the answers' codes: what a
 * recording must say, too.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8
#define ROUNDS 20
#define BYTES 256
#define SIDE 16

#define KINDS(X)                                                                                   \
	X(buffer_create)                                                                           \
	X(copy)                                                                                    \
	X(destructor)                                                                              \
	X(fill)                                                                                    \
	X(image_create)                                                                            \
	X(map)                                                                                     \
	X(migrate)                                                                                 \
	X(pipe_create)                                                                             \
	X(read)                                                                                    \
	X(release)                                                                                 \
	X(retain)                                                                                  \
	X(subbuffer_create)                                                                        \
	X(svm_alloc)                                                                               \
	X(svm_free)                                                                                \
	X(sync)                                                                                    \
	X(unmap)                                                                                   \
	X(use)                                                                                     \
	X(write)

enum kind {
#define X(name) name##_calls,
	KINDS(X)
#undef X
	KIND_COUNT
};

static const char *const names[KIND_COUNT] = {
#define X(name) #name,
	KINDS(X)
#undef X
};

static atomic_uint called[KIND_COUNT], refused[KIND_COUNT];
static atomic_long codes[KIND_COUNT]; /* the sum of the answers */
static cl_context context;
static cl_device_id device;

static const size_t origin[3], region[3] = { SIDE, SIDE, 1 }, box[3] = { 16, 2, 1 };
static const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
static const cl_image_desc flat = { .image_type = CL_MEM_OBJECT_IMAGE2D,
				    .image_width = SIDE,
				    .image_height = SIDE };

static cl_int did(enum kind kind, cl_int status)
{
	atomic_fetch_add(&called[kind], 1);
	if (status != CL_SUCCESS)
		atomic_fetch_add(&refused[kind], 1);
	atomic_fetch_add(&codes[kind], status);
	return status;
}

static cl_mem made(enum kind kind, cl_mem object, cl_int status)
{
	did(kind, status);
	return object;
}

static void release(cl_mem object)
{
	while (object && did(release_calls, clReleaseMemObject(object)) != CL_SUCCESS)
		;
}

static void wait_for(cl_event event)
{
	if (!event)
		return;
	did(sync_calls, clWaitForEvents(1, &event));
	while (clReleaseEvent(event) != CL_SUCCESS)
		;
}

static void CL_CALLBACK destroyed(cl_mem object, void *count)
{
	(void)object;
	atomic_fetch_add((atomic_uint *)count, 1);
}

static void map_and_unmap(cl_command_queue queue, cl_mem object, void *at, cl_int status)
{
	if (did(map_calls, status) != CL_SUCCESS)
		return;
	did(unmap_calls, clEnqueueUnmapMemObject(queue, object, at, 0, NULL, NULL));
}

static void buffers(cl_command_queue queue, atomic_uint *destructions)
{
	const cl_buffer_region part = { 0, BYTES / 2 };
	char bytes[BYTES] = "content";
	cl_event event = NULL;
	cl_int status;
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, bytes, &status);
	cl_mem b, sub;
	void *at;

	if (!made(buffer_create_calls, a, status))
		return;
	b = clCreateBufferWithProperties(context, NULL, 0, BYTES, NULL, &status);
	if (!made(buffer_create_calls, b, status)) {
		release(a);
		return;
	}
	did(destructor_calls, clSetMemObjectDestructorCallback(a, destroyed, destructions));
	if (did(retain_calls, clRetainMemObject(a)) == CL_SUCCESS)
		release(a);
	sub = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &status);
	release(made(subbuffer_create_calls, sub, status));
	did(write_calls,
	    clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, BYTES, bytes, 0, NULL, &event));
	wait_for(event);
	did(read_calls, clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
	did(write_calls, clEnqueueWriteBufferRect(queue, a, CL_TRUE, origin, origin, box, 0, 0, 0,
						  0, bytes, 0, NULL, NULL));
	did(read_calls, clEnqueueReadBufferRect(queue, a, CL_TRUE, origin, origin, box, 0, 0, 0, 0,
						bytes, 0, NULL, NULL));
	did(copy_calls, clEnqueueCopyBuffer(queue, a, b, 0, 0, BYTES, 0, NULL, NULL));
	did(copy_calls,
	    clEnqueueCopyBufferRect(queue, a, b, origin, origin, box, 0, 0, 0, 0, 0, NULL, NULL));
	did(fill_calls, clEnqueueFillBuffer(queue, a, bytes, 4, 0, BYTES, 0, NULL, NULL));
	did(migrate_calls, clEnqueueMigrateMemObjects(queue, 1, &a, 0, 0, NULL, NULL));
	at = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &status);
	map_and_unmap(queue, a, at, status);
	release(a);
	release(b);
}

static void images(cl_command_queue queue)
{
	static const cl_uint colour[4] = { 1 };
	char pixels[SIDE * SIDE * 4] = "pixels";
	cl_int status;
	cl_mem a = clCreateImage(context, 0, &format, &flat, NULL, &status);
	cl_mem b, c;
	size_t row;
	void *at;

	if (!made(image_create_calls, a, status))
		return;
	b = clCreateImage2D(context, 0, &format, SIDE, SIDE, 0, NULL, &status);
	release(made(image_create_calls, b, status));
	b = clCreateImageWithProperties(context, NULL, 0, &format, &flat, NULL, &status);
	release(made(image_create_calls, b, status));
	did(write_calls,
	    clEnqueueWriteImage(queue, a, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
	did(read_calls,
	    clEnqueueReadImage(queue, a, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
	did(fill_calls, clEnqueueFillImage(queue, a, colour, origin, region, 0, NULL, NULL));
	did(copy_calls, clEnqueueCopyImage(queue, a, a, origin, origin, region, 0, NULL, NULL));
	at = clEnqueueMapImage(queue, a, CL_TRUE, CL_MAP_READ, origin, region, &row, NULL, 0, NULL,
			       NULL, &status);
	map_and_unmap(queue, a, at, status);
	c = clCreateBuffer(context, 0, sizeof(pixels), NULL, &status);
	if (made(buffer_create_calls, c, status)) {
		did(copy_calls,
		    clEnqueueCopyImageToBuffer(queue, a, c, origin, region, 0, 0, NULL, NULL));
		did(copy_calls,
		    clEnqueueCopyBufferToImage(queue, c, a, 0, origin, region, 0, NULL, NULL));
	}
	release(c);
	c = clCreatePipe(context, 0, 16, 16, NULL, &status);
	release(made(pipe_create_calls, c, status));
	release(a);
}

static void shared(cl_command_queue queue)
{
	char bytes[BYTES] = "shared";
	void *a = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);

	/* It has no code; recordings write this one. */
	did(svm_alloc_calls, a ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE);
	if (!a)
		return;
	did(write_calls, clEnqueueSVMMemcpy(queue, CL_TRUE, a, bytes, BYTES, 0, NULL, NULL));
	did(fill_calls, clEnqueueSVMMemFill(queue, a, bytes, 4, BYTES, 0, NULL, NULL));
	if (did(map_calls, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, a, BYTES, 0, NULL, NULL)) ==
	    CL_SUCCESS)
		did(unmap_calls, clEnqueueSVMUnmap(queue, a, 0, NULL, NULL));
	if (did(svm_free_calls, clEnqueueSVMFree(queue, 1, &a, NULL, NULL, 0, NULL, NULL)) ==
	    CL_SUCCESS)
		return;
	did(svm_free_calls, CL_SUCCESS);
	clSVMFree(context, a);
}

/* Native kernels run inside of the driver's call. */
struct native_args {
	cl_command_queue queue;
	char *memory; /* put there by the driver */
};

static void CL_CALLBACK native(void *arguments)
{
	struct native_args *args = arguments;

	args->memory[BYTES - 1] = 1;
	did(sync_calls, clFinish(args->queue));
}

static atomic_uint bare_runs;

static void CL_CALLBACK bare_native(void *arguments)
{
	if (!arguments)
		atomic_fetch_add(&bare_runs, 1);
}

static void run_natives(cl_command_queue queue, cl_mem object)
{
	struct native_args args = { queue, NULL };
	const void *place = &args.memory;
	unsigned before = atomic_load(&bare_runs);

	did(use_calls, clEnqueueNativeKernel(queue, native, &args, sizeof(args), 1, &object, &place, 0,
					     NULL, NULL));
	if (did(use_calls, clEnqueueNativeKernel(queue, bare_native, NULL, 0, 0, NULL, NULL, 0, NULL,
						 NULL)) == CL_SUCCESS &&
	    atomic_load(&bare_runs) == before)
		abort();
}

static void kernels(cl_command_queue queue)
{
	const char *source = "kernel void k(global int *p) { *p = 1; }";
	const size_t one = 1;
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	cl_kernel kernel = program ? clCreateKernel(program, "k", NULL) : NULL;
	cl_event event = NULL;
	cl_int status;
	cl_mem a = NULL;

	if (kernel) {
		a = clCreateBuffer(context, 0, BYTES, NULL, &status);
		made(buffer_create_calls, a, status);
	}
	if (a) {
		clSetKernelArg(kernel, 0, sizeof(a), &a);
		did(use_calls,
		    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
		wait_for(event);
		run_natives(queue, a);
		release(a);
	}
	while (kernel && clReleaseKernel(kernel) != CL_SUCCESS)
		;
	while (program && clReleaseProgram(program) != CL_SUCCESS)
		;
}

static void *work(void *unused)
{
	static atomic_uint destructions;
	cl_command_queue queue = NULL;

	(void)unused;
	while (!queue)
		queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		buffers(queue, &destructions);
		images(queue);
		shared(queue);
		kernels(queue);
		did(sync_calls, clFinish(queue));
	}
	while (clReleaseCommandQueue(queue) != CL_SUCCESS)
		;
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	cl_platform_id platform;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return 1;
	while (!context)
		context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	while (clReleaseContext(context) != CL_SUCCESS)
		;
	for (int kind = 0; kind < KIND_COUNT; kind++)
		if (atomic_load(&called[kind]))
			printf("%s|%u|%u|%ld\n", names[kind], atomic_load(&called[kind]),
			       atomic_load(&refused[kind]), atomic_load(&codes[kind]));
	return 0;
}
