/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quirks: what some drivers refuse although the specification does not. The codes are
 * those that have been seen; a profile's deviation says which one its device gives.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "not of the specification"

/* R107: a size of 0 is no error of a read, write or copy; PoCL and ROCm's CLR say it is. */
static bool no_bytes(const struct rule_input *in, struct rule_why *why)
{
	return in->op->form == BERTH_FORM_LINEAR && in->op->bytes == 0 &&
	       berth__rule_why(why, "object %" PRIu64 ": a transfer of 0 bytes", in->op->object);
}

static const struct rule_row rows[] = {
	{ { "Q.zero_bytes", SECTION, "a read, write or copy moves at least one byte",
	    KINDS_TRANSFER | KIND(COPY), { CL_INVALID_VALUE } }, no_bytes },
};

const struct rule_table berth__rules_quirk =
	RULE_TABLE(rows, KINDS_TRANSFER | KIND(COPY), FORM(LINEAR));
