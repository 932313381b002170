/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of findings, on either side of what they are about; test_findings_cases.c has what people reported. */
#include "test_main.h"

#include "finding_story.h"
#include "scratch.h"

#include <stdio.h>
#include <string.h>

#include <CL/cl.h>

/* Two buffers, one after the other in use; the older goes before the newer comes, or after. */
static void idle(bool late)
{
	story_buffer(1, MIB, 0);
	story_write(1, MIB, 0);
	story_use(1, BERTH_ACCESS_WRITE);
	if (!late)
		story_release(1);
	story_buffer(2, MIB, 0);
	story_use(2, BERTH_ACCESS_WRITE);
	if (late)
		story_release(1);
	story_release(2);
}

static void idle_late(void)
{
	idle(true);
}

static void idle_not(void)
{
	idle(false);
}

/* The older is used at the peak and after it. */
static void idle_used(void)
{
	story_buffer(1, MIB, 0);
	story_write(1, MIB, 0);
	story_buffer(2, MIB, 0);
	story_use(2, BERTH_ACCESS_WRITE);
	story_use(1, BERTH_ACCESS_WRITE);
	story_release(1);
	story_release(2);
}

/* Idle at a peak, which another exceeds where nothing is idle. */
static void idle_lower_peak(void)
{
	idle(true);
	story_buffer(3, 3 * MIB, 0);
	story_use(3, BERTH_ACCESS_WRITE);
	story_release(3);
}

/* An image of 64 x 512 and a buffer of its 256 KiB, which is used when the image is not any more. */
static void share(bool again)
{
	story_image(1, 64, 512, 0, 0);
	story_buffer(2, 262144, 0);
	story_use(1, BERTH_ACCESS_WRITE);
	story_use(2, BERTH_ACCESS_WRITE);
	if (again)
		story_use(1, BERTH_ACCESS_READ);
	story_release(1);
	story_release(2);
}

static void share_once(void)
{
	share(false);
}

static void share_again(void)
{
	share(true);
}

static void churn(int rounds, uint64_t duration_ns)
{
	for (int i = 0; i < rounds; i++) {
		story_buffer((uint64_t)i + 1, 4096, 0)->result.duration_ns = duration_ns;
		story_use((uint64_t)i + 1, 0);
		story_release((uint64_t)i + 1)->result.duration_ns = duration_ns;
	}
}

static void churn_17(void)
{
	churn(17, 100000);
}

static void churn_16(void)
{
	churn(16, 100000);
}

static void churn_cheap(void)
{
	churn(17, 10);
}

/* The size was never free when the next came. */
static void churn_alive(void)
{
	for (uint64_t id = 1; id <= 40; id++)
		story_buffer(id, 4096, 0)->result.duration_ns = 100000;
	for (uint64_t id = 1; id <= 40; id++)
		story_release(id)->result.duration_ns = 100000;
}

/* Used in the first tenth, never released. */
static void leak(void)
{
	story_buffer(1, 5000, 0);
	story_use(1, BERTH_ACCESS_READ);
	for (int i = 0; i < 20; i++)
		story_sync();
}

static void leak_kept(void)
{
	story_buffer(1, 5000, 0);
	for (int i = 0; i < 20; i++)
		story_use(1, BERTH_ACCESS_READ);
	story_sync();
}

static void leak_svm(void)
{
	story_add(&(berth_op){ .kind = BERTH_OP_SVM_ALLOC, .object = 1, .bytes = 5000 });
	for (int i = 0; i < 20; i++)
		story_sync();
}

/* Four buffers are released while their kernels are queued; more are made. */
static void backlog(bool wait)
{
	for (uint64_t id = 1; id <= 4; id++) {
		story_buffer(id, MIB, 0);
		story_use(id, BERTH_ACCESS_WRITE);
		if (wait)
			story_sync();
		story_release(id);
	}
	story_sync();
}

static void backlog_queued(void)
{
	backlog(false);
}

static void backlog_waited(void)
{
	backlog(true);
}

