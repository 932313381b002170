/* SPDX-License-Identifier: Apache-2.0 */
/* Draining spools: live, after the process or the recorder died, and damaged ones. */
#include "test_main.h"

#include "scratch.h"
#include "spool_fixture.h"
#include "trace_fixture.h"
#include "trace_write.h"

#include <berth/record.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RING (64 * 1024)
#define SMALL_RING 1024

/* A spool directory in the scratch folder. */
static const char *make_directory(void)
{
	const char *directory;

	scratch_make();
	directory = scratch_path("spools");
	mkdir(directory, 0700);
	return directory;
}

static void append_write(struct spool_fixture *spool, uint64_t object)
{
	spool_fixture_op(spool, &(struct berth_spool_op){ .kind = BERTH_OP_WRITE,
							  .form = BERTH_FORM_LINEAR,
							  .object = object,
							  .bytes = 16,
							  .t_ns = 2000 + object,
							  .duration_ns = 5 });
}

static uint64_t step(berth_drain *drain)
{
	uint64_t moved = 0;

	ASSERT_OK(berth_drain_step(drain, &moved));
	return moved;
}

/* Traces that berth_drain_finish() showed. */
struct visits {
	unsigned count;
	uint64_t ops[4];
	uint32_t pids[4];
	char paths[4][300];
	char program[64];
};

struct failure {
	uint32_t pid;
	char reason[64];
};

static void see_failure(const berth_drain_trace *trace, void *userdata)
{
	struct failure *failure = userdata;

	CU_ASSERT_FATAL(trace->failure != NULL);
	failure->pid = trace->pid;
	snprintf(failure->reason, sizeof(failure->reason), "%s", trace->failure);
}

static void visit(const berth_drain_trace *trace, void *userdata)
{
	struct visits *visits = userdata;

	visits->ops[visits->count] = trace->ops;
	visits->pids[visits->count] = trace->pid;
	snprintf(visits->paths[visits->count], sizeof(visits->paths[0]), "%s", trace->path);
	snprintf(visits->program, sizeof(visits->program), "%s", trace->program);
	visits->count++;
}

static void live_process(void)
{
	const char *directory = make_directory();
	uint32_t pid = spool_fixture_dead_pid();
	berth_drain_progress progress;
	struct spool_fixture spool;
	struct visits visits = { 0 };
	berth_drain *drain = NULL;
	const char *path;

	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_INT(step(drain), 0);
	berth_drain_get_progress(drain, &progress);
	ASSERT_INT(progress.processes, 0);
	spool_fixture_open(&spool, directory, pid, 0, RING);
	spool_fixture_process(&spool, pid, 77);
	append_write(&spool, 1);
	ASSERT_INT(step(drain), 2);
	ASSERT_INT(spool.header->reader_pid, getpid());
	ASSERT_INT(spool.header->tail, spool.header->head);
	append_write(&spool, 2);
	ASSERT_INT(step(drain), 1);
	ASSERT_INT(step(drain), 0);
	berth_drain_get_progress(drain, &progress);
	ASSERT_INT(progress.processes, 1);
	ASSERT_INT(progress.ops, 2);
	append_write(&spool, 3);
	atomic_store(&spool.header->lost, 4);
	atomic_store(&spool.header->closed, 1);
	path = scratch_path("t.db");
	ASSERT_OK(berth_drain_finish(drain, path, visit, &visits));
	ASSERT_INT(visits.count, 1);
	ASSERT_INT(visits.ops[0], 3);
	ASSERT_INT(visits.pids[0], pid);
	ASSERT_STRING(visits.paths[0], path);
	ASSERT_STRING(visits.program, "/usr/bin/prog");
	CU_ASSERT_FALSE(file_exists(directory));
	ASSERT_INT(count_files(scratch_path(".")), 1);
	ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM op"), 3);
	ASSERT_INT(trace_fixture_number(path, "SELECT t_ns FROM op WHERE seq = 3"), 1003);
	ASSERT_INT(trace_fixture_number(path, "SELECT value = 'prog -x ''it''\\''''s 1''' FROM meta"
					      " WHERE key = 'command'"),
		   1);
	ASSERT_INT(trace_fixture_number(path, "SELECT value = 'exit' FROM meta WHERE key = 'end'"),
		   1);
	ASSERT_INT(trace_fixture_number(path, "SELECT value FROM meta WHERE key = 'lost'"), 4);
	ASSERT_INT(trace_fixture_number(path, "SELECT value FROM meta WHERE key = 'started_ns'"),
		   77);
	ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM sqlite_master"
					      " WHERE name LIKE 'drain%'"),
		   0);
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);
	scratch_remove();
}

