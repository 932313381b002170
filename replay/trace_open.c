/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening a trace, which may be any file at all. SQLite is told to trust nothing
 * (sqlite.org/security.html), and the file is taken as immutable: a finished trace
 * is only ever replaced, and so no lock, journal or shared memory appears beside it.
 */
#include "trace_store.h"

#include "db.h"
#include "trace_device.h"
#include "trace_schema.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No value of a trace is longer; a command line may be 2 MiB. */
#define VALUE_BYTES_MAX (16 << 20)

/* The progress handler is called each so many instructions. */
#define BOUND_UNIT 10000
/* Instructions allowed at least, and for each byte of the file: a row costs far fewer. */
#define BOUND_LEAST UINT64_C(10000000)
#define BOUND_PER_BYTE 100

/* A file: URI with what SQLite would take as syntax escaped; NULL: out of memory. */
static char *uri_of(const char *path)
{
	sqlite3_str *uri = sqlite3_str_new(NULL);

	sqlite3_str_appendall(uri, path[0] == '/' ? "file://" : "file:");
	for (; *path; path++) {
		if (strchr("%?#", *path))
			sqlite3_str_appendf(uri, "%%%02x", (unsigned)*path);
		else
			sqlite3_str_appendchar(uri, 1, *path);
	}
	sqlite3_str_appendall(uri, "?immutable=1");
	return sqlite3_str_finish(uri);
}

/* Before SQLite sees it: a message with the system's reason, and no waiting on a pipe. */
static berth_status check_file(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &status) != 0) {
		int error = errno;

		if (fd >= 0)
			close(fd);
		return berth_error_set(BERTH_E_IO, 0, "cannot open '%s': %s", path,
				       strerror(error));
	}
	close(fd);
	if (!S_ISREG(status.st_mode))
		return berth_error_set(BERTH_E_FORMAT, 0, "'%s' is not a Berth trace: not a file",
				       path);
	return BERTH_OK;
}

static berth_status open_database(berth_trace *trace)
{
	char *uri = uri_of(trace->path);
	int code;

	if (!uri)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening '%s'", trace->path);
	code = sqlite3_open_v2(uri, &trace->db,
			       SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
	sqlite3_free(uri);
	if (code != SQLITE_OK)
		return berth__db_error(trace->db, "open the trace");
	return BERTH_OK;
}

static berth_status distrust(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	return berth__db_exec(db, "PRAGMA cell_size_check = ON");
}

static berth_status check_version(const berth_trace *trace)
{
	uint64_t application = 0, version = 0;
	berth_status st = berth__db_number(&application, trace->db, "PRAGMA application_id");

	if (st == BERTH_E_FORMAT && sqlite3_errcode(trace->db) == SQLITE_NOTADB)
		return berth_error_set(st, 0, "'%s' is not a Berth trace", trace->path);
	if (st != BERTH_OK)
		return st;
	if (application != BERTH_TRACE_APPLICATION_ID)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "'%s' is not a Berth trace: its application_id is %#" PRIx64
				       ", not %#x",
				       trace->path, application, BERTH_TRACE_APPLICATION_ID);
	if ((st = berth__db_number(&version, trace->db, "PRAGMA user_version")) != BERTH_OK)
		return st;
	if ((int64_t)version > BERTH_TRACE_VERSION)
		return berth_error_set(BERTH_E_VERSION, 0,
				       "'%s' is of version %" PRId64 ", this Berth reads up to %d",
				       trace->path, (int64_t)version, BERTH_TRACE_VERSION);
	if ((int64_t)version < 1)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "'%s' is of version %" PRId64 ", the first is 1",
				       trace->path, (int64_t)version);
	return BERTH_OK;
}

/* ---- what it says about itself ---- */

struct text_key {
	const char *key;
	size_t offset; /* of a char * in berth_trace */
};

static const struct text_key text_keys[] = {
	{ "program", offsetof(berth_trace, program) },
	{ "command", offsetof(berth_trace, command) },
	{ "berth_version", offsetof(berth_trace, berth_version) },
	{ "end", offsetof(berth_trace, end) },
};

static berth_status read_texts(berth_trace *trace)
{
	sqlite3_stmt *row = NULL;
	berth_status st;

	st = berth__db_prepare(&row, trace->db, "SELECT value FROM meta WHERE key = ?1");
	for (size_t i = 0; st == BERTH_OK && i < sizeof(text_keys) / sizeof(text_keys[0]); i++) {
		char **text = (char **)((char *)trace + text_keys[i].offset);
		const char *value = NULL;
		int code;

		berth__db_bind_text(row, 1, text_keys[i].key);
		code = sqlite3_step(row);
		if (code == SQLITE_ROW)
			st = berth__db_text(&value, row, 0);
		else if (code != SQLITE_DONE)
			st = berth__db_error(trace->db, "read the trace's meta");
		if (st == BERTH_OK && !(*text = strdup(value ? value : "")))
			st = berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening a trace");
		sqlite3_reset(row);
	}
	sqlite3_finalize(row);
	return st;
}

