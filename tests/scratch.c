/* SPDX-License-Identifier: Apache-2.0 */
#include "scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static _Noreturn void give_up(const char *what)
{
	perror(what);
	exit(99);
}

const char *scratch_make(void)
{
	strcpy(folder, "/tmp/berth-test-XXXXXX");
	if (!mkdtemp(folder))
		give_up(folder);
	return folder;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

void scratch_remove(void)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(const char *format, ...)
{
	static char paths[8][256];
	static unsigned turn;
	char *path = paths[turn++ % 8];
	int at = snprintf(path, sizeof(paths[0]), "%s/", folder);
	va_list args;

	va_start(args, format);
	vsnprintf(path + at, sizeof(paths[0]) - (size_t)at, format, args);
	va_end(args);
	return path;
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

int count_files(const char *path)
{
	DIR *directory = opendir(path);
	int count = -2;

	if (!directory)
		return -1;
	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

unsigned char *file_read(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	unsigned char *content;
	long size;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
		give_up(path);
	rewind(file);
	content = malloc((size_t)size + 1);
	*bytes = fread(content, 1, (size_t)size, file);
	fclose(file);
	return content;
}

void file_write(const char *path, const void *content, size_t bytes)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(content, 1, bytes, file) != bytes || fclose(file) != 0)
		give_up(path);
}
