/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict.h"

#include "codes.h"

#include <berth/rules.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_strings[] = {
#define X(name, value, string) [value] = string,
	BERTH_VERDICT_MAP(X)
#undef X
};

const char *berth_verdict_kind_string(berth_verdict_kind kind)
{
	return (size_t)kind < sizeof(kind_strings) / sizeof(kind_strings[0]) ? kind_strings[kind]
									     : "unknown";
}

/* What each type of image has, and the limit of it. */
static const struct axis {
	uint32_t type;
	const char *name;
	size_t extent; /* in berth_image */
	size_t limit;  /* in berth_caps */
} axes[] = {
#define AXIS(type, name, extent, limit)                                                            \
	{                                                                                          \
		CL_MEM_OBJECT_##type, name, offsetof(berth_image, extent),                         \
			offsetof(berth_caps, limit)                                                \
	}
	AXIS(IMAGE1D, "width", width, image2d_max_width),
	AXIS(IMAGE1D_BUFFER, "width", width, image_max_buffer_px),
	AXIS(IMAGE1D_ARRAY, "width", width, image2d_max_width),
	AXIS(IMAGE1D_ARRAY, "array size", array_size, image_max_array),
	AXIS(IMAGE2D, "width", width, image2d_max_width),
	AXIS(IMAGE2D, "height", height, image2d_max_height),
	AXIS(IMAGE2D_ARRAY, "width", width, image2d_max_width),
	AXIS(IMAGE2D_ARRAY, "height", height, image2d_max_height),
	AXIS(IMAGE2D_ARRAY, "array size", array_size, image_max_array),
	AXIS(IMAGE3D, "width", width, image3d_max_width),
	AXIS(IMAGE3D, "height", height, image3d_max_height),
	AXIS(IMAGE3D, "depth", depth, image3d_max_depth),
#undef AXIS
};

bool berth__is_failed_allocation(const berth_op *op, const berth_result *result)
{
	return result->cl_status != CL_SUCCESS &&
	       (berth_op_kind_creates(op->kind) || berth__is_memory_code(result->cl_status));
}

static void say(berth_verdict *verdict, const char *format, ...) BERTH_PRINTF(2, 3);