static berth_status read_info(berth_trace *trace)
{
	berth_trace_info *info = &trace->info;
	uint64_t devices = 0, waiting = 0;
	berth_status st;

	if ((st = read_texts(trace)) != BERTH_OK ||
	    (st = berth__db_number(&info->started_ns, trace->db,
				   "SELECT max(value) FROM meta WHERE key = 'started_ns'")) !=
		    BERTH_OK ||
	    (st = berth__db_number(&info->lost_records, trace->db,
				   "SELECT max(value) FROM meta WHERE key = 'lost'")) != BERTH_OK ||
	    (st = berth__db_number(&info->before_ops, trace->db,
				   "SELECT max(value) FROM meta WHERE key = 'before'")) !=
		    BERTH_OK ||
	    (st = berth__db_number(&waiting, trace->db,
				   "SELECT max(value) FROM meta WHERE key = 'waiting'")) !=
		    BERTH_OK ||
	    (st = berth__db_number(&info->untracked_calls, trace->db,
				   "SELECT total(count) FROM untracked")) != BERTH_OK ||
	    (st = berth__db_number(&info->op_count, trace->db, "SELECT max(seq) FROM op")) !=
		    BERTH_OK ||
	    (st = berth__db_number(&info->object_count, trace->db,
				   "SELECT count(*) FROM object")) != BERTH_OK ||
	    (st = berth__db_number(&devices, trace->db, "SELECT count(*) FROM device")) != BERTH_OK)
		return st;
	if ((int64_t)info->op_count < 0 || devices > UINT32_MAX)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "damaged trace: op.seq or device.id is out of range");
	if (strcmp(trace->end, "exit") != 0 && strcmp(trace->end, "killed") != 0 &&
	    strcmp(trace->end, "cut") != 0)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "damaged trace: meta 'end' is '%s', not 'exit', 'killed' or 'cut'"
				       " (an unfinished recording is completed by `berth recover`)",
				       trace->end);
	info->device_count = (uint32_t)devices;
	info->never_began = waiting != 0;
	info->program = trace->program;
	info->command = trace->command;
	info->berth_version = trace->berth_version;
	info->end = trace->end;
	return BERTH_OK;
}

static int count_down(void *userdata)
{
	berth_trace *trace = userdata;

	return trace->steps_left == 0 || --trace->steps_left == 0;
}

void berth__trace_bound_begin(berth_trace *trace)
{
	struct stat status;
	uint64_t bytes = stat(trace->path, &status) == 0 ? (uint64_t)status.st_size : 0;

	trace->steps_left = (BOUND_LEAST + bytes * BOUND_PER_BYTE) / BOUND_UNIT;
	sqlite3_progress_handler(trace->db, BOUND_UNIT, count_down, trace);
}

void berth__trace_bound_end(berth_trace *trace)
{
	sqlite3_progress_handler(trace->db, 0, NULL, NULL);
}

static berth_status open_trace(berth_trace *trace)
{
	berth_status st;

	if ((st = check_file(trace->path)) != BERTH_OK || (st = open_database(trace)) != BERTH_OK ||
	    (st = distrust(trace->db)) != BERTH_OK || (st = check_version(trace)) != BERTH_OK)
		return st;
	berth__trace_bound_begin(trace);
	if ((st = berth__trace_schema_verify(trace->db)) == BERTH_OK &&
	    (st = read_info(trace)) == BERTH_OK &&
	    (st = berth__trace_names_load(&trace->names, trace->db)) == BERTH_OK)
		st = berth__op_reader_create(&trace->ops, trace);
	berth__trace_bound_end(trace);
	return st;
}

berth_status berth__trace_damaged(const char *table, uint64_t row, const char *column,
				  uint64_t value)
{
	return berth_error_set(BERTH_E_FORMAT, 0,
			       "damaged trace: table '%s', row %" PRIu64
			       ": column '%s' is out of range: %" PRIu64,
			       table, row, column, value);
}

/* The reason with the file's name in front, unless it is there already. */
static berth_status name_file(berth_status st, const char *path)
{
	berth_error error = *berth_error_get();

	if (strstr(error.message, path))
		return st;
	return berth_error_set(st, 0, "'%s': %s", path, error.message);
}

berth_status berth_trace_open(berth_trace **out, const char *path)
{
	berth_trace *trace = calloc(1, sizeof(*trace));
	berth_status st;

	if (!trace || !(trace->path = strdup(path))) {
		free(trace);
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory opening '%s'", path);
	}
	st = open_trace(trace);
	if (st != BERTH_OK) {
		berth_trace_close(trace);
		return name_file(st, path);
	}
	*out = trace;
	return BERTH_OK;
}

void berth_trace_close(berth_trace *trace)
{
	if (!trace)
		return;
	berth__op_reader_destroy(trace->ops);
	berth__trace_names_free(&trace->names);
	sqlite3_close(trace->db);
	free(trace->program);
	free(trace->command);
	free(trace->berth_version);
	free(trace->end);
	free(trace->path);
	free(trace);
}

const berth_trace_info *berth_trace_get_info(const berth_trace *trace)
{
	return &trace->info;
}

berth_status berth_trace_device(berth_caps *out, berth_trace *trace, uint32_t index)
{
	return berth__trace_device_read(out, trace->db, index);
}
