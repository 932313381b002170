/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record layer in this process, on a made-up driver: what no real driver does
 * on demand (handles given out twice, releases that fail, calls from inside calls),
 * and what a loader may do.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer_fixture.h"
#include "test_main.h"

#define SLOTS (sizeof(cl_icd_dispatch) / sizeof(void *))

/* The driver: handles are addresses in here, statuses are set by the tests. */
static char handles[16];
static cl_int next_status;
static cl_mem next_handle;
static int errno_of_driver;
static int errno_seen;
static void (*inside)(void);	  /* called while the driver runs, as by the driver */
static void (*meanwhile)(void); /* the same by another thread */

static void *run_meanwhile(void *userdata)
{
	void (**run)(void) = userdata;

	(*run)();
	return NULL;
}

static cl_int answer(void)
{
	void (*run)(void) = inside, (*other)(void) = meanwhile;
	pthread_t thread;

	errno_seen = errno;
	inside = meanwhile = NULL;
	if (run)
		run();
	if (other) {
		CU_ASSERT_FATAL(pthread_create(&thread, NULL, run_meanwhile, &other) == 0);
		pthread_join(thread, NULL);
	}
	errno = errno_of_driver;
	return next_status;
}

static char svm_memory[128];

static cl_mem CL_API_CALL driver_create_buffer(cl_context context, cl_mem_flags flags, size_t size,
					       void *host, cl_int *status)
{
	cl_int code = answer();

	(void)context, (void)flags, (void)size, (void)host;
	if (status)
		*status = code;
	return code == CL_SUCCESS ? next_handle : NULL;
}

static cl_mem CL_API_CALL driver_create_sub_buffer(cl_mem parent, cl_mem_flags flags,
						   cl_buffer_create_type type, const void *info,
						   cl_int *status)
{
	(void)type, (void)info;
	return driver_create_buffer((cl_context)parent, flags, 0, NULL, status);
}

static cl_mem CL_API_CALL driver_create_image(cl_context context, cl_mem_flags flags,
					      const cl_image_format *format,
					      const cl_image_desc *desc, void *host, cl_int *status)
{
	(void)format, (void)desc;
	return driver_create_buffer(context, flags, 0, host, status);
}

static cl_int CL_API_CALL driver_reference(cl_mem object)
{
	(void)object;
	return answer();
}

static cl_int CL_API_CALL driver_read_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
					   const size_t *origin, const size_t *host_origin,
					   const size_t *region, size_t row, size_t slice,
					   size_t host_row, size_t host_slice, void *host,
					   cl_uint count, const cl_event *list, cl_event *event)
{
	(void)queue, (void)buffer, (void)blocking, (void)origin, (void)host_origin, (void)region;
	(void)row, (void)slice, (void)host_row, (void)host_slice, (void)host;
	(void)count, (void)list, (void)event;
	return answer();
}

static cl_int CL_API_CALL driver_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				       size_t offset, size_t size, const void *host, cl_uint count,
				       const cl_event *list, cl_event *event)
{
	(void)queue, (void)buffer, (void)blocking, (void)offset, (void)size, (void)host;
	(void)count, (void)list, (void)event;
	return answer();
}

static cl_kernel CL_API_CALL driver_create_kernel(cl_program program, const char *name,
						  cl_int *status)
{
	(void)program, (void)name, (void)status;
	return (cl_kernel)&handles[10];
}

static cl_kernel CL_API_CALL driver_clone_kernel(cl_kernel kernel, cl_int *status)
{
	(void)kernel, (void)status;
	return (cl_kernel)&handles[11];
}

static cl_int CL_API_CALL driver_set_arg(cl_kernel kernel, cl_uint index, size_t size,
					 const void *value)
{
	(void)kernel, (void)index, (void)size, (void)value;
	return answer();
}

static cl_int CL_API_CALL driver_run(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				     const size_t *offset, const size_t *global,
				     const size_t *local, cl_uint count, const cl_event *list,
				     cl_event *event)
{
	(void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
	(void)count, (void)list, (void)event;
	return answer();
}

static cl_int CL_API_CALL driver_finish(cl_command_queue queue)
{
	(void)queue;
	return answer();
}

static void *CL_API_CALL driver_svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t size,
					  cl_uint alignment)
{
	(void)context, (void)flags, (void)alignment;
	return size ? svm_memory : NULL;
}