/* Every type of record, with every part an op can have, arrives in the trace. */
static void every_record(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.db");
	uint32_t pid = spool_fixture_dead_pid();
	struct berth_spool_device device = { { .type = BERTH_SPOOL_DEVICE },
					     1,
					     sizeof(berth_caps) };
	struct berth_spool_queue queue = { { .type = BERTH_SPOOL_QUEUE }, 2, 3, 1, 0, 5 };
	struct {
		berth_region region;
		struct berth_spool_result result;
		uint8_t digest[16];
		berth_object_use uses[2];
	} parts = {
		.region = { .origin = { 1, 2, 3 }, .extent = { 4, 5, 6 } },
		.result = { 7, 8, 9 },
		.digest = { 0xab },
		.uses = { { 21, 0, 1 }, { 22, 4, 2 } },
	};
	struct berth_spool_op op = {
		.record = { .type = BERTH_SPOOL_OP },
		.kind = BERTH_OP_USE,
		.form = BERTH_FORM_RECT,
		.parts = BERTH_SPOOL_PART_REGION | BERTH_SPOOL_PART_RESULT |
			 BERTH_SPOOL_PART_DIGEST | BERTH_SPOOL_PART_USES,
		.use_count = 2,
		.name = 9,
		.thread = 12,
		.cl_status = -5,
	};
	struct spool_fixture spool;
	berth_drain *drain = NULL;
	berth_caps caps;

	berth_caps_init_minimum(&caps, 120);
	spool_fixture_open(&spool, directory, pid, 0, RING);
	spool_fixture_process(&spool, pid, 77);
	spool_fixture_append(&spool, &device, sizeof(device), &caps, sizeof(caps));
	spool_fixture_append(&spool, &queue, sizeof(queue), NULL, 0);
	spool_fixture_name(&spool, 9, "blur");
	spool_fixture_untracked(&spool, 100, "clCreatePipe");
	atomic_store(&spool.header->untracked[100], 6);
	spool_fixture_append(&spool, &op, sizeof(op), &parts, sizeof(parts));
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_OK(berth_drain_finish(drain, path, NULL, NULL));
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);

	static const struct {
		const char *question;
		long long answer;
	} cases[] = {
		{ "SELECT cl_version FROM device WHERE id = 1", 120 },
		{ "SELECT context FROM queue WHERE id = 2 AND device = 1 AND properties = 5", 3 },
		{ "SELECT count FROM untracked WHERE name = 'clCreatePipe'", 6 },
		{ "SELECT status FROM op", -5 },
		{ "SELECT thread FROM op", 12 },
		{ "SELECT hex(digest) LIKE 'AB00%' FROM op", 1 },
		{ "SELECT origin_z FROM region WHERE op = 1 AND width = 4 AND depth = 6", 3 },
		{ "SELECT row_pitch FROM result WHERE bytes = 7 AND slice_pitch = 9", 8 },
		{ "SELECT arg FROM kernel_use WHERE kernel = 'blur' AND object = 22", 4 },
		{ "SELECT value = 'killed' FROM meta WHERE key = 'end'", 1 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].question);
		ASSERT_INT(trace_fixture_number(path, cases[i].question), cases[i].answer);
	}
	scratch_remove();
}

