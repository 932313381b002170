/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The residency report on traces made by hand: short stories, each with the
 * transfers that must be found needless, and those that must not.
 */
#include "test_main.h"

#include "scratch.h"
#include "trace_fixture.h"

#include <berth/residency_report.h>

#include <stdio.h>

#include <CL/cl.h>

#define STORY_OPS 12

/* The digest is CONTENT in all its bytes; every call takes 7 ns. */
#define CONTENT(content)                                                                           \
	.has_digest = true,                                                                        \
	.digest = { content, content, content, content, content, content, content, content,        \
		    content, content, content, content, content, content, content, content }
#define ANSWER .answered = true, .result = { .duration_ns = 7 }

/* clang-format off */
#define OP(...) { .row = { ANSWER, .op = { __VA_ARGS__ } } }
#define OP_OF(content, ...) { .row = { ANSWER, CONTENT(content), .op = { __VA_ARGS__ } } }
#define REFUSED(content, ...) \
	{ .row = { .answered = true, CONTENT(content), .op = { __VA_ARGS__ }, \
		   .result = { .cl_status = CL_INVALID_VALUE } } }
#define LINEAR(kind_, id, from, count) \
	.kind = kind_, .form = BERTH_FORM_LINEAR, .object = id, .offset_bytes = from, .bytes = count

#define BUFFER(id, size) OP(BERTH_OP_BUFFER_CREATE, .object = id, .bytes = size)
#define BUFFER_FLAGS(id, size, flags_) \
	OP(BERTH_OP_BUFFER_CREATE, .object = id, .bytes = size, .flags = flags_)
#define SUBBUFFER(id, on, from, size) \
	OP(BERTH_OP_SUBBUFFER_CREATE, .object = id, .other = on, .offset_bytes = from, .bytes = size)
#define RELEASE(id) OP(BERTH_OP_RELEASE, .object = id)
#define WRITE(content, id, from, count) OP_OF(content, LINEAR(BERTH_OP_WRITE, id, from, count))
#define READ(content, id, from, count) OP_OF(content, LINEAR(BERTH_OP_READ, id, from, count))
#define READ_ASYNC(id, from, count) OP(LINEAR(BERTH_OP_READ, id, from, count))
#define FILL(id, from, count) OP(LINEAR(BERTH_OP_FILL, id, from, count), .pattern_bytes = 1)
#define MAP(id, from, count, how) \
	OP(LINEAR(BERTH_OP_MAP, id, from, count), .mapping = 1, .flags = how)
#define UNMAP(id) OP(BERTH_OP_UNMAP, .object = id, .mapping = 1)
#define USE(list) OP(BERTH_OP_USE, .uses = list, .use_count = 1)
#define COPY(from, to, to_offset, count) \
	OP(LINEAR(BERTH_OP_COPY, from, 0, count), .other = to, .other_offset_bytes = to_offset)

/* An image of 8 x 4 pixels of 4 bytes, on its own memory or on a buffer. */
#define IMAGE(id, on) \
	{ .row = { .answered = true, .result = { .bytes = 128, .row_pitch_bytes = 32 }, \
		   .op = { BERTH_OP_IMAGE_CREATE, .object = id, .other = on, \
			   .image = { CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNORM_INT8, \
				      .width = 8, .height = 4 } } } }
#define BOX(kind_, id, x, y, w, h) \
	.kind = kind_, .form = BERTH_FORM_IMAGE, .object = id, \
	.region = { .origin = { x, y, 0 }, .extent = { w, h, 1 } }
/* 4 rows of 8 bytes, 16 apart, from byte x of a buffer. */
#define RECT(kind_, id, x) \
	.kind = kind_, .form = BERTH_FORM_RECT, .object = id, \
	.region = { .origin = { x, 0, 0 }, .extent = { 8, 4, 1 }, .row_pitch_bytes = 16 }
/* 2 slices of 2 rows of 8 bytes. */
#define DEEP_RECT(id, row, slice) \
	.kind = BERTH_OP_WRITE, .form = BERTH_FORM_RECT, .object = id, \
	.region = { .extent = { 8, 2, 2 }, .row_pitch_bytes = row, .slice_pitch_bytes = slice }
