/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the checker. One op: subject, then reference (checker.c), then judge
 * (check_judge.c), then bring both to the same state (checker.c), with what is
 * kept for each object (check_kept.c).
 */
#ifndef BERTH_REPLAY_CHECK_H
#define BERTH_REPLAY_CHECK_H

#include "check_content.h"

#include <berth/checker.h>

/* A mapping that is alive on both sides. */
struct berth__kept_mapping {
	uint64_t id;
	uint64_t flags;
	struct berth__check_box box;
	struct berth__check_place subject, reference;
	struct berth__kept_mapping *next;
};

/* Behind berth_object.user. */
struct berth__kept {
	void *host; /* the reference's own copy of lent memory */
	struct berth__kept_mapping *mappings;
};

struct berth__checker {
	berth_device device;
	char name[192];
	berth_device *subject, *reference;
	berth_objects *objects; /* alive on both */
	berth_check_counts counts;
	berth_difference last, first;
	void *scratch; /* what the reference reads into */
	uint64_t scratch_bytes;
};

/* One op on its way. */
struct berth__check {
	struct berth__checker *checker;
	berth_op op; /* for the subject */
	berth_op reference_op;
	berth_result subject, reference;
	char subject_text[BERTH_ERROR_MESSAGE_BYTES]; /* why it refused */
	char reference_text[BERTH_ERROR_MESSAGE_BYTES];
	struct berth__kept *kept;	     /* for a new object; owned until it is there */
	struct berth__kept_mapping *mapping; /* likewise for a map */
};

static inline bool berth__both_accepted(const struct berth__check *check)
{
	return check->subject.cl_status == 0 && check->reference.cl_status == 0;
}

/* The object of the op, when it is alive on both sides. */
static inline berth_object *berth__object_of(const struct berth__check *check)
{
	return berth_objects_find(check->checker->objects, check->op.object);
}

/* NULL is fine. */
void berth__kept_free(struct berth__kept *kept);

/* Before an unmap: what the program wrote through the subject's pointer goes to the reference. */
void berth__kept_carry_over(const struct berth__check *check);

/* A map that both accepted: takes check->mapping over. An unmap. */
void berth__kept_add_mapping(struct berth__check *check);
void berth__kept_remove_mapping(const struct berth__check *check);

/* Compare both answers: counts, checker->last and checker->first. */
void berth__judge_check(struct berth__check *check);

#endif