/* More records than the ring holds: it goes round, and nothing is lost or doubled. */
static void ring_goes_round(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.db");
	uint32_t pid = spool_fixture_dead_pid();
	struct spool_fixture spool;
	berth_drain *drain = NULL;

	spool_fixture_open(&spool, directory, pid, 0, SMALL_RING);
	spool_fixture_process(&spool, pid, 77);
	ASSERT_OK(berth_drain_create(&drain, directory));
	for (uint64_t i = 1; i <= 100; i++) {
		append_write(&spool, i);
		step(drain);
	}
	ASSERT_OK(berth_drain_finish(drain, path, NULL, NULL));
	ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM op WHERE object = seq"), 100);
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);
	scratch_remove();
}

static void next_segments(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.db");
	uint32_t pid = spool_fixture_dead_pid();
	struct spool_fixture spools[3];
	berth_drain *drain = NULL;
	struct berth_spool_pending *pending;

	for (uint32_t i = 0; i < 3; i++) {
		spool_fixture_open(&spools[i], directory, pid, i, SMALL_RING << i);
		if (i == 0)
			spool_fixture_process(&spools[0], pid, 77);
		append_write(&spools[i], i + 1);
		if (i)
			atomic_store(&spools[i - 1].header->next, i);
	}
	/* A call that began while segment 1 was written, and has not ended. */
	pending = &spools[1].header->pending[3];
	pending->op = (struct berth_spool_op){ .kind = BERTH_OP_SYNC, .t_ns = 3000 };
	atomic_store(&pending->in_call, 1);
	ASSERT_OK(berth_drain_create(&drain, directory));
	while (step(drain))
		continue;
	CU_ASSERT_FALSE(file_exists(scratch_path("spools/%" PRIu32 "-abc.0.spool", pid)));
	CU_ASSERT(file_exists(scratch_path("spools/%" PRIu32 "-abc.1.spool", pid)));
	/* Another recorder takes over, and still knows of the call. */
	berth_drain_destroy(drain);
	ASSERT_OK(berth_drain_create(&drain, directory));
	append_write(&spools[2], 4);
	ASSERT_INT(step(drain), 1);
	ASSERT_OK(berth_drain_finish(drain, path, NULL, NULL));
	ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM op WHERE object = seq"), 4);
	ASSERT_INT(trace_fixture_number(path, "SELECT kind FROM op WHERE seq = 5"), BERTH_OP_SYNC);
	ASSERT_INT(trace_fixture_number(path, "SELECT count(status) FROM op WHERE seq = 5"), 0);
	CU_ASSERT_FALSE(file_exists(directory));
	berth_drain_destroy(drain);
	for (int i = 0; i < 3; i++)
		spool_fixture_close(&spools[i]);
	scratch_remove();
}

static void calls_that_never_returned(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.db");
	uint32_t pid = spool_fixture_dead_pid();
	struct spool_fixture spool;
	berth_drain *drain = NULL;
	berth_trace *trace = NULL;
	const berth_trace_op *row = NULL;

	spool_fixture_open(&spool, directory, pid, 0, RING);
	spool_fixture_process(&spool, pid, 77);
	append_write(&spool, 1);
	/* later first, one that has ended, one that makes no sense */
	spool.header->pending[0].op = (struct berth_spool_op){ .kind = BERTH_OP_READ,
							       .t_ns = 9000,
							       .form = BERTH_FORM_RECT };
	spool.header->pending[1].op = (struct berth_spool_op){ .kind = BERTH_OP_FILL, .t_ns = 1 };
	spool.header->pending[2].op =
		(struct berth_spool_op){ .kind = BERTH_OP_COPY, .t_ns = 8000 };
	spool.header->pending[3].op = (struct berth_spool_op){ .kind = 200, .t_ns = 8000 };
	spool.header->pending[0].in_call = 1;
	spool.header->pending[2].in_call = 1;
	spool.header->pending[3].in_call = 1;
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_OK(berth_drain_finish(drain, path, NULL, NULL));
	ASSERT_OK(berth_trace_open(&trace, path));
	ASSERT_INT(berth_trace_get_info(trace)->op_count, 3);
	ASSERT_OK(berth_trace_next(&row, trace));
	CU_ASSERT(row->answered);
	ASSERT_OK(berth_trace_next(&row, trace));
	CU_ASSERT_FALSE(row->answered);
	ASSERT_INT(row->op.kind, BERTH_OP_COPY);
	ASSERT_OK(berth_trace_next(&row, trace));
	CU_ASSERT_FALSE(row->answered);
	ASSERT_INT(row->op.kind, BERTH_OP_READ);
	berth_trace_close(trace);
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);
	scratch_remove();
}

