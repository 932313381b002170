/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the record layer makes of extensions' functions, events, callbacks and content that comes
 * later, on a made-up driver that does on demand what real ones do at some time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "layer_fixture.h"
#define BERTH_MARK_NO_LINK
#include <berth/mark.h>
#include "test_main.h"

#include <CL/cl_ext.h>

/* Objects of the driver: the first word of a real one is its dispatch table. */
static const void *dispatches[2] = { &dispatches[0], &dispatches[1] };
static struct {
	const void *dispatch;
} objects[32];

#define HANDLE(n) ((void *)&objects[n])
#define CONTEXT ((cl_context)HANDLE(0))
#define QUEUE ((cl_command_queue)HANDLE(1))
#define OTHER_QUEUE ((cl_command_queue)HANDLE(2)) /* out of order, and it profiles */
#define KERNEL ((cl_kernel)HANDLE(3))
#define BUFFER ((cl_mem)HANDLE(4))
#define BUFFER_2 ((cl_mem)HANDLE(5))
#define IMAGE ((cl_mem)HANDLE(6))
#define COMMANDS ((cl_command_buffer_khr)HANDLE(7))
#define COMMAND ((cl_mutable_command_khr)HANDLE(8))
#define EVENT(n) ((cl_event)HANDLE(16 + (n)))

static cl_int next_status;
static cl_event next_event;
static void *next_pointer;
static cl_mem next_object;
static cl_command_queue next_queue;
static uint32_t object_type;

/* Callbacks that the program gave. */
static void(CL_CALLBACK *on_event)(cl_event, cl_int, void *);
static void(CL_CALLBACK *on_destroyed)(cl_mem, void *);
static void *callback_data;
static void (*within)(void); /* called while the driver runs */

static cl_int answer(cl_event *event)
{
	void (*run)(void) = within;

	within = NULL;
	if (run)
		run();
	if (event && next_status == CL_SUCCESS)
		*event = next_event;
	return next_status;
}

/* ---- the table ---- */

static cl_context CL_API_CALL driver_context(const cl_context_properties *properties, cl_uint count,
					     const cl_device_id *devices,
					     void(CL_CALLBACK *notify)(const char *, const void *,
								       size_t, void *),
					     void *user_data, cl_int *status)
{
	(void)properties, (void)count, (void)devices, (void)notify, (void)user_data;
	*status = CL_SUCCESS;
	return CONTEXT;
}

static cl_int CL_API_CALL driver_context_reference(cl_context context)
{
	(void)context;
	return answer(NULL);
}

static cl_command_queue CL_API_CALL driver_queue(cl_context context, cl_device_id device,
						 cl_command_queue_properties properties,
						 cl_int *status)
{
	(void)context, (void)device, (void)properties;
	*status = CL_SUCCESS;
	return next_queue;
}

static cl_mem CL_API_CALL driver_buffer(cl_context context, cl_mem_flags flags, size_t size,
					void *host, cl_int *status)
{
	(void)context, (void)flags, (void)size, (void)host;
	*status = next_status;
	return next_status == CL_SUCCESS ? next_object : NULL;
}

static cl_mem CL_API_CALL driver_from_gl(cl_context context, cl_mem_flags flags, cl_GLuint name,
					 cl_int *status)
{
	(void)name;
	return driver_buffer(context, flags, 0, NULL, status);
}

static cl_mem CL_API_CALL driver_from_texture(cl_context context, cl_mem_flags flags,
					      cl_GLenum target, cl_GLint level, cl_GLuint texture,
					      cl_int *status)
{
	(void)target, (void)level, (void)texture;
	return driver_buffer(context, flags, 0, NULL, status);
}

static cl_int CL_API_CALL driver_mem_info(cl_mem object, cl_mem_info query, size_t bytes,
					  void *value, size_t *size)
{
	(void)object, (void)size;
	memset(value, 0, bytes);
	if (query == CL_MEM_TYPE)
		memcpy(value, &object_type, sizeof(object_type));
	if (query == CL_MEM_SIZE)
		*(size_t *)value = 4096;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL driver_image_info(cl_mem image, cl_image_info query, size_t bytes,
					    void *value, size_t *size)
{
	static const struct {
		cl_image_info query;
		size_t value;
	} values[] = {
		{ CL_IMAGE_WIDTH, 30 },
		{ CL_IMAGE_HEIGHT, 20 },
		{ CL_IMAGE_ROW_PITCH, 128 },
		{ CL_IMAGE_ELEMENT_SIZE, 4 },
	};

	(void)image, (void)size;
	memset(value, 0, bytes);
	if (query == CL_IMAGE_FORMAT)
		*(cl_image_format *)value = (cl_image_format){ CL_RGBA, CL_UNORM_INT8 };
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (values[i].query == query)
			*(size_t *)value = values[i].value;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL driver_hand_over(cl_command_queue queue, cl_uint count,
					   const cl_mem *list, cl_uint waits, const cl_event *events,
					   cl_event *event)
{
	(void)queue, (void)count, (void)list, (void)waits, (void)events;
	return answer(event);
}

static cl_int CL_API_CALL driver_reference(cl_mem object)
{
	(void)object;
	return answer(NULL);
}

static cl_int CL_API_CALL driver_set_destructor(cl_mem object,
						void(CL_CALLBACK *function)(cl_mem, void *),
						void *user_data)
{
	(void)object;
	on_destroyed = function;
	callback_data = user_data;
	return next_status;
}

static cl_int CL_API_CALL driver_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				      size_t offset, size_t size, void *host, cl_uint waits,
				      const cl_event *events, cl_event *event)
{
	(void)queue, (void)buffer, (void)offset, (void)waits, (void)events;
	if (blocking && next_status == CL_SUCCESS)
		memset(host, 5, size);
	return answer(event);
}

static void *CL_API_CALL driver_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				    cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
				    const cl_event *events, cl_event *event, cl_int *status)
{
	(void)queue, (void)buffer, (void)blocking, (void)flags, (void)offset, (void)size;
	(void)waits, (void)events;
	*status = answer(event);
	return *status == CL_SUCCESS ? next_pointer : NULL;
}

