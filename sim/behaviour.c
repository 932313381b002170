/* SPDX-License-Identifier: Apache-2.0 */
/* Behaviour: from what a device reports to what it enforces. */
#include "behaviour.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl.h>

/* CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL: Intel's, not in CL/cl.h. */
#define ALLOW_UNRESTRICTED_SIZE (UINT64_C(1) << 23)

static berth_status wrong(const char *field, uint64_t value, const char *allowed)
{
	return berth_error_set(BERTH_E_INVAL, 0, "behaviour: %s is %" PRIu64 ": allowed is %s",
			       field, value, allowed);
}

static berth_status check_choices(const berth_behaviour *b)
{
	const struct {
		const char *field;
		unsigned value, last;
	} choices[] = {
		{ "max_alloc_enforced", b->max_alloc_enforced, BERTH_MAX_ALLOC_FLAG },
		{ "from_buffer_pitch0", b->from_buffer_pitch0, BERTH_PITCH0_ROUND_UP },
		{ "from_buffer_size", b->from_buffer_size, BERTH_FROM_BUFFER_TIGHT },
		{ "pitch_unit_enforced", b->pitch_unit_enforced, BERTH_ENFORCED_BYTES },
		{ "slice_pitch_2d", b->slice_pitch_2d, BERTH_SLICE_PITCH_ROWS },
		{ "free_time", b->free_time, BERTH_FREE_PROCESS },
		{ "retain_parent", b->retain_parent, BERTH_RETAIN_PARENT_LEAK },
	};

	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		if (choices[i].value > choices[i].last)
			return wrong(choices[i].field, choices[i].value, "a value of its enum");
	return BERTH_OK;
}

static berth_status check_alignments(const berth_behaviour *b)
{
	const struct {
		const char *field;
		uint32_t value;
	} alignments[] = {
		{ "subbuffer_align_enforced_bytes", b->subbuffer_align_enforced_bytes },
		{ "map_pitch_align_bytes", b->map_pitch_align_bytes },
		{ "zero_copy_ptr_align_bytes", b->zero_copy_ptr_align_bytes },
		{ "zero_copy_size_align_bytes", b->zero_copy_size_align_bytes },
	};

	for (size_t i = 0; i < sizeof(alignments) / sizeof(alignments[0]); i++)
		if (alignments[i].value & (alignments[i].value - 1))
			return wrong(alignments[i].field, alignments[i].value,
				     "a power of two or 0");
	/* CL_DEVICE_MEM_BASE_ADDR_ALIGN is 32 bits of bits. */
	if (b->subbuffer_align_enforced_bytes > UINT32_MAX / 8)
		return wrong("subbuffer_align_enforced_bytes", b->subbuffer_align_enforced_bytes,
			     "up to 2^28");
	return BERTH_OK;
}

static berth_status check_deviations(const berth_deviations *deviations)
{
	if (deviations->count > BERTH_DEVIATIONS_MAX)
		return wrong("the number of deviations", deviations->count, "up to 256");
	if (deviations->first_count > BERTH_ORDER_MAX)
		return wrong("the number of rules in order", deviations->first_count, "up to 64");
	for (uint32_t i = 0; i < deviations->count; i++)
		if (!deviations->items[i].rule)
			return wrong("a deviation without rule", i,
				     "one of berth_deviations_add()");
	return BERTH_OK;
}

berth_status berth__behaviour_validate(const berth_profile *profile)
{
	berth_status st = check_choices(&profile->behaviour);

	if (st == BERTH_OK)
		st = check_alignments(&profile->behaviour);
	if (st == BERTH_OK)
		st = check_deviations(&profile->deviations);
	return st;
}

static bool names_quirk(const berth_deviations *deviations)
{
	for (uint32_t i = 0; i < deviations->count; i++)
		for (size_t j = 0; j < berth_quirks_count(); j++)
			if (deviations->items[i].rule == berth_quirks_at(j))
				return true;
	return false;
}

