/* SPDX-License-Identifier: Apache-2.0 */
#include "file_text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static berth_status io_error(const char *path)
{
	return berth_error_set(BERTH_E_IO, 0, "cannot read '%s': %s", path, strerror(errno));
}

static berth_status read_open_file(char **out, size_t *bytes, const char *path, int file,
				   size_t file_bytes)
{
	char *text = malloc(file_bytes + 1);
	size_t used = 0;
	ssize_t got = 1;

	if (!text)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read '%s'", path);
	while (got > 0 && used < file_bytes) {
		got = read(file, text + used, file_bytes - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (got < 0) {
		free(text);
		return io_error(path);
	}
	text[used] = '\0';
	*out = text;
	*bytes = used;
	return BERTH_OK;
}

berth_status berth__file_text(char **out, size_t *bytes, const char *path, const char *what,
			      uint64_t bytes_max)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat info;
	berth_status st;

	if (file < 0)
		return io_error(path);
	if (fstat(file, &info) != 0)
		st = io_error(path);
	else if (!S_ISREG(info.st_mode))
		st = berth_error_set(BERTH_E_IO, 0, "cannot read '%s': not a file", path);
	else if ((uint64_t)info.st_size > bytes_max)
		st = berth_error_set(BERTH_E_FORMAT, 0,
				     "'%s' is not %s: %" PRIu64
				     " bytes, allowed are up to %" PRIu64,
				     path, what, (uint64_t)info.st_size, bytes_max);
	else
		st = read_open_file(out, bytes, path, file, (size_t)info.st_size);
	close(file);
	return st;
}
