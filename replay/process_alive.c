/* SPDX-License-Identifier: Apache-2.0 */
#include "process_alive.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* State and start time of a process; false: they cannot be read. */
static bool read_stat(uint32_t pid, char *state, uint64_t *start_ticks)
{
	char path[32], text[1024];
	const char *at;
	FILE *file;
	size_t bytes;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	bytes = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[bytes] = '\0';
	/* Field 2 is the name in brackets and may hold anything: count behind its end. */
	at = strrchr(text, ')');
	if (!at || sscanf(at, ") %c", state) != 1)
		return false;
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, " %" SCNu64, start_ticks) == 1;
}

bool berth__process_alive(uint32_t pid, uint64_t start_ticks)
{
	uint64_t ticks = 0;
	char state = 0;

	if (pid == 0 || pid > INT32_MAX || (kill((pid_t)pid, 0) != 0 && errno == ESRCH))
		return false;
	/* Without /proc the pid is all there is to go by. */
	if (!read_stat(pid, &state, &ticks))
		return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
	if (state == 'Z' || state == 'X')
		return false;
	return start_ticks == 0 || start_ticks == ticks;
}
