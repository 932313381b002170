/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for build servers: one test a rule, in their order. Notes fail nothing, and are none. */
#include "findings_print.h"

#include "junit.h"

/* The finding of a rule; NULL: there is none. */
static const berth_finding *find(const berth_findings *findings, const berth_finding_rule *rule)
{
	const berth_finding *finding;

	for (size_t i = 0; (finding = berth_findings_at(findings, i)); i++)
		if (finding->rule == rule)
			return finding;
	return NULL;
}

static struct junit_totals count(const berth_findings *findings)
{
	struct junit_totals totals = { 0 };
	const berth_finding_rule *rule;

	for (size_t i = 0; (rule = berth_finding_rule_at(i)); i++) {
		totals.tests += !rule->note;
		totals.failures += !rule->note && find(findings, rule);
	}
	return totals;
}

berth_status findings_write_junit(const berth_findings *findings, const char *trace,
				  const char *path)
{
	const struct junit_totals totals = count(findings);
	const berth_finding_rule *rule;
	junit *file;
	berth_status st = junit_open(&file, path, "berth findings", trace, &totals);

	if (st != BERTH_OK)
		return st;
	for (size_t i = 0; (rule = berth_finding_rule_at(i)); i++) {
		const berth_finding *finding = find(findings, rule);

		if (!rule->note)
			junit_test(file, trace, rule->id, finding ? "failure" : NULL,
				   finding ? finding->text : NULL);
	}
	return junit_close(file);
}
