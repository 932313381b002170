/* SPDX-License-Identifier: Apache-2.0 */
/* An open trace, as the files that read it share it. */
#ifndef BERTH_REPLAY_TRACE_STORE_H
#define BERTH_REPLAY_TRACE_STORE_H

#include <sqlite3.h>

#include <berth/trace.h>

struct berth__trace_name {
	uint64_t id;
	char *text;
};

/* The table `name`, in order of id. */
struct berth__trace_names {
	struct berth__trace_name *items;
	size_t count;
	size_t capacity;
};

struct berth__op_reader;

struct berth_trace {
	sqlite3 *db;
	char *path;
	berth_trace_info info;
	char *program, *command, *berth_version, *end; /* info's strings */
	struct berth__trace_names names;
	struct berth__op_reader *ops;
	uint64_t steps_left; /* of SQLite's virtual machine, in units of the progress handler */
};

BERTH_MUST_CHECK berth_status berth__trace_names_load(struct berth__trace_names *names,
						      sqlite3 *db);
void berth__trace_names_free(struct berth__trace_names *names);
/* @return the text, or NULL when there is no such name. */
const char *berth__trace_names_find(const struct berth__trace_names *names, uint64_t id);

BERTH_MUST_CHECK berth_status berth__op_reader_create(struct berth__op_reader **out,
						      berth_trace *trace);
void berth__op_reader_destroy(struct berth__op_reader *reader);

/* BERTH_E_FORMAT that names table, row, column and value. */
BERTH_MUST_CHECK berth_status berth__trace_damaged(const char *table, uint64_t row,
						   const char *column, uint64_t value);

/* As berth_trace_summarise(); without lives neither peak nor leaked_bytes, which take longest. */
BERTH_MUST_CHECK berth_status berth__trace_summarise(berth_summary **out, berth_trace *trace,
						     bool with_lives);

/* A stack as a JSON array of places, innermost first; sqlite3_free(). */
BERTH_MUST_CHECK berth_status berth__trace_stack_json(char **out, berth_trace *trace,
						      uint64_t stack);

/*
 * Between begin and end, SQL that runs far longer than the file's size can explain
 * is stopped (BERTH_E_FORMAT): pages of a forged file may point at each other.
 */
void berth__trace_bound_begin(berth_trace *trace);
void berth__trace_bound_end(berth_trace *trace);

#endif
