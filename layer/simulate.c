/* SPDX-License-Identifier: Apache-2.0 */
/* From a wrapper's call to the simulator's answer, and back when the driver thinks otherwise. */
#include "simulate.h"
#include "simulate_alias.h"

#include <berth/record.h>

#include <stdlib.h>
#include <string.h>

cl_icd_dispatch berth__simulate_real;

/* What the last call of this thread was asked: between ask and answered no other is made. */
static _Thread_local struct {
	struct berth__call *call; /* NULL: nobody was asked */
	struct simulated *simulated;
	berth_op op;
	berth_result result;
} asked;

/* Bits above are the spool's own. */
#define OP_BITS ((1u << 14) - 1)

static void copy_op(berth_op *out, const struct berth__call *call)
{
	const struct berth_spool_op *op = call->op;

	*out = (berth_op){
		.kind = (berth_op_kind)op->kind,
		.form = (berth_op_form)op->form,
		.bits = op->bits & OP_BITS,
		.absent = op->absent,
		.object = op->object,
		.other = op->other,
		.mapping = op->mapping,
		.queue = op->queue,
		.flags = op->flags,
		.offset_bytes = op->offset_bytes,
		.other_offset_bytes = op->other_offset_bytes,
		.bytes = op->bytes,
		.pattern_bytes = op->pattern_bytes,
		.host_address = op->host_address,
	};
	if (call->parts & BERTH_SPOOL_PART_REGION)
		out->region = call->region;
	if (call->parts & BERTH_SPOOL_PART_IMAGE)
		out->image = call->image;
	if (call->parts & BERTH_SPOOL_PART_USES) {
		out->uses = call->uses;
		out->use_count = op->use_count;
	}
	/* op_fold.h */
	if (op->kind == BERTH_OP_SVM_ALLOC)
		out->alignment_bytes = op->pattern_bytes;
	if (op->kind == BERTH_OP_PIPE_CREATE) {
		out->packet_bytes = (uint32_t)op->pattern_bytes;
		out->packet_count = (uint32_t)op->other_offset_bytes;
	}
}

/* Of a handle that the wrappers do not know only the driver can say what it is. */
static bool names_unknown(const berth_op *op)
{
	if (op->object == BERTH_ID_UNKNOWN || op->other == BERTH_ID_UNKNOWN)
		return true;
	for (uint32_t i = 0; i < op->use_count; i++)
		if (op->uses[i].object == BERTH_ID_UNKNOWN)
			return true;
	return false;
}

static berth_status execute(struct simulated *simulated, const berth_op *op, berth_result *result)
{
	berth_status st;

	pthread_mutex_lock(&simulated->lock);
	st = berth_device_execute(simulated->simulator, op, result);
	pthread_mutex_unlock(&simulated->lock);
	return st;
}

static void ask(struct berth__call *call)
{
	berth_status st;

	asked.call = NULL;
	if (call->op->kind == BERTH_OP_ORDER || call->op->kind == BERTH_OP_LABEL)
		return;
	asked.simulated = berth__simulate_of_context(call->op->context);
	if (!asked.simulated)
		return;
	copy_op(&asked.op, call);
	if (names_unknown(&asked.op))
		return;
	st = execute(asked.simulated, &asked.op, &asked.result);
	if (st == BERTH_E_LOST)
		call->refusal = CL_DEVICE_NOT_AVAILABLE;
	else if (st == BERTH_OK)
		call->refusal = asked.result.cl_status;
	else
		return; /* it has no answer, so the driver's counts */
	asked.call = call;
	if (call->refusal != CL_SUCCESS)
		berth__simulate_say_refused(asked.simulated, &asked.op, &asked.result);
}

size_t berth__simulate_asked_row_pitch(void)
{
	return asked.call ? asked.result.row_pitch_bytes : 0;
}

static void made(struct berth__call *call, const void *object)
{
	const berth_result *result = &asked.result;
	const struct berth_spool_result sizes = { result->bytes, result->row_pitch_bytes,
						  result->slice_pitch_bytes };

	if (asked.call == call && call->op->kind == BERTH_OP_IMAGE_CREATE)
		berth__simulate_keep_sizes(object, &sizes);
	else
		berth__simulate_drop_sizes(object);
}

static void answered(struct berth__call *call)
{
	berth_op back;
	berth_result result;

	if (asked.call != call)
		return;
	asked.call = NULL;
	if (call->refusal != CL_SUCCESS || call->op->cl_status == CL_SUCCESS)
		return;
	back = berth_op_opposite(&asked.op);
	if (back.kind != 0)
		(void)!execute(asked.simulated, &back, &result);
	berth__simulate_say_own(asked.simulated, &asked.op, call->op->cl_status);
}

static void forget(void)
{
	berth__simulate_devices_forget();
	berth__simulate_forget_sizes();
	berth__simulate_alias_forget();
}

/* What the driver lacks stays missing. */
static void join(cl_icd_dispatch *target, cl_icd_dispatch *table)
{
	berth__simulate_real = *target;
#define FRONT(name)                                                                                \
	if (target->name)                                                                          \
	target->name = table->name = berth__simulate_##name
	FRONT(clGetDeviceIDs);
	FRONT(clGetDeviceInfo);
	FRONT(clGetSupportedImageFormats);
	FRONT(clGetMemObjectInfo);
	FRONT(clGetImageInfo);
#undef FRONT
#define BELOW(name)                                                                                \
	if (target->name)                                                                          \
	target->name = berth__simulate_##name
	BELOW(clCreateContextFromType);
	BELOW(clCreateBuffer);
	BELOW(clCreateSubBuffer);
	BELOW(clCreateImage);
#undef BELOW
}

static const struct berth__layer_below below = {
	.join = join,
	.forget = forget,
	.stop = berth__simulate_say_end,
	.context = berth__simulate_context,
	.ask = ask,
	.made = made,
	.answered = answered,
};

/* Before any loader can call: the layer's own functions run later. */
__attribute__((constructor)) static void start(void)
{
	const char *explain = secure_getenv(BERTH_ENV_SIMULATE_EXPLAIN);
	const char *type = secure_getenv(BERTH_ENV_SIMULATE_TYPE);

	berth__simulate_type_start(type ? strtoull(type, NULL, 10) : 0);
	berth__simulate_say_start(explain && strcmp(explain, "1") == 0);
	if (berth__simulate_devices_start())
		berth__layer_below = &below;
}
