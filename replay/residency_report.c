/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The residency report: one pass over the ops, which says of each write and read
 * whether the other side held the content, and keeps what both sides hold.
 */
#include "residency_report_of.h"

#include "residency_held.h"
#include "residency_ops.h"
#include "residency_tally.h"
#include "trace_schema.h"
#include "trace_store.h"

#include <stdlib.h>

#include <CL/cl.h>

/* Mappings through which the program may write, until they are unmapped. */
static const char mapping_sql[] = "CREATE TABLE mapping(id INTEGER PRIMARY KEY, lo INTEGER,"
				  " hi INTEGER)";

enum { MAPPING_ADD, MAPPING_FIND, MAPPING_REMOVE, MAPPING_STATEMENT_COUNT };

static const char *const mapping_statement_sql[MAPPING_STATEMENT_COUNT] = {
	[MAPPING_ADD] = "INSERT OR REPLACE INTO mapping VALUES(?1, ?2, ?3)",
	[MAPPING_FIND] = "SELECT lo, hi FROM mapping WHERE id = ?1",
	[MAPPING_REMOVE] = "DELETE FROM mapping WHERE id = ?1",
};

/* When memory goes, in order. */
static const char ends_sql[] =
	"SELECT ends_op, id FROM (%s) WHERE ends_op IS NOT NULL ORDER BY ends_op";

struct analysis {
	berth_residency *report;
	berth__residency_wanted_fn *wanted; /* NULL: all */
	void *wanted_data;
	sqlite3 *state; /* temporary; in a file when it is large */
	struct berth__held held;
	struct berth__tally tally;
	sqlite3_stmt *mappings[MAPPING_STATEMENT_COUNT];
	sqlite3 *trace; /* borrowed */
	sqlite3_stmt *ops, *uses, *ends;
	uint64_t next_end; /* seq at which the memory of the row of `ends` goes */
};

typedef berth_status op_fn(struct analysis *analysis, const struct berth__residency_op *op);

/* Whether it is asked what happens to the memory of a root. */
static bool is_wanted(const struct analysis *analysis, uint64_t root)
{
	return root != 0 && (!analysis->wanted || analysis->wanted(root, analysis->wanted_data));
}

/* ---- transfers ---- */

static berth_status judge(struct analysis *analysis, const struct berth__residency_op *op,
			  uint64_t bytes, bool up)
{
	struct berth__residency_span span;
	struct berth__held_answer answer;
	berth_residency_class class_ = up ? BERTH_RESIDENCY_WRITES : BERTH_RESIDENCY_READS;
	berth_status st;

	berth__residency_span_transfer(&span, &op->view, &op->op);
	if (span.lo >= span.hi)
		return BERTH_OK;
	st = berth__held_transfer(&answer, &analysis->held, &span, op->digest, up);
	if (st != BERTH_OK || answer.kind == BERTH__HELD_NEW)
		return st;
	if (answer.kind == BERTH__HELD_PERHAPS)
		class_ += BERTH_RESIDENCY_PERHAPS_WRITES;
	else
		berth__residency_sum_add(&analysis->report->saved, 1, bytes, op->duration_ns);
	berth__residency_sum_add(&analysis->report->sums[class_], 1, bytes, op->duration_ns);
	return berth__tally_add(&analysis->tally, op, bytes, class_, answer.turned);
}

static berth_status take_transfer(struct analysis *analysis, const struct berth__residency_op *op)
{
	bool up = op->op.kind == BERTH_OP_WRITE;
	berth_residency *report = analysis->report;
	uint64_t bytes = UINT64_MAX;

	if (berth_op_moved_bytes(&bytes, &op->op, (uint32_t)op->view.element_bytes) != BERTH_OK)
		bytes = UINT64_MAX;
	berth__residency_sum_add(up ? &report->writes : &report->reads, 1, bytes, op->duration_ns);
	if (up && !op->digest)
		report->writes_without_digest++;
	return is_wanted(analysis, op->view.root) ? judge(analysis, op, bytes, up) : BERTH_OK;
}

/* What a new object was made from (CL_MEM_COPY_HOST_PTR) both sides hold. */
static berth_status take_create(struct analysis *analysis, const struct berth__residency_op *op)
{
	struct berth__residency_span span;
	struct berth__held_answer answer;

	if (!op->digest || op->view.root != op->view.object ||
	    !is_wanted(analysis, op->view.root))
		return BERTH_OK;
	berth__residency_span_whole(&span, &op->view);
	if (span.lo >= span.hi)
		return BERTH_OK;
	return berth__held_transfer(&answer, &analysis->held, &span, op->digest, true);
}

/* ---- what writes on the device ---- */

