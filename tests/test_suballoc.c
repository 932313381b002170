/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets in an arena: where spans are placed, what stale handles do, statistics,
 * failing allocations; and random use against a model that marks units one by one.
 */
#include "alloc_fault.h"
#include "test_main.h"

#include "suballoc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define KIB(n) ((uint64_t)(n) << 10)

static struct berth__suballoc *arena_of(uint64_t capacity, uint64_t granularity)
{
	struct berth__suballoc *arena = NULL;

	ASSERT_OK(berth__suballoc_create(&arena, capacity, granularity));
	return arena;
}

/* A span that must be placed at `expected`. */
static berth__span take(struct berth__suballoc *arena, uint64_t bytes, uint64_t align,
			uint64_t expected)
{
	berth__span span = BERTH__SPAN_NONE;
	uint64_t offset = UINT64_MAX;

	ASSERT_INT(berth__suballoc_alloc(arena, bytes, align, &span, &offset), BERTH_OK);
	ASSERT_INT(offset, expected);
	ASSERT_OK(berth__suballoc_check(arena));
	return span;
}

static void give(struct berth__suballoc *arena, berth__span span)
{
	ASSERT_OK(berth__suballoc_free(arena, span));
	ASSERT_OK(berth__suballoc_check(arena));
}

static void assert_same(const struct berth__suballoc_stats *before,
			const struct berth__suballoc_stats *after)
{
	ASSERT_INT(after->used_bytes, before->used_bytes);
	ASSERT_INT(after->free_bytes, before->free_bytes);
	ASSERT_INT(after->largest_hole_bytes, before->largest_hole_bytes);
	ASSERT_INT(after->end_bytes, before->end_bytes);
	ASSERT_INT(after->peak_end_bytes, before->peak_end_bytes);
	ASSERT_INT(after->used_count, before->used_count);
	ASSERT_INT(after->hole_count, before->hole_count);
	ASSERT_INT(after->index_end, before->index_end);
	ASSERT_INT(after->metadata_bytes, before->metadata_bytes);
}

