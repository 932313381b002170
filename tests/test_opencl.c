/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenCL device on PoCL: what is its own, beside the contract that every device keeps. */
#include "alloc_fault.h"
#include "opencl_driver.h"
#include "test_main.h"

#include <inttypes.h>
#include <string.h>

#include <berth/opencl.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static cl_device_id driver_device;
static berth_device *device;
static berth_result result;

static bool open_device(void)
{
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;

	options.device = driver_device;
	device = NULL;
	ASSERT_OK(berth_opencl_create(&device, &options));
	return device != NULL;
}

static void close_device(void)
{
	berth_device_destroy(device);
	device = NULL;
}

/* The driver's answer; an op that got none fails the test. */
static int32_t run(const berth_op *op)
{
	ASSERT_OK(berth_device_execute(device, op, &result));
	return result.cl_status;
}

static void make_buffer(uint64_t id, uint64_t bytes)
{
	berth_op op = { .kind = BERTH_OP_BUFFER_CREATE, .object = id, .bytes = bytes };

	ASSERT_INT(run(&op), CL_SUCCESS);
}

static int32_t on_object(berth_op_kind kind, uint64_t id)
{
	berth_op op = { .kind = kind, .object = id };

	return run(&op);
}

static void finding_devices(void)
{
	cl_device_id found = NULL;
	berth_caps caps;
	cl_ulong global = 0;

	test_case("part of the name, any case");
	ASSERT_OK(berth_opencl_find(&found, "pORTABLE cOMPUTING", 0));
	CU_ASSERT_PTR_EQUAL(found, driver_device);

	test_case("no such platform");
	ASSERT_INT(berth_opencl_find(&found, "no such platform", 0), BERTH_E_NOT_FOUND);
	ASSERT_CONTAINS(berth_error_get()->message, "Portable Computing Language");
	CU_ASSERT_PTR_EQUAL(found, driver_device);

	test_case("no such device");
	ASSERT_INT(berth_opencl_find(&found, "portable", 1000), BERTH_E_NOT_FOUND);
	ASSERT_CONTAINS(berth_error_get()->message, "1000");

	test_case("capabilities");
	ASSERT_INT(clGetDeviceInfo(driver_device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(global),
				   &global, NULL),
		   CL_SUCCESS);
	ASSERT_OK(berth_opencl_caps(&caps, driver_device, NULL));
	ASSERT_INT(caps.global_mem_bytes, global);
	ASSERT_STRING(caps.platform, "Portable Computing Language");
	ASSERT_INT(caps.format_count, 0);
}

static bool count_and_stop(cl_device_id id, const char *platform, uint32_t index, void *userdata)
{
	(void)id;
	(void)platform;
	(void)index;
	++*(int *)userdata;
	return false;
}

static void visiting_stops(void)
{
	int visits = 0;

	test_case("the visitor says stop");
	ASSERT_OK(berth_opencl_each(count_and_stop, &visits));
	ASSERT_INT(visits, 1);
}

static void bad_options(void)
{
	static const struct {
		const char *name;
		uint32_t size;
		bool device, queue;
	} cases[] = {
		{ "no device", sizeof(berth_opencl_options), false, false },
		{ "size 0", 0, true, false },
		{ "a size beyond", sizeof(berth_opencl_options) + 8, true, false },
		{ "a queue without its context", sizeof(berth_opencl_options), true, true },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_opencl_options options = {
			.size = cases[i].size,
			.device = cases[i].device ? driver_device : NULL,
			.queue = cases[i].queue ? (cl_command_queue)&cases[i] : NULL,
		};
		berth_device *out = NULL;

		test_case("%s", cases[i].name);
		ASSERT_INT(berth_opencl_create(&out, &options), BERTH_E_INVAL);
		CU_ASSERT_PTR_NULL(out);
	}
}

static void handed_in_context_and_queue(void)
{
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	cl_int code = CL_SUCCESS;
	cl_context context = clCreateContext(NULL, 1, &driver_device, NULL, NULL, &code);
	cl_command_queue queue = clCreateCommandQueue(context, driver_device, 0, &code);
	cl_uint references = 0;

	test_case("the caller's own");
	options.device = driver_device;
	options.context = context;
	options.queue = queue;
	ASSERT_OK(berth_opencl_create(&device, &options));
	CU_ASSERT_PTR_EQUAL(berth_opencl_context(device), context);
	CU_ASSERT_PTR_EQUAL(berth_opencl_queue(device), queue);
	ASSERT_STRING(berth_device_name(device), "opencl:Portable Computing Language");
	make_buffer(1, 64);
	close_device();

	test_case("still the caller's, and no longer the device's");
	ASSERT_INT(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(references),
					 &references, NULL),
		   CL_SUCCESS);
	ASSERT_INT(references, 1);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