/* The same, and each kernel's event is found complete before the release. */
static void backlog_events(void)
{
	static const berth_op_event given[] = {
		{ 1, BERTH_EVENT_GIVEN },
		{ 2, BERTH_EVENT_GIVEN },
		{ 3, BERTH_EVENT_GIVEN },
		{ 4, BERTH_EVENT_GIVEN },
	};
	static const berth_op_event complete[] = {
		{ 1, BERTH_EVENT_COMPLETE },
		{ 2, BERTH_EVENT_COMPLETE },
		{ 3, BERTH_EVENT_COMPLETE },
		{ 4, BERTH_EVENT_COMPLETE },
	};
	berth_trace_op *row;

	for (uint64_t id = 1; id <= 4; id++) {
		story_buffer(id, MIB, 0);
		row = story_use(id, BERTH_ACCESS_WRITE);
		row->events = &given[id - 1];
		row->event_count = 1;
		row = story_add(&(berth_op){ .kind = BERTH_OP_ORDER });
		row->events = &complete[id - 1];
		row->event_count = 1;
		story_release(id);
	}
}

/* Frees that are commands themselves. */
static void backlog_of_frees(void)
{
	static const berth_object_use freed[] = { { 1, 0, 0 }, { 2, 0, 0 }, { 3, 0, 0 } };

	for (uint64_t id = 1; id <= 3; id++) {
		story_add(&(berth_op){ .kind = BERTH_OP_SVM_ALLOC, .object = id, .bytes = MIB });
		story_add(&(berth_op){ .kind = BERTH_OP_SVM_FREE, .bits = BERTH_OP_ENQUEUED,
				       .queue = 1, .uses = &freed[id - 1], .use_count = 1 });
	}
}

static void parent_held(void)
{
	story_buffer(1, 4 * MIB, 0);
	story_subbuffer(2, 1, 0, MIB);
	story_release(1);
	story_buffer(3, 4 * MIB, 0);
	story_use(3, BERTH_ACCESS_WRITE);
	story_release(3);
	story_release(2);
}

static void used_after_end(void)
{
	story_buffer(1, 64, 0);
	story_release(1);
	story_write(1, 64, 0);
	story_write(1, 64, 0)->result.cl_status = CL_INVALID_MEM_OBJECT;
}

static void stale_argument(void)
{
	story_buffer(1, 64, 0);
	story_use(1, BERTH_ACCESS_READ);
	story_release(1);
	story_use(1, BERTH_ACCESS_READ);
	story_use(1, BERTH_ACCESS_READ);
}

static void duplicates(bool change)
{
	for (uint64_t id = 1; id <= 3; id++) {
		story_buffer(id, MIB, 0);
		story_write(id, MIB, 7);
		if (change)
			story_use(id, BERTH_ACCESS_WRITE);
	}
	story_buffer(4, MIB, 0);
	story_write(4, MIB, 8);
	for (uint64_t id = 1; id <= 4; id++) {
		story_use(id, BERTH_ACCESS_READ);
	}
	for (uint64_t id = 1; id <= 4; id++)
		story_release(id);
}

static void duplicates_three(void)
{
	duplicates(false);
}

static void duplicates_changed(void)
{
	duplicates(true);
}

/* Both are filled with the same, as zeros; a kernel writes one of them later. */
static void duplicates_written(void)
{
	story_buffer(1, MIB, 0);
	story_write(1, MIB, 7);
	story_buffer(2, MIB, 0);
	story_write(2, MIB, 7);
	story_use(2, BERTH_ACCESS_WRITE);
	story_release(1);
	story_release(2);
}

/* An image of 64 x 256 with a buffer's content of 131072 bytes, in rows of 512. */
static void duplicate_image(void)
{
	story_buffer(1, 131072, 0);
	story_write(1, 131072, 7);
	story_image(2, 64, 256, 0, 0);
	story_content(story_add(&(berth_op){ .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE,
					     .object = 2, .queue = 1,
					     .region = { .extent = { 64, 256, 1 } } }),
		      7);
	story_release(2);
	story_release(1);
}

static void ping_pong(void)
{
	story_buffer(1, 8192, 0);
	for (int i = 0; i < 2; i++) {
		story_write(1, 8192, 5);
		story_read(1, 8192, BERTH_OP_BLOCKING);
	}
	story_release(1);
}

/* All of a buffer, again through a sub-buffer that covers it. */
static void reuse_by_sub_buffer(void)
{
	story_buffer(1, 8192, 0);
	story_subbuffer(2, 1, 0, 8192);
	story_write(1, 8192, 5);
	story_write(2, 8192, 5);
}

/* A part of what was written: read back, of whatever content. */
static void reuse_of_part(void)
{
	story_buffer(1, 16384, 0);
	story_write(1, 16384, 5);
	story_content(story_read(1, 8192, BERTH_OP_BLOCKING), 6);
}

