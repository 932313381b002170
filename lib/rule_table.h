/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a row of the rules table is written. Each rules_*.c holds the rows of some
 * sections of the specification as const tables; rules.c lists the tables in the
 * order in which the specification lists the errors of a call.
 */
#ifndef BERTH_LIB_RULE_TABLE_H
#define BERTH_LIB_RULE_TABLE_H

#include <berth/rules.h>

#include "image_shape.h"

/* What a predicate sees: an op, with its objects looked up once. */
struct rule_input {
	const berth_caps *caps;
	const berth_objects *objects;
	const berth_op *op;
	/*
	 * The objects named by op->object and op->other; NULL when not known or not of
	 * the kind that op->form needs, so that only a mem_object row says so.
	 */
	const berth_object *object;
	const berth_object *other;
	/* image_create only: NULL and 0 when the descriptor or format is missing or undefined. */
	const struct berth__image_shape *shape;
	uint32_t element_bytes;
};

/* Where a predicate says why, in one line. NULL: only whether is asked. */
struct rule_why {
	char *text;
	size_t bytes;
};

typedef bool rule_broken_fn(const struct rule_input *in, struct rule_why *why);

struct rule_row {
	berth_rule rule; /* first: a berth_rule of ours is its row */
	rule_broken_fn *broken;
};

/* Rows of the same family of calls: a table is left out as a whole for other ops. */
struct rule_table {
	const struct rule_row *rows;
	size_t count;
	uint32_t kinds; /* KIND bits that any row has */
	uint32_t forms; /* FORM bits of the family */
};

#define KIND(name) (1u << BERTH_OP_##name)
#define KINDS_CREATE (KIND(BUFFER_CREATE) | KIND(SUBBUFFER_CREATE) | KIND(IMAGE_CREATE))
#define KINDS_TRANSFER (KIND(WRITE) | KIND(READ))
#define KINDS_HOST (KINDS_TRANSFER | KIND(MAP))
#define KINDS_ONE_SIDED (KINDS_HOST | KIND(FILL))

#define FORM(name) (1u << BERTH_FORM_##name)
#define FORMS_NONE FORM(NONE)
#define FORMS_BUFFER (FORM(LINEAR) | FORM(RECT))
#define FORMS_MIXED (FORM(IMAGE_TO_BUFFER) | FORM(BUFFER_TO_IMAGE))

#define RULE_TABLE(rows, kinds, forms) { rows, sizeof(rows) / sizeof((rows)[0]), kinds, forms }

extern const struct rule_table berth__rules_image_support;
extern const struct rule_table berth__rules_subbuffer_parent;
extern const struct rule_table berth__rules_flags;
extern const struct rule_table berth__rules_buffer;
extern const struct rule_table berth__rules_subbuffer;
extern const struct rule_table berth__rules_image_format;
extern const struct rule_table berth__rules_image_on_memory;
extern const struct rule_table berth__rules_image_descriptor;
extern const struct rule_table berth__rules_buffer_command;
extern const struct rule_table berth__rules_buffer_copy;
extern const struct rule_table berth__rules_linear_transfer;
extern const struct rule_table berth__rules_rect_transfer;
extern const struct rule_table berth__rules_linear_fill;
extern const struct rule_table berth__rules_linear_map;
extern const struct rule_table berth__rules_linear_copy;
extern const struct rule_table berth__rules_rect_copy;
extern const struct rule_table berth__rules_image_command;
extern const struct rule_table berth__rules_image_copy;
extern const struct rule_table berth__rules_mixed_copy;
extern const struct rule_table berth__rules_image_region;
extern const struct rule_table berth__rules_image_transfer;
extern const struct rule_table berth__rules_image_fill;
extern const struct rule_table berth__rules_mixed_copy_buffer;
extern const struct rule_table berth__rules_image_map;
extern const struct rule_table berth__rules_map;
extern const struct rule_table berth__rules_misaligned;
extern const struct rule_table berth__rules_mixed_misaligned;
extern const struct rule_table berth__rules_image_device;
extern const struct rule_table berth__rules_image_overlap;
extern const struct rule_table berth__rules_host_access;
extern const struct rule_table berth__rules_map_access;
extern const struct rule_table berth__rules_unmap;
extern const struct rule_table berth__rules_migrate;
extern const struct rule_table berth__rules_use;
extern const struct rule_table berth__rules_lifetime;
extern const struct rule_table berth__rules_memory;
extern const struct rule_table berth__rules_properties;
extern const struct rule_table berth__rules_svm_alloc;
extern const struct rule_table berth__rules_svm_free;
extern const struct rule_table berth__rules_svm_command;
extern const struct rule_table berth__rules_svm_migrate;
extern const struct rule_table berth__rules_svm_arg;
extern const struct rule_table berth__rules_pipe;
extern const struct rule_table berth__rules_argument;
extern const struct rule_table berth__rules_destructor;
extern const struct rule_table berth__rules_quirk;
extern const struct rule_table berth__rules_quirk_create;
extern const struct rule_table berth__rules_quirk_rect;
extern const struct rule_table berth__rules_quirk_image;
extern const struct rule_table berth__rules_quirk_copy;
extern const struct rule_table berth__rules_quirk_migrate;
extern const struct rule_table berth__rules_quirk_part_create;
extern const struct rule_table berth__rules_quirk_part_map;
extern const struct rule_table berth__rules_quirk_part_argument;

/* Say why (when asked). Always true, so that a predicate can return it. */
bool berth__rule_why(struct rule_why *why, const char *format, ...) BERTH_PRINTF(2, 3);

/* Say why an id names no object that would do; needed: "a buffer" and the like. */
bool berth__rule_why_object(const struct rule_input *in, struct rule_why *why, uint64_t id,
			    const char *needed);

/* Whether the host pointer is not what the flags of a creation ask for (R27, R28, R51). */
rule_broken_fn berth__pointer_missing, berth__pointer_unwanted;

static inline bool berth__is_buffer(const berth_object *object)
{
	return object->kind == BERTH_OBJECT_BUFFER || object->kind == BERTH_OBJECT_SUBBUFFER;
}

/*
 * Whether a copy between two buffers can overlap, as the text says it: one object,
 * or two sub-buffers of one buffer. A buffer and its own sub-buffer are not named.
 */
static inline bool berth__share_memory(const berth_object *a, const berth_object *b)
{
	return a == b || (a->parent && a->parent == b->parent);
}

/* Whether [offset, offset + bytes) leaves [0, limit); the sum may wrap. */
static inline bool berth__leaves(uint64_t offset, uint64_t bytes, uint64_t limit)
{
	return bytes > limit || offset > limit - bytes;
}

/* Whether [a, a + a_bytes) and [b, b + b_bytes) meet; both fit 64 bits. */
static inline bool berth__meet(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
	return a < b + b_bytes && b < a + a_bytes && a_bytes > 0 && b_bytes > 0;
}

#endif
