/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of the cases. */
#include "case.h"

#define BUFFER(id, size, ...)                                                                      \
	{                                                                                          \
		.kind = BERTH_OP_BUFFER_CREATE, .object = id, .bytes = size, __VA_ARGS__           \
	}
#define SUB(id, parent, offset, size)                                                              \
	{                                                                                          \
		.kind = BERTH_OP_SUBBUFFER_CREATE, .object = id, .other = parent,                  \
		.offset_bytes = offset, .bytes = size                                              \
	}
#define PICTURE(id, ...)                                                                           \
	{                                                                                          \
		IMAGE(2D, .width = 64, .height = 32), .object = id, __VA_ARGS__                    \
	}

const struct probe_made probe_world[] = {
	{ BUFFER(BUF, 4096) },
	{ SUB(SUB_A, BUF, 1024, 1024) },
	{ SUB(SUB_B, BUF, 1536, 1024) },
	{ SUB(SUB_ODD, BUF, 100, 512) },
	{ BUFFER(BIG, 1 << 20) },
	{ SUB(SUB_BIG, BIG, 1536, 1024) },
	{ BUFFER(HOST_EVEN, 4096, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x10000) },
	{ BUFFER(HOST_ODD, 4096, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x10004) },
	{ BUFFER(TO_WRITE, 4096, .flags = CL_MEM_HOST_WRITE_ONLY) },
	{ BUFFER(TO_READ, 4096, .flags = CL_MEM_HOST_READ_ONLY) },
	{ BUFFER(NO_HOST, 4096, .flags = CL_MEM_HOST_NO_ACCESS) },
	{ BUFFER(RO, 4096, .flags = CL_MEM_READ_ONLY) },
	{ BUFFER(WO, 4096, .flags = CL_MEM_WRITE_ONLY) },
	{ BUFFER(MAPPED, 4096) },
	{ LINEAR(MAP, MAPPED, 1024, 1024, .flags = CL_MAP_WRITE, .mapping = MAPPING_WRITE) },
	{ LINEAR(MAP, MAPPED, 0, 16, .flags = CL_MAP_READ, .mapping = MAPPING_READ) },
	{ PICTURE(IMG) },
	{ PICTURE(IMG_2) },
	{ PICTURE(IMG_FLOAT, .image.channel_type = CL_FLOAT) },
	{ { IMAGE(3D, .width = 16, .height = 8, .depth = 4), .object = IMG_3D } },
	{ { IMAGE(1D, .width = 64), .object = IMG_1D } },
	{ { IMAGE(1D_ARRAY, .width = 16, .array_size = 4), .object = ARRAY_1D } },
	{ { IMAGE(2D_ARRAY, .width = 16, .height = 8, .array_size = 4), .object = ARRAY_2D } },
	{ { IMAGE(1D_BUFFER, .width = 256), .object = LINE, .other = BUF } },
	{ { IMAGE(2D, .height = 1), .object = IMG_WIDE }, AT(image.width, WIDTH_2D, 1) },
	{ PICTURE(IMG_ODD, .image.order = CL_INTENSITY, .image.channel_type = CL_FLOAT) },
	{ PICTURE(IMG_MAPPED) },
	{ { .kind = BERTH_OP_MAP,
	    .form = BERTH_FORM_IMAGE,
	    .object = IMG_MAPPED,
	    .flags = CL_MAP_WRITE,
	    .mapping = MAPPING_IMAGE,
	    .region = { .origin = { 8, 8, 0 }, .extent = { 8, 8, 1 } } } },
	{ PICTURE(IMG_NO_HOST, .flags = CL_MEM_HOST_NO_ACCESS) },
	{ SUB(SUB_MAPPED, MAPPED, 1536, 1024) },
	{ { .kind = BERTH_OP_SVM_ALLOC, .object = SVM, .bytes = 4096, .host_address = 0x20000 } },
	{ { .kind = BERTH_OP_SVM_ALLOC, .object = SVM_2, .bytes = 4096, .host_address = 0x40000 } },
	{ ON_SVM(MAP, SVM, 0, 1024, .flags = CL_MAP_WRITE, .mapping = MAPPING_SVM) },
	{ { .kind = BERTH_OP_PIPE_CREATE,
	    .object = PIPE,
	    .packet_bytes = 64,
	    .packet_count = 16 } },
	{ PICTURE(IMG_RO, .flags = CL_MEM_READ_ONLY) },
	{ PICTURE(IMG_WO, .flags = CL_MEM_WRITE_ONLY) },
};

const size_t probe_world_count = sizeof(probe_world) / sizeof(probe_world[0]);
