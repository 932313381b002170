/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds damaged spools to the drainer. Without arguments: copies of a valid one,
 * damaged in ways that are the same each time; else the files named.
 */
#include "mutate.h"

#include "scratch.h"
#include "spool_fixture.h"

#include <berth/caps.h>
#include <berth/record.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RING 16384
/* Beyond any pid of the system. */
#define PID 99999999
#define SPOOL_NAME "spools/99999999-abc.0.spool"

/* One of each type of record, an op with all parts, and a call that has not returned. */
static unsigned char *make_valid(size_t *bytes)
{
	static const berth_caps caps;
	struct berth_spool_device device = { { .type = BERTH_SPOOL_DEVICE }, 1, sizeof(caps) };
	struct berth_spool_queue queue = { { .type = BERTH_SPOOL_QUEUE }, 1, 1, 1, 0, 0 };
	unsigned char parts[sizeof(berth_region) + sizeof(berth_image) +
			    sizeof(struct berth_spool_result) + 16 + 2 * sizeof(berth_object_use)];
	struct berth_spool_op op = { .record = { .type = BERTH_SPOOL_OP },
				     .kind = BERTH_OP_USE,
				     .parts = 31,
				     .use_count = 2,
				     .name = 1 };
	struct spool_fixture spool;
	unsigned char *content;

	memset(parts, 1, sizeof(parts));
	scratch_make();
	mkdir(scratch_path("spools"), 0700);
	spool_fixture_open(&spool, scratch_path("spools"), PID, 0, RING);
	spool_fixture_process(&spool, PID, 1);
	spool_fixture_append(&spool, &queue, sizeof(queue), NULL, 0);
	spool_fixture_name(&spool, 1, "kernel");
	spool_fixture_untracked(&spool, 2, "clSVMAlloc");
	spool_fixture_append(&spool, &op, sizeof(op), parts, sizeof(parts));
	spool_fixture_op(&spool, &(struct berth_spool_op){ .kind = BERTH_OP_BUFFER_CREATE,
							   .object = 1,
							   .bytes = 64 });
	spool_fixture_append(&spool, &device, sizeof(device), &caps, sizeof(caps));
	atomic_store(&spool.header->untracked[2], 1);
	spool.header->pending[0].op.kind = BERTH_OP_SYNC;
	atomic_store(&spool.header->pending[0].in_call, 1);
	spool_fixture_close(&spool);
	content = file_read(scratch_path(SPOOL_NAME), bytes);
	scratch_remove();
	return content;
}

static void input(const unsigned char *content, size_t bytes)
{
	berth_drain *drain;
	uint64_t moved;

	/* A folder of its own: what one input left must not be in the next one's way. */
	scratch_make();
	mkdir(scratch_path("spools"), 0700);
	file_write(scratch_path(SPOOL_NAME), content, bytes);
	if (berth_drain_create(&drain, scratch_path("spools")) == BERTH_OK) {
		/* Only statuses are promised, whichever. */
		berth_status stepped = berth_drain_step(drain, &moved);
		berth_status finished = berth_drain_finish(drain, scratch_path("t.db"), NULL, NULL);

		(void)stepped;
		(void)finished;
		berth_drain_destroy(drain);
	}
	scratch_remove();
}

int main(int argc, char **argv)
{
	/* The header up to its tail, and the first records of the ring. */
	const struct fuzz_plan header = { 0, 136, BERTH_SPOOL_HEADER_BYTES, 300 };
	const struct fuzz_plan records = { BERTH_SPOOL_HEADER_BYTES, BERTH_SPOOL_HEADER_BYTES + 256,
					   BERTH_SPOOL_HEADER_BYTES, 0 };
	unsigned char *content;
	size_t bytes;

	if (argc > 1) {
		fuzz_files(argv + 1, argc - 1, input);
		return 0;
	}
	content = make_valid(&bytes);
	fuzz_mutations(content, bytes, &header, input);
	fuzz_mutations(content, bytes, &records, input);
	free(content);
	return 0;
}
