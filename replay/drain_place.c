/* SPDX-License-Identifier: Apache-2.0 */
#include "drain_place.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES (1 << 30)

static int copy_content(int to, int from)
{
	ssize_t copied;

	while ((copied = sendfile(to, from, NULL, COPY_BYTES)) > 0)
		continue;
	return copied < 0 ? errno : 0;
}

/* To a file beside the target, then over it. Returns an errno. */
static int copy_over(const char *from, const char *to)
{
	int source, target, error;
	struct stat status;
	char *beside;

	if (asprintf(&beside, "%s.XXXXXX", to) < 0)
		return ENOMEM;
	source = open(from, O_RDONLY | O_CLOEXEC);
	target = source < 0 ? -1 : mkostemp(beside, O_CLOEXEC);
	error = target < 0 ? errno : copy_content(target, source);
	/* mkstemp() makes a file for its owner only; SQLite made one like any other. */
	if (error == 0 && (fstat(source, &status) != 0 ||
			   fchmod(target, status.st_mode & 0777) != 0 || fsync(target) != 0))
		error = errno;
	if (target >= 0 && close(target) != 0 && error == 0)
		error = errno;
	if (error == 0 && rename(beside, to) != 0)
		error = errno;
	if (error != 0 && target >= 0)
		unlink(beside);
	if (source >= 0)
		close(source);
	free(beside);
	return error;
}

berth_status berth__place_file(const char *from, const char *to)
{
	int error = rename(from, to) == 0 ? 0 : errno;

	if (error == EXDEV) {
		error = copy_over(from, to);
		if (error == 0)
			unlink(from);
	}
	if (error != 0)
		return berth_error_set(BERTH_E_IO, 0, "cannot write '%s': %s", to, strerror(error));
	return BERTH_OK;
}

char *berth__place_path(const char *path, uint32_t pid, unsigned nth)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');
	char number[16] = "", *out;
	int stem;

	/* A name that only begins with a dot has no extension. */
	stem = (int)(dot && dot != base ? dot - path : (ptrdiff_t)strlen(path));
	if (nth > 1)
		snprintf(number, sizeof(number), "-%u", nth);
	if (asprintf(&out, "%.*s.%" PRIu32 "%s%s", stem, path, pid, number, path + stem) < 0)
		return NULL;
	return out;
}
