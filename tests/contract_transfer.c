/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of content: transfers, copies, fills, maps, and memory seen through two objects. */
#include "contract_internal.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

static void linear_round_trip(void)
{
	uint8_t written[256], expected[256], read[256] = { 0 }, guarded[34];
	berth_device *device = contract_open();

	contract_pattern(written, sizeof(written), 1);
	contract_buffer(device, 1, 256);
	contract_write(device, 1, 0, written, 256);
	contract_read(device, 1, 0, read, 256);
	ASSERT_CONTENT(read, written, 256);
	/* a part, at an odd offset */
	memcpy(expected, written, 256);
	contract_pattern(expected + 77, 33, 2);
	contract_write(device, 1, 77, expected + 77, 33);
	contract_read(device, 1, 0, read, 256);
	ASSERT_CONTENT(read, expected, 256);
	/* no byte beside the ones asked for is written */
	memset(guarded, 0xee, sizeof(guarded));
	contract_read(device, 1, 77, guarded + 1, 32);
	ASSERT_CONTENT(guarded + 1, expected + 77, 32);
	ASSERT_INT(guarded[0], 0xee);
	ASSERT_INT(guarded[33], 0xee);
	berth_device_destroy(device);
}

/* Without BERTH_OP_BLOCKING all is done after the next sync. */
static void not_blocking(void)
{
	uint8_t written[4096], read[4096] = { 0 };
	berth_device *device = contract_open();

	contract_pattern(written, sizeof(written), 1);
	contract_buffer(device, 1, sizeof(written));
	accept(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_LINEAR, .object = 1,
	       .bytes = sizeof(written), HOST(written));
	accept(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = 1,
	       .bytes = sizeof(read), HOST(read));
	accept(device, .kind = BERTH_OP_SYNC);
	ASSERT_CONTENT(read, written, sizeof(read));
	berth_device_destroy(device);
}

/*
 * A box of 5 bytes x 3 rows x 2 slices, at (2, 1, 0) of a buffer with rows of 16
 * and slices of 64 bytes, and at (1, 0, 1) of host memory with rows of 8 and
 * slices of 32.
 */
#define BOX_BUFFER_BYTES 128
#define BOX_HOST_BYTES 96
#define BOX_REGION                                                                                 \
	.region = { .origin = { 2, 1, 0 },                                                         \
		    .other_origin = { 1, 0, 1 },                                                   \
		    .extent = { 5, 3, 2 },                                                         \
		    .row_pitch_bytes = 16,                                                         \
		    .slice_pitch_bytes = 64,                                                       \
		    .other_row_pitch_bytes = 8,                                                    \
		    .other_slice_pitch_bytes = 32 }

static size_t box_buffer_at(size_t row, size_t slice)
{
	return slice * 64 + (row + 1) * 16 + 2;
}

static size_t box_host_at(size_t row, size_t slice)
{
	return (slice + 1) * 32 + row * 8 + 1;
}

static void rect_round_trip(void)
{
	uint8_t buffer[BOX_BUFFER_BYTES], host[BOX_HOST_BYTES], read[BOX_BUFFER_BYTES] = { 0 };
	uint8_t expected[BOX_HOST_BYTES], back[BOX_HOST_BYTES];
	berth_device *device = contract_open();

	contract_pattern(buffer, sizeof(buffer), 1);
	contract_pattern(host, sizeof(host), 2);
	contract_buffer(device, 1, sizeof(buffer));
	contract_write(device, 1, 0, buffer, sizeof(buffer));
	accept(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_RECT, .object = 1,
	       .bits = BERTH_OP_BLOCKING, BOX_REGION, HOST(host));
	memset(back, 0xee, sizeof(back));
	memset(expected, 0xee, sizeof(expected));
	for (size_t slice = 0; slice < 2; slice++) {
		for (size_t row = 0; row < 3; row++) {
			memcpy(buffer + box_buffer_at(row, slice), host + box_host_at(row, slice),
			       5);
			memcpy(expected + box_host_at(row, slice), host + box_host_at(row, slice),
			       5);
		}
	}
	contract_read(device, 1, 0, read, sizeof(read));
	ASSERT_CONTENT(read, buffer, sizeof(buffer));
	accept(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_RECT, .object = 1,
	       .bits = BERTH_OP_BLOCKING, BOX_REGION, HOST(back));
	ASSERT_CONTENT(back, expected, sizeof(back));
	berth_device_destroy(device);
}

