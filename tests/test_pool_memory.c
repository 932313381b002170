/* SPDX-License-Identifier: Apache-2.0 */
/* Pools and time: what is in flight, what happens when memory is out, workspaces. */
#include "pool_fixture.h"

#include <berth/workspace.h>

struct bench {
	berth_profile profile;
	berth_device *device;
	berth_pool *pool;
};

/* Bins take more than is asked, and so other numbers: test_pool.c has them. */
#define EXACT_POLICIES_END BERTH_POOL_BINS

static void open_with(struct bench *bench, const berth_pool_options *options)
{
	bench->profile = sim_fixture_profile();
	bench->device = sim_fixture_device(&bench->profile);
	bench->pool = pool_fixture_create(bench->device, options);
}

/* A device that holds so much and no more. */
static void open_small(struct bench *bench, uint64_t capacity_bytes, berth_commit commit,
		       const berth_pool_options *options)
{
	bench->profile = sim_fixture_profile();
	bench->profile.memory.capacity_bytes = capacity_bytes;
	bench->profile.memory.commit = commit;
	bench->device = sim_fixture_device(&bench->profile);
	bench->pool = pool_fixture_create(bench->device, options);
}

static void close_bench(struct bench *bench)
{
	berth_pool_destroy(bench->pool);
	ASSERT_INT(sim_fixture_in_use(bench->device), 0);
	berth_device_destroy(bench->device);
}

static uint64_t place_of(berth_pool *pool, berth_storage storage)
{
	berth_storage_info info = { 0 };

	ASSERT_OK(berth_storage_get_info(&info, pool, storage));
	/* Ids are small next to this: one number for both. */
	return info.object * 1000003 + info.offset_bytes;
}

static berth_storage storage_for(berth_pool *pool, uint64_t bytes, uint64_t queue)
{
	const berth_storage_options options = { sizeof(options), queue };
	berth_storage storage = 0;

	ASSERT_OK(berth_storage_create(&storage, pool, bytes, &options));
	return storage;
}

/* Whether memory freed in flight on queue 7 serves a storage for another queue, and when. */
static void reuse_in_flight(void)
{
	static const struct {
		const char *name;
		bool in_order;
		uint64_t next_queue;
		bool reused;
	} cases[] = {
		{ "the same queue, in order", true, 7, true },
		{ "the same queue, out of order", false, 7, false },
		{ "another queue", true, 8, false },
		{ "no queue", true, BERTH_QUEUE_NONE, false },
	};

	for (unsigned policy = 0; policy < EXACT_POLICIES_END; policy++) {
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			const berth_pool_options options =
				pool_fixture_options((berth_pool_policy)policy);
			const berth_in_flight in_flight = { .queue = 7,
							    .in_order = cases[i].in_order };
			struct bench bench;
			berth_storage storage;
			uint64_t place;

			test_case("%s, %s", berth_pool_policy_string((berth_pool_policy)policy),
				  cases[i].name);
			open_with(&bench, &options);
			storage = storage_for(bench.pool, 4096, 7);
			place = place_of(bench.pool, storage);
			ASSERT_OK(berth_storage_release(bench.pool, storage, &in_flight));
			ASSERT_INT(pool_fixture_stats(bench.pool).in_flight_bytes, 4096);
			ASSERT_INT(berth_storage_release(bench.pool, storage, NULL), BERTH_E_STATE);
			storage = storage_for(bench.pool, 4096, cases[i].next_queue);
			ASSERT_INT(place_of(bench.pool, storage) == place, cases[i].reused);
			ASSERT_INT(pool_fixture_stats(bench.pool).in_flight_bytes,
				   cases[i].reused ? 0 : 4096);
			close_bench(&bench);
		}
	}
}

/* Until a finish of the queue says so, and of no other. */
static void completion_frees(void)
{
	const berth_in_flight on_7 = { .queue = 7 }, on_own = { .queue = 0 };
	struct bench bench;
	berth_storage storage;
	berth_result result;
	const berth_op sync = { .kind = BERTH_OP_SYNC };

	open_with(&bench, NULL);
	storage = storage_for(bench.pool, 4096, 7);
	ASSERT_OK(berth_storage_release(bench.pool, storage, &on_7));
	berth_pool_complete(bench.pool, 8);
	ASSERT_INT(pool_fixture_stats(bench.pool).in_flight_bytes, 4096);
	ASSERT_OK(berth_pool_execute(bench.pool, &sync, &result));
	ASSERT_INT(pool_fixture_stats(bench.pool).in_flight_bytes, 4096);
	berth_pool_complete(bench.pool, 7);
	ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, 0);
	/* the device's own queue: a sync through the pool */
	storage = pool_fixture_storage(bench.pool, 4096);
	ASSERT_OK(berth_storage_release(bench.pool, storage, &on_own));
	ASSERT_INT(pool_fixture_stats(bench.pool).in_flight_bytes, 4096);
	ASSERT_OK(berth_pool_execute(bench.pool, &sync, &result));
	ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, 0);
	ASSERT_INT(berth_storage_release(bench.pool, 1,
					 &(berth_in_flight){ .queue = BERTH_QUEUE_NONE }),
		   BERTH_E_INVAL);
	close_bench(&bench);
}