/* clang-format on */

static const berth_object_use unknown_1[] = { { 1, 0, 0 } };
static const berth_object_use reads_1[] = { { 1, 0, BERTH_ACCESS_READ } };
static const berth_object_use writes_1[] = { { 1, 0, BERTH_ACCESS_WRITE } };
static const berth_object_use unknown_2[] = { { 2, 0, 0 } };

struct story {
	const char *name;
	struct fixture_op ops[STORY_OPS]; /* up to the first of kind 0 */
	/* Needless: writes, reads, perhaps writes, perhaps reads. */
	uint64_t counts[BERTH_RESIDENCY_CLASS_COUNT];
	uint64_t saved_bytes; /* of the first two */
	uint64_t turns;	      /* of the object that is listed first */
};

static const struct story stories[] = {
	{ .name = "other content is new",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), WRITE(2, 1, 0, 64) } },
	{ .name = "the same bytes go up again",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), WRITE(1, 1, 0, 64), WRITE(1, 1, 0, 64) },
	  .counts = { 2 },
	  .saved_bytes = 128 },
	{ .name = "content that came back after another",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), WRITE(2, 1, 0, 64), WRITE(1, 1, 0, 64) } },
	{ .name = "the same bytes in another place",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 32), WRITE(1, 1, 32, 32) } },
	{ .name = "the same bytes in another object",
	  .ops = { BUFFER(1, 64), BUFFER(2, 64), WRITE(1, 1, 0, 64), WRITE(1, 2, 0, 64) } },
	{ .name = "a write without a digest is not judged",
	  .ops = { BUFFER(1, 64), OP(LINEAR(BERTH_OP_WRITE, 1, 0, 64)),
		   OP(LINEAR(BERTH_OP_WRITE, 1, 0, 64)) } },
	{ .name = "a refused write changes nothing and is none",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), REFUSED(2, LINEAR(BERTH_OP_WRITE, 1, 0, 64)),
		   REFUSED(1, LINEAR(BERTH_OP_WRITE, 1, 0, 64)), WRITE(1, 1, 0, 64) },
	  .counts = { 1 },
	  .saved_bytes = 64 },
	{ .name = "a read of what was written, with its digest and without",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), READ(1, 1, 0, 64), READ_ASYNC(1, 0, 64) },
	  .counts = { 0, 2 },
	  .saved_bytes = 128,
	  .turns = 1 },
	{ .name = "a read again, of a part, and of more",
	  .ops = { BUFFER(1, 64), READ(1, 1, 0, 32), READ(2, 1, 8, 16), READ(3, 1, 0, 64) },
	  .counts = { 0, 1 },
	  .saved_bytes = 16 },
	{ .name = "a read whose digest differs: something unseen wrote",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), READ(2, 1, 0, 64) } },
	{ .name = "a read with a digest completes one without",
	  .ops = { BUFFER(1, 64), READ_ASYNC(1, 0, 64), READ(1, 1, 0, 64), WRITE(1, 1, 0, 64) },
	  .counts = { 1, 1 },
	  .saved_bytes = 128,
	  .turns = 1 },
	{ .name = "ping-pong: up, down, up, down",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), READ(1, 1, 0, 64), WRITE(1, 1, 0, 64),
		   READ(1, 1, 0, 64) },
	  .counts = { 1, 2 },
	  .saved_bytes = 192,
	  .turns = 3 },
	{ .name = "a write of a part ends what is known of the whole",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), WRITE(2, 1, 16, 16), READ(3, 1, 0, 64) } },
	{ .name = "a fill ends what it touches, to the byte",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 32), WRITE(2, 1, 32, 32), FILL(1, 31, 1),
		   WRITE(1, 1, 0, 32), WRITE(2, 1, 32, 32) },
	  .counts = { 1 },
	  .saved_bytes = 32 },
	{ .name = "a copy ends what is known of its destination, not of its source",
	  .ops = { BUFFER(1, 64), BUFFER(2, 128), WRITE(1, 1, 0, 64), WRITE(2, 2, 0, 32),
		   WRITE(3, 2, 32, 96), COPY(1, 2, 32, 4), WRITE(1, 1, 0, 64), WRITE(2, 2, 0, 32),
		   WRITE(3, 2, 32, 96) },
	  .counts = { 2 },
	  .saved_bytes = 64 + 32 },
	{ .name = "a kernel of unknown access: perhaps",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), USE(unknown_1), WRITE(1, 1, 0, 64),
		   USE(unknown_1), USE(unknown_1), READ(1, 1, 0, 64), USE(unknown_1),
		   WRITE(2, 1, 0, 64) },
	  .counts = { 0, 0, 1, 1 },
	  .saved_bytes = 0,
	  .turns = 1 },
	{ .name = "a kernel of unknown access: a read without digest is new",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), USE(unknown_1), READ_ASYNC(1, 0, 64) } },
	{ .name = "a kernel that reads leaves all as it is",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), USE(reads_1), WRITE(1, 1, 0, 64) },
	  .counts = { 1 },
	  .saved_bytes = 64 },
	{ .name = "a kernel that writes leaves nothing",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), USE(writes_1), WRITE(1, 1, 0, 64),
		   USE(writes_1), READ(1, 1, 0, 64) } },
	{ .name = "kernels do not write objects that are read-only",
	  .ops = { BUFFER_FLAGS(1, 64, CL_MEM_READ_ONLY), WRITE(1, 1, 0, 64), USE(unknown_1),
		   WRITE(1, 1, 0, 64) },
	  .counts = { 1 },
	  .saved_bytes = 64 },
	{ .name = "nor sub-buffers of them",
	  .ops = { BUFFER_FLAGS(1, 64, CL_MEM_READ_ONLY), SUBBUFFER(2, 1, 0, 64),
		   WRITE(1, 1, 0, 64), USE(unknown_2), WRITE(1, 1, 0, 64) },
	  .counts = { 1 },
	  .saved_bytes = 64 },
	{ .name = "a kernel on a sub-buffer leaves its neighbours",
	  .ops = { BUFFER(1, 64), SUBBUFFER(2, 1, 32, 32), WRITE(1, 1, 0, 32), WRITE(2, 2, 0, 32),
		   USE(unknown_2), WRITE(1, 1, 0, 32), WRITE(2, 1, 32, 32) },
	  .counts = { 1, 0, 1 },
	  .saved_bytes = 32 },
	{ .name = "a sub-buffer is a place in its parent",
	  .ops = { BUFFER(1, 64), SUBBUFFER(2, 1, 16, 32), WRITE(1, 2, 4, 8), WRITE(1, 1, 20, 8) },
	  .counts = { 1 },
	  .saved_bytes = 8 },
	{ .name = "a parent that is released lives with its sub-buffer",
	  .ops = { BUFFER(1, 64), SUBBUFFER(2, 1, 0, 64), WRITE(1, 1, 0, 64), RELEASE(1),
		   WRITE(1, 2, 0, 64), RELEASE(2) },
	  .counts = { 1 },
	  .saved_bytes = 64 },
	{ .name = "what a buffer was made from",
	  .ops = { OP_OF(1, BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 64,
			 .flags = CL_MEM_COPY_HOST_PTR),
		   WRITE(1, 1, 0, 64) },
	  .counts = { 1 },
	  .saved_bytes = 64 },
	{ .name = "a map for reading changes nothing",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), MAP(1, 0, 64, CL_MAP_READ), UNMAP(1),
		   WRITE(1, 1, 0, 64) },
	  .counts = { 1 },
	  .saved_bytes = 64 },
	{ .name = "a map for writing ends its range, and so does its unmap",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 32), WRITE(2, 1, 32, 32),
		   MAP(1, 0, 8, CL_MAP_WRITE), READ(1, 1, 0, 32), UNMAP(1), READ(1, 1, 0, 32),
		   WRITE(2, 1, 32, 32) },
	  .counts = { 1 },
	  .saved_bytes = 32 },
	{ .name = "a migrate moves no content, but for one that leaves it undefined",
	  .ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64),
		   OP(BERTH_OP_MIGRATE, .uses = unknown_1, .use_count = 1), WRITE(1, 1, 0, 64),
		   OP(BERTH_OP_MIGRATE, .uses = unknown_1, .use_count = 1,
		      .flags = CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED),
		   WRITE(1, 1, 0, 64) },
	  .counts = { 1 },
	  .saved_bytes = 64 },
	{ .name = "a box again, and another box of the same span",
	  .ops = { BUFFER(1, 128), OP_OF(1, RECT(BERTH_OP_WRITE, 1, 0)),
		   OP_OF(1, RECT(BERTH_OP_WRITE, 1, 0)), OP_OF(1, RECT(BERTH_OP_WRITE, 1, 8)) },
	  .counts = { 1 },
	  .saved_bytes = 32 },
	/* 48 + 8 + 8 and 40 + 16 + 8 bytes. */
	{ .name = "a box of the same span and size with other pitches",
	  .ops = { BUFFER(1, 64), OP_OF(1, DEEP_RECT(1, 8, 48)), OP_OF(1, DEEP_RECT(1, 16, 40)),
		   OP_OF(1, DEEP_RECT(1, 16, 40)) },
	  .counts = { 1 },
	  .saved_bytes = 32 },
	{ .name = "a box without gaps is a range",
	  .ops = { BUFFER(1, 64),
		   OP_OF(1, BERTH_OP_WRITE, BERTH_FORM_RECT, .object = 1,
			 .region = { .origin = { 16 }, .extent = { 8, 4, 1 } }),
		   WRITE(1, 1, 16, 32) },
	  .counts = { 1 },
	  .saved_bytes = 32 },
	{ .name = "a read between the rows of a box is not a read of it",
	  .ops = { BUFFER(1, 128), OP_OF(1, RECT(BERTH_OP_WRITE, 1, 0)), READ(2, 1, 8, 8) } },
	{ .name = "an image: rows again, a part of them, beside them",
	  .ops = { IMAGE(1, 0), OP_OF(1, BOX(BERTH_OP_WRITE, 1, 0, 0, 8, 2)),
		   OP_OF(2, BOX(BERTH_OP_WRITE, 1, 0, 2, 8, 2)),
		   OP_OF(1, BOX(BERTH_OP_WRITE, 1, 0, 0, 8, 2)),
		   OP(BOX(BERTH_OP_READ, 1, 0, 3, 8, 1)), OP(BOX(BERTH_OP_READ, 1, 0, 1, 8, 3)) },
	  .counts = { 1, 1 },
	  .saved_bytes = 64 + 32 },
	{ .name = "an image: a box of the same size elsewhere",
	  .ops = { IMAGE(1, 0), OP_OF(1, BOX(BERTH_OP_WRITE, 1, 0, 0, 4, 2)),
		   OP_OF(1, BOX(BERTH_OP_WRITE, 1, 4, 0, 4, 2)) } },
	{ .name = "an image on a buffer: a write through the buffer ends it",
	  .ops = { BUFFER(1, 128), IMAGE(2, 1), OP_OF(1, BOX(BERTH_OP_WRITE, 2, 0, 0, 8, 4)),
		   OP_OF(1, BOX(BERTH_OP_WRITE, 2, 0, 0, 8, 4)), WRITE(2, 1, 0, 4),
		   OP_OF(1, BOX(BERTH_OP_WRITE, 2, 0, 0, 8, 4)) },
	  .counts = { 1 },
	  .saved_bytes = 128 },
	{ .name = "an image on a sub-buffer: what lies outside of it leaves it",
	  .ops = { BUFFER(1, 512), SUBBUFFER(2, 1, 256, 256), IMAGE(3, 2),
		   OP_OF(1, BOX(BERTH_OP_WRITE, 3, 0, 0, 8, 4)), WRITE(2, 1, 0, 256),
		   OP_OF(1, BOX(BERTH_OP_WRITE, 3, 0, 0, 8, 4)), WRITE(3, 1, 128, 8),
		   OP_OF(1, BOX(BERTH_OP_WRITE, 3, 0, 0, 8, 4)), WRITE(4, 1, 500, 4),
		   OP_OF(1, BOX(BERTH_OP_WRITE, 3, 0, 0, 8, 4)) },
	  .counts = { 2 },
	  .saved_bytes = 256 },
	{ .name = "objects that are not known",
	  .ops = { WRITE(1, 9, 0, 64), WRITE(1, 9, 0, 64), READ(1, BERTH_ID_UNKNOWN, 0, 64) } },
	{ .name = "objects of 2^64 - 1 bytes",
	  .ops = { BUFFER(1, UINT64_MAX), WRITE(1, 1, UINT64_MAX - 8, 64),
		   WRITE(1, 1, 0, UINT64_MAX), WRITE(1, 1, 0, UINT64_MAX),
		   READ_ASYNC(1, 0, UINT64_MAX) },
	  .counts = { 1, 1 },
	  .saved_bytes = INT64_MAX,
	  .turns = 1 },
};

