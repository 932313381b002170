/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Token planning. Cases with a TVM name are those of its tests (apache/tvm, texture planner and
 * pool: tests/cpp/runtime/opencl; plans: tests/python); sizes are arithmetic beside them.
 */
#include "test_main.h"

#include <berth/token_plan.h>

#include <stdio.h>
#include <string.h>

/* One step on tokens: take (bytes, width, height, group), or give one back. */
struct step {
	berth_token_wish wish;
	int give_back;	      /* a token; -1: take */
	uint32_t token;	      /* the one expected when taking */
	uint64_t token_bytes; /* of it, afterwards */
	uint32_t count, free; /* tokens afterwards, and those of them free */
};

#define GIVE(token, count, free)                                                                   \
	{                                                                                          \
		{ 0 }, token, 0, 0, count, free                                                    \
	}
#define BYTES(wanted, token, token_bytes, count, free)                                             \
	{                                                                                          \
		{ .bytes = wanted }, -1, token, token_bytes, count, free                           \
	}
#define SIDES(w, h, element, group, token, token_bytes, count, free)                               \
	{                                                                                          \
		{ 0, w, h, element, group }, -1, token, token_bytes, count, free                   \
	}

/*
 * Texels of 4 float32 are 16 bytes, of 4 float16 8; separator of nhwc is 2, of weight 1.
 * (1,22,20,20,4) nhwc: 400 x 22 texels, pitch 6400, which 64 divides: 140800 bytes.
 * (1,40,30,30,4): 900 x 40, 14400 * 40 = 576000. (1,25,30,30,4): 360000.
 * (1,5,30,20,4): 600 x 5, 9600 * 5 = 48000. Weight (28,676,1,1,4): 676 x 28, 10816 * 28 = 302848,
 * as (1,28,26,26,4) nhwc.
 */
static const struct {
	const char *name;
	berth_token_rule rule;
	struct step steps[8];
} cases[] = {
	{ "TVM textures 1: one",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(140800, 0, 140800, 1, 0), GIVE(0, 1, 1) } },
	{ "TVM textures 2: the same again, then as a buffer",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(140800, 0, 140800, 1, 0), GIVE(0, 1, 1), BYTES(140800, 0, 140800, 1, 0),
	    GIVE(0, 1, 1), BYTES(140800, 0, 140800, 1, 0), GIVE(0, 1, 1) } },
	{ "TVM textures 3: half as wide elements",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(140800, 0, 140800, 1, 0), GIVE(0, 1, 1), BYTES(70400, 0, 140800, 1, 0),
	    GIVE(0, 1, 1) } },
	{ "TVM textures 3, by sides: another type is refused",
	  BERTH_TOKENS_BY_SIDES,
	  { SIDES(400, 22, 16, 1, 0, 140800, 1, 0), GIVE(0, 1, 1),
	    SIDES(400, 22, 8, 2, 1, 70400, 2, 1), GIVE(1, 2, 2) } },
	{ "TVM textures 4: grows, and stays grown",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(140800, 0, 140800, 1, 0), GIVE(0, 1, 1), BYTES(576000, 0, 576000, 1, 0),
	    GIVE(0, 1, 1), BYTES(360000, 0, 576000, 1, 0) } },
	/* 500 texels wider is at most the wish of 900 */
	{ "TVM textures 4, by sides: grows",
	  BERTH_TOKENS_BY_SIDES,
	  { SIDES(400, 22, 16, 1, 0, 140800, 1, 0), GIVE(0, 1, 1),
	    SIDES(900, 40, 16, 1, 0, 576000, 1, 0) } },
	{ "TVM textures 5: much smaller",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(140800, 0, 140800, 1, 0), GIVE(0, 1, 1), BYTES(48000, 0, 140800, 1, 0) } },
	/* 600 x 22 texels of 16 bytes */
	{ "TVM textures 5, by sides: wider and lower makes 600 x 22",
	  BERTH_TOKENS_BY_SIDES,
	  { SIDES(400, 22, 16, 1, 0, 140800, 1, 0), GIVE(0, 1, 1),
	    SIDES(600, 5, 16, 1, 0, 211200, 1, 0) } },
	{ "TVM textures 6: a weight's for an activation",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(302848, 0, 302848, 1, 0), GIVE(0, 1, 1), BYTES(302848, 0, 302848, 1, 0) } },
	{ "TVM textures 6, by sides: another scope is refused",
	  BERTH_TOKENS_BY_SIDES,
	  { SIDES(676, 28, 16, 1, 0, 302848, 1, 0), GIVE(0, 1, 1),
	    SIDES(676, 28, 16, 2, 1, 302848, 2, 1), GIVE(1, 2, 2) } },

	/* float16, one channel: 2 bytes a texel */
	{ "TVM pool a: grows to the larger of each side",
	  BERTH_TOKENS_BY_SIDES,
	  { SIDES(1024, 768, 2, 0, 0, 1572864, 1, 0), SIDES(64, 12455, 2, 0, 1, 1594240, 2, 0),
	    GIVE(0, 2, 1), SIDES(768, 1024, 2, 0, 0, 2097152, 2, 0) } },
	{ "TVM pool b: 12 times as wide is too far",
	  BERTH_TOKENS_BY_SIDES,
	  { SIDES(12455, 64, 2, 0, 0, 1594240, 1, 0), GIVE(0, 1, 1),
	    SIDES(1024, 768, 2, 0, 1, 1572864, 2, 1) } },
	{ "TVM pool c: so is 12 times as narrow",
	  BERTH_TOKENS_BY_SIDES,
	  { SIDES(1024, 64, 2, 0, 0, 131072, 1, 0), GIVE(0, 1, 1),
	    SIDES(12544, 64, 2, 0, 1, 1605632, 2, 1) } },

	{ "by bytes: 16 times as large serves, more does not",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(1600, 0, 1600, 1, 0), GIVE(0, 1, 1), BYTES(100, 0, 1600, 1, 0), GIVE(0, 1, 1),
	    BYTES(99, 1, 99, 2, 1) } },
	{ "by bytes: a 16th grows, less does not",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(100, 0, 100, 1, 0), GIVE(0, 1, 1), BYTES(1616, 1, 1616, 2, 1),
	    BYTES(1600, 0, 1600, 2, 0) } },
	{ "by bytes: the smallest that holds it, before one that grows",
	  BERTH_TOKENS_BY_BYTES,
	  { BYTES(90, 0, 90, 1, 0), BYTES(300, 1, 300, 2, 0), BYTES(200, 2, 200, 3, 0),
	    GIVE(0, 3, 1), GIVE(1, 3, 2), GIVE(2, 3, 3), BYTES(100, 2, 200, 3, 2),
	    BYTES(400, 1, 400, 3, 1) } },
};

