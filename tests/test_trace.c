/* SPDX-License-Identifier: Apache-2.0 */
/* Traces: what is written is what is read; files that are none, or damaged, are refused. */
#include "test_main.h"

#include "scratch.h"
#include "trace_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CL/cl.h>

static const berth_object_use uses[] = { { 7, 0, BERTH_ACCESS_READ }, { 9, 3, 0 } };

#define ANSWERED(...) { .row = { .answered = true, .thread = 11, .context = 2, __VA_ARGS__ } }

/* One op of each kind and form, each with every field that it uses set to a value of its own. */
static const struct fixture_op every_op[] = {
	ANSWERED(.t_ns = 5,
		 .op = { BERTH_OP_BUFFER_CREATE, .object = 7, .flags = CL_MEM_READ_ONLY,
			 .bytes = 4096, .host_address = 0xfffffffffffff000 },
		 .result = { .bytes = 8192, .duration_ns = 70 }),
	ANSWERED(.op = { BERTH_OP_SUBBUFFER_CREATE, .object = 8, .other = 7, .flags = 1,
			 .offset_bytes = 128, .bytes = 256, .absent = BERTH_ABSENT_INFO },
		 .result = { .cl_status = CL_MISALIGNED_SUB_BUFFER_OFFSET }),
	ANSWERED(.op = { BERTH_OP_IMAGE_CREATE, .object = 9, .other = 7, .flags = 4,
			 .image = { CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNORM_INT8, 1, 2, 0, 30, 20,
				    10, 5, 120, 2400 } },
		 .result = { .bytes = 2400, .row_pitch_bytes = 120, .slice_pitch_bytes = 77 }),
	ANSWERED(.op = { BERTH_OP_RETAIN, .object = 7 }),
	ANSWERED(.has_digest = true, .digest = "0123456789abcde",
		 .op = { BERTH_OP_WRITE, BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING, .object = 7,
			 .queue = 1, .offset_bytes = 16, .bytes = 32, .host_address = 48 }),
	ANSWERED(.op = { BERTH_OP_READ, BERTH_FORM_RECT, .object = 7, .queue = 1,
			 .absent = BERTH_ABSENT_ORIGIN | BERTH_ABSENT_LIST, .host_address = 64,
			 .region = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 }, 10, 11, 12, 13 } }),
	ANSWERED(.op = { BERTH_OP_COPY, BERTH_FORM_LINEAR, .object = 7, .other = 9, .queue = 1,
			 .offset_bytes = 1, .other_offset_bytes = 2, .bytes = 3 }),
	ANSWERED(.op = { BERTH_OP_COPY, BERTH_FORM_IMAGE_TO_BUFFER, .object = 9, .other = 7,
			 .other_offset_bytes = 96, .region = { .extent = { 30, 20, 1 } } }),
	ANSWERED(.op = { BERTH_OP_COPY, BERTH_FORM_BUFFER_TO_IMAGE, .object = 7, .other = 9,
			 .offset_bytes = 97, .region = { .extent = { 30, 20, 1 } } }),
	ANSWERED(.op = { BERTH_OP_FILL, BERTH_FORM_IMAGE, .object = 9, .pattern_bytes = 16,
			 .host_address = 80, .region = { .extent = { 3, 2, 1 } } }),
	ANSWERED(.op = { BERTH_OP_MAP, BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING, .object = 7,
			 .mapping = 1, .flags = CL_MAP_WRITE, .offset_bytes = 8, .bytes = 24 },
		 .result = { .row_pitch_bytes = 40, .slice_pitch_bytes = 50 }),
	ANSWERED(.op = { BERTH_OP_UNMAP, .object = 7, .mapping = 1, .queue = 1 }),
	ANSWERED(.op = { BERTH_OP_MIGRATE, .flags = 2, .uses = uses, .use_count = 2 }),
	{ .row = { .answered = true,
		   .op = { BERTH_OP_USE, .uses = uses, .use_count = 2, .queue = 1 } },
	  .name_id = 1 },
	ANSWERED(.op = { BERTH_OP_SYNC, .queue = 1 }),
	{ .row = { .answered = true, .op = { BERTH_OP_LABEL, .object = 9 } }, .name_id = 2 },
	ANSWERED(.op = { BERTH_OP_SVM_ALLOC, .bits = BERTH_OP_USM_HOST, .object = 10, .flags = 1,
			 .bytes = 512, .alignment_bytes = 64, .host_address = 4096 }),
	ANSWERED(.op = { BERTH_OP_WRITE, BERTH_FORM_SVM, .object = 10, .offset_bytes = 16,
			 .bytes = 32, .host_address = 48 }),
	ANSWERED(.op = { BERTH_OP_COPY, BERTH_FORM_SVM, .object = 10, .other = 10,
			 .offset_bytes = 16, .other_offset_bytes = 64, .bytes = 32 }),
	ANSWERED(.op = { BERTH_OP_SVM_FREE, .bits = BERTH_OP_ENQUEUED, .object = 10 }),
	ANSWERED(.op = { BERTH_OP_PIPE_CREATE, .bits = BERTH_OP_PROPERTIES, .object = 11,
			 .flags = 2, .packet_bytes = 24, .packet_count = 77 }),
	{ .row = { .answered = true,
		   .op = { BERTH_OP_ARG, BERTH_FORM_SVM, .bytes = 8, .uses = uses, .use_count = 2,
			   .image = { .type = CL_MEM_OBJECT_IMAGE2D } } },
	  .name_id = 1 },
	ANSWERED(.op = { BERTH_OP_DESTRUCTOR, .object = 7, .absent = BERTH_ABSENT_FUNCTION },
		 .result = { .cl_status = CL_INVALID_VALUE }),
	ANSWERED(.op = { BERTH_OP_RELEASE, .object = BERTH_ID_UNKNOWN },
		 .result = { .cl_status = CL_INVALID_MEM_OBJECT }),
	{ .row = { .thread = 0xffffffff, .op = { BERTH_OP_RELEASE, .object = 9 } } },
};

