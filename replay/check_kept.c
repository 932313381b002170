/* SPDX-License-Identifier: Apache-2.0 */
/* What the checker keeps for each object that both sides have. */
#include "check.h"

#include <stdlib.h>

#include <CL/cl.h>

void berth__kept_free(struct berth__kept *kept)
{
	while (kept && kept->mappings) {
		struct berth__kept_mapping *next = kept->mappings->next;

		free(kept->mappings);
		kept->mappings = next;
	}
	if (kept)
		free(kept->host);
	free(kept);
}

/* The link to the mapping that the op names, or NULL. */
static struct berth__kept_mapping **find_mapping(const struct berth__check *check)
{
	berth_object *object = berth__object_of(check);
	struct berth__kept *kept = object ? object->user : NULL;
	struct berth__kept_mapping **link = kept ? &kept->mappings : NULL;

	while (link && *link && (*link)->id != check->op.mapping)
		link = &(*link)->next;
	return link && *link ? link : NULL;
}

void berth__kept_carry_over(const struct berth__check *check)
{
	struct berth__kept_mapping **link = find_mapping(check);
	const struct berth__kept_mapping *mapping = link ? *link : NULL;
	const uint64_t writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

	if (mapping && mapping->flags & writes && mapping->subject.start &&
	    mapping->reference.start)
		berth__check_box_copy(&mapping->box, &mapping->reference, &mapping->subject);
}

void berth__kept_add_mapping(struct berth__check *check)
{
	berth_object *object = berth__object_of(check);
	struct berth__kept_mapping *mapping = check->mapping;
	struct berth__kept *kept = object->user;

	mapping->id = check->op.mapping;
	mapping->flags = check->op.flags;
	mapping->box = berth__check_box_of(&check->op, object);
	mapping->subject =
		berth__check_place_in_mapping(&mapping->box, &check->op, object, &check->subject);
	mapping->reference =
		berth__check_place_in_mapping(&mapping->box, &check->op, object, &check->reference);
	mapping->next = kept->mappings;
	kept->mappings = mapping;
	check->mapping = NULL;
}

void berth__kept_remove_mapping(const struct berth__check *check)
{
	struct berth__kept_mapping **link = find_mapping(check);

	if (link) {
		struct berth__kept_mapping *mapping = *link;

		*link = mapping->next;
		free(mapping);
	}
}