static void no_reuse(void)
{
	story_buffer(1, 8192, 0);
	for (unsigned char i = 1; i < 5; i++) {
		story_write(1, 8192, i);
		story_use(1, BERTH_ACCESS_WRITE);
		story_read(1, 8192, BERTH_OP_BLOCKING);
	}
	story_release(1);
}

static void over_memory(void)
{
	for (uint64_t id = 1; id <= 3; id++)
		story_buffer(id, 64 * MIB, 0);
	for (uint64_t id = 1; id <= 3; id++)
		story_release(id);
}

static void near_limit(void)
{
	story_buffer(1, 30 * MIB, 0);
	story_release(1);
}

static void below_limit(void)
{
	story_buffer(1, 28 * MIB, 0);
	story_release(1);
}

/* Balanced only from 16 objects on. */
static void balanced(void)
{
	churn(16, 10);
}

static void unbalanced(void)
{
	churn(16, 10);
	story_buffer(99, 4096, 0);
}

struct rule_case {
	const char *name;
	void (*build)(void);
	const char *device_sql;
	const char *rule; /* that is expected to be found or not */
	bool found;
	uint64_t count, bytes, time_ns;
	uint64_t op;
	uint64_t worst; /* id of the first object that is named */
};

/* clang-format off */
static const struct rule_case cases[] = {
	/* Last used at 2 ms + 1 us, released at 5 ms. */
	{ "idle at the peak", idle_late, NULL, "F-IDLE", true, 1, MIB, 5 * STORY_MS - (2 * STORY_MS + STORY_CALL_NS), 1, 1 },
	{ "released before more is made", idle_not, NULL, "F-IDLE", false, 0, 0, 0, 0, 0 },
	{ "used after the peak", idle_used, NULL, "F-IDLE", false, 0, 0, 0, 0, 0 },
	{ "idle at a peak that is not the peak", idle_lower_peak, NULL, "F-IDLE", false, 0, 0, 0, 0, 0 },
	{ "an image and a buffer after each other", share_once, NULL, "F-SHARE", true, 1, 262144, 0, 1, 1 },
	{ "the image is used again", share_again, NULL, "F-SHARE", false, 0, 0, 0, 0, 0 },
	{ "no images on buffers", share_once, "image2d_from_buffer = 0", "F-SHARE", false, 0, 0, 0, 0, 0 },
	/* 16 made again; 17 creates less the first, 17 releases: 33 calls. */
	{ "churn", churn_17, NULL, "F-CHURN", true, 16, 0, 33 * 100000, 4, 2 },
	{ "less churn", churn_16, NULL, "F-CHURN", false, 0, 0, 0, 0, 0 },
	{ "churn that costs nothing", churn_cheap, NULL, "F-CHURN", false, 0, 0, 0, 0, 0 },
	{ "many of one size at once", churn_alive, NULL, "F-CHURN", false, 0, 0, 0, 0, 0 },
	{ "a leak", leak, NULL, "F-LEAK", true, 1, 5000, 0, 1, 1 },
	{ "a leak of shared virtual memory", leak_svm, NULL, "F-LEAK", true, 1, 5000, 0, 1, 1 },
	{ "kept in use until the end", leak_kept, NULL, "F-LEAK", false, 0, 0, 0, 0, 0 },
	/* When the fourth is made, three are released and queued. */
	{ "backlog", backlog_queued, NULL, "F-BACKLOG", true, 3, 3 * MIB, 0, 10, 0 },
	{ "no backlog behind events", backlog_events, NULL, "F-BACKLOG", false, 0, 0, 0, 0, 0 },
	{ "backlog of frees", backlog_of_frees, NULL, "F-BACKLOG", true, 2, 2 * MIB, 0, 5, 0 },
	{ "no backlog", backlog_waited, NULL, "F-BACKLOG", false, 0, 0, 0, 0, 0 },
	{ "backlog is no leak", backlog_queued, NULL, "F-LEAK", false, 0, 0, 0, 0, 0 },
	/* From the release at 2 ms to that of the sub-buffer at 6 ms. */
	{ "a parent held by a part", parent_held, NULL, "F-PARENT-HELD", true, 1, 3 * MIB, 4 * STORY_MS, 1, 1 },
	{ "commands after the end", used_after_end, NULL, "F-USE-AFTER-END", true, 2, 128, 0, 3, 1 },
	{ "stale arguments", stale_argument, NULL, "F-STALE-ARG", true, 2, 0, 0, 4, 1 },
	{ "the same in three", duplicates_three, NULL, "F-DUPLICATE", true, 2, 2 * MIB, 0, 3, 2 },
	{ "the same in a buffer and an image", duplicate_image, NULL, "F-DUPLICATE", true, 1, 131072, 0, 3, 2 },
	{ "the same until a kernel writes", duplicates_written, NULL, "F-DUPLICATE", false, 0, 0, 0, 0, 0 },
	{ "written before there is another", duplicates_changed, NULL, "F-DUPLICATE", false, 0, 0, 0, 0, 0 },
	/* One write and two reads of four transfers. */
	{ "needless transfers", ping_pong, NULL, "F-REDUNDANT", true, 3, 3 * 8192, 3 * STORY_CALL_NS, 3, 1 },
	{ "ping-pong", ping_pong, NULL, "F-PING-PONG", true, 1, 3 * 8192, 3 * STORY_CALL_NS, 3, 1 },
	{ "needless by a sub-buffer", reuse_by_sub_buffer, NULL, "F-REDUNDANT", true, 1, 8192, STORY_CALL_NS, 4, 2 },
	{ "needless in part", reuse_of_part, NULL, "F-REDUNDANT", true, 1, 8192, STORY_CALL_NS, 3, 1 },
	{ "transfers that are needed", no_reuse, NULL, "F-REDUNDANT", false, 0, 0, 0, 0, 0 },
	/* The minimum has 128 MiB: the third crosses it. */
	{ "over the device's memory", over_memory, NULL, "F-OVER-MEMORY", true, 1, 64 * MIB, 0, 3, 3 },
	/* And 32 MiB at once; 90 percent of them are 28.8. */
	{ "near a limit", near_limit, NULL, "F-NEAR-LIMIT", true, 1, 30 * MIB, 0, 1, 1 },
	{ "below a limit", below_limit, NULL, "F-NEAR-LIMIT", false, 0, 0, 0, 0, 0 },
	{ "over a limit", over_memory, NULL, "F-OVER-LIMIT", true, 3, 3 * 64 * MIB, 0, 1, 1 },
	{ "all released", balanced, NULL, "F-BALANCED", true, 16, 0, 0, 0, 0 },
	{ "not all released", unbalanced, NULL, "F-BALANCED", false, 0, 0, 0, 0, 0 },
};
/* clang-format on */

