/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes against the limits of a device: over one (F-OVER-LIMIT), just below one
 * (F-NEAR-LIMIT), and all that is alive against all memory (F-OVER-MEMORY). Attempts that were
 * refused count as well: their sizes were meant.
 */
#include "finding.h"

#include <inttypes.h>
#include <stdio.h>

#include <CL/cl.h>

#define NEAR_PERCENT 90

/* A limit: which ops have a size for it, what it is, and where the device's is. */
struct limit {
	const char *name;
	uint32_t image_type; /* 0: any create of memory */
	size_t value;	     /* in berth_image; of the other creates it is the bytes */
	size_t most;	     /* in berth_caps */
};

#define AXIS(name_, type, axis, caps_field)                                                        \
	{                                                                                          \
		name_, type, offsetof(berth_image, axis), offsetof(berth_caps, caps_field)         \
	}

static const struct limit limits[] = {
	{ "the largest allocation", 0, 0, offsetof(berth_caps, max_alloc_bytes) },
	AXIS("the width of a 2D image", CL_MEM_OBJECT_IMAGE2D, width, image2d_max_width),
	AXIS("the height of a 2D image", CL_MEM_OBJECT_IMAGE2D, height, image2d_max_height),
	AXIS("the width of a 3D image", CL_MEM_OBJECT_IMAGE3D, width, image3d_max_width),
	AXIS("the height of a 3D image", CL_MEM_OBJECT_IMAGE3D, height, image3d_max_height),
	AXIS("the depth of a 3D image", CL_MEM_OBJECT_IMAGE3D, depth, image3d_max_depth),
	AXIS("the width of a 1D image", CL_MEM_OBJECT_IMAGE1D, width, image2d_max_width),
	AXIS("the width of an image on a buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, width,
	     image_max_buffer_px),
	AXIS("the layers of an image array", CL_MEM_OBJECT_IMAGE2D_ARRAY, array_size,
	     image_max_array),
};

#define LIMIT_COUNT (sizeof(limits) / sizeof(limits[0]))

struct state {
	struct berth__finding_fold over[LIMIT_COUNT], near[LIMIT_COUNT];
	uint64_t value_over[LIMIT_COUNT], value_near[LIMIT_COUNT]; /* the largest */
	struct berth__finding_fold memory;
	uint64_t most_alive;
};

static uint64_t field(const void *from, size_t offset)
{
	return *(const uint64_t *)((const char *)from + offset);
}

static uint64_t value_of(const struct limit *limit, const berth_op *op)
{
	if (op->kind == BERTH_OP_IMAGE_CREATE)
		return limit->image_type == op->image.type ? field(&op->image, limit->value) : 0;
	return limit->image_type == 0 ? op->bytes : 0;
}

static void compare(struct berth__finding_scan *scan, struct state *state, size_t i)
{
	const struct limit *limit = &limits[i];
	uint64_t value = value_of(limit, &scan->row->op), most = field(scan->caps, limit->most);
	/* A refused attempt may say so by any size; a limit of 0 is one that is not known. */
	bool over = value > most;

	if (value == 0 || most == 0 || value < most / 100 * NEAR_PERCENT)
		return;
	berth__finding_fold_add_op(scan, over ? &state->over[i] : &state->near[i],
				   scan->row->op.object, limit->image_type == 0 ? value : 0, 0);
	if (over && value > state->value_over[i])
		state->value_over[i] = value;
	if (!over && value > state->value_near[i])
		state->value_near[i] = value;
}

static void op(struct berth__finding_scan *scan, void *userdata)
{
	berth_op_kind kind = scan->row->op.kind;

	if (!scan->caps || (kind != BERTH_OP_BUFFER_CREATE && kind != BERTH_OP_IMAGE_CREATE &&
			    kind != BERTH_OP_SVM_ALLOC))
		return;
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		compare(scan, userdata, i);
}

static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	struct state *state = userdata;

	if (!scan->caps || object->root != object || scan->caps->global_mem_bytes == 0 ||
	    scan->alive_bytes <= scan->caps->global_mem_bytes)
		return;
	berth__finding_fold_add(scan, &state->memory, object, object->bytes, 0);
	if (scan->alive_bytes > state->most_alive)
		state->most_alive = scan->alive_bytes;
}

/* Bytes in words, pixels as a number; lives as long as berth__finding_size()'s. */
static const char *say(size_t i, uint64_t value)
{
	static _Thread_local char texts[4][24];
	static _Thread_local unsigned next;
	char *text = texts[next++ % 4];

	if (limits[i].image_type == 0)
		return berth__finding_size(value);
	snprintf(text, sizeof(texts[0]), "%" PRIu64, value);
	return text;
}

static void emit_over(struct berth__finding_scan *scan, struct state *state, size_t i)
{
	uint64_t most = field(scan->caps, limits[i].most), value = state->value_over[i];

	berth__finding_emit(scan, "F-OVER-LIMIT", &state->over[i],
			    "%s goes up to %s in %" PRIu64 " calls, first at op %" PRIu64
			    "; %s allows %s: %s too many",
			    limits[i].name, say(i, value), state->over[i].count, state->over[i].op,
			    scan->caps->name, say(i, most), say(i, value - most));
}

static void emit_near(struct berth__finding_scan *scan, struct state *state, size_t i)
{
	uint64_t most = field(scan->caps, limits[i].most), value = state->value_near[i];

	berth__finding_emit(
		scan, "F-NEAR-LIMIT", &state->near[i],
		"%s goes up to %s of the %s that %s allows: an input that makes it larger "
		"by %s, %.1f %%, breaks",
		limits[i].name, say(i, value), say(i, most), scan->caps->name,
		say(i, most - value + 1), 100.0 * (double)(most - value + 1) / (double)value);
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (state->over[i].count > 0)
			emit_over(scan, state, i);
		if (state->near[i].count > 0)
			emit_near(scan, state, i);
	}
	if (state->memory.count > 0)
		berth__finding_emit(
			scan, "F-OVER-MEMORY", &state->memory,
			"up to %s are alive on a device of %s; the creation that crosses it is op "
			"%" PRIu64 ", whatever its answer",
			berth__finding_size(state->most_alive),
			berth__finding_size(scan->caps->global_mem_bytes), state->memory.op);
}

const struct berth__finding_checker berth__finding_limit = {
	.state_bytes = sizeof(struct state),
	.made = made,
	.op = op,
	.finish = finish,
};