struct event {
	bool complete;
	unsigned asked, dropped;
	berth_pool *pool;
};

/* Calls back into the pool: its mutex is free. */
static bool event_is_complete(void *userdata)
{
	struct event *event = userdata;
	berth_pool_stats stats;

	berth_pool_get_stats(&stats, event->pool);
	event->asked++;
	return event->complete;
}

static void event_drop(void *userdata)
{
	struct event *event = userdata;

	event->dropped++;
}

static void release_until(struct bench *bench, struct event *event, uint64_t bytes, bool in_order)
{
	const berth_in_flight in_flight = { .queue = 7,
					    .in_order = in_order,
					    .fence = { event_is_complete, event_drop, event } };

	event->pool = bench->pool;
	ASSERT_OK(
		berth_storage_release(bench->pool, storage_for(bench->pool, bytes, 7), &in_flight));
}

static void fences(void)
{
	struct event event = { 0 };
	struct bench bench;

	open_with(&bench, NULL);
	release_until(&bench, &event, 4096, false);
	berth_pool_poll(bench.pool);
	ASSERT_INT(event.asked, 1);
	ASSERT_INT(event.dropped, 0);
	ASSERT_INT(pool_fixture_stats(bench.pool).in_flight_bytes, 4096);
	event.complete = true;
	berth_pool_poll(bench.pool);
	ASSERT_INT(event.dropped, 1);
	ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, 0);

	test_case("a queue completes first");
	event = (struct event){ 0 };
	release_until(&bench, &event, 4096, false);
	berth_pool_complete(bench.pool, 7);
	ASSERT_INT(event.dropped, 1);
	ASSERT_INT(event.asked, 0);

	test_case("the same queue takes it over");
	event = (struct event){ 0 };
	release_until(&bench, &event, 4096, true);
	storage_for(bench.pool, 4096, 7);
	ASSERT_INT(event.dropped, 1);

	test_case("the pool ends");
	event = (struct event){ 0 };
	release_until(&bench, &event, 4096, false);
	close_bench(&bench);
	ASSERT_INT(event.dropped, 1);
}

/* Before memory is said to be out, fences are asked and the own queue is waited for. */
static void out_of_memory_waits(void)
{
	static const berth_in_flight on_own = { .queue = 0 };
	struct event event = { .complete = true };
	struct bench bench;
	berth_storage storage;

	open_small(&bench, 4 * MIB, BERTH_COMMIT_CREATE, NULL);
	release_until(&bench, &event, 3 * MIB, false);
	storage = storage_for(bench.pool, 3 * MIB, BERTH_QUEUE_NONE);
	ASSERT_INT(event.dropped, 1);
	ASSERT_OK(berth_storage_release(bench.pool, storage, &on_own));
	storage_for(bench.pool, 3 * MIB, BERTH_QUEUE_NONE);
	close_bench(&bench);
}

struct relief {
	unsigned calls;
	uint64_t bytes;
	berth_storage storage; /* to be released at the second call */
	bool again;
};

static bool relieve(berth_pool *pool, uint64_t bytes, void *userdata)
{
	struct relief *relief = userdata;

	relief->bytes = bytes;
	if (++relief->calls == 2 && relief->storage)
		ASSERT_OK(berth_storage_release(pool, relief->storage, NULL));
	return relief->again;
}

static void ladder_options(berth_pool_options *options, struct relief *relief)
{
	*options = (berth_pool_options)BERTH_POOL_OPTIONS_INIT;
	options->out_of_memory = relieve;
	options->userdata = relief;
}

