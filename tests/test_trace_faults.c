/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory that runs out while a trace is read or written: each allocation of
 * ours fails in turn, and every SQLITE_STRIDE-th of SQLite's. Whoever meets it says
 * so, leaks nothing and loses nothing: what comes out in the end, after one more
 * try, is what comes out when nothing fails.
 */
#include "alloc_fault.h"
#include "test_main.h"

#include "scratch.h"
#include "spool_fixture.h"
#include "trace_fixture.h"

#include <berth/findings.h>
#include <berth/record.h>
#include <berth/report.h>
#include <berth/residency_report.h>

#include <CL/cl.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* SQLite makes thousands; all of them take minutes. A prime, to fall into no step of its own. */
#ifndef SQLITE_STRIDE
#define SQLITE_STRIDE 97
#endif

/* ---- SQLite's allocations ---- */

static sqlite3_mem_methods sqlite_memory; /* its own */
static unsigned sqlite_countdown;	  /* 0: not armed */
static bool sqlite_hit;

static bool sqlite_fails(void)
{
	if (sqlite_countdown == 0 || --sqlite_countdown > 0)
		return false;
	sqlite_hit = true;
	return true;
}

static void *sqlite_malloc(int bytes)
{
	return sqlite_fails() ? NULL : sqlite_memory.xMalloc(bytes);
}

static void *sqlite_realloc(void *old, int bytes)
{
	return sqlite_fails() ? NULL : sqlite_memory.xRealloc(old, bytes);
}

/* Before SQLite is used for the first time. */
static bool hook_sqlite(void)
{
	sqlite3_mem_methods methods;

	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory) != SQLITE_OK)
		return false;
	methods = sqlite_memory;
	methods.xMalloc = sqlite_malloc;
	methods.xRealloc = sqlite_realloc;
	/* Without the lookaside store every allocation is one that can fail. */
	return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK &&
	       sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) == SQLITE_OK;
}

/* ---- the sweep ---- */

/* Whose allocations fail. */
struct source {
	const char *name;
	unsigned stride;
	unsigned least; /* so many there are at least, so that a sweep over nothing is seen */
	void (*arm)(unsigned n);
	bool (*disarm)(void);
};

static void arm_sqlite(unsigned n)
{
	sqlite_countdown = n;
	sqlite_hit = false;
}

static bool disarm_sqlite(void)
{
	sqlite_countdown = 0;
	return sqlite_hit;
}

static const struct source *source; /* of the attempt that runs */

static const struct source sources[] = {
	{ "allocation", 1, 10, alloc_fault_arm, alloc_fault_disarm },
	{ "SQLite's allocation", SQLITE_STRIDE, 500, arm_sqlite, disarm_sqlite },
};

/* Do something in which the n-th allocation fails; whether it came to that. */
typedef bool attempt_fn(unsigned n);

static void sweep(attempt_fn *attempt)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		long live = alloc_fault_live();
		sqlite3_int64 sqlite_used = sqlite3_memory_used();
		unsigned n = 1;

		source = &sources[i];
		for (;; n += source->stride) {
			test_case("%s %u", source->name, n);
			if (!attempt(n))
				break;
			ASSERT_INT(alloc_fault_live(), live);
			ASSERT_INT(sqlite3_memory_used(), sqlite_used);
		}
		CU_ASSERT(n > source->least);
		ASSERT_INT(alloc_fault_live(), live);
	}
}

/* SQLite, but not Berth, can do without some of its allocations. */
static void check_status(berth_status st, bool failed)
{
	if (!failed)
		ASSERT_OK(st);
	else if (st != BERTH_OK || source->stride == 1)
		ASSERT_STRING(st == BERTH_E_NOMEM ? NULL : berth_error_get()->message, NULL);
}

/* ---- reading ---- */

static const berth_object_use uses[] = { { 1, 0, 1 }, { 2, 3, 2 } };
static const struct fixture_op ops[] = {
	{ { .answered = true, .op = { .kind = BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 64 } },
	  0 },
	{ { .answered = true,
	    .op = { .kind = BERTH_OP_IMAGE_CREATE,
		    .object = 2,
		    .image = { .type = CL_MEM_OBJECT_IMAGE2D,
			       .order = CL_RGBA,
			       .channel_type = CL_UNORM_INT8,
			       .width = 8,
			       .height = 4 } } },
	  0 },
	{ { .answered = true, .op = { .kind = BERTH_OP_LABEL, .object = 1 } }, 2 },
	{ { .answered = true,
	    .op = { .kind = BERTH_OP_WRITE,
		    .form = BERTH_FORM_RECT,
		    .object = 1,
		    .region = { .extent = { 4, 2, 1 } } } },
	  0 },
	/* What was written just now. */
	{ { .answered = true,
	    .op = { .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = 1, .bytes = 8 } },
	  0 },
	{ { .answered = true, .op = { .kind = BERTH_OP_USE, .uses = uses, .use_count = 2 } }, 1 },
	{ { .answered = true,
	    .op = { .kind = BERTH_OP_RELEASE, .object = 3 },
	    .result = { .cl_status = CL_INVALID_MEM_OBJECT } },
	  0 },
	{ { .t_ns = 10, .answered = false, .op = { .kind = BERTH_OP_SYNC } }, 0 },
};

