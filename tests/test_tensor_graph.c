/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs in partitions on several devices. Names in comments are those of Glow's tests
 * of its host and device managers, whose inputs and expected values these are.
 *
 * A kernel reads two tensors of floats and writes a third, with commands on the device's
 * own queue: what it computes depends on the residency having brought what it reads.
 */
#include "tensor_fixture.h"

#include <math.h>
#include <pthread.h>

#define R cluster.world.residency
#define TOLERANCE 1e-4

enum { SITES = 3, WIDTH = 1024, REQUESTS = 50, THREADS = 5 };

/* A world with more sites: site 0 is the world's own. */
static struct {
	struct world world;
	berth_device *devices[SITES];
	berth_pool *pools[SITES];
} cluster;

static void cluster_open(const berth_site_options *site)
{
	world_open(&cluster.world, site);
	cluster.pools[0] = cluster.world.pool;
	for (uint32_t i = 1; i < SITES; i++) {
		uint32_t number = 0;

		cluster.devices[i] = world_device();
		ASSERT_OK(berth_pool_create(&cluster.pools[i], cluster.devices[i], NULL));
		ASSERT_OK(berth_residency_add_site(&number, R, cluster.pools[i], site));
		ASSERT_INT(number, i);
	}
}

static void cluster_open_limit(uint64_t bytes)
{
	berth_site_options site = BERTH_SITE_OPTIONS_INIT;

	site.hard_limit_bytes = bytes;
	cluster_open(&site);
}

/* The pools of the other sites got everything back as well. */
static void cluster_close(void)
{
	berth_residency_destroy(R);
	R = NULL;
	for (uint32_t i = 1; i < SITES; i++) {
		berth_pool_stats stats;

		berth_pool_get_stats(&stats, cluster.pools[i]);
		ASSERT_INT(stats.storages, 0);
		berth_pool_destroy(cluster.pools[i]);
		berth_device_destroy(cluster.devices[i]);
	}
	world_close(&cluster.world);
}

static berth_site_stats site_stats(uint32_t site)
{
	berth_site_stats stats = { 0 };

	ASSERT_OK(berth_residency_get_stats(&stats, R, site));
	return stats;
}

static void assert_moved(uint32_t site, uint64_t to_device_bytes, uint64_t to_host_bytes)
{
	test_case("site %" PRIu32, site);
	ASSERT_INT(site_stats(site).to_device_bytes, to_device_bytes);
	ASSERT_INT(site_stats(site).to_host_bytes, to_host_bytes);
}

static berth_tensor floats(uint64_t count, const float *content, bool constant)
{
	const berth_layout layout = linear(BERTH_ELEMENT_FLOAT32, count);
	berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
	berth_tensor tensor = 0;

	options.host = (void *)content;
	options.constant = constant;
	ASSERT_OK(berth_tensor_create(&tensor, R, &layout, &options));
	return tensor;
}

typedef float binary_fn(float a, float b);

static float multiply(float a, float b) { return a * b; }
static float power(float base, float exponent) { return powf(base, exponent); }
static float larger(float a, float b) { return a > b ? a : b; }
static float tanh_at_least(float a, float b) { return larger(tanhf(a), b); }

struct kernel {
	berth_pool *pool;
	binary_fn *function;
	uint64_t count; /* of floats, the first ones of each argument */
};

static berth_status transfer(berth_pool *pool, berth_op_kind kind, uint64_t object, float *data,
			     uint64_t count)
{
	berth_op op = { .kind = kind, .form = BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING,
			.object = object, .bytes = count * sizeof(float), HOST(data) };
	berth_result result;
	berth_status st = berth_pool_execute(pool, &op, &result);

	return st != BERTH_OK || result.cl_status == CL_SUCCESS ? st : BERTH_E_CL;
}

/* Objects: two that are read, and the one that is written. */
static berth_status kernel_run(const uint64_t *objects, size_t count, void *userdata)
{
	const struct kernel *kernel = userdata;
	float a[4], b[4];
	berth_status st;

	if (count != 3 || kernel->count > 4)
		abort();
	st = transfer(kernel->pool, BERTH_OP_READ, objects[0], a, kernel->count);
	if (st == BERTH_OK)
		st = transfer(kernel->pool, BERTH_OP_READ, objects[1], b, kernel->count);
	for (uint64_t i = 0; i < kernel->count; i++)
		a[i] = kernel->function(a[i], b[i]);
	return st == BERTH_OK ? transfer(kernel->pool, BERTH_OP_WRITE, objects[2], a, kernel->count)
			      : st;
}

