/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrappers of extensions' functions hand each argument on as it is, and write what it means: a
 * made-up driver remembers what it was given. Prototypes are those of the extensions'
 * specifications, written anew here.
 */
#include <string.h>

#include "layer_fixture.h"
#include "test_main.h"

#include <CL/cl_ext.h>

/* The first word of a driver's object is its dispatch table. */
static const void *dispatch = &dispatch;
static struct {
	const void *dispatch;
} objects[8];

#define HANDLE(n) ((void *)&objects[n])
#define CONTEXT ((cl_context)HANDLE(0))
#define QUEUE ((cl_command_queue)HANDLE(1))
#define KERNEL ((cl_kernel)HANDLE(2))
#define BUFFER ((cl_mem)HANDLE(3))
#define IMAGE ((cl_mem)HANDLE(4))
#define COMMANDS HANDLE(5)
#define PLATFORM ((cl_platform_id)HANDLE(6))
#define COMMAND HANDLE(7)

static uint64_t seen[16];
static size_t seen_count;
static char memory[256]; /* what the driver allocates */
static cl_mem next_object;

static cl_int see(const uint64_t *args, size_t count)
{
	memcpy(seen, args, count * sizeof(*args));
	seen_count = count;
	return CL_SUCCESS;
}

/* Arguments of any type as numbers; Vn takes n of them. */
#define V1(a) (uint64_t)(uintptr_t)(a)
#define V2(a, ...) V1(a), V1(__VA_ARGS__)
#define V3(a, ...) V1(a), V2(__VA_ARGS__)
#define V4(a, ...) V1(a), V3(__VA_ARGS__)
#define V5(a, ...) V1(a), V4(__VA_ARGS__)
#define V6(a, ...) V1(a), V5(__VA_ARGS__)
#define V7(a, ...) V1(a), V6(__VA_ARGS__)
#define V8(a, ...) V1(a), V7(__VA_ARGS__)
#define V9(a, ...) V1(a), V8(__VA_ARGS__)
#define V10(a, ...) V1(a), V9(__VA_ARGS__)
#define V11(a, ...) V1(a), V10(__VA_ARGS__)
#define V12(a, ...) V1(a), V11(__VA_ARGS__)
#define V13(a, ...) V1(a), V12(__VA_ARGS__)
#define V14(a, ...) V1(a), V13(__VA_ARGS__)
#define V15(a, ...) V1(a), V14(__VA_ARGS__)

