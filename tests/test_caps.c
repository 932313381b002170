/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities and image formats: the specification's minimum, validation, units, pairs. */
#include "test_main.h"

#include <berth/caps.h>

#include <CL/cl.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MIB(n) ((uint64_t)(n) << 20)

/* The minimum of each version, from "Querying Devices" and the list of image formats. */
static void minimum(void)
{
	static const struct {
		uint32_t asked, version, base_align_bits;
		uint64_t max_alloc, width;
		uint32_t formats;
	} cases[] = {
		/* 1.2: a quarter or 128 MiB; images of 8192; RGBA in 10 types and BGRA */
		{ 120, 120, 1024, MIB(128), 8192, 11 },
		/* 2.0: R, RG, RGBA in 12 types each, 2 of depth, BGRA, sRGBA: 36 + 4 */
		{ 200, 200, 1024, MIB(128), 16384, 40 },
		/* 3.0: min(1 GiB, 128 MiB / 4), at least 32 MiB; the list of 1.2 again */
		{ 300, 300, 1024, MIB(32), 16384, 11 },
		{ 310, 310, 1024, MIB(32), 16384, 11 },
		{ 0, 300, 1024, MIB(32), 16384, 11 },
		{ 999, 300, 1024, MIB(32), 16384, 11 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_caps caps;

		test_case("%u", cases[i].asked);
		berth_caps_init_minimum(&caps, cases[i].asked);
		ASSERT_INT(caps.cl_version, cases[i].version);
		ASSERT_INT(caps.base_addr_align_bits, cases[i].base_align_bits);
		ASSERT_INT(caps.max_alloc_bytes, cases[i].max_alloc);
		ASSERT_INT(caps.global_mem_bytes, MIB(128));
		ASSERT_INT(caps.image2d_max_width, cases[i].width);
		ASSERT_INT(caps.image2d_max_height, cases[i].width);
		ASSERT_INT(caps.image_max_buffer_px, 65536);
		ASSERT_INT(caps.format_count, cases[i].formats);
		CU_ASSERT_TRUE(caps.images && caps.image2d_from_buffer);
		ASSERT_OK(berth_caps_validate(&caps));
	}
}

enum { NAME, CL_VERSION, GLOBAL, MAX_ALLOC, BASE_ALIGN, CACHELINE, WIDTH, PITCH, PITCH_OFF, UNIT,
       FORMATS, FORMAT_PAIR, FORMAT_ACCESS };

static void set(berth_caps *caps, int what, uint64_t value)
{
	switch (what) {
	case NAME: memset(caps->name, (int)value, sizeof(caps->name)); break;
	case CL_VERSION: caps->cl_version = (uint32_t)value; break;
	case GLOBAL: caps->global_mem_bytes = value; break;
	case MAX_ALLOC: caps->max_alloc_bytes = value; break;
	case BASE_ALIGN: caps->base_addr_align_bits = (uint32_t)value; break;
	case CACHELINE: caps->cacheline_bytes = (uint32_t)value; break;
	case WIDTH: caps->image2d_max_width = value; break;
	case PITCH: caps->image_pitch_align = (uint32_t)value; break;
	case PITCH_OFF:
		caps->image2d_from_buffer = false;
		caps->image_pitch_align = (uint32_t)value;
		break;
	case UNIT: caps->pitch_unit = (berth_pitch_unit)value; break;
	case FORMATS: caps->format_count = (uint32_t)value; break;
	case FORMAT_PAIR: caps->formats[1].order = (uint32_t)value; break;
	case FORMAT_ACCESS: caps->formats[1].access = (uint32_t)value; break;
	}
}

static void validate(void)
{
	static const struct {
		const char *name;
		int what;
		uint64_t value;
		const char *message; /* NULL: valid */
	} cases[] = {
		{ "name that ends", NAME, 0, NULL },
		{ "name without end", NAME, 'x', "name does not end" },
		{ "version 1.0", CL_VERSION, 100, NULL },
		{ "version 0.9", CL_VERSION, 90, "cl_version is 90" },
		{ "version 2.05", CL_VERSION, 205, "cl_version is 205" },
		{ "global 1", GLOBAL, 1, NULL },
		{ "global 0", GLOBAL, 0, "global_mem_bytes is 0, it must not be 0" },
		{ "more than global", MAX_ALLOC, MIB(999), NULL },
		{ "max alloc 0", MAX_ALLOC, 0, "max_alloc_bytes is 0" },
		{ "align 8 bits", BASE_ALIGN, 8, NULL },
		{ "align 4 bits", BASE_ALIGN, 4, "base_addr_align_bits is 4" },
		{ "align 1000 bits", BASE_ALIGN, 1000, "base_addr_align_bits is 1000" },
		{ "cache line not known", CACHELINE, 0, NULL },
		{ "cache line 63", CACHELINE, 63, "cacheline_bytes is 63" },
		{ "width 1", WIDTH, 1, NULL },
		{ "width 0", WIDTH, 0, "image2d_max_width is 0" },
		{ "pitch 256", PITCH, 256, NULL },
		{ "pitch 0", PITCH, 0, "image_pitch_align is 0" },
		{ "pitch 3", PITCH, 3, "image_pitch_align is 3" },
		{ "pitch 0, not from buffer", PITCH_OFF, 0, NULL },
		{ "pitch 3, not from buffer", PITCH_OFF, 3, "image_pitch_align is 3" },
		{ "unit bytes", UNIT, 1, NULL },
		{ "unit 2", UNIT, 2, "pitch_unit is 2" },
		{ "formats not known", FORMATS, 0, NULL },
		{ "129 formats", FORMATS, 129, "format_count is 129, at most 128" },
		{ "R, UNORM_INT16", FORMAT_PAIR, CL_R, NULL },
		{ "RGB, UNORM_INT16", FORMAT_PAIR, CL_RGB, "formats[1]: CL_RGB" },
		{ "no access", FORMAT_ACCESS, 0, "formats[1].access is 0x0" },
		{ "access read and write", FORMAT_ACCESS, 3, NULL },
		{ "access 8", FORMAT_ACCESS, 8, "formats[1].access is 0x8" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_caps caps;

		test_case("%s", cases[i].name);
		berth_caps_init_minimum(&caps, 300);
		set(&caps, cases[i].what, cases[i].value);
		if (!cases[i].message) {
			ASSERT_OK(berth_caps_validate(&caps));
			continue;
		}
		ASSERT_INT(berth_caps_validate(&caps), BERTH_E_INVAL);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].message);
	}
}

