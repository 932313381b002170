/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The planner: vectors with known answers, brute force on small ones, every kind of wish, and
 * what is refused. Every plan goes through the validator.
 */
#include "test_main.h"

#include <berth/plan.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static berth_plan_request request(uint64_t bytes, uint64_t lower, uint64_t upper)
{
	berth_plan_request made = BERTH_PLAN_REQUEST_INIT;

	made.bytes = bytes;
	made.lower = lower;
	made.upper = upper;
	return made;
}

/* Plan, and check the plan. */
static berth_plan *plan(const berth_plan_input *input, const berth_plan_options *options)
{
	berth_plan *made = NULL;
	berth_status st = berth_plan_create(&made, input, options);

	ASSERT_OK(st);
	if (st == BERTH_OK) {
		berth_plan_claim claim = berth_plan_get_claim(made);

		ASSERT_OK(berth_plan_check(input, &claim));
		CU_ASSERT_TRUE(made->total_bytes <= made->greedy_bytes);
		CU_ASSERT_TRUE(made->lower_bound_bytes <= made->proven_bytes);
		CU_ASSERT_TRUE(made->proven_bytes <= made->total_bytes);
	}
	return made;
}

static uint64_t total_of(const berth_plan_input *input)
{
	berth_plan *made = plan(input, NULL);
	uint64_t total = made ? made->total_bytes : 0;

	berth_plan_destroy(made);
	return total;
}

static void refuse(const berth_plan_input *input, berth_status status, const char *detail)
{
	berth_plan *made = NULL;

	ASSERT_INT(berth_plan_create(&made, input, NULL), status);
	ASSERT_CONTAINS(berth_error_get()->message, detail);
	CU_ASSERT_PTR_NULL(made);
	berth_plan_destroy(made);
}

struct interval {
	uint64_t first, last, bytes; /* last use, itself included */
};

/*
 * Published vectors. TensorFlow Lite, memory_management_test.cc: the chain's largest neighbours
 * are 64 + 32; "complex" has 32 + 8 + 16 + 8 + 32 alive at most. TVM, the tests of USMP: peaks as
 * stated there, which its hill climbing reaches to within 5 %.
 */
static const struct interval chain[] = {
	{ 0, 1, 16 }, { 1, 2, 8 }, { 2, 3, 64 }, { 3, 4, 32 }, { 4, 5, 8 }
};
static const struct interval complex_net[] = {
	{ 0, 1, 32 }, { 1, 4, 32 }, { 2, 5, 8 }, { 3, 5, 16 }, { 4, 5, 8 },
	{ 5, 7, 64 }, { 6, 8, 8 },  { 7, 8, 8 }, { 8, 9, 16 },
};
static const struct interval alloc_max[] = {
	{ 0, 159, 2048 }, { 0, 13, 7904 }, { 4, 35, 16 }, { 12, 17, 32768 }, { 16, 21, 32768 }
};
static const struct interval five[] = {
	{ 4, 5, 95 }, { 1, 4, 52135 }, { 3, 4, 12136 }, { 3, 5, 62099 }, { 4, 5, 50458 }
};
static const struct interval simple[] = {
	{ 0, 23, 131072 }, { 4, 5, 65568 },  { 4, 9, 8192 },	{ 8, 30, 15360 },
	{ 10, 11, 65568 }, { 10, 15, 4096 }, { 16, 17, 65552 }, { 16, 21, 2048 },
	{ 22, 23, 32784 }, { 22, 27, 1024 },
};