static void check_case(const struct rule_case *one, const berth_finding *finding)
{
	ASSERT_INT(finding != NULL, one->found);
	if (!finding || !one->found)
		return;
	ASSERT_INT(finding->count, one->count);
	ASSERT_INT(finding->bytes, one->bytes);
	ASSERT_INT(finding->time_ns, one->time_ns);
	ASSERT_INT(finding->op, one->op);
	ASSERT_INT(finding->object_count > 0 ? finding->objects[0].id : 0, one->worst);
	ASSERT_INT(strlen(finding->text) < sizeof(finding->text) - 1, 1);
}

static void all_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_findings *findings;

		test_case("%s", cases[i].name);
		story_begin();
		cases[i].build();
		findings = story_find(cases[i].device_sql, NULL);
		check_case(&cases[i], story_rule(findings, cases[i].rule));
		berth_findings_free(findings);
	}
}

/* Ids are unique, and each has what is said of it. */
static void the_rules(void)
{
	const berth_finding_rule *one, *other;

	for (size_t i = 0; (one = berth_finding_rule_at(i)); i++) {
		ASSERT_INT(strncmp(one->id, "F-", 2), 0);
		ASSERT_INT(*one->title != '\0' && *one->advice != '\0', 1);
		for (size_t j = 0; j < i; j++) {
			other = berth_finding_rule_at(j);
			ASSERT_INT(strcmp(one->id, other->id) != 0, 1);
		}
	}
}

