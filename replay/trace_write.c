/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_write.h"

#include "db.h"
#include "symbolise.h"
#include "trace_device.h"
#include "trace_limit.h"
#include "trace_objects.h"
#include "trace_op_write.h"
#include "trace_schema.h"
#include "trace_stack_write.h"

#include <stdlib.h>
#include <string.h>

enum {
	META,
	META_READ,
	QUEUE,
	NAME,
	NAME_READ,
	PAYLOAD,
	TIME,
	UNTRACKED_NAME,
	UNTRACKED,
	POSITION,
	POSITION_READ,
	TRANSFER,
	DIGEST,
	TRANSFER_DONE,
	STATEMENT_COUNT
};

/* The last ones are of tables that only an unfinished trace has. */
#define LASTING_STATEMENTS UNTRACKED_NAME

static const char *const statement_sql[STATEMENT_COUNT] = {
	[META] = "INSERT OR REPLACE INTO meta VALUES(?, ?)",
	[META_READ] = "SELECT value FROM meta WHERE key = ?",
	[QUEUE] = "INSERT OR REPLACE INTO queue VALUES(?, ?, ?, ?)",
	[NAME] = "INSERT OR REPLACE INTO name VALUES(?, ?)",
	[NAME_READ] = "SELECT text FROM name WHERE id = ?",
	[PAYLOAD] = "INSERT OR IGNORE INTO payload VALUES(?, ?, ?)",
	[TIME] = "INSERT OR REPLACE INTO command_time VALUES(?, ?, ?, ?, ?)",
	[UNTRACKED_NAME] = "INSERT OR REPLACE INTO drain_untracked VALUES(?, ?)",
	[UNTRACKED] =
		("INSERT OR REPLACE INTO untracked VALUES("
		 "coalesce((SELECT name FROM drain_untracked WHERE id = ?1), '#' || ?1), ?2)"),
	[POSITION] = "UPDATE drain SET segment = ?, tail = ?",
	[POSITION_READ] = "SELECT segment, tail FROM drain",
	[TRANSFER] = "INSERT OR REPLACE INTO drain_transfer VALUES(?, ?)",
	[DIGEST] = "UPDATE op SET digest = ?2"
		   " WHERE seq = (SELECT op FROM drain_transfer WHERE id = ?1)",
	[TRANSFER_DONE] = "DELETE FROM drain_transfer WHERE id = ?",
};

static const char drain_sql[] = "CREATE TABLE drain(segment INTEGER, tail INTEGER);"
				"INSERT INTO drain VALUES(0, 0);"
				"CREATE TABLE drain_untracked(id INTEGER PRIMARY KEY, name TEXT);"
				"CREATE TABLE drain_transfer(id INTEGER PRIMARY KEY, op INTEGER)";

struct berth__trace_writer {
	sqlite3 *db;
	sqlite3_stmt *statements[STATEMENT_COUNT];
	struct berth__op_writer *ops;
	struct berth__trace_objects *objects;
	struct berth__stack_writer *stacks; /* made with the first one */
	uint64_t op_count;
	uint64_t op_count_committed;
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	bool waiting;	   /* for the op that it begins with */
	char *start_mark;
	uint64_t begin_ns;  /* since start_ns */
	uint64_t prune_at;  /* while waiting: at which op count */
	uint64_t bytes_max; /* 0: no limit */
	bool cut;
};

/* An empty database becomes a trace at once or not at all. */
static berth_status make_when_new(sqlite3 *db, bool *unfinished)
{
	uint64_t tables = 0, drains = 0;
	berth_status st;

	if ((st = berth__db_number(&tables, db, "SELECT count(*) FROM sqlite_master")) != BERTH_OK)
		return st;
	if (tables == 0) {
		if ((st = berth__db_exec(db, "BEGIN")) != BERTH_OK ||
		    (st = berth__trace_schema_create(db)) != BERTH_OK ||
		    (st = berth__db_exec(db, drain_sql)) != BERTH_OK ||
		    (st = berth__db_exec(db, "COMMIT")) != BERTH_OK)
			return st;
	}
	st = berth__db_number(&drains, db,
			      "SELECT count(*) FROM sqlite_master WHERE name = 'drain'");
	*unfinished = drains > 0;
	return st;
}

