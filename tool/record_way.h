/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the recorder gets into the program: by the OpenCL loader, or as its libOpenCL; and, when
 * nothing was recorded, why, and which way to try.
 */
#ifndef BERTH_TOOL_RECORD_WAY_H
#define BERTH_TOOL_RECORD_WAY_H

#include "record_options.h"

#include <limits.h>

struct record_way {
	enum record_via via;
	/* For the program's environment. */
	const char *variable;
	char value[3 * PATH_MAX];
	char own[PATH_MAX];    /* our library; "": a loader loads it */
	char opencl[PATH_MAX]; /* of BERTH_ENV_OPENCL; "": it finds the library itself */
	/* What is seen of the program while nothing is recorded. */
	uint64_t look_at_ns;
	uint64_t pause_ns;
	char mapped[PATH_MAX]; /* an OpenCL library that it has loaded; "": none seen */
	bool is_static;
};

/* CMD_EXIT_OK, or CMD_EXIT_FAILED when it has been said what is missing. */
int record_way_prepare(struct record_way *way, enum record_via via);

/* Look at what a process has loaded, now and then: cheap to call often. */
void record_way_look(struct record_way *way, int pid);

/* Nothing was recorded of @program: say what is known, and what to try. */
void record_way_explain(const struct record_way *way, const char *program);

#endif