static berth_status foreign_execute(berth_device *self, const berth_op *op, berth_result *out)
{
	(void)self;
	(void)op;
	(void)out;
	return BERTH_OK;
}

static void lending_handles(void)
{
	static const berth_device_ops foreign_ops = { .execute = foreign_execute };
	const berth_device foreign = { &foreign_ops, NULL, "foreign" };
	size_t bytes = 0;

	test_case("the cl_mem of an object");
	if (!open_device())
		return;
	make_buffer(7, 640);
	ASSERT_INT(clGetMemObjectInfo(berth_opencl_mem(device, 7), CL_MEM_SIZE, sizeof(bytes),
				      &bytes, NULL),
		   CL_SUCCESS);
	ASSERT_INT(bytes, 640);
	CU_ASSERT_PTR_NULL(berth_opencl_mem(device, 8));
	ASSERT_INT(on_object(BERTH_OP_RELEASE, 7), CL_SUCCESS);
	CU_ASSERT_PTR_NULL(berth_opencl_mem(device, 7));
	close_device();

	test_case("a device of another kind");
	CU_ASSERT_PTR_NULL(berth_opencl_mem(&foreign, 7));
	CU_ASSERT_PTR_NULL(berth_opencl_queue(&foreign));
	CU_ASSERT_PTR_NULL(berth_opencl_context(&foreign));
}

/* Handles that are none never reach the driver: it would crash on them. */
static void dead_handles(void)
{
	static unsigned char bytes[64];
	static const berth_object_use uses[] = { { .object = 1 }, { .object = 2 } };
	static const struct {
		berth_op_kind kind;
		berth_op_form form;
		uint64_t object, other; /* 1 is alive, 2 has ended */
	} cases[] = {
		{ BERTH_OP_SUBBUFFER_CREATE, BERTH_FORM_NONE, 3, 2 },
		{ BERTH_OP_IMAGE_CREATE, BERTH_FORM_NONE, 3, BERTH_ID_UNKNOWN },
		{ BERTH_OP_RETAIN, BERTH_FORM_NONE, 2, 0 },
		{ BERTH_OP_RELEASE, BERTH_FORM_NONE, 2, 0 },
		{ BERTH_OP_RELEASE, BERTH_FORM_NONE, BERTH_ID_UNKNOWN, 0 },
		{ BERTH_OP_RELEASE, BERTH_FORM_NONE, BERTH_ID_NONE, 0 },
		{ BERTH_OP_WRITE, BERTH_FORM_LINEAR, BERTH_ID_UNKNOWN, 0 },
		{ BERTH_OP_READ, BERTH_FORM_RECT, 2, 0 },
		{ BERTH_OP_READ, BERTH_FORM_LINEAR, BERTH_ID_NONE, 0 },
		{ BERTH_OP_COPY, BERTH_FORM_LINEAR, 1, 2 },
		{ BERTH_OP_COPY, BERTH_FORM_IMAGE, BERTH_ID_UNKNOWN, 1 },
		{ BERTH_OP_FILL, BERTH_FORM_LINEAR, 2, 0 },
		{ BERTH_OP_MAP, BERTH_FORM_LINEAR, 2, 0 },
		{ BERTH_OP_UNMAP, BERTH_FORM_NONE, 2, 0 },
		{ BERTH_OP_MIGRATE, BERTH_FORM_NONE, 0, 0 },
		{ BERTH_OP_USE, BERTH_FORM_NONE, 0, 0 },
	};
	berth_memory memory;

	if (!open_device())
		return;
	make_buffer(1, 64);
	make_buffer(2, 64);
	ASSERT_INT(on_object(BERTH_OP_RELEASE, 2), CL_SUCCESS);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_op op = { .kind = cases[i].kind, .form = cases[i].form,
				.object = cases[i].object, .other = cases[i].other,
				.mapping = 5, .bytes = 16, .pattern_bytes = 16,
				.region = { .extent = { 4, 1, 1 } }, .uses = uses, .use_count = 2 };

		berth_op_set_host(&op, bytes);
		test_case("%s of %" PRIu64, berth_op_kind_string(op.kind), op.object);
		ASSERT_INT(run(&op), CL_INVALID_MEM_OBJECT);
		ASSERT_CONTAINS(berth_error_get()->message, "CL_INVALID_MEM_OBJECT");
	}
	berth_device_memory(device, &memory);
	ASSERT_INT(memory.live_objects, 1);
	close_device();
}

