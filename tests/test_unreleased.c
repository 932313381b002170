/* SPDX-License-Identifier: Apache-2.0 */
/* Why objects were never released: leaks, and what only looks like one. */
#include <stdlib.h>

#include <berth/trace.h>

#include "scratch.h"
#include "test_main.h"
#include "trace_fixture.h"

#include <CL/cl.h>

#define OPS_MAX 40

static struct fixture_op ops[OPS_MAX];
static size_t op_count;
static uint64_t now_ns;

/* Ops come one a millisecond. */
static void add(berth_op op)
{
	CU_ASSERT_FATAL(op_count < OPS_MAX);
	ops[op_count++] = (struct fixture_op){
		.row = { .answered = true, .t_ns = now_ns, .context = 1, .op = op },
	};
	now_ns += 1000000;
}

static void make(uint64_t object, uint64_t bytes)
{
	add((berth_op){ .kind = BERTH_OP_BUFFER_CREATE, .object = object, .bytes = bytes });
}

static void release(uint64_t object)
{
	add((berth_op){ .kind = BERTH_OP_RELEASE, .object = object });
}

static void transfer(berth_op_kind kind, uint64_t object, uint32_t bits)
{
	add((berth_op){ .kind = kind, .form = BERTH_FORM_LINEAR, .object = object, .queue = 1,
			.bytes = 8, .bits = bits });
}

static void write_once(uint64_t object)
{
	transfer(BERTH_OP_WRITE, object, BERTH_OP_BLOCKING);
}

static void use(uint64_t object)
{
	/* The list is borrowed until the trace is written. */
	static berth_object_use uses[OPS_MAX];

	uses[op_count] = (berth_object_use){ .object = object };
	add((berth_op){ .kind = BERTH_OP_USE, .queue = 1, .uses = &uses[op_count],
			.use_count = 1 });
}

static void sync(void)
{
	add((berth_op){ .kind = BERTH_OP_SYNC, .queue = 1 });
}

static void wait_a_second(void)
{
	now_ns += 1000000000;
}

/* ---- the cases; object 1 is the one in question ---- */

static void never_used(void)
{
	make(1, 64);
	wait_a_second();
	sync();
}

static void used_and_forgotten(void)
{
	make(1, 64);
	write_once(1);
	use(1);
	sync();
	wait_a_second();
	sync();
}

static void used_by_a_command_in_flight(void)
{
	make(1, 64);
	write_once(1);
	wait_a_second();
	use(1);
}

static void written_without_waiting(void)
{
	make(1, 64);
	transfer(BERTH_OP_WRITE, 1, 0);
}

static void waited_for_by_a_read(void)
{
	make(1, 64);
	make(2, 8);
	transfer(BERTH_OP_WRITE, 1, 0);
	transfer(BERTH_OP_READ, 2, BERTH_OP_BLOCKING);
	release(2);
	wait_a_second();
	sync();
}

static void given_content_again(void)
{
	make(1, 64);
	write_once(1);
	use(1);
	write_once(1);
	use(1);
	sync();
	wait_a_second();
	sync();
}

static void used_to_the_end(void)
{
	make(1, 64);
	write_once(1);
	for (int i = 0; i < 3; i++) {
		wait_a_second();
		use(1);
		sync();
	}
}

static void last_of_many(void)
{
	for (uint64_t object = 2; object < 6; object++) {
		make(object, 64);
		write_once(object);
		release(object);
	}
	wait_a_second();
	make(1, 64);
	write_once(1);
	sync();
}

/* Four of that size, and none released: the same place forgets each time. */
static void one_of_many(void)
{
	for (uint64_t object = 1; object < 5; object++) {
		make(object, 64);
		write_once(object);
	}
	sync();
}

static void unreleased(void)
{
	static const struct {
		const char *name;
		void (*tell)(void);
		const char *sql; /* done to the trace, or NULL */
		berth_unreleased why;
	} cases[] = {
		{ "never used", never_used, NULL, BERTH_UNRELEASED_LEAKED },
		{ "used and forgotten", used_and_forgotten, NULL, BERTH_UNRELEASED_LEAKED },
		{ "in flight", used_by_a_command_in_flight, NULL, BERTH_UNRELEASED_IN_FLIGHT },
		{ "written without waiting", written_without_waiting, NULL,
		  BERTH_UNRELEASED_IN_FLIGHT },
		{ "waited for by a read", waited_for_by_a_read, NULL, BERTH_UNRELEASED_LEAKED },
		{ "given content again", given_content_again, NULL, BERTH_UNRELEASED_KEPT },
		{ "used to the end", used_to_the_end, NULL, BERTH_UNRELEASED_KEPT },
		{ "last of many", last_of_many, NULL, BERTH_UNRELEASED_KEPT },
		{ "one of many", one_of_many, NULL, BERTH_UNRELEASED_LEAKED },
		{ "used to the end, but killed", used_to_the_end,
		  "UPDATE meta SET value = 'killed' WHERE key = 'end'", BERTH_UNRELEASED_ALIVE },
		{ "used to the end, but cut", used_to_the_end,
		  "UPDATE meta SET value = 'cut' WHERE key = 'end'", BERTH_UNRELEASED_ALIVE },
		/* Who releases the context means to release what is in it. */
		{ "used to the end of its context", used_to_the_end,
		  "INSERT INTO name VALUES(9, 'clReleaseContext');"
		  "INSERT INTO op(seq, kind, status, name, bytes, context, t_ns, dur_ns, thread)"
		  " VALUES(1000, 21, 0, 9, 0, 1, 9000000000, 1, 1)",
		  BERTH_UNRELEASED_LEAKED },
		{ "a reference of its context less", used_to_the_end,
		  "INSERT INTO name VALUES(9, 'clReleaseContext');"
		  "INSERT INTO op(seq, kind, status, name, bytes, context, t_ns, dur_ns, thread)"
		  " VALUES(1000, 21, 0, 9, 1, 1, 3000000000, 1, 1)",
		  BERTH_UNRELEASED_KEPT },
		/* It waits for the event of its last command. */
		{ "seen complete by its event", used_by_a_command_in_flight,
		  "INSERT INTO op_event VALUES(3, 0, 7, 1);"
		  "INSERT INTO op(seq, kind, status, t_ns, dur_ns, thread)"
		  " VALUES(1000, 16, 0, 9000000000, 1, 1);"
		  "INSERT INTO op_event VALUES(1000, 0, 7, 3)",
		  BERTH_UNRELEASED_LEAKED },
	};

	scratch_make();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path = scratch_path("t%zu.db", i);
		berth_summary *summary;
		berth_trace *trace;

		test_case("%s", cases[i].name);
		op_count = 0;
		now_ns = 0;
		cases[i].tell();
		trace_fixture_write(path, ops, op_count);
		if (cases[i].sql)
			trace_fixture_sql(path, cases[i].sql);
		ASSERT_OK(berth_trace_open(&trace, path));
		ASSERT_OK(berth_trace_summarise(&summary, trace));
		CU_ASSERT_FATAL(summary->leaked_count > 0);
		ASSERT_INT(summary->leaked[0].id, 1);
		ASSERT_STRING(berth_unreleased_string(summary->leaked[0].why),
			      berth_unreleased_string(cases[i].why));
		berth_summary_free(summary);
		berth_trace_close(trace);
	}
	scratch_remove();
	ASSERT_STRING(berth_unreleased_string((berth_unreleased)9), "unknown");
}

int main(void)
{
	static const struct test tests[] = {
		{ "unreleased", unreleased },
		{ NULL, NULL },
	};

	return test_main("unreleased", tests);
}
