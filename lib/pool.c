/* SPDX-License-Identifier: Apache-2.0 */
/* A pool: how it begins and ends, its lock, its way to the device. */
#include "pool_internal.h"

#include <CL/cl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BLOCK_BYTES (UINT64_C(64) << 20)
#define DEFAULT_FIRST_ID (UINT64_C(1) << 62)

static const char *const policy_strings[] = {
#define X(name, value, string) [value] = string,
	BERTH_POOL_POLICY_MAP(X)
#undef X
};

static const char *const mode_strings[] = {
#define X(name, value, string) [value] = string,
	BERTH_IMAGE_MODE_MAP(X)
#undef X
};

const char *berth_pool_policy_string(berth_pool_policy policy)
{
	return (unsigned)policy < BERTH_POOL_POLICY_END ? policy_strings[policy] : "unknown";
}

berth_status berth_pool_policy_parse(berth_pool_policy *out, const char *name)
{
	for (unsigned i = 0; i < BERTH_POOL_POLICY_END; i++) {
		if (strcmp(policy_strings[i], name) == 0) {
			*out = (berth_pool_policy)i;
			return BERTH_OK;
		}
	}
	return berth_error_set(
		BERTH_E_NOT_FOUND, 0,
		"'%s' is not a policy: allowed are suballoc, naive, exact, best-fit, first-fit and bins", name);
}

const char *berth_image_mode_string(berth_image_mode mode)
{
	return (unsigned)mode <= BERTH_IMAGES_COPIED ? mode_strings[mode] : "unknown";
}

void berth__pool_lock(berth_pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
}

void berth__pool_unlock(berth_pool *pool)
{
	pthread_mutex_unlock(&pool->mutex);
}

bool berth__align_up(uint64_t *out, uint64_t bytes, uint64_t align)
{
	uint64_t sum;

	if (__builtin_add_overflow(bytes, align - 1, &sum))
		return false;
	*out = sum & ~(align - 1);
	return true;
}

berth_status berth__answer_status(const berth_pool *pool, berth_status st,
				  const berth_result *result)
{
	char why[BERTH_ERROR_MESSAGE_BYTES];

	if (st != BERTH_OK || result->cl_status == CL_SUCCESS)
		return st;
	memcpy(why, berth_error_get()->message, sizeof(why));
	return berth_error_set(berth__pool_out_of_memory(result->cl_status) ? BERTH_E_LIMIT : BERTH_E_CL,
			       result->cl_status, "%s: %s: %s", berth_device_name(pool->device),
			       berth_cl_status_string(result->cl_status), why);
}

berth_status berth__pool_run(berth_pool *pool, const berth_op *op, berth_result *result)
{
	return berth__answer_status(pool, berth_device_execute(pool->device, op, result), result);
}

void berth__pool_release_object(berth_pool *pool, uint64_t id)
{
	const berth_op release = { .kind = BERTH_OP_RELEASE, .object = id };
	berth_result result;
	berth_status st = berth_device_execute(pool->device, &release, &result);

	/* A device that will not release it has it still; nobody names it again. */
	(void)st;
}

static berth_status check_options(const berth_pool_options *options, const berth_caps *caps)
{
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0, "options of %" PRIu32 " bytes, not %zu",
				       options->size, sizeof(*options));
	if ((unsigned)options->policy >= BERTH_POOL_POLICY_END)
		return berth_error_set(BERTH_E_INVAL, 0, "options.policy %d is not defined",
				       (int)options->policy);
	if (options->align_bytes & (options->align_bytes - 1))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.align_bytes is %" PRIu64 ", not a power of two",
				       options->align_bytes);
	if (options->block_bytes > caps->max_alloc_bytes)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.block_bytes is %" PRIu64
				       ", the device's largest allocation %" PRIu64,
				       options->block_bytes, caps->max_alloc_bytes);
	return BERTH_OK;
}

/* An eighth of a small device's memory, so that half-filled blocks do not fill it. */
static uint64_t default_block_bytes(const berth_caps *caps)
{
	uint64_t bytes = caps->global_mem_bytes / 8;

	if (bytes > DEFAULT_BLOCK_BYTES)
		bytes = DEFAULT_BLOCK_BYTES;
	return bytes < caps->max_alloc_bytes ? bytes : caps->max_alloc_bytes;
}