#define EVERY_OP (sizeof(every_op) / sizeof(every_op[0]))

static const char *write_every_op(void)
{
	const char *path = scratch_path("every.db");

	trace_fixture_write(path, every_op, EVERY_OP);
	return path;
}

static void assert_region(const berth_region *actual, const berth_region *expected)
{
	ASSERT_INT(memcmp(actual, expected, sizeof(*actual)), 0);
}

static void assert_op(const berth_op *actual, const struct fixture_op *expected)
{
	static const char *const names[] = { NULL, "kernel one", "label two" };
	const berth_op *op = &expected->row.op;

	ASSERT_INT(actual->kind, op->kind);
	ASSERT_INT(actual->form, op->form);
	ASSERT_INT(actual->bits, op->bits);
	ASSERT_INT(actual->absent, op->absent);
	ASSERT_INT(actual->object, op->object);
	ASSERT_INT(actual->other, op->other);
	ASSERT_INT(actual->mapping, op->mapping);
	ASSERT_INT(actual->queue, op->queue);
	ASSERT_INT(actual->flags, op->flags);
	ASSERT_INT(actual->offset_bytes, op->offset_bytes);
	ASSERT_INT(actual->other_offset_bytes, op->other_offset_bytes);
	ASSERT_INT(actual->bytes, op->bytes);
	ASSERT_INT(actual->pattern_bytes, op->pattern_bytes);
	ASSERT_INT(actual->alignment_bytes, op->alignment_bytes);
	ASSERT_INT(actual->packet_bytes, op->packet_bytes);
	ASSERT_INT(actual->packet_count, op->packet_count);
	ASSERT_INT(actual->host_address, op->host_address);
	CU_ASSERT_PTR_NULL(actual->host);
	ASSERT_STRING(actual->name, names[expected->name_id]);
	assert_region(&actual->region, &op->region);
	ASSERT_INT(memcmp(&actual->image, &op->image, sizeof(op->image)), 0);
	ASSERT_INT(actual->use_count, op->use_count);
	if (actual->use_count == op->use_count && op->use_count)
		ASSERT_INT(memcmp(actual->uses, op->uses, sizeof(uses)), 0);
}

