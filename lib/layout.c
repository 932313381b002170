/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts: what a shape comes to on a device, in bytes and in texels. */
#include <berth/layout.h>

#include <CL/cl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const uint32_t least_axes[BERTH_SCOPE_END] = {
#define X(scope, value, string, axes) [scope] = axes,
	BERTH_SCOPE_MAP(X)
#undef X
};

/* 0: no channel of an image is such. bfloat16 is moved, not read as a number. */
static const uint32_t channel_types[BERTH_ELEMENT_END] = {
	[BERTH_ELEMENT_INT8] = CL_SIGNED_INT8,	    [BERTH_ELEMENT_UINT8] = CL_UNSIGNED_INT8,
	[BERTH_ELEMENT_INT16] = CL_SIGNED_INT16,    [BERTH_ELEMENT_UINT16] = CL_UNSIGNED_INT16,
	[BERTH_ELEMENT_INT32] = CL_SIGNED_INT32,    [BERTH_ELEMENT_UINT32] = CL_UNSIGNED_INT32,
	[BERTH_ELEMENT_FLOAT16] = CL_HALF_FLOAT,    [BERTH_ELEMENT_FLOAT32] = CL_FLOAT,
	[BERTH_ELEMENT_BFLOAT16] = CL_UNSIGNED_INT16,
};

/* By elements of a texel; 0: no order has so many. */
static const uint32_t channel_orders[] = { 0, CL_R, CL_RG, 0, CL_RGBA };