static void create(void)
{
	static const struct {
		const char *name;
		uint64_t capacity, granularity;
		berth_status status;
		uint64_t expected;
	} cases[] = {
		{ "whole", 4096, 256, BERTH_OK, 4096 },
		{ "rounded down", 4351, 256, BERTH_OK, 4096 },
		{ "one unit", 256, 256, BERTH_OK, 256 },
		{ "bytes", 3, 1, BERTH_OK, 3 },
		{ "all that 64 bits say", UINT64_MAX, 1, BERTH_OK, UINT64_MAX },
		{ "below one unit", 255, 256, BERTH_E_INVAL, 0 },
		{ "nothing", 0, 1, BERTH_E_INVAL, 0 },
		{ "not a power of two", 4096, 192, BERTH_E_INVAL, 0 },
		{ "no granularity", 4096, 0, BERTH_E_INVAL, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct berth__suballoc *arena = NULL;
		struct berth__suballoc_stats stats = { 0 };

		test_case("%s", cases[i].name);
		ASSERT_INT(berth__suballoc_create(&arena, cases[i].capacity, cases[i].granularity),
			   cases[i].status);
		CU_ASSERT_EQUAL(arena != NULL, cases[i].status == BERTH_OK);
		if (!arena)
			continue;
		ASSERT_OK(berth__suballoc_check(arena));
		berth__suballoc_stats(arena, &stats);
		CU_ASSERT_EQUAL(stats.capacity_bytes, cases[i].expected);
		CU_ASSERT_EQUAL(stats.largest_hole_bytes, cases[i].expected);
		ASSERT_INT(stats.end_bytes, 0);
		give(arena, take(arena, cases[i].expected, 1, 0));
		CU_ASSERT(berth__suballoc_is_empty(arena));
		berth__suballoc_destroy(arena);
	}
	berth__suballoc_destroy(NULL);
}

static void refusals(void)
{
	static const struct {
		const char *name;
		uint64_t bytes, align;
		berth_status status;
	} cases[] = {
		{ "nothing", 0, 256, BERTH_E_INVAL },
		{ "no alignment", 1, 0, BERTH_E_INVAL },
		{ "not a power of two", 1, 192, BERTH_E_INVAL },
		{ "more than is left", 3841, 1, BERTH_E_LIMIT },
		{ "more than the arena", 4097, 1, BERTH_E_LIMIT },
		{ "rounding up would overflow", UINT64_MAX, 1, BERTH_E_LIMIT },
		{ "no such address", 1, 4096, BERTH_E_LIMIT },
		{ "no such address at all", 1, UINT64_C(1) << 63, BERTH_E_LIMIT },
		{ "too much in sum", UINT64_MAX, UINT64_C(1) << 63, BERTH_E_LIMIT },
	};
	struct berth__suballoc *arena = arena_of(4096, 256);
	struct berth__suballoc_stats before, after;

	take(arena, 1, 1, 0);
	berth__suballoc_stats(arena, &before);
	for (size_t i = 0; i < COUNT(cases); i++) {
		berth__span span = 7;
		uint64_t offset = 7;

		test_case("%s", cases[i].name);
		(void)berth_error_set(BERTH_E_IO, 0, "as it was");
		ASSERT_INT(berth__suballoc_alloc(arena, cases[i].bytes, cases[i].align, &span,
						 &offset),
			   cases[i].status);
		ASSERT_INT(span, 7);
		ASSERT_INT(offset, 7);
		/* The caller has other arenas to ask: a full one is no error yet. */
		if (cases[i].status == BERTH_E_LIMIT)
			ASSERT_STRING(berth_error_get()->message, "as it was");
		berth__suballoc_stats(arena, &after);
		assert_same(&before, &after);
		ASSERT_OK(berth__suballoc_check(arena));
	}
	take(arena, 3840, 1, 256);
	berth__suballoc_destroy(arena);
}

/*
 * github.com/tenstorrent/tt-metal/issues/35516: [0, 8K) and [16K, 32K) are free; 8
 * KiB taken from the larger hole would leave no room for 16 KiB.
 */
static void best_fit_keeps_the_large_hole(void)
{
	struct berth__suballoc *arena = arena_of(KIB(48), 256);
	berth__span low = take(arena, KIB(8), 1, 0), high;

	take(arena, KIB(8), 1, KIB(8));
	high = take(arena, KIB(16), 1, KIB(16));
	take(arena, KIB(16), 1, KIB(32)); /* so that the large hole is not the end */
	give(arena, low);
	give(arena, high);
	take(arena, KIB(8), 1, 0);
	take(arena, KIB(16), 1, KIB(16));
	berth__suballoc_destroy(arena);
}

/* Sizes of one class (33 to 34 times 1 KiB in units of 16 bytes): the best is taken. */
static void best_fit_within_a_class(void)
{
	static const uint64_t sizes[] = { 33776, 33280, 33536, 33024 };
	struct berth__suballoc *arena = arena_of(KIB(1024), 16);
	uint64_t offsets[COUNT(sizes)], next = 0;
	berth__span spans[COUNT(sizes)];

	for (size_t i = 0; i < COUNT(sizes); i++) {
		offsets[i] = next;
		spans[i] = take(arena, sizes[i], 1, next);
		take(arena, 16, 1, next + sizes[i]);
		next += sizes[i] + 16;
	}
	for (size_t i = 0; i < COUNT(sizes); i++)
		give(arena, spans[i]);
	take(arena, 33250, 1, offsets[1]);
	take(arena, 33536, 1, offsets[2]);
	take(arena, 33000, 1, offsets[3]);
	take(arena, 33700, 1, offsets[0]);
	take(arena, 33024, 1, next);
	berth__suballoc_destroy(arena);
}

static void the_end_is_taken_last(void)
{
	struct berth__suballoc *arena = arena_of(KIB(64), 256);
	struct berth__suballoc_stats stats;
	berth__span first = take(arena, KIB(48), 1, 0), second = take(arena, KIB(4), 1, KIB(48));

	/* 12 KiB are left at the end: a better fit than the hole, and yet spared. */
	give(arena, first);
	take(arena, KIB(12), 1, 0);
	berth__suballoc_stats(arena, &stats);
	ASSERT_INT(stats.end_bytes, KIB(52));
	ASSERT_INT(stats.largest_hole_bytes, KIB(36));
	/* The last span and the hole below it join with the end. */
	give(arena, second);
	berth__suballoc_stats(arena, &stats);
	ASSERT_INT(stats.end_bytes, KIB(12));
	ASSERT_INT(stats.peak_end_bytes, KIB(52));
	ASSERT_INT(stats.largest_hole_bytes, KIB(52));
	ASSERT_INT(stats.hole_count, 1);
	berth__suballoc_destroy(arena);
}

static void alignment(void)
{
	struct berth__suballoc *arena = arena_of(KIB(64), 64);
	berth__span padded;

	take(arena, 1, 1, 0);
	padded = take(arena, 100, 4096, 4096);
	/* What the alignment left free is used. */
	take(arena, 4032, 64, 64);
	take(arena, 64, 64, 4096 + 128);
	give(arena, padded);
	take(arena, 128, 4096, 4096);
	take(arena, 64, 32768, 32768);
	ASSERT_INT(berth__suballoc_alloc(arena, 64, 65536, &padded, &(uint64_t){ 0 }),
		   BERTH_E_LIMIT);
	berth__suballoc_destroy(arena);
}

/*
 * github.com/ggml-org/llama.cpp/pull/12197: an arena of the sum of the aligned sizes
 * is enough, whatever the alignment.
 */
static void sum_of_aligned_sizes_is_enough(void)
{
	static const uint64_t sizes[] = { 27525120, 1, 4095, 4096, 4097, 100000, 65537, 63 };

	for (uint64_t align = 64; align <= KIB(64); align *= 2) {
		uint64_t capacity = 0, next = 0;
		struct berth__suballoc *arena;

		test_case("alignment %d", (int)align);
		for (size_t i = 0; i < COUNT(sizes); i++)
			capacity += (sizes[i] + align - 1) / align * align;
		arena = arena_of(capacity, 64);
		for (size_t i = 0; i < COUNT(sizes); i++) {
			uint64_t rounded = (sizes[i] + align - 1) / align * align;

			take(arena, rounded, align, next);
			next += rounded;
		}
		berth__suballoc_destroy(arena);
	}
}

/* A hole behind more of its class than a search looks at is found before giving up. */
static void a_fit_is_never_missed(void)
{
	enum { HOLES = 200 };
	/* one class of 16-byte units: 512 KiB and up to 1/32 more */
	const uint64_t small = KIB(512), large = KIB(512) + 16 * 1000;
	struct berth__suballoc *arena = arena_of(large + 16 + HOLES * (small + 16), 16);
	berth__span spans[HOLES + 1];
	uint64_t next = 0;

	for (int i = 0; i <= HOLES; i++) {
		uint64_t bytes = i == 0 ? large : small;

		spans[i] = take(arena, bytes, 1, next);
		take(arena, 16, 1, next + bytes);
		next += bytes + 16;
	}
	for (int i = 0; i <= HOLES; i++)
		give(arena, spans[i]);
	take(arena, large, 1, 0);
	ASSERT_INT(berth__suballoc_alloc(arena, small + 1, 1, &spans[0], &next), BERTH_E_LIMIT);
	/* the same where an alignment makes holes of larger classes unfit */
	ASSERT_INT(berth__suballoc_alloc(arena, small, KIB(128), &spans[0], &next), BERTH_E_LIMIT);
	berth__suballoc_destroy(arena);
}

/* What an owner may trust before it asks: never below the largest hole, by 1/32 above at most. */
static void room(void)
{
	static const uint64_t holes[] = { 1, 31, 32, 63, 64, 65, 1000, (UINT64_C(1) << 40) + 1,
					  (UINT64_C(1) << 62) + 5 };

	for (size_t i = 0; i < COUNT(holes); i++) {
		struct berth__suballoc *arena = arena_of(2 * holes[i] + 2, 1);
		berth__span hole, rest;

		test_case("%" PRIu64, holes[i]);
		ASSERT_INT(berth__suballoc_room_bytes(arena), 2 * holes[i] + 2);
		hole = take(arena, holes[i], 1, 0);
		take(arena, 1, 1, holes[i]);
		rest = take(arena, holes[i] + 1, 1, holes[i] + 1);
		ASSERT_INT(berth__suballoc_room_bytes(arena), 0);
		give(arena, hole);
		CU_ASSERT(berth__suballoc_room_bytes(arena) >= holes[i]);
		CU_ASSERT(berth__suballoc_room_bytes(arena) <= holes[i] + holes[i] / 32);
		give(arena, rest);
		CU_ASSERT(berth__suballoc_room_bytes(arena) >= holes[i] + 1);
		berth__suballoc_destroy(arena);
	}
}

static void stale_handles(void)
{
	struct berth__suballoc *arena = arena_of(KIB(64), 256);
	berth__span first = take(arena, 1024, 1, 0), second = take(arena, 1024, 1, 1024), third;
	struct berth__span_info info = { .bytes = 7 };
	struct berth__suballoc_stats before, after;
	const struct {
		const char *name;
		berth__span span;
	} cases[] = {
		{ "freed, its record used again", first },
		{ "none", BERTH__SPAN_NONE },
		{ "far outside", first | UINT32_MAX },
		{ "an index of later", (first & ~(berth__span)UINT32_MAX) | 1000 },
		{ "another serial number", second ^ (UINT64_C(1) << 40) },
		{ "all bits", UINT64_MAX },
	};

	CU_ASSERT_NOT_EQUAL(first, BERTH__SPAN_NONE);
	CU_ASSERT_NOT_EQUAL(berth__span_index(first), berth__span_index(second));
	give(arena, first);
	test_case("freed twice");
	ASSERT_INT(berth__suballoc_free(arena, first), BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, "serial number 1");
	third = take(arena, 1024, 1, 0);
	ASSERT_INT(berth__span_index(third), berth__span_index(first));
	CU_ASSERT_NOT_EQUAL(third, first);
	berth__suballoc_stats(arena, &before);
	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(berth__suballoc_free(arena, cases[i].span), BERTH_E_STATE);
		ASSERT_INT(berth__suballoc_find(arena, cases[i].span, &info), BERTH_E_STATE);
		ASSERT_INT(info.bytes, 7);
		ASSERT_OK(berth__suballoc_check(arena));
	}
	berth__suballoc_stats(arena, &after);
	assert_same(&before, &after);
	test_case("the living");
	ASSERT_OK(berth__suballoc_find(arena, second, &info));
	ASSERT_INT(info.offset_bytes, 1024);
	ASSERT_INT(info.bytes, 1024);
	CU_ASSERT_EQUAL(info.span, second);
	give(arena, second);
	give(arena, third);
	CU_ASSERT(berth__suballoc_is_empty(arena));
	berth__suballoc_destroy(arena);
}