static void assert_row(const berth_trace_op *actual, const struct fixture_op *expected,
		       uint64_t seq, bool all)
{
	const berth_trace_op *row = &expected->row;

	ASSERT_INT(actual->seq, seq);
	ASSERT_INT(actual->t_ns, all ? row->t_ns : 0);
	ASSERT_INT(actual->thread, all ? row->thread : 0);
	ASSERT_INT(actual->context, all ? row->context : 0);
	ASSERT_INT(actual->answered, row->answered);
	ASSERT_INT(actual->has_digest, all && row->has_digest);
	if (all && row->has_digest)
		ASSERT_INT(memcmp(actual->digest, row->digest, sizeof(row->digest)), 0);
	ASSERT_INT(actual->result.cl_status, row->result.cl_status);
	ASSERT_INT(actual->result.bytes, row->result.bytes);
	ASSERT_INT(actual->result.row_pitch_bytes, row->result.row_pitch_bytes);
	ASSERT_INT(actual->result.slice_pitch_bytes, row->result.slice_pitch_bytes);
	ASSERT_INT(actual->result.duration_ns, all ? row->result.duration_ns : 0);
	assert_op(&actual->op, expected);
}

static void assert_every_op(berth_trace *trace, bool all)
{
	const berth_trace_op *row = NULL;

	for (size_t i = 0; i < EVERY_OP; i++) {
		test_case("%s, %s", berth_op_kind_string(every_op[i].row.op.kind),
			  all ? "all fields" : "fields of the op");
		ASSERT_OK(berth_trace_next(&row, trace));
		CU_ASSERT_PTR_NOT_NULL_FATAL(row);
		assert_row(row, &every_op[i], i + 1, all);
	}
	for (int i = 0; i < 2; i++) {
		ASSERT_OK(berth_trace_next(&row, trace));
		CU_ASSERT_PTR_NULL(row);
	}
}

static void every_op_there_and_back(void)
{
	berth_trace *trace = NULL;

	scratch_make();
	ASSERT_OK(berth_trace_open(&trace, write_every_op()));
	assert_every_op(trace, true);
	ASSERT_OK(berth_trace_rewind(trace));
	assert_every_op(trace, true);
	ASSERT_OK(berth_trace_select(trace, BERTH_TRACE_FIELDS_OP));
	assert_every_op(trace, false);
	test_case("no such fields");
	ASSERT_INT(berth_trace_select(trace, 8), BERTH_E_INVAL);
	berth_trace_close(trace);
	scratch_remove();
}

static void info_and_device(void)
{
	const berth_trace_info *info;
	berth_caps caps, minimum;
	berth_trace *trace = NULL;

	scratch_make();
	ASSERT_OK(berth_trace_open(&trace, write_every_op()));
	info = berth_trace_get_info(trace);
	ASSERT_STRING(info->program, "/usr/bin/fixture");
	ASSERT_STRING(info->command, "fixture --once");
	ASSERT_STRING(info->berth_version, "9.8.7");
	ASSERT_STRING(info->end, "exit");
	ASSERT_INT(info->started_ns, 1000);
	ASSERT_INT(info->op_count, EVERY_OP);
	/* buffer, image, SVM and pipe; the sub-buffer was refused */
	ASSERT_INT(info->object_count, 4);
	ASSERT_INT(info->lost_records, 3);
	ASSERT_INT(info->device_count, 1);

	berth_caps_init_minimum(&minimum, 300);
	snprintf(minimum.name, sizeof(minimum.name), "Fixture GPU");
	ASSERT_OK(berth_trace_device(&caps, trace, 0));
	ASSERT_STRING(caps.name, minimum.name);
	ASSERT_INT(caps.global_mem_bytes, minimum.global_mem_bytes);
	ASSERT_INT(caps.base_addr_align_bits, minimum.base_addr_align_bits);
	ASSERT_INT(caps.image2d_max_height, minimum.image2d_max_height);
	ASSERT_INT(caps.image2d_from_buffer, minimum.image2d_from_buffer);
	ASSERT_INT(caps.format_count, minimum.format_count);
	ASSERT_INT(memcmp(caps.formats, minimum.formats, sizeof(caps.formats)), 0);
	ASSERT_INT(berth_trace_device(&caps, trace, 1), BERTH_E_NOT_FOUND);
	berth_trace_close(trace);
	scratch_remove();
}

