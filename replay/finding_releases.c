/* SPDX-License-Identifier: Apache-2.0 */
/* F-DOUBLE-RELEASE and F-RELEASE-NULL: two mistakes, of which one is harmless. */
#include "finding.h"

#include <inttypes.h>

struct releases {
	uint64_t nulls, null_op, null_last;
	uint64_t doubles, double_op, double_object;
};

static berth_status op(struct berth__finding_run *run, void *state, const berth_trace_op *row)
{
	struct releases *releases = state;
	uint64_t id = row->op.object;

	if (row->op.kind != BERTH_OP_RELEASE)
		return BERTH_OK;
	if (id == BERTH_ID_NONE) {
		if (releases->nulls++ == 0)
			releases->null_op = row->seq;
		releases->null_last = row->seq;
		return BERTH_OK;
	}
	/* Memory from before the recording, or of another library, is released rightly. */
	if (id != BERTH_ID_UNKNOWN ? berth_objects_find(run->objects, id) != NULL
				   : row->result.cl_status == 0)
		return BERTH_OK;
	if (releases->doubles++ == 0) {
		releases->double_op = row->seq;
		releases->double_object = id;
	}
	return BERTH_OK;
}

static berth_status tell_doubles(struct berth__finding_run *run, const struct releases *releases)
{
	berth_finding *finding;

	if (releases->doubles == 0)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_DOUBLE_RELEASE);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = releases->doubles;
	finding->op = releases->double_op;
	berth__finding_name(finding, releases->double_object);
	berth__finding_say(finding,
			   "%" PRIu64 " times clReleaseMemObject got a handle that was released before, "
			   "first at op %" PRIu64 ": drivers answer an error, crash, or release what got "
			   "the same handle since", releases->doubles, releases->double_op);
	berth__finding_advise(finding, "release once for each create and retain");
	return BERTH_OK;
}

static berth_status tell_nulls(struct berth__finding_run *run, const struct releases *releases)
{
	berth_finding *finding;

	if (releases->nulls == 0)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_RELEASE_NULL);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = releases->nulls;
	finding->op = releases->null_op;
	berth__finding_say(finding,
			   "%" PRIu64 " times clReleaseMemObject got NULL, ops %" PRIu64 " to %" PRIu64
			   ": an error code, and no harm", releases->nulls, releases->null_op,
			   releases->null_last);
	berth__finding_advise(finding, "ask before the call");
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	berth_status st = tell_doubles(run, state);

	return st == BERTH_OK ? tell_nulls(run, state) : st;
}

const struct berth__analyser berth__finding_releases = {
	.state_bytes = sizeof(struct releases),
	.op = op,
	.report = report,
};
