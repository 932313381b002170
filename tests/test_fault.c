/* SPDX-License-Identifier: Apache-2.0 */
/* The fault device: its specification as text, what fails, what it leaves as it was. */
#include "sim_fixture.h"

#include <stdio.h>

#include <berth/fault.h>

#define MIB (UINT64_C(1) << 20)

static void specifications(void)
{
	static const struct {
		const char *text;
		uint32_t count;
		berth_fault last;
	} cases[] = {
		{ "", 0, { 0 } },
		{ "nth=5", 1, { BERTH_FAULT_NTH, 0, 5, 0, 0, 0 } },
		{ "nth=5:buffer_create",
		  1,
		  { BERTH_FAULT_NTH, 1u << BERTH_OP_BUFFER_CREATE, 5, 0, 0, 0 } },
		{ "nth=1:read:write:CL_MAP_FAILURE",
		  1,
		  { BERTH_FAULT_NTH, 1u << BERTH_OP_READ | 1u << BERTH_OP_WRITE, 1, 0, 0, -12 } },
		{ "rate=0.25", 1, { BERTH_FAULT_RATE, 0, 0, 0.25, 1, 0 } },
		{ "rate=1:seed=7:map", 1, { BERTH_FAULT_RATE, 1u << BERTH_OP_MAP, 0, 1, 7, 0 } },
		{ "budget=4096", 1, { BERTH_FAULT_BUDGET, 0, 4096, 0, 0, 0 } },
		{ "budget=64M", 1, { BERTH_FAULT_BUDGET, 0, 64 * MIB, 0, 0, 0 } },
		{ "budget=3KiB:CL_OUT_OF_HOST_MEMORY",
		  1,
		  { BERTH_FAULT_BUDGET, 0, 3072, 0, 0, -6 } },
		{ "budget=0", 1, { BERTH_FAULT_BUDGET, 0, 0, 0, 0, 0 } },
		{ "nth=1,budget=2G,lost=100", 3, { BERTH_FAULT_LOST, 0, 100, 0, 0, 0 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_fault_spec spec;
		const berth_fault *last;

		test_case("'%s'", cases[i].text);
		memset(&spec, 0x5a, sizeof(spec));
		ASSERT_OK(berth_fault_parse(&spec, cases[i].text));
		ASSERT_INT(spec.count, cases[i].count);
		if (spec.count == 0 || spec.count > BERTH_FAULTS_MAX)
			continue;
		last = &spec.faults[spec.count - 1];
		ASSERT_INT(last->kind, cases[i].last.kind);
		ASSERT_INT(last->kinds, cases[i].last.kinds);
		ASSERT_INT(last->number, cases[i].last.number);
		CU_ASSERT_EQUAL(last->rate, cases[i].last.rate);
		ASSERT_INT(last->seed, cases[i].last.seed);
		ASSERT_INT(last->code, cases[i].last.code);
	}
}

static void wrong_specifications(void)
{
	static const struct {
		const char *text, *place, *allowed;
	} cases[] = {
		{ "nth", "character 1: 'nth'", "nth=N, rate=R, budget=SIZE or lost=N" },
		{ "nth=", "character 1: 'nth='", "from 1" },
		{ "nth=0", "character 1: 'nth=0'", "from 1" },
		{ "nth=-1", "character 1: 'nth=-1'", "from 1" },
		{ "nth=18446744073709551616", "character 1", "from 1" },
		{ "lost=0", "character 1: 'lost=0'", "from 1" },
		{ "rate=1.1", "character 1: 'rate=1.1'", "0 to 1" },
		{ "rate=nan", "character 1: 'rate=nan'", "0 to 1" },
		{ "rate=0.5x", "character 1: 'rate=0.5x'", "0 to 1" },
		{ "rate=0.5:seed=x", "character 10: 'seed=x'", "a whole number" },
		{ "nth=5:seed=1", "character 7: 'seed=1'", "a kind of op" },
		{ "budget=64M:write", "character 12: 'write'", "an OpenCL code" },
		{ "budget=M", "character 1: 'budget=M'", "a size" },
		{ "budget=17179869184G", "character 1", "a size" },
		{ "nth=1,", "character 7: ''", "nth=N" },
		{ ",nth=1", "character 1: ''", "nth=N" },
		{ "nth=1,,nth=2", "character 7: ''", "nth=N" },
		{ "nth=1:", "character 7: ''", "a kind of op" },
		{ "nth=1:CL_SUCCESS", "character 7: 'CL_SUCCESS'", "an OpenCL code" },
		{ "nth=1:0123456789012345678901234567890123456789012345678901234567890123",
		  "character 7: '0123", "up to 63" },
		{ "nth=1,nth=1,nth=1,nth=1,nth=1,nth=1,nth=1,nth=1,nth=1,nth=1,nth=1,nth=1,nth=1,"
		  "nth=1,nth=1,nth=1,nth=1",
		  "character 97", "more than 16" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_fault_spec spec, before;

		memset(&before, 0x5a, sizeof(before));
		spec = before;
		test_case("'%s'", cases[i].text);
		ASSERT_INT(berth_fault_parse(&spec, cases[i].text), BERTH_E_INVAL);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].place);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].allowed);
		CU_ASSERT_EQUAL(memcmp(&spec, &before, sizeof(spec)), 0);
	}
}

