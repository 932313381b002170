/* SPDX-License-Identifier: Apache-2.0 */
/* Plans put to use: on a pool, by a program that departs from them, and as a pool device. */
#include "pool_fixture.h"

#include <berth/pool_device.h>

/* The device aligns to 128 bytes: a and b share, c lies beside them. */
enum { A, B, C, REQUEST_COUNT };
static const berth_plan_request requests[REQUEST_COUNT] = {
	[A] = { 256, 0, 2, 0, BERTH_PLAN_ANYWHERE, 0, BERTH_PLAN_NO_REQUEST, false },
	[B] = { 256, 2, 4, 0, BERTH_PLAN_ANYWHERE, 0, BERTH_PLAN_NO_REQUEST, false },
	[C] = { 100, 0, 4, 0, BERTH_PLAN_ANYWHERE, 0, BERTH_PLAN_NO_REQUEST, false },
};
static berth_plan_place places[REQUEST_COUNT] = { { 0, 0 }, { 0, 0 }, { 0, 256 } };
static uint64_t arena_bytes[] = { 356 };
static const berth_plan_input input = { .requests = requests, .request_count = REQUEST_COUNT };
static const berth_plan plan = {
	.place_count = REQUEST_COUNT,
	.places = places,
	.arena_count = 1,
	.arena_bytes = arena_bytes,
	.total_bytes = 356,
};

struct stage {
	berth_device *device;
	berth_pool *pool;
};

static struct stage stage_make(uint64_t limit_bytes)
{
	berth_pool_options options = pool_fixture_options(BERTH_POOL_NAIVE);
	berth_profile profile = sim_fixture_profile();
	struct stage stage;

	options.limit_bytes = limit_bytes;
	stage.device = sim_fixture_device(&profile);
	stage.pool = pool_fixture_create(stage.device, &options);
	return stage;
}

static void stage_end(struct stage *stage)
{
	berth_pool_destroy(stage->pool);
	berth_device_destroy(stage->device);
}

static berth_planned_place take(berth_planned *planned, size_t request, uint64_t bytes)
{
	berth_planned_place place = { 0 };

	ASSERT_OK(berth_planned_take(&place, planned, request, bytes));
	return place;
}

static void keeps_to_the_plan(void)
{
	struct stage stage = stage_make(0);
	berth_planned *planned = NULL;
	berth_planned_place a, b, c;
	berth_planned_stats stats;

	ASSERT_OK(berth_planned_create(&planned, stage.pool, &input, &plan));
	CU_ASSERT_FATAL(planned != NULL);
	ASSERT_INT(pool_fixture_stats(stage.pool).held_bytes, 356);
	a = take(planned, A, 256);
	c = take(planned, C, 100);
	ASSERT_OK(berth_planned_give_back(planned, &a));
	b = take(planned, B, 200);
	ASSERT_INT(a.planned && b.planned && c.planned, true);
	ASSERT_INT(a.offset_bytes, 0);
	ASSERT_INT(b.offset_bytes, 0);
	ASSERT_INT(c.offset_bytes, 256);
	ASSERT_INT(a.storage == b.storage && b.storage == c.storage, true);
	ASSERT_OK(berth_planned_give_back(planned, &c));
	ASSERT_OK(berth_planned_give_back(planned, &b));
	ASSERT_INT(berth_planned_give_back(planned, &b), BERTH_E_STATE);
	berth_planned_get_stats(&stats, planned);
	ASSERT_INT(stats.arena_bytes, 356);
	ASSERT_INT(stats.planned, 3);
	ASSERT_INT(stats.online, 0);
	ASSERT_INT(stats.live, 0);
	/* No more than the arena was ever held. */
	ASSERT_INT(pool_fixture_stats(stage.pool).peak_held_bytes, 356);
	berth_planned_destroy(planned);
	ASSERT_INT(pool_fixture_stats(stage.pool).storages, 0);
	stage_end(&stage);
}

