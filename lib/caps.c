/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities: the specification's minimum, a check of sense, alignments in bytes. */
#include <berth/caps.h>

#include <CL/cl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)

enum {
	ACCESS_READ = BERTH_FORMAT_READ,
	ACCESS_ALL = BERTH_FORMAT_READ | BERTH_FORMAT_WRITE | BERTH_FORMAT_READ_WRITE,
	ACCESS_ALL_IMAGES = ACCESS_ALL * 0x111111, /* BERTH_FORMAT_BITS() of each type */
};

/*
 * Section "Minimum List of Supported Image Formats". The long list holds for 2.0 to
 * 2.2 only; 3.0 went back to that of 1.2.
 */
static const struct {
	bool version_2_only;
	berth_format format;
} minimum_formats[] = {
	{ false, { CL_RGBA, CL_UNORM_INT8, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_UNORM_INT16, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_SIGNED_INT8, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_SIGNED_INT16, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_SIGNED_INT32, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_UNSIGNED_INT8, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_UNSIGNED_INT16, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_UNSIGNED_INT32, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_HALF_FLOAT, ACCESS_ALL } },
	{ false, { CL_RGBA, CL_FLOAT, ACCESS_ALL } },
	{ false, { CL_BGRA, CL_UNORM_INT8, ACCESS_ALL } },
	{ true, { CL_RGBA, CL_SNORM_INT8, ACCESS_ALL } },
	{ true, { CL_RGBA, CL_SNORM_INT16, ACCESS_ALL } },
	{ true, { CL_R, CL_UNORM_INT8, ACCESS_ALL } },
	{ true, { CL_R, CL_UNORM_INT16, ACCESS_ALL } },
	{ true, { CL_R, CL_SNORM_INT8, ACCESS_ALL } },
	{ true, { CL_R, CL_SNORM_INT16, ACCESS_ALL } },
	{ true, { CL_R, CL_SIGNED_INT8, ACCESS_ALL } },
	{ true, { CL_R, CL_SIGNED_INT16, ACCESS_ALL } },
	{ true, { CL_R, CL_SIGNED_INT32, ACCESS_ALL } },
	{ true, { CL_R, CL_UNSIGNED_INT8, ACCESS_ALL } },
	{ true, { CL_R, CL_UNSIGNED_INT16, ACCESS_ALL } },
	{ true, { CL_R, CL_UNSIGNED_INT32, ACCESS_ALL } },
	{ true, { CL_R, CL_HALF_FLOAT, ACCESS_ALL } },
	{ true, { CL_R, CL_FLOAT, ACCESS_ALL } },
	{ true, { CL_RG, CL_UNORM_INT8, ACCESS_ALL } },
	{ true, { CL_RG, CL_UNORM_INT16, ACCESS_ALL } },
	{ true, { CL_RG, CL_SNORM_INT8, ACCESS_ALL } },
	{ true, { CL_RG, CL_SNORM_INT16, ACCESS_ALL } },
	{ true, { CL_RG, CL_SIGNED_INT8, ACCESS_ALL } },
	{ true, { CL_RG, CL_SIGNED_INT16, ACCESS_ALL } },
	{ true, { CL_RG, CL_SIGNED_INT32, ACCESS_ALL } },
	{ true, { CL_RG, CL_UNSIGNED_INT8, ACCESS_ALL } },
	{ true, { CL_RG, CL_UNSIGNED_INT16, ACCESS_ALL } },
	{ true, { CL_RG, CL_UNSIGNED_INT32, ACCESS_ALL } },
	{ true, { CL_RG, CL_HALF_FLOAT, ACCESS_ALL } },
	{ true, { CL_RG, CL_FLOAT, ACCESS_ALL } },
	{ true, { CL_DEPTH, CL_UNORM_INT16, ACCESS_ALL } },
	{ true, { CL_DEPTH, CL_FLOAT, ACCESS_ALL } },
	/* Writing sRGB takes an extension, cl_khr_srgb_image_writes. */
	{ true, { CL_sRGBA, CL_UNORM_INT8, ACCESS_READ } },
};

static void add_minimum_formats(berth_caps *caps)
{
	bool version_2 = caps->cl_version >= 200 && caps->cl_version < 300;

	for (size_t i = 0; i < sizeof(minimum_formats) / sizeof(minimum_formats[0]); i++)
		if (version_2 || !minimum_formats[i].version_2_only)
			caps->formats[caps->format_count++] = minimum_formats[i].format;
}