/* Pitches of 0 are the tight ones: rows of 4, slices of 4 x 3. */
static void rect_default_pitches(void)
{
	uint8_t bytes[24], read[24] = { 0 };
	berth_device *device = contract_open();

	contract_pattern(bytes, sizeof(bytes), 3);
	contract_buffer(device, 1, 24);
	accept(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_RECT, .object = 1,
	       .bits = BERTH_OP_BLOCKING, .region = { .extent = { 4, 3, 2 } }, HOST(bytes));
	contract_read(device, 1, 0, read, 24);
	ASSERT_CONTENT(read, bytes, 24);
	berth_device_destroy(device);
}

#define WIDTH 20
#define HEIGHT 6
#define ROW (WIDTH * CONTRACT_PIXEL_BYTES)
#define IMAGE_BYTES (ROW * HEIGHT)

static void image_round_trip(void)
{
	uint8_t written[IMAGE_BYTES], read[IMAGE_BYTES] = { 0 }, padded[2 * 64], back[2 * 64];
	berth_device *device = contract_open();

	if (!contract_has_images(device))
		goto out;
	contract_pattern(written, sizeof(written), 1);
	contract_image(device, 1, WIDTH, HEIGHT);
	contract_write_image(device, 1, WIDTH, HEIGHT, written);
	contract_read_image(device, 1, WIDTH, HEIGHT, read);
	ASSERT_CONTENT(read, written, sizeof(written));
	/* 7 x 2 pixels at (3, 4), from host rows of 64 bytes */
	contract_pattern(padded, sizeof(padded), 2);
	accept(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE, .object = 1,
	       .bits = BERTH_OP_BLOCKING, HOST(padded),
	       .region = { .origin = { 3, 4 }, .extent = { 7, 2, 1 }, .other_row_pitch_bytes = 64 });
	for (size_t row = 0; row < 2; row++)
		memcpy(written + (4 + row) * ROW + 3 * 4, padded + row * 64, 7 * 4);
	contract_read_image(device, 1, WIDTH, HEIGHT, read);
	ASSERT_CONTENT(read, written, sizeof(written));
	/* and back into host rows of 64 bytes, without touching the gap */
	memset(back, 0xee, sizeof(back));
	accept(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .object = 1,
	       .bits = BERTH_OP_BLOCKING, HOST(back),
	       .region = { .origin = { 3, 4 }, .extent = { 7, 2, 1 }, .other_row_pitch_bytes = 64 });
	memset(padded + 28, 0xee, 36);
	memset(padded + 64 + 28, 0xee, 36);
	ASSERT_CONTENT(back, padded, sizeof(back));
out:
	berth_device_destroy(device);
}

static void created_with_content(void)
{
	uint8_t host[HEIGHT * 96], expected[IMAGE_BYTES], read[HEIGHT * 96] = { 0 };
	berth_device *device = contract_open();

	contract_pattern(host, sizeof(host), 1);
	accept(device, .kind = BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = sizeof(host),
	       .flags = CL_MEM_COPY_HOST_PTR, HOST(host));
	contract_read(device, 1, 0, read, sizeof(host));
	ASSERT_CONTENT(read, host, sizeof(host));
	if (!contract_has_images(device))
		goto out;
	accept(device, .kind = BERTH_OP_IMAGE_CREATE, .object = 2, .flags = CL_MEM_COPY_HOST_PTR,
	       .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
			  .channel_type = CL_UNSIGNED_INT8, .width = WIDTH, .height = HEIGHT,
			  .row_pitch_bytes = 96 },
	       HOST(host));
	for (size_t row = 0; row < HEIGHT; row++)
		memcpy(expected + row * ROW, host + row * 96, ROW);
	contract_read_image(device, 2, WIDTH, HEIGHT, read);
	ASSERT_CONTENT(read, expected, sizeof(expected));
out:
	berth_device_destroy(device);
}

