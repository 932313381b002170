/* SPDX-License-Identifier: Apache-2.0 */
/* The validator: each promise of a plan, kept and broken by as little as can be. */
#include "test_main.h"

#include <berth/plan.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ANY BERTH_PLAN_ANYWHERE
#define NONE BERTH_PLAN_NO_REQUEST
#define MOST 4

struct claim_case {
	const char *name;
	berth_plan_caps caps;
	berth_plan_request requests[MOST];
	berth_plan_place places[MOST];
	size_t count;
	uint64_t arena_bytes[2];
	size_t arena_count;
	const char *refusal; /* NULL: the plan is good */
};

/* Two buffers that are alive together at time 1, and one that lives after both. */
#define THREE                                                                                      \
	{                                                                                          \
		{ 16, 0, 2, 0, ANY, 0, NONE, false }, { 8, 1, 3, 0, ANY, 0, NONE, false },         \
		{                                                                                  \
			24, 3, 4, 0, ANY, 0, NONE, false                                           \
		}                                                                                  \
	}

static const struct claim_case cases[] = {
	{ "good", { 0, 0, 0 }, THREE, { { 0, 0 }, { 0, 16 }, { 0, 0 } }, 3, { 24 }, 1, NULL },
	{ "one byte shared",
	  { 0, 0, 0 },
	  THREE,
	  { { 0, 0 }, { 0, 15 }, { 0, 0 } },
	  3,
	  { 24 },
	  1,
	  "requests 0 and 1: conflict" },
	{ "one byte shared from below",
	  { 0, 0, 0 },
	  THREE,
	  { { 0, 7 }, { 0, 0 }, { 0, 0 } },
	  3,
	  { 24 },
	  1,
	  "requests 1 and 0: conflict" },
	{ "not alive together",
	  { 0, 0, 0 },
	  THREE,
	  { { 0, 0 }, { 0, 16 }, { 0, 5 } },
	  3,
	  { 29 },
	  1,
	  NULL },
	{ "past the arena",
	  { 0, 0, 0 },
	  THREE,
	  { { 0, 0 }, { 0, 16 }, { 0, 0 } },
	  3,
	  { 23 },
	  1,
	  "request 1: passes its arena's end (24, where 23" },
	{ "no such arena",
	  { 0, 0, 0 },
	  THREE,
	  { { 0, 0 }, { 1, 0 }, { 0, 0 } },
	  3,
	  { 24 },
	  1,
	  "request 1: no such arena" },
	{ "two arenas",
	  { 24, 0, 0 },
	  THREE,
	  { { 0, 0 }, { 1, 0 }, { 0, 0 } },
	  3,
	  { 24, 8 },
	  2,
	  NULL },
	{ "arena too large",
	  { 23, 0, 0 },
	  { { 16, 0, 2, 0, ANY, 0, NONE, false }, { 8, 1, 3, 0, ANY, 0, NONE, false } },
	  { { 0, 0 }, { 0, 16 } },
	  2,
	  { 24 },
	  1,
	  "arena 0: 24 bytes pass the limit of 23" },
	{ "total too large",
	  { 0, 23, 0 },
	  THREE,
	  { { 0, 0 }, { 0, 16 }, { 0, 0 } },
	  3,
	  { 24 },
	  1,
	  "24 bytes pass the limit of 23" },
	{ "not aligned",
	  { 0, 0, 16 },
	  THREE,
	  { { 0, 0 }, { 0, 24 }, { 0, 0 } },
	  3,
	  { 32 },
	  1,
	  "request 1: offset not aligned (24, where 16" },
	{ "not aligned as it asks",
	  { 0, 0, 0 },
	  { { 8, 0, 1, 32, ANY, 0, NONE, false } },
	  { { 0, 16 } },
	  1,
	  { 24 },
	  1,
	  "request 0: offset not aligned (16, where 32" },
	{ "pinned",
	  { 0, 0, 0 },
	  { { 8, 0, 1, 0, 4, 0, NONE, false } },
	  { { 0, 4 } },
	  1,
	  { 12 },
	  1,
	  NULL },
	{ "not where it is pinned",
	  { 0, 0, 0 },
	  { { 8, 0, 1, 0, 4, 0, NONE, false } },
	  { { 0, 5 } },
	  1,
	  { 13 },
	  1,
	  "request 0: not at its pinned offset (5, where 4" },
	{ "pinned in a later arena",
	  { 0, 0, 0 },
	  { { 8, 0, 1, 0, 4, 0, NONE, false }, { 8, 0, 1, 0, ANY, 0, NONE, false } },
	  { { 1, 4 }, { 0, 0 } },
	  2,
	  { 12, 12 },
	  2,
	  "request 0: pinned, but not" },
	{ "groups in one arena",
	  { 0, 0, 0 },
	  { { 8, 0, 1, 0, ANY, 0, NONE, false }, { 8, 1, 2, 0, ANY, 1, NONE, false } },
	  { { 0, 0 }, { 0, 0 } },
	  2,
	  { 8 },
	  1,
	  "requests 0 and 1: of different groups" },
	{ "in place",
	  { 0, 0, 0 },
	  { { 8, 0, 2, 0, ANY, 0, NONE, false }, { 8, 1, 3, 0, ANY, 0, 0, false } },
	  { { 0, 0 }, { 0, 0 } },
	  2,
	  { 8 },
	  1,
	  NULL },
	{ "not in place",
	  { 0, 0, 0 },
	  { { 8, 0, 2, 0, ANY, 0, NONE, false }, { 8, 1, 3, 0, ANY, 0, 0, false } },
	  { { 0, 0 }, { 0, 8 } },
	  2,
	  { 16 },
	  1,
	  "request 1: not in the place of request 0" },
	{ "whole run",
	  { 0, 0, 0 },
	  { { 8, 0, 0, 0, ANY, 0, NONE, true }, { 8, 7, 8, 0, ANY, 0, NONE, false } },
	  { { 0, 0 }, { 0, 7 } },
	  2,
	  { 15 },
	  1,
	  "requests 0 and 1: conflict" },
	{ "empty ones share",
	  { 0, 0, 0 },
	  { { 0, 0, 1, 0, ANY, 0, NONE, false }, { 8, 0, 1, 0, ANY, 0, NONE, false } },
	  { { 0, 4 }, { 0, 0 } },
	  2,
	  { 8 },
	  1,
	  NULL },
};