/* The table `object` and the views, as someone with SQLite's shell asks them. */
static void plain_sql(void)
{
	static const struct {
		const char *question;
		long long answer;
	} cases[] = {
		{ "SELECT bytes FROM object WHERE id = 7", 8192 },
		{ "SELECT refs FROM object WHERE id = 7", 2 },
		{ "SELECT released_op FROM object WHERE id = 7", -1 },
		{ "SELECT root FROM object WHERE id = 9", 7 },
		{ "SELECT row_pitch FROM object WHERE id = 9", 120 },
		{ "SELECT element_bytes FROM object WHERE id = 9", 4 },
		{ "SELECT label = 'label two' FROM object WHERE id = 9", 1 },
		{ "SELECT count(*) FROM call", (long long)EVERY_OP },
		{ "SELECT seq FROM call WHERE kind = 'read' AND form = 'rect'", 6 },
		{ "SELECT arg FROM kernel_use WHERE kernel = 'kernel one' AND object = 9", 3 },
		/* all but the SVM allocation, which was freed */
		{ "SELECT count(*) FROM leak", 3 },
		{ "SELECT released_op FROM object WHERE id = 10", 20 },
		/* three refusals and the call that never returned */
		{ "SELECT count(*) FROM failure", 4 },
		/* the buffer, and 77 packets of 24 bytes; the SVM allocation had fewer */
		{ "SELECT max(bytes) FROM memory_over_time", 8192 + 77 * 24 },
		{ "SELECT max(id) FROM alive_at_peak", 11 },
		{ "SELECT bytes FROM object WHERE id = 11", 77 * 24 },
		{ "SELECT k.name = 'svm' FROM object o JOIN object_kind k ON k.id = o.kind"
		  " WHERE o.id = 10", 1 },
		{ "SELECT count FROM untracked WHERE name = 'clSVMAlloc'", 12 },
		/* an offset of 0 is 0 where the op has one, else NULL */
		{ "SELECT offset FROM op WHERE kind = 15", -1 },
		{ "SELECT object FROM op WHERE seq = 24", -1 },
		{ "PRAGMA application_id", 0x42525448 },
		{ "PRAGMA user_version", 1 },
	};
	const char *path;

	scratch_make();
	path = write_every_op();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].question);
		ASSERT_INT(trace_fixture_number(path, cases[i].question), cases[i].answer);
	}
	scratch_remove();
}

static void references(void)
{
	static const struct fixture_op ops[] = {
		ANSWERED(.op = { BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 64 }),
		ANSWERED(.op = { BERTH_OP_RETAIN, .object = 1 }),
		ANSWERED(.op = { BERTH_OP_RELEASE, .object = 1 }),
		ANSWERED(.op = { BERTH_OP_RELEASE, .object = 1 }, .result = { .cl_status = -38 }),
		ANSWERED(.op = { BERTH_OP_RELEASE, .object = 1 }),
		ANSWERED(.op = { BERTH_OP_RELEASE, .object = 1 }),
		/* on a buffer made before the recording began: whose memory it is, is not known */
		ANSWERED(.op = { BERTH_OP_SUBBUFFER_CREATE, .object = 2,
				 .other = BERTH_ID_UNKNOWN }),
	};
	const char *path;

	scratch_make();
	path = scratch_path("references.db");
	trace_fixture_write(path, ops, sizeof(ops) / sizeof(ops[0]));
	/* the refused release counts nothing, and the one after the last nothing either */
	ASSERT_INT(trace_fixture_number(path, "SELECT released_op FROM object WHERE id = 1"), 5);
	ASSERT_INT(trace_fixture_number(path, "SELECT refs FROM object WHERE id = 1"), 0);
	ASSERT_INT(trace_fixture_number(path, "SELECT root FROM object WHERE id = 2"), -1);
	scratch_remove();
}

/* Reading leaves the file and its folder as they were, also where nothing may be written. */
static void leaves_no_trace(void)
{
	struct stat before, after;
	unsigned char *content, *content_after;
	size_t bytes, bytes_after;
	berth_trace *trace = NULL;
	berth_summary *summary = NULL;
	const char *path, *folder;

	folder = scratch_make();
	path = write_every_op();
	content = file_read(path, &bytes);
	stat(path, &before);
	chmod(path, 0444);
	chmod(folder, 0555);
	ASSERT_OK(berth_trace_open(&trace, path));
	assert_every_op(trace, true);
	ASSERT_OK(berth_trace_summarise(&summary, trace));
	ASSERT_INT(count_files(folder), 1);
	berth_summary_free(summary);
	berth_trace_close(trace);
	ASSERT_INT(count_files(folder), 1);
	chmod(folder, 0755);
	stat(path, &after);
	content_after = file_read(path, &bytes_after);
	ASSERT_INT(after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
			   after.st_mtim.tv_nsec == before.st_mtim.tv_nsec,
		   1);
	ASSERT_INT(bytes_after == bytes && memcmp(content, content_after, bytes) == 0, 1);
	free(content);
	free(content_after);
	scratch_remove();
}