void berth__behaviour_init(struct berth__simulator *sim)
{
	const berth_behaviour *behaviour = &sim->profile.behaviour;
	berth_caps *enforced = &sim->enforced;

	*enforced = sim->profile.caps;
	if (behaviour->subbuffer_align_enforced_bytes)
		enforced->base_addr_align_bits = behaviour->subbuffer_align_enforced_bytes * 8;
	if (behaviour->max_alloc_enforced_bytes)
		enforced->max_alloc_bytes = behaviour->max_alloc_enforced_bytes;
	if (behaviour->max_alloc_enforced == BERTH_MAX_ALLOC_NONE)
		enforced->max_alloc_bytes = UINT64_MAX;
	if (behaviour->pitch_unit_enforced != BERTH_ENFORCED_AS_REPORTED)
		enforced->pitch_unit = behaviour->pitch_unit_enforced == BERTH_ENFORCED_BYTES
					       ? BERTH_PITCH_UNIT_BYTES
					       : BERTH_PITCH_UNIT_PIXELS;
	sim->has_quirks = names_quirk(&sim->profile.deviations);
	sim->departs = sim->profile.deviations.count > 0 ||
		       sim->profile.deviations.first_count > 0 ||
		       behaviour->from_buffer_pitch0 != BERTH_PITCH0_ERROR ||
		       behaviour->from_buffer_size != BERTH_FROM_BUFFER_PADDED ||
		       behaviour->max_alloc_enforced != BERTH_MAX_ALLOC_STRICT;
}

/* R59: any width will do. */
static bool pitch0_is_fine(const struct berth__simulator *sim, const berth_op *op)
{
	(void)op;
	return sim->profile.behaviour.from_buffer_pitch0 == BERTH_PITCH0_TIGHT;
}

/* R71: the rows without what lies between them. */
static bool rows_fit_tightly(const struct berth__simulator *sim, const berth_op *op)
{
	uint32_t element_bytes =
		berth_format_element_bytes(op->image.order, op->image.channel_type);
	const berth_object *parent = berth_objects_find(sim->objects, op->other);
	uint64_t bytes;

	return sim->profile.behaviour.from_buffer_size == BERTH_FROM_BUFFER_TIGHT && parent &&
	       !__builtin_mul_overflow(op->image.width, element_bytes, &bytes) &&
	       !__builtin_mul_overflow(bytes, op->image.height, &bytes) && bytes <= parent->bytes;
}

/* Rows that the behaviour lifts. */
static const struct {
	const char *rule;
	bool (*is_lifted)(const struct berth__simulator *sim, const berth_op *op);
} lifts[] = {
	{ "R59", pitch0_is_fine },
	{ "R71", rows_fit_tightly },
};

static bool is_lifted(const struct berth__simulator *sim, const berth_op *op,
		      const berth_rule *rule)
{
	for (size_t i = 0; i < sizeof(lifts) / sizeof(lifts[0]); i++)
		if (strcmp(lifts[i].rule, rule->id) == 0)
			return lifts[i].is_lifted(sim, op);
	return false;
}

static size_t drop_lifted(const struct berth__simulator *sim, const berth_op *op,
			  const berth_rule *broken[], size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!is_lifted(sim, op, broken[i]))
			broken[kept++] = broken[i];
	return kept;
}

/* With the vendor's bit a buffer may be of any size, and the bit is known. */
static size_t check_unrestricted(const struct berth__simulator *sim, const berth_op *op,
				 const berth_rule *broken[])
{
	berth_caps unlimited = sim->enforced;
	berth_op plain = *op;

	unlimited.max_alloc_bytes = UINT64_MAX;
	plain.flags &= ~ALLOW_UNRESTRICTED_SIZE;
	return berth_rules_check(&unlimited, sim->objects, &plain, broken);
}

static size_t check_rules(const struct berth__simulator *sim, const berth_op *op,
			  const berth_rule *broken[])
{
	if (sim->profile.behaviour.max_alloc_enforced == BERTH_MAX_ALLOC_FLAG &&
	    op->kind == BERTH_OP_BUFFER_CREATE && (op->flags & ALLOW_UNRESTRICTED_SIZE))
		return check_unrestricted(sim, op, broken);
	return berth_rules_check(&sim->enforced, sim->objects, op, broken);
}

/*
 * Rows on which the bytes do not depend: alignment, access, flags, what a list holds.
 * Whoever accepts an op that breaks only these moves its bytes as usual.
 */