static void copies_of_buffers(void)
{
	uint8_t from[256], to[256], read[256] = { 0 };
	berth_device *device = contract_open();

	contract_pattern(from, sizeof(from), 1);
	contract_pattern(to, sizeof(to), 2);
	contract_buffer(device, 1, 256);
	contract_buffer(device, 2, 256);
	contract_write(device, 1, 0, from, 256);
	contract_write(device, 2, 0, to, 256);
	accept(device, .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 1, .other = 2,
	       .offset_bytes = 16, .other_offset_bytes = 100, .bytes = 50);
	memcpy(to + 100, from + 16, 50);
	/* within one buffer */
	accept(device, .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 2, .other = 2,
	       .offset_bytes = 100, .other_offset_bytes = 0, .bytes = 50);
	memcpy(to, to + 100, 50);
	contract_read(device, 2, 0, read, 256);
	ASSERT_CONTENT(read, to, 256);
	/* 5 bytes x 3 rows x 2 slices: buffer_at() of one to host_at() of the other */
	accept(device, .kind = BERTH_OP_COPY, .form = BERTH_FORM_RECT, .object = 1, .other = 2,
	       BOX_REGION);
	for (size_t slice = 0; slice < 2; slice++)
		for (size_t row = 0; row < 3; row++)
			memcpy(to + box_host_at(row, slice), from + box_buffer_at(row, slice), 5);
	contract_read(device, 2, 0, read, 256);
	ASSERT_CONTENT(read, to, 256);
	berth_device_destroy(device);
}

static void copies_of_images(void)
{
	uint8_t from[IMAGE_BYTES], to[IMAGE_BYTES], linear[256], read[IMAGE_BYTES] = { 0 };
	berth_device *device = contract_open();

	if (!contract_has_images(device))
		goto out;
	contract_pattern(from, sizeof(from), 1);
	contract_pattern(to, sizeof(to), 2);
	contract_pattern(linear, sizeof(linear), 3);
	contract_image(device, 1, WIDTH, HEIGHT);
	contract_image(device, 2, WIDTH, HEIGHT);
	contract_buffer(device, 3, sizeof(linear));
	contract_write_image(device, 1, WIDTH, HEIGHT, from);
	contract_write_image(device, 2, WIDTH, HEIGHT, to);
	contract_write(device, 3, 0, linear, sizeof(linear));
	accept(device, .kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE, .object = 1, .other = 2,
	       .region = { .origin = { 1, 2 }, .other_origin = { 5, 0 }, .extent = { 9, 3, 1 } });
	for (size_t row = 0; row < 3; row++)
		memcpy(to + row * ROW + 5 * 4, from + (row + 2) * ROW + 1 * 4, 9 * 4);
	/* 3 x 2 pixels, 24 bytes from 16 on in the buffer, to (10, 4) */
	accept(device, .kind = BERTH_OP_COPY, .form = BERTH_FORM_BUFFER_TO_IMAGE, .object = 3,
	       .other = 2, .offset_bytes = 16,
	       .region = { .other_origin = { 10, 4 }, .extent = { 3, 2, 1 } });
	for (size_t row = 0; row < 2; row++)
		memcpy(to + (4 + row) * ROW + 10 * 4, linear + 16 + row * 12, 12);
	contract_read_image(device, 2, WIDTH, HEIGHT, read);
	ASSERT_CONTENT(read, to, sizeof(to));
	/* 4 x 3 pixels at (2, 1) to 48 bytes from 64 on */
	accept(device, .kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE_TO_BUFFER, .object = 1,
	       .other = 3, .other_offset_bytes = 64,
	       .region = { .origin = { 2, 1 }, .extent = { 4, 3, 1 } });
	for (size_t row = 0; row < 3; row++)
		memcpy(linear + 64 + row * 16, from + (1 + row) * ROW + 2 * 4, 16);
	contract_read(device, 3, 0, read, sizeof(linear));
	ASSERT_CONTENT(read, linear, sizeof(linear));
out:
	berth_device_destroy(device);
}

