/* SPDX-License-Identifier: Apache-2.0 */
/* Memory snapshots of PyTorch: what the file's reader and the events' meaning share. */
#ifndef BERTH_REPLAY_IMPORT_PYTORCH_H
#define BERTH_REPLAY_IMPORT_PYTORCH_H

#include <stdarg.h>

#include "id_map.h"
#include "import.h"
#include "pickle.h"

/* A device's index is its context's, less one; more are no machine's. */
#define BERTH__TORCH_DEVICES_MAX 1024u

struct berth__torch_device {
	berth__pickle_value entries;
	uint32_t count, next;
	uint64_t next_us;	  /* of entry `next` */
	struct berth__id_map live; /* by address */
};

struct berth__torch {
	struct berth__import *import;
	struct berth__pickle *pickle;
	struct berth__torch_device *devices;
	uint32_t device_count;
	berth__pickle_value segments;
	uint32_t segment_count;
	uint64_t first_us;
	bool timed;
};

/* A place in the file: "device_traces[0][17]". */
struct berth__torch_at {
	const char *list;
	uint32_t outer, inner;
};

/* Sets BERTH_E_FORMAT with the place, and returns it. */
berth_status berth__torch_bad(const struct berth__torch *torch, const struct berth__torch_at *at,
			      const char *format, ...) BERTH_PRINTF(3, 4);
/* A number that a dict must have. */
BERTH_MUST_CHECK berth_status berth__torch_number(uint64_t *out, const struct berth__torch *torch,
						  const struct berth__torch_at *at,
						  berth__pickle_value dict, const char *key);
/* BERTH_E_LIMIT when the walk has gone over far more than there is. */
BERTH_MUST_CHECK berth_status berth__torch_check_work(const struct berth__torch *torch);
/* An object, with a label of the frames that the entry has; it is alive at its address. */
BERTH_MUST_CHECK berth_status berth__torch_create(struct berth__torch *torch,
						  struct berth__id_map *live,
						  const struct berth__import_place *place,
						  berth__pickle_value entry,
						  struct berth__id_entry made);

/* ---- what the events mean (import_pytorch_events.c) ---- */

/* Make what was there before the history begins. */
BERTH_MUST_CHECK berth_status berth__torch_put_before(struct berth__torch *torch);
/* One event of a device. */
BERTH_MUST_CHECK berth_status berth__torch_put(struct berth__torch *torch, uint32_t device,
					       uint32_t index, uint64_t t_ns);

#endif
