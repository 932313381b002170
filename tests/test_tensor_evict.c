/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Budgets and eviction. The cases come from tests of Glow, GPGMM and others: what was
 * asked, and what must be evicted, in which order. Tensors are named by serial numbers.
 */
#include "tensor_fixture.h"

#define R world.residency

static struct world world;

/* A tensor with content, on the device. */
static berth_tensor resident_on(uint64_t bytes, uint32_t site)
{
	berth_tensor tensor = world_tensor(&world, bytes, NULL);
	void *host = NULL;

	ASSERT_OK(berth_tensor_map(&host, R, tensor, BERTH_ACCESS_WRITE));
	CU_ASSERT_PTR_NOT_NULL_FATAL(host);
	memset(host, (int)world_info(&world, tensor).serial, bytes);
	ASSERT_OK(berth_tensor_unmap(R, tensor, BERTH_ACCESS_WRITE));
	ASSERT_OK(berth_tensor_to_device(R, tensor, site, 0));
	return tensor;
}

static berth_tensor resident(uint64_t bytes)
{
	return resident_on(bytes, 0);
}

/* The serial numbers of those evicted since the last call: "1 2". */
static const char *evicted(void)
{
	static char serials[256];
	const char *line = world.decisions;

	serials[0] = '\0';
	while ((line = strstr(line, "\"tensor\":"))) {
		size_t used = strlen(serials);

		line += strlen("\"tensor\":");
		snprintf(serials + used, sizeof(serials) - used, "%s%llu", used ? " " : "",
			 strtoull(line, NULL, 10));
	}
	world.decisions[0] = '\0';
	return serials;
}

/* DeviceManager.AvailableMemory: N fits, N + 1 does not; values unchanged by a refusal. */
static void test_available(void)
{
	berth_tensor tensor, second;

	world_open_limit(&world, 1000, BERTH_EVICT_LRU);
	ASSERT_INT(world_stats(&world).available_bytes, 1000);
	tensor = resident(1000);
	ASSERT_INT(world_stats(&world).available_bytes, 0);
	ASSERT_OK(berth_tensor_pin(R, tensor));
	second = world_tensor(&world, 1, NULL);
	ASSERT_FAILS(berth_tensor_to_device(R, second, 0, 0), BERTH_E_LIMIT);
	ASSERT_INT(world_stats(&world).charged_bytes, 1000);
	ASSERT_INT(world_stats(&world).resident, 1);
	ASSERT_OK(berth_tensor_unpin(R, tensor));
	/* Evicted, its bytes are credited: the next fits whole. */
	ASSERT_OK(berth_tensor_to_device(R, second, 0, 0));
	ASSERT_OK(berth_tensor_destroy(R, second));
	ASSERT_INT(world_stats(&world).available_bytes, 1000);
	second = world_tensor(&world, 1001, NULL);
	ASSERT_FAILS(berth_tensor_to_device(R, second, 0, 0), BERTH_E_LIMIT);
	ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
	world_close(&world);
}

/* SetDeviceMemory: a limit that is set is used; without, 80 % of the device's memory. */
static void test_default_limit(void)
{
	world_open_limit(&world, 32768, BERTH_EVICT_LRU);
	ASSERT_INT(world_stats(&world).hard_limit_bytes, 32768);
	world_close(&world);
	world_open(&world, NULL);
	ASSERT_INT(world_stats(&world).hard_limit_bytes,
		   berth_device_caps(&world.device->base)->global_mem_bytes / 100 * 80);
	world_close(&world);
}

