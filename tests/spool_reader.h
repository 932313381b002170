/* SPDX-License-Identifier: Apache-2.0 */
/* A small reader of spools for tests: asserts that what it reads is well-formed. */
#ifndef BERTH_TESTS_SPOOL_READER_H
#define BERTH_TESTS_SPOOL_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <berth/op.h>

#include "spool_format.h"

struct spool_reader {
	char prefix[512]; /* "DIR/PID-START" */
	uint32_t segment;
	struct berth_spool_header *header; /* of `segment`, mapped with its ring */
	uint64_t tail;
};

typedef void spool_visit_fn(const struct berth_spool_record *record, void *userdata);

/* How many processes have a spool in a directory. */
size_t spool_count(const char *directory);

/* Open the index-th of them, in order of pid; false: there is none. */
bool spool_reader_open(struct spool_reader *reader, const char *directory, size_t index);
void spool_reader_close(struct spool_reader *reader);

/* Visit what is committed and was not visited yet, in all segments, and give the room back. */
size_t spool_reader_drain(struct spool_reader *reader, spool_visit_fn *visit, void *userdata);

/* An op and its parts; those that are not there are zero. */
struct spool_op {
	struct berth_spool_op op;
	berth_region region;
	berth_image image;
	struct berth_spool_result result;
	uint8_t digest[16];
	berth_object_use uses[16];
	uint64_t events[8];
};

/* Everything that the process `index` in a directory recorded. */
struct spool_content {
	struct berth_spool_process process;
	size_t op_count, op_room;
	struct spool_op *ops; /* but for those of kind order */
	size_t order_count, order_room;
	struct spool_op *orders;
	size_t counts[BERTH_OP_KIND_END];
	char names[64][64]; /* by id */
	struct {
		char name[64];
		uint32_t count;
	} untracked[32];
	uint32_t device_count;
	struct berth_spool_queue queues[8]; /* by id */
	/* How many of these records there were, and the last of some. */
	size_t later_count, payload_count, time_count, stack_count, module_count;
	struct berth_spool_digest later;
	struct berth_spool_time time;
	bool closed;
	uint64_t lost;
	uint32_t pending_count;
	struct berth_spool_op pending[BERTH_SPOOL_PENDING_SLOTS];
};

/* False: there is no such spool. Free with spool_content_free(). */
bool spool_content_read(struct spool_content *out, const char *directory, size_t index);
void spool_content_free(struct spool_content *content);

/* A fresh folder, and its end with all that is in it. */
bool scratch_make(char path[64]);
void scratch_remove(const char *path);

#endif