static void CL_API_CALL driver_svm_free(cl_context context, void *pointer)
{
	(void)context, (void)pointer;
}

static cl_int CL_API_CALL driver_enqueue_svm_free(cl_command_queue queue, cl_uint count,
						  void *pointers[],
						  void(CL_CALLBACK *function)(cl_command_queue,
									      cl_uint, void *[],
									      void *),
						  void *userdata, cl_uint wait_count,
						  const cl_event *list, cl_event *event)
{
	(void)wait_count, (void)list, (void)event;
	if (function)
		function(queue, count, pointers, userdata);
	return answer();
}

static cl_int CL_API_CALL driver_svm_memcpy(cl_command_queue queue, cl_bool blocking, void *to,
					    const void *from, size_t bytes, cl_uint count,
					    const cl_event *list, cl_event *event)
{
	(void)queue, (void)blocking, (void)to, (void)from, (void)bytes;
	(void)count, (void)list, (void)event;
	return answer();
}

static cl_int CL_API_CALL driver_svm_fill(cl_command_queue queue, void *to, const void *pattern,
					  size_t pattern_bytes, size_t bytes, cl_uint count,
					  const cl_event *list, cl_event *event)
{
	(void)queue, (void)to, (void)pattern, (void)pattern_bytes, (void)bytes;
	(void)count, (void)list, (void)event;
	return answer();
}

static cl_int CL_API_CALL driver_svm_map(cl_command_queue queue, cl_bool blocking,
					 cl_map_flags flags, void *pointer, size_t bytes,
					 cl_uint count, const cl_event *list, cl_event *event)
{
	(void)queue, (void)blocking, (void)flags, (void)pointer, (void)bytes;
	(void)count, (void)list, (void)event;
	return answer();
}

static cl_int CL_API_CALL driver_svm_unmap(cl_command_queue queue, void *pointer, cl_uint count,
					   const cl_event *list, cl_event *event)
{
	(void)queue, (void)pointer, (void)count, (void)list, (void)event;
	return answer();
}

static cl_int CL_API_CALL driver_svm_argument(cl_kernel kernel, cl_uint index, const void *value)
{
	(void)kernel, (void)index, (void)value;
	return answer();
}

static cl_int CL_API_CALL driver_exec_info(cl_kernel kernel, cl_kernel_exec_info name,
					   size_t bytes, const void *value)
{
	(void)kernel, (void)name, (void)bytes, (void)value;
	return answer();
}

static cl_mem CL_API_CALL driver_pipe(cl_context context, cl_mem_flags flags, cl_uint packet,
				      cl_uint packets, const cl_pipe_properties *properties,
				      cl_int *status)
{
	(void)packet, (void)packets, (void)properties;
	return driver_create_buffer(context, flags, 0, NULL, status);
}

static void *CL_API_CALL driver_function(const char *name)
{
	return strcmp(name, "clMissingMemEXT") == 0 ? NULL : handles;
}

static const cl_icd_dispatch driver = {
	.clCreateBuffer = driver_create_buffer,
	.clCreateSubBuffer = driver_create_sub_buffer,
	.clCreateImage = driver_create_image,
	.clRetainMemObject = driver_reference,
	.clReleaseMemObject = driver_reference,
	.clEnqueueReadBufferRect = driver_read_rect,
	.clEnqueueWriteBuffer = driver_write,
	.clCreateKernel = driver_create_kernel,
	.clCloneKernel = driver_clone_kernel,
	.clSetKernelArg = driver_set_arg,
	.clEnqueueNDRangeKernel = driver_run,
	.clFinish = driver_finish,
	.clSVMAlloc = driver_svm_alloc,
	.clSVMFree = driver_svm_free,
	.clEnqueueSVMFree = driver_enqueue_svm_free,
	.clEnqueueSVMMemcpy = driver_svm_memcpy,
	.clEnqueueSVMMemFill = driver_svm_fill,
	.clEnqueueSVMMap = driver_svm_map,
	.clEnqueueSVMUnmap = driver_svm_unmap,
	.clSetKernelArgSVMPointer = driver_svm_argument,
	.clSetKernelExecInfo = driver_exec_info,
	.clCreatePipe = driver_pipe,
	.clGetExtensionFunctionAddress = driver_function,
};

static cl_mem create(cl_mem handle)
{
	next_status = CL_SUCCESS;
	next_handle = handle;
	return layer_cl->clCreateBuffer(NULL, CL_MEM_READ_WRITE, 64, NULL, NULL);
}

