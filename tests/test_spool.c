/* SPDX-License-Identifier: Apache-2.0 */
/* The spool's writer alone: going round, growing, waiting, threads, fork, kill. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spool_process.h"
#include "spool_reader.h"
#include "clock.h"
#include "spool_writer.h"
#include "test_main.h"

#define RING_BYTES (UINT64_C(256) << 10)

static char directory[64];

static struct berth__spool_options options(uint64_t ring_bytes_max, uint64_t wait_ns)
{
	return (struct berth__spool_options){ .directory = directory,
					      .ring_bytes = RING_BYTES,
					      .ring_bytes_max = ring_bytes_max,
					      .wait_ns = wait_ns };
}

/* A retain of object `object` by thread `thread`: the smallest op record. */
static void append_op(struct berth__spool_writer *writer, uint32_t thread, uint64_t object)
{
	struct berth_spool_op op = { .record.type = BERTH_SPOOL_OP,
				     .kind = BERTH_OP_RETAIN,
				     .thread = thread,
				     .object = object };
	struct berth__spool_message message = { .record = &op.record,
						.parts = { { &op, sizeof(op) } },
						.part_count = 1 };

	berth__spool_append(writer, &message);
}

/* Objects come as 1, 2, 3 ... for each thread. */
struct sequence {
	uint64_t last[8];
	uint64_t seen;
	bool in_order;
};

static void visit_in_order(const struct berth_spool_record *record, void *userdata)
{
	struct sequence *sequence = userdata;
	const struct berth_spool_op *op = (const void *)record;

	if (record->type != BERTH_SPOOL_OP)
		return;
	sequence->in_order &= op->object == sequence->last[op->thread] + 1;
	sequence->last[op->thread] = op->object;
	sequence->seen++;
}

static void ignore(const struct berth_spool_record *record, void *userdata)
{
	(void)record;
	(void)userdata;
}

static void process_record(void)
{
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(RING_BYTES, 0);
	struct spool_content content;

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	CU_ASSERT_FATAL(spool_content_read(&content, directory, 0));
	ASSERT_INT(content.process.pid, getpid());
	ASSERT_INT(content.process.parent_pid, getppid());
	ASSERT_INT(content.process.forked, 0);
	CU_ASSERT(content.process.argc >= 1);
	CU_ASSERT(!content.closed);
	spool_content_free(&content);
	berth__spool_destroy(&writer);
	CU_ASSERT_FATAL(spool_content_read(&content, directory, 0));
	CU_ASSERT(content.closed);
	spool_content_free(&content);
	scratch_remove(directory);
}

/* 20 rounds with the reader keeping up: every record, in order, in one segment. */
static void goes_round(void)
{
	const uint64_t count = 20 * RING_BYTES / sizeof(struct berth_spool_op);
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(RING_BYTES, 0);
	struct sequence sequence = { .in_order = true };
	struct spool_reader reader;

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	CU_ASSERT_FATAL(spool_reader_open(&reader, directory, 0));
	for (uint64_t i = 1; i <= count; i++) {
		append_op(&writer, 0, i);
		if (i % 1000 == 0)
			spool_reader_drain(&reader, visit_in_order, &sequence);
	}
	spool_reader_drain(&reader, visit_in_order, &sequence);
	ASSERT_INT(sequence.seen, count);
	CU_ASSERT(sequence.in_order);
	ASSERT_INT(reader.segment, 0);
	ASSERT_INT(atomic_load(&reader.header->lost), 0);
	spool_reader_close(&reader);
	berth__spool_destroy(&writer);
	scratch_remove(directory);
}

/* Nobody reads 256 + 512 + 512 KiB: three segments, nothing lost, no wait. */
static void grows_when_nobody_reads(void)
{
	const uint64_t count = (5 * RING_BYTES - 8192) / sizeof(struct berth_spool_op);
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(2 * RING_BYTES, UINT64_C(60000000000));
	struct sequence sequence = { .in_order = true };
	struct spool_reader reader;

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	berth__spool_count_untracked(&writer, 3);
	for (uint64_t i = 1; i <= count; i++)
		append_op(&writer, 0, i);
	berth__spool_count_untracked(&writer, 3);
	CU_ASSERT_FATAL(spool_reader_open(&reader, directory, 0));
	spool_reader_drain(&reader, visit_in_order, &sequence);
	ASSERT_INT(sequence.seen, count);
	CU_ASSERT(sequence.in_order);
	ASSERT_INT(reader.segment, 2);
	ASSERT_INT(reader.header->ring_bytes, 2 * RING_BYTES);
	/* Counts are carried on: one before, one after. */
	ASSERT_INT(atomic_load(&reader.header->untracked[3]), 2);
	ASSERT_INT(atomic_load(&reader.header->lost), 0);
	spool_reader_close(&reader);
	berth__spool_destroy(&writer);
	scratch_remove(directory);
}

