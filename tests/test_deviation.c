/* SPDX-License-Identifier: Apache-2.0 */
/* Deviations: which one counts, the order of checks, the answer; lines of transfer times. */
#include "test_main.h"

#include <string.h>

#include <CL/cl.h>

#include <berth/deviation.h>
#include <berth/transfer.h>

#define KIND(name) (1u << BERTH_OP_##name)
#define FORM(name) (1u << BERTH_FORM_##name)

static berth_deviation deviation(const char *rule, uint32_t kinds, uint32_t forms, int32_t code)
{
	const berth_deviation made = {
		.rule = berth_rules_find(rule),
		.kinds = kinds,
		.forms = forms,
		.answer = code ? BERTH_DEVIATION_CODE : BERTH_DEVIATION_ACCEPT,
		.code = code,
	};

	CU_ASSERT_PTR_NOT_NULL_FATAL(made.rule);
	return made;
}

static void what_can_be_added(void)
{
	static const struct {
		const char *name;
		berth_deviation deviation;
		const char *rule;
		berth_status status;
		const char *detail;
	} cases[] = {
		{ "accepted", { .answer = BERTH_DEVIATION_ACCEPT }, "R38", BERTH_OK, "" },
		{ "the same again",
		  { .answer = BERTH_DEVIATION_CRASH },
		  "R38",
		  BERTH_E_STATE,
		  "R38" },
		{ "for another kind", { .kinds = KIND(SUBBUFFER_CREATE) }, "R38", BERTH_OK, "" },
		{ "no rule", { .answer = BERTH_DEVIATION_ACCEPT }, NULL, BERTH_E_INVAL, "rule" },
		{ "a kind that the rule is not about",
		  { .kinds = KIND(READ) },
		  "R38",
		  BERTH_E_INVAL,
		  "R38" },
		{ "no form", { .forms = 1u << BERTH_FORM_END }, "R38", BERTH_E_INVAL, "forms" },
		{ "a code of 0",
		  { .answer = BERTH_DEVIATION_CODE },
		  "R25",
		  BERTH_E_INVAL,
		  "code 0" },
		{ "a code with acceptance",
		  { .code = CL_INVALID_VALUE },
		  "R25",
		  BERTH_E_INVAL,
		  "code -30" },
		{ "no such answer",
		  { .answer = (berth_deviation_answer)3, .code = -1 },
		  "R25",
		  BERTH_E_INVAL,
		  "answer 3" },
		{ "a quirk",
		  { .answer = BERTH_DEVIATION_CODE, .code = CL_INVALID_VALUE },
		  "Q.zero_bytes",
		  BERTH_OK,
		  "" },
	};
	berth_deviations all = { 0 };
	uint32_t count = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_deviation item = cases[i].deviation;

		test_case("%s", cases[i].name);
		item.rule = cases[i].rule ? berth_rules_find(cases[i].rule) : NULL;
		ASSERT_INT(berth_deviations_add(&all, &item), cases[i].status);
		if (cases[i].status != BERTH_OK)
			ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
		count += cases[i].status == BERTH_OK;
		ASSERT_INT(all.count, count);
	}
}

static void as_many_as_there_is_room(void)
{
	berth_deviations all = { 0 };
	/* Restricted each time to other kinds and forms of a rule that is about many. */
	berth_deviation item = deviation("R63", 0, 0, 0);

	for (uint32_t i = 0; i < BERTH_DEVIATIONS_MAX; i++) {
		item.kinds = (i & 1 ? KIND(READ) : 0) | (i & 2 ? KIND(WRITE) : 0) |
			     (i & 4 ? KIND(FILL) : 0);
		item.forms = i >> 3;
		ASSERT_OK(berth_deviations_add(&all, &item));
	}
	test_case("one more");
	ASSERT_INT(all.count, BERTH_DEVIATIONS_MAX);
	item = deviation("R24", 0, 0, 0);
	ASSERT_INT(berth_deviations_add(&all, &item), BERTH_E_LIMIT);
}

