/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the record layer makes of extensions' functions, on a made-up driver.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer_driver.h"
#include "test_main.h"

#include <CL/cl_ext.h>

static uint32_t object_type;

/* ---- the table ---- */

static cl_int CL_API_CALL driver_context_reference(cl_context context)
{
	(void)context;
	return layer_driver_answer(NULL);
}

static cl_mem CL_API_CALL driver_from_gl(cl_context context, cl_mem_flags flags, cl_GLuint name,
					 cl_int *status)
{
	(void)name;
	return layer_driver_buffer(context, flags, 0, NULL, status);
}

static cl_mem CL_API_CALL driver_from_texture(cl_context context, cl_mem_flags flags,
					      cl_GLenum target, cl_GLint level, cl_GLuint texture,
					      cl_int *status)
{
	(void)target, (void)level, (void)texture;
	return layer_driver_buffer(context, flags, 0, NULL, status);
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
	return layer_driver_answer(event);
}

static cl_int CL_API_CALL driver_reference(cl_mem object)
{
	(void)object;
	return layer_driver_answer(NULL);
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
	return layer_driver_answer(event);
}

static cl_int CL_API_CALL driver_fill(cl_command_queue queue, void *pointer, const void *pattern,
				      size_t pattern_size, size_t size, cl_uint waits,
				      const cl_event *events, cl_event *event)
{
	(void)queue, (void)pointer, (void)pattern, (void)pattern_size, (void)size, (void)waits;
	(void)events;
	return layer_driver_answer(event);
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
	return layer_driver_answer(event);
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
	return layer_driver_buffer(context, flags, size, memory, status);
}

static cl_mem CL_API_CALL driver_properties_buffer(cl_context context, const cl_ulong *properties,
						   cl_mem_flags flags, size_t size, void *host,
						   cl_int *status)
{
	(void)properties;
	return layer_driver_buffer(context, flags, size, host, status);
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
		return *(const void *const *)platform == layer_dispatches[0] ? (void *)driver_alloc
								       : (void *)other_alloc;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strcmp(name, functions[i].name) == 0)
			return functions[i].function;
	return NULL;
}

static const cl_icd_dispatch driver = {
	.clCreateContext = layer_driver_context,
	.clReleaseContext = driver_context_reference,
	.clCreateCommandQueue = layer_driver_queue,
	.clCreateBuffer = layer_driver_buffer,
	.clCreateFromGLBuffer = driver_from_gl,
	.clCreateFromGLTexture = driver_from_texture,
	.clEnqueueAcquireGLObjects = driver_hand_over,
	.clEnqueueReleaseGLObjects = driver_hand_over,
	.clGetMemObjectInfo = driver_mem_info,
	.clGetImageInfo = driver_image_info,
	.clReleaseMemObject = driver_reference,
	.clCreateKernel = driver_kernel,
	.clSetKernelArg = driver_arg,
	.clGetDeviceIDs = driver_devices,
	.clGetDeviceInfo = driver_device_info,
	.clGetExtensionFunctionAddressForPlatform = driver_function,
};

/* ---- tests ---- */

#define PLATFORM ((cl_platform_id)HANDLE(10))
#define OTHER_PLATFORM ((cl_platform_id)HANDLE(11))
#define OTHER_CONTEXT ((cl_context)HANDLE(12))

#define FETCH(type, name)                                                                          \
	((type)layer_cl->clGetExtensionFunctionAddressForPlatform(PLATFORM, name))

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

/* The ids of queues are expected by the tests. */
static void queues(void)
{
	layer_driver_make_queues();
	layer_ordered(3);
}

int main(void)
{
	static const struct test tests[] = {
		{ "queues", queues },
		{ "unified shared memory", unified_shared_memory },
		{ "two drivers", two_drivers },
		{ "command buffers", command_buffers },
		{ "later command buffers", later_command_buffers },
		{ "memory of others", memory_of_others },
		{ NULL, NULL },
	};
	int failed;

	if (!layer_driver_load(&driver))
		return 99;
	failed = test_main("layer extensions", tests);
	layer_fixture_unload();
	return failed;
}
