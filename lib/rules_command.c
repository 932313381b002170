/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules that commands on buffers share, whatever their form ("Reading, Writing and
 * Copying Buffer Objects"): the objects, the alignment of sub-buffers for the
 * queue's device (R63), and what flags leave to the host (R100, R108).
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "Reading, Writing and Copying Buffer Objects"

static bool object_no_buffer(const struct rule_input *in, struct rule_why *why)
{
	return !in->object && berth__rule_why_object(in, why, in->op->object, "a buffer");
}

static bool other_no_buffer(const struct rule_input *in, struct rule_why *why)
{
	return !in->other && berth__rule_why_object(in, why, in->op->other, "a buffer");
}

static const struct rule_row command_rows[] = {
	{ { "R100.mem_object", SECTION, "the object is a buffer", KINDS_ONE_SIDED,
	    { CL_INVALID_MEM_OBJECT } }, object_no_buffer },
};

const struct rule_table berth__rules_buffer_command =
	RULE_TABLE(command_rows, KINDS_ONE_SIDED, FORMS_BUFFER);

static bool misaligned(const struct rule_input *in, const berth_object *buffer, struct rule_why *why)
{
	uint32_t align;

	if (!buffer || buffer->kind != BERTH_OBJECT_SUBBUFFER)
		return false;
	align = berth_caps_base_align_bytes(in->caps);
	return buffer->offset_bytes % align != 0 &&
	       berth__rule_why(why, "sub-buffer %" PRIu64 " lies at %" PRIu64
			       ", not a multiple of %" PRIu32
			       " bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN is %" PRIu32 " bits)",
			       buffer->id, buffer->offset_bytes, align,
			       in->caps->base_addr_align_bits);
}

static bool object_misaligned(const struct rule_input *in, struct rule_why *why)
{
	return misaligned(in, in->object, why);
}

static bool other_misaligned(const struct rule_input *in, struct rule_why *why)
{
	return misaligned(in, in->other, why);
}

/* In copies of buffers the alignment comes before the values. */
static const struct rule_row copy_rows[] = {
	{ { "R102.mem_object", SECTION, "the source is a buffer", KIND(COPY),
	    { CL_INVALID_MEM_OBJECT } }, object_no_buffer },
	{ { "R102.other_mem_object", SECTION, "the destination is a buffer", KIND(COPY),
	    { CL_INVALID_MEM_OBJECT } }, other_no_buffer },
	{ { "R63.source", SECTION, "a source sub-buffer is aligned for the device", KIND(COPY),
	    { CL_MISALIGNED_SUB_BUFFER_OFFSET } }, object_misaligned },
	{ { "R63.destination", SECTION, "a destination sub-buffer is aligned for the device",
	    KIND(COPY), { CL_MISALIGNED_SUB_BUFFER_OFFSET } }, other_misaligned },
};

const struct rule_table berth__rules_buffer_copy = RULE_TABLE(copy_rows, KIND(COPY), FORMS_BUFFER);

static const struct rule_row misaligned_rows[] = {
	{ { "R63", SECTION, "a sub-buffer is aligned for the device", KINDS_ONE_SIDED,
	    { CL_MISALIGNED_SUB_BUFFER_OFFSET } }, object_misaligned },
};

const struct rule_table berth__rules_misaligned =
	RULE_TABLE(misaligned_rows, KINDS_ONE_SIDED, FORMS_BUFFER);

static bool mixed_misaligned(const struct rule_input *in, struct rule_why *why)
{
	return in->op->form == BERTH_FORM_IMAGE_TO_BUFFER ? other_misaligned(in, why)
							  : object_misaligned(in, why);
}

static const struct rule_row mixed_misaligned_rows[] = {
	{ { "R63.mixed", "Copying Between Image and Buffer Objects",
	    "the buffer, when a sub-buffer, is aligned for the device", KIND(COPY),
	    { CL_MISALIGNED_SUB_BUFFER_OFFSET } }, mixed_misaligned },
};

const struct rule_table berth__rules_mixed_misaligned =
	RULE_TABLE(mixed_misaligned_rows, KIND(COPY), FORMS_MIXED);

static bool not_for_host(const struct rule_input *in, struct rule_why *why, uint64_t forbidding)
{
	return in->object && (in->object->flags & forbidding) &&
	       berth__rule_why(why, "%s of object %" PRIu64 ": its flags 0x%" PRIX64
			       " hold 0x%" PRIX64, berth_op_kind_string(in->op->kind),
			       in->object->id, in->object->flags, in->object->flags & forbidding);
}

static bool read_forbidden(const struct rule_input *in, struct rule_why *why)
{
	return not_for_host(in, why, CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS);
}

static bool write_forbidden(const struct rule_input *in, struct rule_why *why)
{
	return not_for_host(in, why, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
}

/* Copies and fills are not the host's (R108). */
static const struct rule_row host_access_rows[] = {
	{ { "R100.host_read", SECTION, "what is read is not HOST_WRITE_ONLY or HOST_NO_ACCESS",
	    KIND(READ), { CL_INVALID_OPERATION } }, read_forbidden },
	{ { "R100.host_write", SECTION, "what is written is not HOST_READ_ONLY or HOST_NO_ACCESS",
	    KIND(WRITE), { CL_INVALID_OPERATION } }, write_forbidden },
};

const struct rule_table berth__rules_host_access =
	RULE_TABLE(host_access_rows, KINDS_TRANSFER, FORMS_BUFFER | FORM(IMAGE));