static void answers_the_loader(void)
{
	cl_layer_api_version version = 0;
	char name[64] = "";
	size_t bytes = 0;

	ASSERT_INT(layer_info(CL_LAYER_API_VERSION, sizeof(version), &version, &bytes), CL_SUCCESS);
	ASSERT_INT(version, 100);
	ASSERT_INT(bytes, sizeof(version));
	ASSERT_INT(layer_info(CL_LAYER_NAME, sizeof(name), name, NULL), CL_SUCCESS);
	ASSERT_STRING(name, "berth record");
	ASSERT_INT(layer_info(CL_LAYER_NAME, 3, name, NULL), CL_INVALID_VALUE);
	ASSERT_INT(layer_info(0, sizeof(name), name, NULL), CL_INVALID_VALUE);
	CU_ASSERT(layer_cl->clCreateBuffer != NULL);
	/* What the driver lacks stays inherited. */
	CU_ASSERT(layer_cl->clEnqueueReadBuffer == NULL);
	CU_ASSERT(layer_cl->clGetDeviceInfo == NULL);
}

/* Twice in one process, with a table that ends early: nothing behind its end is looked at. */
static void a_short_table(void)
{
	enum { FEW = 20 };
	void **short_table = malloc(FEW * sizeof(void *));
	const cl_icd_dispatch *layer = NULL;
	cl_uint count = 0;

	CU_ASSERT_FATAL(short_table != NULL);
	memcpy(short_table, &driver, FEW * sizeof(void *));
	ASSERT_INT(layer_init(0, &driver, &count, &layer), CL_INVALID_VALUE);
	ASSERT_INT(layer_init(SLOTS, NULL, &count, &layer), CL_INVALID_VALUE);
	ASSERT_INT(layer_init(SLOTS, &driver, NULL, &layer), CL_INVALID_VALUE);
	ASSERT_INT(layer_init(FEW, (const cl_icd_dispatch *)short_table, &count, &layer),
		   CL_SUCCESS);
	ASSERT_INT(count, FEW);
	CU_ASSERT(layer->clCreateBuffer != NULL);
	CU_ASSERT(layer->clEnqueueNDRangeKernel == NULL);
	free(short_table);
	ASSERT_INT(layer_init(SLOTS + 1, &driver, &count, &layer), CL_SUCCESS);
	ASSERT_INT(count, SLOTS);
	layer_recorded(0);
}

/*
 * A loader is unloaded and another one loaded, by the newer interface: the recording goes on, and
 * what the old one's handles were is forgotten.
 */
static void another_loader(void)
{
	const intptr_t properties[] = { 0 };
	const cl_icd_dispatch *table = NULL;
	const struct spool_op *ops;
	cl_uint count = 0;

	create((cl_mem)&handles[13]);
	ASSERT_INT(layer_deinit(), CL_SUCCESS);
	CU_ASSERT_FATAL(spool_content_read(&layer_content, layer_directory, 0));
	CU_ASSERT(layer_content.closed);
	spool_content_free(&layer_content);
	ASSERT_INT(layer_init_with_properties(SLOTS, &driver, NULL, &table, properties),
		   CL_INVALID_VALUE);
	ASSERT_INT(layer_init_with_properties(SLOTS, &driver, &count, &table, properties),
		   CL_SUCCESS);
	ASSERT_INT(count, SLOTS);
	CU_ASSERT_FATAL(table != NULL);
	layer_cl = table;
	layer_cl->clReleaseMemObject((cl_mem)&handles[13]);
	create((cl_mem)&handles[13]);
	layer_cl->clReleaseMemObject((cl_mem)&handles[13]);
	ops = layer_recorded(4);
	CU_ASSERT_FALSE(layer_content.closed);
	ASSERT_INT(ops[1].op.object, BERTH_ID_UNKNOWN);
	ASSERT_INT(ops[3].op.object, ops[2].op.object);
}

