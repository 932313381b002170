/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles by name: built in, or a file. */
#include "profile_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Far more than any profile has; a larger file is some other file. */
#define FILE_BYTES_MAX (UINT64_C(1) << 20)

static berth_status io_error(const char *path)
{
	return berth_error_set(BERTH_E_IO, 0, "cannot read '%s': %s", path, strerror(errno));
}

/* Checks that need the file open. @p out: its text with a NUL, to be freed. */
static berth_status read_open_file(char **out, const char *path, int file)
{
	struct stat info;
	size_t used = 0;
	ssize_t got = 1;
	char *text;

	if (fstat(file, &info) != 0)
		return io_error(path);
	if (!S_ISREG(info.st_mode))
		return berth_error_set(BERTH_E_IO, 0, "cannot read '%s': not a file", path);
	if ((uint64_t)info.st_size > FILE_BYTES_MAX)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "'%s' is not a profile: %lld bytes, allowed are up to %llu",
				       path, (long long)info.st_size,
				       (unsigned long long)FILE_BYTES_MAX);
	text = malloc((size_t)info.st_size + 1);
	if (!text)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read '%s'", path);
	while (got > 0 && used < (size_t)info.st_size) {
		got = read(file, text + used, (size_t)info.st_size - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (got < 0) {
		free(text);
		return io_error(path);
	}
	text[used] = '\0';
	if (strlen(text) != used) {
		free(text);
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "'%s' is not a profile: it has a zero byte", path);
	}
	*out = text;
	return BERTH_OK;
}

static berth_status load_file(berth_profile *out, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = NULL;
	berth_status st;

	if (file < 0)
		return io_error(path);
	st = read_open_file(&text, path, file);
	close(file);
	if (st == BERTH_OK)
		st = berth__profile_parse(out, path, text);
	free(text);
	return st;
}

size_t berth_profile_builtin_count(void)
{
	return berth__profile_builtin_count;
}

const char *berth_profile_builtin_name(size_t index)
{
	return index < berth__profile_builtin_count ? berth__profile_builtins[index].name : NULL;
}

const char *berth_profile_builtin_text(const char *name)
{
	for (size_t i = 0; i < berth__profile_builtin_count; i++)
		if (strcmp(berth__profile_builtins[i].name, name) == 0)
			return berth__profile_builtins[i].text;
	return NULL;
}

static berth_status no_such_builtin(const char *name)
{
	char names[384] = "";
	size_t used = 0;

	for (size_t i = 0; i < berth__profile_builtin_count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
					 berth__profile_builtins[i].name);
	return berth_error_set(
		BERTH_E_NOT_FOUND, 0,
		"no profile is named '%.64s': there are %s, or the path of an ini file", name,
		names);
}

static bool is_path(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length >= 4 && strcmp(name + length - 4, ".ini") == 0);
}

berth_status berth_profile_load(berth_profile *out, const char *name_or_path)
{
	const char *text;

	if (is_path(name_or_path))
		return load_file(out, name_or_path);
	text = berth_profile_builtin_text(name_or_path);
	return text ? berth__profile_parse(out, name_or_path, text) : no_such_builtin(name_or_path);
}
