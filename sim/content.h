/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a root object, and which of them are not known: those that were
 * never written, that a kernel wrote, or that came from a host pointer whose
 * bytes are not here.
 *
 * The store is made when a byte is first needed, and takes memory of the machine
 * only where it is touched. With CL_MEM_USE_HOST_PTR the application's memory is
 * itself the store, as on a device that shares memory with the host: a mapping
 * lies at host_ptr + offset (R117), and what the device writes is there at once,
 * which the specification allows at any time.
 */
#ifndef BERTH_SIM_CONTENT_H
#define BERTH_SIM_CONTENT_H

#include "box.h"
#include "ranges.h"

enum berth__store {
	BERTH__STORE_NONE = 0,
	BERTH__STORE_HEAP,
	BERTH__STORE_MAPPED, /* mmap(), for sizes that calloc() may refuse or clear */
	BERTH__STORE_HOST,   /* the application's: CL_MEM_USE_HOST_PTR */
};

struct berth__content {
	uint8_t *bytes; /* NULL until needed */
	uint64_t size_bytes;
	enum berth__store store;
	struct berth__ranges unknown;
};

/* All unknown. False: no memory, nothing to free. */
bool berth__content_init(struct berth__content *content, uint64_t size_bytes);

/* The application's memory becomes the store, and is known. Only right after init. */
void berth__content_use_host(struct berth__content *content, void *host);

/* Make sure that there is a store. False: no memory. */
bool berth__content_need(struct berth__content *content);

/* Everything becomes known. */
void berth__content_set_known(struct berth__content *content);

/* Everything becomes unknown. */
void berth__content_set_unknown(struct berth__content *content);

void berth__content_free(struct berth__content *content);

/* Copy between boxes with the same rows; either side may be a host's. */
void berth__copy_box(uint8_t *to, struct berth__box to_box, const uint8_t *from,
		     struct berth__box from_box);

/* Repeat a pattern over every row of a box, whose rows are multiples of it. */
void berth__fill_box(uint8_t *to, const struct berth__box *box, const uint8_t *pattern,
		     size_t pattern_bytes);

#endif