static void fills(void)
{
	uint8_t bytes[96], pattern[4] = { 1, 2, 3, 4 }, one = 9, read[IMAGE_BYTES] = { 0 };
	uint8_t pixels[IMAGE_BYTES];
	uint32_t colour[4] = { 10, 20, 30, 40 };
	berth_device *device = contract_open();

	contract_pattern(bytes, sizeof(bytes), 1);
	contract_buffer(device, 1, 96);
	contract_write(device, 1, 0, bytes, 96);
	accept(device, .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1,
	       .offset_bytes = 8, .bytes = 40, .pattern_bytes = 4, HOST(pattern));
	for (size_t i = 0; i < 40; i++)
		bytes[8 + i] = pattern[i % 4];
	accept(device, .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1,
	       .offset_bytes = 61, .bytes = 7, .pattern_bytes = 1, HOST(&one));
	memset(bytes + 61, 9, 7);
	contract_read(device, 1, 0, read, 96);
	ASSERT_CONTENT(read, bytes, 96);
	if (!contract_has_images(device))
		goto out;
	contract_pattern(pixels, sizeof(pixels), 2);
	contract_image(device, 2, WIDTH, HEIGHT);
	contract_write_image(device, 2, WIDTH, HEIGHT, pixels);
	accept(device, .kind = BERTH_OP_FILL, .form = BERTH_FORM_IMAGE, .object = 2,
	       .region = { .origin = { 4, 1 }, .extent = { 6, 3, 1 } }, .pattern_bytes = 16,
	       HOST(colour));
	for (size_t y = 1; y < 4; y++)
		for (size_t x = 4; x < 10; x++)
			for (size_t c = 0; c < 4; c++)
				pixels[y * ROW + x * 4 + c] = (uint8_t)colour[c];
	contract_read_image(device, 2, WIDTH, HEIGHT, read);
	ASSERT_CONTENT(read, pixels, sizeof(pixels));
out:
	berth_device_destroy(device);
}

static void maps_of_buffers(void)
{
	uint8_t bytes[128], read[128] = { 0 };
	berth_device *device = contract_open();
	berth_result result;

	contract_pattern(bytes, sizeof(bytes), 1);
	contract_buffer(device, 1, 128);
	contract_write(device, 1, 0, bytes, 128);
	result = accept(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
			.bits = BERTH_OP_BLOCKING, .flags = CL_MAP_READ | CL_MAP_WRITE,
			.mapping = 1, .offset_bytes = 32, .bytes = 64);
	if (!contract_current->ghost) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(result.mapped);
		ASSERT_CONTENT(result.mapped, bytes + 32, 64);
		contract_pattern(bytes + 40, 10, 2);
		memcpy((uint8_t *)result.mapped + 8, bytes + 40, 10);
	} else {
		CU_ASSERT_PTR_NULL(result.mapped);
	}
	accept(device, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 1);
	contract_read(device, 1, 0, read, 128);
	ASSERT_CONTENT(read, bytes, 128);
	/* two at once for reading; unmapped in the order of mapping */
	for (uint64_t id = 2; id < 4; id++)
		accept(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
		       .bits = BERTH_OP_BLOCKING, .flags = CL_MAP_READ, .mapping = id,
		       .offset_bytes = 16 * id, .bytes = 64);
	for (uint64_t id = 2; id < 4; id++)
		accept(device, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = id);
	/* a pointer that is none of its mappings, and one that was; drivers differ */
	for (uint64_t id = 0; id <= 2 && contract_current->conforms; id += 2) {
		result = refuse(device, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = id);
		ASSERT_INT(result.cl_status, CL_INVALID_VALUE);
	}
	berth_device_destroy(device);
}

static void maps_of_images(void)
{
	uint8_t pixels[IMAGE_BYTES], read[IMAGE_BYTES] = { 0 };
	berth_device *device = contract_open();
	berth_result result;

	if (!contract_has_images(device))
		goto out;
	contract_pattern(pixels, sizeof(pixels), 1);
	contract_image(device, 1, WIDTH, HEIGHT);
	contract_write_image(device, 1, WIDTH, HEIGHT, pixels);
	result = accept(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 1,
			.bits = BERTH_OP_BLOCKING, .flags = CL_MAP_READ | CL_MAP_WRITE,
			.mapping = 1, .region = { .origin = { 2, 1 }, .extent = { 5, 3, 1 } });
	/* R117: the pitch is the device's choice, yet holds a row of the region */
	CU_ASSERT(result.row_pitch_bytes >= 5 * 4);
	for (size_t row = 0; row < 3 && !contract_current->ghost; row++) {
		uint8_t *mapped = (uint8_t *)result.mapped + row * result.row_pitch_bytes;
		uint8_t *expected = pixels + (1 + row) * ROW + 2 * 4;

		ASSERT_CONTENT(mapped, expected, 5 * 4);
		contract_pattern(expected, 5 * 4, 7 + (unsigned)row);
		memcpy(mapped, expected, 5 * 4);
	}
	accept(device, .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 1);
	contract_read_image(device, 1, WIDTH, HEIGHT, read);
	ASSERT_CONTENT(read, pixels, sizeof(pixels));
out:
	berth_device_destroy(device);
}

