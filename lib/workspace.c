/* SPDX-License-Identifier: Apache-2.0 */
/* Workspaces: a stack of storages taken, and the free ones in order of size. */
#include <berth/workspace.h>

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096

struct entry {
	uint64_t bytes;
	berth_storage storage;
};

/* A growing array. */
struct list {
	struct entry *entries;
	size_t count;
	size_t capacity;
};

struct berth_workspace {
	berth_pool *pool;
	berth_in_flight in_flight;
	struct list taken; /* the last taken at the end */
	struct list free;  /* by size, the smallest first */
};

/* Room for one more, so that what follows cannot fail for memory. */
static berth_status reserve(struct list *list, size_t count)
{
	size_t capacity = list->capacity ? list->capacity : 8;
	struct entry *entries;

	while (capacity < count)
		capacity *= 2;
	if (capacity == list->capacity)
		return BERTH_OK;
	entries = realloc(list->entries, capacity * sizeof(*entries));
	if (!entries)
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "no memory for a workspace of %zu storages", count);
	list->entries = entries;
	list->capacity = capacity;
	return BERTH_OK;
}

static void insert(struct list *list, size_t at, struct entry entry)
{
	assert(list->count < list->capacity);
	memmove(&list->entries[at + 1], &list->entries[at],
		(list->count - at) * sizeof(*list->entries));
	list->entries[at] = entry;
	list->count++;
}

static struct entry take_out(struct list *list, size_t at)
{
	struct entry entry = list->entries[at];

	list->count--;
	memmove(&list->entries[at], &list->entries[at + 1],
		(list->count - at) * sizeof(*list->entries));
	return entry;
}

/* The first free one of at least so many bytes; the count when there is none. */
static size_t find_fit(const struct list *list, uint64_t bytes)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->entries[middle].bytes < bytes)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

berth_status berth_workspace_create(berth_workspace **out, berth_pool *pool, uint64_t queue)
{
	berth_workspace *workspace = calloc(1, sizeof(*workspace));

	if (!workspace)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a workspace");
	workspace->pool = pool;
	workspace->in_flight = (berth_in_flight){ .queue = queue, .in_order = true };
	*out = workspace;
	return BERTH_OK;
}

/* False when views hold it: it stays the pool's. */
static bool give_to_pool(berth_workspace *workspace, berth_storage storage)
{
	const berth_in_flight *in_flight =
		workspace->in_flight.queue == BERTH_QUEUE_NONE ? NULL : &workspace->in_flight;

	return berth_storage_release(workspace->pool, storage, in_flight) == BERTH_OK;
}

static berth_status take_from_pool(berth_workspace *workspace, uint64_t bytes, struct entry *out)
{
	const berth_storage_options options = { sizeof(options), workspace->in_flight.queue };
	struct list *free_ones = &workspace->free;
	berth_status st;

	/* None is large enough: the largest makes room for a larger one. */
	if (free_ones->count > 0)
		give_to_pool(workspace, take_out(free_ones, free_ones->count - 1).storage);
	st = berth_storage_create(&out->storage, workspace->pool, bytes, &options);
	if (st == BERTH_E_LIMIT && berth_workspace_trim(workspace) > 0)
		st = berth_storage_create(&out->storage, workspace->pool, bytes, &options);
	out->bytes = bytes;
	return st;
}

berth_status berth_workspace_alloc(berth_storage *out, berth_workspace *workspace, uint64_t bytes)
{
	size_t fit, all = workspace->taken.count + workspace->free.count + 1;
	struct entry entry;
	berth_status st;

	if (bytes == 0)
		bytes = 1;
	if (__builtin_add_overflow(bytes, PAGE_BYTES - 1, &bytes))
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "a workspace of that many bytes does not fit 64 bits");
	bytes -= bytes % PAGE_BYTES;
	if ((st = reserve(&workspace->taken, all)) != BERTH_OK ||
	    (st = reserve(&workspace->free, all)) != BERTH_OK)
		return st;
	fit = find_fit(&workspace->free, bytes);
	if (fit < workspace->free.count)
		entry = take_out(&workspace->free, fit);
	else if ((st = take_from_pool(workspace, bytes, &entry)) != BERTH_OK)
		return st;
	insert(&workspace->taken, workspace->taken.count, entry);
	*out = entry.storage;
	return BERTH_OK;
}

berth_status berth_workspace_free(berth_workspace *workspace, berth_storage storage)
{
	struct list *taken = &workspace->taken;
	berth_storage_info info;
	struct entry entry;
	size_t at = taken->count;
	berth_status st = berth_storage_get_info(&info, workspace->pool, storage);

	if (st != BERTH_OK)
		return st;
	while (at > 0 && taken->entries[at - 1].storage != storage)
		at--;
	if (at == 0)
		return berth_error_set(BERTH_E_STATE, 0,
				       "storage 0x%" PRIx64 " is not taken from this workspace",
				       storage);
	if (info.views > 0)
		return berth_error_set(BERTH_E_STATE, 0,
				       "storage 0x%" PRIx64 " has %" PRIu32 " live views", storage,
				       info.views);
	entry = take_out(taken, at - 1);
	insert(&workspace->free, find_fit(&workspace->free, entry.bytes), entry);
	return BERTH_OK;
}

uint64_t berth_workspace_trim(berth_workspace *workspace)
{
	struct list *list = &workspace->free;
	uint64_t bytes = 0;

	while (list->count > 0) {
		struct entry entry = take_out(list, list->count - 1);

		if (give_to_pool(workspace, entry.storage))
			bytes += entry.bytes;
	}
	return bytes;
}

void berth_workspace_destroy(berth_workspace *workspace)
{
	if (!workspace)
		return;
	berth_workspace_trim(workspace);
	while (workspace->taken.count > 0)
		give_to_pool(workspace,
			     take_out(&workspace->taken, workspace->taken.count - 1).storage);
	free(workspace->taken.entries);
	free(workspace->free.entries);
	free(workspace);
}