void berth_caps_init_minimum(berth_caps *out, uint32_t cl_version)
{
	bool known = cl_version >= 100 && cl_version <= 310;
	uint64_t image2d_max;

	memset(out, 0, sizeof(*out));
	out->cl_version = known ? cl_version : 300;
	snprintf(out->name, sizeof(out->name), "minimum");
	snprintf(out->vendor, sizeof(out->vendor), "Berth");
	snprintf(out->device_version, sizeof(out->device_version),
		 "OpenCL %" PRIu32 ".%" PRIu32 " Berth", out->cl_version / 100,
		 out->cl_version / 10 % 10);

	out->global_mem_bytes = MIB(128);
	/* 3.0: the lesser of 1 GiB and a quarter, at least 32 MiB; before: 128 MiB (R141) */
	out->max_alloc_bytes = out->cl_version >= 300 ? MIB(32) : MIB(128);
	out->local_mem_bytes = out->cl_version >= 110 ? KIB(32) : KIB(16);
	out->base_addr_align_bits = 1024;

	image2d_max = out->cl_version >= 200 ? 16384 : 8192;
	out->images = true;
	out->image2d_max_width = image2d_max;
	out->image2d_max_height = image2d_max;
	out->image3d_max_width = 2048;
	out->image3d_max_height = 2048;
	out->image3d_max_depth = 2048;
	out->image_max_buffer_px = 65536;
	out->image_max_array = 2048;
	out->image2d_from_buffer = true;
	out->image_pitch_align = 1;
	out->image_base_align = 1;
	add_minimum_formats(out);
}

/* What berth_caps_validate() asks of a number. */
enum demand { NOT_ZERO, POWER_OF_TWO, POWER_OF_TWO_OR_ZERO };

static bool is_power_of_two(uint64_t value)
{
	return value != 0 && (value & (value - 1)) == 0;
}

static bool meets(uint64_t value, enum demand demand)
{
	switch (demand) {
	case NOT_ZERO:
		return value != 0;
	case POWER_OF_TWO:
		return is_power_of_two(value);
	case POWER_OF_TWO_OR_ZERO:
		return value == 0 || is_power_of_two(value);
	}
	return false;
}

static const char *const demand_texts[] = {
	[NOT_ZERO] = "not be 0",
	[POWER_OF_TWO] = "be a power of two",
	[POWER_OF_TWO_OR_ZERO] = "be 0 or a power of two",
};

static berth_status validate_numbers(const berth_caps *caps)
{
	const enum demand image_align =
		caps->image2d_from_buffer ? POWER_OF_TWO : POWER_OF_TWO_OR_ZERO;
	const struct {
		const char *field;
		uint64_t value;
		enum demand demand;
		bool applies; /* without images their limits may be anything */
	} numbers[] = {
		{ "global_mem_bytes", caps->global_mem_bytes, NOT_ZERO, true },
		{ "max_alloc_bytes", caps->max_alloc_bytes, NOT_ZERO, true },
		{ "base_addr_align_bits", caps->base_addr_align_bits, POWER_OF_TWO, true },
		{ "cacheline_bytes", caps->cacheline_bytes, POWER_OF_TWO_OR_ZERO, true },
		{ "image2d_max_width", caps->image2d_max_width, NOT_ZERO, caps->images },
		{ "image2d_max_height", caps->image2d_max_height, NOT_ZERO, caps->images },
		{ "image_pitch_align", caps->image_pitch_align, image_align, caps->images },
		{ "image_base_align", caps->image_base_align, image_align, caps->images },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].applies && !meets(numbers[i].value, numbers[i].demand))
			return berth_error_set(BERTH_E_INVAL, 0, "%s is %" PRIu64 ", it must %s",
					       numbers[i].field, numbers[i].value,
					       demand_texts[numbers[i].demand]);
	if (caps->base_addr_align_bits < 8)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "base_addr_align_bits is %" PRIu32
				       ", it must be at least 8 (one byte)",
				       caps->base_addr_align_bits);
	return BERTH_OK;
}

static berth_status validate_strings(const berth_caps *caps)
{
	const struct {
		const char *field;
		const char *text;
		size_t bytes;
	} strings[] = {
		{ "name", caps->name, sizeof(caps->name) },
		{ "vendor", caps->vendor, sizeof(caps->vendor) },
		{ "platform", caps->platform, sizeof(caps->platform) },
		{ "device_version", caps->device_version, sizeof(caps->device_version) },
		{ "driver_version", caps->driver_version, sizeof(caps->driver_version) },
	};

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		if (!memchr(strings[i].text, '\0', strings[i].bytes))
			return berth_error_set(BERTH_E_INVAL, 0,
					       "%s does not end within its %zu bytes",
					       strings[i].field, strings[i].bytes);
	return BERTH_OK;
}

