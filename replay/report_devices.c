/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What other devices would hold: the ops that succeeded, executed on a simulated one without
 * content, perhaps under a pool. Of a real device only its limits are
 * looked at: executing there is `berth replay`.
 */
#include "report_data.h"

#include "codes.h"

#include <stdlib.h>
#include <string.h>

#include <berth/open.h>
#include <berth/pool_device.h>

static bool is_simulated(const char *name)
{
	return strncmp(name, "sim:", 4) == 0;
}

static berth_status open_device(berth_device **out, const struct berth__report *report,
				const char *name)
{
	berth_open_options open = BERTH_OPEN_OPTIONS_INIT;
	berth_pool_options pool = BERTH_POOL_OPTIONS_INIT;
	berth_device *inner, *pooled;
	berth_status st = BERTH_OK;

	if (report->options->pool)
		st = berth_pool_policy_parse(&pool.policy, report->options->pool);
	if (st != BERTH_OK)
		return st;
	open.ghost = is_simulated(name);
	if ((st = berth_device_open(&inner, name, &open)) != BERTH_OK)
		return st;
	if (report->options->pool && is_simulated(name)) {
		if ((st = berth_pool_device_create(&pooled, inner, &pool)) != BERTH_OK) {
			berth_device_destroy(inner);
			return st;
		}
		inner = pooled;
	}
	*out = inner;
	return BERTH_OK;
}

/* Of a pool: with what lies free in its blocks. */
static uint64_t held_by(const berth_device *device)
{
	berth_pool_device_stats stats;
	berth_memory memory;

	if (berth_pool_device_pool(device) &&
	    berth_pool_device_get_stats(&stats, device) == BERTH_OK)
		return stats.pool.held_bytes + stats.passed_through_bytes;
	berth_device_memory(device, &memory);
	return memory.in_use_bytes;
}

/*
 * What is refused is counted by its cause: creations, and what found no memory at its first
 * use. Other ops fail there only because an object that they need was refused before.
 */
static berth_status play_op(struct berth__report_device *out, berth_device *device,
			    const berth_trace_op *row)
{
	bool makes = row->op.kind == BERTH_OP_BUFFER_CREATE ||
		     row->op.kind == BERTH_OP_IMAGE_CREATE || row->op.kind == BERTH_OP_SVM_ALLOC;
	berth_result result;
	berth_status st = berth_device_execute(device, &row->op, &result);

	if (st == BERTH_E_NOMEM || st == BERTH_E_LOST)
		return st;
	if ((makes && (st != BERTH_OK || result.cl_status != CL_SUCCESS)) ||
	    (st == BERTH_OK && berth__is_memory_code(result.cl_status))) {
		if (out->refused++ == 0)
			out->first_refused = row->seq;
	}
	return BERTH_OK;
}

/* Spans are as the moments are: of the states after their ops. */
static berth_status play(struct berth__report_device *out, berth_device *device,
			 struct berth__report *report)
{
	const berth_trace_op *row;
	uint64_t held = 0;
	size_t filled = 0;
	berth_status st = berth_trace_select(report->trace, BERTH_TRACE_FIELDS_OP);

	while (st == BERTH_OK && (st = berth_trace_next(&row, report->trace)) == BERTH_OK && row) {
		size_t at = berth__report_bucket_of(report, row->seq);

		for (; filled < at; filled++)
			out->held[filled] = held;
		berth__report_progress(report, "devices", row->seq);
		if (row->answered && row->result.cl_status == CL_SUCCESS) {
			st = play_op(out, device, row);
			held = held_by(device);
		}
		if (filled == at || held > out->held[at])
			out->held[at] = held;
		if (filled == at)
			filled++;
	}
	for (; filled < report->bucket_count; filled++)
		out->held[filled] = held;
	/* A device that crashes here holds nothing more; it says so by its refusal. */
	if (st == BERTH_E_LOST) {
		out->refused++;
		st = BERTH_OK;
	}
	return st;
}

static berth_status compare_device(struct berth__report_device *out, struct berth__report *report,
				   const char *name)
{
	berth_device *device;
	berth_memory memory;
	berth_status st = open_device(&device, report, name);

	if (st != BERTH_OK)
		return st;
	berth_device_memory(device, &memory);
	out->max_alloc_bytes = berth_device_caps(device)->max_alloc_bytes;
	out->capacity_bytes = memory.capacity_bytes ? memory.capacity_bytes
						    : berth_device_caps(device)->global_mem_bytes;
	out->name = strdup(is_simulated(name) ? berth_device_name(device)
					      : berth_device_caps(device)->name);
	out->held = calloc(report->bucket_count, sizeof(*out->held));
	if (!out->name || !out->held)
		st = berth__report_no_memory();
	else if (is_simulated(name)) {
		out->played = true;
		st = play(out, device, report);
		if (st == BERTH_OK)
			st = berth_trace_select(report->trace, BERTH_TRACE_FIELDS_ALL);
	}
	berth_device_destroy(device);
	return st;
}

berth_status berth__report_play_devices(struct berth__report *report)
{
	size_t count = report->options->device_count;
	berth_status st = BERTH_OK;

	report->devices = calloc(count + 1, sizeof(*report->devices));
	if (!report->devices)
		return berth__report_no_memory();
	for (size_t i = 0; st == BERTH_OK && i < count; i++)
		st = compare_device(&report->devices[i], report, report->options->devices[i]);
	return st;
}