/* ---- limits: they stand in `meta`, for whoever completes the trace ---- */

#define SEAL_WAIT_MS 10000

/* Ops before a first look at what can be pruned. */
#define PRUNE_LEAST 50000

static berth_status read_limits(struct berth__trace_writer *writer)
{
	uint64_t waiting = 0, cut = 0;
	berth_status st;

	if ((st = berth__trace_written_number(&waiting, writer, "waiting")) != BERTH_OK ||
	    (st = berth__trace_written_number(&cut, writer, "cut")) != BERTH_OK ||
	    (st = berth__trace_written_number(&writer->begin_ns, writer, "start_after_ns")) !=
		    BERTH_OK ||
	    (st = berth__trace_written_number(&writer->bytes_max, writer, "max_bytes")) != BERTH_OK)
		return st;
	writer->waiting = waiting;
	writer->cut = cut;
	writer->prune_at = PRUNE_LEAST;
	free(writer->start_mark);
	writer->start_mark = NULL;
	return berth__trace_written_text(&writer->start_mark, writer, "start_mark");
}

berth_status berth__trace_writer_limit(struct berth__trace_writer *writer,
				       const struct berth__trace_limits *limits)
{
	berth_status st = BERTH_OK;

	if (writer->op_count > 0 || writer->start_ns > 0)
		return BERTH_OK;
	if (limits->start_mark)
		st = berth__trace_write_text(writer, "start_mark", limits->start_mark);
	if (st == BERTH_OK && limits->start_ns)
		st = berth__trace_write_number(writer, "start_after_ns", limits->start_ns);
	if (st == BERTH_OK && (limits->start_mark || limits->start_ns))
		st = berth__trace_write_number(writer, "waiting", 1);
	if (st == BERTH_OK && limits->bytes_max)
		st = berth__trace_write_number(writer, "max_bytes", limits->bytes_max);
	return st == BERTH_OK ? read_limits(writer) : st;
}

bool berth__trace_writer_is_cut(const struct berth__trace_writer *writer)
{
	return writer->cut;
}

static bool begins_trace(const struct berth__trace_writer *writer, const berth_trace_op *row,
			 const char *name)
{
	if (writer->begin_ns && row->t_ns >= writer->begin_ns)
		return true;
	return writer->start_mark && row->op.kind == BERTH_OP_LABEL &&
	       row->op.object == BERTH_ID_NONE && name && strcmp(name, writer->start_mark) == 0;
}

static berth_status begin_here(struct berth__trace_writer *writer)
{
	uint64_t last = 0;
	berth_status st;

	if ((st = berth__trace_begin_here(&last, writer->db)) != BERTH_OK ||
	    (st = berth__trace_write_number(writer, "before", last)) != BERTH_OK ||
	    (st = berth__db_exec(writer->db, "DELETE FROM meta WHERE key = 'waiting'")) != BERTH_OK)
		return st;
	writer->op_count = last;
	writer->waiting = false;
	return BERTH_OK;
}

/* The text of a name, or NULL; free(). */
static berth_status find_name(char **out, struct berth__trace_writer *writer, uint32_t id)
{
	sqlite3_stmt *row = writer->statements[NAME_READ];
	const char *text = NULL;
	berth_status st = BERTH_OK;

	*out = NULL;
	berth__db_bind(row, 1, id);
	if (sqlite3_step(row) == SQLITE_ROW && (st = berth__db_text(&text, row, 0)) == BERTH_OK &&
	    text && !(*out = strdup(text)))
		st = berth_error_set(BERTH_E_NOMEM, 0, "out of memory writing a trace");
	sqlite3_reset(row);
	return st;
}

