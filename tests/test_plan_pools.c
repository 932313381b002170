/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planning over several memories: the cases of TVM's unified static memory planner and of
 * its on-chip memory for Adreno (CLML), and what is refused.
 */
#include "test_main.h"

#include <berth/plan_pools.h>

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define REQUESTS_MAX 16

static berth_plan_request sized(uint64_t bytes)
{
	berth_plan_request made = BERTH_PLAN_REQUEST_INIT;

	made.bytes = bytes;
	return made;
}

/* No two in conflict share a byte of one memory, and all lie inside it. */
static void assert_valid(const berth_plan_pools *plan, const berth_plan_input *input,
			 const berth_plan_pool *pools)
{
	for (size_t i = 0; i < input->request_count; i++) {
		uint64_t end = plan->offset_bytes[i] + input->requests[i].bytes;

		CU_ASSERT_FATAL(plan->pool_of[i] < plan->pool_count);
		CU_ASSERT(end <= plan->pool_bytes[plan->pool_of[i]]);
	}
	for (size_t i = 0; i < plan->pool_count; i++)
		CU_ASSERT(!pools[i].limit_bytes || plan->pool_bytes[i] <= pools[i].limit_bytes);
	for (size_t k = 0; k < input->conflict_count; k++) {
		uint32_t a = input->conflicts[k].a, b = input->conflicts[k].b;
		uint64_t *at = plan->offset_bytes;

		CU_ASSERT(plan->pool_of[a] != plan->pool_of[b] ||
			  at[a] + input->requests[a].bytes <= at[b] ||
			  at[b] + input->requests[b].bytes <= at[a]);
	}
}

/*
 * sid_9, sid_8, Pad, Conv, tensor_2; a fast memory that holds tensor_2 exactly. Conv conflicts
 * with Pad and sid_8, so beside tensor_2 it costs nothing: the slow memory is left with Pad
 * and sid_8, 314646 + 802816.
 */
static void mobilenet(void)
{
	enum { SID_9, SID_8, PAD, CONV, TENSOR_2, COUNT_OF };
	berth_plan_request requests[COUNT_OF] = { sized(301056), sized(802816), sized(314646),
						  sized(256), sized(200704) };
	static const berth_plan_conflict pairs[] = { { PAD, SID_9 },
						     { PAD, SID_8 },
						     { PAD, CONV },
						     { SID_8, CONV },
						     { SID_8, TENSOR_2 } };
	const berth_plan_pool pools[] = { { 200704 }, { 0 } };
	berth_plan_input input = { requests, COUNT_OF, pairs, COUNT(pairs), true, { 0, 0, 16 } };
	berth_plan_pools *plan = NULL;

	ASSERT_OK(berth_plan_pools_create(&plan, &input, pools, 2, NULL));
	assert_valid(plan, &input, pools);
	ASSERT_INT(plan->pool_of[TENSOR_2], 0);
	ASSERT_INT(plan->pool_bytes[0], 200704);
	/* 314656, rounded up to 16, below 802816; or the other way round 1117462 */
	CU_ASSERT(plan->pool_bytes[1] == 314656 + 802816 || plan->pool_bytes[1] == 802816 + 314646);
	ASSERT_INT(plan->lower_bound_bytes, 314646 + 802816 + 256);
	berth_plan_pools_destroy(plan);
}

