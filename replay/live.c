/* SPDX-License-Identifier: Apache-2.0 */
#include <berth/live.h>

#include "db.h"
#include "drain_process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <berth/record.h>

/* The recorder commits within milliseconds. */
#define BUSY_MS 2000

/* The recorder cannot complete a trace that others have open: it is, for each read alone. */
struct berth_live {
	char *path;
	sqlite3 *db;
	char *program;
	char *labels[BERTH_LIVE_GROUPS_MAX];
};

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "out of memory reading a recording");
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_unfinished(const char *name)
{
	size_t bytes = strlen(name), suffix = strlen(BERTH__UNFINISHED_SUFFIX);

	return bytes > suffix && strcmp(name + bytes - suffix, BERTH__UNFINISHED_SUFFIX) == 0;
}

/* The unfinished trace that was begun last; NULL: there is none, or no memory. free(). */
static char *newest_in(const char *folder)
{
	DIR *directory = opendir(folder);
	struct timespec latest = { 0, 0 };
	struct dirent *entry;
	char *newest = NULL;

	while (directory && (entry = readdir(directory))) {
		struct stat status;
		char *path;

		if (!is_unfinished(entry->d_name) ||
		    asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
			continue;
		if (stat(path, &status) == 0 &&
		    (status.st_mtim.tv_sec > latest.tv_sec ||
		     (status.st_mtim.tv_sec == latest.tv_sec &&
		      status.st_mtim.tv_nsec >= latest.tv_nsec))) {
			latest = status.st_mtim;
			free(newest);
			newest = path;
		} else {
			free(path);
		}
	}
	if (directory)
		closedir(directory);
	return newest;
}

/* Where the trace is now. free(). */
static berth_status find_trace(char **out, const char *path)
{
	char *folder;

	if (is_folder(path))
		folder = strdup(path);
	else if (asprintf(&folder, "%s%s", path, BERTH_SPOOL_FOLDER_SUFFIX) < 0)
		folder = NULL;
	if (!folder)
		return no_memory();
	*out = is_folder(folder) ? newest_in(folder) : NULL;
	if (!*out && !is_folder(folder) && access(path, F_OK) == 0)
		*out = strdup(path);
	if (!*out) {
		berth_error_set(BERTH_E_NOT_FOUND, 0,
				is_folder(folder) ? "no process has used OpenCL yet in '%s'"
						  : "nothing is recorded in '%s'",
				is_folder(folder) ? folder : path);
		free(folder);
		return BERTH_E_NOT_FOUND;
	}
	free(folder);
	return BERTH_OK;
}

static void close_database(berth_live *live)
{
	sqlite3_close(live->db);
	live->db = NULL;
}

static berth_status open_database(berth_live *live)
{
	uint64_t application = 0;
	berth_status st;

	if (sqlite3_open_v2(live->path, &live->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK)
		return berth__db_error(live->db, "open the recording");
	sqlite3_busy_timeout(live->db, BUSY_MS);
	sqlite3_db_config(live->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(live->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	st = berth__db_number(&application, live->db, "PRAGMA application_id");
	if (st == BERTH_OK && application != BERTH_TRACE_APPLICATION_ID)
		st = berth_error_set(BERTH_E_FORMAT, 0, "'%s' is not a Berth trace", live->path);
	return st;
}

berth_status berth_live_open(berth_live **out, const char *path)
{
	berth_live *live = calloc(1, sizeof(*live));
	berth_status st;

	if (!live)
		return no_memory();
	if ((st = find_trace(&live->path, path)) == BERTH_OK)
		st = open_database(live);
	close_database(live);
	if (st != BERTH_OK) {
		berth_live_close(live);
		return st;
	}
	*out = live;
	return BERTH_OK;
}

static void forget_texts(berth_live *live)
{
	free(live->program);
	live->program = NULL;
	for (int i = 0; i < BERTH_LIVE_GROUPS_MAX; i++) {
		free(live->labels[i]);
		live->labels[i] = NULL;
	}
}

void berth_live_close(berth_live *live)
{
	if (!live)
		return;
	forget_texts(live);
	free(live->path);
	free(live);
}

static const char head_sql[] =
	"SELECT (SELECT value FROM meta WHERE key = 'program'),"
	" (SELECT count(*) FROM meta WHERE key = 'end'),"
	" (SELECT coalesce(max(seq), 0) FROM op),"
	" (SELECT count(*) FROM op WHERE status <> 0),"
	" (SELECT t_ns FROM op ORDER BY seq DESC LIMIT 1),"
	" (SELECT count(*) FROM object WHERE parent IS NULL)";

static const char groups_sql[] =
	"SELECT k.name, o.label, o.bytes, count(*), sum(o.bytes) FROM object o"
	" JOIN object_kind k ON k.id = o.kind"
	" WHERE o.released_op IS NULL AND o.parent IS NULL"
	" GROUP BY o.kind, o.label, o.bytes ORDER BY sum(o.bytes) DESC, o.kind, o.bytes";

static berth_status copy_text(char **out, sqlite3_stmt *row, int column)
{
	const char *text;
	berth_status st = berth__db_text(&text, row, column);

	if (st == BERTH_OK && text && !(*out = strdup(text)))
		st = no_memory();
	return st;
}

static berth_status read_head(berth_live_state *out, berth_live *live)
{
	sqlite3_stmt *row = NULL;
	berth_status st = berth__db_prepare(&row, live->db, head_sql);

	if (st == BERTH_OK && sqlite3_step(row) != SQLITE_ROW)
		st = berth__db_error(live->db, "read the recording");
	if (st == BERTH_OK)
		st = copy_text(&live->program, row, 0);
	if (st == BERTH_OK) {
		out->program = live->program;
		out->ended = berth__db_column(row, 1);
		out->ops = berth__db_column(row, 2);
		out->failed = berth__db_column(row, 3);
		out->last_ns = berth__db_column(row, 4);
		out->made = berth__db_column(row, 5);
	}
	sqlite3_finalize(row);
	return st;
}

/* The kinds that own memory have names that never change. */
static const char *kind_name(const char *text)
{
	static const char *const names[] = { "buffer", "subbuffer", "image", "svm", "pipe" };

	for (size_t i = 0; text && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(text, names[i]) == 0)
			return names[i];
	return "object";
}

static berth_status take_group(berth_live_state *out, berth_live *live, sqlite3_stmt *row)
{
	uint64_t count = berth__db_column(row, 3), bytes = berth__db_column(row, 4);
	berth_live_group *group;
	berth_status st;

	out->alive += count;
	if (__builtin_add_overflow(out->alive_bytes, bytes, &out->alive_bytes))
		out->alive_bytes = UINT64_MAX;
	if (out->group_count == BERTH_LIVE_GROUPS_MAX) {
		out->other_bytes += bytes;
		return BERTH_OK;
	}
	if ((st = copy_text(&live->labels[out->group_count], row, 1)) != BERTH_OK)
		return st;
	group = &out->groups[out->group_count];
	*group = (berth_live_group){
		.kind = kind_name((const char *)sqlite3_column_text(row, 0)),
		.label = live->labels[out->group_count],
		.each_bytes = berth__db_column(row, 2),
		.count = count,
		.bytes = bytes,
	};
	out->group_count++;
	return BERTH_OK;
}

static berth_status read_groups(berth_live_state *out, berth_live *live)
{
	sqlite3_stmt *rows = NULL;
	int code = SQLITE_DONE;
	berth_status st = berth__db_prepare(&rows, live->db, groups_sql);

	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = take_group(out, live, rows);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(live->db, "read the recording");
	sqlite3_finalize(rows);
	return st;
}

berth_status berth_live_read(berth_live_state *out, berth_live *live)
{
	berth_live_state state = { .ops = 0 };
	berth_status st = open_database(live);

	forget_texts(live);
	/* Both queries see one state of the trace. */
	if (st == BERTH_OK && (st = berth__db_exec(live->db, "BEGIN")) == BERTH_OK &&
	    (st = read_head(&state, live)) == BERTH_OK)
		st = read_groups(&state, live);
	close_database(live);
	if (st == BERTH_OK)
		*out = state;
	return st;
}
