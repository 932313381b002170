/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that are not ops of their own (digests that come later, content, stacks, times), what
 * of a recording goes into its trace (from a mark on, up to a size), and a spool that is cut.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <berth/record.h>
#include <berth/trace.h>

#include "scratch.h"
#include "spool_fixture.h"
#include "test_main.h"
#include "trace_fixture.h"

#define RING (1u << 16)

static struct spool_fixture spool;
static berth_drain *drain;
static const char *trace_path;
static uint32_t pid;

/* A fresh spool with its process record, and a drain that has not looked yet. */
static void begin(const berth_drain_limits *limits)
{
	const char *directory;

	scratch_make();
	directory = scratch_path("spools");
	CU_ASSERT_FATAL(mkdir(directory, 0700) == 0);
	pid = spool_fixture_dead_pid();
	spool_fixture_open(&spool, directory, pid, 0, RING);
	spool_fixture_process(&spool, pid, 77);
	ASSERT_OK(berth_drain_create(&drain, directory));
	if (limits)
		ASSERT_OK(berth_drain_limit(drain, limits));
	trace_path = scratch_path("t.db");
}

static void step(void)
{
	uint64_t moved;

	ASSERT_OK(berth_drain_step(drain, &moved));
}

static void finish(void)
{
	ASSERT_OK(berth_drain_finish(drain, trace_path, NULL, NULL));
	berth_drain_destroy(drain);
	spool_fixture_close(&spool);
}

static long long number(const char *sql)
{
	return trace_fixture_number(trace_path, sql);
}

/* The fixture's process begins at 1 s of the clock. */
static uint64_t start_ns(void)
{
	return ((const struct berth_spool_process *)(const void *)spool.ring)->monotonic_ns;
}

static void append(struct berth_spool_op op)
{
	op.record.type = BERTH_SPOOL_OP;
	op.t_ns += start_ns();
	spool_fixture_op(&spool, &op);
}

static void make(uint64_t object)
{
	append((struct berth_spool_op){
		.kind = BERTH_OP_BUFFER_CREATE, .object = object, .bytes = 100 });
}

static void on_object(berth_op_kind kind, uint64_t object)
{
	append((struct berth_spool_op){ .kind = (uint8_t)kind, .object = object });
}

static void later_digests(void)
{
	struct berth_spool_digest digest = {
		.record.type = BERTH_SPOOL_DIGEST, .transfer = 5, .digest = { 1, 2, 3 } };
	struct berth_spool_digest stray = { .record.type = BERTH_SPOOL_DIGEST, .transfer = 9 };

	begin(NULL);
	make(1);
	append((struct berth_spool_op){ .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR,
					.object = 1, .bytes = 10, .mapping = 5,
					.bits = BERTH_SPOOL_OP_DIGEST_LATER });
	on_object(BERTH_OP_RELEASE, 1);
	step();
	spool_fixture_append(&spool, &digest, sizeof(digest), NULL, 0);
	spool_fixture_append(&spool, &stray, sizeof(stray), NULL, 0);
	finish();
	ASSERT_INT(number("SELECT count(*) FROM op WHERE hex(digest) LIKE '010203%' AND seq = 2"), 1);
	/* A read has no mapping, and no bits of the spool. */
	ASSERT_INT(number("SELECT mapping IS NULL AND bits = 0 FROM op WHERE seq = 2"), 1);
	ASSERT_INT(number("SELECT count(*) FROM sqlite_master WHERE name LIKE 'drain%'"), 0);
	scratch_remove();
}