static void the_narrowest_counts(void)
{
	static const struct {
		berth_op_kind kind;
		berth_op_form form;
		int32_t code; /* 0: none counts */
	} cases[] = {
		{ BERTH_OP_FILL, BERTH_FORM_LINEAR, -1 },
		{ BERTH_OP_WRITE, BERTH_FORM_RECT, -2 },
		{ BERTH_OP_READ, BERTH_FORM_LINEAR, -3 },
		{ BERTH_OP_READ, BERTH_FORM_RECT, -4 },
	};
	const berth_deviation items[] = {
		deviation("R63", KIND(READ), FORM(RECT), -4),
		deviation("R63", 0, 0, -1),
		deviation("R63", KIND(READ), 0, -3),
		deviation("R63", 0, FORM(RECT), -2),
	};
	berth_deviations all = { 0 };

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++)
		ASSERT_OK(berth_deviations_add(&all, &items[i]));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const berth_op op = { .kind = cases[i].kind, .form = cases[i].form };
		const berth_deviation *found =
			berth_deviations_find(&all, berth_rules_find("R63"), &op);

		test_case("%s %s", berth_op_kind_string(op.kind), berth_op_form_string(op.form));
		CU_ASSERT_PTR_NOT_NULL_FATAL(found);
		ASSERT_INT(found->code, cases[i].code);
	}
	test_case("another rule");
	CU_ASSERT_PTR_NULL(berth_deviations_find(&all, berth_rules_find("R38"),
						 &(berth_op){ .kind = BERTH_OP_READ }));
}

/* What is left of broken rows, as their ids with blanks between them. */
static const char *left_of(const berth_deviations *all, const char *const ids[], size_t count)
{
	static char text[128];
	const berth_rule *broken[8];
	const berth_op op = { .kind = BERTH_OP_BUFFER_CREATE };

	for (size_t i = 0; i < count; i++)
		broken[i] = berth_rules_find(ids[i]);
	count = berth_deviations_apply(all, &op, broken, count);
	*text = '\0';
	for (size_t i = 0; i < count; i++) {
		strcat(text, *text ? " " : "");
		strcat(text, broken[i]->id);
	}
	return text;
}

static void the_order_of_checks(void)
{
	static const char *const broken[] = { "R11", "R16", "R25", "R28" };
	berth_deviations all = { 0 };
	berth_deviation item = deviation("R16", 0, 0, 0);

	test_case("the specification");
	ASSERT_STRING(left_of(&all, broken, 4), "R11 R16 R25 R28");
	test_case("accepted");
	ASSERT_OK(berth_deviations_add(&all, &item));
	ASSERT_STRING(left_of(&all, broken, 4), "R11 R25 R28");
	test_case("size first, then pointers");
	all.first[all.first_count++] = berth_rules_find("R25");
	all.first[all.first_count++] = berth_rules_find("R28");
	ASSERT_STRING(left_of(&all, broken, 4), "R25 R28 R11");
	test_case("an accepted one comes back nowhere");
	all.first[all.first_count++] = berth_rules_find("R16");
	ASSERT_STRING(left_of(&all, broken, 4), "R25 R28 R11");
	ASSERT_STRING(left_of(&all, broken, 2), "R11");
	ASSERT_STRING(left_of(&all, broken, 0), "");
}

