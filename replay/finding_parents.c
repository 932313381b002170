/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-PARENT-FIRST: buffers that the program has released, and that live on below sub-buffers and
 * images. That is legal (R131, R132), and holds all of their memory for a part of it.
 */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

#define BYTES_MIN BERTH__MIB
#define PERCENT_MIN 10

struct parents {
	uint64_t count, bytes; /* alive below others, though released */
	uint64_t most_count, most_bytes, most_op, most_object;
};

static berth_status op(struct berth__finding_run *run, void *state, const berth_trace_op *row)
{
	struct parents *parents = state;
	berth_object *object;

	if (row->op.kind != BERTH_OP_RELEASE || row->result.cl_status != CL_SUCCESS)
		return BERTH_OK;
	object = berth_objects_find(run->objects, row->op.object);
	if (!object || object->references > 1 || object->children == 0)
		return BERTH_OK;
	berth__facts_of(object)->is_zombie = true;
	parents->count++;
	parents->bytes += berth__facts_of(object)->own_bytes;
	if (parents->bytes <= parents->most_bytes)
		return BERTH_OK;
	parents->most_bytes = parents->bytes;
	parents->most_count = parents->count;
	parents->most_op = row->seq;
	parents->most_object = object->id;
	return BERTH_OK;
}

static void end(struct berth__finding_run *run, void *state, const berth_object *object)
{
	struct parents *parents = state;

	(void)run;
	if (!berth__facts_of(object)->is_zombie)
		return;
	parents->count--;
	parents->bytes -= berth__facts_of(object)->own_bytes;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	const struct parents *parents = state;
	char text[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (parents->most_bytes < BYTES_MIN ||
	    berth__percent(parents->most_bytes, run->peak_bytes) < PERCENT_MIN)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_PARENT_FIRST);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = parents->most_count;
	finding->bytes = parents->most_bytes;
	finding->op = parents->most_op;
	berth__finding_name(finding, parents->most_object);
	berth__finding_say(finding,
			   "at op %" PRIu64 " %" PRIu64 " buffers of %s had been released and lived on, "
			   "below sub-buffers or images that had not: legal, but the memory stays",
			   parents->most_op, parents->most_count,
			   berth__bytes_text(text, parents->most_bytes));
	berth__finding_advise(finding, "release what lies on a buffer with it");
	return BERTH_OK;
}

const struct berth__analyser berth__finding_parents = {
	.state_bytes = sizeof(struct parents),
	.op = op,
	.end = end,
	.report = report,
};
