/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row for one device: the objects that its op needs, the op, the first use of what it makes,
 * and the end of all objects. Whether the op breaks the row's rule there, and nothing that
 * makes the row stand for something else, is asked of the rules table.
 */
#include "probe.h"

#include <stdio.h>
#include <string.h>

const struct probe_rows *const berth__probe_tables[] = {
	&probe_rows_flags,	  &probe_rows_buffer, &probe_rows_image,
	&probe_rows_image_memory, &probe_rows_linear, &probe_rows_rect,
	&probe_rows_argument,	  &probe_rows_svm,    &probe_rows_image_command,
	&probe_rows_image_region, &probe_rows_object, NULL,
};

static uint64_t limit_value(const berth_caps *caps, enum probe_limit limit)
{
	const uint32_t base_align = berth_caps_base_align_bytes(caps);
	const uint64_t pitch = berth_caps_pitch_align_bytes(caps, 4);
	const uint64_t values[PROBE_LIMIT_END] = {
		[MAX_ALLOC] = caps->max_alloc_bytes,
		[BASE_ALIGN] = base_align,
		[HALF_BASE_ALIGN] = base_align / 2,
		[WIDTH_2D] = caps->image2d_max_width,
		[HEIGHT_2D] = caps->image2d_max_height,
		[WIDTH_3D] = caps->image3d_max_width,
		[DEPTH_3D] = caps->image3d_max_depth,
		[PIXELS_1D_BUFFER] = caps->image_max_buffer_px,
		[LAYERS] = caps->image_max_array,
		[PITCH_PX] = pitch / 4,
		[PITCH] = pitch,
	};

	return values[limit];
}

static void scale_op(berth_op *op, const struct probe_scale *scale, size_t count,
		     const berth_caps *caps)
{
	for (size_t i = 0; i < count && scale[i].field; i++) {
		const uint64_t value = limit_value(caps, scale[i].limit) + (uint64_t)scale[i].more;

		memcpy((char *)op + scale[i].field, &value, sizeof(value));
	}
}

/* The world's objects that an op names, by bit. */
static uint64_t named_by(const berth_op *op)
{
	uint64_t named = 0;

	if (op->object != BERTH_ID_NONE && op->object < NEW)
		named |= UINT64_C(1) << op->object;
	if (op->other != BERTH_ID_NONE && op->other < NEW)
		named |= UINT64_C(1) << op->other;
	for (uint32_t i = 0; op->uses && i < op->use_count; i++)
		if (op->uses[i].object != BERTH_ID_NONE && op->uses[i].object < NEW)
			named |= UINT64_C(1) << op->uses[i].object;
	return named;
}

/* Those and what they lie on. The world makes parents before children. */
static uint64_t needed_by(const berth_op *op)
{
	uint64_t needed = named_by(op);

	if (op->kind == BERTH_OP_UNMAP && op->mapping == MAPPING_IMAGE)
		needed |= UINT64_C(1) << IMG_MAPPED;
	for (size_t i = probe_world_count; i-- > 0;) {
		const berth_op *made = &probe_world[i].op;

		if (needed >> made->object & 1 && berth_op_kind_creates(made->kind))
			needed |= named_by(made);
	}
	return needed;
}

static uint64_t own_id(uint64_t id, size_t index)
{
	return id == BERTH_ID_NONE || id == BERTH_ID_UNKNOWN ? id : (index + 1) * WORLD_IDS + id;
}

static struct probe_step *add_step(struct probe_run *run, const berth_op *op, int after)
{
	struct probe_step *step = &run->steps[run->step_count++];

	*step = (struct probe_step){ .op = *op, .after = after, .unless = PROBE_NO_STEP };
	return step;
}

/* Ids of the case's own, and memory behind the addresses. */
static void localise(struct probe_run *run, berth_op *op, size_t index,
		     const struct probe_host *host)
{
	op->object = own_id(op->object, index);
	op->other = own_id(op->other, index);
	op->mapping = own_id(op->mapping, index);
	if (op->host_address != 0)
		berth_op_set_host(op, (char *)host->memory + op->host_address);
	if (!op->uses || op->use_count > PROBE_USES_MAX)
		return;
	for (uint32_t i = 0; i < op->use_count; i++) {
		run->uses[i] = op->uses[i];
		run->uses[i].object = own_id(op->uses[i].object, index);
	}
	op->uses = run->uses;
}

