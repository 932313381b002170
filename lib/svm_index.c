/* SPDX-License-Identifier: Apache-2.0 */
#include "svm_index.h"

#include <stdlib.h>
#include <string.h>

berth_status berth__svm_index_reserve(struct berth__svm_index *index)
{
	size_t capacity = index->capacity ? index->capacity : 8;
	berth_object **items;

	if (index->count < index->capacity)
		return BERTH_OK;
	if (index->capacity)
		capacity *= 2;
	items = reallocarray(index->items, capacity, sizeof(berth_object *));
	if (!items)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu SVM allocations",
				       capacity);
	index->items = items;
	index->capacity = capacity;
	return BERTH_OK;
}

/* The number of allocations that begin at or below an address. */
static size_t up_to(const struct berth__svm_index *index, uint64_t address)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->items[middle]->host_address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void berth__svm_index_add(struct berth__svm_index *index, berth_object *object)
{
	size_t at = up_to(index, object->host_address);

	memmove(index->items + at + 1, index->items + at,
		(index->count - at) * sizeof(berth_object *));
	index->items[at] = object;
	index->count++;
}

void berth__svm_index_remove(struct berth__svm_index *index, const berth_object *object)
{
	/* A recording may have missed a free: several may claim one address. */
	for (size_t at = up_to(index, object->host_address); at-- > 0;) {
		if (index->items[at]->host_address != object->host_address)
			return;
		if (index->items[at] != object)
			continue;
		memmove(index->items + at, index->items + at + 1,
			(index->count - at - 1) * sizeof(berth_object *));
		index->count--;
		return;
	}
}

berth_object *berth__svm_index_find(const struct berth__svm_index *index, uint64_t address)
{
	size_t at = up_to(index, address);
	berth_object *object = at > 0 ? index->items[at - 1] : NULL;

	return object && address - object->host_address < object->bytes ? object : NULL;
}

void berth__svm_index_fini(struct berth__svm_index *index)
{
	free(index->items);
}