static berth_trace *open_story(const struct story *story)
{
	const char *path = scratch_path("story.db");
	berth_trace *trace = NULL;
	size_t count = 0;

	while (count < STORY_OPS && story->ops[count].row.op.kind)
		count++;
	trace_fixture_write(path, story->ops, count);
	ASSERT_OK(berth_trace_open(&trace, path));
	return trace;
}

static void check_story(const struct story *story, const berth_residency *report)
{
	uint64_t saved_calls = story->counts[0] + story->counts[1];

	for (int i = 0; i < BERTH_RESIDENCY_CLASS_COUNT; i++)
		ASSERT_INT(report->sums[i].count, story->counts[i]);
	ASSERT_INT(report->saved.count, saved_calls);
	ASSERT_INT(report->saved.bytes, story->saved_bytes);
	ASSERT_INT(report->saved.duration_ns, 7 * saved_calls);
	ASSERT_INT(report->ping_pong_count, story->turns >= 2);
	ASSERT_INT(report->listed_count > 0 ? report->listed[0].turns : 0, story->turns);
}

static void all_stories(void)
{
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
		berth_residency *report = NULL;
		berth_trace *trace;

		test_case("%s", stories[i].name);
		scratch_make();
		trace = open_story(&stories[i]);
		ASSERT_OK(berth_residency_report(&report, trace));
		check_story(&stories[i], report);
		berth_residency_free(report);
		berth_trace_close(trace);
		scratch_remove();
	}
}

