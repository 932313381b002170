/* SPDX-License-Identifier: Apache-2.0 */
/* How a pickle's values are held: what the reader fills and the questions look at. */
#ifndef BERTH_REPLAY_PICKLE_STORE_H
#define BERTH_REPLAY_PICKLE_STORE_H

#include "pickle.h"

struct berth__pickle_slot {
	uint32_t type;	  /* enum berth__pickle_type; of an int: BERTH__PICKLE_NEGATIVE as well */
	uint32_t bytes;	  /* of a text */
	uint64_t content; /* number; text: where in `texts`; list, tuple, dict: which container */
};

#define BERTH__PICKLE_NEGATIVE 0x100u
#define BERTH__PICKLE_TYPE_MASK 0xffu

/* Items of a list or tuple; of a dict, keys and values in turn. */
struct berth__pickle_container {
	berth__pickle_value *items;
	uint32_t count, capacity;
};

struct berth__pickle {
	struct berth__pickle_slot *slots;
	size_t count, capacity;
	struct berth__pickle_container *containers;
	size_t container_count, container_capacity;
	char *texts; /* each with a NUL behind it */
	size_t text_bytes, text_capacity;
	berth__pickle_value root;
	uint64_t file_bytes, work;
};

/* New values. BERTH_OK, BERTH_E_LIMIT or BERTH_E_NOMEM. */
BERTH_MUST_CHECK berth_status berth__pickle_add(berth__pickle_value *out,
						struct berth__pickle *pickle, uint32_t type,
						uint64_t content);
/* A list, tuple or dict of these items. */
BERTH_MUST_CHECK berth_status berth__pickle_add_items(berth__pickle_value *out,
						      struct berth__pickle *pickle, uint32_t type,
						      const berth__pickle_value *items,
						      uint32_t count);
/* More of them. */
BERTH_MUST_CHECK berth_status berth__pickle_append(struct berth__pickle *pickle,
						   berth__pickle_value container,
						   const berth__pickle_value *items,
						   uint32_t count);
/* Room for a text and its NUL at the end of `texts`, to be filled. */
BERTH_MUST_CHECK berth_status berth__pickle_reserve_text(char **out, struct berth__pickle *pickle,
							 size_t bytes);
/* An array with room for so many items; *items is unchanged on failure. */
BERTH_MUST_CHECK berth_status berth__pickle_grow(void **items, size_t *capacity, size_t needed,
						 size_t item_bytes);

#endif
