/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on creating images: R41-R62. */
#include "case.h"

/* 64 pixels of 4 bytes: rows of 256 */
#define PICTURE(...)                                                                               \
	{                                                                                          \
		IMAGE(2D, .width = 64, .height = 32), __VA_ARGS__                                  \
	}
#define COPIED(...)                                                                                \
	{                                                                                          \
		IMAGE(2D, .width = 64, .height = 32, __VA_ARGS__), .flags = CL_MEM_COPY_HOST_PTR,  \
								   .host_address = POINTER         \
	}
/* 16 x 8 x 4 pixels of 4 bytes: rows of 64, slices of 512 */
#define COPIED_3D(...)                                                                             \
	{                                                                                          \
		IMAGE(3D, .width = 16, .height = 8, .depth = 4, __VA_ARGS__),                      \
			.flags = CL_MEM_COPY_HOST_PTR, .host_address = POINTER                     \
	}

#define TYPED(image_type, channel_order, channel, ...)                                             \
	{                                                                                          \
		.kind = BERTH_OP_IMAGE_CREATE, .object = NEW, .image = {                           \
			.type = CL_MEM_OBJECT_IMAGE##image_type,                                   \
			.order = channel_order,                                                    \
			.channel_type = channel,                                                   \
			.width = 4,                                                                \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

#define FORMATTED(image_type, channel_order, channel)                                              \
	TYPED(image_type, channel_order, channel, .height = 4)

#define OLD_COPY .flags = CL_MEM_COPY_HOST_PTR, .host_address = POINTER
#define OLD_2D(...)                                                                                \
	{                                                                                          \
		IMAGE(2D, .width = 64, .height = 32), .bits = BERTH_OP_DEPRECATED, __VA_ARGS__     \
	}
#define OLD_3D(slices, ...)                                                                        \
	{                                                                                          \
		IMAGE(3D, .width = 64, .height = 32, .depth = slices),                             \
			.bits = BERTH_OP_DEPRECATED, __VA_ARGS__                                   \
	}

static const struct probe_row rows[] = {
	{ "R41", "images", KEEPS, PICTURE() },
	{ "R41", "no images", BREAKS, PICTURE() },
	{ "R42", "on a buffer", KEEPS, PICTURE(.image.height = 16, .other = BUF) },
	{ "R42", "not possible", BREAKS, PICTURE(.image.height = 16, .other = BUF) },
	{ "R42", "not on a buffer", KEEPS, PICTURE() },
	{ "R43", "3D", KEEPS, { IMAGE(3D, .width = 1, .height = 1, .depth = 1) } },
	{ "R43", "no 3D", BREAKS, { IMAGE(3D, .width = 1, .height = 1, .depth = 1) } },
	{ "R43", "2D where there is no 3D", KEEPS, PICTURE() },
	{ "R46.format", "there", KEEPS, PICTURE() },
	{ "R46.format", "NULL", BREAKS, PICTURE(.absent = BERTH_ABSENT_FORMAT) },
	{ "R46.pair", "RGBA, UNORM_INT8", KEEPS, FORMATTED(2D, CL_RGBA, CL_UNORM_INT8) },
	{ "R46.pair", "RGB, FLOAT", BREAKS, FORMATTED(2D, CL_RGB, CL_FLOAT) },
	{ "R46.pair", "no order", BREAKS, FORMATTED(2D, 0, CL_FLOAT) },
	{ "R48.desc", "there", KEEPS, PICTURE() },
	{ "R48.desc", "NULL", BREAKS, PICTURE(.absent = BERTH_ABSENT_DESC) },
	{ "R48.type", "1D", KEEPS, { IMAGE(1D, .width = 4) } },
	{ "R48.type", "a buffer", BREAKS, PICTURE(.image.type = CL_MEM_OBJECT_BUFFER) },
	{ "R48.levels", "0", KEEPS, PICTURE() },
	{ "R48.levels", "1", BREAKS, PICTURE(.image.mip_levels = 1) },
	{ "R48.samples", "0", KEEPS, PICTURE() },
	{ "R48.samples", "4", BREAKS, PICTURE(.image.samples = 4) },
	{ "R55", "0", KEEPS, PICTURE() },
	{ "R55", "256 with pointer", KEEPS, COPIED(.row_pitch_bytes = 256) },
	{ "R55", "256 on a buffer", KEEPS,
	  PICTURE(.image.height = 16, .image.row_pitch_bytes = 256, .other = BUF) },
	{ "R55", "256", BREAKS, PICTURE(.image.row_pitch_bytes = 256) },
	{ "R57.least", "256", KEEPS, COPIED(.row_pitch_bytes = 256) },
	{ "R57.least", "252", BREAKS, COPIED(.row_pitch_bytes = 252) },
	{ "R57.least",
	  "1D, 252",
	  BREAKS,
	  { IMAGE(1D, .width = 64, .row_pitch_bytes = 252), .flags = CL_MEM_COPY_HOST_PTR,
	    .host_address = POINTER } },
	{ "R57.least", "a row that does not fit 64 bits", BREAKS,
	  COPIED(.width = UINT64_MAX / 2, .row_pitch_bytes = 256) },
	{ "R57.multiple", "260", KEEPS, COPIED(.row_pitch_bytes = 260) },
	{ "R57.multiple", "258", BREAKS, COPIED(.row_pitch_bytes = 258) },
	{ "R60", "0", KEEPS, { IMAGE(3D, .width = 16, .height = 8, .depth = 4) } },
	{ "R60",
	  "512",
	  BREAKS,
	  { IMAGE(3D, .width = 16, .height = 8, .depth = 4, .slice_pitch_bytes = 512) } },
	{ "R60", "512 with pointer", KEEPS, COPIED_3D(.slice_pitch_bytes = 512) },
	{ "R60", "on an image: another rule", KEEPS,
	  PICTURE(.other = IMG, .image.slice_pitch_bytes = 512, .image.order = CL_sRGBA,
		  .flags = CL_MEM_READ_ONLY) },
	{ "R60",
	  "1D buffer: not used",
	  KEEPS,
	  { IMAGE(1D_BUFFER, .width = 16, .slice_pitch_bytes = 512), .other = BUF } },
	{ "R62.least", "512", KEEPS, COPIED_3D(.slice_pitch_bytes = 512) },
	{ "R62.least", "448", BREAKS, COPIED_3D(.slice_pitch_bytes = 448) },
	{ "R62.least", "rows of 128", BREAKS,
	  COPIED_3D(.row_pitch_bytes = 128, .slice_pitch_bytes = 512) },
	{ "R62.least",
	  "1D array, 64",
	  KEEPS,
	  { IMAGE(1D_ARRAY, .width = 16, .array_size = 4, .slice_pitch_bytes = 64),
	    .flags = CL_MEM_COPY_HOST_PTR, .host_address = POINTER } },
	{ "R62.least", "2D: not used", KEEPS, COPIED(.slice_pitch_bytes = 1) },
	{ "R62.multiple", "576", KEEPS, COPIED_3D(.slice_pitch_bytes = 576) },
	{ "R62.multiple", "544", BREAKS, COPIED_3D(.slice_pitch_bytes = 544) },
	{ "R49.zero", "1 x 1", KEEPS, { IMAGE(2D, .width = 1, .height = 1) } },
	{ "R49.zero", "0 x 1", BREAKS, { IMAGE(2D, .width = 0, .height = 1) } },
	{ "R49.zero", "1 x 0", BREAKS, { IMAGE(2D, .width = 1, .height = 0) } },
	{ "R49.zero", "1D, height unused", KEEPS, { IMAGE(1D, .width = 1, .height = 0) } },
	{ "R49.zero", "3D without depth", BREAKS, { IMAGE(3D, .width = 1, .height = 1) } },
	{ "R49.zero", "a slice pitch over rows of 0 bytes", BREAKS,
	  COPIED_3D(.width = 0, .slice_pitch_bytes = 512) },
	{ "R49.zero", "array of 0", BREAKS, { IMAGE(2D_ARRAY, .width = 1, .height = 1) } },
	{ "R49.width",
	  "the limit",
	  KEEPS,
	  { IMAGE(2D, .height = 1) },
	  { AT(image.width, WIDTH_2D, 0) } },
	{ "R49.width",
	  "one more",
	  BREAKS,
	  { IMAGE(2D, .height = 1) },
	  { AT(image.width, WIDTH_2D, 1) } },
	{ "R49.width", "1D, one more", BREAKS, { IMAGE(1D) }, { AT(image.width, WIDTH_2D, 1) } },
	{ "R49.width",
	  "3D, the limit",
	  KEEPS,
	  { IMAGE(3D, .height = 1, .depth = 1) },
	  { AT(image.width, WIDTH_3D, 0) } },
	{ "R49.width",
	  "3D, one more",
	  BREAKS,
	  { IMAGE(3D, .height = 1, .depth = 1) },
	  { AT(image.width, WIDTH_3D, 1) } },
	{ "R49.width",
	  "1D buffer, the limit",
	  KEEPS,
	  { IMAGE(1D_BUFFER, .order = CL_R), .other = BIG },
	  { AT(image.width, PIXELS_1D_BUFFER, 0) } },
	{ "R49.width",
	  "1D buffer, one more",
	  BREAKS,
	  { IMAGE(1D_BUFFER, .order = CL_R), .other = BIG },
	  { AT(image.width, PIXELS_1D_BUFFER, 1) } },
	{ "R49.height",
	  "the limit",
	  KEEPS,
	  { IMAGE(2D, .width = 1) },
	  { AT(image.height, HEIGHT_2D, 0) } },
	{ "R49.height",
	  "one more",
	  BREAKS,
	  { IMAGE(2D, .width = 1) },
	  { AT(image.height, HEIGHT_2D, 1) } },
	{ "R49.depth",
	  "3D, the limit",
	  KEEPS,
	  { IMAGE(3D, .width = 1, .height = 1) },
	  { AT(image.depth, DEPTH_3D, 0) } },
	{ "R49.depth",
	  "3D, one more",
	  BREAKS,
	  { IMAGE(3D, .width = 1, .height = 1) },
	  { AT(image.depth, DEPTH_3D, 1) } },
	{ "R49.array",
	  "1D array, the limit",
	  KEEPS,
	  { IMAGE(1D_ARRAY, .width = 1) },
	  { AT(image.array_size, LAYERS, 0) } },
	{ "R49.array",
	  "1D array, one more",
	  BREAKS,
	  { IMAGE(1D_ARRAY, .width = 1) },
	  { AT(image.array_size, LAYERS, 1) } },
	{ "R49.array",
	  "2D array, one more",
	  BREAKS,
	  { IMAGE(2D_ARRAY, .width = 1, .height = 1) },
	  { AT(image.array_size, LAYERS, 1) } },
	{ "R51.missing", "copy with pointer", KEEPS, COPIED() },
	{ "R51.missing", "copy without pointer", BREAKS, PICTURE(.flags = CL_MEM_COPY_HOST_PTR) },
	{ "R51.unwanted", "no pointer", KEEPS, PICTURE() },
	{ "R51.unwanted", "pointer without flag", BREAKS, PICTURE(.host_address = POINTER) },
	{ "R51.unwanted", "on a buffer (R79)", BREAKS,
	  PICTURE(.image.height = 16, .other = BUF, .host_address = POINTER) },
	{ "R52", "RGBA, FLOAT", KEEPS, FORMATTED(2D, CL_RGBA, CL_FLOAT) },
	{ "R52", "INTENSITY, FLOAT", BREAKS, FORMATTED(2D, CL_INTENSITY, CL_FLOAT) },
	{ "R52", "R in 2.0", KEEPS, FORMATTED(2D, CL_R, CL_UNORM_INT8) },
	{ "R52", "R in 3.0", BREAKS, FORMATTED(2D, CL_R, CL_UNORM_INT8) },
	{ "R52", "sRGBA to write", BREAKS, FORMATTED(2D, CL_sRGBA, CL_UNORM_INT8) },
	{ "R52",
	  "sRGBA on a buffer that is only read",
	  KEEPS,
	  { .kind = BERTH_OP_IMAGE_CREATE,
	    .object = NEW,
	    .other = RO,
	    .image = { .type = CL_MEM_OBJECT_IMAGE2D,
		       .order = CL_sRGBA,
		       .channel_type = CL_UNORM_INT8,
		       .width = 64,
		       .height = 4 } } },
	{ "R52", "1D: RGBA, FLOAT", KEEPS, TYPED(1D, CL_RGBA, CL_FLOAT) },
	{ "R52", "1D: INTENSITY, FLOAT", BREAKS, TYPED(1D, CL_INTENSITY, CL_FLOAT) },
	{ "R52", "1D: INTENSITY, FLOAT, not known", KEEPS, TYPED(1D, CL_INTENSITY, CL_FLOAT) },
	{ "R52", "1D array: RGBA, FLOAT", KEEPS,
	  TYPED(1D_ARRAY, CL_RGBA, CL_FLOAT, .array_size = 2) },
	{ "R52", "1D array: INTENSITY, FLOAT", BREAKS,
	  TYPED(1D_ARRAY, CL_INTENSITY, CL_FLOAT, .array_size = 2) },
	{ "R52", "2D array: RGBA, FLOAT", KEEPS,
	  TYPED(2D_ARRAY, CL_RGBA, CL_FLOAT, .height = 4, .array_size = 2) },
	{ "R52", "2D array: INTENSITY, FLOAT", BREAKS,
	  TYPED(2D_ARRAY, CL_INTENSITY, CL_FLOAT, .height = 4, .array_size = 2) },
	{ "R52", "2D array: sRGBA to write", BREAKS,
	  TYPED(2D_ARRAY, CL_sRGBA, CL_UNORM_INT8, .height = 4, .array_size = 2) },
	{ "R52", "3D: RGBA, FLOAT", KEEPS, TYPED(3D, CL_RGBA, CL_FLOAT, .height = 4, .depth = 2) },
	{ "R52", "3D: INTENSITY, FLOAT", BREAKS,
	  TYPED(3D, CL_INTENSITY, CL_FLOAT, .height = 4, .depth = 2) },
	{ "R52", "3D: sRGBA to write", BREAKS,
	  TYPED(3D, CL_sRGBA, CL_UNORM_INT8, .height = 4, .depth = 2) },
	{ "R44", "good ones", KEEPS, PICTURE(.bits = BERTH_OP_PROPERTIES) },
	{ "R44", "an unknown one", BREAKS,
	  PICTURE(.bits = BERTH_OP_PROPERTIES, .absent = BERTH_ABSENT_PROPERTY) },
	{ "R49.pitch", "none", KEEPS, OLD_2D() },
	{ "R49.pitch", "of the row", KEEPS, OLD_2D(OLD_COPY, .image.row_pitch_bytes = 256) },
	{ "R49.pitch", "below the row", BREAKS, OLD_2D(OLD_COPY, .image.row_pitch_bytes = 252) },
	{ "R49.pitch", "no multiple of the element", BREAKS,
	  OLD_2D(OLD_COPY, .image.row_pitch_bytes = 258) },
	{ "R49.pitch", "without a pointer", BREAKS, OLD_2D(.image.row_pitch_bytes = 256) },
	{ "R49.pitch", "of the slice", KEEPS,
	  OLD_3D(2, OLD_COPY, .image.slice_pitch_bytes = 8192) },
	{ "R49.pitch", "below the slice", BREAKS,
	  OLD_3D(2, OLD_COPY, .image.slice_pitch_bytes = 7936) },
	{ "R49.pitch", "no multiple of the row", BREAKS,
	  OLD_3D(2, OLD_COPY, .image.slice_pitch_bytes = 8196) },
	{ "R49.flat", "2", KEEPS, OLD_3D(2) },
	{ "R49.flat", "1", BREAKS, OLD_3D(1) },
	{ "R49.flat",
	  "1 with clCreateImage",
	  KEEPS,
	  { IMAGE(3D, .width = 64, .height = 32, .depth = 1) } },
};

const struct probe_rows probe_rows_image = PROBE_ROWS(rows);