static void say(berth_verdict *verdict, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(verdict->text, sizeof(verdict->text), format, args);
	va_end(args);
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t at_least_one(uint64_t extent)
{
	return extent ? extent : 1;
}

/* Rows without padding. Dimensions that the type lacks are 0, or unset. */
static uint64_t packed_bytes(const berth_image *image)
{
	uint64_t rows = multiply(at_least_one(image->height), at_least_one(image->depth));
	uint64_t row = multiply(image->width,
				berth_format_element_bytes(image->order, image->channel_type));

	return multiply(multiply(row, rows), at_least_one(image->array_size));
}

static uint64_t requested_bytes(const berth_op *op, const berth_result *result)
{
	if (result->missing_bytes > 0)
		return result->missing_bytes;
	return op->kind == BERTH_OP_IMAGE_CREATE ? packed_bytes(&op->image) : op->bytes;
}

static uint64_t number_at(const void *base, size_t offset)
{
	uint64_t number;

	memcpy(&number, (const char *)base + offset, sizeof(number));
	return number;
}

/* The axis of an image that passes its limit by the most, or NULL. */
static const struct axis *longest_axis(const berth_op *op, const berth_caps *caps)
{
	const struct axis *longest = NULL;
	uint64_t most = 0;

	if (op->kind != BERTH_OP_IMAGE_CREATE)
		return NULL;
	for (size_t i = 0; i < sizeof(axes) / sizeof(axes[0]); i++) {
		uint64_t extent = number_at(&op->image, axes[i].extent);
		uint64_t limit = number_at(caps, axes[i].limit);

		if (axes[i].type == op->image.type && limit > 0 && extent > limit &&
		    extent - limit > most) {
			longest = &axes[i];
			most = extent - limit;
		}
	}
	return longest;
}

static void set_axis(berth_verdict *verdict, const struct axis *axis, const berth_op *op,
		     const berth_caps *caps)
{
	char fits[96] = "";

	verdict->kind = BERTH_VERDICT_IMAGE_AXIS;
	verdict->axis = axis->name;
	verdict->axis_needs = number_at(&op->image, axis->extent);
	verdict->axis_limit = number_at(caps, axis->limit);
	if (verdict->requested_bytes <= caps->max_alloc_bytes)
		snprintf(fits, sizeof(fits), ": a buffer of its %" PRIu64 " bytes would do, or %s",
			 verdict->requested_bytes, "images that are split or folded");
	say(verdict,
	    "the %s of the image is %" PRIu64 ", %" PRIu64 " over the limit of %" PRIu64
	    ", whatever its bytes%s",
	    axis->name, verdict->axis_needs, verdict->axis_needs - verdict->axis_limit,
	    verdict->axis_limit, fits);
}

static void set_max_alloc(berth_verdict *verdict, const berth_caps *caps)
{
	uint64_t limit = caps->max_alloc_bytes, bytes = verdict->requested_bytes;

	verdict->kind = BERTH_VERDICT_MAX_ALLOC;
	verdict->limit_bytes = limit;
	say(verdict,
	    "%" PRIu64 " bytes are %" PRIu64 " over the %" PRIu64
	    " of the largest allocation (CL_DEVICE_MAX_MEM_ALLOC_SIZE): %" PRIu64
	    " allocations could hold them",
	    bytes, bytes - limit, limit, bytes / limit + (bytes % limit != 0));
}

static void set_fragmented(berth_verdict *verdict, uint64_t room)
{
	verdict->kind = BERTH_VERDICT_FRAGMENTED;
	say(verdict,
	    "%" PRIu64 " bytes requested, %" PRIu64
	    " are free in the pool's blocks, but the largest hole has %" PRIu64
	    ", and the device has %" PRIu64 " more",
	    verdict->requested_bytes, verdict->free_bytes, verdict->largest_hole_bytes, room);
}

static void set_reclaimable(berth_verdict *verdict, uint64_t room)
{
	verdict->kind = BERTH_VERDICT_RECLAIMABLE;
	say(verdict,
	    "%" PRIu64 " bytes requested, the device has %" PRIu64 " left, and %" PRIu64
	    " are held for nobody: %s",
	    verdict->requested_bytes, room, verdict->cached_bytes + verdict->unreturned_bytes,
	    verdict->cached_bytes > verdict->unreturned_bytes
		    ? "cached by the pool, which can give them back"
		    : "of released objects, and free after a clFinish");
}

static void set_total(berth_verdict *verdict, uint64_t room)
{
	char crossed[96] = "";

	verdict->kind = BERTH_VERDICT_TOTAL;
	if (verdict->crossed_seq && verdict->crossed_seq != verdict->seq)
		snprintf(crossed, sizeof(crossed),
			 "; op %" PRIu64 " had created the object too many", verdict->crossed_seq);
	if (verdict->capacity_bytes == 0)
		say(verdict,
		    "%" PRIu64 " bytes requested, %" PRIu64
		    " in use; how much the device has is not known%s",
		    verdict->requested_bytes, verdict->in_use_bytes, crossed);
	else if (room >= verdict->requested_bytes)
		say(verdict,
		    "%" PRIu64 " bytes requested, %" PRIu64 " in use, and the %" PRIu64
		    " that the device reports would hold both: it has less%s",
		    verdict->requested_bytes, verdict->in_use_bytes, verdict->capacity_bytes,
		    crossed);
	else
		say(verdict,
		    "%" PRIu64 " bytes requested, %" PRIu64 " in use of %" PRIu64 ": %" PRIu64
		    " too few%s",
		    verdict->requested_bytes, verdict->in_use_bytes, verdict->capacity_bytes,
		    verdict->requested_bytes - room, crossed);
}

/* There was no memory: none at all, none together, or some that nobody needs. */
static void set_out_of_memory(berth_verdict *verdict, uint64_t room)
{
	uint64_t bytes = verdict->requested_bytes;
	uint64_t idle = verdict->cached_bytes + verdict->unreturned_bytes;
	uint64_t together = room > verdict->largest_hole_bytes ? room : verdict->largest_hole_bytes;

	if (verdict->capacity_bytes > 0 && room < bytes && idle > 0 && bytes - room <= idle)
		set_reclaimable(verdict, room);
	else if (verdict->free_bytes > 0 && together < bytes && room + verdict->free_bytes >= bytes)
		set_fragmented(verdict, room);
	else
		set_total(verdict, room);
}

/* @return the bytes that the device has left, as far as it says how many it has. */
static uint64_t look_at_device(berth_verdict *verdict, const berth_device *device)
{
	berth_memory memory;

	berth_device_memory(device, &memory);
	verdict->in_use_bytes = memory.in_use_bytes;
	verdict->capacity_bytes =
		memory.capacity_bytes ? memory.capacity_bytes : device->caps->global_mem_bytes;
	verdict->free_bytes = memory.free_bytes;
	verdict->largest_hole_bytes = memory.largest_hole_bytes;
	verdict->cached_bytes = memory.cached_bytes;
	verdict->unreturned_bytes = memory.unreturned_bytes;
	if (memory.capacity_bytes > 0)
		return memory.available_bytes;
	return verdict->capacity_bytes > memory.in_use_bytes
		       ? verdict->capacity_bytes - memory.in_use_bytes
		       : 0;
}

/* Drivers do not agree on the code for what is too large: the numbers decide. */
static bool is_over_max_alloc(const berth_op *op, const berth_result *result, uint64_t limit)
{
	int32_t code = result->cl_status;

	return (op->kind == BERTH_OP_BUFFER_CREATE || op->kind == BERTH_OP_SVM_ALLOC ||
		op->kind == BERTH_OP_IMAGE_CREATE) &&
	       limit > 0 && requested_bytes(op, result) > limit &&
	       (code == CL_INVALID_BUFFER_SIZE || code == CL_INVALID_IMAGE_SIZE ||
		code == CL_INVALID_VALUE || berth__is_memory_code(code));
}

/* Codes of memory also say what is none of it, as that there is no SVM: a rule knows. */
static bool is_out_of_memory(const char *rule, int32_t code)
{
	static const char *const rules[] = {
		"R5", "R30", "R39", "R53", "R160.memory", "R170.memory"
	};

	if (!rule)
		return berth__is_memory_code(code);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(rule, rules[i]) == 0)
			return true;
	return false;
}

