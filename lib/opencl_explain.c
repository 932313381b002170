/* SPDX-License-Identifier: Apache-2.0 */
/* A refusal of the driver in one line: drivers give a code, users need the limit behind it. */
#include "opencl_device.h"

#include <inttypes.h>
#include <stdio.h>

typedef void limit_fn(const struct berth__opencl *opencl, const berth_op *op, char *text,
		      size_t text_bytes);

static void max_alloc(const struct berth__opencl *opencl, const berth_op *op, char *text,
		      size_t text_bytes)
{
	(void)op;
	snprintf(text, text_bytes, "CL_DEVICE_MAX_MEM_ALLOC_SIZE is %" PRIu64 " bytes",
		 opencl->caps.max_alloc_bytes);
}

static void memory(const struct berth__opencl *opencl, const berth_op *op, char *text,
		   size_t text_bytes)
{
	(void)op;
	snprintf(text, text_bytes,
		 "%" PRIu64 " bytes in use, CL_DEVICE_GLOBAL_MEM_SIZE is %" PRIu64
		 ", CL_DEVICE_MAX_MEM_ALLOC_SIZE %" PRIu64,
		 opencl->memory.in_use_bytes, opencl->caps.global_mem_bytes,
		 opencl->caps.max_alloc_bytes);
}

static void base_align(const struct berth__opencl *opencl, const berth_op *op, char *text,
		       size_t text_bytes)
{
	(void)op;
	snprintf(text, text_bytes,
		 "CL_DEVICE_MEM_BASE_ADDR_ALIGN is %" PRIu32 " bits (%" PRIu32 " bytes)",
		 opencl->caps.base_addr_align_bits, opencl->caps.base_addr_align_bits / 8);
}

static void image_size(const struct berth__opencl *opencl, const berth_op *op, char *text,
		       size_t text_bytes)
{
	(void)op;
	snprintf(text, text_bytes, "2D images may have %" PRIu64 "x%" PRIu64 " pixels",
		 opencl->caps.image2d_max_width, opencl->caps.image2d_max_height);
}

static void format(const struct berth__opencl *opencl, const berth_op *op, char *text,
		   size_t text_bytes)
{
	(void)opencl;
	snprintf(text, text_bytes, "the format is %s %s",
		 berth_channel_order_string(op->image.order),
		 berth_channel_type_string(op->image.channel_type));
}

static void pitch(const struct berth__opencl *opencl, const berth_op *op, char *text,
		  size_t text_bytes)
{
	if (op->other == BERTH_ID_NONE)
		return; /* only images on something have a pitch that the device limits */
	if (!opencl->caps.image2d_from_buffer)
		snprintf(text, text_bytes, "the device makes no images on buffers");
	else
		snprintf(text, text_bytes, "CL_DEVICE_IMAGE_PITCH_ALIGNMENT is %" PRIu32 " pixels",
			 opencl->caps.image_pitch_align);
}

static void object_size(const struct berth__opencl *opencl, const berth_op *op, char *text,
			size_t text_bytes)
{
	const struct berth__cl_object *object = berth__cl_find(opencl, op->object);
	const struct berth__cl_object *other = berth__cl_find(opencl, op->other);
	int length = 0;

	if (object)
		length = snprintf(text, text_bytes, "object %" PRIu64 " has %" PRIu64 " bytes",
				  object->id, object->bytes);
	if (other && (size_t)length < text_bytes)
		snprintf(text + length, text_bytes - (size_t)length,
			 "%sobject %" PRIu64 " has %" PRIu64 " bytes", length ? ", " : "",
			 other->id, other->bytes);
}

#define KIND(kind) (1u << (kind))
#define BUFFERS (KIND(BERTH_OP_BUFFER_CREATE) | KIND(BERTH_OP_SUBBUFFER_CREATE))
#define IMAGES KIND(BERTH_OP_IMAGE_CREATE)
#define ANY UINT32_MAX

/* Which limit a code of a kind usually speaks of. */
static const struct {
	cl_int code;
	uint32_t kinds;
	limit_fn *limit;
} limits[] = {
	{ CL_INVALID_BUFFER_SIZE, BUFFERS, max_alloc },
	{ CL_MEM_OBJECT_ALLOCATION_FAILURE, ANY, memory },
	{ CL_OUT_OF_RESOURCES, ANY, memory },
	{ CL_OUT_OF_HOST_MEMORY, ANY, memory },
	{ CL_MISALIGNED_SUB_BUFFER_OFFSET, ANY, base_align },
	{ CL_INVALID_IMAGE_SIZE, IMAGES, image_size },
	{ CL_IMAGE_FORMAT_NOT_SUPPORTED, IMAGES, format },
	{ CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, IMAGES, pitch },
	{ CL_INVALID_IMAGE_DESCRIPTOR, IMAGES, pitch },
	{ CL_INVALID_OPERATION, IMAGES, pitch },
	{ CL_INVALID_VALUE, ANY, object_size },
};

void berth__cl_explain(const struct berth__opencl *opencl, const char *call, const berth_op *op,
		       cl_int code)
{
	char what[160], limit[160] = "";

	berth_op_describe(op, what, sizeof(what));
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].code == code && (limits[i].kinds & KIND(op->kind))) {
			limits[i].limit(opencl, op, limit, sizeof(limit));
			break;
		}
	berth_error_set(BERTH_E_CL, code, "%s failed with %s: %s%s%s", call,
			berth_cl_status_string(code), what, *limit ? "; " : "", limit);
}

berth_status berth__cl_failed(const char *call, cl_int code)
{
	return berth_error_set(BERTH_E_CL, code, "%s failed with %s", call,
			       berth_cl_status_string(code));
}
