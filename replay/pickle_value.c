/* SPDX-License-Identifier: Apache-2.0 */
#include "pickle_store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a walk for each byte of the file: an entry of 50 bytes is looked through in some 500. */
#define WORK_PER_BYTE 256
#define WORK_LEAST 65536

berth_status berth__pickle_grow(void **items, size_t *capacity, size_t needed, size_t item_bytes)
{
	size_t wanted = *capacity ? *capacity : 16;
	void *grown;

	if (needed <= *capacity)
		return BERTH_OK;
	while (wanted < needed)
		wanted *= 2;
	grown = reallocarray(*items, wanted, item_bytes);
	if (!grown)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a pickle's %zu values",
				       needed);
	*items = grown;
	*capacity = wanted;
	return BERTH_OK;
}

berth_status berth__pickle_add(berth__pickle_value *out, struct berth__pickle *pickle,
			       uint32_t type, uint64_t content)
{
	berth_status st;

	if (pickle->count >= BERTH__PICKLE_VALUES_MAX)
		return berth_error_set(BERTH_E_LIMIT, 0, "more than %" PRIu32 " values in a pickle",
				       BERTH__PICKLE_VALUES_MAX);
	st = berth__pickle_grow((void **)&pickle->slots, &pickle->capacity, pickle->count + 1,
				sizeof(*pickle->slots));
	if (st != BERTH_OK)
		return st;
	pickle->slots[pickle->count] = (struct berth__pickle_slot){ type, 0, content };
	*out = (berth__pickle_value)pickle->count++;
	return BERTH_OK;
}

berth_status berth__pickle_add_items(berth__pickle_value *out, struct berth__pickle *pickle,
				     uint32_t type, const berth__pickle_value *items,
				     uint32_t count)
{
	size_t index = pickle->container_count;
	berth_status st = berth__pickle_grow((void **)&pickle->containers,
					     &pickle->container_capacity, index + 1,
					     sizeof(*pickle->containers));

	if (st != BERTH_OK)
		return st;
	pickle->containers[index] = (struct berth__pickle_container){ NULL, 0, 0 };
	pickle->container_count++;
	if ((st = berth__pickle_add(out, pickle, type, index)) != BERTH_OK)
		return st;
	return berth__pickle_append(pickle, *out, items, count);
}

berth_status berth__pickle_append(struct berth__pickle *pickle, berth__pickle_value value,
				  const berth__pickle_value *items, uint32_t count)
{
	struct berth__pickle_container *container =
		&pickle->containers[pickle->slots[value].content];
	uint32_t needed, capacity;
	berth__pickle_value *grown;

	if (count == 0)
		return BERTH_OK;
	if (__builtin_add_overflow(container->count, count, &needed))
		return berth_error_set(BERTH_E_LIMIT, 0, "a list of a pickle is too long");
	if (needed > container->capacity) {
		/* Most are made once and stay: only what grows again gets more than it needs. */
		capacity = container->capacity && needed < UINT32_MAX / 2 ? 2 * needed : needed;
		grown = reallocarray(container->items, capacity, sizeof(*grown));
		if (!grown)
			return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a pickle's list");
		container->items = grown;
		container->capacity = capacity;
	}
	memcpy(container->items + container->count, items, count * sizeof(*items));
	container->count = needed;
	return BERTH_OK;
}

berth_status berth__pickle_reserve_text(char **out, struct berth__pickle *pickle, size_t bytes)
{
	berth_status st = berth__pickle_grow((void **)&pickle->texts, &pickle->text_capacity,
					     pickle->text_bytes + bytes + 1, 1);

	if (st == BERTH_OK)
		*out = pickle->texts + pickle->text_bytes;
	return st;
}

void berth__pickle_free(struct berth__pickle *pickle)
{
	if (!pickle)
		return;
	for (size_t i = 0; i < pickle->container_count; i++)
		free(pickle->containers[i].items);
	free(pickle->containers);
	free(pickle->slots);
	free(pickle->texts);
	free(pickle);
}

/* ---- questions ---- */

berth__pickle_value berth__pickle_root(const struct berth__pickle *pickle)
{
	return pickle->root;
}

enum berth__pickle_type berth__pickle_type_of(const struct berth__pickle *pickle,
					      berth__pickle_value value)
{
	return (enum berth__pickle_type)(pickle->slots[value].type & BERTH__PICKLE_TYPE_MASK);
}

const char *berth__pickle_type_string(enum berth__pickle_type type)
{
	static const char *const names[] = {
		[BERTH__PICKLE_NONE] = "None",	 [BERTH__PICKLE_BOOL] = "a bool",
		[BERTH__PICKLE_INT] = "an int",	 [BERTH__PICKLE_HUGE] = "an int of over 64 bits",
		[BERTH__PICKLE_FLOAT] = "a float", [BERTH__PICKLE_TEXT] = "a text",
		[BERTH__PICKLE_BYTES] = "bytes", [BERTH__PICKLE_LIST] = "a list",
		[BERTH__PICKLE_TUPLE] = "a tuple", [BERTH__PICKLE_DICT] = "a dict",
	};

	return names[type];
}

bool berth__pickle_number(uint64_t *out, const struct berth__pickle *pickle,
			  berth__pickle_value value)
{
	const struct berth__pickle_slot *slot = &pickle->slots[value];

	if (slot->type != BERTH__PICKLE_INT)
		return false;
	*out = slot->content;
	return true;
}

bool berth__pickle_truth(const struct berth__pickle *pickle, berth__pickle_value value)
{
	const struct berth__pickle_slot *slot = &pickle->slots[value];

	return slot->type == BERTH__PICKLE_BOOL && slot->content;
}

const char *berth__pickle_text(const struct berth__pickle *pickle, berth__pickle_value value)
{
	const struct berth__pickle_slot *slot = &pickle->slots[value];

	if (slot->type != BERTH__PICKLE_TEXT ||
	    strlen(pickle->texts + slot->content) != slot->bytes)
		return NULL;
	return pickle->texts + slot->content;
}

uint32_t berth__pickle_count(const struct berth__pickle *pickle, berth__pickle_value value)
{
	const struct berth__pickle_slot *slot = &pickle->slots[value];

	if (slot->type != BERTH__PICKLE_LIST && slot->type != BERTH__PICKLE_TUPLE)
		return 0;
	return pickle->containers[slot->content].count;
}

berth__pickle_value berth__pickle_item(const struct berth__pickle *pickle,
				       berth__pickle_value value, uint32_t index)
{
	return pickle->containers[pickle->slots[value].content].items[index];
}

bool berth__pickle_find(berth__pickle_value *out, struct berth__pickle *pickle,
			berth__pickle_value dict, const char *key)
{
	const struct berth__pickle_slot *slot = &pickle->slots[dict];
	const struct berth__pickle_container *container;
	size_t bytes = strlen(key);

	pickle->work++;
	if (slot->type != BERTH__PICKLE_DICT)
		return false;
	container = &pickle->containers[slot->content];
	for (uint32_t i = container->count; i > 1; i -= 2) {
		const struct berth__pickle_slot *name = &pickle->slots[container->items[i - 2]];

		pickle->work++;
		if (name->type != BERTH__PICKLE_TEXT || name->bytes != bytes ||
		    memcmp(pickle->texts + name->content, key, bytes) != 0)
			continue;
		*out = container->items[i - 1];
		return true;
	}
	return false;
}

bool berth__pickle_is_worn_out(const struct berth__pickle *pickle)
{
	return pickle->work > WORK_LEAST + WORK_PER_BYTE * pickle->file_bytes;
}
