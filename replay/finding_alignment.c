/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-ALIGNMENT: bits read as bytes, and pixels as bytes. CL_DEVICE_MEM_BASE_ADDR_ALIGN is in bits:
 * who takes it for bytes puts sub-buffers eight times as far apart as is needed.
 * CL_DEVICE_IMAGE_PITCH_ALIGNMENT is in pixels: who takes it for bytes has images refused.
 */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

/* So many origins are no accident: each is one with a chance of 1 in 8. */
#define ORIGINS_MIN 4

struct alignment {
	uint64_t subbuffers;	/* whose origin is not 0 */
	uint64_t all_multiples; /* of eight times the alignment */
	uint64_t sizes_not;	/* whose size is no such multiple */
	uint64_t wasted_bytes;	/* by rounding the size up so far */
	uint64_t op, object;
	uint64_t pitches;	/* images refused whose row pitch is a multiple of the number, in bytes */
	uint64_t pitch_op, pitch_bytes, pitch_needs;
};

static uint64_t round_up(uint64_t bytes, uint64_t align)
{
	uint64_t over = bytes % align;

	return over ? bytes + (align - over) : bytes;
}

static void look_at_subbuffer(struct alignment *alignment, uint64_t align,
			      const berth_trace_op *row)
{
	uint64_t wrong = align * 8, bytes = row->op.bytes;

	if (bytes % wrong != 0) {
		alignment->sizes_not++;
		alignment->wasted_bytes += round_up(bytes, wrong) - round_up(bytes, align);
	}
	if (row->op.offset_bytes == 0)
		return;
	if (alignment->subbuffers++ == 0) {
		alignment->op = row->seq;
		alignment->object = row->op.object;
	}
	alignment->all_multiples += row->op.offset_bytes % wrong == 0;
}

static void look_at_refused_image(struct alignment *alignment, const berth_caps *caps,
				  const berth_trace_op *row)
{
	const berth_image *image = &row->op.image;
	uint64_t pixel = berth_format_element_bytes(image->order, image->channel_type);
	uint64_t pitch = image->row_pitch_bytes;

	if (row->op.other == BERTH_ID_NONE || pixel < 2 || pitch == 0 || caps->image_pitch_align == 0 ||
	    caps->pitch_unit != BERTH_PITCH_UNIT_PIXELS)
		return;
	if (pitch % caps->image_pitch_align != 0 || pitch % (caps->image_pitch_align * pixel) == 0)
		return;
	if (alignment->pitches++ > 0)
		return;
	alignment->pitch_op = row->seq;
	alignment->pitch_bytes = pitch;
	alignment->pitch_needs = round_up(pitch, caps->image_pitch_align * pixel);
}

static berth_status op(struct berth__finding_run *run, void *state, const berth_trace_op *row)
{
	uint64_t align = berth_caps_base_align_bytes(run->caps);

	if (row->op.kind == BERTH_OP_SUBBUFFER_CREATE && row->result.cl_status == CL_SUCCESS &&
	    align > 1)
		look_at_subbuffer(state, align, row);
	else if (row->op.kind == BERTH_OP_IMAGE_CREATE && row->result.cl_status != CL_SUCCESS)
		look_at_refused_image(state, run->caps, row);
	return BERTH_OK;
}

static berth_status tell_origins(struct berth__finding_run *run, const struct alignment *alignment)
{
	uint64_t align = berth_caps_base_align_bytes(run->caps);
	berth_finding *finding;

	if (alignment->subbuffers < ORIGINS_MIN ||
	    alignment->all_multiples != alignment->subbuffers || alignment->sizes_not == 0)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_ALIGNMENT);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = alignment->subbuffers;
	finding->bytes = alignment->wasted_bytes;
	finding->op = alignment->op;
	berth__finding_name(finding, alignment->object);
	berth__finding_say(finding,
			   "all %" PRIu64 " origins of sub-buffers are multiples of %" PRIu64
			   " bytes, eight times the %" PRIu64 " that the device needs: %" PRIu64
			   " bytes lie unused between them",
			   alignment->subbuffers, align * 8, align, alignment->wasted_bytes);
	berth__finding_advise(finding,
			      "CL_DEVICE_MEM_BASE_ADDR_ALIGN, %" PRIu32 ", is in bits: %" PRIu64
			      " bytes are enough", run->caps->base_addr_align_bits, align);
	return BERTH_OK;
}

static berth_status tell_pitches(struct berth__finding_run *run, const struct alignment *alignment)
{
	berth_finding *finding;

	if (alignment->pitches == 0)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_ALIGNMENT);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = alignment->pitches;
	finding->bytes = alignment->pitch_needs - alignment->pitch_bytes;
	finding->op = alignment->pitch_op;
	berth__finding_say(finding,
			   "%" PRIu64 " images on buffers were refused; their row pitches are multiples of "
			   "%" PRIu32 " bytes, and the device needs %" PRIu32 " pixels: op %" PRIu64
			   " had %" PRIu64 " bytes, %" PRIu64 " would do",
			   alignment->pitches, run->caps->image_pitch_align,
			   run->caps->image_pitch_align, alignment->pitch_op, alignment->pitch_bytes,
			   alignment->pitch_needs);
	berth__finding_advise(finding, "CL_DEVICE_IMAGE_PITCH_ALIGNMENT is in pixels: multiply it by "
				       "the bytes of a pixel");
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	berth_status st = tell_origins(run, state);

	return st == BERTH_OK ? tell_pitches(run, state) : st;
}

const struct berth__analyser berth__finding_alignment = {
	.state_bytes = sizeof(struct alignment),
	.op = op,
	.report = report,
};
