/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spools as a recorded process writes them, made by hand from lib/spool_format.h
 * alone, so that they can also be wrong.
 */
#ifndef BERTH_TEST_SPOOL_FIXTURE_H
#define BERTH_TEST_SPOOL_FIXTURE_H

#include <berth/op.h>

#include "spool_format.h"

struct spool_fixture {
	struct berth_spool_header *header; /* mapped, shared with the reader */
	unsigned char *ring;
	uint64_t mapped_bytes;
};

/* Make segment `segment` of the process `pid` in a folder; a process that does not exist. */
void spool_fixture_open(struct spool_fixture *spool, const char *folder, uint32_t pid,
			uint32_t segment, uint64_t ring_bytes);
void spool_fixture_close(struct spool_fixture *spool);

/* Append a record: the fixed part, then the rest. Pads to the ring's start where it must. */
void spool_fixture_append(struct spool_fixture *spool, void *record, size_t record_bytes,
			  const void *rest, size_t rest_bytes);

void spool_fixture_process(struct spool_fixture *spool, uint32_t pid, uint64_t realtime_ns);
void spool_fixture_name(struct spool_fixture *spool, uint32_t id, const char *text);
void spool_fixture_untracked(struct spool_fixture *spool, uint32_t index, const char *name);

/* An op without parts. */
void spool_fixture_op(struct spool_fixture *spool, const struct berth_spool_op *op);

/* A pid that no process has. */
uint32_t spool_fixture_dead_pid(void);

#endif
