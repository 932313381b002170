/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "cmd.h"

#include <stddef.h>
#include <sys/stat.h>

int output_check(const char *command, const char *to, const char *from)
{
	struct stat target, source;

	if (!to || stat(to, &target) != 0 || stat(from, &source) != 0 ||
	    target.st_dev != source.st_dev || target.st_ino != source.st_ino)
		return CMD_EXIT_OK;
	return cmd_fail(CMD_EXIT_USAGE, "%s: '%s' would be written over '%s', which is read", command,
			to, from);
}
