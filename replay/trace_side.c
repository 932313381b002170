/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_side.h"

#include "db.h"
#include "trace_schema.h"
#include "trace_store.h"
#include "trace_write.h"

#include <stdlib.h>
#include <string.h>

enum { REGION, IMAGE, RESULT, OP_OBJECT, OP_EVENT, OP_STACK, CURSOR_COUNT };

#define SIDE_COLUMNS_MAX 14

static const struct side_table {
	const char *name;
	const char *columns; /* the first says the op */
	const char *order;
} side_tables[CURSOR_COUNT] = {
	[REGION] = { "region",
		     "op, origin_x, origin_y, origin_z, other_x, other_y, other_z, width, height,"
		     " depth, row_pitch, slice_pitch, other_row_pitch, other_slice_pitch",
		     "op" },
	[IMAGE] = { "image",
		    "op, type, channel_order, channel_type, mip_levels, samples, width, height,"
		    " depth, array_size, row_pitch, slice_pitch",
		    "op" },
	[RESULT] = { "result", "op, bytes, row_pitch, slice_pitch", "op" },
	[OP_OBJECT] = { "op_object", "op, position, object, arg, access", "op, position" },
	[OP_EVENT] = { "op_event", "op, position, event, role", "op, position" },
	[OP_STACK] = { "op_stack", "op, stack", "op" },
};

struct cursor {
	sqlite3_stmt *statement;
	bool started;
	bool ended;
	uint64_t values[SIDE_COLUMNS_MAX]; /* of the row it stands on; [0] is the op */
};

struct berth__side_reader {
	sqlite3 *db;
	struct cursor cursors[CURSOR_COUNT];
	bool region_set, image_set; /* in the row given last: to be cleared */
	berth_object_use *uses;
	uint32_t use_capacity;
	berth_op_event *events;
	uint32_t event_capacity;
};

/* Rows of one op have positions. */
static bool is_list(int index)
{
	return index == OP_OBJECT || index == OP_EVENT;
}

/* take_side(cursor, value...): called when a row is stepped on. */
static void take_side(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct berth__side_reader *reader = sqlite3_user_data(context);
	struct cursor *cursor = &reader->cursors[sqlite3_value_int(values[0])];

	for (int i = 1; i < count; i++)
		cursor->values[i - 1] = (uint64_t)sqlite3_value_int64(values[i]);
}

static berth_status prepare_cursor(struct berth__side_reader *reader, int index)
{
	const struct side_table *table = &side_tables[index];
	sqlite3_str *sql;

	/* Traces of older recorders lack some: then no op has rows there. */
	if (!berth__trace_has_table(reader->db, table->name)) {
		reader->cursors[index].ended = true;
		return BERTH_OK;
	}
	sql = sqlite3_str_new(NULL);
	sqlite3_str_appendf(sql, "SELECT take_side(%d, %s) FROM %s WHERE op > 0 ORDER BY %s", index,
			    table->columns, table->name, table->order);
	return berth__db_prepare_made(&reader->cursors[index].statement, reader->db, sql);
}

berth_status berth__side_reader_create(struct berth__side_reader **out, sqlite3 *db)
{
	struct berth__side_reader *reader = calloc(1, sizeof(*reader));
	berth_status st = BERTH_OK;

	if (!reader)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening a trace");
	reader->db = db;
	/* DIRECTONLY: no view or column of the file can call it. */
	if (sqlite3_create_function(db, "take_side", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, reader,
				    take_side, NULL, NULL) != SQLITE_OK)
		st = berth__db_error(db, "use the trace");
	for (int i = 0; st == BERTH_OK && i < CURSOR_COUNT; i++)
		st = prepare_cursor(reader, i);
	if (st != BERTH_OK) {
		berth__side_reader_destroy(reader);
		return st;
	}
	*out = reader;
	return BERTH_OK;
}

void berth__side_reader_destroy(struct berth__side_reader *reader)
{
	if (!reader)
		return;
	for (int i = 0; i < CURSOR_COUNT; i++)
		sqlite3_finalize(reader->cursors[i].statement);
	free(reader->uses);
	free(reader->events);
	free(reader);
}

