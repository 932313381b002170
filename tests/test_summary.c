/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of a trace: counts, bytes, the peak, leaks; and the same as JSON. */
#include "test_main.h"

#include "scratch.h"
#include "trace_fixture.h"

#include <sqlite3.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define OP(...) { .row = { .answered = true, .op = { __VA_ARGS__ } } }
#define FAILED(code, ...)                                                                          \
	{ .row = { .answered = true, .op = { __VA_ARGS__ }, .result = { .cl_status = code } } }
#define IMAGE(w, h) { CL_MEM_OBJECT_IMAGE2D, CL_R, CL_UNORM_INT8, .width = w, .height = h }

static const struct fixture_op story[] = {
	/* 1: 1000 in use */
	OP(BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 1000),
	/* 2: on 1, owns nothing */
	OP(BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1, .bytes = 500),
	/* 3: the program lets go of 1, but 2 holds it: still 1000 */
	OP(BERTH_OP_RELEASE, .object = 1),
	/* 4: 640 x 360 of one byte, which the driver pads to 250000: 251000, the peak */
	{ .row = { .answered = true,
		   .op = { BERTH_OP_IMAGE_CREATE, .object = 3, .image = IMAGE(640, 360) },
		   .result = { .bytes = 250000, .row_pitch_bytes = 640 } } },
	{ .row = { .answered = true, .op = { BERTH_OP_LABEL, .object = 3 } }, .name_id = 2 },
	/* 6: 1 goes with 2: 250000 */
	OP(BERTH_OP_RELEASE, .object = 2),
	/* 7: 100 more: 250100 */
	OP(BERTH_OP_BUFFER_CREATE, .object = 4, .bytes = 100),
	FAILED(CL_INVALID_BUFFER_SIZE, BERTH_OP_BUFFER_CREATE, .object = 5),
	FAILED(CL_INVALID_BUFFER_SIZE, BERTH_OP_BUFFER_CREATE, .object = 6),
	FAILED(CL_INVALID_MEM_OBJECT, BERTH_OP_RELEASE, .object = 2),
	OP(BERTH_OP_WRITE, BERTH_FORM_LINEAR, .object = 4, .bytes = 60),
	/* 5 x 4 bytes, whatever lies between */
	OP(BERTH_OP_WRITE, BERTH_FORM_RECT, .object = 4,
	   .region = { .extent = { 5, 4, 1 }, .row_pitch_bytes = 10 }),
	/* refused: moved nothing */
	FAILED(CL_INVALID_VALUE, BERTH_OP_WRITE, BERTH_FORM_LINEAR, .object = 4, .bytes = 999),
	/* 10 x 10 pixels of one byte */
	OP(BERTH_OP_READ, BERTH_FORM_IMAGE, .object = 3, .region = { .extent = { 10, 10, 1 } }),
	OP(BERTH_OP_COPY, BERTH_FORM_BUFFER_TO_IMAGE, .object = 4, .other = 3,
	   .region = { .extent = { 7, 2, 1 } }),
	OP(BERTH_OP_FILL, BERTH_FORM_LINEAR, .object = 4, .bytes = 32, .pattern_bytes = 4),
	OP(BERTH_OP_MAP, BERTH_FORM_LINEAR, .object = 4, .bytes = 8, .mapping = 1),
	/* the process ended in this call: it moved nothing that is known */
	{ .row = { .op = { BERTH_OP_WRITE, BERTH_FORM_LINEAR, .object = 4, .bytes = 40 } } },
};

static berth_trace *open_story(void)
{
	const char *path = scratch_path("story.db");
	berth_trace *trace = NULL;

	trace_fixture_write(path, story, sizeof(story) / sizeof(story[0]));
	ASSERT_OK(berth_trace_open(&trace, path));
	return trace;
}

static void counts(void)
{
	berth_summary *summary = NULL;
	berth_trace *trace;

	scratch_make();
	trace = open_story();
	ASSERT_OK(berth_trace_summarise(&summary, trace));
	ASSERT_INT(summary->ops[BERTH_OP_BUFFER_CREATE], 4);
	ASSERT_INT(summary->ops[BERTH_OP_WRITE], 4);
	ASSERT_INT(summary->ops[BERTH_OP_RELEASE], 3);
	ASSERT_INT(summary->ops[BERTH_OP_USE], 0);
	ASSERT_INT(summary->buffers, 2);
	ASSERT_INT(summary->subbuffers, 1);
	ASSERT_INT(summary->images, 1);
	ASSERT_INT(summary->bytes_written, 60 + 20);
	ASSERT_INT(summary->bytes_read, 100);
	ASSERT_INT(summary->bytes_copied, 14);
	ASSERT_INT(summary->bytes_filled, 32);
	ASSERT_INT(summary->bytes_mapped, 8);
	ASSERT_INT(summary->unanswered, 1);
	ASSERT_INT(summary->untracked_count, 1);
	ASSERT_STRING(summary->untracked[0].name, "clSVMAlloc");
	ASSERT_INT(summary->untracked[0].count, 12);
	berth_summary_free(summary);
	berth_trace_close(trace);
	scratch_remove();
}

