/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles by name: built in, an ini file, or a dump of clinfo. */
#include "file_text.h"
#include "profile_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/clinfo.h>

/* Far more than any profile has; a larger file is some other file. */
#define FILE_BYTES_MAX (UINT64_C(1) << 20)

#define CLINFO_PREFIX "clinfo:"

static berth_status load_file(berth_profile *out, const char *path)
{
	char *text;
	size_t bytes;
	berth_status st = berth__file_text(&text, &bytes, path, "a profile", FILE_BYTES_MAX);

	if (st != BERTH_OK)
		return st;
	if (strlen(text) != bytes)
		st = berth_error_set(BERTH_E_FORMAT, 0, "'%s' is not a profile: it has a zero byte",
				     path);
	else
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

/* The names would not fit a message. */
static berth_status no_such_builtin(const char *name)
{
	return berth_error_set(BERTH_E_NOT_FOUND, 0,
			       "no profile is named '%.64s': there are %zu, as %s, which 'berth "
			       "devices' lists; or the path of an ini file, or clinfo:FILE",
			       name, berth__profile_builtin_count, berth__profile_builtins[1].name);
}

static bool is_path(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length >= 4 && strcmp(name + length - 4, ".ini") == 0);
}

berth_status berth_profile_load(berth_profile *out, const char *name_or_path)
{
	const char *text;

	if (strncmp(name_or_path, CLINFO_PREFIX, strlen(CLINFO_PREFIX)) == 0)
		return berth_profile_from_clinfo_name(out, name_or_path + strlen(CLINFO_PREFIX),
						      NULL);
	if (is_path(name_or_path))
		return load_file(out, name_or_path);
	text = berth_profile_builtin_text(name_or_path);
	return text ? berth__profile_parse(out, name_or_path, text) : no_such_builtin(name_or_path);
}
