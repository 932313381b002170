/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that appears whole or not at all: written beside its place, then renamed. A device or a
 * pipe is written to as it is, and stays what it is.
 */
#ifndef BERTH_REPLAY_WHOLE_FILE_H
#define BERTH_REPLAY_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include <berth/status.h>

struct berth__whole_file {
	FILE *stream;
	char *beside; /* the name that it has until it is whole; NULL: a device or a pipe */
};

/* Whether something is there that is neither a file nor a folder. */
bool berth__is_special_file(const char *path);

/* BERTH_OK, BERTH_E_IO, BERTH_E_NOMEM; what follows is to end with the next function. */
BERTH_MUST_CHECK berth_status berth__whole_file_begin(struct berth__whole_file *file,
						      const char *path);

/* Put it in place; when anything was not written, remove it: BERTH_E_IO. */
BERTH_MUST_CHECK berth_status berth__whole_file_end(struct berth__whole_file *file,
						    const char *path);

/* Or remove it: what was to be written cannot be had. */
void berth__whole_file_abandon(struct berth__whole_file *file);

#endif