/* MemAlloc.testEviction: 1024 bytes. */
static void test_order(void)
{
	berth_tensor tensor;

	world_open_limit(&world, 1024, BERTH_EVICT_LRU);
	resident(500);
	resident(400);
	ASSERT_STRING(evicted(), "");
	resident(400);
	ASSERT_STRING(evicted(), "1");
	/* Impossible: nothing is evicted, the most that can be had is named. */
	tensor = world_tensor(&world, 2000, NULL);
	ASSERT_FAILS(berth_tensor_to_device(R, tensor, 0, 0), BERTH_E_LIMIT);
	ASSERT_CONTAINS(berth_error_get()->message, "2000 bytes are needed; the limit is 1024");
	ASSERT_CONTAINS(berth_error_get()->message, "the most that can be had is 1024");
	ASSERT_CONTAINS(world.decisions, "{\"seq\":2,\"action\":\"refuse\",\"site\":0,"
					 "\"need_bytes\":2000,\"obtainable_bytes\":1024}\n");
	ASSERT_STRING(evicted(), "");
	ASSERT_INT(world_stats(&world).resident, 2);
	resident(1024);
	ASSERT_STRING(evicted(), "2 3");
	world_close(&world);
}

/* 256 bytes three times, the first protected: 512 evicts the others, in order. */
static void test_protected(void)
{
	berth_tensor first, large, huge;
	void *host;

	world_open_limit(&world, 768, BERTH_EVICT_LRU);
	first = resident(256);
	resident(256);
	resident(256);
	large = world_tensor(&world, 512, NULL);
	huge = world_tensor(&world, 513, NULL);
	/* Pinned; mapped; in flight. What is left is 512. */
	ASSERT_OK(berth_tensor_pin(R, first));
	ASSERT_FAILS(berth_tensor_to_device(R, huge, 0, 0), BERTH_E_LIMIT);
	ASSERT_CONTAINS(berth_error_get()->message, "256 of it cannot be evicted");
	ASSERT_INT(world_stats(&world).obtainable_bytes, 512);
	ASSERT_OK(berth_tensor_unpin(R, first));
	ASSERT_OK(berth_tensor_map(&host, R, first, BERTH_ACCESS_READ));
	ASSERT_FAILS(berth_tensor_to_device(R, huge, 0, 0), BERTH_E_LIMIT);
	ASSERT_OK(berth_tensor_unmap(R, first, BERTH_ACCESS_READ));
	ASSERT_OK(berth_tensor_prefetch(R, first, 0, NULL, NULL));
	ASSERT_FAILS(berth_tensor_to_device(R, huge, 0, 0), BERTH_E_LIMIT);
	ASSERT_STRING(evicted(), "");
	ASSERT_OK(berth_tensor_to_device(R, large, 0, 0));
	ASSERT_STRING(evicted(), "2 3");
	ASSERT_OK(berth_residency_complete(R, 0));
	ASSERT_OK(berth_tensor_to_device(R, huge, 0, 0));
	world_close(&world);
}

/* GPGMM: 10 of 1 in a budget of 10; ten more evict the first ten; sets that alternate swap. */
static void test_sets(void)
{
	berth_tensor all[20];

	world_open_limit(&world, 10, BERTH_EVICT_LRU);
	for (int i = 0; i < 20; i++)
		all[i] = resident(1);
	ASSERT_STRING(evicted(), "1 2 3 4 5 6 7 8 9 10");
	ASSERT_OK(world_use(&world, all, 10));
	ASSERT_STRING(evicted(), "11 12 13 14 15 16 17 18 19 20");
	ASSERT_OK(world_use(&world, all + 10, 10));
	ASSERT_STRING(evicted(), "1 2 3 4 5 6 7 8 9 10");
	/* Eleven do not fit: not one comes. */
	ASSERT_FAILS(world_use(&world, all, 11), BERTH_E_LIMIT);
	ASSERT_STRING(evicted(), "");
	for (int i = 0; i < 10; i++)
		ASSERT_PLACE(&world, all[i], "host");
	/* All pinned: fail; unpinned: succeed. */
	for (int i = 10; i < 20; i++)
		ASSERT_OK(berth_tensor_pin(R, all[i]));
	ASSERT_FAILS(world_use(&world, all, 1), BERTH_E_LIMIT);
	ASSERT_OK(berth_tensor_unpin(R, all[13]));
	ASSERT_OK(world_use(&world, all, 1));
	ASSERT_STRING(evicted(), "14");
	world_close(&world);
}

