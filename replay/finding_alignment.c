/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alignments that were read in the wrong unit, by the device of the recording: sub-buffers
 * that go on at the next multiple of eight times what is needed, although a smaller one was
 * free (bits taken for bytes, F-ALIGN-UNIT), and row pitches that are rounded to the number
 * of pixels as if it were bytes (F-PITCH-UNIT). And offsets that the device of the comparison
 * does not take (F-MISALIGNED).
 */
#include "finding.h"

#include <inttypes.h>

/* So many gaps are no chance. */
#define LEAST_GAPS 3

struct state {
	struct berth__finding_fold gaps, pitches, misaligned;
	uint64_t first_offset; /* of the misaligned */
	bool other_offsets;    /* not all are multiples of eight times the alignment */
};

static uint64_t round_up(uint64_t value, uint64_t align)
{
	return value > UINT64_MAX - align ? UINT64_MAX : (value + align - 1) / align * align;
}

static void look_at_offset(struct berth__finding_scan *scan, struct state *state,
			   struct berth__finding_object *object)
{
	struct berth__finding_object *parent = object->object->parent->user;
	uint64_t align = berth_caps_base_align_bytes(scan->recorded);
	uint64_t offset = scan->row->op.offset_bytes, end = parent->children_end_bytes;

	if (align == 0)
		return;
	if (offset % (8 * align) != 0)
		state->other_offsets = true;
	if (end > 0 && offset == round_up(end, 8 * align) && offset > round_up(end, align))
		berth__finding_fold_add(scan, &state->gaps, object, offset - round_up(end, align),
					0);
	if (berth__finding_add(offset, object->bytes) > end)
		parent->children_end_bytes = berth__finding_add(offset, object->bytes);
}

static void look_at_pitch(struct berth__finding_scan *scan, struct state *state,
			  struct berth__finding_object *object)
{
	const berth_object *image = object->object;
	uint64_t pitch = scan->row->op.image.row_pitch_bytes;
	uint64_t align = scan->recorded->image_pitch_align;
	uint64_t row = image->image.width * image->element_bytes;

	if (scan->recorded->pitch_unit != BERTH_PITCH_UNIT_PIXELS || align < 2 || pitch == 0 ||
	    image->element_bytes < 2 || image->image.width > UINT32_MAX ||
	    pitch % (align * image->element_bytes) == 0 || pitch != round_up(row, align))
		return;
	berth__finding_fold_add(
		scan, &state->pitches, object,
		(round_up(row, align * image->element_bytes) - pitch) *
			(image->image.height < UINT32_MAX ? image->image.height : 1),
		0);
}

static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	if (!scan->recorded || !object->object->parent)
		return;
	if (object->object->kind == BERTH_OBJECT_SUBBUFFER)
		look_at_offset(scan, userdata, object);
	else if (object->object->kind == BERTH_OBJECT_IMAGE)
		look_at_pitch(scan, userdata, object);
}

/* Also those that were refused: the program meant them. */
static void op(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	const berth_op *op = &scan->row->op;
	uint32_t align = scan->caps ? berth_caps_base_align_bytes(scan->caps) : 0;

	if (op->kind != BERTH_OP_SUBBUFFER_CREATE || op->absent || align == 0 ||
	    op->offset_bytes % align == 0)
		return;
	if (state->misaligned.count == 0)
		state->first_offset = op->offset_bytes;
	berth__finding_fold_add_op(scan, &state->misaligned, op->object, op->bytes, 0);
}

static void say_misaligned(struct berth__finding_scan *scan, struct state *state)
{
	uint32_t align;

	if (state->misaligned.count == 0)
		return;
	align = berth_caps_base_align_bytes(scan->caps);
	berth__finding_emit(scan, "F-MISALIGNED", &state->misaligned,
			    "%" PRIu64 " sub-buffers begin at no multiple of the %" PRIu32
			    " bytes that %s needs; the first, at op %" PRIu64 ", at %" PRIu64
			    ": the next that is legal is %" PRIu64,
			    state->misaligned.count, align, scan->caps->name, state->misaligned.op,
			    state->first_offset, round_up(state->first_offset, align));
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	say_misaligned(scan, state);
	if (state->gaps.count >= LEAST_GAPS && !state->other_offsets)
		berth__finding_emit(scan, "F-ALIGN-UNIT", &state->gaps,
				    "all sub-buffers begin at multiples of %" PRIu32
				    " bytes, 8 times the %" PRIu32
				    " that %s needs, and leave %s between %" PRIu64 " of them",
				    8 * berth_caps_base_align_bytes(scan->recorded),
				    berth_caps_base_align_bytes(scan->recorded),
				    scan->recorded->name, berth__finding_size(state->gaps.bytes),
				    state->gaps.count);
	if (state->pitches.count > 0)
		berth__finding_emit(
			scan, "F-PITCH-UNIT", &state->pitches,
			"the row pitches of %" PRIu64 " images are multiples of %" PRIu32
			" bytes, where %s counts pixels; rightly padded they take %s more",
			state->pitches.count, scan->recorded->image_pitch_align,
			scan->recorded->name, berth__finding_size(state->pitches.bytes));
}

const struct berth__finding_checker berth__finding_alignment = {
	.state_bytes = sizeof(struct state),
	.made = made,
	.op = op,
	.finish = finish,
};