static void run_step(berth_tokens *tokens, const struct step *step)
{
	uint32_t token = UINT32_MAX;

	if (step->give_back >= 0) {
		ASSERT_OK(berth_tokens_give_back(tokens, (uint32_t)step->give_back));
	} else {
		ASSERT_OK(berth_tokens_take(&token, tokens, &step->wish));
		ASSERT_INT(token, step->token);
		ASSERT_INT(berth_tokens_get(tokens, step->token)->bytes, step->token_bytes);
	}
	ASSERT_INT(berth_tokens_count(tokens), step->count);
	ASSERT_INT(berth_tokens_free_count(tokens), step->free);
}

static void steps(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_token_options options = BERTH_TOKEN_OPTIONS_INIT;
		berth_tokens *tokens;

		test_case("%s", cases[i].name);
		options.rule = cases[i].rule;
		ASSERT_OK(berth_tokens_create(&tokens, &options));
		for (size_t j = 0; j < 8 && cases[i].steps[j].count > 0; j++)
			run_step(tokens, &cases[i].steps[j]);
		berth_tokens_destroy(tokens);
	}
}

#define REQUESTS_MAX 12
#define NONE BERTH_PLAN_NO_REQUEST
/* bytes, alive in [lower, upper) */
#define R(bytes, lower, upper)                                                                     \
	{                                                                                          \
		bytes, lower, upper, 0, BERTH_PLAN_ANYWHERE, 0, NONE, false                        \
	}
#define GROUP(bytes, lower, upper, group)                                                          \
	{                                                                                          \
		bytes, lower, upper, 0, BERTH_PLAN_ANYWHERE, group, NONE, false                    \
	}
#define IN_PLACE(bytes, lower, upper, of)                                                          \
	{                                                                                          \
		bytes, lower, upper, 0, BERTH_PLAN_ANYWHERE, 0, of, false                          \
	}
#define WHOLE(bytes)                                                                               \
	{                                                                                          \
		bytes, 0, 0, 0, BERTH_PLAN_ANYWHERE, 0, NONE, true                                 \
	}

