/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on origins and regions of commands on images: R110. */
#include "rule_cases.h"

#define BAD CL_INVALID_VALUE

#define PIXEL .extent = { 1, 1, 1 }
#define TILE .extent = { 16, 16, 1 }
#define ABSENT(op_kind, from, to, bits)                                                            \
	{ .kind = BERTH_OP_##op_kind, .form = BERTH_FORM_IMAGE, .object = from, .other = to,       \
	  .host_address = POINTER, .absent = bits, .region = { PIXEL } }

static const struct rule_case cases[] = {
	{ "R110.null", "all there", 0, ON_IMAGE(WRITE, IMG, PIXEL) },
	{ "R110.null", "no origin", BAD, ABSENT(WRITE, IMG, 0, BERTH_ABSENT_ORIGIN), .why = { "NULL" } },
	{ "R110.null", "no region", BAD, ABSENT(FILL, IMG, 0, BERTH_ABSENT_EXTENT) },
	{ "R110.null", "no destination origin", BAD, ABSENT(COPY, IMG, IMG_2, BERTH_ABSENT_OTHER_ORIGIN) },

	{ "R110.bounds", "2D, to the end", 0, ON_IMAGE(WRITE, IMG, .origin = { 48, 16 }, TILE) },
	{ "R110.bounds", "2D, one column more", BAD, ON_IMAGE(WRITE, IMG, .origin = { 49, 16 }, TILE),
	  .why = { "16 at 49", "64" } },
	{ "R110.bounds", "2D, one row more", BAD, ON_IMAGE(READ, IMG, .origin = { 48, 17 }, TILE),
	  .why = { "16 at 17", "32" } },
	{ "R110.bounds", "the end wraps", BAD, ON_IMAGE(READ, IMG, .origin = { UINT64_MAX, 0 }, TILE) },
	{ "R110.bounds", "3D, to the end", 0, ON_IMAGE(READ, IMG_3D, .origin = { 0, 0, 3 }, PIXEL) },
	{ "R110.bounds", "3D, one slice more", BAD, ON_IMAGE(READ, IMG_3D, .origin = { 0, 0, 4 }, PIXEL),
	  .why = { "1 at 4", "4" } },
	{ "R110.bounds", "1D array, last", 0, ON_IMAGE(FILL, ARRAY_1D, .origin = { 0, 3, 0 }, PIXEL) },
	{ "R110.bounds", "1D array, past it", BAD, ON_IMAGE(FILL, ARRAY_1D, .origin = { 0, 4, 0 }, PIXEL) },
	{ "R110.bounds", "2D array, last", 0, ON_IMAGE(FILL, ARRAY_2D, .origin = { 0, 0, 3 }, PIXEL) },
	{ "R110.bounds", "2D array, past it", BAD,
	  ON_IMAGE(FILL, ARRAY_2D, .origin = { 0, 0, 4 }, PIXEL) },
	{ "R110.bounds", "source of a copy", BAD, TO_BUFFER(IMG, BUF, 0, .origin = { 64, 0, 0 }, PIXEL),
	  .why = { "1 at 64", "64" } },

	{ "R110.other_bounds", "to the end", 0,
	  COPY_IMAGE(IMG, IMG_2, TILE, .other_origin = { 48, 16, 0 }) },
	{ "R110.other_bounds", "one more", BAD, COPY_IMAGE(IMG, IMG_2, TILE, .other_origin = { 49, 16, 0 }),
	  .why = { "16 at 49", "64" } },
	{ "R110.other_bounds", "from a buffer", BAD, TO_IMAGE(BUF, 0, IMG, PIXEL, .other_origin = { 0, 32, 0 }) },

	{ "R110.origin", "2D, 0", 0, ON_IMAGE(READ, IMG, PIXEL) },
	{ "R110.origin", "2D, 1", BAD, ON_IMAGE(READ, IMG, .origin = { 0, 0, 1 }, PIXEL),
	  .why = { "origin[2] is 1", "0" } },
	{ "R110.origin", "1D, y 1", BAD, ON_IMAGE(READ, IMG_1D, .origin = { 0, 1, 0 }, PIXEL),
	  .why = { "origin[1] is 1" } },
	{ "R110.origin", "1D buffer, y 1", BAD, ON_IMAGE(READ, LINE, .origin = { 0, 1, 0 }, PIXEL) },
	{ "R110.origin", "1D array, z 1", BAD, ON_IMAGE(READ, ARRAY_1D, .origin = { 0, 0, 1 }, PIXEL) },
	{ "R110.other_origin", "0", 0, COPY_IMAGE(IMG, IMG_2, PIXEL) },
	{ "R110.other_origin", "1", BAD, COPY_IMAGE(IMG, IMG_2, PIXEL, .other_origin = { 0, 0, 1 }),
	  .why = { "origin[2] is 1", "0" } },

	{ "R110.region", "2D, 1", 0, ON_IMAGE(READ, IMG, TILE) },
	{ "R110.region", "2D, 2", BAD, ON_IMAGE(READ, IMG, .extent = { 16, 16, 2 }),
	  .why = { "region[2] is 2", "1" } },
	{ "R110.region", "1D, 2 rows", BAD, ON_IMAGE(READ, IMG_1D, .extent = { 16, 2, 1 }) },
	{ "R110.region", "1D array, 2 images", 0, ON_IMAGE(READ, ARRAY_1D, .extent = { 16, 2, 1 }) },
	{ "R110.other_region", "2D from 3D, 1", 0, COPY_IMAGE(IMG_3D, IMG, .extent = { 16, 8, 1 }) },
	{ "R110.other_region", "2D from 3D, 2", BAD, COPY_IMAGE(IMG_3D, IMG, .extent = { 16, 8, 2 }),
	  .why = { "region[2] is 2", "1" } },

	{ "R110.zero", "1 x 1 x 1", 0, ON_IMAGE(READ, IMG, PIXEL) },
	{ "R110.zero", "no row", BAD, ON_IMAGE(READ, IMG, .extent = { 16, 0, 1 }),
	  .why = { "16 x 0 x 1", "at least 1" } },
	{ "R110.zero", "no depth", BAD, ON_IMAGE(READ, IMG_3D, .extent = { 1, 1, 0 }) },
};

const struct rule_cases rule_cases_image_region = RULE_CASES(cases);
