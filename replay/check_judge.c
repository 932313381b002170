/* SPDX-License-Identifier: Apache-2.0 */
/* Two answers to one op: do they agree, and if not, in what. */
#include "check.h"
#include "codes.h"

#include <inttypes.h>
#include <stdio.h>

#include <CL/cl.h>

static const char *separator(const char *text)
{
	return *text ? ": " : "";
}

static void describe_status(struct berth__check *check)
{
	struct berth__checker *checker = check->checker;
	char op[160];

	berth_op_describe(&check->op, op, sizeof(op));
	/* Whoever refused says why, cut so that one does not crowd out the other. */
	snprintf(checker->last.text, sizeof(checker->last.text),
		 "%s: %s gives %s%s%.120s; %s gives %s%s%.200s", op, checker->subject->name,
		 berth_cl_status_string(check->subject.cl_status), separator(check->subject_text),
		 check->subject_text, checker->reference->name,
		 berth_cl_status_string(check->reference.cl_status),
		 separator(check->reference_text), check->reference_text);
}

static void describe_number(struct berth__check *check, const char *what, uint64_t subject,
			    uint64_t reference)
{
	char op[160];

	berth_op_describe(&check->op, op, sizeof(op));
	snprintf(check->checker->last.text, sizeof(check->checker->last.text),
		 "%s: %s of %s is %" PRIu64 ", of %s %" PRIu64, op, what,
		 check->checker->subject->name, subject, check->checker->reference->name,
		 reference);
}

static void describe_content(struct berth__check *check, const struct berth__check_byte *where)
{
	char op[160];

	berth_op_describe(&check->op, op, sizeof(op));
	snprintf(check->checker->last.text, sizeof(check->checker->last.text),
		 "%s: byte %" PRIu64 " of row %" PRIu64 ", slice %" PRIu64
		 " is 0x%02x on %s, 0x%02x on %s",
		 op, where->x, where->row, where->slice, where->left, check->checker->subject->name,
		 where->right, check->checker->reference->name);
}

static berth_difference_kind judge_status(struct berth__check *check)
{
	int32_t subject = check->subject.cl_status, reference = check->reference.cl_status;

	if (berth__answer_allows(&check->reference, subject) ||
	    (berth__is_memory_code(subject) && berth__is_memory_code(reference)))
		return BERTH_DIFFERENCE_NONE;
	if (berth__is_memory_code(subject) || berth__is_memory_code(reference)) {
		check->checker->counts.memory_failures++;
		return BERTH_DIFFERENCE_NONE;
	}
	describe_status(check);
	return BERTH_DIFFERENCE_STATUS;
}

/* Where the bytes of a read or map are on both sides; false: on one of them they are not. */
static bool places(struct berth__check *check, const struct berth__check_box *box,
		   struct berth__check_place *subject, struct berth__check_place *reference)
{
	const berth_op *op = &check->op;
	const berth_object *object = berth__object_of(check);

	if (op->kind == BERTH_OP_READ)
		return op->host && check->reference_op.host &&
		       berth__check_place_in_host(subject, box, op, object, op->host) &&
		       berth__check_place_in_host(reference, box, op, object,
						  check->reference_op.host);
	*subject = berth__check_place_in_mapping(box, op, object, &check->subject);
	*reference = berth__check_place_in_mapping(box, op, object, &check->reference);
	return subject->start && reference->start;
}

static berth_difference_kind judge_content(struct berth__check *check)
{
	struct berth__checker *checker = check->checker;
	const berth_object *object = berth__object_of(check);
	struct berth__check_byte where;
	struct berth__check_place subject, reference;
	struct berth__check_box box;

	if (!object)
		return BERTH_DIFFERENCE_NONE;
	box = berth__check_box_of(&check->op, object);
	if (!places(check, &box, &subject, &reference) || check->reference.unknown_bytes > 0 ||
	    (check->op.kind == BERTH_OP_MAP && check->op.flags & CL_MAP_WRITE_INVALIDATE_REGION)) {
		checker->counts.content_unknown++;
		return BERTH_DIFFERENCE_NONE;
	}
	checker->counts.content_compared++;
	if (!berth__check_box_differs(&box, &subject, &reference, &where))
		return BERTH_DIFFERENCE_NONE;
	describe_content(check, &where);
	return BERTH_DIFFERENCE_CONTENT;
}

/* What both accepted must also give the same. */
static berth_difference_kind judge_answer(struct berth__check *check)
{
	const berth_result *subject = &check->subject, *reference = &check->reference;

	switch (check->op.kind) {
	case BERTH_OP_BUFFER_CREATE:
	case BERTH_OP_SUBBUFFER_CREATE:
		if (subject->bytes == reference->bytes)
			return BERTH_DIFFERENCE_NONE;
		describe_number(check, "CL_MEM_SIZE", subject->bytes, reference->bytes);
		return BERTH_DIFFERENCE_SIZE;
	case BERTH_OP_IMAGE_CREATE:
		if (subject->row_pitch_bytes == reference->row_pitch_bytes)
			return BERTH_DIFFERENCE_NONE;
		describe_number(check, "CL_IMAGE_ROW_PITCH", subject->row_pitch_bytes,
				reference->row_pitch_bytes);
		return BERTH_DIFFERENCE_PITCH;
	case BERTH_OP_READ:
	case BERTH_OP_MAP:
		return judge_content(check);
	default:
		return BERTH_DIFFERENCE_NONE;
	}
}

void berth__judge_check(struct berth__check *check)
{
	struct berth__checker *checker = check->checker;
	berth_difference *last = &checker->last;

	last->op_index = checker->counts.ops++;
	last->rule = check->reference.rule;
	last->subject = check->subject;
	last->reference = check->reference;
	last->text[0] = '\0';
	last->kind = berth__both_accepted(check) ? judge_answer(check) : judge_status(check);
	if (last->kind == BERTH_DIFFERENCE_NONE)
		return;
	checker->counts.differences++;
	if (checker->first.kind == BERTH_DIFFERENCE_NONE)
		checker->first = *last;
}