static cl_int CL_API_CALL driver_unmap(cl_command_queue queue, cl_mem object, void *pointer,
				       cl_uint waits, const cl_event *events, cl_event *event)
{
	(void)queue, (void)object, (void)pointer, (void)waits, (void)events;
	return answer(event);
}

static cl_int CL_API_CALL driver_finish(cl_command_queue queue)
{
	(void)queue;
	return answer(NULL);
}

static cl_int CL_API_CALL driver_wait(cl_uint count, const cl_event *events)
{
	(void)count, (void)events;
	return answer(NULL);
}

static cl_int CL_API_CALL driver_marker(cl_command_queue queue, cl_uint waits,
					const cl_event *events, cl_event *event)
{
	(void)queue, (void)waits, (void)events;
	return answer(event);
}

static cl_event CL_API_CALL driver_user_event(cl_context context, cl_int *status)
{
	(void)context;
	*status = CL_SUCCESS;
	return next_event;
}

static cl_int CL_API_CALL driver_set_user_event(cl_event event, cl_int execution_status)
{
	(void)event, (void)execution_status;
	return answer(NULL);
}

static cl_int CL_API_CALL driver_event_reference(cl_event event)
{
	(void)event;
	return answer(NULL);
}

static cl_int CL_API_CALL driver_event_info(cl_event event, cl_event_info name, size_t size,
					    void *value, size_t *size_ret)
{
	(void)event, (void)name, (void)size, (void)size_ret;
	*(cl_int *)value = CL_COMPLETE;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL driver_event_callback(cl_event event, cl_int type,
						void(CL_CALLBACK *function)(cl_event, cl_int,
									    void *),
						void *user_data)
{
	(void)event, (void)type;
	on_event = function;
	callback_data = user_data;
	return next_status;
}

static cl_int CL_API_CALL driver_profile(cl_event event, cl_profiling_info name, size_t size,
					 void *value, size_t *size_ret)
{
	(void)event, (void)size, (void)size_ret;
	*(cl_ulong *)value = 1000 + (name - CL_PROFILING_COMMAND_QUEUED);
	return CL_SUCCESS;
}

static cl_kernel CL_API_CALL driver_kernel(cl_program program, const char *name, cl_int *status)
{
	(void)program, (void)name, (void)status;
	return KERNEL;
}

static cl_int CL_API_CALL driver_arg(cl_kernel kernel, cl_uint index, size_t size,
				     const void *value)
{
	(void)kernel, (void)index, (void)size, (void)value;
	return next_status;
}

static cl_int CL_API_CALL driver_devices(cl_platform_id platform, cl_device_type type,
					 cl_uint count, cl_device_id *devices, cl_uint *found)
{
	(void)platform, (void)type, (void)count, (void)found;
	*devices = (cl_device_id)HANDLE(9);
	return CL_SUCCESS;
}

static uint32_t commands_minor;

static cl_int CL_API_CALL driver_device_info(cl_device_id device, cl_device_info query,
					     size_t bytes, void *value, size_t *size)
{
	cl_name_version *versions = value;

	(void)device;
	if (query != CL_DEVICE_EXTENSIONS_WITH_VERSION || bytes < sizeof(*versions))
		return CL_INVALID_VALUE;
	*versions = (cl_name_version){ .version = CL_MAKE_VERSION(0, 9, commands_minor),
				       .name = "cl_khr_command_buffer" };
	*size = sizeof(*versions);
	return CL_SUCCESS;
}

/* ---- functions that are fetched ---- */

static void *CL_API_CALL driver_alloc(cl_context context, const cl_ulong *properties, size_t size,
				      cl_uint alignment, cl_int *status)
{
	(void)context, (void)properties, (void)size, (void)alignment;
	*status = next_status;
	return next_status == CL_SUCCESS ? next_pointer : NULL;
}

static void *CL_API_CALL driver_device_alloc(cl_context context, cl_device_id device,
					     const cl_ulong *properties, size_t size,
					     cl_uint alignment, cl_int *status)
{
	(void)device;
	return driver_alloc(context, properties, size, alignment, status);
}

static cl_int CL_API_CALL driver_free(cl_context context, void *pointer)
{
	(void)context, (void)pointer;
	return next_status;
}

static cl_int CL_API_CALL driver_memcpy(cl_command_queue queue, cl_bool blocking, void *to,
					const void *from, size_t size, cl_uint waits,
					const cl_event *events, cl_event *event)
{
	(void)queue, (void)blocking, (void)to, (void)from, (void)size, (void)waits, (void)events;
	return answer(event);
}

static cl_int CL_API_CALL driver_fill(cl_command_queue queue, void *pointer, const void *pattern,
				      size_t pattern_size, size_t size, cl_uint waits,
				      const cl_event *events, cl_event *event)
{
	(void)queue, (void)pointer, (void)pattern, (void)pattern_size, (void)size, (void)waits;
	(void)events;
	return answer(event);
}

static cl_int CL_API_CALL driver_argument_pointer(cl_kernel kernel, cl_uint index,
						  const void *value)
{
	(void)kernel, (void)index, (void)value;
	return next_status;
}

static cl_command_buffer_khr CL_API_CALL driver_create_commands(cl_uint count,
								const cl_command_queue *queues,
								const cl_ulong *properties,
								cl_int *status)
{
	(void)count, (void)queues, (void)properties;
	*status = CL_SUCCESS;
	return COMMANDS;
}

static cl_int CL_API_CALL driver_commands_reference(cl_command_buffer_khr buffer)
{
	(void)buffer;
	return next_status;
}

static cl_int CL_API_CALL driver_command_copy(cl_command_buffer_khr buffer, cl_command_queue queue,
					      cl_mem source, cl_mem destination, size_t from,
					      size_t to, size_t size, cl_uint points,
					      const cl_uint *list, cl_uint *point,
					      cl_mutable_command_khr *command)
{
	(void)buffer, (void)queue, (void)source, (void)destination, (void)from, (void)to;
	(void)size, (void)points, (void)list, (void)point, (void)command;
	return next_status;
}

static cl_int CL_API_CALL driver_command_kernel(cl_command_buffer_khr buffer,
						cl_command_queue queue, const cl_ulong *properties,
						cl_kernel kernel, cl_uint dimensions,
						const size_t *offset, const size_t *global,
						const size_t *local, cl_uint points,
						const cl_uint *list, cl_uint *point,
						cl_mutable_command_khr *command)
{
	(void)buffer, (void)queue, (void)properties, (void)kernel, (void)dimensions, (void)offset;
	(void)global, (void)local, (void)points, (void)list, (void)point;
	*command = COMMAND;
	return next_status;
}

static cl_int CL_API_CALL driver_enqueue_commands(cl_uint count, cl_command_queue *queues,
						  cl_command_buffer_khr buffer, cl_uint waits,
						  const cl_event *events, cl_event *event)
{
	(void)count, (void)queues, (void)buffer, (void)waits, (void)events;
	return answer(event);
}

static cl_int CL_API_CALL driver_update(cl_command_buffer_khr buffer, const void *config)
{
	(void)buffer, (void)config;
	return next_status;
}

static cl_mem CL_API_CALL driver_import(cl_context context, cl_mem_flags flags,
					const intptr_t *properties, void *memory, size_t size,
					cl_int *status)
{
	(void)properties;
	return driver_buffer(context, flags, size, memory, status);
}

static cl_mem CL_API_CALL driver_properties_buffer(cl_context context, const cl_ulong *properties,
						   cl_mem_flags flags, size_t size, void *host,
						   cl_int *status)
{
	(void)properties;
	return driver_buffer(context, flags, size, host, status);
}

static int other_alloc_calls;

static void *CL_API_CALL other_alloc(cl_context context, const cl_ulong *properties, size_t size,
				     cl_uint alignment, cl_int *status)
{
	other_alloc_calls++;
	return driver_alloc(context, properties, size, alignment, status);
}

static void *CL_API_CALL driver_function(cl_platform_id platform, const char *name)
{
	static const struct {
		const char *name;
		void *function;
	} functions[] = {
		{ "clDeviceMemAllocINTEL", (void *)driver_device_alloc },
		{ "clSharedMemAllocINTEL", (void *)driver_device_alloc },
		{ "clMemFreeINTEL", (void *)driver_free },
		{ "clEnqueueMemcpyINTEL", (void *)driver_memcpy },
		{ "clEnqueueMemFillINTEL", (void *)driver_fill },
		{ "clSetKernelArgMemPointerINTEL", (void *)driver_argument_pointer },
		{ "clCreateCommandBufferKHR", (void *)driver_create_commands },
		{ "clReleaseCommandBufferKHR", (void *)driver_commands_reference },
		{ "clCommandCopyBufferKHR", (void *)driver_command_copy },
		{ "clCommandNDRangeKernelKHR", (void *)driver_command_kernel },
		{ "clEnqueueCommandBufferKHR", (void *)driver_enqueue_commands },
		{ "clUpdateMutableCommandsKHR", (void *)driver_update },
		{ "clImportMemoryARM", (void *)driver_import },
		{ "clCreateBufferWithPropertiesINTEL", (void *)driver_properties_buffer },
		{ "clEnqueueAcquireExternalMemObjectsKHR", (void *)driver_hand_over },
	};

	if (strcmp(name, "clHostMemAllocINTEL") == 0)
		return *(const void *const *)platform == dispatches[0] ? (void *)driver_alloc
								       : (void *)other_alloc;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strcmp(name, functions[i].name) == 0)
			return functions[i].function;
	return NULL;
}

