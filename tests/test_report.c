/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: what is in the data of known traces, what hostile text becomes, and the page. */
#include "test_main.h"

#include "scratch.h"
#include "trace_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include <CL/cl.h>

#include <berth/report.h>

#define OP(...) { .row = { .answered = true, .op = { __VA_ARGS__ } } }
#define IMAGE(w, h) { CL_MEM_OBJECT_IMAGE2D, CL_R, CL_UNORM_INT8, .width = w, .height = h }

static const struct fixture_op story[] = {
	/* 1: 1000 alive */
	OP(BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 1000),
	/* 2: on 1, owns nothing */
	OP(BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1, .bytes = 500),
	/* 3: still 1000: 2 holds 1 */
	OP(BERTH_OP_RELEASE, .object = 1),
	/* 4: 640 x 360 = 230400 of one byte, which the driver pads to 250000: 251000, the peak */
	{ .row = { .answered = true,
		   .op = { BERTH_OP_IMAGE_CREATE, .object = 3, .image = IMAGE(640, 360) },
		   .result = { .bytes = 250000, .row_pitch_bytes = 640 } } },
	{ .row = { .answered = true, .op = { BERTH_OP_LABEL, .object = 3 } }, .name_id = 2 },
	/* 6: 1 goes with 2: 250000 */
	OP(BERTH_OP_RELEASE, .object = 2),
	/* 7: 250100 */
	OP(BERTH_OP_BUFFER_CREATE, .object = 4, .bytes = 100),
	OP(BERTH_OP_WRITE, BERTH_FORM_LINEAR, .object = 4, .bytes = 60),
	/* 10 x 10 pixels of one byte */
	OP(BERTH_OP_READ, BERTH_FORM_IMAGE, .object = 3, .region = { .extent = { 10, 10, 1 } }),
	/* 10: 7 x 2 pixels, from 4 to 3 */
	OP(BERTH_OP_COPY, BERTH_FORM_BUFFER_TO_IMAGE, .object = 4, .other = 3,
	   .region = { .extent = { 7, 2, 1 } }),
};

/* A report's data in a database, to be asked with SQLite's JSON functions. */
static sqlite3 *ask;

static void load(const char *json)
{
	sqlite3_stmt *insert;

	CU_ASSERT_FATAL(sqlite3_open(":memory:", &ask) == SQLITE_OK);
	CU_ASSERT_FATAL(sqlite3_exec(ask, "CREATE TABLE r(j)", NULL, NULL, NULL) == SQLITE_OK);
	CU_ASSERT_FATAL(sqlite3_prepare_v2(ask, "INSERT INTO r VALUES(?)", -1, &insert, NULL) ==
			SQLITE_OK);
	sqlite3_bind_text(insert, 1, json, -1, SQLITE_TRANSIENT);
	CU_ASSERT_FATAL(sqlite3_step(insert) == SQLITE_DONE);
	sqlite3_finalize(insert);
}

/* The value of a JSON path as text; "(null)" for none. Valid until the next call. */
static const char *value(const char *path)
{
	static char text[1024];
	sqlite3_stmt *find;

	CU_ASSERT_FATAL(sqlite3_prepare_v2(ask, "SELECT json_extract(j, ?) FROM r", -1, &find,
					   NULL) == SQLITE_OK);
	sqlite3_bind_text(find, 1, path, -1, SQLITE_TRANSIENT);
	CU_ASSERT_FATAL(sqlite3_step(find) == SQLITE_ROW);
	snprintf(text, sizeof(text), "%s",
		 sqlite3_column_type(find, 0) == SQLITE_NULL ?
			 "(null)" :
			 (const char *)sqlite3_column_text(find, 0));
	sqlite3_finalize(find);
	return text;
}

struct expected {
	const char *path, *text;
};

static void check_values(const struct expected *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		test_case("%s", cases[i].path);
		ASSERT_STRING(value(cases[i].path), cases[i].text);
	}
}

#define CHECK_VALUES(cases) check_values(cases, sizeof(cases) / sizeof((cases)[0]))

static void load_report(const char *path, const berth_report_options *options)
{
	berth_trace *trace = NULL;
	char *json = NULL;

	ASSERT_OK(berth_trace_open(&trace, path));
	ASSERT_OK(berth_report_json(&json, trace, options));
	CU_ASSERT_FATAL(json != NULL);
	CU_ASSERT(strchr(json, '<') == NULL);
	load(json);
	free(json);
	berth_trace_close(trace);
}