static void a_handle_given_out_again(void)
{
	cl_mem handle = (cl_mem)&handles[0];
	const struct spool_op *ops;

	create(handle);
	layer_cl->clReleaseMemObject(handle);
	create(handle);
	layer_cl->clRetainMemObject(handle);
	layer_cl->clReleaseMemObject(handle);
	layer_cl->clReleaseMemObject(handle);
	layer_cl->clReleaseMemObject(handle);
	ops = layer_recorded(7);
	ASSERT_INT(ops[1].op.object, ops[0].op.object);
	ASSERT_INT(ops[2].op.object, ops[0].op.object + 1);
	for (size_t i = 3; i < 6; i++)
		ASSERT_INT(ops[i].op.object, ops[2].op.object);
	ASSERT_INT(ops[6].op.object, BERTH_ID_UNKNOWN);
}

/* Another thread gets the handle while the release of the old object is in the driver. */
static void create_meanwhile(void)
{
	create((cl_mem)&handles[1]);
}

static void a_handle_given_out_within_its_release(void)
{
	const struct spool_op *ops;

	create((cl_mem)&handles[1]);
	meanwhile = create_meanwhile;
	layer_cl->clReleaseMemObject((cl_mem)&handles[1]);
	layer_cl->clReleaseMemObject((cl_mem)&handles[1]);
	/* In order of completion: the inner create before the release it was made in. */
	ops = layer_recorded(4);
	ASSERT_INT(ops[1].op.kind, BERTH_OP_BUFFER_CREATE);
	ASSERT_INT(ops[2].op.object, ops[0].op.object);
	ASSERT_INT(ops[3].op.object, ops[1].op.object);
}

static void a_release_that_fails(void)
{
	const struct spool_op *ops;

	create((cl_mem)&handles[2]);
	next_status = CL_OUT_OF_RESOURCES;
	layer_cl->clReleaseMemObject((cl_mem)&handles[2]);
	layer_cl->clRetainMemObject((cl_mem)&handles[2]);
	next_status = CL_SUCCESS;
	layer_cl->clReleaseMemObject((cl_mem)&handles[2]);
	layer_cl->clReleaseMemObject((cl_mem)&handles[2]);
	ops = layer_recorded(5);
	ASSERT_INT(ops[1].op.cl_status, CL_OUT_OF_RESOURCES);
	for (size_t i = 1; i < 4; i++)
		ASSERT_INT(ops[i].op.object, ops[0].op.object);
	ASSERT_INT(ops[4].op.object, BERTH_ID_UNKNOWN);
}

static void errno_is_the_programs(void)
{
	errno_of_driver = 55;
	errno = 44;
	create((cl_mem)&handles[3]);
	ASSERT_INT(errno_seen, 44);
	ASSERT_INT(errno, 55);
	errno = 33;
	layer_cl->clReleaseMemObject((cl_mem)&handles[3]);
	ASSERT_INT(errno_seen, 33);
	ASSERT_INT(errno, 55);
	layer_recorded(2);
}

/* Pointers that are NULL are said to be; what is not accepted is not looked behind. */
static void bad_arguments(void)
{
	const struct spool_op *ops;
	cl_int status = 7;

	next_status = CL_INVALID_VALUE;
	CU_ASSERT(!layer_cl->clCreateSubBuffer(NULL, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &status));
	ASSERT_INT(status, CL_INVALID_VALUE);
	layer_cl->clCreateSubBuffer((cl_mem)&handles[9], 0, 99, (void *)8, NULL);
	layer_cl->clCreateImage(NULL, 0, NULL, NULL, NULL, NULL);
	layer_cl->clEnqueueReadBufferRect(NULL, NULL, CL_TRUE, NULL, NULL, NULL, 0, 0, 0, 0, (void *)8, 0,
				    NULL, NULL);
	layer_cl->clEnqueueWriteBuffer(NULL, NULL, CL_TRUE, 0, SIZE_MAX, (void *)8, 0, NULL, NULL);
	layer_cl->clEnqueueNDRangeKernel(NULL, NULL, 1, NULL, NULL, NULL, 0, NULL, NULL);
	next_status = CL_SUCCESS;
	layer_cl->clEnqueueWriteBuffer(NULL, NULL, CL_TRUE, 0, 16, NULL, 0, NULL, NULL);
	ops = layer_recorded(7);
	ASSERT_INT(ops[0].op.absent, BERTH_ABSENT_INFO);
	ASSERT_INT(ops[0].op.other, BERTH_ID_NONE);
	ASSERT_INT(ops[1].op.absent, BERTH_ABSENT_CREATE_TYPE);
	ASSERT_INT(ops[1].op.other, BERTH_ID_UNKNOWN);
	ASSERT_INT(ops[2].op.absent, BERTH_ABSENT_FORMAT | BERTH_ABSENT_DESC);
	ASSERT_INT(ops[3].op.absent,
		   BERTH_ABSENT_ORIGIN | BERTH_ABSENT_OTHER_ORIGIN | BERTH_ABSENT_EXTENT);
	CU_ASSERT(ops[4].op.bytes == SIZE_MAX);
	ASSERT_INT(ops[5].op.use_count, 0);
	ASSERT_INT(ops[6].op.parts & BERTH_SPOOL_PART_DIGEST, 0);
}