static void host_bytes_that_are_not_there(void)
{
	static const struct {
		const char *name;
		berth_op op;
		berth_status status;
	} cases[] = {
		{ "a write needs them",
		  { .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = 1, .bytes = 8,
		    .host_address = 0x1000 },
		  BERTH_E_INVAL },
		{ "a copying creation needs them",
		  { .kind = BERTH_OP_BUFFER_CREATE, .object = 9, .flags = CL_MEM_COPY_HOST_PTR,
		    .bytes = 8, .host_address = 0x1000 },
		  BERTH_E_INVAL },
		{ "a fill needs its pattern",
		  { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1, .bytes = 8,
		    .pattern_bytes = 4, .host_address = 0x1000 },
		  BERTH_E_INVAL },
		{ "an empty write does not",
		  { .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = 1,
		    .host_address = 0x1000, .offset_bytes = 65 },
		  BERTH_OK },
		{ "a pointer without its flag (R28) does not",
		  { .kind = BERTH_OP_BUFFER_CREATE, .object = 9, .bytes = 8, .host_address = 0x1000 },
		  BERTH_OK },
	};
	berth_memory memory;

	if (!open_device())
		return;
	make_buffer(1, 64);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(berth_device_execute(device, &cases[i].op, &result), cases[i].status);
		if (cases[i].status == BERTH_E_INVAL)
			ASSERT_CONTAINS(berth_error_get()->message,
					berth_op_kind_string(cases[i].op.kind));
		else
			CU_ASSERT(result.cl_status != CL_SUCCESS);
	}
	berth_device_memory(device, &memory);
	ASSERT_INT(memory.live_objects, 1);
	close_device();
}

static void ops_without_an_answer(void)
{
	static const struct {
		const char *name;
		berth_op op;
		berth_status status;
	} cases[] = {
		{ "a map has no rect form",
		  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_RECT, .object = 1, .mapping = 1 },
		  BERTH_E_INVAL },
		{ "a write has a form", { .kind = BERTH_OP_WRITE, .object = 1 }, BERTH_E_INVAL },
		{ "an id that is alive", { .kind = BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 4 },
		  BERTH_E_STATE },
		{ "a reserved id",
		  { .kind = BERTH_OP_BUFFER_CREATE, .object = BERTH_ID_UNKNOWN, .bytes = 4 },
		  BERTH_E_STATE },
		{ "a reserved mapping",
		  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1, .bytes = 4 },
		  BERTH_E_STATE },
	};

	if (!open_device())
		return;
	make_buffer(1, 64);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(berth_device_execute(device, &cases[i].op, &result), cases[i].status);
	}
	close_device();
}

