/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streaming a trace's ops. Replay does millions a second, so a row is not fetched
 * column by column: its values are handed to a function of ours as arguments, and
 * a CASE hands over only those that the kind of the op uses. What few ops have
 * (regions, images, ...) is in side tables, read in step by cursors of their own.
 */
#include "trace_store.h"

#include "db.h"
#include "trace_side.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns of `op` by family of kinds ---- */

enum target { U32, U64, FORM, NAME };

struct op_column {
	const char *name; /* NULL ends a list */
	enum target target;
	size_t offset; /* in berth_op */
};

#define OFFSET(field) offsetof(berth_op, field)
#define COLUMN_FORM "form", FORM, 0
#define COLUMN_BITS "bits", U32, OFFSET(bits)
#define COLUMN_ABSENT "absent", U32, OFFSET(absent)
#define COLUMN_OFFSET "offset", U64, OFFSET(offset_bytes)
#define COLUMN_BYTES "bytes", U64, OFFSET(bytes)
#define COLUMN_HOST "host_address", U64, OFFSET(host_address)
#define COLUMN_FLAGS "flags", U64, OFFSET(flags)
#define COLUMN_OTHER "other", U64, OFFSET(other)
#define COLUMN_MAPPING "mapping", U64, OFFSET(mapping)
#define COLUMN_OTHER_OFFSET "other_offset", U64, OFFSET(other_offset_bytes)
#define COLUMN_PATTERN "pattern_bytes", U64, OFFSET(pattern_bytes)
#define COLUMN_NAME "name", NAME, 0
/* As op_fold.h has it. */
#define COLUMN_ALIGNMENT "pattern_bytes", U64, OFFSET(alignment_bytes)
#define COLUMN_PACKET_BYTES "pattern_bytes", U32, OFFSET(packet_bytes)
#define COLUMN_PACKET_COUNT "other_offset", U32, OFFSET(packet_count)
#define COLUMN_ARG_TYPE "flags", U32, OFFSET(image.type)

#define FAMILY_COLUMNS_MAX 12

/* Kinds up to `last`, from one more than the family before. */
struct family {
	berth_op_kind last;
	struct op_column columns[FAMILY_COLUMNS_MAX];
};

static const struct family families[] = {
	{ BERTH_OP_IMAGE_CREATE,
	  { { COLUMN_FLAGS },
	    { COLUMN_OTHER },
	    { COLUMN_OFFSET },
	    { COLUMN_BYTES },
	    { COLUMN_HOST },
	    { COLUMN_BITS },
	    { COLUMN_ABSENT } } },
	{ BERTH_OP_SVM_ALLOC,
	  { { COLUMN_FLAGS },
	    { COLUMN_BYTES },
	    { COLUMN_HOST },
	    { COLUMN_BITS },
	    { COLUMN_ALIGNMENT } } },
	{ BERTH_OP_SVM_FREE, { { COLUMN_BITS }, { COLUMN_ABSENT } } },
	{ BERTH_OP_RELEASE, { { NULL, U32, 0 } } },
	{ BERTH_OP_READ,
	  { { COLUMN_FORM },
	    { COLUMN_BITS },
	    { COLUMN_ABSENT },
	    { COLUMN_OFFSET },
	    { COLUMN_BYTES },
	    { COLUMN_HOST } } },
	{ BERTH_OP_UNMAP,
	  { { COLUMN_FORM },
	    { COLUMN_BITS },
	    { COLUMN_ABSENT },
	    { COLUMN_OFFSET },
	    { COLUMN_BYTES },
	    { COLUMN_HOST },
	    { COLUMN_FLAGS },
	    { COLUMN_OTHER },
	    { COLUMN_MAPPING },
	    { COLUMN_OTHER_OFFSET },
	    { COLUMN_PATTERN } } },
	{ BERTH_OP_LABEL,
	  { { COLUMN_FORM },
	    { COLUMN_BITS },
	    { COLUMN_ABSENT },
	    { COLUMN_FLAGS },
	    { COLUMN_NAME } } },
	{ BERTH_OP_PIPE_CREATE,
	  { { COLUMN_FLAGS },
	    { COLUMN_BITS },
	    { COLUMN_ABSENT },
	    { COLUMN_PACKET_BYTES },
	    { COLUMN_PACKET_COUNT } } },
	{ BERTH_OP_ARG,
	  { { COLUMN_FORM },
	    { COLUMN_ABSENT },
	    { COLUMN_BYTES },
	    { COLUMN_ARG_TYPE },
	    { COLUMN_NAME } } },
	{ BERTH_OP_DESTRUCTOR, { { COLUMN_ABSENT } } },
	{ BERTH_OP_ORDER, { { COLUMN_BYTES }, { COLUMN_NAME } } },
};

