/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_objects.h"

#include "db.h"

#include <stdlib.h>

enum { CREATE, RETAIN, RELEASE, LABEL, STATEMENT_COUNT };

/* A driver may take a stale handle: a release of what is released already changes nothing. */
static const char *const statement_sql[STATEMENT_COUNT] = {
	[CREATE] = "INSERT OR IGNORE INTO object(id, kind, parent, root, context, flags, bytes, "
		   "offset,"
		   " image_type, channel_order, channel_type, width, height, depth, array_size,"
		   " element_bytes, row_pitch, slice_pitch, host_address, refs, created_op)"
		   " VALUES(?1, ?2, ?3, CASE WHEN ?3 IS NULL THEN ?1"
		   " ELSE (SELECT root FROM object WHERE id = ?3) END,"
		   " ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, 1, ?19)",
	[RETAIN] = "UPDATE object SET refs = refs + 1 WHERE id = ?1 AND released_op IS NULL",
	[RELEASE] = "UPDATE object SET refs = refs - 1,"
		    " released_op = CASE WHEN refs = 1 THEN ?2 END"
		    " WHERE id = ?1 AND released_op IS NULL",
	[LABEL] = "UPDATE object SET label = (SELECT text FROM name WHERE id = ?2) WHERE id = ?1",
};

static const int object_kinds[BERTH_OP_KIND_END] = {
	[BERTH_OP_BUFFER_CREATE] = 1,
	[BERTH_OP_SUBBUFFER_CREATE] = 2,
	[BERTH_OP_IMAGE_CREATE] = 3,
	[BERTH_OP_SVM_ALLOC] = 4,
	[BERTH_OP_PIPE_CREATE] = 5,
};

struct berth__trace_objects {
	sqlite3_stmt *statements[STATEMENT_COUNT];
};

berth_status berth__trace_objects_create(struct berth__trace_objects **out, sqlite3 *db)
{
	struct berth__trace_objects *objects = calloc(1, sizeof(*objects));
	berth_status st = BERTH_OK;

	if (!objects)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening a trace");
	for (int i = 0; st == BERTH_OK && i < STATEMENT_COUNT; i++)
		st = berth__db_prepare(&objects->statements[i], db, statement_sql[i]);
	if (st != BERTH_OK) {
		berth__trace_objects_destroy(objects);
		return st;
	}
	*out = objects;
	return BERTH_OK;
}

void berth__trace_objects_destroy(struct berth__trace_objects *objects)
{
	if (!objects)
		return;
	for (int i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(objects->statements[i]);
	free(objects);
}

/* Tightly packed bytes of an image whose driver did not say; UINT64_MAX when it does not fit. */
static uint64_t packed_bytes(const berth_image *image, uint32_t element_bytes)
{
	const uint64_t extents[] = { image->width, image->height, image->depth, image->array_size };
	uint64_t bytes = element_bytes;

	for (int i = 0; i < 4; i++) {
		if (extents[i] > 1 && __builtin_mul_overflow(bytes, extents[i], &bytes))
			return UINT64_MAX;
	}
	return bytes;
}

static void bind_or_null(sqlite3_stmt *statement, int index, uint64_t value)
{
	if (value)
		berth__db_bind(statement, index, value);
	else
		sqlite3_bind_null(statement, index);
}

static void bind_image(sqlite3_stmt *create, const berth_image *image, const berth_result *result,
		       uint32_t element_bytes)
{
	bind_or_null(create, 8, image->type);
	bind_or_null(create, 9, image->order);
	bind_or_null(create, 10, image->channel_type);
	bind_or_null(create, 11, image->width);
	bind_or_null(create, 12, image->height);
	bind_or_null(create, 13, image->depth);
	bind_or_null(create, 14, image->array_size);
	bind_or_null(create, 15, element_bytes);
	bind_or_null(create, 16,
		     result->row_pitch_bytes ? result->row_pitch_bytes : image->row_pitch_bytes);
	bind_or_null(create, 17,
		     result->slice_pitch_bytes ? result->slice_pitch_bytes
					       : image->slice_pitch_bytes);
}

/* What the driver has not said: an image's pixels, a pipe's packets. */
static uint64_t asked_bytes(const berth_op *op, uint32_t element_bytes)
{
	if (op->kind == BERTH_OP_IMAGE_CREATE)
		return packed_bytes(&op->image, element_bytes);
	if (op->kind == BERTH_OP_PIPE_CREATE)
		return (uint64_t)op->packet_bytes * op->packet_count;
	return op->bytes;
}

static berth_status create(sqlite3_stmt *statement, const berth_trace_op *row)
{
	const berth_op *op = &row->op;
	uint32_t element = 0;
	uint64_t bytes;

	sqlite3_clear_bindings(statement);
	if (op->kind == BERTH_OP_IMAGE_CREATE) {
		element = berth_format_element_bytes(op->image.order, op->image.channel_type);
		bind_image(statement, &op->image, &row->result, element);
	}
	bytes = row->result.bytes ? row->result.bytes : asked_bytes(op, element);
	if (op->kind == BERTH_OP_SUBBUFFER_CREATE)
		berth__db_bind(statement, 7, op->offset_bytes);
	berth__db_bind(statement, 1, op->object);
	sqlite3_bind_int(statement, 2, object_kinds[op->kind]);
	bind_or_null(statement, 3, op->other);
	berth__db_bind(statement, 4, row->context);
	berth__db_bind(statement, 5, op->flags);
	berth__db_bind(statement, 6, bytes);
	bind_or_null(statement, 18, op->host_address);
	berth__db_bind(statement, 19, row->seq);
	return berth__db_run(statement);
}

/* Memory that is shared virtual has one owner: freed is released. */
static berth_status free_svm(sqlite3_stmt *release, const berth_trace_op *row)
{
	berth_status st = BERTH_OK;

	berth__db_bind(release, 2, row->seq);
	berth__db_bind(release, 1, row->op.object);
	if (row->op.use_count == 0)
		return berth__db_run(release);
	for (uint32_t i = 0; st == BERTH_OK && i < row->op.use_count; i++) {
		berth__db_bind(release, 1, row->op.uses[i].object);
		st = berth__db_run(release);
	}
	return st;
}

berth_status berth__trace_objects_apply(struct berth__trace_objects *objects,
					const berth_trace_op *row, uint32_t name_id)
{
	static const int statement_of[BERTH_OP_KIND_END] = {
		[BERTH_OP_RETAIN] = RETAIN,
		[BERTH_OP_RELEASE] = RELEASE,
		[BERTH_OP_LABEL] = LABEL,
	};
	sqlite3_stmt *statement;

	if (object_kinds[row->op.kind])
		return create(objects->statements[CREATE], row);
	if (row->op.kind == BERTH_OP_SVM_FREE)
		return free_svm(objects->statements[RELEASE], row);
	if (!statement_of[row->op.kind])
		return BERTH_OK;
	statement = objects->statements[statement_of[row->op.kind]];
	berth__db_bind(statement, 1, row->op.object);
	if (row->op.kind == BERTH_OP_RELEASE)
		berth__db_bind(statement, 2, row->seq);
	if (row->op.kind == BERTH_OP_LABEL)
		berth__db_bind(statement, 2, name_id);
	return berth__db_run(statement);
}