/* A copy or fill: linear ones to the byte, of others the whole object. */
static void changed_span(struct berth__residency_span *out, const struct berth__residency_op *op)
{
	if (op->op.form == BERTH_FORM_LINEAR)
		berth__residency_span_linear(out, &op->view, op->op.offset_bytes, op->op.bytes);
	else
		berth__residency_span_whole(out, &op->view);
}

static berth_status take_change(struct analysis *analysis, const struct berth__residency_op *op)
{
	struct berth__residency_span span;

	if (!is_wanted(analysis, op->view.root))
		return BERTH_OK;
	changed_span(&span, op);
	return berth__held_written(&analysis->held, &span);
}

/* The host's writes reach the device at the unmap; nothing is known of the range until then. */
static berth_status take_map(struct analysis *analysis, const struct berth__residency_op *op)
{
	sqlite3_stmt *add = analysis->mappings[MAPPING_ADD];
	struct berth__residency_span span;
	berth_status st;

	if (!(op->op.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) ||
	    !is_wanted(analysis, op->view.root))
		return BERTH_OK;
	changed_span(&span, op);
	berth__db_bind(add, 1, op->op.mapping);
	berth__db_bind(add, 2, span.lo);
	berth__db_bind(add, 3, span.hi);
	st = berth__db_run(add);
	return st == BERTH_OK ? berth__held_written(&analysis->held, &span) : st;
}

static berth_status take_unmap(struct analysis *analysis, const struct berth__residency_op *op)
{
	sqlite3_stmt *find = analysis->mappings[MAPPING_FIND];
	sqlite3_stmt *remove = analysis->mappings[MAPPING_REMOVE];
	struct berth__residency_span span = { .root = op->view.root };
	berth_status st = BERTH_OK;
	int code;

	if (!is_wanted(analysis, op->view.root))
		return BERTH_OK;
	berth__db_bind(find, 1, op->op.mapping);
	code = sqlite3_step(find);
	if (code == SQLITE_ROW) {
		span.lo = berth__db_column(find, 0);
		span.hi = berth__db_column(find, 1);
		st = berth__held_written(&analysis->held, &span);
	} else if (code != SQLITE_DONE) {
		st = berth__db_error(analysis->state, "look a mapping up");
	}
	sqlite3_reset(find);
	berth__db_bind(remove, 1, op->op.mapping);
	return st == BERTH_OK ? berth__db_run(remove) : st;
}

static berth_status take_use(struct analysis *analysis, const struct berth__residency_op *op,
			     const struct berth__residency_use *use)
{
	struct berth__residency_span span;

	berth__residency_span_whole(&span, &use->view);
	if (op->op.kind == BERTH_OP_MIGRATE)
		return op->op.flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED
			       ? berth__held_written(&analysis->held, &span)
			       : BERTH_OK;
	if (use->access & BERTH_ACCESS_WRITE)
		return berth__held_written(&analysis->held, &span);
	if (use->access || use->never_written)
		return BERTH_OK;
	return berth__held_doubt(&analysis->held, &span);
}

static berth_status take_uses(struct analysis *analysis, const struct berth__residency_op *op)
{
	sqlite3_stmt *uses = analysis->uses;
	struct berth__residency_use use;
	berth_status st = BERTH_OK;
	int code = SQLITE_DONE;

	berth__db_bind(uses, 1, op->seq);
	while (st == BERTH_OK && (code = sqlite3_step(uses)) == SQLITE_ROW) {
		berth__residency_use_read(&use, uses);
		if (is_wanted(analysis, use.view.root))
			st = take_use(analysis, op, &use);
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(analysis->trace, "read a kernel's objects");
	sqlite3_reset(uses);
	return st;
}

/* ---- the pass ---- */

/* Kinds that are not here change no content. */
static op_fn *const takers[BERTH_OP_KIND_END] = {
	[BERTH_OP_BUFFER_CREATE] = take_create,
	[BERTH_OP_IMAGE_CREATE] = take_create,
	[BERTH_OP_WRITE] = take_transfer,
	[BERTH_OP_READ] = take_transfer,
	[BERTH_OP_COPY] = take_change,
	[BERTH_OP_FILL] = take_change,
	[BERTH_OP_MAP] = take_map,
	[BERTH_OP_UNMAP] = take_unmap,
	[BERTH_OP_MIGRATE] = take_uses,
	[BERTH_OP_USE] = take_uses,
};

static berth_status step_ends(struct analysis *analysis)
{
	int code = sqlite3_step(analysis->ends);

	if (code != SQLITE_ROW && code != SQLITE_DONE)
		return berth__db_error(analysis->trace, "read when memory goes");
	analysis->next_end = code == SQLITE_ROW ? berth__db_column(analysis->ends, 0) : UINT64_MAX;
	return BERTH_OK;
}

/* Nothing is known any more of memory that is gone before an op. */
static berth_status forget_ended(struct analysis *analysis, uint64_t seq)
{
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && analysis->next_end < seq) {
		uint64_t root = berth__db_column(analysis->ends, 1);

		if (is_wanted(analysis, root))
			st = berth__held_forget(&analysis->held, root);
		if (st == BERTH_OK)
			st = step_ends(analysis);
	}
	return st;
}

