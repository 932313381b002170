/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record layer under many threads, on a made-up driver that gives handles out again at once,
 * is slow now and then, runs out of memory, and calls back from inside its calls. Run under
 * ThreadSanitizer it finds races; without, that nothing is lost or mixed up.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer_fixture.h"
#include "test_main.h"

#define THREADS 64
#define ROUNDS 200
#define HANDLES (THREADS * 8)

/* ---- the driver ---- */

struct object {
	struct object *next;
	int references;
	void(CL_CALLBACK *destructor)(cl_mem, void *);
	void *user_data;
};

static pthread_mutex_t driver_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object objects[HANDLES], *free_objects;
static unsigned call_count, failures;

static void make_free(void)
{
	for (size_t i = 0; i < HANDLES; i++) {
		objects[i].next = free_objects;
		free_objects = &objects[i];
	}
}

/* Each hundredth call is slow, each seventieth creation finds no memory. */
static unsigned count_call(void)
{
	unsigned number = __atomic_add_fetch(&call_count, 1, __ATOMIC_RELAXED);

	if (number % 100 == 0)
		sched_yield();
	return number;
}

/* Its own count: of all calls, each seventieth may be the same one of every round. */
static bool is_refused(void)
{
	static unsigned creations;

	count_call();
	return __atomic_add_fetch(&creations, 1, __ATOMIC_RELAXED) % 70 == 0;
}

static void *take_handle(cl_int *status)
{
	bool refused = is_refused();
	struct object *object = NULL;

	pthread_mutex_lock(&driver_lock);
	if (!refused && free_objects) {
		object = free_objects;
		free_objects = object->next;
		object->references = 1;
		object->destructor = NULL;
	}
	failures += !object;
	pthread_mutex_unlock(&driver_lock);
	*status = object ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
	return object;
}

static cl_int change_references(void *handle, int change)
{
	struct object *object = handle;
	void(CL_CALLBACK *destructor)(cl_mem, void *) = NULL;

	count_call();
	pthread_mutex_lock(&driver_lock);
	object->references += change;
	if (object->references == 0) {
		destructor = object->destructor;
		if (!destructor) {
			object->next = free_objects;
			free_objects = object;
		}
	}
	pthread_mutex_unlock(&driver_lock);
	if (destructor) {
		destructor((cl_mem)handle, object->user_data);
		pthread_mutex_lock(&driver_lock);
		object->next = free_objects;
		free_objects = object;
		pthread_mutex_unlock(&driver_lock);
	}
	return CL_SUCCESS;
}

static cl_mem CL_API_CALL driver_buffer(cl_context context, cl_mem_flags flags, size_t size,
					void *host, cl_int *status)
{
	(void)context, (void)flags, (void)size, (void)host;
	return take_handle(status);
}

static cl_int CL_API_CALL driver_retain(cl_mem object)
{
	return change_references(object, 1);
}

static cl_int CL_API_CALL driver_release(cl_mem object)
{
	return change_references(object, -1);
}

static cl_int CL_API_CALL driver_release_event(cl_event event)
{
	return change_references(event, -1);
}

static cl_int CL_API_CALL driver_set_destructor(cl_mem object,
						void(CL_CALLBACK *function)(cl_mem, void *),
						void *user_data)
{
	struct object *known = (struct object *)(void *)object;

	pthread_mutex_lock(&driver_lock);
	known->destructor = function;
	known->user_data = user_data;
	pthread_mutex_unlock(&driver_lock);
	return CL_SUCCESS;
}

static cl_int give_event(cl_event *event)
{
	cl_int status = CL_SUCCESS;

	if (event)
		*event = take_handle(&status);
	return status;
}

static cl_int CL_API_CALL driver_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				       size_t offset, size_t size, const void *host, cl_uint waits,
				       const cl_event *events, cl_event *event)
{
	(void)queue, (void)buffer, (void)blocking, (void)offset, (void)size, (void)host;
	(void)waits, (void)events;
	return give_event(event);
}

