/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities as rows of the tables `device` and `format`. */
#ifndef BERTH_REPLAY_TRACE_DEVICE_H
#define BERTH_REPLAY_TRACE_DEVICE_H

#include <sqlite3.h>

#include <berth/caps.h>

/* Insert or replace a device; strings without an end are cut. */
BERTH_MUST_CHECK berth_status berth__trace_device_write(sqlite3 *db, uint32_t id,
							const berth_caps *caps);

/* Read the device at `index` in order of id. Values fit their fields; see berth_caps_validate(). */
BERTH_MUST_CHECK berth_status berth__trace_device_read(berth_caps *out, sqlite3 *db,
						       uint32_t index);

#endif
