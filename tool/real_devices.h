/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenCL devices of this machine, asked for in a child process: drivers crash
 * and hang, also when they are only listed.
 */
#ifndef BERTH_TOOL_REAL_DEVICES_H
#define BERTH_TOOL_REAL_DEVICES_H

#include <berth/pool.h>

struct real_device {
	char platform[128];
	uint32_t index; /* on its platform */
	berth_caps caps;
	berth_image_mode image_mode;
};

typedef void real_device_fn(const struct real_device *device, void *userdata);

/*
 * Visit them.
 * BERTH_OK, also when there is none; BERTH_E_CL: a driver refused, crashed or hung,
 * the detail says which of it, and what came before was visited; BERTH_E_IO;
 * BERTH_E_UNSUPPORTED in a Berth without OpenCL.
 */
berth_status real_devices_each(real_device_fn *visit, void *userdata);

#endif