/* Clean copies go without a transfer, what changed is saved, and comes back. */
static void test_clean_and_dirty(void)
{
	berth_tensor clean, dirty;

	world_open_limit(&world, 200, BERTH_EVICT_LRU);
	clean = resident(100);
	dirty = world_tensor(&world, 100, NULL);
	ASSERT_OK(world_fill(&world, dirty, BERTH_ACCESS_WRITE, 77, 100));
	resident(200);
	ASSERT_INT(world_stats(&world).dropped, 1);
	ASSERT_INT(world_stats(&world).saved, 1);
	ASSERT_INT(world_stats(&world).to_host_bytes, 100);
	/* Clock: 3 uses were made before the request, of which the second and third are theirs. */
	ASSERT_STRING(world.decisions,
		      "{\"seq\":1,\"action\":\"drop\",\"site\":0,\"need_bytes\":200,\"tensor\":1,"
		      "\"bytes\":100,\"moved_bytes\":0,\"policy\":\"lru\",\"reason\":\"hard-limit\","
		      "\"idle\":1}\n"
		      "{\"seq\":2,\"action\":\"save\",\"site\":0,\"need_bytes\":200,\"tensor\":2,"
		      "\"bytes\":100,\"moved_bytes\":100,\"policy\":\"lru\",\"reason\":\"hard-limit\","
		      "\"idle\":0}\n");
	/* A trace has the same lines, as labels. */
	ASSERT_STRING(world.device->labels, world.decisions);
	ASSERT_BYTES(&world, dirty, 77);
	ASSERT_BYTES(&world, clean, 1);
	world_close(&world);
}

/* Above the soft limit of 200 what is idle goes; a working set may pass it, up to the hard. */
static void test_soft_limit(void)
{
	berth_site_options site = BERTH_SITE_OPTIONS_INIT;
	berth_tensor set[3];
	uint64_t left = 0;

	site.hard_limit_bytes = 300;
	site.soft_limit_bytes = 200;
	world_open(&world, &site);
	resident(100);
	resident(100);
	set[0] = resident(100);
	ASSERT_CONTAINS(world.decisions, "\"reason\":\"soft-limit\"");
	ASSERT_STRING(evicted(), "1");
	set[1] = resident(100);
	set[2] = resident(100);
	ASSERT_OK(world_use(&world, set, 3));
	ASSERT_INT(world_stats(&world).charged_bytes, 300);
	evicted();
	ASSERT_OK(berth_residency_trim(R, 0, 150, &left));
	ASSERT_INT(left, 100);
	ASSERT_CONTAINS(world.decisions, "\"reason\":\"trim\"");
	site.soft_limit_bytes = 301;
	ASSERT_FAILS(berth_residency_add_site(&(uint32_t){ 0 }, R, world.pool, &site),
		     BERTH_E_INVAL);
	world_close(&world);
}

/*
 * Cost: equal sizes and nearly equal ages, so what changed costs twice what did not, and
 * stays. A large one alone makes small ones unnecessary.
 */
static void test_cost(void)
{
	berth_tensor dirty;

	world_open_limit(&world, 3000, BERTH_EVICT_COST);
	dirty = world_tensor(&world, 1000, NULL);
	ASSERT_OK(world_fill(&world, dirty, BERTH_ACCESS_WRITE, 1, 1000));
	/* ns a byte and use: dirty 2 * 10125 / (1000 * 3), clean 10125 / (1000 * 2 or 1). */
	resident(1000);
	resident(1000);
	resident(1000);
	ASSERT_STRING(evicted(), "2");
	world_close(&world);

	world_open_limit(&world, 1200, BERTH_EVICT_COST);
	resident(1000);
	resident(100);
	resident(100);
	/*
	 * Idle 2, 1, 0: the large one has the lowest score, 10125 / (1000 * 3), and is enough
	 * for 900.
	 */
	resident(900);
	ASSERT_STRING(evicted(), "1");
	world_close(&world);
}

