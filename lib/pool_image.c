/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How image views can be made on a device: on buffers, on host memory that buffers
 * and images share (tried here), or with copies.
 */
#include "pool_internal.h"

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

/* The widest pixel: its alignment holds for all. */
#define PIXEL_BYTES_MAX 16

/* Rows in host memory begin at cache lines, as the texture code of runtimes expects. */
#define HOST_ROW_ALIGN_BYTES 64

/*
 * The trial: an image that lies in a buffer at an offset and has a padded row, as
 * a view would. Pixels of 4 bytes.
 */
#define TRIAL_BYTES 8192
#define TRIAL_ALIGN_BYTES 4096
#define TRIAL_OFFSET_BYTES 4096
#define TRIAL_WIDTH 20
#define TRIAL_HEIGHT 5
#define TRIAL_PITCH_BYTES 128
#define TRIAL_ROW_BYTES (TRIAL_WIDTH * 4)

struct trial {
	berth_pool *pool;
	unsigned char *host;
	uint64_t buffer;
	uint64_t image;
};

static bool accepts(const struct trial *trial, const berth_op *op, berth_result *result)
{
	return berth_device_execute(trial->pool->device, op, result) == BERTH_OK &&
	       result->cl_status == CL_SUCCESS && result->unknown_bytes == 0;
}

static bool make_buffer(struct trial *trial)
{
	berth_op op = { .kind = BERTH_OP_BUFFER_CREATE,
			.object = trial->pool->next_id++,
			.flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
			.bytes = TRIAL_BYTES };
	berth_result result;

	berth_op_set_host(&op, trial->host);
	if (!accepts(trial, &op, &result))
		return false;
	trial->buffer = op.object;
	return true;
}

static bool make_image(struct trial *trial)
{
	berth_op op = { .kind = BERTH_OP_IMAGE_CREATE,
			.object = trial->pool->next_id++,
			.flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
			.image = { .type = CL_MEM_OBJECT_IMAGE2D,
				   .order = CL_RGBA,
				   .channel_type = CL_UNSIGNED_INT8,
				   .width = TRIAL_WIDTH,
				   .height = TRIAL_HEIGHT,
				   .row_pitch_bytes = TRIAL_PITCH_BYTES } };
	berth_result result;

	berth_op_set_host(&op, trial->host + TRIAL_OFFSET_BYTES);
	if (!accepts(trial, &op, &result))
		return false;
	trial->image = op.object;
	return true;
}

/* Move the image's rows, through the image or through the buffer. */
static bool move(const struct trial *trial, berth_op_kind kind, bool through_image,
		 unsigned char *rows)
{
	berth_op op = { .kind = kind, .bits = BERTH_OP_BLOCKING };
	berth_result result;

	op.form = through_image ? BERTH_FORM_IMAGE : BERTH_FORM_RECT;
	op.object = through_image ? trial->image : trial->buffer;
	op.region.extent[0] = through_image ? TRIAL_WIDTH : TRIAL_ROW_BYTES;
	op.region.extent[1] = TRIAL_HEIGHT;
	op.region.extent[2] = 1;
	if (!through_image) {
		op.region.origin[1] = TRIAL_OFFSET_BYTES / TRIAL_PITCH_BYTES;
		op.region.row_pitch_bytes = TRIAL_PITCH_BYTES;
	}
	berth_op_set_host(&op, rows);
	return accepts(trial, &op, &result);
}

/* What is written through one is read through the other. */
static bool crosses(const struct trial *trial, bool through_image, unsigned char seed)
{
	unsigned char written[TRIAL_ROW_BYTES * TRIAL_HEIGHT], seen[sizeof(written)];

	for (size_t i = 0; i < sizeof(written); i++)
		written[i] = (unsigned char)(i * 5 + i / 256 + seed);
	memset(seen, 0, sizeof(seen));
	return move(trial, BERTH_OP_WRITE, through_image, written) &&
	       move(trial, BERTH_OP_READ, !through_image, seen) &&
	       memcmp(written, seen, sizeof(seen)) == 0;
}

/* Each way twice: a driver that copies at the first use passes once. */
static bool is_aliased(const struct trial *trial)
{
	return crosses(trial, false, 1) && crosses(trial, true, 2) && crosses(trial, false, 3) &&
	       crosses(trial, true, 4);
}

static bool host_memory_aliases(berth_pool *pool)
{
	const berth_op sync = { .kind = BERTH_OP_SYNC };
	struct trial trial = { .pool = pool };
	berth_result result;
	bool aliased;

	trial.host = aligned_alloc(TRIAL_ALIGN_BYTES, TRIAL_BYTES);
	if (!trial.host)
		return false;
	memset(trial.host, 0, TRIAL_BYTES);
	aliased = make_buffer(&trial) && make_image(&trial) && is_aliased(&trial);
	if (!accepts(&trial, &sync, &result))
		aliased = false;
	if (trial.image)
		berth__pool_release_object(pool, trial.image);
	if (trial.buffer)
		berth__pool_release_object(pool, trial.buffer);
	free(trial.host);
	return aliased;
}

static berth_image_mode choose(berth_pool *pool)
{
	const berth_caps *caps = berth_device_caps(pool->device);

	if (!caps->images)
		return BERTH_IMAGES_NONE;
	if (caps->image2d_from_buffer && caps->image_pitch_align > 0)
		return BERTH_IMAGES_NATIVE;
	if (!pool->options.never_host_aliased && caps->host_unified && host_memory_aliases(pool))
		return BERTH_IMAGES_HOST_ALIASED;
	return pool->options.copied_images ? BERTH_IMAGES_COPIED : BERTH_IMAGES_NONE;
}

/* Alignments of images that are not on buffers of the device. */
static void set_alignments(berth_caps *caps, berth_image_mode mode)
{
	bool host = mode == BERTH_IMAGES_HOST_ALIASED;

	if (!host && mode != BERTH_IMAGES_COPIED)
		return;
	caps->image2d_from_buffer = true;
	caps->pitch_unit = host ? BERTH_PITCH_UNIT_BYTES : BERTH_PITCH_UNIT_PIXELS;
	caps->image_pitch_align = host ? HOST_ROW_ALIGN_BYTES : 1;
	caps->image_base_align = caps->image_pitch_align;
}

void berth__pool_choose_image_mode(berth_pool *pool)
{
	uint64_t align;

	pool->image_mode = choose(pool);
	pool->caps = *berth_device_caps(pool->device);
	set_alignments(&pool->caps, pool->image_mode);
	pool->granule_bytes = HOST_ROW_ALIGN_BYTES;
	align = berth_caps_base_align_bytes(&pool->caps);
	if (align > pool->granule_bytes)
		pool->granule_bytes = align;
	align = berth_caps_image_base_align_bytes(&pool->caps, PIXEL_BYTES_MAX);
	if (pool->image_mode == BERTH_IMAGES_NATIVE && align > pool->granule_bytes)
		pool->granule_bytes = align;
	if (pool->options.align_bytes > pool->granule_bytes)
		pool->granule_bytes = pool->options.align_bytes;
}