/* A note is listed and not counted; what is more than is named is counted. */
static void order_and_count(void)
{
	berth_findings *findings;

	story_begin();
	for (uint64_t id = 1; id <= 20; id++) {
		story_buffer(id, id * MIB, 0);
		story_write(id, id * MIB, 0);
	}
	story_buffer(21, MIB, 0);
	for (uint64_t id = 1; id <= 21; id++)
		story_release(id);
	findings = story_find("global_mem_bytes = 1073741824, max_alloc_bytes = 1073741824", NULL);
	ASSERT_INT(berth_findings_count(findings), 1);
	ASSERT_STRING(berth_findings_at(findings, 0)->rule->id, "F-IDLE");
	ASSERT_STRING(berth_findings_at(findings, 1)->rule->id, "F-BALANCED");
	ASSERT_INT(berth_findings_at(findings, 2) == NULL, 1);
	/* 1 + ... + 20, and the last one, which nothing used. */
	ASSERT_INT(berth_findings_at(findings, 0)->bytes, 210 * MIB);
	ASSERT_INT(berth_findings_at(findings, 0)->count, 20);
	ASSERT_INT(berth_findings_at(findings, 0)->object_count, BERTH_FINDING_OBJECTS_MAX);
	ASSERT_INT(berth_findings_at(findings, 0)->objects[7].id, 13);
	berth_findings_free(findings);
}