/* Before those of the family, for every op: seq, kind, status, object, queue. */
#define BASE_COLUMNS 5

#define FAMILY_COUNT (sizeof(families) / sizeof(families[0]))

struct berth__op_reader {
	berth_trace *trace;
	unsigned fields;
	sqlite3_stmt *statement;
	struct berth__side_reader *side;
	/* Written by the SQL functions when a row is stepped on. */
	struct {
		uint64_t seq, kind, object, queue;
		int64_t status;
		bool answered;
	} base;
	struct {
		uint64_t t_ns, duration_ns, thread, context;
		int digest_bytes;
		unsigned char digest[16];
	} more;
	uint64_t columns[FAMILY_COLUMNS_MAX];
	berth_trace_op row;
	bool ended;
};

/* ---- the SQL functions ---- */

/* take_op(seq, kind, status, object, queue, columns of the family...): one call a row. */
static void take_op(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct berth__op_reader *reader = sqlite3_user_data(context);

	reader->base.seq = (uint64_t)sqlite3_value_int64(values[0]);
	reader->base.kind = (uint64_t)sqlite3_value_int64(values[1]);
	reader->base.answered = sqlite3_value_type(values[2]) != SQLITE_NULL;
	reader->base.status = sqlite3_value_int64(values[2]);
	reader->base.object = (uint64_t)sqlite3_value_int64(values[3]);
	reader->base.queue = (uint64_t)sqlite3_value_int64(values[4]);
	for (int i = BASE_COLUMNS; i < count; i++)
		reader->columns[i - BASE_COLUMNS] = (uint64_t)sqlite3_value_int64(values[i]);
}

static void take_more(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct berth__op_reader *reader = sqlite3_user_data(context);
	const void *digest;

	(void)count;
	reader->more.t_ns = (uint64_t)sqlite3_value_int64(values[0]);
	reader->more.duration_ns = (uint64_t)sqlite3_value_int64(values[1]);
	reader->more.thread = (uint64_t)sqlite3_value_int64(values[2]);
	reader->more.context = (uint64_t)sqlite3_value_int64(values[3]);
	reader->more.digest_bytes = 0;
	if (sqlite3_value_type(values[4]) == SQLITE_NULL)
		return;
	digest = sqlite3_value_blob(values[4]);
	reader->more.digest_bytes = digest ? sqlite3_value_bytes(values[4]) : -1;
	if (reader->more.digest_bytes == sizeof(reader->more.digest))
		memcpy(reader->more.digest, digest, sizeof(reader->more.digest));
}

static berth_status register_functions(struct berth__op_reader *reader)
{
	/* DIRECTONLY: no view or column of the file can call them. */
	const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
	sqlite3 *db = reader->trace->db;

	if (sqlite3_create_function(db, "take_op", -1, flags, reader, take_op, NULL, NULL) ||
	    sqlite3_create_function(db, "take_more", 5, flags, reader, take_more, NULL, NULL))
		return berth__db_error(db, "use the trace");
	return BERTH_OK;
}

/* ---- statements ---- */

