/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of byte ranges, against a set of single bytes. */
#include "test_main.h"

#include <string.h>

#include "ranges.h"

#define BYTES 96

static void set_to(struct berth__ranges *set, const uint64_t (*pairs)[2])
{
	for (; pairs && (*pairs)[1]; pairs++)
		CU_ASSERT_FATAL(berth__ranges_append(set, (*pairs)[0], (*pairs)[1]));
}

static void assert_is(const struct berth__ranges *set, const uint64_t (*pairs)[2])
{
	size_t count = 0;

	for (; pairs && pairs[count][1]; count++) {
		if (count >= set->count)
			break;
		ASSERT_INT(set->items[count].start, pairs[count][0]);
		ASSERT_INT(set->items[count].end, pairs[count][1]);
	}
	ASSERT_INT(set->count, count);
	CU_ASSERT(!pairs || pairs[count][1] == 0);
}

#define MAX_PAIRS 5

static void add_and_remove(void)
{
	static const struct {
		const char *name;
		uint64_t set[MAX_PAIRS][2], other[MAX_PAIRS][2];
		uint64_t sum[MAX_PAIRS][2], rest[MAX_PAIRS][2];
		uint64_t common;
	} cases[] = {
		{ "nothing to nothing", { { 0 } }, { { 0 } }, { { 0 } }, { { 0 } }, 0 },
		{ "to nothing", { { 0 } }, { { 3, 5 } }, { { 3, 5 } }, { { 0 } }, 0 },
		{ "nothing", { { 3, 5 } }, { { 0 } }, { { 3, 5 } }, { { 3, 5 } }, 0 },
		{ "the same", { { 3, 5 } }, { { 3, 5 } }, { { 3, 5 } }, { { 0 } }, 2 },
		{ "a hole", { { 0, 9 } }, { { 3, 5 } }, { { 0, 9 } }, { { 0, 3 }, { 5, 9 } }, 2 },
		{ "touching on the left", { { 3, 5 } }, { { 1, 3 } }, { { 1, 5 } }, { { 3, 5 } }, 0 },
		{ "touching on the right", { { 3, 5 } }, { { 5, 6 } }, { { 3, 6 } }, { { 3, 5 } }, 0 },
		{ "filling a gap", { { 0, 2 }, { 4, 6 } }, { { 2, 4 } }, { { 0, 6 } },
		  { { 0, 2 }, { 4, 6 } }, 0 },
		{ "over several", { { 0, 2 }, { 4, 6 }, { 8, 10 } }, { { 1, 9 } }, { { 0, 10 } },
		  { { 0, 1 }, { 9, 10 } }, 4 },
		{ "rows", { { 0, 20 } }, { { 2, 4 }, { 8, 10 }, { 14, 16 } }, { { 0, 20 } },
		  { { 0, 2 }, { 4, 8 }, { 10, 14 }, { 16, 20 } }, 6 },
		{ "between, untouched neighbours", { { 0, 1 }, { 20, 30 } }, { { 5, 6 } },
		  { { 0, 1 }, { 5, 6 }, { 20, 30 } }, { { 0, 1 }, { 20, 30 } }, 0 },
		{ "largest offsets", { { UINT64_MAX - 9, UINT64_MAX } },
		  { { UINT64_MAX - 5, UINT64_MAX } }, { { UINT64_MAX - 9, UINT64_MAX } },
		  { { UINT64_MAX - 9, UINT64_MAX - 5 } }, 5 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct berth__ranges sum = { 0 }, rest = { 0 }, other = { 0 };

		test_case("%s", cases[i].name);
		set_to(&sum, cases[i].set);
		set_to(&rest, cases[i].set);
		set_to(&other, cases[i].other);
		CU_ASSERT_FATAL(berth__ranges_reserve(&sum, other.count));
		CU_ASSERT_FATAL(berth__ranges_reserve(&rest, other.count));
		ASSERT_INT(berth__ranges_common_bytes(&sum, &other), cases[i].common);
		ASSERT_INT(berth__ranges_common_bytes(&other, &sum), cases[i].common);
		berth__ranges_add(&sum, &other);
		assert_is(&sum, cases[i].sum);
		berth__ranges_remove(&rest, &other);
		assert_is(&rest, cases[i].rest);
		berth__ranges_free(&sum);
		berth__ranges_free(&rest);
		berth__ranges_free(&other);
	}
}

static void part_moved(void)
{
	static const uint64_t set_pairs[][2] = { { 0, 4 }, { 6, 8 }, { 12, 20 }, { 0, 0 } };
	/* [2, 14) of it is 2-4, 6-8, 12-14; moved so that 2 becomes 100 */
	static const uint64_t moved[][2] = { { 100, 102 }, { 104, 106 }, { 110, 112 }, { 0, 0 } };
	struct berth__ranges set = { 0 }, out = { 0 };

	set_to(&set, set_pairs);
	CU_ASSERT(berth__ranges_append_common(&out, &set, 2, 14, 100));
	assert_is(&out, moved);
	CU_ASSERT(berth__ranges_append_common(&out, &set, 8, 12, 200));
	assert_is(&out, moved);
	berth__ranges_free(&set);
	berth__ranges_free(&out);
}

/* A generator of our own, so that every machine tests the same. */
static uint32_t random_below(uint32_t *state, uint32_t limit)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % limit;
}

