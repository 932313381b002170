/* SPDX-License-Identifier: Apache-2.0 */
/* The contract suite: shared virtual memory, pipes, arguments, and calls of other names. */
#include "contract_internal.h"

#include <string.h>

#include <CL/cl.h>

/* Devices that stack may not pass on what a device of theirs has. */
static bool can(berth_device *device, const berth_op *op, const char *what)
{
	berth_result result;
	berth_status st = berth_device_execute(device, op, &result);

	if (st == BERTH_OK && result.cl_status == CL_SUCCESS)
		return true;
	if (st != BERTH_E_UNSUPPORTED)
		ASSERT_OK(st);
	test_skip("%s: %s: %s", berth_device_name(device), what, berth_error_get()->message);
	return false;
}

static bool has_svm(const berth_device *device)
{
	if (berth_device_caps(device)->svm_caps && berth_device_caps(device)->cl_version >= 200)
		return true;
	test_skip("%s: no shared virtual memory", berth_device_name(device));
	return false;
}

static bool alloc(berth_device *device, uint64_t id, uint64_t bytes)
{
	return can(device,
		   &(berth_op){ .kind = BERTH_OP_SVM_ALLOC, .object = id, .bytes = bytes },
		   "svm_alloc");
}

#define SVM(op_kind, id, offset, size)                                                             \
	.kind = BERTH_OP_##op_kind, .form = BERTH_FORM_SVM, .bits = BERTH_OP_BLOCKING,             \
	.object = id, .offset_bytes = offset, .bytes = size

static void svm_round_trip(void)
{
	uint8_t written[256], read[256] = { 0 }, expected[256];
	static const uint8_t pattern[4] = { 1, 2, 3, 4 };
	berth_device *device = contract_open();

	if (!has_svm(device) || !alloc(device, 1, 256) || !alloc(device, 2, 256))
		goto out;
	contract_pattern(written, sizeof(written), 1);
	accept(device, SVM(WRITE, 1, 0, 256), HOST(written));
	accept(device, SVM(COPY, 1, 64, 64), .other = 2, .other_offset_bytes = 128);
	accept(device, SVM(FILL, 2, 0, 128), .pattern_bytes = 4, HOST((void *)pattern));
	accept(device, SVM(FILL, 2, 192, 64), .pattern_bytes = 4, HOST((void *)pattern));
	accept(device, .kind = BERTH_OP_SYNC);
	accept(device, SVM(READ, 2, 0, 256), HOST(read));
	for (size_t i = 0; i < sizeof(expected); i++)
		expected[i] = pattern[i % 4];
	memcpy(expected + 128, written + 64, 64);
	ASSERT_CONTENT(read, expected, 256);
	ASSERT_INT(contract_memory(device).live_objects, 2);
	accept(device, .kind = BERTH_OP_SVM_FREE, .object = 1);
	accept(device, .kind = BERTH_OP_SVM_FREE, .object = 2, .bits = BERTH_OP_ENQUEUED);
	accept(device, .kind = BERTH_OP_SYNC);
	ASSERT_INT(contract_memory(device).live_objects, 0);
	ASSERT_INT(contract_memory(device).in_use_bytes, 0);
out:
	berth_device_destroy(device);
}

static void svm_mapped(void)
{
	uint8_t read[64] = { 0 }, expected[64];
	berth_device *device = contract_open();
	berth_result mapped;

	if (!has_svm(device) || !alloc(device, 1, 256))
		goto out;
	mapped = accept(device, SVM(MAP, 1, 64, 64), .flags = CL_MAP_WRITE, .mapping = 1);
	contract_pattern(expected, sizeof(expected), 2);
	if (!contract_current->ghost) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(mapped.mapped);
		memcpy(mapped.mapped, expected, sizeof(expected));
	}
	accept(device, .kind = BERTH_OP_UNMAP, .form = BERTH_FORM_SVM, .object = 1, .mapping = 1);
	accept(device, SVM(READ, 1, 64, 64), HOST(read));
	ASSERT_CONTENT(read, expected, 64);
	/* Alive at the end, and mapped: goes with the device. */
	accept(device, SVM(MAP, 1, 0, 64), .flags = CL_MAP_READ, .mapping = 2);
out:
	berth_device_destroy(device);
}