static berth_status prepare_ops(sqlite3_stmt **out, const struct berth__op_reader *reader)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendall(sql, "SELECT CASE");
	for (size_t i = 0; i < FAMILY_COUNT; i++) {
		const struct op_column *columns = families[i].columns;

		/* The last one also gets what is no kind at all, to be refused. */
		if (i + 1 < FAMILY_COUNT)
			sqlite3_str_appendf(sql, " WHEN kind <= %d THEN", (int)families[i].last);
		else
			sqlite3_str_appendall(sql, " ELSE");
		sqlite3_str_appendall(sql, " take_op(seq, kind, status, object, queue");
		for (int c = 0; c < FAMILY_COLUMNS_MAX && columns[c].name; c++)
			sqlite3_str_appendf(sql, ", %s", columns[c].name);
		sqlite3_str_appendall(sql, ")");
	}
	sqlite3_str_appendall(sql, " END");
	if (reader->fields & BERTH_TRACE_FIELDS_ALL)
		sqlite3_str_appendall(sql, ", take_more(t_ns, dur_ns, thread, context, digest)");
	sqlite3_str_appendall(sql, " FROM op WHERE seq > 0 ORDER BY seq");
	return berth__db_prepare_made(out, reader->trace->db, sql);
}

berth_status berth__op_reader_create(struct berth__op_reader **out, berth_trace *trace)
{
	struct berth__op_reader *reader = calloc(1, sizeof(*reader));
	berth_status st;

	if (!reader)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening a trace");
	reader->trace = trace;
	reader->fields = BERTH_TRACE_FIELDS_ALL;
	if ((st = register_functions(reader)) != BERTH_OK ||
	    (st = prepare_ops(&reader->statement, reader)) != BERTH_OK ||
	    (st = berth__side_reader_create(&reader->side, trace->db)) != BERTH_OK) {
		berth__op_reader_destroy(reader);
		return st;
	}
	*out = reader;
	return BERTH_OK;
}

void berth__op_reader_destroy(struct berth__op_reader *reader)
{
	if (!reader)
		return;
	sqlite3_finalize(reader->statement);
	berth__side_reader_destroy(reader->side);
	free(reader);
}

berth_status berth_trace_rewind(berth_trace *trace)
{
	struct berth__op_reader *reader = trace->ops;

	sqlite3_reset(reader->statement);
	berth__side_reader_rewind(reader->side);
	memset(&reader->row, 0, sizeof(reader->row));
	reader->ended = false;
	return BERTH_OK;
}

berth_status berth_trace_select(berth_trace *trace, unsigned fields)
{
	struct berth__op_reader *reader = trace->ops;
	sqlite3_stmt *statement = NULL;
	unsigned before = reader->fields;
	berth_status st;

	if (fields & ~(unsigned)BERTH_TRACE_FIELDS_ALL)
		return berth_error_set(BERTH_E_INVAL, 0, "fields %#x are not defined", fields);
	reader->fields = fields;
	if ((st = prepare_ops(&statement, reader)) != BERTH_OK) {
		reader->fields = before;
		return st;
	}
	sqlite3_finalize(reader->statement);
	reader->statement = statement;
	return berth_trace_rewind(trace);
}

/* ---- reading ---- */

static berth_status read_column(struct berth__op_reader *reader, const struct op_column *column,
				uint64_t value)
{
	berth_op *op = &reader->row.op;

	switch (column->target) {
	case U64:
		memcpy((char *)op + column->offset, &value, sizeof(value));
		return BERTH_OK;
	case U32: {
		uint32_t narrow = (uint32_t)value;

		memcpy((char *)op + column->offset, &narrow, sizeof(narrow));
		if (value <= UINT32_MAX)
			return BERTH_OK;
		break;
	}
	case FORM:
		op->form = (berth_op_form)value;
		if (value < BERTH_FORM_END)
			return BERTH_OK;
		break;
	case NAME:
		if (value == 0 ||
		    (op->name = berth__trace_names_find(&reader->trace->names, value)))
			return BERTH_OK;
		break;
	}
	return berth__trace_damaged("op", reader->row.seq, column->name, value);
}

