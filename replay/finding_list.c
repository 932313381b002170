/* SPDX-License-Identifier: Apache-2.0 */
#include "finding_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const berth_finding_rule *rule_of(const char *id)
{
	const berth_finding_rule *rule;

	for (size_t i = 0; (rule = berth_finding_rule_at(i)); i++)
		if (strcmp(rule->id, id) == 0)
			return rule;
	assert(!"a rule that is in no table");
	return NULL;
}

berth_finding *berth__finding_list_append(berth_findings *findings, const char *rule)
{
	berth_finding *finding;

	if (findings->count == findings->capacity) {
		size_t capacity = findings->capacity ? 2 * findings->capacity : 8;
		berth_finding *items = reallocarray(findings->items, capacity, sizeof(*items));

		if (!items)
			return NULL;
		findings->items = items;
		findings->capacity = capacity;
	}
	finding = &findings->items[findings->count++];
	memset(finding, 0, sizeof(*finding));
	finding->rule = rule_of(rule);
	findings->faults += !finding->rule->note;
	return finding;
}

/* There are a few dozen at most. */
void berth__finding_list_sort(berth_findings *findings)
{
	for (size_t i = 1; i < findings->count; i++) {
		berth_finding one = findings->items[i];
		size_t at = i;

		/* Rules are in one table, so their addresses are in its order. */
		for (; at > 0 && findings->items[at - 1].rule > one.rule; at--)
			findings->items[at] = findings->items[at - 1];
		findings->items[at] = one;
	}
}

const berth_finding *berth_findings_at(const berth_findings *findings, size_t index)
{
	return index < findings->count ? &findings->items[index] : NULL;
}

size_t berth_findings_count(const berth_findings *findings)
{
	return findings->faults;
}

void berth_findings_free(berth_findings *findings)
{
	if (!findings)
		return;
	free(findings->items);
	free(findings);
}