/* Broken arguments go to the driver as they are; PoCL's codes are the specification's here. */
static void broken_arguments_reach_the_driver(void)
{
	static unsigned char bytes[64];
	static const berth_image image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
					   .channel_type = CL_UNORM_INT8, .width = 4, .height = 4 };
	static const struct {
		const char *name;
		berth_op_kind kind;
		berth_op_form form;
		uint32_t absent;
		int32_t code;
	} cases[] = {
		{ "rect without origin", BERTH_OP_WRITE, BERTH_FORM_RECT, BERTH_ABSENT_ORIGIN,
		  CL_INVALID_VALUE },
		{ "rect without host origin", BERTH_OP_READ, BERTH_FORM_RECT,
		  BERTH_ABSENT_OTHER_ORIGIN, CL_INVALID_VALUE },
		{ "rect without region", BERTH_OP_READ, BERTH_FORM_RECT, BERTH_ABSENT_EXTENT,
		  CL_INVALID_VALUE },
		{ "sub-buffer without info", BERTH_OP_SUBBUFFER_CREATE, BERTH_FORM_NONE,
		  BERTH_ABSENT_INFO, CL_INVALID_VALUE },
		{ "sub-buffer of another type", BERTH_OP_SUBBUFFER_CREATE, BERTH_FORM_NONE,
		  BERTH_ABSENT_CREATE_TYPE, CL_INVALID_VALUE },
		{ "image without format", BERTH_OP_IMAGE_CREATE, BERTH_FORM_NONE, BERTH_ABSENT_FORMAT,
		  CL_INVALID_IMAGE_FORMAT_DESCRIPTOR },
		{ "image without descriptor", BERTH_OP_IMAGE_CREATE, BERTH_FORM_NONE,
		  BERTH_ABSENT_DESC, CL_INVALID_IMAGE_DESCRIPTOR },
	};

	if (!open_device())
		return;
	make_buffer(1, 64);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		bool creates = cases[i].form == BERTH_FORM_NONE;
		bool of_buffer = cases[i].kind == BERTH_OP_SUBBUFFER_CREATE;
		berth_op op = { .kind = cases[i].kind, .form = cases[i].form,
				.absent = cases[i].absent, .object = creates ? 9 : 1,
				.other = of_buffer ? 1 : 0, .bytes = 16, .image = image,
				.region = { .extent = { 4, 2, 1 } } };

		if (!creates)
			berth_op_set_host(&op, bytes);
		test_case("%s", cases[i].name);
		ASSERT_INT(run(&op), cases[i].code);
	}
	close_device();
}

static void refusals_name_the_limit(void)
{
	static const struct {
		const char *name;
		berth_op op;
		int32_t code;
		const char *texts[3];
	} cases[] = {
		{ "size 0", { .kind = BERTH_OP_BUFFER_CREATE, .object = 9 }, CL_INVALID_BUFFER_SIZE,
		  { "clCreateBuffer", "object 9", "CL_DEVICE_MAX_MEM_ALLOC_SIZE is" } },
		{ "misaligned",
		  { .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 9, .other = 1, .offset_bytes = 1,
		    .bytes = 1 },
		  CL_MISALIGNED_SUB_BUFFER_OFFSET,
		  { "clCreateSubBuffer", "object 9", "CL_DEVICE_MEM_BASE_ADDR_ALIGN is" } },
		{ "beyond the end",
		  { .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 1, .other = 2,
		    .bytes = 65 },
		  CL_INVALID_VALUE,
		  { "clEnqueueCopyBuffer", "65 bytes", "object 2 has 128 bytes" } },
	};

	if (!open_device())
		return;
	make_buffer(1, 64);
	make_buffer(2, 128);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(run(&cases[i].op), cases[i].code);
		ASSERT_INT(berth_error_get()->cl_status, cases[i].code);
		ASSERT_CONTAINS(berth_error_get()->message, berth_cl_status_string(cases[i].code));
		for (size_t text = 0; text < 3; text++)
			ASSERT_CONTAINS(berth_error_get()->message, cases[i].texts[text]);
	}
	close_device();
}

static void mappings(void)
{
	berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1, .mapping = 5,
			 .flags = CL_MAP_WRITE, .bits = BERTH_OP_BLOCKING, .offset_bytes = 16,
			 .bytes = 16 };
	berth_op unmap = { .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5 };
	berth_op read = { .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = 1,
			  .bits = BERTH_OP_BLOCKING, .offset_bytes = 16, .bytes = 16 };
	unsigned char bytes[16] = { 0 };

	if (!open_device())
		return;
	make_buffer(1, 64);
	test_case("written through the pointer");
	ASSERT_INT(run(&map), CL_SUCCESS);
	CU_ASSERT_PTR_NOT_NULL_FATAL(result.mapped);
	memset(result.mapped, 0x5a, 16);
	ASSERT_INT(berth_device_execute(device, &map, &result), BERTH_E_STATE);
	ASSERT_INT(run(&unmap), CL_SUCCESS);
	berth_op_set_host(&read, bytes);
	ASSERT_INT(run(&read), CL_SUCCESS);
	ASSERT_INT(bytes[0], 0x5a);
	ASSERT_INT(bytes[15], 0x5a);

	test_case("unmapped twice: R120");
	ASSERT_INT(run(&unmap), CL_INVALID_VALUE);

	test_case("still mapped when the device goes");
	ASSERT_INT(run(&map), CL_SUCCESS);
	ASSERT_INT(on_object(BERTH_OP_RETAIN, 1), CL_SUCCESS);
	close_device();
}