static void *CL_API_CALL driver_any_function(const char *name)
{
	(void)name;
	return NULL;
}

static const cl_icd_dispatch driver = {
	.clCreateContext = driver_context,
	.clReleaseContext = driver_context_reference,
	.clCreateCommandQueue = driver_queue,
	.clCreateBuffer = driver_buffer,
	.clCreateFromGLBuffer = driver_from_gl,
	.clCreateFromGLTexture = driver_from_texture,
	.clEnqueueAcquireGLObjects = driver_hand_over,
	.clEnqueueReleaseGLObjects = driver_hand_over,
	.clGetMemObjectInfo = driver_mem_info,
	.clGetImageInfo = driver_image_info,
	.clReleaseMemObject = driver_reference,
	.clSetMemObjectDestructorCallback = driver_set_destructor,
	.clEnqueueReadBuffer = driver_read,
	.clEnqueueMapBuffer = driver_map,
	.clEnqueueUnmapMemObject = driver_unmap,
	.clFinish = driver_finish,
	.clWaitForEvents = driver_wait,
	.clEnqueueMarkerWithWaitList = driver_marker,
	.clCreateUserEvent = driver_user_event,
	.clSetUserEventStatus = driver_set_user_event,
	.clRetainEvent = driver_event_reference,
	.clReleaseEvent = driver_event_reference,
	.clGetEventInfo = driver_event_info,
	.clSetEventCallback = driver_event_callback,
	.clGetEventProfilingInfo = driver_profile,
	.clCreateKernel = driver_kernel,
	.clSetKernelArg = driver_arg,
	.clGetDeviceIDs = driver_devices,
	.clGetDeviceInfo = driver_device_info,
	.clGetExtensionFunctionAddress = driver_any_function,
	.clGetExtensionFunctionAddressForPlatform = driver_function,
};

