/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-ZERO-COPY: on devices that share memory with the host, objects that ask for it
 * (CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR) and are copied all the same: because the
 * pointer or the size is not aligned as drivers need it, or because the program copies.
 */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

#define POINTER_ALIGN 4096
#define SIZE_ALIGN 64

struct state {
	struct berth__finding_fold misaligned, moved;
};

static bool shares_memory(const struct berth__finding_scan *scan)
{
	return scan->caps && scan->caps->host_unified;
}

static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	struct state *state = userdata;
	const berth_op *op = &scan->row->op;

	if (op->kind == BERTH_OP_BUFFER_CREATE && op->flags & CL_MEM_USE_HOST_PTR &&
	    shares_memory(scan) &&
	    (op->host_address % POINTER_ALIGN != 0 || op->bytes % SIZE_ALIGN != 0))
		berth__finding_fold_add(scan, &state->misaligned, object, object->bytes, 0);
}

static void used(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object, unsigned access)
{
	struct state *state = userdata;
	const berth_op *op = &scan->row->op;
	uint64_t bytes = 0;

	(void)access;
	if ((op->kind != BERTH_OP_WRITE && op->kind != BERTH_OP_READ) ||
	    object->object->kind == BERTH_OBJECT_SVM || !shares_memory(scan) ||
	    !(object->object->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)) ||
	    berth_op_moved_bytes(&bytes, op, object->object->element_bytes) != BERTH_OK)
		return;
	berth__finding_fold_add(scan, &state->moved, object, bytes, scan->row->result.duration_ns);
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (state->misaligned.bytes >= FINDING_LEAST_BYTES)
		berth__finding_emit(
			scan, "F-ZERO-COPY", &state->misaligned,
			"%" PRIu64 " buffers of %s use host memory whose address is no multiple of "
			"%d, or whose size is none of %d: drivers copy it",
			state->misaligned.count, berth__finding_size(state->misaligned.bytes),
			POINTER_ALIGN, SIZE_ALIGN);
	if (state->moved.bytes >= FINDING_LEAST_BYTES)
		berth__finding_emit(
			scan, "F-ZERO-COPY", &state->moved,
			"%" PRIu64 " writes and reads copied %s to and from objects in memory that "
			"the host could map, in %.3f ms; on a device with memory of its own they "
			"would be bus traffic anyway",
			state->moved.count, berth__finding_size(state->moved.bytes),
			(double)state->moved.time_ns / 1e6);
}

const struct berth__finding_checker berth__finding_host = {
	.state_bytes = sizeof(struct state),
	.made = made,
	.used = used,
	.finish = finish,
};
