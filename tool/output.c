/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "cmd.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int output_check(const char *command, const char *to, const char *from)
{
	struct stat target, source;

	if (!to || stat(to, &target) != 0 || stat(from, &source) != 0 ||
	    target.st_dev != source.st_dev || target.st_ino != source.st_ino)
		return CMD_EXIT_OK;
	return cmd_fail(CMD_EXIT_USAGE, "%s: '%s' would be written over '%s', which is read",
			command, to, from);
}

/* A trace that is being written has files of SQLite's beside it. */
static const char *const ends[] = { "", "-wal", "-shm", "-journal" };

#define END_COUNT (sizeof(ends) / sizeof(ends[0]))

/* Made before the handler is there, and kept: it may do nothing but remove them. */
static char *unfinished[END_COUNT];

static void remove_unfinished(int number)
{
	for (size_t i = 0; i < END_COUNT; i++)
		unlink(unfinished[i]);
	/* The handler is gone already (SA_RESETHAND): as without one. */
	raise(number);
}

int output_remove_on_signal(const char *to)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction action = { .sa_handler = remove_unfinished,
					  .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;

	for (size_t i = 0; i < END_COUNT; i++) {
		if (asprintf(&unfinished[i], "%s.tmp%ld%s", to, (long)getpid(), ends[i]) < 0) {
			unfinished[i] = NULL;
			return cmd_fail(CMD_EXIT_FAILED, "no memory to write '%s'", to);
		}
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	return CMD_EXIT_OK;
}
