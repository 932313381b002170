/* SPDX-License-Identifier: Apache-2.0 */
/* The pass over a trace in which all rules look for what they are about. */
#include "finding.h"

#include "db.h"
#include "finding_list.h"
#include "trace_store.h"

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

static void take_least(uint32_t *least, uint32_t value)
{
	*least = value < *least ? value : *least;
}

static void take_most(uint64_t *most, uint64_t value)
{
	*most = value > *most ? value : *most;
}

/* Of several devices the limits that are hardest to break, so that nothing is said in vain. */
static void merge_caps(berth_caps *caps, const berth_caps *other)
{
	take_most(&caps->global_mem_bytes, other->global_mem_bytes);
	take_most(&caps->max_alloc_bytes, other->max_alloc_bytes);
	take_most(&caps->image2d_max_width, other->image2d_max_width);
	take_most(&caps->image2d_max_height, other->image2d_max_height);
	take_most(&caps->image3d_max_width, other->image3d_max_width);
	take_most(&caps->image3d_max_height, other->image3d_max_height);
	take_most(&caps->image3d_max_depth, other->image3d_max_depth);
	take_most(&caps->image_max_buffer_px, other->image_max_buffer_px);
	take_most(&caps->image_max_array, other->image_max_array);
	take_least(&caps->base_addr_align_bits, other->base_addr_align_bits);
	take_least(&caps->image_pitch_align, other->image_pitch_align);
	take_least(&caps->image_base_align, other->image_base_align);
	caps->image2d_from_buffer &= other->image2d_from_buffer;
	caps->host_unified &= other->host_unified;
	if (other->pitch_unit == BERTH_PITCH_UNIT_BYTES)
		caps->pitch_unit = BERTH_PITCH_UNIT_BYTES;
}

static berth_status read_devices(struct berth__finding_scan *scan, berth_caps *recorded)
{
	berth_caps other;
	berth_status st;

	if (scan->info->device_count == 0)
		return BERTH_OK;
	st = berth_trace_device(recorded, scan->trace, 0);
	for (uint32_t i = 1; st == BERTH_OK && i < scan->info->device_count; i++)
		if ((st = berth_trace_device(&other, scan->trace, i)) == BERTH_OK)
			merge_caps(recorded, &other);
	scan->recorded = recorded;
	return st;
}

/* Objects are missing when records were lost, or calls that make some are not modelled. */
static berth_status read_completeness(struct berth__finding_scan *scan)
{
	uint64_t creators = 0;
	berth_status st;

	berth__trace_bound_begin(scan->trace);
	st = berth__db_number(&creators, scan->trace->db,
			      "SELECT count(*) FROM untracked WHERE name LIKE 'clCreate%'"
			      " OR name LIKE 'clImport%' OR name LIKE 'clSVMAlloc%'"
			      " OR name LIKE 'cl%MemAlloc%'");
	berth__trace_bound_end(scan->trace);
	scan->complete = scan->info->lost_records == 0 && creators == 0;
	return st;
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
	if ((st = read_devices(&scan, &recorded)) != BERTH_OK ||
	    (st = read_completeness(&scan)) != BERTH_OK)
		return st;
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
