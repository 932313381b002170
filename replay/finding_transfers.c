/* SPDX-License-Identifier: Apache-2.0 */
/* F-REDUNDANT and F-PING-PONG: from the residency report. */
#include "finding.h"

#include <inttypes.h>

/* What is less is not worth a change: bytes, and part of all that was moved. */
#define BYTES_MIN (UINT64_C(64) << 10)
#define PERCENT_MIN 5

static void name_worst(berth_finding *finding, const berth_residency *report, bool ping_pong)
{
	for (uint32_t i = 0; i < report->listed_count; i++) {
		const berth_residency_object *entry = &report->listed[i];

		if (ping_pong && entry->turns < BERTH_RESIDENCY_PING_PONG_TURNS)
			continue;
		berth__finding_name(finding, entry->object.id);
		if (finding->op == 0 || entry->first_op < finding->op)
			finding->op = entry->first_op;
	}
}

static berth_status tell_redundant(struct berth__finding_run *run, const berth_residency *report)
{
	const berth_residency_sum *writes = &report->sums[BERTH_RESIDENCY_WRITES];
	const berth_residency_sum *reads = &report->sums[BERTH_RESIDENCY_READS];
	uint64_t all = report->writes.bytes + report->reads.bytes;
	char text[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (report->saved.bytes < BYTES_MIN || berth__percent(report->saved.bytes, all) < PERCENT_MIN)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_REDUNDANT);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = report->saved.count;
	finding->bytes = report->saved.bytes;
	finding->time_ns = report->saved.duration_ns;
	name_worst(finding, report, false);
	berth__finding_say(finding,
			   "%" PRIu64 " writes and %" PRIu64
			   " reads moved bytes that were there already: %s, %" PRIu64
			   " %% of all that was moved, %.3f ms in these calls",
			   writes->count, reads->count, berth__bytes_text(text, report->saved.bytes),
			   berth__percent(report->saved.bytes, all),
			   (double)report->saved.duration_ns / 1e6);
	berth__finding_advise(finding, "keep the content on the device until somebody asks for it "
				       "(berth show --residency names each object)");
	return BERTH_OK;
}

static berth_status tell_ping_pong(struct berth__finding_run *run, const berth_residency *report)
{
	uint64_t bytes = 0, turns = 0, ns = 0;
	char text[BERTH__BYTES_TEXT];
	berth_finding *finding;

	for (uint32_t i = 0; i < report->listed_count; i++) {
		const berth_residency_object *entry = &report->listed[i];

		if (entry->turns < BERTH_RESIDENCY_PING_PONG_TURNS)
			continue;
		turns += entry->turns;
		for (int sum = 0; sum < BERTH_RESIDENCY_CLASS_COUNT; sum++) {
			bytes += entry->sums[sum].bytes;
			ns += entry->sums[sum].duration_ns;
		}
	}
	if (bytes < BYTES_MIN)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_PING_PONG);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = turns;
	finding->bytes = bytes;
	finding->time_ns = ns;
	name_worst(finding, report, true);
	berth__finding_say(finding,
			   "on %" PRIu64 " objects the same content turned round between host and "
			   "device %" PRIu64 " times: %s", report->ping_pong_count, turns,
			   berth__bytes_text(text, bytes));
	berth__finding_advise(finding, "let the next kernel read the object that the last one wrote, "
				       "without the host between them");
	return BERTH_OK;
}

berth_status berth__finding_transfers(struct berth__finding_run *run,
				      const berth_residency *report)
{
	berth_status st;

	run->found->writes_without_digest = report->writes_without_digest;
	st = tell_redundant(run, report);
	return st == BERTH_OK ? tell_ping_pong(run, report) : st;
}
