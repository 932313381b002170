/* SPDX-License-Identifier: Apache-2.0 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Blocked and taken one by one with sigtimedwait(): no handlers, no races. */
static const int watched[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/*
 * SIGCHLD may have been ignored by who started us: then the system would reap the
 * child, and its end never be seen. A reader of our messages that went away, and a
 * limit on the size of files, are errors to report and must not end the recording.
 */
static const struct {
	int number;
	void (*action)(int);
} actions[CHILD_ACTIONS] = {
	{ SIGCHLD, SIG_DFL },
	{ SIGPIPE, SIG_IGN },
	{ SIGXFSZ, SIG_IGN },
};

static void set_signals(struct child *child)
{
	for (int i = 0; i < CHILD_ACTIONS; i++) {
		const struct sigaction action = { .sa_handler = actions[i].action };

		sigaction(actions[i].number, &action, &child->old_actions[i]);
	}
	sigemptyset(&child->signals);
	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
		sigaddset(&child->signals, watched[i]);
	if (child->mark_signal)
		sigaddset(&child->signals, child->mark_signal);
	sigprocmask(SIG_BLOCK, &child->signals, &child->old_mask);
}

static void restore_signals(const struct child *child)
{
	for (int i = 0; i < CHILD_ACTIONS; i++)
		sigaction(actions[i].number, &child->old_actions[i], NULL);
	sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
}

/* In the child: become the program, or say why not through @report. */
static void become(const struct child *child, char *const argv[],
		   const struct child_variable *variables, int report)
{
	int reason = 0;
	ssize_t written;

	restore_signals(child);
	for (; variables->name && reason == 0; variables++)
		if (setenv(variables->name, variables->value, 1) != 0)
			reason = errno;
	if (reason == 0) {
		execvp(argv[0], argv);
		reason = errno;
	}
	written = write(report, &reason, sizeof(reason));
	(void)written;
	_exit(127);
}

/* The pipe closes when the program starts; before that only a failure comes through. */
static int exec_failure(int report)
{
	int reason = 0;
	ssize_t bytes;

	do
		bytes = read(report, &reason, sizeof(reason));
	while (bytes < 0 && errno == EINTR);
	return bytes == (ssize_t)sizeof(reason) ? reason : 0;
}

berth_status child_start(struct child *child, char *const argv[],
			 const struct child_variable *variables,
			 const struct child_options *options)
{
	int report[2], reason;

	memset(child, 0, sizeof(*child));
	if (options) {
		child->mark_signal = options->mark_signal;
		child->adopts = options->adopts &&
				prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
	}
	if (pipe2(report, O_CLOEXEC) != 0)
		return berth_error_set(BERTH_E_IO, 0, "cannot run '%s': %s", argv[0],
				       strerror(errno));
	set_signals(child);
	child->pid = fork();
	reason = errno;
	if (child->pid == 0)
		become(child, argv, variables, report[1]);
	close(report[1]);
	if (child->pid > 0)
		reason = exec_failure(report[0]);
	close(report[0]);
	if (reason == 0)
		return BERTH_OK;
	if (child->pid > 0)
		waitpid(child->pid, NULL, 0);
	child_finish(child);
	return berth_error_set(BERTH_E_IO, 0, "cannot run '%s': %s", argv[0], strerror(reason));
}

static void reap(struct child *child)
{
	int status;

	if (!child->ended && waitpid(child->pid, &status, WNOHANG) == child->pid) {
		child->ended = true;
		child->wait_status = status;
	}
	/* Those that came to us when their parent ended. */
	while (child->adopts && child->ended && !child->alone) {
		pid_t pid = waitpid(-1, &status, WNOHANG);

		child->alone = pid < 0 && errno == ECHILD;
		if (pid <= 0)
			break;
	}
}

void child_wait(struct child *child, int timeout_ms)
{
	const struct timespec timeout = {
		.tv_sec = timeout_ms / 1000,
		.tv_nsec = timeout_ms % 1000 * 1000000L,
	};
	siginfo_t info;
	int number = sigtimedwait(&child->signals, &info, &timeout);

	if (number > 0 && number == child->mark_signal) {
		child->marks++;
	} else if (number > 0 && number != SIGCHLD) {
		child->interrupted = true;
		if (!child->ended && info.si_code != SI_KERNEL)
			kill(child->pid, number);
	}
	reap(child);
}

void child_finish(struct child *child)
{
	restore_signals(child);
}

int child_exit_like(const struct child *child)
{
	int number;
	sigset_t set;

	if (WIFEXITED(child->wait_status))
		return WEXITSTATUS(child->wait_status);
	number = WTERMSIG(child->wait_status);
	/* One core file is enough, and it is the program's. */
	prctl(PR_SET_DUMPABLE, 0);
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	return 128 + number; /* as a shell would say it; the signal was not deadly here */
}