/* Sub-buffers are the same memory as their parent. */
static void sub_buffers(void)
{
	berth_device *device = contract_open();
	uint64_t offset = berth_caps_base_align_bytes(berth_device_caps(device));
	uint8_t *bytes = malloc(2 * offset + 100), *read = calloc(1, 2 * offset + 100);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	CU_ASSERT_PTR_NOT_NULL_FATAL(read);
	contract_pattern(bytes, 2 * offset + 100, 1);
	contract_buffer(device, 1, 2 * offset + 100);
	contract_write(device, 1, 0, bytes, 2 * offset + 100);
	ASSERT_INT(accept(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1,
			  .offset_bytes = offset, .bytes = 70).bytes, 70);
	contract_read(device, 2, 0, read, 70);
	ASSERT_CONTENT(read, bytes + offset, 70);
	contract_pattern(bytes + offset + 10, 20, 2);
	contract_write(device, 2, 10, bytes + offset + 10, 20);
	contract_read(device, 1, 0, read, 2 * offset + 100);
	ASSERT_CONTENT(read, bytes, 2 * offset + 100);
	refuse(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_LINEAR, .object = 2,
	       .bits = BERTH_OP_BLOCKING, .bytes = 71, HOST(read));
	free(bytes);
	free(read);
	berth_device_destroy(device);
}

/* An image on a buffer is the same memory, with the pitch that was asked for. */
static void images_on_buffers(void)
{
	berth_device *device = contract_open();
	const berth_caps *caps = berth_device_caps(device);
	uint64_t align = berth_caps_pitch_align_bytes(caps, CONTRACT_PIXEL_BYTES), pitch;
	uint8_t *bytes, read[IMAGE_BYTES] = { 0 };

	if (!contract_has_images(device) || !caps->image2d_from_buffer) {
		test_skip("%s: no images on buffers", berth_device_name(device));
		goto out;
	}
	pitch = (ROW + align) / align * align;
	bytes = malloc(pitch * HEIGHT);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	contract_pattern(bytes, pitch * HEIGHT, 1);
	contract_buffer(device, 1, pitch * HEIGHT);
	contract_write(device, 1, 0, bytes, pitch * HEIGHT);
	ASSERT_INT(accept(device, .kind = BERTH_OP_IMAGE_CREATE, .object = 2, .other = 1,
			  .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
				     .channel_type = CL_UNSIGNED_INT8, .width = WIDTH,
				     .height = HEIGHT, .row_pitch_bytes = pitch }).row_pitch_bytes,
		   pitch);
	contract_read_image(device, 2, WIDTH, HEIGHT, read);
	for (size_t row = 0; row < HEIGHT; row++)
		ASSERT_CONTENT(read + row * ROW, bytes + row * pitch, ROW);
	contract_pattern(read, ROW, 9);
	contract_write_image(device, 2, WIDTH, 1, read);
	contract_read(device, 1, 0, bytes, ROW);
	ASSERT_CONTENT(bytes, read, ROW);
	free(bytes);
out:
	berth_device_destroy(device);
}

const struct test contract_transfer_tests[] = {
	{ "linear round trip", linear_round_trip },
	{ "not blocking", not_blocking },
	{ "rect round trip", rect_round_trip },
	{ "rect default pitches", rect_default_pitches },
	{ "image round trip", image_round_trip },
	{ "created with content", created_with_content },
	{ "copies of buffers", copies_of_buffers },
	{ "copies of images", copies_of_images },
	{ "fills", fills },
	{ "maps of buffers", maps_of_buffers },
	{ "maps of images", maps_of_images },
	{ "sub-buffers", sub_buffers },
	{ "images on buffers", images_on_buffers },
	{ NULL, NULL },
};
