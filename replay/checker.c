/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checker: executes an op on both sides and keeps both in the same state.
 * What both have stands in a table, with what the checker keeps for each object:
 * the reference's copy of memory that the program lent (CL_MEM_USE_HOST_PTR: both
 * devices write there), and where live mappings are on either side.
 */
#include "check.h"
#include "codes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory to check an op");
}

static void on_object_end(berth_object *object, void *userdata)
{
	(void)userdata;
	berth__kept_free(object->user);
	object->user = NULL;
}

/* Room for what may have to be kept: nothing may fail for want of it after the subject ran. */
static berth_status prepare(struct berth__check *check)
{
	berth_object *object = berth__object_of(check);

	if (berth_op_kind_creates(check->op.kind) && check->op.flags & CL_MEM_USE_HOST_PTR) {
		check->kept = calloc(1, sizeof(*check->kept));
		return check->kept ? BERTH_OK : no_memory();
	}
	if (check->op.kind != BERTH_OP_MAP || !object)
		return BERTH_OK;
	if (!object->user)
		object->user = calloc(1, sizeof(struct berth__kept));
	check->mapping = calloc(1, sizeof(*check->mapping));
	return object->user && check->mapping ? BERTH_OK : no_memory();
}

static uint32_t element_bytes(const struct berth__check *check)
{
	const berth_object *object = berth__object_of(check);

	if (check->op.kind == BERTH_OP_IMAGE_CREATE)
		return berth_format_element_bytes(check->op.image.order,
						  check->op.image.channel_type);
	return object ? object->element_bytes : 0;
}

/* NULL when that much cannot be had: the content is then not compared. */
static void *scratch(struct berth__checker *checker, uint64_t bytes)
{
	if (bytes > checker->scratch_bytes || !checker->scratch) {
		free(checker->scratch);
		checker->scratch_bytes = 0;
		checker->scratch = bytes <= SIZE_MAX - 1 ? malloc((size_t)bytes + 1) : NULL;
		if (checker->scratch)
			checker->scratch_bytes = bytes;
	}
	return checker->scratch;
}

/*
 * The reference gets host memory of its own where the op writes to it. Only after
 * the subject accepted: the sizes of a refused op may be beyond reason.
 */
static berth_status lend_to_reference(struct berth__check *check)
{
	const berth_op *op = &check->op;
	uint64_t bytes;

	if (!op->host || (op->kind != BERTH_OP_READ && !check->kept))
		return BERTH_OK;
	check->reference_op.host = NULL;
	if (check->subject.cl_status != CL_SUCCESS ||
	    berth_op_host_bytes(&bytes, op, element_bytes(check)) != BERTH_OK)
		return BERTH_OK;
	if (op->kind == BERTH_OP_READ) {
		check->reference_op.host = scratch(check->checker, bytes);
		return BERTH_OK;
	}
	if (bytes <= SIZE_MAX - 1)
		check->kept->host = malloc((size_t)bytes + 1);
	if (!check->kept->host)
		return no_memory();
	memcpy(check->kept->host, op->host, (size_t)bytes);
	check->reference_op.host = check->kept->host;
	return BERTH_OK;
}

/* Take back on one side what only that side did. */
static void undo(berth_device *device, const berth_op *op)
{
	const berth_op opposite = berth_op_opposite(op);
	berth_result ignored;
	berth_status st = BERTH_OK;

	if (opposite.kind)
		st = berth_device_execute(device, &opposite, &ignored);
	(void)st; /* an object that a release has ended cannot come back */
}

/* Both accepted: the table follows. */
static berth_status follow(struct berth__check *check)
{
	struct berth__checker *checker = check->checker;
	berth_object *created = NULL;
	berth_status st;

	if (check->op.kind == BERTH_OP_UNMAP)
		berth__kept_remove_mapping(check);
	st = berth_objects_apply(checker->objects, &check->op, &created);
	if (st == BERTH_E_STATE)
		return BERTH_OK; /* both accepted what has no state, as a release of NULL */
	if (st != BERTH_OK) {
		undo(checker->subject, &check->op);
		undo(checker->reference, &check->op);
		return st;
	}
	if (created) {
		created->user = check->kept;
		check->kept = NULL;
	}
	if (check->mapping)
		berth__kept_add_mapping(check);
	return BERTH_OK;
}

/* The object whose content an op writes; 0: none. */
static uint64_t written_object(const berth_op *op)
{
	switch (op->kind) {
	case BERTH_OP_WRITE:
	case BERTH_OP_FILL:
		return op->object;
	case BERTH_OP_COPY:
		return op->other;
	default:
		return BERTH_ID_NONE;
	}
}

/* Content that only one side has cannot be compared any more: to the reference, unknown. */
static void forget_content(struct berth__check *check)
{
	const berth_object_use use = { .object = written_object(&check->op),
				       .access = BERTH_ACCESS_WRITE };
	const berth_op op = { .kind = BERTH_OP_USE, .uses = &use, .use_count = 1 };
	berth_result ignored;
	berth_status st = BERTH_OK;

	if (use.object != BERTH_ID_NONE)
		st = berth_device_execute(check->checker->reference, &op, &ignored);
	(void)st; /* an object that the reference does not have has no content there */
}

static berth_status settle(struct berth__check *check)
{
	if (berth__both_accepted(check))
		return follow(check);
	if (check->subject.cl_status == CL_SUCCESS || check->reference.cl_status == CL_SUCCESS)
		forget_content(check);
	if (check->subject.cl_status == CL_SUCCESS)
		undo(check->checker->subject, &check->op);
	if (check->reference.cl_status == CL_SUCCESS)
		undo(check->checker->reference, &check->op);
	return BERTH_OK;
}