static cl_int CL_API_CALL driver_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				      size_t offset, size_t size, void *host, cl_uint waits,
				      const cl_event *events, cl_event *event)
{
	(void)queue, (void)buffer, (void)blocking, (void)offset, (void)size, (void)host;
	(void)waits, (void)events;
	return give_event(event);
}

static cl_int CL_API_CALL driver_wait(cl_uint count, const cl_event *events)
{
	(void)count, (void)events;
	count_call();
	return CL_SUCCESS;
}

static void *CL_API_CALL driver_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				    cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
				    const cl_event *events, cl_event *event, cl_int *status)
{
	(void)queue, (void)buffer, (void)blocking, (void)flags, (void)offset, (void)size;
	(void)waits, (void)events, (void)event;
	*status = CL_SUCCESS;
	return malloc(64);
}

static cl_int CL_API_CALL driver_unmap(cl_command_queue queue, cl_mem object, void *pointer,
				       cl_uint waits, const cl_event *events, cl_event *event)
{
	(void)queue, (void)object, (void)waits, (void)events, (void)event;
	free(pointer);
	return CL_SUCCESS;
}

static void *CL_API_CALL driver_svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t size,
					  cl_uint alignment)
{
	(void)context, (void)flags, (void)alignment;
	count_call();
	return malloc(size);
}

static void CL_API_CALL driver_svm_free(cl_context context, void *pointer)
{
	(void)context;
	free(pointer);
}

static cl_kernel CL_API_CALL driver_kernel(cl_program program, const char *name, cl_int *status)
{
	(void)program, (void)name;
	return take_handle(status);
}

static cl_int CL_API_CALL driver_release_kernel(cl_kernel kernel)
{
	return change_references(kernel, -1);
}

