/* SPDX-License-Identifier: Apache-2.0 */
#include "residency_ops.h"

#include "db.h"
#include "residency_held.h"
#include "trace_store.h"

#include <CL/cl.h>

#include "mem_flags.h"

/* An object `o` and the one it lies on, `p`: what read_view() reads. */
#define VIEW_COLUMNS                                                                               \
	"o.id, o.root, o.kind, o.offset, p.offset, o.bytes, p.bytes, o.width, o.height,"           \
	" o.depth, o.array_size, o.element_bytes, o.flags, p.flags"
#define VIEW_JOIN(id) " LEFT JOIN object o ON o.id = " id " LEFT JOIN object p ON p.id = o.parent"

enum view_column {
	VIEW_OBJECT,
	VIEW_ROOT,
	VIEW_KIND,
	VIEW_OFFSET,
	VIEW_PARENT_OFFSET,
	VIEW_BYTES,
	VIEW_PARENT_BYTES,
	VIEW_WIDTH,
	VIEW_HEIGHT,
	VIEW_DEPTH,
	VIEW_ARRAY_SIZE,
	VIEW_ELEMENT_BYTES,
	VIEW_FLAGS,
	VIEW_PARENT_FLAGS,
	VIEW_COLUMN_COUNT
};

/* object.kind */
enum { KIND_IMAGE = 3 };

/* An image that lies on an object may touch all of that one: pitches are not looked at. */
static void read_view(struct berth__residency_view *out, sqlite3_stmt *row)
{
	bool image = sqlite3_column_int64(row, VIEW_KIND) == KIND_IMAGE;
	bool owner = berth__db_column(row, VIEW_OBJECT) == berth__db_column(row, VIEW_ROOT);
	bool on_object = image && !owner;

	*out = (struct berth__residency_view){
		.object = berth__db_column(row, VIEW_OBJECT),
		.root = berth__db_column(row, VIEW_ROOT),
		.base_bytes = berth__db_column(row, on_object ? VIEW_PARENT_OFFSET : VIEW_OFFSET),
		.bytes = berth__db_column(row, on_object ? VIEW_PARENT_BYTES : VIEW_BYTES),
		.owns_image = image && owner,
		.width = berth__db_column(row, VIEW_WIDTH),
		.height = berth__db_column(row, VIEW_HEIGHT),
		.element_bytes = berth__db_column(row, VIEW_ELEMENT_BYTES),
	};
	if (out->owns_image) {
		const uint64_t sizes[4] = {
			out->width,
			out->height,
			berth__db_column(row, VIEW_DEPTH),
			berth__db_column(row, VIEW_ARRAY_SIZE),
		};

		out->bytes = berth__residency_image_bytes(sizes, out->element_bytes);
	}
}

enum op_column {
	OP_SEQ = VIEW_COLUMN_COUNT,
	OP_KIND,
	OP_FORM,
	OP_FLAGS,
	OP_OFFSET,
	OP_BYTES,
	OP_MAPPING,
	OP_DURATION,
	OP_DIGEST,
	OP_ORIGIN,
	OP_EXTENT = OP_ORIGIN + 3,
	OP_ROW_PITCH = OP_EXTENT + 3,
	OP_SLICE_PITCH,
};

/* Kind 10 is a copy: what it changes is its other side. */
static const char ops_sql[] =
	"SELECT " VIEW_COLUMNS ", op.seq, op.kind, op.form, op.flags,"
	" CASE op.kind WHEN 10 THEN op.other_offset ELSE op.offset END, op.bytes, op.mapping,"
	" op.dur_ns, op.digest, r.origin_x, r.origin_y, r.origin_z, r.width, r.height, r.depth,"
	" r.row_pitch, r.slice_pitch FROM op" VIEW_JOIN(
		"CASE op.kind WHEN 10 THEN op.other ELSE op.object END") " LEFT JOIN region r ON "
									 "r.op = op.seq"
									 " WHERE op.seq > 0 AND "
									 "op.status = 0 ORDER BY "
									 "op.seq";

static const char uses_sql[] =
	"SELECT " VIEW_COLUMNS
	", u.access FROM op_object u" VIEW_JOIN("u.object") " WHERE u.op = ?1";

berth_status berth__residency_ops_prepare(sqlite3_stmt **out, sqlite3 *db)
{
	return berth__db_prepare(out, db, ops_sql);
}

berth_status berth__residency_uses_prepare(sqlite3_stmt **out, sqlite3 *db)
{
	return berth__db_prepare(out, db, uses_sql);
}

static berth_status read_digest(const uint8_t **out, sqlite3_stmt *row)
{
	int type = sqlite3_column_type(row, OP_DIGEST);
	const uint8_t *digest = NULL;
	int bytes = 0;

	if (type == SQLITE_BLOB) {
		digest = sqlite3_column_blob(row, OP_DIGEST);
		bytes = sqlite3_column_bytes(row, OP_DIGEST);
	}
	if (type != SQLITE_NULL && bytes != BERTH__RESIDENCY_DIGEST_BYTES)
		return berth__trace_damaged("op", berth__db_column(row, OP_SEQ), "digest",
					    (uint64_t)bytes);
	*out = digest;
	return BERTH_OK;
}

berth_status berth__residency_op_read(struct berth__residency_op *out, sqlite3_stmt *row)
{
	uint64_t kind = berth__db_column(row, OP_KIND), form = berth__db_column(row, OP_FORM);

	out->seq = berth__db_column(row, OP_SEQ);
	if (!berth_op_kind_is_known(kind))
		return berth__trace_damaged("op", out->seq, "kind", kind);
	if (form >= BERTH_FORM_END)
		return berth__trace_damaged("op", out->seq, "form", form);
	out->duration_ns = berth__db_column(row, OP_DURATION);
	read_view(&out->view, row);
	out->op = (berth_op){
		.kind = (berth_op_kind)kind,
		.form = (berth_op_form)form,
		.flags = berth__db_column(row, OP_FLAGS),
		.offset_bytes = berth__db_column(row, OP_OFFSET),
		.bytes = berth__db_column(row, OP_BYTES),
		.mapping = berth__db_column(row, OP_MAPPING),
		.region = { .row_pitch_bytes = berth__db_column(row, OP_ROW_PITCH),
			    .slice_pitch_bytes = berth__db_column(row, OP_SLICE_PITCH) },
	};
	for (int axis = 0; axis < 3; axis++) {
		out->op.region.origin[axis] = berth__db_column(row, OP_ORIGIN + axis);
		out->op.region.extent[axis] = berth__db_column(row, OP_EXTENT + axis);
	}
	return read_digest(&out->digest, row);
}

void berth__residency_use_read(struct berth__residency_use *out, sqlite3_stmt *row)
{
	uint64_t flags = berth__db_column(row, VIEW_FLAGS);

	/* Without flags of its own, what lies on an object has that one's. */
	if (!(flags & FLAGS_ACCESS))
		flags = berth__db_column(row, VIEW_PARENT_FLAGS);
	read_view(&out->view, row);
	out->access = (uint32_t)sqlite3_column_int(row, VIEW_COLUMN_COUNT);
	out->never_written = flags & CL_MEM_READ_ONLY;
}
