/* SPDX-License-Identifier: Apache-2.0 */
/* The rules table as a whole: its order, checking an op against it, answers. */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rule_answer.h"

/* Within a family of calls, the order of the specification's error list. */
static const struct rule_table *const tables[] = {
	/* clCreateBuffer, clCreateSubBuffer, clCreateImage */
	&berth__rules_image_support,
	&berth__rules_subbuffer_parent,
	&berth__rules_properties,
	&berth__rules_flags,
	&berth__rules_buffer,
	&berth__rules_subbuffer,
	&berth__rules_image_format,
	&berth__rules_image_on_memory,
	&berth__rules_image_descriptor,
	/* commands on buffers */
	&berth__rules_buffer_command,
	&berth__rules_buffer_copy,
	&berth__rules_linear_transfer,
	&berth__rules_rect_transfer,
	&berth__rules_linear_fill,
	&berth__rules_linear_map,
	&berth__rules_linear_copy,
	&berth__rules_rect_copy,
	/* commands on images */
	&berth__rules_image_command,
	&berth__rules_image_copy,
	&berth__rules_mixed_copy,
	&berth__rules_image_region,
	&berth__rules_image_transfer,
	&berth__rules_image_fill,
	&berth__rules_mixed_copy_buffer,
	&berth__rules_image_map,
	/* commands on both, after their values */
	&berth__rules_map,
	&berth__rules_misaligned,
	&berth__rules_mixed_misaligned,
	&berth__rules_image_device,
	&berth__rules_image_overlap,
	&berth__rules_host_access,
	&berth__rules_map_access,
	/* the rest */
	&berth__rules_unmap,
	&berth__rules_migrate,
	&berth__rules_use,
	&berth__rules_lifetime,
	&berth__rules_destructor,
	/* clCreatePipe, clSetKernelArg */
	&berth__rules_pipe,
	&berth__rules_argument,
	/* shared virtual memory */
	&berth__rules_svm_alloc,
	&berth__rules_svm_free,
	&berth__rules_svm_command,
	&berth__rules_svm_migrate,
	&berth__rules_svm_arg,
	/* not decided by the table */
	&berth__rules_memory,
};

#define TABLE_COUNT (sizeof(tables) / sizeof(tables[0]))

/* Not of the specification: what some drivers refuse all the same. */
static const struct rule_table *const quirk_tables[] = {
	&berth__rules_quirk_create, &berth__rules_quirk,      &berth__rules_quirk_rect,
	&berth__rules_quirk_image,  &berth__rules_quirk_copy, &berth__rules_quirk_migrate,
	&berth__rules_quirk_part_create, &berth__rules_quirk_part_map,
	&berth__rules_quirk_part_argument,
};

#define QUIRK_TABLE_COUNT (sizeof(quirk_tables) / sizeof(quirk_tables[0]))

static size_t count_rows(const struct rule_table *const list[], size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += list[i]->count;
	return count;
}

static const berth_rule *row_at(const struct rule_table *const list[], size_t length, size_t index)
{
	for (size_t i = 0; i < length; i++) {
		if (index < list[i]->count)
			return &list[i]->rows[index].rule;
		index -= list[i]->count;
	}
	return NULL;
}

size_t berth_rules_count(void)
{
	return count_rows(tables, TABLE_COUNT);
}

const berth_rule *berth_rules_at(size_t index)
{
	return row_at(tables, TABLE_COUNT, index);
}

size_t berth_quirks_count(void)
{
	return count_rows(quirk_tables, QUIRK_TABLE_COUNT);
}

const berth_rule *berth_quirks_at(size_t index)
{
	return row_at(quirk_tables, QUIRK_TABLE_COUNT, index);
}

const berth_rule *berth_rules_find(const char *id)
{
	const berth_rule *rule;

	for (size_t i = 0; (rule = berth_rules_at(i)); i++)
		if (strcmp(rule->id, id) == 0)
			return rule;
	for (size_t i = 0; (rule = berth_quirks_at(i)); i++)
		if (strcmp(rule->id, id) == 0)
			return rule;
	return NULL;
}

/* Kinds of object that a form's two sides need. */
enum need { ANY, BUFFER, IMAGE, SVM };

/* What SVM is, no call takes that takes memory objects. */
static const uint32_t kinds_needed[] = {
	[ANY] = 1u << BERTH_OBJECT_BUFFER | 1u << BERTH_OBJECT_SUBBUFFER |
		1u << BERTH_OBJECT_IMAGE | 1u << BERTH_OBJECT_PIPE,
	[BUFFER] = 1u << BERTH_OBJECT_BUFFER | 1u << BERTH_OBJECT_SUBBUFFER,
	[IMAGE] = 1u << BERTH_OBJECT_IMAGE,
	[SVM] = 1u << BERTH_OBJECT_SVM,
};

static const struct {
	enum need object, other;
} needs[] = {
	[BERTH_FORM_NONE] = { ANY, ANY },
	[BERTH_FORM_LINEAR] = { BUFFER, BUFFER },
	[BERTH_FORM_RECT] = { BUFFER, BUFFER },
	[BERTH_FORM_IMAGE] = { IMAGE, IMAGE },
	[BERTH_FORM_IMAGE_TO_BUFFER] = { IMAGE, BUFFER },
	[BERTH_FORM_BUFFER_TO_IMAGE] = { BUFFER, IMAGE },
	[BERTH_FORM_SVM] = { SVM, SVM },
};