/*
 * A recorder killed at any time: here in a child, after its commit and before it
 * could say so to the writer, and with a transaction open. Nothing doubles.
 */
static void recorder_dies(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.db");
	uint32_t pid = spool_fixture_dead_pid();
	struct spool_fixture spool;
	berth_drain *drain = NULL;
	uint64_t moved;
	pid_t recorder;

	spool_fixture_open(&spool, directory, pid, 0, RING);
	spool_fixture_process(&spool, pid, 77);
	for (uint64_t i = 1; i <= 3; i++)
		append_write(&spool, i);
	recorder = fork();
	if (recorder == 0) {
		if (berth_drain_create(&drain, directory) != BERTH_OK ||
		    berth_drain_step(drain, &moved) != BERTH_OK)
			_exit(1);
		_exit(0);
	}
	waitpid(recorder, NULL, 0);
	ASSERT_INT(spool.header->tail, spool.header->head);
	/* As if it had died between its commit and this store. */
	atomic_store(&spool.header->tail, 0);
	append_write(&spool, 4);
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_INT(step(drain), 1);
	ASSERT_INT(spool.header->tail, spool.header->head);
	ASSERT_OK(berth_drain_finish(drain, path, NULL, NULL));
	ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM op WHERE object = seq"), 4);
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);
	scratch_remove();
}

/* Killed when the trace was whole, but its segments not removed yet. */
static void recorder_dies_at_the_end(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.db");
	uint32_t pid = spool_fixture_dead_pid();
	struct spool_fixture spools[2];
	struct berth__trace_writer *writer;
	berth_drain *drain = NULL;

	for (uint32_t i = 0; i < 2; i++)
		spool_fixture_open(&spools[i], directory, pid, i, RING);
	spool_fixture_process(&spools[0], pid, 77);
	append_write(&spools[0], 1);
	ASSERT_OK(berth__trace_writer_open(&writer,
					   scratch_path("spools/%" PRIu32 "-abc.db", pid)));
	ASSERT_OK(berth__trace_writer_begin(writer));
	ASSERT_OK(berth__trace_write_text(writer, "program", "/usr/bin/prog"));
	ASSERT_OK(berth__trace_writer_finish(writer, "exit"));
	berth__trace_writer_close(writer);
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_OK(berth_drain_finish(drain, path, NULL, NULL));
	ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM op"), 0);
	CU_ASSERT_FALSE(file_exists(directory));
	berth_drain_destroy(drain);
	for (int i = 0; i < 2; i++)
		spool_fixture_close(&spools[i]);
	scratch_remove();
}

static void one_recorder_at_a_time(void)
{
	const char *directory = make_directory();
	berth_drain *drain = NULL, *second = NULL;

	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_INT(berth_drain_create(&second, directory), BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, "another recorder");
	berth_drain_destroy(drain);
	ASSERT_OK(berth_drain_create(&second, directory));
	berth_drain_destroy(second);
	ASSERT_INT(berth_drain_create(&drain, scratch_path("missing")), BERTH_E_IO);
	scratch_remove();
}

static void process_still_alive(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.db");
	uint32_t pid = (uint32_t)getpid();
	struct spool_fixture spool;
	berth_drain *drain = NULL;

	spool_fixture_open(&spool, directory, pid, 0, RING);
	spool_fixture_process(&spool, pid, 77);
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_INT(berth_drain_finish(drain, path, NULL, NULL), BERTH_E_STATE);
	CU_ASSERT_FALSE(file_exists(path));
	CU_ASSERT(file_exists(directory));
	test_case("the pid is another process's now");
	spool.header->process_start_ticks = 1;
	ASSERT_OK(berth_drain_finish(drain, path, NULL, NULL));
	CU_ASSERT(file_exists(path));
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);
	scratch_remove();
}

