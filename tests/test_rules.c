/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules table: each row from both sides of its boundary (rule_cases_*.c), a
 * check that no row is left out, and answers and explanations.
 */
#include "rule_cases.h"
#include "test_main.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct rule_cases *const all_cases[] = {
	&rule_cases_flags,	    &rule_cases_buffer, &rule_cases_image,
	&rule_cases_image_memory,   &rule_cases_linear, &rule_cases_rect,
	&rule_cases_image_command, &rule_cases_image_region, &rule_cases_object,
	&rule_cases_argument, &rule_cases_svm,
};

static void device_of(berth_caps *caps, const struct rule_case *one)
{
	rule_world_caps(caps, one->version ? one->version : 300);
	if (one->change)
		one->change(caps);
}

static bool holds(const berth_rule *const broken[], size_t count, const berth_rule *rule)
{
	for (size_t i = 0; i < count; i++)
		if (broken[i] == rule)
			return true;
	return false;
}

/* Fails with the rules that are broken though none should be, or others. */
static void assert_only(const berth_rule *const broken[], size_t count, const char *allowed)
{
	for (size_t i = 0; i < count; i++)
		if (!allowed || strcmp(broken[i]->id, allowed) != 0)
			ASSERT_STRING(broken[i]->id, allowed);
}

static void run_case(const berth_objects *objects, const struct rule_case *one)
{
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX], *rule = berth_rules_find(one->rule);
	berth_caps caps;
	char text[256];
	size_t count;

	test_case("%s: %s", one->rule, one->name);
	CU_ASSERT_PTR_NOT_NULL(rule);
	if (!rule)
		return;
	CU_ASSERT_TRUE(rule->kinds >> one->op.kind & 1);
	device_of(&caps, one);
	count = berth_rules_check(&caps, objects, &one->op, broken);
	ASSERT_INT(holds(broken, count, rule), one->code != 0);
	if (!one->others)
		assert_only(broken, count, one->code ? one->rule : NULL);
	if (one->code == 0)
		return;
	ASSERT_INT(rule->codes[0], one->code);
	berth_rule_explain(rule, &caps, objects, &one->op, text, sizeof(text));
	for (size_t i = 0; i < COUNT(one->why); i++)
		if (one->why[i])
			ASSERT_CONTAINS(text, one->why[i]);
}

static void boundaries(void)
{
	berth_objects *objects = rule_world_create();

	for (size_t i = 0; i < COUNT(all_cases); i++)
		for (size_t j = 0; j < all_cases[i]->count; j++)
			run_case(objects, &all_cases[i]->cases[j]);
	berth_objects_destroy(objects);
}

/* What the cases cover of one rule. */
struct coverage {
	bool broken, kept, explained;
};

static struct coverage coverage_of(const char *rule)
{
	struct coverage coverage = { false, false, false };

	for (size_t i = 0; i < COUNT(all_cases); i++) {
		for (size_t j = 0; j < all_cases[i]->count; j++) {
			const struct rule_case *one = &all_cases[i]->cases[j];

			if (strcmp(one->rule, rule) != 0)
				continue;
			coverage.broken |= one->code != 0;
			coverage.kept |= one->code == 0;
			coverage.explained |= one->code != 0 && one->why[0];
		}
	}
	return coverage;
}

/* The rows that a memory model decides; its own tests break them. */
static bool decided_by_memory_model(const char *rule)
{
	static const char *const rows[] = { "R5", "R30", "R39", "R53", "R160.memory", "R170.memory" };

	for (size_t i = 0; i < COUNT(rows); i++)
		if (strcmp(rows[i], rule) == 0)
			return true;
	return false;
}

static void every_row_is_covered_from_both_sides(void)
{
	CU_ASSERT_TRUE(berth_rules_count() > 0);
	for (size_t i = 0; i < berth_rules_count(); i++) {
		const char *id = berth_rules_at(i)->id;
		struct coverage coverage = coverage_of(id);

		if (decided_by_memory_model(id))
			continue;
		test_case("%s is broken by a case", id);
		ASSERT_INT(coverage.broken, true);
		test_case("%s is kept by a case", id);
		ASSERT_INT(coverage.kept, true);
		test_case("%s is explained in a case", id);
		ASSERT_INT(coverage.explained, true);
	}
}

static void every_row_is_complete(void)
{
	for (size_t i = 0; i < berth_rules_count(); i++) {
		const berth_rule *rule = berth_rules_at(i);

		test_case("%s", rule->id);
		CU_ASSERT_TRUE(rule->id[0] == 'R' && rule->section[0] && rule->summary[0]);
		CU_ASSERT_TRUE(rule->kinds != 0 && rule->kinds < 1u << BERTH_OP_KIND_END);
		CU_ASSERT_TRUE(rule->codes[0] < 0);
		/* Ids are unique: the first with this id is this one. */
		CU_ASSERT_PTR_EQUAL(berth_rules_find(rule->id), rule);
	}
	CU_ASSERT_PTR_NULL(berth_rules_at(berth_rules_count()));
	CU_ASSERT_PTR_NULL(berth_rules_at(SIZE_MAX));
	CU_ASSERT_PTR_NULL(berth_rules_find("R0"));
	CU_ASSERT_PTR_NULL(berth_rules_find(""));
}

