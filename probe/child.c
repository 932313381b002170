/* SPDX-License-Identifier: Apache-2.0 */
/* A child process that answers through a pipe. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A driver's words are dropped, and it leaves no core files. */
static void be_quiet(void)
{
	const struct rlimit none = { 0, 0 };
	int nowhere = open("/dev/null", O_RDWR);

	if (nowhere >= 0) {
		dup2(nowhere, STDIN_FILENO);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
	setrlimit(RLIMIT_CORE, &none);
}

berth_status berth__probe_child_start(struct probe_child *child, probe_child_fn *work,
				      void *userdata)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return berth_error_set(BERTH_E_IO, 0, "no pipe to a child process: %s",
				       strerror(errno));
	child->pid = fork();
	if (child->pid == 0) {
		close(ends[0]);
		be_quiet();
		work(ends[1], userdata);
		_exit(0);
	}
	close(ends[1]);
	child->fd = ends[0];
	if (child->pid > 0)
		return BERTH_OK;
	close(ends[0]);
	return berth_error_set(BERTH_E_IO, 0, "no child process: %s", strerror(errno));
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum probe_read berth__probe_child_read(const struct probe_child *child, void *bytes, size_t count,
					uint32_t timeout_ms)
{
	const int64_t end_ms = now_ms() + timeout_ms;
	struct pollfd waiting = { .fd = child->fd, .events = POLLIN };
	size_t have = 0;

	while (have < count) {
		const int64_t left_ms = end_ms - now_ms();
		ssize_t got;

		if (left_ms <= 0)
			return PROBE_READ_LATE;
		if (poll(&waiting, 1, (int)left_ms) <= 0)
			continue;
		got = read(child->fd, (char *)bytes + have, count - have);
		if (got == 0 || (got < 0 && errno != EINTR))
			return PROBE_READ_END;
		if (got > 0)
			have += (size_t)got;
	}
	return PROBE_READ_ALL;
}

int berth__probe_child_finish(struct probe_child *child, bool end_it)
{
	int wait_status = 0;

	close(child->fd);
	if (end_it)
		kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &wait_status, 0) < 0 && errno == EINTR)
		;
	return !end_it && WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
}

void berth__probe_child_write(int fd, const void *bytes, size_t count)
{
	size_t sent = 0;

	while (sent < count) {
		const ssize_t put = write(fd, (const char *)bytes + sent, count - sent);

		if (put < 0 && errno != EINTR)
			_exit(0);
		if (put > 0)
			sent += (size_t)put;
	}
}
