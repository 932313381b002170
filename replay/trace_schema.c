/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schema as SQL. SQLite keeps the comments, so that `.schema` in its shell
 * documents a trace. Numbers that are unsigned 64-bit in OpenCL stand as the
 * signed integer of the same bits. NULL: not there, or not used by the op's kind.
 */
#include "trace_schema.h"

#include "db.h"

#include <berth/op.h>
#include <berth/trace.h>

#include <string.h>

static const char tables_sql[] =
	"CREATE TABLE meta( -- facts about the recording\n"
	"\tkey TEXT PRIMARY KEY,\n"
	"\tvalue\n"
	") WITHOUT ROWID;\n"

	"CREATE TABLE device( -- a device that the program made a context on\n"
	"\tid INTEGER PRIMARY KEY,\n"
	"\tname TEXT, vendor TEXT, platform TEXT, device_version TEXT, driver_version TEXT,\n"
	"\tcl_version INTEGER, -- major * 100 + minor * 10\n"
	"\tglobal_mem_bytes INTEGER, max_alloc_bytes INTEGER, local_mem_bytes INTEGER,\n"
	"\tbase_addr_align_bits INTEGER, cacheline_bytes INTEGER, host_unified INTEGER,\n"
	"\tsvm_caps INTEGER, -- cl_device_svm_capabilities\n"
	"\timages INTEGER, -- 1: images are supported\n"
	"\timage2d_max_width INTEGER, image2d_max_height INTEGER, -- pixels\n"
	"\timage3d_max_width INTEGER, image3d_max_height INTEGER, image3d_max_depth INTEGER,\n"
	"\timage_max_buffer_px INTEGER, image_max_array INTEGER,\n"
	"\timage2d_from_buffer INTEGER, -- 1: 2D images on buffers can be made\n"
	"\timage_pitch_align INTEGER, image_base_align INTEGER, -- in pitch_unit\n"
	"\tpitch_unit INTEGER -- 0: pixels, 1: bytes\n"
	");\n"

	"CREATE TABLE capability( -- of a device, what has no column: the field of berth_caps\n"
	"\tdevice INTEGER, name TEXT, value INTEGER,\n"
	"\tPRIMARY KEY(device, name)\n"
	") WITHOUT ROWID;\n"

	"CREATE TABLE format( -- a supported 2D image format\n"
	"\tdevice INTEGER, position INTEGER,\n"
	"\tchannel_order INTEGER, channel_type INTEGER, -- cl_image_format\n"
	"\taccess INTEGER, -- bits: 1 read, 2 write, 4 read and write\n"
	"\tPRIMARY KEY(device, position)\n"
	") WITHOUT ROWID;\n"

	"CREATE TABLE queue( -- a command queue\n"
	"\tid INTEGER PRIMARY KEY,\n"
	"\tcontext INTEGER, device INTEGER,\n"
	"\tproperties INTEGER -- cl_command_queue_properties\n"
	");\n"

	"CREATE TABLE name( -- a kernel's name or a label's text, once\n"
	"\tid INTEGER PRIMARY KEY,\n"
	"\ttext TEXT\n"
	");\n"

	"CREATE TABLE object( -- a memory object that was made\n"
	"\tid INTEGER PRIMARY KEY, -- never used twice, unlike the driver's handles\n"
	"\tkind INTEGER, -- 1 buffer, 2 sub-buffer, 3 image, 4 SVM, 5 pipe\n"
	"\tparent INTEGER, -- object it lies on; NULL: it owns its memory\n"
	"\troot INTEGER, -- object that owns the memory, maybe itself; NULL: not known\n"
	"\tcontext INTEGER,\n"
	"\tflags INTEGER, -- cl_mem_flags as passed\n"
	"\tbytes INTEGER, -- as the driver says, else as asked for\n"
	"\toffset INTEGER, -- bytes, of a sub-buffer in its parent\n"
	"\timage_type INTEGER, -- cl_mem_object_type\n"
	"\tchannel_order INTEGER, channel_type INTEGER,\n"
	"\twidth INTEGER, height INTEGER, depth INTEGER, array_size INTEGER, -- pixels, images\n"
	"\telement_bytes INTEGER, -- of a pixel\n"
	"\trow_pitch INTEGER, slice_pitch INTEGER, -- bytes, as the driver says, else as passed\n"
	"\thost_address INTEGER,\n"
	"\tlabel TEXT,\n"
	"\trefs INTEGER, -- the program's references when the recording ended\n"
	"\tcreated_op INTEGER, -- op.seq\n"
	"\treleased_op INTEGER -- op.seq of the last release; NULL: never\n"
	");\n"

	"CREATE TABLE op( -- a call, in the order of completion\n"
	"\tseq INTEGER PRIMARY KEY, -- from 1\n"
	"\tkind INTEGER, -- op_kind.id\n"
	"\tstatus INTEGER, -- the driver's answer, 0 = CL_SUCCESS; NULL: never returned\n"
	"\tobject INTEGER, -- object.id; NULL: a NULL handle; -1: a handle of no known object\n"
	"\tqueue INTEGER,\n"
	"\tform INTEGER, -- 1 linear, 2 rect, 3 image, 4 image to buffer, 5 buffer to image, 6 SVM\n"
	"\tbits INTEGER, -- 1: blocking\n"
	"\tabsent INTEGER, -- BERTH_ABSENT_* bits: pointers that were NULL\n"
	"\toffset INTEGER, bytes INTEGER, -- bytes, in object\n"
	"\thost_address INTEGER, -- as passed\n"
	"\tflags INTEGER, -- cl_mem_flags, cl_map_flags or cl_mem_migration_flags\n"
	"\tother INTEGER, -- parent of a new object, destination of a copy\n"
	"\tmapping INTEGER, -- id of a mapping, never used twice\n"
	"\tother_offset INTEGER, -- bytes, in other\n"
	"\tpattern_bytes INTEGER, -- of a fill\n"
	"\tname INTEGER, -- name.id: kernel of a use, text of a label\n"
	"\tt_ns INTEGER, -- when the call began, since the recording began\n"
	"\tdur_ns INTEGER, -- how long it took\n"
	"\tthread INTEGER, -- the system's thread id\n"
	"\tcontext INTEGER,\n"
	"\tdigest BLOB -- XXH3-128, canonical form, of the host bytes without pitch gaps\n"
	");\n"

	"CREATE TABLE region( -- the box of a rect or image op\n"
	"\top INTEGER PRIMARY KEY,\n"
	"\torigin_x INTEGER, origin_y INTEGER, origin_z INTEGER, -- x: bytes (rect) or pixels\n"
	"\tother_x INTEGER, other_y INTEGER, other_z INTEGER,\n"
	"\twidth INTEGER, height INTEGER, depth INTEGER,\n"
	"\trow_pitch INTEGER, slice_pitch INTEGER, -- bytes, as passed\n"
	"\tother_row_pitch INTEGER, other_slice_pitch INTEGER\n"
	");\n"

	"CREATE TABLE image( -- what an image_create asked for\n"
	"\top INTEGER PRIMARY KEY,\n"
	"\ttype INTEGER, channel_order INTEGER, channel_type INTEGER,\n"
	"\tmip_levels INTEGER, samples INTEGER,\n"
	"\twidth INTEGER, height INTEGER, depth INTEGER, array_size INTEGER,\n"
	"\trow_pitch INTEGER, slice_pitch INTEGER\n"
	");\n"

	"CREATE TABLE result( -- what the driver said of a new object or a mapping\n"
	"\top INTEGER PRIMARY KEY,\n"
	"\tbytes INTEGER, row_pitch INTEGER, slice_pitch INTEGER\n"
	");\n"

	"CREATE TABLE op_object( -- an object in the list of a use or a migrate\n"
	"\top INTEGER, position INTEGER,\n"
	"\tobject INTEGER,\n"
	"\targ INTEGER, -- index of the kernel argument\n"
	"\taccess INTEGER, -- bits: 1 read, 2 write; 0: not known\n"
	"\tPRIMARY KEY(op, position)\n"
	") WITHOUT ROWID;\n"

	"CREATE TABLE op_event( -- events of a command, or of a call on events\n"
	"\top INTEGER, position INTEGER,\n"
	"\tevent INTEGER, -- never used twice; -1: not known\n"
	"\trole INTEGER, -- 1: the op gave it, 2: waited for it, 3: found it complete\n"
	"\tPRIMARY KEY(op, position)\n"
	") WITHOUT ROWID;\n"

	"CREATE TABLE command_time( -- when a command ran, by the device's clock\n"
	"\tevent INTEGER PRIMARY KEY,\n"
	"\tqueued_ns INTEGER, submitted_ns INTEGER, started_ns INTEGER, ended_ns INTEGER\n"
	");\n"

	"CREATE TABLE payload( -- content, once, in pieces\n"
	"\tdigest BLOB, -- op.digest\n"
	"\toffset INTEGER, bytes BLOB,\n"
	"\tPRIMARY KEY(digest, offset)\n"
	") WITHOUT ROWID;\n"

	"CREATE TABLE op_stack( -- where in the program an op was called\n"
	"\top INTEGER PRIMARY KEY, stack INTEGER\n"
	");\n"

	"CREATE TABLE stack( -- a call stack, once\n"
	"\tid INTEGER, position INTEGER, -- 0: innermost\n"
	"\tframe INTEGER, -- frame.id\n"
	"\tPRIMARY KEY(id, position)\n"
	") WITHOUT ROWID;\n"

	"CREATE TABLE frame( -- a place in the program\n"
	"\tid INTEGER PRIMARY KEY,\n"
	"\tmodule INTEGER, -- NULL: in no file\n"
	"\taddress INTEGER, -- in the module's file; without one, in the process\n"
	"\tfunction TEXT, file TEXT, line INTEGER -- NULL: not known\n"
	");\n"
	/* coalesce: NULLs would be all different. */
	"CREATE UNIQUE INDEX frame_place ON frame(coalesce(module, 0), address);\n"

	"CREATE TABLE module( -- a file that the program ran code of\n"
	"\tid INTEGER PRIMARY KEY, path TEXT, build_id TEXT, -- hex\n"
	"\tstart INTEGER, end INTEGER, bias INTEGER -- addresses in the process\n"
	");\n"

	"CREATE TABLE op_kind(id INTEGER PRIMARY KEY, name TEXT);\n"
	"CREATE TABLE op_form(id INTEGER PRIMARY KEY, name TEXT);\n"
	"CREATE TABLE object_kind(id INTEGER PRIMARY KEY, name TEXT);\n"
	"INSERT INTO object_kind VALUES(1, 'buffer'), (2, 'subbuffer'), (3, 'image'),\n"
	"\t(4, 'svm'), (5, 'pipe');\n"

	"CREATE TABLE untracked( -- calls that were seen but are not modelled\n"
	"\tname TEXT PRIMARY KEY, count INTEGER\n"
	") WITHOUT ROWID;\n";

