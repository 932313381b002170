/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-ZERO-COPY: on a device that shares its memory with the host, what drivers have to copy: host
 * memory of the program that is not aligned as they need it, and reads and writes where a map would
 * do.
 */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

/* What Intel, ARM and Qualcomm ask for of CL_MEM_USE_HOST_PTR. */
#define POINTER_ALIGN 4096
#define SIZE_ALIGN 64

#define MISALIGNED_BYTES_MIN BERTH__MIB
#define COPIED_BYTES_MIN (16 * BERTH__MIB)
#define PERCENT_MIN 10

struct zero_copy {
	uint64_t misaligned, misaligned_bytes, misaligned_op, misaligned_object, misaligned_address;
	uint64_t moved, moved_bytes;
	uint64_t moved_ns; /* of those that waited for no other command */
	bool is_behind;	   /* something was enqueued since the last wait */
	uint64_t worst_bytes, worst_op, worst_object;
};

static berth_status made(struct berth__finding_run *run, void *state, const berth_trace_op *row,
			 const berth_object *object)
{
	struct zero_copy *zero_copy = state;

	(void)run;
	if (!(row->op.flags & CL_MEM_USE_HOST_PTR) || object->kind != BERTH_OBJECT_BUFFER ||
	    (row->op.host_address % POINTER_ALIGN == 0 && object->bytes % SIZE_ALIGN == 0))
		return BERTH_OK;
	if (zero_copy->misaligned++ == 0) {
		zero_copy->misaligned_op = row->seq;
		zero_copy->misaligned_object = object->id;
		zero_copy->misaligned_address = row->op.host_address;
	}
	zero_copy->misaligned_bytes += object->bytes;
	return BERTH_OK;
}

static berth_status op(struct berth__finding_run *run, void *state, const berth_trace_op *row)
{
	struct zero_copy *zero_copy = state;
	const berth_object *object;
	bool waits = row->op.bits & BERTH_OP_BLOCKING || row->op.kind == BERTH_OP_SYNC;
	bool was_behind = zero_copy->is_behind;
	uint64_t bytes;

	if (row->op.queue != 0)
		zero_copy->is_behind = !waits;
	if ((row->op.kind != BERTH_OP_READ && row->op.kind != BERTH_OP_WRITE) ||
	    row->result.cl_status != CL_SUCCESS || row->op.form == BERTH_FORM_SVM)
		return BERTH_OK;
	object = berth_objects_find(run->objects, row->op.object);
	if (!object || berth_op_moved_bytes(&bytes, &row->op, object->element_bytes) != BERTH_OK)
		return BERTH_OK;
	zero_copy->moved++;
	zero_copy->moved_bytes += bytes;
	zero_copy->moved_ns += was_behind ? 0 : row->result.duration_ns;
	if (bytes > zero_copy->worst_bytes) {
		zero_copy->worst_bytes = bytes;
		zero_copy->worst_op = row->seq;
		zero_copy->worst_object = object->id;
	}
	return BERTH_OK;
}

static berth_status tell_misaligned(struct berth__finding_run *run,
				    const struct zero_copy *zero_copy)
{
	char text[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (zero_copy->misaligned_bytes < MISALIGNED_BYTES_MIN)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_ZERO_COPY);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = zero_copy->misaligned;
	finding->bytes = zero_copy->misaligned_bytes;
	finding->op = zero_copy->misaligned_op;
	berth__finding_name(finding, zero_copy->misaligned_object);
	berth__finding_say(finding,
			   "%" PRIu64 " buffers of %s lie on host memory (CL_MEM_USE_HOST_PTR) that is not "
			   "aligned to %d bytes, or whose size is no multiple of %d: object %" PRIu64
			   " at address 0x%" PRIx64 "; drivers then keep a copy",
			   zero_copy->misaligned, berth__bytes_text(text, zero_copy->misaligned_bytes),
			   POINTER_ALIGN, SIZE_ALIGN, zero_copy->misaligned_object,
			   zero_copy->misaligned_address);
	berth__finding_advise(finding, "align it (aligned_alloc), or let the driver allocate with "
				       "CL_MEM_ALLOC_HOST_PTR and map");
	return BERTH_OK;
}

static berth_status tell_copies(struct berth__finding_run *run, const struct zero_copy *zero_copy)
{
	uint64_t all_ns = run->last_ns - run->first_ns;
	char text[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (zero_copy->moved_bytes < COPIED_BYTES_MIN ||
	    berth__percent(zero_copy->moved_ns, all_ns) < PERCENT_MIN)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_ZERO_COPY);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = zero_copy->moved;
	finding->bytes = zero_copy->moved_bytes;
	finding->time_ns = zero_copy->moved_ns;
	finding->op = zero_copy->worst_op;
	berth__finding_name(finding, zero_copy->worst_object);
	berth__finding_say(finding,
			   "the device shares its memory with the host (CL_DEVICE_HOST_UNIFIED_MEMORY), and "
			   "%" PRIu64 " reads and writes copied %s in %.3f ms, %" PRIu64 " %% of the time",
			   zero_copy->moved, berth__bytes_text(text, zero_copy->moved_bytes),
			   (double)zero_copy->moved_ns / 1e6,
			   berth__percent(zero_copy->moved_ns, all_ns));
	berth__finding_advise(finding, "map instead (clEnqueueMapBuffer on CL_MEM_ALLOC_HOST_PTR): free "
				       "here, the same traffic on a device with memory of its own");
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	berth_status st;

	if (!run->caps->host_unified)
		return BERTH_OK;
	st = tell_misaligned(run, state);
	return st == BERTH_OK ? tell_copies(run, state) : st;
}

const struct berth__analyser berth__finding_zero_copy = {
	.state_bytes = sizeof(struct zero_copy),
	.op = op,
	.made = made,
	.report = report,
};
