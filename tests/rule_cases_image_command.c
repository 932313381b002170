/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on commands on images, but for their regions: R63, R111-R116. */
#include "rule_cases.h"

#define BAD CL_INVALID_VALUE
#define OBJECT CL_INVALID_MEM_OBJECT

#define PIXEL .extent = { 1, 1, 1 }
#define TILE .extent = { 16, 16, 1 }

#define MAP_OF(id, ...)                                                                            \
	{ .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = id, .flags = CL_MAP_READ,      \
	  .mapping = MAPPING_NEW, .region = { PIXEL }, __VA_ARGS__ }
#define WITHOUT_POINTER(op_kind)                                                                   \
	{ .kind = BERTH_OP_##op_kind, .form = BERTH_FORM_IMAGE, .object = IMG, .region = { PIXEL } }

static void as_large_as_img(berth_caps *caps)
{
	caps->image2d_max_width = 64;
	caps->image2d_max_height = 32;
}

static const struct rule_case cases[] = {
	{ "R112.mem_object", "an image", 0, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R112.mem_object", "a buffer", OBJECT, ON_IMAGE(WRITE, BUF, PIXEL),
	  .why = { "1 is a buffer", "an image" } },
	{ "R112.mem_object", "unknown", OBJECT, ON_IMAGE(FILL, BERTH_ID_UNKNOWN, PIXEL) },
	{ "R112.mem_object", "ended", OBJECT, MAP_OF(ENDED), .why = { "15 is not alive" } },

	{ "R112.flat", "2D, 0", 0, ON_IMAGE(READ, IMG, TILE) },
	{ "R112.flat", "2D, 1024", BAD, ON_IMAGE(READ, IMG, TILE, .other_slice_pitch_bytes = 1024),
	  .why = { "1024", "0" } },
	{ "R112.flat", "1D, 64", BAD, ON_IMAGE(READ, IMG_1D, PIXEL, .other_slice_pitch_bytes = 64) },

	/* 16 pixels of 4 bytes */
	{ "R112.row_pitch", "64", 0, ON_IMAGE(WRITE, IMG, TILE, .other_row_pitch_bytes = 64) },
	{ "R112.row_pitch", "63", BAD, ON_IMAGE(WRITE, IMG, TILE, .other_row_pitch_bytes = 63),
	  .why = { "63", "16 x 4" } },

	/* 8 rows of 64 */
	{ "R112.slice_pitch", "512", 0,
	  ON_IMAGE(READ, IMG_3D, .extent = { 16, 8, 2 }, .other_slice_pitch_bytes = 512) },
	{ "R112.slice_pitch", "511", BAD,
	  ON_IMAGE(READ, IMG_3D, .extent = { 16, 8, 2 }, .other_slice_pitch_bytes = 511),
	  .why = { "511", "8 rows of 64" } },
	{ "R112.slice_pitch", "512 with rows of 80", BAD,
	  ON_IMAGE(READ, IMG_3D, .extent = { 16, 8, 2 }, .other_row_pitch_bytes = 80,
		   .other_slice_pitch_bytes = 512), .why = { "512", "8 rows of 80" } },
	/* a slice of a 1D array is a row */
	{ "R112.slice_pitch", "1D array, 64", 0,
	  ON_IMAGE(READ, ARRAY_1D, .extent = { 16, 4, 1 }, .other_slice_pitch_bytes = 64) },
	{ "R112.slice_pitch", "1D array, 63", BAD,
	  ON_IMAGE(READ, ARRAY_1D, .extent = { 16, 4, 1 }, .other_slice_pitch_bytes = 63) },

	{ "R112.pointer", "there", 0, ON_IMAGE(READ, IMG, PIXEL) },
	{ "R112.pointer", "NULL", BAD, WITHOUT_POINTER(WRITE), .why = { "NULL" } },

	{ "R114.colour", "there", 0, ON_IMAGE(FILL, IMG, PIXEL) },
	{ "R114.colour", "NULL", BAD, WITHOUT_POINTER(FILL), .why = { "NULL" } },

	{ "R116.pitch", "there", 0, MAP_OF(IMG) },
	{ "R116.pitch", "NULL", BAD, MAP_OF(IMG, .absent = BERTH_ABSENT_MAP_PITCH), .why = { "NULL" } },

	{ "R113.mem_object", "an image", 0, COPY_IMAGE(IMG, IMG_2, TILE) },
	{ "R113.mem_object", "a buffer", OBJECT, COPY_IMAGE(BUF, IMG_2, TILE),
	  .why = { "1 is a buffer", "an image" } },
	{ "R113.other_mem_object", "an image", 0, COPY_IMAGE(IMG, IMG_2, TILE) },
	{ "R113.other_mem_object", "NULL", OBJECT, COPY_IMAGE(IMG, BERTH_ID_NONE, TILE),
	  .why = { "NULL", "an image" } },
	{ "R113.format", "the same", 0, COPY_IMAGE(IMG, IMG_2, TILE) },
	{ "R113.format", "another type", CL_IMAGE_FORMAT_MISMATCH, COPY_IMAGE(IMG, IMG_FLOAT, TILE),
	  .why = { "CL_UNORM_INT8", "CL_FLOAT" } },

	{ "R113.overlap", "side by side", 0, COPY_IMAGE(IMG, IMG, TILE, .other_origin = { 16, 0, 0 }) },
	{ "R113.overlap", "one column", CL_MEM_COPY_OVERLAP,
	  COPY_IMAGE(IMG, IMG, TILE, .other_origin = { 15, 0, 0 }), .why = { "0,0,0", "15,0,0" } },
	{ "R113.overlap", "a corner, backwards", CL_MEM_COPY_OVERLAP,
	  COPY_IMAGE(IMG, IMG, TILE, .origin = { 15, 15, 0 }) },
	{ "R113.overlap", "other slices of a 3D image", 0,
	  COPY_IMAGE(IMG_3D, IMG_3D, .extent = { 16, 8, 2 }, .other_origin = { 0, 0, 2 }) },
	{ "R113.overlap", "two images", 0, COPY_IMAGE(IMG, IMG_2, TILE) },

	{ "R115.image", "to a buffer", 0, TO_BUFFER(IMG, BUF, 0, TILE) },
	{ "R115.image", "a buffer instead", OBJECT, TO_BUFFER(BIG, BUF, 0, TILE),
	  .why = { "5 is a buffer", "an image" } },
	{ "R115.image", "ended", OBJECT, TO_IMAGE(BUF, 0, ENDED, TILE) },
	{ "R115.buffer", "to an image", 0, TO_IMAGE(BUF, 0, IMG, TILE) },
	{ "R115.buffer", "an image instead", OBJECT, TO_IMAGE(IMG, 0, IMG_2, TILE),
	  .why = { "16 is an image", "a buffer" } },
	{ "R115.buffer", "unknown", OBJECT, TO_BUFFER(IMG, BERTH_ID_UNKNOWN, 0, TILE) },

	{ "R115.same_memory", "another buffer", 0, TO_BUFFER(LINE, BIG, 0, PIXEL) },
	{ "R115.same_memory", "its buffer", OBJECT, TO_BUFFER(LINE, BUF, 0, PIXEL),
	  .why = { "image 23", "buffer 1" } },
	{ "R115.same_memory", "its buffer, backwards", OBJECT, TO_IMAGE(BUF, 0, LINE, PIXEL) },

	/* 32 x 32 pixels of 4 bytes are the buffer's 4096 */
	{ "R115.buffer_bounds", "4096 at 0", 0, TO_BUFFER(IMG, BUF, 0, .extent = { 32, 32, 1 }) },
	{ "R115.buffer_bounds", "4096 at 1", BAD, TO_BUFFER(IMG, BUF, 1, .extent = { 32, 32, 1 }),
	  .why = { "32 x 32 x 1 pixels of 4 bytes at 1", "4096" } },
	{ "R115.buffer_bounds", "4224 at 0", BAD, TO_IMAGE(BUF, 0, IMG, .extent = { 33, 32, 1 }) },
	{ "R115.buffer_bounds", "bytes that do not fit 64 bits", BAD,
	  TO_IMAGE(BUF, 0, IMG, .extent = { UINT64_MAX, 32, 1 }), .others = true },

	{ "R63.mixed", "aligned", 0, TO_BUFFER(IMG, SUB_A, 0, PIXEL) },
	{ "R63.mixed", "to", CL_MISALIGNED_SUB_BUFFER_OFFSET, TO_BUFFER(IMG, SUB_ODD, 0, PIXEL),
	  .why = { "at 100", "128 bytes" } },
	{ "R63.mixed", "from", CL_MISALIGNED_SUB_BUFFER_OFFSET, TO_IMAGE(SUB_ODD, 0, IMG, PIXEL) },

	{ "R111.size", "at the limit", 0, ON_IMAGE(WRITE, IMG, PIXEL), .change = as_large_as_img },
	{ "R111.size", "within", 0, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R111.size", "too wide", CL_INVALID_IMAGE_SIZE, ON_IMAGE(WRITE, IMG_WIDE, PIXEL),
	  .why = { "16385", "16384" } },
	{ "R111.size", "a destination too wide", CL_INVALID_IMAGE_SIZE, TO_IMAGE(BUF, 0, IMG_WIDE, PIXEL) },
	{ "R111.format", "there", 0, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R111.format", "not there", CL_IMAGE_FORMAT_NOT_SUPPORTED, ON_IMAGE(FILL, IMG_ODD, PIXEL),
	  .why = { "CL_INTENSITY CL_FLOAT", "11 formats" } },
	{ "R111.images", "images", 0, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R111.images", "none", CL_INVALID_OPERATION, ON_IMAGE(WRITE, IMG, PIXEL),
	  .change = without_images, .why = { "object 16", "no images" } },
};

const struct rule_cases rule_cases_image_command = RULE_CASES(cases);