static void waits_for_a_reader_a_bounded_time(void)
{
	static const struct {
		const char *name;
		bool reader_lives;
		uint64_t least_ns, most_ns; /* the upper one leaves room for a busy machine */
	} cases[] = {
		{ "the reader lives", true, UINT64_C(50000000), UINT64_C(10000000000) },
		{ "the reader is gone", false, 0, UINT64_C(10000000000) },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct berth__spool_writer writer;
		struct berth__spool_options wanted = options(RING_BYTES, UINT64_C(50000000));
		uint64_t began, took;
		pid_t gone = fork();

		if (gone == 0)
			_exit(0);
		waitpid(gone, NULL, 0);
		test_case("%s", cases[i].name);
		CU_ASSERT_FATAL(scratch_make(directory));
		ASSERT_OK(berth__spool_open(&writer, &wanted));
		atomic_store(&writer.segment.header->reader_pid,
			     (uint32_t)(cases[i].reader_lives ? getpid() : gone));
		began = berth__clock_ns(CLOCK_MONOTONIC);
		errno = 77;
		for (uint64_t n = 0; n < RING_BYTES / sizeof(struct berth_spool_op); n++)
			append_op(&writer, 0, n);
		took = berth__clock_ns(CLOCK_MONOTONIC) - began;
		ASSERT_INT(errno, 77);
		ASSERT_INT(writer.number, 1);
		CU_ASSERT(took >= cases[i].least_ns);
		CU_ASSERT(took < cases[i].most_ns);
		berth__spool_destroy(&writer);
		scratch_remove(directory);
	}
}

/* No second segment can be made: records are dropped and counted, until there is room. */
static void counts_what_is_lost(void)
{
	const uint64_t fits = RING_BYTES / sizeof(struct berth_spool_op);
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(RING_BYTES, 0);
	struct sequence sequence = { .in_order = true };
	struct spool_reader reader;
	uint64_t lost;

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	CU_ASSERT_FATAL(spool_reader_open(&reader, directory, 0));
	memcpy(writer.prefix, "/nonexistent/x", sizeof("/nonexistent/x"));
	for (uint64_t i = 1; i <= fits + 100; i++)
		append_op(&writer, 0, i);
	lost = atomic_load(&reader.header->lost);
	CU_ASSERT(lost >= 100);
	spool_reader_drain(&reader, visit_in_order, &sequence);
	ASSERT_INT(sequence.seen + lost, fits + 100);
	CU_ASSERT(sequence.in_order);
	append_op(&writer, 0, sequence.seen + 1);
	ASSERT_INT(spool_reader_drain(&reader, visit_in_order, &sequence), 1);
	ASSERT_INT(atomic_load(&reader.header->lost), lost);
	spool_reader_close(&reader);
	berth__spool_destroy(&writer);
	scratch_remove(directory);
}

/* A tail that is ahead of the head would make the writer overwrite what is not read. */
static void does_not_believe_a_wrong_tail(void)
{
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(RING_BYTES, 0);
	struct spool_reader reader;

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	CU_ASSERT_FATAL(spool_reader_open(&reader, directory, 0));
	atomic_store(&reader.header->tail, UINT64_MAX - 7);
	for (uint64_t i = 0; i < RING_BYTES / sizeof(struct berth_spool_op); i++)
		append_op(&writer, 0, i);
	ASSERT_INT(writer.number, 1);
	spool_reader_close(&reader);
	berth__spool_destroy(&writer);
	scratch_remove(directory);
}