static void first_rule_answers_and_others_conform(void)
{
	/* 0 bytes, read-only and write-only, a pointer without use: R11, R24, R28 in this order */
	static const berth_op op = CREATE_BUFFER(
		.bytes = 0, .flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, .host_address = POINTER);
	static const int32_t others[] = { CL_INVALID_BUFFER_SIZE, CL_INVALID_HOST_PTR };
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];
	berth_objects *objects = rule_world_create();
	berth_result result = { .cl_status = 0, .code_count = 5 };
	berth_caps caps;
	size_t count;

	rule_world_caps(&caps, 300);
	count = berth_rules_check(&caps, objects, &op, broken);
	ASSERT_INT(count, 3);
	berth_rules_answer(broken, count, &result);
	ASSERT_INT(result.cl_status, CL_INVALID_VALUE);
	ASSERT_STRING(result.rule, "R11");
	ASSERT_INT(result.code_count, COUNT(others));
	for (size_t i = 0; i < COUNT(others); i++)
		ASSERT_INT(result.codes[i], others[i]);
	berth_objects_destroy(objects);
}

static void a_code_is_listed_once(void)
{
	/* R58 has two codes, R71 three; together three */
	static const berth_op op = { IMAGE(2D, .width = 64, .height = 32, .row_pitch_bytes = 260),
				     .other = BUF };
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];
	berth_objects *objects = rule_world_create();
	berth_result result = { .cl_status = 0 };
	berth_caps caps;
	size_t count;

	rule_world_caps(&caps, 300);
	count = berth_rules_check(&caps, objects, &op, broken);
	ASSERT_INT(count, 2);
	berth_rules_answer(broken, count, &result);
	ASSERT_STRING(result.rule, "R58");
	ASSERT_INT(result.cl_status, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	ASSERT_INT(result.code_count, 2);
	ASSERT_INT(result.codes[0], CL_INVALID_IMAGE_DESCRIPTOR);
	ASSERT_INT(result.codes[1], CL_INVALID_IMAGE_SIZE);
	berth_objects_destroy(objects);
}

static void explanations(void)
{
	static const berth_op fits = CREATE_BUFFER(.bytes = 16);
	static const berth_op too_large = CREATE_BUFFER(.bytes = UINT64_MAX);
	const berth_rule *limit = berth_rules_find("R25");
	berth_objects *objects = rule_world_create();
	char text[200], cut[8];
	berth_caps caps;

	rule_world_caps(&caps, 300);
	berth_rule_explain(limit, &caps, objects, &fits, text, sizeof(text));
	ASSERT_CONTAINS(text, "R25 holds");
	berth_rule_explain(limit, &caps, objects, &(berth_op){ .kind = BERTH_OP_SYNC }, text,
			   sizeof(text));
	ASSERT_CONTAINS(text, "R25 holds");
	berth_rule_explain(limit, &caps, objects, &too_large, cut, sizeof(cut));
	ASSERT_STRING(cut, "object ");
	berth_objects_destroy(objects);
}

static void ops_that_no_rule_is_about(void)
{
	static const struct {
		const char *name;
		berth_op op;
	} cases[] = {
		{ "sync", { .kind = BERTH_OP_SYNC } },
		{ "label", { .kind = BERTH_OP_LABEL, .object = ENDED } },
		{ "no kind", { .kind = (berth_op_kind)0 } },
		{ "a kind past the end", { .kind = (berth_op_kind)99 } },
		{ "a negative kind", { .kind = (berth_op_kind)-1 } },
		{ "a form past the end", { .kind = BERTH_OP_WRITE, .form = (berth_op_form)7 } },
	};
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];
	berth_objects *objects = rule_world_create();
	berth_caps caps;

	rule_world_caps(&caps, 300);
	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(berth_rules_check(&caps, objects, &cases[i].op, broken), 0);
	}
	berth_objects_destroy(objects);
}

int main(void)
{
	static const struct test tests[] = {
		{ "boundaries", boundaries },
		{ "every row is covered from both sides", every_row_is_covered_from_both_sides },
		{ "every row is complete", every_row_is_complete },
		{ "the first rule answers, the others conform", first_rule_answers_and_others_conform },
		{ "a code is listed once", a_code_is_listed_once },
		{ "explanations", explanations },
		{ "ops that no rule is about", ops_that_no_rule_is_about },
		{ NULL, NULL },
	};

	return test_main("rules", tests);
}
