/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on rectangular commands on buffers: R101, R103, R104. */
#include "rule_cases.h"

#define BAD CL_INVALID_VALUE
#define OVERLAP CL_MEM_COPY_OVERLAP

/* 16 bytes x 4 rows x 2 slices, rows of 64, slices of 256: 256 + 3 * 64 + 16 = 464 bytes */
#define BOX .extent = { 16, 4, 2 }, .row_pitch_bytes = 64, .slice_pitch_bytes = 256
/* one row of 16 */
#define ROW .extent = { 16, 1, 1 }
/* both sides with rows of 64 and slices of 256 */
#define PITCHES                                                                                    \
	.row_pitch_bytes = 64, .other_row_pitch_bytes = 64, .slice_pitch_bytes = 256,              \
	.other_slice_pitch_bytes = 256

static const struct rule_case cases[] = {
	{ "R101.null", "all there", 0, RECT(WRITE, BUF, BOX) },
	{ "R101.null", "no origin", BAD,
	  { .kind = BERTH_OP_WRITE, .form = BERTH_FORM_RECT, .object = BUF, .host_address = POINTER,
	    .absent = BERTH_ABSENT_ORIGIN, .region = { BOX } }, .why = { "NULL" } },
	{ "R101.null", "no region", BAD,
	  { .kind = BERTH_OP_READ, .form = BERTH_FORM_RECT, .object = BUF, .host_address = POINTER,
	    .absent = BERTH_ABSENT_EXTENT } },

	/* 14 * 256 + 48 + 464 = 4096 */
	{ "R101.bounds", "to the end", 0, RECT(WRITE, BUF, .origin = { 48, 0, 14 }, BOX) },
	{ "R101.bounds", "one more", BAD, RECT(WRITE, BUF, .origin = { 49, 0, 14 }, BOX),
	  .why = { "last byte at 4096", "has 4096" } },
	/* 4096 / 64 = 64 rows of which the last may be short: 63 * 64 + 48 + 16 */
	{ "R101.bounds", "a short last row", 0,
	  RECT(READ, BUF, .origin = { 48, 60, 0 }, .extent = { 16, 4, 1 }, .row_pitch_bytes = 64) },
	{ "R101.bounds", "defaults: 16 x 16 x 16", 0, RECT(READ, BUF, .extent = { 16, 16, 16 }) },
	{ "R101.bounds", "defaults: 16 x 16 x 17", BAD, RECT(READ, BUF, .extent = { 16, 16, 17 }),
	  .why = { "last byte at 4351", "has 4096" } },
	{ "R101.bounds", "an origin that wraps", BAD,
	  RECT(READ, BUF, .origin = { 0, UINT64_MAX, 0 }, BOX), .why = { "2^64", "4096" } },
	{ "R101.bounds", "an origin that wraps in x", BAD,
	  RECT(READ, BUF, .origin = { UINT64_MAX, 0, 0 }, ROW) },

	{ "R101.bounds", "a slice that does not fit 64 bits", BAD,
	  RECT(READ, BUF, .extent = { 2, UINT64_C(1) << 63, 1 }), .why = { "2^64", "4096" } },

	{ "R101.zero", "1 x 1 x 1", 0, RECT(WRITE, BUF, .extent = { 1, 1, 1 }) },
	{ "R101.zero", "no row", BAD, RECT(WRITE, BUF, .extent = { 16, 0, 2 }),
	  .why = { "16 x 0 x 2", "at least 1" } },

	{ "R101.row_pitch", "16", 0, RECT(WRITE, BUF, ROW, .row_pitch_bytes = 16) },
	{ "R101.row_pitch", "15", BAD, RECT(WRITE, BUF, ROW, .row_pitch_bytes = 15),
	  .why = { "row pitch 15", "16 bytes" } },
	{ "R101.other_row_pitch", "16", 0, RECT(WRITE, BUF, ROW, .other_row_pitch_bytes = 16) },
	{ "R101.other_row_pitch", "15", BAD, RECT(WRITE, BUF, ROW, .other_row_pitch_bytes = 15),
	  .why = { "host row pitch 15", "16 bytes" } },

	{ "R101.slice_pitch", "256", 0, RECT(WRITE, BUF, BOX) },
	{ "R101.slice_pitch", "192", BAD,
	  RECT(WRITE, BUF, .extent = { 16, 4, 2 }, .row_pitch_bytes = 64, .slice_pitch_bytes = 192),
	  .why = { "slice pitch 192", "64, at least 4 rows" } },
	{ "R101.slice_pitch", "300: no multiple", BAD,
	  RECT(WRITE, BUF, .extent = { 16, 4, 2 }, .row_pitch_bytes = 64, .slice_pitch_bytes = 300) },
	{ "R101.slice_pitch", "320", 0,
	  RECT(WRITE, BUF, .extent = { 16, 4, 2 }, .row_pitch_bytes = 64, .slice_pitch_bytes = 320) },
	{ "R101.other_slice_pitch", "64, default rows of 16", 0,
	  RECT(READ, BUF, .extent = { 16, 4, 2 }, .other_slice_pitch_bytes = 64) },
	{ "R101.other_slice_pitch", "48", BAD,
	  RECT(READ, BUF, .extent = { 16, 4, 2 }, .other_slice_pitch_bytes = 48),
	  .why = { "host slice pitch 48", "16, at least 4 rows" } },

	{ "R101.pointer", "there", 0, RECT(READ, BUF, ROW) },
	{ "R101.pointer", "NULL", BAD,
	  { .kind = BERTH_OP_READ, .form = BERTH_FORM_RECT, .object = BUF, .region = { ROW } },
	  .why = { "NULL" } },

	{ "R102.other_mem_object", "rect, NULL, from a sub-buffer", CL_INVALID_MEM_OBJECT,
	  COPY_RECT(SUB_A, BERTH_ID_NONE, ROW) },

	{ "R103.null", "all there", 0, COPY_RECT(BUF, BIG, BOX) },
	{ "R103.null", "no destination origin", BAD,
	  { .kind = BERTH_OP_COPY, .form = BERTH_FORM_RECT, .object = BUF, .other = BIG,
	    .absent = BERTH_ABSENT_OTHER_ORIGIN, .region = { BOX } }, .why = { "NULL" } },

	{ "R103.bounds", "to the end", 0, COPY_RECT(BUF, BIG, .origin = { 48, 0, 14 }, BOX) },
	{ "R103.bounds", "one more", BAD, COPY_RECT(BUF, BIG, .origin = { 49, 0, 14 }, BOX),
	  .why = { "last byte at 4096", "has 4096" } },
	{ "R103.other_bounds", "to the end", 0, COPY_RECT(BIG, BUF, .other_origin = { 4080, 0, 0 }, ROW) },
	{ "R103.other_bounds", "one more", BAD,
	  COPY_RECT(BIG, BUF, .other_origin = { 4081, 0, 0 }, ROW),
	  .why = { "last byte at 4096", "has 4096" } },

	{ "R103.zero", "1 x 1 x 1", 0, COPY_RECT(BUF, BIG, .extent = { 1, 1, 1 }) },
	{ "R103.zero", "no slice", BAD, COPY_RECT(BUF, BIG, .extent = { 1, 1, 0 }),
	  .why = { "1 x 1 x 0", "at least 1" } },

	{ "R103.row_pitch", "16", 0, COPY_RECT(BUF, BIG, ROW, .row_pitch_bytes = 16) },
	{ "R103.row_pitch", "15", BAD, COPY_RECT(BUF, BIG, ROW, .row_pitch_bytes = 15),
	  .why = { "row pitch 15", "16 bytes" } },
	{ "R103.other_row_pitch", "16", 0, COPY_RECT(BUF, BIG, ROW, .other_row_pitch_bytes = 16) },
	{ "R103.other_row_pitch", "15", BAD, COPY_RECT(BUF, BIG, ROW, .other_row_pitch_bytes = 15),
	  .why = { "destination row pitch 15", "16 bytes" } },
	{ "R103.slice_pitch", "256", 0, COPY_RECT(BUF, BIG, BOX) },
	{ "R103.slice_pitch", "48", BAD,
	  COPY_RECT(BUF, BIG, .extent = { 16, 4, 2 }, .slice_pitch_bytes = 48),
	  .why = { "slice pitch 48", "16, at least 4 rows" } },
	{ "R103.other_slice_pitch", "64", 0,
	  COPY_RECT(BUF, BIG, .extent = { 16, 4, 2 }, .other_slice_pitch_bytes = 64) },
	{ "R103.other_slice_pitch", "72: no multiple", BAD,
	  COPY_RECT(BUF, BIG, .extent = { 16, 4, 2 }, .other_slice_pitch_bytes = 72),
	  .why = { "slice pitch 72", "16, at least 4 rows" } },

	{ "R103.same_pitches", "the same", 0,
	  COPY_RECT(BUF, BUF, ROW, PITCHES, .other_origin = { 0, 8, 0 }) },
	{ "R103.same_pitches", "rows of 64 and 128", BAD,
	  COPY_RECT(BUF, BUF, ROW, .row_pitch_bytes = 64, .other_row_pitch_bytes = 128,
		    .other_origin = { 0, 8, 0 }), .why = { "64", "128" } },
	{ "R103.same_pitches", "one given, one by default", 0,
	  COPY_RECT(BUF, BUF, ROW, .row_pitch_bytes = 16, .other_origin = { 0, 8, 0 }) },
	{ "R103.same_pitches", "two buffers", 0,
	  COPY_RECT(BUF, BIG, ROW, .row_pitch_bytes = 64, .other_row_pitch_bytes = 128) },

	/* columns of 16 in rows of 64: 16 apart fit beside each other, 15 do not */
	{ "R104", "columns side by side", 0,
	  COPY_RECT(BUF, BUF, .extent = { 16, 4, 1 }, PITCHES, .other_origin = { 16, 0, 0 }) },
	{ "R104", "columns meet", OVERLAP,
	  COPY_RECT(BUF, BUF, .extent = { 16, 4, 1 }, PITCHES, .other_origin = { 15, 0, 0 }),
	  .why = { "from 0 to 15", "208 bytes" } },
	/* 2 rows in slices of 4: 2 rows apart fit between each other, 1 does not */
	{ "R104", "slices side by side", 0,
	  COPY_RECT(BUF, BUF, .extent = { 64, 2, 2 }, PITCHES, .other_origin = { 0, 2, 0 }) },
	{ "R104", "slices side by side, further back", 0,
	  COPY_RECT(BUF, BUF, .extent = { 64, 2, 2 }, PITCHES, .origin = { 0, 0, 1 },
		    .other_origin = { 0, 2, 1 }) },
	{ "R104", "slices meet", OVERLAP,
	  COPY_RECT(BUF, BUF, .extent = { 64, 2, 2 }, PITCHES, .other_origin = { 0, 1, 0 }) },
	{ "R104", "one behind the other", 0,
	  COPY_RECT(BUF, BUF, .extent = { 64, 4, 2 }, PITCHES, .other_origin = { 0, 0, 2 }) },
	{ "R104", "onto itself", OVERLAP, COPY_RECT(BUF, BUF, ROW, PITCHES) },
	/* 1024 + 512 is where SUB_B starts */
	{ "R104", "two sub-buffers", OVERLAP,
	  COPY_RECT(SUB_A, SUB_B, ROW, PITCHES, .origin = { 0, 0, 2 }) },
	{ "R104", "two sub-buffers, columns side by side", 0,
	  COPY_RECT(SUB_A, SUB_B, .extent = { 16, 2, 1 }, PITCHES, .origin = { 16, 0, 2 }) },
	{ "R104", "a buffer and its sub-buffer: not named", 0,
	  COPY_RECT(BUF, SUB_A, ROW, .origin = { 1024, 0, 0 }) },
	{ "R104", "sub-buffers of two buffers", 0,
	  COPY_RECT(SUB_A, SUB_BIG, ROW, PITCHES, .origin = { 0, 0, 2 }) },
	{ "R104", "two sub-buffers, other pitches, boxes meet", OVERLAP,
	  COPY_RECT(SUB_A, SUB_B, .extent = { 16, 2, 1 }, .row_pitch_bytes = 512,
		    .other_row_pitch_bytes = 64) },
};

const struct rule_cases rule_cases_rect = RULE_CASES(cases);
