/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Record, then plan: a program that knows nothing of its lifetimes beforehand.
 *
 * Each inference takes and gives back its tensors as it goes. The first is served by the
 * pool; from the second on the tensors have the places of a plan, in one device buffer of as
 * many bytes as are alive together. A larger batch departs from the plan, is served all the
 * same, and is planned at its end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <berth/planned.h>
#include <berth/sim.h>

enum { LAYERS = 6 };

static const uint64_t layer_bytes[LAYERS] = { 1 << 20, 3 << 20, 2 << 20, 512 << 10, 2 << 20, 4096 };

static void check(berth_status st)
{
	if (st == BERTH_OK)
		return;
	fprintf(stderr, "rehearsal: %s\n", berth_error_get()->message);
	exit(1);
}

/* Each layer reads the tensor of the one before, which is then given back. */
static void infer(berth_rehearsal *rehearsal, uint64_t batch)
{
	berth_planned_place tensors[LAYERS];

	for (int i = 0; i < LAYERS; i++) {
		check(berth_rehearsal_take(&tensors[i], rehearsal, batch * layer_bytes[i]));
		/*
		 * Here a view of tensors[i].storage at tensors[i].offset_bytes is made
		 * (berth_view_create), and a kernel runs on it and on the one before.
		 */
		if (i > 0)
			check(berth_rehearsal_give_back(rehearsal, &tensors[i - 1]));
	}
	check(berth_rehearsal_give_back(rehearsal, &tensors[LAYERS - 1]));
	check(berth_rehearsal_end_run(rehearsal));
}

static void report(const berth_rehearsal *rehearsal, const char *what)
{
	berth_rehearsal_stats stats;

	berth_rehearsal_get_stats(&stats, rehearsal);
	printf("%s: from the plan %" PRIu64 ", online %" PRIu64 "; plan %" PRIu64
	       " bytes, bound %" PRIu64 "\n",
	       what, stats.planned, stats.online, stats.plan_bytes, stats.lower_bound_bytes);
}

int main(void)
{
	static const uint64_t batches[] = { 1, 1, 1, 2, 2 };
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_rehearsal *rehearsal;
	berth_profile profile;
	berth_device *device;
	berth_pool *pool;
	char what[32];

	check(berth_profile_load(&profile, "adreno-650"));
	check(berth_sim_create(&device, &profile, NULL));
	/* An arena takes exactly its bytes. */
	options.policy = BERTH_POOL_NAIVE;
	check(berth_pool_create(&pool, device, &options));
	check(berth_rehearsal_create(&rehearsal, pool, NULL));
	for (size_t i = 0; i < sizeof(batches) / sizeof(batches[0]); i++) {
		infer(rehearsal, batches[i]);
		snprintf(what, sizeof(what), "batch %" PRIu64, batches[i]);
		report(rehearsal, what);
	}
	berth_rehearsal_destroy(rehearsal);
	berth_pool_destroy(pool);
	berth_device_destroy(device);
	return 0;
}