static berth_status apply(uint32_t site, binary_fn *function, uint64_t count,
			  const berth_tensor tensors[3], berth_outputs outputs)
{
	struct kernel kernel = { cluster.pools[site], function, count };
	const berth_run_arg args[] = { { tensors[0], BERTH_ACCESS_READ },
				       { tensors[1], BERTH_ACCESS_READ },
				       { tensors[2], BERTH_ACCESS_WRITE } };

	return berth_residency_run(R, site, args, 3, outputs, kernel_run, &kernel);
}

static void set_float(berth_tensor tensor, float value)
{
	float *host = NULL;

	ASSERT_OK(berth_tensor_map((void **)&host, R, tensor, BERTH_ACCESS_WRITE));
	CU_ASSERT_PTR_NOT_NULL_FATAL(host);
	*host = value;
	ASSERT_OK(berth_tensor_unmap(R, tensor, BERTH_ACCESS_WRITE));
}

/* How many of the first values differ from those expected, or -1 when they cannot be read. */
static int wrong_floats(berth_tensor tensor, const float *expected, size_t count)
{
	const float *host = NULL;
	int wrong = 0;

	if (berth_tensor_map((void **)&host, R, tensor, BERTH_ACCESS_READ) != BERTH_OK)
		return -1;
	for (size_t i = 0; i < count; i++)
		wrong += fabsf(host[i] - expected[i]) > TOLERANCE;
	return berth_tensor_unmap(R, tensor, BERTH_ACCESS_READ) == BERTH_OK ? wrong : -1;
}

/*
 * HostManager P2P and DRT: {1,2,3} through four partitions on devices 0, 1, 1, 2, each of
 * one kernel, gives {1,16,81}; run twice with the same tensors.
 *
 * Moved in a run, 12 bytes a tensor: x to 0 (in the second run back from 1, as its copy on
 * the host is current); from 0 to 1 x, and the square by way of the host; between the two
 * partitions on 1 nothing; the result from 1 to 2, and home from there.
 */
static void test_partitions(void)
{
	static const float input[] = { 1, 2, 3 }, expected[] = { 1, 16, 81 };
	berth_tensor x, square, cube, fourth, out;

	cluster_open(NULL);
	x = floats(3, input, true);
	square = floats(3, NULL, false);
	cube = floats(3, NULL, false);
	fourth = floats(3, NULL, false);
	out = floats(3, NULL, false);
	for (uint64_t round = 1; round <= 2; round++) {
		ASSERT_OK(apply(0, multiply, 3, (berth_tensor[]){ x, x, square },
				BERTH_OUTPUTS_STAY));
		ASSERT_OK(apply(1, multiply, 3, (berth_tensor[]){ square, x, cube },
				BERTH_OUTPUTS_STAY));
		ASSERT_OK(apply(1, multiply, 3, (berth_tensor[]){ cube, x, fourth },
				BERTH_OUTPUTS_STAY));
		ASSERT_OK(apply(2, larger, 3, (berth_tensor[]){ fourth, fourth, out },
				BERTH_OUTPUTS_HOME));
		ASSERT_INT(wrong_floats(out, expected, 3), 0);
		ASSERT_PLACE(&cluster.world, cube, "device");
		ASSERT_PLACE(&cluster.world, out, "both");
		assert_moved(0, 12 * round, 12 * round);
		assert_moved(1, 24 * round, 12 * round);
		assert_moved(2, 12 * round, 12 * round);
	}
	cluster_close();
}

struct client {
	pthread_t thread;
	unsigned number;
	unsigned failures, wrong;
};

static void *request_all(void *userdata)
{
	static const float input[] = { 1, 2, 3 }, expected[] = { 1, 4, 9 };
	struct client *client = userdata;

	for (unsigned i = 0; i < REQUESTS / THREADS; i++) {
		const berth_layout layout = linear(BERTH_ELEMENT_FLOAT32, 3);
		berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
		berth_tensor x = 0, out = 0;

		options.host = (void *)input;
		options.constant = true;
		client->failures += berth_tensor_create(&x, R, &layout, &options) != BERTH_OK;
		client->failures += berth_tensor_create(&out, R, &layout, NULL) != BERTH_OK;
		client->failures += apply((client->number + i) % 2, multiply, 3,
					  (berth_tensor[]){ x, x, out },
					  BERTH_OUTPUTS_HOME) != BERTH_OK;
		client->wrong += wrong_floats(out, expected, 3) != 0;
		client->failures += berth_tensor_destroy(R, x) != BERTH_OK;
		client->failures += berth_tensor_destroy(R, out) != BERTH_OK;
	}
	return NULL;
}

