/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of byte ranges: sorted, disjoint, never touching each other. The simulator
 * keeps one a root object: the bytes whose content is not known; tensors keep the
 * bytes that are out of date on a side.
 *
 * Adding and removing cannot fail: room is reserved before an op changes
 * anything, so that an op either happens in whole or not at all.
 */
#ifndef BERTH_LIB_RANGES_H
#define BERTH_LIB_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct berth__range {
	uint64_t start;
	uint64_t end; /* > start; one past the last byte */
};

/* Zeroed is the empty set. */
struct berth__ranges {
	struct berth__range *items;
	size_t count;
	size_t capacity;
};

void berth__ranges_free(struct berth__ranges *set);

/* Make room for @p extra more ranges; false: no memory, the set is unchanged. */
bool berth__ranges_reserve(struct berth__ranges *set, size_t extra);

/*
 * Append a range that starts at or after the end of the last one; an empty range
 * does nothing. False: no memory.
 */
bool berth__ranges_append(struct berth__ranges *set, uint64_t start, uint64_t end);

/* @p set gains or loses what is in @p other. Needs room for other->count more. */
void berth__ranges_add(struct berth__ranges *set, const struct berth__ranges *other);
void berth__ranges_remove(struct berth__ranges *set, const struct berth__ranges *other);

/* The number of bytes that are in both. */
uint64_t berth__ranges_common_bytes(const struct berth__ranges *set,
				    const struct berth__ranges *other);

/*
 * Append to @p out the parts of [start, end) that are in @p set, moved so that
 * start lands at @p to. False: no memory.
 */
bool berth__ranges_append_common(struct berth__ranges *out, const struct berth__ranges *set,
				 uint64_t start, uint64_t end, uint64_t to);

#endif