static void random_ranges(struct berth__ranges *out, uint32_t *state)
{
	uint64_t position = random_below(state, BYTES);
	unsigned rows = 1 + random_below(state, 6);

	out->count = 0;
	for (unsigned i = 0; i < rows && position < BYTES; i++) {
		uint64_t end = position + random_below(state, 9);

		CU_ASSERT_FATAL(berth__ranges_append(out, position, end < BYTES ? end : BYTES));
		position = end + random_below(state, 5);
	}
}

static uint64_t apply_to_bytes(bool bytes[BYTES], const struct berth__ranges *ranges, bool value)
{
	uint64_t had = 0;

	for (size_t i = 0; i < ranges->count; i++) {
		for (uint64_t at = ranges->items[i].start; at < ranges->items[i].end; at++) {
			had += bytes[at];
			bytes[at] = value;
		}
	}
	return had;
}

/* Sorted, disjoint, not touching, and the same bytes. */
static bool same(const struct berth__ranges *set, const bool bytes[BYTES])
{
	bool seen[BYTES] = { false };

	for (size_t i = 0; i < set->count; i++) {
		if (set->items[i].start >= set->items[i].end || set->items[i].end > BYTES ||
		    (i > 0 && set->items[i].start <= set->items[i - 1].end))
			return false;
		memset(seen + set->items[i].start, true,
		       set->items[i].end - set->items[i].start);
	}
	return memcmp(seen, bytes, BYTES) == 0;
}

static void against_single_bytes(void)
{
	struct berth__ranges set = { 0 }, other = { 0 };
	bool bytes[BYTES] = { false };
	uint32_t state = 1;
	bool good = true;

	for (int round = 0; round < 20000 && good; round++) {
		bool adds = random_below(&state, 2);
		uint64_t common;

		random_ranges(&other, &state);
		CU_ASSERT_FATAL(berth__ranges_reserve(&set, other.count));
		common = berth__ranges_common_bytes(&set, &other);
		good = apply_to_bytes(bytes, &other, adds) == common;
		if (adds)
			berth__ranges_add(&set, &other);
		else
			berth__ranges_remove(&set, &other);
		good = good && same(&set, bytes);
		test_case("round %d", round);
	}
	CU_ASSERT(good);
	berth__ranges_free(&set);
	berth__ranges_free(&other);
}

int main(void)
{
	static const struct test tests[] = {
		{ "add, remove, common", add_and_remove },
		{ "a part, moved", part_moved },
		{ "against single bytes", against_single_bytes },
		{ NULL, NULL },
	};

	return test_main("ranges", tests);
}
