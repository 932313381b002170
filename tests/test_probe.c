/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The probe on simulated devices: each rule is tried from both sides, a device that keeps to
 * the specification agrees, one that departs is found and learnt, and the trace says the same.
 */
#include "scratch.h"
#include "test_main.h"

#include <berth/open.h>
#include <berth/probe.h>
#include <berth/replay.h>

#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static berth_probe *probe_of(const char *device, const char *const *only)
{
	berth_probe_options options = BERTH_PROBE_OPTIONS_INIT;
	berth_probe *probe = NULL;

	options.only = only;
	ASSERT_OK(berth_probe_run(&probe, device, &options));
	CU_ASSERT_PTR_NOT_NULL_FATAL(probe);
	return probe;
}

static bool has_case(const berth_probe *probe, const berth_rule *rule, bool breaks)
{
	const berth_probe_case *one;

	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		if (one->rule == rule && one->breaks == breaks)
			return true;
	return false;
}

/* The rows that a memory model decides have no boundary that an op could be made for. */
static bool decided_by_memory_model(const char *rule)
{
	static const char *const rows[] = {
		"R5", "R30", "R39", "R53", "R160.memory", "R170.memory"
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i], rule) == 0)
			return true;
	return false;
}

static void every_rule_from_both_sides(void)
{
	berth_probe_options options = BERTH_PROBE_OPTIONS_INIT;
	berth_probe *probe = NULL;
	const berth_rule *rule;

	options.plan_only = true;
	ASSERT_OK(berth_probe_run(&probe, "sim:spec-minimum", &options));
	for (size_t i = 0; (rule = berth_rules_at(i)); i++) {
		if (decided_by_memory_model(rule->id))
			continue;
		test_case("%s broken", rule->id);
		CU_ASSERT_TRUE(has_case(probe, rule, true));
		test_case("%s kept", rule->id);
		CU_ASSERT_TRUE(has_case(probe, rule, false));
	}
	berth_probe_destroy(probe);
}

static void write_profile(const char *path, berth_profile *profile)
{
	char *text = NULL;
	FILE *file = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	ASSERT_OK(berth_profile_to_text(&text, profile));
	fputs(text, file);
	fclose(file);
	free(text);
}

static void depart(berth_profile *profile, const char *rule, berth_deviation_answer answer,
		   int32_t code)
{
	const berth_deviation deviation = { berth_rules_find(rule), 0, 0, answer, code };

	ASSERT_OK(berth_deviations_add(&profile->deviations, &deviation));
}

static const berth_probe_case *find_case(const berth_probe *probe, const char *rule, bool breaks)
{
	const berth_probe_case *one;

	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		if (strcmp(one->rule->id, rule) == 0 && one->breaks == breaks)
			return one;
	return NULL;
}

static void outcomes(void)
{
	static const struct {
		const char *rule;
		bool breaks;
		berth_probe_outcome outcome;
		int32_t answer;
	} cases[] = {
		{ "R24", true, BERTH_PROBE_DEVIATES, CL_INVALID_VALUE },
		{ "R24", false, BERTH_PROBE_AGREES, CL_SUCCESS },
		{ "R28", true, BERTH_PROBE_DEVIATES, CL_SUCCESS },
		{ "R37", true, BERTH_PROBE_CRASHES, CL_SUCCESS },
		{ "R36", true, BERTH_PROBE_AGREES, CL_INVALID_VALUE },
	};
	const char *path = scratch_path("odd.ini");
	berth_profile profile;
	char device[300];
	berth_probe *probe;

	ASSERT_OK(berth_profile_load(&profile, "spec-minimum"));
	depart(&profile, "R24", BERTH_DEVIATION_CODE, CL_INVALID_VALUE);
	depart(&profile, "R28", BERTH_DEVIATION_ACCEPT, 0);
	depart(&profile, "R37", BERTH_DEVIATION_CRASH, 0);
	write_profile(path, &profile);
	snprintf(device, sizeof(device), "sim:%s", path);
	probe = probe_of(device, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const berth_probe_case *one = find_case(probe, cases[i].rule, cases[i].breaks);

		test_case("%s", cases[i].rule);
		CU_ASSERT_PTR_NOT_NULL_FATAL(one);
		ASSERT_INT(one->outcome, cases[i].outcome);
		ASSERT_INT(one->answer, cases[i].answer);
	}
	berth_probe_destroy(probe);
}

static void count_difference(const berth_probe_case *one, void *userdata)
{
	(void)one;
	++*(size_t *)userdata;
}