static void too_large_a_record_is_lost(void)
{
	static unsigned char large[RING_BYTES / 4 + 8];
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(RING_BYTES, 0);
	_Atomic uint32_t in_call = 1;
	struct berth__spool_message message = { .record = (struct berth_spool_record *)large,
						.parts = { { large, sizeof(large) } },
						.part_count = 1,
						.in_call = &in_call };

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	berth__spool_append(&writer, &message);
	ASSERT_INT(atomic_load(&writer.segment.header->lost), 1);
	ASSERT_INT(atomic_load(&in_call), 0);
	berth__spool_destroy(&writer);
	scratch_remove(directory);
}

#define THREADS 8
#define OPS_A_THREAD 20000

struct work {
	struct berth__spool_writer *writer;
	uint32_t thread;
};

static void *append_many(void *userdata)
{
	const struct work *work = userdata;

	for (uint64_t i = 1; i <= OPS_A_THREAD; i++)
		append_op(work->writer, work->thread, i);
	return NULL;
}

/* Eight threads fill the ring many times over while this one reads. */
static void many_threads(void)
{
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(4 * RING_BYTES, UINT64_C(100000000));
	struct sequence sequence = { .in_order = true };
	struct spool_reader reader;
	pthread_t threads[THREADS];
	struct work work[THREADS];

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	CU_ASSERT_FATAL(spool_reader_open(&reader, directory, 0));
	atomic_store(&reader.header->reader_pid, (uint32_t)getpid());
	for (uint32_t i = 0; i < THREADS; i++) {
		work[i] = (struct work){ &writer, i };
		CU_ASSERT_FATAL(pthread_create(&threads[i], NULL, append_many, &work[i]) == 0);
	}
	while (sequence.seen < THREADS * OPS_A_THREAD / 2)
		if (spool_reader_drain(&reader, visit_in_order, &sequence) == 0)
			usleep(100);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	spool_reader_drain(&reader, visit_in_order, &sequence);
	ASSERT_INT(sequence.seen, THREADS * OPS_A_THREAD);
	CU_ASSERT(sequence.in_order);
	ASSERT_INT(atomic_load(&reader.header->lost), 0);
	spool_reader_close(&reader);
	berth__spool_destroy(&writer);
	scratch_remove(directory);
}

static void slots(void)
{
	struct berth__spool_writer writer;
	uint64_t seen = 0;

	berth__spool_forget(&writer);
	for (uint32_t i = 0; i < BERTH_SPOOL_PENDING_SLOTS; i++)
		seen |= UINT64_C(1) << berth__spool_claim_slot(&writer);
	CU_ASSERT(seen == UINT64_MAX);
	ASSERT_INT(berth__spool_claim_slot(&writer), BERTH__SPOOL_NO_SLOT);
	berth__spool_release_slot(&writer, 17);
	ASSERT_INT(berth__spool_claim_slot(&writer), 17);
}

/* The child forgets, opens its own, and the parent's stays as it was. */
static void forked_child_has_its_own(void)
{
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(RING_BYTES, 0);
	struct spool_content first, second;
	int status = -1;
	pid_t child;

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	append_op(&writer, 0, 1);
	child = fork();
	if (child == 0) {
		berth__spool_forget(&writer);
		append_op(&writer, 0, 9); /* not open: goes nowhere */
		wanted.forked = true;
		if (berth__spool_open(&writer, &wanted) != BERTH_OK)
			_exit(1);
		append_op(&writer, 0, 1);
		append_op(&writer, 0, 2);
		_exit(0);
	}
	CU_ASSERT_FATAL(waitpid(child, &status, 0) == child);
	ASSERT_INT(status, 0);
	append_op(&writer, 0, 2);
	ASSERT_INT(spool_count(directory), 2);
	CU_ASSERT_FATAL(spool_content_read(&first, directory, 0));
	CU_ASSERT_FATAL(spool_content_read(&second, directory, 1));
	ASSERT_INT(first.op_count, 2);
	ASSERT_INT(second.op_count, 2);
	ASSERT_INT(first.process.forked + second.process.forked, 1);
	ASSERT_INT((first.process.forked ? first : second).process.pid, child);
	spool_content_free(&first);
	spool_content_free(&second);
	berth__spool_destroy(&writer);
	scratch_remove(directory);
}