static void content(void)
{
	struct berth_spool_payload piece = { .record.type = BERTH_SPOOL_PAYLOAD,
					     .digest = { 7 },
					     .piece_bytes = 8 };
	uint8_t bytes[12] = { 0 };
	const uint8_t other[16] = { 8 };
	berth_trace *trace = NULL;

	begin(NULL);
	make(1);
	spool_fixture_append(&spool, &piece, sizeof(piece), "01234567", 8);
	piece.offset_bytes = 8;
	piece.piece_bytes = 4;
	spool_fixture_append(&spool, &piece, sizeof(piece), "89AB\0\0\0", 8);
	/* Known already: once is enough. */
	spool_fixture_append(&spool, &piece, sizeof(piece), "xxxx\0\0\0", 8);
	finish();
	ASSERT_OK(berth_trace_open(&trace, trace_path));
	CU_ASSERT(berth_trace_has_payload(trace));
	ASSERT_OK(berth_trace_payload(bytes, trace, piece.digest, 12));
	ASSERT_INT(memcmp(bytes, "0123456789AB", 12), 0);
	ASSERT_INT(berth_trace_payload(bytes, trace, piece.digest, 11), BERTH_E_NOT_FOUND);
	ASSERT_INT(berth_trace_payload(bytes, trace, other, 12), BERTH_E_NOT_FOUND);
	berth_trace_close(trace);
	trace_fixture_sql(trace_path, "DELETE FROM payload WHERE offset = 0");
	ASSERT_OK(berth_trace_open(&trace, trace_path));
	ASSERT_INT(berth_trace_payload(bytes, trace, piece.digest, 12), BERTH_E_NOT_FOUND);
	berth_trace_close(trace);
	scratch_remove();
}

static void append_module(uint64_t start, uint64_t end, const char *path)
{
	struct berth_spool_module module = {
		.record.type = BERTH_SPOOL_MODULE,
		.start = start,
		.end = end,
		.bias = start,
		.build_id = { 0xab, 0xcd },
		.build_id_bytes = 2,
		.path_bytes = (uint32_t)strlen(path) + 1,
	};
	char text[64] = "";

	CU_ASSERT_FATAL(strlen(path) < sizeof(text));
	memcpy(text, path, strlen(path));
	spool_fixture_append(&spool, &module, sizeof(module), text, (strlen(path) / 8 + 1) * 8);
}

/* An address lies in the module that was loaded there last. */
static void stacks(void)
{
	struct berth_spool_stack stack = {
		.record.type = BERTH_SPOOL_STACK, .stack = 1, .frame_count = 2 };
	const uint64_t addresses[] = { 0x1010, 0x9000 };
	berth_trace_frame *frames;
	berth_trace *trace = NULL;
	const berth_trace_op *row;
	uint32_t count;

	begin(NULL);
	append_module(0x1000, 0x2000, "/no/such/library");
	spool_fixture_append(&spool, &stack, sizeof(stack), addresses, sizeof(addresses));
	append((struct berth_spool_op){
		.kind = BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 10, .stack = 1 });
	step();
	append_module(0x1000, 0x1800, "/another");
	stack.stack = 2;
	spool_fixture_append(&spool, &stack, sizeof(stack), addresses, sizeof(addresses));
	finish();
	ASSERT_OK(berth_trace_open(&trace, trace_path));
	ASSERT_OK(berth_trace_next(&row, trace));
	ASSERT_INT(row->stack, 1);
	ASSERT_OK(berth_trace_stack(&frames, &count, trace, 1));
	ASSERT_INT(count, 2);
	ASSERT_STRING(frames[0].module, "/no/such/library");
	ASSERT_INT(frames[0].address, 0x10);
	CU_ASSERT(frames[0].function == NULL && frames[0].file == NULL);
	CU_ASSERT(frames[1].module == NULL);
	ASSERT_INT(frames[1].address, 0x9000);
	berth_trace_stack_free(frames, count);
	ASSERT_OK(berth_trace_stack(&frames, &count, trace, 2));
	ASSERT_STRING(frames[0].module, "/another");
	berth_trace_stack_free(frames, count);
	ASSERT_INT(berth_trace_stack(&frames, &count, trace, 3), BERTH_E_NOT_FOUND);
	ASSERT_INT(berth_trace_stack(&frames, &count, trace, 0), BERTH_E_NOT_FOUND);
	berth_trace_close(trace);
	/* Three places, though two stacks of two frames. */
	ASSERT_INT(number("SELECT count(*) FROM frame"), 3);
	ASSERT_INT(number("SELECT count(*) FROM module WHERE build_id = 'abcd'"), 2);
	scratch_remove();
}