/* Before an op is added to a trace that has not begun. */
static berth_status see_waiting(struct berth__trace_writer *writer, const berth_trace_op *row,
				uint32_t name_id)
{
	char *name = NULL;
	uint64_t kept;
	berth_status st = BERTH_OK;

	if (writer->op_count >= writer->prune_at) {
		st = berth__trace_prune(&kept, writer->db);
		writer->prune_at = writer->op_count + PRUNE_LEAST + 2 * kept;
	}
	if (st == BERTH_OK && name_id)
		st = find_name(&name, writer, name_id);
	if (st == BERTH_OK && begins_trace(writer, row, name))
		st = begin_here(writer);
	free(name);
	return st;
}

/* With the commit: the size is that of what is written. */
static berth_status see_size(struct berth__trace_writer *writer)
{
	uint64_t bytes = 0;
	berth_status st;

	if (!writer->bytes_max || writer->cut || writer->waiting)
		return BERTH_OK;
	st = berth__trace_file_bytes(&bytes, writer->db);
	if (st != BERTH_OK || bytes < writer->bytes_max)
		return st;
	st = berth__trace_write_number(writer, "cut", 1);
	writer->cut = st == BERTH_OK;
	return st;
}

static berth_status prepare(struct berth__trace_writer *writer)
{
	bool unfinished;
	berth_status st;

	/*
	 * FULL would wait for the disk at each commit; a torn write cannot happen in WAL mode. What
	 * is moved from the log into the file is waited for, so it is done seldom: each 64 MiB.
	 */
	if ((st = berth__db_exec(writer->db, "PRAGMA journal_mode = WAL;"
					     "PRAGMA synchronous = NORMAL;"
					     "PRAGMA wal_autocheckpoint = 16384")) != BERTH_OK ||
	    (st = make_when_new(writer->db, &unfinished)) != BERTH_OK)
		return st;
	for (int i = 0; st == BERTH_OK && i < (unfinished ? STATEMENT_COUNT : LASTING_STATEMENTS);
	     i++)
		st = berth__db_prepare(&writer->statements[i], writer->db, statement_sql[i]);
	if (st == BERTH_OK)
		st = berth__op_writer_create(&writer->ops, writer->db);
	if (st == BERTH_OK)
		st = berth__trace_objects_create(&writer->objects, writer->db);
	if (st == BERTH_OK)
		st = berth__db_number(&writer->op_count, writer->db,
				      "SELECT coalesce(max(seq), 0) FROM op");
	if (st == BERTH_OK)
		st = berth__trace_written_number(&writer->start_ns, writer, "monotonic_ns");
	if (st == BERTH_OK)
		st = read_limits(writer);
	writer->op_count_committed = writer->op_count;
	return st;
}