/* All numbers of one report. */
static void totals_and_objects(void)
{
	static const struct story story = {
		.ops = { BUFFER(1, 100),
			 BUFFER(2, 1000),
			 WRITE(1, 1, 0, 100),
			 WRITE(1, 1, 0, 100),
			 WRITE(2, 2, 0, 1000),
			 READ(2, 2, 0, 1000),
			 WRITE(2, 2, 0, 1000),
			 OP(LINEAR(BERTH_OP_WRITE, 1, 0, 50)),
			 READ(3, 1, 0, 100),
			 { .row = { .answered = true, .op = { BERTH_OP_LABEL, .object = 2 } },
			   .name_id = 2 } },
	};
	const berth_trace_op *row = NULL;
	berth_residency *report = NULL;
	berth_trace *trace;

	scratch_make();
	trace = open_story(&story);
	ASSERT_OK(berth_trace_next(&row, trace));
	ASSERT_OK(berth_residency_report(&report, trace));
	ASSERT_OK(berth_trace_next(&row, trace));
	ASSERT_INT(row->seq, 2);
	ASSERT_INT(report->writes.count, 5);
	ASSERT_INT(report->writes.bytes, 100 + 100 + 1000 + 1000 + 50);
	ASSERT_INT(report->writes.duration_ns, 5 * 7);
	ASSERT_INT(report->reads.count, 2);
	ASSERT_INT(report->reads.bytes, 1100);
	ASSERT_INT(report->writes_without_digest, 1);
	ASSERT_INT(report->saved.bytes, 100 + 1000 + 1000);
	ASSERT_INT(report->object_count, 2);
	ASSERT_INT(report->ping_pong_count, 1);
	ASSERT_INT(report->listed_count, 2);
	ASSERT_INT(report->listed[0].object.id, 2);
	ASSERT_STRING(report->listed[0].object.kind, "buffer");
	ASSERT_STRING(report->listed[0].object.label, "label two");
	ASSERT_INT(report->listed[0].turns, 2);
	ASSERT_INT(report->listed[0].first_op, 6);
	ASSERT_INT(report->listed[0].sums[BERTH_RESIDENCY_WRITES].count, 1);
	ASSERT_INT(report->listed[0].sums[BERTH_RESIDENCY_READS].bytes, 1000);
	ASSERT_INT(report->listed[1].object.id, 1);
	ASSERT_INT(report->listed[1].first_op, 4);
	ASSERT_INT(report->listed[1].turns, 0);
	berth_residency_free(report);
	berth_trace_close(trace);
	scratch_remove();
}