static void events_and_times(void)
{
	struct berth_spool_time times = { .record.type = BERTH_SPOOL_TIME,
					  .event = 3,
					  .queued_ns = 1,
					  .submitted_ns = 2,
					  .started_ns = 3,
					  .ended_ns = 4 };
	struct berth_spool_op command = { .record.type = BERTH_SPOOL_OP,
					  .kind = BERTH_OP_ORDER,
					  .parts = BERTH_SPOOL_PART_EVENTS,
					  .event_count = 3 };
	struct berth_spool_op wait = command;
	const uint64_t events[] = { 3, 1, BERTH_ID_UNKNOWN }, waited[] = { 0, 3 };
	berth_trace *trace = NULL;
	const berth_trace_op *row;

	begin(NULL);
	spool_fixture_append(&spool, &command, sizeof(command), events, sizeof(events));
	wait.kind = BERTH_OP_SYNC;
	wait.event_count = 2;
	wait.bits = BERTH_SPOOL_OP_EVENTS_COMPLETE;
	spool_fixture_append(&spool, &wait, sizeof(wait), waited, sizeof(waited));
	spool_fixture_append(&spool, &times, sizeof(times), NULL, 0);
	finish();
	ASSERT_OK(berth_trace_open(&trace, trace_path));
	ASSERT_OK(berth_trace_next(&row, trace));
	ASSERT_INT(row->event_count, 3);
	ASSERT_INT(row->events[0].event, 3);
	ASSERT_INT(row->events[0].role, BERTH_EVENT_GIVEN);
	ASSERT_INT(row->events[1].role, BERTH_EVENT_AWAITED);
	ASSERT_INT(row->events[2].event, BERTH_ID_UNKNOWN);
	ASSERT_OK(berth_trace_next(&row, trace));
	ASSERT_INT(row->event_count, 1);
	ASSERT_INT(row->events[0].event, 3);
	ASSERT_INT(row->events[0].role, BERTH_EVENT_COMPLETE);
	ASSERT_INT(row->op.bits, 0);
	berth_trace_close(trace);
	ASSERT_INT(number("SELECT ended_ns - queued_ns FROM command_time WHERE event = 3"), 3);
	trace_fixture_sql(trace_path, "UPDATE op_event SET role = 4 WHERE op = 2");
	ASSERT_OK(berth_trace_open(&trace, trace_path));
	ASSERT_OK(berth_trace_next(&row, trace));
	ASSERT_INT(berth_trace_next(&row, trace), BERTH_E_FORMAT);
	berth_trace_close(trace);
	scratch_remove();
}

/* ---- from where on ---- */

/*
 * 1 is kept, with a reference more and a mapping of two; 2 lies on 3, which is released; 4 is
 * gone.
 */
static void append_before(void)
{
	make(1);
	on_object(BERTH_OP_RETAIN, 1);
	on_object(BERTH_OP_RETAIN, 1);
	on_object(BERTH_OP_RELEASE, 1);
	append((struct berth_spool_op){ .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR,
					.object = 1, .mapping = 1, .bytes = 10 });
	append((struct berth_spool_op){ .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR,
					.object = 1, .mapping = 2, .bytes = 10 });
	append((struct berth_spool_op){ .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 1 });
	make(3);
	append((struct berth_spool_op){ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 3,
					.bytes = 50 });
	on_object(BERTH_OP_RELEASE, 3);
	make(4);
	append((struct berth_spool_op){ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR,
					.object = 4, .bytes = 10 });
	on_object(BERTH_OP_RELEASE, 4);
}

/* Of 1 so many references are left. In this order: what makes 1, its mapping, 3, 2 on it, the end of 3, the reference. */
static void assert_before(int references)
{
	static const struct {
		berth_op_kind kind;
		uint64_t object;
	} expected[] = {
		{ BERTH_OP_BUFFER_CREATE, 1 }, { BERTH_OP_MAP, 1 },
		{ BERTH_OP_BUFFER_CREATE, 3 }, { BERTH_OP_SUBBUFFER_CREATE, 2 },
		{ BERTH_OP_RELEASE, 3 },       { BERTH_OP_RETAIN, 1 },
	};
	berth_trace *trace = NULL;
	const berth_trace_op *row;

	ASSERT_OK(berth_trace_open(&trace, trace_path));
	ASSERT_INT(berth_trace_get_info(trace)->before_ops, 6);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		test_case("op %zu", i + 1);
		ASSERT_OK(berth_trace_next(&row, trace));
		CU_ASSERT_FATAL(row != NULL);
		ASSERT_INT(row->seq, i + 1);
		ASSERT_INT(row->op.kind, expected[i].kind);
		ASSERT_INT(row->op.object, expected[i].object);
	}
	berth_trace_close(trace);
	ASSERT_INT(number("SELECT count(*) FROM object"), 3);
	ASSERT_INT(number("SELECT created_op FROM object WHERE id = 2"), 4);
	ASSERT_INT(number("SELECT released_op FROM object WHERE id = 3"), 5);
	ASSERT_INT(number("SELECT refs FROM object WHERE id = 1"), references);
}