static bool is_harmless(const berth_rule *rule)
{
	static const char *const ids[] = {
		"R63",
		"R63.source",
		"R63.destination",
		"R63.mixed",
		"R128",
		"R100.host_read",
		"R100.host_write",
		"R106.host_read",
		"R106.host_write",
		"R106.flags",
		"R106.overlap",
		"R106.zero",
		"R111.size",
		"R111.format",
		"R111.images",
		"R112.flat",
		"R116.pitch",
		"R122.flags",
		"R122.list",
		"R122.mem_object",
		"R123",
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (strcmp(ids[i], rule->id) == 0)
			return true;
	return false;
}

/* The quirks that an op breaks and a deviation names: no other counts. */
static size_t named_quirks(const struct berth__simulator *sim, const berth_op *op,
			   const berth_rule *broken[])
{
	const size_t count = drop_lifted(
		sim, op, broken, berth_quirks_check(&sim->enforced, sim->objects, op, broken));
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (berth_deviations_find(&sim->profile.deviations, broken[i], op))
			broken[kept++] = broken[i];
	return kept;
}

size_t berth__behaviour_check(const struct berth__simulator *sim, const berth_op *op,
			      const berth_rule *broken[BERTH__BROKEN_MAX], bool *is_regular)
{
	size_t count = check_rules(sim, op, broken);

	*is_regular = true;
	if (!sim->departs)
		return count;
	count = drop_lifted(sim, op, broken, count);
	for (size_t i = 0; i < count; i++)
		*is_regular = *is_regular && is_harmless(broken[i]);
	if (sim->has_quirks)
		count += named_quirks(sim, op, broken + count);
	return berth_deviations_apply(&sim->profile.deviations, op, broken, count);
}

/* Limits that may be enforced apart from the reported ones, and the rules about them. */
static const struct {
	const char *rules;
	const char *name;
	size_t offset; /* in berth_caps */
	size_t bytes;
} limits[] = {
#define LIMIT(rules, name, field)                                                                  \
	{                                                                                          \
		rules, name, offsetof(berth_caps, field), sizeof(((berth_caps *)0)->field)         \
	}
	LIMIT(" R25 ", "CL_DEVICE_MAX_MEM_ALLOC_SIZE", max_alloc_bytes),
	LIMIT(" R38 R63 R63.source R63.destination R63.mixed R128 ",
	      "CL_DEVICE_MEM_BASE_ADDR_ALIGN", base_addr_align_bits),
	LIMIT(" R58 R59 R73 ", "the unit of image alignments", pitch_unit),
#undef LIMIT
};

void berth__behaviour_note(const struct berth__simulator *sim, const berth_rule *rule, char *text,
			   size_t text_bytes)
{
	const char *reported = (const char *)&sim->profile.caps;
	const char *enforced = (const char *)&sim->enforced;
	char word[32];

	*text = '\0';
	snprintf(word, sizeof(word), " %s ", rule->id);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (strstr(limits[i].rules, word) &&
		    memcmp(reported + limits[i].offset, enforced + limits[i].offset,
			   limits[i].bytes) != 0)
			snprintf(text, text_bytes,
				 "; this device enforces another %s than it reports",
				 limits[i].name);
}

/* A 2D image on a buffer that gives no pitch; @return the pitch that it gets, 0: as asked. */
static uint64_t rounded_pitch(const struct berth__simulator *sim, const berth_op *op)
{
	uint32_t element_bytes =
		berth_format_element_bytes(op->image.order, op->image.channel_type);
	uint64_t align = berth_caps_pitch_align_bytes(&sim->enforced, element_bytes), row, padded;
	const berth_object *parent = berth_objects_find(sim->objects, op->other);

	if (op->image.row_pitch_bytes != 0 || op->image.type != CL_MEM_OBJECT_IMAGE2D ||
	    align == 0 || !parent || parent->kind == BERTH_OBJECT_IMAGE ||
	    __builtin_mul_overflow(op->image.width, element_bytes, &row) ||
	    __builtin_add_overflow(row, align - 1, &padded))
		return 0;
	return padded / align * align;
}

const berth_op *berth__behaviour_effective(const struct berth__simulator *sim, const berth_op *op,
					   berth_op *changed)
{
	uint64_t pitch;

	if (sim->profile.behaviour.from_buffer_pitch0 != BERTH_PITCH0_ROUND_UP ||
	    op->kind != BERTH_OP_IMAGE_CREATE || op->other == BERTH_ID_NONE)
		return op;
	pitch = rounded_pitch(sim, op);
	if (pitch == 0)
		return op;
	*changed = *op;
	changed->image.row_pitch_bytes = pitch;
	return changed;
}