/* More objects than are listed: the largest come first, none is lost in the sums. */
static void many_objects(void)
{
	enum { OBJECTS = BERTH_RESIDENCY_OBJECTS_MAX + 6 };
	static struct fixture_op ops[3 * OBJECTS];
	berth_residency *report = NULL;
	berth_trace *trace = NULL;

	for (uint64_t i = 0; i < OBJECTS; i++) {
		const struct fixture_op create = BUFFER(i + 1, i + 1);
		const struct fixture_op write = WRITE(1, i + 1, 0, i + 1);

		ops[3 * i] = create;
		ops[3 * i + 1] = ops[3 * i + 2] = write;
	}
	scratch_make();
	trace_fixture_write(scratch_path("many.db"), ops, sizeof(ops) / sizeof(ops[0]));
	ASSERT_OK(berth_trace_open(&trace, scratch_path("many.db")));
	ASSERT_OK(berth_residency_report(&report, trace));
	ASSERT_INT(report->object_count, OBJECTS);
	ASSERT_INT(report->listed_count, BERTH_RESIDENCY_OBJECTS_MAX);
	ASSERT_INT(report->listed[0].object.id, OBJECTS);
	ASSERT_INT(report->listed[BERTH_RESIDENCY_OBJECTS_MAX - 1].object.id, 7);
	ASSERT_INT(report->saved.bytes, OBJECTS * (OBJECTS + 1) / 2);
	berth_residency_free(report);
	berth_trace_close(trace);
	scratch_remove();
}

