/* SPDX-License-Identifier: Apache-2.0 */
/* Lifetimes of recorded programs with one queue and with several. */
#include "scratch.h"
#include "test_main.h"
#include "trace_fixture.h"

#include <berth/plan_input.h>

#include <CL/cl.h>
#include <string.h>

#define ANSWERED(...) { .row = { .answered = true, __VA_ARGS__ } }
#define CREATE(id) ANSWERED(.op = { BERTH_OP_BUFFER_CREATE, .object = id, .bytes = 64 })
#define RELEASE(id) ANSWERED(.op = { BERTH_OP_RELEASE, .object = id })
#define WRITE(id, on, how)                                                                         \
	ANSWERED(.op = { BERTH_OP_WRITE, BERTH_FORM_LINEAR, .object = id, .bytes = 64, .queue = on, \
			 .bits = how, .host_address = 4096 })
#define FINISH(on) ANSWERED(.op = { BERTH_OP_SYNC, .queue = on })
#define ENQUEUED 0

#define OPS_MAX 12

static void lifetimes(void)
{
	static const struct {
		const char *name;
		struct fixture_op ops[OPS_MAX];
		size_t count;
		uint64_t upper; /* of object 1, created by op 1 and released by op 3 */
		uint64_t lengthened;
	} cases[] = {
		{ "one queue: in order, so free at once",
		  { CREATE(1), WRITE(1, 1, ENQUEUED), RELEASE(1), CREATE(2), WRITE(2, 1, ENQUEUED),
		    FINISH(1) }, 6, 3, 0 },
		{ "two queues: until the first is waited for",
		  { CREATE(1), WRITE(1, 1, ENQUEUED), RELEASE(1), CREATE(2), WRITE(2, 2, ENQUEUED),
		    FINISH(1) }, 6, 6, 1 },
		{ "waiting for the other does not help",
		  { CREATE(1), WRITE(1, 1, ENQUEUED), RELEASE(1), CREATE(2), WRITE(2, 2, ENQUEUED),
		    FINISH(2), FINISH(1) }, 7, 7, 1 },
		{ "a blocking transfer waits",
		  { CREATE(1), WRITE(1, 1, BERTH_OP_BLOCKING), RELEASE(1), CREATE(2),
		    WRITE(2, 2, ENQUEUED), FINISH(2) }, 6, 3, 0 },
		{ "of something else, on that queue",
		  { CREATE(1), WRITE(1, 1, ENQUEUED), RELEASE(1), CREATE(2), WRITE(2, 2, ENQUEUED),
		    WRITE(2, 1, BERTH_OP_BLOCKING) }, 6, 6, 1 },
		/* object 2, still alive at the end, lives so long anyway */
		{ "never waited for: to the end",
		  { CREATE(1), WRITE(1, 1, ENQUEUED), RELEASE(1), CREATE(2), WRITE(2, 2, ENQUEUED) },
		  5, 6, 1 },
		{ "an event's wait says no queue",
		  { CREATE(1), WRITE(1, 1, ENQUEUED), RELEASE(1), CREATE(2), WRITE(2, 2, ENQUEUED),
		    FINISH(0), FINISH(1) }, 7, 7, 1 },
		{ "never used",
		  { CREATE(1), FINISH(1), RELEASE(1), CREATE(2), WRITE(2, 2, ENQUEUED), FINISH(2) },
		  6, 3, 0 },
	};

	scratch_make();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path = scratch_path("queues.db");
		berth_plan_source *source = NULL;

		test_case("%s", cases[i].name);
		trace_fixture_write(path, cases[i].ops, cases[i].count);
		ASSERT_OK(berth_plan_source_load(&source, path, NULL));
		CU_ASSERT_FATAL(source != NULL);
		ASSERT_INT(source->models[0].input.request_count, 2);
		ASSERT_INT(source->models[0].input.requests[0].lower, 1);
		ASSERT_INT(source->models[0].input.requests[0].upper, cases[i].upper);
		ASSERT_INT(source->lengthened, cases[i].lengthened);
		berth_plan_source_destroy(source);
		remove(path);
	}
	scratch_remove();
}

int main(void)
{
	static const struct test tests[] = { { "lifetimes", lifetimes }, { NULL, NULL } };

	return test_main("plan of several queues", tests);
}
