/* SPDX-License-Identifier: Apache-2.0 */
/* The pass over a trace in which all rules look for what they are about. */
#include "finding.h"

#include "finding_list.h"

#include <stdlib.h>

#define PROGRESS_OPS 65536u

static berth_status open_states(struct berth__finding_scan *scan)
{
	scan->states = calloc(berth__finding_checker_count, sizeof(*scan->states));
	if (!scan->states)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory looking for findings");
	for (size_t i = 0; i < berth__finding_checker_count; i++) {
		size_t bytes = berth__finding_checkers[i]->state_bytes;

		if (bytes && !(scan->states[i] = calloc(1, bytes)))
			return berth_error_set(BERTH_E_NOMEM, 0,
					       "out of memory looking for findings");
	}
	return BERTH_OK;
}

static void close_scan(struct berth__finding_scan *scan)
{
	berth__finding_world_close(scan);
	for (size_t i = 0; scan->states && i < berth__finding_checker_count; i++) {
		if (berth__finding_checkers[i]->free && scan->states[i])
			berth__finding_checkers[i]->free(scan->states[i]);
		free(scan->states[i]);
	}
	free(scan->states);
}

static berth_status pass(struct berth__finding_scan *scan, const berth_findings_options *options)
{
	uint64_t done = 0;
	berth_status st;

	while ((st = berth_trace_next(&scan->row, scan->trace)) == BERTH_OK && scan->row) {
		berth__finding_world_take(scan);
		if (scan->status != BERTH_OK)
			return scan->status;
		if (++done % PROGRESS_OPS == 0 && options->progress)
			options->progress(done, scan->info->op_count, options->userdata);
	}
	return st;
}

static berth_status find(struct berth__finding_scan *scan, const berth_findings_options *options)
{
	berth_status st;

	if ((st = berth__finding_world_open(scan)) != BERTH_OK ||
	    (st = open_states(scan)) != BERTH_OK ||
	    (st = berth_trace_select(scan->trace, BERTH_TRACE_FIELDS_ALL)) != BERTH_OK ||
	    (st = pass(scan, options)) != BERTH_OK)
		return st;
	berth__finding_world_end(scan);
	for (size_t i = 0; scan->status == BERTH_OK && i < berth__finding_checker_count; i++)
		if (berth__finding_checkers[i]->finish)
			berth__finding_checkers[i]->finish(scan, scan->states[i]);
	if (scan->status == BERTH_OK)
		scan->status = berth_trace_rewind(scan->trace);
	return scan->status;
}

berth_status berth_findings_find(berth_findings **out, berth_trace *trace,
				 const berth_findings_options *options)
{
	static const berth_findings_options defaults = BERTH_FINDINGS_OPTIONS_INIT;
	struct berth__finding_scan scan = { .trace = trace, .info = berth_trace_get_info(trace) };
	berth_caps recorded;
	berth_status st;

	if (!options)
		options = &defaults;
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0, "options of %u bytes, expected %zu",
				       options->size, sizeof(*options));
	if (scan.info->device_count > 0) {
		if ((st = berth_trace_device(&recorded, trace, 0)) != BERTH_OK)
			return st;
		scan.recorded = &recorded;
	}
	scan.caps = options->caps ? options->caps : scan.recorded;
	scan.findings = calloc(1, sizeof(*scan.findings));
	if (!scan.findings)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory looking for findings");
	st = find(&scan, options);
	close_scan(&scan);
	if (st != BERTH_OK) {
		berth_findings_free(scan.findings);
		return st;
	}
	berth__finding_list_sort(scan.findings);
	*out = scan.findings;
	return BERTH_OK;
}
