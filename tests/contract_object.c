/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of objects: ids, references, lifetimes, refusals, accounting. */
#include "contract_internal.h"

#include <string.h>

#include <CL/cl.h>

static void identity(void)
{
	berth_device *device = contract_open();
	berth_memory memory = contract_memory(device);

	CU_ASSERT(strlen(berth_device_name(device)) > 0);
	ASSERT_OK(berth_caps_validate(berth_device_caps(device)));
	ASSERT_INT(memory.live_objects, 0);
	ASSERT_INT(memory.in_use_bytes, 0);
	ASSERT_INT(memory.peak_bytes, 0);
	berth_device_destroy(device);
	berth_device_destroy(NULL);
}

static void created_sizes(void)
{
	berth_device *device = contract_open();
	berth_result result = contract_buffer(device, 1, 1000);

	ASSERT_INT(result.bytes, 1000);
	if (contract_has_images(device)) {
		result = contract_image(device, 2, 30, 5);
		/* R90: tight, whatever the device pads; R83 leaves it to the device how much */
		if (contract_current->conforms)
			ASSERT_INT(result.row_pitch_bytes, 30 * CONTRACT_PIXEL_BYTES);
		CU_ASSERT(result.bytes >= 30 * 5 * CONTRACT_PIXEL_BYTES);
	}
	berth_device_destroy(device);
}

static void accounting(void)
{
	uint8_t bytes[8192] = { 0 };
	berth_device *device = contract_open();
	berth_memory memory;

	/* Written, so that a device that commits at the first use has committed. */
	contract_buffer(device, 1, 4096);
	contract_write(device, 1, 0, bytes, 4096);
	contract_buffer(device, 2, 8192);
	contract_write(device, 2, 0, bytes, 8192);
	memory = contract_memory(device);
	ASSERT_INT(memory.live_objects, 2);
	CU_ASSERT(memory.in_use_bytes >= 4096 + 8192);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 2);
	memory = contract_memory(device);
	ASSERT_INT(memory.live_objects, 1);
	CU_ASSERT(memory.in_use_bytes >= 4096);
	CU_ASSERT(memory.peak_bytes >= 4096 + 8192);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	memory = contract_memory(device);
	ASSERT_INT(memory.live_objects, 0);
	ASSERT_INT(memory.in_use_bytes, 0);
	berth_device_destroy(device);
}

static void references(void)
{
	uint8_t bytes[64] = { 0 };
	berth_device *device = contract_open();
	berth_result result;

	contract_buffer(device, 1, 64);
	accept(device, .kind = BERTH_OP_RETAIN, .object = 1);
	accept(device, .kind = BERTH_OP_RETAIN, .object = 1);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	ASSERT_INT(contract_memory(device).live_objects, 1);
	contract_write(device, 1, 0, bytes, 64);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	ASSERT_INT(contract_memory(device).live_objects, 0);
	result = refuse(device, .kind = BERTH_OP_RELEASE, .object = 1);
	ASSERT_INT(result.cl_status, CL_INVALID_MEM_OBJECT);
	berth_device_destroy(device);
}

/* An id that never was, one that ended, the NULL handle. */
static void ids_that_are_none(void)
{
	static const uint64_t ids[] = { BERTH_ID_NONE, BERTH_ID_UNKNOWN, 77, 1 };
	uint8_t bytes[16] = { 0 };
	berth_device *device = contract_open();

	contract_buffer(device, 1, 16);
	contract_buffer(device, 2, 16);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		const berth_op broken[] = {
			{ .kind = BERTH_OP_RETAIN, .object = ids[i] },
			{ .kind = BERTH_OP_RELEASE, .object = ids[i] },
			{ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = ids[i],
			  .bits = BERTH_OP_BLOCKING, .bytes = 16, HOST(bytes) },
			{ .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = ids[i],
			  .bits = BERTH_OP_BLOCKING, .bytes = 16, HOST(bytes) },
			{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = ids[i],
			  .other = 2, .bytes = 16 },
			{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 2,
			  .other = ids[i], .bytes = 16 },
			{ .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = ids[i],
			  .bits = BERTH_OP_BLOCKING, .flags = CL_MAP_READ, .mapping = 5,
			  .bytes = 16 },
			{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 3, .other = ids[i],
			  .bytes = 16 },
		};

		for (size_t k = 0; k < sizeof(broken) / sizeof(broken[0]); k++) {
			berth_result result =
				contract_refuse(device, &broken[k], __FILE__, __LINE__);

			ASSERT_INT(result.cl_status, CL_INVALID_MEM_OBJECT);
			ASSERT_INT(contract_memory(device).live_objects, 1);
		}
	}
	berth_device_destroy(device);
}