#define OP_COUNT (sizeof(ops) / sizeof(ops[0]))
#define NEEDLESS_COUNT 1
#define FINDING_COUNT 2 /* two objects leak, one is released twice */

static const char *trace_path;
static char *json_expected;
static char *report_expected;

static void check_row(const berth_trace_op *row, size_t index)
{
	const berth_trace_op *expected = &ops[index].row;
	static const char *const names[] = { NULL, "kernel one", "label two" };

	ASSERT_INT(row->seq, index + 1);
	ASSERT_INT(row->op.kind, expected->op.kind);
	ASSERT_INT(row->answered, expected->answered);
	ASSERT_INT(row->op.object, expected->op.object);
	ASSERT_INT(row->op.image.width, expected->op.image.width);
	ASSERT_INT(row->op.region.extent[0], expected->op.region.extent[0]);
	ASSERT_INT(row->op.use_count, expected->op.use_count);
	ASSERT_STRING(row->op.name, names[ops[index].name_id]);
}

static berth_status read_rows(berth_trace *trace)
{
	const berth_trace_op *row = NULL;
	berth_status st;

	for (size_t i = 0; i < OP_COUNT; i++) {
		if ((st = berth_trace_next(&row, trace)) != BERTH_OK)
			return st;
		CU_ASSERT_FATAL(row != NULL);
		check_row(row, i);
	}
	if ((st = berth_trace_next(&row, trace)) == BERTH_OK)
		CU_ASSERT_PTR_NULL(row);
	return st;
}

static void check_info(const berth_trace *trace)
{
	const berth_trace_info *info = berth_trace_get_info(trace);

	ASSERT_STRING(info->program, "/usr/bin/fixture");
	ASSERT_STRING(info->command, "fixture --once");
	ASSERT_INT(info->op_count, OP_COUNT);
	ASSERT_INT(info->object_count, 2);
	ASSERT_INT(info->lost_records, 3);
}

static berth_status read_device(berth_trace *trace)
{
	berth_caps caps;
	berth_status st = berth_trace_device(&caps, trace, 0);

	if (st != BERTH_OK)
		return st;
	ASSERT_STRING(caps.name, "Fixture GPU");
	ASSERT_INT(caps.format_count, 11); /* 3.0's minimum list has as many */
	return BERTH_OK;
}

static berth_status read_json(berth_trace *trace)
{
	char *json = NULL;
	berth_status st = berth_trace_summary_json(&json, trace);

	if (st == BERTH_OK)
		ASSERT_STRING(json, json_expected);
	free(json);
	return st;
}

static berth_status read_residency(berth_trace *trace)
{
	berth_residency *report = NULL;
	berth_status st = berth_residency_report(&report, trace);

	if (st == BERTH_OK)
		ASSERT_INT(report->saved.count, NEEDLESS_COUNT);
	berth_residency_free(report);
	return st;
}

static berth_status read_findings(berth_trace *trace)
{
	berth_findings *findings = NULL;
	berth_status st = berth_findings_find(&findings, trace, NULL);

	if (st == BERTH_OK)
		ASSERT_INT(berth_findings_count(findings), FINDING_COUNT);
	berth_findings_free(findings);
	return st;
}

static berth_status read_report(berth_trace *trace)
{
	char *json = NULL;
	berth_status st = berth_report_json(&json, trace, NULL);

	if (st == BERTH_OK)
		ASSERT_STRING(json, report_expected);
	free(json);
	return st;
}

static berth_status read_all(berth_trace **trace)
{
	berth_status st;

	if ((st = berth_trace_open(trace, trace_path)) != BERTH_OK)
		return st;
	check_info(*trace);
	if ((st = read_device(*trace)) != BERTH_OK || (st = read_rows(*trace)) != BERTH_OK ||
	    (st = berth_trace_select(*trace, BERTH_TRACE_FIELDS_OP)) != BERTH_OK ||
	    (st = read_rows(*trace)) != BERTH_OK)
		return st;
	if ((st = read_json(*trace)) != BERTH_OK)
		return st;
	if ((st = read_residency(*trace)) != BERTH_OK)
		return st;
	if ((st = read_findings(*trace)) != BERTH_OK)
		return st;
	return read_report(*trace);
}

static bool attempt_to_read(unsigned n)
{
	berth_trace *trace = NULL;
	berth_status st;
	bool failed;

	source->arm(n);
	st = read_all(&trace);
	failed = source->disarm();
	check_status(st, failed);
	berth_trace_close(trace);
	return failed;
}

static void reading(void)
{
	berth_trace *trace = NULL;

	scratch_make();
	trace_path = scratch_path("t.db");
	trace_fixture_write(trace_path, ops, OP_COUNT);
	ASSERT_OK(berth_trace_open(&trace, trace_path));
	ASSERT_OK(berth_trace_summary_json(&json_expected, trace));
	ASSERT_OK(berth_report_json(&report_expected, trace, NULL));
	berth_trace_close(trace);
	sweep(attempt_to_read);
	free(json_expected);
	free(report_expected);
	scratch_remove();
}

