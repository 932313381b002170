/* SPDX-License-Identifier: Apache-2.0 */
/* The contract suite: how it runs, and what its files share. */
#include "contract_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

const struct contract_device *contract_current;

berth_device *contract_open(void)
{
	berth_device *device = NULL;

	ASSERT_OK(contract_current->open(&device, contract_current->userdata));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	return device;
}

berth_result contract_execute(berth_device *device, const berth_op *op)
{
	berth_result result;

	/* Written always: what stood there before must not shine through. */
	memset(&result, 0xa5, sizeof(result));
	ASSERT_OK(berth_device_execute(device, op, &result));
	return result;
}

berth_result contract_accept(berth_device *device, const berth_op *op, const char *file, int line)
{
	berth_result result = contract_execute(device, op);
	char text[256];

	berth_op_describe(op, text, sizeof(text));
	test_case("%.200s", text);
	test_assert_string(berth_cl_status_string(result.cl_status), "CL_SUCCESS", "cl_status",
			   file, line);
	if (result.cl_status != CL_SUCCESS)
		printf("    %s\n", berth_error_get()->message);
	return result;
}

berth_result contract_refuse(berth_device *device, const berth_op *op, const char *file, int line)
{
	berth_result result = contract_execute(device, op);
	char text[256];

	berth_op_describe(op, text, sizeof(text));
	test_case("%.200s", text);
	test_assert_int(result.cl_status < 0, 1, "cl_status < 0", file, line);
	/* A refusal gives nothing but its code. */
	test_assert_int((long long)result.bytes, 0, "bytes", file, line);
	test_assert_int(result.mapped != NULL, 0, "mapped != NULL", file, line);
	return result;
}

berth_result contract_buffer(berth_device *device, uint64_t id, uint64_t bytes)
{
	return accept(device, .kind = BERTH_OP_BUFFER_CREATE, .object = id, .bytes = bytes);
}

berth_result contract_image(berth_device *device, uint64_t id, uint64_t width, uint64_t height)
{
	return accept(device, .kind = BERTH_OP_IMAGE_CREATE, .object = id,
		      .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
				 .channel_type = CL_UNSIGNED_INT8, .width = width,
				 .height = height });
}

void contract_write(berth_device *device, uint64_t id, uint64_t offset, const void *from,
		    uint64_t bytes)
{
	accept(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING,
	       .object = id, .offset_bytes = offset, .bytes = bytes, HOST((void *)from));
}

void contract_read(berth_device *device, uint64_t id, uint64_t offset, void *to, uint64_t bytes)
{
	accept(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING,
	       .object = id, .offset_bytes = offset, .bytes = bytes, HOST(to));
}

void contract_write_image(berth_device *device, uint64_t id, uint64_t width, uint64_t height,
			  const void *from)
{
	accept(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING,
	       .object = id, .region = { .extent = { width, height, 1 } }, HOST((void *)from));
}

void contract_read_image(berth_device *device, uint64_t id, uint64_t width, uint64_t height,
			 void *to)
{
	accept(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING,
	       .object = id, .region = { .extent = { width, height, 1 } }, HOST(to));
}

void contract_pattern(uint8_t *bytes, size_t count, unsigned seed)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 256 + seed * 31 + 1);
}

void contract_assert_content(const void *actual, const void *expected, size_t bytes,
			     const char *file, int line)
{
	const uint8_t *a = actual, *e = expected;
	size_t at = 0;

	if (contract_current->ghost)
		return;
	while (at < bytes && a[at] == e[at])
		at++;
	if (at < bytes)
		printf("\n%s:%d: byte %zu of %zu is %u, expected %u\n", file, line, at, bytes,
		       a[at], e[at]);
	test_assert_int(at == bytes, 1, "content", file, line);
}

berth_memory contract_memory(const berth_device *device)
{
	berth_memory memory;

	memset(&memory, 0xa5, sizeof(memory));
	berth_device_memory(device, &memory);
	CU_ASSERT(memory.peak_bytes >= memory.in_use_bytes);
	CU_ASSERT(memory.capacity_bytes == 0 || memory.peak_bytes <= memory.capacity_bytes);
	return memory;
}

bool contract_has_images(const berth_device *device)
{
	const berth_caps *caps = berth_device_caps(device);

	if (caps->images &&
	    berth_caps_has_format(caps, CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNSIGNED_INT8, 0))
		return true;
	test_skip("%s: no RGBA images of 8-bit channels", berth_device_name(device));
	return false;
}

static const char *skip_reason(const struct contract_device *device, const char *test)
{
	const struct contract_skip *skip = device->skip;

	for (; skip && skip->test; skip++)
		if (strcmp(skip->test, test) == 0)
			return skip->reason;
	return NULL;
}

#define TESTS_MAX 64

static size_t choose(struct test *chosen, size_t count, const struct test *tests,
		     const struct contract_device *device)
{
	for (; tests->name && count < TESTS_MAX; tests++) {
		const char *reason = skip_reason(device, tests->name);

		if (reason)
			test_skip("%s: %s", tests->name, reason);
		else
			chosen[count++] = *tests;
	}
	return count;
}

int contract_main(const char *suite, const struct contract_device *device)
{
	struct test chosen[TESTS_MAX + 1];
	size_t count = choose(chosen, 0, contract_object_tests, device);

	count = choose(chosen, count, contract_transfer_tests, device);
	count = choose(chosen, count, contract_more_tests, device);
	chosen[count] = (struct test){ NULL, NULL };
	contract_current = device;
	return test_main(suite, chosen);
}
