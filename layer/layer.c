/* SPDX-License-Identifier: Apache-2.0 */
/* The layer's state: start, fork, end, and what it knows of each thread. */
#include "layer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Some 20,000 records: what a reader that looks every few milliseconds can be behind. */
#define RING_BYTES (UINT64_C(4) << 20)
#define RING_BYTES_MAX (UINT64_C(64) << 20)
/* A program is held up by at most this before the spool grows. */
#define WAIT_NS UINT64_C(250000000)

struct berth__layer berth__layer;

/* State that only this file needs; `lock` guards opening. */
static struct {
	pthread_mutex_t lock;
	_Atomic bool opened; /* tried, at least */
	bool forked;
	bool handlers_set;
	pthread_key_t thread_key;
	char directory[PATH_MAX];
} start = { .lock = PTHREAD_MUTEX_INITIALIZER };

static _Thread_local struct berth__thread this_thread;

/* Of what happened so far nothing is known any more; ids begin at 1. */
static void forget_everything(void)
{
	struct berth__layer *layer = &berth__layer;

	berth__handle_map_init(&layer->mems);
	berth__handle_map_init(&layer->kernels);
	berth__handle_map_init(&layer->queues);
	berth__handle_map_init(&layer->contexts);
	berth__handle_map_init(&layer->devices);
	berth__layer_forget_names();
	berth__layer_forget_untracked();
	atomic_store(&layer->last_object, 0);
	atomic_store(&layer->last_mapping, 0);
	atomic_store(&layer->last_context, 0);
	atomic_store(&layer->last_queue, 0);
	atomic_store(&layer->last_device, 0);
}

/*
 * Only this thread exists in the child. Locks that others held, and memory under
 * them, are left as they are and made anew. A spool is opened at the first
 * recorded call: most children only exec.
 */
static void after_fork_in_child(void)
{
	pthread_mutex_init(&start.lock, NULL);
	berth__spool_forget(&berth__layer.spool);
	forget_everything();
	berth__layer.generation++;
	start.forked = true;
	atomic_store(&start.opened, false);
}

static void thread_ends(void *value)
{
	struct berth__thread *thread = value;

	if (thread->generation == berth__layer.generation && thread->slot != BERTH__SPOOL_NO_SLOT)
		berth__spool_release_slot(&berth__layer.spool, thread->slot);
	thread->generation = 0;
}

static void open_spool_once(void)
{
	int errno_of_program = errno;

	pthread_mutex_lock(&start.lock);
	if (!atomic_load(&start.opened)) {
		struct berth__spool_options options = {
			.directory = start.directory,
			.forked = start.forked,
			.ring_bytes = RING_BYTES,
			.ring_bytes_max = RING_BYTES_MAX,
			.wait_ns = WAIT_NS,
		};

		/* Without a spool the calls are forwarded all the same. */
		if (berth__spool_open(&berth__layer.spool, &options) != BERTH_OK)
			atomic_store(&berth__layer.spool.header, NULL);
		atomic_store(&start.opened, true);
	}
	pthread_mutex_unlock(&start.lock);
	errno = errno_of_program;
}

static void thread_begins(struct berth__thread *thread)
{
	if (!atomic_load(&start.opened))
		open_spool_once();
	thread->generation = berth__layer.generation;
	thread->id = (uint32_t)gettid();
	thread->slot = berth__spool_claim_slot(&berth__layer.spool);
	pthread_setspecific(start.thread_key, thread);
}

struct berth__thread *berth__layer_thread(void)
{
	/* Once: the address of a thread-local object in a loaded module costs a call. */
	struct berth__thread *thread = &this_thread;

	if (__builtin_expect(thread->generation != berth__layer.generation, 0))
		thread_begins(thread);
	else if (__builtin_expect(thread->slot == BERTH__SPOOL_NO_SLOT, 0))
		thread->slot = berth__spool_claim_slot(&berth__layer.spool);
	return thread;
}

static berth_status set_handlers(void)
{
	if (start.handlers_set)
		return BERTH_OK;
	if (pthread_key_create(&start.thread_key, thread_ends) != 0)
		return berth_error_set(BERTH_E_NOMEM, 0, "no thread-specific key is left");
	if (pthread_atfork(NULL, NULL, after_fork_in_child) != 0) {
		pthread_key_delete(start.thread_key);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a fork handler");
	}
	start.handlers_set = true;
	return BERTH_OK;
}

berth_status berth__layer_start(const char *directory)
{
	berth_status status;

	if (berth__layer.generation != 0) {
		/* The handles of the loader that was unloaded mean nothing to the new one. */
		forget_everything();
		berth__spool_set_closed(&berth__layer.spool, false);
		return BERTH_OK;
	}
	if (strlen(directory) >= sizeof(start.directory))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "the spool directory's path is over %d bytes", PATH_MAX);
	status = set_handlers();
	if (status != BERTH_OK)
		return status;
	snprintf(start.directory, sizeof(start.directory), "%s", directory);
	forget_everything();
	berth__spool_forget(&berth__layer.spool);
	open_spool_once();
	if (!atomic_load(&berth__layer.spool.header))
		return berth_error_get()->status;
	berth__layer.generation = 1;
	return BERTH_OK;
}

void berth__layer_stop(void)
{
	if (berth__layer.generation != 0)
		berth__spool_set_closed(&berth__layer.spool, true);
}

bool berth__layer_find_object(const void *handle, struct berth__handle *out)
{
	if (berth__handle_find(&berth__layer.mems, handle, out))
		return true;
	*out = (struct berth__handle){ .id = handle ? BERTH_ID_UNKNOWN : BERTH_ID_NONE };
	return false;
}

uint64_t berth__layer_object(const void *handle)
{
	struct berth__handle entry;

	berth__layer_find_object(handle, &entry);
	return entry.id;
}

uint32_t berth__layer_context(const void *handle)
{
	struct berth__handle entry;

	return berth__handle_find(&berth__layer.contexts, handle, &entry) ? (uint32_t)entry.id : 0;
}