/* The first that recorded anything gets the path, whoever started first. */
static void several_processes(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.tar.db");
	struct spool_fixture spools[3];
	struct visits visits = { 0 };
	berth_drain *drain = NULL;
	/* Beyond any pid of the system; the second made no op, the third began before the first. */
	const uint32_t pids[] = { 99999901, 99999902, 99999903 };
	const uint64_t started[] = { 50, 10, 30 };

	for (uint32_t i = 0; i < 3; i++) {
		spool_fixture_open(&spools[i], directory, pids[i], 0, RING);
		spool_fixture_process(&spools[i], pids[i], started[i]);
		for (uint32_t n = 0; i != 1 && n <= i; n++)
			append_write(&spools[i], n + 1);
	}
	file_write(path, "old", 3);
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_OK(berth_drain_finish(drain, path, visit, &visits));
	ASSERT_INT(visits.count, 3);
	ASSERT_STRING(visits.paths[0], path);
	ASSERT_INT(visits.pids[0], pids[2]);
	ASSERT_STRING(visits.paths[1], scratch_path("t.tar.99999901.db"));
	ASSERT_STRING(visits.paths[2], scratch_path("t.tar.99999902.db"));
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT(file_exists(visits.paths[i]));
	ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM op"), 3);
	ASSERT_INT(count_files(scratch_path(".")), 3);
	berth_drain_destroy(drain);
	for (int i = 0; i < 3; i++)
		spool_fixture_close(&spools[i]);
	scratch_remove();
}

static void no_process(void)
{
	const char *directory = make_directory(), *path = scratch_path("t.db");
	struct spool_fixture spool;
	berth_drain *drain = NULL;

	test_case("no spool");
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_INT(berth_drain_finish(drain, path, NULL, NULL), BERTH_E_NOT_FOUND);
	CU_ASSERT_FALSE(file_exists(directory));
	berth_drain_destroy(drain);
	test_case("a spool without a record");
	mkdir(directory, 0700);
	spool_fixture_open(&spool, directory, spool_fixture_dead_pid(), 0, RING);
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_INT(berth_drain_finish(drain, path, NULL, NULL), BERTH_E_NOT_FOUND);
	CU_ASSERT_FALSE(file_exists(directory));
	CU_ASSERT_FALSE(file_exists(path));
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);
	scratch_remove();
}

/* What cannot be put in place stays, and can be put elsewhere. */
static void nowhere_to_put_it(void)
{
	const char *directory = make_directory();
	uint32_t pid = spool_fixture_dead_pid();
	struct spool_fixture spool;
	berth_drain *drain = NULL;

	spool_fixture_open(&spool, directory, pid, 0, RING);
	spool_fixture_process(&spool, pid, 77);
	append_write(&spool, 1);
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_INT(berth_drain_finish(drain, scratch_path("missing/t.db"), NULL, NULL), BERTH_E_IO);
	ASSERT_CONTAINS(berth_error_get()->message, "missing/t.db");
	berth_drain_destroy(drain);
	test_case("by another recorder");
	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_OK(berth_drain_finish(drain, scratch_path("t.db"), NULL, NULL));
	ASSERT_INT(trace_fixture_number(scratch_path("t.db"), "SELECT count(*) FROM op"), 1);
	CU_ASSERT_FALSE(file_exists(directory));
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);
	scratch_remove();
}

/* ---- damaged spools ---- */

/* Each spoils a spool whose third record, an op, begins at `at`. */
static void spoil_bytes(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_record *)(spool->ring + at))->bytes = 12;
}

static void spoil_zero(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_record *)(spool->ring + at))->bytes = 0;
}

static void spoil_past_head(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_record *)(spool->ring + at))->bytes = RING / 2;
}

static void spoil_type(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_record *)(spool->ring + at))->type = 99;
}

static void spoil_kind(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_op *)(spool->ring + at))->kind = 22;
}

static void spoil_form(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_op *)(spool->ring + at))->form = 7;
}