/* ---- tests ---- */

#define PLATFORM ((cl_platform_id)HANDLE(10))
#define OTHER_PLATFORM ((cl_platform_id)HANDLE(11))
#define OTHER_CONTEXT ((cl_context)HANDLE(12))

#define FETCH(type, name)                                                                          \
	((type)layer_cl->clGetExtensionFunctionAddressForPlatform(PLATFORM, name))

static const char *name_of(const struct spool_op *op)
{
	return layer_content.names[op->op.name];
}

static void make_buffer(cl_mem handle, size_t bytes)
{
	cl_int status;

	next_object = handle;
	layer_cl->clCreateBuffer(CONTEXT, 0, bytes, NULL, &status);
	ASSERT_INT(status, CL_SUCCESS);
}

static void assert_digest(const uint8_t *actual, const void *bytes, size_t count)
{
	XXH128_canonical_t expected;

	XXH128_canonicalFromHash(&expected, XXH3_128bits(bytes, count));
	ASSERT_INT(memcmp(actual, expected.digest, 16), 0);
}

static void contexts_and_queues(void)
{
	const struct spool_op *orders;
	cl_int status;

	layer_cl->clCreateContext(NULL, 0, NULL, NULL, NULL, &status);
	next_queue = QUEUE;
	layer_cl->clCreateCommandQueue(CONTEXT, NULL, 0, &status);
	next_queue = OTHER_QUEUE;
	layer_cl->clCreateCommandQueue(
		CONTEXT, NULL, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
		&status);
	orders = layer_ordered(3);
	ASSERT_STRING(name_of(&orders[0]), "clCreateContext");
	ASSERT_INT(orders[0].op.context, 1);
	ASSERT_INT(orders[0].op.bytes, 1);
	ASSERT_STRING(name_of(&orders[2]), "clCreateCommandQueue");
	ASSERT_INT(orders[2].op.context, 1);
	ASSERT_INT(orders[2].op.queue, 2);
}

static void unified_shared_memory(void)
{
	__typeof__(&driver_alloc) host = FETCH(__typeof__(&driver_alloc), "clHostMemAllocINTEL");
	__typeof__(&driver_device_alloc) device =
		FETCH(__typeof__(&driver_device_alloc), "clDeviceMemAllocINTEL");
	__typeof__(&driver_free) release = FETCH(__typeof__(&driver_free), "clMemFreeINTEL");
	__typeof__(&driver_memcpy) copy = FETCH(__typeof__(&driver_memcpy), "clEnqueueMemcpyINTEL");
	static char host_memory[256], device_memory[256], elsewhere[64] = "content";
	const struct spool_op *ops;
	cl_int status;

	CU_ASSERT_FATAL(host && device && release && copy);
	next_pointer = host_memory;
	CU_ASSERT(host(CONTEXT, NULL, 256, 64, &status) == host_memory);
	next_pointer = device_memory;
	CU_ASSERT(device(CONTEXT, NULL, NULL, 256, 0, &status) == device_memory);
	copy(QUEUE, CL_TRUE, device_memory + 16, elsewhere, 64, 0, NULL, NULL);
	copy(QUEUE, CL_TRUE, host_memory + 8, device_memory, 32, 0, NULL, NULL);
	copy(QUEUE, CL_TRUE, elsewhere, host_memory, 64, 0, NULL, NULL);
	next_status = CL_INVALID_VALUE;
	ASSERT_INT(release(CONTEXT, host_memory), CL_INVALID_VALUE);
	CU_ASSERT(host(CONTEXT, NULL, 0, 0, NULL) == NULL);
	next_status = CL_SUCCESS;
	ASSERT_INT(release(CONTEXT, host_memory), CL_SUCCESS);
	release(CONTEXT, host_memory);
	ops = layer_recorded(9);
	ASSERT_INT(ops[0].op.kind, BERTH_OP_SVM_ALLOC);
	ASSERT_INT(ops[0].op.bits, BERTH_OP_USM_HOST);
	ASSERT_INT(ops[0].op.bytes, 256);
	ASSERT_INT(ops[0].op.pattern_bytes, 64);
	ASSERT_INT(ops[1].op.bits, BERTH_OP_USM_DEVICE);
	ASSERT_INT(ops[2].op.kind, BERTH_OP_WRITE);
	ASSERT_INT(ops[2].op.object, ops[1].op.object);
	ASSERT_INT(ops[2].op.offset_bytes, 16);
	assert_digest(ops[2].digest, elsewhere, 64);
	ASSERT_INT(ops[3].op.kind, BERTH_OP_COPY);
	ASSERT_INT(ops[3].op.other, ops[0].op.object);
	ASSERT_INT(ops[3].op.other_offset_bytes, 8);
	ASSERT_INT(ops[4].op.kind, BERTH_OP_READ);
	/* A free that failed leaves the allocation what it was. */
	ASSERT_INT(ops[5].op.cl_status, CL_INVALID_VALUE);
	ASSERT_INT(ops[6].op.cl_status, CL_INVALID_VALUE);
	ASSERT_INT(ops[7].op.object, ops[0].op.object);
	ASSERT_INT(ops[8].op.object, BERTH_ID_UNKNOWN);
}

