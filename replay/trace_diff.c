/* SPDX-License-Identifier: Apache-2.0 */
#include <berth/trace_diff.h>

#include "diff_groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

/* One of the two traces. */
struct side {
	int index;
	struct diff *diff;
	berth_trace *trace;
	const berth_summary *summary;
	berth_objects *objects; /* `user`: how many were made before */
	uint64_t made;
	const berth_trace_op *row; /* NULL: no more */
};

struct diff {
	berth_trace_diff *out;
	struct berth__diff_groups *groups;
	struct side sides[2];
	bool with_content;
};

static void on_end(berth_object *object, void *userdata)
{
	struct side *side = userdata;

	berth__diff_groups_end(side->diff->groups, side->index, object);
}

/* Which creation an object came from, so that ids need not be the same; others as they are. */
static uint64_t index_of(const struct side *side, uint64_t id)
{
	const berth_object *object = berth_objects_find(side->objects, id);

	return object ? (uint64_t)(uintptr_t)object->user : id == BERTH_ID_NONE ? 0 : UINT64_MAX;
}

static berth_status take_effect(struct side *side)
{
	const berth_trace_op *row = side->row;
	berth_object *object = NULL;
	berth_status st = BERTH_OK;

	if (row->answered && row->result.cl_status == CL_SUCCESS &&
	    row->op.kind != BERTH_OP_ORDER && row->op.kind != BERTH_OP_LABEL)
		st = berth_objects_apply(side->objects, &row->op, &object);
	if (object) {
		object->user = (void *)(uintptr_t)++side->made;
		berth__diff_groups_begin(side->diff->groups, side->index, object);
	}
	if (row->seq == side->summary->peak_op)
		berth__diff_groups_peak(side->diff->groups, side->index);
	/* What the table cannot follow is compared as it is. */
	return st == BERTH_E_NOMEM ? st : BERTH_OK;
}

/* To the next op that is compared; the one before takes effect. */
static berth_status advance(struct side *side)
{
	berth_status st = BERTH_OK;

	do {
		if (side->row)
			st = take_effect(side);
		if (st == BERTH_OK)
			st = berth_trace_next(&side->row, side->trace);
	} while (st == BERTH_OK && side->row && side->row->op.kind == BERTH_OP_ORDER);
	return st;
}

/* Numbers of an op that the program chose. */
static const struct {
	const char *name;
	size_t offset;
} numbers[] = {
#define NUMBER(field)                                                                              \
	{                                                                                          \
#field, offsetof(berth_op, field)                                                  \
	}
	NUMBER(bytes),
	NUMBER(offset_bytes),
	NUMBER(other_offset_bytes),
	NUMBER(flags),
	NUMBER(pattern_bytes),
	NUMBER(alignment_bytes),
	NUMBER(image.width),
	NUMBER(image.height),
	NUMBER(image.depth),
	NUMBER(image.array_size),
	NUMBER(image.row_pitch_bytes),
	NUMBER(image.slice_pitch_bytes),
	NUMBER(region.origin[0]),
	NUMBER(region.origin[1]),
	NUMBER(region.origin[2]),
	NUMBER(region.other_origin[0]),
	NUMBER(region.other_origin[1]),
	NUMBER(region.other_origin[2]),
	NUMBER(region.extent[0]),
	NUMBER(region.extent[1]),
	NUMBER(region.extent[2]),
	NUMBER(region.row_pitch_bytes),
	NUMBER(region.other_row_pitch_bytes),
#undef NUMBER
};

static uint64_t number_at(const berth_op *op, size_t index)
{
	uint64_t number;

	memcpy(&number, (const char *)op + numbers[index].offset, sizeof(number));
	return number;
}

static bool differ_number(char *what, size_t bytes, const char *name, uint64_t a, uint64_t b)
{
	if (a == b)
		return false;
	snprintf(what, bytes, "%s: %" PRIu64 " and %" PRIu64, name, a, b);
	return true;
}

static bool differ_text(char *what, size_t bytes, const char *name, const char *a, const char *b)
{
	if (strcmp(a ? a : "", b ? b : "") == 0)
		return false;
	snprintf(what, bytes, "%s: '%.48s' and '%.48s'", name, a ? a : "", b ? b : "");
	return true;
}

static bool differ_numbers(char *what, size_t bytes, const berth_op *a, const berth_op *b)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (differ_number(what, bytes, numbers[i].name, number_at(a, i), number_at(b, i)))
			return true;
	return false;
}

static bool differ_uses(const struct side sides[2], char *what, size_t bytes)
{
	const berth_op *a = &sides[0].row->op, *b = &sides[1].row->op;

	if (differ_number(what, bytes, "objects in its list", a->use_count, b->use_count))
		return true;
	for (uint32_t i = 0; i < a->use_count; i++)
		if (differ_number(what, bytes, "object in its list, by order of creation",
				  index_of(&sides[0], a->uses[i].object),
				  index_of(&sides[1], b->uses[i].object)))
			return true;
	return false;
}