static void damaged(void)
{
	static const struct story story = {
		.ops = { BUFFER(1, 64), WRITE(1, 1, 0, 64), WRITE(1, 1, 0, 64) },
	};
	static const struct {
		const char *sql, *text;
	} cases[] = {
		{ "UPDATE op SET kind = 22 WHERE seq = 3", "table 'op', row 3: column 'kind'" },
		{ "UPDATE op SET form = 7 WHERE seq = 2", "table 'op', row 2: column 'form'" },
		{ "UPDATE op SET digest = x'00' WHERE seq = 2",
		  "table 'op', row 2: column 'digest'" },
		{ "UPDATE object SET kind = 6", "table 'object', row 1: column 'kind'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_residency *report = (berth_residency *)&report;
		berth_trace *trace;

		test_case("%s", cases[i].sql);
		scratch_make();
		berth_trace_close(open_story(&story));
		trace_fixture_sql(scratch_path("story.db"), cases[i].sql);
		ASSERT_OK(berth_trace_open(&trace, scratch_path("story.db")));
		ASSERT_INT(berth_residency_report(&report, trace), BERTH_E_FORMAT);
		CU_ASSERT_PTR_EQUAL(report, (berth_residency *)&report);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].text);
		berth_trace_close(trace);
		scratch_remove();
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "stories", all_stories },
		{ "totals and objects", totals_and_objects },
		{ "many objects", many_objects },
		{ "damaged", damaged },
		{ NULL, NULL },
	};

	return test_main("residency report", tests);
}
