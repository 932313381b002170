/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts: bytes and sides on devices, in both units of the pitch alignment; which
 * scopes fit, and which is chosen.
 *
 * The shapes are those of the texture tests of apache/tvm, by its commits of 2025
 * and 2026, and of bug reports; the bytes are arithmetic: rows x the row's bytes,
 * rounded up to the alignment.
 */
#include "test_main.h"

#include <berth/layout.h>

#include <CL/cl.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define GIB(n) ((uint64_t)(n) << 30)

enum {
	LINEAR = BERTH_SCOPE_LINEAR,
	TEXTURE = BERTH_SCOPE_TEXTURE,
	WEIGHT = BERTH_SCOPE_TEXTURE_WEIGHT,
	NHWC = BERTH_SCOPE_TEXTURE_NHWC,
	F16 = BERTH_ELEMENT_FLOAT16,
	F32 = BERTH_ELEMENT_FLOAT32,
};

#define PIXELS BERTH_PITCH_UNIT_PIXELS
#define BYTES BERTH_PITCH_UNIT_BYTES

/* A phone's GPU: 16384 pixels a side, 4 GiB an allocation, rows of 64 units. */
static berth_caps phone(berth_pitch_unit unit, uint32_t pitch_align)
{
	berth_caps caps;

	berth_caps_init_minimum(&caps, 300);
	caps.max_alloc_bytes = GIB(4);
	caps.format_count = 0;
	caps.image_pitch_align = pitch_align;
	caps.image_base_align = 1;
	caps.pitch_unit = unit;
	return caps;
}

/* Up to 8 axes, ended by a 0. */
static berth_layout layout_of(int scope, int element, uint32_t lanes, const uint64_t *shape)
{
	berth_layout layout = { .scope = (berth_scope)scope,
				.element = (berth_element)element,
				.lanes = lanes };

	while (layout.axis_count < BERTH_LAYOUT_AXES_MAX && shape[layout.axis_count] > 0) {
		layout.shape[layout.axis_count] = shape[layout.axis_count];
		layout.axis_count++;
	}
	return layout;
}

