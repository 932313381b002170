/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated device that accepts whatever breaks any rule: each case of the rules
 * table, legal or not, leaves it usable, with bytes and without.
 */
#include "rule_cases.h"
#include "test_main.h"

#include <stdlib.h>

#include <berth/sim.h>

/* Host memory behind the ops that need some; larger spans come without bytes. */
#define HOST_BYTES (UINT64_C(1) << 20)

static const struct rule_cases *const all_cases[] = {
	&rule_cases_flags,	   &rule_cases_buffer,	     &rule_cases_image,
	&rule_cases_image_memory,  &rule_cases_linear,	     &rule_cases_rect,
	&rule_cases_image_command, &rule_cases_image_region, &rule_cases_object,
	&rule_cases_argument, &rule_cases_svm,
};

static void accept_everything(berth_profile *profile)
{
	berth_deviation item = { .answer = BERTH_DEVIATION_ACCEPT };

	for (size_t i = 0; (item.rule = berth_rules_at(i)); i++)
		ASSERT_OK(berth_deviations_add(&profile->deviations, &item));
}

static berth_device *device_for(const struct rule_case *one, bool ghost)
{
	const berth_sim_options options = { .size = sizeof(options), .ghost = ghost };
	static berth_profile profile;
	berth_device *device = NULL;
	berth_caps caps;

	rule_world_caps(&caps, one->version ? one->version : 300);
	if (one->change)
		one->change(&caps);
	berth_profile_init_reference(&profile, &caps);
	profile.memory.capacity_bytes = UINT64_C(1) << 30;
	accept_everything(&profile);
	ASSERT_OK(berth_sim_create(&device, &profile, &options));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	return device;
}

static void make_world(berth_device *device)
{
	size_t count;
	const berth_op *ops = rule_world_ops(&count);
	berth_result result;

	for (size_t i = 0; i < count; i++) {
		ASSERT_OK(berth_device_execute(device, &ops[i], &result));
		ASSERT_INT(result.cl_status, CL_SUCCESS);
	}
}

/* Bytes where the op has an address and a span that is there. */
static void lend_host(berth_op *op, void *host)
{
	uint64_t bytes;

	if (op->host_address != 0 && op->kind != BERTH_OP_UNMAP &&
	    berth_op_host_bytes(&bytes, op, 16) == BERTH_OK && bytes <= HOST_BYTES)
		berth_op_set_host(op, host);
}

/* The buffer that most cases are about can still be read, and all can be let go. */
static void use_afterwards(berth_device *device)
{
	static uint8_t bytes[4096];
	berth_op read = { .kind = BERTH_OP_READ,
			  .form = BERTH_FORM_LINEAR,
			  .object = BUF,
			  .bytes = sizeof(bytes),
			  .bits = BERTH_OP_BLOCKING };
	berth_result result;

	berth_op_set_host(&read, bytes);
	ASSERT_OK(berth_device_execute(device, &read, &result));
	ASSERT_INT(result.cl_status, CL_SUCCESS);
	for (uint64_t id = 1; id <= NEW; id++) {
		const berth_op release = { .kind = BERTH_OP_RELEASE, .object = id };

		ASSERT_OK(berth_device_execute(device, &release, &result));
		ASSERT_INT(result.cl_status, CL_SUCCESS);
	}
}

static void run_case(const struct rule_case *one, bool ghost, void *host)
{
	berth_device *device = device_for(one, ghost);
	berth_op op = one->op;
	berth_result result;

	test_case("%s: %s%s", one->rule, one->name, ghost ? ", ghost" : "");
	make_world(device);
	lend_host(&op, host);
	ASSERT_OK(berth_device_execute(device, &op, &result));
	if (result.cl_status != CL_SUCCESS)
		ASSERT_INT(result.cl_status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	use_afterwards(device);
	berth_device_destroy(device);
}

static void run_all(bool ghost)
{
	void *host = calloc(1, HOST_BYTES);

	CU_ASSERT_PTR_NOT_NULL_FATAL(host);
	for (size_t i = 0; i < sizeof(all_cases) / sizeof(all_cases[0]); i++)
		for (size_t j = 0; j < all_cases[i]->count; j++)
			run_case(&all_cases[i]->cases[j], ghost, host);
	free(host);
}

static void with_bytes(void)
{
	run_all(false);
}

static void without_bytes(void)
{
	run_all(true);
}

int main(void)
{
	static const struct test tests[] = {
		{ "with bytes", with_bytes },
		{ "without bytes", without_bytes },
		{ NULL, NULL },
	};

	return test_main("sim accepting", tests);
}