/* Of several devices the largest limits and the smallest alignments count. */
static void two_devices(void)
{
	static const struct {
		const char *sql;
		bool over, misaligned;
	} rows[] = {
		{ NULL, true, true },
		{ "max_alloc_bytes = 134217728", false, true },
		{ "base_addr_align_bits = 512", true, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		berth_findings *findings;

		test_case("second device: %s", rows[i].sql ? rows[i].sql : "the same");
		story_begin();
		story_buffer(1, 64 * MIB, 0);
		story_subbuffer(2, 1, 64, 64);
		findings = story_find_on_two("base_addr_align_bits = 1024", rows[i].sql);
		ASSERT_INT(story_rule(findings, "F-OVER-LIMIT") != NULL, rows[i].over);
		ASSERT_INT(story_rule(findings, "F-MISALIGNED") != NULL, rows[i].misaligned);
		berth_findings_free(findings);
	}
}

/* What comes again is named once. */
static void named_once(void)
{
	const berth_finding *finding;
	berth_findings *findings;

	story_begin();
	story_buffer(1, MIB, CL_MEM_ALLOC_HOST_PTR);
	story_buffer(2, MIB, CL_MEM_ALLOC_HOST_PTR);
	for (int i = 0; i < 20; i++) {
		story_write(1, MIB, 0);
		story_write(2, MIB / 2, 0);
	}
	findings = story_find("host_unified = 1", NULL);
	finding = story_rule(findings, "F-ZERO-COPY");
	CU_ASSERT_FATAL(finding != NULL);
	ASSERT_INT(finding->count, 40);
	ASSERT_INT(finding->bytes, 30 * MIB);
	ASSERT_INT(finding->time_ns, 40 * STORY_CALL_NS);
	ASSERT_INT(finding->object_count, 2);
	ASSERT_INT(finding->objects[0].id, 1);
	ASSERT_INT(finding->objects[0].bytes, 20 * MIB);
	ASSERT_INT(finding->objects[1].bytes, 10 * MIB);
	ASSERT_INT(finding->objects[1].time_ns, 20 * STORY_CALL_NS);
	berth_findings_free(findings);
}

/* How objects were used before the trace begins is not known. */
static void late_begin(void)
{
	static const struct {
		const char *sql;
		bool leak, idle;
	} rows[] = {
		{ "INSERT INTO meta VALUES('before', 0)", true, true },
		{ "INSERT INTO meta VALUES('before', 2)", false, false },
		{ "INSERT INTO meta VALUES('before', 1)", true, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		berth_findings *findings;

		test_case("%s", rows[i].sql);
		story_begin();
		story_buffer(1, MIB, 0);
		story_buffer(2, MIB, 0);
		for (int op = 0; op < 10; op++)
			story_sync();
		story_release(1);
		findings = story_find_changed(rows[i].sql);
		ASSERT_INT(story_rule(findings, "F-LEAK") != NULL, rows[i].leak);
		ASSERT_INT(story_rule(findings, "F-IDLE") != NULL, rows[i].idle);
		berth_findings_free(findings);
	}
}

/*
 * A handle that is none of the trace's objects, which a driver accepted: of one that is gone,
 * where the trace has them all.
 */
static void unknown_handles(void)
{
	static const struct {
		const char *sql;
		uint64_t releases, commands; /* that are found */
	} rows[] = {
		{ "UPDATE meta SET value = 0 WHERE key = 'lost'; DELETE FROM untracked", 1, 1 },
		{ "UPDATE meta SET value = 1 WHERE key = 'lost'; DELETE FROM untracked", 0, 0 },
		{ "UPDATE meta SET value = 0 WHERE key = 'lost';"
		  "UPDATE untracked SET name = 'clCreateFromD3D11BufferKHR'", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const berth_finding *finding;
		berth_findings *findings;

		test_case("%s", rows[i].sql);
		story_begin();
		story_release(BERTH_ID_UNKNOWN);
		story_write(BERTH_ID_UNKNOWN, 64, 0);
		findings = story_find_changed(rows[i].sql);
		finding = story_rule(findings, "F-DOUBLE-RELEASE");
		ASSERT_INT(finding ? finding->count : 0, rows[i].releases);
		finding = story_rule(findings, "F-USE-AFTER-END");
		ASSERT_INT(finding ? finding->count : 0, rows[i].commands);
		berth_findings_free(findings);
	}
}

/* Without a device there is nothing to compare with, and the rest is found. */
static void no_device(void)
{
	berth_findings *findings;

	story_begin();
	story_buffer(1, UINT64_C(1) << 40, CL_MEM_USE_HOST_PTR);
	story_subbuffer(2, 1, 64, 64);
	story_image(3, 100, 33, 1, 832);
	story_image(4, 1 << 20, 33, 0, 0);
	story_buffer(5, 64, 0)->result.cl_status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	findings = story_find_changed("DELETE FROM device; DELETE FROM format");
	ASSERT_STRING(berth_findings_at(findings, 0)->rule->id, "F-REFUSED");
	ASSERT_STRING(berth_findings_at(findings, 1)->rule->id, "F-LEAK");
	ASSERT_INT(berth_findings_count(findings), 2);
	berth_findings_free(findings);
}

/* Rows that a recording would not write change nothing, and end nothing. */
static void forged_rows(void)
{
	berth_findings *findings;

	story_begin();
	story_buffer(1, UINT64_MAX, 0);
	story_buffer(1, 64, 0);
	story_buffer(2, UINT64_MAX, 0);
	story_subbuffer(3, 77, UINT64_MAX, UINT64_MAX);
	story_subbuffer(4, 1, UINT64_MAX, UINT64_MAX);
	story_subbuffer(5, 1, UINT64_MAX - 1, UINT64_MAX);
	story_image(6, UINT64_MAX, UINT64_MAX, 0, 0);
	story_image(7, UINT64_MAX / 8, 1, 1, UINT64_MAX);
	story_write(1, UINT64_MAX, 1);
	story_write(1, UINT64_MAX, 1);
	story_read(1, UINT64_MAX, BERTH_OP_BLOCKING)->result.duration_ns = UINT64_MAX / 2;
	story_release(BERTH_ID_UNKNOWN);
	story_add(&(berth_op){ .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 9 });
	story_add(&(berth_op){ .kind = BERTH_OP_SVM_FREE, .object = 1 });
	story_release(2);
	story_release(1);
	findings = story_find(NULL, NULL);
	ASSERT_INT(story_rule(findings, "F-OVER-LIMIT") != NULL, 1);
	berth_findings_free(findings);
}

static void damaged(void)
{
	berth_findings *findings = (berth_findings *)&findings;
	berth_findings_options options = BERTH_FINDINGS_OPTIONS_INIT;
	static const struct fixture_op ops[] = {
		{ .row = { .answered = true,
			   .op = { BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 64 } } },
	};
	berth_trace *trace = NULL;

	scratch_make();
	trace_fixture_write(scratch_path("damaged.db"), ops, 1);
	trace_fixture_sql(scratch_path("damaged.db"), "UPDATE op SET kind = 4711");
	ASSERT_OK(berth_trace_open(&trace, scratch_path("damaged.db")));
	ASSERT_INT(berth_findings_find(&findings, trace, NULL), BERTH_E_FORMAT);
	ASSERT_INT(findings == (berth_findings *)&findings, 1);
	options.size--;
	ASSERT_INT(berth_findings_find(&findings, trace, &options), BERTH_E_INVAL);
	berth_trace_close(trace);
	scratch_remove();
}

int main(void)
{
	static const struct test tests[] = {
		{ "all_cases", all_cases },
		{ "the_rules", the_rules },
		{ "order_and_count", order_and_count },
		{ "two_devices", two_devices },
		{ "named_once", named_once },
		{ "late_begin", late_begin },
		{ "unknown_handles", unknown_handles },
		{ "no_device", no_device },
		{ "forged_rows", forged_rows },
		{ "damaged", damaged },
		{ NULL, NULL },
	};

	return test_main("findings", tests);
}