static const berth_object *find_as(const berth_objects *objects, uint64_t id, enum need need)
{
	const berth_object *object;

	if (id == BERTH_ID_NONE)
		return NULL;
	object = berth_objects_find(objects, id);
	return object && (kinds_needed[need] >> object->kind & 1) ? object : NULL;
}

static void look_up(struct rule_input *in, const berth_caps *caps, const berth_objects *objects,
		    const berth_op *op)
{
	*in = (struct rule_input){
		.caps = caps,
		.objects = objects,
		.op = op,
		.object = find_as(objects, op->object, needs[op->form].object),
		.other = find_as(objects, op->other, needs[op->form].other),
	};
	if (op->kind != BERTH_OP_IMAGE_CREATE)
		return;
	if (!(op->absent & BERTH_ABSENT_DESC))
		in->shape = berth__image_shape_find(op->image.type);
	if (!(op->absent & BERTH_ABSENT_FORMAT))
		in->element_bytes =
			berth_format_element_bytes(op->image.order, op->image.channel_type);
}

/* No rule is about a kind or form that is none. */
static bool is_defined(const berth_op *op)
{
	return (unsigned)op->kind < BERTH_OP_KIND_END &&
	       (unsigned)op->form < sizeof(needs) / sizeof(needs[0]);
}

static size_t check(const struct rule_table *const list[], size_t length, const berth_caps *caps,
		    const berth_objects *objects, const berth_op *op, const berth_rule *broken[])
{
	struct rule_input in;
	size_t count = 0;

	if (!is_defined(op))
		return 0;
	look_up(&in, caps, objects, op);
	for (size_t i = 0; i < length; i++) {
		const struct rule_table *table = list[i];

		if (!(table->kinds >> op->kind & 1) || !(table->forms >> op->form & 1))
			continue;
		for (size_t j = 0; j < table->count && count < BERTH_RULES_BROKEN_MAX; j++) {
			const struct rule_row *row = &table->rows[j];

			if ((row->rule.kinds >> op->kind & 1) && row->broken(&in, NULL))
				broken[count++] = &row->rule;
		}
	}
	return count;
}

size_t berth_rules_check(const berth_caps *caps, const berth_objects *objects, const berth_op *op,
			 const berth_rule *broken[])
{
	return check(tables, TABLE_COUNT, caps, objects, op, broken);
}

size_t berth_quirks_check(const berth_caps *caps, const berth_objects *objects, const berth_op *op,
			  const berth_rule *broken[])
{
	return check(quirk_tables, QUIRK_TABLE_COUNT, caps, objects, op, broken);
}

void berth_rule_explain(const berth_rule *rule, const berth_caps *caps,
			const berth_objects *objects, const berth_op *op, char *text,
			size_t text_bytes)
{
	const struct rule_row *row = (const struct rule_row *)rule;
	struct rule_why why = { text, text_bytes };
	struct rule_input in;

	if (is_defined(op) && (rule->kinds >> op->kind & 1)) {
		look_up(&in, caps, objects, op);
		if (row->broken(&in, &why))
			return;
	}
	snprintf(text, text_bytes, "%s holds: %s", rule->id, rule->summary);
}

void berth_rules_answer(const berth_rule *const broken[], size_t count, berth_result *result)
{
	result->cl_status = broken[0]->codes[0];
	result->rule = broken[0]->id;
	result->code_count = 0;
	for (size_t i = 0; i < count; i++)
		berth__rule_add_codes(result, broken[i]);
}

bool berth__rule_why(struct rule_why *why, const char *format, ...)
{
	va_list args;

	if (!why)
		return true;
	va_start(args, format);
	vsnprintf(why->text, why->bytes, format, args);
	va_end(args);
	return true;
}

bool berth__rule_why_object(const struct rule_input *in, struct rule_why *why, uint64_t id,
			    const char *needed)
{
	static const char *const kinds[] = {
		[BERTH_OBJECT_BUFFER] = "a buffer",
		[BERTH_OBJECT_SUBBUFFER] = "a sub-buffer",
		[BERTH_OBJECT_IMAGE] = "an image",
		[BERTH_OBJECT_SVM] = "an SVM allocation",
		[BERTH_OBJECT_PIPE] = "a pipe",
	};
	const berth_object *object;

	if (!why)
		return true;
	if (id == BERTH_ID_NONE)
		return berth__rule_why(why, "the handle is NULL, %s is needed", needed);
	if (id == BERTH_ID_UNKNOWN)
		return berth__rule_why(why, "the handle is of no known object, %s is needed", needed);
	object = berth_objects_find(in->objects, id);
	if (!object)
		return berth__rule_why(why, "object %" PRIu64 " is not alive, %s is needed", id, needed);
	return berth__rule_why(why, "object %" PRIu64 " is %s, %s is needed", id,
			       kinds[object->kind], needed);
}