static void kernel_arguments(void)
{
	cl_kernel kernel = layer_cl->clCreateKernel(NULL, "blur", NULL), clone;
	cl_mem first = create((cl_mem)&handles[4]), second = create((cl_mem)&handles[5]);
	const struct spool_op *ops;
	uint64_t number = 3;

	layer_cl->clSetKernelArg(kernel, 40, sizeof(first), &first);
	layer_cl->clSetKernelArg(kernel, 1, sizeof(second), &second);
	layer_cl->clSetKernelArg(kernel, 2, sizeof(number), &number);
	clone = layer_cl->clCloneKernel(kernel, NULL);
	/* The clone has its own from here on; a refused argument changes nothing. */
	layer_cl->clSetKernelArg(kernel, 40, sizeof(number), &number);
	next_status = CL_INVALID_ARG_VALUE;
	layer_cl->clSetKernelArg(kernel, 1, 0, NULL);
	next_status = CL_SUCCESS;
	layer_cl->clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL);
	layer_cl->clEnqueueNDRangeKernel(NULL, clone, 1, NULL, NULL, NULL, 0, NULL, NULL);
	ops = layer_recorded(4);
	ASSERT_STRING(layer_content.names[ops[2].op.name], "blur");
	ASSERT_INT(ops[2].op.use_count, 1);
	ASSERT_INT(ops[2].uses[0].object, ops[1].op.object);
	ASSERT_INT(ops[2].uses[0].arg_index, 1);
	ASSERT_INT(ops[3].op.name, ops[2].op.name);
	ASSERT_INT(ops[3].op.use_count, 2);
	ASSERT_INT(ops[3].uses[1].object, ops[0].op.object);
	ASSERT_INT(ops[3].uses[1].arg_index, 40);
}