/* Builtin profiles with deviations are learnt so that nothing is left to explain. */
static void learnt(void)
{
	size_t differences = 0;
	berth_probe *probe = probe_of("sim:spec-minimum", NULL);
	berth_profile profile;

	ASSERT_OK(berth_probe_learn(&profile, probe, count_difference, &differences));
	ASSERT_INT(differences, 0);
	ASSERT_INT(profile.deviations.count, 0);
	ASSERT_INT(profile.deviations.first_count, 0);
	berth_probe_destroy(probe);
}

static void the_trace_says_the_same(void)
{
	const char *path = scratch_path("probe.db");
	berth_probe *probe = probe_of("sim:spec-minimum", NULL);
	berth_replay_report report;
	berth_device *device = NULL;
	berth_trace *trace = NULL;

	ASSERT_OK(berth_probe_record(probe, path));
	ASSERT_OK(berth_trace_open(&trace, path));
	ASSERT_OK(berth_device_open(&device, "sim:spec-minimum", NULL));
	ASSERT_OK(berth_replay_run(trace, device, NULL, &report));
	CU_ASSERT_TRUE(report.executed > berth_probe_count(probe));
	ASSERT_INT(report.divergences, 0);
	berth_device_destroy(device);
	berth_trace_close(trace);
	berth_probe_destroy(probe);
}

static void only_some_rules(void)
{
	static const char *const only[] = { "R101", NULL }, *const none[] = { "R0", NULL };
	berth_probe_options options = BERTH_PROBE_OPTIONS_INIT;
	berth_probe *probe = probe_of("sim:spec-minimum", only), *untouched = probe;
	const berth_probe_case *one;

	CU_ASSERT_TRUE(berth_probe_count(probe) > 10);
	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		CU_ASSERT_EQUAL(strncmp(one->rule->id, "R101.", 5), 0);
	options.only = none;
	ASSERT_INT(berth_probe_run(&untouched, "sim:spec-minimum", &options), BERTH_E_NOT_FOUND);
	options.size = 1;
	ASSERT_INT(berth_probe_run(&untouched, "sim:spec-minimum", &options), BERTH_E_INVAL);
	ASSERT_INT(berth_probe_run(&untouched, "sim:nothing", NULL), BERTH_E_NOT_FOUND);
	CU_ASSERT_PTR_EQUAL(untouched, probe);
	berth_probe_destroy(probe);
	berth_probe_destroy(NULL);
}

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

/* Counts on an NVIDIA H200, and what pages of 4 KiB would give at 1 GiB. */
static void memory_that_explains_the_counts(void)
{
	static const berth_probe_filled h200[] = {
		{ 1, 3096577, CL_SUCCESS, false },
		{ 64 * KIB, 2282016, CL_MEM_OBJECT_ALLOCATION_FAILURE, true },
		{ 3 * MIB, 35656, CL_MEM_OBJECT_ALLOCATION_FAILURE, true },
		{ GIB, 139, CL_MEM_OBJECT_ALLOCATION_FAILURE, true },
	};
	static const berth_probe_filled pages[] = {
		{ 1, 262144, CL_MEM_OBJECT_ALLOCATION_FAILURE, true },
		{ 5000, 131072, CL_MEM_OBJECT_ALLOCATION_FAILURE, true },
	};
	/* as many of 1 GiB as of 3 MiB: nothing explains that */
	static const berth_probe_filled never[] = {
		{ 3 * MIB, 100, CL_OUT_OF_RESOURCES, true },
		{ GIB, 100, CL_OUT_OF_RESOURCES, true },
	};
	berth_memory_model model = { .granularity_bytes = 7 };

	ASSERT_OK(berth_probe_fit_memory(&model, h200, 4));
	ASSERT_INT(model.granularity_bytes, 2 * MIB);
	ASSERT_INT(model.shared_up_to_bytes, MIB);
	/* 2282016 of 64 KiB; 139 GiB and 35656 of 4 MiB are less, one more of each is more */
	ASSERT_INT(model.capacity_bytes, 2282016 * 64 * KIB);
	ASSERT_OK(berth_probe_fit_memory(&model, pages, 2));
	ASSERT_INT(model.granularity_bytes, 4096);
	ASSERT_INT(model.shared_up_to_bytes, 0);
	ASSERT_INT(model.capacity_bytes, GIB);
	ASSERT_INT(berth_probe_fit_memory(&model, never, 2), BERTH_E_NOT_FOUND);
	ASSERT_INT(model.granularity_bytes, 4096);
}

int main(void)
{
	static const struct test tests[] = {
		{ "every rule from both sides", every_rule_from_both_sides },
		{ "outcomes", outcomes },
		{ "what keeps to the specification is learnt as that", learnt },
		{ "the trace says the same", the_trace_says_the_same },
		{ "only some rules", only_some_rules },
		{ "memory that explains the counts", memory_that_explains_the_counts },
		{ NULL, NULL },
	};

	int status;

	scratch_make();
	status = test_main("probe", tests);
	scratch_remove();
	return status;
}
