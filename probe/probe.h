/* SPDX-License-Identifier: Apache-2.0 */
/* A probe: cases as steps, the child processes that execute them, what comes back. */
#ifndef BERTH_PROBE_PROBE_H
#define BERTH_PROBE_PROBE_H

#include <berth/open.h>
#include <berth/probe.h>

#include "case.h"

/* Objects and mappings of a world, the op, its use, and the end of all of them. */
#define PROBE_STEPS_MAX 64
#define PROBE_USES_MAX 4
#define PROBE_NO_STEP (-1)

/* One op of a case. */
struct probe_step {
	berth_op op;
	int after;  /* the step that must have succeeded; PROBE_NO_STEP: none */
	int unless; /* the step that must not have */
};

/* What came of a step; travels through a pipe. */
struct probe_reply {
	bool done;
	berth_status status;
	int32_t cl_status;
	uint64_t bytes;
	uint64_t row_pitch_bytes;
	uint64_t slice_pitch_bytes;
	uint64_t duration_ns;
};

/* A case as it is executed. */
struct probe_run {
	const struct probe_row *row;
	berth_probe_case answer;
	bool applicable;
	int step_count;
	int test; /* the step that the case is about */
	int use;  /* the first use of what it makes; PROBE_NO_STEP: it makes nothing */
	struct probe_step steps[PROBE_STEPS_MAX];
	struct probe_reply replies[PROBE_STEPS_MAX];
	berth_object_use uses[PROBE_USES_MAX];
};

/* Memory that cases are lent, so that drivers get addresses that are good. */
struct probe_host {
	void *mapped; /* as the system gave it */
	void *memory; /* the first multiple of 64 KiB in it */
	size_t bytes;
};

struct berth_probe {
	char *device;
	berth_caps caps;
	struct probe_host host;
	size_t count;
	struct probe_run *runs;
	uint32_t timeout_ms;
	berth_probe_measures measures;
};

/* All tables of rows, ended by NULL. */
extern const struct probe_rows *const berth__probe_tables[];

/*
 * Make the steps of a row for a device, and find out from the rules whether it stands
 * for its side there. @index tells the ids of cases apart.
 */
BERTH_MUST_CHECK berth_status berth__probe_plan(struct probe_run *run, const struct probe_row *row,
						size_t index, const berth_caps *caps,
						const struct probe_host *host);

/* Execute a step, when what it needs is there. */
void berth__probe_execute(const struct probe_run *run, int step, berth_device *device,
			  struct probe_reply replies[]);

/* Write the outcome into run->answer, from the replies. */
void berth__probe_judge(struct probe_run *run);

/* Execute all cases in children. */
BERTH_MUST_CHECK berth_status berth__probe_execute_all(berth_probe *probe,
						       const berth_probe_options *options);

/* A child process and the pipe that it answers through. */
struct probe_child {
	int pid;
	int fd;
};

/* What a child does; it ends when this returns. @fd: where it answers. */
typedef void probe_child_fn(int fd, void *userdata);

BERTH_MUST_CHECK berth_status berth__probe_child_start(struct probe_child *child,
						       probe_child_fn *work, void *userdata);

enum probe_read { PROBE_READ_ALL, PROBE_READ_END, PROBE_READ_LATE };

/* Read so many bytes; the end of the pipe or of the time ends it early. */
enum probe_read berth__probe_child_read(const struct probe_child *child, void *bytes, size_t count,
					uint32_t timeout_ms);

/* End the child if need be. @return the signal that had ended it before; 0: none. */
int berth__probe_child_finish(struct probe_child *child, bool end_it);

/* In the child: answer. The process ends when nobody listens. */
void berth__probe_child_write(int fd, const void *bytes, size_t count);

/* Open the device as probes do. */
BERTH_MUST_CHECK berth_status berth__probe_open(berth_device **out, const char *device);

#endif
