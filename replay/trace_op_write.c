/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_op_write.h"

#include "db.h"
#include "op_fold.h"

#include <stdlib.h>

enum { OP, REGION, IMAGE, RESULT, OP_OBJECT, OP_EVENT, OP_STACK, STATEMENT_COUNT };

static const char *const statement_sql[STATEMENT_COUNT] = {
	[OP] = "INSERT INTO op(seq, kind, status, object, queue, form, bits, absent, offset, bytes,"
	       " host_address, flags, other, mapping, other_offset, pattern_bytes, name, t_ns, "
	       "dur_ns,"
	       " thread, context, digest)"
	       " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[REGION] = "INSERT INTO region VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[IMAGE] = "INSERT INTO image VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[RESULT] = "INSERT INTO result VALUES(?, ?, ?, ?)",
	[OP_OBJECT] = "INSERT INTO op_object VALUES(?, ?, ?, ?, ?)",
	[OP_EVENT] = "INSERT INTO op_event VALUES(?, ?, ?, ?)",
	[OP_STACK] = "INSERT INTO op_stack VALUES(?, ?)",
};

/* Columns of `op` that a kind uses: there a 0 stands as 0, elsewhere as NULL. */
enum {
	USES_OBJECT = 1u << 0,
	USES_OTHER = 1u << 1,
	USES_FLAGS = 1u << 2,
	USES_MAPPING = 1u << 3,
	USES_OFFSET = 1u << 4,
	USES_OTHER_OFFSET = 1u << 5,
	USES_BYTES = 1u << 6,
	USES_PATTERN = 1u << 7,
	USES_BITS = 1u << 8,
};

static const unsigned kind_uses[BERTH_OP_KIND_END] = {
	[BERTH_OP_BUFFER_CREATE] = USES_FLAGS | USES_BYTES,
	[BERTH_OP_SUBBUFFER_CREATE] = USES_FLAGS | USES_OFFSET | USES_BYTES,
	[BERTH_OP_IMAGE_CREATE] = USES_FLAGS,
	[BERTH_OP_SVM_ALLOC] = USES_FLAGS | USES_BYTES | USES_PATTERN,
	[BERTH_OP_PIPE_CREATE] = USES_FLAGS | USES_PATTERN | USES_OTHER_OFFSET,
	[BERTH_OP_ARG] = USES_FLAGS | USES_BYTES,
	[BERTH_OP_WRITE] = USES_BITS,
	[BERTH_OP_READ] = USES_BITS,
	[BERTH_OP_FILL] = USES_PATTERN,
	[BERTH_OP_MAP] = USES_BITS | USES_FLAGS | USES_MAPPING,
	[BERTH_OP_UNMAP] = USES_MAPPING,
	[BERTH_OP_MIGRATE] = USES_FLAGS,
};

static const unsigned form_uses[] = {
	[BERTH_FORM_NONE] = 0,
	[BERTH_FORM_LINEAR] = USES_OFFSET | USES_BYTES,
	[BERTH_FORM_RECT] = 0,
	[BERTH_FORM_IMAGE] = 0,
	[BERTH_FORM_IMAGE_TO_BUFFER] = USES_OTHER_OFFSET,
	[BERTH_FORM_BUFFER_TO_IMAGE] = USES_OFFSET,
	[BERTH_FORM_SVM] = USES_OFFSET | USES_BYTES,
};

struct berth__op_writer {
	sqlite3_stmt *statements[STATEMENT_COUNT];
};

berth_status berth__op_writer_create(struct berth__op_writer **out, sqlite3 *db)
{
	struct berth__op_writer *writer = calloc(1, sizeof(*writer));
	berth_status st = BERTH_OK;

	if (!writer)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening a trace");
	for (int i = 0; st == BERTH_OK && i < STATEMENT_COUNT; i++)
		st = berth__db_prepare(&writer->statements[i], db, statement_sql[i]);
	if (st != BERTH_OK) {
		berth__op_writer_destroy(writer);
		return st;
	}
	*out = writer;
	return BERTH_OK;
}

