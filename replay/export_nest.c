/* SPDX-License-Identifier: Apache-2.0 */
#include "export_nest.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Slices of a thread that are remembered: a call that overlaps an older one contains it. */
#define SLICES_MAX 32

struct slice {
	uint64_t begin_ns, end_ns;
};

/* The outermost slices so far, in order. */
struct thread {
	uint32_t id;
	unsigned count;
	struct slice slices[SLICES_MAX];
};

struct berth__nest {
	void *threads; /* tsearch(3) tree */
};

static int compare(const void *a, const void *b)
{
	uint32_t first = ((const struct thread *)a)->id, second = ((const struct thread *)b)->id;

	return (first > second) - (first < second);
}

berth_status berth__nest_create(struct berth__nest **out)
{
	struct berth__nest *nest = calloc(1, sizeof(*nest));

	if (!nest)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for an export");
	*out = nest;
	return BERTH_OK;
}

void berth__nest_destroy(struct berth__nest *nest)
{
	if (!nest)
		return;
	tdestroy(nest->threads, free);
	free(nest);
}

/* NULL: no memory. */
static struct thread *find(struct berth__nest *nest, uint32_t id, bool *seen)
{
	const struct thread key = { .id = id };
	struct thread **found = tfind(&key, &nest->threads, compare), *thread;

	*seen = found != NULL;
	if (found)
		return *found;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->id = id;
	if (!tsearch(thread, &nest->threads, compare)) {
		free(thread);
		return NULL;
	}
	return thread;
}

static void push(struct thread *thread, struct slice slice)
{
	if (thread->count == SLICES_MAX) {
		thread->count--;
		memmove(thread->slices, thread->slices + 1, thread->count * sizeof(slice));
	}
	thread->slices[thread->count++] = slice;
}

berth_status berth__nest_fit(struct berth__nest *nest, uint32_t id, uint64_t *begin_ns,
			     uint64_t *end_ns, bool *seen)
{
	struct thread *thread = find(nest, id, seen);
	struct slice slice = { *begin_ns, *end_ns };
	const struct slice *last;

	if (!thread)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for an export");
	/* What began in it lies in it, to its end. */
	while (thread->count > 0 &&
	       (last = &thread->slices[thread->count - 1])->begin_ns >= slice.begin_ns) {
		if (last->end_ns > slice.end_ns)
			slice.end_ns = last->end_ns;
		thread->count--;
	}
	if (thread->count > 0 && thread->slices[thread->count - 1].end_ns > slice.begin_ns) {
		slice.begin_ns = thread->slices[thread->count - 1].end_ns;
		if (slice.end_ns < slice.begin_ns)
			slice.end_ns = slice.begin_ns;
	}
	push(thread, slice);
	*begin_ns = slice.begin_ns;
	*end_ns = slice.end_ns;
	return BERTH_OK;
}
