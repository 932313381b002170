/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands of berth(1). One struct cmd each, in its cmd-<name>.c: the parser, the
 * help and the man page are all made from it.
 */
#ifndef BERTH_TOOL_CMD_H
#define BERTH_TOOL_CMD_H

#include <berth/status.h>

/* Exit statuses of all commands; `record` passes the program's own on as well. */
enum cmd_exit_status {
	CMD_EXIT_OK = 0,
	CMD_EXIT_DIVERGED = 1,
	CMD_EXIT_USAGE = 2,
	CMD_EXIT_FAILED = 3,
};

#define CMD_OPTIONS_MAX 20

struct cmd_option {
	const char *name;
	char letter;	      /* 0: no short form */
	/*
	 * Name of its argument; NULL: it takes none. One that ends in ",..." is a list: given
	 * again, its arguments are joined by commas.
	 */
	const char *argument;
	const char *help;     /* one sentence, lower case, no full stop */
};

struct cmd_exit {
	int status;
	const char *meaning;
};

struct cmd_example {
	const char *command;
	const char *does;
};

/* A parsed command line. Indexes are those of the command's option table. */
struct cmd_line {
	const char *values[CMD_OPTIONS_MAX]; /* as typed, "" where none is taken; NULL: not given */
	char *joined[CMD_OPTIONS_MAX];	     /* of lists: what their values point at */
	char **operands;		     /* NULL-terminated */
	int operand_count;
};

struct cmd {
	const char *name;
	const char *summary;
	const char *operands; /* as in the usage line; "" for none */
	int operands_min;
	int operands_max;	 /* -1: what follows belongs to a program and is not parsed */
	const char *description; /* paragraphs parted by an empty line */
	const struct cmd_option *options;   /* end with a NULL name; at most CMD_OPTIONS_MAX */
	const struct cmd_exit *exits;	    /* end with a NULL meaning */
	const struct cmd_example *examples; /* end with a NULL command */
	int (*run)(const struct cmd_line *line);
};

extern const struct cmd cmd_compare;
extern const struct cmd cmd_diff;
extern const struct cmd cmd_export;
extern const struct cmd cmd_findings;
extern const struct cmd cmd_import;
extern const struct cmd cmd_plan;
extern const struct cmd cmd_probe;
extern const struct cmd cmd_record;
extern const struct cmd cmd_recover;
extern const struct cmd cmd_replay;
extern const struct cmd cmd_report;
extern const struct cmd cmd_show;
extern const struct cmd cmd_simulate;
extern const struct cmd cmd_top;
extern const struct cmd cmd_devices;
extern const struct cmd cmd_rules;

/* All commands in the order of the manual, NULL at the end. */
extern const struct cmd *const cmd_table[];

/* Print help of one command, of the whole tool, or the man page, on stdout. */
void help_print_cmd(const struct cmd *cmd);
void help_print_tool(void);
void help_print_man(void);

/* Print "berth: MESSAGE" on stderr. Returns @status, to be the exit status. */
int cmd_fail(int status, const char *format, ...) BERTH_PRINTF(2, 3);

/*
 * Print the thread's error detail as "ACTION 'OBJECT': DETAIL", or alone when it
 * names the object itself; without @object (NULL) as "ACTION: DETAIL". Returns
 * CMD_EXIT_FAILED.
 */
int cmd_fail_detail(const char *action, const char *object);

/* Flush stdout; a full disk or a closed pipe becomes CMD_EXIT_FAILED with a message. */
int cmd_finish_output(int status);

#endif