static const struct {
	const char *name;
	size_t count;
	berth_plan_request requests[REQUESTS_MAX];
	uint32_t tokens[REQUESTS_MAX];
	uint32_t token_count;
	uint64_t token_bytes[REQUESTS_MAX];
} plans[] = {
	/* x(10) and y(1) are the caller's; exp(y), add, five times exp */
	{ "TVM Relay: exp, add, exp",
	  9,
	  { WHOLE(40), WHOLE(4), R(4, 0, 2), R(40, 1, 3), R(40, 2, 4), R(40, 3, 5), R(40, 4, 6),
	    R(40, 5, 7), R(40, 6, 8) },
	  { 0, 1, 2, 3, 2, 3, 2, 3, 2 },
	  4,
	  { 40, 4, 40, 40 } },
	/* (2,4), its reshape, 8, 8, 10; what is returned is not planned */
	{ "TVM Relax: a chain with a reshape",
	  5,
	  { R(32, 0, 2), IN_PLACE(32, 1, 3, 0), R(32, 2, 4), R(32, 3, 5), R(40, 4, 6) },
	  { 0, 0, 1, 0, 1 },
	  2,
	  { 32, 40 } },
	{ "TVM Relax: float32 then int32",
	  2,
	  { GROUP(24, 0, 1, 0), GROUP(24, 1, 2, 1) },
	  { 0, 1 },
	  2,
	  { 24, 24 } },
	{ "TVM Relax: float32 twice", 2, { R(24, 0, 1), R(24, 1, 2) }, { 0, 0 }, 1, { 24 } },
	{ "TVM Relax: bool", 1, { R(6, 0, 2) }, { 0 }, 1, { 6 } },
	{ "TVM Relax: used by nothing", 1, { R(24, 0, 1) }, { 0 }, 1, { 24 } },
	{ "TVM Relax: two functions share nothing",
	  2,
	  { GROUP(32, 0, 1, 1), GROUP(40, 2, 3, 2) },
	  { 0, 1 },
	  2,
	  { 32, 40 } },
	/* (16,16) float32, then 128 of it while it lives */
	{ "TVM Relax: a view copied while its input lives",
	  2,
	  { R(1024, 0, 2), R(512, 1, 2) },
	  { 0, 1 },
	  2,
	  { 1024, 512 } },
	{ "TVM Relax: a reshape keeps its storage alive",
	  3,
	  { R(64, 0, 2), IN_PLACE(64, 1, 3, 0), R(64, 2, 4) },
	  { 0, 0, 1 },
	  2,
	  { 64, 64 } },
	/* n <= 20, m <= 5, (n, m, n - m): 20 * 5 * 20 * 4 */
	{ "TVM Relax: upper bounds of symbols",
	  2,
	  { R(8000, 0, 2), R(8000, 1, 3) },
	  { 0, 1 },
	  2,
	  { 8000, 8000 } },

	/* tensorflow/lite/delegates/gpu/common/memory_management_test.cc: lifetimes inclusive there
	 */
	{ "TensorFlow Lite: chain",
	  5,
	  { R(16, 0, 2), R(8, 1, 3), R(64, 2, 4), R(32, 3, 5), R(8, 4, 6) },
	  { 0, 1, 0, 1, 0 },
	  2,
	  { 64, 32 } },
	{ "TensorFlow Lite: complex, greedy in order",
	  9,
	  { R(32, 0, 2), R(32, 1, 5), R(8, 2, 6), R(16, 3, 6), R(8, 4, 6), R(64, 5, 8), R(8, 6, 9),
	    R(8, 7, 9), R(16, 8, 10) },
	  { 0, 1, 0, 2, 3, 1, 3, 2, 0 },
	  4,
	  { 32, 64, 16, 8 } },
	{ "nothing", 0, { R(0, 0, 1) }, { 0 }, 0, { 0 } },
	{ "zero bytes", 1, { R(0, 0, 1) }, { 0 }, 1, { 0 } },
	/* the chain grows at its second member, its token is that large from the start */
	{ "a chain is as large as its largest",
	  2,
	  { R(8, 0, 2), IN_PLACE(16, 1, 3, 0) },
	  { 0, 0 },
	  1,
	  { 16 } },
	{ "out of order in the list",
	  3,
	  { R(8, 4, 5), R(8, 0, 1), R(8, 2, 4) },
	  { 0, 0, 0 },
	  1,
	  { 8 } },
};

static void plan_cases(void)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		const berth_plan_input input = { .requests = plans[i].requests,
						 .request_count = plans[i].count };
		berth_token_plan *plan = NULL;
		uint64_t total = 0;

		test_case("%s", plans[i].name);
		ASSERT_OK(berth_token_plan_create(&plan, &input));
		CU_ASSERT_FATAL(plan != NULL);
		ASSERT_INT(plan->place_count, plans[i].count);
		ASSERT_INT(plan->token_count, plans[i].token_count);
		for (size_t j = 0; j < plans[i].count; j++)
			ASSERT_INT(plan->places[j].arena, plans[i].tokens[j]);
		for (uint32_t j = 0; j < plan->token_count && j < REQUESTS_MAX; j++) {
			ASSERT_INT(plan->token_bytes[j], plans[i].token_bytes[j]);
			total += plans[i].token_bytes[j];
		}
		ASSERT_INT(plan->total_bytes, total);
		ASSERT_OK(berth_plan_check(
			&input, &(berth_plan_claim){ plan->places, plan->place_count,
						     plan->token_bytes, plan->token_count }));
		berth_token_plan_destroy(plan);
	}
}

