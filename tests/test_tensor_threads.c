/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads on one residency, each with tensors of its own, under a budget that makes them
 * evict each other's. Meant for ThreadSanitizer; without, it sees content that is lost.
 */
#include "tensor_fixture.h"

#include <pthread.h>

enum { THREADS = 4, TENSORS = 6, BYTES = 256, ROUNDS = 300 };

static struct world world;

struct worker {
	pthread_t thread;
	unsigned number;
	unsigned failures, wrong, told;
};

static berth_status run_fill(const uint64_t *objects, size_t count, void *userdata)
{
	berth_op op = { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = objects[0],
			.bytes = BYTES, HOST(userdata), .pattern_bytes = 1 };
	berth_result result;
	berth_status st = berth_pool_execute(world.pool, &op, &result);

	return st == BERTH_OK && count == 1 && result.cl_status == CL_SUCCESS ? BERTH_OK :
										BERTH_E_CL;
}

static void told(berth_tensor tensor, berth_status status, void *userdata)
{
	(void)tensor;
	(void)status;
	/* Whoever completes the site calls it. */
	__atomic_add_fetch(&((struct worker *)userdata)->told, 1, __ATOMIC_RELAXED);
}

static void check(struct worker *worker, berth_status st)
{
	if (st != BERTH_OK)
		worker->failures++;
}

static void round_trip(struct worker *worker, berth_tensor tensor, unsigned char value)
{
	const berth_run_arg arg = { tensor, BERTH_ACCESS_WRITE };
	void *host = NULL;

	check(worker, berth_residency_run(world.residency, 0, &arg, 1, BERTH_OUTPUTS_STAY, run_fill,
					  &value));
	check(worker, berth_tensor_ensure_on_host(world.residency, &tensor, 1));
	if (berth_tensor_map(&host, world.residency, tensor, BERTH_ACCESS_READ) != BERTH_OK) {
		worker->failures++;
		return;
	}
	worker->wrong += ((unsigned char *)host)[BYTES - 1] != value;
	check(worker, berth_tensor_unmap(world.residency, tensor, BERTH_ACCESS_READ));
}

static void *work(void *userdata)
{
	const berth_layout layout = linear(BERTH_ELEMENT_UINT8, BYTES);
	struct worker *worker = userdata;
	berth_tensor tensors[TENSORS] = { 0 };

	for (int i = 0; i < TENSORS; i++)
		check(worker, berth_tensor_create(&tensors[i], world.residency, &layout, NULL));
	for (unsigned i = 0; i < ROUNDS; i++) {
		berth_tensor tensor = tensors[i % TENSORS];

		round_trip(worker, tensor, (unsigned char)(worker->number * 50 + i));
		check(worker, berth_tensor_prefetch(world.residency, tensor, 0, told, worker));
		check(worker, berth_residency_complete(world.residency, 0));
	}
	for (int i = 0; i < TENSORS; i++)
		check(worker, berth_tensor_destroy(world.residency, tensors[i]));
	return NULL;
}

static void test_threads(void)
{
	struct worker workers[THREADS] = { 0 };

	/* Each thread has at most one tensor in use, so the budget is always enough. */
	world_open_limit(&world, 8 * BYTES, BERTH_EVICT_LRU);
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].number = i;
		ASSERT_INT(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (unsigned i = 0; i < THREADS; i++) {
		ASSERT_INT(workers[i].failures, 0);
		ASSERT_INT(workers[i].wrong, 0);
		ASSERT_INT(workers[i].told, ROUNDS);
	}
	ASSERT_INT(world_stats(&world).charged_bytes, 0);
	ASSERT_INT(world_stats(&world).in_flight, 0);
	world_close(&world);
}

static const struct test tests[] = {
	{ "threads", test_threads },
	{ NULL, NULL },
};

int main(void)
{
	return test_main("tensor_threads", tests);
}
