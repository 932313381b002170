/* SPDX-License-Identifier: Apache-2.0 */
#include "pool_fixture.h"

static const berth_pool_policy all_policies[] = { BERTH_POOL_SUBALLOC, BERTH_POOL_NAIVE,
						  BERTH_POOL_EXACT, BERTH_POOL_BEST_FIT,
						  BERTH_POOL_FIRST_FIT, BERTH_POOL_BINS };
#define POLICIES (sizeof(all_policies) / sizeof(all_policies[0]))

/* One device, one pool on it. */
struct bench {
	berth_profile profile;
	berth_device *device;
	berth_pool *pool;
};

static void open_with(struct bench *bench, const berth_pool_options *options)
{
	bench->profile = sim_fixture_profile();
	bench->device = sim_fixture_device(&bench->profile);
	bench->pool = pool_fixture_create(bench->device, options);
}

static void open_policy(struct bench *bench, berth_pool_policy policy)
{
	const berth_pool_options options = pool_fixture_options(policy);

	open_with(bench, &options);
}

static void release_all(berth_pool *pool, const berth_storage *storages, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ASSERT_OK(berth_storage_release(pool, storages[i], NULL));
}

/* Nothing is left on the device once the pool is gone. */
static void close_bench(struct bench *bench)
{
	berth_pool_destroy(bench->pool);
	ASSERT_INT(sim_fixture_in_use(bench->device), 0);
	berth_device_destroy(bench->device);
}

static void names(void)
{
	berth_pool_policy policy;

	for (size_t i = 0; i < POLICIES; i++) {
		ASSERT_OK(berth_pool_policy_parse(&policy,
						  berth_pool_policy_string(all_policies[i])));
		ASSERT_INT(policy, all_policies[i]);
	}
	ASSERT_STRING(berth_pool_policy_string(BERTH_POOL_POLICY_END), "unknown");
	ASSERT_INT(berth_pool_policy_parse(&policy, "buddy"), BERTH_E_NOT_FOUND);
	ASSERT_CONTAINS(berth_error_get()->message, "best-fit");
	ASSERT_STRING(berth_image_mode_string(BERTH_IMAGES_HOST_ALIASED), "host-aliased");
	ASSERT_STRING(berth_image_mode_string((berth_image_mode)9), "unknown");
}

static void wrong_options(void)
{
	const struct {
		const char *name;
		berth_pool_options options;
		const char *detail;
	} cases[] = {
		{ "size", { .size = 3 }, "options of 3 bytes" },
		{ "policy",
		  { .size = sizeof(berth_pool_options), .policy = (berth_pool_policy)17 },
		  "policy 17" },
		{ "alignment", { .size = sizeof(berth_pool_options), .align_bytes = 96 }, "96" },
		{ "block over the largest allocation",
		  { .size = sizeof(berth_pool_options), .block_bytes = (UINT64_C(1) << 30) + 1 },
		  "1073741825" },
	};
	berth_profile profile = sim_fixture_profile();
	berth_device *device = sim_fixture_device(&profile);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_pool *pool = NULL;

		test_case("%s", cases[i].name);
		ASSERT_INT(berth_pool_create(&pool, device, &cases[i].options), BERTH_E_INVAL);
		CU_ASSERT_PTR_NULL(pool);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
	}
	berth_pool_destroy(NULL);
	berth_device_destroy(device);
}

