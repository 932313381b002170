/* SPDX-License-Identifier: Apache-2.0 */
/* Lists: few mappings of one object are alive at a time. */
#include "layer_mapping.h"

#include <stdlib.h>

void berth__mapping_add(cl_mem object, const struct berth__mapping *added)
{
	struct berth__mapping *mapping = malloc(sizeof(*mapping));
	struct berth__handle *entry = berth__handle_lock(&berth__layer.mems, object);

	if (entry && mapping) {
		*mapping = *added;
		mapping->next = entry->extra;
		berth__handle_set_extra(entry, mapping);
		mapping = NULL;
	}
	if (entry)
		berth__handle_unlock(&berth__layer.mems, object);
	free(mapping);
}

struct berth__mapping berth__mapping_take(cl_mem object, const void *pointer)
{
	struct berth__handle *entry = berth__handle_lock(&berth__layer.mems, object);
	struct berth__mapping *found = NULL, taken = { .id = 0 };

	if (!entry)
		return taken;
	for (struct berth__mapping *previous = NULL, *at = entry->extra; at; at = at->next) {
		if (at->rows.host == pointer) {
			if (previous)
				previous->next = at->next;
			else
				berth__handle_set_extra(entry, at->next);
			found = at;
			break;
		}
		previous = at;
	}
	berth__handle_unlock(&berth__layer.mems, object);
	if (found)
		taken = *found;
	free(found);
	return taken;
}

void berth__mappings_free(struct berth__mapping *first)
{
	while (first) {
		struct berth__mapping *next = first->next;

		free(first);
		first = next;
	}
}