static void from_a_mark(void)
{
	berth_drain_limits limits = BERTH_DRAIN_LIMITS_INIT;

	limits.start_mark = "here";
	begin(&limits);
	spool_fixture_name(&spool, 1, "there");
	spool_fixture_name(&spool, 2, "here");
	append_before();
	append((struct berth_spool_op){ .kind = BERTH_OP_LABEL, .name = 1 });
	/* Of an object, it is no mark. */
	append((struct berth_spool_op){ .kind = BERTH_OP_LABEL, .object = 1, .name = 2 });
	step();
	append((struct berth_spool_op){ .kind = BERTH_OP_LABEL, .name = 2 });
	on_object(BERTH_OP_RELEASE, 1);
	finish();
	assert_before(1);
	ASSERT_INT(number("SELECT kind FROM op WHERE seq = 7"), BERTH_OP_LABEL);
	ASSERT_INT(number("SELECT max(seq) FROM op"), 8);
	ASSERT_INT(number("SELECT label = 'here' FROM object WHERE id = 1"), 1);
	scratch_remove();
}

static void after_a_time(void)
{
	berth_drain_limits limits = BERTH_DRAIN_LIMITS_INIT;

	limits.start_ns = 1000;
	begin(&limits);
	append_before();
	append((struct berth_spool_op){ .kind = BERTH_OP_SYNC, .t_ns = 999 });
	append((struct berth_spool_op){ .kind = BERTH_OP_SYNC, .t_ns = 1000 });
	append((struct berth_spool_op){ .kind = BERTH_OP_SYNC, .t_ns = 5 });
	finish();
	assert_before(2);
	ASSERT_INT(number("SELECT count(*) FROM op WHERE kind = 16"), 2);
	scratch_remove();
}

/* By the recorder itself, at a time at which everything before has been drained. */
static void from_a_mark_of_the_recorder(void)
{
	berth_drain_limits limits = BERTH_DRAIN_LIMITS_INIT;

	limits.start_mark = "signal";
	begin(&limits);
	append_before();
	step();
	ASSERT_OK(berth_drain_mark(drain, "other"));
	ASSERT_OK(berth_drain_mark(drain, "signal"));
	on_object(BERTH_OP_RELEASE, 1);
	ASSERT_OK(berth_drain_mark(drain, "signal"));
	finish();
	assert_before(1);
	ASSERT_INT(number("SELECT count(*) FROM op JOIN name ON name.id = op.name"
			  " WHERE kind = 17 AND text = 'signal'"),
		   2);
	ASSERT_INT(number("SELECT max(seq) FROM op"), 9);
	scratch_remove();
}

/* A recorder that took over knows from the trace where it begins. */
static void taken_over(void)
{
	berth_drain_limits limits = BERTH_DRAIN_LIMITS_INIT;

	limits.start_mark = "here";
	begin(&limits);
	append_before();
	step();
	berth_drain_destroy(drain);
	ASSERT_OK(berth_drain_create(&drain, scratch_path("spools")));
	spool_fixture_name(&spool, 1, "here");
	append((struct berth_spool_op){ .kind = BERTH_OP_LABEL, .name = 1 });
	finish();
	assert_before(2);
	ASSERT_INT(number("SELECT max(seq) FROM op"), 7);
	scratch_remove();
}