/* Pointers into an allocation become its id and an offset. */
static void shared_virtual_memory(void)
{
	cl_kernel kernel = layer_cl->clCreateKernel(NULL, "svm", NULL);
	char host[64] = "host";
	const void *reached[] = { svm_memory + 8, host };
	const struct spool_op *ops;
	void *pointer, *list[] = { svm_memory };
	uint64_t id;

	next_status = CL_SUCCESS;
	pointer = layer_cl->clSVMAlloc(NULL, CL_MEM_READ_WRITE, 128, 64);
	CU_ASSERT(pointer == svm_memory);
	CU_ASSERT(layer_cl->clSVMAlloc(NULL, CL_MEM_READ_WRITE, 0, 0) == NULL);
	layer_cl->clEnqueueSVMMemcpy(NULL, CL_TRUE, svm_memory + 16, host, 32, 0, NULL, NULL);
	layer_cl->clEnqueueSVMMemcpy(NULL, CL_TRUE, host, svm_memory + 127, 1, 0, NULL, NULL);
	layer_cl->clEnqueueSVMMemcpy(NULL, CL_TRUE, svm_memory, svm_memory + 64, 32, 0, NULL, NULL);
	layer_cl->clEnqueueSVMMemFill(NULL, svm_memory + 4, host, 4, 8, 0, NULL, NULL);
	layer_cl->clEnqueueSVMMap(NULL, CL_TRUE, CL_MAP_WRITE, svm_memory + 32, 16, 0, NULL, NULL);
	layer_cl->clEnqueueSVMUnmap(NULL, svm_memory + 32, 0, NULL, NULL);
	layer_cl->clSetKernelArgSVMPointer(kernel, 1, svm_memory + 100);
	layer_cl->clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(reached), reached);
	layer_cl->clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL);
	layer_cl->clEnqueueSVMFree(NULL, 1, list, NULL, NULL, 0, NULL, NULL);
	layer_cl->clSVMFree(NULL, svm_memory); /* gone already */
	layer_cl->clSVMFree(NULL, NULL);
	ops = layer_recorded(12);
	id = ops[0].op.object;
	ASSERT_INT(ops[0].op.kind, BERTH_OP_SVM_ALLOC);
	ASSERT_INT(ops[0].op.bytes, 128);
	ASSERT_INT(ops[0].op.pattern_bytes, 64);
	CU_ASSERT(ops[0].op.host_address == (uintptr_t)svm_memory);
	ASSERT_INT(ops[1].op.cl_status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	for (size_t i = 2; i < 8; i++) {
		static const berth_op_kind kinds[] = { BERTH_OP_WRITE, BERTH_OP_READ, BERTH_OP_COPY,
						       BERTH_OP_FILL,  BERTH_OP_MAP,
						       BERTH_OP_UNMAP };
		static const uint64_t offsets[] = { 16, 127, 64, 4, 32, 32 };

		ASSERT_INT(ops[i].op.kind, kinds[i - 2]);
		ASSERT_INT(ops[i].op.form, BERTH_FORM_SVM);
		ASSERT_INT(ops[i].op.object, id);
		ASSERT_INT(ops[i].op.offset_bytes, offsets[i - 2]);
	}
	ASSERT_INT(ops[4].op.other, id);
	ASSERT_INT(ops[4].op.other_offset_bytes, 0);
	CU_ASSERT(ops[6].op.mapping != 0);
	ASSERT_INT(ops[7].op.mapping, ops[6].op.mapping);
	ASSERT_INT(ops[8].op.use_count, 2);
	ASSERT_INT(ops[8].uses[0].object, id);
	ASSERT_INT(ops[8].uses[0].arg_index, 1);
	ASSERT_INT(ops[8].uses[1].object, id);
	ASSERT_INT(ops[8].uses[1].arg_index, BERTH_ARG_INDIRECT);
	ASSERT_INT(ops[9].op.kind, BERTH_OP_SVM_FREE);
	ASSERT_INT(ops[9].op.bits, BERTH_OP_ENQUEUED);
	ASSERT_INT(ops[9].op.use_count, 1);
	ASSERT_INT(ops[9].uses[0].object, id);
	CU_ASSERT(ops[10].op.object == BERTH_ID_UNKNOWN);
	ASSERT_INT(ops[11].op.object, BERTH_ID_NONE);
}

static void CL_CALLBACK free_in_function(cl_command_queue queue, cl_uint count, void *pointers[],
					 void *userdata)
{
	(void)queue, (void)userdata;
	for (cl_uint i = 0; i < count; i++)
		layer_cl->clSVMFree(NULL, pointers[i]);
}

/* The program's function frees: its clSVMFree is recorded, once. */
static void freed_by_a_function(void)
{
	const struct spool_op *ops;
	void *list[] = { svm_memory };

	next_status = CL_SUCCESS;
	layer_cl->clSVMAlloc(NULL, CL_MEM_READ_WRITE, 128, 0);
	layer_cl->clEnqueueSVMFree(NULL, 1, list, free_in_function, NULL, 0, NULL, NULL);
	ops = layer_recorded(3);
	ASSERT_INT(ops[1].op.kind, BERTH_OP_SVM_FREE);
	ASSERT_INT(ops[1].op.object, ops[0].op.object);
	ASSERT_INT(ops[1].op.bits, 0);
	ASSERT_INT(ops[2].op.kind, BERTH_OP_USE);
	ASSERT_INT(ops[2].uses[0].object, ops[0].op.object);
}

static void pipes(void)
{
	const struct spool_op *ops;
	cl_mem pipe;

	next_status = CL_SUCCESS;
	next_handle = (cl_mem)&handles[6];
	pipe = layer_cl->clCreatePipe(NULL, CL_MEM_HOST_NO_ACCESS, 24, 7, NULL, NULL);
	layer_cl->clReleaseMemObject(pipe);
	ops = layer_recorded(2);
	ASSERT_INT(ops[0].op.kind, BERTH_OP_PIPE_CREATE);
	ASSERT_INT(ops[0].op.pattern_bytes, 24);
	ASSERT_INT(ops[0].op.other_offset_bytes, 7);
	ASSERT_INT(ops[1].op.object, ops[0].op.object);
}

