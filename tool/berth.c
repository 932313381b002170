/* SPDX-License-Identifier: Apache-2.0 */
/* berth(1): finds the command, parses its line by its table, runs it. */
#include "cmd.h"
#include "print.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct cmd *const cmd_table[] = {
	&cmd_record, &cmd_recover, &cmd_replay, &cmd_compare,  &cmd_simulate, &cmd_show,
	&cmd_report, &cmd_diff,	   &cmd_export, &cmd_import,   &cmd_findings, &cmd_top,
	&cmd_plan,   &cmd_probe,   &cmd_devices, &cmd_rules,
	NULL,
};

/* What getopt_long() returns for option i without a letter, and for --help. */
#define LONG_ONLY 256
#define HELP 512

int cmd_fail(int status, const char *format, ...)
{
	va_list args;

	fputs("berth: ", stderr);
	va_start(args, format);
	print_text_v(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}

int cmd_fail_detail(const char *action, const char *object)
{
	const berth_error *error = berth_error_get();
	const char *reason = *error->message ? error->message : berth_status_string(error->status);

	if (!object)
		return cmd_fail(CMD_EXIT_FAILED, "%s: %s", action, reason);
	if (strstr(reason, object))
		return cmd_fail(CMD_EXIT_FAILED, "%s", reason);
	return cmd_fail(CMD_EXIT_FAILED, "%s '%s': %s", action, object, reason);
}

int cmd_finish_output(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	return cmd_fail(CMD_EXIT_FAILED, "cannot write the result: %s", strerror(errno));
}

static const struct cmd *find_cmd(const char *name)
{
	for (const struct cmd *const *cmd = cmd_table; *cmd; cmd++)
		if (strcmp((*cmd)->name, name) == 0)
			return *cmd;
	return NULL;
}

static int unknown_cmd(const char *name)
{
	return cmd_fail(CMD_EXIT_USAGE, "'%s' is not a command; 'berth help' lists them", name);
}

struct parser {
	struct option longs[CMD_OPTIONS_MAX + 2];
	char shorts[2 * CMD_OPTIONS_MAX + 3];
};

static void parser_init(struct parser *parser, const struct cmd *cmd)
{
	char *shorts = parser->shorts;
	size_t count = 0;

	memset(parser, 0, sizeof(*parser));
	if (cmd->operands_max < 0)
		*shorts++ = '+';
	*shorts++ = ':';
	for (const struct cmd_option *option = cmd->options; option->name; option++, count++) {
		parser->longs[count] = (struct option){
			.name = option->name,
			.has_arg = option->argument ? required_argument : no_argument,
			.val = option->letter ? option->letter : LONG_ONLY + (int)count,
		};
		if (option->letter)
			*shorts++ = option->letter;
		if (option->letter && option->argument)
			*shorts++ = ':';
	}
	parser->longs[count] = (struct option){ .name = "help", .val = HELP };
}

static size_t option_index(const struct cmd *cmd, int value)
{
	size_t index = 0;

	if (value >= LONG_ONLY)
		return (size_t)(value - LONG_ONLY);
	while (cmd->options[index].letter != value)
		index++;
	return index;
}

static int refuse_option(const struct cmd *cmd, char **argv, int returned)
{
	/* An empty argument stands behind its option. */
	const char *typed = argv[optind - (*argv[optind - 1] ? 1 : 2)];

	return cmd_fail(CMD_EXIT_USAGE, "%s: %s '%s'; 'berth %s --help' shows the options",
			cmd->name, returned == ':' ? "no argument for" : "not an option:", typed,
			cmd->name);
}

static int check_operands(const struct cmd *cmd, const struct cmd_line *line)
{
	bool few = line->operand_count < cmd->operands_min;
	bool many = cmd->operands_max >= 0 && line->operand_count > cmd->operands_max;

	if (!few && !many)
		return CMD_EXIT_OK;
	return cmd_fail(CMD_EXIT_USAGE, "%s: too %s arguments; usage: berth %s%s%s", cmd->name,
			few ? "few" : "many", cmd->name, *cmd->operands ? " " : "", cmd->operands);
}

static bool is_list(const struct cmd_option *option)
{
	size_t length = option->argument ? strlen(option->argument) : 0;

	return length > 4 && strcmp(option->argument + length - 4, ",...") == 0;
}

static void set_value(struct cmd_line *line, const struct cmd *cmd, size_t index)
{
	const char *before = line->values[index];
	char *joined = NULL;

	if (!optarg || !before || !is_list(&cmd->options[index])) {
		line->values[index] = optarg ? optarg : "";
		return;
	}
	if (asprintf(&joined, "%s,%s", before, optarg) < 0)
		abort();
	free(line->joined[index]);
	line->joined[index] = joined;
	line->values[index] = joined;
}

static int parse_and_run(struct cmd_line *line, const struct cmd *cmd, int argc, char **argv)
{
	struct parser parser;
	int value, status;

	parser_init(&parser, cmd);
	while ((value = getopt_long(argc, argv, parser.shorts, parser.longs, NULL)) != -1) {
		if (value == HELP) {
			help_print_cmd(cmd);
			return cmd_finish_output(CMD_EXIT_OK);
		}
		if (value == '?' || value == ':')
			return refuse_option(cmd, argv, value);
		if (optarg && !*optarg)
			return refuse_option(cmd, argv, ':');
		set_value(line, cmd, option_index(cmd, value));
	}
	line->operands = argv + optind;
	line->operand_count = argc - optind;
	status = check_operands(cmd, line);
	return status == CMD_EXIT_OK ? cmd->run(line) : status;
}

/* @argv begins at the command's name. */
static int run_cmd(const struct cmd *cmd, int argc, char **argv)
{
	struct cmd_line line = { 0 };
	int status = parse_and_run(&line, cmd, argc, argv);

	for (size_t i = 0; i < CMD_OPTIONS_MAX; i++)
		free(line.joined[i]);
	return status;
}

static int run_help(const char *name)
{
	const struct cmd *cmd = name ? find_cmd(name) : NULL;

	if (name && !cmd)
		return unknown_cmd(name);
	if (cmd)
		help_print_cmd(cmd);
	else
		help_print_tool();
	return cmd_finish_output(CMD_EXIT_OK);
}

static int run_version(void)
{
	printf("berth %s\n", berth_version());
	return cmd_finish_output(CMD_EXIT_OK);
}

static int run_man(void)
{
	help_print_man();
	return cmd_finish_output(CMD_EXIT_OK);
}

int main(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : NULL;
	const struct cmd *cmd;

	if (!first)
		return cmd_fail(CMD_EXIT_USAGE, "no command; 'berth help' lists them");
	if (strcmp(first, "help") == 0 || strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
		return run_help(argc > 2 ? argv[2] : NULL);
	if (strcmp(first, "--version") == 0)
		return run_version();
	if (strcmp(first, "--man") == 0)
		return run_man();
	cmd = find_cmd(first);
	return cmd ? run_cmd(cmd, argc - 1, argv + 1) : unknown_cmd(first);
}