/* DRIVER(how many, type, what it returns after see(), name, parameters, their names) */
#define DRIVER(n, type, answer, name, parameters, ...)                                             \
	static type CL_API_CALL driver_##name parameters                                           \
	{                                                                                          \
		const uint64_t args[] = { V##n(__VA_ARGS__) };                                     \
		cl_int status = see(args, n);                                                      \
                                                                                                   \
		(void)status;                                                                      \
		return answer;                                                                     \
	}

#define WAIT cl_uint w, const cl_event *x, cl_event *y
#define END cl_uint w, const cl_uint *x, cl_uint *y, void **z

DRIVER(4, void *, memory, clSVMAllocARM, (cl_context a, cl_bitfield b, size_t c, cl_uint d), a, b, c,
       d)
DRIVER(3, cl_int, status, clSetKernelArgSVMPointerARM, (cl_kernel a, cl_uint b, const void *c), a, b,
       c)
DRIVER(4, cl_int, status, clSetKernelExecInfoARM,
       (cl_kernel a, cl_uint b, size_t c, const void *d), a, b, c, d)
DRIVER(8, cl_int, status, clEnqueueSVMFreeARM,
       (cl_command_queue a, cl_uint b, void **c,
	void(CL_CALLBACK *d)(cl_command_queue, cl_uint, void *[], void *), void *e, WAIT),
       a, b, c, d, e, w, x, y)
DRIVER(8, cl_int, status, clEnqueueSVMMemcpyARM,
       (cl_command_queue a, cl_bool b, void *c, const void *d, size_t e, WAIT), a, b, c, d, e, w, x, y)
DRIVER(8, cl_int, status, clEnqueueSVMMemFillARM,
       (cl_command_queue a, void *b, const void *c, size_t d, size_t e, WAIT), a, b, c, d, e, w, x, y)
DRIVER(8, cl_int, status, clEnqueueSVMMapARM,
       (cl_command_queue a, cl_bool b, cl_map_flags c, void *d, size_t e, WAIT), a, b, c, d, e, w, x,
       y)
DRIVER(5, cl_int, status, clEnqueueSVMUnmapARM, (cl_command_queue a, void *b, WAIT), a, b, w, x, y)
DRIVER(6, void *, memory, clSharedMemAllocINTEL,
       (cl_context a, cl_device_id b, const cl_ulong *c, size_t d, cl_uint e, cl_int *f), a, b, c, d,
       e, f)
DRIVER(2, cl_int, status, clMemBlockingFreeINTEL, (cl_context a, void *b), a, b)
DRIVER(7, cl_int, status, clEnqueueMemsetINTEL,
       (cl_command_queue a, void *b, cl_int c, size_t d, WAIT), a, b, c, d, w, x, y)
DRIVER(8, cl_int, status, clEnqueueMemFillINTEL,
       (cl_command_queue a, void *b, const void *c, size_t d, size_t e, WAIT), a, b, c, d, e, w, x, y)
DRIVER(7, cl_int, status, clEnqueueMigrateMemINTEL,
       (cl_command_queue a, const void *b, size_t c, cl_mem_migration_flags d, WAIT), a, b, c, d, w,
       x, y)
DRIVER(6, cl_mem, next_object, clCreateBufferNV,
       (cl_context a, cl_mem_flags b, cl_bitfield c, size_t d, void *e, cl_int *f), a, b, c, d, e, f)
DRIVER(6, cl_int, status, clEnqueueReleaseExternalMemObjectsKHR,
       (cl_command_queue a, cl_uint b, const cl_mem *c, WAIT), a, b, c, w, x, y)
DRIVER(7, cl_int, status, clEnqueueMigrateMemObjectEXT,
       (cl_command_queue a, cl_uint b, const cl_mem *c, cl_bitfield d, WAIT), a, b, c, d, w, x, y)
DRIVER(4, void *, COMMANDS, clCreateCommandBufferKHR,
       (cl_uint a, const cl_command_queue *b, const cl_ulong *c, cl_int *d), a, b, c, d)
DRIVER(1, cl_int, status, clRetainCommandBufferKHR, (void *a), a)
DRIVER(1, cl_int, status, clReleaseCommandBufferKHR, (void *a), a)
DRIVER(6, cl_int, status, clEnqueueCommandBufferKHR,
       (cl_uint a, cl_command_queue *b, void *c, WAIT), a, b, c, w, x, y)
DRIVER(15, cl_int, status, clCommandCopyBufferRectKHR,
       (void *a, cl_command_queue b, cl_mem c, cl_mem d, const size_t *e, const size_t *f,
	const size_t *g, size_t h, size_t i, size_t j, size_t k, END),
       a, b, c, d, e, f, g, h, i, j, k, w, x, y, z)
DRIVER(11, cl_int, status, clCommandCopyBufferToImageKHR,
       (void *a, cl_command_queue b, cl_mem c, cl_mem d, size_t e, const size_t *f, const size_t *g,
	END),
       a, b, c, d, e, f, g, w, x, y, z)
DRIVER(11, cl_int, status, clCommandCopyImageKHR,
       (void *a, cl_command_queue b, cl_mem c, cl_mem d, const size_t *e, const size_t *f,
	const size_t *g, END),
       a, b, c, d, e, f, g, w, x, y, z)
DRIVER(11, cl_int, status, clCommandCopyImageToBufferKHR,
       (void *a, cl_command_queue b, cl_mem c, cl_mem d, const size_t *e, const size_t *f, size_t g,
	END),
       a, b, c, d, e, f, g, w, x, y, z)
DRIVER(11, cl_int, status, clCommandFillBufferKHR,
       (void *a, cl_command_queue b, cl_mem c, const void *d, size_t e, size_t f, size_t g, END), a,
       b, c, d, e, f, g, w, x, y, z)
DRIVER(10, cl_int, status, clCommandFillImageKHR,
       (void *a, cl_command_queue b, cl_mem c, const void *d, const size_t *e, const size_t *f, END),
       a, b, c, d, e, f, w, x, y, z)
DRIVER(12, cl_int, status, clCommandNDRangeKernelKHR,
       (void *a, cl_command_queue b, const cl_ulong *c, cl_kernel d, cl_uint e, const size_t *f,
	const size_t *g, const size_t *h, END),
       a, b, c, d, e, f, g, h, w, x, y, z)

/* Calls of the table that no other test makes. */
DRIVER(8, cl_int, status, clEnqueueSVMMigrateMem,
       (cl_command_queue a, cl_uint b, const void **c, const size_t *d, cl_mem_migration_flags e,
	WAIT),
       a, b, c, d, e, w, x, y)
DRIVER(5, cl_int, status, clEnqueueTask, (cl_command_queue a, cl_kernel b, WAIT), a, b, w, x, y)
DRIVER(6, cl_mem, next_object, clCreateImage,
       (cl_context a, cl_mem_flags b, const cl_image_format *c, const cl_image_desc *d, void *e,
	cl_int *f),
       a, b, c, d, e, f)
DRIVER(3, cl_kernel, KERNEL, clCreateKernel, (cl_program a, const char *b, cl_int *c), a, b, c)

/* Returns nothing. */
static void CL_API_CALL driver_clSVMFreeARM(cl_context a, void *b)
{
	const uint64_t args[] = { V2(a, b) };

	see(args, 2);
}

/* Calls back at once, as for an object that nobody holds. */
static cl_int CL_API_CALL driver_clSetMemObjectDestructorAPPLE(cl_mem a, void (*b)(cl_mem, void *),
							       void *c)
{
	const uint64_t args[] = { V1(a) };

	b(a, c);
	return see(args, 1);
}

static void *CL_API_CALL driver_function(cl_platform_id platform, const char *name)
{
#define F(name) { #name, (void *)driver_##name }
	static const struct {
		const char *name;
		void *function;
	} functions[] = {
		F(clSVMAllocARM), F(clSVMFreeARM), F(clEnqueueSVMFreeARM), F(clEnqueueSVMMemcpyARM),
		F(clEnqueueSVMMemFillARM), F(clEnqueueSVMMapARM), F(clEnqueueSVMUnmapARM),
		F(clSetKernelArgSVMPointerARM), F(clSetKernelExecInfoARM), F(clSharedMemAllocINTEL),
		F(clMemBlockingFreeINTEL), F(clEnqueueMemsetINTEL), F(clEnqueueMemFillINTEL),
		F(clEnqueueMigrateMemINTEL), F(clCreateBufferNV),
		F(clEnqueueReleaseExternalMemObjectsKHR), F(clEnqueueMigrateMemObjectEXT),
		F(clSetMemObjectDestructorAPPLE), F(clCreateCommandBufferKHR),
		F(clRetainCommandBufferKHR), F(clReleaseCommandBufferKHR),
		F(clEnqueueCommandBufferKHR), F(clCommandCopyBufferRectKHR),
		F(clCommandCopyBufferToImageKHR), F(clCommandCopyImageKHR),
		F(clCommandCopyImageToBufferKHR), F(clCommandFillBufferKHR),
		F(clCommandFillImageKHR), F(clCommandNDRangeKernelKHR),
	};
#undef F

	(void)platform;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strcmp(name, functions[i].name) == 0)
			return functions[i].function;
	return NULL;
}

