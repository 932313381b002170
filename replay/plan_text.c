/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No waiting on a pipe without a writer, and no reading of folders and devices. */
berth_status berth__plan_text_open(struct berth__plan_text *text, const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
		close(fd);
		return berth_error_set(BERTH_E_IO, 0, "cannot read '%s': not a file", path);
	}
	text->path = path;
	text->file = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (text->file)
		return BERTH_OK;
	if (fd >= 0)
		close(fd);
	return berth_error_set(BERTH_E_IO, 0, "cannot open '%s': %s", path, strerror(errno));
}

void berth__plan_text_close(struct berth__plan_text *text)
{
	fclose(text->file);
}

bool berth__plan_parse_number(uint64_t *out, const char *string)
{
	char *end;
	uint64_t number;

	if (!isdigit((unsigned char)*string))
		return false;
	errno = 0;
	number = strtoull(string, &end, 10);
	if (*end || errno == ERANGE)
		return false;
	*out = number;
	return true;
}

berth_status berth__plan_text_error(const struct berth__plan_text *text, uint64_t line,
				    const char *format, ...)
{
	char reason[256];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return berth_error_set(BERTH_E_FORMAT, 0, "%s, line %" PRIu64 ": %s", text->path, line,
			       reason);
}
