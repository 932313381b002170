/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as JUnit's XML, which build servers read: one test a rule, in their order. */
#include "findings_print.h"
#include "xml_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_finding(FILE *file, const berth_finding *finding)
{
	fprintf(file, "    <failure message=\"");
	xml_put_text(file, finding->text);
	fprintf(file, "\">");
	xml_put_text(file, finding->rule->advice);
	fprintf(file, "</failure>\n");
}

static void put_rule(FILE *file, const berth_findings *findings, const berth_finding_rule *rule)
{
	const berth_finding *finding;

	fprintf(file, "  <testcase classname=\"berth.findings\" name=\"%s ", rule->id);
	xml_put_text(file, rule->title);
	fprintf(file, "\">\n");
	for (size_t i = 0; (finding = berth_findings_at(findings, i)); i++)
		if (finding->rule == rule)
			put_finding(file, finding);
	fprintf(file, "  </testcase>\n");
}

/* Rules with findings, and rules: notes fail nothing. */
static void count(const berth_findings *findings, size_t *failed, size_t *total)
{
	const berth_finding_rule *rule, *before = NULL;
	const berth_finding *finding;

	*failed = *total = 0;
	for (size_t i = 0; (rule = berth_finding_rule_at(i)); i++)
		*total += !rule->note;
	for (size_t i = 0; (finding = berth_findings_at(findings, i)); i++) {
		*failed += !finding->rule->note && finding->rule != before;
		before = finding->rule;
	}
}

static berth_status cannot_write(const char *path)
{
	return berth_error_set(BERTH_E_IO, 0, "cannot write '%s': %s", path, strerror(errno));
}

berth_status findings_write_junit(const berth_findings *findings, const char *trace,
				  const char *path)
{
	const berth_finding_rule *rule;
	size_t failures, total;
	FILE *file = fopen(path, "w");
	bool failed;

	if (!file)
		return cannot_write(path);
	count(findings, &failures, &total);
	fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<testsuite name=\"berth findings ");
	xml_put_text(file, trace);
	fprintf(file, "\" tests=\"%zu\" failures=\"%zu\">\n", total, failures);
	for (size_t i = 0; (rule = berth_finding_rule_at(i)); i++)
		if (!rule->note)
			put_rule(file, findings, rule);
	fprintf(file, "</testsuite>\n");
	failed = ferror(file);
	if (fclose(file) != 0 || failed)
		return cannot_write(path);
	return BERTH_OK;
}
