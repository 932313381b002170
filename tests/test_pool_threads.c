/* SPDX-License-Identifier: Apache-2.0 */
/* Threads on one pool. Meant for ThreadSanitizer; without, it sees lost counts. */
#include "pool_fixture.h"

#include <pthread.h>

#include <berth/workspace.h>

enum { THREADS = 4, ROUNDS = 1500, KEPT = 8 };

struct worker {
	pthread_t thread;
	berth_pool *pool;
	uint64_t seed;
	unsigned failures;
	unsigned *dropped; /* fences; own count */
	unsigned drops;
};

static uint64_t next_random(struct worker *worker)
{
	worker->seed = worker->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return worker->seed >> 33;
}

static void check(struct worker *worker, berth_status st)
{
	if (st != BERTH_OK)
		worker->failures++;
}

static bool is_complete(void *userdata)
{
	(void)userdata;
	return true;
}

static void drop(void *userdata)
{
	__atomic_add_fetch((unsigned *)userdata, 1, __ATOMIC_RELAXED);
}

static void use_view(struct worker *worker, berth_storage storage)
{
	const berth_layout layout = { .scope = BERTH_SCOPE_TEXTURE_WEIGHT,
				      .element = BERTH_ELEMENT_UINT8,
				      .lanes = 1,
				      .axis_count = 3,
				      .shape = { 1 + next_random(worker) % 3, 8, 4 } };
	unsigned char bytes[3 * 8 * 4] = { 0 };
	berth_view_info info;
	berth_result result;
	berth_view view;
	berth_status st = berth_view_create(&view, worker->pool, storage, &layout, 0);

	check(worker, st);
	if (st != BERTH_OK)
		return;
	check(worker, berth_view_get_info(&info, worker->pool, view));
	check(worker,
	      berth_pool_execute(worker->pool,
				 &(berth_op){ .kind = BERTH_OP_WRITE,
					      .form = BERTH_FORM_IMAGE,
					      .bits = BERTH_OP_BLOCKING,
					      .object = info.object,
					      .region.extent = { 8, info.geometry.height, 1 },
					      HOST(bytes) },
				 &result));
	check(worker, berth_view_release(worker->pool, view));
}

static void release(struct worker *worker, berth_storage storage)
{
	const berth_in_flight in_flight = { .queue = 1 + next_random(worker) % 3,
					    .in_order = next_random(worker) % 2,
					    .fence = { is_complete, drop, worker->dropped } };
	bool flies = next_random(worker) % 4 == 0;

	worker->drops += flies;
	check(worker, berth_storage_release(worker->pool, storage, flies ? &in_flight : NULL));
}

static void look_around(struct worker *worker)
{
	berth_pool_stats stats;

	switch (next_random(worker) % 64) {
	case 0:
		berth_pool_trim(worker->pool);
		break;
	case 1:
		berth_pool_poll(worker->pool);
		break;
	case 2:
		berth_pool_complete(worker->pool, 2);
		break;
	case 3:
		berth_pool_get_stats(&stats, worker->pool);
		if (stats.in_use_bytes != stats.requested_bytes + stats.padding_bytes ||
		    stats.held_bytes != stats.in_use_bytes + stats.free_bytes)
			worker->failures++;
		break;
	default:
		break;
	}
}

static void *work(void *userdata)
{
	struct worker *worker = userdata;
	berth_storage kept[KEPT] = { 0 }, temporary;
	berth_workspace *workspace = NULL;

	check(worker, berth_workspace_create(&workspace, worker->pool, worker->seed));
	for (unsigned round = 0; round < ROUNDS; round++) {
		berth_storage *storage = &kept[next_random(worker) % KEPT];
		const berth_storage_options options = { sizeof(options), 1 + worker->seed % 3 };

		if (*storage)
			release(worker, *storage);
		check(worker, berth_storage_create(storage, worker->pool,
						   4096 + next_random(worker) % 60000, &options));
		use_view(worker, *storage);
		check(worker,
		      berth_workspace_alloc(&temporary, workspace, next_random(worker) % 20000));
		check(worker, berth_workspace_free(workspace, temporary));
		look_around(worker);
	}
	for (int i = 0; i < KEPT; i++)
		if (kept[i])
			release(worker, kept[i]);
	berth_workspace_destroy(workspace);
	return NULL;
}

static void hammer(berth_pool_policy policy)
{
	berth_pool_options options = pool_fixture_options(policy);
	struct worker workers[THREADS];
	berth_profile profile = sim_fixture_profile();
	berth_device *device = sim_fixture_device(&profile);
	unsigned dropped = 0, drops = 0;
	berth_pool *pool;

	test_case("%s", berth_pool_policy_string(policy));
	options.retain_bytes = 128 * KIB;
	options.view_cache_max = 16;
	pool = pool_fixture_create(device, &options);
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .pool = pool, .seed = i + 1, .dropped = &dropped };
		ASSERT_INT(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		ASSERT_INT(workers[i].failures, 0);
		drops += workers[i].drops;
	}
	berth_pool_poll(pool);
	/* fences' queues are 1 to 3, workspaces' 1 to THREADS */
	for (uint64_t queue = 1; queue <= THREADS; queue++)
		berth_pool_complete(pool, queue);
	ASSERT_INT(dropped, drops);
	ASSERT_INT(pool_fixture_stats(pool).storages, 0);
	ASSERT_INT(pool_fixture_stats(pool).views, 0);
	ASSERT_INT(pool_fixture_stats(pool).in_use_bytes, 0);
	berth_pool_destroy(pool);
	ASSERT_INT(sim_fixture_in_use(device), 0);
	berth_device_destroy(device);
}

static void suballoc(void)
{
	hammer(BERTH_POOL_SUBALLOC);
}

static void naive(void)
{
	hammer(BERTH_POOL_NAIVE);
}

static void exact(void)
{
	hammer(BERTH_POOL_EXACT);
}

static void best_fit(void)
{
	hammer(BERTH_POOL_BEST_FIT);
}

int main(void)
{
	static const struct test tests[] = {
		{ "suballoc", suballoc }, { "naive", naive }, { "exact", exact },
		{ "best-fit", best_fit }, { NULL, NULL },
	};

	return test_main("pool threads", tests);
}
