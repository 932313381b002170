/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the rules on images on buffers and images: R48, R54, R58, R59, R70-R76. */
#include "rule_cases.h"

#define DESC CL_INVALID_IMAGE_DESCRIPTOR
#define FORMAT CL_INVALID_IMAGE_FORMAT_DESCRIPTOR

/* The pitch alignment is 64 pixels: 256 bytes of RGBA8, 1024 of RGBA float. */
#define ON(parent, w, h, ...)                                                                      \
	{ IMAGE(2D, .width = w, .height = h, __VA_ARGS__), .other = parent }
#define LINE_ON(parent, w, ...) { IMAGE(1D_BUFFER, .width = w, __VA_ARGS__), .other = parent }
#define SRGB_ON(parent, w, ...)                                                                    \
	{ IMAGE(2D, .width = w, .height = 32, .order = CL_sRGBA, __VA_ARGS__), .other = parent,    \
	  .flags = CL_MEM_READ_ONLY }

static const struct rule_case cases[] = {
	{ "R58", "512", 0, ON(BUF, 64, 4, .row_pitch_bytes = 512) },
	{ "R58", "260", FORMAT, ON(BUF, 64, 4, .row_pitch_bytes = 260), .why = { "260", "256 bytes" } },
	{ "R58", "260 where the unit is bytes", 0, ON(BUF, 64, 4, .row_pitch_bytes = 260),
	  .change = alignment_in_bytes },
	{ "R58", "256 of 16-byte pixels", FORMAT,
	  ON(BUF, 16, 4, .channel_type = CL_FLOAT, .row_pitch_bytes = 256),
	  .why = { "256", "1024 bytes" } },
	/* 64 pixels of RGBA half are 512 bytes */
	{ "R58", "half, 1024", 0,
	  ON(BUF, 100, 4, .channel_type = CL_HALF_FLOAT, .row_pitch_bytes = 1024) },
	{ "R58", "half, 800", FORMAT,
	  ON(BUF, 100, 4, .channel_type = CL_HALF_FLOAT, .row_pitch_bytes = 800),
	  .why = { "800", "512 bytes" } },
	{ "R58", "half, 1000", FORMAT,
	  ON(BUF, 100, 4, .channel_type = CL_HALF_FLOAT, .row_pitch_bytes = 1000),
	  .why = { "1000", "512 bytes" } },
	{ "R58", "on a sub-buffer", FORMAT, ON(SUB_A, 16, 2, .row_pitch_bytes = 128) },
	{ "R58", "1D buffer: not used", 0, LINE_ON(BUF, 64, .row_pitch_bytes = 3) },

	{ "R59", "64 pixels", 0, ON(BUF, 64, 4) },
	{ "R59", "65 pixels", FORMAT, ON(BUF, 65, 4), .why = { "65 x 4", "256 bytes" } },
	{ "R59", "65 pixels in 1.2", FORMAT, ON(BUF, 65, 4), .version = 120 },
	{ "R59", "65 pixels in 3.1, which has no default", 0, ON(BUF, 65, 4), .version = 310 },
	{ "R59", "65 pixels with a pitch", 0, ON(BUF, 65, 4, .row_pitch_bytes = 512) },

	{ "R73", "0x10000", 0, ON(HOST_EVEN, 64, 4) },
	{ "R73", "0x10004", FORMAT, ON(HOST_ODD, 64, 4), .why = { "0x10004", "256 bytes" } },
	{ "R73", "0x10004 where 4 bytes do", 0, ON(HOST_ODD, 64, 4), .change = alignment_in_bytes },

	/* 2.0 has the formats; orders come in pairs */
	{ "R75.format", "sRGBA on RGBA", 0, SRGB_ON(IMG, 64), .version = 200 },
	{ "R75.format", "RGBA on RGBA", FORMAT, ON(IMG, 64, 32), .version = 200,
	  .why = { "CL_RGBA CL_UNORM_INT8 cannot", "CL_RGBA" } },
	{ "R75.format", "another type", FORMAT, SRGB_ON(IMG_FLOAT, 64), .version = 200 },

	{ "R75.descriptor", "equal", 0, SRGB_ON(IMG, 64), .version = 200 },
	{ "R75.descriptor", "another width", FORMAT, SRGB_ON(IMG, 63), .version = 200,
	  .why = { "63 x 32", "64 x 32" } },
	{ "R75.descriptor", "a pitch of its own", FORMAT, SRGB_ON(IMG, 64, .row_pitch_bytes = 256),
	  .version = 200 },

	{ "R48.mem_object", "NULL", 0, ON(BERTH_ID_NONE, 64, 4) },
	{ "R48.mem_object", "a buffer", 0, ON(BUF, 64, 4) },
	{ "R48.mem_object", "unknown", DESC, ON(BERTH_ID_UNKNOWN, 64, 4), .why = { "no known object" } },
	{ "R48.mem_object", "ended", DESC, ON(ENDED, 64, 4), .why = { "15 is not alive" } },

	{ "R54b", "with a buffer", 0, LINE_ON(BUF, 64) },
	{ "R54b", "without", DESC, LINE_ON(BERTH_ID_NONE, 64), .why = { "NULL", "a buffer" } },
	{ "R54b", "2D without", 0, ON(BERTH_ID_NONE, 64, 4) },

	{ "R76", "2D on a buffer", 0, ON(BUF, 64, 4) },
	{ "R76", "1D buffer on a sub-buffer", 0, LINE_ON(SUB_A, 64) },
	{ "R76", "1D buffer on an image", DESC, LINE_ON(IMG, 64), .why = { "1D buffer", "object 16" } },
	{ "R76", "1D on a buffer", DESC, { IMAGE(1D, .width = 64), .other = BUF } },
	{ "R76", "3D on a buffer", DESC,
	  { IMAGE(3D, .width = 4, .height = 4, .depth = 4), .other = BUF } },
	{ "R76", "2D on a 3D image", DESC, ON(IMG_3D, 16, 8), .version = 200 },
	{ "R76", "2D on an image in 1.2", DESC, ON(IMG, 64, 32), .version = 120 },
	{ "R76", "2D on a buffer in 1.2 without the extension", DESC, ON(BUF, 64, 4), .version = 120,
	  .change = without_images_on_buffers },
	{ "R76", "2D on a buffer in 1.2 with it", 0, ON(BUF, 64, 4), .version = 120 },

	/* 1024 pixels of 4 bytes are the buffer's 4096 */
	{ "R70", "1024", 0, LINE_ON(BUF, 1024) },
	{ "R70", "1025", DESC, LINE_ON(BUF, 1025), .why = { "1025 x 4", "4096" } },
	{ "R70", "on a sub-buffer, 257", DESC, LINE_ON(SUB_A, 257), .why = { "257 x 4", "1024" } },
	{ "R70", "2^62 pixels", DESC, LINE_ON(BUF, UINT64_C(1) << 62), .others = true },

	{ "R71", "16 rows of 256", 0, ON(BUF, 64, 16) },
	{ "R71", "17 rows of 256", DESC, ON(BUF, 64, 17), .why = { "17 rows of 256", "4096" } },
	{ "R71", "8 rows of 512", 0, ON(BUF, 64, 8, .row_pitch_bytes = 512) },
	/* 8 * 512 + 256 would fit without the gap of the last row; it counts */
	{ "R71", "9 rows of 512", DESC, ON(BUF, 64, 9, .row_pitch_bytes = 512),
	  .why = { "9 rows of 512", "4096" } },
	{ "R71", "rows of 2^63", DESC, ON(BUF, 64, 4, .row_pitch_bytes = UINT64_C(1) << 63) },
};

const struct rule_cases rule_cases_image_memory = RULE_CASES(cases);