static const berth_plan_request reversed = R(8, 5, 5), good = R(8, 0, 1);
static const berth_plan_request pinned = { 8, 0, 1, 0, 64, 0, NONE, false };
static const berth_plan_request far_in_place = IN_PLACE(8, 0, 1, 7);
static const berth_plan_request itself[] = { IN_PLACE(8, 0, 2, 1), IN_PLACE(8, 1, 3, 0) };
static const berth_plan_request huge[] = { R(UINT64_MAX, 0, 2), R(1, 1, 2) };
static const berth_plan_request two[] = { R(80, 0, 2), R(21, 1, 2) };

static void refuses(void)
{
	static const struct {
		const char *name;
		berth_plan_input input;
		berth_status st;
		const char *detail;
	} rows[] = {
		{ "ends where it begins",
		  { .requests = &reversed, .request_count = 1 },
		  BERTH_E_INVAL,
		  "upper 5 is not after lower 5" },
		{ "pinned",
		  { .requests = &pinned, .request_count = 1 },
		  BERTH_E_UNSUPPORTED,
		  "pinned" },
		{ "in place of none",
		  { .requests = &far_in_place, .request_count = 1 },
		  BERTH_E_INVAL,
		  "in place of 7, there are 1" },
		{ "in place of itself",
		  { .requests = itself, .request_count = 2 },
		  BERTH_E_INVAL,
		  "by a chain" },
		{ "conflicts",
		  { .requests = &good, .request_count = 1, .by_conflicts = true },
		  BERTH_E_UNSUPPORTED,
		  "conflicts" },
		{ "over 64 bits",
		  { .requests = huge, .request_count = 2 },
		  BERTH_E_OVERFLOW,
		  "64 bits" },
		{ "over the largest allocation",
		  { .requests = two, .request_count = 2, .caps = { 79, 0, 0 } },
		  BERTH_E_LIMIT,
		  "request 0: 80 bytes, the largest allocation is 79" },
		{ "over the total",
		  { .requests = two, .request_count = 2, .caps = { 0, 100, 0 } },
		  BERTH_E_LIMIT,
		  "101 bytes, the limit is 100" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		berth_token_plan *plan = NULL;

		test_case("%s", rows[i].name);
		ASSERT_INT(berth_token_plan_create(&plan, &rows[i].input), rows[i].st);
		CU_ASSERT_PTR_NULL(plan);
		ASSERT_CONTAINS(berth_error_get()->message, rows[i].detail);
	}
}

static void misuse(void)
{
	berth_token_options options = BERTH_TOKEN_OPTIONS_INIT;
	const berth_token_wish wish = { .width = UINT64_MAX, .height = 2, .element_bytes = 1 };
	berth_tokens *tokens = NULL;
	uint32_t token = 77;

	options.rule = (berth_token_rule)9;
	ASSERT_INT(berth_tokens_create(&tokens, &options), BERTH_E_INVAL);
	CU_ASSERT_PTR_NULL(tokens);
	options.rule = BERTH_TOKENS_BY_SIDES;
	ASSERT_OK(berth_tokens_create(&tokens, &options));
	ASSERT_INT(berth_tokens_take(&token, tokens, &wish), BERTH_E_OVERFLOW);
	ASSERT_INT(token, 77);
	ASSERT_INT(berth_tokens_count(tokens), 0);
	ASSERT_INT(berth_tokens_give_back(tokens, 0), BERTH_E_STATE);
	berth_tokens_destroy(tokens);

	ASSERT_OK(berth_tokens_create(&tokens, NULL));
	ASSERT_OK(berth_tokens_take(&token, tokens, &(berth_token_wish){ .bytes = 5 }));
	ASSERT_OK(berth_tokens_give_back(tokens, token));
	ASSERT_INT(berth_tokens_give_back(tokens, token), BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, "free already");
	berth_tokens_destroy(tokens);
}

int main(void)
{
	static const struct test tests[] = {
		{ "steps", steps },   { "plans", plan_cases }, { "refuses", refuses },
		{ "misuse", misuse }, { NULL, NULL },
	};

	return test_main("token_plan", tests);
}
