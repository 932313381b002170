/* SPDX-License-Identifier: Apache-2.0 */
/* How a pool on a device would make image views. */
#ifndef BERTH_TOOL_IMAGE_MODE_H
#define BERTH_TOOL_IMAGE_MODE_H

#include <berth/pool.h>

/* Makes a pool on the device to see; BERTH_IMAGES_NONE when that fails. */
berth_image_mode image_mode_of(berth_device *device);

#endif