void berth__op_writer_destroy(struct berth__op_writer *writer)
{
	if (!writer)
		return;
	for (int i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(writer->statements[i]);
	free(writer);
}

static void bind_used(sqlite3_stmt *statement, int index, uint64_t value, bool used)
{
	if (value || used)
		berth__db_bind(statement, index, value);
	else
		sqlite3_bind_null(statement, index);
}

static berth_status insert_op(sqlite3_stmt *statement, const berth_trace_op *row, uint32_t name_id)
{
	const berth_op *op = &row->op;
	unsigned uses = kind_uses[op->kind] | form_uses[op->form];
	struct berth__op_folded folded = berth__op_fold(op);

	berth__db_bind(statement, 1, row->seq);
	sqlite3_bind_int(statement, 2, (int)op->kind);
	if (row->answered)
		sqlite3_bind_int(statement, 3, row->result.cl_status);
	else
		sqlite3_bind_null(statement, 3);
	bind_used(statement, 4, op->object, false);
	bind_used(statement, 5, op->queue, false);
	bind_used(statement, 6, op->form, false);
	bind_used(statement, 7, op->bits, uses & USES_BITS);
	bind_used(statement, 8, op->absent, false);
	bind_used(statement, 9, op->offset_bytes, uses & USES_OFFSET);
	bind_used(statement, 10, op->bytes, uses & USES_BYTES);
	bind_used(statement, 11, op->host_address, false);
	bind_used(statement, 12, folded.flags, uses & USES_FLAGS);
	bind_used(statement, 13, op->other, false);
	bind_used(statement, 14, op->mapping, uses & USES_MAPPING);
	bind_used(statement, 15, folded.other_offset_bytes,
		  (uses & USES_OTHER_OFFSET) ||
			  (op->kind == BERTH_OP_COPY &&
			   (op->form == BERTH_FORM_LINEAR || op->form == BERTH_FORM_SVM)));
	bind_used(statement, 16, folded.pattern_bytes, uses & USES_PATTERN);
	bind_used(statement, 17, name_id, false);
	berth__db_bind(statement, 18, row->t_ns);
	bind_used(statement, 19, row->result.duration_ns, row->answered);
	berth__db_bind(statement, 20, row->thread);
	bind_used(statement, 21, row->context, false);
	if (row->has_digest)
		sqlite3_bind_blob(statement, 22, row->digest, sizeof(row->digest), SQLITE_STATIC);
	else
		sqlite3_bind_null(statement, 22);
	return berth__db_run(statement);
}

static berth_status insert_numbers(sqlite3_stmt *statement, uint64_t seq, const uint64_t *numbers,
				   int count)
{
	berth__db_bind(statement, 1, seq);
	for (int i = 0; i < count; i++)
		berth__db_bind(statement, i + 2, numbers[i]);
	return berth__db_run(statement);
}

static berth_status insert_region(sqlite3_stmt *statement, const berth_trace_op *row)
{
	const berth_region *r = &row->op.region;
	const uint64_t numbers[] = {
		r->origin[0],
		r->origin[1],
		r->origin[2],
		r->other_origin[0],
		r->other_origin[1],
		r->other_origin[2],
		r->extent[0],
		r->extent[1],
		r->extent[2],
		r->row_pitch_bytes,
		r->slice_pitch_bytes,
		r->other_row_pitch_bytes,
		r->other_slice_pitch_bytes,
	};

	return insert_numbers(statement, row->seq, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

static berth_status insert_image(sqlite3_stmt *statement, const berth_trace_op *row)
{
	const berth_image *i = &row->op.image;
	const uint64_t numbers[] = {
		i->type,
		i->order,
		i->channel_type,
		i->mip_levels,
		i->samples,
		i->width,
		i->height,
		i->depth,
		i->array_size,
		i->row_pitch_bytes,
		i->slice_pitch_bytes,
	};

	return insert_numbers(statement, row->seq, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

static berth_status insert_result(sqlite3_stmt *statement, const berth_trace_op *row)
{
	const berth_result *r = &row->result;
	const uint64_t numbers[] = { r->bytes, r->row_pitch_bytes, r->slice_pitch_bytes };

	return insert_numbers(statement, row->seq, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

static berth_status insert_objects(sqlite3_stmt *statement, const berth_trace_op *row)
{
	berth_status st = BERTH_OK;

	for (uint32_t i = 0; st == BERTH_OK && i < row->op.use_count; i++) {
		const berth_object_use *use = &row->op.uses[i];
		const uint64_t numbers[] = { i, use->object, use->arg_index, use->access };

		st = insert_numbers(statement, row->seq, numbers,
				    sizeof(numbers) / sizeof(numbers[0]));
	}
	return st;
}

static berth_status insert_events(sqlite3_stmt *statement, const berth_trace_op *row)
{
	berth_status st = BERTH_OK;

	for (uint32_t i = 0; st == BERTH_OK && i < row->event_count; i++) {
		const uint64_t numbers[] = { i, row->events[i].event, row->events[i].role };

		st = insert_numbers(statement, row->seq, numbers,
				    sizeof(numbers) / sizeof(numbers[0]));
	}
	return st;
}

static berth_status insert_side_tables(sqlite3_stmt *const *statements, const berth_trace_op *row)
{
	const berth_result *result = &row->result;
	berth_status st = BERTH_OK;

	if (berth_op_form_has_region(row->op.form))
		st = insert_region(statements[REGION], row);
	if (st == BERTH_OK && row->op.kind == BERTH_OP_IMAGE_CREATE)
		st = insert_image(statements[IMAGE], row);
	if (st == BERTH_OK && row->answered &&
	    (result->bytes || result->row_pitch_bytes || result->slice_pitch_bytes))
		st = insert_result(statements[RESULT], row);
	if (st == BERTH_OK && berth_op_kind_has_list(row->op.kind))
		st = insert_objects(statements[OP_OBJECT], row);
	if (st == BERTH_OK)
		st = insert_events(statements[OP_EVENT], row);
	if (st == BERTH_OK && row->stack)
		st = insert_numbers(statements[OP_STACK], row->seq, &row->stack, 1);
	return st;
}

berth_status berth__op_writer_add(struct berth__op_writer *writer, const berth_trace_op *row,
				  uint32_t name_id)
{
	berth_status st = insert_op(writer->statements[OP], row, name_id);

	return st == BERTH_OK ? insert_side_tables(writer->statements, row) : st;
}