static void texture_bytes(void)
{
	static const struct {
		int scope, element;
		uint64_t shape[9];
		berth_pitch_unit unit;
		uint32_t align;
		uint64_t width, height, pitch, bytes;
	} cases[] = {
		{ NHWC, F32, { 1, 22, 20, 20, 4 }, BYTES, 64, 400, 22, 6400, 140800 },
		{ NHWC, F32, { 1, 22, 20, 20, 4 }, PIXELS, 64, 400, 22, 7168, 157696 },
		{ NHWC, F32, { 1, 22, 20, 20, 4 }, BYTES, 1024, 400, 22, 7168, 157696 },
		{ NHWC, F32, { 1, 22, 20, 20, 4 }, BYTES, 4096, 400, 22, 8192, 180224 },
		{ NHWC, F16, { 1, 22, 20, 20, 4 }, BYTES, 64, 400, 22, 3200, 70400 },
		{ NHWC, F16, { 1, 22, 20, 20, 4 }, PIXELS, 64, 400, 22, 3584, 78848 },
		{ NHWC, F32, { 1, 40, 30, 30, 4 }, BYTES, 64, 900, 40, 14400, 576000 },
		{ NHWC, F32, { 1, 40, 30, 30, 4 }, PIXELS, 64, 900, 40, 15360, 614400 },
		{ NHWC, F32, { 1, 25, 30, 30, 4 }, BYTES, 64, 900, 25, 14400, 360000 },
		{ NHWC, F32, { 1, 25, 30, 30, 4 }, PIXELS, 64, 900, 25, 15360, 384000 },
		{ NHWC, F32, { 1, 5, 30, 20, 4 }, BYTES, 64, 600, 5, 9600, 48000 },
		{ NHWC, F32, { 1, 5, 30, 20, 4 }, PIXELS, 64, 600, 5, 10240, 51200 },
		{ WEIGHT, F32, { 28, 676, 1, 1, 4 }, BYTES, 64, 676, 28, 10816, 302848 },
		{ WEIGHT, F32, { 28, 676, 1, 1, 4 }, PIXELS, 64, 676, 28, 11264, 315392 },
		{ WEIGHT, F32, { 28, 676, 1, 1, 4 }, BYTES, 1024, 676, 28, 11264, 315392 },
		{ WEIGHT, F32, { 28, 676, 1, 1, 4 }, BYTES, 4096, 676, 28, 12288, 344064 },
		{ NHWC, F32, { 1, 28, 26, 26, 4 }, BYTES, 64, 676, 28, 10816, 302848 },
		{ TEXTURE, F32, { 16, 16, 4 }, BYTES, 64, 16, 16, 256, 4096 },
		{ TEXTURE, F32, { 16, 16, 4 }, PIXELS, 64, 16, 16, 1024, 16384 },
		{ TEXTURE, F32, { 32, 32, 4 }, BYTES, 64, 32, 32, 512, 16384 },
		{ TEXTURE, F32, { 32, 32, 4 }, PIXELS, 64, 32, 32, 1024, 32768 },
		/* two views of one storage: no padding in bytes, different in pixels */
		{ TEXTURE, F32, { 1, 16, 16, 8, 4 }, BYTES, 64, 8, 256, 128, 32768 },
		{ TEXTURE, F32, { 1, 8, 16, 16, 4 }, BYTES, 64, 16, 128, 256, 32768 },
		{ TEXTURE, F32, { 1, 16, 16, 8, 4 }, PIXELS, 64, 8, 256, 1024, 262144 },
		{ TEXTURE, F32, { 1, 8, 16, 16, 4 }, PIXELS, 64, 16, 128, 1024, 131072 },
		/* github.com/ggml-org/llama.cpp/issues/11953: a device with 64 pixels */
		{ TEXTURE, F16, { 33, 100, 4 }, PIXELS, 64, 100, 33, 1024, 33792 },
		{ TEXTURE, F32, { 33, 100, 4 }, PIXELS, 64, 100, 33, 2048, 67584 },
		{ TEXTURE, F16, { 320, 9072, 4 }, PIXELS, 64, 9072, 320, 72704, 23265280 },
		/* an alignment below the pixel adds nothing */
		{ TEXTURE, F32, { 33, 100, 4 }, BYTES, 1, 100, 33, 1600, 52800 },
		/* an empty side is 1 */
		{ TEXTURE, F32, { 7, 4 }, BYTES, 64, 7, 1, 128, 128 },
		{ WEIGHT, F32, { 7, 4 }, BYTES, 64, 1, 7, 64, 448 },
		{ NHWC, F32, { 3, 5, 4 }, BYTES, 64, 1, 15, 64, 960 },
		/* eight axes: 2 x 3 rows of 5 x 2 x 2 x 2 x 2 = 80 texels, 640 bytes */
		{ NHWC, F16, { 2, 3, 5, 2, 2, 2, 2, 4 }, BYTES, 64, 80, 6, 640, 3840 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const berth_caps caps = phone(cases[i].unit, cases[i].align);
		const berth_layout layout = layout_of(cases[i].scope, cases[i].element, 1,
						      cases[i].shape);
		berth_geometry geometry = { 0 };

		test_case("row %zu: %s of %u units %d", i, berth_scope_string(layout.scope),
			  cases[i].align, cases[i].unit);
		ASSERT_OK(berth_layout_compute(&geometry, &caps, &layout));
		ASSERT_INT(geometry.scope, cases[i].scope);
		ASSERT_INT(geometry.width, cases[i].width);
		ASSERT_INT(geometry.height, cases[i].height);
		ASSERT_INT(geometry.row_pitch_bytes, cases[i].pitch);
		ASSERT_INT(geometry.bytes, cases[i].bytes);
		ASSERT_INT(geometry.packed_bytes,
			   cases[i].width * cases[i].height * geometry.element_bytes);
	}
}

static void linear_bytes(void)
{
	static const struct {
		int element;
		uint32_t lanes;
		uint64_t shape[9];
		uint64_t bytes;
	} cases[] = {
		{ F32, 1, { 1, 3, 6, 6 }, 432 },
		{ F32, 1, { 1, 16, 16, 8 }, 8192 },
		{ F16, 1, { 100, 33, 4 }, 26400 },
		{ BERTH_ELEMENT_INT8, 3, { 5 }, 15 },
		{ BERTH_ELEMENT_FLOAT64, 16, { 2, 2 }, 512 },
		{ BERTH_ELEMENT_UINT64, 1, { 0 }, 8 }, /* a scalar */
		{ BERTH_ELEMENT_BFLOAT16, 1, { 7 }, 14 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const berth_caps caps = phone(PIXELS, 64);
		const berth_layout layout = layout_of(LINEAR, cases[i].element, cases[i].lanes,
						      cases[i].shape);
		berth_geometry geometry = { 0 };

		test_case("row %zu", i);
		ASSERT_OK(berth_layout_compute(&geometry, &caps, &layout));
		ASSERT_INT(geometry.bytes, cases[i].bytes);
		ASSERT_INT(geometry.row_pitch_bytes, cases[i].bytes);
		ASSERT_INT(geometry.packed_bytes, cases[i].bytes);
		ASSERT_INT(geometry.width * geometry.element_bytes, cases[i].bytes);
		ASSERT_INT(geometry.height, 1);
		ASSERT_INT(geometry.order, 0);
	}
}

/* 256 x 1024 elements in texels of 64 and 128 bits; and what else a texel can be. */
static void formats(void)
{
	static const struct {
		int element;
		uint32_t lanes;
		uint64_t channels;
		uint32_t bytes, order, type;
	} cases[] = {
		{ BERTH_ELEMENT_INT8, 1, 8, 8, CL_RGBA, CL_UNSIGNED_INT16 },
		{ BERTH_ELEMENT_INT8, 1, 16, 16, CL_RGBA, CL_UNSIGNED_INT32 },
		{ BERTH_ELEMENT_INT16, 1, 4, 8, CL_RGBA, CL_SIGNED_INT16 },
		{ BERTH_ELEMENT_INT16, 1, 8, 16, CL_RGBA, CL_UNSIGNED_INT32 },
		{ BERTH_ELEMENT_INT32, 1, 2, 8, CL_RG, CL_SIGNED_INT32 },
		{ BERTH_ELEMENT_INT32, 1, 4, 16, CL_RGBA, CL_SIGNED_INT32 },
		{ F16, 1, 4, 8, CL_RGBA, CL_HALF_FLOAT },
		{ F16, 1, 8, 16, CL_RGBA, CL_UNSIGNED_INT32 },
		{ F32, 1, 2, 8, CL_RG, CL_FLOAT },
		{ F32, 1, 4, 16, CL_RGBA, CL_FLOAT },
		{ F32, 1, 1, 4, CL_R, CL_FLOAT },
		{ F32, 4, 1, 16, CL_RGBA, CL_FLOAT },
		{ F16, 2, 2, 8, CL_RGBA, CL_HALF_FLOAT },
		{ BERTH_ELEMENT_INT8, 1, 4, 4, CL_RGBA, CL_SIGNED_INT8 },
		{ BERTH_ELEMENT_UINT8, 1, 4, 4, CL_RGBA, CL_UNSIGNED_INT8 },
		{ BERTH_ELEMENT_UINT16, 1, 4, 8, CL_RGBA, CL_UNSIGNED_INT16 },
		{ BERTH_ELEMENT_UINT32, 1, 4, 16, CL_RGBA, CL_UNSIGNED_INT32 },
		{ BERTH_ELEMENT_BFLOAT16, 1, 4, 8, CL_RGBA, CL_UNSIGNED_INT16 },
		{ BERTH_ELEMENT_INT64, 1, 1, 8, CL_RGBA, CL_UNSIGNED_INT16 },
		{ BERTH_ELEMENT_UINT64, 1, 2, 16, CL_RGBA, CL_UNSIGNED_INT32 },
		{ BERTH_ELEMENT_FLOAT64, 1, 2, 16, CL_RGBA, CL_UNSIGNED_INT32 },
		/* none has 3, 6 or 24 bytes, or more than 16 */
		{ BERTH_ELEMENT_INT8, 1, 3, 0, 0, 0 },
		{ F16, 3, 1, 0, 0, 0 },
		{ F32, 1, 6, 0, 0, 0 },
		{ F32, 1, 8, 0, 0, 0 },
		{ BERTH_ELEMENT_FLOAT64, 1, 4, 0, 0, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const uint64_t shape[9] = { 256, 1024 / cases[i].channels, cases[i].channels };
		const berth_layout layout = layout_of(TEXTURE, cases[i].element, cases[i].lanes,
						      shape);
		const berth_caps caps = phone(PIXELS, 1);
		berth_geometry geometry = { 0 };
		berth_status st = berth_layout_compute(&geometry, &caps, &layout);

		test_case("%s x %u, %d channels", berth_element_string(layout.element),
			  layout.lanes, (int)cases[i].channels);
		ASSERT_INT(st, cases[i].bytes > 0 ? BERTH_OK : BERTH_E_UNSUPPORTED);
		ASSERT_INT(geometry.element_bytes, cases[i].bytes);
		ASSERT_INT(geometry.order, cases[i].order);
		ASSERT_INT(geometry.type, cases[i].type);
		/* no padding at one pixel: the elements' own bytes, whatever the texel */
		if (cases[i].bytes > 0)
			ASSERT_INT(geometry.bytes,
				   256 * (1024 / cases[i].channels) * cases[i].bytes);
	}
}

/* Base addresses: in bits for buffers, in pixels or bytes for images on them. */
static void alignments(void)
{
	static const struct {
		int scope;
		berth_pitch_unit unit;
		uint32_t base_bits, image_base;
		uint64_t expected;
	} cases[] = {
		{ LINEAR, PIXELS, 1024, 64, 128 },
		{ TEXTURE, PIXELS, 1024, 1, 128 },
		{ TEXTURE, PIXELS, 1024, 64, 1024 }, /* 64 texels of 16 bytes */
		{ TEXTURE, BYTES, 1024, 64, 128 },
		{ TEXTURE, BYTES, 1024, 4096, 4096 },
		{ TEXTURE, PIXELS, 32768, 64, 4096 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const berth_layout layout = layout_of(cases[i].scope, F32, 1,
						      (const uint64_t[]){ 16, 16, 4, 0 });
		berth_caps caps = phone(cases[i].unit, 64);
		berth_geometry geometry = { 0 };

		test_case("row %zu", i);
		caps.base_addr_align_bits = cases[i].base_bits;
		caps.image_base_align = cases[i].image_base;
		ASSERT_OK(berth_layout_compute(&geometry, &caps, &layout));
		ASSERT_INT(geometry.align_bytes, cases[i].expected);
	}
}

static void no_images(berth_caps *caps)
{
	caps->images = false;
}

static void no_images_on_buffers(berth_caps *caps)
{
	caps->image2d_from_buffer = false;
}

static void no_pitch(berth_caps *caps)
{
	caps->image_pitch_align = 0;
}

static void only_bytes(berth_caps *caps)
{
	caps->format_count = 1;
	caps->formats[0] = (berth_format){ CL_RGBA, CL_UNSIGNED_INT8, BERTH_FORMAT_READ_WRITE };
}

static void read_only_half(berth_caps *caps)
{
	caps->format_count = 1;
	caps->formats[0] = (berth_format){ CL_RGBA, CL_HALF_FLOAT, BERTH_FORMAT_READ };
}

static void small_sides(berth_caps *caps)
{
	caps->image2d_max_width = caps->image2d_max_height = 8192;
}

static void small_memory(berth_caps *caps)
{
	caps->max_alloc_bytes = 33791;
}

/* What does not fit: the status, and both numbers in the detail. */
static void refusals(void)
{
	static const struct {
		const char *name;
		void (*change)(berth_caps *caps);
		int scope;
		uint64_t shape[9];
		berth_status status;
		const char *detail[2];
	} cases[] = {
		{ "wide: 640 x 864 of a detector", small_sides, TEXTURE, { 320, 9072, 4 },
		  BERTH_E_LIMIT, { "width 9072", "image2d_max_width 8192" } },
		{ "wide: 2240 x 2240 of a detector", NULL, TEXTURE, { 1120, 17920, 4 },
		  BERTH_E_LIMIT, { "width 17920", "image2d_max_width 16384" } },
		{ "wide", NULL, TEXTURE, { 16, 18560, 4 }, BERTH_E_LIMIT,
		  { "width 18560", "image2d_max_width 16384" } },
		{ "one too wide", NULL, TEXTURE, { 16, 16385, 4 }, BERTH_E_LIMIT,
		  { "texture 16x16385x4 float16", "width 16385 is over image2d_max_width 16384" } },
		{ "as wide as can be", NULL, TEXTURE, { 16, 16384, 4 }, BERTH_OK, { NULL } },
		{ "one too high", NULL, WEIGHT, { 16385, 1, 4 }, BERTH_E_LIMIT,
		  { "height 16385", "image2d_max_height 16384" } },
		{ "as high as can be", NULL, WEIGHT, { 16384, 1, 4 }, BERTH_OK, { NULL } },
		{ "one byte too many, for padding", small_memory, TEXTURE, { 33, 100, 4 },
		  BERTH_E_LIMIT, { "33792 bytes", "max_alloc_bytes 33791" } },
		{ "linear has no padding", small_memory, LINEAR, { 33, 100, 4 }, BERTH_OK,
		  { NULL } },
		{ "linear over the limit", NULL, LINEAR, { GIB(2), 1, 2 }, BERTH_E_LIMIT,
		  { "8589934592 bytes", "max_alloc_bytes 4294967296" } },
		{ "linear over 64 bits", NULL, LINEAR, { UINT64_MAX, 2 }, BERTH_E_OVERFLOW,
		  { "64 bits", "linear" } },
		{ "linear's bytes over 64 bits", NULL, LINEAR, { UINT64_MAX / 2 + 1 },
		  BERTH_E_OVERFLOW, { "64 bits", "float16" } },
		{ "width over 64 bits", NULL, WEIGHT, { 1, UINT64_MAX, 2, 4 }, BERTH_E_OVERFLOW,
		  { "64 bits", "texture-weight" } },
		{ "channels over 64 bits", NULL, TEXTURE, { 1, 1, UINT64_MAX }, BERTH_E_OVERFLOW,
		  { "64 bits", "texture" } },
		{ "no images", no_images, TEXTURE, { 4, 4, 4 }, BERTH_E_UNSUPPORTED,
		  { "has no images", "texture 4x4x4" } },
		{ "linear without images", no_images, LINEAR, { 4, 4, 4 }, BERTH_OK, { NULL } },
		{ "no images on buffers", no_images_on_buffers, TEXTURE, { 4, 4, 4 },
		  BERTH_E_UNSUPPORTED,
		  { "image2d_from_buffer is 0", "makes no images on buffers" } },
		{ "pitch alignment 0", no_pitch, TEXTURE, { 4, 4, 4 }, BERTH_E_UNSUPPORTED,
		  { "image_pitch_align is 0", "at least 1" } },
		{ "format not there", only_bytes, TEXTURE, { 4, 4, 4 }, BERTH_E_UNSUPPORTED,
		  { "CL_RGBA CL_HALF_FLOAT", "the device's 1 formats" } },
		{ "format only to read", read_only_half, TEXTURE, { 4, 4, 4 },
		  BERTH_E_UNSUPPORTED, { "CL_RGBA CL_HALF_FLOAT", "formats" } },
		{ "no format of 6", NULL, TEXTURE, { 1, 3, 6, 6 }, BERTH_E_UNSUPPORTED,
		  { "6 elements", "12 bytes" } },
		{ "too few axes", NULL, NHWC, { 4, 4 }, BERTH_E_INVAL, { "2 axes", "at least 3" } },
		{ "a scalar", NULL, TEXTURE, { 0 }, BERTH_E_INVAL, { "0 axes", "at least 2" } },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const berth_layout layout = layout_of(cases[i].scope, F16, 1, cases[i].shape);
		berth_caps caps = phone(PIXELS, 64);
		berth_geometry geometry;

		test_case("%s", cases[i].name);
		if (cases[i].change)
			cases[i].change(&caps);
		memset(&geometry, 0x5A, sizeof(geometry));
		ASSERT_INT(berth_layout_compute(&geometry, &caps, &layout), cases[i].status);
		if (cases[i].status == BERTH_OK)
			continue;
		ASSERT_INT(berth_error_get()->status, cases[i].status);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail[0]);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail[1]);
		ASSERT_INT(geometry.bytes, 0x5A5A5A5A5A5A5A5A);
	}
}

static void bad_layouts(void)
{
	static const berth_layout good = { .element = BERTH_ELEMENT_FLOAT16, .lanes = 1,
					   .axis_count = 2, .shape = { 3, 4 } };
	const struct {
		const char *name;
		berth_layout layout;
		const char *detail;
	} cases[] = {
		{ "scope", { (berth_scope)4, good.element, 1, 2, { 3, 4 } },
		  "scope is 4, it must be 0 to 3" },
		{ "element", { good.scope, (berth_element)12, 1, 2, { 3, 4 } },
		  "element is 12, it must be 0 to 11" },
		{ "no lanes", { good.scope, good.element, 0, 2, { 3, 4 } },
		  "lanes is 0, it must be 1 to 16" },
		{ "lanes", { good.scope, good.element, 17, 2, { 3, 4 } },
		  "lanes is 17, it must be 1 to 16" },
		{ "axes", { good.scope, good.element, 1, 9, { 3, 4 } },
		  "axis_count is 9, it must be 0 to 8" },
		{ "an empty axis", { good.scope, good.element, 1, 2, { 3, 0 } }, "axis 1 is 0" },
	};
	const berth_caps caps = phone(PIXELS, 64);
	berth_geometry geometry = { .bytes = 7 };

	ASSERT_OK(berth_layout_compute(&geometry, &caps, &good));
	ASSERT_INT(geometry.bytes, 24);
	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(berth_layout_compute(&geometry, &caps, &cases[i].layout), BERTH_E_INVAL);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
		ASSERT_INT(geometry.bytes, 24);
	}
}

/*
 * (N, C/4, H, W, 4). The squarest are what TVM chose before 2026; the widest what it
 * chooses since, laid flat.
 */
static void choices(void)
{
	static const struct {
		uint64_t shape[9];
		struct {
			int scope;
			uint64_t width, height;
		} squarest, widest;
	} cases[] = {
		{ { 1, 8, 40, 40, 4 }, { TEXTURE, 40, 320 }, { WEIGHT, 12800, 1 } },
		{ { 1, 24, 20, 20, 4 }, { NHWC, 400, 24 }, { WEIGHT, 9600, 1 } },
		{ { 1, 8, 1, 1, 4 }, { WEIGHT, 8, 1 }, { WEIGHT, 8, 1 } },
		{ { 8, 32, 2, 2, 4 }, { WEIGHT, 128, 8 }, { WEIGHT, 128, 8 } },
		{ { 256, 16, 4, 4, 4 }, { WEIGHT, 256, 256 }, { WEIGHT, 256, 256 } },
		{ { 4, 2, 7, 7, 4 }, { NHWC, 49, 8 }, { WEIGHT, 98, 4 } },
		{ { 1, 64, 12, 12, 4 }, { NHWC, 144, 64 }, { WEIGHT, 9216, 1 } },
		{ { 1, 64, 100, 100, 4 }, { TEXTURE, 100, 6400 }, { NHWC, 10000, 64 } },
		{ { 1, 1, 100, 100, 4 }, { TEXTURE, 100, 100 }, { WEIGHT, 10000, 1 } },
		{ { 2, 16, 56, 56, 4 }, { TEXTURE, 56, 1792 }, { NHWC, 3136, 32 } },
		{ { 2, 8, 40, 40, 4 }, { TEXTURE, 40, 640 }, { WEIGHT, 12800, 2 } },
		{ { 1, 8, 720, 1280, 4 }, { TEXTURE, 1280, 5760 }, { TEXTURE, 1280, 5760 } },
		{ { 1, 4096, 129, 129, 4 },
		  { LINEAR, UINT64_C(4096) * 129 * 129 * 4, 1 },
		  { LINEAR, UINT64_C(4096) * 129 * 129 * 4, 1 } },
		/* two axes: one row, not one column of padded rows */
		{ { 100, 4 }, { WEIGHT, 1, 100 }, { TEXTURE, 100, 1 } },
	};
	static const berth_pitch_unit units[] = { PIXELS, BYTES };

	for (size_t i = 0; i < COUNT(cases) * COUNT(units); i++) {
		const size_t row = i / COUNT(units);
		const berth_caps caps = phone(units[i % COUNT(units)], 64);
		const berth_layout layout = layout_of(LINEAR, F16, 1, cases[row].shape);
		berth_geometry geometry = { 0 };

		test_case("row %zu, unit %zu", row, i % COUNT(units));
		ASSERT_OK(berth_layout_choose(&geometry, &caps, &layout, BERTH_CHOOSE_SQUAREST));
		ASSERT_INT(geometry.scope, cases[row].squarest.scope);
		ASSERT_INT(geometry.width, cases[row].squarest.width);
		ASSERT_INT(geometry.height, cases[row].squarest.height);
		ASSERT_OK(berth_layout_choose(&geometry, &caps, &layout, BERTH_CHOOSE_WIDEST));
		ASSERT_INT(geometry.scope, cases[row].widest.scope);
		ASSERT_INT(geometry.width, cases[row].widest.width);
		ASSERT_INT(geometry.height, cases[row].widest.height);
	}
}

/* Images too wide, their bytes small: the tensor is kept in a buffer. */
static void choices_at_limits(void)
{
	static const struct {
		uint64_t shape[9];
		uint64_t side, bytes;
	} cases[] = {
		{ { 320, 9072, 4 }, 8192, 23224320 },
		{ { 1120, 17920, 4 }, 16384, 160563200 },
		{ { 16, 18560, 4 }, 16384, 2375680 },
	};
	berth_geometry geometry = { .bytes = 7 };
	berth_caps caps = phone(PIXELS, 64);
	berth_layout layout;

	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("row %zu", i);
		layout = layout_of(TEXTURE, F16, 1, cases[i].shape);
		caps.image2d_max_width = caps.image2d_max_height = cases[i].side;
		ASSERT_INT(berth_layout_scopes(&caps, &layout), BERTH_SCOPE_BIT(LINEAR));
		ASSERT_OK(berth_layout_choose(&geometry, &caps, &layout, BERTH_CHOOSE_WIDEST));
		ASSERT_INT(geometry.scope, LINEAR);
		ASSERT_INT(geometry.bytes, cases[i].bytes);
	}
	test_case("nothing fits");
	caps.max_alloc_bytes = 2375679;
	ASSERT_INT(berth_layout_scopes(&caps, &layout), 0);
	ASSERT_INT(berth_layout_choose(&geometry, &caps, &layout, BERTH_CHOOSE_WIDEST),
		   BERTH_E_LIMIT);
	ASSERT_CONTAINS(berth_error_get()->message,
			"2375680 bytes are over max_alloc_bytes 2375679");
	ASSERT_INT(geometry.bytes, 2375680);
	test_case("no such rule");
	ASSERT_INT(berth_layout_choose(&geometry, &caps, &layout, (berth_choice)2), BERTH_E_INVAL);
}