static cl_int CL_API_CALL driver_devices(cl_platform_id platform, cl_device_type type, cl_uint room,
					 cl_device_id *devices, cl_uint *count)
{
	(void)platform, (void)type, (void)room, (void)count;
	devices[0] = HANDLE(0);
	return CL_SUCCESS;
}

/* A driver of before OpenCL 3.0, with command buffers of their first revisions. */
static cl_int CL_API_CALL driver_device_info(cl_device_id device, cl_device_info query,
					     size_t bytes, void *value, size_t *size)
{
	(void)device, (void)query, (void)bytes, (void)value, (void)size;
	return CL_INVALID_VALUE;
}

static cl_mem CL_API_CALL driver_buffer(cl_context context, cl_mem_flags flags, size_t size,
					void *host, cl_int *status)
{
	(void)context, (void)flags, (void)size, (void)host, (void)status;
	return next_object;
}

static const cl_icd_dispatch driver = {
	.clCreateBuffer = driver_buffer,
	.clCreateImage = driver_clCreateImage,
	.clCreateKernel = driver_clCreateKernel,
	.clEnqueueTask = driver_clEnqueueTask,
	.clEnqueueSVMMigrateMem = driver_clEnqueueSVMMigrateMem,
	.clGetDeviceIDs = driver_devices,
	.clGetDeviceInfo = driver_device_info,
	.clGetExtensionFunctionAddressForPlatform = driver_function,
};