/*
 * Window: six neighbours of 128 bytes that fill the budget. 1 and 3 changed; for 256 bytes
 * two neighbours go, and the first two that need no saving are 4 and 5.
 */
static void test_window(void)
{
	berth_tensor all[6], more;

	world_open_limit(&world, 6 * 128, BERTH_EVICT_WINDOW);
	for (int i = 0; i < 6; i++) {
		all[i] = world_tensor(&world, 128, NULL);
		ASSERT_OK(world_fill(&world, all[i], BERTH_ACCESS_WRITE, 1, 128));
		if (i % 2)
			ASSERT_OK(berth_tensor_ensure_on_host(R, &all[i], 1));
	}
	ASSERT_OK(berth_tensor_ensure_on_host(R, &all[4], 1));
	more = world_tensor(&world, 256, NULL);
	ASSERT_OK(berth_tensor_to_device(R, more, 0, 0));
	ASSERT_STRING(evicted(), "4 5");
	world_close(&world);

	/* None lies beside another that may go: by age. */
	world_open_limit(&world, 5 * 128, BERTH_EVICT_WINDOW);
	for (int i = 0; i < 5; i++)
		all[i] = resident(128);
	ASSERT_OK(berth_tensor_pin(R, all[1]));
	ASSERT_OK(berth_tensor_pin(R, all[3]));
	ASSERT_OK(world_use(&world, &all[0], 1));
	/* 5 has the rest of the block behind it: it frees 128 of 256, 3 as the oldest as well. */
	more = world_tensor(&world, 256, NULL);
	ASSERT_OK(berth_tensor_to_device(R, more, 0, 0));
	ASSERT_STRING(evicted(), "3 5");
	world_close(&world);
}

/*
 * A block of 1024: 256 that is protected, 256 and 256 that may go, and 256 behind them that is
 * free. 768 fit where the three of 256 are, and both must go for it: a search that ends at the
 * last tensor, as Glow's first fit does, finds 512 and gives up.
 */
static void test_free_tail(void)
{
	for (unsigned policy = 0; policy < BERTH_EVICT_END; policy++) {
		berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
		berth_site_options site = BERTH_SITE_OPTIONS_INIT;
		berth_pool_stats stats;
		berth_pool *pool = NULL;
		berth_tensor first, large;
		uint32_t number = 0;

		test_case("%s", berth_evict_string((berth_evict)policy));
		world_open(&world, NULL);
		options.block_bytes = 1024;
		options.limit_bytes = 1024;
		options.first_id = UINT64_C(1) << 60;
		site.policy = (berth_evict)policy;
		site.hard_limit_bytes = 1024;
		ASSERT_OK(berth_pool_create(&pool, &world.device->base, &options));
		ASSERT_OK(berth_residency_add_site(&number, R, pool, &site));
		first = resident_on(256, number);
		ASSERT_OK(berth_tensor_pin(R, first));
		resident_on(256, number);
		resident_on(256, number);
		large = resident_on(768, number);
		ASSERT_STRING(evicted(), "2 3");
		ASSERT_INT(world_info(&world, large).device_bytes, 768);
		berth_pool_get_stats(&stats, pool);
		ASSERT_INT(stats.held_bytes, 1024);
		berth_residency_destroy(R);
		R = NULL;
		berth_pool_destroy(pool);
		world_close(&world);
	}
}

#ifndef DRIVER
/*
 * The device has less than the budget says, and says so when memory is taken or, as lazy
 * drivers do, at its first use: evict until it is enough.
 */
