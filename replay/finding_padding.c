/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes at the peak that hold nothing: the ends of images' rows (F-PAD), and the ends of
 * buffers that are larger than what is put into them (F-ROUNDING). Of a buffer that a kernel
 * may write nobody knows what its end is for.
 */
#include "finding.h"

#include <inttypes.h>

#define LEAST_PERCENT 10

struct state {
	struct berth__finding_fold rows, ends;
	uint64_t image_bytes, buffer_bytes; /* that the folds are parts of */
	uint64_t peak_op;
};

static void add_sum(const struct berth__finding_scan *scan, struct state *state, uint64_t *sum,
		    uint64_t bytes)
{
	if (state->peak_op != scan->peak_op) {
		state->peak_op = scan->peak_op;
		state->image_bytes = state->buffer_bytes = 0;
	}
	*sum = berth__finding_add(*sum, bytes);
}

static void reach(struct berth__finding_object *object, uint64_t offset, uint64_t bytes, bool first)
{
	uint64_t end = berth__finding_add(offset, bytes);

	if (first)
		object->reached = offset == 0;
	if (end > object->reached_bytes)
		object->reached_bytes = end;
}

static void used(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object, unsigned access)
{
	const berth_op *op = &scan->row->op;
	bool first = object->uses == 1;

	(void)userdata;
	if (object->object->kind != BERTH_OBJECT_BUFFER || object->object->children > 0) {
		object->root->reached = false;
		object->root->reached_bytes = UINT64_MAX;
		return;
	}
	if (op->kind == BERTH_OP_USE && !(access & (FINDING_WRITE | FINDING_MAYBE_WRITE)))
		return;
	if (op->kind == BERTH_OP_UNMAP || op->kind == BERTH_OP_MIGRATE)
		return;
	if (op->form != BERTH_FORM_LINEAR || op->kind == BERTH_OP_USE)
		object->reached_bytes = UINT64_MAX;
	else if (op->kind == BERTH_OP_COPY && op->object != object->id)
		reach(object, op->other_offset_bytes, op->bytes, first);
	else
		reach(object, op->offset_bytes, op->bytes, first && access & FINDING_WRITE);
}

static uint64_t row_padding(const struct berth__finding_scan *scan,
			    const struct berth__finding_object *object, uint64_t *taken)
{
	const berth_object *image = object->object;
	uint64_t packed = image->image.width * image->element_bytes * image->image.height;
	uint64_t bytes = object->root == object ? berth__finding_image_bytes(scan->caps, image)
						: image->row_pitch_bytes * image->image.height;

	if (image->kind != BERTH_OBJECT_IMAGE || image->image.width > UINT32_MAX ||
	    image->image.height > UINT32_MAX || image->image.depth > 1 + UINT16_MAX)
		return 0;
	*taken = bytes;
	return bytes > packed ? bytes - packed : 0;
}

static void ended(struct berth__finding_scan *scan, void *userdata,
		  struct berth__finding_object *object)
{
	struct state *state = userdata;
	uint64_t taken = 0, padding = row_padding(scan, object, &taken);
	bool at_peak = object->made_op <= scan->peak_op && scan->op > scan->peak_op;
	uint64_t end = object->reached && object->reached_bytes < object->bytes
			       ? object->bytes - object->reached_bytes
			       : 0;

	if (!at_peak)
		return;
	if (padding > 0) {
		add_sum(scan, state, &state->image_bytes, taken);
		berth__finding_fold_at_peak(scan, &state->rows, object, object->made_op, padding,
					    0);
	}
	/* Rounding to powers of two does not double a size. */
	if (end > 0 && end < object->bytes / 2) {
		add_sum(scan, state, &state->buffer_bytes, object->bytes);
		berth__finding_fold_at_peak(scan, &state->ends, object, object->made_op, end, 0);
	}
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (berth__finding_fold_counts(scan, &state->rows, LEAST_PERCENT))
		berth__finding_emit(
			scan, "F-PAD", &state->rows,
			"%s of the %s that %" PRIu64
			" images take at the peak are the ends of their rows, at a pitch alignment "
			"of %" PRIu32 " %s",
			berth__finding_size(state->rows.bytes),
			berth__finding_size(state->image_bytes), state->rows.count,
			scan->caps ? scan->caps->image_pitch_align : 0,
			scan->caps && scan->caps->pitch_unit == BERTH_PITCH_UNIT_BYTES ? "bytes"
										       : "pixels");
	if (berth__finding_fold_counts(scan, &state->ends, LEAST_PERCENT))
		berth__finding_emit(
			scan, "F-ROUNDING", &state->ends,
			"%s of the %s of %" PRIu64
			" buffers at the peak of %s lie behind all that was ever put into them",
			berth__finding_size(state->ends.bytes),
			berth__finding_size(state->buffer_bytes), state->ends.count,
			berth__finding_size(scan->peak_bytes));
}

const struct berth__finding_checker berth__finding_padding = {
	.state_bytes = sizeof(struct state),
	.used = used,
	.ended = ended,
	.finish = finish,
};
