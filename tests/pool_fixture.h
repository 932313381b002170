/* SPDX-License-Identifier: Apache-2.0 */
/* Pools for tests: on a device made in code, with what they must keep true. */
#ifndef BERTH_TEST_POOL_FIXTURE_H
#define BERTH_TEST_POOL_FIXTURE_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <berth/pool.h>

#include "sim_fixture.h"

#define KIB UINT64_C(1024)
#define MIB (UINT64_C(1024) * KIB)

static inline berth_pool *pool_fixture_create(berth_device *device,
					      const berth_pool_options *options)
{
	berth_pool *pool = NULL;

	ASSERT_OK(berth_pool_create(&pool, device, options));
	CU_ASSERT_PTR_NOT_NULL_FATAL(pool);
	return pool;
}

static inline berth_pool_options pool_fixture_options(berth_pool_policy policy)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;

	options.policy = policy;
	return options;
}

static inline berth_storage pool_fixture_storage(berth_pool *pool, uint64_t bytes)
{
	berth_storage storage = 0;

	ASSERT_OK(berth_storage_create(&storage, pool, bytes, NULL));
	return storage;
}

/* Statistics, whose sums are checked whenever they are read. */
static inline berth_pool_stats pool_fixture_stats(berth_pool *pool)
{
	berth_pool_stats stats;

	berth_pool_get_stats(&stats, pool);
	ASSERT_INT(stats.in_use_bytes, stats.requested_bytes + stats.padding_bytes);
	ASSERT_INT(stats.held_bytes, stats.in_use_bytes + stats.free_bytes);
	ASSERT_INT(stats.blocks, stats.blocks_created - stats.blocks_released);
	CU_ASSERT(stats.cached_bytes <= stats.free_bytes);
	CU_ASSERT(stats.largest_hole_bytes <= stats.free_bytes);
	CU_ASSERT(stats.in_flight_bytes <= stats.in_use_bytes);
	CU_ASSERT(stats.peak_in_use_bytes >= stats.in_use_bytes);
	CU_ASSERT(stats.peak_held_bytes >= stats.held_bytes);
	return stats;
}

/* A pool as text. */
struct pool_dump {
	char text[16384];
	size_t length;
	uint64_t block_bytes, covered_bytes; /* of the block that is being walked */
};

static inline void pool_dump_add(struct pool_dump *dump, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(dump->text + dump->length, sizeof(dump->text) - dump->length, format,
			   args);
	va_end(args);
	if (length > 0 && (size_t)length < sizeof(dump->text) - dump->length)
		dump->length += (size_t)length;
}

static inline void pool_dump_span(const berth_span *span, void *userdata)
{
	static const char *const kinds[] = { "block", "storage", "in flight", "hole" };
	struct pool_dump *dump = userdata;

	if (span->kind == BERTH_SPAN_BLOCK) {
		ASSERT_INT(dump->covered_bytes, dump->block_bytes);
		dump->block_bytes = span->bytes;
		dump->covered_bytes = 0;
	} else {
		/* No gaps, no overlaps. */
		ASSERT_INT(span->offset_bytes, dump->covered_bytes);
		dump->covered_bytes += span->bytes;
	}
	pool_dump_add(dump, "%s of %" PRIu64 " at %" PRIu64 ": %" PRIu64 " (%" PRIu64 "), %x\n",
		      kinds[span->kind], span->object, span->offset_bytes, span->bytes,
		      span->requested_bytes, span->views);
}

/* Blocks, storages, holes, and the statistics that tell a state. */
static inline void pool_dump_take(struct pool_dump *dump, berth_pool *pool)
{
	berth_pool_stats stats = pool_fixture_stats(pool);

	memset(dump, 0, sizeof(*dump));
	ASSERT_OK(berth_pool_walk(pool, pool_dump_span, dump));
	ASSERT_INT(dump->covered_bytes, dump->block_bytes);
	pool_dump_add(dump,
		      "requested %" PRIu64 " in use %" PRIu64 " held %" PRIu64 " storages %" PRIu64
		      " views %" PRIu64 " blocks %" PRIu64 "\n",
		      stats.requested_bytes, stats.in_use_bytes, stats.held_bytes, stats.storages,
		      stats.views, stats.blocks);
}

#endif