static void untracked_calls(void)
{
	CU_ASSERT(layer_cl->clGetExtensionFunctionAddress("clEnqueueMagicMemEXT") == handles);
	CU_ASSERT(layer_cl->clGetExtensionFunctionAddress("clEnqueueMagicMemEXT") == handles);
	CU_ASSERT(layer_cl->clGetExtensionFunctionAddress("clMissingMemEXT") == NULL);
	layer_cl->clGetExtensionFunctionAddress("clGetMemAllocInfoINTEL");
	layer_cl->clGetExtensionFunctionAddress("clCreateBuffer");
	layer_recorded(0);
	ASSERT_INT(layer_untracked("clEnqueueMagicMemEXT (fetched)"), 2);
	ASSERT_INT(layer_untracked("clMissingMemEXT (fetched)"), 0);
	ASSERT_INT(layer_untracked("clGetMemAllocInfoINTEL (fetched)"), 0);
	ASSERT_INT(layer_untracked("clCreateBuffer (fetched)"), 0);
}

/*
 * While the driver runs, the op stands in a pending slot; a call inside it, which is the
 * driver's and not the program's, does not end that and is not written.
 */
static void look_inside(void)
{
	struct spool_content now;

	ASSERT_INT(layer_cl->clRetainMemObject((cl_mem)&handles[4]), CL_SUCCESS);
	CU_ASSERT(create((cl_mem)&handles[12]) == (cl_mem)&handles[12]);
	CU_ASSERT_FATAL(spool_content_read(&now, layer_directory, 0));
	ASSERT_INT(now.pending_count, 1);
	ASSERT_INT(now.pending[0].kind, BERTH_OP_SYNC);
	spool_content_free(&now);
}

static void pending_during_a_call(void)
{
	const struct spool_op *ops;

	create((cl_mem)&handles[4]);
	inside = look_inside;
	layer_cl->clFinish(NULL);
	layer_cl->clReleaseMemObject((cl_mem)&handles[4]);
	layer_cl->clReleaseMemObject((cl_mem)&handles[4]);
	layer_cl->clReleaseMemObject((cl_mem)&handles[12]);
	ops = layer_recorded(5);
	ASSERT_INT(layer_content.pending_count, 0);
	ASSERT_INT(layer_untracked("clRetainMemObject inside another call"), 1);
	ASSERT_INT(layer_untracked("clCreateBuffer inside another call"), 1);
	/* One reference is the program's: the driver's own does not count. */
	ASSERT_INT(ops[2].op.object, ops[0].op.object);
	ASSERT_INT(ops[3].op.object, BERTH_ID_UNKNOWN);
	ASSERT_INT(ops[4].op.object, BERTH_ID_UNKNOWN);
}

/* As many objects as make every shard of the map grow; each is found again. */
static void many_objects(void)
{
	enum { COUNT = 5000 };
	char *places = malloc(COUNT);
	const struct spool_op *ops;

	CU_ASSERT_FATAL(places != NULL);
	for (size_t i = 0; i < COUNT; i++)
		create((cl_mem)&places[i]);
	for (size_t i = 0; i < COUNT; i++)
		layer_cl->clReleaseMemObject((cl_mem)&places[i * 7 % COUNT]);
	ops = layer_recorded(2 * (size_t)COUNT);
	for (size_t i = 0; i < COUNT; i++)
		if (ops[COUNT + i].op.object != ops[i * 7 % COUNT].op.object)
			ASSERT_INT(ops[COUNT + i].op.object, ops[i * 7 % COUNT].op.object);
	free(places);
}

int main(void)
{
	static const struct test tests[] = {
		{ "answers the loader", answers_the_loader },
		{ "a short table", a_short_table },
		{ "another loader", another_loader },
		{ "a handle given out again", a_handle_given_out_again },
		{ "a handle given out within its release", a_handle_given_out_within_its_release },
		{ "a release that fails", a_release_that_fails },
		{ "errno is the program's", errno_is_the_programs },
		{ "bad arguments", bad_arguments },
		{ "kernel arguments", kernel_arguments },
		{ "shared virtual memory", shared_virtual_memory },
		{ "freed by a function", freed_by_a_function },
		{ "pipes", pipes },
		{ "untracked calls", untracked_calls },
		{ "pending during a call", pending_during_a_call },
		{ "many objects", many_objects },
		{ NULL, NULL },
	};
	int failed;

	if (!layer_fixture_load(&driver))
		return 99;
	failed = test_main("layer calls", tests);
	layer_fixture_unload();
	return failed;
}