static void svm_refused(void)
{
	uint8_t bytes[64] = { 0 };
	berth_device *device = contract_open();

	if (!has_svm(device) || !alloc(device, 1, 256))
		goto out;
	refuse(device, .kind = BERTH_OP_SVM_ALLOC, .object = 2);
	refuse(device, SVM(WRITE, 1, 200, 64), HOST(bytes));
	refuse(device, SVM(READ, 7, 0, 64), HOST(bytes));
	refuse(device, SVM(COPY, 1, 0, 64), .other = 9);
	refuse(device, .kind = BERTH_OP_UNMAP, .form = BERTH_FORM_SVM, .object = 1, .mapping = 5);
	/* Nothing of it changed anything. */
	ASSERT_INT(contract_memory(device).live_objects, 1);
	accept(device, .kind = BERTH_OP_SVM_FREE);
	accept(device, .kind = BERTH_OP_SVM_FREE, .object = 1);
	refuse(device, SVM(READ, 1, 0, 64), HOST(bytes));
out:
	berth_device_destroy(device);
}

static void pipes(void)
{
	const berth_op pipe = { .kind = BERTH_OP_PIPE_CREATE, .object = 1,
				.flags = CL_MEM_HOST_NO_ACCESS, .packet_bytes = 16,
				.packet_count = 8 };
	berth_device *device = contract_open();

	if (berth_device_caps(device)->pipe_max_packet_bytes < 16) {
		test_skip("%s: no pipes", berth_device_name(device));
	} else if (can(device, &pipe, "pipe_create")) {
		refuse(device, .kind = BERTH_OP_PIPE_CREATE, .object = 2, .packet_bytes = 0,
		       .packet_count = 8);
		ASSERT_INT(contract_memory(device).live_objects, 1);
		accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	}
	berth_device_destroy(device);
}

static void arguments(void)
{
	const berth_object_use buffer[] = { { .object = 1 } }, null[] = { { .object = 0 } };
	const berth_object_use image[] = { { .object = 2, .access = BERTH_ACCESS_READ } };
	const berth_op pointer = { .kind = BERTH_OP_ARG, .bytes = sizeof(cl_mem), .uses = buffer,
				   .use_count = 1, .image = { .type = CL_MEM_OBJECT_BUFFER } };
	berth_device *device = contract_open();

	contract_buffer(device, 1, 64);
	if (!can(device, &pointer, "arg"))
		goto out;
	accept(device, .kind = BERTH_OP_ARG, .bytes = sizeof(cl_mem), .uses = null, .use_count = 1,
	       .image = { .type = CL_MEM_OBJECT_BUFFER });
	if (!contract_has_images(device))
		goto out;
	contract_image(device, 2, 16, 8);
	accept(device, .kind = BERTH_OP_ARG, .bytes = sizeof(cl_mem), .uses = image, .use_count = 1,
	       .image = { .type = CL_MEM_OBJECT_IMAGE2D });
	if (contract_current->conforms)
		refuse(device, .kind = BERTH_OP_ARG, .bytes = sizeof(cl_mem), .uses = buffer,
		       .use_count = 1, .image = { .type = CL_MEM_OBJECT_IMAGE2D });
out:
	berth_device_destroy(device);
}

static void calls_of_other_names(void)
{
	const berth_op buffer = { .kind = BERTH_OP_BUFFER_CREATE, .bits = BERTH_OP_PROPERTIES,
				  .object = 1, .bytes = 64 };
	const berth_image rgba = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
				   .channel_type = CL_UNSIGNED_INT8, .width = 16, .height = 8 };
	uint8_t written[64], read[64] = { 0 };
	berth_device *device = contract_open();

	contract_pattern(written, sizeof(written), 3);
	if (can(device, &buffer, "clCreateBufferWithProperties")) {
		contract_write(device, 1, 0, written, 64);
		contract_read(device, 1, 0, read, 64);
		ASSERT_CONTENT(read, written, 64);
		accept(device, .kind = BERTH_OP_DESTRUCTOR, .object = 1);
		accept(device, .kind = BERTH_OP_RELEASE, .object = 1);
	}
	if (contract_has_images(device)) {
		berth_result made = accept(device, .kind = BERTH_OP_IMAGE_CREATE,
					   .bits = BERTH_OP_DEPRECATED, .object = 2, .image = rgba);

		/* Oclgrind does not answer the pitch of such an image. */
		CU_ASSERT(made.row_pitch_bytes >= 64 || made.row_pitch_bytes == 0);
	}
	berth_device_destroy(device);
}

const struct test contract_more_tests[] = {
	{ "shared virtual memory", svm_round_trip },
	{ "shared virtual memory mapped", svm_mapped },
	{ "shared virtual memory refused", svm_refused },
	{ "pipes", pipes },
	{ "arguments", arguments },
	{ "calls of other names", calls_of_other_names },
	{ NULL, NULL },
};
