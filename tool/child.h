/* SPDX-License-Identifier: Apache-2.0 */
/* A program under the tool: its start, its signals, its end. */
#ifndef BERTH_TOOL_CHILD_H
#define BERTH_TOOL_CHILD_H

#include <signal.h>
#include <sys/types.h>

#include <berth/status.h>

/* Signals whose action is another one here than in the child. */
#define CHILD_ACTIONS 3

struct child {
	pid_t pid;
	sigset_t signals;  /* blocked here while the child lives */
	sigset_t old_mask; /* the caller's own; the child gets it back */
	struct sigaction old_actions[CHILD_ACTIONS];
	bool ended;
	int wait_status;  /* of waitpid(), when ended */
	bool interrupted; /* a signal came that ends programs: somebody may be tired of waiting */
	int mark_signal;  /* of child_options */
	unsigned marks;	  /* how often it came; the caller takes them away */
	bool adopts;	  /* of child_options */
	bool alone;	  /* adopts, and no process is left */
};

struct child_options {
	int mark_signal; /* counted, and not passed on; 0: none */
	bool adopts;	 /* processes that lose their parent become ours, so that we see them end */
};

/* One more variable for the child. */
struct child_variable {
	const char *name;
	const char *value;
};

/*
 * Start a program with more environment.
 * @variables  ends with a NULL name
 * @options    NULL: none of them
 * BERTH_OK, or BERTH_E_IO: the detail says why it cannot run, and no child is left.
 */
berth_status child_start(struct child *child, char *const argv[],
			 const struct child_variable *variables,
			 const struct child_options *options);

/*
 * Wait for a signal or @timeout_ms, and handle it. What another process sends to
 * the tool goes on to the child; what the terminal sends has reached it already.
 */
void child_wait(struct child *child, int timeout_ms);

/* Give the caller's signal mask and actions back. */
void child_finish(struct child *child);

/* The child's exit status, or end this process by the signal that ended the child. */
int child_exit_like(const struct child *child);

#endif
