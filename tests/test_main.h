/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every test program shares: a table of tests, run with CUnit, and the
 * Automake exit status (0 passed, 1 failed, 77 skipped, 99 could not run).
 */
#ifndef BERTH_TEST_MAIN_H
#define BERTH_TEST_MAIN_H

#include <CUnit/CUnit.h>

struct test {
	const char *name;
	void (*run)(void);
};

/* Run a table that ends with a NULL name; returns main()'s exit status. */
int test_main(const char *suite, const struct test *tests);

/* Say which row of a table runs, so that a failure names it. */
void test_case(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Say why something is left out ("SKIP: no OpenCL platform 'rusticl'"). A
 * program in which every test called this and nothing was asserted exits 77.
 */
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* CU_ASSERT on a berth_status, printing the error detail when it is not BERTH_OK. */
#define ASSERT_OK(expression) test_assert_ok((expression), #expression, __FILE__, __LINE__)
void test_assert_ok(int status, const char *expression, const char *file, int line);

/* CU_ASSERT_EQUAL on integers that prints both values. */
#define ASSERT_INT(actual, expected)                                                               \
	test_assert_int((long long)(actual), (long long)(expected), #actual, __FILE__, __LINE__)
void test_assert_int(long long actual, long long expected, const char *expression,
		     const char *file, int line);

/* CU_ASSERT on strings that prints both; NULL equals NULL. */
#define ASSERT_STRING(actual, expected)                                                            \
	test_assert_string((actual), (expected), #actual, __FILE__, __LINE__)
void test_assert_string(const char *actual, const char *expected, const char *expression,
			const char *file, int line);

/* CU_ASSERT that @p text contains @p part, printing both. */
#define ASSERT_CONTAINS(text, part)                                                                \
	test_assert_contains((text), (part), #text, __FILE__, __LINE__)
void test_assert_contains(const char *text, const char *part, const char *expression,
			  const char *file, int line);

#endif
