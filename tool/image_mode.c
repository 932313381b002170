/* SPDX-License-Identifier: Apache-2.0 */
#include "image_mode.h"

berth_image_mode image_mode_of(berth_device *device)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_image_mode mode;
	berth_pool *pool;

	options.copied_images = true;
	if (berth_pool_create(&pool, device, &options) != BERTH_OK)
		return BERTH_IMAGES_NONE;
	mode = berth_pool_image_mode(pool);
	berth_pool_destroy(pool);
	return mode;
}