static void known_vectors(void)
{
	static const struct {
		const char *name;
		const struct interval *intervals;
		size_t count;
		uint64_t total;
	} cases[] = {
		{ "chain", chain, COUNT(chain), 96 },
		/* at step 5: 8 + 16 + 8 + 64; size order alone needs 104 */
		{ "complex", complex_net, COUNT(complex_net), 96 },
		/* 2048 + 16 + 2 * 32768 at steps 16 and 17 */
		{ "alloc_max", alloc_max, COUNT(alloc_max), 67600 },
		/* all at step 4 */
		{ "five", five, COUNT(five), 176923 },
		/* 131072 + 15360 + 65568 + 4096 at step 10; at 16: 214032 */
		{ "simple", simple, COUNT(simple), 216096 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_plan_request requests[16];
		berth_plan_input input = { .requests = requests, .request_count = cases[i].count };

		test_case("%s", cases[i].name);
		for (size_t k = 0; k < cases[i].count; k++)
			requests[k] =
				request(cases[i].intervals[k].bytes, cases[i].intervals[k].first,
					cases[i].intervals[k].last + 1);
		ASSERT_INT(total_of(&input), cases[i].total);
	}
}

/* Conflict lists of the tests of TVM's USMP, with the totals that its hill climbing finds. */
static void known_conflicts(void)
{
	enum { A, B, C, D, E, F, G };
	static const berth_plan_conflict all[] = { { A, B }, { B, C }, { C, A } };
	static const berth_plan_conflict linear[] = {
		{ A, B }, { B, C }, { C, D }, { D, E }, { E, F }
	};
	static const berth_plan_conflict fan_out[] = { { A, B }, { A, C }, { B, C }, { B, E },
						       { C, E }, { C, D }, { E, D }, { E, F },
						       { D, F }, { F, G }, { G, F } };
	static const struct {
		const char *name;
		uint64_t bytes[7];
		size_t count;
		const berth_plan_conflict *pairs;
		size_t pair_count;
		uint64_t total;
	} cases[] = {
		{ "all", { 10, 10, 10 }, 3, all, COUNT(all), 30 },
		/* the heaviest neighbours: c and d */
		{ "linear", { 10, 20, 100, 40, 50, 50 }, 6, linear, COUNT(linear), 140 },
		/* c, d and e all conflict: 100 + 40 + 50 */
		{ "fan out", { 10, 20, 100, 40, 50, 60, 70 }, 7, fan_out, COUNT(fan_out), 190 },
		{ "pairs apart", { 7, 9 }, 2, NULL, 0, 9 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_plan_request requests[7];
		berth_plan_input input = { requests,	   cases[i].count,
					   cases[i].pairs, cases[i].pair_count,
					   true,	   { 0, 0, 0 } };

		test_case("%s", cases[i].name);
		for (size_t k = 0; k < cases[i].count; k++)
			requests[k] = request(cases[i].bytes[k], 0, 0);
		ASSERT_INT(total_of(&input), cases[i].total);
	}
}

/* ---- brute force ---- */

#define SMALL 8

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

struct brute {
	const berth_plan_request *requests;
	uint32_t count, placed; /* bits */
	uint64_t align;
	uint64_t offset[SMALL];
	uint64_t best;
};

/* Every order, each at the lowest offset above all in conflict: one of them is the best. */
static void brute_force(struct brute *brute, uint64_t peak)
{
	if (peak >= brute->best)
		return;
	if (brute->placed == (1u << brute->count) - 1) {
		brute->best = peak;
		return;
	}
	for (uint32_t i = 0; i < brute->count; i++) {
		const berth_plan_request *a = &brute->requests[i];
		uint64_t at = 0, end;

		if (brute->placed & 1u << i)
			continue;
		for (uint32_t k = 0; k < brute->count; k++) {
			const berth_plan_request *b = &brute->requests[k];

			end = brute->offset[k] + b->bytes;
			if (brute->placed & 1u << k && a->lower < b->upper && b->lower < a->upper &&
			    end > at)
				at = end;
		}
		at = (at + brute->align - 1) / brute->align * brute->align;
		end = at + a->bytes;
		brute->offset[i] = at;
		brute->placed |= 1u << i;
		brute_force(brute, end > peak ? end : peak);
		brute->placed &= ~(1u << i);
	}
}

static void agrees_with_brute_force(void)
{
	uint64_t random = 4;

	for (int round = 0; round < 4000; round++) {
		berth_plan_request requests[SMALL];
		struct brute brute = { .requests = requests, .best = UINT64_MAX };
		berth_plan_input input = { .requests = requests };
		uint64_t total;

		test_case("round %d", round);
		brute.count = 2 + (uint32_t)next_random(&random) % (SMALL - 1);
		brute.align = 1 + next_random(&random) % 4;
		input.request_count = brute.count;
		input.caps.align_bytes = brute.align;
		for (uint32_t i = 0; i < brute.count; i++) {
			uint64_t lower = next_random(&random) % 7;

			requests[i] = request(1 + next_random(&random) % 12, lower,
					      lower + 1 + next_random(&random) % 5);
		}
		brute_force(&brute, 0);
		total = total_of(&input);
		/* The planner does not tell ends apart that are one alignment unit or less. */
		CU_ASSERT_TRUE(total >= brute.best);
		ASSERT_INT((total + brute.align - 1) / brute.align,
			   (brute.best + brute.align - 1) / brute.align);
	}
}

/*
 * Requests that fill a capacity to the last byte at every time: where a gap cannot be had, and the
 * bound cannot always be reached. False when there are too many.
 */
static bool make_tight(berth_plan_request *requests, uint32_t *count, uint64_t *random)
{
	uint64_t capacity = 5 + next_random(random) % 3, times = 4 + next_random(random) % 3;

	*count = 0;
	for (uint64_t time = 0; time < times; time++) {
		uint64_t left = capacity;

		for (uint32_t i = 0; i < *count; i++)
			if (requests[i].upper > time)
				left -= requests[i].bytes;
		while (left > 0) {
			uint64_t bytes = 1 + next_random(random) % 3;

			if (*count == SMALL)
				return false;
			bytes = bytes < left ? bytes : left;
			requests[(*count)++] =
				request(bytes, time, time + 1 + next_random(random) % 3);
			left -= bytes;
		}
	}
	return true;
}

static void agrees_where_it_is_tight(void)
{
	uint64_t random = 99;
	int rounds = 0;

	while (rounds < 1000) {
		berth_plan_request requests[SMALL];
		struct brute brute = { .requests = requests, .align = 1, .best = UINT64_MAX };
		berth_plan_input input = { .requests = requests };

		if (!make_tight(requests, &brute.count, &random))
			continue;
		test_case("round %d", rounds++);
		input.request_count = brute.count;
		brute_force(&brute, 0);
		ASSERT_INT(total_of(&input), brute.best);
	}
}

/*
 * 5 bytes are alive at every time, and all 8! orders need 6 (by the brute force above): the
 * planner must prove that, not give up.
 */
static void proves_above_the_bound(void)
{
	berth_plan_request requests[] = {
		request(2, 0, 2), request(3, 0, 3), request(1, 2, 4), request(1, 2, 5),
		request(1, 3, 5), request(2, 3, 4), request(3, 4, 6), request(2, 5, 8),
	};
	struct brute brute = { .requests = requests, .count = 8, .align = 1, .best = UINT64_MAX };
	berth_plan_input input = { .requests = requests, .request_count = COUNT(requests) };
	berth_plan *made = plan(&input, NULL);

	brute_force(&brute, 0);
	ASSERT_INT(brute.best, 6);
	if (made) {
		ASSERT_INT(made->lower_bound_bytes, 5);
		ASSERT_INT(made->total_bytes, 6);
		ASSERT_INT(made->proven_bytes, 6);
		ASSERT_INT(made->stopped, BERTH_PLAN_STOP_OPTIMAL);
	}
	berth_plan_destroy(made);
}

/*
 * Aligned to 16, one of three sizes lies on top of the other two: 16 + 16 + the top one. What is
 * said to be optimal is as small as what was proven, and else no further away than an alignment.
 */
static void optimal_is_what_was_proven(void)
{
	static const uint64_t sizes[][3] = {
		{ 10, 10, 10 }, { 10, 15, 16 }, { 15, 10, 16 }, { 16, 16, 16 }, { 1, 2, 3 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++) {
		berth_plan_request requests[3];
		berth_plan_input input = { .requests = requests, .request_count = 3,
					   .caps.align_bytes = 16 };
		berth_plan *made;

		for (int k = 0; k < 3; k++)
			requests[k] = request(sizes[i][k], 0, 1);
		test_case("%" PRIu64 ", %" PRIu64 ", %" PRIu64, sizes[i][0], sizes[i][1],
			  sizes[i][2]);
		made = plan(&input, NULL);
		if (!made)
			continue;
		CU_ASSERT(made->total_bytes >= made->proven_bytes);
		CU_ASSERT(made->total_bytes - made->proven_bytes < 16);
		ASSERT_INT(made->stopped, made->total_bytes == made->proven_bytes
						  ? BERTH_PLAN_STOP_OPTIMAL
						  : BERTH_PLAN_STOP_ROUNDED);
		berth_plan_destroy(made);
	}
}

/* ---- wishes ---- */

/* Arena planning as a device allocator of a compiler runtime has it: 10, 10, then 20 for one. */
static void alignment(void)
{
	berth_plan_request requests[3] = { request(10, 0, 2), request(10, 1, 4),
					   request(20, 3, 4) };
	berth_plan_input input = { .requests = requests, .request_count = 3 };
	berth_plan *made;

	input.caps.align_bytes = 10;
	test_case("by 10: 10 + 20 at time 3");
	ASSERT_INT(total_of(&input), 30);

	test_case("by 64: 65 and 64 together need 128 + 64, in either order less the slack");
	requests[0] = request(65, 0, 1);
	requests[1] = request(64, 0, 1);
	input.request_count = 2;
	input.caps.align_bytes = 64;
	made = plan(&input, NULL);
	CU_ASSERT_TRUE(made && (made->total_bytes == 192 || made->total_bytes == 129));
	berth_plan_destroy(made);

	test_case("mixed: 6 at a multiple of 4, 3 anywhere, 5 at a multiple of 6");
	requests[0] = request(6, 0, 1);
	requests[0].align_bytes = 4;
	requests[1] = request(3, 0, 1);
	requests[2] = request(5, 0, 1);
	requests[2].align_bytes = 6;
	input.request_count = 3;
	input.caps.align_bytes = 0;
	/* 6 at 0, 5 at 6, 3 at 11 */
	ASSERT_INT(total_of(&input), 14);
}

static void pins(void)
{
	berth_plan_request requests[4] = { request(8, 0, 4), request(8, 0, 4), request(4, 0, 4),
					   request(100, 9, 10) };
	berth_plan_input input = { .requests = requests, .request_count = 4 };
	berth_plan *made;

	requests[0].pinned_offset_bytes = 8;
	requests[3].pinned_offset_bytes = 2;
	made = plan(&input, NULL);
	/* 8 at 8, 8 below it, 4 above it; and 2 + 100 at another time */
	ASSERT_INT(made ? made->total_bytes : 0, 102);
	berth_plan_destroy(made);

	test_case("run into each other");
	requests[1].pinned_offset_bytes = 15;
	refuse(&input, BERTH_E_LIMIT, "pinned requests");
	requests[1].pinned_offset_bytes = 16;
	ASSERT_INT(total_of(&input), 102);

	test_case("not aligned");
	requests[1].align_bytes = 3;
	refuse(&input, BERTH_E_INVAL, "request 1: pinned at offset 16");
}

static void in_place(void)
{
	/* a -> b -> c share 16 bytes for the whole time; d, alive with b, needs 8 more. */
	berth_plan_request requests[4] = { request(16, 0, 2), request(8, 1, 3), request(12, 3, 5),
					   request(8, 2, 3) };
	berth_plan_input input = { .requests = requests, .request_count = 4 };
	berth_plan *made;

	requests[1].in_place_of = 0;
	requests[2].in_place_of = 1;
	made = plan(&input, NULL);
	ASSERT_INT(made ? made->total_bytes : 0, 24);
	if (made) {
		ASSERT_INT(made->places[1].offset_bytes, made->places[0].offset_bytes);
		ASSERT_INT(made->places[2].offset_bytes, made->places[0].offset_bytes);
	}
	berth_plan_destroy(made);

	test_case("taken over twice");
	requests[2].in_place_of = 0;
	requests[2].lower = 1;
	refuse(&input, BERTH_E_INVAL,
	       "request 2: in place of request 0, which request 1 takes over");
	test_case("starts after its end");
	requests[2] = request(12, 4, 5);
	requests[2].in_place_of = 1;
	refuse(&input, BERTH_E_INVAL, "request 2: starts at 4, but takes over request 1");
	test_case("a ring");
	requests[1] = request(8, 2, 3);
	requests[1].in_place_of = 2;
	requests[2] = request(8, 2, 3);
	requests[2].in_place_of = 1;
	refuse(&input, BERTH_E_INVAL, "request 1: in place of itself, by others");
}

static void arenas(void)
{
	/* Three of 40 together, and one of 100 alone: at most 100 an arena. */
	berth_plan_request requests[4] = { request(40, 0, 1), request(40, 0, 1), request(40, 0, 1),
					   request(100, 1, 2) };
	berth_plan_input input = { .requests = requests, .request_count = 4 };
	berth_plan *made;

	input.caps.max_arena_bytes = 100;
	made = plan(&input, NULL);
	if (made) {
		/* two of 40 beside each other in one arena, the third in another */
		ASSERT_INT(made->arena_count, 2);
		ASSERT_INT(made->total_bytes, 140);
		ASSERT_INT(made->lower_bound_bytes, 120);
	}
	berth_plan_destroy(made);

	test_case("groups");
	input.caps.max_arena_bytes = 0;
	requests[1].arena_group = 7;
	made = plan(&input, NULL);
	if (made) {
		ASSERT_INT(made->arena_count, 2);
		ASSERT_INT(made->arena_group[1], 7);
		ASSERT_INT(made->arena_bytes[0], 100);
		ASSERT_INT(made->arena_bytes[1], 40);
	}
	berth_plan_destroy(made);

	test_case("too large for any arena");
	input.caps.max_arena_bytes = 99;
	refuse(&input, BERTH_E_LIMIT, "request 3: 100 bytes do not fit an arena of at most 99");
	test_case("total");
	input.caps.max_arena_bytes = 0;
	input.caps.max_total_bytes = 139;
	refuse(&input, BERTH_E_LIMIT,
	       "140 bytes, above the limit of 139; no plan needs less than 140");
}

/* A video decoder's graph of 1664 MiB where one buffer may have 1024: two arenas, none straddled.
 */
static void more_than_the_device_allows(void)
{
	const uint64_t mib = 1 << 20;
	berth_plan_request requests[13];
	berth_plan_input input = { .requests = requests, .request_count = COUNT(requests) };
	berth_plan *made;

	for (uint32_t i = 0; i < COUNT(requests); i++)
		requests[i] = request(128 * mib, 0, 10);
	input.caps.max_arena_bytes = 1024 * mib;
	made = plan(&input, NULL);
	if (made) {
		ASSERT_INT(made->arena_count, 2);
		ASSERT_INT(made->total_bytes / mib, 1664);
	}
	berth_plan_destroy(made);
}

static void whole_run(void)
{
	berth_plan_request requests[3] = { request(8, 0, 1), request(8, 5, 6), request(100, 0, 0) };
	berth_plan_input input = { .requests = requests, .request_count = 3 };

	requests[2].whole_run = true;
	ASSERT_INT(total_of(&input), 108);
}

static void nothing_much(void)
{
	berth_plan_request requests[2] = { request(0, 0, 1), request(0, 0, 1) };
	berth_plan_input input = { .requests = requests };
	berth_plan *made = plan(&input, NULL);

	ASSERT_INT(made ? made->arena_count : 9, 0);
	berth_plan_destroy(made);
	input.request_count = 2;
	made = plan(&input, NULL);
	ASSERT_INT(made ? made->total_bytes : 9, 0);
	ASSERT_INT(made ? made->arena_count : 9, 1);
	berth_plan_destroy(made);
}

/* ---- what is refused ---- */

static void wrong_input(void)
{
	berth_plan_request requests[3] = { request(8, 0, 1), request(8, 3, 3), request(8, 0, 1) };
	berth_plan_input input = { .requests = requests, .request_count = 3 };
	static const berth_plan_conflict far = { 0, 3 }, self = { 1, 1 };

	test_case("no lifetime");
	refuse(&input, BERTH_E_INVAL, "request 1: alive from 3 up to 3");
	test_case("reversed");
	requests[1].upper = 2;
	refuse(&input, BERTH_E_INVAL, "request 1: alive from 3 up to 2");
	test_case("sizes");
	requests[1] = request(UINT64_MAX - 7, 0, 1);
	refuse(&input, BERTH_E_OVERFLOW, "request 1: ");
	test_case("pinned at the end of the world");
	requests[1] = request(8, 0, 1);
	requests[1].pinned_offset_bytes = UINT64_MAX - 8;
	refuse(&input, BERTH_E_LIMIT, "request 1: ");
	test_case("alignments");
	requests[1] = request(8, 0, 1);
	requests[1].align_bytes = UINT64_MAX;
	refuse(&input, BERTH_E_INVAL, "request 1: its alignment");
	requests[1] = request(8, 0, 1);
	requests[1].in_place_of = 5;
	test_case("in place of nothing");
	refuse(&input, BERTH_E_INVAL, "request 1: in place of request 5, but there are 3");
	requests[1] = request(8, 0, 1);
	input.by_conflicts = true;
	input.conflict_count = 1;
	input.conflicts = &far;
	refuse(&input, BERTH_E_INVAL, "conflict 0: of requests 0 and 3");
	input.conflicts = &self;
	refuse(&input, BERTH_E_INVAL, "conflict 0: request 1 with itself");
}

static void wrong_options(void)
{
	berth_plan_options options = BERTH_PLAN_OPTIONS_INIT;
	berth_plan_input input = { 0 };
	berth_plan *made = NULL;

	options.size = 4;
	ASSERT_INT(berth_plan_create(&made, &input, &options), BERTH_E_INVAL);
	options.size = sizeof(options);
	options.last_tier = 0;
	ASSERT_INT(berth_plan_create(&made, &input, &options), BERTH_E_INVAL);
	CU_ASSERT_PTR_NULL(made);
}

/* ---- effort ---- */

#define MANY 300

static void make_many(berth_plan_request *requests, uint64_t seed)
{
	for (uint32_t i = 0; i < MANY; i++) {
		uint64_t lower = next_random(&seed) % 100;

		requests[i] = request((1 + next_random(&seed) % 1000) * 16, lower,
				      lower + 1 + next_random(&seed) % 30);
	}
}

static void same_seed_same_plan(void)
{
	berth_plan_request requests[MANY];
	berth_plan_input input = { .requests = requests, .request_count = MANY };
	berth_plan_options options = BERTH_PLAN_OPTIONS_INIT;
	berth_plan *first, *second;

	make_many(requests, 9);
	options.time_budget_ns = 20000000;
	options.seed = 5;
	first = plan(&input, &options);
	second = plan(&input, &options);
	/* Only the clock may make two plans differ, and then it says so. */
	if (first && second && first->stopped != BERTH_PLAN_STOP_TIME &&
	    second->stopped != BERTH_PLAN_STOP_TIME) {
		ASSERT_INT(first->work, second->work);
		ASSERT_INT(memcmp(first->places, second->places, MANY * sizeof(*first->places)), 0);
	}
	berth_plan_destroy(first);
	berth_plan_destroy(second);
}

static void tiers_never_get_worse(void)
{
	berth_plan_request requests[MANY];
	berth_plan_input input = { .requests = requests, .request_count = MANY };
	berth_plan_options options = BERTH_PLAN_OPTIONS_INIT;
	uint64_t before = UINT64_MAX;

	make_many(requests, 10);
	options.time_budget_ns = 50000000;
	for (int tier = BERTH_PLAN_TIER_GREEDY; tier <= BERTH_PLAN_TIER_VARY; tier++) {
		berth_plan *made;

		test_case("%s", berth_plan_tier_string((berth_plan_tier)tier));
		options.last_tier = (berth_plan_tier)tier;
		made = plan(&input, &options);
		if (made) {
			CU_ASSERT_TRUE(made->total_bytes <= before ||
				       tier > BERTH_PLAN_TIER_SEARCH);
			CU_ASSERT_TRUE(made->tier <= options.last_tier);
			before = made->total_bytes;
		}
		berth_plan_destroy(made);
	}
}

/* Lifetimes by chance, sizes of all magnitudes; many enough to be planned window by window. */
#define LARGE 2500

static void large(void)
{
	berth_plan_request *requests = calloc(LARGE, sizeof(*requests));
	berth_plan_input input = { .requests = requests, .request_count = LARGE };
	berth_plan_options options = BERTH_PLAN_OPTIONS_INIT;
	berth_plan *first, *second;
	uint64_t seed = 12;

	CU_ASSERT_PTR_NOT_NULL_FATAL(requests);
	for (uint32_t i = 0; i < LARGE; i++) {
		uint64_t most = (uint64_t)1 << next_random(&seed) % 16;
		uint64_t lower = next_random(&seed) % LARGE;

		requests[i] = request(1 + next_random(&seed) % most, lower,
				      lower + 1 + next_random(&seed) % 100);
	}
	options.time_budget_ns = 200000000;
	options.last_tier = BERTH_PLAN_TIER_LOCAL;
	first = plan(&input, &options);
	second = plan(&input, &options);
	if (first && second && first->stopped != BERTH_PLAN_STOP_TIME &&
	    second->stopped != BERTH_PLAN_STOP_TIME) {
		CU_ASSERT_TRUE(first->total_bytes < first->greedy_bytes ||
			       first->total_bytes == first->proven_bytes);
		ASSERT_INT(first->work, second->work);
		ASSERT_INT(memcmp(first->places, second->places, LARGE * sizeof(*first->places)),
			   0);
	}
	berth_plan_destroy(first);
	berth_plan_destroy(second);
	free(requests);
}

static bool give_up(void *userdata)
{
	++*(int *)userdata;
	return true;
}

static void cancelled(void)
{
	berth_plan_request requests[MANY];
	berth_plan_input input = { .requests = requests, .request_count = MANY };
	berth_plan_options options = BERTH_PLAN_OPTIONS_INIT;
	int asked = 0;
	berth_plan *made;

	make_many(requests, 11);
	options.cancelled = give_up;
	options.userdata = &asked;
	made = plan(&input, &options);
	if (made && made->total_bytes > made->proven_bytes)
		ASSERT_INT(made->stopped, BERTH_PLAN_STOP_CANCELLED);
	ASSERT_INT(asked, 1);
	berth_plan_destroy(made);
}

int main(void)
{
	static const struct test tests[] = {
		{ "known vectors", known_vectors },
		{ "known conflicts", known_conflicts },
		{ "agrees with brute force", agrees_with_brute_force },
		{ "agrees where it is tight", agrees_where_it_is_tight },
		{ "proves above the bound", proves_above_the_bound },
		{ "optimal is what was proven", optimal_is_what_was_proven },
		{ "alignment", alignment },
		{ "pins", pins },
		{ "in place", in_place },
		{ "arenas", arenas },
		{ "more than the device allows", more_than_the_device_allows },
		{ "whole run", whole_run },
		{ "nothing much", nothing_much },
		{ "wrong input", wrong_input },
		{ "wrong options", wrong_options },
		{ "same seed, same plan", same_seed_same_plan },
		{ "tiers never get worse", tiers_never_get_worse },
		{ "large", large },
		{ "cancelled", cancelled },
		{ NULL, NULL },
	};

	return test_main("plan", tests);
}
