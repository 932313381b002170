/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a probe for build servers: one test a case. */
#include "probe_table.h"

#include "junit.h"

#include <stdio.h>

static const char *element_of(berth_probe_outcome outcome)
{
	switch (outcome) {
	case BERTH_PROBE_AGREES:
		return NULL;
	case BERTH_PROBE_NOT_APPLICABLE:
		return "skipped";
	case BERTH_PROBE_DEVIATES:
		return "failure";
	default:
		return "error";
	}
}

static void put_case(junit *file, const berth_probe_case *one)
{
	char note[PROBE_NOTE_BYTES], name[256];

	snprintf(name, sizeof(name), "%s (%s)", one->name, one->breaks ? "breaks" : "keeps");
	junit_test(file, one->rule->id, name, element_of(one->outcome),
		   probe_case_note(note, one));
}

berth_status probe_write_junit(const berth_probe *probe, const char *device, const char *path)
{
	uint32_t totals[BERTH_PROBE_OUTCOME_END] = { 0 };
	const berth_probe_case *one;
	junit *file;
	berth_status st;

	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		totals[one->outcome]++;
	st = junit_open(&file, path, "berth probe", device,
			&(struct junit_totals){
				.tests = berth_probe_count(probe),
				.failures = totals[BERTH_PROBE_DEVIATES],
				.errors = totals[BERTH_PROBE_CRASHES] + totals[BERTH_PROBE_HANGS],
				.skipped = totals[BERTH_PROBE_NOT_APPLICABLE],
			});
	if (st != BERTH_OK)
		return st;
	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		put_case(file, one);
	return junit_close(file);
}
