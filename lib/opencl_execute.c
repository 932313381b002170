/* SPDX-License-Identifier: Apache-2.0 */
/* One op, from ids to the driver's answer, and what that answer changes. */
#include "opencl_device.h"

#include "clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* OpenCL takes size_t, which has 32 bits on some machines. */
static bool fits_size_t(const berth_op *op)
{
	const berth_region *region = &op->region;
	const berth_image *image = &op->image;
	uint64_t bits = op->offset_bytes | op->other_offset_bytes | op->bytes | op->pattern_bytes |
			op->alignment_bytes |
			region->row_pitch_bytes | region->slice_pitch_bytes |
			region->other_row_pitch_bytes | region->other_slice_pitch_bytes |
			image->width | image->height | image->depth | image->array_size |
			image->row_pitch_bytes | image->slice_pitch_bytes;

	for (int axis = 0; axis < 3; axis++)
		bits |= region->origin[axis] | region->other_origin[axis] | region->extent[axis];
	return (size_t)bits == bits;
}

static berth_status check(const struct berth__opencl *opencl, const berth_op *op,
			  const struct berth__cl_command *command)
{
	const char *kind = berth_op_kind_string(op->kind);

	if (!command)
		return berth_error_set(BERTH_E_INVAL, 0, "a %s of form '%s' is not defined", kind,
				       berth_op_form_string(op->form));
	if (command->cl_version > opencl->caps.cl_version)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "%s needs OpenCL %" PRIu32 ".%" PRIu32
				       ", the device has '%s'",
				       command->name, command->cl_version / 100,
				       command->cl_version % 100 / 10, opencl->caps.device_version);
	if (!fits_size_t(op))
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "a size of a %s does not fit this machine's %zu-bit size_t",
				       kind, sizeof(size_t) * 8);
	return BERTH_OK;
}

/* *known becomes false for a handle that must not reach the driver. */
static cl_mem handle(const struct berth__opencl *opencl, uint64_t id, bool *known)
{
	const struct berth__cl_object *object;

	if (id == BERTH_ID_NONE)
		return NULL;
	object = berth__cl_find(opencl, id);
	if (!object || object->svm)
		*known = false;
	return object ? object->mem : NULL;
}

/* Kernels use shared virtual memory as well; there is nothing to be migrated of it. */
static bool is_used_svm(const struct berth__cl_call *call, uint64_t id)
{
	const struct berth__cl_object *object = berth__cl_find(call->opencl, id);

	return call->op->kind == BERTH_OP_USE && object && object->svm;
}

static berth_status resolve_list(struct berth__cl_call *call, bool *known)
{
	const berth_op *op = call->op;

	if (op->use_count == 0)
		return BERTH_OK;
	call->list = calloc(op->use_count, sizeof(cl_mem));
	if (!call->list)
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "no memory for a list of %" PRIu32 " objects",
				       op->use_count);
	call->list_count = op->use_count;
	for (uint32_t i = 0; i < op->use_count; i++)
		if (!is_used_svm(call, op->uses[i].object))
			call->list[i] = handle(call->opencl, op->uses[i].object, known);
	return BERTH_OK;
}

static berth_status resolve_objects(struct berth__cl_call *call, uint32_t needs, bool *known)
{
	if (needs & BERTH__CL_OBJECT)
		call->object = handle(call->opencl, call->op->object, known);
	if (needs & BERTH__CL_OTHER)
		call->other = handle(call->opencl, call->op->other, known);
	return needs & BERTH__CL_LIST ? resolve_list(call, known) : BERTH_OK;
}

/* Whether the driver, keeping to the call as described, reads or writes host bytes. */
static bool uses_host(const berth_op *op, uint32_t needs)
{
	uint64_t bytes;

	if (needs & BERTH__CL_STORE)
		return op->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
	/* The element does not matter for whether there is anything to move. */
	return berth_op_host_bytes(&bytes, op, 1) != BERTH_OK || bytes > 0;
}

static berth_status resolve_host(struct berth__cl_call *call, uint32_t needs)
{
	const berth_op *op = call->op;
	char what[160];

	if (!(needs & (BERTH__CL_DATA | BERTH__CL_STORE)) || op->host_address == 0)
		return BERTH_OK;
	call->host = op->host ? op->host : call->opencl->placeholder;
	if (op->host || !uses_host(op, needs))
		return BERTH_OK;
	berth_op_describe(op, what, sizeof(what));
	return berth_error_set(BERTH_E_INVAL, 0,
			       "the host bytes behind address 0x%" PRIx64 " are needed for %s",
			       op->host_address, what);
}