/* What departs is served, and never on bytes that are taken. */
static void departs_from_the_plan(void)
{
	static const struct {
		const char *name;
		bool a_is_taken;
		size_t request;
		uint64_t bytes;
		bool planned;
	} cases[] = {
		{ "as planned", false, B, 256, true },
		{ "smaller", false, B, 1, true },
		{ "larger", false, B, 257, false },
		{ "too early: another has the bytes", true, B, 256, false },
		{ "too early, and just beside", true, C, 100, true },
		{ "not planned", false, REQUEST_COUNT, 8, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stage stage = stage_make(0);
		berth_planned *planned = NULL;
		berth_planned_place a = { 0 }, place;

		test_case("%s", cases[i].name);
		ASSERT_OK(berth_planned_create(&planned, stage.pool, &input, &plan));
		CU_ASSERT_FATAL(planned != NULL);
		if (cases[i].a_is_taken)
			a = take(planned, A, 256);
		place = take(planned, cases[i].request, cases[i].bytes);
		ASSERT_INT(place.planned, cases[i].planned);
		ASSERT_INT(pool_fixture_stats(stage.pool).storages, cases[i].planned ? 1 : 2);
		ASSERT_OK(berth_planned_give_back(planned, &place));
		if (cases[i].a_is_taken)
			ASSERT_OK(berth_planned_give_back(planned, &a));
		/* The place is there again. */
		place = take(planned, B, 256);
		ASSERT_INT(place.planned, true);
		berth_planned_destroy(planned);
		stage_end(&stage);
	}
}

/* Views on neighbours of one arena: each has its own bytes. */
static void views_on_places(void)
{
	const berth_layout layout = {
		.element = BERTH_ELEMENT_UINT8, .lanes = 1, .axis_count = 1, .shape = { 100 }
	};
	struct stage stage = stage_make(0);
	berth_planned *planned = NULL;
	berth_planned_place taken[2];
	berth_view views[2];
	berth_view_info infos[2];
	unsigned char bytes[2][100], back[100];
	berth_result result;

	ASSERT_OK(berth_planned_create(&planned, stage.pool, &input, &plan));
	for (size_t i = 0; i < 2; i++) {
		berth_op write = { .kind = BERTH_OP_WRITE,
				   .form = BERTH_FORM_LINEAR,
				   .bits = BERTH_OP_BLOCKING,
				   .bytes = 100 };

		taken[i] = take(planned, i == 0 ? A : C, 100);
		ASSERT_OK(berth_view_create(&views[i], stage.pool, taken[i].storage, &layout,
					    taken[i].offset_bytes));
		ASSERT_OK(berth_view_get_info(&infos[i], stage.pool, views[i]));
		memset(bytes[i], 17 + (int)i, sizeof(bytes[i]));
		write.object = infos[i].object;
		berth_op_set_host(&write, bytes[i]);
		ASSERT_OK(berth_pool_execute(stage.pool, &write, &result));
		ASSERT_INT(result.cl_status, CL_SUCCESS);
	}
	for (size_t i = 0; i < 2; i++) {
		berth_op read = { .kind = BERTH_OP_READ,
				  .form = BERTH_FORM_LINEAR,
				  .bits = BERTH_OP_BLOCKING,
				  .object = infos[i].object,
				  .bytes = 100 };

		memset(back, 0, sizeof(back));
		berth_op_set_host(&read, back);
		ASSERT_OK(berth_pool_execute(stage.pool, &read, &result));
		CU_ASSERT(memcmp(back, bytes[i], sizeof(back)) == 0);
		ASSERT_OK(berth_view_release(stage.pool, views[i]));
		ASSERT_OK(berth_planned_give_back(planned, &taken[i]));
	}
	berth_planned_destroy(planned);
	stage_end(&stage);
}

static void no_room_for_the_plan(void)
{
	struct stage stage = stage_make(355);
	berth_planned *planned = NULL;

	ASSERT_INT(berth_planned_create(&planned, stage.pool, &input, &plan), BERTH_E_LIMIT);
	CU_ASSERT_PTR_NULL(planned);
	ASSERT_INT(pool_fixture_stats(stage.pool).storages, 0);
	stage_end(&stage);
}

/*
 * One run: x, then y with x given back, then z of @last bytes with both alive. 1024 + 1024
 * alive together at most, and z has x's bytes when it is not larger.
 */
static void perform(berth_rehearsal *rehearsal, uint64_t last)
{
	berth_planned_place x, y, z;

	ASSERT_OK(berth_rehearsal_take(&x, rehearsal, 1024));
	ASSERT_OK(berth_rehearsal_take(&y, rehearsal, 1024));
	ASSERT_OK(berth_rehearsal_give_back(rehearsal, &x));
	ASSERT_INT(berth_rehearsal_give_back(rehearsal, &x), BERTH_E_STATE);
	ASSERT_OK(berth_rehearsal_take(&z, rehearsal, last));
	CU_ASSERT(z.storage != y.storage || z.offset_bytes >= y.offset_bytes + y.bytes ||
		  y.offset_bytes >= z.offset_bytes + z.bytes);
	ASSERT_OK(berth_rehearsal_give_back(rehearsal, &z));
	ASSERT_OK(berth_rehearsal_give_back(rehearsal, &y));
}

static void rehearses(void)
{
	static const struct {
		const char *name;
		uint64_t last;
		/* afterwards, in all */
		uint64_t planned, online, departed, plans, plan_bytes;
	} runs[] = {
		{ "the first is online, then planned", 512, 0, 3, 0, 1, 2048 },
		{ "the second has the plan", 512, 3, 3, 0, 1, 2048 },
		{ "one departs: 1 take of 3, and is planned anew", 4096, 5, 4, 1, 2, 5120 },
		{ "the next has that plan", 4096, 8, 4, 1, 2, 5120 },
		{ "what is smaller fits it", 512, 11, 4, 1, 2, 5120 },
	};
	struct stage stage = stage_make(0);
	berth_rehearsal *rehearsal = NULL;
	berth_rehearsal_stats stats;

	ASSERT_OK(berth_rehearsal_create(&rehearsal, stage.pool, NULL));
	CU_ASSERT_FATAL(rehearsal != NULL);
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		test_case("%s", runs[i].name);
		perform(rehearsal, runs[i].last);
		ASSERT_OK(berth_rehearsal_end_run(rehearsal));
		berth_rehearsal_get_stats(&stats, rehearsal);
		ASSERT_INT(stats.runs, i + 1);
		ASSERT_INT(stats.planned, runs[i].planned);
		ASSERT_INT(stats.online, runs[i].online);
		ASSERT_INT(stats.departed, runs[i].departed);
		ASSERT_INT(stats.plans, runs[i].plans);
		ASSERT_INT(stats.plan_bytes, runs[i].plan_bytes);
		/* 1024 of y and what z has: the plan is at its bound */
		ASSERT_INT(stats.lower_bound_bytes, runs[i].plan_bytes);
		ASSERT_INT(pool_fixture_stats(stage.pool).in_use_bytes, runs[i].plan_bytes);
	}
	berth_rehearsal_destroy(rehearsal);
	ASSERT_INT(pool_fixture_stats(stage.pool).storages, 0);
	stage_end(&stage);
}