void berth__side_reader_rewind(struct berth__side_reader *reader)
{
	for (int i = 0; i < CURSOR_COUNT; i++) {
		sqlite3_reset(reader->cursors[i].statement);
		reader->cursors[i].started = false;
		reader->cursors[i].ended = !reader->cursors[i].statement;
	}
	reader->region_set = reader->image_set = false;
}

void berth__side_reader_clear(struct berth__side_reader *reader, berth_trace_op *row)
{
	if (reader->region_set)
		memset(&row->op.region, 0, sizeof(row->op.region));
	if (reader->image_set)
		memset(&row->op.image, 0, sizeof(row->op.image));
	reader->region_set = reader->image_set = false;
}

/* To the next row; checks that rows are in order, since those of a forged file may not be. */
static berth_status cursor_step(struct berth__side_reader *reader, int index)
{
	struct cursor *cursor = &reader->cursors[index];
	uint64_t op = cursor->values[0], position = cursor->values[1];
	bool in_order;

	switch (sqlite3_step(cursor->statement)) {
	case SQLITE_ROW:
		break;
	case SQLITE_DONE:
		cursor->ended = true;
		return BERTH_OK;
	default:
		return berth__db_error(reader->db, "read the trace");
	}
	in_order = cursor->values[0] > op ||
		   (is_list(index) && cursor->values[0] == op && cursor->values[1] > position);
	if (cursor->started && !in_order)
		return berth__trace_damaged(side_tables[index].name, cursor->values[0], "op",
					    cursor->values[0]);
	cursor->started = true;
	return BERTH_OK;
}

/* *found: the cursor stands on a row of op `seq`. */
static berth_status cursor_seek(bool *found, struct berth__side_reader *reader, int index,
				uint64_t seq)
{
	struct cursor *cursor = &reader->cursors[index];
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && !cursor->ended && (!cursor->started || cursor->values[0] < seq))
		st = cursor_step(reader, index);
	*found = st == BERTH_OK && !cursor->ended && cursor->values[0] == seq;
	return st;
}

static berth_status read_region(struct berth__side_reader *reader, berth_trace_op *row)
{
	const uint64_t *v = reader->cursors[REGION].values + 1;
	berth_region *region = &row->op.region;
	bool found;
	berth_status st = cursor_seek(&found, reader, REGION, row->seq);

	if (st != BERTH_OK)
		return st;
	if (!found)
		return berth__trace_damaged("op", row->seq, "form", row->op.form);
	*region = (berth_region){
		.origin = { v[0], v[1], v[2] },
		.other_origin = { v[3], v[4], v[5] },
		.extent = { v[6], v[7], v[8] },
		.row_pitch_bytes = v[9],
		.slice_pitch_bytes = v[10],
		.other_row_pitch_bytes = v[11],
		.other_slice_pitch_bytes = v[12],
	};
	reader->region_set = true;
	return BERTH_OK;
}

static berth_status read_image(struct berth__side_reader *reader, berth_trace_op *row)
{
	const uint64_t *v = reader->cursors[IMAGE].values + 1;
	bool found;
	berth_status st = cursor_seek(&found, reader, IMAGE, row->seq);

	if (st != BERTH_OK)
		return st;
	if (!found)
		return berth__trace_damaged("op", row->seq, "kind", row->op.kind);
	for (int i = 0; i < 5; i++) {
		if (v[i] > UINT32_MAX)
			return berth__trace_damaged("image", row->seq, "type to samples", v[i]);
	}
	row->op.image = (berth_image){
		.type = (uint32_t)v[0],
		.order = (uint32_t)v[1],
		.channel_type = (uint32_t)v[2],
		.mip_levels = (uint32_t)v[3],
		.samples = (uint32_t)v[4],
		.width = v[5],
		.height = v[6],
		.depth = v[7],
		.array_size = v[8],
		.row_pitch_bytes = v[9],
		.slice_pitch_bytes = v[10],
	};
	reader->image_set = true;
	return BERTH_OK;
}