/* What differs by kind before the call: room for what it makes, the pointer that it gives back. */
static berth_status prepare(struct berth__cl_call *call)
{
	const berth_op *op = call->op;
	const struct berth__cl_object *object = berth__cl_find(call->opencl, op->object);
	const struct berth__cl_mapping *mapping = NULL;

	switch (op->kind) {
	case BERTH_OP_BUFFER_CREATE:
	case BERTH_OP_SUBBUFFER_CREATE:
	case BERTH_OP_IMAGE_CREATE:
	case BERTH_OP_SVM_ALLOC:
	case BERTH_OP_PIPE_CREATE:
		return berth__cl_check_new(call->opencl, op->object);
	case BERTH_OP_ARG:
		return berth__cl_argument_kernel(&call->kernel, call->opencl, op);
	case BERTH_OP_MAP:
		if (op->mapping == BERTH_ID_NONE || op->mapping == BERTH_ID_UNKNOWN ||
		    (object && berth__cl_find_mapping(object, op->mapping)))
			return berth_error_set(BERTH_E_STATE, 0,
					       "mapping %" PRIu64 " is alive already, or reserved",
					       op->mapping);
		call->mapping = calloc(1, sizeof(*call->mapping));
		if (!call->mapping)
			return berth_error_set(BERTH_E_NOMEM, 0, "no memory for mapping %" PRIu64,
					       op->mapping);
		return BERTH_OK;
	case BERTH_OP_UNMAP:
		if (object)
			mapping = berth__cl_find_mapping(object, op->mapping);
		call->unmapped = mapping ? mapping->pointer : call->opencl->placeholder;
		return BERTH_OK;
	default:
		return BERTH_OK;
	}
}

static void keep_mapping(struct berth__cl_call *call, struct berth__cl_object *object)
{
	call->mapping->id = call->op->mapping;
	call->mapping->pointer = call->result->mapped;
	call->mapping->next = object->mappings;
	object->mappings = call->mapping;
	call->mapping = NULL;
}

static void drop_freed(struct berth__opencl *opencl, const berth_op *op)
{
	uint32_t count = op->uses ? op->use_count : 0;

	for (uint32_t i = 0; i <= count; i++) {
		uint64_t id = i < count ? op->uses[i].object : op->object;
		struct berth__cl_object *object = berth__cl_find(opencl, id);

		if (object && object->svm)
			berth__cl_drop(opencl, object);
	}
}

/* What the driver has accepted changes the state. */
static berth_status settle(struct berth__cl_call *call, const char *name)
{
	const berth_op *op = call->op;
	struct berth__cl_object *object = berth__cl_find(call->opencl, op->object);
	bool maps = op->kind == BERTH_OP_MAP || op->kind == BERTH_OP_SVM_ALLOC;
	const void *made = maps ? call->result->mapped : (void *)call->created;

	switch (op->kind) {
	case BERTH_OP_BUFFER_CREATE:
	case BERTH_OP_SUBBUFFER_CREATE:
	case BERTH_OP_IMAGE_CREATE:
	case BERTH_OP_SVM_ALLOC:
	case BERTH_OP_PIPE_CREATE:
	case BERTH_OP_MAP:
		if (!made)
			return berth_error_set(BERTH_E_CL, 0, "%s succeeded and returned NULL",
					       name);
		if (op->kind != BERTH_OP_MAP)
			return berth__cl_adopt(call);
		if (object)
			keep_mapping(call, object);
		return BERTH_OK;
	case BERTH_OP_UNMAP:
		if (object)
			berth__cl_remove_mapping(object, op->mapping);
		return BERTH_OK;
	case BERTH_OP_RETAIN:
		if (object)
			object->references++;
		return BERTH_OK;
	case BERTH_OP_RELEASE:
		if (object)
			berth__cl_drop(call->opencl, object);
		return BERTH_OK;
	case BERTH_OP_SVM_FREE:
		drop_freed(call->opencl, op);
		return BERTH_OK;
	default:
		return BERTH_OK;
	}
}

static berth_status run(struct berth__cl_call *call, const struct berth__cl_command *command)
{
	berth_result *result = call->result;
	uint64_t begin_ns = berth__clock_ns(CLOCK_MONOTONIC);
	cl_int code = command->run(call);
	uint64_t duration_ns = berth__clock_ns(CLOCK_MONOTONIC) - begin_ns;
	berth_status st = BERTH_OK;

	if (code == CL_SUCCESS)
		st = settle(call, command->name);
	if (code != CL_SUCCESS || st != BERTH_OK)
		memset(result, 0, sizeof(*result));
	result->duration_ns = duration_ns;
	result->cl_status = code;
	if (code != CL_SUCCESS)
		berth__cl_explain(call->opencl, command->name, call->op, code);
	return st;
}

berth_status berth__cl_execute(berth_device *device, const berth_op *op, berth_result *result)
{
	struct berth__opencl *opencl = (struct berth__opencl *)device;
	const struct berth__cl_command *command = berth__cl_command(op, opencl->caps.cl_version);
	struct berth__cl_call call = { .opencl = opencl, .op = op, .result = result };
	bool known = true;
	berth_status st;

	if ((st = check(opencl, op, command)) != BERTH_OK ||
	    (st = resolve_objects(&call, command->needs, &known)) != BERTH_OK ||
	    (st = prepare(&call)) != BERTH_OK)
		goto out;
	if (!known) {
		result->cl_status = CL_INVALID_MEM_OBJECT;
		berth__cl_explain(opencl, command->name, op, CL_INVALID_MEM_OBJECT);
		goto out;
	}
	if ((st = resolve_host(&call, command->needs)) == BERTH_OK &&
	    (st = berth__cl_queue_switch(opencl, op->queue)) == BERTH_OK)
		st = run(&call, command);
out:
	free(call.list);
	free(call.mapping);
	return st;
}
