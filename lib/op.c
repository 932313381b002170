/* SPDX-License-Identifier: Apache-2.0 */
/* Names of ops, and arithmetic on the bytes they move. */
#include <berth/op.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "image_shape.h"

static const char *const kind_strings[BERTH_OP_KIND_END] = {
#define X(name, value, string) [value] = string,
	BERTH_OP_KIND_MAP(X)
#undef X
};

static const char *const form_strings[] = {
	[BERTH_FORM_NONE] = "",
	[BERTH_FORM_LINEAR] = "linear",
	[BERTH_FORM_RECT] = "rect",
	[BERTH_FORM_IMAGE] = "image",
	[BERTH_FORM_IMAGE_TO_BUFFER] = "image_to_buffer",
	[BERTH_FORM_BUFFER_TO_IMAGE] = "buffer_to_image",
	[BERTH_FORM_SVM] = "svm",
};

const char *berth_op_kind_string(berth_op_kind kind)
{
	if ((unsigned)kind >= BERTH_OP_KIND_END || !kind_strings[kind])
		return "unknown";
	return kind_strings[kind];
}

berth_status berth_op_kind_parse(berth_op_kind *out, const char *name)
{
	for (unsigned kind = 0; kind < BERTH_OP_KIND_END; kind++) {
		if (kind_strings[kind] && strcmp(kind_strings[kind], name) == 0) {
			*out = (berth_op_kind)kind;
			return BERTH_OK;
		}
	}
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%s' is not a kind of op", name);
}

const char *berth_op_form_string(berth_op_form form)
{
	if ((unsigned)form >= BERTH_FORM_END)
		return "";
	return form_strings[form];
}

/* An id in a message: the two that are no ids have words of their own. */
static const char *id_text(char buffer[24], uint64_t id)
{
	if (id == BERTH_ID_NONE)
		return "NULL";
	if (id == BERTH_ID_UNKNOWN)
		return "unknown";
	snprintf(buffer, 24, "%" PRIu64, id);
	return buffer;
}

static bool form_is_linear(const berth_op *op)
{
	return op->form == BERTH_FORM_LINEAR || op->form == BERTH_FORM_SVM ||
	       op->kind == BERTH_OP_BUFFER_CREATE || op->kind == BERTH_OP_SUBBUFFER_CREATE ||
	       op->kind == BERTH_OP_SVM_ALLOC;
}

/* How the other object stands to the op's own. */
static const char *other_word(const berth_op *op)
{
	if (op->other == BERTH_ID_NONE)
		return "";
	return op->kind == BERTH_OP_COPY ? " to " : " on ";
}

void berth_op_describe(const berth_op *op, char *text, size_t text_bytes)
{
	char object[24], other[24], geometry[128] = "";
	const char *kind = berth_op_kind_string(op->kind);
	const char *form = berth_op_form_string(op->form);

	if (form_is_linear(op))
		snprintf(geometry, sizeof(geometry), ", %" PRIu64 " bytes at %" PRIu64, op->bytes,
			 op->offset_bytes);
	else if (op->kind == BERTH_OP_IMAGE_CREATE)
		snprintf(geometry, sizeof(geometry),
			 ", %" PRIu64 "x%" PRIu64 ", row pitch %" PRIu64, op->image.width,
			 op->image.height, op->image.row_pitch_bytes);
	else if (op->kind == BERTH_OP_PIPE_CREATE)
		snprintf(geometry, sizeof(geometry),
			 ", %" PRIu32 " packets of %" PRIu32 " bytes", op->packet_count,
			 op->packet_bytes);
	else if (op->form != BERTH_FORM_NONE)
		snprintf(geometry, sizeof(geometry),
			 ", %" PRIu64 "x%" PRIu64 "x%" PRIu64 " at %" PRIu64 ",%" PRIu64
			 ",%" PRIu64,
			 op->region.extent[0], op->region.extent[1], op->region.extent[2],
			 op->region.origin[0], op->region.origin[1], op->region.origin[2]);

	if (berth_op_kind_has_list(op->kind) && op->use_count > 0)
		snprintf(text, text_bytes, "%s%s%s of %" PRIu32 " objects", kind,
			 op->name ? " by " : "", op->name ? op->name : "", op->use_count);
	else if (op->kind == BERTH_OP_SYNC)
		snprintf(text, text_bytes, "%s", kind);
	else if (op->object == BERTH_ID_NONE &&
		 (op->kind == BERTH_OP_ORDER || op->kind == BERTH_OP_LABEL))
		snprintf(text, text_bytes, "%s%s%s", kind, op->name ? " " : "",
			 op->name ? op->name : "");
	else
		snprintf(text, text_bytes, "%s%s%s object %s%s%s%s", kind, *form ? " " : "", form,
			 id_text(object, op->object), other_word(op),
			 op->other ? id_text(other, op->other) : "", geometry);
}

berth_op berth_op_opposite(const berth_op *op)
{
	static const berth_op_kind kinds[BERTH_OP_KIND_END] = {
		[BERTH_OP_BUFFER_CREATE] = BERTH_OP_RELEASE,
		[BERTH_OP_SUBBUFFER_CREATE] = BERTH_OP_RELEASE,
		[BERTH_OP_IMAGE_CREATE] = BERTH_OP_RELEASE,
		[BERTH_OP_PIPE_CREATE] = BERTH_OP_RELEASE,
		[BERTH_OP_SVM_ALLOC] = BERTH_OP_SVM_FREE,
		[BERTH_OP_RETAIN] = BERTH_OP_RELEASE,
		[BERTH_OP_RELEASE] = BERTH_OP_RETAIN,
		[BERTH_OP_MAP] = BERTH_OP_UNMAP,
	};

	return (berth_op){
		.kind = kinds[op->kind],
		.form = op->form == BERTH_FORM_SVM ? op->form : BERTH_FORM_NONE,
		.object = op->object,
		.mapping = op->mapping,
	};
}

