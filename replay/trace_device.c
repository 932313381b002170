/* SPDX-License-Identifier: Apache-2.0 */
/* One table pairs each column of `device` with its field, for both directions. */
#include "trace_device.h"

#include "db.h"
#include "trace_schema.h"

#include <inttypes.h>
#include <string.h>

enum field_type { TEXT, U32, U64, FLAG };

struct caps_column {
	const char *name;
	enum field_type type;
	size_t offset;
	size_t bytes;
};

/* clang-format off */
#define COLUMN(type, field)                                                                        \
	{ #field, type, offsetof(berth_caps, field), sizeof(((berth_caps *)0)->field) }
/* clang-format on */

static const struct caps_column columns[] = {
	COLUMN(TEXT, name),
	COLUMN(TEXT, vendor),
	COLUMN(TEXT, platform),
	COLUMN(TEXT, device_version),
	COLUMN(TEXT, driver_version),
	COLUMN(U32, cl_version),
	COLUMN(U64, global_mem_bytes),
	COLUMN(U64, max_alloc_bytes),
	COLUMN(U64, local_mem_bytes),
	COLUMN(U32, base_addr_align_bits),
	COLUMN(U32, cacheline_bytes),
	COLUMN(FLAG, host_unified),
	COLUMN(U64, svm_caps),
	COLUMN(FLAG, images),
	COLUMN(U64, image2d_max_width),
	COLUMN(U64, image2d_max_height),
	COLUMN(U64, image3d_max_width),
	COLUMN(U64, image3d_max_height),
	COLUMN(U64, image3d_max_depth),
	COLUMN(U64, image_max_buffer_px),
	COLUMN(U64, image_max_array),
	COLUMN(FLAG, image2d_from_buffer),
	COLUMN(U32, image_pitch_align),
	COLUMN(U32, image_base_align),
	COLUMN(U32, pitch_unit),
};

/* What came later is in the table `capability`: older traces have no column for it. */
static const struct caps_column capabilities[] = {
	COLUMN(U32, pipe_max_packet_bytes),
};

#define CAPABILITY_COUNT (sizeof(capabilities) / sizeof(capabilities[0]))

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

_Static_assert(sizeof(berth_pitch_unit) == sizeof(uint32_t), "pitch_unit is handled as a U32");

/* "BEFORE id, name, vendor, ...", to be continued. */
static sqlite3_str *sql_with_columns(const char *before)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendf(sql, "%s id", before);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		sqlite3_str_appendf(sql, ", %s", columns[i].name);
	return sql;
}

static berth_status prepare_insert(sqlite3_stmt **out, sqlite3 *db)
{
	sqlite3_str *sql = sql_with_columns("INSERT OR REPLACE INTO device(");

	sqlite3_str_appendall(sql, ") VALUES(?");
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		sqlite3_str_appendall(sql, ", ?");
	sqlite3_str_appendall(sql, ")");
	return berth__db_prepare_made(out, db, sql);
}

static void bind_column(sqlite3_stmt *statement, int index, const struct caps_column *column,
			const berth_caps *caps)
{
	const char *field = (const char *)caps + column->offset;
	uint32_t u32;
	uint64_t u64;

	switch (column->type) {
	case TEXT:
		sqlite3_bind_text(statement, index, field, (int)strnlen(field, column->bytes - 1),
				  SQLITE_STATIC);
		break;
	case U32:
		memcpy(&u32, field, sizeof(u32));
		berth__db_bind(statement, index, u32);
		break;
	case U64:
		memcpy(&u64, field, sizeof(u64));
		berth__db_bind(statement, index, u64);
		break;
	case FLAG:
		/* A byte from a spool may be more than 0 and 1: not read as a bool. */
		sqlite3_bind_int(statement, index, *(const unsigned char *)field != 0);
		break;
	}
}