struct walked {
	struct berth__span_info infos[8];
	size_t count;
};

static void note(const struct berth__span_info *info, void *userdata)
{
	struct walked *walked = userdata;

	if (walked->count < COUNT(walked->infos))
		walked->infos[walked->count] = *info;
	walked->count++;
}

static void statistics_and_walk(void)
{
	struct berth__suballoc *arena = arena_of(KIB(64), 256);
	berth__span first = take(arena, 1000, 1, 0), second = take(arena, 300, 1, 1024);
	struct walked walked = { .count = 0 };
	struct berth__suballoc_stats stats;
	berth__span third = take(arena, 256, 4096, 4096);
	const struct berth__span_info expected[] = {
		{ BERTH__SPAN_NONE, 0, 1024 },	      { second, 1024, 512 },
		{ BERTH__SPAN_NONE, 1536, 2560 },     { third, 4096, 256 },
		{ BERTH__SPAN_NONE, 4352, KIB(64) - 4352 },
	};

	give(arena, first);
	berth__suballoc_stats(arena, &stats);
	ASSERT_INT(stats.capacity_bytes, KIB(64));
	ASSERT_INT(stats.used_bytes, 768);
	ASSERT_INT(stats.free_bytes, KIB(64) - 768);
	ASSERT_INT(stats.largest_hole_bytes, KIB(64) - 4352);
	ASSERT_INT(stats.end_bytes, 4352);
	ASSERT_INT(stats.used_count, 2);
	ASSERT_INT(stats.hole_count, 3);
	CU_ASSERT(berth__span_index(third) < stats.index_end);
	CU_ASSERT(stats.metadata_bytes >= 5 * 32);

	berth__suballoc_walk(arena, note, &walked);
	ASSERT_INT(walked.count, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		test_case("step %zu", i);
		CU_ASSERT_EQUAL(walked.infos[i].span, expected[i].span);
		ASSERT_INT(walked.infos[i].offset_bytes, expected[i].offset_bytes);
		ASSERT_INT(walked.infos[i].bytes, expected[i].bytes);
	}
	berth__suballoc_destroy(arena);
}