static void never(void)
{
	berth_drain_limits limits = BERTH_DRAIN_LIMITS_INIT;
	berth_trace *trace = NULL;

	limits.start_mark = "here";
	begin(&limits);
	append_before();
	finish();
	assert_before(2);
	ASSERT_OK(berth_trace_open(&trace, trace_path));
	CU_ASSERT(berth_trace_get_info(trace)->never_began);
	berth_trace_close(trace);
	scratch_remove();
}

/* While it waits, the trace stays as small as what is alive. */
static void waits_in_bounded_space(void)
{
	berth_drain_limits limits = BERTH_DRAIN_LIMITS_INIT;

	limits.start_mark = "here";
	begin(&limits);
	for (int round = 0; round < 300; round++) {
		for (uint64_t i = 1; i <= 100; i++) {
			make((uint64_t)round * 100 + i);
			on_object(BERTH_OP_RELEASE, (uint64_t)round * 100 + i);
		}
		step();
	}
	make(1000000);
	step();
	finish();
	ASSERT_INT(number("SELECT count(*) FROM op"), 1);
	ASSERT_INT(number("SELECT count(*) FROM object"), 1);
	scratch_remove();
}

/* ---- up to where ---- */

static void up_to_a_size(void)
{
	berth_drain_limits limits = BERTH_DRAIN_LIMITS_INIT;
	berth_trace *trace = NULL;
	berth_summary *summary;
	long long ops;

	limits.max_bytes = 300000;
	begin(&limits);
	for (int i = 0; i < 40; i++) {
		for (uint64_t n = 1; n <= 200; n++)
			make((uint64_t)i * 200 + n);
		step();
	}
	CU_ASSERT(atomic_load(&spool.header->stopped) == 1);
	finish();
	ops = number("SELECT count(*) FROM op");
	/* The batch in which the size was reached is the last: no part of it is missing. */
	CU_ASSERT(ops > 0 && ops < 8000);
	ASSERT_INT(ops % 200, 0);
	ASSERT_OK(berth_trace_open(&trace, trace_path));
	ASSERT_STRING(berth_trace_get_info(trace)->end, "cut");
	ASSERT_OK(berth_trace_summarise(&summary, trace));
	ASSERT_INT(summary->leaked[0].why, BERTH_UNRELEASED_ALIVE);
	berth_summary_free(summary);
	berth_trace_close(trace);
	scratch_remove();
}

static void limits_of_another_size(void)
{
	berth_drain_limits limits = { .size = 1 };

	begin(NULL);
	ASSERT_INT(berth_drain_limit(drain, &limits), BERTH_E_INVAL);
	make(1);
	finish();
	ASSERT_INT(number("SELECT count(*) FROM op"), 1);
	scratch_remove();
}

/* To touch what a file has lost would end the recorder by a signal. */
static void a_cut_spool(void)
{
	char path[512];
	uint64_t moved;

	begin(NULL);
	make(1);
	step();
	make(2);
	snprintf(path, sizeof(path), "find %s -name '*.spool' -exec truncate -s 4096 {} +",
		 scratch_path("spools"));
	CU_ASSERT_FATAL(system(path) == 0);
	ASSERT_INT(berth_drain_step(drain, &moved), BERTH_E_FORMAT);
	CU_ASSERT(strstr(berth_error_get()->message, "it was cut to 4096 bytes") != NULL);
	ASSERT_INT(berth_drain_finish(drain, trace_path, NULL, NULL), BERTH_E_FORMAT);
	berth_drain_destroy(drain);
	ASSERT_INT(number("SELECT count(*) FROM op"), 1);
	scratch_remove();
}

int main(void)
{
	static const struct test tests[] = {
		{ "later digests", later_digests },
		{ "content", content },
		{ "stacks", stacks },
		{ "events and times", events_and_times },
		{ "from a mark", from_a_mark },
		{ "after a time", after_a_time },
		{ "from a mark of the recorder", from_a_mark_of_the_recorder },
		{ "taken over", taken_over },
		{ "never", never },
		{ "waits in bounded space", waits_in_bounded_space },
		{ "up to a size", up_to_a_size },
		{ "limits of another size", limits_of_another_size },
		{ "a cut spool", a_cut_spool },
		{ NULL, NULL },
	};

	return test_main("drain records", tests);
}