/* ---- draining ---- */

#define PID 99999901 /* beyond any pid of the system */

/* Two segments with every type of record, and a call that never returned. */
static void make_spools(struct spool_fixture spools[2], const char *directory)
{
	struct berth_spool_device device = { { .type = BERTH_SPOOL_DEVICE },
					     1,
					     sizeof(berth_caps) };
	struct berth_spool_queue queue = { { .type = BERTH_SPOOL_QUEUE }, 2, 3, 1, 0, 5 };
	berth_caps caps;

	mkdir(directory, 0700);
	berth_caps_init_minimum(&caps, 120);
	spool_fixture_open(&spools[0], directory, PID, 0, 16384);
	spool_fixture_process(&spools[0], PID, 77);
	spool_fixture_append(&spools[0], &device, sizeof(device), &caps, sizeof(caps));
	spool_fixture_append(&spools[0], &queue, sizeof(queue), NULL, 0);
	spool_fixture_name(&spools[0], 9, "blur");
	spool_fixture_untracked(&spools[0], 100, "clCreatePipe");
	spool_fixture_op(&spools[0], &(struct berth_spool_op){ .kind = BERTH_OP_BUFFER_CREATE,
							       .object = 1,
							       .bytes = 64 });
	spools[0].header->pending[3].op = (struct berth_spool_op){ .kind = BERTH_OP_SYNC };
	atomic_store(&spools[0].header->pending[3].in_call, 1);
	spool_fixture_open(&spools[1], directory, PID, 1, 16384);
	atomic_store(&spools[1].header->untracked[100], 6);
	atomic_store(&spools[0].header->next, 1);
	spool_fixture_op(&spools[1], &(struct berth_spool_op){
					     .kind = BERTH_OP_LABEL, .object = 1, .name = 9 });
}

static berth_status drain_all(const char *directory, const char *path)
{
	berth_drain *drain = NULL;
	uint64_t moved;
	berth_status st = berth_drain_create(&drain, directory);

	if (st == BERTH_OK && (st = berth_drain_step(drain, &moved)) == BERTH_OK)
		st = berth_drain_finish(drain, path, NULL, NULL);
	berth_drain_destroy(drain);
	return st;
}

/* Questions that a record which is lost, doubled or cut would answer otherwise. */
static void check_trace(const char *path)
{
	static const struct {
		const char *question;
		long long answer;
	} cases[] = {
		{ "SELECT group_concat(kind) = '1,17,16' FROM op", 1 },
		{ "SELECT count(*) FROM op WHERE status IS NULL", 1 },
		{ "SELECT label = 'blur' AND bytes = 64 FROM object", 1 },
		{ "SELECT context FROM queue WHERE id = 2 AND device = 1 AND properties = 5", 3 },
		{ "SELECT cl_version FROM device WHERE name = 'minimum' AND vendor = 'Berth'",
		  120 },
		{ "SELECT count(*) FROM format", 11 }, /* of 1.2's minimum list */
		{ "SELECT count FROM untracked WHERE name = 'clCreatePipe'", 6 },
		{ "SELECT count(*) FROM meta WHERE value IS NULL", 0 },
		{ "SELECT value = '/usr/bin/prog' FROM meta WHERE key = 'program'", 1 },
		{ "SELECT value = '/home/me' FROM meta WHERE key = 'directory'", 1 },
		{ "SELECT value = 'prog -x ''it''\\''''s 1''' FROM meta WHERE key = 'command'", 1 },
		{ "SELECT value FROM meta WHERE key = 'started_ns'", 77 },
		{ "SELECT count(*) FROM sqlite_master WHERE name LIKE 'drain%'", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (trace_fixture_number(path, cases[i].question) == cases[i].answer)
			continue;
		ASSERT_STRING(cases[i].question, "as when nothing fails");
	}
}

static bool attempt_to_drain(unsigned n)
{
	struct spool_fixture spools[2];
	const char *directory, *path;
	berth_status st;
	bool failed;

	scratch_make();
	directory = scratch_path("spools");
	path = scratch_path("t.db");
	make_spools(spools, directory);
	source->arm(n);
	st = drain_all(directory, path);
	failed = source->disarm();
	check_status(st, failed);
	if (st != BERTH_OK && file_exists(directory))
		ASSERT_OK(drain_all(directory, path));
	check_trace(path);
	CU_ASSERT_FALSE(file_exists(directory));
	for (size_t i = 0; i < 2; i++)
		spool_fixture_close(&spools[i]);
	scratch_remove();
	return failed;
}

static void draining(void)
{
	sweep(attempt_to_drain);
}

int main(void)
{
	static const struct test tests[] = {
		{ "reading", reading },
		{ "draining", draining },
		{ NULL, NULL },
	};

	if (!hook_sqlite())
		return 99;
	return test_main("trace_faults", tests);
}