static void add_world(struct probe_run *run, uint64_t needed, size_t index, const berth_caps *caps,
		      const struct probe_host *host)
{
	for (size_t i = 0; i < probe_world_count; i++) {
		berth_op op = probe_world[i].op;

		if (!(needed >> op.object & 1))
			continue;
		scale_op(&op, &probe_world[i].scale, 1, caps);
		localise(run, &op, index, host);
		add_step(run, &op, run->step_count - 1);
	}
}

/* A small write, where the host may write; else a migrate, which takes the memory as well. */
static void add_use(struct probe_run *run, const berth_op *made, const struct probe_host *host)
{
	berth_op op = { .kind = BERTH_OP_WRITE,
			.form = BERTH_FORM_LINEAR,
			.object = made->object,
			.bits = BERTH_OP_BLOCKING,
			.bytes = made->bytes < 4 ? 1 : 4,
			.region.extent = { 1, 1, 1 } };

	if (made->kind == BERTH_OP_SVM_ALLOC)
		op.form = BERTH_FORM_SVM;
	berth_op_set_host(&op, (char *)host->memory + POINTER);
	if (made->kind == BERTH_OP_IMAGE_CREATE)
		op.form = BERTH_FORM_IMAGE;
	if (op.form == BERTH_FORM_IMAGE)
		op.bytes = 0;
	else
		memset(&op.region, 0, sizeof(op.region));
	if (made->kind == BERTH_OP_SUBBUFFER_CREATE ||
	    made->flags & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY)) {
		run->uses[0] = (berth_object_use){ .object = made->object };
		op = (berth_op){ .kind = BERTH_OP_MIGRATE, .uses = run->uses, .use_count = 1 };
	}
	run->use = run->step_count;
	add_step(run, &op, run->test);
}

static bool names(const berth_op *op, uint64_t object)
{
	for (uint32_t i = 0; op->uses && i < op->use_count; i++)
		if (op->uses[i].object == object)
			return true;
	return op->object == object || op->other == object;
}

static void add_unmap(struct probe_run *run, int mapped)
{
	const berth_op *map = &run->steps[mapped].op, *test = &run->steps[run->test].op;
	const berth_op op = { .kind = BERTH_OP_UNMAP,
			      .form = map->form == BERTH_FORM_SVM ? BERTH_FORM_SVM
								  : BERTH_FORM_NONE,
			      .object = map->object,
			      .mapping = map->mapping };
	struct probe_step *step = add_step(run, &op, mapped);

	if (test->kind == BERTH_OP_UNMAP && test->mapping == map->mapping)
		step->unless = run->test;
}

static void add_release(struct probe_run *run, int created)
{
	const berth_op *test = &run->steps[run->test].op;
	const bool svm = run->steps[created].op.kind == BERTH_OP_SVM_ALLOC;
	const berth_op op = { .kind = svm ? BERTH_OP_SVM_FREE : BERTH_OP_RELEASE,
			      .object = run->steps[created].op.object };
	struct probe_step *step = add_step(run, &op, created);

	if (test->kind == op.kind && names(test, op.object))
		step->unless = run->test;
	else if (test->kind == BERTH_OP_RETAIN && test->object == op.object)
		add_step(run, &op, run->test);
}

/* Unmap and release, the last first. */
static void add_end(struct probe_run *run)
{
	const berth_op sync = { .kind = BERTH_OP_SYNC };

	for (int i = run->test; i >= 0; i--)
		if (run->steps[i].op.kind == BERTH_OP_MAP)
			add_unmap(run, i);
	for (int i = run->test; i >= 0; i--)
		if (berth_op_kind_creates(run->steps[i].op.kind))
			add_release(run, i);
	add_step(run, &sync, PROBE_NO_STEP);
}

static void not_applicable(struct probe_run *run, const char *why)
{
	run->applicable = false;
	run->answer.outcome = BERTH_PROBE_NOT_APPLICABLE;
	snprintf(run->answer.reason, sizeof(run->answer.reason), "%s", why);
}

