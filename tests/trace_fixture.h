/* SPDX-License-Identifier: Apache-2.0 */
/* Small traces for tests, made with the recorder's writer. */
#ifndef BERTH_TEST_TRACE_FIXTURE_H
#define BERTH_TEST_TRACE_FIXTURE_H

#include <berth/caps.h>
#include <berth/trace.h>

/* An op and the text of its name, or NULL. */
struct fixture_op {
	berth_trace_op row;
	uint32_t name_id;
};

/* Write a finished trace with one device (the minimum) and names "kernel one" and "label two". */
void trace_fixture_write(const char *path, const struct fixture_op *ops, size_t count);

/* Run SQL on a trace, as someone with SQLite's shell would. Aborts when it fails. */
void trace_fixture_sql(const char *path, const char *sql);

/* The one number that a query gives; -1 for NULL or no row. */
long long trace_fixture_number(const char *path, const char *sql);

#endif