/* What TVM's tests of its allocators assert; a page is 4096. */
static void accounting_of_policies(void)
{
	static const struct {
		berth_pool_policy policy;
		uint64_t bytes;
		uint64_t used, held_after;
	} cases[] = {
		{ BERTH_POOL_NAIVE, 64, 64, 0 },
		{ BERTH_POOL_EXACT, 64, 4096, 4096 },
		{ BERTH_POOL_BEST_FIT, 64, 4096, 4096 },
		{ BERTH_POOL_FIRST_FIT, 64, 4096, 4096 },
		/* What PyOpenCL 2022.3.1 was seen to hold: 100 is 11001 00b, so 11001 11b. */
		{ BERTH_POOL_BINS, 100, 103, 103 },
		{ BERTH_POOL_BINS, 3048, 3071, 3071 },
		{ BERTH_POOL_BINS, 1000000, 1015807, 1015807 },
		{ BERTH_POOL_BINS, 1048577, 1114111, 1114111 },
		{ BERTH_POOL_BINS, 3000000, 3014655, 3014655 },
		{ BERTH_POOL_BINS, 31, 31, 31 },
		/* (1,3,6,6) of float32 */
		{ BERTH_POOL_NAIVE, 432, 432, 0 },
		{ BERTH_POOL_EXACT, 432, 4096, 4096 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench bench;
		berth_storage storage;
		berth_pool_stats stats;

		test_case("%s, %d", berth_pool_policy_string(cases[i].policy), (int)cases[i].bytes);
		open_policy(&bench, cases[i].policy);
		storage = pool_fixture_storage(bench.pool, cases[i].bytes);
		stats = pool_fixture_stats(bench.pool);
		ASSERT_INT(stats.requested_bytes, cases[i].bytes);
		ASSERT_INT(stats.in_use_bytes, cases[i].used);
		ASSERT_OK(berth_storage_release(bench.pool, storage, NULL));
		stats = pool_fixture_stats(bench.pool);
		ASSERT_INT(stats.in_use_bytes, 0);
		ASSERT_INT(stats.held_bytes, cases[i].held_after);
		ASSERT_INT(stats.cached_bytes, cases[i].held_after);
		ASSERT_INT(berth_pool_trim(bench.pool), cases[i].held_after);
		ASSERT_INT(pool_fixture_stats(bench.pool).held_bytes, 0);
		close_bench(&bench);
	}
}

/* Freed, then trimmed with one live: used bytes stay true. */
static void used_stays_true(void)
{
	for (size_t i = 0; i < POLICIES; i++) {
		struct bench bench;
		berth_storage one, two;
		uint64_t used;

		test_case("%s", berth_pool_policy_string(all_policies[i]));
		open_policy(&bench, all_policies[i]);
		one = pool_fixture_storage(bench.pool, 5000);
		used = pool_fixture_stats(bench.pool).in_use_bytes;
		two = pool_fixture_storage(bench.pool, 9000);
		ASSERT_OK(berth_storage_release(bench.pool, two, NULL));
		ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, used);
		berth_pool_trim(bench.pool);
		ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, used);
		ASSERT_INT(pool_fixture_stats(bench.pool).requested_bytes, 5000);
		ASSERT_OK(berth_storage_release(bench.pool, one, NULL));
		ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, 0);
		close_bench(&bench);
	}
}