/* Cached blocks are released, then it fits: nobody is asked. */
static void ladder_releases_cached(void)
{
	for (unsigned policy = 0; policy < EXACT_POLICIES_END; policy++) {
		struct relief relief = { 0 };
		berth_pool_options options;
		berth_storage small[3];
		struct bench bench;

		test_case("%s", berth_pool_policy_string((berth_pool_policy)policy));
		ladder_options(&options, &relief);
		options.policy = (berth_pool_policy)policy;
		open_small(&bench, 4 * MIB, BERTH_COMMIT_CREATE, &options);
		for (int i = 0; i < 3; i++)
			small[i] = pool_fixture_storage(bench.pool, MIB);
		for (int i = 0; i < 3; i++)
			ASSERT_OK(berth_storage_release(bench.pool, small[i], NULL));
		pool_fixture_storage(bench.pool, 4 * MIB);
		ASSERT_INT(relief.calls, 0);
		close_bench(&bench);
	}
}

static void ladder_asks_the_caller(void)
{
	struct relief relief = { .again = true };
	berth_pool_options options;
	struct bench bench;

	ladder_options(&options, &relief);
	open_small(&bench, 4 * MIB, BERTH_COMMIT_CREATE, &options);
	relief.storage = pool_fixture_storage(bench.pool, 3 * MIB);
	pool_fixture_storage(bench.pool, 2 * MIB);
	ASSERT_INT(relief.calls, 2);
	ASSERT_INT(relief.bytes, 2 * MIB);
	close_bench(&bench);
}