static berth_status too_large(void)
{
	return berth_error_set(BERTH_E_OVERFLOW, 0, "the bytes of the op do not fit 64 bits");
}

/* out = element * extents; false when it does not fit. */
static bool volume(uint64_t *out, const uint64_t extent[3], uint64_t element)
{
	return !__builtin_mul_overflow(element, extent[0], out) &&
	       !__builtin_mul_overflow(*out, extent[1], out) &&
	       !__builtin_mul_overflow(*out, extent[2], out);
}

berth_status berth_op_moved_bytes(uint64_t *out, const berth_op *op, uint32_t element_bytes)
{
	uint64_t bytes;

	switch (op->form) {
	case BERTH_FORM_NONE:
		return berth_error_set(BERTH_E_INVAL, 0, "a %s moves no bytes",
				       berth_op_kind_string(op->kind));
	case BERTH_FORM_LINEAR:
	case BERTH_FORM_SVM:
		*out = op->bytes;
		return BERTH_OK;
	case BERTH_FORM_RECT:
		element_bytes = 1;
		break;
	default:
		break;
	}
	if (!volume(&bytes, op->region.extent, element_bytes))
		return too_large();
	*out = bytes;
	return BERTH_OK;
}

/* What a box with these pitches spans from its first byte to its last; 0 for an empty box. */
static berth_status span(uint64_t *out, const uint64_t extent[3], uint64_t row_bytes,
			 uint64_t row_pitch, uint64_t slice_pitch)
{
	uint64_t rows, slices, bytes;

	if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) {
		*out = 0;
		return BERTH_OK;
	}
	if (row_pitch == 0)
		row_pitch = row_bytes;
	if (slice_pitch == 0 && __builtin_mul_overflow(row_pitch, extent[1], &slice_pitch))
		return too_large();
	if (__builtin_mul_overflow(slice_pitch, extent[2] - 1, &slices) ||
	    __builtin_mul_overflow(row_pitch, extent[1] - 1, &rows) ||
	    __builtin_add_overflow(slices, rows, &bytes) ||
	    __builtin_add_overflow(bytes, row_bytes, &bytes))
		return too_large();
	*out = bytes;
	return BERTH_OK;
}

/* The host memory of a rect starts at other_origin, not at the pointer. */
static berth_status rect_host_bytes(uint64_t *out, const berth_region *region)
{
	uint64_t row_pitch =
		region->other_row_pitch_bytes ? region->other_row_pitch_bytes : region->extent[0];
	uint64_t slice_pitch = region->other_slice_pitch_bytes;
	uint64_t bytes, rows, slices;
	berth_status st;

	if (slice_pitch == 0 && __builtin_mul_overflow(row_pitch, region->extent[1], &slice_pitch))
		return too_large();
	st = span(&bytes, region->extent, region->extent[0], row_pitch, slice_pitch);
	if (st != BERTH_OK)
		return st;
	if (__builtin_mul_overflow(region->other_origin[1], row_pitch, &rows) ||
	    __builtin_mul_overflow(region->other_origin[2], slice_pitch, &slices) ||
	    __builtin_add_overflow(bytes, region->other_origin[0], &bytes) ||
	    __builtin_add_overflow(bytes, rows, &bytes) ||
	    __builtin_add_overflow(bytes, slices, &bytes))
		return too_large();
	*out = bytes;
	return BERTH_OK;
}

/* R61: every row and slice counts with its full pitch. */
static berth_status image_create_host_bytes(uint64_t *out, const berth_image *image,
					    uint32_t element_bytes)
{
	uint64_t row_pitch, slice_pitch, bytes;

	if (!berth__image_pitches(&row_pitch, &slice_pitch, image, element_bytes) ||
	    !berth__image_bytes(&bytes, image, row_pitch, slice_pitch))
		return too_large();
	*out = bytes;
	return BERTH_OK;
}

berth_status berth_op_host_bytes(uint64_t *out, const berth_op *op, uint32_t element_bytes)
{
	uint64_t row_bytes;

	switch (op->kind) {
	case BERTH_OP_BUFFER_CREATE:
		*out = op->bytes;
		return BERTH_OK;
	case BERTH_OP_IMAGE_CREATE:
		return image_create_host_bytes(out, &op->image, element_bytes);
	case BERTH_OP_FILL:
		*out = op->pattern_bytes;
		return BERTH_OK;
	case BERTH_OP_WRITE:
	case BERTH_OP_READ:
		break;
	default:
		return berth_error_set(BERTH_E_INVAL, 0, "a %s has no host bytes",
				       berth_op_kind_string(op->kind));
	}
	switch (op->form) {
	case BERTH_FORM_LINEAR:
	case BERTH_FORM_SVM:
		*out = op->bytes;
		return BERTH_OK;
	case BERTH_FORM_RECT:
		return rect_host_bytes(out, &op->region);
	case BERTH_FORM_IMAGE:
		if (__builtin_mul_overflow(op->region.extent[0], element_bytes, &row_bytes))
			return too_large();
		return span(out, op->region.extent, row_bytes, op->region.other_row_pitch_bytes,
			    op->region.other_slice_pitch_bytes);
	default:
		return berth_error_set(BERTH_E_INVAL, 0, "a %s of form '%s' is not defined",
				       berth_op_kind_string(op->kind),
				       berth_op_form_string(op->form));
	}
}