static void expect(berth_status st, const char *refusal)
{
	if (!refusal) {
		ASSERT_OK(st);
		return;
	}
	ASSERT_INT(st, BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, refusal);
}

static void claims(void)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct claim_case *c = &cases[i];
		const berth_plan_input input = { .requests = c->requests,
						 .request_count = c->count,
						 .caps = c->caps };
		const berth_plan_claim claim = { c->places, c->count, c->arena_bytes,
						 c->arena_count };

		test_case("%s", c->name);
		expect(berth_plan_check(&input, &claim), c->refusal);
	}
}

static void places_missing(void)
{
	const berth_plan_request request = { 8, 0, 1, 0, ANY, 0, NONE, false };
	const berth_plan_input input = { .requests = &request, .request_count = 1 };
	const berth_plan_claim claim = { NULL, 0, NULL, 0 };

	expect(berth_plan_check(&input, &claim), "0 places for 1 requests");
}

/* With a conflict list, lifetimes are not read: these are all reversed. */
static void conflicts(void)
{
	static const berth_plan_request requests[] = {
		{ 8, 9, 0, 0, ANY, 0, NONE, false },
		{ 8, 9, 0, 0, ANY, 0, NONE, false },
		{ 8, 9, 0, 0, ANY, 0, NONE, false },
	};
	static const berth_plan_conflict pairs[] = { { 1, 0 } };
	static const berth_plan_place good[] = { { 0, 0 }, { 0, 8 }, { 0, 4 } };
	static const berth_plan_place bad[] = { { 0, 0 }, { 0, 7 }, { 0, 4 } };
	static const uint64_t arena = 16;
	berth_plan_input input = { requests, 3, pairs, 1, true, { 0, 0, 0 } };
	berth_plan_request whole[3];
	berth_plan_claim claim = { good, 3, &arena, 1 };

	expect(berth_plan_check(&input, &claim), NULL);
	claim.places = bad;
	expect(berth_plan_check(&input, &claim), "requests 0 and 1: conflict");
	/* Request 2 is in conflict with nobody, until it is there for the whole run. */
	for (int i = 0; i < 3; i++)
		whole[i] = requests[i];
	whole[2].whole_run = true;
	input.requests = whole;
	claim.places = good;
	expect(berth_plan_check(&input, &claim), "requests 0 and 2: conflict");
}

int main(void)
{
	static const struct test tests[] = {
		{ "claims", claims },
		{ "places missing", places_missing },
		{ "conflicts", conflicts },
		{ NULL, NULL },
	};

	return test_main("plan check", tests);
}
