/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `berth record`, and what they say to the layer and to the drain. */
#ifndef BERTH_TOOL_RECORD_OPTIONS_H
#define BERTH_TOOL_RECORD_OPTIONS_H

#include "child.h"
#include "cmd.h"

#include <berth/record.h>

/* How the recorder comes into the program. */
enum record_via {
	RECORD_VIA_LAYER,   /* the OpenCL loader loads it */
	RECORD_VIA_LIBRARY, /* a libOpenCL of ours comes first in the library path */
	RECORD_VIA_PRELOAD, /* the same, loaded before all other libraries */
};

struct record_options {
	const char *file;
	const char *spool_folder; /* NULL: beside the file */
	enum record_via via;
	struct child_options child;
	berth_drain_limits limits;
	/* Environment for the layer, in decimal. */
	const char *digest;
	const char *split_waits;
	char payload[24];
	char stacks[8];
};

/* For struct cmd: ends with a NULL name. */
extern const struct cmd_option record_option_table[];

/* CMD_EXIT_OK, or CMD_EXIT_USAGE when it has been said what is wrong. */
int record_options_read(struct record_options *out, const struct cmd_line *line);

#endif