/* Two drivers in a process each have their own function under one name. */
static void two_drivers(void)
{
	__typeof__(&driver_alloc) first = FETCH(__typeof__(&driver_alloc), "clHostMemAllocINTEL");
	__typeof__(&driver_alloc) second =
		(__typeof__(&driver_alloc))layer_cl->clGetExtensionFunctionAddressForPlatform(
			OTHER_PLATFORM, "clHostMemAllocINTEL");
	static char memory[64];
	cl_int status;

	CU_ASSERT(first == second);
	next_pointer = memory;
	first(CONTEXT, NULL, 64, 0, &status);
	ASSERT_INT(other_alloc_calls, 0);
	first(OTHER_CONTEXT, NULL, 64, 0, &status);
	ASSERT_INT(other_alloc_calls, 1);
	layer_recorded(2);
}

static void command_buffers(void)
{
	__typeof__(&driver_create_commands) create =
		FETCH(__typeof__(&driver_create_commands), "clCreateCommandBufferKHR");
	__typeof__(&driver_command_copy) copy =
		FETCH(__typeof__(&driver_command_copy), "clCommandCopyBufferKHR");
	__typeof__(&driver_command_kernel) run =
		FETCH(__typeof__(&driver_command_kernel), "clCommandNDRangeKernelKHR");
	__typeof__(&driver_enqueue_commands) enqueue =
		FETCH(__typeof__(&driver_enqueue_commands), "clEnqueueCommandBufferKHR");
	__typeof__(&driver_update) update =
		FETCH(__typeof__(&driver_update), "clUpdateMutableCommandsKHR");
	__typeof__(&driver_commands_reference) release =
		FETCH(__typeof__(&driver_commands_reference), "clReleaseCommandBufferKHR");
	const cl_command_queue queues[] = { QUEUE };
	cl_command_queue others[] = { OTHER_QUEUE };
	cl_mem buffer = BUFFER, buffer_2 = BUFFER_2;
	const cl_mutable_dispatch_arg_khr argument = { 3, sizeof(cl_mem), &buffer_2 };
	const cl_mutable_dispatch_config_khr changed = {
		.type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR,
		.command = COMMAND,
		.num_args = 1,
		.arg_list = &argument,
	};
	const cl_mutable_base_config_khr config = {
		.type = CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR,
		.num_mutable_dispatch = 1,
		.mutable_dispatch_list = &changed,
	};
	const size_t one = 1;
	cl_mutable_command_khr command;
	const struct spool_op *ops;
	uint64_t first, second;
	cl_int status;

	CU_ASSERT_FATAL(create && copy && run && enqueue && update && release);
	make_buffer(BUFFER, 64);
	make_buffer(BUFFER_2, 64);
	layer_cl->clCreateKernel(NULL, "twice", &status);
	layer_cl->clSetKernelArg(KERNEL, 3, sizeof(buffer), &buffer);
	create(1, queues, NULL, &status);
	copy(COMMANDS, NULL, BUFFER, BUFFER_2, 8, 16, 24, 0, NULL, NULL, NULL);
	next_status = CL_INVALID_VALUE; /* not in the buffer then */
	copy(COMMANDS, NULL, BUFFER, BUFFER_2, 0, 0, 1000, 0, NULL, NULL, NULL);
	next_status = CL_SUCCESS;
	run(COMMANDS, NULL, NULL, KERNEL, 1, NULL, &one, NULL, 0, NULL, NULL, &command);
	/* What a kernel has later does not matter. */
	layer_cl->clSetKernelArg(KERNEL, 3, sizeof(buffer), &buffer_2);
	ops = layer_recorded(2);
	first = ops[0].op.object;
	second = ops[1].op.object;
	enqueue(0, NULL, COMMANDS, 0, NULL, NULL);
	ASSERT_INT(update(COMMANDS, &config), CL_SUCCESS);
	enqueue(1, others, COMMANDS, 0, NULL, NULL);
	next_status = CL_OUT_OF_RESOURCES;
	enqueue(0, NULL, COMMANDS, 0, NULL, NULL);
	next_status = CL_SUCCESS;
	release(COMMANDS);
	enqueue(0, NULL, COMMANDS, 0, NULL, NULL); /* of no known buffer */
	ops = layer_recorded(4);
	ASSERT_INT(ops[0].op.kind, BERTH_OP_COPY);
	ASSERT_INT(ops[0].op.object, first);
	ASSERT_INT(ops[0].op.other, second);
	ASSERT_INT(ops[0].op.offset_bytes, 8);
	ASSERT_INT(ops[0].op.other_offset_bytes, 16);
	ASSERT_INT(ops[0].op.bytes, 24);
	ASSERT_INT(ops[0].op.queue, 1);
	ASSERT_INT(ops[1].op.kind, BERTH_OP_USE);
	ASSERT_STRING(name_of(&ops[1]), "twice");
	ASSERT_INT(ops[1].op.use_count, 1);
	ASSERT_INT(ops[1].uses[0].object, first);
	ASSERT_INT(ops[2].op.queue, 2);
	ASSERT_INT(ops[3].uses[0].object, second);
	ASSERT_INT(ops[3].uses[0].arg_index, 3);
	ops = layer_ordered(4);
	ASSERT_STRING(name_of(&ops[0]), "clEnqueueCommandBufferKHR");
	ASSERT_INT(ops[2].op.cl_status, CL_OUT_OF_RESOURCES);
}