/* Many spans, so that the records grow, with every growth failing once. */
static void failing_memory(void)
{
	enum { SPANS = 600 };
	struct berth__suballoc *arena = NULL;
	berth__span spans[SPANS];
	unsigned failures = 0;

	for (unsigned n = 1; !arena; n++) {
		berth_status st;

		test_case("create, allocation %u fails", n);
		alloc_fault_arm(n);
		st = berth__suballoc_create(&arena, SPANS * 256, 256);
		ASSERT_INT(st, alloc_fault_disarm() ? BERTH_E_NOMEM : BERTH_OK);
		CU_ASSERT_EQUAL(arena != NULL, st == BERTH_OK);
		if (n > 10)
			return;
	}
	for (unsigned i = 0; i < SPANS; i++) {
		struct berth__suballoc_stats before, after;
		uint64_t offset = 7;
		berth_status st;

		berth__suballoc_stats(arena, &before);
		spans[i] = 7;
		alloc_fault_arm(1);
		st = berth__suballoc_alloc(arena, 256, 256, &spans[i], &offset);
		if (!alloc_fault_disarm()) {
			ASSERT_INT(st, BERTH_OK);
			continue;
		}
		failures++;
		test_case("span %u, no memory", i);
		ASSERT_INT(st, BERTH_E_NOMEM);
		ASSERT_CONTAINS(berth_error_get()->message, "no memory");
		ASSERT_INT(spans[i], 7);
		ASSERT_INT(offset, 7);
		berth__suballoc_stats(arena, &after);
		assert_same(&before, &after);
		ASSERT_OK(berth__suballoc_check(arena));
		ASSERT_INT(berth__suballoc_alloc(arena, 256, 256, &spans[i], &offset), BERTH_OK);
	}
	CU_ASSERT(failures >= 3);
	/* To free takes no memory. */
	alloc_fault_arm(1);
	for (unsigned i = 0; i < SPANS; i++)
		ASSERT_INT(berth__suballoc_free(arena, spans[(i * 7) % SPANS]), BERTH_OK);
	CU_ASSERT_FALSE(alloc_fault_disarm());
	ASSERT_OK(berth__suballoc_check(arena));
	CU_ASSERT(berth__suballoc_is_empty(arena));
	berth__suballoc_destroy(arena);
}