/* A pool that only recycles ends with 1 + 2 + 3 + 4; ours never hold more than 4. */
static void growing_sizes(void)
{
	static const struct {
		berth_pool_policy policy;
		uint64_t peak_held_mib;
	} cases[] = {
		{ BERTH_POOL_SUBALLOC, 4 },
		{ BERTH_POOL_NAIVE, 4 },
		{ BERTH_POOL_BEST_FIT, 4 },
		/* by its nature: it never gives anything back */
		{ BERTH_POOL_EXACT, 10 },
		{ BERTH_POOL_FIRST_FIT, 10 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench bench;

		test_case("%s", berth_pool_policy_string(cases[i].policy));
		open_policy(&bench, cases[i].policy);
		for (uint64_t mib = 1; mib <= 4; mib++) {
			berth_storage storage = pool_fixture_storage(bench.pool, mib * MIB);

			ASSERT_OK(berth_storage_release(bench.pool, storage, NULL));
		}
		ASSERT_INT(pool_fixture_stats(bench.pool).peak_held_bytes,
			   cases[i].peak_held_mib * MIB);
		/* what lived is told apart from what was held */
		ASSERT_INT(pool_fixture_stats(bench.pool).peak_requested_bytes, 4 * MIB);
		ASSERT_INT(pool_fixture_stats(bench.pool).requested_bytes, 0);
		close_bench(&bench);
	}
}

/* Sizes that grow by a page, the new one taken before the old one is freed. */
static void churn_with_growing_sizes(void)
{
	static const struct {
		berth_pool_policy policy;
		bool bounded;
	} cases[] = {
		{ BERTH_POOL_SUBALLOC, true },
		{ BERTH_POOL_NAIVE, true },
		{ BERTH_POOL_BEST_FIT, true },
		{ BERTH_POOL_EXACT, false },
		{ BERTH_POOL_FIRST_FIT, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench bench;
		berth_pool_stats stats;
		berth_storage old = 0;

		test_case("%s", berth_pool_policy_string(cases[i].policy));
		open_policy(&bench, cases[i].policy);
		for (uint64_t step = 0; step < 64; step++) {
			berth_storage next = pool_fixture_storage(bench.pool, MIB + step * 4096);

			if (old)
				ASSERT_OK(berth_storage_release(bench.pool, old, NULL));
			old = next;
		}
		stats = pool_fixture_stats(bench.pool);
		/* Two live at once; a pool may hold as much again in holes. */
		ASSERT_INT(stats.peak_held_bytes <= 2 * stats.peak_requested_bytes,
			   cases[i].bounded);
		close_bench(&bench);
	}
}

/* Holes of 8 and 16 KiB; 8 and then 16 are asked for: the smaller hole serves the smaller. */
static void best_fit_keeps_the_large_hole(void)
{
	berth_pool_options options = pool_fixture_options(BERTH_POOL_SUBALLOC);
	struct bench bench;
	berth_storage low, wall, high;
	berth_storage_info info;

	options.limit_bytes = 32 * KIB;
	open_with(&bench, &options);
	low = pool_fixture_storage(bench.pool, 8 * KIB);
	wall = pool_fixture_storage(bench.pool, 8 * KIB);
	high = pool_fixture_storage(bench.pool, 16 * KIB);
	ASSERT_OK(berth_storage_release(bench.pool, low, NULL));
	ASSERT_OK(berth_storage_release(bench.pool, high, NULL));
	low = pool_fixture_storage(bench.pool, 8 * KIB);
	ASSERT_OK(berth_storage_get_info(&info, bench.pool, low));
	ASSERT_INT(info.offset_bytes, 0);
	high = pool_fixture_storage(bench.pool, 16 * KIB);
	ASSERT_OK(berth_storage_get_info(&info, bench.pool, high));
	ASSERT_INT(info.offset_bytes, 16 * KIB);
	ASSERT_INT(pool_fixture_stats(bench.pool).blocks_created, 1);
	ASSERT_OK(berth_storage_release(bench.pool, wall, NULL));
	close_bench(&bench);
}

/* The sum of aligned sizes fits, for every alignment, to the last byte. */
static void never_short_by_one_alignment(void)
{
	for (uint64_t align = 64; align <= 64 * KIB; align *= 2) {
		berth_pool_options options = pool_fixture_options(BERTH_POOL_SUBALLOC);
		struct bench bench;
		berth_storage_info info;

		test_case("alignment %d", (int)align);
		options.align_bytes = align;
		options.limit_bytes = 3 * align;
		bench.profile = sim_fixture_profile();
		bench.profile.caps.base_addr_align_bits = 64 * 8;
		bench.profile.caps.image_base_align = 1;
		bench.device = sim_fixture_device(&bench.profile);
		bench.pool = pool_fixture_create(bench.device, &options);
		for (int i = 0; i < 3; i++) {
			berth_storage storage = pool_fixture_storage(bench.pool, align - (i == 1));

			ASSERT_OK(berth_storage_get_info(&info, bench.pool, storage));
			ASSERT_INT(info.offset_bytes % align, 0);
			ASSERT_INT(info.reserved_bytes, align);
		}
		close_bench(&bench);
	}
}

/* Requests that a pool of bins served with 5,147,747 bytes. */
static void padding_is_told(void)
{
	static const uint64_t sizes[] = { 3048, 1000000, 1048577, 3000000, 100 };
	struct bench bench;
	uint64_t requested = 0, exact = 0;
	berth_pool_stats stats;

	open_policy(&bench, BERTH_POOL_EXACT);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pool_fixture_storage(bench.pool, sizes[i]);
		requested += sizes[i];
		exact += (sizes[i] + 4095) / 4096 * 4096;
	}
	stats = pool_fixture_stats(bench.pool);
	ASSERT_INT(stats.requested_bytes, 5051725);
	ASSERT_INT(requested, 5051725);
	ASSERT_INT(stats.padding_bytes, exact - requested);
	close_bench(&bench);
	open_policy(&bench, BERTH_POOL_NAIVE);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		pool_fixture_storage(bench.pool, sizes[i]);
	ASSERT_INT(pool_fixture_stats(bench.pool).padding_bytes, 0);
	close_bench(&bench);
}

static void exact_reuses_the_last_freed(void)
{
	struct bench bench;
	berth_storage storages[3];
	berth_storage_info before[3], after;

	open_policy(&bench, BERTH_POOL_EXACT);
	for (int i = 0; i < 3; i++) {
		storages[i] = pool_fixture_storage(bench.pool, i == 2 ? 8192 : 4000);
		ASSERT_OK(berth_storage_get_info(&before[i], bench.pool, storages[i]));
	}
	release_all(bench.pool, storages, 3);
	storages[0] = pool_fixture_storage(bench.pool, 4096);
	ASSERT_OK(berth_storage_get_info(&after, bench.pool, storages[0]));
	ASSERT_INT(after.object, before[1].object);
	/* no larger one serves */
	storages[1] = pool_fixture_storage(bench.pool, 4097 + 4096);
	ASSERT_OK(berth_storage_get_info(&after, bench.pool, storages[1]));
	CU_ASSERT(after.object > before[2].object);
	close_bench(&bench);
}

static void best_fit_reuse(void)
{
	struct bench bench;
	berth_storage storages[3];
	berth_storage_info before[3], after;
	static const uint64_t sizes[] = { 16384, 8192, 4096 };

	open_policy(&bench, BERTH_POOL_BEST_FIT);
	for (int i = 0; i < 3; i++) {
		storages[i] = pool_fixture_storage(bench.pool, sizes[i]);
		ASSERT_OK(berth_storage_get_info(&before[i], bench.pool, storages[i]));
	}
	release_all(bench.pool, storages, 3);
	storages[0] = pool_fixture_storage(bench.pool, 5000);
	ASSERT_OK(berth_storage_get_info(&after, bench.pool, storages[0]));
	ASSERT_INT(after.object, before[1].object);
	/* none of 4096 and 16384 holds it: 16384 is replaced */
	storages[1] = pool_fixture_storage(bench.pool, 20480);
	ASSERT_INT(pool_fixture_stats(bench.pool).held_bytes, 8192 + 4096 + 20480);
	close_bench(&bench);
}

static void few_device_objects(void)
{
	struct bench bench;
	berth_storage storages[1000];
	berth_pool_stats stats;

	open_policy(&bench, BERTH_POOL_SUBALLOC);
	for (int i = 0; i < 1000; i++)
		storages[i] = pool_fixture_storage(bench.pool, 4096);
	stats = pool_fixture_stats(bench.pool);
	/* 4,096,000 bytes in blocks of 1, 1 and 2 MiB */
	ASSERT_INT(stats.blocks_created, 3);
	ASSERT_INT(stats.storages, 1000);
	ASSERT_INT(stats.storages_reused, 997);
	release_all(bench.pool, storages, 1000);
	stats = pool_fixture_stats(bench.pool);
	ASSERT_INT(stats.storages, 0);
	ASSERT_INT(stats.cached_bytes, 4 * MIB);
	close_bench(&bench);
}

/* Empty blocks up to retain_bytes stay, the rest goes back at once. */
static void empty_blocks_return(void)
{
	static const struct {
		uint64_t retain_bytes, held_bytes;
	} cases[] = { { 0, 0 }, { MIB, MIB }, { 3 * MIB, 2 * MIB }, { 64 * MIB, 4 * MIB } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_pool_options options = pool_fixture_options(BERTH_POOL_SUBALLOC);
		struct bench bench;
		berth_storage storages[4];

		test_case("retain %d KiB", (int)(cases[i].retain_bytes / KIB));
		options.retain_bytes = cases[i].retain_bytes;
		open_with(&bench, &options);
		for (int k = 0; k < 4; k++)
			storages[k] = pool_fixture_storage(bench.pool, MIB);
		ASSERT_INT(pool_fixture_stats(bench.pool).held_bytes, 4 * MIB);
		release_all(bench.pool, storages, 4);
		ASSERT_INT(pool_fixture_stats(bench.pool).held_bytes, cases[i].held_bytes);
		close_bench(&bench);
	}
}

static void stale_handles(void)
{
	for (size_t i = 0; i < POLICIES; i++) {
		struct bench bench;
		berth_storage first, second;
		berth_storage_info info;

		test_case("%s", berth_pool_policy_string(all_policies[i]));
		open_policy(&bench, all_policies[i]);
		first = pool_fixture_storage(bench.pool, 4096);
		ASSERT_OK(berth_storage_release(bench.pool, first, NULL));
		ASSERT_INT(berth_storage_release(bench.pool, first, NULL), BERTH_E_STATE);
		second = pool_fixture_storage(bench.pool, 4096);
		CU_ASSERT(first != second);
		ASSERT_INT(berth_storage_release(bench.pool, first, NULL), BERTH_E_STATE);
		ASSERT_INT(berth_storage_get_info(&info, bench.pool, first), BERTH_E_STATE);
		ASSERT_INT(berth_storage_release(bench.pool, 0, NULL), BERTH_E_STATE);
		ASSERT_INT(berth_storage_release(bench.pool, UINT64_MAX, NULL), BERTH_E_STATE);
		ASSERT_OK(berth_storage_get_info(&info, bench.pool, second));
		ASSERT_INT(pool_fixture_stats(bench.pool).storages, 1);
		close_bench(&bench);
	}
}

static void impossible_sizes(void)
{
	static const struct {
		uint64_t bytes;
		uint64_t limit_bytes;
		berth_status status;
		const char *detail;
	} cases[] = {
		{ UINT64_MAX, 0, BERTH_E_OVERFLOW, "18446744073709551615" },
		{ (UINT64_C(1) << 30) + 1, 0, BERTH_E_LIMIT, "largest allocation is 1073741824" },
		{ 5 * MIB, 4 * MIB, BERTH_E_LIMIT, "limit is 4194304" },
		/* short by a page: both numbers are told */
		{ 27525120, 27521024, BERTH_E_LIMIT, "27525120: the pool's limit is 27521024" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_pool_options options = pool_fixture_options(BERTH_POOL_SUBALLOC);
		berth_storage storage = 77;
		struct bench bench;
		struct pool_dump before, after;

		test_case("%s", cases[i].detail);
		options.limit_bytes = cases[i].limit_bytes;
		open_with(&bench, &options);
		pool_fixture_storage(bench.pool, 100);
		ASSERT_OK(berth_storage_release(bench.pool, pool_fixture_storage(bench.pool, 100),
						NULL));
		pool_dump_take(&before, bench.pool);
		ASSERT_INT(berth_storage_create(&storage, bench.pool, cases[i].bytes, NULL),
			   cases[i].status);
		ASSERT_INT(storage, 77);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
		pool_dump_take(&after, bench.pool);
		ASSERT_STRING(after.text, before.text);
		close_bench(&bench);
	}
}

static void size_zero_is_one(void)
{
	for (size_t i = 0; i < POLICIES; i++) {
		struct bench bench;
		berth_storage_info info;

		test_case("%s", berth_pool_policy_string(all_policies[i]));
		open_policy(&bench, all_policies[i]);
		ASSERT_OK(berth_storage_get_info(&info, bench.pool,
						 pool_fixture_storage(bench.pool, 0)));
		ASSERT_INT(info.bytes, 1);
		close_bench(&bench);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "names", names },
		{ "wrong options", wrong_options },
		{ "accounting of policies", accounting_of_policies },
		{ "used bytes stay true", used_stays_true },
		{ "growing sizes", growing_sizes },
		{ "churn with growing sizes", churn_with_growing_sizes },
		{ "best fit keeps the large hole", best_fit_keeps_the_large_hole },
		{ "never short by one alignment", never_short_by_one_alignment },
		{ "padding is told", padding_is_told },
		{ "exact reuses the last freed", exact_reuses_the_last_freed },
		{ "best-fit reuse", best_fit_reuse },
		{ "few device objects", few_device_objects },
		{ "empty blocks return", empty_blocks_return },
		{ "stale handles", stale_handles },
		{ "impossible sizes", impossible_sizes },
		{ "size 0 is 1", size_zero_is_one },
		{ NULL, NULL },
	};

	return test_main("pool", tests);
}
