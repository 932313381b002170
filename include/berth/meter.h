/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The meter: a device that passes ops on to an inner one, and counts calls, refusals, bytes
 * and time by kind of op.
 *
 * Threads: calls on one meter are serialised by the caller (device.h).
 */
#ifndef BERTH_METER_H
#define BERTH_METER_H

#include <berth/device.h>

BERTH_BEGIN_DECLS

/** What went through a meter so far, by berth_op_kind. */
typedef struct berth_meter_counts {
	uint64_t calls[BERTH_OP_KIND_END];	 /**< that got an answer */
	uint64_t refused[BERTH_OP_KIND_END];	 /**< of these, answered with an error */
	uint64_t moved_bytes[BERTH_OP_KIND_END]; /**< by accepted writes, reads, copies, fills, maps */
	uint64_t duration_ns[BERTH_OP_KIND_END]; /**< wall clock inside the inner device */
	uint64_t created_bytes;	     /**< of accepted creations, as the device answered */
	uint64_t peak_in_use_bytes;  /**< most that the inner device said to hold after an op */
	uint64_t peak_live_objects;  /**< likewise */
} berth_meter_counts;

/**
 * Make a meter; its capabilities are the inner device's, its name "meter:" and the inner
 * device's.
 * @param inner  taken over: destroyed with the meter
 * @retval BERTH_OK
 * @retval BERTH_E_NOMEM  @p inner is not taken over
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_meter_create(berth_device **out, berth_device *inner);

/** @return the counts so far; borrowed. NULL when @p device is no meter. */
BERTH_API const berth_meter_counts *berth_meter_get_counts(const berth_device *device);

BERTH_END_DECLS

#endif