static void spoil_parts(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_op *)(spool->ring + at))->parts = BERTH_SPOOL_PART_IMAGE;
}

static void spoil_uses(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_op *)(spool->ring + at))->parts = BERTH_SPOOL_PART_USES;
	((struct berth_spool_op *)(spool->ring + at))->use_count = UINT32_MAX;
}

static void spoil_name(struct spool_fixture *spool, uint64_t at)
{
	struct berth_spool_name *name = (struct berth_spool_name *)(spool->ring + at);

	name->record.type = BERTH_SPOOL_NAME;
	name->name = 1;
	memset(name + 1, 'x', name->record.bytes - sizeof(*name));
}

static void spoil_short(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_record *)(spool->ring + at))->bytes = 16;
}

static void spoil_head(struct spool_fixture *spool, uint64_t at)
{
	(void)at;
	atomic_fetch_add(&spool->header->head, 2 * RING);
}

static void spoil_pad(struct spool_fixture *spool, uint64_t at)
{
	((struct berth_spool_record *)(spool->ring + at))->type = BERTH_SPOOL_PAD;
}

static void damaged_records(void)
{
	static const struct {
		const char *name;
		void (*spoil)(struct spool_fixture *spool, uint64_t at);
		const char *text;
		int ops;
	} cases[] = {
		{ "bytes not of 8", spoil_bytes, "of a size that cannot be", 1 },
		{ "bytes 0", spoil_zero, "of a size that cannot be", 1 },
		{ "bytes past the head", spoil_past_head, "of a size that cannot be", 1 },
		{ "type", spoil_type, "of a type that is not defined", 1 },
		{ "kind", spoil_kind, "kind or form that is not defined", 1 },
		{ "form", spoil_form, "kind or form that is not defined", 1 },
		{ "parts", spoil_parts, "parts that do not fit", 1 },
		{ "uses", spoil_uses, "parts that do not fit", 1 },
		{ "name without an end", spoil_name, "without its text", 1 },
		{ "too short", spoil_short, "shorter than its type", 1 },
		{ "padding in the middle", spoil_pad, "does not reach the ring's end", 1 },
		{ "head", spoil_head, "position cannot be", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *directory = make_directory(), *path = scratch_path("t.db");
		uint32_t pid = spool_fixture_dead_pid();
		struct spool_fixture spool;
		berth_drain *drain = NULL;
		uint64_t at, moved = 7;

		test_case("%s", cases[i].name);
		spool_fixture_open(&spool, directory, pid, 0, RING);
		spool_fixture_process(&spool, pid, 77);
		append_write(&spool, 1);
		ASSERT_OK(berth_drain_create(&drain, directory));
		if (cases[i].ops == 0)
			step(drain);
		at = spool.header->head;
		append_write(&spool, 2);
		cases[i].spoil(&spool, at);
		ASSERT_INT(berth_drain_step(drain, &moved), BERTH_E_FORMAT);
		ASSERT_INT(moved, 7);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].text);
		ASSERT_INT(step(drain), 0);
		ASSERT_INT(spool.header->reader_pid, 0);
		ASSERT_INT(berth_drain_finish(drain, path, NULL, NULL), BERTH_E_FORMAT);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].text);
		ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM op"), 1);
		ASSERT_INT(count_files(directory), 1);
		berth_drain_destroy(drain);
		spool_fixture_close(&spool);
		scratch_remove();
	}
}

