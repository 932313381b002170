/* SPDX-License-Identifier: Apache-2.0 */
#include "compare_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Far more than a row has: another file is not read to its end. */
#define ROW_BYTES_MAX 65536

static berth_status cannot(const char *what, const char *path)
{
	return berth_error_set(BERTH_E_IO, 0, "cannot %s '%s': %s", what, path, strerror(errno));
}

/* Under another name; @path is for the message. */
static berth_status write_text(const char *text, const char *unfinished, const char *path)
{
	FILE *file = fopen(unfinished, "w");
	bool failed;

	if (!file)
		return cannot("write", path);
	failed = fprintf(file, "%s\n", text) < 0;
	return fclose(file) != 0 || failed ? cannot("write", path) : BERTH_OK;
}

/* A device or a pipe is written to as it is: a rename would put a file there. */
static bool is_special(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

berth_status compare_file_write(const struct compare_row *row, const char *path)
{
	char *text = compare_row_to_json(row), *unfinished = NULL;
	berth_status st;

	if (!text || asprintf(&unfinished, "%s.%ld.tmp", path, (long)getpid()) < 0) {
		free(text);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a row");
	}
	if (is_special(path)) {
		st = write_text(text, path, path);
	} else {
		st = write_text(text, unfinished, path);
		if (st == BERTH_OK && rename(unfinished, path) != 0)
			st = cannot("write", path);
		if (st != BERTH_OK)
			remove(unfinished);
	}
	free(unfinished);
	free(text);
	return st;
}

berth_status compare_file_read(struct compare_row *row, const char *path)
{
	char *text = calloc(1, ROW_BYTES_MAX + 1);
	FILE *file = fopen(path, "r");
	berth_status st = BERTH_OK;
	size_t bytes;

	memset(row, 0, sizeof(*row));
	if (!text)
		st = berth_error_set(BERTH_E_NOMEM, 0, "no memory to read '%s'", path);
	else if (!file || ((bytes = fread(text, 1, ROW_BYTES_MAX, file)) == 0 && ferror(file)))
		st = cannot("read", path);
	else if (bytes == ROW_BYTES_MAX || strlen(text) != bytes)
		st = berth_error_set(BERTH_E_FORMAT, 0, "'%s' is not a row of a comparison", path);
	if (st == BERTH_OK)
		st = compare_row_from_json(row, text);
	if (file)
		fclose(file);
	free(text);
	return st;
}
