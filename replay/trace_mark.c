/* SPDX-License-Identifier: Apache-2.0 */
/* Marks by name. */
#include <berth/replay.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Names of marks, for the message that none is the one that was asked for. */
struct seen {
	char text[200];
	uint32_t count;
};

static void see(struct seen *seen, const char *name)
{
	size_t used = strlen(seen->text);

	if (seen->count++ < 8)
		snprintf(seen->text + used, sizeof(seen->text) - used, "%s'%.40s'",
			 used ? ", " : "", name);
}

static bool is_mark(const berth_trace_op *row)
{
	return row->op.kind == BERTH_OP_LABEL && row->op.object == BERTH_ID_NONE && row->op.name;
}

static berth_status no_such_mark(const char *name, const struct seen *seen)
{
	if (seen->count == 0)
		return berth_error_set(BERTH_E_NOT_FOUND, 0,
				       "no mark '%s': the trace has no marks (berth/mark.h)", name);
	return berth_error_set(BERTH_E_NOT_FOUND, 0,
			       "no mark '%s': the trace has %" PRIu32 ", first %s", name,
			       seen->count, seen->text);
}

/* Phases of one name may lie in each other. */
static berth_status find_end(uint64_t *end, berth_trace *trace, const char *name)
{
	const berth_trace_op *row;
	uint32_t depth = 1;
	berth_status st;

	while ((st = berth_trace_next(&row, trace)) == BERTH_OK && row) {
		if (!is_mark(row) || strcmp(row->op.name, name) != 0)
			continue;
		depth += row->op.bits & BERTH_OP_BEGINS ? 1 : 0;
		depth -= row->op.bits & BERTH_OP_ENDS ? 1 : 0;
		if (depth == 0) {
			*end = row->seq;
			return BERTH_OK;
		}
	}
	return st;
}

static berth_status find(uint64_t *out, uint64_t *end, berth_trace *trace, const char *name)
{
	struct seen seen = { "", 0 };
	const berth_trace_op *row;
	berth_status st;

	while ((st = berth_trace_next(&row, trace)) == BERTH_OK && row) {
		if (!is_mark(row) || row->op.bits & BERTH_OP_ENDS)
			continue;
		if (strcmp(row->op.name, name) == 0) {
			*out = row->seq;
			return row->op.bits & BERTH_OP_BEGINS ? find_end(end, trace, name)
							      : BERTH_OK;
		}
		see(&seen, row->op.name);
	}
	return st == BERTH_OK ? no_such_mark(name, &seen) : st;
}

berth_status berth_trace_find_mark(uint64_t *out, uint64_t *end, berth_trace *trace,
				   const char *name)
{
	uint64_t begins = 0, ends = 0;
	berth_status st = berth_trace_select(trace, BERTH_TRACE_FIELDS_OP);

	if (st == BERTH_OK)
		st = find(&begins, &ends, trace, name);
	if (st == BERTH_OK)
		st = berth_trace_rewind(trace);
	if (st != BERTH_OK)
		return st;
	*out = begins;
	if (end)
		*end = ends;
	return BERTH_OK;
}