static void damaged_headers(void)
{
	static const struct {
		const char *name;
		size_t offset;
		uint32_t value;
		berth_status status;
	} cases[] = {
		{ "magic", offsetof(struct berth_spool_header, magic), 1, BERTH_E_FORMAT },
		{ "version", offsetof(struct berth_spool_header, version), 3, BERTH_E_VERSION },
		{ "caps", offsetof(struct berth_spool_header, caps_bytes), 8, BERTH_E_VERSION },
		{ "op", offsetof(struct berth_spool_header, op_bytes), 8, BERTH_E_VERSION },
		{ "header", offsetof(struct berth_spool_header, header_bytes), 64,
		  BERTH_E_VERSION },
		{ "ring, no power of two", offsetof(struct berth_spool_header, ring_bytes), 4097,
		  BERTH_E_FORMAT },
		{ "ring, past the file", offsetof(struct berth_spool_header, ring_bytes), 2 * RING,
		  BERTH_E_FORMAT },
		{ "ring, none", offsetof(struct berth_spool_header, ring_bytes), 0,
		  BERTH_E_FORMAT },
		{ "next, itself", offsetof(struct berth_spool_header, next), 7, BERTH_E_FORMAT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *directory = make_directory(), *path = scratch_path("t.db");
		uint32_t pids[] = { spool_fixture_dead_pid(), spool_fixture_dead_pid() };
		struct spool_fixture spools[2];
		berth_drain *drain = NULL;
		uint64_t moved;

		test_case("%s", cases[i].name);
		for (int n = 0; n < 2; n++) {
			spool_fixture_open(&spools[n], directory, pids[n], 0, RING);
			spool_fixture_process(&spools[n], pids[n], 77);
			append_write(&spools[n], 1);
		}
		memcpy((char *)spools[0].header + cases[i].offset, &cases[i].value, 4);
		ASSERT_OK(berth_drain_create(&drain, directory));
		ASSERT_INT(berth_drain_step(drain, &moved), cases[i].status);
		ASSERT_CONTAINS(berth_error_get()->message, "-abc.0.spool");
		/* The other one is drained, and gets its trace. */
		ASSERT_INT(berth_drain_finish(drain, path, NULL, NULL), cases[i].status);
		ASSERT_INT(trace_fixture_number(path, "SELECT count(*) FROM op"), 1);
		ASSERT_INT(count_files(directory), 1);
		berth_drain_destroy(drain);
		spool_fixture_close(&spools[0]);
		spool_fixture_close(&spools[1]);
		scratch_remove();
	}
}

/* What a process leaves that was killed over a new segment, or could make no spool at all. */
static void leftovers(void)
{
	static const char *const names[] = { "%s/%u-abc.0.spool.new", "%s/%u-abd.failed" };
	const char *directory = make_directory();
	uint32_t dead = spool_fixture_dead_pid();
	struct failure failure = { .pid = 0 };
	berth_drain *drain = NULL;
	char path[256];

	snprintf(path, sizeof(path), names[0], directory, dead);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	snprintf(path, sizeof(path), names[1], directory, dead);
	CU_ASSERT_FATAL(symlink("no space left", path) == 0);
	/* This one may come yet. */
	snprintf(path, sizeof(path), names[0], directory, (unsigned)getpid());
	close(open(path, O_CREAT | O_WRONLY, 0600));

	ASSERT_OK(berth_drain_create(&drain, directory));
	ASSERT_INT(berth_drain_finish(drain, scratch_path("t.db"), see_failure, &failure),
		   BERTH_E_NOT_FOUND);
	ASSERT_STRING(berth_error_get()->message, "no process could be recorded");
	ASSERT_INT(failure.pid, dead);
	ASSERT_STRING(failure.reason, "no space left");
	ASSERT_INT(count_files(directory), 1);
	CU_ASSERT(access(path, F_OK) == 0);
	berth_drain_destroy(drain);
	scratch_remove();
}

int main(void)
{
	static const struct test tests[] = {
		{ "leftovers", leftovers },
		{ "live process", live_process },
		{ "every record", every_record },
		{ "the ring goes round", ring_goes_round },
		{ "next segments", next_segments },
		{ "calls that never returned", calls_that_never_returned },
		{ "the recorder dies", recorder_dies },
		{ "the recorder dies at the end", recorder_dies_at_the_end },
		{ "one recorder at a time", one_recorder_at_a_time },
		{ "process still alive", process_still_alive },
		{ "several processes", several_processes },
		{ "no process", no_process },
		{ "nowhere to put it", nowhere_to_put_it },
		{ "damaged records", damaged_records },
		{ "damaged headers", damaged_headers },
		{ NULL, NULL },
	};

	return test_main("drain", tests);
}
