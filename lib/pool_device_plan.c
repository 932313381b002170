/* SPDX-License-Identifier: Apache-2.0 */
/* Places of the pool device's objects: from a plan, or storages of the pool. */
#include "pool_device.h"

#include <stdlib.h>

static int compare_ids(const void *a, const void *b)
{
	const struct berth__planned_object *first = a, *second = b;

	return (first->id > second->id) - (first->id < second->id);
}

berth_status berth__pool_device_bind(struct berth__pool_device *device, const uint64_t *objects,
				     const berth_plan_input *input, const berth_plan *plan)
{
	size_t count = plan->place_count;
	struct berth__planned_object *planned_objects;
	berth_status st;

	if (device->planned || device->next_id > 1 || berth_objects_count(device->objects) > 0)
		return berth_error_set(BERTH_E_STATE, 0, "%s is in use already: no plan any more",
				       device->name);
	planned_objects = calloc(count + 1, sizeof(*planned_objects));
	if (!planned_objects)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu planned objects",
				       count);
	st = berth_planned_create(&device->planned, device->pool, input, plan);
	if (st != BERTH_OK) {
		free(planned_objects);
		return st;
	}
	for (size_t i = 0; i < count; i++)
		planned_objects[i] = (struct berth__planned_object){ objects[i], i };
	qsort(planned_objects, count, sizeof(*planned_objects), compare_ids);
	device->planned_objects = planned_objects;
	device->planned_object_count = count;
	return BERTH_OK;
}

/* A number that no request has, for an object that is not planned. */
static size_t request_of(const struct berth__pool_device *device, uint64_t object)
{
	const struct berth__planned_object key = { .id = object }, *found;

	found = bsearch(&key, device->planned_objects, device->planned_object_count, sizeof(key),
			compare_ids);
	return found ? found->request : SIZE_MAX;
}

berth_status berth__pool_device_take(struct berth__pool_device *device, uint64_t object,
				     uint64_t bytes, berth_planned_place *out)
{
	berth_planned_place place = { .bytes = bytes };
	berth_status st;

	if (device->planned)
		return berth_planned_take(out, device->planned, request_of(device, object), bytes);
	st = berth_storage_create(&place.storage, device->pool, bytes, NULL);
	if (st == BERTH_OK)
		*out = place;
	return st;
}

void berth__pool_device_give_back(struct berth__pool_device *device,
				  const berth_planned_place *place)
{
	berth_status st = device->planned
				  ? berth_planned_give_back(device->planned, place)
				  : berth_storage_release(device->pool, place->storage, NULL);

	(void)st; /* It is ours, and has no views by handle. */
}

void berth__pool_device_end_plan(struct berth__pool_device *device)
{
	berth_planned_destroy(device->planned);
	free(device->planned_objects);
}