static void peak_and_leaks(void)
{
	berth_summary *summary = NULL;
	berth_trace *trace;

	scratch_make();
	trace = open_story();
	ASSERT_OK(berth_trace_summarise(&summary, trace));
	ASSERT_INT(summary->peak_bytes, 251000);
	ASSERT_INT(summary->peak_op, 4);
	ASSERT_INT(summary->at_peak_count, 2);
	ASSERT_INT(summary->at_peak[0].id, 3);
	ASSERT_STRING(summary->at_peak[0].kind, "image");
	ASSERT_STRING(summary->at_peak[0].geometry, "640x360 CL_R CL_UNORM_INT8");
	ASSERT_STRING(summary->at_peak[0].label, "label two");
	ASSERT_INT(summary->at_peak[1].id, 1);
	ASSERT_STRING(summary->at_peak[1].geometry, "");
	ASSERT_STRING(summary->at_peak[1].label, NULL);
	ASSERT_INT(summary->leaked_count, 2);
	ASSERT_INT(summary->leaked[0].id, 3);
	ASSERT_INT(summary->leaked[1].id, 4);
	ASSERT_INT(summary->leaked[1].created_op, 7);
	ASSERT_INT(summary->leaked_bytes, 250100);
	berth_summary_free(summary);
	berth_trace_close(trace);
	scratch_remove();
}

static void failures(void)
{
	static const berth_summary_failure expected[] = {
		{ BERTH_OP_BUFFER_CREATE, CL_INVALID_BUFFER_SIZE, 2, 8 },
		{ BERTH_OP_RELEASE, CL_INVALID_MEM_OBJECT, 1, 10 },
		{ BERTH_OP_WRITE, CL_INVALID_VALUE, 1, 13 },
	};
	berth_summary *summary = NULL;
	berth_trace *trace;

	scratch_make();
	trace = open_story();
	ASSERT_OK(berth_trace_summarise(&summary, trace));
	ASSERT_INT(summary->failure_count, 3);
	for (uint32_t i = 0; i < summary->failure_count && i < 3; i++) {
		test_case("failure %u", i);
		ASSERT_INT(summary->failures[i].kind, expected[i].kind);
		ASSERT_INT(summary->failures[i].cl_status, expected[i].cl_status);
		ASSERT_INT(summary->failures[i].count, expected[i].count);
		ASSERT_INT(summary->failures[i].first_op, expected[i].first_op);
	}
	berth_summary_free(summary);
	berth_trace_close(trace);
	scratch_remove();
}

/* A summary in between leaves the reader where it is. */
static void reader_stays(void)
{
	const berth_trace_op *row = NULL;
	berth_summary *summary = NULL;
	berth_trace *trace;

	scratch_make();
	trace = open_story();
	ASSERT_OK(berth_trace_next(&row, trace));
	ASSERT_OK(berth_trace_summarise(&summary, trace));
	ASSERT_OK(berth_trace_next(&row, trace));
	ASSERT_INT(row->seq, 2);
	berth_summary_free(summary);
	berth_trace_close(trace);
	scratch_remove();
}

/* A driver may accept a buffer of 2^63 bytes, twice: sums stop at the largest number. */
static void huge_buffers(void)
{
	static const struct fixture_op ops[] = {
		OP(BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 10),
		OP(BERTH_OP_BUFFER_CREATE, .object = 2, .bytes = UINT64_C(1) << 63),
		OP(BERTH_OP_BUFFER_CREATE, .object = 3, .bytes = UINT64_C(1) << 63),
	};
	berth_summary *summary = NULL;
	berth_trace *trace = NULL;
	char *json = NULL;

	scratch_make();
	trace_fixture_write(scratch_path("huge.db"), ops, sizeof(ops) / sizeof(ops[0]));
	ASSERT_OK(berth_trace_open(&trace, scratch_path("huge.db")));
	ASSERT_OK(berth_trace_summarise(&summary, trace));
	CU_ASSERT(summary->peak_bytes == UINT64_MAX);
	ASSERT_INT(summary->at_peak[0].id, 2);
	ASSERT_INT(summary->at_peak[2].id, 1);
	ASSERT_OK(berth_trace_summary_json(&json, trace));
	ASSERT_CONTAINS(json, "\"peak_bytes\":18446744073709551615");
	ASSERT_CONTAINS(json, "\"bytes\":9223372036854775808");
	free(json);
	berth_summary_free(summary);
	berth_trace_close(trace);
	scratch_remove();
}