static void expect(struct probe_run *run, const berth_rule *const broken[], size_t count)
{
	berth_result result = { .cl_status = CL_SUCCESS };

	if (count > 0)
		berth_rules_answer(broken, count, &result);
	run->answer.expected = result.cl_status;
	run->answer.code_count = result.code_count;
	memcpy(run->answer.codes, result.codes, sizeof(result.codes));
}

/* Whether the row stands for its side here; what the specification answers. */
static void ask_rules(struct probe_run *run, const berth_caps *caps, const berth_objects *objects)
{
	const berth_op *op = &run->steps[run->test].op;
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];
	const size_t count = berth_rules_check(caps, objects, op, broken);
	char why[160];
	size_t i = 0;

	expect(run, broken, count);
	if (!run->answer.breaks && count > 0) {
		berth_rule_explain(broken[0], caps, objects, op, why, sizeof(why));
		not_applicable(run, why);
	}
	while (i < count && broken[i] != run->answer.rule)
		i++;
	if (run->answer.breaks && i == count)
		not_applicable(run, "no such op breaks the rule on this device");
}

static bool makes_images(const struct probe_run *run)
{
	for (int i = 0; i < run->test; i++)
		if (run->steps[i].op.kind == BERTH_OP_IMAGE_CREATE)
			return true;
	return false;
}

/* The version of OpenCL that has the call. */
static uint32_t version_of(const berth_op *op)
{
	if (op->bits & BERTH_OP_PROPERTIES)
		return 300;
	if (op->form == BERTH_FORM_SVM || op->kind == BERTH_OP_SVM_ALLOC ||
	    op->kind == BERTH_OP_SVM_FREE || op->kind == BERTH_OP_PIPE_CREATE)
		return 200;
	return op->kind == BERTH_OP_MIGRATE || op->kind == BERTH_OP_FILL ? 120 : 110;
}

static void check_version(struct probe_run *run, const berth_caps *caps)
{
	char why[80];

	for (int i = 0; i <= run->test; i++) {
		const uint32_t version = version_of(&run->steps[i].op);

		if (version <= caps->cl_version)
			continue;
		snprintf(why, sizeof(why), "OpenCL %u.%u has no such call", caps->cl_version / 100,
			 caps->cl_version % 100 / 10);
		not_applicable(run, why);
	}
}

static berth_status check_applicable(struct probe_run *run, const berth_caps *caps)
{
	berth_objects *objects;
	berth_status st = berth_objects_create(&objects, NULL, NULL);

	if (st != BERTH_OK)
		return st;
	run->applicable = true;
	for (int i = 0; i < run->test && st == BERTH_OK; i++)
		st = berth_objects_apply(objects, &run->steps[i].op, NULL);
	if (st == BERTH_OK)
		ask_rules(run, caps, objects);
	berth_objects_destroy(objects);
	check_version(run, caps);
	if (names(&run->steps[run->test].op, BERTH_ID_UNKNOWN))
		not_applicable(run, "a handle of no object is not given to a driver");
	if (!caps->images && makes_images(run))
		not_applicable(run, "it needs an image, and the device has none");
	return st;
}

berth_status berth__probe_plan(struct probe_run *run, const struct probe_row *row, size_t index,
			       const berth_caps *caps, const struct probe_host *host)
{
	const berth_op sync = { .kind = BERTH_OP_SYNC };
	berth_op op = row->op;

	run->row = row;
	run->use = PROBE_NO_STEP;
	run->answer.rule = berth_rules_find(row->rule);
	run->answer.name = row->name;
	run->answer.breaks = row->side == BREAKS;
	run->answer.kind = op.kind;
	run->answer.form = op.form;
	scale_op(&op, row->scale, PROBE_SCALES, caps);
	add_world(run, needed_by(&op), index, caps, host);
	localise(run, &op, index, host);
	run->test = run->step_count;
	add_step(run, &op, run->step_count - 1);
	add_step(run, &sync, PROBE_NO_STEP);
	if (op.kind != BERTH_OP_PIPE_CREATE && berth_op_kind_creates(op.kind))
		add_use(run, &op, host);
	add_step(run, &sync, PROBE_NO_STEP);
	add_end(run);
	return check_applicable(run, caps);
}
