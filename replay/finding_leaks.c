/* SPDX-License-Identifier: Apache-2.0 */
/* F-LEAK: what was forgotten, as the summary of the trace tells it apart from what was kept. */
#include "finding.h"

#include <inttypes.h>

berth_status berth__finding_leaks(struct berth__finding_run *run)
{
	const berth_summary *summary = run->summary;
	const berth_summary_object *largest = NULL;
	berth_finding *finding;
	char text[BERTH__BYTES_TEXT];
	uint64_t count = 0, bytes = 0;

	for (uint32_t i = 0; i < summary->leaked_count; i++) {
		const berth_summary_object *object = &summary->leaked[i];

		if (object->why != BERTH_UNRELEASED_LEAKED)
			continue;
		count++;
		bytes += object->bytes;
		if (!largest || object->bytes > largest->bytes)
			largest = object;
	}
	run->found->objects_leaked = count;
	if (count == 0)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_LEAK);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = count;
	finding->bytes = bytes;
	finding->op = largest->created_op;
	berth__finding_name(finding, largest->id);
	for (uint32_t i = 0; i < summary->leaked_count; i++)
		if (summary->leaked[i].why == BERTH_UNRELEASED_LEAKED)
			berth__finding_name(finding, summary->leaked[i].id);
	berth__finding_say(finding,
			   "%" PRIu64 " objects of %s were never released; the largest is object %" PRIu64
			   "%s%s%s, made by op %" PRIu64,
			   count, berth__bytes_text(text, bytes), largest->id,
			   largest->label ? " '" : "", largest->label ? largest->label : "",
			   largest->label ? "'" : "", largest->created_op);
	berth__finding_advise(finding, "release them; record with --stacks to see where they are made");
	return BERTH_OK;
}
