/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on creating images: R41-R62. */
#include "rule_cases.h"

#define DESC CL_INVALID_IMAGE_DESCRIPTOR
#define FORMAT CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
#define SIZE CL_INVALID_IMAGE_SIZE

/* 64 pixels of 4 bytes: rows of 256 */
#define PICTURE(...) { IMAGE(2D, .width = 64, .height = 32), __VA_ARGS__ }
#define COPIED(...)                                                                                \
	{ IMAGE(2D, .width = 64, .height = 32, __VA_ARGS__), .flags = CL_MEM_COPY_HOST_PTR,        \
	  .host_address = POINTER }
/* 16 x 8 x 4 pixels of 4 bytes: rows of 64, slices of 512 */
#define COPIED_3D(...)                                                                             \
	{ IMAGE(3D, .width = 16, .height = 8, .depth = 4, __VA_ARGS__),                            \
	  .flags = CL_MEM_COPY_HOST_PTR, .host_address = POINTER }

#define FORMATTED(image_type, channel_order, channel)                                              \
	{ .kind = BERTH_OP_IMAGE_CREATE, .object = NEW,                                            \
	  .image = { .type = CL_MEM_OBJECT_IMAGE##image_type, .order = channel_order,              \
		     .channel_type = channel, .width = 4, .height = 4 } }

static void without_3d_images(berth_caps *caps)
{
	caps->image3d_max_width = caps->image3d_max_height = caps->image3d_max_depth = 0;
}

static void with_3d_formats(berth_caps *caps)
{
	for (uint32_t i = 0; i < caps->format_count; i++)
		caps->formats[i].access |= BERTH_FORMAT_BITS(BERTH_FORMAT_3D, BERTH_FORMAT_READ);
}

static void higher_than_wide(berth_caps *caps)
{
	caps->image2d_max_height = 32768;
}

#define OLD_COPY .flags = CL_MEM_COPY_HOST_PTR, .host_address = POINTER
#define OLD_2D(...)                                                                                \
	{ IMAGE(2D, .width = 64, .height = 32), .bits = BERTH_OP_DEPRECATED, __VA_ARGS__ }
#define OLD_3D(slices, ...)                                                                        \
	{ IMAGE(3D, .width = 64, .height = 32, .depth = slices), .bits = BERTH_OP_DEPRECATED,      \
	  __VA_ARGS__ }

