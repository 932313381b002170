/* SPDX-License-Identifier: Apache-2.0 */
/* Lists: few mappings of one object are alive at a time. */
#include "layer_mapping.h"

#include <stdlib.h>

struct berth__mapping {
	struct berth__mapping *next;
	const void *pointer;
	uint64_t id;
};

void berth__mapping_add(cl_mem object, const void *pointer, uint64_t id)
{
	struct berth__mapping *mapping = malloc(sizeof(*mapping));
	struct berth__handle *entry = berth__handle_lock(&berth__layer.mems, object);

	if (entry && mapping) {
		*mapping = (struct berth__mapping){ entry->extra, pointer, id };
		entry->extra = mapping;
		mapping = NULL;
	}
	if (entry)
		berth__handle_unlock(&berth__layer.mems, object);
	free(mapping);
}

uint64_t berth__mapping_take(cl_mem object, const void *pointer)
{
	struct berth__handle *entry = berth__handle_lock(&berth__layer.mems, object);
	struct berth__mapping *found = NULL;
	uint64_t id = 0;

	if (!entry)
		return 0;
	for (struct berth__mapping *previous = NULL, *at = entry->extra; at; at = at->next) {
		if (at->pointer == pointer) {
			if (previous)
				previous->next = at->next;
			else
				entry->extra = at->next;
			found = at;
			break;
		}
		previous = at;
	}
	berth__handle_unlock(&berth__layer.mems, object);
	if (found)
		id = found->id;
	free(found);
	return id;
}

void berth__mappings_free(struct berth__mapping *first)
{
	while (first) {
		struct berth__mapping *next = first->next;

		free(first);
		first = next;
	}
}
