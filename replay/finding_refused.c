/* SPDX-License-Identifier: Apache-2.0 */
/* F-REFUSED: calls that failed for memory or size, with what the program saw too little of. */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

struct state {
	struct berth__finding_fold refused;
	int32_t first_status;
	berth_op_kind first_kind;
	uint64_t first_bytes, first_alive;
};

/* Codes that mean memory whatever the call is, and those that mean the size of a new object. */
static bool is_about_memory(const berth_trace_op *row)
{
	switch (row->result.cl_status) {
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_RESOURCES:
	case CL_OUT_OF_HOST_MEMORY:
		return true;
	case CL_INVALID_BUFFER_SIZE:
		return row->op.kind == BERTH_OP_BUFFER_CREATE && row->op.bytes > 0;
	case CL_INVALID_IMAGE_SIZE:
		return row->op.kind == BERTH_OP_IMAGE_CREATE;
	default:
		return false;
	}
}

static void op(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	const berth_trace_op *row = scan->row;

	if (!row->answered || !is_about_memory(row))
		return;
	if (state->refused.count == 0) {
		state->first_status = row->result.cl_status;
		state->first_kind = row->op.kind;
		state->first_bytes = row->op.bytes;
		state->first_alive = scan->alive_bytes;
	}
	berth__finding_fold_add_op(scan, &state->refused, BERTH_ID_NONE, row->op.bytes, 0);
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (state->refused.count == 0)
		return;
	berth__finding_emit(
		scan, "F-REFUSED", &state->refused,
		"%" PRIu64 " calls were refused for memory or size; the first, %s at op %" PRIu64
		", with %s: it asked for %s while %s were alive; the device gives %s at once, "
		"of %s",
		state->refused.count, berth_op_kind_string(state->first_kind), state->refused.op,
		berth_cl_status_string(state->first_status),
		berth__finding_size(state->first_bytes), berth__finding_size(state->first_alive),
		berth__finding_size(scan->recorded ? scan->recorded->max_alloc_bytes : 0),
		berth__finding_size(scan->recorded ? scan->recorded->global_mem_bytes : 0));
}

const struct berth__finding_checker berth__finding_refused = {
	.state_bytes = sizeof(struct state),
	.op = op,
	.finish = finish,
};