/* Their parameters are others then: they are counted, and the program gets the driver's. */
static void later_command_buffers(void)
{
	commands_minor = 5;
	CU_ASSERT(FETCH(void *, "clCommandCopyBufferKHR") == (void *)driver_command_copy);
	CU_ASSERT(FETCH(void *, "clReleaseCommandBufferKHR") != (void *)driver_commands_reference);
	commands_minor = 0;
	layer_recorded(0);
	ASSERT_INT(layer_untracked("clCommandCopyBufferKHR (fetched)"), 1);
}

static void memory_of_others(void)
{
	__typeof__(&driver_import) import = FETCH(__typeof__(&driver_import), "clImportMemoryARM");
	__typeof__(&driver_properties_buffer) with_properties = FETCH(
		__typeof__(&driver_properties_buffer), "clCreateBufferWithPropertiesINTEL");
	__typeof__(&driver_hand_over) acquire = FETCH(__typeof__(&driver_hand_over),
						      "clEnqueueAcquireExternalMemObjectsKHR");
	const cl_ulong fd[] = { CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 7, 0 };
	const cl_ulong channel[] = { 0x4213, 1, 0 };
	const cl_mem list[] = { IMAGE, BUFFER_2 };
	const struct spool_op *ops;
	cl_int status;

	CU_ASSERT_FATAL(import && with_properties && acquire);
	object_type = CL_MEM_OBJECT_IMAGE2D;
	next_object = IMAGE;
	layer_cl->clCreateFromGLTexture(CONTEXT, CL_MEM_READ_ONLY, 1, 0, 5, &status);
	object_type = CL_MEM_OBJECT_BUFFER;
	next_object = BUFFER_2;
	layer_cl->clCreateFromGLBuffer(CONTEXT, CL_MEM_READ_WRITE, 6, &status);
	layer_cl->clEnqueueAcquireGLObjects(QUEUE, 2, list, 0, NULL, NULL);
	layer_cl->clEnqueueReleaseGLObjects(QUEUE, 2, list, 0, NULL, NULL);
	import(CONTEXT, 0, NULL, NULL, 4096, &status);
	with_properties(CONTEXT, fd, 0, 100, NULL, &status);
	with_properties(CONTEXT, channel, 0, 100, NULL, &status);
	acquire(QUEUE, 1, list + 1, 0, NULL, NULL);
	next_status = CL_INVALID_VALUE;
	layer_cl->clCreateFromGLBuffer(CONTEXT, CL_MEM_READ_WRITE, 6, &status);
	next_status = CL_SUCCESS;
	ops = layer_recorded(9);
	ASSERT_INT(ops[0].op.kind, BERTH_OP_IMAGE_CREATE);
	ASSERT_INT(ops[0].op.bits, BERTH_OP_EXTERNAL);
	ASSERT_INT(ops[0].image.type, CL_MEM_OBJECT_IMAGE2D);
	ASSERT_INT(ops[0].image.order, CL_RGBA);
	ASSERT_INT(ops[0].image.width, 30);
	ASSERT_INT(ops[0].image.height, 20);
	ASSERT_INT(ops[0].image.row_pitch_bytes, 0);
	ASSERT_INT(ops[0].result.row_pitch_bytes, 128);
	ASSERT_INT(ops[1].op.kind, BERTH_OP_BUFFER_CREATE);
	ASSERT_INT(ops[1].op.bytes, 4096);
	ASSERT_INT(ops[1].op.bits, BERTH_OP_EXTERNAL);
	ASSERT_STRING(name_of(&ops[2]), "clEnqueueAcquireGLObjects");
	ASSERT_INT(ops[2].op.use_count, 2);
	ASSERT_INT(ops[2].uses[0].object, ops[0].op.object);
	ASSERT_INT(ops[2].uses[1].access, BERTH_ACCESS_WRITE);
	ASSERT_INT(ops[3].uses[0].access, BERTH_ACCESS_READ);
	ASSERT_INT(ops[4].op.bits, BERTH_OP_EXTERNAL);
	ASSERT_INT(ops[5].op.bits, BERTH_OP_EXTERNAL | BERTH_OP_PROPERTIES);
	ASSERT_INT(ops[6].op.bits, BERTH_OP_PROPERTIES);
	ASSERT_INT(ops[7].uses[0].access, BERTH_ACCESS_WRITE);
	ASSERT_INT(ops[8].op.cl_status, CL_INVALID_VALUE);
	ASSERT_INT(layer_untracked("clCreateBufferWithPropertiesINTEL with properties"), 1);
}

