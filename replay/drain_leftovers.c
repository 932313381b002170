/* SPDX-License-Identifier: Apache-2.0 */
#include "drain_leftovers.h"

#include "process_alive.h"
#include "spool_format.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether a name is PID-START, then `end`, which begins with the first '.'. */
static bool is_named(const char *name, uint32_t *pid, const char *end)
{
	int at = 0;

	return sscanf(name, "%" SCNu32 "-%*[0-9a-f]%n", pid, &at) == 1 && at &&
	       strcmp(name + at, end) == 0;
}

/* PID-START.N.spool.new */
static bool is_unfinished(const char *name, uint32_t *pid)
{
	int at = 0;

	return sscanf(name, "%" SCNu32 "-%*[0-9a-f].%*[0-9]%n", pid, &at) == 1 && at &&
	       strcmp(name + at, BERTH_SPOOL_SUFFIX BERTH_SPOOL_UNFINISHED_SUFFIX) == 0;
}

static void tell(int directory, const char *name, uint32_t pid, berth_drain_visit_fn *visit,
		 void *userdata)
{
	char reason[1024];
	const berth_drain_trace note = { .pid = pid, .failure = reason };
	ssize_t bytes = readlinkat(directory, name, reason, sizeof(reason) - 1);

	reason[bytes < 0 ? 0 : bytes] = '\0';
	if (visit)
		visit(&note, userdata);
}

size_t berth__drain_leftovers(const char *directory, berth_drain_visit_fn *visit, void *userdata)
{
	DIR *entries = opendir(directory);
	const struct dirent *entry;
	size_t notes = 0;

	while (entries && (entry = readdir(entries))) {
		uint32_t pid = 0;

		if (is_named(entry->d_name, &pid, BERTH_SPOOL_FAILED_SUFFIX)) {
			tell(dirfd(entries), entry->d_name, pid, visit, userdata);
			notes++;
		} else if (!is_unfinished(entry->d_name, &pid) || berth__process_alive(pid, 0)) {
			continue;
		}
		unlinkat(dirfd(entries), entry->d_name, 0);
	}
	if (entries)
		closedir(entries);
	return notes;
}