/* Writes which part differs. */
static bool differ(const struct side sides[2], char *what, size_t bytes)
{
	const berth_trace_op *rows[2] = { sides[0].row, sides[1].row };
	const berth_op *a = &rows[0]->op, *b = &rows[1]->op;

	return differ_text(what, bytes, "call", berth_op_kind_string(a->kind),
			   berth_op_kind_string(b->kind)) ||
	       differ_text(what, bytes, "form", berth_op_form_string(a->form),
			   berth_op_form_string(b->form)) ||
	       differ_text(what, bytes, "name", a->name, b->name) ||
	       (!berth_op_kind_creates(a->kind) &&
		differ_number(what, bytes, "object, by order of creation",
			      index_of(&sides[0], a->object), index_of(&sides[1], b->object))) ||
	       differ_number(what, bytes, "other object, by order of creation",
			     index_of(&sides[0], a->other), index_of(&sides[1], b->other)) ||
	       differ_numbers(what, bytes, a, b) || differ_uses(sides, what, bytes) ||
	       differ_text(what, bytes, "host pointer", a->host_address ? "given" : "NULL",
			   b->host_address ? "given" : "NULL") ||
	       differ_text(what, bytes, "answered", rows[0]->answered ? "yes" : "no",
			   rows[1]->answered ? "yes" : "no") ||
	       differ_text(what, bytes, "answer", berth_cl_status_string(rows[0]->result.cl_status),
			   berth_cl_status_string(rows[1]->result.cl_status));
}

static void describe(berth_trace_difference *out, const struct side sides[2])
{
	for (int i = 0; i < 2; i++) {
		const berth_trace_op *row = sides[i].row;

		if (!row)
			continue;
		out->seq[i] = row->seq;
		out->status[i] = row->result.cl_status;
		berth_op_describe(&row->op, out->op[i], sizeof(out->op[i]));
	}
}

static void compare_content(struct diff *diff)
{
	const berth_trace_op *a = diff->sides[0].row, *b = diff->sides[1].row;
	berth_trace_difference *content = &diff->out->content;

	if (!diff->with_content || !a->has_digest || !b->has_digest)
		return;
	diff->out->content_compared++;
	if (diff->out->has_content || memcmp(a->digest, b->digest, sizeof(a->digest)) == 0)
		return;
	diff->out->has_content = true;
	describe(content, diff->sides);
	snprintf(content->what, sizeof(content->what), "other bytes, by their digest");
}

/* One with one, until they part or end. */
static berth_status compare(struct diff *diff)
{
	berth_trace_difference *first = &diff->out->first;
	struct side *sides = diff->sides;
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && sides[0].row && sides[1].row) {
		if (differ(sides, first->what, sizeof(first->what)))
			break;
		compare_content(diff);
		diff->out->ops_compared++;
		st = advance(&sides[0]);
		if (st == BERTH_OK)
			st = advance(&sides[1]);
	}
	if (st != BERTH_OK || (!sides[0].row && !sides[1].row))
		return st;
	diff->out->has_first = true;
	describe(first, sides);
	if (!sides[0].row || !sides[1].row)
		snprintf(first->what, sizeof(first->what), "only one goes on");
	return BERTH_OK;
}

static berth_status open_side(struct diff *diff, int index, berth_trace *trace)
{
	struct side *side = &diff->sides[index];
	berth_summary *summary = NULL;
	berth_status st = berth_trace_summarise(&summary, trace);

	side->index = index;
	side->diff = diff;
	side->trace = trace;
	side->summary = diff->out->summary[index] = summary;
	if (st == BERTH_OK)
		st = berth_objects_create(&side->objects, on_end, side);
	if (st == BERTH_OK)
		st = berth_trace_select(trace, diff->with_content ? BERTH_TRACE_FIELDS_ALL
								  : BERTH_TRACE_FIELDS_OP);
	return st == BERTH_OK ? advance(side) : st;
}

/* What lies behind the first difference counts for the sums. */
static berth_status go_on(struct side *side)
{
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && side->row)
		st = advance(side);
	return st;
}

static bool sums_differ(const berth_trace_diff *diff)
{
	const berth_summary *a = diff->summary[0], *b = diff->summary[1];

	return diff->group_count > 0 || a->peak_bytes != b->peak_bytes ||
	       a->leaked_count != b->leaked_count || a->unanswered != b->unanswered;
}

static berth_status find(struct diff *diff, berth_trace *a, berth_trace *b)
{
	berth_status st = berth__diff_groups_create(&diff->groups);

	if (st == BERTH_OK)
		st = open_side(diff, 0, a);
	if (st == BERTH_OK)
		st = open_side(diff, 1, b);
	if (st == BERTH_OK)
		st = compare(diff);
	for (int i = 0; st == BERTH_OK && i < 2; i++)
		st = go_on(&diff->sides[i]);
	if (st == BERTH_OK)
		st = berth__diff_groups_tell(diff->groups, diff->out);
	if (st == BERTH_OK)
		diff->out->differs =
			diff->out->has_first || diff->out->has_content || sums_differ(diff->out);
	for (int i = 0; i < 2; i++)
		berth_objects_destroy(diff->sides[i].objects);
	berth__diff_groups_destroy(diff->groups);
	return st;
}

berth_status berth_trace_diff_find(berth_trace_diff **out, berth_trace *a, berth_trace *b,
				   bool with_content)
{
	struct diff diff = { .with_content = with_content };
	berth_status st;

	diff.out = calloc(1, sizeof(*diff.out));
	if (!diff.out)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to compare traces");
	st = find(&diff, a, b);
	if (st == BERTH_OK)
		*out = diff.out;
	else
		berth_trace_diff_free(diff.out);
	return st;
}

void berth_trace_diff_free(berth_trace_diff *diff)
{
	if (!diff)
		return;
	for (int i = 0; i < 2; i++)
		berth_summary_free((berth_summary *)diff->summary[i]);
	free((berth_trace_group *)diff->groups);
	free(diff);
}