static const struct rule_case cases[] = {
	{ "R41", "images", 0, PICTURE() },
	{ "R41", "no images", CL_INVALID_OPERATION, PICTURE(), .change = without_images,
	  .why = { "no images" } },

	{ "R42", "on a buffer", 0, PICTURE(.image.height = 16, .other = BUF) },
	{ "R42", "not possible", CL_INVALID_OPERATION, PICTURE(.image.height = 16, .other = BUF),
	  .change = without_images_on_buffers, .why = { "object 1", "no 2D images" } },
	{ "R42", "not possible in 2.0: another rule", 0, PICTURE(.image.height = 16, .other = BUF),
	  .change = without_images_on_buffers, .version = 200, .others = true },
	{ "R42", "not on a buffer", 0, PICTURE(), .change = without_images_on_buffers },

	{ "R43", "3D", 0, { IMAGE(3D, .width = 1, .height = 1, .depth = 1) } },
	{ "R43", "no 3D", CL_INVALID_OPERATION, { IMAGE(3D, .width = 1, .height = 1, .depth = 1) },
	  .change = without_3d_images, .others = true, .why = { "no 3D images", "0" } },
	{ "R43", "2D where there is no 3D", 0, PICTURE(), .change = without_3d_images },

	{ "R46.format", "there", 0, PICTURE() },
	{ "R46.format", "NULL", FORMAT, PICTURE(.absent = BERTH_ABSENT_FORMAT),
	  .why = { "image_format is NULL" } },

	{ "R46.pair", "RGBA, UNORM_INT8", 0, FORMATTED(2D, CL_RGBA, CL_UNORM_INT8) },
	{ "R46.pair", "RGB, FLOAT", FORMAT, FORMATTED(2D, CL_RGB, CL_FLOAT),
	  .why = { "CL_RGB", "CL_FLOAT" } },
	{ "R46.pair", "no order", FORMAT, FORMATTED(2D, 0, CL_FLOAT), .why = { "0x0" } },

	{ "R48.desc", "there", 0, PICTURE() },
	{ "R48.desc", "NULL", DESC, PICTURE(.absent = BERTH_ABSENT_DESC),
	  .why = { "image_desc is NULL" } },

	{ "R48.type", "1D", 0, { IMAGE(1D, .width = 4) } },
	{ "R48.type", "a buffer", DESC, PICTURE(.image.type = CL_MEM_OBJECT_BUFFER),
	  .why = { "0x10F0" } },

	{ "R48.levels", "0", 0, PICTURE() },
	{ "R48.levels", "1", DESC, PICTURE(.image.mip_levels = 1), .why = { "1 mip", "0" } },
	{ "R48.samples", "0", 0, PICTURE() },
	{ "R48.samples", "4", DESC, PICTURE(.image.samples = 4), .why = { "4 samples", "0" } },

	{ "R55", "0", 0, PICTURE() },
	{ "R55", "256 with pointer", 0, COPIED(.row_pitch_bytes = 256) },
	{ "R55", "256 on a buffer", 0,
	  PICTURE(.image.height = 16, .image.row_pitch_bytes = 256, .other = BUF) },
	{ "R55", "256", DESC, PICTURE(.image.row_pitch_bytes = 256), .why = { "256", "0" } },

	{ "R57.least", "256", 0, COPIED(.row_pitch_bytes = 256) },
	{ "R57.least", "252", DESC, COPIED(.row_pitch_bytes = 252), .why = { "252", "64 x 4" } },
	{ "R57.least", "1D, 252", DESC,
	  { IMAGE(1D, .width = 64, .row_pitch_bytes = 252), .flags = CL_MEM_COPY_HOST_PTR,
	    .host_address = POINTER } },
	{ "R57.least", "a row that does not fit 64 bits", DESC,
	  COPIED(.width = UINT64_MAX / 2, .row_pitch_bytes = 256), .others = true },

	{ "R57.multiple", "260", 0, COPIED(.row_pitch_bytes = 260) },
	{ "R57.multiple", "258", DESC, COPIED(.row_pitch_bytes = 258), .why = { "258", "4" } },

	{ "R60", "0", 0, { IMAGE(3D, .width = 16, .height = 8, .depth = 4) } },
	{ "R60", "512", DESC,
	  { IMAGE(3D, .width = 16, .height = 8, .depth = 4, .slice_pitch_bytes = 512) },
	  .why = { "512", "0" } },
	{ "R60", "512 with pointer", 0, COPIED_3D(.slice_pitch_bytes = 512) },
	{ "R60", "on an image: another rule", 0,
	  PICTURE(.other = IMG, .image.slice_pitch_bytes = 512, .image.order = CL_sRGBA,
		  .flags = CL_MEM_READ_ONLY), .version = 200, .others = true },
	{ "R60", "1D buffer: not used", 0,
	  { IMAGE(1D_BUFFER, .width = 16, .slice_pitch_bytes = 512), .other = BUF } },

	{ "R62.least", "512", 0, COPIED_3D(.slice_pitch_bytes = 512) },
	{ "R62.least", "448", DESC, COPIED_3D(.slice_pitch_bytes = 448), .why = { "448", "8 rows of 64" } },
	{ "R62.least", "rows of 128", DESC, COPIED_3D(.row_pitch_bytes = 128, .slice_pitch_bytes = 512),
	  .why = { "512", "8 rows of 128" } },
	{ "R62.least", "1D array, 64", 0,
	  { IMAGE(1D_ARRAY, .width = 16, .array_size = 4, .slice_pitch_bytes = 64),
	    .flags = CL_MEM_COPY_HOST_PTR, .host_address = POINTER } },
	{ "R62.least", "2D: not used", 0, COPIED(.slice_pitch_bytes = 1) },

	{ "R62.multiple", "576", 0, COPIED_3D(.slice_pitch_bytes = 576) },
	{ "R62.multiple", "544", DESC, COPIED_3D(.slice_pitch_bytes = 544), .why = { "544", "64" } },

	{ "R49.zero", "1 x 1", 0, { IMAGE(2D, .width = 1, .height = 1) } },
	{ "R49.zero", "0 x 1", SIZE, { IMAGE(2D, .width = 0, .height = 1) },
	  .why = { "0 x 1 x 1", "at least 1" } },
	{ "R49.zero", "1 x 0", SIZE, { IMAGE(2D, .width = 1, .height = 0) } },
	{ "R49.zero", "1D, height unused", 0, { IMAGE(1D, .width = 1, .height = 0) } },
	{ "R49.zero", "3D without depth", SIZE, { IMAGE(3D, .width = 1, .height = 1) } },
	{ "R49.zero", "a slice pitch over rows of 0 bytes", SIZE,
	  COPIED_3D(.width = 0, .slice_pitch_bytes = 512) },
	{ "R49.zero", "array of 0", SIZE, { IMAGE(2D_ARRAY, .width = 1, .height = 1) } },

	{ "R49.width", "16384", 0, { IMAGE(2D, .width = 16384, .height = 1) } },
	{ "R49.width", "16385", SIZE, { IMAGE(2D, .width = 16385, .height = 1) },
	  .why = { "16385", "16384" } },
	{ "R49.width", "8193 in 1.2", SIZE, { IMAGE(2D, .width = 8193, .height = 1) }, .version = 120,
	  .why = { "8193", "8192" } },
	{ "R49.width", "1D, 16385", SIZE, { IMAGE(1D, .width = 16385) } },
	{ "R49.width", "3D, 2048", 0, { IMAGE(3D, .width = 2048, .height = 1, .depth = 1) } },
	{ "R49.width", "3D, 2049", SIZE, { IMAGE(3D, .width = 2049, .height = 1, .depth = 1) },
	  .why = { "2049", "2048" } },
	{ "R49.width", "1D buffer, 65536", 0, { IMAGE(1D_BUFFER, .width = 65536), .other = BIG } },
	{ "R49.width", "1D buffer, 65537", SIZE, { IMAGE(1D_BUFFER, .width = 65537), .other = BIG },
	  .why = { "65537", "65536" } },

	{ "R49.height", "16384", 0, { IMAGE(2D, .width = 1, .height = 16384) } },
	{ "R49.height", "16385", SIZE, { IMAGE(2D, .width = 1, .height = 16385) },
	  .why = { "16385", "16384" } },
	{ "R49.height", "a limit unlike the width's", 0, { IMAGE(2D, .width = 1, .height = 16385) },
	  .change = higher_than_wide },
	{ "R49.height", "1D array: not its height", 0,
	  { IMAGE(1D_ARRAY, .width = 1, .height = 16385, .array_size = 1) } },

	{ "R49.depth", "2048", 0, { IMAGE(3D, .width = 1, .height = 1, .depth = 2048) } },
	{ "R49.depth", "2049", SIZE, { IMAGE(3D, .width = 1, .height = 1, .depth = 2049) },
	  .why = { "2049", "2048" } },

	{ "R49.array", "2048", 0, { IMAGE(1D_ARRAY, .width = 1, .array_size = 2048) } },
	{ "R49.array", "2049", SIZE, { IMAGE(1D_ARRAY, .width = 1, .array_size = 2049) },
	  .why = { "2049", "2048" } },
	{ "R49.array", "2D, 2049", SIZE, { IMAGE(2D_ARRAY, .width = 1, .height = 1, .array_size = 2049) } },

	{ "R51.missing", "copy with pointer", 0, COPIED() },
	{ "R51.missing", "copy without pointer", CL_INVALID_HOST_PTR,
	  PICTURE(.flags = CL_MEM_COPY_HOST_PTR), .why = { "0x20", "NULL" } },
	{ "R51.unwanted", "no pointer", 0, PICTURE() },
	{ "R51.unwanted", "pointer without flag", CL_INVALID_HOST_PTR,
	  PICTURE(.host_address = POINTER), .why = { "0x1000", "0x0" } },
	{ "R51.unwanted", "on a buffer (R79)", CL_INVALID_HOST_PTR,
	  PICTURE(.image.height = 16, .other = BUF, .host_address = POINTER) },

	{ "R52", "RGBA, FLOAT", 0, FORMATTED(2D, CL_RGBA, CL_FLOAT) },
	{ "R52", "INTENSITY, FLOAT", CL_IMAGE_FORMAT_NOT_SUPPORTED,
	  FORMATTED(2D, CL_INTENSITY, CL_FLOAT), .why = { "CL_INTENSITY CL_FLOAT", "11 formats" } },
	{ "R52", "R in 2.0", 0, FORMATTED(2D, CL_R, CL_UNORM_INT8), .version = 200 },
	{ "R52", "R in 3.0", CL_IMAGE_FORMAT_NOT_SUPPORTED, FORMATTED(2D, CL_R, CL_UNORM_INT8) },
	{ "R52", "sRGBA to write", CL_IMAGE_FORMAT_NOT_SUPPORTED,
	  FORMATTED(2D, CL_sRGBA, CL_UNORM_INT8), .version = 200 },
	{ "R52", "sRGBA on a buffer that is only read", 0,
	  { .kind = BERTH_OP_IMAGE_CREATE, .object = NEW, .other = RO,
	    .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_sRGBA,
		       .channel_type = CL_UNORM_INT8, .width = 64, .height = 4 } }, .version = 200 },
	{ "R52", "3D, known to be read", 0,
	  { IMAGE(3D, .order = CL_RGBA, .channel_type = CL_FLOAT, .width = 4, .height = 4,
		  .depth = 2), .flags = CL_MEM_READ_ONLY }, .change = with_3d_formats },
	{ "R52", "3D, not to be written", CL_IMAGE_FORMAT_NOT_SUPPORTED,
	  { IMAGE(3D, .order = CL_RGBA, .channel_type = CL_FLOAT, .width = 4, .height = 4,
		  .depth = 2), .flags = CL_MEM_WRITE_ONLY }, .change = with_3d_formats,
	  .why = { "CL_RGBA CL_FLOAT" } },
	{ "R52", "1D where those of 3D are known", 0, FORMATTED(1D, CL_INTENSITY, CL_FLOAT),
	  .change = with_3d_formats },
	{ "R52", "1D: formats not known", 0, FORMATTED(1D, CL_INTENSITY, CL_FLOAT) },

	{ "R44", "good ones", 0, PICTURE(.bits = BERTH_OP_PROPERTIES) },
	{ "R44", "an unknown one", CL_INVALID_PROPERTY,
	  PICTURE(.bits = BERTH_OP_PROPERTIES, .absent = BERTH_ABSENT_PROPERTY),
	  .why = { "a property is not known" } },

	/* 64 pixels of 4 bytes are 256 bytes, 32 rows of them 8192 */
	{ "R49.pitch", "none", 0, OLD_2D() },
	{ "R49.pitch", "of the row", 0, OLD_2D(OLD_COPY, .image.row_pitch_bytes = 256) },
	{ "R49.pitch", "below the row", SIZE, OLD_2D(OLD_COPY, .image.row_pitch_bytes = 252),
	  .why = { "row pitch 252", "64 x 4" } },
	{ "R49.pitch", "no multiple of the element", SIZE,
	  OLD_2D(OLD_COPY, .image.row_pitch_bytes = 258) },
	{ "R49.pitch", "without a pointer", SIZE, OLD_2D(.image.row_pitch_bytes = 256),
	  .why = { "without a host pointer" } },
	{ "R49.pitch", "of the slice", 0, OLD_3D(2, OLD_COPY, .image.slice_pitch_bytes = 8192) },
	{ "R49.pitch", "below the slice", SIZE,
	  OLD_3D(2, OLD_COPY, .image.slice_pitch_bytes = 7936), .why = { "slice pitch 7936" } },
	{ "R49.pitch", "no multiple of the row", SIZE,
	  OLD_3D(2, OLD_COPY, .image.slice_pitch_bytes = 8196) },
	{ "R49.flat", "2", 0, OLD_3D(2) },
	{ "R49.flat", "1", SIZE, OLD_3D(1), .why = { "depth of 1" } },
	{ "R49.flat", "1 with clCreateImage", 0, { IMAGE(3D, .width = 64, .height = 32, .depth = 1) } },
};

const struct rule_cases rule_cases_image = RULE_CASES(cases);