/* The model: who owns each unit; a search tries every offset. */
enum { UNITS = 1024, SLOTS = 160, STEPS = 6000 };

struct model {
	uint8_t owners[UNITS]; /* slot + 1; 0: free */
	struct {
		berth__span span;
		uint64_t offset, units;
	} slots[SLOTS];
};

static bool model_is_free(const struct model *model, uint64_t offset, uint64_t units)
{
	if (units > UNITS || offset > UNITS - units)
		return false;
	for (uint64_t i = offset; i < offset + units; i++)
		if (model->owners[i] != 0)
			return false;
	return true;
}

static bool model_has_room(const struct model *model, uint64_t units, uint64_t align)
{
	for (uint64_t offset = 0; offset < UNITS; offset += align)
		if (model_is_free(model, offset, units))
			return true;
	return false;
}

static void model_compare(const struct model *model, const struct berth__suballoc *arena,
			  unsigned shift)
{
	uint64_t run = 0, largest = 0, used = 0, end = 0;
	struct berth__suballoc_stats stats;

	for (uint64_t i = 0; i < UNITS; i++) {
		run = model->owners[i] == 0 ? run + 1 : 0;
		if (run > largest)
			largest = run;
		if (model->owners[i] != 0) {
			used++;
			end = i + 1;
		}
	}
	berth__suballoc_stats(arena, &stats);
	ASSERT_INT(stats.used_bytes >> shift, used);
	ASSERT_INT(stats.free_bytes >> shift, UNITS - used);
	ASSERT_INT(stats.largest_hole_bytes >> shift, largest);
	ASSERT_INT(stats.end_bytes >> shift, end);
	ASSERT_INT(berth__suballoc_check(arena), BERTH_OK);
}

