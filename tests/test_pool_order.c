/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVIDIA's driver crashes when a sub-buffer is released while a newer one overlaps
 * it (doc/pools.md). A pool on it releases in an order that the driver survives; a
 * device that keeps the account of sub-buffers stands in for the driver.
 */
#include "pool_fixture.h"

#include <stdint.h>
#include <string.h>

#define SUB_BUFFERS_MAX 4096
#define ROUNDS 2000
#define LIVE_MAX 24
#define BLOCK_BYTES (256 * KIB)

struct sub_buffer {
	uint64_t id, parent, offset_bytes, bytes;
};

/* Passes on to a simulator. */
struct account {
	berth_device base;
	berth_device *inner;
	struct sub_buffer live[SUB_BUFFERS_MAX]; /* oldest first */
	size_t count;
	unsigned crashes; /* releases that the driver would not survive */
};

static bool overlap(const struct sub_buffer *a, const struct sub_buffer *b)
{
	return a->parent == b->parent && a->offset_bytes < b->offset_bytes + b->bytes &&
	       b->offset_bytes < a->offset_bytes + a->bytes;
}

static void note_created(struct account *account, const berth_op *op)
{
	CU_ASSERT_FATAL(account->count < SUB_BUFFERS_MAX);
	account->live[account->count++] =
		(struct sub_buffer){ op->object, op->other, op->offset_bytes, op->bytes };
}

static void note_released(struct account *account, uint64_t id)
{
	size_t at = 0;

	while (at < account->count && account->live[at].id != id)
		at++;
	if (at == account->count)
		return;
	for (size_t newer = at + 1; newer < account->count; newer++)
		account->crashes += overlap(&account->live[at], &account->live[newer]);
	account->count--;
	memmove(&account->live[at], &account->live[at + 1],
		(account->count - at) * sizeof(account->live[0]));
}

static berth_status execute(berth_device *device, const berth_op *op, berth_result *result)
{
	struct account *account = (struct account *)device;
	berth_status st = berth_device_execute(account->inner, op, result);

	if (st == BERTH_OK && result->cl_status == 0) {
		if (op->kind == BERTH_OP_SUBBUFFER_CREATE)
			note_created(account, op);
		else if (op->kind == BERTH_OP_RELEASE)
			note_released(account, op->object);
	}
	return st;
}

static void memory(const berth_device *device, berth_memory *out)
{
	berth_device_memory(((const struct account *)device)->inner, out);
}

static void destroy(berth_device *device)
{
	berth_device_destroy(((struct account *)device)->inner);
	free(device);
}

static const berth_device_ops account_ops = { BERTH_DEVICE_OPS_VERSION, execute, memory, destroy,
						NULL };

static struct account *open_account(const char *vendor)
{
	berth_profile profile = sim_fixture_profile();
	struct account *account = calloc(1, sizeof(*account));

	CU_ASSERT_PTR_NOT_NULL_FATAL(account);
	snprintf(profile.caps.vendor, sizeof(profile.caps.vendor), "%s", vendor);
	account->inner = sim_fixture_device(&profile);
	account->base = (berth_device){ &account_ops, berth_device_caps(account->inner), "account" };
	return account;
}

/* The same for every run: numbers from a small generator. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*state >> 33) % below;
}

static berth_layout linear(uint64_t bytes)
{
	return (berth_layout){ .scope = BERTH_SCOPE_LINEAR,
			       .element = BERTH_ELEMENT_UINT8,
			       .lanes = 1,
			       .axis_count = 1,
			       .shape = { bytes } };
}

struct tensor {
	berth_storage storage;
	berth_view views[2]; /* both over all of it but for a byte */
};

static void take(struct tensor *tensor, berth_pool *pool, uint64_t bytes)
{
	tensor->storage = pool_fixture_storage(pool, bytes);
	for (unsigned i = 0; i < 2; i++) {
		berth_layout layout = linear(bytes - i);

		ASSERT_OK(berth_view_create(&tensor->views[i], pool, tensor->storage, &layout, 0));
	}
}

static void give_back(struct tensor *tensor, berth_pool *pool, unsigned first)
{
	ASSERT_OK(berth_view_release(pool, tensor->views[first]));
	ASSERT_OK(berth_view_release(pool, tensor->views[!first]));
	ASSERT_OK(berth_storage_release(pool, tensor->storage, NULL));
	tensor->storage = 0;
}

/* Tensors come and go, so that memory is cut anew all the time. Returns the crashes. */
static unsigned churn(const char *vendor, uint32_t cached_views)
{
	struct tensor tensors[LIVE_MAX] = { { 0 } };
	berth_pool_options options = pool_fixture_options(BERTH_POOL_SUBALLOC);
	struct account *account = open_account(vendor);
	uint64_t state = 1;
	unsigned crashes;
	berth_pool *pool;

	options.block_bytes = BLOCK_BYTES;
	options.view_cache_max = cached_views;
	pool = pool_fixture_create(&account->base, &options);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct tensor *tensor = &tensors[draw(&state, LIVE_MAX)];

		if (tensor->storage)
			give_back(tensor, pool, draw(&state, 2));
		else
			take(tensor, pool, 256 + draw(&state, 20000));
		if (round % 500 == 499)
			berth_pool_trim(pool);
	}
	berth_pool_destroy(pool);
	ASSERT_INT(account->count, 0);
	crashes = account->crashes;
	berth_device_destroy(&account->base);
	return crashes;
}

static void newest_goes_first(void)
{
	static const uint32_t cached_views[] = { 0, 1, 16, 256 };

	for (size_t i = 0; i < sizeof(cached_views) / sizeof(cached_views[0]); i++) {
		test_case("%u cached views", cached_views[i]);
		ASSERT_INT(churn("NVIDIA Corporation", cached_views[i]), 0);
		/* Elsewhere the oldest goes first: the account does see it. */
		CU_ASSERT(churn("another", cached_views[i]) > 0);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "the newest goes first", newest_goes_first },
		{ NULL, NULL },
	};

	return test_main("pool: order of releases", tests);
}
