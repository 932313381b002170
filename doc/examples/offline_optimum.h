/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Belady's rule on recorded uses: evict what is used again last. Nobody can know that
 * while a program runs; it tells how far a policy is from what could be had. (With
 * tensors of several sizes the rule is near the optimum, not always at it.)
 */
#ifndef OFFLINE_OPTIMUM_H
#define OFFLINE_OPTIMUM_H

#include <stddef.h>
#include <stdint.h>

enum { EVENT_TENSORS = 3 };

enum event_kind {
	EVENT_RUN,     /* all its tensors are on the device together */
	EVENT_UPDATE,  /* new content: to the device when the tensor is there */
	EVENT_HOME,    /* its content on the host */
	EVENT_DISCARD, /* its content is not needed any more */
};

struct event {
	enum event_kind kind;
	size_t count;
	size_t tensors[EVENT_TENSORS];
	uint32_t access[EVENT_TENSORS]; /* BERTH_ACCESS_*, of a run */
};

/* Bytes moved in both directions under a limit; each run fits it. */
uint64_t offline_moved_bytes(const struct event *events, size_t event_count,
			     const uint64_t *tensor_bytes, size_t tensor_count,
			     uint64_t limit_bytes);

#endif