/* The error has the whole story, and all is as it was; on lazy devices too. */
static void ladder_ends(void)
{
	static const struct {
		berth_commit commit;
		bool again;
		unsigned calls;
	} cases[] = {
		{ BERTH_COMMIT_CREATE, true, BERTH_POOL_OUT_OF_MEMORY_CALLS },
		{ BERTH_COMMIT_CREATE, false, 1 },
		{ BERTH_COMMIT_FIRST_USE, false, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct relief relief = { .again = cases[i].again };
		struct pool_dump before, after;
		berth_pool_options options;
		berth_storage storages[3], refused = 9;
		struct bench bench;

		test_case("%d, %d", (int)cases[i].commit, cases[i].again);
		ladder_options(&options, &relief);
		open_small(&bench, 4 * MIB, cases[i].commit, &options);
		for (int k = 0; k < 3; k++)
			storages[k] = pool_fixture_storage(bench.pool, k == 0 ? MIB : MIB / 2);
		ASSERT_OK(berth_storage_release(bench.pool, storages[2], NULL));
		storages[2] = pool_fixture_storage(bench.pool, MIB / 2);
		pool_dump_take(&before, bench.pool);
		ASSERT_INT(berth_storage_create(&refused, bench.pool, 3 * MIB, NULL),
			   BERTH_E_LIMIT);
		ASSERT_CONTAINS(berth_error_get()->message, "3145728 bytes requested");
		ASSERT_CONTAINS(berth_error_get()->message, "capacity 4194304");
		ASSERT_INT(refused, 9);
		ASSERT_INT(relief.calls, cases[i].calls);
		ASSERT_INT(berth_error_get()->cl_status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
		pool_dump_take(&after, bench.pool);
		ASSERT_STRING(after.text, before.text);
		close_bench(&bench);
	}
}

static void ladder_tells_all(void)
{
	berth_storage storages[4], refused = 0;
	struct pool_dump before, after;
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	struct bench bench;

	/* one block of 4 MiB: live, hole of 1 MiB, live, hole of 1 MiB */
	options.block_bytes = 16 * MIB;
	open_small(&bench, 4 * MIB, BERTH_COMMIT_CREATE, &options);
	storages[0] = pool_fixture_storage(bench.pool, 4 * MIB);
	ASSERT_OK(berth_storage_release(bench.pool, storages[0], NULL));
	for (int i = 0; i < 4; i++)
		storages[i] = pool_fixture_storage(bench.pool, MIB);
	ASSERT_OK(berth_storage_release(bench.pool, storages[1], NULL));
	ASSERT_OK(berth_storage_release(bench.pool, storages[3], NULL));
	pool_dump_take(&before, bench.pool);
	ASSERT_INT(berth_storage_create(&refused, bench.pool, 2 * MIB, NULL), BERTH_E_LIMIT);
	ASSERT_CONTAINS(berth_error_get()->message, "2097152 bytes requested");
	ASSERT_CONTAINS(berth_error_get()->message, "2097152 in use");
	ASSERT_CONTAINS(berth_error_get()->message, "4194304 held");
	ASSERT_CONTAINS(berth_error_get()->message, "0 cached");
	ASSERT_CONTAINS(berth_error_get()->message, "largest hole 1048576");
	ASSERT_CONTAINS(berth_error_get()->message, "fragmentation 0.50");
	pool_dump_take(&after, bench.pool);
	ASSERT_STRING(after.text, before.text);
	close_bench(&bench);
}

static void limit_of_the_pool(void)
{
	for (unsigned policy = 0; policy < EXACT_POLICIES_END; policy++) {
		berth_pool_options options = pool_fixture_options((berth_pool_policy)policy);
		berth_storage storage, refused = 0;
		struct bench bench;

		test_case("%s", berth_pool_policy_string((berth_pool_policy)policy));
		options.limit_bytes = 3 * MIB;
		open_with(&bench, &options);
		storage = pool_fixture_storage(bench.pool, 2 * MIB);
		ASSERT_INT(berth_storage_create(&refused, bench.pool, 2 * MIB, NULL),
			   BERTH_E_LIMIT);
		ASSERT_CONTAINS(berth_error_get()->message, "limit is 3145728");
		pool_fixture_storage(bench.pool, MIB);
		ASSERT_OK(berth_storage_release(bench.pool, storage, NULL));
		ASSERT_INT(pool_fixture_stats(bench.pool).peak_held_bytes, 3 * MIB);
		close_bench(&bench);
	}
}

static berth_storage take(berth_workspace *workspace, uint64_t bytes)
{
	berth_storage storage = 0;

	ASSERT_OK(berth_workspace_alloc(&storage, workspace, bytes));
	return storage;
}

static void workspaces(void)
{
	berth_workspace *workspace = NULL;
	berth_storage a, b, c, other;
	struct bench bench;

	open_with(&bench, NULL);
	ASSERT_OK(berth_workspace_create(&workspace, bench.pool, 0));
	a = take(workspace, 0);
	ASSERT_INT(pool_fixture_stats(bench.pool).requested_bytes, 4096);
	b = take(workspace, 20000);
	ASSERT_OK(berth_workspace_free(workspace, b));
	ASSERT_OK(berth_workspace_free(workspace, a));
	ASSERT_INT(berth_workspace_free(workspace, a), BERTH_E_STATE);
	/* the smallest that fits */
	ASSERT_INT(take(workspace, 100), a);
	ASSERT_INT(take(workspace, 5000), b);
	ASSERT_OK(berth_workspace_free(workspace, b));
	ASSERT_OK(berth_workspace_free(workspace, a));
	/* none fits: the largest is exchanged */
	c = take(workspace, 30000);
	CU_ASSERT(c != a && c != b);
	ASSERT_INT(pool_fixture_stats(bench.pool).storages, 2);
	other = pool_fixture_storage(bench.pool, 10);
	ASSERT_INT(berth_workspace_free(workspace, other), BERTH_E_STATE);
	ASSERT_INT(berth_workspace_trim(workspace), 4096);
	berth_workspace_destroy(workspace);
	berth_workspace_destroy(NULL);
	berth_pool_complete(bench.pool, 0);
	ASSERT_INT(pool_fixture_stats(bench.pool).requested_bytes, 10);
	close_bench(&bench);
}

/* What a workspace keeps is not in the way of what it needs. */
static void workspace_out_of_memory(void)
{
	berth_workspace *workspace = NULL;
	berth_storage storages[3], refused = 0;
	struct bench bench;

	open_small(&bench, 4 * MIB, BERTH_COMMIT_CREATE, NULL);
	ASSERT_OK(berth_workspace_create(&workspace, bench.pool, 0));
	for (int i = 0; i < 3; i++)
		storages[i] = take(workspace, MIB);
	for (int i = 0; i < 3; i++)
		ASSERT_OK(berth_workspace_free(workspace, storages[i]));
	storages[0] = take(workspace, 4 * MIB);
	ASSERT_INT(berth_workspace_alloc(&refused, workspace, MIB), BERTH_E_LIMIT);
	ASSERT_INT(berth_workspace_alloc(&refused, workspace, UINT64_MAX), BERTH_E_OVERFLOW);
	berth_workspace_destroy(workspace);
	close_bench(&bench);
}

int main(void)
{
	static const struct test tests[] = {
		{ "reuse in flight", reuse_in_flight },
		{ "completion frees", completion_frees },
		{ "fences", fences },
		{ "out of memory waits", out_of_memory_waits },
		{ "ladder releases cached", ladder_releases_cached },
		{ "ladder asks the caller", ladder_asks_the_caller },
		{ "ladder ends", ladder_ends },
		{ "ladder tells all", ladder_tells_all },
		{ "limit of the pool", limit_of_the_pool },
		{ "workspaces", workspaces },
		{ "workspace out of memory", workspace_out_of_memory },
		{ NULL, NULL },
	};

	return test_main("pool memory", tests);
}
