/* SPDX-License-Identifier: Apache-2.0 */
/* The PROCESS record, from /proc and the clocks. */
#include "spool_process.h"

#include "clock.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Up to `room` bytes of a file; without stdio, since this runs in forked children too. */
static size_t read_file(char *out, size_t room, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	ssize_t got = 1;

	if (file < 0)
		return 0;
	while (done < room && (got = read(file, out + done, room - done)) > 0)
		done += (size_t)got;
	close(file);
	return done;
}

uint64_t berth__spool_process_start_ticks(void)
{
	char text[1024];
	size_t bytes = read_file(text, sizeof(text) - 1, "/proc/self/stat");
	uint64_t ticks = 0;
	const char *at;

	text[bytes] = 0;
	/* Field 2 is the name in brackets and may hold anything: count behind its end. */
	at = strrchr(text, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (!at || sscanf(at, " %" SCNu64, &ticks) != 1)
		return 0;
	return ticks;
}

/* Keep whole arguments only; returns how many. */
static uint32_t count_arguments(const char *text, size_t *bytes)
{
	uint32_t count = 0;
	size_t end = 0;

	for (size_t i = 0; i < *bytes; i++) {
		if (text[i] == 0) {
			count++;
			end = i + 1;
		}
	}
	*bytes = end;
	return count;
}

void berth__spool_describe_process(struct berth__spool_process *out, bool forked)
{
	ssize_t path_bytes;
	size_t at = 0, arguments_bytes;

	memset(&out->fixed, 0, sizeof(out->fixed));
	memset(out->strings, 0, sizeof(out->strings));
	out->fixed.record.type = BERTH_SPOOL_PROCESS;
	out->fixed.pid = (uint32_t)getpid();
	out->fixed.parent_pid = (uint32_t)getppid();
	out->fixed.forked = forked;
	out->fixed.realtime_ns = berth__clock_ns(CLOCK_REALTIME);
	out->fixed.monotonic_ns = berth__clock_ns(CLOCK_MONOTONIC);

	path_bytes = readlink("/proc/self/exe", out->strings, PATH_MAX - 1);
	at += path_bytes > 0 ? (size_t)path_bytes : 0;
	out->strings[at++] = 0;
	if (getcwd(out->strings + at, PATH_MAX))
		at += strlen(out->strings + at);
	out->strings[at++] = 0;
	arguments_bytes =
		read_file(out->strings + at, sizeof(out->strings) - at, "/proc/self/cmdline");
	out->fixed.argc = count_arguments(out->strings + at, &arguments_bytes);
	out->strings_bytes = at + arguments_bytes;
}