static void test_device_full(void)
{
	static const struct {
		const char *name;
		berth_commit commit;
	} cases[] = {
		{ "at creation", BERTH_COMMIT_CREATE },
		{ "at the first use", BERTH_COMMIT_FIRST_USE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		berth_site_options site = BERTH_SITE_OPTIONS_INIT;
		berth_tensor tensor;

		test_case("%s", cases[i].name);
		profile.memory.capacity_bytes = 160 * KIB;
		profile.memory.commit = cases[i].commit;
		site.hard_limit_bytes = 1 << 30;
		world_open_on(&world, sim_fixture_device(&profile), &site);
		resident(64 * KIB);
		resident(64 * KIB);
		ASSERT_STRING(evicted(), "");
		tensor = world_tensor(&world, 64 * KIB, NULL);
		ASSERT_OK(berth_tensor_to_device(R, tensor, 0, 0));
		ASSERT_CONTAINS(world.decisions, "\"reason\":\"device-full\"");
		ASSERT_STRING(evicted(), "1");
		/* More than the device has: refused, and on the host as before. */
		tensor = world_tensor(&world, 200 * KIB, NULL);
		ASSERT_FAILS(berth_tensor_to_device(R, tensor, 0, 0), BERTH_E_LIMIT);
		ASSERT_PLACE(&world, tensor, "host");
		world_close(&world);
	}
}
#endif

/* A script of uses, in which each policy decides often. */
static void play(berth_evict policy, berth_device *device, char *decisions, size_t bytes)
{
	berth_site_options site = BERTH_SITE_OPTIONS_INIT;
	berth_tensor all[24], set[3];
	uint64_t seed = 7;

	site.policy = policy;
	site.hard_limit_bytes = 12000;
	site.soft_limit_bytes = 9000;
	world_open_on(&world, device, &site);
	for (size_t i = 0; i < 24; i++) {
		all[i] = world_tensor(&world, 100 + i * 97 % 1900, NULL);
		ASSERT_OK(world_fill(&world, all[i], BERTH_ACCESS_WRITE, (unsigned char)i, 100));
	}
	for (int round = 0; round < 60; round++) {
		for (int i = 0; i < 3; i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1;
			set[i] = all[(seed >> 33) % 24];
		}
		ASSERT_OK(world_use(&world, set, 3));
		if (round % 3 == 0)
			ASSERT_OK(world_fill(&world, set[0], BERTH_ACCESS_READ | BERTH_ACCESS_WRITE,
					     (unsigned char)round, 50));
	}
	CU_ASSERT(world_stats(&world).dropped > 10);
	CU_ASSERT(world_stats(&world).saved > 10);
	snprintf(decisions, bytes, "%s", world.decisions);
	world_close(&world);
}

/* On a device, and on the simulator with its capabilities: the same lines, byte for byte. */
static void test_same_decisions(void)
{
	static char ours[sizeof(world.decisions)], theirs[sizeof(world.decisions)];

	for (unsigned policy = 0; policy < BERTH_EVICT_END; policy++) {
		berth_device *device = world_device();
		berth_profile profile;

		test_case("%s", berth_evict_string((berth_evict)policy));
		berth_profile_init_reference(&profile, berth_device_caps(device));
		play((berth_evict)policy, device, ours, sizeof(ours));
		play((berth_evict)policy, sim_fixture_device(&profile), theirs, sizeof(theirs));
		CU_ASSERT(strlen(ours) > 1000);
		CU_ASSERT(strlen(ours) < sizeof(ours) - 256);
		CU_ASSERT(strcmp(ours, theirs) == 0);
	}
}

static const struct test tests[] = {
	{ "available", test_available },
	{ "default limit", test_default_limit },
	{ "order", test_order },
	{ "protected", test_protected },
	{ "sets", test_sets },
	{ "clean and dirty", test_clean_and_dirty },
	{ "soft limit", test_soft_limit },
	{ "cost", test_cost },
	{ "window", test_window },
	{ "free tail", test_free_tail },
#ifndef DRIVER
	{ "device full", test_device_full },
#endif
	{ "same decisions", test_same_decisions },
	{ NULL, NULL },
};

int main(void)
{
	return world_main("tensor_evict", tests);
}
