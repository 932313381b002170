/* SPDX-License-Identifier: Apache-2.0 */
/* The layer's state: start, fork, end, and what it knows of each thread. */
#include "layer.h"

#include "clock.h"
#include "layer_below.h"
#include "layer_later.h"
#include "payload.h"
#include "spool_process.h"
#include "stack.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Some 20,000 records: what a reader that looks every few milliseconds can be behind. */
#define RING_BYTES (UINT64_C(4) << 20)
#define RING_BYTES_MAX (UINT64_C(64) << 20)
/* A program is held up by at most this before the spool grows. */
#define WAIT_NS UINT64_C(250000000)

/* Of `start.mark`. The system clears it in a child. */
enum { MARK_FORKED = 0, MARK_FORGETTING, MARK_KNOWN };

struct berth__layer berth__layer;
const struct berth__layer_below *berth__layer_below;

/* State that only this file needs; `lock` guards opening. */
static struct {
	pthread_mutex_t lock;
	_Atomic bool opened; /* tried, at least */
	bool forked;
	bool handlers_set;
	pthread_key_t thread_key;
	_Atomic uint32_t *mark;
	char directory[PATH_MAX];
} start = { .lock = PTHREAD_MUTEX_INITIALIZER };

_Thread_local struct berth__thread berth__this_thread;

/* Of what happened so far nothing is known any more; ids begin at 1. */
static void forget_everything(void)
{
	struct berth__layer *layer = &berth__layer;

	berth__handle_map_init(&layer->mems);
	berth__handle_map_init(&layer->kernels);
	berth__handle_map_init(&layer->queues);
	berth__handle_map_init(&layer->contexts);
	berth__handle_map_init(&layer->devices);
	berth__handle_map_init(&layer->events);
	berth__handle_map_init(&layer->command_buffers);
	berth__svm_map_init(&layer->svm);
	berth__layer_forget_names();
	berth__layer_forget_untracked();
	berth__later_forget();
	berth__stack_forget();
	berth__payload_forget();
	if (berth__layer_below)
		berth__layer_below->forget();
	atomic_store(&layer->last_object, 0);
	atomic_store(&layer->last_mapping, 0);
	atomic_store(&layer->last_event, 0);
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
	atomic_store(start.mark, MARK_KNOWN);
}

/*
 * Handlers miss _Fork() and the bare system call, but the mark does not: without
 * it, such a child would write to a spool that is not mapped in it.
 */
static void notice_fork(void)
{
	uint32_t forked = MARK_FORKED;

	if (atomic_compare_exchange_strong(start.mark, &forked, MARK_FORGETTING))
		after_fork_in_child();
	while (atomic_load(start.mark) != MARK_KNOWN)
		sched_yield();
}

static bool is_known_process(void)
{
	return atomic_load_explicit(start.mark, memory_order_acquire) == MARK_KNOWN;
}

static void thread_ends(void *value)
{
	struct berth__thread *thread = value;

	if (thread->generation == berth__layer.generation && thread->slot != BERTH__SPOOL_NO_SLOT)
		berth__spool_release_slot(&berth__layer.spool, thread->slot);
	thread->generation = 0;
}

/*
 * Tell the recorder why there is no spool of this process. A link to the text: it
 * needs no descriptor, and no limit on the size of files can end the program.
 */
static void leave_note(const char *reason)
{
	char path[PATH_MAX];
	int error = 0;

	if (snprintf(path, sizeof(path), "%s/%" PRIu32 "-%" PRIx64 BERTH_SPOOL_FAILED_SUFFIX,
		     start.directory, (uint32_t)getpid(),
		     berth__clock_ns(CLOCK_MONOTONIC)) < (int)sizeof(path))
		error = symlink(reason, path);
	(void)error; /* then the recorder sees that nothing was recorded, but not why */
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
		if (*start.directory && berth__spool_open(&berth__layer.spool, &options) != BERTH_OK)
			leave_note(berth_error_get()->message);
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
	struct berth__thread *thread = &berth__this_thread;

	if (__builtin_expect(!is_known_process(), 0))
		notice_fork();
	if (__builtin_expect(thread->generation != berth__layer.generation, 0))
		thread_begins(thread);
	else if (__builtin_expect(thread->slot == BERTH__SPOOL_NO_SLOT, 0))
		thread->slot = berth__spool_claim_slot(&berth__layer.spool);
	return thread;
}

/* Where the system cannot clear it, the handler alone has to do. */
static berth_status make_mark(void)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *page;

	if (start.mark)
		return BERTH_OK;
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a page");
	madvise(page, bytes, MADV_WIPEONFORK);
	start.mark = page;
	atomic_store(start.mark, MARK_KNOWN);
	return BERTH_OK;
}

static berth_status set_handlers(void)
{
	berth_status status = make_mark();

	if (status != BERTH_OK || start.handlers_set)
		return status;
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
		if (!is_known_process())
			notice_fork();
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
	if (*directory && !atomic_load(&berth__layer.spool.header))
		return berth_error_get()->status;
	berth__layer.generation = 1;
	return BERTH_OK;
}

void berth__layer_stop(void)
{
	/* A child that made no call since has no spool to close. */
	if (berth__layer.generation == 0 || !is_known_process())
		return;
	if (berth__layer_below)
		berth__layer_below->stop();
	if (*start.directory)
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

bool berth__layer_note_inside(const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), "%s inside another call", name);
	berth__layer_count_untracked(text);
	return true;
}
