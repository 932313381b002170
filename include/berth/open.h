/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Devices by name, as users type them:
 *
 * - `opencl:PLATFORM-SUBSTRING[:N]`  device N (from 0) of the first platform
 *   whose name contains the text, case ignored
 * - `sim:PROFILE`   a built-in profile
 * - `sim:FILE.ini`  a profile file
 * - `sim:clinfo:FILE[:N]`  device N (from 0) of what clinfo printed (clinfo.h); without
 *   N the only one
 */
#ifndef BERTH_OPEN_H
#define BERTH_OPEN_H

#include <berth/device.h>

BERTH_BEGIN_DECLS

/** Options of berth_device_open(). Start from BERTH_OPEN_OPTIONS_INIT. */
typedef struct berth_open_options {
	uint32_t size;		 /**< sizeof(berth_open_options) */
	bool ghost;		 /**< simulated devices: keep no content */
	uint64_t capacity_bytes; /**< simulated devices: instead of the profile's; 0: the profile's */
	/** Simulated devices: berth_profile_override(), before capacity_bytes; NULL: none. */
	const char *settings;
	bool queues; /**< real devices: berth_opencl_options.queues; nothing to simulated ones */
} berth_open_options;

#define BERTH_OPEN_OPTIONS_INIT { sizeof(berth_open_options), false, 0, NULL, false }

/**
 * Open a device by name.
 * @param[out] out  owned by the caller
 * @param options   NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL        the name has none of the forms above, ghost or a
 *                              capacity was asked of a real device, or settings were,
 *                              options->size is another, or the profile makes no sense
 * @retval BERTH_E_NOT_FOUND    no such platform, device or profile; the detail
 *                              lists what there is
 * @retval BERTH_E_UNSUPPORTED  `opencl:` in a Berth configured --without-opencl
 * @retval BERTH_E_FORMAT, BERTH_E_IO  from the profile file
 * @retval BERTH_E_CL, BERTH_E_NOMEM
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_device_open(berth_device **out, const char *name,
							  const berth_open_options *options);

BERTH_END_DECLS

#endif
