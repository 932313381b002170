/* SPDX-License-Identifier: Apache-2.0 */
/* Making the file behind a segment, so that using it cannot fail. */
#include "spool_segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <berth/caps.h>

/* A file over the limit would end the program with SIGXFSZ. */
static int limit_allows(uint64_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    bytes > limit.rlim_cur)
		return EFBIG;
	return 0;
}

static int map_file(unsigned char **out, int file, uint64_t bytes)
{
	void *mapped;
	int error = limit_allows(bytes);

	if (error == 0)
		error = posix_fallocate(file, 0, (off_t)bytes);
	if (error != 0)
		return error;
	mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
	if (mapped == MAP_FAILED)
		return errno;
	/* A forked child has a spool of its own; in this one it would write over its parent. */
	madvise(mapped, bytes, MADV_DONTFORK);
	*out = mapped;
	return 0;
}

static void fill_header(struct berth_spool_header *header, uint32_t number, uint64_t ring_bytes,
			uint64_t process_start_ticks)
{
	header->magic = BERTH_SPOOL_MAGIC;
	header->version = BERTH_SPOOL_VERSION;
	header->header_bytes = BERTH_SPOOL_HEADER_BYTES;
	header->ring_bytes = ring_bytes;
	header->pid = (uint32_t)getpid();
	header->segment = number;
	header->caps_bytes = sizeof(berth_caps);
	header->op_bytes = sizeof(struct berth_spool_op);
	header->process_start_ticks = process_start_ticks;
}

berth_status berth__spool_segment_create(struct berth__spool_segment *out, const char *prefix,
					 uint32_t number, uint64_t ring_bytes,
					 uint64_t process_start_ticks)
{
	char path[PATH_MAX], unfinished[PATH_MAX + 4];
	unsigned char *mapped = NULL;
	uint64_t bytes;
	int file, error;

	if (__builtin_add_overflow(ring_bytes, BERTH_SPOOL_HEADER_BYTES, &bytes) ||
	    bytes > INT64_MAX)
		return berth_error_set(BERTH_E_OVERFLOW, 0, "a ring of %" PRIu64 " bytes",
				       ring_bytes);
	if (snprintf(path, sizeof(path), "%s.%" PRIu32 BERTH_SPOOL_SUFFIX, prefix, number) >=
	    (int)sizeof(path))
		return berth_error_set(BERTH_E_INVAL, 0, "the path of a spool is over %d bytes",
				       PATH_MAX);
	snprintf(unfinished, sizeof(unfinished), "%s" BERTH_SPOOL_UNFINISHED_SUFFIX, path);

	file = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0)
		return berth_error_set(BERTH_E_IO, 0, "cannot make '%s': %s", unfinished,
				       strerror(errno));
	error = map_file(&mapped, file, bytes);
	close(file);
	if (error == 0) {
		fill_header((struct berth_spool_header *)mapped, number, ring_bytes,
			    process_start_ticks);
		if (rename(unfinished, path) != 0)
			error = errno;
	}
	if (error != 0) {
		unlink(unfinished);
		if (mapped)
			munmap(mapped, bytes);
		return berth_error_set(BERTH_E_IO, 0, "cannot make '%s' of %" PRIu64 " bytes: %s",
				       path, bytes, strerror(error));
	}
	out->header = (struct berth_spool_header *)mapped;
	out->ring = mapped + BERTH_SPOOL_HEADER_BYTES;
	out->ring_bytes = ring_bytes;
	return BERTH_OK;
}

void berth__spool_segment_leave(const struct berth__spool_segment *segment)
{
	munmap(segment->ring, segment->ring_bytes);
}