static void events(void)
{
	const cl_event waits[] = { EVENT(0), EVENT(9) };
	const struct spool_op *ops, *orders;
	uint64_t first;
	cl_int status;

	next_event = EVENT(0);
	layer_cl->clCreateUserEvent(CONTEXT, &status);
	next_event = EVENT(1);
	layer_cl->clEnqueueMarkerWithWaitList(OTHER_QUEUE, 2, waits, &next_event);
	layer_cl->clSetUserEventStatus(EVENT(0), CL_COMPLETE);
	layer_cl->clWaitForEvents(1, &next_event);
	layer_cl->clWaitForEvents(1, &next_event);
	/* The handle is given out again, and is another event. */
	layer_cl->clReleaseEvent(EVENT(1));
	layer_cl->clEnqueueMarkerWithWaitList(OTHER_QUEUE, 0, NULL, &next_event);
	orders = layer_ordered(4);
	ASSERT_STRING(name_of(&orders[0]), "clCreateUserEvent");
	first = orders[0].events[0];
	CU_ASSERT(first != 0);
	ASSERT_INT(orders[1].op.event_count, 3);
	ASSERT_INT(orders[1].events[0], first + 1);
	ASSERT_INT(orders[1].events[1], first);
	ASSERT_INT(orders[1].events[2], BERTH_ID_UNKNOWN);
	ASSERT_INT(orders[2].events[1], first);
	CU_ASSERT(orders[2].op.bits & BERTH_SPOOL_OP_EVENTS_COMPLETE);
	ASSERT_INT(orders[3].events[0], first + 2);
	ops = layer_recorded(2);
	ASSERT_INT(ops[0].op.kind, BERTH_OP_SYNC);
	ASSERT_INT(ops[0].events[1], first + 1);
	/* The queue profiles: its commands' times come once, with the first wait. */
	ASSERT_INT(layer_content.time_count, 1);
	ASSERT_INT(layer_content.time.event, first + 1);
	ASSERT_INT(layer_content.time.queued_ns, 1000);
	ASSERT_INT(layer_content.time.ended_ns, 1003);
	layer_cl->clReleaseEvent(EVENT(1));
}

/* A read that does not block is looked at when the program learns that it is complete. */
static void content_that_comes_later(void)
{
	static char target[64], other_target[64];
	const struct spool_op *ops;
	size_t later;
	cl_int value;

	make_buffer(BUFFER, 64);
	layer_cl->clEnqueueReadBuffer(QUEUE, BUFFER, CL_FALSE, 0, 64, target, 0, NULL, NULL);
	layer_recorded(2);
	later = layer_content.later_count;
	memset(target, 1, sizeof(target));
	layer_cl->clFinish(OTHER_QUEUE);
	layer_recorded(1);
	ASSERT_INT(layer_content.later_count, later);
	layer_cl->clFinish(QUEUE);
	layer_recorded(1);
	ASSERT_INT(layer_content.later_count, later + 1);
	assert_digest(layer_content.later.digest, target, 64);

	/* On a queue out of order, an event speaks for its own command alone. */
	next_event = EVENT(2);
	layer_cl->clEnqueueReadBuffer(OTHER_QUEUE, BUFFER, CL_FALSE, 0, 64, target, 0, NULL,
				      &next_event);
	next_event = EVENT(3);
	layer_cl->clEnqueueReadBuffer(OTHER_QUEUE, BUFFER, CL_FALSE, 0, 64, other_target, 0, NULL,
				      &next_event);
	memset(other_target, 2, sizeof(other_target));
	layer_cl->clGetEventInfo(EVENT(3), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(value), &value,
				 NULL);
	ops = layer_recorded(2);
	CU_ASSERT(ops[1].op.bits & BERTH_SPOOL_OP_DIGEST_LATER);
	ASSERT_INT(layer_content.later_count, later + 2);
	ASSERT_INT(layer_content.later.transfer, ops[1].op.mapping);
	assert_digest(layer_content.later.digest, other_target, 64);
	ASSERT_STRING(name_of(layer_ordered(1)), "complete, by clGetEventInfo");

	/* One that blocks is for all before it on a queue in order. */
	layer_cl->clEnqueueReadBuffer(QUEUE, BUFFER, CL_FALSE, 0, 64, target, 0, NULL, NULL);
	layer_cl->clEnqueueReadBuffer(QUEUE, BUFFER, CL_TRUE, 0, 64, other_target, 0, NULL, NULL);
	ops = layer_recorded(2);
	ASSERT_INT(layer_content.later_count, later + 3);
	assert_digest(ops[1].digest, other_target, 64);
}

/* It may be gone when its time has come: the program ends with no crash of ours. */
static void content_that_is_gone(void)
{
	size_t later;

	layer_cl->clEnqueueReadBuffer(QUEUE, BUFFER, CL_FALSE, 0, 64, (void *)16, 0, NULL, NULL);
	layer_recorded(1);
	later = layer_content.later_count;
	layer_cl->clFinish(QUEUE);
	layer_recorded(1);
	ASSERT_INT(layer_content.later_count, later);
}