berth_status berth__trace_writer_open(struct berth__trace_writer **out, const char *path)
{
	struct berth__trace_writer *writer = calloc(1, sizeof(*writer));
	berth_status st;

	if (!writer)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening '%s'", path);
	if (sqlite3_open_v2(path, &writer->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		st = berth__db_error(writer->db, "open the unfinished trace");
	else
		st = prepare(writer);
	if (st != BERTH_OK) {
		berth__trace_writer_close(writer);
		return st;
	}
	*out = writer;
	return BERTH_OK;
}

static void finalise_statements(struct berth__trace_writer *writer)
{
	berth__op_writer_destroy(writer->ops);
	writer->ops = NULL;
	berth__trace_objects_destroy(writer->objects);
	writer->objects = NULL;
	berth__stack_writer_destroy(writer->stacks);
	writer->stacks = NULL;
	for (int i = 0; i < STATEMENT_COUNT; i++) {
		sqlite3_finalize(writer->statements[i]);
		writer->statements[i] = NULL;
	}
}

void berth__trace_writer_close(struct berth__trace_writer *writer)
{
	if (!writer)
		return;
	finalise_statements(writer);
	sqlite3_close(writer->db);
	free(writer->start_mark);
	free(writer);
}

berth_status berth__trace_writer_begin(struct berth__trace_writer *writer)
{
	return berth__db_exec(writer->db, "BEGIN");
}

berth_status berth__trace_writer_commit(struct berth__trace_writer *writer)
{
	berth_status st = see_size(writer);

	if (st == BERTH_OK)
		st = berth__db_exec(writer->db, "COMMIT");
	if (st == BERTH_OK)
		writer->op_count_committed = writer->op_count;
	return st;
}

void berth__trace_writer_rollback(struct berth__trace_writer *writer)
{
	/* Fails only where SQLite has rolled back already, as on a full disk. */
	sqlite3_exec(writer->db, "ROLLBACK", NULL, NULL, NULL);
	writer->op_count = writer->op_count_committed;
	/* What was begun in the transaction is undone: the file says how it was. */
	if (read_limits(writer) != BERTH_OK)
		writer->cut = false;
}

berth_status berth__trace_write_text(struct berth__trace_writer *writer, const char *key,
				     const char *text)
{
	sqlite3_stmt *statement = writer->statements[META];

	berth__db_bind_text(statement, 1, key);
	berth__db_bind_text(statement, 2, text);
	return berth__db_run(statement);
}

berth_status berth__trace_write_number(struct berth__trace_writer *writer, const char *key,
				       uint64_t number)
{
	sqlite3_stmt *statement = writer->statements[META];

	berth__db_bind_text(statement, 1, key);
	berth__db_bind(statement, 2, number);
	return berth__db_run(statement);
}

/* Found or not, the caller resets the statement. */
static berth_status find_meta(sqlite3_stmt **out, struct berth__trace_writer *writer,
			      const char *key)
{
	sqlite3_stmt *statement = writer->statements[META_READ];

	*out = statement;
	berth__db_bind_text(statement, 1, key);
	switch (sqlite3_step(statement)) {
	case SQLITE_ROW:
		return BERTH_OK;
	case SQLITE_DONE:
		return BERTH_E_NOT_FOUND;
	default:
		return berth__db_error(writer->db, "read the trace");
	}
}

berth_status berth__trace_written_number(uint64_t *out, struct berth__trace_writer *writer,
					 const char *key)
{
	sqlite3_stmt *row;
	berth_status st = find_meta(&row, writer, key);

	if (st == BERTH_OK)
		*out = berth__db_column(row, 0);
	if (st == BERTH_E_NOT_FOUND) {
		*out = 0;
		st = BERTH_OK;
	}
	sqlite3_reset(row);
	return st;
}

berth_status berth__trace_written_text(char **out, struct berth__trace_writer *writer,
				       const char *key)
{
	const char *text = NULL;
	sqlite3_stmt *row;
	char *copy = NULL;
	berth_status st = find_meta(&row, writer, key);

	if (st == BERTH_OK)
		st = berth__db_text(&text, row, 0);
	if (text && !(copy = strdup(text)))
		st = berth_error_set(BERTH_E_NOMEM, 0, "out of memory reading the trace");
	sqlite3_reset(row);
	if (st != BERTH_OK && st != BERTH_E_NOT_FOUND)
		return st;
	*out = copy;
	return BERTH_OK;
}

berth_status berth__trace_write_device(struct berth__trace_writer *writer, uint32_t id,
				       const berth_caps *caps)
{
	return berth__trace_device_write(writer->db, id, caps);
}

berth_status berth__trace_write_queue(struct berth__trace_writer *writer, uint32_t id,
				      uint32_t context, uint32_t device, uint64_t properties)
{
	sqlite3_stmt *statement = writer->statements[QUEUE];

	berth__db_bind(statement, 1, id);
	berth__db_bind(statement, 2, context);
	berth__db_bind(statement, 3, device);
	berth__db_bind(statement, 4, properties);
	return berth__db_run(statement);
}

berth_status berth__trace_write_name(struct berth__trace_writer *writer, uint32_t id,
				     const char *text)
{
	sqlite3_stmt *statement = writer->statements[NAME];

	berth__db_bind(statement, 1, id);
	berth__db_bind_text(statement, 2, text);
	return berth__db_run(statement);
}

/* Names of the recorder's own marks: the program's are counted from 1. */
#define OWN_NAMES_FIRST UINT32_C(0x80000000)

berth_status berth__trace_write_mark(struct berth__trace_writer *writer, const char *text,
				     uint64_t monotonic_ns)
{
	const berth_trace_op row = {
		.answered = true,
		.t_ns = monotonic_ns > writer->start_ns ? monotonic_ns - writer->start_ns : 0,
		.op = { .kind = BERTH_OP_LABEL },
	};
	uint64_t names = 0;
	uint32_t id;
	berth_status st = berth__db_number(&names, writer->db,
					   "SELECT count(*) FROM name WHERE id >= 0x80000000");

	id = OWN_NAMES_FIRST + (uint32_t)names;
	if (st == BERTH_OK)
		st = berth__trace_write_name(writer, id, text);
	return st == BERTH_OK ? berth__trace_write_op(writer, &row, id) : st;
}

berth_status berth__trace_write_start(struct berth__trace_writer *writer, uint64_t monotonic_ns)
{
	writer->start_ns = monotonic_ns;
	return berth__trace_write_number(writer, "monotonic_ns", monotonic_ns);
}

uint64_t berth__trace_writer_start(const struct berth__trace_writer *writer)
{
	return writer->start_ns;
}

berth_status berth__trace_write_op(struct berth__trace_writer *writer, const berth_trace_op *row,
				   uint32_t name_id)
{
	berth_trace_op numbered = *row;
	berth_status st = BERTH_OK;

	if (writer->cut)
		return BERTH_OK;
	if (writer->waiting)
		st = see_waiting(writer, row, name_id);
	if (st != BERTH_OK)
		return st;
	numbered.seq = writer->op_count + 1;
	st = berth__op_writer_add(writer->ops, &numbered, name_id);
	if (st == BERTH_OK && row->answered && row->result.cl_status == 0)
		st = berth__trace_objects_apply(writer->objects, &numbered, name_id);
	if (st == BERTH_OK)
		writer->op_count++;
	return st;
}

berth_status berth__trace_write_transfer(struct berth__trace_writer *writer, uint64_t transfer)
{
	sqlite3_stmt *statement = writer->statements[TRANSFER];

	berth__db_bind(statement, 1, transfer);
	berth__db_bind(statement, 2, writer->op_count);
	return berth__db_run(statement);
}

berth_status berth__trace_write_digest(struct berth__trace_writer *writer, uint64_t transfer,
				       const uint8_t digest[16])
{
	sqlite3_stmt *statement = writer->statements[DIGEST];
	berth_status st;

	berth__db_bind(statement, 1, transfer);
	sqlite3_bind_blob(statement, 2, digest, 16, SQLITE_STATIC);
	st = berth__db_run(statement);
	if (st != BERTH_OK)
		return st;
	berth__db_bind(writer->statements[TRANSFER_DONE], 1, transfer);
	return berth__db_run(writer->statements[TRANSFER_DONE]);
}

berth_status berth__trace_write_payload(struct berth__trace_writer *writer,
					const uint8_t digest[16], uint64_t offset_bytes,
					const void *bytes, uint32_t piece_bytes)
{
	sqlite3_stmt *statement = writer->statements[PAYLOAD];

	sqlite3_bind_blob(statement, 1, digest, 16, SQLITE_STATIC);
	berth__db_bind(statement, 2, offset_bytes);
	sqlite3_bind_blob64(statement, 3, bytes, piece_bytes, SQLITE_STATIC);
	return berth__db_run(statement);
}

berth_status berth__trace_write_time(struct berth__trace_writer *writer, uint64_t event,
				     const uint64_t times_ns[4])
{
	sqlite3_stmt *statement = writer->statements[TIME];

	berth__db_bind(statement, 1, event);
	for (int i = 0; i < 4; i++)
		berth__db_bind(statement, 2 + i, times_ns[i]);
	return berth__db_run(statement);
}

static berth_status begin_stacks(struct berth__trace_writer *writer)
{
	return writer->stacks ? BERTH_OK : berth__stack_writer_create(&writer->stacks, writer->db);
}

berth_status berth__trace_write_module(struct berth__trace_writer *writer,
				       const struct berth__trace_module *module)
{
	berth_status st = begin_stacks(writer);

	return st == BERTH_OK ? berth__stack_writer_add_module(writer->stacks, module) : st;
}

berth_status berth__trace_write_stack(struct berth__trace_writer *writer, uint32_t id,
				      const uint64_t *addresses, uint32_t count)
{
	berth_status st = begin_stacks(writer);

	return st == BERTH_OK ? berth__stack_writer_add(writer->stacks, id, addresses, count) : st;
}

berth_status berth__trace_written_objects(uint64_t *out, struct berth__trace_writer *writer)
{
	return berth__db_number(out, writer->db, "SELECT count(*) FROM object");
}

uint64_t berth__trace_writer_op_count(const struct berth__trace_writer *writer)
{
	return writer->op_count;
}

berth_status berth__trace_write_untracked_name(struct berth__trace_writer *writer, uint32_t index,
					       const char *name)
{
	sqlite3_stmt *statement = writer->statements[UNTRACKED_NAME];

	berth__db_bind(statement, 1, index);
	berth__db_bind_text(statement, 2, name);
	return berth__db_run(statement);
}

berth_status berth__trace_write_untracked(struct berth__trace_writer *writer, uint32_t index,
					  uint64_t count)
{
	sqlite3_stmt *statement = writer->statements[UNTRACKED];

	berth__db_bind(statement, 1, index);
	berth__db_bind(statement, 2, count);
	return berth__db_run(statement);
}

berth_status berth__trace_write_position(struct berth__trace_writer *writer,
					 const struct berth__drain_position *position)
{
	sqlite3_stmt *statement = writer->statements[POSITION];

	berth__db_bind(statement, 1, position->segment);
	berth__db_bind(statement, 2, position->tail);
	return berth__db_run(statement);
}

berth_status berth__trace_written_position(struct berth__drain_position *out,
					   struct berth__trace_writer *writer)
{
	sqlite3_stmt *statement = writer->statements[POSITION_READ];
	berth_status st = BERTH_OK;

	if (sqlite3_step(statement) != SQLITE_ROW) {
		st = berth__db_error(writer->db, "read the trace");
	} else {
		out->segment = (uint32_t)berth__db_column(statement, 0);
		out->tail = berth__db_column(statement, 1);
	}
	sqlite3_reset(statement);
	return st;
}

static berth_status never_began(struct berth__trace_writer *writer)
{
	uint64_t last;
	berth_status st = berth__trace_begin_here(&last, writer->db);

	if (st == BERTH_OK)
		writer->op_count = last;
	return st == BERTH_OK ? berth__trace_write_number(writer, "before", last) : st;
}

berth_status berth__trace_writer_finish(struct berth__trace_writer *writer, const char *end)
{
	berth_status st = berth__trace_write_text(writer, "end", end);

	/* The point that it was to begin at did not come. */
	if (st == BERTH_OK && writer->waiting)
		st = never_began(writer);
	if (st == BERTH_OK)
		st = berth__symbolise(writer->db);
	if (st == BERTH_OK)
		st = berth__db_exec(writer->db, "DROP TABLE drain; DROP TABLE drain_untracked;"
						"DROP TABLE drain_transfer");
	return st == BERTH_OK ? berth__trace_writer_commit(writer) : st;
}

berth_status berth__trace_writer_seal(struct berth__trace_writer *writer)
{
	finalise_statements(writer);
	/* Somebody may look at it just now. */
	sqlite3_busy_timeout(writer->db, SEAL_WAIT_MS);
	return berth__db_exec(writer->db, "PRAGMA journal_mode = DELETE");
}
