/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lifetimes of programs with several queues. Within one queue, commands run in the order of
 * their calls, so memory may change hands as soon as an object is released. What another queue
 * still does with it is over only when the host has waited for that queue: with clFinish, or
 * with a blocking transfer on it. A lifetime then lasts until that has happened for each queue
 * that used the object.
 */
#ifndef BERTH_REPLAY_PLAN_QUEUES_H
#define BERTH_REPLAY_PLAN_QUEUES_H

#include <berth/plan_input.h>

/* Queues told apart; those beyond count as one that nobody ever waits for. */
#define PLAN_QUEUES_MAX 64

/* Who used an object last: kept with each object that lives. */
struct berth__plan_queue_use {
	uint64_t queues;  /* bits: places in the list below */
	uint64_t last_op; /* seq of the last use on any */
};

/* An object that is gone, and used by queues that were not waited for yet. */
struct berth__plan_queue_wait {
	size_t request;
	struct berth__plan_queue_use use;
};

struct berth__plan_queues {
	uint64_t ids[PLAN_QUEUES_MAX];
	uint64_t waited_for[PLAN_QUEUES_MAX]; /* seq at which the host last had waited */
	uint32_t count;
	struct berth__plan_queue_wait *waits;
	size_t wait_count, wait_capacity;
	uint64_t *later; /* by request: until when it lives with several queues; 0: no longer */
	size_t later_capacity;
};

/* A command on a queue uses an object. Queue 0 is none. */
void berth__plan_queues_use(struct berth__plan_queues *queues, struct berth__plan_queue_use *use,
			    uint64_t queue, uint64_t seq);

/* The host has waited for a queue. */
void berth__plan_queues_waited(struct berth__plan_queues *queues, uint64_t queue, uint64_t seq);

/* An object with a request has ended. BERTH_OK, BERTH_E_NOMEM. */
BERTH_MUST_CHECK berth_status berth__plan_queues_ended(struct berth__plan_queues *queues,
						       const struct berth__plan_queue_use *use,
						       size_t request);

/*
 * At the end of the trace, @end being later than all ops: lengthen the lifetimes, when there
 * was more than one queue. @return how many became longer.
 */
uint64_t berth__plan_queues_apply(struct berth__plan_queues *queues, berth_plan_request *requests,
				  size_t request_count, uint64_t end);

void berth__plan_queues_fini(struct berth__plan_queues *queues);

#endif