/* What SQLite's JSON functions read out of the JSON, as text. */
static void assert_json(sqlite3 *db, const char *json, const char *path, const char *expected)
{
	sqlite3_stmt *row = NULL;

	test_case("%s", path);
	sqlite3_prepare_v2(db, "SELECT json_extract(?1, ?2)", -1, &row, NULL);
	sqlite3_bind_text(row, 1, json, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 2, path, -1, SQLITE_STATIC);
	ASSERT_INT(sqlite3_step(row), SQLITE_ROW);
	ASSERT_STRING((const char *)sqlite3_column_text(row, 0), expected);
	sqlite3_finalize(row);
}

static void json(void)
{
	static const char *const cases[][2] = {
		{ "$.program.path", "/usr/bin/fixture" },
		{ "$.program.end", "exit" },
		{ "$.device.name", "Fixture GPU" },
		{ "$.ops.buffer_create", "4" },
		{ "$.ops.use", "0" },
		{ "$.objects.subbuffer", "1" },
		{ "$.peak_bytes", "251000" },
		{ "$.peak.op", "4" },
		{ "$.peak.objects[0].geometry", "640x360 CL_R CL_UNORM_INT8" },
		{ "$.peak.objects[0].label", "label two" },
		{ "$.peak.objects[1].label", NULL },
		{ "$.leaked.count", "2" },
		{ "$.leaked.bytes", "250100" },
		{ "$.leaked.objects[1].id", "4" },
		{ "$.failed[0].kind", "buffer_create" },
		{ "$.failed[0].code", "CL_INVALID_BUFFER_SIZE" },
		{ "$.failed[0].status", "-61" },
		{ "$.failed[0].count", "2" },
		{ "$.failed[3]", NULL },
		{ "$.bytes_moved.write", "80" },
		{ "$.bytes_moved.map", "8" },
		{ "$.untracked.clSVMAlloc", "12" },
		{ "$.unanswered", "1" },
		{ "$.lost", "3" },
	};
	berth_trace *trace;
	char *text = NULL;
	sqlite3 *db;

	scratch_make();
	trace = open_story();
	sqlite3_open(":memory:", &db);
	ASSERT_OK(berth_trace_summary_json(&text, trace));
	for (size_t i = 0; text && i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_json(db, text, cases[i][0], cases[i][1]);
	free(text);
	sqlite3_close(db);
	berth_trace_close(trace);
	scratch_remove();
}

/* A program that did nothing: all zero, and still whole JSON. */
static void empty_trace(void)
{
	berth_summary *summary = NULL;
	berth_trace *trace = NULL;
	char *text = NULL;

	scratch_make();
	trace_fixture_write(scratch_path("empty.db"), NULL, 0);
	trace_fixture_sql(scratch_path("empty.db"), "DELETE FROM device; DELETE FROM untracked");
	ASSERT_OK(berth_trace_open(&trace, scratch_path("empty.db")));
	ASSERT_OK(berth_trace_summarise(&summary, trace));
	ASSERT_INT(summary->peak_bytes, 0);
	ASSERT_INT(summary->at_peak_count + summary->leaked_count + summary->failure_count, 0);
	ASSERT_OK(berth_trace_summary_json(&text, trace));
	ASSERT_CONTAINS(text, "\"device\":null");
	ASSERT_CONTAINS(text, "\"failed\":[]");
	ASSERT_CONTAINS(text, "\"untracked\":{}");
	free(text);
	berth_summary_free(summary);
	berth_trace_close(trace);
	scratch_remove();
}

static void damaged(void)
{
	static const struct {
		const char *sql;
		const char *text;
	} cases[] = {
		{ "UPDATE op SET kind = 22 WHERE seq = 3", "table 'op', row 3: column 'kind'" },
		{ "UPDATE object SET kind = 6 WHERE id = 3",
		  "table 'object', row 3: column 'kind'" },
		{ "UPDATE object SET kind = NULL WHERE id = 3", "column 'kind'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_summary *summary = (berth_summary *)&summary;
		berth_trace *trace;

		test_case("%s", cases[i].sql);
		scratch_make();
		berth_trace_close(open_story());
		trace_fixture_sql(scratch_path("story.db"), cases[i].sql);
		ASSERT_OK(berth_trace_open(&trace, scratch_path("story.db")));
		ASSERT_INT(berth_trace_summarise(&summary, trace), BERTH_E_FORMAT);
		CU_ASSERT_PTR_EQUAL(summary, (berth_summary *)&summary);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].text);
		berth_trace_close(trace);
		scratch_remove();
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "counts", counts },
		{ "peak and leaks", peak_and_leaks },
		{ "failures", failures },
		{ "the reader stays where it is", reader_stays },
		{ "huge buffers", huge_buffers },
		{ "JSON", json },
		{ "empty trace", empty_trace },
		{ "damaged", damaged },
		{ NULL, NULL },
	};

	return test_main("summary", tests);
}