/* HostManager Concurrent: 50 requests, the partition on two devices: {1,4,9} each. */
static void test_concurrent(void)
{
	struct client clients[THREADS] = { 0 };

	cluster_open(NULL);
	for (unsigned i = 0; i < THREADS; i++) {
		clients[i].number = i;
		ASSERT_INT(pthread_create(&clients[i].thread, NULL, request_all, &clients[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(clients[i].thread, NULL);
		ASSERT_INT(clients[i].failures, 0);
		ASSERT_INT(clients[i].wrong, 0);
	}
	ASSERT_INT(site_stats(0).to_host_count + site_stats(1).to_host_count, REQUESTS);
	ASSERT_INT(site_stats(0).charged_bytes + site_stats(1).charged_bytes, 0);
	cluster_close();
}

/*
 * Basic, ReuseModule, MultiRun: max(tanh(x), 0.25) with x = 0.5 is 0.4621; with x = 2, three
 * runs under way at once, each with tensors of its own, 0.9640; and with x = 0.1, 0.25.
 */
static void test_runs(void)
{
	static const float quarter = 0.25f, half = 0.4621f, two = 0.9640f;
	berth_tensor least, x[3], out[3];

	cluster_open(NULL);
	least = floats(1, &quarter, true);
	for (int i = 0; i < 3; i++) {
		x[i] = floats(1, NULL, false);
		out[i] = floats(1, NULL, false);
		set_float(x[i], 2);
		ASSERT_OK(apply(0, tanh_at_least, 1, (berth_tensor[]){ x[i], least, out[i] },
				BERTH_OUTPUTS_STAY));
	}
	ASSERT_OK(berth_tensor_ensure_on_host(R, out, 3));
	for (int i = 0; i < 3; i++)
		ASSERT_INT(wrong_floats(out[i], &two, 1), 0);
	set_float(x[0], 0.5f);
	ASSERT_OK(apply(0, tanh_at_least, 1, (berth_tensor[]){ x[0], least, out[0] },
			BERTH_OUTPUTS_HOME));
	ASSERT_INT(wrong_floats(out[0], &half, 1), 0);
	set_float(x[0], 0.1f);
	ASSERT_OK(apply(0, tanh_at_least, 1, (berth_tensor[]){ x[0], least, out[0] },
			BERTH_OUTPUTS_HOME));
	ASSERT_INT(wrong_floats(out[0], &quarter, 1), 0);
	/* The constant once, an input a run. */
	ASSERT_INT(site_stats(0).to_device_bytes, 4 + 5 * 4);
	cluster_close();
}

/*
 * MultiFunction: two functions of unequal need of memory that share an input x = 0.5, in a
 * budget that the larger one fills: both 0.4621, however often they alternate.
 */
static void test_functions(void)
{
	static float weights[1000];
	static const float half = 0.5f, expected = 0.4621f;
	berth_tensor x, zero, large, out[2];

	/* x, 1000 weights (whose first is what tanh is compared with) and an output. */
	cluster_open_limit(4 + 4000 + 4);
	x = floats(1, &half, true);
	zero = floats(1, weights, true);
	large = floats(1000, weights, true);
	out[0] = floats(1, NULL, false);
	out[1] = floats(1, NULL, false);
	for (int round = 0; round < 3; round++) {
		ASSERT_OK(apply(0, tanh_at_least, 1, (berth_tensor[]){ x, zero, out[0] },
				BERTH_OUTPUTS_STAY));
		ASSERT_OK(apply(0, tanh_at_least, 1, (berth_tensor[]){ x, large, out[1] },
				BERTH_OUTPUTS_STAY));
		ASSERT_INT(site_stats(0).charged_bytes, 4008);
	}
	/* Not the input, which both use. */
	ASSERT_INT(site_stats(0).to_device_bytes, 4 + 3 * (4 + 4000));
	ASSERT_OK(berth_tensor_ensure_on_host(R, out, 2));
	for (int i = 0; i < 2; i++)
		ASSERT_INT(wrong_floats(out[i], &expected, 1), 0);
	cluster_close();
}

/* TransferStaticPlaceholder: the exponent 3 is uploaded once; the input 2 gives 8. */
static void test_static(void)
{
	static const float three = 3, eight = 8;
	berth_tensor exponent, input, out;

	cluster_open(NULL);
	exponent = floats(1, &three, true);
	input = floats(1, NULL, false);
	out = floats(1, NULL, false);
	ASSERT_OK(berth_tensor_to_device(R, exponent, 0, 0));
	ASSERT_OK(berth_tensor_pin(R, exponent));
	for (uint64_t round = 1; round <= 3; round++) {
		set_float(input, 2);
		ASSERT_OK(apply(0, power, 1, (berth_tensor[]){ input, exponent, out },
				BERTH_OUTPUTS_HOME));
		ASSERT_INT(wrong_floats(out, &eight, 1), 0);
		ASSERT_INT(site_stats(0).to_device_bytes, 4 + 4 * round);
	}
	ASSERT_OK(berth_tensor_unpin(R, exponent));
	/* Not known any more: an error, and the output as it was. */
	ASSERT_OK(berth_tensor_destroy(R, exponent));
	ASSERT_FAILS(apply(0, power, 1, (berth_tensor[]){ input, exponent, out },
			   BERTH_OUTPUTS_HOME),
		     BERTH_E_STATE);
	ASSERT_INT(wrong_floats(out, &eight, 1), 0);
	cluster_close();
}

/*
 * DeferredWeight: static 2 and 3, input 2: 2^(2^3) = 256. A load that fails is told, and
 * leaves the weights where they can be loaded from again.
 */
static void test_deferred_weights(void)
{
	static const float two = 2, three = 3, expected = 256;
	berth_tensor base, exponent, input, inner, out;

	cluster_open(NULL);
	base = floats(1, &two, true);
	exponent = floats(1, &three, true);
	input = floats(1, &two, true);
	inner = floats(1, NULL, false);
	out = floats(1, NULL, false);
	for (unsigned load = 1; load <= 2; load++) {
		cluster.world.device->kinds = 1u << BERTH_OP_WRITE;
		cluster.world.device->countdown = load;
		ASSERT_FAILS(apply(0, power, 1, (berth_tensor[]){ base, exponent, inner },
				   BERTH_OUTPUTS_STAY),
			     BERTH_E_LIMIT);
		ASSERT_INT(cluster.world.device->failed, load);
		ASSERT_PLACE(&cluster.world, load == 1 ? base : exponent, "host");
		CU_ASSERT_FALSE(world_info(&cluster.world, inner).has_content);
		ASSERT_INT(world_info(&cluster.world, base).in_working_set, 0);
	}
	ASSERT_OK(apply(0, power, 1, (berth_tensor[]){ base, exponent, inner },
			BERTH_OUTPUTS_STAY));
	ASSERT_OK(apply(0, power, 1, (berth_tensor[]){ input, inner, out }, BERTH_OUTPUTS_HOME));
	ASSERT_INT(wrong_floats(out, &expected, 1), 0);
	cluster_close();
}

/* Load two partitions' weights, or neither. */
static berth_status provision(const berth_tensor weights[2])
{
	berth_status st = berth_tensor_to_device(R, weights[0], 0, 0);

	if (st != BERTH_OK)
		return st;
	st = berth_tensor_to_device(R, weights[1], 1, 0);
	if (st != BERTH_OK)
		ASSERT_OK(berth_tensor_to_host(R, weights[0], false));
	return st;
}

/*
 * Provisioner: weights of 1024 x 1024 floats, 4194304 bytes, fit devices as they are, and
 * none of 1000 bytes; with a second device of 1 byte the first partition goes back.
 */
static void test_provisioner(void)
{
	static float content[WIDTH * WIDTH];
	static const struct {
		const char *name;
		uint64_t limit_bytes[2];
		berth_status expected;
		uint64_t charged_bytes;
	} cases[] = {
		{ "default", { 0, 0 }, BERTH_OK, 4194304 },
		{ "1000 bytes", { 1000, 1000 }, BERTH_E_LIMIT, 0 },
		{ "second of 1 byte", { 0, 1 }, BERTH_E_LIMIT, 0 },
		{ "exact", { 4194304, 4194304 }, BERTH_OK, 4194304 },
		{ "a byte less", { 4194304, 4194303 }, BERTH_E_LIMIT, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_site_options first = BERTH_SITE_OPTIONS_INIT,
				   second = BERTH_SITE_OPTIONS_INIT;
		berth_pool *pool = NULL;
		berth_device *device;
		berth_tensor weights[2];
		uint32_t number;

		test_case("%s", cases[i].name);
		first.hard_limit_bytes = cases[i].limit_bytes[0];
		second.hard_limit_bytes = cases[i].limit_bytes[1];
		world_open(&cluster.world, &first);
		device = world_device();
		ASSERT_OK(berth_pool_create(&pool, device, NULL));
		ASSERT_OK(berth_residency_add_site(&number, R, pool, &second));
		for (int j = 0; j < 2; j++)
			weights[j] = floats(WIDTH * WIDTH, content, true);
		ASSERT_FAILS(provision(weights), cases[i].expected);
		for (uint32_t site = 0; site < 2; site++)
			ASSERT_INT(site_stats(site).charged_bytes, cases[i].charged_bytes);
		berth_residency_destroy(R);
		R = NULL;
		berth_pool_destroy(pool);
		berth_device_destroy(device);
		world_close(&cluster.world);
	}
}

/* StatsExporter: of 2000000000 bytes, 1024 x 1024 floats use 4194304. */
static void test_stats(void)
{
	static float content[WIDTH * WIDTH];
	berth_tensor weights;

	cluster_open_limit(2000000000);
	ASSERT_INT(site_stats(0).charged_bytes, 0);
	ASSERT_INT(site_stats(0).available_bytes, 2000000000);
	weights = floats(WIDTH * WIDTH, content, true);
	ASSERT_OK(berth_tensor_to_device(R, weights, 0, 0));
	ASSERT_INT(site_stats(0).charged_bytes, 4194304);
	ASSERT_INT(site_stats(0).available_bytes, 2000000000 - 4194304);
	ASSERT_OK(berth_tensor_destroy(R, weights));
	ASSERT_INT(site_stats(0).charged_bytes, 0);
	ASSERT_INT(site_stats(0).available_bytes, 2000000000);
	cluster_close();
}

/* Tensors.unpaddedSize: of 256 bytes the host has 11; views and clones have no more. */
static void test_unpadded_size(void)
{
	const berth_layout layout = linear(BERTH_ELEMENT_UINT8, 256);
	const berth_layout part = linear(BERTH_ELEMENT_UINT8, 4);
	berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;
	berth_tensor tensor = 0, view = 0, clone = 0;
	unsigned char content[11] = "0123456789";

	cluster_open(NULL);
	options.host = content;
	options.host_bytes = sizeof(content);
	ASSERT_OK(berth_tensor_create(&tensor, R, &layout, &options));
	ASSERT_OK(berth_tensor_view(&view, R, tensor, &part, 7));
	ASSERT_OK(berth_tensor_clone(&clone, R, tensor));
	ASSERT_INT(world_info(&cluster.world, tensor).bytes, 11);
	ASSERT_INT(world_info(&cluster.world, clone).bytes, 11);
	ASSERT_INT(world_info(&cluster.world, view).bytes, 4);
	ASSERT_OK(berth_tensor_to_device(R, view, 0, 0));
	ASSERT_OK(berth_tensor_to_device(R, clone, 0, 0));
	ASSERT_INT(site_stats(0).to_device_bytes, 22);
	ASSERT_INT(site_stats(0).charged_bytes, 512);
	ASSERT_OK(berth_tensor_copy(R, clone, tensor));
	ASSERT_INT(world_info(&cluster.world, clone).bytes, 11);
	/* Past what the host has there is nothing to look at. */
	ASSERT_FAILS(berth_tensor_view(&view, R, tensor, &part, 253), BERTH_E_LIMIT);
	cluster_close();
}

static const struct test tests[] = {
	{ "partitions", test_partitions },
	{ "concurrent", test_concurrent },
	{ "runs", test_runs },
	{ "functions", test_functions },
	{ "static", test_static },
	{ "deferred weights", test_deferred_weights },
	{ "provisioner", test_provisioner },
	{ "stats", test_stats },
	{ "unpadded size", test_unpadded_size },
	{ NULL, NULL },
};

int main(void)
{
	return world_main("tensor_graph", tests);
}