static berth_status write_capabilities(sqlite3 *db, uint32_t id, const berth_caps *caps)
{
	sqlite3_stmt *insert = NULL;
	berth_status st = berth__db_prepare(&insert, db,
					    "INSERT OR REPLACE INTO capability VALUES(?, ?, ?)");

	for (size_t i = 0; st == BERTH_OK && i < CAPABILITY_COUNT; i++) {
		berth__db_bind(insert, 1, id);
		sqlite3_bind_text(insert, 2, capabilities[i].name, -1, SQLITE_STATIC);
		bind_column(insert, 3, &capabilities[i], caps);
		st = berth__db_run(insert);
	}
	sqlite3_finalize(insert);
	return st;
}

static berth_status write_formats(sqlite3 *db, uint32_t id, const berth_caps *caps)
{
	uint32_t count =
		caps->format_count < BERTH_FORMATS_MAX ? caps->format_count : BERTH_FORMATS_MAX;
	sqlite3_stmt *insert = NULL;
	berth_status st;

	st = berth__db_prepare(&insert, db, "INSERT OR REPLACE INTO format VALUES(?, ?, ?, ?, ?)");
	for (uint32_t i = 0; st == BERTH_OK && i < count; i++) {
		berth__db_bind(insert, 1, id);
		berth__db_bind(insert, 2, i);
		berth__db_bind(insert, 3, caps->formats[i].order);
		berth__db_bind(insert, 4, caps->formats[i].type);
		berth__db_bind(insert, 5, caps->formats[i].access);
		st = berth__db_run(insert);
	}
	sqlite3_finalize(insert);
	return st;
}

berth_status berth__trace_device_write(sqlite3 *db, uint32_t id, const berth_caps *caps)
{
	sqlite3_stmt *insert = NULL;
	berth_status st;

	if ((st = prepare_insert(&insert, db)) != BERTH_OK)
		return st;
	berth__db_bind(insert, 1, id);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		bind_column(insert, (int)i + 2, &columns[i], caps);
	st = berth__db_run(insert);
	sqlite3_finalize(insert);
	if (st == BERTH_OK)
		st = write_capabilities(db, id, caps);
	return st == BERTH_OK ? write_formats(db, id, caps) : st;
}

/* False: the value does not fit the field, or cannot be had. */
static bool read_column(berth_caps *caps, const struct caps_column *column, sqlite3_stmt *row,
			int index)
{
	char *field = (char *)caps + column->offset;
	uint64_t number = berth__db_column(row, index);
	const char *text;

	switch (column->type) {
	case TEXT:
		text = (const char *)sqlite3_column_text(row, index);
		if (!text || strlen(text) >= column->bytes)
			return false;
		strcpy(field, text);
		return true;
	case U32: {
		uint32_t u32 = (uint32_t)number;

		memcpy(field, &u32, sizeof(u32));
		return number <= UINT32_MAX;
	}
	case U64:
		memcpy(field, &number, sizeof(number));
		return true;
	case FLAG: {
		bool flag = number == 1;

		memcpy(field, &flag, sizeof(flag));
		return number <= 1;
	}
	}
	return false;
}

static berth_status read_formats(berth_caps *caps, sqlite3 *db, sqlite3_int64 id)
{
	sqlite3_stmt *rows = NULL;
	berth_status st;
	int code;

	st = berth__db_prepare(&rows, db,
			       "SELECT channel_order, channel_type, access FROM format"
			       " WHERE device = ?1 ORDER BY position");
	if (st != BERTH_OK)
		return st;
	sqlite3_bind_int64(rows, 1, id);
	while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
		uint64_t order = berth__db_column(rows, 0), type = berth__db_column(rows, 1);
		uint64_t access = berth__db_column(rows, 2);

		if (caps->format_count == BERTH_FORMATS_MAX || order > UINT32_MAX ||
		    type > UINT32_MAX || access > UINT32_MAX) {
			st = berth_error_set(BERTH_E_FORMAT, 0,
					     "damaged trace: format %" PRIu32
					     " of device %lld is out"
					     " of range (at most %d formats)",
					     caps->format_count, (long long)id, BERTH_FORMATS_MAX);
			break;
		}
		caps->formats[caps->format_count++] =
			(berth_format){ (uint32_t)order, (uint32_t)type, (uint32_t)access };
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(db, "read the trace's formats");
	sqlite3_finalize(rows);
	return st;
}