static berth_status take_op(struct analysis *analysis)
{
	struct berth__residency_op op;
	op_fn *take;
	berth_status st;

	if ((st = berth__residency_op_read(&op, analysis->ops)) != BERTH_OK ||
	    (st = forget_ended(analysis, op.seq)) != BERTH_OK)
		return st;
	take = takers[op.op.kind];
	return take ? take(analysis, &op) : BERTH_OK;
}

static berth_status run(struct analysis *analysis)
{
	berth_status st = step_ends(analysis);
	int code = SQLITE_DONE;

	while (st == BERTH_OK && (code = sqlite3_step(analysis->ops)) == SQLITE_ROW)
		st = take_op(analysis);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(analysis->trace, "read the ops");
	return st == BERTH_OK
		       ? berth__tally_list(analysis->report, &analysis->tally, analysis->trace)
		       : st;
}

/* A database without a name is temporary, and goes to a file when its cache is full. */
static berth_status open_state(struct analysis *analysis)
{
	berth_status st;

	if (sqlite3_open("", &analysis->state) != SQLITE_OK)
		return berth__db_error(analysis->state, "make a temporary database");
	if ((st = berth__db_exec(analysis->state, "PRAGMA journal_mode = OFF")) != BERTH_OK ||
	    (st = berth__held_open(&analysis->held, analysis->state)) != BERTH_OK ||
	    (st = berth__tally_open(&analysis->tally, analysis->state)) != BERTH_OK ||
	    (st = berth__db_exec(analysis->state, mapping_sql)) != BERTH_OK)
		return st;
	for (int i = 0; st == BERTH_OK && i < MAPPING_STATEMENT_COUNT; i++)
		st = berth__db_prepare(&analysis->mappings[i], analysis->state,
				       mapping_statement_sql[i]);
	return st == BERTH_OK ? berth__db_exec(analysis->state, "BEGIN") : st;
}

static berth_status open_readers(struct analysis *analysis)
{
	char *ends = sqlite3_mprintf(ends_sql, berth__trace_memory_sql);
	berth_status st;

	if (!ends)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory making SQL");
	if ((st = berth__db_prepare(&analysis->ends, analysis->trace, ends)) == BERTH_OK &&
	    (st = berth__residency_ops_prepare(&analysis->ops, analysis->trace)) == BERTH_OK)
		st = berth__residency_uses_prepare(&analysis->uses, analysis->trace);
	sqlite3_free(ends);
	return st;
}

static void close_analysis(struct analysis *analysis)
{
	sqlite3_finalize(analysis->ops);
	sqlite3_finalize(analysis->uses);
	sqlite3_finalize(analysis->ends);
	for (int i = 0; i < MAPPING_STATEMENT_COUNT; i++)
		sqlite3_finalize(analysis->mappings[i]);
	berth__held_close(&analysis->held);
	berth__tally_close(&analysis->tally);
	sqlite3_close(analysis->state);
}

berth_status berth__residency_report_of(berth_residency **out, berth_trace *trace,
					berth__residency_wanted_fn *wanted, void *userdata)
{
	struct analysis analysis = { .trace = trace->db, .wanted = wanted,
				     .wanted_data = userdata };
	berth_status st;

	analysis.report = calloc(1, sizeof(*analysis.report));
	if (!analysis.report)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory making a report");
	berth__trace_bound_begin(trace);
	if ((st = open_state(&analysis)) == BERTH_OK && (st = open_readers(&analysis)) == BERTH_OK)
		st = run(&analysis);
	berth__trace_bound_end(trace);
	close_analysis(&analysis);
	if (st == BERTH_OK)
		*out = analysis.report;
	else
		berth_residency_free(analysis.report);
	return st;
}

berth_status berth_residency_report(berth_residency **out, berth_trace *trace)
{
	return berth__residency_report_of(out, trace, NULL, NULL);
}

void berth_residency_free(berth_residency *report)
{
	if (!report)
		return;
	for (uint32_t i = 0; i < report->listed_count; i++)
		free((char *)report->listed[i].object.label);
	free((void *)report->listed);
	free(report);
}
