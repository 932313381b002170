/* SPDX-License-Identifier: Apache-2.0 */
/* One segment of a spool: a file of its own, mapped. See lib/spool_format.h. */
#ifndef BERTH_LAYER_SPOOL_SEGMENT_H
#define BERTH_LAYER_SPOOL_SEGMENT_H

#include <berth/status.h>

#include "spool_format.h"

struct berth__spool_segment {
	struct berth_spool_header *header; /* stays mapped for the life of the process */
	unsigned char *ring;
	uint64_t ring_bytes;
};

/*
 * Make segment `number` of the series `prefix` ("DIR/PID-START"), with every page
 * of it there: neither a full disk nor a first touch can stop the program later.
 * BERTH_E_IO: it cannot be made; nothing is left behind.
 */
BERTH_MUST_CHECK berth_status berth__spool_segment_create(struct berth__spool_segment *out,
							  const char *prefix, uint32_t number,
							  uint64_t ring_bytes,
							  uint64_t process_start_ticks);

/* The writer has left: give the ring back. Pending slots in the header stay usable. */
void berth__spool_segment_leave(const struct berth__spool_segment *segment);

#endif
