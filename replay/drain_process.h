/* SPDX-License-Identifier: Apache-2.0 */
/* Draining one process: its series of segments into its unfinished trace. */
#ifndef BERTH_REPLAY_DRAIN_PROCESS_H
#define BERTH_REPLAY_DRAIN_PROCESS_H

#include "spool_read.h"
#include "trace_write.h"

/* The name of an unfinished trace: the series and this. */
#define BERTH__UNFINISHED_SUFFIX ".db"

/* A segment that is drained, kept while a call stands in it. */
struct berth__retired {
	struct berth__retired *next;
	struct berth__spool *spool;
};

struct berth__drain_process {
	char *series;	  /* path of its files up to the segment's number */
	char *unfinished; /* path of its trace until that is placed */
	uint32_t pid;
	struct berth__trace_writer *writer;
	struct berth__spool *spool; /* the segment that is drained now; NULL: damaged or finished */
	struct berth__drain_position position; /* as the trace holds it */
	struct berth__retired *retired;
	uint64_t lost;	    /* as the newest segment said last */
	bool finished;	    /* its trace is whole and holds all that the spool had */
	berth_error damage; /* status BERTH_OK: none */
	/* Once finished: */
	bool placed; /* the trace is where the user wants it */
	uint64_t started_ns;
	uint64_t ops;
	char *program; /* NULL: the process never said what it is: nothing was recorded */
};

/*
 * Find out how far a series was drained, and go on from there. A damaged spool is
 * no failure: process->damage says what is wrong.
 */
BERTH_MUST_CHECK berth_status berth__drain_process_open(struct berth__drain_process **out,
							const char *series, uint32_t pid);
/* Of what is recorded from now on; for a process that was just opened. */
BERTH_MUST_CHECK berth_status berth__drain_process_limit(struct berth__drain_process *process,
							 const struct berth__trace_limits *limits);
/* A mark of the recorder's. */
BERTH_MUST_CHECK berth_status berth__drain_process_mark(struct berth__drain_process *process,
							const char *text);
/* NULL is fine. */
void berth__drain_process_close(struct berth__drain_process *process);

/* Move at most one batch; adds to *moved. BERTH_E_FORMAT the one time damage is found. */
BERTH_MUST_CHECK berth_status berth__drain_process_step(struct berth__drain_process *process,
							uint64_t *moved);

/* Whether the process may still write. */
bool berth__drain_process_alive(const struct berth__drain_process *process);

/* Fill in what the trace says of the process; for _open and _finish. */
BERTH_MUST_CHECK berth_status
berth__drain_process_read_finished(struct berth__drain_process *process);

/* Drain the rest, add the calls that never returned, and make the trace one whole file. */
BERTH_MUST_CHECK berth_status berth__drain_process_finish(struct berth__drain_process *process);

#endif