static void scopes_that_fit(void)
{
	static const struct {
		uint64_t shape[9];
		uint32_t expected;
	} cases[] = {
		{ { 1, 8, 40, 40, 4 }, 0xF },
		{ { 1, 64, 100, 100, 4 }, 0xF & ~BERTH_SCOPE_BIT(WEIGHT) },
		{ { 1, 8, 720, 1280, 4 }, BERTH_SCOPE_BIT(LINEAR) | BERTH_SCOPE_BIT(TEXTURE) },
		{ { 5, 5, 5 }, BERTH_SCOPE_BIT(LINEAR) },
		{ { 5, 4 }, 0xF & ~BERTH_SCOPE_BIT(NHWC) },
		{ { 0 }, BERTH_SCOPE_BIT(LINEAR) },
	};
	const berth_caps caps = phone(PIXELS, 64);

	(void)berth_error_set(BERTH_E_IO, 0, "as it was");
	for (size_t i = 0; i < COUNT(cases); i++) {
		const berth_layout layout = layout_of(LINEAR, F16, 1, cases[i].shape);

		test_case("row %zu", i);
		ASSERT_INT(berth_layout_scopes(&caps, &layout), cases[i].expected);
	}
	ASSERT_INT(berth_layout_scopes(&caps, &(berth_layout){ .lanes = 0 }), 0);
	ASSERT_STRING(berth_error_get()->message, "as it was");
}

