/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of byte ranges as sorted arrays. */
#include "ranges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct berth__range range;
typedef struct berth__ranges ranges;

void berth__ranges_free(ranges *set)
{
	free(set->items);
	memset(set, 0, sizeof(*set));
}

bool berth__ranges_reserve(ranges *set, size_t extra)
{
	size_t needed, bytes;
	range *items;

	if (__builtin_add_overflow(set->count, extra, &needed))
		return false;
	if (needed <= set->capacity)
		return true;
	if (needed < 2 * set->capacity)
		needed = 2 * set->capacity;
	if (__builtin_mul_overflow(needed, sizeof(*items), &bytes))
		return false;
	items = realloc(set->items, bytes);
	if (!items)
		return false;
	set->items = items;
	set->capacity = needed;
	return true;
}

/* Put a range behind the last one, joined with it when they touch. Has room. */
static void push(ranges *set, size_t *count, uint64_t start, uint64_t end)
{
	range *last = *count > 0 ? &set->items[*count - 1] : NULL;

	if (start >= end)
		return;
	if (last && start <= last->end) {
		if (end > last->end)
			last->end = end;
		return;
	}
	set->items[(*count)++] = (range){ start, end };
}

bool berth__ranges_append(ranges *set, uint64_t start, uint64_t end)
{
	assert(set->count == 0 || start >= set->items[set->count - 1].end);
	if (!berth__ranges_reserve(set, 1))
		return false;
	push(set, &set->count, start, end);
	return true;
}

/* The index of the first range that ends after @p position (at it, with @p touching). */
static size_t find(const ranges *set, uint64_t position, bool touching)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->items[middle].end > position ||
		    (touching && set->items[middle].end == position))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * A change touches the ranges in [first, last) only. They are moved up by as
 * many places as @p other has ranges, with all behind them; the result is then
 * written from `first` on, and never catches up with what is still to be read,
 * because each range read or taken from @p other gives one range more at most.
 */
struct window {
	size_t first;  /* where the result goes */
	size_t source; /* the first range that is not read yet */
	size_t end;    /* one past the last range to read */
	size_t tail;   /* ranges behind the window */
};

static struct window open_window(ranges *set, const ranges *other)
{
	uint64_t start = other->items[0].start, end = other->items[other->count - 1].end;
	size_t first = find(set, start, true), last = find(set, end, false);
	struct window window;

	assert(set->capacity - set->count >= other->count);
	/* The one that ends behind `end` belongs to it when it begins before, or touches. */
	if (last < set->count && set->items[last].start <= end)
		last++;
	memmove(set->items + first + other->count, set->items + first,
		(set->count - first) * sizeof(*set->items));
	window.first = first;
	window.source = first + other->count;
	window.end = last + other->count;
	window.tail = set->count - last;
	return window;
}

static void close_window(ranges *set, const struct window *window, size_t count)
{
	memmove(set->items + count, set->items + window->end, window->tail * sizeof(*set->items));
	set->count = count + window->tail;
}

void berth__ranges_add(ranges *set, const ranges *other)
{
	struct window window;
	size_t count, next = 0;

	if (other->count == 0)
		return;
	window = open_window(set, other);
	count = window.first;
	while (next < other->count || window.source < window.end) {
		range taken;

		if (window.source == window.end ||
		    (next < other->count &&
		     other->items[next].start < set->items[window.source].start))
			taken = other->items[next++];
		else
			taken = set->items[window.source++];
		push(set, &count, taken.start, taken.end);
	}
	close_window(set, &window, count);
}

void berth__ranges_remove(ranges *set, const ranges *other)
{
	struct window window;
	size_t count, next = 0;

	if (other->count == 0 || set->count == 0)
		return;
	window = open_window(set, other);
	count = window.first;
	while (window.source < window.end) {
		range kept = set->items[window.source++];

		while (next < other->count && other->items[next].end <= kept.start)
			next++;
		while (next < other->count && other->items[next].start < kept.end) {
			push(set, &count, kept.start, other->items[next].start);
			kept.start = other->items[next].end;
			if (kept.start >= kept.end)
				break;
			next++;
		}
		push(set, &count, kept.start, kept.end);
	}
	close_window(set, &window, count);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t berth__ranges_common_bytes(const ranges *set, const ranges *other)
{
	uint64_t bytes = 0;
	size_t i, j = 0;

	if (other->count == 0)
		return 0;
	i = find(set, other->items[0].start, false);
	while (i < set->count && j < other->count) {
		const range *a = &set->items[i], *b = &other->items[j];
		uint64_t start = later(a->start, b->start), end = earlier(a->end, b->end);

		bytes += end > start ? end - start : 0;
		if (a->end < b->end)
			i++;
		else
			j++;
	}
	return bytes;
}

bool berth__ranges_append_common(ranges *out, const ranges *set, uint64_t start, uint64_t end,
				 uint64_t to)
{
	for (size_t i = find(set, start, false); i < set->count && set->items[i].start < end; i++) {
		uint64_t from = later(set->items[i].start, start);
		uint64_t until = earlier(set->items[i].end, end);

		if (!berth__ranges_append(out, to + (from - start), to + (until - start)))
			return false;
	}
	return true;
}