/* By bytes of a channel: the type of a raw texel's four channels. */
static const uint32_t raw_types[] = { 0, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, 0,
				      CL_UNSIGNED_INT32 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* What is asked, and whether the asker wants to be told why it is refused. */
struct question {
	const berth_caps *caps;
	const berth_layout *layout;
	bool explain;
};

/* "texture 1x22x20x20x4 float32x2"; the layout has been validated. */
static void describe(char *text, size_t bytes, const berth_layout *layout)
{
	size_t used = (size_t)snprintf(text, bytes, "%s ", berth_scope_string(layout->scope));

	for (uint32_t axis = 0; axis < layout->axis_count; axis++)
		used += (size_t)snprintf(text + used, bytes - used, "%s%" PRIu64,
					 axis > 0 ? "x" : "", layout->shape[axis]);
	used += (size_t)snprintf(text + used, bytes - used, "%s%s",
				 layout->axis_count > 0 ? " " : "",
				 berth_element_string(layout->element));
	if (layout->lanes > 1)
		snprintf(text + used, bytes - used, "x%" PRIu32, layout->lanes);
}

static berth_status refuse(const struct question *question, berth_status status, const char *format,
			   ...) BERTH_PRINTF(3, 4);

static berth_status refuse(const struct question *question, berth_status status, const char *format,
			   ...)
{
	char name[256], why[BERTH_ERROR_MESSAGE_BYTES / 2];
	va_list arguments;

	if (!question->explain)
		return status;
	va_start(arguments, format);
	vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	describe(name, sizeof(name), question->layout);
	return berth_error_set(status, 0, "%s: %s", name, why);
}

/* The numbers that index tables: refused without the name that they would give. */
static berth_status check_numbers(const struct question *question)
{
	const berth_layout *layout = question->layout;
	const struct {
		const char *field;
		uint32_t value, least, most;
	} numbers[] = {
		{ "scope", (uint32_t)layout->scope, 0, BERTH_SCOPE_END - 1 },
		{ "element", (uint32_t)layout->element, 0, BERTH_ELEMENT_END - 1 },
		{ "lanes", layout->lanes, 1, BERTH_LAYOUT_LANES_MAX },
		{ "axis_count", layout->axis_count, 0, BERTH_LAYOUT_AXES_MAX },
	};

	for (size_t i = 0; i < COUNT(numbers); i++) {
		if (numbers[i].value >= numbers[i].least && numbers[i].value <= numbers[i].most)
			continue;
		if (!question->explain)
			return BERTH_E_INVAL;
		return berth_error_set(BERTH_E_INVAL, 0,
				       "layout: %s is %" PRIu32 ", it must be %" PRIu32
				       " to %" PRIu32,
				       numbers[i].field, numbers[i].value, numbers[i].least,
				       numbers[i].most);
	}
	return BERTH_OK;
}

static berth_status check_shape(const struct question *question)
{
	const berth_layout *layout = question->layout;
	uint32_t least = least_axes[layout->scope];

	if (layout->axis_count < least)
		return refuse(question, BERTH_E_INVAL,
			      "it has %" PRIu32 " axes, the scope takes at least %" PRIu32,
			      layout->axis_count, least);
	for (uint32_t axis = 0; axis < layout->axis_count; axis++)
		if (layout->shape[axis] == 0)
			return refuse(question, BERTH_E_INVAL, "axis %" PRIu32 " is 0, at least 1",
				      axis);
	return BERTH_OK;
}

/* The product of the axes [first, end); false: it does not fit. */
static bool multiply_axes(uint64_t *out, const berth_layout *layout, uint32_t first, uint32_t end)
{
	uint64_t product = 1;

	for (uint32_t axis = first; axis < end; axis++)
		if (__builtin_mul_overflow(product, layout->shape[axis], &product))
			return false;
	*out = product;
	return true;
}

static berth_status overflow(const struct question *question)
{
	return refuse(question, BERTH_E_OVERFLOW, "its size does not fit 64 bits");
}

static berth_status check_allocation(const struct question *question, uint64_t bytes)
{
	uint64_t limit = question->caps->max_alloc_bytes;

	if (bytes > limit)
		return refuse(question, BERTH_E_LIMIT,
			      "%" PRIu64 " bytes are over max_alloc_bytes %" PRIu64, bytes, limit);
	return BERTH_OK;
}

static berth_status compute_linear(berth_geometry *out, const struct question *question)
{
	const berth_layout *layout = question->layout;
	uint32_t entry_bytes = berth_element_bytes(layout->element) * layout->lanes;
	uint64_t entries, bytes;
	berth_status st;

	if (!multiply_axes(&entries, layout, 0, layout->axis_count) ||
	    __builtin_mul_overflow(entries, entry_bytes, &bytes))
		return overflow(question);
	if ((st = check_allocation(question, bytes)) != BERTH_OK)
		return st;
	*out = (berth_geometry){
		.scope = BERTH_SCOPE_LINEAR,
		.width = entries,
		.height = 1,
		.element_bytes = entry_bytes,
		.row_pitch_bytes = bytes,
		.bytes = bytes,
		.packed_bytes = bytes,
		.align_bytes = berth_caps_base_align_bytes(question->caps),
	};
	return BERTH_OK;
}

/* The axis in front of which height ends and width begins. */
static uint32_t separator(const berth_layout *layout)
{
	static const uint32_t fixed[BERTH_SCOPE_END] = {
		[BERTH_SCOPE_TEXTURE_WEIGHT] = 1,
		[BERTH_SCOPE_TEXTURE_NHWC] = 2,
	};

	return layout->scope == BERTH_SCOPE_TEXTURE ? layout->axis_count - 2 : fixed[layout->scope];
}

/* Sets element_bytes, order and type. */
static berth_status choose_format(berth_geometry *out, const struct question *question)
{
	const berth_layout *layout = question->layout;
	uint64_t channels = layout->shape[layout->axis_count - 1];
	uint32_t element_bytes = berth_element_bytes(layout->element);
	uint64_t texel_elements, texel_bytes;

	if (__builtin_mul_overflow(channels, layout->lanes, &texel_elements) ||
	    __builtin_mul_overflow(texel_elements, element_bytes, &texel_bytes))
		return overflow(question);
	out->order = texel_elements < COUNT(channel_orders) ? channel_orders[texel_elements] : 0;
	out->type = channel_types[layout->element];
	if (out->order == 0 || out->type == 0) {
		out->order = CL_RGBA;
		out->type = texel_bytes % 4 == 0 && texel_bytes / 4 < COUNT(raw_types)
				    ? raw_types[texel_bytes / 4]
				    : 0;
	}
	out->element_bytes = berth_format_element_bytes(out->order, out->type);
	if (out->element_bytes == 0)
		return refuse(question, BERTH_E_UNSUPPORTED,
			      "no image format has texels of %" PRIu64 " elements, %" PRIu64
			      " bytes; 1, 2 or 4 elements or 4, 8 or 16 bytes would do",
			      texel_elements, texel_bytes);
	return BERTH_OK;
}

static berth_status check_device(const struct question *question, const berth_geometry *geometry)
{
	const berth_caps *caps = question->caps;

	if (!caps->images)
		return refuse(question, BERTH_E_UNSUPPORTED, "the device has no images");
	if (berth_caps_pitch_align_bytes(caps, geometry->element_bytes) == 0)
		return refuse(question, BERTH_E_UNSUPPORTED,
			      "the device makes no images on buffers (image2d_from_buffer is %d, "
			      "image_pitch_align is %" PRIu32 ", at least 1)",
			      caps->image2d_from_buffer, caps->image_pitch_align);
	if (!berth_caps_has_format(caps, CL_MEM_OBJECT_IMAGE2D, geometry->order, geometry->type, CL_MEM_READ_WRITE))
		return refuse(question, BERTH_E_UNSUPPORTED,
			      "%s %s is not among the device's %" PRIu32 " formats",
			      berth_channel_order_string(geometry->order),
			      berth_channel_type_string(geometry->type), caps->format_count);
	return BERTH_OK;
}

static berth_status check_sides(const struct question *question, const berth_geometry *geometry)
{
	const struct {
		const char *side, *field;
		uint64_t value, limit;
	} sides[] = {
		{ "width", "image2d_max_width", geometry->width,
		  question->caps->image2d_max_width },
		{ "height", "image2d_max_height", geometry->height,
		  question->caps->image2d_max_height },
	};

	for (size_t i = 0; i < COUNT(sides); i++)
		if (sides[i].value > sides[i].limit)
			return refuse(question, BERTH_E_LIMIT,
				      "%s %" PRIu64 " is over %s %" PRIu64, sides[i].side,
				      sides[i].value, sides[i].field, sides[i].limit);
	return BERTH_OK;
}

static bool align_up(uint64_t *out, uint64_t value, uint64_t align)
{
	uint64_t rest = value % align;

	return !__builtin_add_overflow(value, rest > 0 ? align - rest : 0, out);
}

/* Sets the bytes from width, height and element_bytes; false: they do not fit. */
static bool size_rows(berth_geometry *out, const berth_caps *caps)
{
	uint64_t pitch_align = berth_caps_pitch_align_bytes(caps, out->element_bytes);
	uint64_t row_bytes;

	return !__builtin_mul_overflow(out->width, out->element_bytes, &row_bytes) &&
	       align_up(&out->row_pitch_bytes, row_bytes, pitch_align) &&
	       !__builtin_mul_overflow(row_bytes, out->height, &out->packed_bytes) &&
	       !__builtin_mul_overflow(out->row_pitch_bytes, out->height, &out->bytes);
}

static berth_status compute_texture(berth_geometry *out, const struct question *question)
{
	const berth_layout *layout = question->layout;
	berth_geometry geometry = { .scope = layout->scope };
	uint64_t image_align;
	berth_status st;

	if ((st = choose_format(&geometry, question)) != BERTH_OK ||
	    (st = check_device(question, &geometry)) != BERTH_OK)
		return st;
	if (!multiply_axes(&geometry.height, layout, 0, separator(layout)) ||
	    !multiply_axes(&geometry.width, layout, separator(layout), layout->axis_count - 1))
		return overflow(question);
	if ((st = check_sides(question, &geometry)) != BERTH_OK)
		return st;
	if (!size_rows(&geometry, question->caps))
		return overflow(question);
	if ((st = check_allocation(question, geometry.bytes)) != BERTH_OK)
		return st;
	image_align = berth_caps_image_base_align_bytes(question->caps, geometry.element_bytes);
	geometry.align_bytes = berth_caps_base_align_bytes(question->caps);
	if (geometry.align_bytes < image_align)
		geometry.align_bytes = image_align;
	*out = geometry;
	return BERTH_OK;
}

static berth_status compute(berth_geometry *out, const struct question *question)
{
	berth_status st;

	if ((st = check_numbers(question)) != BERTH_OK || (st = check_shape(question)) != BERTH_OK)
		return st;
	if (question->layout->scope == BERTH_SCOPE_LINEAR)
		return compute_linear(out, question);
	return compute_texture(out, question);
}

berth_status berth_layout_compute(berth_geometry *out, const berth_caps *caps,
				  const berth_layout *layout)
{
	return compute(out, &(struct question){ caps, layout, true });
}

uint32_t berth_layout_scopes(const berth_caps *caps, const berth_layout *layout)
{
	berth_layout trial = *layout;
	berth_geometry geometry;
	uint32_t fitting = 0;

	for (unsigned scope = 0; scope < BERTH_SCOPE_END; scope++) {
		trial.scope = (berth_scope)scope;
		if (compute(&geometry, &(struct question){ caps, &trial, false }) == BERTH_OK)
			fitting |= BERTH_SCOPE_BIT(scope);
	}
	return fitting;
}

static uint64_t rows(const berth_geometry *geometry)
{
	return geometry->height;
}

static uint64_t side_difference(const berth_geometry *geometry)
{
	return geometry->width > geometry->height ? geometry->width - geometry->height
						  : geometry->height - geometry->width;
}

/* The least cost wins, of equals the first of preferred_scopes. */
static uint64_t (*const choice_costs[])(const berth_geometry *geometry) = {
	[BERTH_CHOOSE_WIDEST] = rows,
	[BERTH_CHOOSE_SQUAREST] = side_difference,
};

static const berth_scope preferred_scopes[] = {
	BERTH_SCOPE_TEXTURE_WEIGHT,
	BERTH_SCOPE_TEXTURE_NHWC,
	BERTH_SCOPE_TEXTURE,
};

berth_status berth_layout_choose(berth_geometry *out, const berth_caps *caps,
				 const berth_layout *layout, berth_choice choice)
{
	berth_layout trial = *layout;
	berth_geometry best, geometry;
	bool found = false;

	if ((unsigned)choice >= COUNT(choice_costs))
		return berth_error_set(BERTH_E_INVAL, 0, "choice %d is not defined", (int)choice);
	for (size_t i = 0; i < COUNT(preferred_scopes); i++) {
		trial.scope = preferred_scopes[i];
		if (compute(&geometry, &(struct question){ caps, &trial, false }) != BERTH_OK)
			continue;
		if (found && choice_costs[choice](&geometry) >= choice_costs[choice](&best))
			continue;
		best = geometry;
		found = true;
	}
	if (found) {
		*out = best;
		return BERTH_OK;
	}
	trial.scope = BERTH_SCOPE_LINEAR;
	return berth_layout_compute(out, caps, &trial);
}