static berth_status insert_kinds(sqlite3 *db)
{
	static const struct {
		int id;
		const char *name;
	} kinds[] = {
#define X(name, value, string) { value, string },
		BERTH_OP_KIND_MAP(X)
#undef X
	};
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		st = berth__db_execf(db, "INSERT INTO op_kind VALUES(%d, %Q)", kinds[i].id,
				     kinds[i].name);
	for (int form = BERTH_FORM_LINEAR; st == BERTH_OK && form < BERTH_FORM_END; form++)
		st = berth__db_execf(db, "INSERT INTO op_form VALUES(%d, %Q)", form,
				     berth_op_form_string((berth_op_form)form));
	return st;
}

berth_status berth__trace_schema_create(sqlite3 *db)
{
	berth_status st;

	if ((st = berth__db_exec(db, tables_sql)) != BERTH_OK ||
	    (st = insert_kinds(db)) != BERTH_OK ||
	    (st = berth__trace_views_create(db)) != BERTH_OK)
		return st;
	return berth__db_execf(db, "PRAGMA application_id = %d; PRAGMA user_version = %d",
			       BERTH_TRACE_APPLICATION_ID, BERTH_TRACE_VERSION);
}

bool berth__trace_has_table(sqlite3 *db, const char *table)
{
	return sqlite3_table_column_metadata(db, "main", table, NULL, NULL, NULL, NULL, NULL,
					     NULL) == SQLITE_OK;
}