static void mapped_image_has_pitches(void)
{
	berth_op create = { .kind = BERTH_OP_IMAGE_CREATE, .object = 1,
			    .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
				       .channel_type = CL_UNORM_INT8, .width = 10, .height = 3 } };
	berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 1, .mapping = 5,
			 .flags = CL_MAP_READ, .bits = BERTH_OP_BLOCKING,
			 .region = { .extent = { 10, 3, 1 } } };

	if (!open_device())
		return;
	test_case("R90: 10 pixels of 4 bytes");
	ASSERT_INT(run(&create), CL_SUCCESS);
	ASSERT_INT(result.row_pitch_bytes, 40);
	CU_ASSERT(result.bytes >= 120);
	test_case("R117: at least a row");
	ASSERT_INT(run(&map), CL_SUCCESS);
	CU_ASSERT_PTR_NOT_NULL(result.mapped);
	CU_ASSERT(result.row_pitch_bytes >= 40);
	test_case("no pointer for the pitch");
	map.mapping = 6;
	map.absent = BERTH_ABSENT_MAP_PITCH;
	ASSERT_INT(run(&map), CL_INVALID_VALUE);
	CU_ASSERT_PTR_NULL(result.mapped);
	close_device();
}

static void expect_memory(uint64_t live, uint64_t in_use, uint64_t peak)
{
	berth_memory memory;

	berth_device_memory(device, &memory);
	ASSERT_INT(memory.live_objects, live);
	ASSERT_INT(memory.in_use_bytes, in_use);
	ASSERT_INT(memory.peak_bytes, peak);
}

static void memory_is_held_by_children(void)
{
	berth_op subbuffer = { .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1,
			       .bytes = 100 };

	if (!open_device())
		return;
	make_buffer(1, 4096);
	test_case("a sub-buffer takes none of its own");
	ASSERT_INT(run(&subbuffer), CL_SUCCESS);
	ASSERT_INT(result.bytes, 100);
	expect_memory(2, 4096, 4096);
	test_case("its parent stays while it lives: R132");
	ASSERT_INT(on_object(BERTH_OP_RELEASE, 1), CL_SUCCESS);
	expect_memory(1, 4096, 4096);
	test_case("but cannot be named any more");
	ASSERT_INT(on_object(BERTH_OP_RETAIN, 1), CL_INVALID_MEM_OBJECT);
	test_case("nor can its id be given away");
	ASSERT_INT(berth_device_execute(device,
					&(berth_op){ .kind = BERTH_OP_BUFFER_CREATE, .object = 1,
						     .bytes = 4 },
					&result),
		   BERTH_E_STATE);
	ASSERT_INT(on_object(BERTH_OP_RELEASE, 2), CL_SUCCESS);
	expect_memory(0, 0, 4096);
	close_device();
}

static void uses_migrate(void)
{
	static const berth_object_use uses[] = { { .object = 1 }, { .object = BERTH_ID_NONE },
						 { .object = 1 } };
	berth_op use = { .kind = BERTH_OP_USE, .uses = uses, .use_count = 3, .name = "kernel" };
	berth_op migrate = { .kind = BERTH_OP_MIGRATE, .uses = uses, .use_count = 1,
			     .flags = CL_MIGRATE_MEM_OBJECT_HOST };

	if (!open_device())
		return;
	make_buffer(1, 64);
	test_case("an object twice, and NULL, are a kernel's right");
	ASSERT_INT(run(&use), CL_SUCCESS);
	test_case("a kernel without objects");
	use.use_count = 0;
	ASSERT_INT(run(&use), CL_SUCCESS);
	test_case("migrate");
	ASSERT_INT(run(&migrate), CL_SUCCESS);
	test_case("an unknown flag: R122");
	migrate.flags = UINT64_C(1) << 40;
	ASSERT_INT(run(&migrate), CL_INVALID_VALUE);
	test_case("a NULL list");
	migrate.flags = 0;
	migrate.absent = BERTH_ABSENT_LIST;
	ASSERT_INT(run(&migrate), CL_INVALID_VALUE);
	test_case("sync and label");
	ASSERT_INT(on_object(BERTH_OP_SYNC, 0), CL_SUCCESS);
	ASSERT_INT(on_object(BERTH_OP_LABEL, 1), CL_SUCCESS);
	close_device();
}