static void names_with_syntax(void)
{
	static const char *const names[] = { "a b?mode=rw.db", "100%.db", "#1.db", "%41.db" };
	berth_trace *trace;

	scratch_make();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		test_case("%s", names[i]);
		trace_fixture_write(scratch_path("%s", names[i]), every_op, 1);
		trace = NULL;
		ASSERT_OK(berth_trace_open(&trace, scratch_path("%s", names[i])));
		berth_trace_close(trace);
	}
	scratch_remove();
}

/* ---- files that are refused ---- */

static void assert_refused(const char *path, berth_status status, const char *text)
{
	berth_trace *trace = (berth_trace *)&trace;

	ASSERT_INT(berth_trace_open(&trace, path), status);
	CU_ASSERT_PTR_EQUAL(trace, (berth_trace *)&trace);
	ASSERT_CONTAINS(berth_error_get()->message, text);
	ASSERT_CONTAINS(berth_error_get()->message, path);
}

static void not_a_trace(void)
{
	static const char text[] =
		"This is a text, and not a database at all. It has more than the "
		"hundred bytes that the header of a database has.";
	unsigned char *content;
	const char *path;
	size_t bytes;

	scratch_make();
	test_case("missing");
	assert_refused(scratch_path("missing.db"), BERTH_E_IO, "No such file");
	test_case("folder");
	assert_refused(scratch_path("."), BERTH_E_FORMAT, "not a file");
	test_case("pipe");
	ASSERT_INT(mkfifo(scratch_path("pipe"), 0600), 0);
	assert_refused(scratch_path("pipe"), BERTH_E_FORMAT, "not a file");
	test_case("empty");
	file_write(scratch_path("empty.db"), "", 0);
	assert_refused(scratch_path("empty.db"), BERTH_E_FORMAT, "not a Berth trace");
	test_case("text");
	file_write(scratch_path("text.db"), text, sizeof(text));
	assert_refused(scratch_path("text.db"), BERTH_E_FORMAT, "not a Berth trace");
	test_case("another database");
	path = scratch_path("other.db");
	trace_fixture_sql(path, "CREATE TABLE op(seq)");
	assert_refused(path, BERTH_E_FORMAT, "not a Berth trace");
	test_case("truncated");
	content = file_read(write_every_op(), &bytes);
	file_write(scratch_path("truncated.db"), content, bytes / 2);
	assert_refused(scratch_path("truncated.db"), BERTH_E_FORMAT, "malformed");
	free(content);
	scratch_remove();
}

