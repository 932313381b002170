/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pool. First its own cost, on a device that does nothing: CPU time a storage
 * created or released, and the most that it holds over the largest sum of live
 * bytes, by policy, against malloc(). Then, where there is an OpenCL device
 * (argument: part of its platform's name), a storage or a view with its object
 * against clCreateBuffer() and clReleaseMemObject(), untouched and with a first
 * write. Rounds alternate between what is compared; medians.
 */
#include "config.h"
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CL/cl.h>

#include <berth/pool.h>

#define ROUNDS 9
#define SEEDS 5

static double now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return values[count / 2];
}

static berth_status accept_all(berth_device *device, const berth_op *op, berth_result *result)
{
	(void)device;
	result->bytes = op->bytes;
	return BERTH_OK;
}

static void hold_nothing(const berth_device *device, berth_memory *memory)
{
	(void)device;
	(void)memory;
}

static void destroy_nothing(berth_device *device)
{
	(void)device;
}

static const berth_device_ops idle_ops = { BERTH_DEVICE_OPS_VERSION, accept_all, hold_nothing,
					   destroy_nothing, NULL };

/* A large GPU that accepts everything at once. */
static void idle_device(berth_device *out, berth_caps *caps)
{
	berth_caps_init_minimum(caps, 300);
	caps->global_mem_bytes = UINT64_C(1) << 40;
	caps->max_alloc_bytes = UINT64_C(1) << 38;
	caps->base_addr_align_bits = 256 * 8;
	caps->images = false;
	*out = (berth_device){ &idle_ops, caps, "idle" };
}

/* CPU ns a step; negative when it failed. */
static double run_pool(const struct workload *workload, berth_pool_policy policy, double *peak)
{
	berth_storage *storages = calloc(workload->slot_count, sizeof(*storages));
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_pool_stats stats;
	berth_device device;
	berth_pool *pool = NULL;
	berth_caps caps;
	double began, ns = -1;

	options.policy = policy;
	idle_device(&device, &caps);
	if (!storages || berth_pool_create(&pool, &device, &options) != BERTH_OK)
		goto out;
	began = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (size_t i = 0; i < workload->step_count; i++) {
		const struct step *step = &workload->steps[i];
		berth_status st = step->bytes > 0
					  ? berth_storage_create(&storages[step->slot], pool,
								 step->bytes, NULL)
					  : berth_storage_release(pool, storages[step->slot], NULL);

		if (st != BERTH_OK)
			goto out;
	}
	ns = (now_ns(CLOCK_PROCESS_CPUTIME_ID) - began) / (double)workload->step_count;
	berth_pool_get_stats(&stats, pool);
	*peak = (double)stats.peak_held_bytes / (double)workload->bound_bytes;
out:
	berth_pool_destroy(pool);
	free(storages);
	return ns;
}

static double run_malloc(const struct workload *workload)
{
	void **blocks = calloc(workload->slot_count, sizeof(*blocks));
	double began = now_ns(CLOCK_PROCESS_CPUTIME_ID), ns;

	if (!blocks)
		return -1;
	for (size_t i = 0; i < workload->step_count; i++) {
		const struct step *step = &workload->steps[i];

		free(step->bytes == 0 ? blocks[step->slot] : NULL);
		blocks[step->slot] = step->bytes > 0 ? malloc(step->bytes) : NULL;
	}
	ns = (now_ns(CLOCK_PROCESS_CPUTIME_ID) - began) / (double)workload->step_count;
	for (uint32_t slot = 0; slot < workload->slot_count; slot++)
		free(blocks[slot]);
	free(blocks);
	return ns;
}

/* exact keeps what it frees for ever: its scan of them is no measure of anything. */
static const berth_pool_policy measured[] = { BERTH_POOL_SUBALLOC, BERTH_POOL_NAIVE };
#define MEASURED (sizeof(measured) / sizeof(measured[0]))

static double median_peak(unsigned kind, berth_pool_policy policy)
{
	double peaks[SEEDS] = { 0 };

	for (int seed = 0; seed < SEEDS; seed++) {
		struct workload workload;

		if (workload_generate(&workload, kind, (uint64_t)seed + 1) == 0)
			run_pool(&workload, policy, &peaks[seed]);
		workload_free(&workload);
	}
	return median(peaks, SEEDS);
}

static int bench_workload(unsigned kind)
{
	double ns[MEASURED + 1][ROUNDS], peak, malloc_ns;
	struct workload workload;

	if (workload_generate(&workload, kind, 1) != 0)
		return -1;
	printf("  %-6s %s\n", workload.name, workload.summary);
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < MEASURED; i++)
			ns[i][round] = run_pool(&workload, measured[i], &peak);
		ns[MEASURED][round] = run_malloc(&workload);
	}
	workload_free(&workload);
	malloc_ns = median(ns[MEASURED], ROUNDS);
	for (size_t i = 0; i < MEASURED; i++) {
		double pool_ns = median(ns[i], ROUNDS);

		printf("         %-9s %6.1f ns  time/malloc %.2f  held/bound %.3f\n",
		       berth_pool_policy_string(measured[i]), pool_ns, pool_ns / malloc_ns,
		       median_peak(kind, measured[i]));
	}
	printf("         malloc    %6.1f ns\n", malloc_ns);
	return 0;
}

