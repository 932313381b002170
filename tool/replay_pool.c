/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_pool.h"

#include "print.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

berth_status replay_pool_add(berth_device **device, const char *policy)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_device *pooled;
	berth_status st = berth_pool_policy_parse(&options.policy, policy);

	if (st == BERTH_OK)
		st = berth_pool_device_create(&pooled, *device, &options);
	if (st == BERTH_OK)
		*device = pooled;
	return st;
}

/* It is a pool device: nothing can go wrong. */
static berth_pool_device_stats stats_of(const berth_device *pool_device)
{
	berth_pool_device_stats stats;

	if (berth_pool_device_get_stats(&stats, pool_device) != BERTH_OK)
		memset(&stats, 0, sizeof(stats));
	return stats;
}

/* How much of what was held at the most was not in use, in percent. */
static uint64_t unused_percent(const berth_pool_stats *pool)
{
	if (pool->peak_held_bytes == 0)
		return 0;
	return (pool->peak_held_bytes - pool->peak_in_use_bytes) * 100 / pool->peak_held_bytes;
}

void replay_pool_print(const berth_device *pool_device)
{
	const berth_pool_device_stats stats = stats_of(pool_device);
	const berth_pool_stats *pool = &stats.pool;
	char held[SIZE_TEXT_BYTES], requested[SIZE_TEXT_BYTES], padding[SIZE_TEXT_BYTES];

	print_text(stdout,
		   "pool:        %" PRIu64 " device allocations (%" PRIu64 " blocks, %" PRIu64
		   " passed through) for %" PRIu64 " pooled objects\n",
		   stats.device_allocations, pool->blocks_created, stats.passed_through,
		   stats.pooled);
	print_text(stdout,
		   "  peak held %s, requested %s, padding %s, unused at most %" PRIu64 " %%\n",
		   size_text(held, pool->peak_held_bytes),
		   size_text(requested, pool->peak_requested_bytes),
		   size_text(padding, pool->peak_padding_bytes), unused_percent(pool));
}

void replay_pool_set_json(json_builder *json, const berth_device *pool_device)
{
	const berth_pool_device_stats stats = stats_of(pool_device);
	const berth_pool_stats *pool = &stats.pool;
	const struct {
		const char *path;
		uint64_t number;
	} numbers[] = {
		{ "$.pool.device_allocations", stats.device_allocations },
		{ "$.pool.blocks_created", pool->blocks_created },
		{ "$.pool.passed_through", stats.passed_through },
		{ "$.pool.pooled", stats.pooled },
		{ "$.pool.peak_held_bytes", pool->peak_held_bytes },
		{ "$.pool.peak_in_use_bytes", pool->peak_in_use_bytes },
		{ "$.pool.peak_requested_bytes", pool->peak_requested_bytes },
		{ "$.pool.peak_padding_bytes", pool->peak_padding_bytes },
		{ "$.pool.unused_percent", unused_percent(pool) },
		{ "$.pool.view_objects_created", pool->view_objects_created },
		{ "$.pool.view_objects_reused", pool->view_objects_reused },
	};
	berth_pool *of_device = berth_pool_device_pool(pool_device);

	json_set_object(json, "$.pool");
	if (of_device)
		json_set_text(json, "$.pool.images",
			      berth_image_mode_string(berth_pool_image_mode(of_device)));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_set_number(json, numbers[i].path, numbers[i].number);
}
