/* SPDX-License-Identifier: Apache-2.0 */
/* The help and the man page, both from the command tables. */
#include "cmd.h"

#include <stdio.h>
#include <string.h>

static const char tool_summary[] =
	"record, replay and inspect the memory operations of OpenCL programs";

static const struct {
	const char *name;
	const char *meaning;
} environment[] = {
	{ "BERTH_LAYER",
	  "the layer library that record loads, instead of the one built or installed "
	  "with this berth" },
	{ "OPENCL_LAYERS", "layers that the program under record gets besides the recorder" },
	{ "OCL_ICD_VENDORS", "read by the OpenCL loader: which drivers there are" },
};

static const char device_names[] =
	"opencl:PLATFORM[:N] is device N (from 0) of the first OpenCL platform whose name contains "
	"PLATFORM, case ignored. sim:PROFILE is a simulated device with a built-in profile, "
	"sim:FILE.ini one with a profile file, and sim:clinfo:FILE[:N] one from what clinfo "
	"printed of it. 'berth devices' lists what there is.";

static const char sizes[] =
	"A size is a number of bytes, or a number with K, M or G: powers of 1024.";

static void print_usage(const struct cmd *cmd)
{
	printf("usage: berth %s%s%s%s\n", cmd->name, cmd->options->name ? " [OPTIONS]" : "",
	       *cmd->operands ? " " : "", cmd->operands);
}

static void print_option(const struct cmd_option *option)
{
	char left[64];

	snprintf(left, sizeof(left), "%c%c%s--%s%s%s", option->letter ? '-' : ' ',
		 option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
		 option->argument ? " " : "", option->argument ? option->argument : "");
	printf("  %-24s  %s\n", left, option->help);
}

/* Break @text into lines of at most 78 columns. */
static void print_wrapped(const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t word = strcspn(text, " \n");

		if (column > 0 && column + 1 + word > 78) {
			putchar('\n');
			column = 0;
		}
		column += (size_t)printf("%s%.*s", column > 0 ? " " : "", (int)word, text);
		text += word;
		if (*text == '\n') {
			fputs(column > 0 ? "\n\n" : "", stdout);
			column = 0;
		}
		text += strspn(text, " \n");
	}
	putchar('\n');
}

void help_print_cmd(const struct cmd *cmd)
{
	print_usage(cmd);
	printf("%s\n\n", cmd->summary);
	print_wrapped(cmd->description);
	printf("\noptions:\n");
	for (const struct cmd_option *option = cmd->options; option->name; option++)
		print_option(option);
	printf("  %-24s  %s\n", "    --help", "print this and exit");
	printf("\nexit status:\n");
	for (const struct cmd_exit *exit = cmd->exits; exit->meaning; exit++)
		printf("  %-3d %s\n", exit->status, exit->meaning);
	printf("\nexamples:\n");
	for (const struct cmd_example *example = cmd->examples; example->command; example++)
		printf("  %s\n      %s\n", example->command, example->does);
}

void help_print_tool(void)
{
	printf("usage: berth COMMAND [OPTIONS] [ARGUMENTS]\n%s\n\ncommands:\n", tool_summary);
	for (const struct cmd *const *cmd = cmd_table; *cmd; cmd++)
		printf("  %-10s %s\n", (*cmd)->name, (*cmd)->summary);
	printf("  %-10s %s\n", "help", "explain a command: berth help COMMAND");
	printf("\n'berth --version' prints the version\n");
}

/* roff takes a backslash, a '-' and a '.' or '\'' at the start of a line in its own way. */
static void print_roff(const char *text)
{
	bool line_start = true;

	for (; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			fputs("\\&", stdout);
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\n' && text[1] == '\n')
			fputs("\n.PP", stdout);
		else
			putchar(*text);
		line_start = *text == '\n';
	}
	putchar('\n');
}

static void man_section(const char *title)
{
	printf(".SH %s\n", title);
}

static void man_cmd(const struct cmd *cmd)
{
	printf(".SS berth %s\n", cmd->name);
	printf(".B berth %s\n", cmd->name);
	if (cmd->options->name)
		printf("[\\fIOPTIONS\\fR]\n");
	print_roff(cmd->operands);
	printf(".PP\n");
	print_roff(cmd->description);
	for (const struct cmd_option *option = cmd->options; option->name; option++) {
		printf(".TP\n");
		if (option->letter)
			printf("\\fB\\-%c\\fR, ", option->letter);
		fputs("\\fB\\-\\-", stdout);
		for (const char *at = option->name; *at; at++)
			fputs(*at == '-' ? "\\-" : (char[]){ *at, 0 }, stdout);
		printf("\\fR%s%s%s\n", option->argument ? " \\fI" : "",
		       option->argument ? option->argument : "", option->argument ? "\\fR" : "");
		print_roff(option->help);
	}
	printf(".PP\nExit status:\n");
	for (const struct cmd_exit *exit = cmd->exits; exit->meaning; exit++) {
		printf(".TP\n.B %d\n", exit->status);
		print_roff(exit->meaning);
	}
}

static void man_examples(void)
{
	man_section("EXAMPLES");
	for (const struct cmd *const *cmd = cmd_table; *cmd; cmd++) {
		for (const struct cmd_example *example = (*cmd)->examples; example->command;
		     example++) {
			printf(".TP\n");
			print_roff(example->command);
			print_roff(example->does);
		}
	}
}

void help_print_man(void)
{
	printf(".\\\" Made by 'berth --man' from the command tables in tool/.\n");
	printf(".TH BERTH 1 \"\" \"berth %s\" \"User Commands\"\n", berth_version());
	man_section("NAME");
	printf("berth \\- %s\n", tool_summary);
	man_section("SYNOPSIS");
	printf(".B berth\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n");
	man_section("DESCRIPTION");
	printf("Results go to standard output, everything else to standard error.\n.PP\n");
	print_roff(device_names);
	printf(".PP\n");
	print_roff(sizes);
	man_section("COMMANDS");
	for (const struct cmd *const *cmd = cmd_table; *cmd; cmd++)
		man_cmd(*cmd);
	man_examples();
	man_section("ENVIRONMENT");
	for (size_t i = 0; i < sizeof(environment) / sizeof(environment[0]); i++) {
		printf(".TP\n.B %s\n", environment[i].name);
		print_roff(environment[i].meaning);
	}
}
