/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_queues.h"

#include <stdlib.h>
#include <string.h>

/* The last place is shared by all queues that have none of their own. */
static uint32_t place_of(struct berth__plan_queues *queues, uint64_t queue)
{
	for (uint32_t i = 0; i < queues->count; i++)
		if (queues->ids[i] == queue)
			return i;
	if (queues->count == PLAN_QUEUES_MAX)
		return PLAN_QUEUES_MAX - 1;
	queues->ids[queues->count] = queue;
	return queues->count++;
}

void berth__plan_queues_use(struct berth__plan_queues *queues, struct berth__plan_queue_use *use,
			    uint64_t queue, uint64_t seq)
{
	if (queue == 0)
		return;
	use->queues |= UINT64_C(1) << place_of(queues, queue);
	use->last_op = seq;
}

/* The queues that may still be at it. */
static uint64_t busy(const struct berth__plan_queues *queues, const struct berth__plan_queue_use *use)
{
	uint64_t left = use->queues;

	for (uint64_t bits = left; bits; bits &= bits - 1) {
		int place = __builtin_ctzll(bits);

		if (queues->waited_for[place] >= use->last_op)
			left &= ~(UINT64_C(1) << place);
	}
	return left;
}

void berth__plan_queues_waited(struct berth__plan_queues *queues, uint64_t queue, uint64_t seq)
{
	uint32_t place;
	size_t kept = 0;

	if (queue == 0)
		return;
	place = place_of(queues, queue);
	if (queues->ids[place] != queue)
		return;
	queues->waited_for[place] = seq;
	for (size_t i = 0; i < queues->wait_count; i++) {
		struct berth__plan_queue_wait wait = queues->waits[i];

		wait.use.queues = busy(queues, &wait.use);
		if (wait.use.queues)
			queues->waits[kept++] = wait;
		else
			queues->later[wait.request] = seq;
	}
	queues->wait_count = kept;
}

static berth_status grow(void **items, size_t *capacity, size_t needed, size_t item_bytes)
{
	size_t wanted = *capacity ? *capacity : 64;
	char *grown;

	if (needed <= *capacity)
		return BERTH_OK;
	while (wanted < needed)
		wanted *= 2;
	grown = reallocarray(*items, wanted, item_bytes);
	if (!grown)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu lifetimes", wanted);
	memset(grown + *capacity * item_bytes, 0, (wanted - *capacity) * item_bytes);
	*items = grown;
	*capacity = wanted;
	return BERTH_OK;
}

berth_status berth__plan_queues_ended(struct berth__plan_queues *queues,
				      const struct berth__plan_queue_use *use, size_t request)
{
	struct berth__plan_queue_wait wait = { request, *use };
	berth_status st;

	wait.use.queues = busy(queues, use);
	if (!wait.use.queues)
		return BERTH_OK;
	if ((st = grow((void **)&queues->later, &queues->later_capacity, request + 1,
		       sizeof(*queues->later))) != BERTH_OK ||
	    (st = grow((void **)&queues->waits, &queues->wait_capacity, queues->wait_count + 1,
		       sizeof(*queues->waits))) != BERTH_OK)
		return st;
	queues->waits[queues->wait_count++] = wait;
	return BERTH_OK;
}

uint64_t berth__plan_queues_apply(struct berth__plan_queues *queues, berth_plan_request *requests,
				  size_t request_count, uint64_t end)
{
	/* Those past either have nothing that came later. */
	const size_t count = request_count < queues->later_capacity ? request_count :
								      queues->later_capacity;
	uint64_t lengthened = 0;

	for (size_t i = 0; i < queues->wait_count; i++)
		queues->later[queues->waits[i].request] = end;
	for (size_t i = 0; queues->count > 1 && i < count; i++) {
		if (queues->later[i] <= requests[i].upper)
			continue;
		requests[i].upper = queues->later[i];
		lengthened++;
	}
	return lengthened;
}

void berth__plan_queues_fini(struct berth__plan_queues *queues)
{
	free(queues->waits);
	free(queues->later);
}
