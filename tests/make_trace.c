/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the small trace of sample_trace.h, and spoilt ones, for the tests of the tool; or one of
 * the lines on standard input (script_trace.h).
 */
#include "sample_trace.h"
#include "script_trace.h"

#include <berth/trace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

/* What is done to the file afterwards, by name. */
static const struct {
	const char *name;
	const char *sql;
} kinds[] = {
	{ "small", "select 1" },
	/* Op 2 writes object 1, now with a digest; op 4 writes the same instead of copying it. */
	{ "residency", "update op set kind = 8, digest = zeroblob(16) where seq in (2, 4)" },
	{ "newer", "pragma user_version = 4711" },
	{ "foreign", "pragma application_id = 1" },
	{ "damaged", "update op set kind = 'nonsense' where seq = 4" },
};

static int spoil(const char *path, const char *sql)
{
	sqlite3 *database;
	int failed = sqlite3_open(path, &database) != SQLITE_OK ||
		     sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK;

	if (failed)
		fprintf(stderr, "make_trace: %s\n", sqlite3_errmsg(database));
	sqlite3_close(database);
	return failed;
}

static int fail(void)
{
	fprintf(stderr, "make_trace: %s\n", berth_error_get()->message);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "script") == 0)
		return script_trace_write(argv[2], stdin) == BERTH_OK ? 0 : fail();
	if (argc == 3 && strncmp(argv[1], "large:", 6) == 0)
		return sample_large(argv[2], strtoull(argv[1] + 6, NULL, 10)) == BERTH_OK ? 0 : fail();
	for (size_t i = 0; argc == 3 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(argv[1], kinds[i].name) != 0)
			continue;
		if (sample_small(argv[2]) != BERTH_OK)
			return fail();
		return spoil(argv[2], kinds[i].sql);
	}
	fprintf(stderr, "usage: make_trace script|large:OPS|small|residency|newer|foreign|damaged FILE\n");
	return 2;
}
