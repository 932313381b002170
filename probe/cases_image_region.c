/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on origins and regions of commands on images: R110. */
#include "case.h"

#define PIXEL .extent = { 1, 1, 1 }
#define TILE .extent = { 16, 16, 1 }
#define ABSENT(op_kind, from, to, bits)                                                            \
	{                                                                                          \
		.kind = BERTH_OP_##op_kind, .form = BERTH_FORM_IMAGE, .object = from, .other = to, \
		.host_address = POINTER, .absent = bits, .region = {                               \
			PIXEL                                                                      \
		}                                                                                  \
	}

static const struct probe_row rows[] = {
	{ "R110.null", "all there", KEEPS, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R110.null", "no origin", BREAKS, ABSENT(WRITE, IMG, 0, BERTH_ABSENT_ORIGIN) },
	{ "R110.null", "no region", BREAKS, ABSENT(FILL, IMG, 0, BERTH_ABSENT_EXTENT) },
	{ "R110.null", "no destination origin", BREAKS,
	  ABSENT(COPY, IMG, IMG_2, BERTH_ABSENT_OTHER_ORIGIN) },
	{ "R110.bounds", "2D, to the end", KEEPS,
	  ON_IMAGE(WRITE, IMG, .origin = { 48, 16 }, TILE) },
	{ "R110.bounds", "2D, one column more", BREAKS,
	  ON_IMAGE(WRITE, IMG, .origin = { 49, 16 }, TILE) },
	{ "R110.bounds", "2D, one row more", BREAKS,
	  ON_IMAGE(READ, IMG, .origin = { 48, 17 }, TILE) },
	{ "R110.bounds", "the end wraps", BREAKS,
	  ON_IMAGE(READ, IMG, .origin = { UINT64_MAX, 0 }, TILE) },
	{ "R110.bounds", "3D, to the end", KEEPS,
	  ON_IMAGE(READ, IMG_3D, .origin = { 0, 0, 3 }, PIXEL) },
	{ "R110.bounds", "3D, one slice more", BREAKS,
	  ON_IMAGE(READ, IMG_3D, .origin = { 0, 0, 4 }, PIXEL) },
	{ "R110.bounds", "1D array, last", KEEPS,
	  ON_IMAGE(FILL, ARRAY_1D, .origin = { 0, 3, 0 }, PIXEL) },
	{ "R110.bounds", "1D array, past it", BREAKS,
	  ON_IMAGE(FILL, ARRAY_1D, .origin = { 0, 4, 0 }, PIXEL) },
	{ "R110.bounds", "2D array, last", KEEPS,
	  ON_IMAGE(FILL, ARRAY_2D, .origin = { 0, 0, 3 }, PIXEL) },
	{ "R110.bounds", "2D array, past it", BREAKS,
	  ON_IMAGE(FILL, ARRAY_2D, .origin = { 0, 0, 4 }, PIXEL) },
	{ "R110.bounds", "source of a copy", BREAKS,
	  TO_BUFFER(IMG, BUF, 0, .origin = { 64, 0, 0 }, PIXEL) },
	{ "R110.other_bounds", "to the end", KEEPS,
	  COPY_IMAGE(IMG, IMG_2, TILE, .other_origin = { 48, 16, 0 }) },
	{ "R110.other_bounds", "one more", BREAKS,
	  COPY_IMAGE(IMG, IMG_2, TILE, .other_origin = { 49, 16, 0 }) },
	{ "R110.other_bounds", "from a buffer", BREAKS,
	  TO_IMAGE(BUF, 0, IMG, PIXEL, .other_origin = { 0, 32, 0 }) },
	{ "R110.origin", "2D, 0", KEEPS, ON_IMAGE(READ, IMG, PIXEL) },
	{ "R110.origin", "2D, 1", BREAKS, ON_IMAGE(READ, IMG, .origin = { 0, 0, 1 }, PIXEL) },
	{ "R110.origin", "1D, y 1", BREAKS, ON_IMAGE(READ, IMG_1D, .origin = { 0, 1, 0 }, PIXEL) },
	{ "R110.origin", "1D buffer, y 1", BREAKS,
	  ON_IMAGE(READ, LINE, .origin = { 0, 1, 0 }, PIXEL) },
	{ "R110.origin", "1D array, z 1", BREAKS,
	  ON_IMAGE(READ, ARRAY_1D, .origin = { 0, 0, 1 }, PIXEL) },
	{ "R110.other_origin", "0", KEEPS, COPY_IMAGE(IMG, IMG_2, PIXEL) },
	{ "R110.other_origin", "1", BREAKS,
	  COPY_IMAGE(IMG, IMG_2, PIXEL, .other_origin = { 0, 0, 1 }) },
	{ "R110.region", "2D, 1", KEEPS, ON_IMAGE(READ, IMG, TILE) },
	{ "R110.region", "2D, 2", BREAKS, ON_IMAGE(READ, IMG, .extent = { 16, 16, 2 }) },
	{ "R110.region", "1D, 2 rows", BREAKS, ON_IMAGE(READ, IMG_1D, .extent = { 16, 2, 1 }) },
	{ "R110.region", "1D array, 2 images", KEEPS,
	  ON_IMAGE(READ, ARRAY_1D, .extent = { 16, 2, 1 }) },
	{ "R110.other_region", "2D from 3D, 1", KEEPS,
	  COPY_IMAGE(IMG_3D, IMG, .extent = { 16, 8, 1 }) },
	{ "R110.other_region", "2D from 3D, 2", BREAKS,
	  COPY_IMAGE(IMG_3D, IMG, .extent = { 16, 8, 2 }) },
	{ "R110.zero", "1 x 1 x 1", KEEPS, ON_IMAGE(READ, IMG, PIXEL) },
	{ "R110.zero", "no row", BREAKS, ON_IMAGE(READ, IMG, .extent = { 16, 0, 1 }) },
	{ "R110.zero", "no depth", BREAKS, ON_IMAGE(READ, IMG_3D, .extent = { 1, 1, 0 }) },
};

const struct probe_rows probe_rows_image_region = PROBE_ROWS(rows);