static void specifications_that_make_no_sense(void)
{
	static const struct {
		const char *detail;
		berth_fault_spec spec;
	} cases[] = {
		{ "17 faults", { .count = 17 } },
		{ "fault 1: the kind", { 1, { { .kind = (berth_fault_kind)4 } } } },
		{ "fault 2: op 0", { 2, { { .kind = BERTH_FAULT_RATE }, { .number = 0 } } } },
		{ "fault 1: the rate", { 1, { { .kind = BERTH_FAULT_RATE, .rate = -0.5 } } } },
		{ "fault 1: a kind of op", { 1, { { .number = 1, .kinds = 1u << 31 } } } },
	};
	berth_profile profile = sim_fixture_profile();
	berth_device *inner = sim_fixture_device(&profile), *device = NULL;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].detail);
		ASSERT_INT(berth_fault_create(&device, &cases[i].spec, inner), BERTH_E_INVAL);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
		CU_ASSERT_PTR_NULL(device);
	}
	CU_ASSERT_PTR_NULL(berth_fault_get_counts(inner));
	berth_device_destroy(inner);
}

static berth_device *faulty(const char *text)
{
	berth_profile profile = sim_fixture_profile();
	berth_device *device = NULL;
	berth_fault_spec spec;

	ASSERT_OK(berth_fault_parse(&spec, text));
	ASSERT_OK(berth_fault_create(&device, &spec, sim_fixture_device(&profile)));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	return device;
}

static void the_nth(void)
{
	berth_device *device = faulty("nth=2,nth=1:fill:CL_INVALID_VALUE,nth=2:release");
	uint8_t byte = 0;

	ASSERT_STRING(berth_device_name(device), "fault:sim:test");
	ok(device, BUFFER(1, 100));
	ok(device, .kind = BERTH_OP_LABEL, .object = 1, .name = "not counted");
	ok(device, .kind = BERTH_OP_SYNC);
	test_case("the second that counts fails, and nothing is made");
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(2, 100));
	ASSERT_INT(sim_fixture_in_use(device), 100);
	ok(device, BUFFER(2, 100));
	run(device, CL_INVALID_VALUE, .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1,
	    .bytes = 1, .pattern_bytes = 1, HOST(&byte));
	ok(device, .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1, .bytes = 1,
	   .pattern_bytes = 1, HOST(&byte));
	ok(device, RELEASE(1));
	test_case("a release that is named");
	run(device, CL_OUT_OF_RESOURCES, RELEASE(2));
	ok(device, RELEASE(2));
	ASSERT_INT(sim_fixture_in_use(device), 0);
	ASSERT_INT(berth_fault_get_counts(device)->ops, 10);
	ASSERT_INT(berth_fault_get_counts(device)->failed, 3);
	ASSERT_INT(berth_fault_get_counts(device)->first, 4);
	berth_device_destroy(device);
}

/* Which of 1000 creations failed. */
static unsigned failures(bool failed[1000], const char *spec)
{
	berth_device *device = faulty(spec);
	unsigned count = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		berth_op op = { BUFFER(i + 1, 1) };
		berth_result result;

		ASSERT_OK(berth_device_execute(device, &op, &result));
		failed[i] = result.cl_status != CL_SUCCESS;
		count += failed[i];
	}
	berth_device_destroy(device);
	return count;
}