static berth_status verify_is_table(sqlite3 *db, const char *table)
{
	sqlite3_stmt *statement = NULL;
	berth_status st;
	int found;

	st = berth__db_prepare(&statement, db,
			       "SELECT 1 FROM sqlite_master WHERE name = ?1 AND type = 'table'"
			       " AND rootpage > 0");
	if (st != BERTH_OK)
		return st;
	berth__db_bind_text(statement, 1, table);
	found = sqlite3_step(statement);
	if (found == SQLITE_DONE)
		st = berth_error_set(BERTH_E_FORMAT, 0, "damaged trace: table '%s' is missing",
				     table);
	else if (found != SQLITE_ROW)
		st = berth__db_error(db, "read the schema");
	sqlite3_finalize(statement);
	return st;
}

/* Both statements list (name, hidden) of one table's columns. */
static berth_status verify_columns(sqlite3_stmt *expected, sqlite3_stmt *actual, const char *table)
{
	for (;;) {
		int more = sqlite3_step(expected);
		int has = sqlite3_step(actual);
		const char *want, *name;

		if (more == SQLITE_DONE && has == SQLITE_DONE)
			return BERTH_OK;
		if (more != SQLITE_ROW && more != SQLITE_DONE)
			return berth__db_error(sqlite3_db_handle(expected), "read the schema");
		if (has != SQLITE_ROW && has != SQLITE_DONE)
			return berth__db_error(sqlite3_db_handle(actual), "read the schema");
		want = more == SQLITE_ROW ? (const char *)sqlite3_column_text(expected, 0) : "none";
		name = has == SQLITE_ROW ? (const char *)sqlite3_column_text(actual, 0) : "none";
		if (!want || !name)
			return berth_error_set(BERTH_E_NOMEM, 0,
					       "out of memory reading the schema");
		if (sqlite3_stricmp(want, name) != 0 ||
		    (has == SQLITE_ROW && sqlite3_column_int(actual, 1) != 0))
			return berth_error_set(
				BERTH_E_FORMAT, 0,
				"damaged trace: table '%s' has column '%s' where '%s' belongs",
				table, name, want);
	}
}

