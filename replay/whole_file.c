/* SPDX-License-Identifier: Apache-2.0 */
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static berth_status write_error(const char *path)
{
	return berth_error_set(BERTH_E_IO, 0, "cannot write '%s': %s", path, strerror(errno));
}

bool berth__is_special_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* A rename would put a file where the device or the pipe is. */
static berth_status begin_special(struct berth__whole_file *file, const char *path)
{
	file->beside = NULL;
	file->stream = fopen(path, "we");
	return file->stream ? BERTH_OK : write_error(path);
}

berth_status berth__whole_file_begin(struct berth__whole_file *file, const char *path)
{
	berth_status st;

	if (berth__is_special_file(path))
		return begin_special(file, path);
	if (asprintf(&file->beside, "%s.tmp%ld", path, (long)getpid()) < 0)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to write '%s'", path);
	file->stream = fopen(file->beside, "wxe");
	if (file->stream)
		return BERTH_OK;
	st = write_error(path);
	free(file->beside);
	return st;
}

berth_status berth__whole_file_end(struct berth__whole_file *file, const char *path)
{
	berth_status st = BERTH_OK;
	bool failed = ferror(file->stream);

	failed |= fclose(file->stream) != 0;
	if (failed || (file->beside && rename(file->beside, path) != 0)) {
		st = write_error(path);
		if (file->beside)
			unlink(file->beside);
	}
	free(file->beside);
	return st;
}

void berth__whole_file_abandon(struct berth__whole_file *file)
{
	fclose(file->stream);
	if (file->beside)
		unlink(file->beside);
	free(file->beside);
}
