/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each allocation of what surrounds the planner fails once: the answer is BERTH_E_NOMEM, the
 * out parameter stays as it was, no file appears, and what is there goes on to work.
 */
#include "alloc_fault.h"
#include "pool_fixture.h"
#include "sample_trace.h"
#include "scratch.h"

#include <unistd.h>

#include <berth/plan_output.h>
#include <berth/planned.h>
#include <berth/token_plan.h>

static const char table[] = "id,lower,upper,size\na,0,3,4096\nb,3,9,4096\nc,0,9,128\n";
static const char lists[] = "MODEL m\nALLOC 1 100\nALLOC 2 100\nFREE 1\nFREE 2\nMODEL n\n";

/* What the scenarios work on, made without faults. */
static berth_plan_source *source;
static berth_plan *plan;
static berth_pool *pool;

static berth_status load(const char *name)
{
	berth_plan_source *loaded = NULL;
	berth_status st = berth_plan_source_load(&loaded, scratch_path("%s", name), NULL);

	CU_ASSERT_EQUAL(st == BERTH_OK, loaded != NULL);
	berth_plan_source_destroy(loaded);
	return st;
}

static berth_status load_table(void)
{
	return load("table");
}

static berth_status load_lists(void)
{
	return load("lists");
}

static berth_status load_trace(void)
{
	return load("t.db");
}

static berth_status load_plan(void)
{
	berth_plan_file *file = NULL;
	berth_status st = berth_plan_file_load(&file, scratch_path("plan.csv"), &source->models[0]);

	CU_ASSERT_EQUAL(st == BERTH_OK, file != NULL);
	berth_plan_file_destroy(file);
	return st;
}

static berth_status draw(void)
{
	const char *path = scratch_path("plan.svg");
	berth_status st = berth_plan_svg_write(path, "", &source->models[0], plan);

	CU_ASSERT_EQUAL(st == BERTH_OK, file_exists(path));
	return st;
}

static berth_status plan_tokens(void)
{
	berth_token_plan *tokens = NULL;
	berth_status st = berth_token_plan_create(&tokens, &source->models[0].input);

	CU_ASSERT_EQUAL(st == BERTH_OK, tokens != NULL);
	berth_token_plan_destroy(tokens);
	return st;
}

/* Arenas are taken and given back: the pool ends as it began. */
static berth_status put_to_use(void)
{
	berth_planned *planned = NULL;
	berth_planned_place place = { 0 };
	berth_status st = berth_planned_create(&planned, pool, &source->models[0].input, plan);

	CU_ASSERT_EQUAL(st == BERTH_OK, planned != NULL);
	if (st == BERTH_OK) {
		st = berth_planned_take(&place, planned, 0, 4096);
		CU_ASSERT_EQUAL(st == BERTH_OK, place.storage != 0);
	}
	berth_planned_destroy(planned);
	ASSERT_INT(pool_fixture_stats(pool).storages, 0);
	return st;
}

/* The planner may do without what it cannot have: then there is a plan. */
static berth_status rehearse(void)
{
	berth_planned_place place;
	berth_rehearsal *rehearsal = NULL;
	berth_status st = berth_rehearsal_create(&rehearsal, pool, NULL), given;

	if (st == BERTH_OK)
		st = berth_rehearsal_take(&place, rehearsal, 4096);
	if (st == BERTH_OK) {
		given = berth_rehearsal_give_back(rehearsal, &place);
		ASSERT_INT(given, BERTH_OK);
		st = berth_rehearsal_end_run(rehearsal);
	}
	berth_rehearsal_destroy(rehearsal);
	ASSERT_INT(pool_fixture_stats(pool).storages, 0);
	return st;
}

static const struct {
	const char *name;
	berth_status (*perform)(void);
	bool is_counted;
} scenarios[] = {
	{ "load a table", load_table, true },
	{ "load lists", load_lists, false },
	{ "load a trace", load_trace, true },
	{ "load a plan", load_plan, true },
	{ "draw", draw, true },
	{ "plan by tokens", plan_tokens, true },
	{ "put to use", put_to_use, false },
	{ "rehearse", rehearse, false },
};

/* @return whether an allocation failed. */
static bool run_with_fault(size_t scenario, unsigned n)
{
	berth_status st;
	bool failed;
	long live;

	test_case("%s, allocation %u", scenarios[scenario].name, n);
	unlink(scratch_path("plan.svg"));
	live = alloc_fault_live();
	alloc_fault_arm(n);
	st = scenarios[scenario].perform();
	failed = alloc_fault_disarm();
	/* Pools keep records for later, and getline() allocates where nobody counts. */
	if (scenarios[scenario].is_counted)
		ASSERT_INT(alloc_fault_live(), live);
	if (!failed)
		ASSERT_OK(st);
	else if (st != BERTH_OK || scenarios[scenario].perform != rehearse)
		ASSERT_INT(st, BERTH_E_NOMEM);
	return failed;
}

static void write_text(const char *name, const char *text)
{
	file_write(scratch_path("%s", name), text, strlen(text));
}

static void faults(void)
{
	berth_profile profile = sim_fixture_profile();
	berth_device *device = sim_fixture_device(&profile);
	const berth_pool_options options = pool_fixture_options(BERTH_POOL_NAIVE);

	scratch_make();
	write_text("table", table);
	write_text("lists", lists);
	ASSERT_OK(sample_small(scratch_path("t.db")));
	ASSERT_OK(berth_plan_source_load(&source, scratch_path("table"), NULL));
	CU_ASSERT_FATAL(source != NULL);
	ASSERT_OK(berth_plan_create(&plan, &source->models[0].input, NULL));
	CU_ASSERT_FATAL(plan != NULL);
	ASSERT_OK(berth_plan_file_write(scratch_path("plan.csv"), &source->models[0], plan));
	pool = pool_fixture_create(device, &options);
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		unsigned n = 1;

		while (run_with_fault(i, n))
			n++;
		/* There was something to fail. */
		CU_ASSERT(n > 1);
	}
	berth_pool_destroy(pool);
	berth_device_destroy(device);
	berth_plan_destroy(plan);
	berth_plan_source_destroy(source);
	scratch_remove();
}

int main(void)
{
	static const struct test tests[] = {
		{ "faults", faults },
		{ NULL, NULL },
	};

	return test_main("plan_faults", tests);
}