static const char *write_story(void)
{
	const char *path = scratch_path("story.db");

	scratch_make();
	path = scratch_path("story.db");
	trace_fixture_write(path, story, sizeof(story) / sizeof(story[0]));
	return path;
}

/* ---- numbers ---- */

static void numbers(void)
{
	/* Ten ops are ten spans of one op each. */
	static const struct expected cases[] = {
		{ "$.format", "1" },
		{ "$.ops", "10" },
		{ "$.span_ops", "1" },
		{ "$.peak.bytes", "251000" },
		{ "$.peak.op", "4" },
		{ "$.peak.alive", "2" },
		{ "$.moments.op", "[1,2,3,4,5,6,7,8,9,10]" },
		{ "$.moments.bytes", "[1000,1000,1000,251000,251000,250000,250100,250100,250100,"
				     "250100]" },
		/* 250000 - 230400 = 19600 bytes are padding */
		{ "$.moments.requested", "[1000,1000,1000,231400,231400,230400,230500,230500,"
					 "230500,230500]" },
		{ "$.moments.alive", "[1,1,1,2,2,1,2,2,2,2]" },
		/* buffers, then images; sub-buffers own nothing */
		{ "$.moments.kinds[1]", "[1000,1000,1000,1000,1000,0,100,100,100,100]" },
		{ "$.moments.kinds[2]", "[0,0,0,0,0,0,0,0,0,0]" },
		{ "$.moments.kinds[3]", "[0,0,0,250000,250000,250000,250000,250000,250000,"
					"250000]" },
		/* by bytes x ops: 250000 x 7, 1000 x 6, 100 x 4; and nothing is left over */
		{ "$.groups", "[\"label two\",\"buffer of 1000 bytes\",\"buffer of 100 bytes\"]" },
		{ "$.moments.groups[0]", "[0,0,0,250000,250000,250000,250000,250000,250000,"
					 "250000]" },
		{ "$.moments.groups[2]", "[0,0,0,0,0,0,100,100,100,100]" },
		{ "$.moments.groups[3]", "[0,0,0,0,0,0,0,0,0,0]" },
		/* id, kind, label, geometry, bytes, requested, created, ends, stack, first use,
		   last use, parts; writes, reads, copies, fills, maps, uses with their bytes */
		{ "$.objects[0]", "[1,1,null,null,1000,1000,1,6,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0]" },
		{ "$.objects[1]", "[3,3,\"label two\",\"640x360 CL_R CL_UNORM_INT8\",250000,230400,"
				  "4,0,0,9,10,0,0,0,1,100,1,14,0,0,0,0,0,0]" },
		{ "$.objects[2]", "[4,1,null,null,100,100,7,0,0,8,10,0,1,60,0,0,1,14,0,0,0,0,0,0]" },
		{ "$.objects[3]", "(null)" },
		{ "$.leaked.count", "2" },
		{ "$.leaked.bytes", "250100" },
		{ "$.counts.release", "2" },
		{ "$.moved.written", "60" },
		{ "$.moved.read", "100" },
		{ "$.moved.copied", "14" },
		{ "$.untracked[0].name", "clSVMAlloc" },
		{ "$.untracked[0].count", "12" },
		{ "$.devices", "[]" },
	};

	load_report(write_story(), NULL);
	CHECK_VALUES(cases);
	sqlite3_close(ask);
	scratch_remove();
}

/*
 * 4000 ops are 800 spans of 5. Op 1002 makes 4096 bytes that op 1003 releases: they are seen
 * although the span that they live in (1001 to 1005) begins and ends without them.
 */
