/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_AFTER_NS UINT64_C(1000000000)
#define THEN_EVERY_NS UINT64_C(200000000)
#define ERASE_LINE "\r\033[K"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void progress_start(struct progress *progress)
{
	progress->terminal = isatty(STDERR_FILENO);
	progress->shown = false;
	progress->next_ns = now_ns() + FIRST_AFTER_NS;
}

void progress_show(struct progress *progress, const char *format, ...)
{
	va_list args;

	if (!progress->terminal || now_ns() < progress->next_ns)
		return;
	progress->next_ns = now_ns() + THEN_EVERY_NS;
	progress->shown = true;
	fputs(ERASE_LINE, stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs(ERASE_LINE, stderr);
	progress->shown = false;
}