/* Real drivers name no rule: the one that the op breaks at their limits, if it does. */
static void find_rule(berth_verdict *verdict, const berth_device *device,
		      const berth_objects *objects, const berth_op *op)
{
	const berth_rule *broken[BERTH_RULES_BROKEN_MAX];

	if (verdict->rule || berth_rules_check(device->caps, objects, op, broken) == 0)
		return;
	verdict->rule = broken[0]->id;
	berth_rule_explain(broken[0], device->caps, objects, op, verdict->text,
			   sizeof(verdict->text));
}

void berth__verdict_find(berth_verdict *verdict, const berth_device *device,
			 const berth_objects *objects, const berth_trace_op *row,
			 const berth_result *result)
{
	const char *why = berth_error_get()->message;
	const berth_op *op = &row->op;
	const struct axis *axis = longest_axis(op, device->caps);
	uint64_t room = look_at_device(verdict, device);

	verdict->seq = row->seq;
	verdict->refused_before = row->answered && row->result.cl_status != CL_SUCCESS;
	verdict->requested_bytes = requested_bytes(op, result);
	verdict->rule = result->rule;
	find_rule(verdict, device, objects, op);
	if (axis) {
		set_axis(verdict, axis, op, device->caps);
	} else if (is_over_max_alloc(op, result, device->caps->max_alloc_bytes)) {
		set_max_alloc(verdict, device->caps);
	} else if (is_out_of_memory(verdict->rule, result->cl_status)) {
		set_out_of_memory(verdict, room);
	} else {
		verdict->kind = BERTH_VERDICT_NOT_MEMORY;
		if (*verdict->text)
			return;
		say(verdict, "%s", *why ? why : berth_cl_status_string(result->cl_status));
	}
}