static void limits_do_not_count_without_images(void)
{
	berth_caps caps;

	berth_caps_init_minimum(&caps, 300);
	caps.images = false;
	caps.image2d_max_width = caps.image2d_max_height = 0;
	ASSERT_OK(berth_caps_validate(&caps));
}

static void alignments_in_bytes(void)
{
	static const struct {
		const char *name;
		bool from_buffer;
		berth_pitch_unit unit;
		uint32_t pitch, base, element;
		uint64_t pitch_bytes, base_bytes;
	} cases[] = {
		/* an RGBA float image with 64 pixels needs multiples of 1024 bytes, R8 of 64 */
		{ "64 pixels of 16", true, BERTH_PITCH_UNIT_PIXELS, 64, 32, 16, 1024, 512 },
		{ "64 pixels of 1", true, BERTH_PITCH_UNIT_PIXELS, 64, 32, 1, 64, 32 },
		{ "64 bytes", true, BERTH_PITCH_UNIT_BYTES, 64, 4096, 16, 64, 4096 },
		{ "no images on buffers", false, BERTH_PITCH_UNIT_PIXELS, 64, 32, 16, 0, 0 },
		/* 2^31 * 16 */
		{ "large", true, BERTH_PITCH_UNIT_PIXELS, 1u << 31, 1, 16, UINT64_C(1) << 35, 16 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_caps caps;

		test_case("%s", cases[i].name);
		berth_caps_init_minimum(&caps, 300);
		caps.image2d_from_buffer = cases[i].from_buffer;
		caps.pitch_unit = cases[i].unit;
		caps.image_pitch_align = cases[i].pitch;
		caps.image_base_align = cases[i].base;
		ASSERT_INT(berth_caps_pitch_align_bytes(&caps, cases[i].element), cases[i].pitch_bytes);
		ASSERT_INT(berth_caps_image_base_align_bytes(&caps, cases[i].element),
			   cases[i].base_bytes);
	}
}

static void base_address_alignment(void)
{
	static const struct {
		uint32_t bits, bytes;
	} cases[] = { { 1024, 128 }, { 32768, 4096 }, { 8, 1 }, { 0, 1 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_caps caps = { .base_addr_align_bits = cases[i].bits };

		test_case("%u bits", cases[i].bits);
		ASSERT_INT(berth_caps_base_align_bytes(&caps), cases[i].bytes);
	}
}

/* "Image Format Descriptor": channels x bytes of a channel, or the packed size. */
static void element_bytes(void)
{
	static const struct {
		uint32_t order, type, bytes;
	} cases[] = {
		{ CL_R, CL_UNORM_INT8, 1 },
		{ CL_A, CL_HALF_FLOAT, 2 },
		{ CL_Rx, CL_UNORM_INT8, 1 },
		{ CL_RG, CL_SIGNED_INT32, 8 },
		{ CL_RA, CL_SNORM_INT16, 4 },
		{ CL_RGBA, CL_UNORM_INT8, 4 },
		{ CL_RGBA, CL_HALF_FLOAT, 8 },
		{ CL_RGBA, CL_FLOAT, 16 },
		{ CL_RGBA, CL_UNORM_INT_101010_2, 4 },
		{ CL_RGBA, CL_UNORM_INT_101010, 0 },
		{ CL_RGB, CL_UNORM_SHORT_565, 2 },
		{ CL_RGBx, CL_UNORM_SHORT_555, 2 },
		{ CL_RGB, CL_UNORM_INT_101010, 4 },
		{ CL_RGB, CL_UNORM_INT8, 0 }, /* 24 bits: no power of two */
		{ CL_R, CL_UNORM_SHORT_565, 0 },
		{ CL_BGRA, CL_UNSIGNED_INT8, 4 },
		{ CL_BGRA, CL_FLOAT, 0 },
		{ CL_ARGB, CL_SNORM_INT8, 4 },
		{ CL_ABGR, CL_UNORM_INT16, 0 },
		{ CL_INTENSITY, CL_FLOAT, 4 },
		{ CL_INTENSITY, CL_SIGNED_INT8, 0 },
		{ CL_LUMINANCE, CL_UNORM_INT16, 2 },
		{ CL_LUMINANCE, CL_UNSIGNED_INT32, 0 },
		{ CL_DEPTH, CL_UNORM_INT16, 2 },
		{ CL_DEPTH, CL_UNORM_INT8, 0 },
		{ CL_DEPTH_STENCIL, CL_UNORM_INT24, 0 }, /* only shared with OpenGL */
		{ CL_sRGBA, CL_UNORM_INT8, 4 },
		{ CL_sBGRA, CL_SNORM_INT8, 0 },
		{ CL_sRGBx, CL_UNORM_INT8, 4 },
		{ 0, CL_UNORM_INT8, 0 },
		{ CL_R - 1, CL_UNORM_INT8, 0 },
		{ CL_ABGR + 1, CL_UNORM_INT8, 0 },
		{ CL_R, 0, 0 },
		{ CL_R, CL_SNORM_INT8 - 1, 0 },
		{ CL_R, CL_UNORM_INT_101010_2 + 1, 0 },
		{ UINT32_MAX, UINT32_MAX, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("0x%X, 0x%X", cases[i].order, cases[i].type);
		ASSERT_INT(berth_format_element_bytes(cases[i].order, cases[i].type),
			   cases[i].bytes);
	}
}

#define has berth_caps_has_format

static void formats_by_access(void)
{
	static const struct {
		const char *name;
		uint32_t order, type;
		uint64_t flags;
		bool has;
	} cases[] = {
		{ "read-write", CL_RGBA, CL_FLOAT, CL_MEM_READ_WRITE, true },
		{ "read-write by default", CL_RGBA, CL_FLOAT, 0, true },
		{ "not in the list", CL_RGBA, CL_UNORM_INT_101010_2, 0, false },
		/* sRGBA is for reading, as long as an extension does not say otherwise */
		{ "sRGBA to read", CL_sRGBA, CL_UNORM_INT8, CL_MEM_READ_ONLY, true },
		{ "sRGBA to write", CL_sRGBA, CL_UNORM_INT8, CL_MEM_WRITE_ONLY, false },
		{ "sRGBA by default", CL_sRGBA, CL_UNORM_INT8, CL_MEM_COPY_HOST_PTR, false },
		{ "undefined", CL_RGB, CL_FLOAT, 0, false },
	};
	berth_caps caps;

	berth_caps_init_minimum(&caps, 200);
	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(has(&caps, CL_MEM_OBJECT_IMAGE2D, cases[i].order, cases[i].type,
			       cases[i].flags),
			   cases[i].has);
	}
	test_case("not known is not a refusal");
	caps.format_count = 0;
	CU_ASSERT_TRUE(has(&caps, CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNORM_INT_101010_2, 0));
	CU_ASSERT_FALSE(has(&caps, CL_MEM_OBJECT_IMAGE2D, CL_RGB, CL_FLOAT, 0));
}

/* Of 3D images one format is known, and only to be read; of 1D images and arrays none. */
static void formats_by_image_type(void)
{
	static const struct {
		const char *name;
		uint32_t image, order, type;
		uint64_t flags;
		bool has;
	} cases[] = {
		{ "2D, to write", CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_FLOAT, CL_MEM_WRITE_ONLY, true },
		{ "3D, to read", CL_MEM_OBJECT_IMAGE3D, CL_RGBA, CL_FLOAT, CL_MEM_READ_ONLY, true },
		{ "3D, to write", CL_MEM_OBJECT_IMAGE3D, CL_RGBA, CL_FLOAT, CL_MEM_WRITE_ONLY, false },
		{ "3D, another", CL_MEM_OBJECT_IMAGE3D, CL_R, CL_FLOAT, CL_MEM_READ_ONLY, false },
		{ "1D: not known", CL_MEM_OBJECT_IMAGE1D, CL_A, CL_FLOAT, 0, true },
		{ "arrays: not known", CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_A, CL_FLOAT, 0, true },
		{ "arrays: undefined", CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_RGB, CL_FLOAT, 0, false },
		{ "no type of images", CL_MEM_OBJECT_BUFFER, CL_A, CL_FLOAT, 0, true },
	};
	berth_caps caps;

	berth_caps_init_minimum(&caps, 300);
	caps.format_count = 2;
	caps.formats[0] = (berth_format){
		CL_RGBA, CL_FLOAT,
		BERTH_FORMAT_BITS(BERTH_FORMAT_2D, BERTH_FORMAT_READ | BERTH_FORMAT_WRITE) |
			BERTH_FORMAT_BITS(BERTH_FORMAT_3D, BERTH_FORMAT_READ)
	};
	caps.formats[1] = (berth_format){ CL_R, CL_FLOAT, BERTH_FORMAT_READ };
	ASSERT_OK(berth_caps_validate(&caps));
	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(has(&caps, cases[i].image, cases[i].order, cases[i].type,
			       cases[i].flags),
			   cases[i].has);
	}
}

static void names_there_and_back(void)
{
	static const struct {
		const char *name;
		uint32_t order, type;
	} cases[] = {
		{ "CL_R", CL_R, 0 },	     { "RGBA", CL_RGBA, 0 },
		{ "CL_RGx", CL_RGx, 0 },     { "sBGRA", CL_sBGRA, 0 },
		{ "CL_ABGR", CL_ABGR, 0 },   { "CL_FLOAT", 0, CL_FLOAT },
		{ "UNORM_INT8", 0, CL_UNORM_INT8 },
		{ "CL_UNORM_INT_101010_2", 0, CL_UNORM_INT_101010_2 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *plain = cases[i].name;
		uint32_t out = 7;

		test_case("%s", cases[i].name);
		if (strncmp(plain, "CL_", 3) == 0)
			plain += 3;
		if (cases[i].order) {
			ASSERT_OK(berth_channel_order_parse(&out, cases[i].name));
			ASSERT_INT(out, cases[i].order);
			ASSERT_STRING(berth_channel_order_string(out) + 3, plain);
		} else {
			ASSERT_OK(berth_channel_type_parse(&out, cases[i].name));
			ASSERT_INT(out, cases[i].type);
			ASSERT_STRING(berth_channel_type_string(out) + 3, plain);
		}
	}
}

static void names_not_known(void)
{
	uint32_t out = 7;

	ASSERT_INT(berth_channel_order_parse(&out, "CL_FLOAT"), BERTH_E_NOT_FOUND);
	ASSERT_INT(berth_channel_type_parse(&out, "CL_RGBA"), BERTH_E_NOT_FOUND);
	ASSERT_INT(berth_channel_type_parse(&out, ""), BERTH_E_NOT_FOUND);
	ASSERT_INT(berth_channel_order_parse(&out, "RGX"), BERTH_E_NOT_FOUND);
	ASSERT_INT(out, 7);
	ASSERT_STRING(berth_channel_order_string(0), "CL_UNKNOWN_ORDER");
	ASSERT_STRING(berth_channel_type_string(UINT32_MAX), "CL_UNKNOWN_TYPE");
}

int main(void)
{
	static const struct test tests[] = {
		{ "minimum of each version", minimum },
		{ "validation", validate },
		{ "validation without images", limits_do_not_count_without_images },
		{ "image alignments in bytes", alignments_in_bytes },
		{ "base address alignment", base_address_alignment },
		{ "element bytes", element_bytes },
		{ "formats by access", formats_by_access },
		{ "formats by image type", formats_by_image_type },
		{ "names there and back", names_there_and_back },
		{ "names not known", names_not_known },
		{ NULL, NULL },
	};

	return test_main("caps", tests);
}
