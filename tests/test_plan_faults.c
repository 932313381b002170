/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of the planner and of the validator fails in turn: a status, and no plan. */
#include "alloc_fault.h"
#include "test_main.h"

#include <berth/plan.h>

#define COUNT 12

/* Greedy does not reach the bound of these: so all tiers run, with a small budget. */
static void make_requests(berth_plan_request *requests)
{
	for (uint32_t i = 0; i < COUNT; i++) {
		berth_plan_request request = BERTH_PLAN_REQUEST_INIT;

		request.bytes = 3 + 7 * i % 11;
		request.lower = 5 * i % 7;
		request.upper = request.lower + 1 + 3 * i % 5;
		requests[i] = request;
	}
}

static void sweep(const berth_plan_input *input)
{
	berth_plan_options options = BERTH_PLAN_OPTIONS_INIT;
	bool hit = true;

	options.time_budget_ns = 100000;
	for (unsigned n = 1; hit; n++) {
		berth_plan *plan = NULL;
		berth_status st;

		test_case("allocation %u", n);
		alloc_fault_arm(n);
		st = berth_plan_create(&plan, input, &options);
		hit = alloc_fault_disarm();
		if (st == BERTH_OK) {
			berth_plan_claim claim = berth_plan_get_claim(plan);

			ASSERT_OK(berth_plan_check(input, &claim));
		} else {
			ASSERT_INT(st, BERTH_E_NOMEM);
			CU_ASSERT_PTR_NULL(plan);
		}
		CU_ASSERT_TRUE(hit || st == BERTH_OK);
		berth_plan_destroy(plan);
	}
}

static void planner(void)
{
	static const berth_plan_conflict pairs[] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 } };
	berth_plan_request requests[COUNT];
	berth_plan_input input = { .requests = requests, .request_count = COUNT };

	make_requests(requests);
	sweep(&input);
	input.caps.max_arena_bytes = 20;
	sweep(&input);
	input.caps.max_arena_bytes = 0;
	input.by_conflicts = true;
	input.conflicts = pairs;
	input.conflict_count = 4;
	sweep(&input);
}

static void validator(void)
{
	berth_plan_request requests[COUNT];
	berth_plan_input input = { .requests = requests, .request_count = COUNT };
	berth_plan *plan = NULL;
	bool hit = true;

	make_requests(requests);
	ASSERT_OK(berth_plan_create(&plan, &input, NULL));
	for (unsigned n = 1; plan && hit; n++) {
		berth_plan_claim claim = berth_plan_get_claim(plan);
		berth_status st;

		test_case("allocation %u", n);
		alloc_fault_arm(n);
		st = berth_plan_check(&input, &claim);
		hit = alloc_fault_disarm();
		ASSERT_INT(st, hit ? BERTH_E_NOMEM : BERTH_OK);
	}
	berth_plan_destroy(plan);
}

int main(void)
{
	static const struct test tests[] = {
		{ "planner", planner },
		{ "validator", validator },
		{ NULL, NULL },
	};

	return test_main("plan faults", tests);
}