/* Tables that traces of version 1 did not have from the beginning. */
static bool is_missing_rightly(sqlite3 *db, const char *table)
{
	static const char *const later[] = { "capability", "op_event", "command_time", "payload",
					     "op_stack",   "stack",    "frame",	       "module" };

	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		if (strcmp(table, later[i]) == 0)
			return !berth__trace_has_table(db, table);
	return false;
}

static berth_status verify_table(sqlite3 *reference, sqlite3 *db, const char *table)
{
	static const char columns_sql[] = "SELECT name, hidden FROM pragma_table_xinfo(?1)";
	sqlite3_stmt *expected = NULL, *actual = NULL;
	berth_status st;

	if (is_missing_rightly(db, table))
		return BERTH_OK;
	if ((st = verify_is_table(db, table)) != BERTH_OK ||
	    (st = berth__db_prepare(&expected, reference, columns_sql)) != BERTH_OK ||
	    (st = berth__db_prepare(&actual, db, columns_sql)) != BERTH_OK)
		goto out;
	berth__db_bind_text(expected, 1, table);
	berth__db_bind_text(actual, 1, table);
	st = verify_columns(expected, actual, table);
out:
	sqlite3_finalize(expected);
	sqlite3_finalize(actual);
	return st;
}

/* The reference is the schema itself, made in memory: nothing to keep in step by hand. */
berth_status berth__trace_schema_verify(sqlite3 *db)
{
	sqlite3 *reference = NULL;
	sqlite3_stmt *tables = NULL;
	berth_status st;
	int rc;

	if (sqlite3_open(":memory:", &reference) != SQLITE_OK) {
		st = berth_error_set(BERTH_E_NOMEM, 0, "out of memory reading the schema");
		goto out;
	}
	if ((st = berth__db_exec(reference, tables_sql)) != BERTH_OK ||
	    (st = berth__db_prepare(&tables, reference,
				    "SELECT name FROM sqlite_master WHERE type = 'table'")) !=
		    BERTH_OK)
		goto out;
	while (st == BERTH_OK && (rc = sqlite3_step(tables)) == SQLITE_ROW) {
		const char *table;

		if ((st = berth__db_text(&table, tables, 0)) == BERTH_OK)
			st = verify_table(reference, db, table);
	}
	if (st == BERTH_OK && rc != SQLITE_DONE)
		st = berth__db_error(reference, "read the schema");
out:
	sqlite3_finalize(tables);
	sqlite3_close(reference);
	return st;
}