/* ---- tests ---- */

static void assert_seen(const char *name, const uint64_t *args, size_t count)
{
	test_case("%s", name);
	ASSERT_INT(seen_count, count);
	for (size_t i = 0; i < count; i++)
		ASSERT_INT(seen[i], args[i]);
	memset(seen, 0, sizeof(seen));
	seen_count = 0;
}

/* A call of the program's; its arguments reach the driver. The value is what the call returns. */
#define FORWARDS(n, name, ...)                                                                     \
	({                                                                                         \
		const uint64_t args[] = { V##n(__VA_ARGS__) };                                     \
		__typeof__(&driver_##name) wrapper = fetch(#name, (void *)driver_##name);          \
		__typeof__(wrapper(__VA_ARGS__)) answer = wrapper(__VA_ARGS__);                    \
                                                                                                   \
		assert_seen(#name, args, n);                                                       \
		answer;                                                                            \
	})

static void *fetch(const char *name, void *of_driver)
{
	void *wrapper = layer_cl->clGetExtensionFunctionAddressForPlatform(PLATFORM, name);

	test_case("%s", name);
	CU_ASSERT_FATAL(wrapper != NULL);
	CU_ASSERT(wrapper != of_driver);
	return wrapper;
}

/* What the calls of this test are written as, in their order. */
static void assert_kinds(const berth_op_kind *kinds, size_t count)
{
	const struct spool_op *ops = layer_recorded(count);

	for (size_t i = 0; i < count; i++) {
		test_case("op %zu", i);
		ASSERT_INT(ops[i].op.kind, kinds[i]);
	}
}

#define ASSERT_KINDS(...)                                                                          \
	do {                                                                                       \
		const berth_op_kind kinds[] = { __VA_ARGS__ };                                     \
                                                                                                   \
		assert_kinds(kinds, sizeof(kinds) / sizeof(kinds[0]));                             \
	} while (0)

/* Not looked at, as the counts are 0: only handed on. */
static cl_event event;
static const cl_event waits[1];
#define NO_WAIT 0u, waits, &event

static void make_objects(void)
{
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
				     .image_width = 8,
				     .image_height = 8 };
	cl_int status;

	next_object = BUFFER;
	layer_cl->clCreateBuffer(CONTEXT, 0, 4096, NULL, &status);
	next_object = IMAGE;
	layer_cl->clCreateImage(CONTEXT, 0, &format, &desc, NULL, &status);
	layer_cl->clCreateKernel(NULL, "k", &status);
	layer_recorded(2);
}

static void svm_of_arm(void)
{
	const char content[64] = "content";
	void *list[1], *pointer;

	pointer = FORWARDS(4, clSVMAllocARM, CONTEXT, 1u, 256, 16u);
	CU_ASSERT(pointer == memory);
	list[0] = pointer;
	FORWARDS(8, clEnqueueSVMMemcpyARM, QUEUE, CL_TRUE, memory, content, 64, NO_WAIT);
	FORWARDS(8, clEnqueueSVMMemFillARM, QUEUE, memory, content, 4, 128, NO_WAIT);
	FORWARDS(8, clEnqueueSVMMapARM, QUEUE, CL_TRUE, CL_MAP_WRITE, memory, 32, NO_WAIT);
	FORWARDS(5, clEnqueueSVMUnmapARM, QUEUE, memory, NO_WAIT);
	FORWARDS(3, clSetKernelArgSVMPointerARM, KERNEL, 1u, memory);
	FORWARDS(4, clSetKernelExecInfoARM, KERNEL, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(list), list);
	FORWARDS(8, clEnqueueSVMFreeARM, QUEUE, 1u, list, NULL, NULL, NO_WAIT);
	ASSERT_KINDS(BERTH_OP_SVM_ALLOC, BERTH_OP_WRITE, BERTH_OP_FILL, BERTH_OP_MAP, BERTH_OP_UNMAP,
		     BERTH_OP_SVM_FREE);
}

static void svm_of_arm_is_freed(void)
{
	const uint64_t args[] = { V2(CONTEXT, memory) };
	void(CL_API_CALL * release)(cl_context, void *) = NULL;
	const struct spool_op *ops;

	FORWARDS(4, clSVMAllocARM, CONTEXT, 1u, 256, 16u);
	*(void **)&release = fetch("clSVMFreeARM", (void *)driver_clSVMFreeARM);
	release(CONTEXT, memory);
	assert_seen("clSVMFreeARM", args, 2);
	ops = layer_recorded(2);
	ASSERT_INT(ops[1].op.kind, BERTH_OP_SVM_FREE);
	/* The list of a free is in its uses or its object: either is the allocation's. */
	ASSERT_INT(ops[1].op.use_count ? ops[1].uses[0].object : ops[1].op.object, ops[0].op.object);
}

static void memory_of_intel(void)
{
	const uint32_t pattern = 7;
	cl_int status;

	FORWARDS(6, clSharedMemAllocINTEL, CONTEXT, HANDLE(6), NULL, 256, 16u, &status);
	FORWARDS(7, clEnqueueMemsetINTEL, QUEUE, memory, 7, 64, NO_WAIT);
	FORWARDS(8, clEnqueueMemFillINTEL, QUEUE, memory, &pattern, 4, 128, NO_WAIT);
	FORWARDS(7, clEnqueueMigrateMemINTEL, QUEUE, memory, 64, 1, NO_WAIT);
	FORWARDS(2, clMemBlockingFreeINTEL, CONTEXT, memory);
	ASSERT_KINDS(BERTH_OP_SVM_ALLOC, BERTH_OP_FILL, BERTH_OP_FILL, BERTH_OP_MIGRATE,
		     BERTH_OP_SVM_FREE);
}

static void objects_of_vendors(void)
{
	const cl_mem list[] = { BUFFER };
	cl_int status;

	next_object = BUFFER;
	FORWARDS(6, clCreateBufferNV, CONTEXT, CL_MEM_READ_WRITE, 3u, 4096, NULL, &status);
	FORWARDS(6, clEnqueueReleaseExternalMemObjectsKHR, QUEUE, 1u, list, NO_WAIT);
	FORWARDS(7, clEnqueueMigrateMemObjectEXT, QUEUE, 1u, list, 2u, NO_WAIT);
	ASSERT_KINDS(BERTH_OP_BUFFER_CREATE, BERTH_OP_USE, BERTH_OP_MIGRATE);
}

static cl_mem destroyed;

static void note_destroyed(cl_mem object, void *user_data)
{
	*(cl_mem *)user_data = object;
}

static void destructor_of_apple(void)
{
	const uint64_t args[] = { V1(BUFFER) };
	__typeof__(&driver_clSetMemObjectDestructorAPPLE) set =
		fetch("clSetMemObjectDestructorAPPLE", (void *)driver_clSetMemObjectDestructorAPPLE);

	ASSERT_INT(set(BUFFER, note_destroyed, &destroyed), CL_SUCCESS);
	assert_seen("clSetMemObjectDestructorAPPLE", args, 1);
	CU_ASSERT(destroyed == BUFFER);
	ASSERT_KINDS(BERTH_OP_DESTRUCTOR);
}

static void calls_of_the_table(void)
{
	const void *pointers[] = { memory };
	const size_t sizes[] = { 64 };
	const uint64_t migrate[] = { V8(QUEUE, 1u, pointers, sizes, 1, NO_WAIT) };
	const uint64_t task[] = { V5(QUEUE, KERNEL, NO_WAIT) };

	layer_cl->clEnqueueSVMMigrateMem(QUEUE, 1, pointers, sizes, 1, NO_WAIT);
	assert_seen("clEnqueueSVMMigrateMem", migrate, 8);
	layer_cl->clEnqueueTask(QUEUE, KERNEL, NO_WAIT);
	assert_seen("clEnqueueTask", task, 5);
	ASSERT_KINDS(BERTH_OP_MIGRATE, BERTH_OP_USE);
}

/* Each number of a command once: what is in the trace tells whether two were exchanged. */
static void commands(void)
{
	const cl_command_queue queues[] = { QUEUE };
	const size_t from[] = { 1, 2, 3 }, to[] = { 4, 5, 6 }, extent[] = { 7, 8, 9 };
	const float colour[4] = { 1 };
	const struct spool_op *ops;
	cl_uint points[1] = { 0 }, point;
	void *command = NULL;
	cl_int status;

#define LAST 0u, points, &point, &command
	FORWARDS(4, clCreateCommandBufferKHR, 1u, queues, NULL, &status);
	FORWARDS(15, clCommandCopyBufferRectKHR, COMMANDS, NULL, BUFFER, IMAGE, from, to, extent, 10,
		 11, 12, 13, LAST);
	FORWARDS(11, clCommandCopyBufferToImageKHR, COMMANDS, NULL, BUFFER, IMAGE, 14, to, extent,
		 LAST);
	FORWARDS(11, clCommandCopyImageKHR, COMMANDS, NULL, IMAGE, BUFFER, from, to, extent, LAST);
	FORWARDS(11, clCommandCopyImageToBufferKHR, COMMANDS, NULL, IMAGE, BUFFER, from, extent, 15,
		 LAST);
	FORWARDS(11, clCommandFillBufferKHR, COMMANDS, NULL, BUFFER, colour, 16, 32, 64, LAST);
	FORWARDS(10, clCommandFillImageKHR, COMMANDS, NULL, IMAGE, colour, to, extent, LAST);
	FORWARDS(12, clCommandNDRangeKernelKHR, COMMANDS, NULL, NULL, KERNEL, 1u, from, to, extent,
		 LAST);
#undef LAST
	FORWARDS(1, clRetainCommandBufferKHR, COMMANDS);
	FORWARDS(1, clReleaseCommandBufferKHR, COMMANDS);
	layer_recorded(0);
	FORWARDS(6, clEnqueueCommandBufferKHR, 0u, NULL, COMMANDS, NO_WAIT);
	FORWARDS(1, clReleaseCommandBufferKHR, COMMANDS);

	ops = layer_recorded(7);
	ASSERT_INT(ops[0].op.form, BERTH_FORM_RECT);
	for (int axis = 0; axis < 3; axis++) {
		ASSERT_INT(ops[0].region.origin[axis], from[axis]);
		ASSERT_INT(ops[0].region.other_origin[axis], to[axis]);
		ASSERT_INT(ops[0].region.extent[axis], extent[axis]);
		ASSERT_INT(ops[1].region.other_origin[axis], to[axis]);
		ASSERT_INT(ops[1].region.extent[axis], extent[axis]);
		ASSERT_INT(ops[2].region.origin[axis], from[axis]);
		ASSERT_INT(ops[2].region.other_origin[axis], to[axis]);
		ASSERT_INT(ops[3].region.origin[axis], from[axis]);
		ASSERT_INT(ops[3].region.extent[axis], extent[axis]);
		ASSERT_INT(ops[5].region.origin[axis], to[axis]);
		ASSERT_INT(ops[5].region.extent[axis], extent[axis]);
	}
	ASSERT_INT(ops[0].region.row_pitch_bytes, 10);
	ASSERT_INT(ops[0].region.slice_pitch_bytes, 11);
	ASSERT_INT(ops[0].region.other_row_pitch_bytes, 12);
	ASSERT_INT(ops[0].region.other_slice_pitch_bytes, 13);
	ASSERT_INT(ops[1].op.form, BERTH_FORM_BUFFER_TO_IMAGE);
	ASSERT_INT(ops[1].op.offset_bytes, 14);
	ASSERT_INT(ops[2].op.form, BERTH_FORM_IMAGE);
	ASSERT_INT(ops[3].op.form, BERTH_FORM_IMAGE_TO_BUFFER);
	ASSERT_INT(ops[3].op.other_offset_bytes, 15);
	ASSERT_INT(ops[4].op.kind, BERTH_OP_FILL);
	ASSERT_INT(ops[4].op.pattern_bytes, 16);
	ASSERT_INT(ops[4].op.offset_bytes, 32);
	ASSERT_INT(ops[4].op.bytes, 64);
	ASSERT_INT(ops[5].op.kind, BERTH_OP_FILL);
	ASSERT_INT(ops[6].op.kind, BERTH_OP_USE);
	ASSERT_STRING(layer_content.names[ops[6].op.name], "k");
}

int main(void)
{
	static const struct test tests[] = {
		{ "objects", make_objects },
		{ "svm of ARM", svm_of_arm },
		{ "svm of ARM is freed", svm_of_arm_is_freed },
		{ "memory of Intel", memory_of_intel },
		{ "objects of vendors", objects_of_vendors },
		{ "destructor of Apple", destructor_of_apple },
		{ "calls of the table", calls_of_the_table },
		{ "commands", commands },
		{ NULL, NULL },
	};
	int failed;

	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		objects[i].dispatch = dispatch;
	if (!layer_fixture_load(&driver))
		return 99;
	failed = test_main("layer forwarding", tests);
	layer_fixture_unload();
	return failed;
}