/* Those that a trace does not have stay 0. */
static berth_status read_capability(berth_caps *caps, sqlite3_stmt *row, sqlite3_int64 id,
				    const struct caps_column *column)
{
	berth_status st = BERTH_OK;
	int code;

	sqlite3_bind_int64(row, 1, id);
	sqlite3_bind_text(row, 2, column->name, -1, SQLITE_STATIC);
	code = sqlite3_step(row);
	if (code == SQLITE_ROW && !read_column(caps, column, row, 0))
		st = berth_error_set(BERTH_E_FORMAT, 0, "damaged trace: device %lld has no valid %s",
				     (long long)id, column->name);
	else if (code != SQLITE_ROW && code != SQLITE_DONE)
		st = berth__db_error(sqlite3_db_handle(row), "read the trace's devices");
	sqlite3_reset(row);
	return st;
}

static berth_status read_capabilities(berth_caps *caps, sqlite3 *db, sqlite3_int64 id)
{
	sqlite3_stmt *row = NULL;
	berth_status st;

	if (!berth__trace_has_table(db, "capability"))
		return BERTH_OK;
	st = berth__db_prepare(&row, db,
			       "SELECT value FROM capability WHERE device = ?1 AND name = ?2");
	for (size_t i = 0; st == BERTH_OK && i < CAPABILITY_COUNT; i++)
		st = read_capability(caps, row, id, &capabilities[i]);
	sqlite3_finalize(row);
	return st;
}

static berth_status read_row(berth_caps *caps, sqlite3 *db, sqlite3_stmt *row, uint32_t index)
{
	sqlite3_int64 id;
	berth_status st;

	switch (sqlite3_step(row)) {
	case SQLITE_ROW:
		break;
	case SQLITE_DONE:
		return berth_error_set(BERTH_E_NOT_FOUND, 0, "the trace has no device %" PRIu32,
				       index);
	default:
		return berth__db_error(db, "read the trace's devices");
	}
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (read_column(caps, &columns[i], row, (int)i + 1))
			continue;
		if (sqlite3_errcode(db) == SQLITE_NOMEM)
			return berth__db_error(db, "read the trace's devices");
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "damaged trace: device %lld has no valid %s",
				       (long long)sqlite3_column_int64(row, 0), columns[i].name);
	}
	id = sqlite3_column_int64(row, 0);
	st = read_capabilities(caps, db, id);
	return st == BERTH_OK ? read_formats(caps, db, id) : st;
}

/* Not berth_caps_validate(): a driver may say odd things, and a trace holds what it said. */
berth_status berth__trace_device_read(berth_caps *out, sqlite3 *db, uint32_t index)
{
	sqlite3_str *sql = sql_with_columns("SELECT");
	sqlite3_stmt *row = NULL;
	berth_caps caps;
	berth_status st;

	memset(&caps, 0, sizeof(caps));
	sqlite3_str_appendall(sql, " FROM device ORDER BY id LIMIT 1 OFFSET ?1");
	st = berth__db_prepare_made(&row, db, sql);
	if (st != BERTH_OK)
		return st;
	sqlite3_bind_int64(row, 1, index);
	st = read_row(&caps, db, row, index);
	sqlite3_finalize(row);
	if (st != BERTH_OK)
		return st;
	if (caps.pitch_unit != BERTH_PITCH_UNIT_PIXELS && caps.pitch_unit != BERTH_PITCH_UNIT_BYTES)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "damaged trace: device %" PRIu32
				       " has pitch_unit %u, not 0 or 1",
				       index, (unsigned)caps.pitch_unit);
	*out = caps;
	return BERTH_OK;
}