static berth_status validate_formats(const berth_caps *caps)
{
	if (caps->format_count > BERTH_FORMATS_MAX)
		return berth_error_set(BERTH_E_INVAL, 0, "format_count is %" PRIu32 ", at most %d",
				       caps->format_count, BERTH_FORMATS_MAX);
	for (uint32_t i = 0; i < caps->format_count; i++) {
		const berth_format *format = &caps->formats[i];

		if (berth_format_element_bytes(format->order, format->type) == 0)
			return berth_error_set(
				BERTH_E_INVAL, 0,
				"formats[%" PRIu32 "]: %s (0x%" PRIX32
				") does not go with %s (0x%" PRIX32 ")",
				i, berth_channel_order_string(format->order), format->order,
				berth_channel_type_string(format->type), format->type);
		if (format->access == 0 || (format->access & ~(uint32_t)ACCESS_ALL_IMAGES))
			return berth_error_set(BERTH_E_INVAL, 0,
					       "formats[%" PRIu32 "].access is 0x%" PRIX32
					       ", it must be one or more of the bits 0x%X",
					       i, format->access, ACCESS_ALL_IMAGES);
	}
	return BERTH_OK;
}

berth_status berth_caps_validate(const berth_caps *caps)
{
	berth_status st;

	if (caps->cl_version < 100 || caps->cl_version % 10 != 0)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "cl_version is %" PRIu32
				       ", it must be major * 100 + minor * 10, at least 100",
				       caps->cl_version);
	if (caps->pitch_unit != BERTH_PITCH_UNIT_PIXELS &&
	    caps->pitch_unit != BERTH_PITCH_UNIT_BYTES)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "pitch_unit is %d, it must be pixels (0) or bytes (1)",
				       (int)caps->pitch_unit);
	if ((st = validate_strings(caps)) != BERTH_OK || (st = validate_numbers(caps)) != BERTH_OK)
		return st;
	return validate_formats(caps);
}

uint32_t berth_caps_base_align_bytes(const berth_caps *caps)
{
	uint32_t bytes = caps->base_addr_align_bits / 8;

	return bytes > 0 ? bytes : 1;
}

static uint64_t image_align_bytes(const berth_caps *caps, uint32_t align, uint32_t element_bytes)
{
	if (!caps->image2d_from_buffer)
		return 0;
	if (caps->pitch_unit == BERTH_PITCH_UNIT_BYTES)
		return align;
	return (uint64_t)align * element_bytes;
}

uint64_t berth_caps_pitch_align_bytes(const berth_caps *caps, uint32_t element_bytes)
{
	return image_align_bytes(caps, caps->image_pitch_align, element_bytes);
}

uint64_t berth_caps_image_base_align_bytes(const berth_caps *caps, uint32_t element_bytes)
{
	return image_align_bytes(caps, caps->image_base_align, element_bytes);
}

/* The kernel access that flags ask for; none counts as read-write (R10). */
static uint32_t format_access(uint64_t mem_flags)
{
	if (mem_flags & CL_MEM_READ_ONLY)
		return BERTH_FORMAT_READ;
	if (mem_flags & CL_MEM_WRITE_ONLY)
		return BERTH_FORMAT_WRITE;
	return BERTH_FORMAT_READ_WRITE;
}

berth_format_image berth_format_image_of(uint32_t image_type)
{
	static const uint32_t types[BERTH_FORMAT_IMAGE_END] = {
		[BERTH_FORMAT_2D] = CL_MEM_OBJECT_IMAGE2D,
		[BERTH_FORMAT_1D] = CL_MEM_OBJECT_IMAGE1D,
		[BERTH_FORMAT_1D_BUFFER] = CL_MEM_OBJECT_IMAGE1D_BUFFER,
		[BERTH_FORMAT_1D_ARRAY] = CL_MEM_OBJECT_IMAGE1D_ARRAY,
		[BERTH_FORMAT_2D_ARRAY] = CL_MEM_OBJECT_IMAGE2D_ARRAY,
		[BERTH_FORMAT_3D] = CL_MEM_OBJECT_IMAGE3D,
	};
	unsigned image = 0;

	while (image < BERTH_FORMAT_IMAGE_END && types[image] != image_type)
		image++;
	return (berth_format_image)image;
}

static bool formats_are_known(const berth_caps *caps, berth_format_image image)
{
	uint32_t all = 0;

	if (image == BERTH_FORMAT_2D)
		return caps->format_count > 0;
	for (uint32_t i = 0; i < caps->format_count; i++)
		all |= caps->formats[i].access;
	return image < BERTH_FORMAT_IMAGE_END && (all & BERTH_FORMAT_BITS(image, ACCESS_ALL));
}

bool berth_caps_has_format(const berth_caps *caps, uint32_t image_type, uint32_t order,
			   uint32_t type, uint64_t mem_flags)
{
	berth_format_image image = berth_format_image_of(image_type);
	uint32_t access;

	if (!formats_are_known(caps, image))
		return berth_format_element_bytes(order, type) != 0;
	access = BERTH_FORMAT_BITS(image, format_access(mem_flags));
	for (uint32_t i = 0; i < caps->format_count; i++) {
		const berth_format *format = &caps->formats[i];

		if (format->order == order && format->type == type)
			return (format->access & access) != 0;
	}
	return false;
}
