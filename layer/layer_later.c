/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_later.h"

#include "payload.h"

#include <stdlib.h>

struct later {
	struct later *next;
	uint64_t transfer;
	/* Its event; without one, that of a command behind it would have a number not below. */
	uint64_t order;
	bool has_event;
	uint32_t queue;
	struct berth__rows rows;
};

/* In the order of their calls. */
static struct {
	pthread_mutex_t lock;
	_Atomic size_t count; /* read without the lock: mostly there are none */
	struct later *first, **last;
} pending = { .lock = PTHREAD_MUTEX_INITIALIZER, .last = &pending.first };

void berth__later_forget(void)
{
	pthread_mutex_init(&pending.lock, NULL);
	atomic_store(&pending.count, 0);
	pending.first = NULL;
	pending.last = &pending.first;
}

void berth__later_add(struct berth__call *call, const struct berth__rows *rows)
{
	uint64_t event = berth__call_event(call);
	struct later *later;

	if (!berth__layer.digests || !berth__call_succeeded(call) || !rows->host)
		return;
	later = malloc(sizeof(*later));
	if (!later)
		return;
	if (call->op->mapping == 0)
		call->op->mapping = atomic_fetch_add_explicit(&berth__layer.last_mapping, 1,
							      memory_order_relaxed) +
				    1;
	call->op->bits |= BERTH_SPOOL_OP_DIGEST_LATER;
	*later = (struct later){
		.transfer = call->op->mapping,
		.order = event ? event : atomic_load(&berth__layer.last_event) + 1,
		.has_event = event != 0,
		.queue = call->op->queue,
		.rows = *rows,
	};
	pthread_mutex_lock(&pending.lock);
	*pending.last = later;
	pending.last = &later->next;
	atomic_fetch_add_explicit(&pending.count, 1, memory_order_release);
	pthread_mutex_unlock(&pending.lock);
}

/* The host's memory may be gone by now: another thread may have waited as well, and freed it. */
static void append_digest(const struct later *later)
{
	struct berth_spool_digest record = {
		.record.type = BERTH_SPOOL_DIGEST,
		.transfer = later->transfer,
	};
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) } },
		.part_count = 1,
	};

	if (!berth__digest_rows_carefully(record.digest, &later->rows))
		return;
	berth__payload_keep(record.digest, &later->rows, true);
	berth__spool_append(&berth__layer.spool, &message);
}

static void digest_all(struct later *list)
{
	while (list) {
		struct later *next = list->next;

		append_digest(list);
		free(list);
		list = next;
	}
}

static bool is_complete(const struct later *later, uint32_t queue, uint64_t event, bool in_order)
{
	if (in_order)
		return later->queue == queue && later->order <= event;
	return later->has_event && later->order == event;
}

/* Take the complete ones out; with the lock. */
static struct later *take(uint32_t queue, uint64_t event, bool in_order)
{
	struct later *taken = NULL, **taken_last = &taken, **link = &pending.first;

	while (*link) {
		struct later *later = *link;

		if (!is_complete(later, queue, event, in_order)) {
			link = &later->next;
			continue;
		}
		*link = later->next;
		later->next = NULL;
		*taken_last = later;
		taken_last = &later->next;
		atomic_fetch_sub_explicit(&pending.count, 1, memory_order_relaxed);
	}
	pending.last = link;
	return taken;
}

void berth__later_event(uint64_t event, uint32_t queue, bool in_order)
{
	struct later *taken;

	if (atomic_load_explicit(&pending.count, memory_order_acquire) == 0)
		return;
	pthread_mutex_lock(&pending.lock);
	taken = take(queue, event, in_order);
	pthread_mutex_unlock(&pending.lock);
	digest_all(taken);
}

void berth__later_queue(uint32_t queue)
{
	berth__later_event(UINT64_MAX, queue, true);
}