static void new_ids(void)
{
	static const uint64_t ids[] = { 1, BERTH_ID_NONE, BERTH_ID_UNKNOWN };
	uint8_t written[64], read[64] = { 0 };
	berth_device *device = contract_open();
	berth_result result;

	contract_pattern(written, sizeof(written), 1);
	contract_buffer(device, 1, 64);
	contract_write(device, 1, 0, written, 64);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		const berth_op op = { .kind = BERTH_OP_BUFFER_CREATE, .object = ids[i],
				      .bytes = 32 };

		test_case("id %llu", (unsigned long long)ids[i]);
		ASSERT_INT(berth_device_execute(device, &op, &result), BERTH_E_STATE);
		ASSERT_INT(contract_memory(device).live_objects, 1);
	}
	contract_read(device, 1, 0, read, 64);
	ASSERT_CONTENT(read, written, 64);
	berth_device_destroy(device);
}

static void undefined_ops(void)
{
	berth_device *device = contract_open();
	const berth_op kind = { .kind = (berth_op_kind)99, .object = 1 };
	const berth_op form = { .kind = BERTH_OP_WRITE, .form = (berth_op_form)99, .object = 1 };
	const berth_op list = { .kind = BERTH_OP_USE, .use_count = 1 };
	/* Forms that there are, but not of these kinds. */
	static const struct {
		berth_op_kind kind;
		berth_op_form form;
	} others[] = {
		{ BERTH_OP_WRITE, BERTH_FORM_NONE },
		{ BERTH_OP_READ, BERTH_FORM_BUFFER_TO_IMAGE },
		{ BERTH_OP_COPY, BERTH_FORM_NONE },
		{ BERTH_OP_FILL, BERTH_FORM_RECT },
		{ BERTH_OP_MAP, BERTH_FORM_IMAGE_TO_BUFFER },
	};
	berth_result result;

	ASSERT_INT(berth_device_execute(device, &kind, &result), BERTH_E_INVAL);
	ASSERT_INT(berth_device_execute(device, &form, &result), BERTH_E_INVAL);
	ASSERT_INT(berth_device_execute(device, &list, &result), BERTH_E_INVAL);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const berth_op op = { .kind = others[i].kind, .form = others[i].form, .object = 1 };

		test_case("%s of form %d", berth_op_kind_string(op.kind), (int)op.form);
		ASSERT_INT(berth_device_execute(device, &op, &result), BERTH_E_INVAL);
	}
	berth_device_destroy(device);
}

/* What a refused create left behind: nothing. Its id may still be used. */
static void assert_not_created(berth_device *device, uint64_t id, const berth_memory *before)
{
	berth_memory after = contract_memory(device);

	ASSERT_INT(after.live_objects, before->live_objects);
	ASSERT_INT(after.in_use_bytes, before->in_use_bytes);
	ASSERT_INT(refuse(device, .kind = BERTH_OP_RETAIN, .object = id).cl_status,
		   CL_INVALID_MEM_OBJECT);
	contract_buffer(device, id, 64);
	accept(device, .kind = BERTH_OP_RELEASE, .object = id);
}

/* Broken creates, as the specification sees it; some drivers accept some of them. */
static void refused_creates(void)
{
	uint8_t host[64] = { 0 };
	berth_device *device = contract_open();
	const struct {
		const char *name;
		berth_op op;
	} cases[] = {
		{ "size 0", { .kind = BERTH_OP_BUFFER_CREATE } },
		{ "two accesses",
		  { .kind = BERTH_OP_BUFFER_CREATE, .bytes = 64,
		    .flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY } },
		{ "no host pointer",
		  { .kind = BERTH_OP_BUFFER_CREATE, .bytes = 64, .flags = CL_MEM_COPY_HOST_PTR } },
		{ "a host pointer too many",
		  { .kind = BERTH_OP_BUFFER_CREATE, .bytes = 64, HOST(host) } },
		{ "sub-buffer beyond its parent",
		  { .kind = BERTH_OP_SUBBUFFER_CREATE, .other = 1, .bytes = 4097 } },
		{ "sub-buffer of no bytes", { .kind = BERTH_OP_SUBBUFFER_CREATE, .other = 1 } },
	};

	contract_buffer(device, 1, 4096);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_memory before = contract_memory(device);
		berth_op op = cases[i].op;
		berth_result result;

		op.object = 10 + i;
		result = contract_execute(device, &op);
		test_case("%s", cases[i].name);
		if (contract_current->conforms)
			CU_ASSERT(result.cl_status < 0);
		if (result.cl_status < 0)
			assert_not_created(device, op.object, &before);
	}
	berth_device_destroy(device);
}

