/* SPDX-License-Identifier: Apache-2.0 */
/* berth rules: the specification on memory objects, as the table that all else goes by. */
#include "cmd.h"
#include "json.h"
#include "print.h"

#include <stdio.h>
#include <string.h>

#include <berth/op.h>
#include <berth/rules.h>

enum { OPTION_JSON, OPTION_MARKDOWN };

static const struct cmd_option options[] = {
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON array" },
	[OPTION_MARKDOWN] = { "markdown", 0, NULL, "print the tables of doc/rules.md" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "printed" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "no rule has this number" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth rules R38", "what is R38, which a replay named?" },
	{ "berth rules", "list all rules, and what some drivers refuse besides" },
	{ NULL, NULL },
};

/* "buffer_create, image_create": of all kinds, or those that one op has, in their order. */
static void kinds_text(char *text, size_t bytes, uint32_t kinds)
{
	size_t at = 0;

	text[0] = '\0';
	for (unsigned kind = 0; kind < BERTH_OP_KIND_END && at < bytes; kind++)
		if (kinds >> kind & 1)
			at += (size_t)snprintf(text + at, bytes - at, "%s%s", at ? ", " : "",
					       berth_op_kind_string((berth_op_kind)kind));
}

static void codes_text(char *text, size_t bytes, const berth_rule *rule)
{
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < BERTH_RULE_CODES_MAX && at < bytes; i++)
		if (rule->codes[i])
			at += (size_t)snprintf(text + at, bytes - at, "%s%s", i ? ", " : "",
					       berth_cl_status_string(rule->codes[i]));
}

/* "R100" and "R100.bounds" both belong to "R100". */
static bool is_asked(const berth_rule *rule, const char *asked)
{
	size_t length = asked ? strlen(asked) : 0;

	return !asked || (strncmp(rule->id, asked, length) == 0 &&
			  (rule->id[length] == '\0' || rule->id[length] == '.'));
}

struct printer {
	void (*print)(struct printer *printer, const berth_rule *rule);
	const char *asked; /* NULL: all */
	json_builder *json;
	size_t count;
};

static void print_text_row(struct printer *printer, const berth_rule *rule)
{
	char kinds[512], codes[256];

	(void)printer;
	kinds_text(kinds, sizeof(kinds), rule->kinds);
	codes_text(codes, sizeof(codes), rule);
	print_text(stdout, "%s: %s\n", rule->id, rule->summary);
	print_text(stdout, "    %s; %s\n", kinds, rule->section);
	print_text(stdout, "    else %s\n", codes);
}

static void print_markdown_row(struct printer *printer, const berth_rule *rule)
{
	char kinds[512], codes[256];

	(void)printer;
	kinds_text(kinds, sizeof(kinds), rule->kinds);
	codes_text(codes, sizeof(codes), rule);
	print_text(stdout, "| %s | %s | %s | %s | %s |\n", rule->id, rule->section, rule->summary,
		   kinds, codes);
}

static void print_rows(struct printer *printer, const berth_rule *(*at)(size_t index))
{
	const berth_rule *rule;

	for (size_t i = 0; (rule = at(i)); i++) {
		if (!is_asked(rule, printer->asked))
			continue;
		printer->print(printer, rule);
		printer->count++;
	}
}

static void print_markdown(struct printer *printer)
{
	static const char heading[] = "| row | section | what must hold | ops | else |\n"
				      "|---|---|---|---|---|\n";

	fputs(heading, stdout);
	print_rows(printer, berth_rules_at);
	fputs("\n", stdout);
	fputs(heading, stdout);
	print_rows(printer, berth_quirks_at);
}

static void add_json_row(struct printer *printer, const berth_rule *rule)
{
	json_builder *json = printer->json;

	json_set_object(json, "$[#]");
	json_set_text(json, "$[#-1].rule", rule->id);
	json_set_text(json, "$[#-1].section", rule->section);
	json_set_text(json, "$[#-1].summary", rule->summary);
	json_set_array(json, "$[#-1].ops");
	for (unsigned kind = 0; kind < BERTH_OP_KIND_END; kind++)
		if (rule->kinds >> kind & 1)
			json_set_text(json, "$[#-1].ops[#]",
				      berth_op_kind_string((berth_op_kind)kind));
	json_set_array(json, "$[#-1].codes");
	for (int i = 0; i < BERTH_RULE_CODES_MAX; i++)
		if (rule->codes[i])
			json_set_text(json, "$[#-1].codes[#]",
				      berth_cl_status_string(rule->codes[i]));
}

static int print_json(struct printer *printer)
{
	berth_status st;

	printer->json = json_builder_create();
	json_start_array(printer->json);
	print_rows(printer, berth_rules_at);
	print_rows(printer, berth_quirks_at);
	st = printer->count ? json_print(printer->json) : BERTH_OK;
	json_builder_destroy(printer->json);
	return st == BERTH_OK ? CMD_EXIT_OK : cmd_fail_detail("cannot print", NULL);
}

static int run(const struct cmd_line *line)
{
	struct printer printer = { .print = print_text_row,
				   .asked = line->operand_count ? line->operands[0] : NULL };
	int status = CMD_EXIT_OK;

	if (line->values[OPTION_MARKDOWN] && (printer.asked || line->values[OPTION_JSON]))
		return cmd_fail(CMD_EXIT_USAGE, "--markdown prints all rules, and nothing else");
	if (line->values[OPTION_JSON]) {
		printer.print = add_json_row;
		status = print_json(&printer);
	} else if (line->values[OPTION_MARKDOWN]) {
		printer.print = print_markdown_row;
		print_markdown(&printer);
	} else {
		print_rows(&printer, berth_rules_at);
		print_rows(&printer, berth_quirks_at);
	}
	if (status == CMD_EXIT_OK && printer.count == 0)
		return cmd_fail(CMD_EXIT_FAILED,
				"no rule '%s': 'berth rules' lists all; clauses that are no "
				"conditions are in doc/rules.md", printer.asked);
	return cmd_finish_output(status);
}

const struct cmd cmd_rules = {
	.name = "rules",
	.summary = "print the rules of OpenCL memory objects",
	.operands = "[RULE]",
	.operands_min = 0,
	.operands_max = 1,
	.description =
		"Prints the conditions that the OpenCL specification sets on memory objects, one "
		"row each: its number, what must hold, which ops it is about, the section of the "
		"specification, and the codes for breaking it. Answers, divergences and profiles "
		"name rules by these numbers. RULE is one of them, as R38; R100 means all rows of "
		"R100.\n\n"
		"The rows whose numbers begin with Q. are not of the specification: some drivers "
		"refuse these things all the same, and a profile can say that its device does.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