static berth_status read_columns(struct berth__op_reader *reader)
{
	const struct family *family = families;
	berth_status st = BERTH_OK;

	while (family->last < reader->row.op.kind)
		family++;
	for (int i = 0; st == BERTH_OK && i < FAMILY_COLUMNS_MAX && family->columns[i].name; i++)
		st = read_column(reader, &family->columns[i], reader->columns[i]);
	return st;
}

/* Zero what the last row set: of the large structs only if it did. */
static void clear_row(struct berth__op_reader *reader)
{
	berth_trace_op *row = &reader->row;

	memset(&row->op, 0, offsetof(berth_op, region));
	row->op.image.type = 0;
	row->op.uses = NULL;
	row->op.use_count = 0;
	row->op.name = NULL;
	row->result.bytes = row->result.row_pitch_bytes = row->result.slice_pitch_bytes = 0;
	berth__side_reader_clear(reader->side, row);
}

static berth_status read_base(struct berth__op_reader *reader)
{
	berth_trace_op *row = &reader->row;

	if (reader->base.seq <= row->seq)
		return berth__trace_damaged("op", reader->base.seq, "seq", reader->base.seq);
	row->seq = reader->base.seq;
	if (!berth_op_kind_is_known(reader->base.kind))
		return berth__trace_damaged("op", row->seq, "kind", reader->base.kind);
	if (reader->base.status < INT32_MIN || reader->base.status > INT32_MAX)
		return berth__trace_damaged("op", row->seq, "status",
					    (uint64_t)reader->base.status);
	row->op.kind = (berth_op_kind)reader->base.kind;
	row->op.object = reader->base.object;
	row->op.queue = reader->base.queue;
	row->answered = reader->base.answered;
	row->result.cl_status = (int32_t)reader->base.status;
	return BERTH_OK;
}

static berth_status read_more(struct berth__op_reader *reader)
{
	berth_trace_op *row = &reader->row;

	if (reader->more.thread > UINT32_MAX)
		return berth__trace_damaged("op", row->seq, "thread", reader->more.thread);
	if (reader->more.context > UINT32_MAX)
		return berth__trace_damaged("op", row->seq, "context", reader->more.context);
	if (reader->more.digest_bytes && reader->more.digest_bytes != sizeof(row->digest))
		return berth__trace_damaged("op", row->seq, "digest",
					    (uint64_t)reader->more.digest_bytes);
	row->t_ns = reader->more.t_ns;
	row->result.duration_ns = reader->more.duration_ns;
	row->thread = (uint32_t)reader->more.thread;
	row->context = (uint32_t)reader->more.context;
	row->has_digest = reader->more.digest_bytes != 0;
	memcpy(row->digest, reader->more.digest, sizeof(row->digest));
	return berth__side_reader_read_more(reader->side, row);
}

berth_status berth_trace_next(const berth_trace_op **out, berth_trace *trace)
{
	struct berth__op_reader *reader = trace->ops;
	berth_status st;

	if (!reader->ended) {
		int code = sqlite3_step(reader->statement);

		if (code != SQLITE_ROW && code != SQLITE_DONE)
			return berth__db_error(trace->db, "read the trace");
		reader->ended = code == SQLITE_DONE;
	}
	if (reader->ended) {
		*out = NULL;
		return BERTH_OK;
	}
	clear_row(reader);
	if ((st = read_base(reader)) != BERTH_OK || (st = read_columns(reader)) != BERTH_OK ||
	    (st = berth__side_reader_read(reader->side, &reader->row)) != BERTH_OK)
		return st;
	if ((reader->fields & BERTH_TRACE_FIELDS_ALL) && (st = read_more(reader)) != BERTH_OK)
		return st;
	*out = &reader->row;
	return BERTH_OK;
}