static void names_there_and_back(void)
{
	static const char *const scopes[] = { "linear", "texture", "texture-weight",
					      "texture-nhwc" };
	static const struct {
		const char *name;
		uint32_t bytes;
	} elements[] = {
		{ "int8", 1 },	 { "uint8", 1 },  { "int16", 2 },   { "uint16", 2 },
		{ "int32", 4 },	 { "uint32", 4 }, { "int64", 8 },   { "uint64", 8 },
		{ "float16", 2 }, { "float32", 4 }, { "float64", 8 }, { "bfloat16", 2 },
	};
	berth_element element = BERTH_ELEMENT_INT32;
	berth_scope scope = BERTH_SCOPE_TEXTURE;

	ASSERT_INT(COUNT(scopes), BERTH_SCOPE_END);
	for (unsigned i = 0; i < COUNT(scopes); i++) {
		ASSERT_STRING(berth_scope_string((berth_scope)i), scopes[i]);
		ASSERT_OK(berth_scope_parse(&scope, scopes[i]));
		ASSERT_INT(scope, i);
	}
	ASSERT_INT(COUNT(elements), BERTH_ELEMENT_END);
	for (unsigned i = 0; i < COUNT(elements); i++) {
		ASSERT_STRING(berth_element_string((berth_element)i), elements[i].name);
		ASSERT_INT(berth_element_bytes((berth_element)i), elements[i].bytes);
		ASSERT_OK(berth_element_parse(&element, elements[i].name));
		ASSERT_INT(element, i);
	}
	ASSERT_INT(berth_scope_parse(&scope, "global.texture"), BERTH_E_NOT_FOUND);
	ASSERT_INT(scope, NHWC);
	ASSERT_INT(berth_element_parse(&element, "float"), BERTH_E_NOT_FOUND);
	ASSERT_INT(element, BERTH_ELEMENT_BFLOAT16);
	ASSERT_STRING(berth_scope_string((berth_scope)-1), "unknown");
	ASSERT_STRING(berth_element_string(BERTH_ELEMENT_END), "unknown");
	ASSERT_INT(berth_element_bytes(BERTH_ELEMENT_END), 0);
}

int main(void)
{
	static const struct test tests[] = {
		{ "texture bytes", texture_bytes },
		{ "linear bytes", linear_bytes },
		{ "formats", formats },
		{ "alignments", alignments },
		{ "refusals", refusals },
		{ "bad layouts", bad_layouts },
		{ "choices", choices },
		{ "choices at limits", choices_at_limits },
		{ "scopes that fit", scopes_that_fit },
		{ "names there and back", names_there_and_back },
		{ NULL, NULL },
	};

	return test_main("layout", tests);
}
