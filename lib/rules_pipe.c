/* SPDX-License-Identifier: Apache-2.0 */
/* Rules on clCreatePipe ("Creating Pipe Objects"): R170. */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "Creating Pipe Objects"

static bool no_pipes(const struct rule_input *in, struct rule_why *why)
{
	return in->caps->pipe_max_packet_bytes == 0 &&
	       berth__rule_why(why, "pipe %" PRIu64 ": the device has no pipes", in->op->object);
}

static bool flags_wrong(const struct rule_input *in, struct rule_why *why)
{
	uint64_t known = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;

	return (in->op->flags & ~known) &&
	       berth__rule_why(why, "pipe %" PRIu64 ": flags 0x%" PRIX64
			       ", allowed are CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS",
			       in->op->object, in->op->flags);
}

static bool properties_given(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->absent & BERTH_ABSENT_PROPERTY) &&
	       berth__rule_why(why, "pipe %" PRIu64 ": properties must be NULL", in->op->object);
}

static bool size_wrong(const struct rule_input *in, struct rule_why *why)
{
	const berth_op *op = in->op;

	return (op->packet_bytes == 0 || op->packet_count == 0 ||
		op->packet_bytes > in->caps->pipe_max_packet_bytes) &&
	       berth__rule_why(why, "pipe %" PRIu64 ": %" PRIu32 " packets of %" PRIu32
			       " bytes; at least 1 of 1, at most %" PRIu32
			       " bytes (CL_DEVICE_PIPE_MAX_PACKET_SIZE)", op->object,
			       op->packet_count, op->packet_bytes, in->caps->pipe_max_packet_bytes);
}

static const struct rule_row rows[] = {
	{ { "R170.pipes", SECTION, "the device has pipes", KIND(PIPE_CREATE),
	    { CL_INVALID_OPERATION } }, no_pipes },
	{ { "R170.flags", SECTION, "no flags but READ_WRITE and HOST_NO_ACCESS are given",
	    KIND(PIPE_CREATE), { CL_INVALID_VALUE } }, flags_wrong },
	{ { "R170.properties", SECTION, "properties is NULL", KIND(PIPE_CREATE),
	    { CL_INVALID_VALUE } }, properties_given },
	{ { "R170.size", SECTION,
	    "packets have at least one byte and at most the device's most, and there is one",
	    KIND(PIPE_CREATE), { CL_INVALID_PIPE_SIZE } }, size_wrong },
};

const struct rule_table berth__rules_pipe = RULE_TABLE(rows, KIND(PIPE_CREATE), FORMS_NONE);