static void damaged_schema(void)
{
	static const struct {
		const char *sql;
		berth_status status;
		const char *text;
	} cases[] = {
		{ "PRAGMA user_version = 2", BERTH_E_VERSION,
		  "of version 2, this Berth reads up to 1" },
		{ "PRAGMA user_version = 0", BERTH_E_FORMAT, "of version 0" },
		{ "DROP TABLE region", BERTH_E_FORMAT, "table 'region' is missing" },
		{ "DROP TABLE result; CREATE VIEW result AS SELECT 1 op, 2 bytes, 3 row_pitch, 4"
		  " slice_pitch",
		  BERTH_E_FORMAT, "table 'result' is missing" },
		{ "ALTER TABLE op RENAME COLUMN bytes TO octets", BERTH_E_FORMAT,
		  "table 'op' has column 'octets' where 'bytes' belongs" },
		{ "ALTER TABLE op ADD COLUMN more", BERTH_E_FORMAT, "column 'more'" },
		{ "DROP TABLE result; CREATE TABLE result(op INTEGER PRIMARY KEY, bytes, row_pitch,"
		  " slice_pitch AS (zeroblob(1000000000)))",
		  BERTH_E_FORMAT, "'slice_pitch'" },
		{ "DELETE FROM meta WHERE key = 'end'", BERTH_E_FORMAT, "berth recover" },
		{ "UPDATE op SET seq = -1 - seq", BERTH_E_FORMAT, "op.seq" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path;

		test_case("%s", cases[i].sql);
		scratch_make();
		path = write_every_op();
		/* The views stand in the way of changing what they read. */
		trace_fixture_sql(path, "DROP VIEW call; DROP VIEW kernel_use; DROP VIEW failure");
		trace_fixture_sql(path, cases[i].sql);
		assert_refused(path, cases[i].status, cases[i].text);
		scratch_remove();
	}
}

static void damaged_values(void)
{
	static const struct {
		const char *sql;
		const char *text;
	} cases[] = {
		{ "UPDATE op SET kind = 22 WHERE seq = 5", "table 'op', row 5: column 'kind'" },
		{ "UPDATE op SET kind = NULL WHERE seq = 5", "table 'op', row 5: column 'kind'" },
		{ "UPDATE op SET kind = 1 << 40 WHERE seq = 5", "row 5: column 'kind'" },
		{ "UPDATE op SET form = 7 WHERE seq = 5",
		  "row 5: column 'form' is out of range: 7" },
		{ "UPDATE op SET form = -1 WHERE seq = 5", "row 5: column 'form'" },
		{ "UPDATE op SET status = 1 << 31 WHERE seq = 5", "row 5: column 'status'" },
		{ "UPDATE op SET bits = 1 << 32 WHERE seq = 5", "row 5: column 'bits'" },
		{ "UPDATE op SET thread = -1 WHERE seq = 5", "row 5: column 'thread'" },
		{ "UPDATE op SET context = 1 << 32 WHERE seq = 5", "row 5: column 'context'" },
		{ "UPDATE op SET digest = x'0011' WHERE seq = 5", "row 5: column 'digest'" },
		{ "UPDATE op SET digest = '' WHERE seq = 5", "row 5: column 'digest'" },
		{ "UPDATE op SET name = 77 WHERE seq = 14", "row 14: column 'name'" },
		{ "UPDATE op_object SET arg = -1 WHERE op = 14", "table 'op_object', row 14" },
		{ "UPDATE image SET channel_order = 1 << 32", "table 'image', row 3" },
		{ "DELETE FROM region WHERE op = 6", "row 6: column 'form'" },
		{ "DELETE FROM image", "row 3: column 'kind'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const berth_trace_op *row = NULL;
		berth_trace *trace = NULL;
		berth_status st = BERTH_OK;
		const char *path;

		test_case("%s", cases[i].sql);
		scratch_make();
		path = write_every_op();
		trace_fixture_sql(path, cases[i].sql);
		ASSERT_OK(berth_trace_open(&trace, path));
		while (trace && (st = berth_trace_next(&row, trace)) == BERTH_OK && row)
			continue;
		ASSERT_INT(st, BERTH_E_FORMAT);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].text);
		berth_trace_close(trace);
		scratch_remove();
	}
}

static void damaged_device(void)
{
	static const struct {
		const char *sql;
		const char *text;
	} cases[] = {
		{ "UPDATE device SET cl_version = 1 << 32", "no valid cl_version" },
		{ "UPDATE device SET images = 2", "no valid images" },
		{ "UPDATE device SET pitch_unit = 2", "pitch_unit 2" },
		{ "UPDATE device SET vendor = NULL", "no valid vendor" },
		{ "UPDATE device SET name = printf('%.128c', 'x')", "no valid name" },
		{ "INSERT INTO format SELECT 1, value + 1000, 1, 1, 1 FROM (WITH RECURSIVE "
		  "n(value) AS"
		  " (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 200) SELECT value FROM n)",
		  "at most 128" },
	};
	berth_caps caps;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_trace *trace = NULL;
		const char *path;

		test_case("%s", cases[i].sql);
		scratch_make();
		path = write_every_op();
		trace_fixture_sql(path, cases[i].sql);
		ASSERT_OK(berth_trace_open(&trace, path));
		ASSERT_INT(berth_trace_device(&caps, trace, 0), BERTH_E_FORMAT);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].text);
		berth_trace_close(trace);
		scratch_remove();
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "every op there and back", every_op_there_and_back },
		{ "what it says about itself", info_and_device },
		{ "plain SQL", plain_sql },
		{ "references", references },
		{ "reading leaves no trace", leaves_no_trace },
		{ "names with syntax in them", names_with_syntax },
		{ "not a trace", not_a_trace },
		{ "damaged schema", damaged_schema },
		{ "damaged values", damaged_values },
		{ "damaged device", damaged_device },
		{ NULL, NULL },
	};

	return test_main("trace", tests);
}