static void answers(void)
{
	const berth_op op = { .kind = BERTH_OP_BUFFER_CREATE };
	const berth_rule *broken[] = { berth_rules_find("R25"), berth_rules_find("R28"),
				       berth_rules_find("R16") };
	berth_deviations all = { 0 };
	berth_deviation item = deviation("R28", 0, 0, CL_INVALID_OPERATION);
	berth_result result = { 0 };

	test_case("the specification's codes, but for the other row's");
	ASSERT_OK(berth_deviations_add(&all, &item));
	ASSERT_OK(berth_deviations_answer(&all, &op, broken, 1, &result));
	ASSERT_INT(result.cl_status, CL_INVALID_BUFFER_SIZE);
	ASSERT_STRING(result.rule, "R25");
	test_case("a code of the device, and what else it may answer");
	item = deviation("R25", 0, 0, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	ASSERT_OK(berth_deviations_add(&all, &item));
	ASSERT_OK(berth_deviations_answer(&all, &op, broken, 3, &result));
	ASSERT_INT(result.cl_status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	ASSERT_STRING(result.rule, "R25");
	ASSERT_INT(result.code_count, 2);
	ASSERT_INT(result.codes[0], CL_INVALID_OPERATION);
	ASSERT_INT(result.codes[1], CL_INVALID_VALUE);
	test_case("a crash");
	all.count = 0;
	item = deviation("R25", 0, 0, 0);
	item.answer = BERTH_DEVIATION_CRASH;
	ASSERT_OK(berth_deviations_add(&all, &item));
	memset(&result, 0, sizeof(result));
	ASSERT_INT(berth_deviations_answer(&all, &op, broken, 1, &result), BERTH_E_LOST);
	ASSERT_INT(result.cl_status, 0);
	ASSERT_CONTAINS(berth_error_get()->message, "R25");
	test_case("a crash that another check keeps from happening");
	broken[0] = berth_rules_find("R28");
	ASSERT_OK(berth_deviations_answer(&all, &op, broken, 1, &result));
	ASSERT_INT(result.cl_status, CL_INVALID_HOST_PTR);
}

static void quirks_are_no_rules(void)
{
	const berth_rule *quirk = berth_rules_find("Q.zero_bytes");
	const berth_rule *row;

	CU_ASSERT_PTR_NOT_NULL(quirk);
	for (size_t i = 0; (row = berth_rules_at(i)); i++)
		CU_ASSERT_NOT_EQUAL(strncmp(row->id, "Q.", 2), 0);
	for (size_t i = 0; (row = berth_quirks_at(i)); i++) {
		test_case("%s", row->id);
		CU_ASSERT_EQUAL(strncmp(row->id, "Q.", 2), 0);
		CU_ASSERT_PTR_EQUAL(berth_rules_find(row->id), row);
	}
	CU_ASSERT_PTR_NULL(berth_quirks_at(berth_quirks_count()));
}

static void transfer_times(void)
{
	static const struct {
		const char *name;
		berth_transfer_model line;
		uint64_t bytes;
		berth_status status;
		uint64_t ns;
	} cases[] = {
		{ "not known", { 0, 0 }, 1000, BERTH_E_NOT_FOUND, 0 },
		{ "fixed only", { 700, 0 }, 1 << 30, BERTH_OK, 700 },
		{ "bytes only", { 0, 1000 }, 3000, BERTH_OK, UINT64_C(3000000000) },
		/* 4096 / 8e9 s = 512 ns */
		{ "both", { 9000, UINT64_C(8000000000) }, 4096, BERTH_OK, 9512 },
		{ "no bytes", { 9000, 1 }, 0, BERTH_OK, 9000 },
		/* 1 / 3 ns is nearer to 0, 2 / 3 to 1 */
		{ "rounded down", { 1, UINT64_C(3000000000) }, 1, BERTH_OK, 1 },
		{ "rounded up", { 1, UINT64_C(3000000000) }, 2, BERTH_OK, 2 },
		{ "too long", { 1, 1 }, UINT64_MAX, BERTH_OK, UINT64_MAX },
		{ "too long in sum", { UINT64_MAX, 1000000000 }, 5, BERTH_OK, UINT64_MAX },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_transfer_times times = { 0 };
		uint64_t ns = 0;

		test_case("%s", cases[i].name);
		times.lines[BERTH_TRANSFER_COPY] = cases[i].line;
		ASSERT_INT(berth_transfer_times_known(&times), cases[i].status == BERTH_OK);
		ASSERT_INT(berth_transfer_estimate_ns(&ns, &times, BERTH_TRANSFER_COPY,
						      cases[i].bytes),
			   cases[i].status);
		CU_ASSERT_EQUAL(ns, cases[i].ns);
		ASSERT_INT(berth_transfer_estimate_ns(&ns, &times, BERTH_TRANSFER_FILL, 1),
			   BERTH_E_NOT_FOUND);
	}
}

static void lines_of_ops(void)
{
	static const struct {
		berth_op op;
		bool pinned;
		int kind;
	} cases[] = {
		{ { .kind = BERTH_OP_WRITE }, false, BERTH_TRANSFER_WRITE_PAGEABLE },
		{ { .kind = BERTH_OP_WRITE }, true, BERTH_TRANSFER_WRITE_PINNED },
		{ { .kind = BERTH_OP_READ }, false, BERTH_TRANSFER_READ_PAGEABLE },
		{ { .kind = BERTH_OP_READ }, true, BERTH_TRANSFER_READ_PINNED },
		{ { .kind = BERTH_OP_MAP }, true, BERTH_TRANSFER_MAP },
		{ { .kind = BERTH_OP_UNMAP }, false, BERTH_TRANSFER_UNMAP },
		{ { .kind = BERTH_OP_COPY }, false, BERTH_TRANSFER_COPY },
		{ { .kind = BERTH_OP_FILL }, false, BERTH_TRANSFER_FILL },
		{ { .kind = BERTH_OP_USE }, false, BERTH_TRANSFER_LAUNCH },
		{ { .kind = BERTH_OP_BUFFER_CREATE }, false, BERTH_TRANSFER_KIND_END },
		{ { .kind = BERTH_OP_BUFFER_CREATE, .flags = CL_MEM_COPY_HOST_PTR },
		  true,
		  BERTH_TRANSFER_WRITE_PAGEABLE },
		{ { .kind = BERTH_OP_IMAGE_CREATE, .flags = CL_MEM_USE_HOST_PTR },
		  true,
		  BERTH_TRANSFER_KIND_END },
		{ { .kind = BERTH_OP_SYNC }, false, BERTH_TRANSFER_KIND_END },
		{ { .kind = BERTH_OP_RELEASE }, false, BERTH_TRANSFER_KIND_END },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", berth_op_kind_string(cases[i].op.kind));
		ASSERT_INT(berth_transfer_kind_of(&cases[i].op, cases[i].pinned), cases[i].kind);
	}
	ASSERT_STRING(berth_transfer_kind_string(BERTH_TRANSFER_READ_PINNED), "read_pinned");
	ASSERT_STRING(berth_transfer_kind_string((berth_transfer_kind)99), "unknown");
}

static void names_of_codes(void)
{
	int32_t code = 1;

	ASSERT_OK(berth_cl_status_parse(&code, "CL_MEM_OBJECT_ALLOCATION_FAILURE"));
	ASSERT_INT(code, -4);
	ASSERT_OK(berth_cl_status_parse(&code, "CL_SUCCESS"));
	ASSERT_INT(code, 0);
	ASSERT_OK(berth_cl_status_parse(&code, "CL_INVALID_IMAGE_DESCRIPTOR"));
	ASSERT_INT(code, -65);
	ASSERT_INT(berth_cl_status_parse(&code, "INVALID_VALUE"), BERTH_E_NOT_FOUND);
	ASSERT_INT(berth_cl_status_parse(&code, ""), BERTH_E_NOT_FOUND);
	ASSERT_INT(code, -65);
}

int main(void)
{
	static const struct test tests[] = {
		{ "what can be added", what_can_be_added },
		{ "as many as there is room", as_many_as_there_is_room },
		{ "the narrowest counts", the_narrowest_counts },
		{ "the order of checks", the_order_of_checks },
		{ "answers", answers },
		{ "quirks are no rules", quirks_are_no_rules },
		{ "transfer times", transfer_times },
		{ "lines of ops", lines_of_ops },
		{ "names of codes", names_of_codes },
		{ NULL, NULL },
	};

	return test_main("deviation", tests);
}
