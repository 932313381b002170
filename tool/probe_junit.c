/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a probe as JUnit's XML, which build servers read: one test a case. */
#include "probe_table.h"
#include "xml_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_case(FILE *file, const berth_probe_case *one)
{
	char note[PROBE_NOTE_BYTES];
	const char *element = one->outcome == BERTH_PROBE_NOT_APPLICABLE ? "skipped"
			      : one->outcome == BERTH_PROBE_DEVIATES	 ? "failure"
									 : "error";

	fprintf(file, "  <testcase classname=\"%s\" name=\"", one->rule->id);
	xml_put_text(file, one->name);
	fprintf(file, " (%s)\"", one->breaks ? "breaks" : "keeps");
	if (one->outcome == BERTH_PROBE_AGREES) {
		fprintf(file, "/>\n");
		return;
	}
	fprintf(file, "><%s message=\"", element);
	xml_put_text(file, probe_case_note(note, one));
	fprintf(file, "\"/></testcase>\n");
}

berth_status probe_write_junit(const berth_probe *probe, const char *device, const char *path)
{
	uint32_t totals[BERTH_PROBE_OUTCOME_END] = { 0 };
	const berth_probe_case *one;
	FILE *file = fopen(path, "w");
	bool failed;

	if (!file)
		return berth_error_set(BERTH_E_IO, 0, "cannot write '%s': %s", path,
				       strerror(errno));
	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		totals[one->outcome]++;
	fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"berth probe ");
	xml_put_text(file, device);
	fprintf(file, "\" tests=\"%zu\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
		berth_probe_count(probe), totals[BERTH_PROBE_DEVIATES],
		totals[BERTH_PROBE_CRASHES] + totals[BERTH_PROBE_HANGS],
		totals[BERTH_PROBE_NOT_APPLICABLE]);
	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		put_case(file, one);
	fprintf(file, "</testsuite>\n");
	failed = ferror(file);
	if (fclose(file) != 0 || failed)
		return berth_error_set(BERTH_E_IO, 0, "cannot write '%s': %s", path,
				       strerror(errno));
	return BERTH_OK;
}