static void rehearsals_refused(void)
{
	struct stage stage = stage_make(2000);
	const berth_planned_place never = { .request = 7 };
	berth_rehearsal *rehearsal = NULL;
	berth_planned_place x, y;

	ASSERT_OK(berth_rehearsal_create(&rehearsal, stage.pool, NULL));
	ASSERT_INT(berth_rehearsal_give_back(rehearsal, &never), BERTH_E_STATE);
	ASSERT_OK(berth_rehearsal_take(&x, rehearsal, 1000));
	ASSERT_INT(berth_rehearsal_end_run(rehearsal), BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, "1 of the 1 places");
	/* Aligned to 128 they do not fit 2000 in one arena: 1024 + 1000. */
	ASSERT_OK(berth_rehearsal_take(&y, rehearsal, 1000));
	ASSERT_OK(berth_rehearsal_give_back(rehearsal, &x));
	ASSERT_OK(berth_rehearsal_give_back(rehearsal, &y));
	ASSERT_INT(berth_rehearsal_end_run(rehearsal), BERTH_E_LIMIT);
	/* It goes on without a plan. */
	ASSERT_OK(berth_rehearsal_take(&x, rehearsal, 1000));
	ASSERT_INT(x.planned, false);
	ASSERT_OK(berth_rehearsal_give_back(rehearsal, &x));
	ASSERT_OK(berth_rehearsal_end_run(rehearsal));
	berth_rehearsal_destroy(rehearsal);
	stage_end(&stage);
}

/* ---- the pool device ---- */

static berth_op buffer(uint64_t id, uint64_t bytes)
{
	return (berth_op){ .kind = BERTH_OP_BUFFER_CREATE,
			   .object = id,
			   .flags = CL_MEM_READ_WRITE,
			   .bytes = bytes };
}

static berth_op release(uint64_t id)
{
	return (berth_op){ .kind = BERTH_OP_RELEASE, .object = id };
}

static void a_device_on_a_plan(void)
{
	static const uint64_t objects[REQUEST_COUNT] = { [A] = 30, [B] = 20, [C] = 10 };
	const berth_op ops[] = {
		buffer(30, 256), buffer(10, 100), buffer(99, 64), release(30),
		buffer(20, 256), release(20),	  release(10),	  release(99),
	};
	berth_pool_options options = pool_fixture_options(BERTH_POOL_NAIVE);
	berth_profile profile = sim_fixture_profile();
	berth_device *inner = sim_fixture_device(&profile), *device = NULL;
	berth_pool_device_stats stats;
	berth_memory memory;

	ASSERT_INT(berth_pool_device_bind_plan(inner, objects, &input, &plan), BERTH_E_INVAL);
	ASSERT_OK(berth_pool_device_create(&device, inner, &options));
	CU_ASSERT_FATAL(device != NULL);
	ASSERT_OK(berth_pool_device_bind_plan(device, objects, &input, &plan));
	ASSERT_INT(berth_pool_device_bind_plan(device, objects, &input, &plan), BERTH_E_STATE);
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		sim_fixture_run(device, &ops[i], CL_SUCCESS, __FILE__, __LINE__);
	ASSERT_OK(berth_pool_device_get_stats(&stats, device));
	ASSERT_INT(stats.planned.planned, 3);
	ASSERT_INT(stats.planned.online, 1);
	ASSERT_INT(stats.planned.live, 0);
	ASSERT_INT(stats.pooled, 4);
	ASSERT_INT(stats.passed_through, 0);
	/* The arena, and 64 bytes of the one that is not planned. */
	berth_device_memory(device, &memory);
	ASSERT_INT(memory.peak_bytes, 356 + 64);
	berth_device_destroy(device);
}

int main(void)
{
	static const struct test tests[] = {
		{ "keeps to the plan", keeps_to_the_plan },
		{ "departs from the plan", departs_from_the_plan },
		{ "views on places", views_on_places },
		{ "no room for the plan", no_room_for_the_plan },
		{ "rehearses", rehearses },
		{ "rehearsals refused", rehearsals_refused },
		{ "a device on a plan", a_device_on_a_plan },
		{ NULL, NULL },
	};

	return test_main("planned", tests);
}
