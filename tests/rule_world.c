/* SPDX-License-Identifier: Apache-2.0 */
/* The device and the objects on which the cases of test_rules run. */
#include "rule_cases.h"
#include "test_main.h"

void without_images(berth_caps *caps)
{
	caps->images = false;
}

void without_images_on_buffers(berth_caps *caps)
{
	caps->image2d_from_buffer = false;
	caps->image_pitch_align = caps->image_base_align = 0;
}

void alignment_in_bytes(berth_caps *caps)
{
	caps->pitch_unit = BERTH_PITCH_UNIT_BYTES;
	caps->image_pitch_align = 4;
	caps->image_base_align = 4;
}

void rule_world_caps(berth_caps *caps, uint32_t version)
{
	berth_caps_init_minimum(caps, version);
	caps->image_pitch_align = 64;
	caps->image_base_align = 64;
	caps->svm_caps = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
	caps->pipe_max_packet_bytes = 1024;
}

#define BUFFER(id, size, ...)                                                                      \
	{ .kind = BERTH_OP_BUFFER_CREATE, .object = id, .bytes = size, __VA_ARGS__ }
#define SUB(id, parent, offset, size)                                                              \
	{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = id, .other = parent,                        \
	  .offset_bytes = offset, .bytes = size }
#define PICTURE(id, ...) { IMAGE(2D, .width = 64, .height = 32), .object = id, __VA_ARGS__ }

static const berth_op world[] = {
	BUFFER(BUF, 4096),
	SUB(SUB_A, BUF, 1024, 1024),
	SUB(SUB_B, BUF, 1536, 1024),
	SUB(SUB_ODD, BUF, 100, 512),
	BUFFER(BIG, 1 << 20),
	SUB(SUB_BIG, BIG, 1536, 1024),
	BUFFER(HOST_EVEN, 4096, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x10000),
	BUFFER(HOST_ODD, 4096, .flags = CL_MEM_USE_HOST_PTR, .host_address = 0x10004),
	BUFFER(TO_WRITE, 4096, .flags = CL_MEM_HOST_WRITE_ONLY),
	BUFFER(TO_READ, 4096, .flags = CL_MEM_HOST_READ_ONLY),
	BUFFER(NO_HOST, 4096, .flags = CL_MEM_HOST_NO_ACCESS),
	BUFFER(RO, 4096, .flags = CL_MEM_READ_ONLY),
	BUFFER(WO, 4096, .flags = CL_MEM_WRITE_ONLY),
	BUFFER(MAPPED, 4096),
	LINEAR(MAP, MAPPED, 1024, 1024, .flags = CL_MAP_WRITE, .mapping = MAPPING_WRITE),
	LINEAR(MAP, MAPPED, 0, 16, .flags = CL_MAP_READ, .mapping = MAPPING_READ),
	BUFFER(ENDED, 16),
	{ .kind = BERTH_OP_RELEASE, .object = ENDED },
	PICTURE(IMG),
	PICTURE(IMG_2),
	PICTURE(IMG_FLOAT, .image.channel_type = CL_FLOAT),
	{ IMAGE(3D, .width = 16, .height = 8, .depth = 4), .object = IMG_3D },
	{ IMAGE(1D, .width = 64), .object = IMG_1D },
	{ IMAGE(1D_ARRAY, .width = 16, .array_size = 4), .object = ARRAY_1D },
	{ IMAGE(2D_ARRAY, .width = 16, .height = 8, .array_size = 4), .object = ARRAY_2D },
	{ IMAGE(1D_BUFFER, .width = 256), .object = LINE, .other = BUF },
	{ IMAGE(2D, .width = 16385, .height = 1), .object = IMG_WIDE },
	PICTURE(IMG_ODD, .image.order = CL_INTENSITY, .image.channel_type = CL_FLOAT),
	PICTURE(IMG_MAPPED),
	{ .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = IMG_MAPPED,
	  .flags = CL_MAP_WRITE, .mapping = MAPPING_IMAGE,
	  .region = { .origin = { 8, 8, 0 }, .extent = { 8, 8, 1 } } },
	PICTURE(IMG_NO_HOST, .flags = CL_MEM_HOST_NO_ACCESS),
	SUB(SUB_MAPPED, MAPPED, 1536, 1024),
	{ .kind = BERTH_OP_SVM_ALLOC, .object = SVM, .bytes = 4096, .host_address = 0x20000 },
	{ .kind = BERTH_OP_SVM_ALLOC, .object = SVM_2, .bytes = 4096, .host_address = 0x40000 },
	ON_SVM(MAP, SVM, 0, 1024, .flags = CL_MAP_WRITE, .mapping = MAPPING_SVM),
	{ .kind = BERTH_OP_PIPE_CREATE, .object = PIPE, .packet_bytes = 64, .packet_count = 16 },
	PICTURE(IMG_RO, .flags = CL_MEM_READ_ONLY),
	PICTURE(IMG_WO, .flags = CL_MEM_WRITE_ONLY),
};

const berth_op *rule_world_ops(size_t *count)
{
	*count = sizeof(world) / sizeof(world[0]);
	return world;
}

berth_objects *rule_world_create(void)
{
	berth_objects *objects = NULL;

	ASSERT_OK(berth_objects_create(&objects, NULL, NULL));
	for (size_t i = 0; i < sizeof(world) / sizeof(world[0]); i++) {
		test_case("object %zu of the world", i);
		ASSERT_OK(berth_objects_apply(objects, &world[i], NULL));
	}
	return objects;
}