berth_status berth_pool_create(berth_pool **out, berth_device *device,
			       const berth_pool_options *options)
{
	static const berth_pool_options defaults = BERTH_POOL_OPTIONS_INIT;
	const berth_caps *caps = berth_device_caps(device);
	berth_pool *pool;
	berth_status st;

	if (!options)
		options = &defaults;
	st = check_options(options, caps);
	if (st != BERTH_OK)
		return st;
	pool = calloc(1, sizeof(*pool));
	if (!pool)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a pool");
	pool->device = device;
	pool->newest_first = strstr(caps->vendor, "NVIDIA") != NULL;
	pool->options = *options;
	pool->policy = &berth__policies[options->policy];
	pool->max_block_bytes =
		options->block_bytes ? options->block_bytes : default_block_bytes(caps);
	pool->next_id = options->first_id ? options->first_id : DEFAULT_FIRST_ID;
	TAILQ_INIT(&pool->blocks);
	TAILQ_INIT(&pool->in_flight);
	TAILQ_INIT(&pool->idle_objects);
	berth__slots_init(&pool->storages, sizeof(struct berth__storage),
			  offsetof(struct berth__storage, views));
	berth__slots_init(&pool->views, sizeof(struct berth__view),
			  sizeof(struct berth__view));
	pthread_mutex_init(&pool->mutex, NULL);
	berth__pool_choose_image_mode(pool);
	*out = pool;
	return BERTH_OK;
}

/* Views and storages as their owners would have released them. */
static void end_everything(berth_pool *pool)
{
	struct berth__view *view = NULL;
	struct berth__storage *storage = NULL;

	/* A record that ended still says which comes after it. */
	while ((view = berth__slots_next(&pool->views, view))) {
		berth__view_object_put(pool, view->object);
		berth__slots_free(&pool->views, view);
	}
	while ((storage = berth__slots_next(&pool->storages, storage))) {
		if (storage->has_in_flight)
			berth__fence_drop(&storage->in_flight.fence);
		berth__storage_end(pool, storage);
	}
	berth__view_objects_drop_idle(pool, 0);
	berth__blocks_release_cached(pool);
}

void berth_pool_destroy(berth_pool *pool)
{
	if (!pool)
		return;
	end_everything(pool);
	berth__slots_fini(&pool->storages);
	berth__slots_fini(&pool->views);
	pthread_mutex_destroy(&pool->mutex);
	free(pool);
}

berth_device *berth_pool_device(const berth_pool *pool)
{
	return pool->device;
}

berth_image_mode berth_pool_image_mode(const berth_pool *pool)
{
	return pool->image_mode;
}

const berth_caps *berth_pool_caps(const berth_pool *pool)
{
	return &pool->caps;
}

berth_status berth_pool_execute(berth_pool *pool, const berth_op *op, berth_result *result)
{
	berth_status st;

	berth__pool_lock(pool);
	st = berth_device_execute(pool->device, op, result);
	if (st == BERTH_OK && result->cl_status == CL_SUCCESS && op->kind == BERTH_OP_SYNC)
		berth__in_flight_complete(pool, 0);
	berth__pool_unlock(pool);
	return st;
}

berth_status berth_pool_borrow(berth_pool *pool, uint64_t object, berth_pool *from,
			       uint64_t from_object)
{
	/* In one order whichever borrows, so that two threads do not wait for each other. */
	berth_pool *first = (uintptr_t)pool < (uintptr_t)from ? pool : from;
	berth_pool *second = first == pool ? from : pool;
	berth_status st;

	berth__pool_lock(first);
	if (second != first)
		berth__pool_lock(second);
	st = berth_device_borrow(pool->device, object, from->device, from_object);
	if (second != first)
		berth__pool_unlock(second);
	berth__pool_unlock(first);
	return st;
}

uint64_t berth_pool_trim(berth_pool *pool)
{
	uint64_t before, after;

	berth__pool_lock(pool);
	before = pool->stats.held_bytes + pool->stats.copied_image_bytes;
	berth__view_objects_drop_idle(pool, 0);
	berth__blocks_release_cached(pool);
	after = pool->stats.held_bytes + pool->stats.copied_image_bytes;
	berth__pool_unlock(pool);
	return before - after;
}
