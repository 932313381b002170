/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on images on buffers and images: R48, R54, R58, R59, R70-R76. */
#include "case.h"

/* The pitch alignment is 64 pixels: 256 bytes of RGBA8, 1024 of RGBA float. */
#define ON(parent, w, h, ...)                                                                      \
	{                                                                                          \
		IMAGE(2D, .width = w, .height = h, __VA_ARGS__), .other = parent                   \
	}
#define LINE_ON(parent, w, ...)                                                                    \
	{                                                                                          \
		IMAGE(1D_BUFFER, .width = w, __VA_ARGS__), .other = parent                         \
	}
#define SRGB_ON(parent, w, ...)                                                                    \
	{                                                                                          \
		IMAGE(2D, .width = w, .height = 32, .order = CL_sRGBA, __VA_ARGS__),               \
			.other = parent, .flags = CL_MEM_READ_ONLY                                 \
	}

static const struct probe_row rows[] = {
	{ "R58", "the alignment", KEEPS, ON(BIG, 1, 4), { AT(image.row_pitch_bytes, PITCH, 0) } },
	{ "R58", "a pixel more", BREAKS, ON(BIG, 1, 4), { AT(image.row_pitch_bytes, PITCH, 4) } },
	{ "R58", "a pixel less", BREAKS, ON(BIG, 1, 4), { AT(image.row_pitch_bytes, PITCH, -4) } },
	{ "R58", "260", BREAKS, ON(BUF, 64, 4, .row_pitch_bytes = 260) },
	{ "R58", "260 where the unit is bytes", KEEPS, ON(BUF, 64, 4, .row_pitch_bytes = 260) },
	{ "R58", "256 of 16-byte pixels", BREAKS,
	  ON(BUF, 16, 4, .channel_type = CL_FLOAT, .row_pitch_bytes = 256) },
	{ "R58", "half, 1024", KEEPS,
	  ON(BUF, 100, 4, .channel_type = CL_HALF_FLOAT, .row_pitch_bytes = 1024) },
	{ "R58", "half, 800", BREAKS,
	  ON(BUF, 100, 4, .channel_type = CL_HALF_FLOAT, .row_pitch_bytes = 800) },
	{ "R58", "half, 1000", BREAKS,
	  ON(BUF, 100, 4, .channel_type = CL_HALF_FLOAT, .row_pitch_bytes = 1000) },
	{ "R58", "on a sub-buffer", BREAKS, ON(SUB_A, 16, 2, .row_pitch_bytes = 128) },
	{ "R58", "1D buffer: not used", KEEPS, LINE_ON(BUF, 64, .row_pitch_bytes = 3) },
	{ "R59", "aligned", KEEPS, ON(BIG, 0, 4), { AT(image.width, PITCH_PX, 0) } },
	{ "R59", "a pixel more", BREAKS, ON(BIG, 0, 4), { AT(image.width, PITCH_PX, 1) } },
	{ "R59", "65 pixels", BREAKS, ON(BUF, 65, 4) },
	{ "R59", "65 pixels in 3.1, which has no default", KEEPS, ON(BUF, 65, 4) },
	{ "R59", "65 pixels with a pitch", KEEPS, ON(BUF, 65, 4, .row_pitch_bytes = 512) },
	{ "R73", "0x10000", KEEPS, ON(HOST_EVEN, 64, 4) },
	{ "R73", "0x10004", BREAKS, ON(HOST_ODD, 64, 4) },
	{ "R73", "0x10004 where 4 bytes do", KEEPS, ON(HOST_ODD, 64, 4) },
	{ "R75.format", "sRGBA on RGBA", KEEPS, SRGB_ON(IMG, 64) },
	{ "R75.format", "RGBA on RGBA", BREAKS, ON(IMG, 64, 32) },
	{ "R75.format", "another type", BREAKS, SRGB_ON(IMG_FLOAT, 64) },
	{ "R75.descriptor", "equal", KEEPS, SRGB_ON(IMG, 64) },
	{ "R75.descriptor", "another width", BREAKS, SRGB_ON(IMG, 63) },
	{ "R75.descriptor", "a pitch of its own", BREAKS,
	  SRGB_ON(IMG, 64, .row_pitch_bytes = 256) },
	{ "R48.mem_object", "NULL", KEEPS, ON(BERTH_ID_NONE, 64, 4) },
	{ "R48.mem_object", "a buffer", KEEPS, ON(BUF, 64, 4) },
	{ "R54b", "with a buffer", KEEPS, LINE_ON(BUF, 64) },
	{ "R54b", "without", BREAKS, LINE_ON(BERTH_ID_NONE, 64) },
	{ "R54b", "2D without", KEEPS, ON(BERTH_ID_NONE, 64, 4) },
	{ "R76", "2D on a buffer", KEEPS, ON(BUF, 64, 4) },
	{ "R76", "1D buffer on a sub-buffer", KEEPS, LINE_ON(SUB_A, 64) },
	{ "R76", "1D buffer on an image", BREAKS, LINE_ON(IMG, 64) },
	{ "R76", "1D on a buffer", BREAKS, { IMAGE(1D, .width = 64), .other = BUF } },
	{ "R76",
	  "3D on a buffer",
	  BREAKS,
	  { IMAGE(3D, .width = 4, .height = 4, .depth = 4), .other = BUF } },
	{ "R76", "2D on a 3D image", BREAKS, ON(IMG_3D, 16, 8) },
	{ "R76", "2D on an image in 1.2", BREAKS, ON(IMG, 64, 32) },
	{ "R76", "2D on a buffer in 1.2 without the extension", BREAKS, ON(BUF, 64, 4) },
	{ "R70", "1024", KEEPS, LINE_ON(BUF, 1024) },
	{ "R70", "1025", BREAKS, LINE_ON(BUF, 1025) },
	{ "R70", "on a sub-buffer, 257", BREAKS, LINE_ON(SUB_A, 257) },
	{ "R70", "2^62 pixels", BREAKS, LINE_ON(BUF, UINT64_C(1) << 62) },
	{ "R71", "16 rows of 256", KEEPS, ON(BUF, 64, 16) },
	{ "R71", "17 rows of 256", BREAKS, ON(BUF, 64, 17) },
	{ "R71", "8 rows of 512", KEEPS, ON(BUF, 64, 8, .row_pitch_bytes = 512) },
	{ "R71", "9 rows of 512", BREAKS, ON(BUF, 64, 9, .row_pitch_bytes = 512) },
	{ "R71", "rows of 2^63", BREAKS, ON(BUF, 64, 4, .row_pitch_bytes = UINT64_C(1) << 63) },
	{ "R48.mem_object", "no object's handle", BREAKS, ON(BERTH_ID_UNKNOWN, 64, 4) },
};

const struct probe_rows probe_rows_image_memory = PROBE_ROWS(rows);