static berth_status read_result(struct berth__side_reader *reader, berth_trace_op *row)
{
	const uint64_t *v = reader->cursors[RESULT].values + 1;
	bool found;
	berth_status st = cursor_seek(&found, reader, RESULT, row->seq);

	if (st != BERTH_OK || !found)
		return st;
	row->result.bytes = v[0];
	row->result.row_pitch_bytes = v[1];
	row->result.slice_pitch_bytes = v[2];
	return BERTH_OK;
}

/* Room for the item at `index` of a list. */
static berth_status reserve(void **items, uint32_t *capacity, uint32_t index, size_t item_bytes)
{
	uint32_t wanted = index ? index * 2 : 16;
	void *grown;

	if (index < *capacity)
		return BERTH_OK;
	grown = reallocarray(*items, wanted, item_bytes);
	if (!grown)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory reading a trace");
	*items = grown;
	*capacity = wanted;
	return BERTH_OK;
}

static berth_status take_use(struct berth__side_reader *reader, uint32_t index)
{
	const uint64_t *v = reader->cursors[OP_OBJECT].values;
	berth_status st;

	if (index == BERTH__USES_MAX || v[3] > UINT32_MAX || v[4] > UINT32_MAX)
		return berth__trace_damaged("op_object", v[0], "position, arg or access", index);
	st = reserve((void **)&reader->uses, &reader->use_capacity, index, sizeof(*reader->uses));
	if (st == BERTH_OK)
		reader->uses[index] =
			(berth_object_use){ v[2], (uint32_t)v[3], (uint32_t)v[4] };
	return st;
}

static berth_status take_event(struct berth__side_reader *reader, uint32_t index)
{
	const uint64_t *v = reader->cursors[OP_EVENT].values;
	berth_status st;

	if (index == BERTH__USES_MAX || v[3] < BERTH_EVENT_GIVEN || v[3] > BERTH_EVENT_COMPLETE)
		return berth__trace_damaged("op_event", v[0], "position or role", v[3]);
	st = reserve((void **)&reader->events, &reader->event_capacity, index,
		     sizeof(*reader->events));
	if (st == BERTH_OK)
		reader->events[index] = (berth_op_event){ v[2], (berth_event_role)v[3] };
	return st;
}

/* Take each row of the op. */
static berth_status read_list(uint32_t *count, struct berth__side_reader *reader, int index,
			      uint64_t seq,
			      berth_status (*take)(struct berth__side_reader *reader,
						   uint32_t index))
{
	struct cursor *cursor = &reader->cursors[index];
	bool found;
	berth_status st = cursor_seek(&found, reader, index, seq);

	*count = 0;
	while (st == BERTH_OK && found) {
		if ((st = take(reader, (*count)++)) == BERTH_OK &&
		    (st = cursor_step(reader, index)) == BERTH_OK)
			found = !cursor->ended && cursor->values[0] == seq;
	}
	return st;
}

static berth_status read_uses(struct berth__side_reader *reader, berth_trace_op *row)
{
	berth_status st = read_list(&row->op.use_count, reader, OP_OBJECT, row->seq, take_use);

	row->op.uses = reader->uses;
	return st;
}

berth_status berth__side_reader_read_more(struct berth__side_reader *reader, berth_trace_op *row)
{
	bool found;
	berth_status st;

	if ((st = read_list(&row->event_count, reader, OP_EVENT, row->seq, take_event)) !=
		    BERTH_OK ||
	    (st = cursor_seek(&found, reader, OP_STACK, row->seq)) != BERTH_OK)
		return st;
	row->events = row->event_count ? reader->events : NULL;
	row->stack = found ? reader->cursors[OP_STACK].values[1] : 0;
	return BERTH_OK;
}

berth_status berth__side_reader_read(struct berth__side_reader *reader, berth_trace_op *row)
{
	const berth_op *op = &row->op;
	berth_status st = BERTH_OK;

	if (berth_op_form_has_region(op->form))
		st = read_region(reader, row);
	if (st == BERTH_OK && op->kind == BERTH_OP_IMAGE_CREATE)
		st = read_image(reader, row);
	if (st == BERTH_OK && (berth_op_kind_creates(op->kind) || op->kind == BERTH_OP_MAP))
		st = read_result(reader, row);
	if (st == BERTH_OK && berth_op_kind_has_list(op->kind))
		st = read_uses(reader, row);
	return st;
}