static void model_free(struct model *model, struct berth__suballoc *arena, unsigned slot)
{
	berth__span span = model->slots[slot].span;

	ASSERT_INT(berth__suballoc_free(arena, span), BERTH_OK);
	ASSERT_INT(berth__suballoc_free(arena, span), BERTH_E_STATE);
	memset(&model->owners[model->slots[slot].offset], 0, model->slots[slot].units);
	model->slots[slot].span = BERTH__SPAN_NONE;
}

static void model_alloc(struct model *model, struct berth__suballoc *arena, unsigned slot,
			unsigned shift, uint64_t units, uint64_t align)
{
	bool has_room = model_has_room(model, units, align);
	/* any bytes that round up to the units */
	uint64_t bytes = (units << shift) - (shift > 0 ? units % 3 : 0), offset = 0;
	berth__span span = BERTH__SPAN_NONE;

	ASSERT_INT(berth__suballoc_alloc(arena, bytes, align << shift, &span, &offset),
		   has_room ? BERTH_OK : BERTH_E_LIMIT);
	if (span == BERTH__SPAN_NONE)
		return;
	ASSERT_INT(offset % (align << shift), 0);
	CU_ASSERT(model_is_free(model, offset >> shift, units));
	model->slots[slot].span = span;
	model->slots[slot].offset = offset >> shift;
	model->slots[slot].units = units;
	memset(&model->owners[offset >> shift], (int)slot + 1, units);
}

static uint32_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

static void random_use(void)
{
	static const struct {
		unsigned shift;
		uint32_t most_units;
		uint32_t most_align_log2;
	} cases[] = {
		{ 8, 8, 0 },  { 8, 64, 0 },  { 8, 300, 0 },
		{ 8, 40, 5 }, { 0, 100, 7 }, { 40, 20, 3 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned shift = cases[i].shift;
		struct berth__suballoc *arena = arena_of((uint64_t)UNITS << shift,
							 UINT64_C(1) << shift);
		struct model model = { .owners = { 0 } };
		uint64_t random = i + 1;

		test_case("row %zu", i);
		for (int step = 0; step < STEPS; step++) {
			unsigned slot = next_random(&random) % SLOTS;
			uint64_t units = 1 + next_random(&random) % cases[i].most_units;
			unsigned align_log2 = next_random(&random) % (cases[i].most_align_log2 + 1);

			if (model.slots[slot].span != BERTH__SPAN_NONE)
				model_free(&model, arena, slot);
			else
				model_alloc(&model, arena, slot, shift, units,
					    UINT64_C(1) << align_log2);
			if (step % 16 == 0)
				model_compare(&model, arena, shift);
		}
		for (unsigned slot = 0; slot < SLOTS; slot++)
			if (model.slots[slot].span != BERTH__SPAN_NONE)
				model_free(&model, arena, slot);
		model_compare(&model, arena, shift);
		CU_ASSERT(berth__suballoc_is_empty(arena));
		berth__suballoc_destroy(arena);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "create", create },
		{ "refusals", refusals },
		{ "best fit keeps the large hole", best_fit_keeps_the_large_hole },
		{ "best fit within a class", best_fit_within_a_class },
		{ "the end is taken last", the_end_is_taken_last },
		{ "alignment", alignment },
		{ "the sum of aligned sizes is enough", sum_of_aligned_sizes_is_enough },
		{ "a fit is never missed", a_fit_is_never_missed },
		{ "room", room },
		{ "stale handles", stale_handles },
		{ "statistics and walk", statistics_and_walk },
		{ "failing memory", failing_memory },
		{ "random use", random_use },
		{ NULL, NULL },
	};

	return test_main("suballoc", tests);
}