static void old_versions_lack_calls(void)
{
	static const struct {
		berth_op_kind kind;
		berth_op_form form;
		uint32_t cl_version;
		berth_status status;
	} cases[] = {
		{ BERTH_OP_FILL, BERTH_FORM_LINEAR, 110, BERTH_E_UNSUPPORTED },
		{ BERTH_OP_FILL, BERTH_FORM_LINEAR, 120, BERTH_OK },
		{ BERTH_OP_MIGRATE, BERTH_FORM_NONE, 110, BERTH_E_UNSUPPORTED },
		{ BERTH_OP_USE, BERTH_FORM_NONE, 110, BERTH_OK },
		{ BERTH_OP_WRITE, BERTH_FORM_RECT, 100, BERTH_E_UNSUPPORTED },
	};
	static const berth_object_use uses[] = { { .object = 1 } };
	unsigned char bytes[16] = { 0 };

	if (!open_device())
		return;
	make_buffer(1, 64);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_op op = { .kind = cases[i].kind, .form = cases[i].form, .object = 1,
				.bytes = 16, .pattern_bytes = 16, .uses = uses, .use_count = 1 };

		berth_op_set_host(&op, bytes);
		/* No old driver is at hand; this one plays it. */
		((berth_caps *)berth_device_caps(device))->cl_version = cases[i].cl_version;
		test_case("%s in %" PRIu32, berth_op_kind_string(op.kind), cases[i].cl_version);
		ASSERT_INT(berth_device_execute(device, &op, &result), cases[i].status);
	}
	close_device();
}

/* Each allocation of an op fails in turn: the device is as before, and the op can be done again. */
static void allocations_fail(void)
{
	static const berth_object_use uses[] = { { .object = 1 } };
	static const berth_op cases[] = {
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = 9, .bytes = 64 },
		{ .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1, .mapping = 5,
		  .flags = CL_MAP_READ, .bytes = 64 },
		{ .kind = BERTH_OP_USE, .uses = uses, .use_count = 1 },
	};
	berth_memory memory;

	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_status st;
		unsigned n = 0;
		bool failed;

		if (!open_device())
			return;
		make_buffer(1, 64);
		do {
			test_case("%s, allocation %u", berth_op_kind_string(cases[i].kind), ++n);
			alloc_fault_arm(n);
			st = berth_device_execute(device, &cases[i], &result);
			failed = alloc_fault_disarm();
			ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
			berth_device_memory(device, &memory);
			ASSERT_INT(memory.live_objects,
				   !failed && cases[i].kind == BERTH_OP_BUFFER_CREATE ? 2 : 1);
		} while (failed);
		CU_ASSERT(n > 1);
		close_device();
	}
}

static void allocations_of_creation_fail(void)
{
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	unsigned n = 0;
	bool failed;

	options.device = driver_device;
	do {
		berth_device *out = NULL;
		berth_status st;

		test_case("allocation %u", ++n);
		alloc_fault_arm(n);
		st = berth_opencl_create(&out, &options);
		failed = alloc_fault_disarm();
		/* The device's place among its platform's is not worth a failure. */
		CU_ASSERT(st == BERTH_OK || (failed && st == BERTH_E_NOMEM && !out));
		berth_device_destroy(out);
	} while (failed);
	CU_ASSERT(n > 5);
}

int main(void)
{
	static const struct test tests[] = {
		{ "finding devices", finding_devices },
		{ "visiting stops", visiting_stops },
		{ "bad options", bad_options },
		{ "handed-in context and queue", handed_in_context_and_queue },
		{ "lending handles", lending_handles },
		{ "dead handles", dead_handles },
		{ "host bytes that are not there", host_bytes_that_are_not_there },
		{ "ops without an answer", ops_without_an_answer },
		{ "broken arguments reach the driver", broken_arguments_reach_the_driver },
		{ "refusals name the limit", refusals_name_the_limit },
		{ "mappings", mappings },
		{ "a mapped image has pitches", mapped_image_has_pitches },
		{ "memory is held by children", memory_is_held_by_children },
		{ "uses migrate", uses_migrate },
		{ "old versions lack calls", old_versions_lack_calls },
		{ "allocations fail", allocations_fail },
		{ "allocations of creation fail", allocations_of_creation_fail },
		{ NULL, NULL },
	};

	if (!opencl_driver_select(&opencl_drivers[0]) ||
	    berth_opencl_find(&driver_device, opencl_drivers[0].platform, 0) != BERTH_OK)
		return 77;
	return test_main("opencl", tests);
}