/* All on chip but those of one byte more than that memory has (X). */
static void on_chip(void)
{
	enum { CHIP = 2048000, X = CHIP + 1, S = 1024000, T = 102400 };
	enum graph { CHAIN, ALL, SKIP };
	static const uint64_t skips[][2] = { { 1, 0 }, { 2, 0 }, { 2, 1 }, { 3, 2 }, { 4, 2 },
					     { 4, 3 }, { 5, 4 }, { 6, 4 }, { 6, 5 }, { 7, 6 },
					     { 8, 6 }, { 8, 7 }, { 9, 8 } };
	static const struct {
		const char *name;
		enum graph graph;
		size_t count;
		uint64_t bytes[10];
		uint64_t ddr_buffers; /* of X bytes */
	} cases[] = {
		{ "chain that fits", CHAIN, 10, { S, S, S, S, S, S, S, S, S, S }, 0 },
		{ "chain with two too large", CHAIN, 6, { S, S, X, S, X, S }, 1 },
		{ "chain of too large ones", CHAIN, 6, { X, X, X, X, X, X }, 2 },
		{ "all with all, fits", ALL, 10, { T, T, T, T, T, T, T, T, T, T }, 0 },
		{ "all with all, three too large", ALL, 10, { T, T, X, T, X, T, X, T, T, T }, 3 },
		{ "all with all, too large", ALL, 10, { X, X, X, X, X, X, X, X, X, X }, 10 },
		{ "skips", SKIP, 10, { S, S, X, X, S, S, X, X, S, X }, 2 },
	};
	const berth_plan_pool pools[] = { { CHIP }, { 0 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_plan_request requests[REQUESTS_MAX];
		berth_plan_conflict pairs[64];
		berth_plan_input input = { requests, cases[i].count, pairs, 0, true, { 0, 0, 0 } };
		berth_plan_pools *plan = NULL;

		test_case("%s", cases[i].name);
		for (uint32_t k = 0; k < cases[i].count; k++) {
			requests[k] = sized(cases[i].bytes[k]);
			for (uint32_t m = 0; m < k; m++)
				if (cases[i].graph == ALL || (cases[i].graph == CHAIN && m + 1 == k))
					pairs[input.conflict_count++] =
						(berth_plan_conflict){ m, k };
		}
		for (size_t k = 0; cases[i].graph == SKIP && k < COUNT(skips); k++)
			pairs[input.conflict_count++] = (berth_plan_conflict){
				(uint32_t)skips[k][0], (uint32_t)skips[k][1]
			};
		ASSERT_OK(berth_plan_pools_create(&plan, &input, pools, 2, NULL));
		assert_valid(plan, &input, pools);
		for (size_t k = 0; k < cases[i].count; k++)
			ASSERT_INT(plan->pool_of[k], cases[i].bytes[k] > CHIP);
		ASSERT_INT(plan->pool_bytes[1], cases[i].ddr_buffers * X);
		berth_plan_pools_destroy(plan);
	}
}

/* A block of ResNet in the order of execution: 7200256 bytes are alive at once, and suffice. */
static void resnet_block(void)
{
	static const struct {
		uint64_t bytes, first, last;
	} tensors[] = {
		{ 720000, 0, 5 },  { 720000, 0, 0 }, { 720000, 0, 1 }, { 256, 0, 0 },
		{ 758912, 1, 2 },  { 720000, 2, 3 }, { 256, 2, 2 },    { 720000, 3, 4 },
		{ 5760000, 4, 6 }, { 256, 4, 4 },    { 720000, 5, 6 }, { 256, 6, 6 },
	};
	const berth_plan_pool pools[] = { { 0 } };
	berth_plan_request requests[COUNT(tensors)];
	berth_plan_input input = { .requests = requests, .request_count = COUNT(tensors) };
	berth_plan_pools *plan = NULL;

	for (size_t i = 0; i < COUNT(tensors); i++) {
		requests[i] = sized(tensors[i].bytes);
		requests[i].lower = tensors[i].first;
		requests[i].upper = tensors[i].last + 1;
	}
	ASSERT_OK(berth_plan_pools_create(&plan, &input, pools, 1, NULL));
	ASSERT_INT(plan->lower_bound_bytes, 7200256);
	ASSERT_INT(plan->pool_bytes[0], 7200256);
	berth_plan_pools_destroy(plan);
}

static void refused(void)
{
	static const berth_plan_conflict all[] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
	berth_plan_request good[3] = { sized(10), sized(10), sized(10) };
	berth_plan_request pinned[1] = { sized(10) };
	berth_plan_input three = { good, 3, all, 3, true, { 0, 0, 0 } };
	berth_plan_input with_arena = { good, 3, all, 3, true, { 64, 0, 0 } };
	berth_plan_input with_pin = { .requests = pinned, .request_count = 1, .by_conflicts = true };
	const struct {
		const char *name;
		const berth_plan_input *input;
		berth_plan_pool pools[2];
		size_t pool_count;
		berth_status status;
		const char *detail;
	} cases[] = {
		{ "space exceeded", &three, { { 10 } }, 1, BERTH_E_LIMIT, "space exceeded: 2 of 3" },
		{ "too large for any", &three, { { 4 }, { 9 } }, 2, BERTH_E_LIMIT, "3 of 3" },
		{ "no pool", &three, { { 0 } }, 0, BERTH_E_INVAL, "0 pools" },
		{ "no limit first", &three, { { 0 }, { 9 } }, 2, BERTH_E_INVAL, "pool 0 has no limit" },
		{ "arena limit", &with_arena, { { 64 } }, 1, BERTH_E_INVAL, "max_arena_bytes is 64" },
		{ "pin", &with_pin, { { 64 } }, 1, BERTH_E_INVAL, "request 0: a pin" },
	};

	pinned[0].pinned_offset_bytes = 0;
	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_plan_pools *plan = NULL;

		test_case("%s", cases[i].name);
		ASSERT_INT(berth_plan_pools_create(&plan, cases[i].input, cases[i].pools,
						   cases[i].pool_count, NULL),
			   cases[i].status);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
		CU_ASSERT_PTR_NULL(plan);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "a fast memory and a slow one", mobilenet },
		{ "memory on the chip", on_chip },
		{ "one memory without limit", resnet_block },
		{ "refused", refused },
		{ NULL, NULL },
	};

	return test_main("plan over several memories", tests);
}
