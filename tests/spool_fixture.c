/* SPDX-License-Identifier: Apache-2.0 */
#include "spool_fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <berth/caps.h>

static void give_up(const char *what)
{
	perror(what);
	exit(99);
}

void spool_fixture_open(struct spool_fixture *spool, const char *folder, uint32_t pid,
			uint32_t segment, uint64_t ring_bytes)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s/%" PRIu32 "-abc.%" PRIu32 ".spool", folder, pid, segment);
	spool->mapped_bytes = BERTH_SPOOL_HEADER_BYTES + ring_bytes;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)spool->mapped_bytes) != 0)
		give_up(path);
	spool->header = mmap(NULL, spool->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (spool->header == MAP_FAILED)
		give_up(path);
	spool->ring = (unsigned char *)spool->header + BERTH_SPOOL_HEADER_BYTES;
	spool->header->magic = BERTH_SPOOL_MAGIC;
	spool->header->version = BERTH_SPOOL_VERSION;
	spool->header->header_bytes = BERTH_SPOOL_HEADER_BYTES;
	spool->header->ring_bytes = ring_bytes;
	spool->header->pid = pid;
	spool->header->segment = segment;
	spool->header->caps_bytes = sizeof(berth_caps);
	spool->header->op_bytes = sizeof(struct berth_spool_op);
}

void spool_fixture_close(struct spool_fixture *spool)
{
	munmap(spool->header, spool->mapped_bytes);
}

static void pad_to_start(struct spool_fixture *spool, uint64_t head, uint64_t room)
{
	struct berth_spool_record pad = { (uint32_t)room, BERTH_SPOOL_PAD, 0 };

	memcpy(spool->ring + head % spool->header->ring_bytes, &pad, sizeof(pad));
	atomic_store(&spool->header->head, head + room);
}

void spool_fixture_append(struct spool_fixture *spool, void *record, size_t record_bytes,
			  const void *rest, size_t rest_bytes)
{
	struct berth_spool_record *fixed = record;
	uint64_t ring_bytes = spool->header->ring_bytes;
	uint64_t head = atomic_load(&spool->header->head);
	size_t bytes = (record_bytes + rest_bytes + 7) / 8 * 8;

	if (ring_bytes - head % ring_bytes < bytes) {
		pad_to_start(spool, head, ring_bytes - head % ring_bytes);
		head = atomic_load(&spool->header->head);
	}
	if (head + bytes - atomic_load(&spool->header->tail) > ring_bytes) {
		fprintf(stderr, "fixture: the ring is full\n");
		exit(99);
	}
	fixed->bytes = (uint32_t)bytes;
	memset(spool->ring + head % ring_bytes, 0, bytes);
	memcpy(spool->ring + head % ring_bytes, record, record_bytes);
	if (rest_bytes)
		memcpy(spool->ring + head % ring_bytes + record_bytes, rest, rest_bytes);
	atomic_store(&spool->header->head, head + bytes);
}

void spool_fixture_process(struct spool_fixture *spool, uint32_t pid, uint64_t realtime_ns)
{
	static const char strings[] = "/usr/bin/prog\0/home/me\0prog\0-x\0it's 1";
	struct berth_spool_process process = {
		.record = { .type = BERTH_SPOOL_PROCESS },
		.pid = pid,
		.parent_pid = 1,
		.argc = 3,
		.realtime_ns = realtime_ns,
		.monotonic_ns = 1000,
	};

	spool_fixture_append(spool, &process, sizeof(process), strings, sizeof(strings));
}

void spool_fixture_name(struct spool_fixture *spool, uint32_t id, const char *text)
{
	struct berth_spool_name name = { { .type = BERTH_SPOOL_NAME }, id,
					 (uint32_t)strlen(text) + 1 };

	spool_fixture_append(spool, &name, sizeof(name), text, strlen(text) + 1);
}

void spool_fixture_untracked(struct spool_fixture *spool, uint32_t index, const char *name)
{
	struct berth_spool_untracked untracked = { { .type = BERTH_SPOOL_UNTRACKED }, index,
						   (uint32_t)strlen(name) + 1 };

	spool_fixture_append(spool, &untracked, sizeof(untracked), name, strlen(name) + 1);
}

void spool_fixture_op(struct spool_fixture *spool, const struct berth_spool_op *op)
{
	struct berth_spool_op record = *op;

	record.record.type = BERTH_SPOOL_OP;
	spool_fixture_append(spool, &record, sizeof(record), NULL, 0);
}

uint32_t spool_fixture_dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		give_up("fork");
	return (uint32_t)pid;
}
