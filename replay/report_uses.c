/* SPDX-License-Identifier: Apache-2.0 */
/* What the named objects were used for: one pass over the ops, and over the lists of uses. */
#include "report_data.h"

#include "db.h"
#include "trace_store.h"

static const char ops_sql[] =
	"SELECT seq, kind, object, other, form, bytes FROM op"
	" WHERE status = 0 AND kind BETWEEN 8 AND 12 ORDER BY seq"; /* as move_of_kind */

static const char region_sql[] = "SELECT width, height, depth FROM region WHERE op = ?";

static const char uses_sql[] =
	"SELECT op, object FROM op_object WHERE object > 0 ORDER BY op, position";

static const int move_of_kind[BERTH_OP_KIND_END] = {
	[BERTH_OP_WRITE] = BERTH__REPORT_WRITE + 1, [BERTH_OP_READ] = BERTH__REPORT_READ + 1,
	[BERTH_OP_COPY] = BERTH__REPORT_COPY + 1,   [BERTH_OP_FILL] = BERTH__REPORT_FILL + 1,
	[BERTH_OP_MAP] = BERTH__REPORT_MAP + 1,
};

struct reader {
	struct berth__report *report;
	sqlite3_stmt *ops, *region;
};

static struct berth__report_object *named(struct berth__report *report, uint64_t id)
{
	uint32_t index = berth__report_map_find(&report->index, id);

	return index == BERTH__REPORT_NO_INDEX ? NULL : &report->objects[index];
}

static void count(struct berth__report_object *object, int move, uint64_t bytes, uint64_t seq)
{
	object->count[move]++;
	if (__builtin_add_overflow(object->bytes_moved[move], bytes, &object->bytes_moved[move]))
		object->bytes_moved[move] = UINT64_MAX;
	if (!object->first_use || seq < object->first_use)
		object->first_use = seq;
	if (seq > object->last_use)
		object->last_use = seq;
}

/* Bytes of a box; pixels are those of the image. */
static berth_status region_bytes(uint64_t *out, struct reader *reader, uint64_t seq, uint64_t form,
				 uint32_t element_bytes)
{
	berth_op op = { .kind = BERTH_OP_COPY, .form = (berth_op_form)form };
	berth_status st = BERTH_OK;
	int code;

	berth__db_bind(reader->region, 1, seq);
	*out = 0;
	if ((code = sqlite3_step(reader->region)) == SQLITE_ROW) {
		for (int axis = 0; axis < 3; axis++)
			op.region.extent[axis] = berth__db_column(reader->region, axis);
		if (berth_op_moved_bytes(out, &op, element_bytes) != BERTH_OK)
			*out = UINT64_MAX;
	} else if (code != SQLITE_DONE) {
		st = berth__db_error(reader->report->trace->db, "read a region");
	}
	sqlite3_reset(reader->region);
	return st;
}

static berth_status take_op(struct reader *reader)
{
	uint64_t seq = berth__db_column(reader->ops, 0), kind = berth__db_column(reader->ops, 1);
	uint64_t form = berth__db_column(reader->ops, 4), bytes = berth__db_column(reader->ops, 5);
	int move = kind < BERTH_OP_KIND_END ? move_of_kind[kind] - 1 : -1;
	struct berth__report_object *from, *to = NULL;
	berth_status st = BERTH_OK;

	if (move < 0)
		return BERTH_OK;
	from = named(reader->report, berth__db_column(reader->ops, 2));
	if (move == BERTH__REPORT_COPY)
		to = named(reader->report, berth__db_column(reader->ops, 3));
	if (!from && !to)
		return BERTH_OK;
	if (form < BERTH_FORM_END && !berth_op_form_is_linear((berth_op_form)form)) {
		uint32_t element = from && from->element_bytes ? from->element_bytes
				   : to			       ? to->element_bytes
							       : 0;

		st = region_bytes(&bytes, reader, seq, form, element);
	}
	if (from)
		count(from, move, bytes, seq);
	if (to && to != from)
		count(to, move, bytes, seq);
	return st;
}

static berth_status take_ops(struct berth__report *report)
{
	struct reader reader = { .report = report };
	sqlite3 *db = report->trace->db;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&reader.ops, db, ops_sql);

	if (st == BERTH_OK)
		st = berth__db_prepare(&reader.region, db, region_sql);
	while (st == BERTH_OK && (code = sqlite3_step(reader.ops)) == SQLITE_ROW) {
		st = take_op(&reader);
		berth__report_progress(report, "transfers", berth__db_column(reader.ops, 0));
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(db, "read the ops");
	sqlite3_finalize(reader.ops);
	sqlite3_finalize(reader.region);
	return st;
}

static berth_status take_uses(struct berth__report *report)
{
	sqlite3_stmt *rows = NULL;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&rows, report->trace->db, uses_sql);

	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		uint64_t seq = berth__db_column(rows, 0);
		struct berth__report_object *object = named(report, berth__db_column(rows, 1));

		if (object)
			count(object, BERTH__REPORT_USE, 0, seq);
		berth__report_progress(report, "kernels", seq);
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(report->trace->db, "read the uses");
	sqlite3_finalize(rows);
	return st;
}

berth_status berth__report_find_uses(struct berth__report *report)
{
	berth_status st = take_ops(report);

	return st == BERTH_OK ? take_uses(report) : st;
}