#ifdef BERTH_WITH_OPENCL
#include <berth/opencl.h>

#define PAIRS 200

struct opencl_bench {
	berth_device *device;
	berth_pool *pool;
	uint64_t bytes;
};

static const unsigned char one_byte = 1;

static void touch(const struct opencl_bench *bench, cl_mem mem)
{
	clEnqueueWriteBuffer(berth_opencl_queue(bench->device), mem, CL_TRUE, 0, 1, &one_byte, 0,
			     NULL, NULL);
}

static bool driver_buffer(const struct opencl_bench *bench, bool written)
{
	cl_int code;
	cl_mem mem = clCreateBuffer(berth_opencl_context(bench->device), CL_MEM_READ_WRITE,
				    bench->bytes, NULL, &code);

	if (code != CL_SUCCESS)
		return false;
	if (written)
		touch(bench, mem);
	return clReleaseMemObject(mem) == CL_SUCCESS;
}

static bool pool_storage(const struct opencl_bench *bench, bool written)
{
	berth_storage storage;

	(void)written;
	return berth_storage_create(&storage, bench->pool, bench->bytes, NULL) == BERTH_OK &&
	       berth_storage_release(bench->pool, storage, NULL) == BERTH_OK;
}

static bool pool_view(const struct opencl_bench *bench, bool written)
{
	const berth_layout layout = { .element = BERTH_ELEMENT_UINT8,
				      .lanes = 1,
				      .axis_count = 1,
				      .shape = { bench->bytes } };
	berth_storage storage;
	berth_view_info info;
	berth_view view;

	if (berth_storage_create(&storage, bench->pool, bench->bytes, NULL) != BERTH_OK ||
	    berth_view_create(&view, bench->pool, storage, &layout, 0) != BERTH_OK ||
	    berth_view_get_info(&info, bench->pool, view) != BERTH_OK)
		return false;
	if (written)
		touch(bench, berth_opencl_mem(bench->device, info.object));
	return berth_view_release(bench->pool, view) == BERTH_OK &&
	       berth_storage_release(bench->pool, storage, NULL) == BERTH_OK;
}

static const struct {
	const char *name;
	bool (*pair)(const struct opencl_bench *bench, bool written);
	bool written;
} contests[] = {
	{ "clCreateBuffer, clReleaseMemObject", driver_buffer, false },
	{ "storage of the pool", pool_storage, false },
	{ "storage and view with its cl_mem", pool_view, false },
	{ "clCreateBuffer, first write, release", driver_buffer, true },
	{ "storage, view, write, release", pool_view, true },
};
#define CONTESTS (sizeof(contests) / sizeof(contests[0]))

static int bench_size(const struct opencl_bench *bench)
{
	double ns[CONTESTS][ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < CONTESTS; i++) {
			double began = now_ns(CLOCK_MONOTONIC);

			for (int pair = 0; pair < PAIRS; pair++)
				if (!contests[i].pair(bench, contests[i].written))
					return -1;
			ns[i][round] = (now_ns(CLOCK_MONOTONIC) - began) / PAIRS;
		}
	}
	printf("  %llu KiB\n", (unsigned long long)(bench->bytes >> 10));
	for (size_t i = 0; i < CONTESTS; i++) {
		/* each against the driver's pair with the same writes */
		double base = median(ns[contests[i].written ? 3 : 0], ROUNDS);
		double own = median(ns[i], ROUNDS);

		printf("         %-38s %10.0f ns  %.3f of the driver's\n", contests[i].name, own,
		       own / base);
	}
	return 0;
}

static int bench_opencl(const char *platform)
{
	static const uint64_t sizes[] = { 64 << 10, 1 << 20, 16 << 20 };
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	struct opencl_bench bench = { 0 };
	int status = 0;

	if (berth_opencl_find(&options.device, platform, 0) != BERTH_OK) {
		printf("pool on OpenCL: left out: %s\n", berth_error_get()->message);
		return 0;
	}
	if (berth_opencl_create(&bench.device, &options) != BERTH_OK ||
	    berth_pool_create(&bench.pool, bench.device, NULL) != BERTH_OK)
		status = -1;
	else
		printf("pool on %s, wall time of a pair, median of %d alternating rounds\n",
		       berth_device_caps(bench.device)->name, ROUNDS);
	for (size_t i = 0; status == 0 && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		bench.bytes = sizes[i];
		status = bench_size(&bench);
	}
	berth_pool_destroy(bench.pool);
	berth_device_destroy(bench.device);
	return status;
}
#else
static int bench_opencl(const char *platform)
{
	(void)platform;
	return 0;
}
#endif

int main(int argc, char **argv)
{
	printf("pool, CPU time a storage created or released, median of %d alternating rounds; "
	       "most held over bound, median of %d seeds\n",
	       ROUNDS, SEEDS);
	for (unsigned kind = 0; kind < WORKLOAD_KINDS; kind++) {
		if (bench_workload(kind) != 0) {
			fprintf(stderr, "bench_pool: out of memory\n");
			return 1;
		}
	}
	if (bench_opencl(argc > 1 ? argv[1] : "") != 0) {
		fprintf(stderr, "bench_pool: %s\n", berth_error_get()->message);
		return 1;
	}
	return 0;
}