/* The subject's answer, with what the reference knows about it. */
static void answer(const struct berth__check *check, berth_result *result)
{
	const berth_result *subject = &check->subject, *reference = &check->reference;
	const char *text = check->subject_text;

	*result = *subject;
	if (subject->cl_status == CL_SUCCESS && berth__is_memory_code(reference->cl_status)) {
		*result = *reference;
		text = check->reference_text;
	} else if (reference->rule) {
		result->rule = reference->rule;
		result->code_count = 0;
		for (uint32_t i = 0; i < reference->code_count; i++)
			if (reference->codes[i] != subject->cl_status)
				result->codes[result->code_count++] = reference->codes[i];
		if (reference->cl_status != subject->cl_status &&
		    result->code_count < BERTH_RESULT_CODES_MAX)
			result->codes[result->code_count++] = reference->cl_status;
	}
	result->unknown_bytes = reference->unknown_bytes;
	if (result->cl_status != CL_SUCCESS)
		berth_error_set(BERTH_E_CL, result->cl_status, "%s", text);
}

static berth_status execute_on(berth_device *device, const berth_op *op, berth_result *result,
			       char text[BERTH_ERROR_MESSAGE_BYTES])
{
	berth_status st = berth_device_execute(device, op, result);

	text[0] = '\0';
	if (st == BERTH_OK && result->cl_status != CL_SUCCESS)
		snprintf(text, BERTH_ERROR_MESSAGE_BYTES, "%s", berth_error_get()->message);
	return st;
}

static berth_status execute_on_both(struct berth__check *check)
{
	struct berth__checker *checker = check->checker;
	berth_status st;

	st = execute_on(checker->subject, &check->op, &check->subject, check->subject_text);
	if (st != BERTH_OK)
		return st;
	st = lend_to_reference(check);
	if (st == BERTH_OK)
		st = execute_on(checker->reference, &check->reference_op, &check->reference,
				check->reference_text);
	if (st != BERTH_OK && check->subject.cl_status == CL_SUCCESS) {
		/* The detail says why there is no answer; taking back must not change it. */
		berth_error error = *berth_error_get();

		undo(checker->subject, &check->op);
		berth_error_set(st, error.cl_status, "%s", error.message);
	}
	return st;
}

static berth_status checker_execute(berth_device *device, const berth_op *op, berth_result *result)
{
	struct berth__checker *checker = (struct berth__checker *)device;
	struct berth__check check = { .checker = checker, .op = *op };
	berth_status st;

	memset(&checker->last, 0, sizeof(checker->last));
	/* What is compared when the call returns must be there by then. */
	if (op->kind == BERTH_OP_READ || op->kind == BERTH_OP_MAP)
		check.op.bits |= BERTH_OP_BLOCKING;
	check.reference_op = check.op;
	if (op->kind == BERTH_OP_UNMAP)
		berth__kept_carry_over(&check);
	if ((st = prepare(&check)) == BERTH_OK && (st = execute_on_both(&check)) == BERTH_OK) {
		berth__judge_check(&check);
		st = settle(&check);
		if (st == BERTH_OK)
			answer(&check, result);
	}
	berth__kept_free(check.kept);
	free(check.mapping);
	return st;
}

static void checker_memory(const berth_device *device, berth_memory *memory)
{
	berth_device_memory(((const struct berth__checker *)device)->subject, memory);
}

static void checker_destroy(berth_device *device)
{
	struct berth__checker *checker = (struct berth__checker *)device;

	berth_device_destroy(checker->subject);
	berth_device_destroy(checker->reference);
	/* Last: the reference's objects lie on memory that is kept here. */
	berth_objects_destroy(checker->objects);
	free(checker->scratch);
	free(checker);
}

static const berth_device_ops checker_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = checker_execute,
	.memory = checker_memory,
	.destroy = checker_destroy,
};

berth_status berth_checker_create(berth_device **out, berth_device *subject,
				  berth_device *reference)
{
	struct berth__checker *checker;
	berth_status st;

	if (!subject || !reference || subject == reference)
		return berth_error_set(BERTH_E_INVAL, 0, "a checker needs two devices");
	checker = calloc(1, sizeof(*checker));
	if (!checker)
		return no_memory();
	st = berth_objects_create(&checker->objects, on_object_end, NULL);
	if (st != BERTH_OK) {
		free(checker);
		return st;
	}
	checker->subject = subject;
	checker->reference = reference;
	snprintf(checker->name, sizeof(checker->name), "check(%s, %s)", subject->name,
		 reference->name);
	checker->device = (berth_device){ &checker_ops, subject->caps, checker->name };
	*out = &checker->device;
	return BERTH_OK;
}

static const struct berth__checker *as_checker(const berth_device *device)
{
	return device->ops == &checker_ops ? (const struct berth__checker *)device : NULL;
}

const berth_difference *berth_checker_last(const berth_device *device)
{
	const struct berth__checker *checker = as_checker(device);

	return checker ? &checker->last : NULL;
}

const berth_difference *berth_checker_first(const berth_device *device)
{
	const struct berth__checker *checker = as_checker(device);

	return checker ? &checker->first : NULL;
}

const berth_check_counts *berth_checker_counts(const berth_device *device)
{
	const struct berth__checker *checker = as_checker(device);

	return checker ? &checker->counts : NULL;
}