static void buckets_keep_the_peak(void)
{
	static struct fixture_op ops[4000];
	static const struct expected cases[] = {
		{ "$.span_ops", "5" },
		{ "$.peak.bytes", "5096" },
		{ "$.peak.op", "1002" },
		{ "$.peak.moment", "200" },
		{ "$.moments.bytes[199]", "1000" },
		{ "$.moments.bytes[200]", "5096" },
		{ "$.moments.bytes[201]", "1000" },
		{ "$.moments.op[199]", "996" },
		{ "$.moments.op[200]", "1002" },
		{ "$.moments.op[799]", "3996" },
		{ "$.moments.op[800]", "(null)" },
		/* Released by the span's first op, so not alive after it. */
		{ "$.moments.bytes[400]", "1000" },
		{ "$.moments.bytes[399]", "1007" },
		{ "$.objects[1][4]", "4096" },
		{ "$.objects[1][6]", "1002" },
		{ "$.objects[1][7]", "1003" },
	};

	scratch_make();
	for (size_t i = 0; i < 4000; i++)
		ops[i] = (struct fixture_op)OP(BERTH_OP_USE, .object = 0);
	ops[0] = (struct fixture_op)OP(BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 1000);
	ops[1001] = (struct fixture_op)OP(BERTH_OP_BUFFER_CREATE, .object = 2, .bytes = 4096);
	ops[1002] = (struct fixture_op)OP(BERTH_OP_RELEASE, .object = 2);
	ops[1996] = (struct fixture_op)OP(BERTH_OP_BUFFER_CREATE, .object = 3, .bytes = 7);
	/* op 2001, the first of span 400 */
	ops[2000] = (struct fixture_op)OP(BERTH_OP_RELEASE, .object = 3);
	trace_fixture_write(scratch_path("long.db"), ops, 4000);
	load_report(scratch_path("long.db"), NULL);
	CHECK_VALUES(cases);
	sqlite3_close(ask);
	scratch_remove();
}

/* Of 30 objects alive at the one peak 24 are named: those of 7 bytes and more, as 1 to 30. */
static void largest_are_named(void)
{
	static struct fixture_op ops[30];
	static const struct expected cases[] = {
		{ "$.moments.alive[29]", "30" },
		/* 1 + ... + 30 */
		{ "$.moments.bytes[29]", "465" },
	};

	scratch_make();
	for (size_t i = 0; i < 30; i++)
		ops[i] = (struct fixture_op)OP(BERTH_OP_BUFFER_CREATE, .object = i + 1,
					       .bytes = i + 1);
	trace_fixture_write(scratch_path("many.db"), ops, 30);
	/* All were among the largest once, but the first 6 not at the end: all are named. */
	load_report(scratch_path("many.db"), NULL);
	CHECK_VALUES(cases);
	ASSERT_STRING(value("$.objects[29][0]"), "30");
	ASSERT_STRING(value("$.objects[30]"), "(null)");
	sqlite3_close(ask);
	/* Now the smallest come last, so that six of them never are: 30 - 24. */
	for (size_t i = 0; i < 30; i++)
		ops[i].row.op.bytes = 30 - i;
	trace_fixture_write(scratch_path("down.db"), ops, 30);
	load_report(scratch_path("down.db"), NULL);
	ASSERT_STRING(value("$.objects[23][4]"), "7");
	ASSERT_STRING(value("$.objects[24]"), "(null)");
	/* 11 sizes have names: 30 + ... + 20 = 275; the rest is 190 */
	ASSERT_STRING(value("$.moments.groups[11][29]"), "190");
	sqlite3_close(ask);
	scratch_remove();
}

/* ---- text from a trace ---- */

