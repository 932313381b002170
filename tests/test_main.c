/* SPDX-License-Identifier: Apache-2.0 */
#include "test_main.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <berth/status.h>

static char current_case[256];
static bool skipped_something;

void test_case(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(current_case, sizeof(current_case), format, args);
	va_end(args);
}

void test_skip(const char *format, ...)
{
	va_list args;

	skipped_something = true;
	fputs("SKIP: ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void assert_true(bool holds, const char *condition, const char *file, int line)
{
	CU_assertImplementation(holds, (unsigned)line, condition, file, "", CU_FALSE);
}

static void say_case(const char *file, int line)
{
	printf("\n%s:%d: case '%s': ", file, line, current_case);
}

void test_assert_ok(int status, const char *expression, const char *file, int line)
{
	if (status != BERTH_OK) {
		say_case(file, line);
		printf("%s: %s: %s\n", expression, berth_status_string((berth_status)status),
		       berth_error_get()->message);
	}
	assert_true(status == BERTH_OK, expression, file, line);
}

void test_assert_int(long long actual, long long expected, const char *expression,
		     const char *file, int line)
{
	if (actual != expected) {
		say_case(file, line);
		printf("%s is %lld, expected %lld\n", expression, actual, expected);
	}
	assert_true(actual == expected, expression, file, line);
}

void test_assert_string(const char *actual, const char *expected, const char *expression,
			const char *file, int line)
{
	bool same = actual == expected || (actual && expected && strcmp(actual, expected) == 0);

	if (!same) {
		say_case(file, line);
		printf("%s is '%s', expected '%s'\n", expression, actual ? actual : "(null)",
		       expected ? expected : "(null)");
	}
	assert_true(same, expression, file, line);
}

void test_assert_contains(const char *text, const char *part, const char *expression,
			  const char *file, int line)
{
	bool found = text && strstr(text, part);

	if (!found) {
		say_case(file, line);
		printf("%s is '%s', which lacks '%s'\n", expression, text ? text : "(null)", part);
	}
	assert_true(found, expression, file, line);
}

static CU_ErrorCode add_tests(const char *suite, const struct test *tests)
{
	CU_pSuite registered = CU_add_suite(suite, NULL, NULL);

	for (; registered && tests->name; tests++)
		if (!CU_add_test(registered, tests->name, tests->run))
			break;
	return CU_get_error();
}

int test_main(const char *suite, const struct test *tests)
{
	unsigned failed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (CU_initialize_registry() != CUE_SUCCESS || add_tests(suite, tests) != CUE_SUCCESS)
		return 99;
	CU_basic_set_mode(CU_BRM_VERBOSE);
	if (CU_basic_run_tests() != CUE_SUCCESS)
		return 99;
	failed = CU_get_number_of_failures();
	if (failed == 0 && skipped_something && CU_get_number_of_asserts() == 0)
		return 77;
	CU_cleanup_registry();
	return failed != 0;
}