static void mapped_content(void)
{
	static char bytes[64];
	static const uint8_t none[16];
	const struct spool_op *ops;
	cl_int status;

	next_pointer = bytes;
	layer_cl->clEnqueueMapBuffer(QUEUE, BUFFER, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL,
				     &status);
	layer_cl->clEnqueueUnmapMemObject(QUEUE, BUFFER, bytes, 0, NULL, NULL);
	layer_cl->clEnqueueMapBuffer(QUEUE, BUFFER, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL,
				     &status);
	memset(bytes, 9, sizeof(bytes));
	layer_cl->clEnqueueUnmapMemObject(QUEUE, BUFFER, bytes, 0, NULL, NULL);
	ops = layer_recorded(4);
	memset(bytes, 0, sizeof(bytes));
	assert_digest(ops[0].digest, bytes, 64);
	ASSERT_INT(memcmp(ops[1].digest, none, 16), 0);
	ASSERT_INT(memcmp(ops[2].digest, none, 16), 0);
	memset(bytes, 9, sizeof(bytes));
	assert_digest(ops[3].digest, bytes, 64);
}

/* ---- callbacks ---- */

static cl_mem destroyed;

static void CL_CALLBACK note_destroyed(cl_mem object, void *user_data)
{
	ASSERT_STRING(user_data, "mine");
	destroyed = object;
}

static void destroy(void)
{
	on_destroyed(BUFFER, callback_data);
}

static void destructors(void)
{
	static char mine[] = "mine";
	const struct spool_op *ops, *orders;
	uint64_t released;

	ASSERT_INT(layer_cl->clSetMemObjectDestructorCallback(BUFFER, note_destroyed, mine),
		   CL_SUCCESS);
	within = destroy;
	layer_cl->clReleaseMemObject(BUFFER);
	CU_ASSERT(destroyed == BUFFER);
	ops = layer_recorded(2);
	ASSERT_INT(ops[0].op.kind, BERTH_OP_DESTRUCTOR);
	released = ops[1].op.object;
	orders = layer_ordered(1);
	ASSERT_STRING(name_of(&orders[0]), "destroyed");
	ASSERT_INT(orders[0].op.object, released);
}

static void CL_CALLBACK use_opencl(cl_event event, cl_int execution_status, void *user_data)
{
	(void)event, (void)execution_status, (void)user_data;
	layer_cl->clFinish(QUEUE);
}

static void complete_event(void)
{
	on_event(EVENT(4), CL_COMPLETE, callback_data);
}

/* A driver may call back from inside a call: what is called there is the program's. */
static void calls_in_callbacks(void)
{
	const struct spool_op *ops;

	next_event = EVENT(4);
	layer_cl->clEnqueueMarkerWithWaitList(QUEUE, 0, NULL, &next_event);
	layer_cl->clSetEventCallback(EVENT(4), CL_COMPLETE, use_opencl, NULL);
	within = complete_event;
	layer_cl->clFinish(OTHER_QUEUE);
	ops = layer_recorded(2);
	ASSERT_INT(ops[0].op.queue, 1);
	ASSERT_INT(ops[1].op.queue, 2);
	ops = layer_ordered(2);
	ASSERT_STRING(name_of(&ops[1]), "complete, by callback");
	ASSERT_INT(layer_untracked("clFinish inside another call"), 0);
}

/* What the program calls its phases and objects. */
static void marks(void)
{
	static const struct {
		const char *text;
		uint32_t bits;
		bool named;
	} expected[] = {
		{ "load", BERTH_OP_BEGINS, false }, { "weights", 0, true },
		{ "load", BERTH_OP_ENDS, false },   { "now", 0, false },
	};
	const struct spool_op *ops;
	char longer[2000];

	berth_mark("nobody listens yet");
	berth_mark_use(layer_cl->clGetExtensionFunctionAddress);
	make_buffer(BUFFER_2, 64);
	berth_mark_begin("load");
	berth_name_object(BUFFER_2, "weights");
	berth_mark_end("load");
	berth_name_object((cl_mem)HANDLE(13), "no object");
	berth_name_pointer(longer, "no allocation");
	berth_mark("now");
	berth_mark(NULL);
	ops = layer_recorded(5);
	for (size_t i = 0; i < 4; i++) {
		test_case("%s", expected[i].text);
		ASSERT_INT(ops[1 + i].op.kind, BERTH_OP_LABEL);
		ASSERT_STRING(name_of(&ops[1 + i]), expected[i].text);
		ASSERT_INT(ops[1 + i].op.bits, expected[i].bits);
		ASSERT_INT(ops[1 + i].op.object, expected[i].named ? ops[0].op.object : 0);
	}
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	berth_mark(longer);
	layer_recorded(1);
}

int main(void)
{
	static const struct test tests[] = {
		{ "contexts and queues", contexts_and_queues },
		{ "unified shared memory", unified_shared_memory },
		{ "two drivers", two_drivers },
		{ "command buffers", command_buffers },
		{ "later command buffers", later_command_buffers },
		{ "memory of others", memory_of_others },
		{ "events", events },
		{ "content that comes later", content_that_comes_later },
		{ "content that is gone", content_that_is_gone },
		{ "mapped content", mapped_content },
		{ "destructors", destructors },
		{ "calls in callbacks", calls_in_callbacks },
		{ "marks", marks },
		{ NULL, NULL },
	};
	int failed;

	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		objects[i].dispatch = dispatches[i == 11 || i == 12];
	if (!layer_fixture_load(&driver))
		return 99;
	failed = test_main("layer extensions", tests);
	layer_fixture_unload();
	return failed;
}