static void hostile_text(void)
{
	static const struct {
		const char *sql, *in_json, *text;
	} cases[] = {
		{ "'</script><script>alert(1)</script>'", "\\u003c/script\\u003e",
		  "</script><script>alert(1)</script>" },
		{ "'<!--<b>&amp;'", "\\u003c!--\\u003cb\\u003e\\u0026amp;", "<!--<b>&amp;" },
		{ "'say \"a\\b\"'", "say \\u0022a\\u005cb\\u0022", "say \"a\\b\"" },
		{ "cast(x'61070a1b62' as text)", "a\\u0007\\u000a\\u001bb", "a\a\n\033b" },
		/* C1 control, line separator, right-to-left override */
		{ "cast(x'c285e280a8e280ae' as text)", "\\u0085\\u2028\\u202e",
		  "\xc2\x85\xe2\x80\xa8\xe2\x80\xae" },
		/* 0xff; overlong '/'; a surrogate; above U+10FFFF; cut short */
		{ "cast(x'61ff62' as text)", "a\\ufffdb", "a\xef\xbf\xbd" "b" },
		{ "cast(x'c0af' as text)", "\\ufffd\\ufffd", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "cast(x'eda080' as text)", "\\ufffd\\ufffd\\ufffd", NULL },
		{ "cast(x'f4908080' as text)", "\\ufffd\\ufffd\\ufffd\\ufffd", NULL },
		{ "cast(x'61e282' as text)", "a\\ufffd\\ufffd", NULL },
		/* What is UTF-8 stays: euro, an emoji */
		{ "cast(x'e282acf09f9880' as text)", "\xe2\x82\xac\xf0\x9f\x98\x80", NULL },
		{ "printf('%.*c', 500, 'x')", "xxx\xe2\x80\xa6", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path;
		char sql[256], *json = NULL;
		berth_trace *trace = NULL;

		test_case("%s", cases[i].sql);
		path = write_story();
		snprintf(sql, sizeof(sql), "update object set label = %s where id = 3",
			 cases[i].sql);
		trace_fixture_sql(path, sql);
		ASSERT_OK(berth_trace_open(&trace, path));
		ASSERT_OK(berth_report_json(&json, trace, NULL));
		ASSERT_CONTAINS(json, cases[i].in_json);
		CU_ASSERT(strpbrk(json, "<>&") == NULL);
		load(json);
		if (cases[i].text)
			ASSERT_STRING(value("$.objects[1][2]"), cases[i].text);
		sqlite3_close(ask);
		free(json);
		berth_trace_close(trace);
		scratch_remove();
	}
}

/* Sizes that a driver may accept although JavaScript's numbers round them. */
static void large_numbers(void)
{
	const char *path = write_story();

	/* 2^63: negative in the table */
	trace_fixture_sql(path, "update object set bytes = -9223372036854775808 where id = 4");
	load_report(path, NULL);
	/* 2^63 + 250000 */
	ASSERT_STRING(value("$.peak.bytes"), "9223372036855025808");
	ASSERT_STRING(value("$.peak.op"), "7");
	sqlite3_close(ask);
	scratch_remove();
}

/* ---- devices ---- */

static void devices(void)
{
	static const char *const names[] = { "sim:spec-minimum" };
	berth_report_options options = BERTH_REPORT_OPTIONS_INIT;
	const struct expected cases[] = {
		{ "$.devices[0].name", "sim:spec-minimum" },
		/* The minimum of OpenCL 3.0's full profile: CL_DEVICE_MAX_MEM_ALLOC_SIZE 32 MiB */
		{ "$.devices[0].max_alloc", "33554432" },
		/* Buffer 2 of 48 MiB is above it: refused; 1 and 3 are not */
		{ "$.devices[0].refused", "1" },
		{ "$.devices[0].first_refused", "2" },
		{ "$.devices[0].held", "[1048576,1048576,3145728,2097152]" },
		{ "$.moments.bytes", "[1048576,51380224,53477376,52428800]" },
	};
	const struct fixture_op ops[] = {
		OP(BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 1 << 20),
		OP(BERTH_OP_BUFFER_CREATE, .object = 2, .bytes = 48 << 20),
		OP(BERTH_OP_BUFFER_CREATE, .object = 3, .bytes = 2 << 20),
		OP(BERTH_OP_RELEASE, .object = 1),
	};

	scratch_make();
	trace_fixture_write(scratch_path("held.db"), ops, 4);
	options.devices = names;
	options.device_count = 1;
	load_report(scratch_path("held.db"), &options);
	CHECK_VALUES(cases);
	sqlite3_close(ask);
	scratch_remove();
}

static void errors(void)
{
	static const char *const none[] = { "sim:no-such-device" };
	berth_report_options options = BERTH_REPORT_OPTIONS_INIT;
	const char *path = write_story();
	berth_trace *trace = NULL;
	char *json = NULL;

	ASSERT_OK(berth_trace_open(&trace, path));
	options.size = 1;
	ASSERT_INT(berth_report_json(&json, trace, &options), BERTH_E_INVAL);
	options.size = sizeof(options);
	options.devices = none;
	options.device_count = 1;
	ASSERT_INT(berth_report_json(&json, trace, &options), BERTH_E_NOT_FOUND);
	CU_ASSERT(json == NULL);
	ASSERT_INT(berth_report_write(scratch_path("none/page.html"), trace, NULL), BERTH_E_IO);
	berth_trace_close(trace);
	trace_fixture_sql(path, "update object set kind = 9 where id = 4");
	ASSERT_OK(berth_trace_open(&trace, path));
	ASSERT_INT(berth_report_write(scratch_path("page.html"), trace, NULL), BERTH_E_FORMAT);
	ASSERT_CONTAINS(berth_error_get()->message, "kind");
	CU_ASSERT(!file_exists(scratch_path("page.html")));
	berth_trace_close(trace);
	scratch_remove();
}

static void comparison(void)
{
	static const char csv[] =
		"trace,device,policy,outcome,verdict,rule,peak_bytes,capacity_bytes,estimated_ns\n"
		"\"a,b.db\",\"sim:<x>\",verbatim,fits,no divergence,,1048576,0,\n"
		"c.db,sim:y,suballoc,does not fit,over the total,R5,2097152,1000,77\n";
	static const struct expected cases[] = {
		{ "$.comparison[0].trace", "a,b.db" },
		{ "$.comparison[0].device", "sim:<x>" },
		{ "$.comparison[0].peak_bytes", "1048576" },
		{ "$.comparison[0].estimated_ns", "(null)" },
		{ "$.comparison[0].device_allocations", "(null)" },
		{ "$.comparison[1].outcome", "does not fit" },
		{ "$.comparison[1].estimated_ns", "77" },
		{ "$.comparison[2]", "(null)" },
	};
	static const char bad[] = "trace,device,policy,outcome,peak_bytes\na,b,c,fits,many\n";
	berth_report_options options = BERTH_REPORT_OPTIONS_INIT;
	const char *path = write_story();
	berth_trace *trace = NULL;
	char *json = NULL;

	file_write(scratch_path("c.csv"), csv, sizeof(csv) - 1);
	options.comparison = scratch_path("c.csv");
	load_report(path, &options);
	CHECK_VALUES(cases);
	sqlite3_close(ask);
	file_write(scratch_path("c.csv"), bad, sizeof(bad) - 1);
	ASSERT_OK(berth_trace_open(&trace, path));
	ASSERT_INT(berth_report_json(&json, trace, &options), BERTH_E_FORMAT);
	ASSERT_CONTAINS(berth_error_get()->message, "line 2");
	berth_trace_close(trace);
	scratch_remove();
}

/* ---- the page ---- */

static char *read_page(const berth_report_options *options)
{
	berth_trace *trace = NULL;
	unsigned char *content;
	char *page;
	size_t bytes;

	ASSERT_OK(berth_trace_open(&trace, write_story()));
	ASSERT_OK(berth_report_write(scratch_path("page.html"), trace, options));
	berth_trace_close(trace);
	content = file_read(scratch_path("page.html"), &bytes);
	page = strndup((const char *)content, bytes);
	free(content);
	scratch_remove();
	return page;
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		count++;
	return count;
}

static void page(void)
{
	berth_report_options options = BERTH_REPORT_OPTIONS_INIT;
	char *page, *other;

	options.title = "<b>a & \"b\"</b>\xff";
	options.plan = true;
	page = read_page(&options);
	ASSERT_CONTAINS(page, "<title>&#60;b&#62;a &#38; &#34;b&#34;&#60;/b&#62;&#xfffd; - Berth");
	ASSERT_CONTAINS(page, "Content-Security-Policy\" content=\"default-src 'none';");
	ASSERT_CONTAINS(page, "src=\"data:image/svg+xml;base64,");
	/* Every place of the template is filled, each script and style carries the nonce. */
	ASSERT_INT(count_of(page, "{{"), 0);
	ASSERT_INT(count_of(page, "<script"), 2);
	ASSERT_INT(count_of(page, "</script"), 2);
	ASSERT_INT(count_of(page, "<style"), 1);
	/* in the policy twice, in the two scripts and the style */
	ASSERT_INT(count_of(page, "nonce-"), 2);
	ASSERT_INT(count_of(page, " nonce=\""), 3);
	/* Nothing outside is named, but the namespace of SVG, which nobody fetches. */
	ASSERT_INT(count_of(page, "://") - count_of(page, "http://www.w3.org/2000/svg"), 0);
	ASSERT_INT(count_of(page, "url("), 0);
	ASSERT_INT(count_of(page, "@import"), 0);
	options.plan = false;
	other = read_page(&options);
	ASSERT_INT(count_of(other, "data:image"), 0);
	/* The nonce is another in each page. */
	CU_ASSERT(strncmp(strstr(page, "nonce-"), strstr(other, "nonce-"), 6 + 32) != 0);
	free(page);
	free(other);
}

int main(void)
{
	static const struct test tests[] = {
		{ "numbers", numbers },
		{ "buckets keep the peak", buckets_keep_the_peak },
		{ "the largest are named", largest_are_named },
		{ "hostile text", hostile_text },
		{ "large numbers", large_numbers },
		{ "devices", devices },
		{ "comparison", comparison },
		{ "errors", errors },
		{ "the page", page },
		{ NULL, NULL },
	};

	return test_main("report", tests);
}
