/* SPDX-License-Identifier: Apache-2.0 */
/* F-STALE-ARGUMENT: kernels that were enqueued with objects that the program had released. */
#include "finding.h"

#include <inttypes.h>
#include <stdio.h>

#include <CL/cl.h>

struct arguments {
	uint64_t count, op, object;
	char kernel[64];
};

static berth_status op(struct berth__finding_run *run, void *state, const berth_trace_op *row)
{
	struct arguments *arguments = state;

	if (row->op.kind != BERTH_OP_USE)
		return BERTH_OK;
	for (uint32_t i = 0; i < row->op.use_count; i++) {
		uint64_t id = row->op.uses[i].object;

		/* Of what is not known nothing can be said; ids are never used twice. */
		if (id == BERTH_ID_NONE || id == BERTH_ID_UNKNOWN ||
		    berth_objects_find(run->objects, id))
			continue;
		if (arguments->count++ > 0)
			continue;
		arguments->op = row->seq;
		arguments->object = id;
		snprintf(arguments->kernel, sizeof(arguments->kernel), "%s",
			 row->op.name ? row->op.name : "?");
	}
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	const struct arguments *arguments = state;
	berth_finding *finding;

	if (arguments->count == 0)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_STALE_ARGUMENT);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = arguments->count;
	finding->op = arguments->op;
	berth__finding_name(finding, arguments->object);
	berth__finding_say(finding,
			   "%" PRIu64 " times a kernel was enqueued with an object that had been released; "
			   "first at op %" PRIu64 ", kernel '%s', object %" PRIu64,
			   arguments->count, arguments->op, arguments->kernel, arguments->object);
	berth__finding_advise(finding, "set the argument anew before the enqueue, or release the object "
				       "after it: clSetKernelArg does not keep it");
	return BERTH_OK;
}

const struct berth__analyser berth__finding_arguments = {
	.state_bytes = sizeof(struct arguments),
	.op = op,
	.report = report,
};
