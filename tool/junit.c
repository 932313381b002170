/* SPDX-License-Identifier: Apache-2.0 */
#include "junit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct junit {
	FILE *file;
	char path[];
};

static berth_status cannot_write(const char *path)
{
	return berth_error_set(BERTH_E_IO, 0, "cannot write '%s': %s", path, strerror(errno));
}

/* Text in XML: what is markup is escaped, what XML cannot hold becomes '?'. */
static void put_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		const unsigned char byte = (unsigned char)*text;

		if (byte == '&' || byte == '<' || byte == '>' || byte == '"')
			fprintf(file, "&#%d;", byte);
		else
			fputc(byte < ' ' || byte >= 0x7f ? '?' : byte, file);
	}
}

berth_status junit_open(junit **out, const char *path, const char *suite, const char *of,
			const struct junit_totals *totals)
{
	junit *file = calloc(1, sizeof(*file) + strlen(path) + 1);

	*out = NULL;
	if (!file)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to write '%s'", path);
	strcpy(file->path, path);
	file->file = fopen(path, "w");
	if (!file->file) {
		free(file);
		return cannot_write(path);
	}
	fprintf(file->file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"%s ",
		suite);
	put_text(file->file, of);
	fprintf(file->file, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
		totals->tests, totals->failures, totals->errors, totals->skipped);
	*out = file;
	return BERTH_OK;
}

void junit_test(junit *file, const char *group, const char *name, const char *element,
		const char *message)
{
	fputs("  <testcase classname=\"", file->file);
	put_text(file->file, group);
	fputs("\" name=\"", file->file);
	put_text(file->file, name);
	if (!element) {
		fputs("\"/>\n", file->file);
		return;
	}
	fprintf(file->file, "\"><%s message=\"", element);
	put_text(file->file, message);
	fputs("\"/></testcase>\n", file->file);
}

berth_status junit_close(junit *file)
{
	berth_status st = BERTH_OK;
	bool failed;

	if (!file)
		return BERTH_OK;
	fputs("</testsuite>\n", file->file);
	failed = ferror(file->file);
	if (fclose(file->file) != 0 || failed)
		st = cannot_write(file->path);
	free(file);
	return st;
}