static cl_int CL_API_CALL driver_arg(cl_kernel kernel, cl_uint index, size_t size,
				     const void *value)
{
	(void)kernel, (void)index, (void)size, (void)value;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL driver_run(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				     const size_t *offset, const size_t *global,
				     const size_t *local, cl_uint waits, const cl_event *events,
				     cl_event *event)
{
	(void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
	(void)waits, (void)events;
	return give_event(event);
}

static const cl_icd_dispatch driver = {
	.clCreateBuffer = driver_buffer,
	.clRetainMemObject = driver_retain,
	.clReleaseMemObject = driver_release,
	.clSetMemObjectDestructorCallback = driver_set_destructor,
	.clEnqueueWriteBuffer = driver_write,
	.clEnqueueReadBuffer = driver_read,
	.clEnqueueMapBuffer = driver_map,
	.clEnqueueUnmapMemObject = driver_unmap,
	.clWaitForEvents = driver_wait,
	.clReleaseEvent = driver_release_event,
	.clSVMAlloc = driver_svm_alloc,
	.clSVMFree = driver_svm_free,
	.clCreateKernel = driver_kernel,
	.clReleaseKernel = driver_release_kernel,
	.clSetKernelArg = driver_arg,
	.clEnqueueNDRangeKernel = driver_run,
};

/* ---- the program ---- */

static void CL_CALLBACK use_opencl(cl_mem object, void *user_data)
{
	cl_int status;
	cl_mem other;

	(void)object, (void)user_data;
	other = layer_cl->clCreateBuffer(NULL, 0, 8, NULL, &status);
	if (other)
		layer_cl->clReleaseMemObject(other);
}

static void use_kernel(cl_mem buffer, size_t thread)
{
	const size_t one = 1;
	char name[16];
	cl_int status;
	cl_kernel kernel;

	snprintf(name, sizeof(name), "kernel %zu", thread % 4);
	kernel = layer_cl->clCreateKernel(NULL, name, &status);
	if (!kernel)
		return;
	layer_cl->clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
	layer_cl->clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
	layer_cl->clReleaseKernel(kernel);
}

static void use_memory(cl_mem buffer)
{
	unsigned char bytes[64] = { 1 };
	cl_event event = NULL;
	void *pointer, *svm;
	cl_int status;

	layer_cl->clEnqueueWriteBuffer(NULL, buffer, CL_TRUE, 0, 64, bytes, 0, NULL, NULL);
	if (layer_cl->clEnqueueReadBuffer(NULL, buffer, CL_FALSE, 0, 64, bytes, 0, NULL, &event) ==
	    CL_SUCCESS) {
		layer_cl->clWaitForEvents(1, &event);
		layer_cl->clReleaseEvent(event);
	}
	pointer = layer_cl->clEnqueueMapBuffer(NULL, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL,
					       NULL, &status);
	memset(pointer, 2, 64);
	layer_cl->clEnqueueUnmapMemObject(NULL, buffer, pointer, 0, NULL, NULL);
	svm = layer_cl->clSVMAlloc(NULL, CL_MEM_READ_WRITE, 128, 0);
	layer_cl->clSVMFree(NULL, svm);
}

static void *run(void *userdata)
{
	size_t thread = (size_t)userdata;

	for (int i = 0; i < ROUNDS; i++) {
		cl_int status;
		cl_mem buffer = layer_cl->clCreateBuffer(NULL, 0, 64 + thread, NULL, &status);

		if (!buffer)
			continue;
		if (i % 8 == 0)
			layer_cl->clSetMemObjectDestructorCallback(buffer, use_opencl, NULL);
		layer_cl->clRetainMemObject(buffer);
		use_memory(buffer);
		use_kernel(buffer, thread);
		layer_cl->clReleaseMemObject(buffer);
		layer_cl->clReleaseMemObject(buffer);
	}
	return NULL;
}

/* What the records say of each object: it is made once, and given back as often as it was had. */
static void check_objects(const struct spool_op *ops, size_t count)
{
	size_t made = 0, refused = 0, wrong = 0;
	int *references = calloc(count + 2, sizeof(*references));

	CU_ASSERT_FATAL(references != NULL);
	for (size_t i = 0; i < count; i++) {
		const struct berth_spool_op *op = &ops[i].op;
		bool creates = berth_op_kind_creates((berth_op_kind)op->kind);

		if (creates) {
			made++;
			refused += op->cl_status != CL_SUCCESS;
			wrong += op->object == 0 || op->object > count;
		}
		if (op->cl_status != CL_SUCCESS || op->object == 0 || op->object > count)
			continue;
		references[op->object] += creates || op->kind == BERTH_OP_RETAIN;
		references[op->object] -=
			op->kind == BERTH_OP_RELEASE || op->kind == BERTH_OP_SVM_FREE;
	}
	for (size_t i = 0; i < count; i++)
		wrong += references[i] != 0;
	ASSERT_INT(wrong, 0);
	CU_ASSERT(refused > 0 && refused < made);
	free(references);
}

static void many_threads(void)
{
	pthread_t threads[THREADS];
	size_t unknown = 0;

	make_free();
	for (size_t i = 0; i < THREADS; i++)
		CU_ASSERT_FATAL(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_FATAL(spool_content_read(&layer_content, layer_directory, 0));
	for (size_t i = 0; i < layer_content.op_count; i++)
		unknown += layer_content.ops[i].op.object == BERTH_ID_UNKNOWN;
	ASSERT_INT(unknown, 0);
	ASSERT_INT(layer_content.lost, 0);
	ASSERT_INT(layer_content.pending_count, 0);
	check_objects(layer_content.ops, layer_content.op_count);
}

int main(void)
{
	static const struct test tests[] = {
		{ "many threads", many_threads },
		{ NULL, NULL },
	};
	int failed;

	if (!layer_fixture_load(&driver))
		return 99;
	failed = test_main("layer threads", tests);
	layer_fixture_unload();
	return failed;
}