static void a_rate(void)
{
	static const struct {
		const char *spec;
		unsigned least, most;
	} cases[] = {
		{ "rate=0", 0, 0 },
		{ "rate=1", 1000, 1000 },
		/* 1000 x 0.1, and more than 6 standard deviations of 9.5 around it */
		{ "rate=0.1:seed=7", 40, 160 },
		{ "rate=0.1:seed=8", 40, 160 },
		{ "rate=1:read", 0, 0 },
	};
	bool first[1000], again[1000];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned count = failures(first, cases[i].spec);

		test_case("%s: %u", cases[i].spec, count);
		CU_ASSERT(count >= cases[i].least && count <= cases[i].most);
		ASSERT_INT(failures(again, cases[i].spec), count);
		CU_ASSERT_EQUAL(memcmp(first, again, sizeof(first)), 0);
	}
	test_case("another seed, other ops");
	(void)failures(first, "rate=0.1:seed=7");
	(void)failures(again, "rate=0.1:seed=8");
	CU_ASSERT_NOT_EQUAL(memcmp(first, again, sizeof(first)), 0);
}

static void a_budget(void)
{
	berth_device *device = faulty("budget=1000");

	ok(device, BUFFER(1, 600));
	test_case("one byte too many");
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(2, 401));
	ASSERT_CONTAINS(berth_error_get()->message, "600 bytes in use, budget 1000");
	ok(device, BUFFER(2, 400));
	test_case("what lies on another takes nothing");
	ok(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 3, .other = 1, .bytes = 600);
	test_case("a released buffer that is still held");
	ok(device, RELEASE(1));
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(4, 600));
	ok(device, RELEASE(3));
	ok(device, BUFFER(4, 600));
	ok(device, .kind = BERTH_OP_RETAIN, .object = 4);
	ok(device, RELEASE(4));
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(5, 1));
	ok(device, RELEASE(4));
	test_case("an image: 10 x 15 pixels of 4 bytes");
	ok(device, IMAGE(5, 10, 15));
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, BUFFER(6, 1));
	test_case("refused by the device itself: takes nothing");
	ok(device, RELEASE(5));
	run(device, CL_INVALID_BUFFER_SIZE, BUFFER(6, 0));
	ok(device, BUFFER(6, 600));
	test_case("larger than 64 bits");
	run(device, CL_MEM_OBJECT_ALLOCATION_FAILURE, IMAGE(7, UINT64_MAX, UINT64_MAX));
	berth_device_destroy(device);
}

static void a_lost_device(void)
{
	berth_device *device = faulty("lost=3");
	berth_result result;

	ok(device, BUFFER(1, 100));
	ok(device, BUFFER(2, 100));
	run(device, CL_DEVICE_NOT_AVAILABLE, BUFFER(3, 100));
	run(device, CL_DEVICE_NOT_AVAILABLE, READ(1, 0, 1), HOST(&result));
	run(device, CL_DEVICE_NOT_AVAILABLE, .kind = BERTH_OP_SYNC);
	test_case("it lets go all the same");
	run(device, CL_DEVICE_NOT_AVAILABLE, RELEASE(1));
	ASSERT_INT(sim_fixture_in_use(device), 100);
	ASSERT_INT(berth_fault_get_counts(device)->first, 3);
	ASSERT_INT(berth_fault_get_counts(device)->failed, 4);
	berth_device_destroy(device);

	test_case("another code");
	device = faulty("lost=1:CL_OUT_OF_RESOURCES");
	run(device, CL_OUT_OF_RESOURCES, BUFFER(1, 100));
	berth_device_destroy(device);
}

int main(void)
{
	static const struct test tests[] = {
		{ "specifications", specifications },
		{ "wrong specifications", wrong_specifications },
		{ "specifications that make no sense", specifications_that_make_no_sense },
		{ "the n-th", the_nth },
		{ "a rate", a_rate },
		{ "a budget", a_budget },
		{ "a lost device", a_lost_device },
		{ NULL, NULL },
	};

	return test_main("fault", tests);
}
