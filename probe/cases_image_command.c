/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on commands on images, but for their regions: R63, R111-R116. */
#include "case.h"

#define PIXEL .extent = { 1, 1, 1 }
#define TILE .extent = { 16, 16, 1 }

#define MAP_OF(id, ...)                                                                            \
	{                                                                                          \
		.kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = id,                      \
		.flags = CL_MAP_READ, .mapping = MAPPING_NEW, .region = { PIXEL }, __VA_ARGS__     \
	}
#define WITHOUT_POINTER(op_kind)                                                                   \
	{                                                                                          \
		.kind = BERTH_OP_##op_kind, .form = BERTH_FORM_IMAGE, .object = IMG, .region = {   \
			PIXEL                                                                      \
		}                                                                                  \
	}

static const struct probe_row rows[] = {
	{ "R112.mem_object", "an image", KEEPS, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R112.mem_object", "a buffer", BREAKS, ON_IMAGE(WRITE, BUF, PIXEL) },
	{ "R112.flat", "2D, 0", KEEPS, ON_IMAGE(READ, IMG, TILE) },
	{ "R112.flat", "2D, 1024", BREAKS,
	  ON_IMAGE(READ, IMG, TILE, .other_slice_pitch_bytes = 1024) },
	{ "R112.flat", "1D, 64", BREAKS,
	  ON_IMAGE(READ, IMG_1D, PIXEL, .other_slice_pitch_bytes = 64) },
	{ "R112.row_pitch", "64", KEEPS, ON_IMAGE(WRITE, IMG, TILE, .other_row_pitch_bytes = 64) },
	{ "R112.row_pitch", "63", BREAKS, ON_IMAGE(WRITE, IMG, TILE, .other_row_pitch_bytes = 63) },
	{ "R112.slice_pitch", "512", KEEPS,
	  ON_IMAGE(READ, IMG_3D, .extent = { 16, 8, 2 }, .other_slice_pitch_bytes = 512) },
	{ "R112.slice_pitch", "511", BREAKS,
	  ON_IMAGE(READ, IMG_3D, .extent = { 16, 8, 2 }, .other_slice_pitch_bytes = 511) },
	{ "R112.slice_pitch", "512 with rows of 80", BREAKS,
	  ON_IMAGE(READ, IMG_3D, .extent = { 16, 8, 2 }, .other_row_pitch_bytes = 80,
		   .other_slice_pitch_bytes = 512) },
	{ "R112.slice_pitch", "1D array, 64", KEEPS,
	  ON_IMAGE(READ, ARRAY_1D, .extent = { 16, 4, 1 }, .other_slice_pitch_bytes = 64) },
	{ "R112.slice_pitch", "1D array, 63", BREAKS,
	  ON_IMAGE(READ, ARRAY_1D, .extent = { 16, 4, 1 }, .other_slice_pitch_bytes = 63) },
	{ "R112.pointer", "there", KEEPS, ON_IMAGE(READ, IMG, PIXEL) },
	{ "R112.pointer", "NULL", BREAKS, WITHOUT_POINTER(WRITE) },
	{ "R114.colour", "there", KEEPS, ON_IMAGE(FILL, IMG, PIXEL) },
	{ "R114.colour", "NULL", BREAKS, WITHOUT_POINTER(FILL) },
	{ "R116.pitch", "there", KEEPS, MAP_OF(IMG) },
	{ "R116.pitch", "NULL", BREAKS, MAP_OF(IMG, .absent = BERTH_ABSENT_MAP_PITCH) },
	{ "R113.mem_object", "an image", KEEPS, COPY_IMAGE(IMG, IMG_2, TILE) },
	{ "R113.mem_object", "a buffer", BREAKS, COPY_IMAGE(BUF, IMG_2, TILE) },
	{ "R113.other_mem_object", "an image", KEEPS, COPY_IMAGE(IMG, IMG_2, TILE) },
	{ "R113.other_mem_object", "NULL", BREAKS, COPY_IMAGE(IMG, BERTH_ID_NONE, TILE) },
	{ "R113.format", "the same", KEEPS, COPY_IMAGE(IMG, IMG_2, TILE) },
	{ "R113.format", "another type", BREAKS, COPY_IMAGE(IMG, IMG_FLOAT, TILE) },
	{ "R113.overlap", "side by side", KEEPS,
	  COPY_IMAGE(IMG, IMG, TILE, .other_origin = { 16, 0, 0 }) },
	{ "R113.overlap", "one column", BREAKS,
	  COPY_IMAGE(IMG, IMG, TILE, .other_origin = { 15, 0, 0 }) },
	{ "R113.overlap", "a corner, backwards", BREAKS,
	  COPY_IMAGE(IMG, IMG, TILE, .origin = { 15, 15, 0 }) },
	{ "R113.overlap", "other slices of a 3D image", KEEPS,
	  COPY_IMAGE(IMG_3D, IMG_3D, .extent = { 16, 8, 2 }, .other_origin = { 0, 0, 2 }) },
	{ "R113.overlap", "two images", KEEPS, COPY_IMAGE(IMG, IMG_2, TILE) },
	{ "R115.image", "to a buffer", KEEPS, TO_BUFFER(IMG, BUF, 0, TILE) },
	{ "R115.image", "a buffer instead", BREAKS, TO_BUFFER(BIG, BUF, 0, TILE) },
	{ "R115.buffer", "to an image", KEEPS, TO_IMAGE(BUF, 0, IMG, TILE) },
	{ "R115.buffer", "an image instead", BREAKS, TO_IMAGE(IMG, 0, IMG_2, TILE) },
	{ "R115.same_memory", "another buffer", KEEPS, TO_BUFFER(LINE, BIG, 0, PIXEL) },
	{ "R115.same_memory", "its buffer", BREAKS, TO_BUFFER(LINE, BUF, 0, PIXEL) },
	{ "R115.same_memory", "its buffer, backwards", BREAKS, TO_IMAGE(BUF, 0, LINE, PIXEL) },
	{ "R115.buffer_bounds", "4096 at 0", KEEPS,
	  TO_BUFFER(IMG, BUF, 0, .extent = { 32, 32, 1 }) },
	{ "R115.buffer_bounds", "4096 at 1", BREAKS,
	  TO_BUFFER(IMG, BUF, 1, .extent = { 32, 32, 1 }) },
	{ "R115.buffer_bounds", "4224 at 0", BREAKS,
	  TO_IMAGE(BUF, 0, IMG, .extent = { 33, 32, 1 }) },
	{ "R115.buffer_bounds", "bytes that do not fit 64 bits", BREAKS,
	  TO_IMAGE(BUF, 0, IMG, .extent = { UINT64_MAX, 32, 1 }) },
	{ "R63.mixed", "aligned", KEEPS, TO_BUFFER(IMG, SUB_A, 0, PIXEL) },
	{ "R63.mixed", "to", BREAKS, TO_BUFFER(IMG, SUB_ODD, 0, PIXEL) },
	{ "R63.mixed", "from", BREAKS, TO_IMAGE(SUB_ODD, 0, IMG, PIXEL) },
	{ "R111.size", "at the limit", KEEPS, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R111.size", "too wide", BREAKS, ON_IMAGE(WRITE, IMG_WIDE, PIXEL) },
	{ "R111.size", "a destination too wide", BREAKS, TO_IMAGE(BUF, 0, IMG_WIDE, PIXEL) },
	{ "R111.format", "there", KEEPS, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R111.format", "not there", BREAKS, ON_IMAGE(FILL, IMG_ODD, PIXEL) },
	{ "R111.images", "images", KEEPS, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R111.images", "none", BREAKS, ON_IMAGE(WRITE, IMG, PIXEL) },
};

const struct probe_rows probe_rows_image_command = PROBE_ROWS(rows);
