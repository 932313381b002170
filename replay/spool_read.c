/* SPDX-License-Identifier: Apache-2.0 */
#include "spool_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <berth/caps.h>

static berth_status no_file(const char *path)
{
	return berth_error_set(errno == ENOMEM ? BERTH_E_NOMEM : BERTH_E_IO, 0,
			       "cannot open '%s': %s", path, strerror(errno));
}

/* Both sides are one build, or the records cannot be understood. */
static berth_status check_header(const struct berth__spool *spool)
{
	const struct berth_spool_header *header = spool->header;
	uint64_t ring_bytes = header->ring_bytes;

	if (header->magic != BERTH_SPOOL_MAGIC)
		return berth_error_set(BERTH_E_FORMAT, 0, "'%s' is not a spool", spool->path);
	if (header->version != BERTH_SPOOL_VERSION ||
	    header->header_bytes != BERTH_SPOOL_HEADER_BYTES ||
	    header->caps_bytes != sizeof(berth_caps) ||
	    header->op_bytes != sizeof(struct berth_spool_op))
		return berth_error_set(BERTH_E_VERSION, 0,
				       "'%s' is of another build of Berth (version %" PRIu32
				       ", this one reads %u): recover it with that build",
				       spool->path, header->version, BERTH_SPOOL_VERSION);
	if (ring_bytes < sizeof(struct berth_spool_op) || (ring_bytes & (ring_bytes - 1)) != 0 ||
	    ring_bytes > spool->mapped_bytes - BERTH_SPOOL_HEADER_BYTES)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "'%s' is damaged: a ring of %" PRIu64
				       " bytes in a file of %" PRIu64,
				       spool->path, ring_bytes, spool->mapped_bytes);
	return BERTH_OK;
}

static berth_status map(struct berth__spool *spool)
{
	struct stat status;
	void *memory = MAP_FAILED;
	int fd = open(spool->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return no_file(spool->path);
	spool->file = fd;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size > (off_t)BERTH_SPOOL_HEADER_BYTES) {
		spool->mapped_bytes = (uint64_t)status.st_size;
		memory = mmap(NULL, spool->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (memory == MAP_FAILED)
			return no_file(spool->path);
	}
	if (memory == MAP_FAILED)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "'%s' is damaged: shorter than its header", spool->path);
	spool->header = memory;
	return check_header(spool);
}

berth_status berth__spool_open(struct berth__spool **out, const char *path)
{
	struct berth__spool *spool = calloc(1, sizeof(*spool));
	berth_status st;

	if (!spool || !(spool->path = strdup(path))) {
		free(spool);
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening '%s'", path);
	}
	spool->file = -1;
	if ((st = map(spool)) != BERTH_OK) {
		berth__spool_close(spool);
		return st;
	}
	spool->ring = (const unsigned char *)spool->header + BERTH_SPOOL_HEADER_BYTES;
	spool->ring_bytes = spool->header->ring_bytes;
	*out = spool;
	return BERTH_OK;
}

void berth__spool_close(struct berth__spool *spool)
{
	if (!spool)
		return;
	if (spool->header)
		munmap(spool->header, spool->mapped_bytes);
	if (spool->file >= 0)
		close(spool->file);
	free(spool->record);
	free(spool->path);
	free(spool);
}

berth_status berth__spool_check(const struct berth__spool *spool)
{
	struct stat status;

	if (fstat(spool->file, &status) == 0 && (uint64_t)status.st_size >= spool->mapped_bytes)
		return BERTH_OK;
	return berth_error_set(BERTH_E_FORMAT, 0,
			       "'%s' is damaged: it was cut to %jd bytes of %" PRIu64, spool->path,
			       (intmax_t)status.st_size, spool->mapped_bytes);
}

berth_status berth__spool_seek(struct berth__spool *spool, uint64_t tail)
{
	uint64_t head = atomic_load_explicit(&spool->header->head, memory_order_acquire);

	if (tail > head || head - tail > spool->ring_bytes || tail % 8 != 0)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "'%s' is damaged: drained up to byte %" PRIu64
				       ", but %" PRIu64 " are written into a ring of %" PRIu64,
				       spool->path, tail, head, spool->ring_bytes);
	spool->tail = tail;
	berth__spool_release(spool);
	atomic_store_explicit(&spool->header->reader_pid, (uint32_t)getpid(), memory_order_release);
	return BERTH_OK;
}

void berth__spool_release(struct berth__spool *spool)
{
	atomic_store_explicit(&spool->header->tail, spool->tail, memory_order_release);
}

berth_status berth__spool_damaged(const struct berth__spool *spool, const char *what)
{
	return berth_error_set(BERTH_E_FORMAT, 0, "'%s' is damaged at byte %" PRIu64 ": %s",
			       spool->path, spool->record_at, what);
}

static berth_status reserve(struct berth__spool *spool, uint32_t bytes)
{
	void *record;

	if (bytes <= spool->record_capacity)
		return BERTH_OK;
	record = realloc(spool->record, bytes);
	if (!record)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory reading '%s'", spool->path);
	spool->record = record;
	spool->record_capacity = bytes;
	return BERTH_OK;
}

/* The record at the tail, of which `available` bytes are complete. */
static berth_status copy_record(struct berth__spool *spool, uint64_t available)
{
	uint64_t at = spool->tail & (spool->ring_bytes - 1);
	uint64_t room = spool->ring_bytes - at;
	struct berth_spool_record record;
	berth_status st;

	memcpy(&record, spool->ring + at, sizeof(record));
	if (record.bytes < sizeof(record) || record.bytes % 8 != 0 || record.bytes > available ||
	    record.bytes > room)
		return berth__spool_damaged(spool, "a record of a size that cannot be");
	if (record.type == BERTH_SPOOL_PAD && record.bytes != room)
		return berth__spool_damaged(spool, "padding that does not reach the ring's end");
	if ((st = reserve(spool, record.bytes)) != BERTH_OK)
		return st;
	memcpy(spool->record, spool->ring + at, record.bytes);
	/* The size that was checked, should the writer have changed it since. */
	memcpy(spool->record, &record, sizeof(record));
	return BERTH_OK;
}

berth_status berth__spool_next(const struct berth_spool_record **out, struct berth__spool *spool)
{
	for (;;) {
		uint64_t head = atomic_load_explicit(&spool->header->head, memory_order_acquire);
		const struct berth_spool_record *record;
		berth_status st;

		spool->record_at = spool->tail;
		if (head == spool->tail) {
			*out = NULL;
			return BERTH_OK;
		}
		if (head < spool->tail || head - spool->tail > spool->ring_bytes || head % 8 != 0)
			return berth__spool_damaged(spool, "the writer's position cannot be");
		if ((st = copy_record(spool, head - spool->tail)) != BERTH_OK)
			return st;
		record = spool->record;
		spool->tail += record->bytes;
		if (record->type != BERTH_SPOOL_PAD) {
			*out = record;
			return BERTH_OK;
		}
	}
}

bool berth__spool_has_pending(const struct berth__spool *spool)
{
	for (int i = 0; i < BERTH_SPOOL_PENDING_SLOTS; i++) {
		if (atomic_load_explicit(&spool->header->pending[i].in_call, memory_order_acquire))
			return true;
	}
	return false;
}