/* The child says how far it is; what it said before SIGKILL is there. */
static void survives_sigkill(void)
{
	struct berth__spool_options wanted = options(8 * RING_BYTES, 0);
	struct sequence sequence = { .in_order = true };
	struct spool_reader reader;
	uint64_t said = 0;
	int said_to[2];
	pid_t child;

	CU_ASSERT_FATAL(scratch_make(directory));
	CU_ASSERT_FATAL(pipe(said_to) == 0);
	child = fork();
	if (child == 0) {
		struct berth__spool_writer writer;

		if (berth__spool_open(&writer, &wanted) != BERTH_OK)
			_exit(1);
		for (uint64_t i = 1;; i++) {
			append_op(&writer, 0, i);
			if (write(said_to[1], &i, sizeof(i)) != sizeof(i))
				_exit(1);
		}
	}
	close(said_to[1]);
	while (said < 5000 && read(said_to[0], &said, sizeof(said)) == sizeof(said))
		;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	while (read(said_to[0], &said, sizeof(said)) == sizeof(said))
		;
	close(said_to[0]);
	CU_ASSERT_FATAL(spool_reader_open(&reader, directory, 0));
	spool_reader_drain(&reader, visit_in_order, &sequence);
	CU_ASSERT(said >= 5000);
	CU_ASSERT(sequence.seen >= said);
	CU_ASSERT(sequence.in_order);
	ASSERT_INT(atomic_load(&reader.header->closed), 0);
	spool_reader_close(&reader);
	scratch_remove(directory);
}

static void cannot_open(void)
{
	const struct rlimit small = { RING_BYTES, RLIM_INFINITY };
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(RING_BYTES, 0);
	struct rlimit old;

	CU_ASSERT_FATAL(scratch_make(directory));
	/* The header makes the file larger than the ring. */
	CU_ASSERT_FATAL(getrlimit(RLIMIT_FSIZE, &old) == 0);
	setrlimit(RLIMIT_FSIZE, &small);
	ASSERT_INT(berth__spool_open(&writer, &wanted), BERTH_E_IO);
	setrlimit(RLIMIT_FSIZE, &old);
	ASSERT_INT(spool_count(directory), 0);
	CU_ASSERT(rmdir(directory) == 0); /* nothing was left behind */
	ASSERT_INT(berth__spool_open(&writer, &wanted), BERTH_E_IO);
	append_op(&writer, 0, 1); /* allowed, and goes nowhere */
}

static void a_closed_spool_takes_nothing(void)
{
	struct berth__spool_writer writer;
	struct berth__spool_options wanted = options(RING_BYTES, 0);
	struct spool_reader reader;

	CU_ASSERT_FATAL(scratch_make(directory));
	ASSERT_OK(berth__spool_open(&writer, &wanted));
	CU_ASSERT_FATAL(spool_reader_open(&reader, directory, 0));
	spool_reader_drain(&reader, ignore, NULL);
	berth__spool_set_closed(&writer, true);
	append_op(&writer, 0, 1);
	ASSERT_INT(spool_reader_drain(&reader, ignore, NULL), 0);
	ASSERT_INT(atomic_load(&reader.header->lost), 1);
	berth__spool_set_closed(&writer, false);
	append_op(&writer, 0, 2);
	ASSERT_INT(spool_reader_drain(&reader, ignore, NULL), 1);
	spool_reader_close(&reader);
	berth__spool_destroy(&writer);
	scratch_remove(directory);
}

int main(void)
{
	static const struct test tests[] = {
		{ "process record", process_record },
		{ "goes round", goes_round },
		{ "grows when nobody reads", grows_when_nobody_reads },
		{ "waits for a reader a bounded time", waits_for_a_reader_a_bounded_time },
		{ "counts what is lost", counts_what_is_lost },
		{ "does not believe a wrong tail", does_not_believe_a_wrong_tail },
		{ "too large a record is lost", too_large_a_record_is_lost },
		{ "many threads", many_threads },
		{ "slots", slots },
		{ "a forked child has its own", forked_child_has_its_own },
		{ "survives SIGKILL", survives_sigkill },
		{ "cannot open", cannot_open },
		{ "a closed spool takes nothing", a_closed_spool_takes_nothing },
		{ NULL, NULL },
	};

	return test_main("spool", tests);
}