/* Broken transfers; the content stays. */
static void refused_transfers(void)
{
	uint8_t written[256], read[256] = { 0 }, other[512] = { 0 };
	berth_device *device = contract_open();
	const struct {
		const char *name;
		bool drivers_differ;
		berth_op op;
	} cases[] = {
		{ "write beyond the end", false,
		  { .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = 1,
		    .bits = BERTH_OP_BLOCKING, .offset_bytes = 1, .bytes = 256, HOST(other) } },
		{ "write from NULL", false,
		  { .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = 1,
		    .bits = BERTH_OP_BLOCKING, .bytes = 16 } },
		{ "copy beyond the end", false,
		  { .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 2, .other = 1,
		    .bytes = 256, .other_offset_bytes = 16 } },
		{ "fill with 3 bytes", true,
		  { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1, .bytes = 30,
		    .pattern_bytes = 3, HOST(other) } },
		{ "fill not a multiple of the pattern", true,
		  { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1, .bytes = 30,
		    .pattern_bytes = 4, HOST(other) } },
	};

	contract_pattern(written, sizeof(written), 1);
	contract_buffer(device, 1, 256);
	contract_buffer(device, 2, 256);
	contract_write(device, 1, 0, written, 256);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (cases[i].drivers_differ && !contract_current->conforms)
			continue;
		contract_refuse(device, &cases[i].op, __FILE__, __LINE__);
		contract_read(device, 1, 0, read, 256);
		test_case("%s", cases[i].name);
		ASSERT_CONTENT(read, written, 256);
	}
	berth_device_destroy(device);
}

static void parent_released_first(void)
{
	uint8_t written[64], read[64] = { 0 };
	berth_device *device = contract_open();

	contract_pattern(written, sizeof(written), 1);
	contract_buffer(device, 1, 4096);
	accept(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1, .bytes = 64);
	contract_write(device, 2, 0, written, 64);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	/* The application may not name the parent any more, yet its memory stays (R132). */
	ASSERT_INT(refuse(device, .kind = BERTH_OP_RETAIN, .object = 1).cl_status,
		   CL_INVALID_MEM_OBJECT);
	ASSERT_INT(contract_memory(device).live_objects, 1);
	CU_ASSERT(contract_memory(device).in_use_bytes >= 4096);
	contract_read(device, 2, 0, read, 64);
	ASSERT_CONTENT(read, written, 64);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 2);
	ASSERT_INT(contract_memory(device).live_objects, 0);
	ASSERT_INT(contract_memory(device).in_use_bytes, 0);
	berth_device_destroy(device);
}

static void ops_without_transfer(void)
{
	uint8_t bytes[64] = { 0 };
	const berth_object_use uses[] = { { .object = 1, .access = BERTH_ACCESS_READ },
					  { .object = 2, .arg_index = 1 } };
	berth_device *device = contract_open();

	contract_buffer(device, 1, 64);
	contract_buffer(device, 2, 64);
	contract_write(device, 1, 0, bytes, 64);
	accept(device, .kind = BERTH_OP_LABEL, .object = 1, .name = "weights");
	accept(device, .kind = BERTH_OP_LABEL, .bits = BERTH_OP_BEGINS, .name = "a phase");
	accept(device, .kind = BERTH_OP_ORDER, .name = "clFlush");
	/* What it names may be gone: it is told of its end. */
	accept(device, .kind = BERTH_OP_ORDER, .object = 7, .name = "destroyed");
	accept(device, .kind = BERTH_OP_USE, .uses = uses, .use_count = 2, .name = "kernel");
	accept(device, .kind = BERTH_OP_MIGRATE, .uses = uses, .use_count = 2,
	       .flags = CL_MIGRATE_MEM_OBJECT_HOST);
	accept(device, .kind = BERTH_OP_SYNC);
	ASSERT_INT(contract_memory(device).live_objects, 2);
	berth_device_destroy(device);
}

/* Whatever is alive goes with the device; valgrind and the sanitizers see leaks. */
static void destroyed_with_live_objects(void)
{
	uint8_t bytes[64] = { 0 };
	berth_device *device = contract_open();

	contract_buffer(device, 1, 4096);
	accept(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1, .bytes = 64);
	accept(device, .kind = BERTH_OP_RETAIN, .object = 2);
	accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	contract_buffer(device, 3, 64);
	accept(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 3,
	       .bits = BERTH_OP_BLOCKING, .flags = CL_MAP_READ, .mapping = 1, .bytes = 64);
	accept(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = 2, .bytes = 64,
	       HOST(bytes));
	berth_device_destroy(device);
}

const struct test contract_object_tests[] = {
	{ "identity", identity },
	{ "sizes of created objects", created_sizes },
	{ "accounting", accounting },
	{ "references", references },
	{ "ids that are none", ids_that_are_none },
	{ "new ids", new_ids },
	{ "undefined ops", undefined_ops },
	{ "refused creates", refused_creates },
	{ "refused transfers", refused_transfers },
	{ "parent released first", parent_released_first },
	{ "ops without transfer", ops_without_transfer },
	{ "destroyed with live objects", destroyed_with_live_objects },
	{ NULL, NULL },
};
